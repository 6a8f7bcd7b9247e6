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

from typing import TYPE_CHECKING, TypeAlias, cast

from referee.basics.exceptions import OptionError
from referee.corpus import Corpus

if TYPE_CHECKING:  # a start imports none of them
    from referee.inputs.labels import LabelTable
    from referee.inputs.paths import Stored
    from referee.tabular.pairs import PairTable

Input: TypeAlias = "Corpus | LabelTable | PairTable | Stored"


def called(loaded: Input) -> str:
    """What an input is called, and what it has."""
    if isinstance(loaded, Corpus):
        return f"{loaded.source}, which has {'mentions' if loaded.kind == 'texts' else loaded.kind}"
    return f"{getattr(loaded, 'name', None) or getattr(loaded, 'path', '')}, which has {loaded.kind}"


def check_pairs(loaded: Input) -> PairTable:
    """Return an input that is given with a threshold: pairs with probabilities.

    Raises
    ------
    OptionError, FormatError
        If it is anything else, or has pairs without probabilities.
    """
    if isinstance(loaded, Corpus) or loaded.kind != "pairs":
        raise OptionError(f"--threshold is for pairs with probabilities; found {called(loaded)}")
    pairs = cast("PairTable", loaded)
    pairs.check_probable()
    return pairs
