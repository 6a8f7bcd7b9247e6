"""The four kinds of input: texts, labels, pairs or counts. Verbs go by the class of an input and its `kind`, and nothing else.

`Corpus`
    texts with mentions; or labels or pairs of records whose rows were read, as its `kind` says
`LabelTable`
    a table of items and entities whose rows stay columns
`PairTable`
    pairs of records, which links are to be made of
`Stored`
    counts that were stored
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # a start imports none of them
    from referee.corpus import Corpus
    from referee.formats.inputs.labels import LabelTable
    from referee.formats.inputs.paths import Stored
    from referee.formats.tabular.pairs import PairTable

Input: TypeAlias = "Corpus | LabelTable | PairTable | Stored"
