#!/usr/bin/env python
"""Build the lexicon of English that the resolver has: what a noun names, and whom a first name may name.

    python scripts/english_lexicon.py WORDNET NAMES -o src/referee/resolver/models/english.lexicon

WORDNET is a folder with `data.noun`, `index.noun` and `cntlist.rev` of WordNet 3.0 (Debian's package wordnet-base has them in
/usr/share/wordnet). NAMES is a folder with the lists of the 1990 census of the United States, `dist.male.first`,
`dist.female.first` and `dist.all.last` (the package names 0.3.0 of PyPI has them). What `english_lexicon.txt` beside this file
says wins.

A noun has a kind if nearly all of its uses are of this kind. A use is a sense of WordNet, weighted by how often it occurs in
WordNet's own annotated texts. A first name is a man's or a woman's if 93 of 100 who have it are. It is soft, and counts only
before another name, if it is as frequent as a surname, or is a place, too.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from referee.resolver.lexicon import KINDS_OF_WORDS

BY_HAND = Path(__file__).with_suffix(".txt")
FILES = {5: "animal", 14: "group", 15: "place", 18: "person", 28: "time"}
"""Lexicographers' files of WordNet by their numbers; all others are about things."""

RARE = 0.02
"""A name of so few in a hundred people is left out if it is that of a place, too: Paris."""

WIDTH = 128
HEADER = """\
# What English words say of what they name. Made by scripts/english_lexicon.py; README.md beside this file has the sources.
# Each line is a kind of words, a colon, and words. The notice of WordNet is in LICENSE-WORDNET.txt.
"""


class Synset(NamedTuple):
    """A sense: the number of its file, its words, and the senses above it."""

    file: int
    words: list[str]
    above: list[int]


class WordNet:
    """The nouns of WordNet."""

    def __init__(self, folder: Path) -> None:
        self.senses = dict(_senses(folder / "data.noun"))
        self.below: dict[int, list[int]] = defaultdict(list)
        for number, sense in self.senses.items():
            for other in sense.above:
                self.below[other].append(number)
        self.index: dict[str, list[int]] = {}
        for line in _lines(folder / "index.noun"):
            cells = line.split()
            self.index[cells[0]] = [int(cell) for cell in cells[-int(cells[2]) :]]
        self.uses: dict[tuple[str, int], int] = {}
        for line in (folder / "cntlist.rev").read_text().splitlines():
            match = re.match(r"(.*)%1:\S+ (\d+) (\d+)$", line)
            if match:
                self.uses[match[1], int(match[2])] = int(match[3])
        self.people = self._under("person", "individual")
        self.animals = self._under("animal", "beast")
        self.women, self.men = self._under("female", "female_person"), self._under("male", "male_person")

    def _under(self, *words: str) -> set[int]:
        """The senses that have these words, and all below them."""
        rest = [n for n, sense in self.senses.items() if {*words} <= {*sense.words}]
        under: set[int] = set()
        while rest:
            number = rest.pop()
            if number not in under:
                under.add(number)
                rest += self.below[number]
        return under

    def kind(self, number: int) -> str:
        """What a sense names."""
        file = FILES.get(self.senses[number].file, "thing")
        if number in self.people or file == "person":
            woman, man = number in self.women, number in self.men
            return "person" if woman == man else "woman" if woman else "man"
        return "animal" if number in self.animals else "thing" if file in ("animal", "person") else file

    def shares(self, word: str) -> dict[str, float]:
        """How much of the uses of a word each kind has. The first sense counts as used once more, others 0.4 times."""
        total: Counter[str] = Counter()
        for n, number in enumerate(self.index[word], start=1):
            total[self.kind(number)] += self.uses.get((word, n), 0) + (1.0 if n == 1 else 0.4)
        return {kind: count / total.total() for kind, count in total.items()}

    def times(self, word: str) -> int:
        """How often a word occurs in the annotated texts."""
        return sum(self.uses.get((word, n), 0) for n in range(1, len(self.index[word]) + 1))


def _lines(path: Path) -> Iterator[str]:
    """Those that are no licence."""
    return (line for line in path.read_text().splitlines() if not line.startswith(" "))


def _senses(path: Path) -> Iterator[tuple[int, Synset]]:
    for line in _lines(path):
        cells = line.partition(" | ")[0].split()
        count = int(cells[3], 16)
        words = cells[4 : 4 + 2 * count : 2]
        pointers = cells[5 + 2 * count :]
        above = [
            int(o)
            for s, o, p in zip(pointers[::4], pointers[1::4], pointers[2::4], strict=False)
            if s in ("@", "@i") and p == "n"
        ]
        yield int(cells[0]), Synset(int(cells[1]), words, above)


def nouns(wordnet: WordNet) -> Iterator[tuple[str, str]]:
    """Each noun with its kind; names of places and of times."""
    small = {word.lower() for sense in wordnet.senses.values() for word in sense.words if word[0].islower()}
    for word in wordnet.index:
        if len(word) < 2 or not re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", word):
            continue
        share = wordnet.shares(word)
        if word not in small:
            yield from ((f"name-{kind}", word) for kind in ("place", "time") if share.get(kind, 0) > 0.95)
            continue
        people = sum(share.get(kind, 0) for kind in ("man", "woman", "person"))
        if people >= 0.85:
            yield next((kind for kind in ("man", "woman") if share.get(kind, 0) > 0.8 * people), "person"), word
        elif people <= 0.06 and (kind := _no_person(share, wordnet.times(word))):
            yield kind, word


def _no_person(share: dict[str, float], times: int) -> str:
    """The kind of a noun that names no person; empty if it is too rare to tell."""
    if share.get("animal", 0) > 0.12:
        return "animal" if share["animal"] > 0.6 else ""
    best = max(("animal", "place", "thing", "time", "group"), key=lambda kind: share.get(kind, 0))
    if times >= 2:
        return best if share[best] > 0.7 else "thing"
    return "thing" if times == 1 and best == "thing" else ""


def first_names(folder: Path, places: set[str]) -> Iterator[tuple[str, str]]:
    """Each first name with its kind."""
    women, men, surnames = (_shares(folder / f"dist.{name}") for name in ("female.first", "male.first", "all.last"))
    for word in women.keys() | men.keys():
        woman, man = (shares[word] + 0.0005 if word in shares else 0.0 for shares in (women, men))
        if word in places and max(woman, man) < RARE:
            continue
        share = man / (man + woman)
        if 0.07 < share < 0.93:
            yield "first-person", word
            continue
        is_soft = max(woman, man) <= surnames.get(word, 0) or word in places
        yield f"{'soft' if is_soft else 'first'}-{'man' if share > 0.5 else 'woman'}", word


def _shares(path: Path) -> dict[str, float]:
    rows = (line.split() for line in path.read_text().splitlines())
    return {row[0].lower(): float(row[1]) for row in rows}


def by_hand() -> Iterator[tuple[str, str]]:
    """What `english_lexicon.txt` has."""
    for line in BY_HAND.read_text(encoding="utf-8").splitlines():
        kind, _, words = line.partition(":")
        if words and not line.startswith("#"):
            yield from ((kind, word) for word in words.split())


def lines(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Lines of the file: kinds in the order of `KINDS_OF_WORDS`, words in that of the alphabet."""
    words: dict[str, list[str]] = defaultdict(list)
    for kind, word in pairs:
        words[kind].append(word)
    for kind in KINDS_OF_WORDS:
        line = ""
        for word in sorted({*words[kind]}):
            if len(f"{line} {word}") > WIDTH:
                yield line
                line = ""
            line = f"{line or f'{kind}:'} {word}"
        if line:
            yield line


def main() -> None:
    """Build it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("names", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    wordnet = WordNet(args.wordnet)
    hand = list(by_hand())
    places = {word for word in wordnet.index if wordnet.shares(word).get("place", 0) > 0.2}
    decided = {word for kind, word in hand if kind in ("man", "woman", "person", "time", "unknown")}
    found = [(kind, word) for kind, word in nouns(wordnet) if kind.startswith("name-") or word not in decided]
    times = {word for kind, word in hand if kind == "time"}  # a few are called Sunday
    names = [(kind, word) for kind, word in first_names(args.names, places) if word not in times]
    built = [(kind, word) for kind, word in (*hand, *found, *names) if kind != "unknown"]
    args.output.write_text(HEADER + "".join(f"{line}\n" for line in lines(built)), encoding="utf-8")


if __name__ == "__main__":
    main()
