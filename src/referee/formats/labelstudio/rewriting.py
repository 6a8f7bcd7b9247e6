"""Tasks of Label Studio written again with other entities: of the annotation that was read, results of coreference change.

Regions and relations that stay are as they are written. What belongs to a region that is gone goes with it. A region that is
now of another entity loses the name that it had; relations connect what names do not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from referee.corpus.undecided import is_undecided, note_of
from referee.formats.labelstudio.reading import meaning_of, with_note
from referee.formats.labelstudio.task import AnnotationChoice, annotated, is_naming
from referee.formats.shared.changes import Changes
from referee.formats.shared.characters import utf16_lengths
from referee.formats.shared.documents import distinct
from referee.formats.shared.json_edits import Stretch, elements, members, objects, relisted, replaced
from referee.formats.shared.json_values import are_words
from referee.formats.shared.relations import ChosenRelations, coreferent
from referee.formats.shared.source import Source
from referee.formats.shared.text_mentions import UNTYPED, on_words

Json = dict[str, Any]
LISTS = ("annotations", "completions", "predictions")


def rewrite(source: Source, changes: Changes, variant: str = "") -> str:
    """The text of a file with other entities."""
    by_label, wanted = meaning_of(variant)
    text = source.raw().decode()
    stretches = list(objects(text))
    tasks = [json.loads(text[slice(*stretch)]) for stretch in stretches]
    choice, meaning = AnnotationChoice(tasks, wanted), ChosenRelations(source.options.relations)
    edits: list[tuple[Stretch, str]] = []
    numbers = count()
    for task, (start, _) in zip(tasks, stretches, strict=True):
        if (annotation := choice.annotation_of(task, print)) is None:
            continue
        name, place = next((name, n) for name in LISTS for n, each in enumerate(task.get(name) or ()) if each is annotation)
        stretch = members(text, elements(text, members(text, start)[name][0])[place][0])["result"]
        texts = [text[slice(*element)] for element in elements(text, stretch[0])]
        new = list(_Results(changes, next(numbers), task["data"], annotation, meaning, by_label=by_label).texts(texts))
        edits += [(stretch, relisted(text, stretch, new))] * (new != texts)
    return replaced(text, edits)


class _Results:
    """The results of an annotation, with what their regions are now."""

    def __init__(
        self, changes: Changes, number: int, data: Json, annotation: Json, meaning: ChosenRelations, *, by_label: bool
    ) -> None:
        self.changes, self.after = changes, changes.after
        self.results, self.meaning, self.by_label = annotation["result"], meaning, by_label
        document = annotated(data, annotation, by_label, print)
        assert document is not None
        self.mentions, self.text = document.mentions, document.characters.text
        links = coreferent(document.relations, [mention.id for mention in self.mentions], meaning, print)
        placed = on_words(document.characters.starts, document.characters.ends, self.mentions, links)
        old = changes.numbers(number, ((m.entity, m.spans) for m in placed.values()))
        new = [changes.new_mention.get(m, changes.reshaped.get(m)) for m in old]
        ids = [self.mentions[n].id for n in placed]
        self.new = {id_: m for id_, m in zip(ids, new, strict=True) if m is not None}  # region -> mention of `after`
        self.removed = {id_ for id_, m in zip(ids, new, strict=True) if m is None}
        here = self.after.mentions_in(number, number + 1)
        self.here, self.entity = range(here.start, here.stop), self.after.entity.tolist()
        self.id = {m: id_ for id_, m in self.new.items()}
        others = {str(result.get("id")) for result in self.results}
        fresh = (name for n in count(len(others)) if (name := f"m{n}") not in others)
        self.id |= {m: next(fresh) for m in self.here if m not in self.id}
        before, first = changes.before, self.after.entities_in(number, number + 1)
        ids = [before.entity_ids[there] if (there := changes.entity[e]) >= 0 else "" for e in range(first.start, first.stop)]
        self.names = dict(enumerate(distinct([name or "entity" for name in ids], " "), start=first.start))

    def texts(self, texts: list[str]) -> Iterator[str]:
        """The results as they are written, those that are there and new ones."""
        pairs: list[tuple[int, int]] = []
        named: dict[str, int] = {}
        template: Json = {"type": "relation", "direction": "right", "labels": ["coreference"]}
        region: Json = {"from_name": "label", "to_name": "text"}
        offsets = utf16_lengths(self.text) if any(map(self._in_units, self.results)) else range(len(self.text) + 1)
        for result, old_text in zip(self.results, texts, strict=True):
            text = old_text
            kind, id_ = str(result.get("type", "")), str(result.get("id"))
            if kind == "relation":
                ends = [str(result.get(end)) for end in ("from_id", "to_id")]
                labels = result.get("labels")
                is_coreference = self.meaning.matches(*(labels if are_words(labels) else ()))
                template = result if is_coreference else template
                same = {self.entity[self.new[end]] for end in ends if end in self.new}
                if not self.removed.isdisjoint(ends) or (is_coreference and len(same) > 1):
                    continue
                pairs += [(self.new[ends[0]], self.new[ends[1]])] * (is_coreference and len(same) == 1)
            elif id_ in self.removed:
                continue
            elif kind.endswith("labels"):
                region = {name: result.get(name, value) for name, value in region.items()}
                if id_ in self.new:
                    text = self._labelled(result, text, self.new[id_])
                    text = self._with_edges(text, self.new[id_], offsets)
                    text = self._noted(result, text, self.new[id_])
            elif is_naming(result) and id_ in self.new:
                m = self.new[id_]
                if not self.changes.stays(m) and m not in self.changes.reshaped.values():
                    continue
                pairs.append((named.setdefault(self.names[self.entity[m]], m), m))
            yield text
        for m in self.here:
            if m not in self.new.values():
                value = {**self._value(m, offsets), "labels": [self._label(m)]}
                new = {"id": self.id[m], "type": "labels", **region, "value": value}
                yield json.dumps(with_note(new, note_of(self.after, m)), ensure_ascii=False)
        if not self.by_label:
            yield from self._relations(pairs, template)

    def _in_units(self, result: Json) -> bool:
        """Whether the offsets of a region that stays are not those of characters, but of UTF-16."""
        id_ = str(result.get("id"))
        is_region = str(result.get("type", "")).endswith("labels") and id_ in self.new
        return is_region and bool(result["value"]["start"] != self._span(id_)[0])

    def _value(self, mention: int, offsets: Sequence[int]) -> Json:
        """The place of a mention."""
        ((start, end),) = self.changes.characters(mention)
        return {"start": offsets[start], "end": offsets[end], "text": self.text[start:end]}

    def _with_edges(self, text: str, mention: int, offsets: Sequence[int]) -> str:
        """The text of a region whose edges are others now."""
        if mention not in self.changes.reshaped.values():
            return text
        places = members(text, members(text, 0)["value"][0])
        value = self._value(mention, offsets)
        return replaced(text, [(places[n], json.dumps(v, ensure_ascii=False)) for n, v in value.items() if n in places])

    def _noted(self, result: Json, text: str, mention: int) -> str:
        """The text of a region: with its note if it has a new one, without if it is decided."""
        note = note_of(self.after, mention)
        if not note and is_undecided(self.after, self.entity[mention]):
            return text
        has_other = with_note(result, note) != result
        return json.dumps(with_note(json.loads(text), note), ensure_ascii=False) if has_other else text

    def _span(self, id_: str) -> tuple[int, int]:
        return next(mention.spans[0] for mention in self.mentions if mention.id == id_)

    def _label(self, mention: int) -> str:
        """The label of a mention: what its entity is called, or the type of that."""
        entity = self.entity[mention]
        return self.names[entity] if self.by_label else self.changes.type_of(entity) or UNTYPED

    def _labelled(self, result: Json, text: str, mention: int) -> str:
        """The text of a region, with the label that it has now."""
        labels = result["value"]["labels"]
        is_other = not self.changes.stays(mention) if self.by_label else not self.changes.keeps_type(mention)
        if not is_other or (not self.by_label and labels[0] != (self.changes.type_before(mention) or UNTYPED)):
            return text
        place = members(text, members(text, 0)["value"][0])["labels"]
        return replaced(text, [(place, json.dumps([self._label(mention), *labels[1:]], ensure_ascii=False))])

    def _relations(self, pairs: list[tuple[int, int]], template: Json) -> Iterator[str]:
        """A relation for each mention that no other connects with the one before it."""
        for earlier, later in self.changes.unconnected(map(self.after.mentions_of, self.names), pairs):
            ends = {"from_id": self.id[later], "to_id": self.id[earlier]}
            yield json.dumps({**template, **ends}, ensure_ascii=False)
