"""XMI of CorefAnnotator, the tool of the University of Stuttgart: a text with entities, their mentions and groups.

::

    <xmi:XMI ... xmlns:v2="http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore">
      <v2:Entity xmi:id="5" Label="Ann" Color="-255"/>
      <v2:Mention xmi:id="7" Entity="5" Surface="8"/>
      <v2:MentionSurface xmi:id="8" sofa="1" begin="0" end="3" Mention="7"/>
      <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Ann left."/>
    </xmi:XMI>

``Entity``
    called by its `Label`, with its id behind it if several have this label
``Mention``
    of the entity it names. Its words are those of its `MentionSurface`s, one or several; in files before version 2 its own,
    from `begin` to `end`, and those of the `DetachedMentionPart` that its `Discontinuous` names. Offsets count UTF-16 units,
    the end is exclusive.
``EntityGroup``
    an entity (in version 2 any `Entity`) with `Members`: these are split antecedents, if they have mentions in the text

The document is called by the `documentId` of its metadata. Tokens and sentences are the annotations called so, cut where a
mention begins or ends inside; without them the text is tokenised as in all formats that have only characters. Flags of mentions
and of entities, and comments, are left out, with a count; segments and colours are not read.

References
----------
CorefAnnotator 2.1: its type systems (types-v1.xml, types-v2.xml), its converter between them, and the files of its tests. Only
read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import BLANK, Characters, cut, is_blank, tokenised, utf16_offsets
from referee.formats.shared.documents import cycle
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.safe_xml import Element, parse, shown
from referee.formats.shared.source import OnError, Source

Span = tuple[int, int]


def sniff(head: str) -> bool:
    """Whether it is XMI with types of CorefAnnotator."""
    return "<xmi:XMI" in head and "/coref/annotator/api" in head


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a text with its entities."""
    elements = list(parse(source))
    by_id = {element.get("id"): element for element in elements if element.get("id")}
    builder = CorpusBuilder(source.name)
    sofa = next((e for e in elements if e.tag == "Sofa" and "sofaString" in e.attributes), None)
    if sofa is None:
        on_error(None, "has no Sofa with a sofaString; expected a text")
        return builder.corpus()
    text = sofa.get("sofaString")
    offsets = utf16_offsets(text)
    spans = _spans(elements, by_id, text, offsets, source.name, on_error)
    characters = _characters(elements, text, offsets, [span for _, of in spans for span in of])
    name = next((e.get("documentId") for e in elements if e.get("documentId")), "")
    builder.document(name, characters.tokens, characters.sentences, raw=characters.raw)
    labels = _labels(elements)
    used: dict[str, int] = {}
    for mention, parts in spans:
        entity = mention.get("Entity")
        if entity not in labels:
            oddity = f"mention {shown(mention.get('id'))} is of the entity {shown(entity)}"
            on_error(mention.line, f"{oddity}; expected the id of an Entity")
            continue
        try:
            builder.mention(0, 0, labels[entity], spans=[characters.span(*part) for part in parts])
        except ValueError as error:
            on_error(mention.line, f"mention {shown(mention.get('id'))} covers no token; {error}")
        else:
            used[entity] = builder.entity(labels[entity])
    _add_groups(builder, elements, used, on_error)
    warn_file(source.name, "left out {} of mentions and entities ({names})", "annotation", _unused(elements))
    return builder.corpus()


def _unused(elements: Sequence[Element]) -> Counter[str]:
    """How many flags and comments there are."""
    flags = [len(e.get("Flags").split()) for e in elements if e.tag in ("Mention", "Entity", "EntityGroup")]
    return +Counter({"flags": sum(flags), "comments": sum(e.tag == "Comment" for e in elements)})


def _spans(
    elements: Sequence[Element], by_id: Mapping[str, Element], text: str, offsets: Sequence[int], source: str, on_error: OnError
) -> list[tuple[Element, list[Span]]]:
    """The mentions with words, each with its spans."""
    surfaces: dict[str, list[Element]] = {}
    for element in elements:
        if element.tag == "MentionSurface":
            surfaces.setdefault(element.get("Mention"), []).append(element)
    spans: list[tuple[Element, list[Span]]] = []
    blank = 0
    for mention in elements:
        if mention.tag != "Mention":
            continue
        id_ = mention.get("id")
        detached = by_id.get(part := mention.get("Discontinuous"))
        if part and detached is None:
            on_error(mention.line, f"mention {shown(id_)} has the part {shown(part)}; expected the id of a DetachedMentionPart")
        places = surfaces.get(id_, []) if "begin" not in mention.attributes else [mention, *([detached] if detached else [])]
        nonempty = [span for place in places if (span := _span(place, offsets, on_error))]
        if not places:
            on_error(mention.line, f"mention {shown(id_)} has no words; expected a MentionSurface, or begin and end")
        elif nonempty and (inked := [span for span in nonempty if not is_blank(text, *span)]):
            spans.append((mention, inked))
        else:
            blank += bool(nonempty)
    warn_file(source, BLANK, "mention", blank)
    return spans


def _span(place: Element, offsets: Sequence[int], on_error: OnError | None) -> Span | None:
    """The characters of an annotation; None after an error. It may be empty, or white space alone."""
    begin, end = place.get("begin"), place.get("end")
    if all(len(edge) < 10 and edge.isdecimal() for edge in (begin, end)) and int(begin) <= int(end) < len(offsets):
        return offsets[int(begin)], offsets[int(end)]
    if on_error:
        oddity = f"{place.tag} {shown(place.get('id'))} goes from {shown(begin)} to {shown(end)}"
        on_error(place.line, f"{oddity}; expected begin <= end <= {len(offsets) - 1}")
    return None


def _characters(elements: Sequence[Element], text: str, offsets: Sequence[int], spans: Sequence[Span]) -> Characters:
    edges = {edge for span in spans for edge in span}
    inked = [(e.tag, s) for e in elements if (s := _span(e, offsets, None)) and not is_blank(text, *s)]
    tokens = sorted({span for tag, span in inked if tag == "Token"})
    sentences = [start for tag, (start, _) in inked if tag == "Sentence"]
    return cut(text, tokens, sentences, edges) if tokens else tokenised(text, edges)


def _labels(elements: Sequence[Element]) -> dict[str, str]:
    """What each entity is called, by its id."""
    entities = {e.get("id"): e.get("Label") for e in elements if e.tag in ("Entity", "EntityGroup")}
    number = Counter(entities.values())
    return {id_: label if label and number[label] == 1 else f"{label}#{id_}" for id_, label in entities.items()}


def _add_groups(builder: CorpusBuilder, elements: Sequence[Element], used: Mapping[str, int], on_error: OnError) -> None:
    """Add the members of groups as split antecedents, where both have mentions."""
    groups = {e.get("id"): (e, e.get("Members").split()) for e in elements if e.tag in ("Entity", "EntityGroup")}
    pairs = [(id_, member) for id_, (_, members) in groups.items() for member in members if id_ in used and member in used]
    if circle := cycle(pairs):
        names = " in ".join(map(shown, circle))
        on_error(groups[circle[0]][0].line, f"found the groups {names}; expected no group that is its own member")
        return
    for group, member in pairs:
        builder.split_antecedent(used[group], used[member])


FORMAT = Format("corefannotator", __doc__, ("spans", "words", "discontinuous mentions", "split antecedents"), sniff, read)
