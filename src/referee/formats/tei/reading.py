"""Reading TEI: a standOff, or mentions in the text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.basics import progress
from referee.basics.exceptions import FormatError
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.editing import concatenate
from referee.corpus.origin import InFile
from referee.formats.shared.safe_xml import Element, parse, shown
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.urs import REFERENT, Schema, Unit, add_units, chains_among, mention_types, referent, urs_relations
from referee.formats.tei.text import MARKED, add_marked, is_marked

STANDOFF = "-urs.xml"


def sniff(head: str) -> bool:
    """TEI whose annotation is in it, or words that TXM numbers."""
    if not re.search(r"<(\w+:)?(TEI(\.2)?|teiCorpus)[\s>]", head):
        return False
    if re.search(r"<(\w+:)?(annotationGrp|spanGrp)[\s>]|<(\w+:)?w\s[^<>]*id=", head):
        return True
    text = re.search(r"<(\w+:)?text[\s>]", head)
    return bool((text and MARKED.search(head, text.end())) or re.search(r"<(\w+:)?standOff[\s>]", head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the words and the annotation, from one file or two."""
    builder = CorpusBuilder(source.name)
    _add(builder, "", source, on_error)
    return builder.corpus()


def document_name(stem: str) -> str:
    """What the document of a file in a folder is called, by the name of the file without .xml."""
    return re.sub(r"(^|/)urs/([^/]*)$", r"\1\2", stem).removesuffix("-urs")


def read_together(paths: Mapping[str, str], folder: str, role: str, options: ReadOptions | None = None) -> Corpus:
    """Read the files of a folder; two files may belong to one document."""
    corpora = []
    texts = {_partner(path, STANDOFF, ".xml", "xml") for path in paths if path.endswith(STANDOFF)}
    for path in progress.tracked([path for path in paths if os.path.normpath(path) not in texts], f"reading {folder}"):
        builder, source = CorpusBuilder(path), Source(path, role=role, options=options)
        _add(builder, document_name(paths[path]), source, source.raise_error)
        corpus = builder.corpus()
        corpora.append(replace(corpus, in_files={name: InFile(paths[path], name) for name in corpus.doc_ids}))
    return replace(concatenate(corpora), source=folder)


def _add(builder: CorpusBuilder, name: str, source: Source, on_error: OnError) -> None:
    """Add the document of a file, with the other file that belongs to it."""
    root, path = parse(source), source.path
    texts, standoff = [root], root
    if not any(e.tag == "span" for e in root.walk()) and (other := _partner(path, ".xml", STANDOFF, "urs")):
        standoff = parse(Source(other))
    elif not any(e.tag == "w" for e in root.walk()) and path.endswith(STANDOFF):
        other = _partner(path, STANDOFF, ".xml", "xml")
        if other is None:
            name = os.path.basename(path).removesuffix(STANDOFF) + ".xml"
            raise FormatError(source.name, None, f"needs the file {name} beside it, or in the folder ../xml; found none")
        texts = [parse(Source(other))]
    if standoff is root and texts == [root] and not any(e.tag == "span" for e in root.walk()) and is_marked(root):
        add_marked(builder, name, root, on_error)
        return
    tokens, sentences, place = _words(texts, on_error)
    builder.document(name, tokens, sentences)
    features = _features(standoff)
    chains, pairs = _links(standoff, source)
    used = {id_ for schema in (*chains, *pairs) for id_ in schema.units}
    units = _units(_mention_spans(standoff, used, features, source.name), place, features, on_error)
    if not units:
        on_error(None, "has no mention; expected a standOff with spans, or names with a ref in the text")
    add_units(builder, units, chains, pairs, on_error)


def _partner(path: str, ending: str, other: str, folder: str) -> str | None:
    """The file that belongs to this one, with another ending: beside it, or in a folder beside its own; None without one."""
    here, name = os.path.split(path.removesuffix(ending) + other)
    places = (os.path.join(here, name), os.path.join(here, os.pardir, folder, name))
    return next((os.path.normpath(place) for place in places if os.path.exists(place)), None)


def _words(texts: Sequence[Element], on_error: OnError) -> tuple[list[str], list[int], dict[str, int]]:
    """The tokens, where sentences start, and the place of each token by its id."""
    elements = [e for text in texts for e in _in_text(text)]
    divider = next((tag for tag in ("s", "u", "p") if any(e.tag == tag for e in elements)), "")
    tokens: list[str] = []
    starts: set[int] = set()
    place: dict[str, int] = {}
    for element in elements:
        if element.tag == divider:
            starts.add(len(tokens))
        elif element.tag in ("w", "pc"):
            id_ = element.get("id")
            if id_ in place:
                on_error(element.line, f"found the word {shown(id_)} again; expected each id once")
            elif id_:
                place[id_] = len(tokens)
            form = element.find("form")
            tokens.append(" ".join((form or element).text.split()))
    return tokens, sorted({0, *starts} - {len(tokens)}) if tokens else [], place


def _in_text(element: Element) -> Iterator[Element]:
    """The elements that are in a `text`."""
    for child in [element] if element.tag == "text" else element:
        yield from child.walk() if child.tag == "text" else _in_text(child)


def _features(standoff: Element) -> dict[str, Mapping[str, str]]:
    """The values of the features of each structure, by its id."""
    return {
        structure.get("id"): {
            f.get("name"): f.text.strip() or next((value.get("value") for value in f), "") for f in structure.inside("f")
        }
        for structure in standoff.walk()
        if structure.tag == "fs"
    }


def _spans(element: Element, layer: str = "") -> Iterator[tuple[str, Element]]:
    """The spans, each with the name of its layer."""
    for child in element:
        if child.tag == "span" and {"from", "target"} & child.attributes.keys():
            yield layer, child
        yield from _spans(child, _kind(child) if child.tag.endswith("Grp") else layer)


def _kind(group: Element) -> str:
    return group.get("subtype") or group.get("type")


def _mention_spans(standoff: Element, used: set[str], features: Mapping[str, Mapping[str, str]], source: str) -> list[Element]:
    """The spans of the layers that are mentions, of which chains use the ids, or which have a referent."""
    spans = list(_spans(standoff))
    named = {
        layer
        for layer, span in spans
        if span.get("id") in used or not features.get(_target(span.get("ana")), {}).keys().isdisjoint(REFERENT)
    }
    layers = mention_types((layer for layer, _ in spans), named, source)
    return [span for layer, span in spans if layer in layers]


def _units(
    spans: Iterable[Element], place: Mapping[str, int], features: Mapping[str, Mapping[str, str]], on_error: OnError
) -> list[Unit]:
    """The mentions."""
    units: dict[str, Unit] = {}
    for span in spans:
        id_, values = span.get("id"), features.get(_target(span.get("ana")), {})
        are_listed = "target" in span.attributes
        names = _targets(span) or [_target(name) for name in (span.get("from"), span.get("to", span.get("from")))]
        places = [place[name] for name in names if name in place]
        if values.get("type") == "NULL":
            continue
        if not id_ or id_ in units:
            on_error(span.line, f"found the span {shown(id_)}; expected each with an id of its own")
        elif len(places) < len(names) or (not are_listed and places[0] > places[1]):
            problem = f"span {shown(id_)} is of {shown(' '.join(names))}"
            on_error(span.line, f"{problem}; expected the ids of words, the first before the last")
        else:
            parts = [(p, p + 1) for p in places] if are_listed else [(places[0], places[1] + 1)]
            units[id_] = Unit(id_, parts, referent(values), span.line)
    return [*units.values()]


def _links(standoff: Element, source: Source) -> tuple[list[Schema], list[Schema]]:
    """The chains, and the relations that mean coreference."""
    meaning = urs_relations(source.options.relations)
    schemas, pairs = [], []
    for group in standoff.walk():
        is_schema = group.get("type").lower() == "schema"
        for link in group.inside("link"):
            schema = Schema(link.get("id"), _targets(link), link.line, group.get("subtype"))
            if is_schema:
                schemas.append(schema)
            elif meaning.means(_kind(group) or link.get("type") or "without a name"):
                pairs.append(schema)
    meaning.warn(source.name)
    return chains_among(schemas, source.name), pairs


def _targets(element: Element) -> list[str]:
    return [_target(name) for name in element.get("target").split()]


def _target(name: str) -> str:
    """The id that a pointer is to: `text:w_1` and `#w_1` are to `w_1`."""
    return re.sub(r"^[^:#]*[:#]", "", name)
