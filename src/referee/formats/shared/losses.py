"""What --lossy leaves out or changes so that a format can hold the rest: a `Losses`, with counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools
from referee.basics.exceptions import counted, listed, shortened
from referee.corpus import Corpus, RawText, Words
from referee.corpus.text import Text
from referee.formats.shared.brackets import crossed, overlapping
from referee.formats.shared.documents import is_line

Loss: TypeAlias = tuple[str, str]
"""A noun in the singular, and what stands behind it whatever the number is."""

LAYERS = {"links": "link", "bridging": "bridge", "split_antecedents": "split antecedent"}
"""The columns of what goes with the mentions that it is about, and the noun of each."""


@dataclass
class Losses:
    """What is left of a corpus, and what it has lost.

    The words of a corpus are changed rather than left out, so that all mentions keep their places.

    Parameters
    ----------
    corpus : Corpus
        What is left.
    left_out, changed : Counter
        How much is left out, or stands there otherwise.
    example : str
        What was lost first, and where it was.
    """

    corpus: Corpus
    left_out: Counter[Loss] = field(default_factory=Counter)
    changed: Counter[Loss] = field(default_factory=Counter)
    example: str = ""

    @property
    def parts(self) -> tuple[list[str], list[str]]:
        """What was left out, and what was changed, in words."""
        left_out, changed = (
            [counted(number, noun) + rest for (noun, rest), number in (+losses).items()]
            for losses in (self.left_out, self.changed)
        )
        return left_out, changed

    def describe_first(self, thing: str, document: int) -> None:
        """Note what is lost in a document, if it is the first."""
        self.example = self.example or f"{thing} in document {shortened(self.corpus.doc_ids[document])!r}"

    def describe_mention(self, mention: int) -> None:
        """Note a mention that is lost, or of which something is, if it is the first."""
        if not self.example:
            corpus = self.corpus
            spans = ", ".join(f"{start}-{end}" for start, end in corpus.spans(mention))
            name = spans if corpus.items is None else repr(shortened(corpus.items[mention]))
            entity = shortened(corpus.entity_ids[corpus.entity[mention]])
            self.describe_first(f"{name} of entity {entity}", int(corpus.document[mention]))

    def described(self, format: str, features: Sequence[str] = ()) -> str:
        """What was lost, `FEATURES` with the rest, in words; empty if nothing was."""
        left_out, changed = self.parts
        left_out = [*features, *left_out]
        if not left_out:
            return f"changed what {format} cannot hold: {listed(changed)}" if changed else ""
        return f"left out what {format} cannot hold: {listed(left_out)}" + (f"; changed {listed(changed)}" if changed else "")

    def leave_out(self, lost: Bools, noun: str, rest: str = "") -> None:
        """Leave out mentions, and the links, bridges and split antecedents of them and of entities that are gone with them."""
        if not lost.any():
            return
        self.describe_mention(int(lost.argmax()))
        before = self.corpus
        self.corpus = before.select(~lost)
        self.left_out[noun, rest] += int(np.count_nonzero(lost))
        for column, of_layer in LAYERS.items():
            old, new = getattr(before, column), getattr(self.corpus, column)
            self.left_out[of_layer, ""] += 0 if old is None else len(old[0]) - len(new[0])

    def leave_out_over_sentences(self) -> None:
        """Leave out the mentions that go over the end of a sentence, or of the text, or that have no words."""
        corpus = self.corpus
        lost = np.zeros(len(corpus.document), dtype=bool)
        for number, words in enumerate(corpus.text.words if corpus.text else ()):
            here = corpus.mentions_in(number, number + 1)
            starts, ends = np.asarray(words.sentences, dtype=np.int64), corpus.end[here].astype(np.int64) - 1
            first, last = (np.searchsorted(starts, side, side="right") for side in (corpus.start[here], ends))
            lost[here] = (first != last) | (ends >= len(words.tokens)) | (corpus.start[here] > ends)
        self.leave_out(lost, "mention", " over the end of a sentence")

    def leave_out_crossing(self, *, by_entity: bool = False, shared: int = 0) -> None:
        """Leave out the later of two mentions that cross in a document, or in an entity; see `brackets.crossing`."""
        corpus = self.corpus
        groups: dict[int, list[tuple[int, int, int]]] = {}
        lost = np.zeros(len(corpus.document), dtype=bool)
        group_of = corpus.entity if by_entity else corpus.document
        mentions = np.flatnonzero(overlapping(corpus)[corpus.entity]) if by_entity else np.arange(len(lost))
        for mention, group in zip(mentions.tolist(), group_of[mentions].tolist(), strict=True):
            groups.setdefault(group, []).extend((start, end, mention) for start, end in corpus.spans(mention))
        lost[[mention for spans in groups.values() for mention in crossed(spans, shared)]] = True
        self.leave_out(lost, "crossing mention", " of one entity" if by_entity else "")

    def leave_out_documents(self, lost: Bools, rest: str) -> None:
        """Leave out documents."""
        if lost.any():
            self.example = self.example or repr(shortened(self.corpus.doc_ids[int(lost.argmax())]))
            self.left_out["document", rest] += int(np.count_nonzero(lost))
            self.corpus = self.corpus.select_documents(np.flatnonzero(~lost))

    def leave_out_rows(self, column: str, lost: Bools, rest: str = "") -> None:
        """Leave out some links, bridges or split antecedents."""
        layer = getattr(self.corpus, column)
        if layer is not None and lost.any():
            numbers = np.flatnonzero(~lost)
            rows = (
                side[numbers] if isinstance(side, np.ndarray) else [side[row] for row in numbers.tolist()] for side in layer
            )
            first = int(layer[0][int(lost.argmax())])
            self.describe_mention(self.corpus.mentions_of(first)[0] if column == "split_antecedents" else first)
            self.left_out[LAYERS[column], rest] += int(np.count_nonzero(lost))
            columns: dict[str, Any] = {column: layer._make(rows) if len(numbers) else None}
            self.corpus = replace(self.corpus, **columns)

    def leave_out_minima(self, fits: Callable[[int, int, int], bool], rest: str) -> None:
        """Leave out minimum spans, given by their mention, first token and end, that do not fit."""
        if self.corpus.minimum_span is None:
            return
        minima = self.corpus.minimum_span.copy()
        for mention, (first, after) in enumerate(minima.tolist()):
            if first >= 0 and not fits(mention, first, after):
                self.describe_mention(mention)
                minima[mention] = -1
                self.left_out["minimum span", rest] += 1
        self.corpus = replace(self.corpus, minimum_span=minima)

    def change_words(self, unholdable: re.Pattern[str], by: Callable[[str], str] = lambda _: "_") -> None:
        """Change what words must not have; a word of which nothing is left, or which has nothing, is `_`."""

        def change(_: int, words: Words) -> list[str]:
            return [unholdable.sub(lambda match: by(match[0]), token) or "_" for token in words.tokens]

        self.reword(change)

    def reword(self, change: Callable[[int, Words], list[str]]) -> None:
        """Give each document, by its number and its words, the words that it can have."""
        if self.corpus.text is None:
            return
        texts = []
        for document, words in enumerate(self.corpus.text.words):
            tokens = change(document, words)
            others = [] if tokens == words.tokens else [a for a, b in zip(words.tokens, tokens, strict=True) if a != b]
            if others:
                self.describe_first(repr(shortened(others[0])), document)
            self.changed["word", ""] += len(others)
            texts.append(words._replace(tokens=tokens) if others else words)
        if self.changed["word", ""]:
            self.corpus = replace(self.corpus, text=Text.of(texts))

    def change_texts(self, unholdable: re.Pattern[str]) -> None:
        """Change the characters that the texts of documents must not have, and leave out mentions with nothing but blanks."""
        corpus = self.corpus
        if corpus.text is None:
            return
        texts = []
        lost = np.zeros(len(corpus.document), dtype=bool)
        for number, words in enumerate(corpus.text.words):
            raw = words.raw
            if raw is not None:
                text, number_changed = unholdable.subn("\ufffd", raw.text)
                if number_changed:
                    self.describe_first(repr(unholdable.search(raw.text)[0]), number)  # type: ignore[index]  # there is one
                self.changed["character", " of the text"] += number_changed
                raw = RawText(text, raw.start, raw.end)
                here = corpus.mentions_in(number, number + 1)
                for mention in range(here.start, here.stop):
                    spans = ((raw.start[a], raw.end[b - 1]) for a, b in corpus.spans(mention))
                    lost[mention] = not any(text[start:end].strip() for start, end in spans)
            texts.append(words._replace(raw=raw))
        if self.changed["character", " of the text"]:
            self.corpus = replace(corpus, text=Text.of(texts))
        self.leave_out(lost, "mention", " of nothing but blanks")

    def rename(self, fits: Callable[[str], bool] = is_line, key: Callable[[str], str] = str) -> None:
        """Give other names to documents whose names do not fit, or whose key is that of an earlier one."""
        names = list(self.corpus.doc_ids)
        first: dict[str, int] = {}
        for n, name in enumerate(names):
            if fits(name):
                first.setdefault(key(name), n)
        wrong = [n for n, name in enumerate(names) if not fits(name) or first[key(name)] != n]
        if not wrong:
            return
        self.example = self.example or repr(shortened(names[wrong[0]]))
        for n in wrong:
            names[n] = next(name for name in _other_names(names[n], n) if key(name) not in first and fits(name))
            first[key(names[n])] = n
        self.changed["name", " of a document" if len(wrong) == 1 else " of documents"] += len(wrong)
        self.corpus = self.corpus.on_documents(tuple(names), np.arange(len(names)))

    def change_names(self, before: Iterable[str], after: Iterable[str], noun: str) -> None:
        """Note what names are changed, of mentions or of entities."""
        others = [a for a, b in zip(before, after, strict=True) if a != b]
        self.example = self.example or (repr(shortened(others[0])) if others else "")
        self.changed["name", f" of {noun}"] += len(others)

    def change_relations(self, unholdable: re.Pattern[str]) -> None:
        """Change what relations of bridging must not have."""
        bridging = self.corpus.bridging
        if bridging is not None:
            relations = [unholdable.sub("_", relation) for relation in bridging.relation]
            if other := next((a for a, b in zip(bridging.relation, relations, strict=True) if a != b), ""):
                self.example = self.example or repr(shortened(other))
            self.changed["relation", " of bridging"] += sum(a != b for a, b in zip(bridging.relation, relations, strict=True))
            self.corpus = replace(self.corpus, bridging=bridging._replace(relation=relations))

    def change_types(self, change: Callable[[str], str]) -> None:
        """Change the types of entities."""
        types_before = self.corpus.entity_types
        if types_before is not None:
            types = [change(entity_type) for entity_type in types_before]
            if other := next((a for a, b in zip(types_before, types, strict=True) if a != b), ""):
                self.example = self.example or repr(shortened(other))
            self.changed["entity type", ""] += sum(a != b for a, b in zip(types_before, types, strict=True))
            self.corpus = replace(self.corpus, entity_types=types)


def fitting(names: Sequence[str], fits: Callable[[str], bool], unholdable: re.Pattern[str]) -> list[str]:
    """The names, those changed that do not fit; different ones stay different."""
    names_used = {name for name in names if fits(name)}
    changed: dict[str, str] = {}
    for name in names:
        if not fits(name) and name not in changed:
            other = unholdable.sub("_", name) or "_"
            while not fits(other) or other in names_used:
                other += "_"
            changed[name] = other
            names_used.add(other)
    return [changed.get(name, name) for name in names]


def _other_names(name: str, number: int) -> Iterable[str]:
    """Names like another one, each with fewer signs in it."""
    line = re.sub(r"\s+", " ", re.sub(r"[\0-\x1f\x7f]+", "_", name)).strip()
    plain = re.sub(r"[^\w.-]+", "_", name)[:100].strip("._-")
    for stem in (line, plain, f"document_{number + 1}"):
        yield stem
        yield from (f"{stem}-{copy}" for copy in range(2, 2 + number))
    yield from (f"document-{copy}" for copy in count(number + 2))
