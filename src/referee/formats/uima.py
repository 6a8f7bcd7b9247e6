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

Each sofa with links is a document, or the first sofa if none has any. It is called by the `documentId` of its DocumentMetaData;
else it has no name, or, if several sofas are read, its `sofaID`. Tokens are the structures whose type is called Token, cut
where a mention begins or ends inside; sentences those called Sentence. Without tokens the text is tokenised as in all formats
that have only characters.

References
----------
The UIMA references on XMI, the specification of JSON CAS, DKPro Core's coreference types, and dkpro-cassis. Only read;
relations that people use for coreference are not, WebAnno TSV has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import cut, tokenised, utf16_offsets
from referee.formats.shared.documents import begin
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.safe_xml import parse as parse_xml
from referee.formats.shared.source import Fault, Source

HOLDS = ("spans", "words")
NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class _Structure:
    """A feature structure: its id, the last part of its type's name, and its features as text."""

    id: str
    type: str
    features: Mapping[str, str]
    line: int | None

    @property
    def shown(self) -> str:
        """The id as a message shows it."""
        return one_line(shortened(self.id))

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


def read(source: Source, fault: Fault) -> Corpus:
    """Read XMI or JSON."""
    if source.head.lstrip().startswith(b"{"):
        structures = list(_of_json(source, fault))
    else:
        structures = [_Structure(e.get("id"), e.tag, e.attributes, e.line) for e in parse_xml(source)]
    sofas = {s.id: s for s in structures if s.type == "Sofa" and "sofaString" in s.features}
    if not sofas:
        fault(None, "has no Sofa with a sofaString; expected a text")
    inside: dict[str, list[_Structure]] = {id_: [] for id_ in sofas}
    for structure in structures:
        inside.get(structure.get("sofa"), []).append(structure)
    links: dict[str, Links] = {}
    for link, label in _links(structures, fault):
        if link.get("sofa") in sofas:
            links.setdefault(link.get("sofa"), []).append((link, label))
        else:
            found = f"link {link.shown} is in the sofa {shortened(link.get('sofa'))!r}"
            fault(link.line, f"{found}; expected one with a sofaString")
    wanted = list(links) or list(sofas)[:1]
    builder = CorpusBuilder(source.name)
    for id_ in wanted:
        named = (s.get("documentId") for s in inside[id_] if s.type == "DocumentMetaData")
        name = next(named, "") or (sofas[id_].get("sofaID") if len(wanted) > 1 else "")
        _add(builder, name, sofas[id_], inside[id_], links.get(id_, []), fault)
    return builder.corpus()


def _of_json(source: Source, fault: Fault) -> Iterator[_Structure]:
    value = parse(source.text(fault), fault)
    structures = value.get("%FEATURE_STRUCTURES") if isinstance(value, dict) else None
    if not isinstance(structures, list):
        if value is not None:
            fault(None, "has no list of %FEATURE_STRUCTURES; expected UIMA CAS JSON 0.4")
        return
    for structure in structures:
        if not (isinstance(structure, dict) and isinstance(structure.get("%TYPE"), str)):
            fault(None, f"found {shown(structure)}; expected a feature structure, an object with %ID and %TYPE")
            continue
        features = {name.lstrip("@^"): str(v) for name, v in structure.items() if type(v) in (str, int)}
        yield _Structure(features.get("%ID", ""), structure["%TYPE"].rpartition(".")[2], features, None)


def _links(structures: Sequence[_Structure], fault: Fault) -> Links:
    """The links with the ids of their chains, or their own if they are in none."""
    # by type, too: other types have features called id, which XMI tells from the ids of structures only by a namespace
    by_id = {s.id: s for s in structures if s.type.endswith("Link") and "begin" in s.features}
    chain_of: dict[str, str] = {}
    found = []
    for chain in (s for s in structures if s.type.endswith("Chain")):
        id_ = chain.get("first")
        while id_:
            if id_ not in by_id or id_ in chain_of:
                problem = f"is in chain {chain_of[id_]} already" if id_ in chain_of else "is none of the file"
                link = f"chain {chain.shown} has the link {one_line(shortened(id_))}"
                fault(chain.line, f"{link}, which {problem}; expected each link once")
                break
            chain_of[id_] = chain.id
            found.append((by_id[id_], chain.id))
            id_ = by_id[id_].get("next")
    kinds = {link.type for link, _ in found}
    return found + [(s, f"link {s.id}") for s in by_id.values() if s.type in kinds and s.id not in chain_of]


def _add(builder: CorpusBuilder, name: str, sofa: _Structure, inside: list[_Structure], links: Links, fault: Fault) -> None:
    """Add the document of a sofa."""
    text = sofa.get("sofaString")
    offsets = utf16_offsets(text)
    mentions = []
    for link, label in links:
        span = _span(link, offsets)
        if span is None:
            found = one_line(f"{shortened(link.get('begin'))} to {shortened(link.get('end'))}")
            fault(link.line, f"link {link.shown} goes from {found}; expected offsets with begin < end <= {len(offsets) - 1}")
        else:
            mentions.append((link, label, span))
    edges = {edge for _, _, span in mentions for edge in span}
    tokens = sorted({span for s in inside if s.type == "Token" and (span := _span(s, offsets))})
    sentences = (span[0] for s in inside if s.type == "Sentence" and (span := _span(s, offsets)))
    characters = cut(text, tokens, sentences, edges) if tokens else tokenised(text, edges)
    if not begin(builder, fault, name, characters.tokens, characters.sentences, raw=characters.raw, line=sofa.line):
        return
    for link, label, span in mentions:
        try:
            builder.mention(*characters.span(*span), label)
        except ValueError:
            fault(link.line, f"link {link.shown} covers {shortened(text[slice(*span)])!r}, where no token is; expected a token")


def _span(structure: _Structure, offsets: Sequence[int]) -> tuple[int, int] | None:
    """The characters, half-open, of an annotation; None if it has none, or none within the text."""
    begin, end = structure.get("begin"), structure.get("end")
    if NUMBER.fullmatch(begin) and NUMBER.fullmatch(end) and int(begin) < int(end) < len(offsets):
        return offsets[int(begin)], offsets[int(end)]
    return None
