"""The syntax of a text: the columns of CoNLL-U as codes over all tokens of all documents.

Only the columns FORM, LEMMA, UPOS, FEATS, HEAD, DEPREL, and DEPS of empty nodes are read, and the comments ``# speaker =``,
``# addressee =`` and ``# newpar``. Nothing of the annotation of coreference is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, tally
from referee.basics.exceptions import counted, shortened, warn
from referee.formats.corefud.rows import ConlluRows
from referee.formats.shared.source import OnError
from referee.resolver.clear import LabelledTrees
from referee.resolver.schemes import universal

SPEAKER = re.compile(r"#\s*(speaker|addressee)\s*=\s*(.*?)\s*")
DEPENDENCY = re.compile(r"([0-9]+)(?:\.([0-9]+))?:([^|]*).*")
NO_LEMMA = "-PRON-"
"""What old models of spaCy write for the lemma of every pronoun."""
LEANING = re.compile(r"-(?:t-)?(?=[^\W\d])")

REMEDY = "parse its text with referee parse, UDPipe, Stanza or Trankit"


class Coded(NamedTuple):
    """A column of strings: the code of each row, and the string of each code."""

    code: Ints
    texts: list[str]

    def numbers(self, number: dict[str, int], otherwise: int = 0) -> Ints:
        """The number of each row's string, as a dictionary has it."""
        return np.array([number.get(text, otherwise) for text in self.texts], dtype=np.int32)[self.code]

    def among(self, *texts: str) -> Bools:
        """Which rows have one of these strings."""
        return np.array([text in texts for text in self.texts], dtype=bool)[self.code]


class Syntax(NamedTuple):
    """Columns over all tokens (words and empty nodes) of all documents, in the order of the file.

    Parameters
    ----------
    source : str
        The file.
    doc_ids : tuple of str
        The names of the documents.
    first : int64, shape (documents + 1,)
        The first token of each document, and the number of all.
    words : list of str
        The different forms and lemmas, as `plain` gives them.
    form, lemma : int32, shape (tokens,)
        Numbers of `words`; the form where there is no lemma.
    upos, deprel, feats : Coded
        Each different value once.
    parent : int64, shape (tokens,)
        The token that HEAD names, or that the first of DEPS names for an empty node; -1 for a root.
    depth : int64, shape (tokens,)
        How many parents are above a token.
    sentence : int64, shape (tokens,)
        Number of the sentence, counted through the file.
    is_node : bool, shape (tokens,)
        Whether it is an empty node.
    speaker, addressee : int64, shape (sentences,)
        Codes of names, the same for both; 0 where nothing is known.
    speakers : list of str
        The name of each code.
    paragraph : int64, shape (sentences,)
        The number of its paragraph, counted through the file.
    """

    source: str
    doc_ids: tuple[str, ...]
    first: Ints
    words: list[str]
    form: Ints
    lemma: Ints
    upos: Coded
    feats: Coded
    deprel: Coded
    parent: Ints
    depth: Ints
    sentence: Ints
    is_node: Bools
    speaker: Ints
    addressee: Ints
    speakers: list[str]
    paragraph: Ints

    @property
    def relation(self) -> Coded:
        """The deprel without its subtype."""
        return _recoded(self.deprel, [text.partition(":")[0] for text in self.deprel.texts])


def things_are_he_or_she(syntax: Syntax) -> bool:
    """Whether most nouns are masculine or feminine: then pronouns follow nouns, and one referent may be both he and she."""
    gendered = np.array(
        [bool(re.search(r"(?:^|\|)Gender=(?:Masc|Fem)(?:\||$)", text)) for text in syntax.feats.texts], dtype=bool
    )
    nouns = syntax.upos.among("NOUN")
    return bool(2 * np.count_nonzero(gendered[syntax.feats.code][nouns]) > np.count_nonzero(nouns))


def subtrees(syntax: Syntax) -> tuple[Ints, Ints]:
    """The first token of the subtree of each token, and that behind its last; what is between is taken to belong to it."""
    first = np.arange(len(syntax.parent))
    after = first + 1
    for depth in range(int(syntax.depth.max(initial=0)), 0, -1):
        level = np.flatnonzero(syntax.depth == depth)
        np.minimum.at(first, syntax.parent[level], first[level])
        np.maximum.at(after, syntax.parent[level], after[level])
    return first, after


def plain(word: str) -> str:
    """A word as words are compared: in lower case, with plain apostrophes, without the hyphen of what leans on a word.

    >>> plain("L’"), plain("-t-il"), plain("là-bas"), plain("-5"), plain("-")
    ("l'", 'il', 'là-bas', '-5', '-')
    """
    word = word.lower().replace("’", "'")
    leaning = LEANING.match(word)
    return word[leaning.end() :] if leaning else word


def coded(values: Iterable[str]) -> Coded:
    """Give each string a code, in the order in which they first appear."""
    rows = values if isinstance(values, Sequence) else list(values)
    number = {text: n for n, text in enumerate(dict.fromkeys(rows))}
    return Coded(np.fromiter(map(number.__getitem__, rows), dtype=np.int32, count=len(rows)), list(number))


def _recoded(column: Coded, texts: Sequence[str]) -> Coded:
    """The column with other strings, of which some may be equal."""
    of_texts = coded(texts)
    return Coded(of_texts.code[column.code], of_texts.texts)


def syntax_of(rows: ConlluRows, source: str, on_error: OnError) -> Syntax:
    """Read the syntax of the rows of a file.

    Raises
    ------
    FormatError
        By `on_error`: if no word has a HEAD; if one is no word of the sentence, or HEADs run in a circle.

    Warns
    -----
    RefereeWarning
        If features are not written as Name=Value: they are not used; if many relations or parts of speech are none of Universal
        Dependencies.
    """
    # Ten cells a row: much faster than row by row.
    cells = "\t".join([rows.lines[n - 1] for n in rows.tokens.line.tolist()]).split("\t")
    forms, lemmas, upos, feats, heads, deprels, deps = (cells[n::10] for n in (1, 2, 3, 5, 6, 7, 8))
    form, lemma = coded(forms), coded(lemmas)
    words = coded([plain(text) for text in form.texts + lemma.texts])
    form_word, lemma_word = words.code[form.code], words.code[len(form.texts) + lemma.code]
    trees = LabelledTrees(_parents(rows, heads, deps, deprels, on_error), deprels, upos, feats, forms)
    parent, deprels, upos, feats, _ = universal(trees, ~rows.tokens.is_node, source, on_error)
    sentences = int(rows.tokens.sentence[-1]) + 1 if len(rows.tokens.sentence) else 0
    features = coded(feats)
    wrong = sum("=" not in pair for text in features.texts if text != "_" for pair in text.split("|"))
    if wrong:
        warn(f"{source}: {counted(wrong, 'feature')} in FEATS not written as Name=Value; not used")
    return Syntax(
        source,
        tuple(rows.names),
        rows.first,
        words.texts,
        form_word,
        np.where(lemma.among("_", NO_LEMMA), form_word, lemma_word),
        coded(upos),
        features,
        coded(deprels),
        parent,
        _depths(parent, rows, on_error),
        rows.tokens.sentence,
        rows.tokens.is_node,
        *_speakers(rows, sentences),
        _paragraphs(rows, sentences),
    )


def _parents(rows: ConlluRows, heads: Sequence[str], deps: Sequence[str], deprel: list[str], on_error: OnError) -> Ints:
    """The parent of each token; the relation of empty nodes is put into `deprel`."""
    tokens = rows.tokens
    words = np.flatnonzero(~tokens.is_node)
    column = coded(heads)
    several = len(words) > len(np.unique(tokens.sentence))
    if column.texts == ["_"] or (several and {*column.texts} <= {"_", "0"}):
        on_error(None, f"has no trees (no HEAD names a word); expected HEAD and DEPREL: {REMEDY}")
    value = np.array([int(t) if t.isascii() and t.isdigit() and len(t) < 9 else -1 for t in column.texts], dtype=np.int64)
    number = value[column.code]
    # The n-th word of a sentence is the n-th of the words of the file that come with it.
    before = np.searchsorted(tokens.sentence[words], tokens.sentence)
    size = np.searchsorted(tokens.sentence[words], tokens.sentence, side="right") - before
    blank = np.array([text == "_" for text in column.texts], dtype=bool)[column.code]
    wrong = ~tokens.is_node & ~blank & ((number < 0) | (number > size))
    for n in np.flatnonzero(wrong).tolist():
        expected = f"0 for a root, or a word of the sentence, from 1 to {size[n]}"
        on_error(int(tokens.line[n]), f"found the HEAD {shortened(heads[n])!r}; expected {expected}")
    has = ~tokens.is_node & (number > 0) & ~wrong
    parent = np.full(len(number), -1, dtype=np.int64)
    parent[has] = words[(before + number - 1)[has]]
    for n in np.flatnonzero(tokens.is_node).tolist():
        match = DEPENDENCY.fullmatch(deps[n])
        if not match:
            continue
        deprel[n] = match[3]
        word = int(match[1][:8])
        if 0 < word <= size[n] and not match[2]:
            parent[n] = words[before[n] + word - 1]
    return parent


def _depths(parent: Ints, rows: ConlluRows, on_error: OnError) -> Ints:
    """How many parents are above each token. Tokens on a circle are reported, and then count as roots."""
    depth = np.zeros(len(parent), dtype=np.int64)
    above = parent.copy()
    longest = int(tally(rows.tokens.sentence).max(initial=0)) if len(parent) else 0
    for _ in range(longest + 1):
        rest = np.flatnonzero(above >= 0)
        if not len(rest):
            return depth
        depth[rest] += 1
        above[rest] = parent[above[rest]]
    circle = np.flatnonzero(above >= 0)
    on_error(int(rows.tokens.line[circle[0]]), "found HEADs that run in a circle; expected a tree: correct them")
    parent[circle] = -1
    return np.where(parent < 0, 0, depth)


def _speakers(rows: ConlluRows, sentences: int) -> tuple[Ints, Ints, list[str]]:
    """The speaker and the addressee of each sentence, as codes, and the name of each code."""
    lines = rows.tokens.line
    names: dict[str, int] = {"": 0}
    columns = {word: np.zeros(sentences, dtype=np.int64) for word in ("speaker", "addressee")}
    for word, column in columns.items():
        for number, text in rows.comments(word):
            match = SPEAKER.fullmatch(text)
            token = int(np.searchsorted(lines, number))
            if match and match[1] == word and token < len(lines):
                name = "" if match[2] == "_" else match[2]
                column[rows.tokens.sentence[token]] = names.setdefault(name, len(names))
    return columns["speaker"], columns["addressee"], list(names)


def _paragraphs(rows: ConlluRows, sentences: int) -> Ints:
    """The number of the paragraph of each sentence."""
    begins = np.zeros(sentences, dtype=np.int64)
    for number, _ in rows.comments("newpar"):
        token = int(np.searchsorted(rows.tokens.line, number))
        if token < len(rows.tokens.line):
            begins[rows.tokens.sentence[token]] = 1
    paragraph: Ints = np.cumsum(begins)
    return paragraph
