"""The words of texts, with their places in the text as the user has it: `PlacedWords`, `ParsedText`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import counted


@dataclass(frozen=True, slots=True, repr=False)
class PlacedWords:
    """The words of texts.

    Parameters
    ----------
    doc_ids : sequence of str, shape (documents,)
        The names of the documents.
    texts : sequence of str, shape (documents,)
        Each text, as the user has it.
    form : sequence of str, shape (words,)
        The words. A form has no white space; it is the text at its place, but for a word that a hyphen divides at the end of
        a line, and for words that share a token, as French *du* stands for *de le*.
    start, end : int64, shape (words,)
        The characters of each word in the text of its document, half-open. Words that share a token have the place of that
        token.
    first : int64, shape (sentences + 1,)
        The first word of each sentence, and the number of all words. No sentence is empty.
    document : int64, shape (sentences,)
        The document of each sentence.
    paragraph : bool, shape (sentences,)
        Whether a sentence begins a paragraph.
    speaker : sequence of str, shape (sentences,)
        Who says it; empty where the text does not tell.
    """

    doc_ids: Sequence[str]
    texts: Sequence[str]
    form: Sequence[str]
    start: Ints
    end: Ints
    first: Ints
    document: Ints
    paragraph: Bools
    speaker: Sequence[str]


@dataclass(frozen=True, slots=True, repr=False)
class ParsedText:
    """Words with tags and trees.

    Parameters
    ----------
    words : PlacedWords
    upos, xpos, feats, lemma : sequence of str, shape (words,)
        As in CoNLL-U; `_` where there is none.
    head : int64, shape (words,)
        The number of the head in the sentence, from 1; 0 for the root, of which each sentence has one.
    deprel : sequence of str, shape (words,)
        Relations of Universal Dependencies.
    model : str
        What made them, for signatures.
    """

    words: PlacedWords
    upos: Sequence[str]
    xpos: Sequence[str]
    feats: Sequence[str]
    lemma: Sequence[str]
    head: Ints
    deprel: Sequence[str]
    model: str = ""

    def __repr__(self) -> str:
        words = self.words
        sizes = (len(words.doc_ids), "document"), (len(words.document), "sentence"), (len(words.form), "word")
        return f"ParsedText({', '.join(counted(*size) for size in sizes)})"
