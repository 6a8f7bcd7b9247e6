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
from collections.abc import Iterator, Mapping, Sequence

from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.safe_xml import Element, parse
from referee.formats.shared.source import OnError, Source


def sniff(head: str) -> bool:
    """A root that is called NAF or KAF."""
    return re.match(r"\s*(<[?!][^>]*>\s*)*<(NAF|KAF)[\s>]", head) is not None


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a document with its entities."""
    root = parse(source)
    builder = CorpusBuilder(source.name)
    tokens, sentences, places = _words(root, on_error)
    name = next((e.get("publicId") for e in root.walk() if e.tag == "public" and e.get("publicId")), "")
    builder.document(name, tokens, sentences)
    terms = _terms(root, places, on_error)
    if root.find("coreferences") is None:
        # FreeLing writes none where it found none.
        warn_file(source.name, "found {} without <coreferences>, so without mentions", "text", 1)
    others = Counter(e.tag for e in root.walk() if e.tag in ("tlink", "clink"))
    warn_file(source.name, "ignored {} other than coreference ({names})", "relation", others)
    labels: set[str] = set()
    for coref in (c for layer in root.inside("coreferences") for c in layer.inside("coref")):
        label = coref.get("id") or coref.get("coid")
        if not label or label in labels:
            found = f"found the coref {_shown(label)} again" if label else "found a coref without an id"
            on_error(coref.line, f"{found}; expected each with an id of its own")
        labels.add(label)
        for span in _spans(coref):
            _add(builder, span, label, coref.get("type"), terms, on_error)
    return builder.corpus()


def _words(root: Element, on_error: OnError) -> tuple[list[str], list[int], dict[str, list[int]]]:
    """The tokens, where sentences start, and the place of each token by its id."""
    tokens: list[str] = []
    sentences: list[int] = []
    places: dict[str, list[int]] = {}
    sentence = None
    for word in (w for text in root.inside("text") for w in text.walk() if w.tag == "wf"):
        id_ = word.get("id") or word.get("wid")
        if not id_ or id_ in places:
            on_error(word.line, f"found the wf {_shown(id_)}; expected each with an id of its own")
        if word.get("sent") != sentence or not tokens:
            sentence = word.get("sent")
            sentences.append(len(tokens))
        places.setdefault(id_, [len(tokens)])
        tokens.append(word.text.strip())
    return tokens, sentences, places


def _terms(root: Element, words: Mapping[str, Sequence[int]], on_error: OnError) -> dict[str, Sequence[int]]:
    """The tokens of each term, and of each word, by their ids."""
    terms: dict[str, Sequence[int]] = dict(words)
    for term in (t for layer in root.inside("terms") for t in layer.inside("term")):
        id_ = term.get("id") or term.get("tid")
        targets = [target.get("id") for span in term.inside("span") for target in span.inside("target")]
        unknown = [target for target in targets if target not in words]
        if unknown or not targets:
            found = f"{_shown(unknown[0])}" if unknown else "no target"
            on_error(term.line, f"term {_shown(id_)} is of {found}; expected ids of wf")
        else:
            terms[id_] = sorted({place for target in targets for place in words[target]})
    return terms


def _spans(coref: Element) -> Iterator[Element]:
    yield from coref.inside("span")
    for references in coref.inside("references"):
        yield from references.inside("span")


def _add(
    builder: CorpusBuilder, span: Element, label: str, entity_type: str, terms: Mapping[str, Sequence[int]], on_error: OnError
) -> None:
    """Add the mention that a span is."""
    targets = list(span.inside("target"))
    unknown = [target.get("id") for target in targets if target.get("id") not in terms]
    if unknown or not targets:
        found = f"the target {_shown(unknown[0])}" if unknown else "no target"
        on_error(span.line, f"coref {_shown(label)} has a span with {found}; expected ids of terms")
        return
    tokens = sorted({place for target in targets for place in terms[target.get("id")]})
    heads = [terms[target.get("id")][-1] for target in targets if target.get("head") == "yes"]
    parts = [(token, token + 1) for token in tokens]
    builder.mention(0, 0, label, entity_type, spans=parts, head=heads[0] if heads else None)


def _shown(text: str) -> str:
    return one_line(shortened(text)) or "''"


FORMAT = Format("naf", __doc__, ("spans", "words", "entity types", "heads", "discontinuous mentions"), sniff, read)
