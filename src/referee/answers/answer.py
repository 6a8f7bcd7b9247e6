"""`Answer`: what a model answered, which the words of a key make a corpus of spans."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np

from referee.basics.exceptions import MismatchError, listed, shortened
from referee.basics.options.options import Options
from referee.corpus import Corpus, Text
from referee.corpus.layers import NewPlaces
from referee.corpus.schema import Selection

SPURIOUS = "strings that the text does not have, or not so often, counted as spurious"
INVENTED = "mentions in added text counted as spurious"
LEFT_OUT = {
    SPURIOUS: "strings that the text does not have, or not so often, left out",
    INVENTED: "mentions in added text left out",
}
"""What is counted as spurious -> what is said where only the words of the key count."""
SINGULAR = {
    "that are ": "that is ",
    "as they are ": "as it is ",
    "than they say": "than it says",
    "their sentences": "its sentence",
    "for answers": "for an answer",
    "for singletons": "for a singleton",
    "for new entities": "for a new entity",
}
"""What is said of several repairs -> of one."""
FAILED = "requests that failed taken for answers without entities"
WITHOUT = "answers without entities"
UNREAD = "answers in which neither lists nor marks were found"
EMPTY = {WITHOUT, UNREAD}
"""What is said of answers without entities."""
DEFAULT = Options()
OTHER_DOCUMENTS = "documents that the key does not have left out"


class Unplaced(NamedTuple):
    """A mention that the text of the key does not have.

    Parameters
    ----------
    repair : str
        What is made of it.
    document, entity : str
        Where it is; the entity as the answer calls it, or its number.
    string : str
        Its words.
    """

    repair: str
    document: str
    entity: str
    string: str


class DocumentAnswer(NamedTuple):
    """What a model answered about a document.

    Parameters
    ----------
    text : str
        All that it said.
    failed : str
        Why there is no answer; empty if there is one.
    repairs : mapping
        What was repaired -> how often.
    """

    text: str
    failed: str
    repairs: Mapping[str, int]

    @property
    def state(self) -> str:
        """Whether the request "failed", the answer has "no entities", it was "repaired", or it is "read" as it is."""
        if self.failed:
            return "failed"
        return "no entities" if EMPTY & self.repairs.keys() else "repaired" if self.repairs else "read"

    @property
    def repaired(self) -> str:
        """What was repaired, with counts; of a request that failed, nothing."""
        each = [f"{n} {what if n != 1 else _of_one(what)}" for what, n in self.repairs.items()]
        return "" if self.failed or not each else listed(each)


class Grounded(NamedTuple):
    """An answer on the words of a key.

    Parameters
    ----------
    corpus : Corpus
        Its mentions are spans of the tokens of the key; behind these may be tokens that the text does not have.
    unaligned : float
        The share of the words of both texts that the other text lacks.
    repairs : Counter
        What was repaired -> how often.
    words : str
        How the words compare, for the signature.
    strange : int
        How many mentions the text of the key does not have.
    doubt : str
        How many mentions could be others, for a warning; empty if none could.
    unplaced : sequence of Unplaced
        The mentions that the text does not have.
    answers : mapping
        Document -> what was answered about it.
    files : mapping
        Document -> the file that it was read from, in a folder.
    unread : str
        How many lines of the answer are not read, for a warning; empty if all are.
    """

    corpus: Corpus
    unaligned: float
    repairs: Counter[str]
    words: str
    strange: int = 0
    doubt: str = ""
    unplaced: Sequence[Unplaced] = ()
    answers: Mapping[str, DocumentAnswer] = MappingProxyType({})
    files: Mapping[str, str] = MappingProxyType({})
    unread: str = ""

    def warnings(self, source: str, key: str) -> list[str]:
        """What to warn of: what was not read, what was repaired, and what could be something else."""
        return [note for note in (self.unread, self.note(source, key), self.doubt) if note]

    def note(self, source: str, key: str) -> str:
        """What was repaired in an answer to a key, for a report; empty if nothing was."""
        made = [
            f"{number} {what if number != 1 else _of_one(what)}{self._first(what)}" for what, number in self.repairs.items()
        ]
        share = f"{1 - self.unaligned:.2%} of the words are those of the key; " if self.unaligned else ""
        verb = f"; `referee validate {source} --text {key}` lists what the text does not have"
        each = f"; `referee errors {key} {source} --by answer` lists all answers"
        are_files = os.path.exists(source) and os.path.exists(key)
        more = verb if len(self.unplaced) > 1 else each if {FAILED, *EMPTY} & self.repairs.keys() else ""
        more *= are_files
        return f"{source}: {share}repaired: {listed(made)}{more}" if made else ""

    def _first(self, what: str) -> str:
        """The first string that was repaired, and the document in which it was, in brackets."""
        first = next((mention for mention in self.unplaced if mention.repair == what), None)
        in_these = [name for name, answer in self.answers.items() if what in answer.repairs]
        documents = dict.fromkeys([first.document] if first else in_these)
        named = len(self.corpus.doc_ids) > 1 or bool(self.files)
        place = f"in {self.place(next(iter(documents)))}" if documents and named else ""
        also = f" and {len(documents) - 1} more" if place and len(documents) > 1 else ""
        string = f"{'the first: ' * (self.repairs[what] > 1)}{shortened(first.string)!r}" if first else ""
        if what in {FAILED, *EMPTY} and in_these:
            answer = self.answers[in_these[0]]
            text = shortened(" ".join((answer.failed or answer.text).split()), 100)
            also += f": {text}" if text else ""
        return f" ({' '.join(filter(None, (string, place + also)))})" if string or place else ""

    def place(self, document: str) -> str:
        """The file of a document, or else its name."""
        return self.files.get(document) or shortened(document)

    def on_key(self, key: Corpus) -> Grounded:
        """The same without what the key does not have: strings behind its words, and documents.

        Then the words are those of the key, as annotation of them is written.
        """
        assert key.text is not None  # it was put on its words
        number = {name: n for n, name in enumerate(key.doc_ids)}
        kept = [n for n, name in enumerate(self.corpus.doc_ids) if name in number]
        words = [key.text.words[number[self.corpus.doc_ids[n]]] for n in kept]
        corpus = (
            self.corpus if len(kept) == len(self.corpus.doc_ids) else self.corpus.select_documents(np.array(kept, np.int64))
        )
        size = np.array([len(place.tokens) for place in words], np.int64)
        corpus = corpus.select(corpus.end <= size[corpus.document]) if len(corpus.document) else corpus
        repairs = Counter({LEFT_OUT.get(what, what): times for what, times in self.repairs.items()})
        repairs[OTHER_DOCUMENTS] += len(self.corpus.doc_ids) - len(kept)
        unplaced = [mention._replace(repair=LEFT_OUT.get(mention.repair, mention.repair)) for mention in self.unplaced]
        return self._replace(corpus=replace(corpus, text=Text.of(words)), repairs=+repairs, unplaced=unplaced)


@contextmanager
def repaired_in(document: str, repairs: Counter[str], of_documents: dict[str, Counter[str]]) -> Iterator[None]:
    """Note for what is repaired within this context that it was in a document."""
    before = Counter(repairs)
    yield
    if document:
        of_documents.setdefault(document, Counter()).update(+repairs - before)


def _of_one(repairs: str) -> str:
    """The name of a repair that was made once.

    >>> _of_one("earlier answers left out"), _of_one("answers that are cut off left out")
    ('earlier answer left out', 'answer that is cut off left out')
    """
    one = re.sub(r"^(\S+ )??(\S+)s\b", r"\1\2", repairs, count=1)
    for several, alone in SINGULAR.items():
        one = one.replace(several, alone)
    return one


def is_of(grounded: Grounded) -> bool:
    """Whether most of the mentions of an answer are in the text of a key."""
    return 2 * grounded.strange <= len(grounded.corpus.document)


class Groundable(Protocol):
    """What was read of an answer."""

    def ground(self, key: Corpus, source: str, options: Options | None, wanted: Collection[str] | None = None) -> Grounded:
        """Put it on the words of a key; `options` say which occurrences of a string are meant, and what is left out."""


@dataclass(frozen=True, eq=False, repr=False)
class AnswerCorpus(Corpus):
    """A corpus as far as it can be read without a key.

    Parameters
    ----------
    content : Groundable
        What was read.
    """

    content: Groundable | None = field(default=None, compare=False)

    @classmethod
    def from_content(cls, corpus: Corpus, content: Groundable) -> AnswerCorpus:
        """Add what was read to a corpus."""
        return cls(**_columns(corpus), content=content)

    def rearranged(self, rows: Selection, places: NewPlaces, **others: object) -> Corpus:
        """Take some rows in another order: then it is a corpus like others, for what was read has all of them."""
        return Corpus(**_columns(self)).rearranged(rows, places, **others)


def _columns(corpus: Corpus) -> dict[str, Any]:
    return {column.name: getattr(corpus, column.name) for column in fields(Corpus)}


def no_words(key: str, answer: Corpus, spans: Corpus | None) -> str:
    """What to say of a key without words in which an answer could be looked up; `spans` is the key if it has spans."""
    problem = f"{key} has no words, which {answer.source} needs as the answer of a language model; expected a key with text"
    if spans is None:
        return f"{problem}; --response-format clusters for ids" if answer.format == "quotes" else problem
    ignored = "" if spans.text is None else " with --tokens ignore"
    remedy = f"referee convert {answer.source} OUT --text TEXT, and score OUT{ignored}"
    return f"{problem}; or, if TEXT has the tokens of the key, {remedy}"


def ground(
    response: Corpus, key: Corpus, options: Options | None = DEFAULT, wanted: Collection[str] | None = None
) -> Grounded | None:
    """Put an answer on the words of a key; None for a corpus that is no answer. Without options, only to see what it is about.

    Of documents of the key that are not `wanted`, nothing is said.

    Raises
    ------
    MismatchError
        If the key has no words, or none of them is in the answer.
    """
    if not isinstance(response, AnswerCorpus) or response.content is None:
        return None
    if not key.has_words:
        raise MismatchError(no_words(key.source, response, key if key.items is None else None))
    grounded = response.content.ground(key, response.source, options, wanted)
    return grounded._replace(corpus=replace(grounded.corpus, format=response.format))
