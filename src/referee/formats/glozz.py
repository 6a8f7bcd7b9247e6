"""Glozz: an .aa file with units, relations and schemas as XML, and an .ac file with the text.

::

    <annotations>
      <unit id="me_12"><metadata><author>me</author><creation-date>12</creation-date></metadata>
        <characterisation><type>MENTION</type><featureSet><feature name="REF">Ann</feature></featureSet></characterisation>
        <positioning><start><singlePosition index="0"/></start><end><singlePosition index="3"/></end></positioning>
      </unit> ...
      <schema id="me_30"><characterisation><type>CHAINE</type> ... </characterisation>
        <positioning><embedded-unit id="me_12"/><embedded-unit id="me_14"/></positioning>
      </schema>
    </annotations>

``unit``
    A span of characters, in UTF-16 units, the end exclusive. Units of the types `paragraph` and `sentence` (in either case) are
    no mentions, but begin sentences. Of all others those are mentions whose type any unit of a schema or a relation has, or any
    unit with a `REF`; units of other types are left out with a warning. Without schemas, relations and `REF`, those are
    mentions whose type has "mention" in its name, or all if they are of one type; a warning says that nothing corefers.
``schema``
    An entity of its units, called by its id. If there are schemas of several types, those whose types begin with "chain" or
    "coref" are, and a warning says what is left out. So it does of units in schemas that are not there (any more).
``relation``
    Of types DIRECTE, INDIRECTE and ANAPHORE (ANCOR), or of one that begins with "coref" or "ident": two units of one entity.
    Others are ignored, with a warning. `--relations` names others that mean coreference, instead of these.
``REF``
    A feature (also `refname`) that names the referent. Units in no schema are of one entity if it is the same. Empty, or SI, it
    means a unit that is alone.

Tokens are made as in all formats that have only characters: words and single signs, cut where a mention begins or ends. The
document has no name.

References
----------
Glozz (Widlöcher and Mathet 2012); the files of Democrat (Landragin 2016) and ANCOR (Muzerelle et al. 2014); the conversion
sacr2glozz by Oberle. Only read.

Notes
-----
Where programs disagree: an embedded unit is named by the id of the unit, or by its author and date of creation (``me_12``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import is_blank, tokenised, utf16_offsets
from referee.formats.shared.format import Format
from referee.formats.shared.safe_xml import Element, gather, shown
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.urs import REFERENT, Schema, Unit, add_units, chains_among, mention_types, referent, urs_relations

LAYOUT = ("paragraph", "sentence")


def sniff(head: str) -> bool:
    """Annotations with positions in a text."""
    return re.match(r"\s*(<[?!][^>]*>\s*)*<annotations[\s>]", head) is not None and "<singlePosition" in head


class _GlozzUnit(NamedTuple):
    """A unit: its id, its other name (author and date), its type, positions and features, and its line."""

    id: str
    name: str
    type: str
    positions: Sequence[str]
    features: Mapping[str, str]
    line: int

    @property
    def is_layout(self) -> bool:
        return self.type.lower() in LAYOUT


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    text = _text(source.beside(".ac"))
    units, schemas, relations = _annotations(source)
    offsets = utf16_offsets(text)
    spans = [(unit, span) for unit in units if (span := _span(unit, offsets, on_error))]
    chains = chains_among(schemas, source.name)
    meaning = urs_relations(source.options.relations)
    pairs = [relation for relation in relations if meaning.means(relation.type)]
    meaning.warn(source.name)
    ids = {unit.id for unit, _ in spans}
    names = {unit.name: unit.id for unit, _ in spans if unit.name not in ids}
    chains, pairs = ([s._replace(units=[names.get(u, u) for u in s.units]) for s in group] for group in (chains, pairs))
    used = {id_ for schema in (*chains, *pairs) for id_ in schema.units}
    others = [unit for unit, _ in spans if not unit.is_layout]
    used_types = {unit.type for unit in others if unit.id in used or not unit.features.keys().isdisjoint(REFERENT)}
    types = mention_types((unit.type for unit in others), used_types, source.name)
    mentions = [(unit, span) for unit, span in spans if not unit.is_layout and unit.type in types]
    characters = tokenised(text, (edge for _, span in mentions if not is_blank(text, *span) for edge in span))
    starts = {start for unit, (start, _) in spans if unit.is_layout}
    sentences = [n for n, start in enumerate(characters.starts.tolist()) if start in starts] if starts else characters.sentences
    builder = CorpusBuilder(source.name)
    builder.document("", characters.tokens, sorted({0, *sentences} - {len(characters.tokens)}), raw=characters.raw)
    by_id: dict[str, Unit] = {}
    for unit, span in mentions:
        if unit.id in by_id:
            on_error(unit.line, f"found the unit {shown(unit.id)} again; expected each id once")
        else:
            words = [] if is_blank(text, *span) else [characters.span(*span)]
            by_id[unit.id] = Unit(unit.id, words, referent(unit.features), unit.line)
    add_units(builder, [*by_id.values()], chains, pairs, on_error)
    return builder.corpus()


def _annotations(source: Source) -> tuple[list[_GlozzUnit], list[Schema], list[Schema]]:
    """The units, schemas and relations of a file."""
    units: list[_GlozzUnit] = []
    schemas: list[Schema] = []
    relations: list[Schema] = []

    def take(element: Element) -> None:
        id_ = element.get("id")
        characterisation = element.find("characterisation") or Element("", {}, 0)
        kind = _text_in(characterisation, "type")
        if element.tag == "unit":
            metadata = element.find("metadata") or Element("", {}, 0)
            name = f"{_text_in(metadata, 'author')}_{_text_in(metadata, 'creation-date')}"
            positions = [p.get("index") for p in element.walk() if p.tag == "singlePosition"]
            features = {f.get("name"): f.text for inside in characterisation.inside("featureSet") for f in inside}
            units.append(_GlozzUnit(id_, name, kind, positions, features, element.line))
        else:
            tag, group = ("embedded-unit", schemas) if element.tag == "schema" else ("term", relations)
            ids = [unit.get("id") for positioning in element.inside("positioning") for unit in positioning.inside(tag)]
            group.append(Schema(id_, ids, element.line, kind))

    gather(source, take, "unit", "schema", "relation")
    return units, schemas, relations


def _text_in(element: Element, tag: str) -> str:
    inside = element.find(tag)
    return inside.text.strip() if inside else ""


def _text(source: Source) -> str:
    raw = source.raw()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        problem = f"found the byte 0x{raw[error.start]:02x}; expected UTF-8: {source.encoding_remedy(raw)}"
        raise FormatError(source.name, None, problem) from None


def _span(unit: _GlozzUnit, offsets: Sequence[int], on_error: OnError) -> tuple[int, int] | None:
    """The characters of a unit; None after an error, or if it is layout elsewhere."""
    if len(unit.positions) == 2 and all(len(p) < 10 and p.isdecimal() for p in unit.positions):
        start, end = map(int, unit.positions)
        if start <= end < len(offsets):
            return offsets[start], offsets[end]
    if not unit.is_layout:
        problem = f"unit {shown(unit.id)} is at {shown(' '.join(unit.positions))}"
        on_error(unit.line, f"{problem}; expected two positions, start <= end <= {len(offsets) - 1}")
    return None


FORMAT = Format("glozz", __doc__, ("spans", "words"), sniff, read, has_relations=True, has_several_files=True)
