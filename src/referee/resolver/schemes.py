"""Which scheme of labels trees have: Universal Dependencies are kept, ClearNLP is converted, anything else is refused.

The models know labels of UD only. With others they would find entities, but few of the right ones, so a warning would not do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import compress

from referee.basics.exceptions import shortened, warn
from referee.formats.shared.source import OnError
from referee.resolver.clear import CLEAR, NAME, LabelledTrees, to_universal

RELATIONS = frozenset((
    "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf", "compound", "conj", "cop", "csubj", "dep",
    "det", "discourse", "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod",
    "obj", "obl", "orphan", "parataxis", "punct", "reparandum", "root", "vocative", "xcomp", "_",
))  # fmt: skip
"""The relations of Universal Dependencies."""

NOT_CLEAR = frozenset((
    "clf", "cop", "discourse", "dislocated", "fixed", "flat", "goeswith", "iobj", "list", "obj", "obl", "orphan", "reparandum",
    "vocative",
))  # fmt: skip
"""Those that ClearNLP has not; nor has it any with a subtype."""

PARTS_OF_SPEECH = frozenset((
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB",
    "X",
))  # fmt: skip
"""The values of UPOS."""

OF_SPACY = {"SPACE": "PUNCT"}
"""The part of speech of blanks that spaCy makes tokens of; as punctuation they are in no mention."""

FOREIGN = 0.1
"""The share of other relations or parts of speech from which trees are refused; fewer are warned of."""

REMEDY = "parse it with Stanza, UDPipe or Trankit"


def universal(trees: LabelledTrees, words: Iterable[bool], source: str, on_error: OnError) -> LabelledTrees:
    """The trees with labels of UD, converted if they have those of ClearNLP.

    Parameters
    ----------
    trees : LabelledTrees
    words : iterable of bool
        Which tokens are words, and no empty nodes.
    source : str
        The file, for warnings.
    on_error : OnError

    Raises
    ------
    FormatError
        By `on_error`: if a tenth of the relations or of the parts of speech are of another scheme, or relations are of both.

    Warns
    -----
    RefereeWarning
        If fewer are.
    """
    if "SPACE" in trees.upos:
        trees = trees._replace(upos=[OF_SPACY.get(tag, tag) for tag in trees.upos])
    if "ROOT" in trees.relation:
        trees = trees._replace(relation=["root" if text == "ROOT" else text for text in trees.relation])
    tags, count = Counter(compress(trees.upos, words)), Counter(trees.relation)
    _check(tags, PARTS_OF_SPEECH, "parts of speech", source, on_error)
    clear = Counter({text: n for text, n in count.items() if text in CLEAR})
    others = Counter({text: n for text, n in count.items() if text in NOT_CLEAR or (":" in text and _basic(text) in RELATIONS)})
    less, more = sorted((clear.total(), others.total()))
    if less > FOREIGN * more:
        problem = f"has relations of UD ({_examples(others)}) and of ClearNLP ({_examples(clear)})"
        on_error(None, f"{problem}; expected one scheme in all documents: {REMEDY}")
    if clear.total() <= others.total():
        _check(count, RELATIONS, "relations", source, on_error)
        return trees
    _check(count, RELATIONS | CLEAR | {NAME}, "relations", source, on_error)
    return to_universal(trees)


def _check(count: Counter[str], known: frozenset[str], name: str, source: str, on_error: OnError) -> None:
    """Refuse labels if many are not known, and warn if some are not."""
    others = Counter({text: n for text, n in count.items() if _basic(text) not in known})
    share = others.total() / max(count.total(), 1)
    if share > FOREIGN:
        problem = f"{share:.0%} of the {name} ({_examples(others)}) are none of Universal Dependencies"
        on_error(None, f"{problem}; expected trees of UD: {REMEDY}")
    elif others:
        warn(f"{source}: {share:.1%} of the {name} ({_examples(others)}) are none of Universal Dependencies")


def _basic(relation: str) -> str:
    """A relation without its subtype."""
    return relation.partition(":")[0]


def _examples(count: Counter[str]) -> str:
    """The most frequent labels."""
    return shortened(", ".join(text for text, _ in count.most_common(3)))
