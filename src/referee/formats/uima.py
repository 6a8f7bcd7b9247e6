r"""UIMA CAS of INCEpTION and DKPro: XMI, or JSON (format 0.4 of Apache UIMA).

::

    <xmi:XMI ... xmlns:coref="http:///de/tudarmstadt/ukp/dkpro/core/api/coref/type.ecore">
      <coref:CoreferenceChain xmi:id="7" first="8"/>
      <coref:CoreferenceLink xmi:id="8" sofa="1" begin="0" end="2" next="9" referenceType="pr"/>
      <coref:CoreferenceLink xmi:id="9" sofa="1" begin="8" end="15"/>
      <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="He shot himself"/>
    </xmi:XMI>

    {"%TYPES": {}, "%FEATURE_STRUCTURES": [
      {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "He shot himself"},
      {"%ID": 7, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain", "@first": 8},
      {"%ID": 8, "%TYPE": "...CoreferenceLink", "@sofa": 1, "begin": 0, "end": 2, "@next": 9}, ...], "%VIEWS": {}}

A structure is a chain if the name of its type ends in "Chain" and it has a `first` link; so chain layers of one's own are read,
too. Each link, whose type ends in "Link", names the `next`, and is a mention from `begin` to `end`: offsets in UTF-16 units,
the end exclusive. Entities are called by the id of their chain. A link in no chain is an entity of its own, if other links of
its type are in chains.

A structure with a `Governor` and a `Dependent` is a relation, as layers of one's own have them. Its names are that of its type
and the values of its features; if one begins with "coref" or "ident", it means coreference, but not if one begins with
"bridg". With `--relations` those mean it that have one of these names. All structures of the types that such relations relate
are mentions (of tokens, only those that are related), and entities, called by their first mention, are what relations connect.
Relations that are no coreference are ignored with a warning, and structures of layers of one's own (type `custom`) that are no
mentions are left out with one. Layers of grammar and of named entities are no annotation of coreference, and not named.

Each sofa with mentions is a document, or the first sofa if none has any. It is called by the `documentId` of its
DocumentMetaData; else it has no name, or, if several sofas are read, its `sofaID`. Tokens are the structures whose type is
called Token, cut where a mention begins or ends inside; sentences those called Sentence. Without tokens the text is tokenised
as in all formats that have only characters.

References
----------
The UIMA references on XMI, the specification of JSON CAS, DKPro Core's coreference types, and dkpro-cassis. Only read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from referee.algorithms.components import components
from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import BLANK, cut, is_blank, tokenised, utf16_offsets
from referee.formats.shared.documents import begin
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.relations import ChosenRelations
from referee.formats.shared.safe_xml import parse as parse_xml
from referee.formats.shared.source import OnError, Source

NUMBER = re.compile(r"[0-9]{1,9}")
NO_NAMES = ("id", "xmi:id", "%ID", "%TYPE", "sofa", "begin", "end", "Governor", "Dependent")
"""What a relation has that does not name it."""


@dataclass(frozen=True)
class _Structure:
    """A feature structure: its id, its type's name in two parts, and its features as text."""

    id: str
    package: str
    type: str
    features: Mapping[str, str]
    line: int | None

    @property
    def shown(self) -> str:
        """The id as a message shows it."""
        return one_line(shortened(self.id))

    @property
    def called(self) -> str:
        """What a message calls it."""
        kind = "link" if self.type.endswith("Link") else "relation" if self.is_relation else "mention"
        return f"{kind} {self.shown}"

    @property
    def is_relation(self) -> bool:
        """Whether it relates two others, and not as grammar does."""
        return {"Governor", "Dependent"} <= self.features.keys() and "DependencyType" not in self.features

    @property
    def is_custom(self) -> bool:
        """Whether it is an annotation of a layer of one's own."""
        return self.package.startswith("custom") and "begin" in self.features and not self.is_relation

    def get(self, name: str) -> str:
        return self.features.get(name, "")


Links: TypeAlias = list[tuple[_Structure, str]]
"""Links, each with the label of its entity."""


def sniff(head: str) -> bool:
    """Whether it is XMI, or JSON with feature structures."""
    start = head.lstrip()
    if start.startswith("{"):
        return '"%TYPES"' in head or '"%FEATURE_STRUCTURES"' in head
    return start.startswith("<") and "<xmi:XMI" in head


def read(source: Source, on_error: OnError) -> Corpus:
    """Read XMI or JSON."""
    if source.head.lstrip().startswith(b"{"):
        structures = list(_of_json(source, on_error))
    else:
        structures = [_Structure(e.get("id"), e.prefix, e.tag, e.attributes, e.line) for e in parse_xml(source)]
    sofas = {s.id: s for s in structures if s.type == "Sofa" and "sofaString" in s.features}
    if not sofas:
        on_error(None, "has no Sofa with a sofaString; expected a text")
    inside: dict[str, list[_Structure]] = {id_: [] for id_ in sofas}
    for structure in structures:
        inside.get(structure.get("sofa"), []).append(structure)
    links: dict[str, Links] = {}
    meaning = ChosenRelations(source.options.relations)
    mentions = [*_links(structures, on_error), *_related(structures, meaning, on_error)]
    meaning.warn(source.name)
    used = {id(mention) for mention, _ in mentions}
    others = Counter(s.type for s in structures if s.is_custom and id(s) not in used and not s.type.endswith("Link"))
    warn_file(source.name, "left out {} of layers that no chain and no such relation uses ({names})", "annotation", others)
    for link, label in mentions:
        if link.get("sofa") in sofas:
            links.setdefault(link.get("sofa"), []).append((link, label))
        else:
            problem = f"{link.called} is in the sofa {shortened(link.get('sofa'))!r}"
            on_error(link.line, f"{problem}; expected one with a sofaString")
    documents = list(links) or list(sofas)[:1]
    builder = CorpusBuilder(source.name)
    for id_ in documents:
        named = (s.get("documentId") for s in inside[id_] if s.type == "DocumentMetaData")
        name = next(named, "") or (sofas[id_].get("sofaID") if len(documents) > 1 else "")
        _add(builder, name, sofas[id_], inside[id_], links.get(id_, []), on_error)
    return builder.corpus()


def _of_json(source: Source, on_error: OnError) -> Iterator[_Structure]:
    value = parse(source.text(on_error), on_error)
    structures = value.get("%FEATURE_STRUCTURES") if isinstance(value, dict) else None
    if not isinstance(structures, list):
        if value is not None:
            on_error(None, "has no list of %FEATURE_STRUCTURES; expected UIMA CAS JSON 0.4")
        return
    for structure in structures:
        if not (isinstance(structure, dict) and isinstance(structure.get("%TYPE"), str)):
            on_error(None, f"found {shown(structure)}; expected a feature structure, an object with %ID and %TYPE")
            continue
        features = {name.lstrip("@^"): str(v) for name, v in structure.items() if type(v) in (str, int)}
        package, _, name = structure["%TYPE"].rpartition(".")
        yield _Structure(features.get("%ID", ""), package.rpartition(".")[2], name, features, None)


def _links(structures: Sequence[_Structure], on_error: OnError) -> Links:
    """The links with the ids of their chains, or their own if they are in none."""
    by_id = {s.id: s for s in structures if s.type.endswith("Link") and "begin" in s.features}
    chain_of: dict[str, str] = {}
    links = []
    for chain in (s for s in structures if s.type.endswith("Chain")):
        id_ = chain.get("first")
        while id_:
            if id_ not in by_id or id_ in chain_of:
                problem = f"is in chain {chain_of[id_]} already" if id_ in chain_of else "is none of the file"
                link = f"chain {chain.shown} has the link {one_line(shortened(id_))}"
                on_error(chain.line, f"{link}, which {problem}; expected each link once")
                break
            chain_of[id_] = chain.id
            links.append((by_id[id_], chain.id))
            id_ = by_id[id_].get("next")
    kinds = {link.type for link, _ in links}
    return links + [(s, f"link {s.id}") for s in by_id.values() if s.type in kinds and s.id not in chain_of]


def _related(structures: Sequence[_Structure], meaning: ChosenRelations, on_error: OnError) -> Links:
    """The mentions that relations relate, and those of their types, with the ids of the first of their entities."""
    by_id = {s.id: s for s in structures if "begin" in s.features}
    pairs = []
    for relation in structures:
        if relation.is_relation and _means(meaning, relation):
            ends = [relation.get("Dependent"), relation.get("Governor")]
            if unknown := [id_ for id_ in ends if id_ not in by_id]:
                problem = f"{relation.called} is with {one_line(shortened(unknown[0]))!r}"
                on_error(relation.line, f"{problem}; expected the id of an annotation with begin and end")
            else:
                pairs.append(ends)
        elif relation.package.startswith("custom") and {"role", "target"} <= relation.features.keys():  # in a slot
            meaning.ignored[f"{relation.type} {relation.get('role')}"] += 1
    related = {id_ for pair in pairs for id_ in pair}
    types = {(by_id[id_].package, by_id[id_].type) for id_ in related if by_id[id_].type != "Token"}
    mentions = [s for s in by_id.values() if s.id in related or ((s.package, s.type) in types and not s.is_relation)]
    number = {mention.id: n for n, mention in enumerate(mentions)}
    roots = components(len(mentions), [(number[a], number[b]) for a, b in pairs])
    return [(mention, mentions[root].id) for mention, root in zip(mentions, roots, strict=True)]


def _means(meaning: ChosenRelations, relation: _Structure) -> bool:
    values = [value for name, value in relation.features.items() if name not in NO_NAMES and not NUMBER.fullmatch(value)]
    names = [relation.type, *filter(None, values)]
    if meaning.names or not any(name.lower().startswith("bridg") for name in names):
        return meaning.means(*names)
    meaning.ignored[" ".join(names)] += 1
    return False


def _add(
    builder: CorpusBuilder, name: str, sofa: _Structure, inside: list[_Structure], links: Links, on_error: OnError
) -> None:
    """Add the document of a sofa."""
    text = sofa.get("sofaString")
    offsets = utf16_offsets(text)
    mentions, blank = [], 0
    for link, label in links:
        span = _span(link, offsets)
        if span is None:
            offset = one_line(f"{shortened(link.get('begin'))} to {shortened(link.get('end'))}")
            on_error(link.line, f"{link.called} goes from {offset}; expected offsets with begin <= end <= {len(offsets) - 1}")
        elif is_blank(text, *span):
            blank += 1
        else:
            mentions.append((link, label, span))
    warn_file(builder.source, BLANK, "mention", blank)
    edges = {edge for _, _, span in mentions for edge in span}
    tokens = sorted({span for s in inside if s.type == "Token" and (span := _span(s, offsets)) and span[0] < span[1]})
    sentences = [span[0] for s in inside if s.type == "Sentence" and (span := _span(s, offsets))]
    characters = cut(text, tokens, sentences, edges) if tokens else tokenised(text, edges)
    if not begin(builder, on_error, name, characters.tokens, characters.sentences, raw=characters.raw, line=sofa.line):
        return
    for link, label, span in mentions:
        try:
            builder.mention(*characters.span(*span), label)
        except ValueError:
            on_error(link.line, f"{link.called} covers {shortened(text[slice(*span)])!r}, where no token is; expected a token")


def _span(structure: _Structure, offsets: Sequence[int]) -> tuple[int, int] | None:
    """The characters, half-open, of an annotation; None if it has none, or none within the text."""
    begin, end = structure.get("begin"), structure.get("end")
    if NUMBER.fullmatch(begin) and NUMBER.fullmatch(end) and int(begin) <= int(end) < len(offsets):
        return offsets[int(begin)], offsets[int(end)]
    return None


FORMAT = Format("uima", __doc__, ("spans", "words"), sniff, read, has_relations=True)
