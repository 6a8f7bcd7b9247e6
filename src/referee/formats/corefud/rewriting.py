"""A CorefUD file written again with other entities: every line, column, comment and other attribute is kept.

Of MISC, only ``Entity``, ``Bridge``, ``SplitAnte`` (``Split``) and ``Undecided`` are changed, in the rows of what changes, and
of their brackets and links only those that say something else. Lines ``# global.Entity`` stay if the file has mentions that are
known. Of a bracket, the type and the fields of `OF_ENTITIES` are of the entity, all others of the mention. `ClusterId` of
CorefUD 0.x and what goes with it becomes `Entity`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import unquote

from referee.corpus.undecided import is_undecided
from referee.formats.corefud.entity import BRACKET, LINK, READ, ParsedMention, Problems, read_mentions
from referee.formats.corefud.reading import DEFAULT, HEADER, headers_of, rows_of
from referee.formats.corefud.rows import NEWDOC, ConlluRows
from referee.formats.corefud.writing import BETWEEN_NOTES, Bracket, CorefudWriter, brackets_of, in_cells, note_in_misc, ranks
from referee.formats.shared.brackets import in_old_order
from referee.formats.shared.changes import Changes, entity_names
from referee.formats.shared.documents import names_in_folder
from referee.formats.shared.source import OnError, Source

OF_BRACKETS = ("eid", "etype", "head", "minspan")
"""Fields that follow from the mention and its entity; others say something of the mention."""

OF_ENTITIES = ("identity", "salience")
"""Fields of brackets that say something of the entity, besides its type."""

CLUSTERS = re.compile(r"(ClusterId|MentionSpan|ClusterType|Bridging|SplitAnte)(\[\d+\])?=")
"""Attributes of CorefUD 0.x."""


def rewrite(source: Source, changes: Changes) -> str:
    """The text of a file with other entities."""
    text = text_of_rows(rows_of(source, source.raise_error), changes, source.raise_error)
    return text if source.raw().endswith(b"\n") else text.removesuffix("\n")


def text_of_rows(rows: ConlluRows, changes: Changes, on_error: OnError) -> str:
    """The lines of a file with other entities."""
    annotation = _Annotation(rows, on_error)
    keeps_header = bool(annotation.layouts) and len(changes.before.document) > 0
    layouts = annotation.layouts if keeps_header else [(0, DEFAULT.split("-"))]
    mentions = annotation.numbered(changes)
    names = entity_names(changes, by_document=False, prefix="e")
    cells = _entities(rows, changes, mentions, names, layouts)
    values: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for token, before in annotation.entity.items():
        old_texts, texts = BRACKET.findall(before), cells.get(token, ())
        if Counter(old_texts) != Counter(texts):
            values[token]["Entity"] = "".join(in_old_order(texts, old_texts))
    for token in cells.keys() - annotation.entity.keys():
        values[token]["Entity"] = "".join(cells[token])
    for name, token, texts in _links(rows, changes, annotation, mentions, names):
        values[token][name] = ",".join(texts)
    for token, notes in _notes(rows, changes, names).items():
        values[token]["Undecided"] = BETWEEN_NOTES.join(notes)
    lines = rows.raw.decode().split("\n")
    place = (rows.tokens.line - 1).tolist()
    old = rows.attributes("ClusterId")["ClusterId"] if not annotation.entity else []
    for token in {*values, *(token for token, misc in enumerate(rows.misc) if old and CLUSTERS.search(misc))}:
        front, tab, misc = lines[place[token]].rpartition("\t")
        lines[place[token]] = front + tab + _misc(misc, values[token], is_old=bool(old))
    if not keeps_header and place:
        _set_header(lines, rows, place[0])
    return "\n".join(lines)


class _Annotation:
    """What a file has of coreference: brackets, links and headers."""

    def __init__(self, rows: ConlluRows, on_error: OnError) -> None:
        problems = Problems("", on_error)
        self.attributes = rows.attributes("Entity", "Bridge", "SplitAnte", "Split")
        self.entity = dict(self.attributes["Entity"])
        headers = headers_of(rows, problems)
        lines = dict(rows.comments("global.Entity"))
        self.layouts = [(line, lines[line].partition("=")[2].strip().split("-")) for line, _ in headers]
        self.mentions = read_mentions(self.entity, headers, rows, problems) if self.entity and headers else []
        self.document, self.first = rows.tokens.document.tolist(), rows.first.tolist()

    def numbered(self, changes: Changes) -> dict[int, ParsedMention]:
        """The mentions of a file by their numbers in `before`."""
        by_document: defaultdict[int, list[ParsedMention]] = defaultdict(list)
        for mention in self.mentions:
            by_document[self.document[mention.start]].append(mention)
        numbered: dict[int, ParsedMention] = {}
        for document, mentions in by_document.items():
            first = self.first[document]
            spans = ([(a - first, b - first) for a, b in m.spans or ((m.start, m.end),)] for m in mentions)
            keys = ((m.id, tuple(of_mention)) for m, of_mention in zip(mentions, spans, strict=True))
            numbered |= zip(changes.numbers(document, keys), mentions, strict=True)
        return {number: mention for number, mention in numbered.items() if number >= 0}


def _entities(
    rows: ConlluRows,
    changes: Changes,
    mentions: Mapping[int, ParsedMention],
    names: Sequence[str],
    layouts: Sequence[tuple[int, Sequence[str]]],
) -> dict[int, list[str]]:
    """What stands in Entity by token."""
    after, writer = changes.after, CorefudWriter(changes.after)
    first, lines = rows.first.tolist(), rows.tokens.line.tolist()
    ranks_of = {d: ranks(writer.nodes.get(d, {}), first[d + 1] - first[d]) for d in set(after.document.tolist())}
    fields_of: dict[int, _Fields] = {}  # the fields of the first bracket of each entity
    for m, mention in sorted(mentions.items(), reverse=True):
        layout = _layout(layouts, mention.line)
        fields_of[int(changes.before.entity[m])] = _Fields(layout, mention.content.split("-"))
    brackets: list[Bracket] = []
    of_edges = {new: old for old, new in changes.reshaped.items()}
    for m, (document, entity) in enumerate(zip(after.document.tolist(), after.entity.tolist(), strict=True)):
        begin = first[document]
        spans = tuple((start + begin, end + begin) for start, end in after.spans(m))
        old = mentions.get(changes.mention[m])
        layout = _layout(layouts, lines[spans[0][0]])
        if old is None:
            parts = brackets_of(spans, names[entity], "")
        else:
            parts = list(old.brackets) or [(old.start, old.end, old.content, old.closing)]
        values = writer.values(m, writer.nodes.get(document, {}), ranks_of[document])
        reshaped = _Fields(layout, mentions[of_edges[m]].content.split("-")) if of_edges.get(m) in mentions else None
        for start, end, content, closing in parts:
            fields = _Fields(layout, content.split("-") if old else [""] * len(layout))
            part = (fields.get("eid") if old else content)[len(old.id if old else names[entity]) :]
            fields.set("eid", names[entity] + part)
            is_other_type = old is None or not (changes.stays(m) and changes.keeps_type(m))
            if is_other_type and unquote(fields.get("etype")) != changes.type_of(entity):
                fields.set("etype", values["etype"] if after.entity_types else _type(changes, fields_of, entity))
            if reshaped:
                for name in set(layout) - {*OF_BRACKETS}:
                    fields.set(name, reshaped.get(name))
            if old is None or not changes.stays(m):
                of_entity = fields_of.get(changes.entity[entity])
                for name in OF_ENTITIES:
                    fields.set(name, of_entity.get(name) if of_entity else "")
            if old is None or (after.head is not None and not changes.is_kept(m, "heads")):
                fields.set("head", values.get("head", ""))
            if not changes.is_kept(m, "minimum_span"):
                fields.set("minspan", values.get("minspan", ""))
            end_part = closing[len(old.id) :] if old and closing else part
            brackets.append((start, end, fields.text("head" in values), names[entity] + end_part))
    return in_cells(brackets)


def _type(changes: Changes, fields_of: Mapping[int, _Fields], entity: int) -> str:
    """The type of an entity, as the file has it."""
    fields = fields_of.get(changes.entity[entity])
    return fields.get("etype") if fields else ""


class _Fields(NamedTuple):
    """The fields of a bracket, with what the header calls them."""

    layout: Sequence[str]
    values: list[str]

    def _place(self, name: str) -> int:
        names = next((alike for alike in READ if name in alike), (name,))
        return next((n for n, other in enumerate(self.layout) if other in names), -1)

    def get(self, name: str) -> str:
        place = self._place(name)
        return self.values[place] if 0 <= place < len(self.values) else ""

    def set(self, name: str, value: str) -> None:
        """Change a field; nothing if there is none of this name, or if it is left out and says nothing."""
        place = self._place(name)
        if place >= 0 and value != self.get(name):
            self.values.extend([""] * (place + 1 - len(self.values)))
            self.values[place] = value

    def text(self, has_head: bool) -> str:
        """The content of a bracket. A head that is not known cannot be empty, but left out with what is behind it."""
        place = self._place("head")
        cut = 0 < place < len(self.values) and not has_head and not self.values[place]
        return "-".join(self.values[:place] if cut else self.values)


def _layout(layouts: Sequence[tuple[int, Sequence[str]]], line: int) -> Sequence[str]:
    """The names of the fields on a line."""
    return layouts[max(bisect_left(layouts, line, key=itemgetter(0)) - 1, 0)][1]


def _links(
    rows: ConlluRows, changes: Changes, annotation: _Annotation, mentions: Mapping[int, ParsedMention], names: Sequence[str]
) -> Iterator[tuple[str, int, list[str]]]:
    """The attributes Bridge and SplitAnte that change: name, token and links. What stays is where it was."""
    before, after, first = changes.before, changes.after, rows.first.tolist()
    begins = [first[d] + start for d, start in zip(after.document.tolist(), after.start.tolist(), strict=True)]
    entity = after.entity.tolist()
    ids = zip(before.entity_document.tolist(), before.entity_ids, strict=True)
    of_id = {key: changes.new_entity.get(number) for number, key in enumerate(ids)}
    of_mention = {mention: changes.new_mention.get(number) for number, mention in mentions.items()}
    by_entity: defaultdict[tuple[int, str], list[ParsedMention]] = defaultdict(list)
    for mention in annotation.mentions:
        by_entity[annotation.document[mention.start], mention.id].append(mention)

    def anaphor(token: int, key: tuple[int, str]) -> int | None:
        begun = [mention for mention in by_entity[key] if mention.start <= token]
        return of_mention.get(begun[-1]) if begun else None

    old_bridges = zip(*map(list, before.bridging or ()), strict=True)
    known = {
        (changes.new_mention.get(m), changes.new_entity.get(int(before.entity[a]))): relation for m, a, relation in old_bridges
    }
    bridges: dict[tuple[int | None, int | None], _LinkToWrite] = {
        (m, entity[a]): _LinkToWrite(
            begins[m], names[entity[a]], names[entity[m]], relation, known.get((m, entity[a])) == relation
        )
        for m, a, relation in zip(*map(list, after.bridging or ()), strict=True)
    }
    splits: dict[tuple[int | None, int | None], _LinkToWrite] = {
        (whole, element): _LinkToWrite(begins[after.mentions_of(whole)[0]], names[element], names[whole], "", True)
        for whole, element in zip(*map(list, after.split_antecedents or ()), strict=True)
    }
    older = annotation.attributes["Split"]
    for name, values, wanted in (
        ("Bridge", annotation.attributes["Bridge"], bridges),
        ("SplitAnte", older + annotation.attributes["SplitAnte"], splits),
    ):
        cells: defaultdict[int, list[str]] = defaultdict(list)
        placed = set()
        for token, value in values:
            document = annotation.document[token]
            for text in value.split(","):
                match = LINK.fullmatch(text)
                left, right = ((document, match[side]) if match else (-1, "") for side in (1, 2))
                if match is None or left == right or not (left in by_entity and right in by_entity):
                    cells[token].append(text)  # it is not read
                    continue
                pair = anaphor(token, right) if name == "Bridge" else of_id.get(right), of_id.get(left)
                if pair in wanted:
                    placed.add(pair)
                    cells[token].append(wanted[pair].text(text[match.end(2) :]))
        for pair, link in wanted.items():
            if pair not in placed:
                cells[link.token].append(link.text())
        before_texts = {token: value.split(",") for token, value in values}
        for token in {*before_texts, *cells}:
            if Counter(cells[token]) != Counter(before_texts.get(token, ())):
                yield "Split" if name == "SplitAnte" and token in dict(older) else name, token, cells[token]


def _notes(rows: ConlluRows, changes: Changes, names: Sequence[str]) -> dict[int, list[str]]:
    """The notes of undecided mentions by token, where they change: those of decided ones go."""
    after, first = changes.after, rows.first.tolist()
    notes: defaultdict[int, list[str]] = defaultdict(list)
    for m, (document, start) in enumerate(zip(after.document.tolist(), after.start.tolist(), strict=True)):
        if note := note_in_misc(after, m, names):
            notes[first[document] + start].append(note)
    places = zip(after.entity_document.tolist(), names, strict=True)
    undecided = {place for e, place in enumerate(places) if after.notes is None and is_undecided(after, e)}
    for token, text in rows.attributes("Undecided")["Undecided"]:
        document = int(rows.tokens.document[token])
        notes[token][:0] = [old for old in text.split(BETWEEN_NOTES) if (document, old.partition(": ")[0]) in undecided]
    return notes


class _LinkToWrite(NamedTuple):
    """A link: the token where a new one stands, the names of its sides, its relation, and whether this is what it was."""

    token: int
    left: str
    right: str
    relation: str
    is_same: bool

    def text(self, old_relation: str = "") -> str:
        relation = old_relation if self.is_same and old_relation else f":{self.relation}" * bool(self.relation)
        return f"{self.left}<{self.right}{relation}"


def _misc(misc: str, values: Mapping[str, str], *, is_old: bool) -> str:
    """MISC with other values of attributes, empty for none; new ones before the first that comes after in the alphabet."""
    end = "\r" * misc.endswith("\r")
    attributes = [a for a in misc.rstrip("\r").split("|") if a not in ("", "_") and not (is_old and CLUSTERS.match(a))]
    for name, value in values.items():
        places = [n for n, attribute in enumerate(attributes) if attribute.startswith(f"{name}=")]
        later = next((n for n, attribute in enumerate(attributes) if attribute > f"{name}="), len(attributes))
        first, after = (places[0], places[0] + 1) if places else (later, later)
        attributes[first:after] = [f"{name}={value}"] * bool(value)
    return ("|".join(attributes) or "_") + end


def _set_header(lines: list[str], rows: ConlluRows, first: int) -> None:
    """Put our header in the place of all others, or before the first row, behind the beginning of its document."""
    header = f"# global.Entity = {DEFAULT}"
    old = [number - 1 for number, text in rows.comments("global.Entity") if HEADER.fullmatch(text)]
    for n in old:
        lines[n] = header + "\r" * lines[n].endswith("\r")
    if not old or old[0] > first:
        begins = [number for number, text in rows.comments("newdoc") if NEWDOC.fullmatch(text) and number <= first]
        lines.insert(begins[-1] if begins else 0, header + "\r" * lines[first].endswith("\r"))


def named(source: Source, stem: str) -> str:
    """A file as a part of another one; a document without a name is called like it."""
    rows = rows_of(source, source.raise_error)
    lines = rows.raw.decode().split("\n")
    for line, old, new in list(zip(rows.begins, rows.names, names_in_folder(stem, rows.names), strict=True))[::-1]:
        if new != old:
            begins = NEWDOC.fullmatch(lines[line - 1].rstrip("\r")) is not None
            lines[line - 1 : line - 1 + begins] = [f"# newdoc id = {new}"]
    return "\n".join([*lines, ""])
