r"""WebAnno TSV 3, of WebAnno, INCEpTION and GUM: one token per line, with columns for layers of annotation.

::

    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

    #Text=He shot himself
    1-1	0-2	He	pr[1]	coref->1-1
    1-2	3-7	shot	_	_
    1-3	8-15	himself	pr[1]	*->1-2

The header names the layers (T_SP spans, T_CH chains, T_RL relations) with their features, one column each. A row has sentence
and token, offsets of characters, the token, and the columns; `_` is no annotation, `*` an annotation without a value. A
backslash precedes a character of `\[]|_;*` or `->` that is meant as such. Annotations on the same token stand side by side,
divided by `|`; the number in brackets tells them apart, and says which rows belong to one annotation.

Coreference stands in one of two kinds of layers, and both are read:

chains
    `coref->1-2` is the second link of chain 1; every chain is an entity. All layers T_CH are read.
relations
    as in GUM::

        #T_SP=webanno.custom.Referent|entity|infstat
        #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

        1-1	0-2	He	person[1]	acc[1]	coref	2-5[3_1]

    The last column of a relation says where it comes from: here from annotation 3, which begins at token 2-5, to annotation 1
    in this row; 0, or no brackets, is an annotation without number. Relations of layers whose name begins with "coref", or
    that `--relations` names, are coreference, whatever their value, and kept as listed; but `bridge`, `bridge:...` is bridging
    (from anaphor to antecedent), and `bridge:aggr...` one of several split antecedents. Relations of other layers (but
    Dependency) are ignored, with a warning. Every annotation of the layer that they relate is a mention, so those without a
    relation are singletons. The first feature (GUM: `entity`) of its first mention is an entity's type.

Other layers of spans are left out, with a count, but for those of words and of syntax (POS, Lemma and the like).

Entities are called by their chain, or by the number (or place) of their first annotation, with the layer's name in front if
several layers have mentions. A row such as ``1-3.1 9-13 play`` is a part of token 1-3: the token is cut where a mention begins
or ends inside it. The tokens are taken as they stand in their column, but for a backslash, which is written twice. The
text is that of the lines `#Text=`, where the offsets of the tokens fit. The document has no name; several documents are written
as the files of a folder, called by their names.

Written files have chains, of the layer that WebAnno and INCEpTION have from the beginning, and so no more than mentions,
entities and their types, which stand in `referenceType`. That is where types of chains are read, too, of the first mention of
each; but tags of mention types (`pr`, `nam`, `nom` and the like) are none. `undecided: ...` is the type `undecided` with a
note.

References
----------
The format's description in INCEpTION's user guide, the files of its test suite, and GUM.

Notes
-----
Where programs disagree:

* The order of a chain's two columns differs between versions; they are told by their names in the header.
* INCEpTION counts offsets in UTF-16 units, GUM in characters: it matters only within tokens that are cut.
* Rows of GUM may have more columns than the header says; where these are empty (`_`), they are ignored.
* WebAnno TSV 1 and 2 are other formats, and refused.
* Some scripts number the links of chains anew in each sentence. A link then has pieces in several sentences, and a warning says
  in how many links.
"""

from __future__ import annotations

from referee.formats.shared.format import Format
from referee.formats.webanno.reading import read, sniff
from referee.formats.webanno.writing import drop_unsupported, write

__all__ = ["FORMAT", "drop_unsupported", "read", "sniff", "write"]

FORMAT = Format(
    "webanno",
    __doc__,
    ("spans", "words", "entity types", "links", "discontinuous mentions", "bridging", "split antecedents"),
    sniff,
    read,
    write,
    drop_unsupported,
    rewriting="referee.formats.webanno.rewriting",
    writes=("spans", "words", "entity types"),
    document_ending=".tsv",
    writes_places=True,
    has_relations=True,
)
