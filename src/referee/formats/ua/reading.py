"""Reading CoNLL-UA."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from referee.basics.exceptions import counted, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE
from referee.formats.shared.documents import begin, cycle
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError, Source

COLUMNS = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
HEADER = re.compile(r"#\s*global\.columns\s*=(.*)")
NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=)?(.*)")
ID = re.compile(r"([0-9]{1,9})(?:\.[0-9]{1,9}|(-[0-9]{1,9}))?")
BRACKET = re.compile(r"@?\(([^()]*)(\)?)|@?([^()]*)\)")
MIN = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")
PARENT = re.compile(r"(^|\|)([1-9][0-9]{0,8})(?=[.:])")
COLUMN = re.compile(r"[^\0- ]+")
PSEUDO = "-Pseudo"
EMPTY = ("_", "-", "")
NEEDED = ("ID", "FORM", "IDENTITY")
ANNOTATION = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS")
READ = ("ID", "FORM", "DEPS", *ANNOTATION)

# What is warned about, once a file: what was done, to what, and why.
BLANK = ("read", "form", "with a blank, at which other programs split the row")
UNNAMED = ("read", "markable", "without MarkableID, at which other programs stop")
MISPLACED = ("left out", "minimum span", "not within the markable (Min)")
UNKNOWN = ("left out", "element", "of an entity that has no markable (ElementOf)")
UNPAIRED = ("left out", "bridging pair", "of which IDENTITY lacks a markable")


def sniff(head: str) -> bool:
    """It names a column IDENTITY, or has a markable."""
    return bool(re.search(r"^#\s*global\.columns\s*=.*\bIDENTITY\b|\(EntityID=[^\s()]", head, re.MULTILINE | re.IGNORECASE))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a file line by line."""
    reader = _UaReader(source.name, on_error)
    for number, line in source.lines(on_error):
        reader.line(number, line)
    reader.finish()
    for (done, noun, why), count in (+reader.troubles).items():
        warn_file(source.name, f"{done} {{}} {why}", noun, count)
    return reader.builder.corpus()


@dataclass(slots=True)
class _UaMarkable:
    line: int
    id: str
    entity: str
    min: str
    wholes: tuple[str, ...] = ()
    parts: list[tuple[int, int]] = field(default_factory=list)
    number: int = -1

    @property
    def place(self) -> tuple[int, bool, int]:
        """Where it comes in reading order, see `referee.corpus.reading_order`."""
        start, end = self.parts[0][0], self.parts[-1][1]
        return start, end - start > 1, start - end


class _UaLayer:
    """The markables of a document in one of the columns."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.markables: list[_UaMarkable] = []
        self.by_id: dict[str, _UaMarkable] = {}
        self.open: list[tuple[_UaMarkable, int, int]] = []
        """Markable, token and line of the brackets that are open now."""

    def markable(self, line: int, id_: str, entity: str, minimum: str) -> _UaMarkable:
        """The markable of this MarkableID, made when new."""
        markable = self.by_id.get(id_)
        if markable is None:
            markable = _UaMarkable(line, id_, entity, minimum)
            self.markables.append(markable)
            if id_:
                self.by_id[id_] = markable
        return markable

    def close(self, id_: str, token: int) -> bool:
        """Close the part of this markable that was opened last, or that of any. Whether there was one."""
        for n in range(len(self.open) - 1, -1, -1):
            markable, start, _ = self.open[n]
            if not id_ or markable.id == id_:
                del self.open[n]
                markable.parts.append((start, token + 1))
                return True
        return False

    @cached_property
    def by_entity(self) -> dict[str, list[_UaMarkable]]:
        """The markables of each entity in reading order."""
        by_entity: dict[str, list[_UaMarkable]] = {}
        for markable in sorted((m for m in self.markables if m.parts), key=lambda m: m.place):
            by_entity.setdefault(markable.entity, []).append(markable)
        return by_entity

    def representative(self, entity: str, anaphor: _UaMarkable) -> _UaMarkable | None:
        """The markable of the entity that is the last before the anaphor, or else its first."""
        markables = self.by_entity.get(entity) if anaphor.parts else None
        if markables is None:
            return None
        return markables[max(bisect_left(markables, anaphor.place, key=lambda m: m.place) - 1, 0)]


class _UaDocument:
    """What has been read of a document."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.tokens: list[str] = []
        self.sentences: list[int] = []
        self.words: list[int] = []
        """The tokens that are words."""
        self.breaks = True
        """Whether a blank line ended the sentence before."""
        self.identity = _UaLayer("IDENTITY")
        self.deixis = _UaLayer("DISCOURSE_DEIXIS")
        self.bridging: list[tuple[int, dict[str, str]]] = []
        self._last = self._number = 0  # of the last word: in the sentence, in the document
        self._sentence_words = 0
        self._in_gap = 0
        self._nodes: list[tuple[int, int, int, int, str]] = []

    def add_word(self, id_: int, form: str) -> int:
        """Add a word; gives its offset."""
        self._break(id_ <= self._last)
        self.words.append(len(self.tokens))
        self.tokens.append(form)
        self._last = self._number = id_
        self._in_gap = 0
        return len(self.tokens) - 1

    def add_node(self, id_: int, form: str, deps: str) -> int:
        """Add an empty node; gives its offset."""
        self._break(id_ < self._last)
        before = len(self.words) == self._sentence_words  # whatever number it has
        self._in_gap += 1
        minor, deps = self._in_gap + before * BEFORE, "" if deps in EMPTY else deps
        self._nodes.append((len(self.tokens), minor, len(self.sentences) - 1, self._sentence_words, deps))
        self.tokens.append(form)
        return len(self.tokens) - 1

    def _break(self, is_too_low: bool) -> None:
        """Begin a sentence if one has ended, or the number is too low."""
        if self.breaks or is_too_low:
            self.sentences.append(len(self.tokens))
            self._sentence_words = len(self.words)
            self.breaks = False
            self._in_gap = self._last = 0

    def nodes(self) -> Iterator[tuple[int, int, int, str]]:
        """The empty nodes, as a builder takes them, their parents' numbers counted within their sentences."""
        through = self._number == len(self.words)
        for token, minor, sentence, words_before, deps in self._nodes:
            yield token, minor, sentence, moved(deps, -words_before) if through else deps


class _UaReader:
    """Follows the lines of a file, and builds a document when it is complete."""

    def __init__(self, source: str, on_error: OnError) -> None:
        self.builder = CorpusBuilder(source)
        self.deixis = CorpusBuilder(source)
        self.on_error = on_error
        self.troubles = Counter({BLANK: 0})  # which is the first to be told
        self.document: _UaDocument | None = None
        self.header(0, COLUMNS)

    def line(self, number: int, line: str) -> None:
        """Read a line."""
        if line.startswith("#"):
            if header := HEADER.match(line):
                self.header(number, header[1].split())
            elif newdoc := NEWDOC.match(line):
                self.finish()
                self.document = _UaDocument(newdoc[1].strip(), number)
        elif line.strip():
            self.row(number, line)
        elif self.document:
            self.document.breaks = True

    def header(self, number: int, columns: Sequence[str]) -> None:
        if missing := [name for name in NEEDED if name not in columns]:
            self.on_error(number, f"found no column {missing[0]}; expected columns such as {' '.join(COLUMNS)}")
        elif twice := [name for name in READ if columns.count(name) > 1]:
            self.on_error(number, f"found the column {twice[0]} twice; expected each once")
        else:
            self.width = len(columns)
            self.needed = max(NEEDED, key=columns.index)
            self.place = {name: n for n, name in enumerate(columns) if name in READ}
            self.annotation = [(name, self.place[name]) for name in ANNOTATION if name in self.place]

    def row(self, number: int, line: str) -> None:
        place, last = self.place, self.place[self.needed]
        cells = line.rstrip("\t ").split("\t")
        if len(cells) <= last:
            cells = COLUMN.findall(line)
        if not last < len(cells) <= self.width:
            oddity = counted(len(cells), "column")
            self.on_error(number, f"found {oddity}; expected at least {last + 1}, for {self.needed}, and at most {self.width}")
            return
        id_, form = cells[place["ID"]].strip(" "), cells[place["FORM"]].strip(" ")
        annotation = [(name, cells[n].strip(" ")) for name, n in self.annotation if n < len(cells)]
        annotation = [(name, cell) for name, cell in annotation if cell not in EMPTY]
        match = ID.fullmatch(id_)
        if match is None:
            self.on_error(number, f"found the ID {shortened(id_)!r}; expected a number, such as 5, or 5.1 for an empty node")
        elif not form:
            self.on_error(number, "found an empty FORM; expected a word")
        elif match[2] is None:
            document = self.document = self.document or _UaDocument("", number)
            self.troubles[BLANK] += " " in form
            if match[0] == match[1]:
                token = document.add_word(int(id_), form)
            else:
                deps = cells[place["DEPS"]].strip(" ") if place.get("DEPS", len(cells)) < len(cells) else ""
                token = document.add_node(int(match[1]), form, deps)
            for name, cell in annotation:
                if name == "BRIDGING":
                    self.pairs(number, cell, document)
                else:
                    self.brackets(number, token, cell, document.identity if name == "IDENTITY" else document.deixis)
        elif annotation:
            self.on_error(number, f"found {min(annotation)[0]} on the range of words {id_}; expected it on a word")

    def pairs(self, number: int, cell: str, document: _UaDocument) -> None:
        """Read the pairs of a cell of BRIDGING."""
        texts = re.findall(r"\(([^()]*)", cell)
        if not texts and not cell.endswith(")"):  # without brackets, as in some of the examples of the description
            texts = [cell]
        document.bridging += [(number, pair) for text in texts if (pair := self.attributes(number, text))]

    def brackets(self, number: int, token: int, cell: str, layer: _UaLayer) -> None:
        """Read the brackets of a cell of markables."""
        position = 0
        while position < len(cell):
            bracket = BRACKET.match(cell, position)
            if not bracket:
                oddity = shortened(cell[position:])
                self.on_error(number, f"found {oddity!r} in {layer.name}; expected (EntityID=...|MarkableID=... or )")
                return
            position = bracket.end()
            text, alone, closed = bracket.groups()
            if text is None:
                if not layer.close(closed, token):
                    oddity = shortened(closed) or "a markable"
                    self.on_error(number, f"{oddity} is closed in {layer.name} but was never opened; expected ( before it")
                continue
            attributes = self.attributes(number, text.rstrip("@"))
            if attributes and not attributes.get("entityid"):
                oddity = f"found a markable without EntityID in {layer.name}"
                self.on_error(number, f"{oddity}; expected (EntityID=...|MarkableID=...")
            id_, minimum = attributes.get("markableid", ""), attributes.get("min", "")
            markable = layer.markable(number, id_, attributes.get("entityid", ""), minimum)
            if "elementof" in attributes:
                markable.wholes += tuple(filter(None, attributes["elementof"].split(",")))
            entity = attributes.get("entityid", markable.entity)
            if entity != markable.entity:
                before = f"is of entity {shortened(markable.entity)} on line {markable.line}"
                self.on_error(
                    number, f"{shortened(markable.id)} {before}, and of {shortened(entity)} here; expected one entity"
                )
            if alone:
                markable.parts.append((token, token + 1))
            else:
                layer.open.append((markable, token, number))

    def attributes(self, number: int, text: str) -> dict[str, str]:
        """The attributes, their names in lower case; none after an error."""
        pairs = [attribute.partition("=") for attribute in text.split("|")]
        for name, equals, _ in pairs:
            if not equals:
                self.on_error(number, f"found {shortened(name)!r} among the attributes of a markable; expected Name=Value")
                return {}
        return {name.strip().lower(): value.strip() for name, _, value in pairs}

    def finish(self) -> None:
        """Build the document that is complete."""
        document, self.document = self.document, None
        if document is None:
            return
        if not begin(self.builder, self.on_error, document.name, document.tokens, document.sentences, line=document.line):
            return
        self.deixis.document(document.name, document.tokens, document.sentences)
        for node in document.nodes():
            self.builder.empty_node(*node)
        self.build(document.identity, self.builder, document.words)
        self.bridge(document)
        if document.deixis.markables:
            self.builder.deixis = self.deixis
            self.build(document.deixis, self.deixis, document.words)

    def build(self, layer: _UaLayer, builder: CorpusBuilder, words: Sequence[int]) -> None:
        for markable, _, line in layer.open:
            shown = shortened(markable.id) or "a markable"
            self.on_error(line, f"{shown} is opened in {layer.name} but never closed; expected ) before its document ends")
        layer.markables = [m for m in layer.markables if m.parts and m.entity]
        for m in layer.markables:
            self.troubles[UNNAMED] += not m.id
            m.parts = list(join(m.parts))
            minimum = self.minimum(m, words) if m.min else None
            referring = not m.entity.endswith(PSEUDO)
            m.number = builder.mention(0, 0, m.entity, spans=m.parts, minimum_span=minimum, referring=referring)
        pairs = {(whole, m.entity): m.line for m in layer.markables for whole in m.wholes}
        if not pairs:
            return
        entities = {m.entity for m in layer.markables}
        self.troubles[UNKNOWN] += sum(whole not in entities for whole, _ in pairs)
        if chain := cycle(pairs):
            problem = f"an entity of {layer.name} is among its own elements: {' < '.join(map(shortened, chain))}; expected none"
            self.on_error(pairs[chain[1], chain[0]], problem)
            return
        for whole, element in pairs:
            if whole in entities:
                builder.split_antecedent(builder.entity(whole), builder.entity(element))

    def minimum(self, markable: _UaMarkable, words: Sequence[int]) -> tuple[int, int] | None:
        """The minimum span in tokens; None if it is not in the markable."""
        if not (numbers := MIN.fullmatch(markable.min)):
            oddity = shortened(markable.min)
            self.on_error(markable.line, f"found Min={oddity}; expected one or two word numbers, such as Min=3 or Min=3,5")
            return None
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if 0 < first <= last <= len(words):
            start, end = words[first - 1], words[last - 1] + 1
            if markable.parts[0][0] <= start and end <= markable.parts[-1][1]:
                return start, end
        self.troubles[MISPLACED] += 1
        return None

    def bridge(self, document: _UaDocument) -> None:
        layer = document.identity
        for line, pair in document.bridging:
            if "markableid" not in pair or not ("mentionanchor" in pair or "entityanchor" in pair):
                self.on_error(line, "found half a bridging pair; expected MarkableID and MentionAnchor, or EntityAnchor")
                continue
            anaphor = layer.by_id.get(pair["markableid"])
            if "mentionanchor" in pair:
                antecedent = layer.by_id.get(pair["mentionanchor"])
            else:
                antecedent = anaphor and layer.representative(pair["entityanchor"], anaphor)
            if anaphor and antecedent and anaphor.number >= 0 <= antecedent.number:
                self.builder.bridge(anaphor.number, antecedent.number, pair.get("rel", ""))
            else:
                self.troubles[UNPAIRED] += 1


def moved(deps: str, by: int) -> str:
    """The dependencies with other numbers of the parents, unless one were not above 0."""
    return PARENT.sub(lambda parent: f"{parent[1]}{int(parent[2]) + by}" if int(parent[2]) + by > 0 else parent[0], deps)
