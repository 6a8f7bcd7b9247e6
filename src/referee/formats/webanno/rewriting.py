"""A WebAnno TSV file written again with other entities: cells of the layers of coreference change, in rows of what changes.

A chain that loses or gets mentions has its links numbered anew, in their order. In files with relations, those between mentions
that still corefer stay; mentions that they do not connect get a relation to the one before. New mentions have `*` for what is
not known of them. Bridging and split antecedents stay, or go; new ones are not written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate

from referee.basics.exceptions import FormatError
from referee.corpus.editing import join
from referee.corpus.undecided import NOTE, is_undecided, note_of
from referee.formats.shared.changes import Changes
from referee.formats.shared.source import Source
from referee.formats.webanno.reading import HEADER, empty_rows, labels_of, parts_of, resolved
from referee.formats.webanno.rows import LINK, NUMBER, WebannoLayer, ends_of, key_of, type_in
from referee.formats.webanno.writing import MEANT

Entry = list[str]
"""An annotation in a row: its values, one a feature of its layer."""


def rewrite(source: Source, changes: Changes) -> str:
    """The text of a file with other entities."""
    return _Rewriting(source, changes).text()


class _Rewriting:
    """A file with the cells that change."""

    def __init__(self, source: Source, changes: Changes) -> None:
        self.changes, self.after = changes, changes.after
        self.lines = source.raw().decode().split("\n")
        self.rows = rows = empty_rows(source, source.raise_error)
        for number, line in source.lines(source.raise_error):
            if header := HEADER.fullmatch(line):
                rows.header(*header.groups())
            elif line and not line.startswith("#"):
                rows.add(number, line)
        self.cells = {line: self.lines[line - 1].split("\t") for line, _, _ in rows.rows}
        parts = parts_of(rows)
        first = [*accumulate(map(len, parts), initial=0)]

        def place(token: int, character: int) -> int:
            return first[token] + (parts[token].index(character) if character else 0)

        self.spans = [(place(*row[:2]), place(*row[2:])) for _, _, row in rows.rows]
        links = resolved(rows, source.raise_error)
        spans = (join((place(*piece[:2]), place(*piece[2:])) for piece in mention.pieces) for mention in rows.mentions)
        old = changes.numbers(0, zip(labels_of(rows, links), spans, strict=True))
        self.new = {n: changes.new_mention.get(m, -1) for n, m in enumerate(old)}  # number in the file -> in `after`
        self.entity = self.after.entity.tolist()

    def text(self) -> str:
        """The file."""
        layers = self.rows.coreference
        chains, spans = ([layer for layer in layers if layer.kind == kind] for kind in ("CH", "SP"))
        homes = {n: layer for layer in [*chains, *spans] for n in self.rows.number.get(layer.name, {}).values()}
        home: dict[int, WebannoLayer] = {}  # of the entities of `after`
        for n, m in self.new.items():
            if m >= 0 and self.changes.stays(m):
                home.setdefault(self.entity[m], homes[n])
        self.home = [home.get(e, [*chains, *spans][0]) for e in range(len(self.after.entity_ids))]
        for layer in chains:
            self._put(layer, self._chains(layer))
        for layer in spans:
            relations = [other for other in layers if other.kind == "RL" and other.base == layer.name]
            self._spans(layer, relations)
        for line, cells in self.cells.items():
            self.lines[line - 1] = "\t".join(cells)
        return "\n".join(self.lines)

    def _entries(self, layer: WebannoLayer, line: int) -> list[Entry]:
        """The annotations of a layer in a row; values that lack are `*`."""
        columns = [layer.stacked(self.cells[line], feature) for feature in layer.features]
        most = max(map(len, columns))
        return [list(entry) for entry in zip(*(column + ["*"] * (most - len(column)) for column in columns), strict=True)]

    def _put(self, layer: WebannoLayer, entries: dict[int, list[Entry]]) -> None:
        """Put annotations into the rows where they are others."""
        for line, new in entries.items():
            if new != self._entries(layer, line):
                for n in range(len(layer.features)):
                    self.cells[line][layer.column + n] = "|".join(entry[n] for entry in new) or "_"

    def _rows_of(self, mention: int) -> list[int]:
        """The rows, by number, of a mention that is new: those of whole tokens, or of parts where there are such."""
        numbers = []
        for start, end in self.changes.spans_there(mention):
            reached = start
            for n, (first, after) in enumerate(self.spans):
                if first == reached < after <= end:
                    numbers.append(n)
                    reached = after
            if reached < end:
                problem = "a mention begins or ends inside of a token, where the file has no row"
                raise FormatError(self.after.source, None, f"{problem}; expected whole tokens")
        return numbers

    def _chains(self, layer: WebannoLayer) -> dict[int, list[Entry]]:
        """The annotations of a layer of chains, by lines."""
        tag, relation = ("referenceType", "referenceRelation")
        at_tag = layer.features.index(tag) if tag in layer.features else 0
        at_link = layer.features.index(relation) if relation in layer.features else len(layer.features) - 1
        numbers = self.rows.number.get(layer.name, {})
        mentions = {self.new[n]: key for key, n in numbers.items() if self.new.get(n, -1) >= 0}
        last = max((int(key.partition("-")[0]) for key in numbers), default=0)
        keys: dict[int, str] = {}  # the chains and links of mentions
        for e in range(len(self.after.entity_ids)):
            inside = self.after.mentions_of(e) if self.home[e] is layer else []
            old = self.changes.entity[e]
            same = old >= 0 and len(inside) == self.changes.before.entity_size[old] and all(map(self.changes.stays, inside))
            if inside and not same:
                chain = next((mentions[m].partition("-")[0] for m in inside if m in mentions and self.changes.stays(m)), "")
                last += not chain
            for link, m in enumerate(inside, start=1):
                keys[m] = mentions[m] if same else f"{chain or last}-{link}"
        new_rows: defaultdict[int, list[int]] = defaultdict(list)
        for m in keys.keys() - mentions.keys():
            for n in self._rows_of(m):
                new_rows[self.rows.rows[n][0]].append(m)
        entries: dict[int, list[Entry]] = {}
        for line, _, _ in self.rows.rows:
            there: list[Entry] = []
            for entry in self._entries(layer, line):
                link_before = LINK.fullmatch(entry[at_link])
                m = self.new.get(numbers[link_before[1]], -1) if link_before else -1
                if m not in keys or link_before is None:
                    continue
                chain_before, chain = link_before[1].partition("-")[0], keys[m].partition("-")[0]
                entry[at_link] = entry[at_link].removesuffix(link_before[1]) + keys[m]
                for n in range(len(entry)):
                    if n != at_link and entry[n].endswith(f"[{chain_before}]"):
                        entry[n] = entry[n].removesuffix(f"[{chain_before}]") + f"[{chain}]"
                self._set_type(entry, at_tag, m)
                there.append(entry)
            for m in sorted(new_rows[line]):
                entry = [f"*[{keys[m].partition('-')[0]}]"] * len(layer.features)
                entry[at_link] = f"*->{keys[m]}"
                entry[at_tag] = self._type(m) + entry[at_tag][1:] if at_tag != at_link else entry[at_tag]
                there.append(entry)
            entries[line] = there
        return entries

    def _type(self, mention: int) -> str:
        """The type of the entity of a mention, or its note, as it stands in a cell."""
        text = note_of(self.after, mention) or self.changes.type_of(self.entity[mention])
        return MEANT.sub(r"\\\g<0>", text) or "*"

    def _set_type(self, entry: Entry, place: int, mention: int) -> None:
        """Change the value that is the type of an entity, if that has another one now; or a note of what is decided."""
        is_other = not self.changes.keeps_type(mention) and type_in(entry[place]) == self.changes.type_before(mention)
        if is_other or (entry[place].startswith(NOTE) and not is_undecided(self.after, self.entity[mention])):
            number = NUMBER.search(entry[place])
            entry[place] = self._type(mention) + (number[0] if number else "")

    def _spans(self, layer: WebannoLayer, relations: Sequence[WebannoLayer]) -> None:
        """Change a layer of spans, and the relations between them."""
        numbers = self.rows.number.get(layer.name, {})
        key = {self.new[n]: name for name, n in numbers.items() if self.new.get(n, -1) >= 0}
        last = max((int(name) for name in numbers if name.isdecimal()), default=0)
        new_rows: defaultdict[int, list[int]] = defaultdict(list)
        for m, e in enumerate(self.entity):
            if m not in key and self.home[e] is layer:
                last += 1
                key[m] = str(last)
                for n in self._rows_of(m):
                    new_rows[self.rows.rows[n][0]].append(m)
        mention = {name: m for m, name in key.items()}
        entries: dict[int, list[Entry]] = {}
        begins: dict[int, tuple[int, str]] = {}  # the first row of each mention
        for line, unit, _ in self.rows.rows:
            there = []
            for entry in self._entries(layer, line):
                m = mention.get(key_of(entry[0], unit), -1)
                if m >= 0:
                    self._set_type(entry, 0, m)
                    there.append(entry)
                    begins.setdefault(m, (line, unit))
            for m in new_rows[line]:
                there.append([f"{value}[{key[m]}]" for value in [self._type(m), *"*" * (len(layer.features) - 1)]])
                begins.setdefault(m, (line, unit))
            entries[line] = there
        self._relations(relations, mention, begins)
        self._put(layer, entries)

    def _relations(self, layers: Sequence[WebannoLayer], mention: dict[str, int], begins: dict[int, tuple[int, str]]) -> None:
        """Leave out relations of what does not belong together now, and add those that lack, to the first of the layers."""
        after, key = self.after, {m: name for name, m in mention.items()}
        bridges = {(m, self.entity[a]) for m, a, _ in zip(*map(list, after.bridging or ()), strict=True)}
        splits = set(zip(*(column.tolist() for column in after.split_antecedents or ()), strict=True))
        pairs: list[tuple[int, int]] = []
        usual: Counter[str] = Counter()
        entries: dict[str, dict[int, list[Entry]]] = {layer.name: {} for layer in layers}
        for layer in layers:
            for line, unit, _ in self.rows.rows:
                entries[layer.name][line] = there = []
                for entry in self._entries(layer, line):
                    one, other = (mention.get(name, -1) for name in ends_of(entry[-1], unit))
                    value = entry[0] if len(entry) > 1 else ""
                    if one < 0 or other < 0:
                        continue
                    e, f = self.entity[one], self.entity[other]
                    if value != "bridge" and not value.startswith("bridge:"):
                        usual[value] += 1
                        stays = e == f
                        pairs += [(one, other)] * stays
                    else:
                        stays = (e, f) in splits if value.startswith("bridge:aggr") else (one, f) in bridges
                    there += [entry] * stays
        layer = layers[0]
        values = ["*"] * (len(layer.features) - 1)
        values[:1] = [usual.most_common(1)[0][0] if usual else "coref"] * bool(values)
        inside = ([m for m in after.mentions_of(e) if m in key] for e in range(len(after.entity_ids)))
        for earlier, later in self.changes.unconnected(inside, pairs):
            numbers = [key[m] if key[m].isdecimal() else "0" for m in (later, earlier)]
            origin = begins[later][1] + f"[{'_'.join(numbers)}]" * (numbers != ["0", "0"])
            entries[layer.name][begins[earlier][0]].append([*values, origin])
        for layer in layers:
            self._put(layer, entries[layer.name])
