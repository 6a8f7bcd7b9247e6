"""Reading and writing CoNLL-UA."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import filterfalse, pairwise
from typing import TextIO

import numpy as np

from referee.basics.exceptions import counted, shortened, warn
from referee.corpus import Corpus, CorpusBuilder, Spans, Words
from referee.corpus.editing import join
from referee.corpus.layers import BEFORE
from referee.formats.shared.brackets import crossing
from referee.formats.shared.documents import (
    LONGEST,
    Nodes,
    begin,
    check_names,
    cycle,
    distinct,
    entities,
    nodes_of,
    unwritable,
    words_of,
)
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.losses import Losses
from referee.formats.shared.source import OnError, Source
from referee.formats.ua.rows import UaBlock, UaLayout, UaStretch

COLUMNS = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
HEADER = re.compile(r"#\s*global\.columns\s*=(.*)")
NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=)?(.*)")
ID = re.compile(r"([0-9]{1,9})(?:\.[0-9]{1,9}|(-[0-9]{1,9}))?")
USUAL = re.compile(
    r"\(EntityID=([^|\s()@]+)\|MarkableID=([^|\s()@]+)(?:\|Min=([^|\s()@]+))?(?:\|SemType=[^|\s()@]*)?(?:(\))|(?=\(|\Z))"
)
"""Most brackets that open a markable. The others say the same, and more, in other ways."""
BRACKET = re.compile(r"@?\(([^()]*)(\)?)|@?([^()]*)\)")
MIN = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")
PARENT = re.compile(r"(^|\|)([1-9][0-9]{0,8})(?=[.:])")
COLUMN = re.compile(r"[^\0- ]+")
NO_COLUMN = re.compile(r"[\0- ]")
NO_RELATION = re.compile(r"[\0-\x1f()|]")
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
    """Read a file, a block of lines at a time."""
    reader = _UaReader(source.name, on_error)
    for first, text in source.blocks(on_error):
        reader.block(first, text)
    reader.finish()
    for (done, noun, why), count in (+reader.troubles).items():
        warn_file(source.name, f"{done} {{}} {why}", noun, count)
    return reader.builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one row a token, with numbers counted through the document.

    Raises
    ------
    FormatError
        If the corpus has no words, if a row cannot hold one, or if a minimum span begins or ends with an empty node.
    """
    layers = [_WrittenLayer(corpus, "markable_")]
    if corpus.deixis is not None:
        layers.append(_WrittenLayer(corpus.deixis, "dd_markable_"))
        if corpus.deixis.bridging is not None and len(corpus.deixis.bridging.anaphor):
            bridges = counted(len(corpus.deixis.bridging.anaphor), "bridge")
            warn(f"{corpus.source}: left out {bridges} within discourse deixis, which ua has no column for")
    by_id = any(_crosses(layer.corpus) for layer in layers)
    nodes = nodes_of(corpus)
    check_names(corpus, format="ua")
    for number, (name, words) in enumerate(zip(corpus.doc_ids, words_of(corpus, format="ua"), strict=True)):
        for word in filterfalse(COLUMN.fullmatch, words.tokens):
            raise unwritable(corpus, name, f"the token {word!r} is empty or has blanks in it", format="ua")
        rows = _RowIds(words, nodes.get(number, {}))
        identity, *deixis = (_Brackets(layer, name, rows, by_id=by_id) for layer in layers)
        out.write(f"# global.columns = {' '.join(COLUMNS)}\n# newdoc id = {name}\n")
        for sentence, (first, after) in enumerate(pairwise([*words.sentences, len(words.tokens)]), start=1):
            out.write(f"# sent_id = {name}-{sentence}\n")
            for token in range(first, after):
                row = [rows.ids[token], words.tokens[token], *"______", rows.deps.get(token, "_"), "_"]
                row += [identity.cell(token), identity.bridging.get(token, "_"), *(d.cell(token) for d in deixis)]
                out.write("\t".join(row + ["_"] * (len(COLUMNS) - len(row))) + "\n")
            out.write("\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out minimum spans that begin or end with an empty node; change words, relations and names of documents."""
    losses.change_words(NO_COLUMN)
    losses.rename()
    _leave_out_minima(losses)
    losses.change_relations(NO_RELATION)
    if losses.corpus.deixis is not None:
        deixis = Losses(replace(losses.corpus.deixis, empty_nodes=losses.corpus.empty_nodes))
        _leave_out_minima(deixis)
        losses.left_out += deixis.left_out
        losses.corpus = replace(losses.corpus, deixis=replace(deixis.corpus, empty_nodes=losses.corpus.deixis.empty_nodes))


def _leave_out_minima(losses: Losses) -> None:
    corpus, nodes = losses.corpus, nodes_of(losses.corpus)

    def fits(mention: int, first: int, after: int) -> bool:
        return nodes.get(int(corpus.document[mention]), {}).keys().isdisjoint((first, after - 1))

    losses.leave_out_minima(fits, " that begins or ends with an empty node")


class _UaReader:
    """Follows the lines of a file, and builds a document when it is complete."""

    def __init__(self, source: str, on_error: OnError) -> None:
        self.builder = CorpusBuilder(source)
        self.deixis = CorpusBuilder(source)
        self.on_error = on_error
        self.troubles = Counter({BLANK: 0})  # which is the first to be told
        self.document: _UaDocument | None = None
        self.header(0, COLUMNS)

    def block(self, first: int, text: str) -> None:
        """Read whole lines. A header that says other columns begins a block of its own."""
        rest: str | None = text
        while rest is not None:
            block, rest = UaBlock(first, rest, self.layout), None
            for part in block.parts():
                if isinstance(part, UaStretch):
                    self.stretch(part)
                    continue
                self.line(*part)
                if self.layout != block.layout:
                    first, rest = part[0] + 1, block.behind(part[0])
                    break

    def stretch(self, rows: UaStretch) -> None:
        """Read plain rows."""
        if self.document and rows.blank_before:
            self.document.breaks = True
        if rows.ids:
            document = self.opened(rows.line)
            moved = document.add_words(rows.ids, rows.forms, [n - rows.row for n in rows.new]) - rows.row
            for row, column, line, cell in rows.cells:
                self.annotate(line, row + moved, self.layout.annotation[column], cell, document)
            document.breaks = rows.blank_after

    def line(self, number: int, line: str) -> None:
        """Read a line that is no plain row."""
        if not line.startswith("#"):
            self.row(number, line)
        elif header := HEADER.match(line):
            self.header(number, header[1].split())
        elif newdoc := NEWDOC.match(line):
            self.finish()
            self.document = _UaDocument(newdoc[1].strip(), number)

    def header(self, number: int, columns: Sequence[str]) -> None:
        if missing := [name for name in NEEDED if name not in columns]:
            self.on_error(number, f"found no column {missing[0]}; expected columns such as {' '.join(COLUMNS)}")
        elif twice := [name for name in READ if columns.count(name) > 1]:
            self.on_error(number, f"found the column {twice[0]} twice; expected each once")
        else:
            place = {name: n for n, name in enumerate(columns) if name in READ}
            last = max(NEEDED, key=columns.index)
            self.layout = UaLayout(place, last, len(columns), tuple(name for name in ANNOTATION if name in place))

    def opened(self, line: int) -> _UaDocument:
        """The document, which begins here if there was no line that begins one."""
        if self.document is None:
            self.document = _UaDocument("", line)
        return self.document

    def row(self, number: int, line: str) -> None:
        if not line.strip():
            if self.document:
                self.document.breaks = True
            return
        place, needed, width, annotation = self.layout
        last = place[needed]
        cells = line.rstrip("\t ").split("\t")
        if len(cells) <= last:
            cells = COLUMN.findall(line)
        if not last < len(cells) <= width:
            found = counted(len(cells), "column")
            self.on_error(number, f"found {found}; expected at least {last + 1}, for {needed}, and at most {width}")
            return
        row = {name: cells[n].strip(" ") for name, n in place.items() if n < len(cells)}
        annotated = [name for name in annotation if row.get(name, "") not in EMPTY]
        if not (id_ := ID.fullmatch(row["ID"])):
            self.on_error(
                number, f"found the ID {shortened(row['ID'])!r}; expected a number, such as 5, or 5.1 for an empty node"
            )
        elif not row["FORM"]:
            self.on_error(number, "found an empty FORM; expected a word")
        elif id_[2] is None:
            document = self.opened(number)
            self.troubles[BLANK] += " " in row["FORM"]
            if id_[0] == id_[1]:
                token = document.add_words([int(id_[1])], [row["FORM"]])
            else:
                token = document.add_node(int(id_[1]), row["FORM"], row.get("DEPS", "_"))
            for name in annotated:
                self.annotate(number, token, name, row[name], document)
        elif annotated:
            self.on_error(number, f"found {min(annotated)} on the range of words {row['ID']}; expected it on a word")

    def annotate(self, number: int, token: int, column: str, cell: str, document: _UaDocument) -> None:
        if column != "BRIDGING":
            self.brackets(number, token, cell, document.identity if column == "IDENTITY" else document.deixis)
            return
        texts = re.findall(r"\(([^()]*)", cell)
        if not texts and not cell.endswith(")"):  # without brackets, as in some of the examples of the description
            texts = [cell]
        document.bridging += [(number, pair) for text in texts if (pair := self.attributes(number, text))]

    def brackets(self, number: int, token: int, cell: str, layer: _UaLayer) -> None:
        position = 0
        while position < len(cell):
            if usual := USUAL.match(cell, position):
                entity, id_, minimum, alone = usual.groups()
                position = usual.end()
                markable = layer.markable(number, id_, entity, minimum or "")
            else:
                bracket = BRACKET.match(cell, position)
                if not bracket:
                    found = shortened(cell[position:])
                    self.on_error(number, f"found {found!r} in {layer.name}; expected (EntityID=...|MarkableID=... or )")
                    return
                position = bracket.end()
                text, alone, closed = bracket.groups()
                if text is None:
                    if not layer.close(closed, token):
                        found = shortened(closed) or "a markable"
                        self.on_error(number, f"{found} is closed in {layer.name} but was never opened; expected ( before it")
                    continue
                attributes = self.attributes(number, text.rstrip("@"))
                if attributes and not attributes.get("entityid"):
                    found = f"found a markable without EntityID in {layer.name}"
                    self.on_error(number, f"{found}; expected (EntityID=...|MarkableID=...")
                id_, minimum = attributes.get("markableid", ""), attributes.get("min", "")
                markable = layer.markable(number, id_, attributes.get("entityid", ""), minimum)
                markable.wholes += tuple(filter(None, attributes.get("elementof", "").split(",")))
                entity = attributes.get("entityid", markable.entity)
            if entity != markable.entity:
                known = f"is of entity {shortened(markable.entity)} on line {markable.line}"
                self.on_error(number, f"{shortened(markable.id)} {known}, and of {shortened(entity)} here; expected one entity")
            if alone:
                markable.parts.append((token, token + 1))
            else:
                layer.open(markable, token, number)

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
        for markable, _, line in layer.unfinished.values():
            shown = shortened(markable.id) or "a markable"
            self.on_error(line, f"{shown} is opened in {layer.name} but never closed; expected ) before its document ends")
        layer.markables = markables = [m for m in layer.markables if m.parts and m.entity]
        self.troubles[UNNAMED] += sum(not m.id for m in markables)
        minima: dict[int, tuple[int, int]] = {}
        several: dict[int, Spans] = {}
        for n, m in enumerate(markables):
            if len(m.parts) > 1:
                several[n] = join(m.parts)
                m.parts = list(several[n])
            if m.min and (minimum := self.minimum(m, words)):
                minima[n] = minimum
        starts, ends = ([m.parts[side][side] for m in markables] for side in (0, -1))
        first = builder.add_spans(
            np.array(starts, dtype=np.int64),
            np.array(ends, dtype=np.int64),
            [m.entity for m in markables],
            [1] * len(markables),
            fragments=several,
            minimum_spans=minima,
            non_referring={m.entity for m in markables if m.entity.endswith(PSEUDO)},
        )
        for number, m in enumerate(markables, start=first):
            m.number = number
        known = {m.entity for m in layer.markables}
        pairs = {(whole, m.entity): m.line for m in layer.markables for whole in m.wholes}
        self.troubles[UNKNOWN] += sum(whole not in known for whole, _ in pairs)
        if found := cycle(pairs):
            problem = f"an entity of {layer.name} is among its own elements: {' < '.join(map(shortened, found))}; expected none"
            self.on_error(pairs[found[1], found[0]], problem)
            return
        for whole, element in pairs:
            if whole in known:
                builder.split_antecedent(builder.entity(whole), builder.entity(element))

    def minimum(self, markable: _UaMarkable, words: Sequence[int]) -> tuple[int, int] | None:
        """The minimum span in tokens; None if it is not in the markable."""
        if not (numbers := MIN.fullmatch(markable.min)):
            found = shortened(markable.min)
            self.on_error(markable.line, f"found Min={found}; expected one or two word numbers, such as Min=3 or Min=3,5")
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
        self.unfinished: dict[int, tuple[_UaMarkable, int, int]] = {}
        """Markable, token and line of the brackets that are open now, by running numbers."""
        self.open_by_id: dict[str, list[int]] = {}
        self.brackets = 0

    def markable(self, line: int, id_: str, entity: str, minimum: str) -> _UaMarkable:
        """The markable of this MarkableID, made when new."""
        markable = self.by_id.get(id_)
        if markable is None:
            markable = _UaMarkable(line, id_, entity, minimum)
            self.markables.append(markable)
            if id_:
                self.by_id[id_] = markable
        return markable

    def open(self, markable: _UaMarkable, token: int, line: int) -> None:
        self.brackets += 1
        self.unfinished[self.brackets] = markable, token, line
        self.open_by_id.setdefault(markable.id, []).append(self.brackets)

    def close(self, id_: str, token: int) -> bool:
        """Close the part of this markable that was opened last, or that of any. Whether there was one."""
        if id_ and self.open_by_id.get(id_):
            markable, start, _ = self.unfinished.pop(self.open_by_id[id_].pop())
        elif self.unfinished and not id_:
            _, (markable, start, _) = self.unfinished.popitem()
            self.open_by_id[markable.id].pop()
        else:
            return False
        markable.parts.append((start, token + 1))
        return True

    @cached_property
    def by_entity(self) -> dict[str, list[_UaMarkable]]:
        """The markables of each entity in reading order."""
        by_entity: dict[str, list[_UaMarkable]] = {}
        for markable in sorted((m for m in self.markables if m.parts), key=lambda m: m.place):
            by_entity.setdefault(markable.entity, []).append(markable)
        return by_entity

    def representative(self, entity: str, anaphor: _UaMarkable) -> _UaMarkable | None:
        """The markable of the entity that is the last before the anaphor, or else its first."""
        found = self.by_entity.get(entity) if anaphor.parts else None
        return None if found is None else found[max(bisect_left(found, anaphor.place, key=lambda m: m.place) - 1, 0)]


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
        self.identity = _UaLayer("IDENTITY")
        self.deixis = _UaLayer("DISCOURSE_DEIXIS")
        self.bridging: list[tuple[int, dict[str, str]]] = []
        self._last = self._number = 0  # of the last word: in the sentence, in the document
        self._sentence_words = 0
        self._in_gap = 0
        self._nodes: list[tuple[int, int, int, int, str]] = []

    def add_words(self, ids: Sequence[int], forms: Sequence[str], new: Sequence[int] = ()) -> int:
        """Add words with these numbers, `new` those of them that begin another sentence; gives the offset of the first."""
        token = len(self.tokens)
        self._break(ids[0], self._last + 1)
        if new:
            self.sentences += [token + n for n in new]
            self._sentence_words = len(self.words) + new[-1]
        self.tokens += forms
        self.words += range(token, len(self.tokens))
        self._last = self._number = ids[-1]
        self._in_gap = 0
        return token

    def add_node(self, id_: int, form: str, deps: str) -> int:
        """Add an empty node; gives its offset."""
        token = len(self.tokens)
        self._break(id_, self._last)
        self.tokens.append(form)
        before = len(self.words) == self._sentence_words  # whatever number it has
        self._in_gap += 1
        minor = self._in_gap + before * BEFORE
        self._nodes.append((token, minor, len(self.sentences) - 1, self._sentence_words, "" if deps in EMPTY else deps))
        return token

    def _break(self, id_: int, least: int) -> None:
        """Begin a sentence if one ends here, or the number is too low."""
        if self.breaks or id_ < least:
            self.sentences.append(len(self.tokens))
            self._sentence_words = len(self.words)
            self.breaks = False
            self._in_gap = self._last = 0

    def nodes(self) -> Iterator[tuple[int, int, int, str]]:
        """The empty nodes, as a builder takes them, their parents' numbers counted within their sentences."""
        through = self._number == len(self.words)
        for token, minor, sentence, words_before, deps in self._nodes:
            yield token, minor, sentence, _moved(deps, -words_before) if through else deps


class _RowIds:
    """The ids of the rows of a document, its words counted from 1 (0 is an empty node), and dependencies of empty nodes."""

    def __init__(self, words: Words, nodes: Nodes) -> None:
        self.ids: list[str] = []
        self.word: list[int] = []
        self.deps: dict[int, str] = {}
        count = before = 0
        sentences = set(words.sentences)
        for token in range(len(words.tokens)):
            before = count if token in sentences else before
            minor, deps = nodes.get(token, (0, ""))
            count += not minor
            self.ids.append(f"{0 if minor > BEFORE else count}.{minor % BEFORE}" if minor else str(count))
            self.word.append(0 if minor else count)
            if deps:
                self.deps[token] = _moved(deps, before)


class _WrittenLayer:
    """What the writer looks up in a layer.

    Attributes
    ----------
    mentions : dict
        The mentions of each entity, by document name.
    wholes : dict
        The entities of which each entity is an element.
    bridging : dict
        Antecedents and relations of each anaphor.
    """

    def __init__(self, corpus: Corpus, prefix: str) -> None:
        self.corpus = corpus
        self.prefix = prefix
        self.mentions = dict(entities(corpus))
        self.wholes: dict[int, list[int]] = {}
        self.bridging: dict[int, list[tuple[int, str]]] = {}
        if corpus.split_antecedents is not None:
            for whole, element in zip(*(column.tolist() for column in corpus.split_antecedents), strict=True):
                self.wholes.setdefault(element, []).append(whole)
        if corpus.bridging is not None:
            for anaphor, antecedent, relation in zip(*map(list, corpus.bridging), strict=True):
                self.bridging.setdefault(int(anaphor), []).append((int(antecedent), relation))


class _Brackets:
    """The cells of a layer of a document, by tokens; `by_id` says that closing brackets name their markables."""

    def __init__(self, layer: _WrittenLayer, name: str, rows: _RowIds, *, by_id: bool) -> None:
        corpus, mentions = layer.corpus, layer.mentions[name]
        labels = dict(zip(mentions, _labels(corpus, mentions), strict=True))
        entity = {m: e for e, members in mentions.items() for m in members}
        ids = {m: f"{layer.prefix}{n}" for n, m in enumerate(sorted(entity), start=1)}
        self.opening: dict[int, list[str]] = {}
        self.closing: dict[int, list[str]] = {}
        self.bridging: dict[int, str] = {}
        parts = []
        for m, id_ in ids.items():
            text = f"(EntityID={labels[entity[m]]}|MarkableID={id_}{self._minimum(corpus, name, m, rows)}"
            if m == mentions[entity[m]][0] and entity[m] in layer.wholes:
                text += "|ElementOf=" + ",".join(labels[whole] for whole in layer.wholes[entity[m]])
            parts += [(start, -end, m, text) for start, end in corpus.spans(m)]
            for antecedent, relation in layer.bridging.get(m, ()):
                if NO_RELATION.search(relation):
                    found = f"the relation {shortened(relation)!r} has brackets, bars or control characters"
                    raise unwritable(corpus, name, found, format="ua")
                rel = f"|Rel={relation}" if relation else ""
                anchors = f"MentionAnchor={ids[antecedent]}|EntityAnchor={labels[entity[antecedent]]}"
                pair = f"(MarkableID={id_}{rel}|{anchors})"
                self.bridging[int(corpus.start[m])] = self.bridging.get(int(corpus.start[m]), "") + pair
        for start, end, m, text in sorted(parts):
            alone = start + 1 == -end
            self.opening.setdefault(start, []).append(text + ")" * alone)
            if not alone:
                self.closing.setdefault(-end - 1, []).append(f"{ids[m]})" if by_id else ")")

    @staticmethod
    def _minimum(corpus: Corpus, name: str, mention: int, rows: _RowIds) -> str:
        if corpus.minimum_span is None or corpus.minimum_span[mention, 0] < 0:
            return ""
        start, end = corpus.minimum_span[mention].tolist()
        first, last = rows.word[start], rows.word[end - 1]
        if not (first and last):
            raise unwritable(corpus, name, "a minimum span begins or ends with an empty node", format="ua")
        return f"|Min={first}" if first == last else f"|Min={first},{last}"

    def cell(self, token: int) -> str:
        return "".join(self.closing.get(token, [])) + "".join(self.opening.get(token, [])) or "_"


def _labels(corpus: Corpus, numbers: Iterable[int]) -> list[str]:
    """What entities are called in the file: different names, with `-Pseudo` at the end of those that are non-referring."""
    stems = distinct(re.sub(f"({PSEUDO})+$", "", _safe(corpus.entity_ids[e])) for e in numbers)
    referring = corpus.referring
    return [stem if referring is None or referring[e] else stem + PSEUDO for stem, e in zip(stems, numbers, strict=True)]


def _safe(text: str) -> str:
    """The text without what has a meaning in a cell."""
    return re.sub(r"[\0- ()|@,=]", "_", text)


def _crosses(corpus: Corpus) -> bool:
    """Whether markables, or parts of them, cross, so that closing brackets must name what they close."""
    documents = enumerate(corpus.document.tolist())
    spans = ((LONGEST * d + start, LONGEST * d + end, m) for m, d in documents for start, end in corpus.spans(m))
    return crossing(spans, shared=1) is not None  # what ends with a token is closed before what begins with it


def _moved(deps: str, by: int) -> str:
    """The dependencies with other numbers of the parents, unless one were not above 0."""
    return PARENT.sub(lambda parent: f"{parent[1]}{int(parent[2]) + by}" if int(parent[2]) + by > 0 else parent[0], deps)
