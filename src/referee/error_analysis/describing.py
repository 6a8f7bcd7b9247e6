"""What an error is, in the words of the text: which entities it is about, by their names, and what the response has instead.

An entity of the key is called K1 “Ruiz”, one of the response R4 “Ruiz”: the short name that it has on the page of `referee
inspect`, and the mention by which people know it best.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from referee.basics.exceptions import counted, shortened
from referee.basics.memo import Memo
from referee.corpus import Corpus, Mention
from referee.corpus.naming import ShortNames, best_of, unit_of
from referee.corpus.views import Entity
from referee.error_analysis.differences import KINDS, Differences

ENTITIES = ("key_entity", "key_name", "response_entity", "response_name")
"""Columns of an error for programs."""

MOVED = ("split", "merged", "misplaced")
"""Kinds of errors of mentions that were found, but with others."""

QUOTES = "quotes-"
"""How `Pair.words` begins where the response is a list of strings: those that the text lacks are tokens behind it."""

NAMED = 2
"""Other entities that are named for a kind of errors of one entity, at most."""


@dataclass(frozen=True, eq=False)
class Describing(Memo):
    """Says what errors are, of those in `differences`."""

    differences: Differences

    def best_known(self, entity: int, *, in_key: bool) -> Mention:
        """The mention by which people know an entity best."""
        return self.memo((in_key, entity), lambda: self._best(Entity(self._side(in_key), entity).mentions))

    def _best(self, mentions: Sequence[Mention]) -> Mention:
        """The best known of some mentions; a string that the text does not have only if all are."""
        return best_of([mention for mention in mentions if mention.start < self.length(mention)] or mentions)

    def name(self, entity: int, *, in_key: bool) -> str:
        """The words of this mention, or its place; empty for no entity."""
        return "" if entity < 0 else words(self.best_known(entity, in_key=in_key))

    def mention(self, error: int) -> Mention:
        """The first mention that an error concerns, of the key if it has one there."""
        d, in_key = self.differences, bool(self.differences.key_mention[error] >= 0)
        return Mention(self._side(in_key), int((d.key_mention if in_key else d.response_mention)[error]))

    def _entities(self, error: int) -> tuple[str, int, int]:
        """The kind of an error, and its entities of key and response."""
        d = self.differences
        return KINDS[d.kind[error]], int(d.key_entity[error]), int(d.response_entity[error])

    def what(self, error: int) -> str:
        """What happened to the mentions of an error, such as ``of K2 “Anna” (5 mentions found as R2 “Anna”)``."""
        d, (kind, k, r) = self.differences, self._entities(error)
        if kind == "spurious":
            what = f"in {self.entity(r, in_key=False)} (found for {self.entity(int(d.best_key[r]), in_key=True)})"
            return self._with_invented(what, [self.mention(error)])
        if kind == "spurious_entity":
            return self._with_invented(f"all of {self.short_name(r, in_key=False)}", Entity(d.pair.response, r).mentions)
        if kind == "missed_entity":
            return f"all of {self.short_name(k, in_key=True)}"
        own = f"of {self.entity(k, in_key=True)}"
        if kind == "span":
            mention = Mention(d.pair.response, int(d.response_mention[error]))
            is_cut_alike = quoted(mention) == quoted(self.mention(error))
            quote = f"{quoted(mention)} ({place(mention)})" if is_cut_alike else quoted(mention)
            return f"{own}, found as {quote} in {self.entity(r, in_key=False)}"
        if kind != "merged":
            best = int(d.best_response[k])
            own = f"{own} ({self._shared(k, best)} found as {self.entity(best, in_key=False)})"
        return own if kind == "missed" else f"{own}, {self.other(error)}"

    def other(self, error: int) -> str:
        """What a mention that is split, merged or misplaced is apart in, or with."""
        kind, _, r = self._entities(error)
        where = self.entity(r, in_key=False)
        if kind == "split":
            return f"apart in {where}"
        best = int(self.differences.best_key[r])
        return f"in {where} with {self._shared(best, r)} of {self.entity(best, in_key=True)}"

    def other_part(self, error: int) -> Mention | None:
        """Of what a mention is apart from, or what it is with: the mention that people know best; None for other kinds."""
        d, (kind, k, r) = self.differences, self._entities(error)
        if kind not in MOVED:
            return None
        if kind != "split":
            return self._best([Mention(d.pair.key, mention) for mention in self._both(int(d.best_key[r]), r)])
        there = d.key_counterpart[self._both(k, int(d.best_response[k]))].tolist()
        return self._best([Mention(d.pair.response, mention) for mention in there])

    def _shared(self, key_entity: int, response_entity: int) -> str:
        """How many mentions two entities share."""
        pair = self.differences.pair
        return counted(len(self._both(key_entity, response_entity)), unit_of(pair.key, pair.response))

    def _both(self, key_entity: int, response_entity: int) -> list[int]:
        """The mentions of a key entity that were found in a response entity, span errors included."""
        d = self.differences

        def both() -> list[int]:
            mentions = np.array(d.pair.key.mentions_of(key_entity), dtype=np.int64)
            there = d.key_counterpart[mentions]
            numbers: list[int] = mentions[(there >= 0) & (d.pair.response.entity[there] == response_entity)].tolist()
            return numbers

        return self.memo((key_entity, response_entity, "both"), both)

    def parts(self, error: int) -> tuple[str, str]:
        """What the two parts of an entity are called that was split, or the two entities of which there are mentions in one."""
        d, (kind, k, r) = self.differences, self._entities(error)
        if kind == "split":
            return self.short_name(r, in_key=False), self.short_name(int(d.best_response[k]), in_key=False)
        return self.short_name(k, in_key=True), self.short_name(int(d.best_key[r]), in_key=True)

    def length(self, mention: Mention) -> int:
        """The tokens of the text of a mention, without strings that a language model added to it."""
        tokens, key = len(mention.document.tokens), self.differences.pair.key
        if mention.corpus is key or key.text is None or not self.differences.pair.words.startswith(QUOTES):
            return tokens
        return len(key.text.words[int(mention.corpus.document[mention.index])].tokens)

    def _with_invented(self, what: str, mentions: Sequence[Mention]) -> str:
        """The same, and how many of the mentions are strings that the text does not have."""
        if mentions[0].corpus.kind != "texts":
            return f"{what}, not in the key"
        added = [mention for mention in mentions if mention.start >= self.length(mention)]
        if not added:
            return what
        often = all(map(self._is_repeated, added))
        where = "in the text, but not so often" if often else "not in the text"
        return f"{what}, {where if len(added) == len(mentions) else f'{len(added)} of {len(mentions)} {where}'}"

    def _is_repeated(self, mention: Mention) -> bool:
        """Whether the text has the words of an added string somewhere, whatever the tokens are."""
        text = mention.document.tokens
        string = "".join(text[mention.start : mention.end]).lower()
        words = [word.lower() for word in text[: self.length(mention)]]
        ends = {0, *accumulate(map(len, words))}
        matches = re.finditer(f"(?={re.escape(string)})", "".join(words))
        return any({match.start(), match.start() + len(string)} <= ends for match in matches)

    def ids_and_names(self, error: int) -> list[str]:
        """What `ENTITIES` says of an error; empty for the side that it is not on."""
        _, k, r = self._entities(error)
        sides = [(self._side(in_key), entity, in_key) for entity, in_key in ((k, True), (r, False))]
        return [
            text for side, n, in_key in sides for text in (side.entity_ids[n] if n >= 0 else "", self.name(n, in_key=in_key))
        ]

    def of_entity(self, errors: Sequence[int]) -> str:
        """The mentions of an entity by kind of error, such as ``2 split: apart in R4 “the firm”; 1 missed``."""
        d = self.differences
        number: dict[int, int] = defaultdict(int)
        others: dict[int, dict[str, None]] = defaultdict(dict)
        for error in errors:
            kind = int(d.kind[error])
            number[kind] += int(d.mentions[error])
            if KINDS[kind] in MOVED:
                others[kind][self.other(error)] = None
        return "; ".join(
            f"{n} {KINDS[kind].removesuffix('_entity')}{': ' * bool(others[kind])}"
            + ", ".join([*list(others[kind])[:NAMED], *["…"] * (len(others[kind]) > NAMED)])
            for kind, n in sorted(number.items())
        )

    def _side(self, in_key: bool) -> Corpus:
        pair = self.differences.pair
        return pair.key if in_key else pair.response

    def entity(self, entity: int, *, in_key: bool) -> str:
        """An entity by its short name and in words: K2 “Anna”."""
        return f"{self.short_name(entity, in_key=in_key)} {quoted(self.best_known(entity, in_key=in_key))}".rstrip()

    def short_name(self, entity: int, *, in_key: bool) -> str:
        """What the page of `referee inspect` calls an entity, too: K18."""
        names = self.memo((in_key, "names"), lambda: ShortNames(self._side(in_key), "K" if in_key else "R"))
        return names.of(entity)


def words(mention: Mention) -> str:
    """The words of a mention, not too many, or its place where there are none."""
    return shortened(mention.text) or place(mention)


def quoted(mention: Mention) -> str:
    """The same, words in quotes."""
    return f"“{words(mention)}”" if mention.text else place(mention)


def place(mention: Mention) -> str:
    """The offsets of a mention; none of an item."""
    return "" if mention.corpus.items is not None else "+".join(f"{start}:{end}" for start, end in mention.spans)
