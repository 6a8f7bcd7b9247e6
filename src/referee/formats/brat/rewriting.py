"""A brat annotation written again with other entities: lines of mentions and of coreference change, where they must.

Lines of mentions that stay are kept, with their ids, and relations between mentions that still corefer. What needs a mention
that is gone (attributes, notes, events, other relations) goes with it. New relations are called as those of the file are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from referee.basics.exceptions import FormatError
from referee.corpus.undecided import is_undecided, note_of
from referee.formats.brat.lines import BratLine
from referee.formats.brat.reading import BLANKS, OF_UNDECIDED, BratAnnotation, annotation_of
from referee.formats.brat.writing import mention_line, note_line
from referee.formats.shared.changes import Changes
from referee.formats.shared.source import Source
from referee.formats.shared.text_mentions import UNTYPED, TextMention, on_words

ARGUMENTS = re.compile(r"R[^\t]*\t(\S+) ([^\s:]+):\S+ ([^\s:]+):\S+")


def rewrite(source: Source, changes: Changes) -> str:
    """The text of a file with other entities."""
    annotation = annotation_of(source, source.raise_error)
    after = changes.after
    ids: dict[int, str] = {}  # of the mentions of `after`
    lines: dict[BratLine, str] = {}  # other lines for some, empty for none
    removed = set()
    for mention, old in _numbered(annotation, changes):
        line = annotation.mentions[mention].line
        if (new := changes.new_mention.get(old, changes.reshaped.get(old))) is None:
            removed.add(annotation.mentions[mention].id)
            lines[line] = ""
            continue
        ids[new] = annotation.mentions[mention].id
        if old in changes.reshaped:
            label = annotation.mentions[mention].label
            lines[line] = mention_line(annotation.text, ids[new], label, changes.characters(new))[0]
        elif not changes.keeps_type(new) and annotation.mentions[mention].label == (changes.type_before(new) or UNTYPED):
            label = changes.type_of(int(after.entity[new])) or UNTYPED
            lines[line] = re.sub(r"\t\S+", lambda _, label=label: f"\t{label}", line.text, count=1)  # type: ignore[misc]
    new_lines = []
    last = _last(annotation, "T")
    for m in range(len(after.document)):
        if m not in ids:
            last += 1
            ids[m] = f"T{last}"
            label = changes.type_of(int(after.entity[m])) or UNTYPED
            new_lines.append(mention_line(annotation.text, ids[m], label, changes.characters(m))[0])
    lines |= _without(annotation, removed)
    entity = {id_: int(after.entity[m]) for m, id_ in ids.items()}
    relations = [*_relations(annotation, changes, ids, entity, lines), *_notes(annotation, changes, ids, lines)]
    return _text(source, annotation, lines, new_lines, relations)


def _notes(annotation: BratAnnotation, changes: Changes, ids: dict[int, str], lines: dict[BratLine, str]) -> Iterator[str]:
    """New notes of undecided mentions; `lines` gets no notes of those that are decided, or have a new one."""
    after = changes.after
    new = {ids[m]: note for m in range(len(after.document)) if (note := note_of(after, m))}
    undecided = {id_ for m, id_ in ids.items() if is_undecided(after, int(after.entity[m]))}
    for line in annotation.lines:
        if (old := OF_UNDECIDED.match(line.text)) and (old[1] in new or old[1] not in undecided):
            lines[line] = ""
    for number, (id_, text) in enumerate(new.items(), start=_last(annotation, "#") + 1):
        yield note_line(number, id_, text)


def _numbered(annotation: BratAnnotation, changes: Changes) -> Iterator[tuple[int, int]]:
    """The number of each mention of a file that has words, and its number in `before`."""
    raw = changes.before.text.words[0].raw if changes.before.text else None
    assert raw is not None
    mentions = [TextMention(mention.id, mention.label, mention.parts) for mention in annotation.mentions]
    placed = on_words(raw.start, raw.end, mentions, annotation.links)
    yield from zip(placed, changes.numbers(0, ((m.entity, m.spans) for m in placed.values())), strict=True)


def _without(annotation: BratAnnotation, removed: set[str]) -> dict[BratLine, str]:
    """Other lines for those that need what is removed, without which they say nothing; `removed` gets what goes with it."""
    lines: dict[BratLine, str] = {}
    before = -1
    while before < len(lines):
        before = len(lines)
        for line in annotation.lines:
            id_, *fields = line.text.split("\t")
            used = set(re.split(r"[\s:]", fields[0])) if fields and id_[:1] in ("R", "E", "A", "M", "N", "#") else set()
            if not used.isdisjoint(removed) and line not in lines and not BLANKS.fullmatch(line.text):
                lines[line] = ""
                removed.add(id_)
    for line in annotation.lines:
        names = line.text.split()
        if names[:1] == ["*"] and not removed.isdisjoint(names):
            rest = [name for name in names[2:] if name not in removed]
            lines[line] = f"*\t{names[1]} {' '.join(rest)}" if len(rest) > 1 else ""
    return lines


def _relations(
    annotation: BratAnnotation, changes: Changes, ids: dict[int, str], entity: dict[str, int], lines: dict[BratLine, str]
) -> Iterator[str]:
    """New relations, for the mentions that those that stay do not connect; `lines` gets no relations of different entities."""
    mention = {id_: m for m, id_ in ids.items()}
    pairs: list[tuple[int, int]] = []
    usual: Counter[tuple[str, ...]] = Counter()
    for line, name, related in annotation.relations:
        if not annotation.meaning.matches(name):
            continue
        if arguments := ARGUMENTS.match(line.text):
            usual[arguments.groups()] += 1
        there = [id_ for id_ in related if id_ in entity]
        main = Counter(entity[id_] for id_ in there).most_common(1)
        same = [id_ for id_ in there if entity[id_] == main[0][0]]
        if len(same) < len(related):
            is_list = line.text.startswith("*") and len(same) > 1
            lines[line] = f"*\t{name} {' '.join(same)}" if is_list else ""
            same = same if is_list else []
        pairs += pairwise(mention[id_] for id_ in same)
    name, one, other = usual.most_common(1)[0][0] if usual else ("Coreference", "Arg1", "Arg2")
    lacking = changes.unconnected(map(changes.after.mentions_of, range(len(changes.after.entity_ids))), pairs)
    for number, (earlier, later) in enumerate(lacking, start=_last(annotation, "R") + 1):
        yield f"R{number}\t{name} {one}:{ids[later]} {other}:{ids[earlier]}"


def _last(annotation: BratAnnotation, kind: str) -> int:
    """The largest number of an id that begins with a letter."""
    ids = (line.text.partition("\t")[0] for line in annotation.lines)
    return max((int(id_[1:]) for id_ in ids if id_[:1] == kind and id_[1:].isdecimal()), default=0)


def _text(
    source: Source, annotation: BratAnnotation, lines: dict[BratLine, str], mentions: list[str], relations: list[str]
) -> str:
    """The file with other lines, new mentions behind the last one, and new relations behind the last one."""
    whole = source.raw().decode().split("\n")
    pieces = []
    after = 0
    end = {"T": 0, "R": 0}
    for line in (line for line in annotation.lines if not line.file):
        after = line.number + line.text.count("\n")
        text = lines.get(line)
        old = "\n".join(whole[line.number - 1 : after])
        changed = old if text is None else text + "\r" * (old.endswith("\r") and bool(text))
        pieces += [changed] if text != "" else []
        kind = line.text[:1].replace("*", "R")
        if kind in end:
            end[kind] = len(pieces)
    if others := next((line.file for line in lines if line.file), ""):
        raise FormatError(
            source.name, None, f"has mentions in {others} that would change; expected an .ann file with all of them"
        )
    carriage = "\r" * any(line.endswith("\r") for line in whole)
    end["R"] = max(end["R"], end["T"])
    pieces[end["R"] : end["R"]] = [line + carriage for line in relations]
    pieces[end["T"] : end["T"]] = [line + carriage for line in mentions]
    return "\n".join([*pieces, *whole[after:]])
