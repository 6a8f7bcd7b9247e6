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
from collections.abc import Sequence

from referee.basics.exceptions import FormatError, one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import is_blank, tokenised, utf16_offsets
from referee.formats.shared.format import Format
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.safe_xml import Element, parse
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.urs import REFERENT, Schema, Unit, add_units, chains_among, is_anaphoric, mention_types, referent

LAYOUT = ("paragraph", "sentence")


def sniff(head: str) -> bool:
    """Annotations with positions in a text."""
    return re.match(r"\s*(<[?!][^>]*>\s*)*<annotations[\s>]", head) is not None and "<singlePosition" in head


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    text = _text(source.beside(".ac"))
    root = parse(source)
    offsets = utf16_offsets(text)
    spans = {id(unit): span for unit in root.inside("unit") if (span := _span(unit, text, offsets, on_error))}
    schemas = [Schema(s.get("id"), _ends(s, "embedded-unit"), s.line, _type(s)) for s in root.inside("schema")]
    chains = chains_among(schemas, source.name)
    said = "those of ANCOR, and those whose names begin with coref or ident, are"
    chosen = ChosenRelations(source.options.relations, is_anaphoric, said)
    pairs = [Schema(r.get("id"), _ends(r, "term"), r.line) for r in root.inside("relation") if chosen.means(_type(r))]
    chosen.warn(source.name)
    given = [unit for unit in root.inside("unit") if id(unit) in spans]
    mentions, names = _mentions(given, [id_ for schema in (*chains, *pairs) for id_ in schema.units], source.name)
    characters = tokenised(
        text, (edge for unit in mentions if not is_blank(text, *spans[id(unit)]) for edge in spans[id(unit)])
    )
    starts = {spans[id(unit)][0] for unit in given if _type(unit).lower() in LAYOUT}
    sentences = [n for n, start in enumerate(characters.starts.tolist()) if start in starts] if starts else characters.sentences
    builder = CorpusBuilder(source.name)
    builder.document("", characters.tokens, sorted({0, *sentences} - {len(characters.tokens)}), raw=characters.raw)
    known: set[str] = set()
    units = []
    for unit in mentions:
        if unit.get("id") in known:
            on_error(unit.line, f"found the unit {_shown(unit.get('id'))} again; expected each id once")
        else:
            known.add(unit.get("id"))
            span = spans[id(unit)]
            words = [] if is_blank(text, *span) else [characters.span(*span)]
            units.append(Unit(unit.get("id"), words, referent(_features(unit)), unit.line))
    chains, pairs = ([s._replace(units=[names.get(u, u) for u in s.units]) for s in of] for of in (chains, pairs))
    add_units(builder, units, chains, pairs, on_error)
    return builder.corpus()


def _text(source: Source) -> str:
    try:
        return source.raw().decode()
    except UnicodeDecodeError as error:
        raise FormatError(source.name, None, f"found the byte 0x{error.object[error.start]:02x}; expected UTF-8") from None


def _mentions(units: Sequence[Element], used: Sequence[str], source: str) -> tuple[list[Element], dict[str, str]]:
    """The units that are mentions, and the id of a unit by its other name, author and date."""
    names = {f"{_said(unit, 'author')}_{_said(unit, 'creation-date')}": unit.get("id") for unit in units}
    ids = {unit.get("id") for unit in units}
    names = {name: id_ for name, id_ in names.items() if name not in ids}
    used_ids = {names.get(id_, id_) for id_ in used}
    others = [unit for unit in units if _type(unit).lower() not in LAYOUT]
    used_types = {_type(u) for u in others if u.get("id") in used_ids or not set(REFERENT).isdisjoint(_features(u))}
    types = mention_types(map(_type, others), used_types, source)
    return [unit for unit in others if _type(unit) in types], names


def _ends(element: Element, tag: str) -> list[str]:
    return [unit.get("id") for positioning in element.inside("positioning") for unit in positioning.inside(tag)]


def _span(unit: Element, text: str, offsets: Sequence[int], on_error: OnError) -> tuple[int, int] | None:
    """The characters of a unit; None after an error, or if it is layout elsewhere."""
    positions = [p.get("index") for p in unit.walk() if p.tag == "singlePosition"]
    if len(positions) == 2 and all(len(p) < 10 and p.isdecimal() for p in positions):
        start, end = map(int, positions)
        if start <= end < len(offsets):
            return offsets[start], offsets[end]
    if _type(unit).lower() not in LAYOUT:
        found = f"unit {_shown(unit.get('id'))} is at {_shown(' '.join(positions))}"
        on_error(unit.line, f"{found}; expected two positions, start <= end <= {len(offsets) - 1}")
    return None


def _characterisation(element: Element) -> Element:
    return element.find("characterisation") or Element("", {}, element.line)


def _type(element: Element) -> str:
    kind = _characterisation(element).find("type")
    return kind.text.strip() if kind else ""


def _features(element: Element) -> dict[str, str]:
    return {f.get("name"): f.text for features in _characterisation(element).inside("featureSet") for f in features}


def _said(unit: Element, tag: str) -> str:
    metadata = unit.find("metadata")
    said = metadata.find(tag) if metadata else None
    return said.text.strip() if said else ""


def _shown(text: str) -> str:
    return one_line(shortened(text)) or "''"


FORMAT = Format("glozz", __doc__, ("spans", "words"), sniff, read, has_relations=True, has_several_files=True)
