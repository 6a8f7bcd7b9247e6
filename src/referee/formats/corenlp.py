"""Output of Stanford CoreNLP, as JSON or XML: sentences of tokens, and chains of mentions with heads.

::

    {"docId": "a.txt", "sentences": [{"index": 0, "tokens": [{"index": 1, "word": "Ann", "originalText": "Ann"}, ...]}],
     "corefs": {"4": [{"id": 1, "text": "Ann", "type": "PROPER", "startIndex": 1, "endIndex": 2, "headIndex": 1, "sentNum": 1,
                       "isRepresentativeMention": true}, ...]}}

    <root><document><docId>a.txt</docId><sentences><sentence id="1"><tokens><token id="1"><word>Ann</word></token>...
    <coreference><coreference><mention representative="true"><sentence>1</sentence><start>1</start><end>2</end><head>1</head>
    <text>Ann</text></mention>...</coreference></coreference></document></root>

``sentNum``, ``startIndex``, ``endIndex``, ``headIndex`` (``sentence``, ``start``, ``end``, ``head``)
    count from 1 within the sentence; the end is exclusive, so 1, 2 is the first token.
``type``
    PRONOMINAL, PROPER, NOMINAL and LIST are read as the mention types pronoun, name, nominal and other. XML does not tell.
``docId``
    the document's name, if there is one

Words are the `originalText` where it is written, otherwise the `word`, in which older versions replace brackets (``-LRB-``).
JSON calls chains by their ids, in XML we call them by their places, "0", "1", ... CoreNLP leaves singletons out of XML, and
the coreference section out of both if the annotator `coref` (`dcoref`) was not run, which is an error.

The `corefs` of JSON alone (the object of chains, by itself or under this key) do not say how long sentences are. So mentions
are no spans, but items called by their place: `sentence:start-end`, as written. Such a file can be scored against another one,
not against texts; a warning says so.

References
----------
JSONOutputter, XMLOutputter and Dictionaries of CoreNLP 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.documents import JoinedSentences, begin
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, first_keys, read_documents, shown
from referee.formats.shared.safe_xml import Element, parse
from referee.formats.shared.source import OnError, Source

MENTION_TYPES = {"PRONOMINAL": "pronoun", "PROPER": "name", "NOMINAL": "nominal", "LIST": "other"}
JSON_PLACE = ("sentNum", "startIndex", "endIndex", "headIndex")
ALONE = re.compile(
    r'[\s\[]*\{\s*(?:"corefs"\s*:\s*\{\s*)?"[^"\\]{1,50}"\s*:\s*\[\s*\{'
    r'[^{}]{0,2000}"(?:startIndex|sentNum|headIndex)"\s*:'
)
XML_PLACE = ("sentence", "start", "end", "head")


def sniff(head: str) -> bool:
    """An object with chains, or chains alone; or the elements that XML begins with."""
    if "corefs" in first_keys(head) or ALONE.match(head):
        return True
    return bool(re.search(r"<root\b[^<>]*>\s*<document\b", head) and re.search(r"<tokens>\s*<token id=|<coreference>", head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read JSON or XML."""
    if source.head.lstrip()[:1] in (b"{", b"["):
        corpus = read_documents(source, on_error, "an object with `sentences` and `corefs`", _read_json)
        if corpus.items is not None:
            text = "found {} without `sentences`: mentions are places, not spans of a text; expected the whole output"
            warn_file(source.name, text, "document", len(corpus.doc_ids))
        return corpus
    builder = CorpusBuilder(source.name)
    for document in parse(source).inside("document"):
        _read_xml(document, builder, on_error)
    return builder.corpus()


def _read_json(document: dict[str, Any], _: str, builder: CorpusBuilder, report: Report) -> None:
    listed, chains, name = document.get("sentences"), document.get("corefs"), document.get("docId")
    name = name if isinstance(name, str) else ""
    if listed is None and (chains is None or set(document) <= {"corefs", "docId"}):
        _read_alone(document if chains is None else chains, name, builder, report)
        return
    if not (isinstance(listed, list) and all(isinstance(s, dict) and isinstance(s.get("tokens"), list) for s in listed)):
        report("`sentences` is not what it should be; expected a list of objects with `tokens`")
        return
    text = JoinedSentences.join([[_word(token, report) for token in sentence["tokens"]] for sentence in listed])
    builder.document(name, text.tokens, text.starts)
    if not isinstance(chains, dict):
        report("found no `corefs`; expected the chains of mentions: run CoreNLP with the annotator coref")
        return
    for label, place, mention_type in _mentions(chains, report):
        _add(label, place, mention_type, text, builder, report)


def _mentions(chains: Mapping[str, Any], report: Report) -> Iterator[tuple[str, list[int | None], str]]:
    """The chain, the place and the type of each mention."""
    for label, mentions in chains.items():
        if not isinstance(mentions, list):
            report(f"chain {shortened(label)}: found {shown(mentions)}; expected a list of mentions")
            continue
        for mention in mentions:
            if not isinstance(mention, dict):
                report(f"chain {shortened(label)}: found {shown(mention)}; expected a mention")
                continue
            place = [n if type(n := mention.get(key)) is int else None for key in JSON_PLACE]
            yield label, place, MENTION_TYPES.get(str(mention.get("type")), "")


def _read_alone(chains: object, name: str, builder: CorpusBuilder, report: Report) -> None:
    """Read chains without sentences: mentions are items, as where they are in the text is not known."""
    if not isinstance(chains, dict):
        report(f"`corefs` is {shown(chains)}; expected an object of chains")
        return
    builder.document(name)
    for label, (sentence, start, end, _), _ in _mentions(chains, report):
        if sentence is None or start is None or end is None or not (sentence > 0 and 0 < start < end):
            problem = f"chain {shortened(label)}: found the tokens {shown(start)} to {shown(end)} of sentence {shown(sentence)}"
            report(f"{problem}; expected 1 <= sentence, 1 <= start < end")
        else:
            builder.item(f"{sentence}:{start}-{end}", label)


def _word(token: object, report: Report) -> str:
    for key in ("originalText", "word"):
        if isinstance(token, dict) and isinstance(word := token.get(key), str) and word:
            return word
    report(f"found the token {shown(token)}; expected an object with a `word`")
    return "_"


def _read_xml(document: Element, builder: CorpusBuilder, on_error: OnError) -> None:
    name, section = document.find("docId"), document.find("coreference")
    listed = (s for sentences in document.inside("sentences") for s in sentences.inside("sentence"))
    text = JoinedSentences.join([[_xml_word(token, on_error) for token in s.find("tokens") or ()] for s in listed])
    if not begin(builder, on_error, "" if name is None else name.text.strip(), text.tokens, text.starts, line=document.line):
        return
    if section is None:
        on_error(document.line, "found no <coreference>; expected the chains of mentions: run CoreNLP with the annotator coref")
        return
    for number, entity in enumerate(section.inside("coreference")):
        for mention in entity:
            values = {child.tag: child.text.strip() for child in mention}
            place = [int(n) if len(n := values.get(key, "")) < 10 and n.isdecimal() else None for key in XML_PLACE]
            _add(str(number), place, "", text, builder, partial(on_error, mention.line))


def _xml_word(token: Element, on_error: OnError) -> str:
    for tag in ("originalText", "word"):
        if (element := token.find(tag)) is not None and element.text:
            return element.text
    on_error(token.line, "found a token without a <word>; expected one in each")
    return "_"


def _add(
    label: str, place: Iterable[int | None], mention_type: str, text: JoinedSentences, builder: CorpusBuilder, report: Report
) -> None:
    """Add a mention: the number of its sentence, its start, end and head there, all from 1."""
    sentence, start, end, head = (-1 if n is None else n for n in place)
    problem = f"chain {shortened(label)}: found the tokens {shown(start)} to {shown(end)} of sentence {shown(sentence)}"
    if not 0 < sentence < len(text.limits):
        report(f"{problem}; expected a sentence from 1 to {len(text.limits) - 1}")
        return
    if (span := text.span(sentence - 1, start - 1, end - 1)) is None:
        report(f"{problem}; expected 1 <= start < end <= {text.limits[sentence] - text.limits[sentence - 1] + 1}")
        return
    builder.mention(*span, label, mention_type=mention_type, head=span[0] + head - start if start <= head < end else None)


FORMAT = Format("corenlp", __doc__, ("spans", "items", "words", "heads", "mention types"), sniff, read)
