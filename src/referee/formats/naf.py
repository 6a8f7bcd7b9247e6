"""NAF and KAF: words, terms and coreference in layers of an XML file, as NewsReader, FreeLing and others write them.

::

    <NAF xml:lang="en" version="v3">
      <nafHeader><public publicId="story1"/></nafHeader>
      <text><wf id="w1" sent="1" offset="0" length="3">Ann</wf><wf id="w2" sent="1">left</wf> ... </text>
      <terms><term id="t1"><span><target id="w1"/></span></term> ... </terms>
      <coreferences><coref id="co1" type="person">
        <span><target id="t1" head="yes"/></span>
        <span><target id="t3"/></span>
      </coref></coreferences>
    </NAF>

``wf``
    a token; a new `sent` begins a sentence
``term``
    one or more tokens
``coref``
    an entity, called by its `id`, with its `type`. Each `span` is a mention: the tokens of its terms (or words), of several
    parts if they are not side by side. A target with ``head="yes"`` is the head: of a term of several words, the last.

KAF has `wid`, `tid` and `coid` for the ids, and the spans of a `coref` inside `references`. The document is called by its
`publicId`. A file is a document; read a folder for a corpus. A file without the layer has no mentions, and a warning says so;
another counts relations of events in other layers (`tlink`, `clink`), which are not read.

References
----------
The NAF 3 specification of NewsReader and its DTD; the KAF specification of KYOTO; what FreeLing and OpeNER write. Only read:
coreference of events and entities alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.safe_xml import follow, shown
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """A root that is called NAF or KAF."""
    return re.match(r"\s*(<[?!][^>]*>\s*)*<(NAF|KAF)[\s>]", head) is not None


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a document with its entities."""
    layers = _NafLayers()
    follow(source, layers.start, layers.end, layers.text)
    builder = CorpusBuilder(source.name)
    tokens, sentences, places = _words(layers, on_error)
    builder.document(layers.name, tokens, sentences)
    terms = _terms(layers, places, on_error)
    if not layers.has_coreferences:
        # FreeLing writes none where it found none.
        warn_file(source.name, "found {} without <coreferences>, so without mentions", "text", 1)
    warn_file(source.name, "ignored {} other than coreference ({names})", "relation", layers.others)
    labels: set[str] = set()
    for line, label, entity_type, spans in layers.entities:
        if not label or label in labels:
            problem = f"found the coref {shown(label)} again" if label else "found a coref without an id"
            on_error(line, f"{problem}; expected each with an id of its own")
        labels.add(label)
        for at, targets in spans:
            if problem := _problem(targets, terms):
                lack = f"the target {problem}" if targets else problem
                on_error(at, f"coref {shown(label)} has a span with {lack}; expected ids of terms")
                continue
            parts = [(token, token + 1) for target, _ in targets for token in terms[target]]
            head = next((terms[target][-1] for target, is_head in targets if is_head), None)
            builder.mention(0, 0, label, entity_type, spans=parts, head=head)
    return builder.corpus()


class _NafLayers:
    """What stands in the layers that are read. Elements are called by the tags of those that they are in, below the root.

    Attributes
    ----------
    words : list
        Line, id, sentence and pieces of text of each word.
    terms : list
        Line, id and ids of words of each term.
    entities : list
        Line, id, type and spans of each entity; a span has a line, and ids of terms, each with whether it is the head.
    others : Counter
        Relations of events.
    """

    def __init__(self) -> None:
        self.name = ""
        self.words: list[tuple[int, str, str | None, list[str]]] = []
        self.terms: list[tuple[int, str, list[tuple[str, bool]]]] = []
        self.entities: list[tuple[int, str, str, list[tuple[int, list[tuple[str, bool]]]]]] = []
        self.others = Counter[str]()
        self.has_coreferences = False
        self.trails: list[str] = []
        self.targets: list[tuple[str, bool]] = []
        self.pieces: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        if ":" in tag:
            tag = tag.rpartition(":")[2]
        trail = self.trails[-1] + "/" + tag if self.trails else ""
        self.trails.append(trail)
        get = attributes.get
        if tag == "target":
            if trail in TARGETS:
                self.targets.append((get("id", ""), "head" in attributes and attributes["head"] == "yes"))
        elif trail == "/terms/term":
            self.targets = []
            self.terms.append((line, get("id") or get("tid", ""), self.targets))
        elif tag == "wf" and trail.startswith("/text/"):
            self.pieces = []
            self.words.append((line, get("id") or get("wid", ""), get("sent"), self.pieces))
        elif trail in SPANS:
            self.targets = []
            self.entities[-1][3].append((line, self.targets))
        elif trail == "/coreferences/coref":
            self.entities.append((line, get("id") or get("coid", ""), get("type", ""), []))
        elif trail == "/coreferences":
            self.has_coreferences = True
        elif tag == "public":
            self.name = self.name or get("publicId", "")
        elif tag in ("tlink", "clink"):
            self.others[tag] += 1

    def end(self) -> None:
        self.trails.pop()

    def text(self, text: str) -> None:
        trail = self.trails[-1]
        if "/wf" in trail and trail.startswith("/text/"):
            self.pieces.append(text)


def _words(layers: _NafLayers, on_error: OnError) -> tuple[list[str], list[int], dict[str, list[int]]]:
    """The tokens, where sentences start, and the place of each token by its id."""
    tokens: list[str] = []
    sentences: list[int] = []
    places: dict[str, list[int]] = {}
    before = None
    for line, id_, sentence, pieces in layers.words:
        if not id_ or id_ in places:
            on_error(line, f"found the wf {shown(id_)}; expected each with an id of its own")
        if (sentence or "") != before:
            before = sentence or ""
            sentences.append(len(tokens))
        places.setdefault(id_, [len(tokens)])
        tokens.append("".join(pieces).strip())
    return tokens, sentences, places


def _terms(layers: _NafLayers, words: Mapping[str, Sequence[int]], on_error: OnError) -> dict[str, Sequence[int]]:
    """The tokens of each term, and of each word, by their ids."""
    terms: dict[str, Sequence[int]] = dict(words)
    for line, id_, targets in layers.terms:
        if problem := _problem(targets, words):
            on_error(line, f"term {shown(id_)} is of {problem}; expected ids of wf")
        else:
            terms[id_] = sorted({place for target, _ in targets for place in words[target]})
    return terms


def _problem(targets: Sequence[tuple[str, bool]], ids: Mapping[str, object]) -> str:
    """The first target that is none of these ids, or that there is none; empty if all is well."""
    if not targets:
        return "no target"
    return next((shown(target) for target, _ in targets if target not in ids), "")


SPANS = ("/coreferences/coref/span", "/coreferences/coref/references/span")
TARGETS = ("/terms/term/span/target", *(f"{span}/target" for span in SPANS))


FORMAT = Format("naf", __doc__, ("spans", "words", "entity types", "heads", "discontinuous mentions"), sniff, read)
