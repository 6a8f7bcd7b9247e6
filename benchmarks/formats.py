"""Files in the formats that Referee reads and does not write: the documents of `corpora.py`, a function for each format.

What a function gets has words, sentences and mentions. It gives the content of a file, or of the files of a folder by their
names. `read-1000.key.naf` is the key of one-1000 as NAF; `read-1000.key.glozz/d.aa` is in a folder with the text beside it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import corpora
import numpy as np

XMI = 'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"'


class Mention(NamedTuple):
    """A mention: its words, its entity, and its first word as sentence and place in it, all from 0; `end` is exclusive."""

    number: int
    start: int
    end: int
    entity: int
    sentence: int
    place: int

    @property
    def last(self) -> int:
        return self.end - 1

    @property
    def place_end(self) -> int:
        return self.place + self.end - self.start


class Document:
    """A document of a CoNLL file, whose sentences are lines of words with blanks between them."""

    def __init__(self, path: Path) -> None:
        from referee import read

        corpus = read(path)
        assert corpus.text is not None
        words = corpus.text.words[0]
        self.words: list[str] = list(words.tokens)
        self.starts: list[int] = list(words.sentences)
        self.sentences = [self.words[a:b] for a, b in pairwise([*self.starts, len(self.words)])]
        self.text = "\n".join(map(" ".join, self.sentences))
        self.at = [0, *accumulate(len(word) + 1 for word in self.words)]  # the character at which a word begins
        sentence = np.searchsorted(self.starts, corpus.start, "right") - 1
        place = corpus.start - np.asarray(self.starts)[sentence]
        columns = (column.tolist() for column in (corpus.start, corpus.end, corpus.entity, sentence, place))
        self.mentions = [Mention(number, *row) for number, row in enumerate(zip(*columns, strict=True))]

    def words_of(self, mention: Mention) -> str:
        return " ".join(self.words[mention.start : mention.end])

    def characters(self, mention: Mention) -> tuple[int, int]:
        return self.at[mention.start], self.at[mention.end] - 1

    @cached_property
    def entities(self) -> list[list[Mention]]:
        found: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.entity, []).append(mention)
        return list(found.values())

    @cached_property
    def around(self) -> list[list[Mention]]:
        """The mentions that each word is in."""
        found: list[list[Mention]] = [[] for _ in self.words]
        for mention in self.mentions:
            for word in range(mention.start, mention.end):
                found[word].append(mention)
        return found

    def clusters(self, value: Callable[[Mention], Any]) -> list[list[Any]]:
        """A value of each mention, by entities."""
        return [[value(mention) for mention in entity] for entity in self.entities]

    def links(self) -> Iterable[tuple[Mention, Mention]]:
        """Each mention with the one before it in its entity."""
        return chain.from_iterable(map(pairwise, self.entities))


# Formats of resolvers.


def maverick(d: Document) -> str:
    return json.dumps({"tokens": d.words, "clusters_token_offsets": d.clusters(lambda m: [m.start, m.last])})


def allennlp(d: Document) -> str:
    return json.dumps({"document": d.words, "clusters": d.clusters(lambda m: [m.start, m.last])})


def fastcoref(d: Document) -> str:
    return json.dumps({"text": d.text, "clusters": d.clusters(d.characters)})


def elit(d: Document) -> str:
    return json.dumps({"tokens": d.sentences, "dcr": d.clusters(lambda m: [m.sentence, m.place, m.place_end])})


def stanza(d: Document) -> str:
    def word(at: int, number: int) -> dict[str, Any]:
        chains = [{"index": m.entity, "is_start": m.start == at, "is_end": m.last == at} for m in d.around[at]]
        return {"id": number, "text": d.words[at], "coref_chains": chains}

    places = zip(d.starts, d.sentences, strict=True)
    return json.dumps([[word(start + n, n + 1) for n in range(len(words))] for start, words in places])


def corenlp(d: Document) -> str:
    def mention(m: Mention) -> dict[str, Any]:
        first = m.place + 1
        place = {"sentNum": m.sentence + 1, "startIndex": first, "endIndex": m.place_end + 1, "headIndex": first}
        return {"id": m.number, "type": "NOMINAL"} | place

    sentences = [{"tokens": [{"index": n, "word": word} for n, word in enumerate(words, 1)]} for words in d.sentences]
    return json.dumps({"sentences": sentences, "corefs": dict(enumerate(d.clusters(mention)))})


def booknlp(d: Document) -> Mapping[str, str]:
    mentions = [f"{m.entity}\t{m.start}\t{m.last}\tNOM\tPER\tx" for m in d.mentions]
    rows = ((s, word) for s, words in enumerate(d.sentences) for word in words)
    tokens = [f"{s}\t{at}\t{word}" for at, (s, word) in enumerate(rows)]
    return {
        "d.entities": _lines(["COREF\tstart_token\tend_token\tprop\tcat\ttext", *mentions]),
        "d.tokens": _lines(["sentence_ID\ttoken_ID_within_document\tword", *tokens]),
    }


def docbin(d: Document) -> bytes:
    from spacy.tokens import Doc, DocBin
    from spacy.vocab import Vocab

    starts = set(d.starts)
    document = Doc(Vocab(), words=d.words, sent_starts=[n in starts for n in range(len(d.words))])
    for number, entity in enumerate(d.entities):
        document.spans[f"coref_clusters_{number}"] = [document[m.start : m.end] for m in entity]
    packed: bytes = DocBin(docs=[document]).to_bytes()
    return packed


def tagged(d: Document) -> str:
    words = list(d.words)
    for m in reversed(d.mentions):
        words[m.start] = "[" + words[m.start]
        words[m.last] += f"](#{m.entity})"
    return " ".join(words)


def quotes(d: Document) -> str:
    return json.dumps(d.clusters(lambda m: [d.words_of(m), m.sentence + 1]))


# Formats of tools for annotation.


def doccano(d: Document) -> str:
    places = ((m, *d.characters(m)) for m in d.mentions)
    mentions = [{"id": m.number, "label": "Mention", "start_offset": a, "end_offset": b} for m, a, b in places]
    links = [{"id": n, "from_id": b.number, "to_id": a.number, "type": "coref"} for n, (a, b) in enumerate(d.links())]
    return json.dumps({"id": 1, "text": d.text, "entities": mentions, "relations": links})


def prodigy(d: Document) -> str:
    def span(m: Mention) -> dict[str, Any]:
        start, end = d.characters(m)
        return {"start": start, "end": end, "token_start": m.start, "token_end": m.last, "label": "X"}

    tokens = [{"text": w, "start": d.at[n], "end": d.at[n] + len(w), "id": n, "ws": True} for n, w in enumerate(d.words)]
    spans = [span(m) for m in d.mentions]
    links = [{"head": a.start, "child": b.start, "head_span": span(a), "child_span": span(b)} for a, b in d.links()]
    relations = [link | {"label": "COREF"} for link in links]
    return json.dumps({"text": d.text, "tokens": tokens, "spans": spans, "relations": relations, "answer": "accept"})


def corefannotator(d: Document) -> str:
    name, places = 'xmlns:v2="http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore"', [d.characters(m) for m in d.mentions]
    mentions = [f'<v2:Mention xmi:id="m{m.number}" Entity="e{m.entity}" Surface="s{m.number}"/>' for m in d.mentions]
    surfaces = [
        f'<v2:MentionSurface xmi:id="s{n}" sofa="1" begin="{a}" end="{b}" Mention="m{n}"/>' for n, (a, b) in enumerate(places)
    ]
    entities = [f'<v2:Entity xmi:id="e{entity[0].entity}" Label="x"/>' for entity in d.entities]
    return _xmi(name, [*entities, *mentions, *surfaces], d.text)


def uima(d: Document) -> str:
    name = 'xmlns:coref="http:///de/tudarmstadt/ukp/dkpro/core/api/coref/type.ecore"'
    chains = [f'<coref:CoreferenceChain xmi:id="c{e[0].entity}" first="{_link(e[0])}"/>' for e in d.entities]
    after = {a.number: f' next="{_link(b)}"' for a, b in d.links()}
    places = ((m, *d.characters(m), after.get(m.number, "")) for m in d.mentions)
    links = [
        f'<coref:CoreferenceLink xmi:id="{_link(m)}" sofa="1" begin="{a}" end="{b}"{further}/>' for m, a, b, further in places
    ]
    return _xmi(name, [*chains, *links], d.text)


def _link(mention: Mention) -> str:
    return f"m{mention.number}"


def _xmi(name: str, lines: Iterable[str], text: str) -> str:
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="{text}"/>'.replace("\n", "&#10;")
    return _lines([f"<xmi:XMI {XMI} {name}>", *lines, sofa, "</xmi:XMI>"])


def glozz(d: Document) -> Mapping[str, str]:
    starts = [*d.starts, len(d.words)]
    sentences = [_unit(f"s{n}", "sentence", d.at[a], d.at[b] - 1) for n, (a, b) in enumerate(pairwise(starts))]
    mentions = [_unit(f"m{m.number}", "MENTION", *d.characters(m)) for m in d.mentions]
    chains = [
        f'<schema id="e{number}"><characterisation><type>CHAINE</type><featureSet/></characterisation><positioning>{units}'
        "</positioning></schema>"
        for number, units in enumerate(map("".join, d.clusters(lambda m: f'<embedded-unit id="m{m.number}"/>')))
    ]
    return {"d.aa": _lines(["<annotations>", *sentences, *mentions, *chains, "</annotations>"]), "d.ac": d.text}


def _unit(name: str, kind: str, start: int, end: int) -> str:
    places = "".join(f'<{side}><singlePosition index="{at}"/></{side}>' for side, at in (("start", start), ("end", end)))
    return (
        f'<unit id="{name}"><characterisation><type>{kind}</type><featureSet/></characterisation>'
        f"<positioning>{places}</positioning></unit>"
    )


# Formats of corpora.


def arrau(d: Document) -> str:
    def row(word: str, at: int, around: list[Mention]) -> str:
        marks = "@".join(f"{'B' if m.start == at else 'I'}-markable_{m.number}=set_{m.entity}" for m in around)
        words = "@".join(f"word_{m.start + 1}..word_{m.end}" for m in around)
        return "\t".join((word, marks, words, "x", "@".join("referring" for _ in around))) if around else word

    rows = list(map(row, d.words, range(len(d.words)), d.around))
    sentences = (rows[a:b] for a, b in pairwise([*d.starts, len(rows)]))
    return _lines(chain.from_iterable([*sentence, ""] for sentence in sentences))


def mmax2(d: Document) -> Mapping[str, str]:
    words = (f'<word id="word_{n}">{word}</word>' for n, word in enumerate(d.words, 1))
    mentions = (f'<markable id="markable_{m.number}" {_words(*m[1:3])} coref_class="set_{m.entity}"/>' for m in d.mentions)
    starts = enumerate(pairwise([*d.starts, len(d.words)]))
    sentences = (f'<markable id="markable_{n}" {_words(a, b)}/>' for n, (a, b) in starts)
    return {
        "d.mmax": "<mmax_project><words>d_words.xml</words></mmax_project>\n",
        "Basedata/d_words.xml": _element("words", words),
        "Markables/d_coref_level.xml": _element("markables", mentions),
        "Markables/d_sentence_level.xml": _element("markables", sentences),
    }


def _words(start: int, end: int) -> str:
    return f'span="word_{start + 1}..word_{end}"'


def ecb(d: Document) -> str:
    numbers = ((s, n, word) for s, words in enumerate(d.sentences) for n, word in enumerate(words))
    tokens = [f'<token t_id="{t}" sentence="{s}" number="{n}">{word}</token>' for t, (s, n, word) in enumerate(numbers)]
    anchors = ((m, "".join(f'<token_anchor t_id="{t}"/>' for t in range(m.start, m.end))) for m in d.mentions)
    mentions = (f'<HUMAN m_id="{m.number}">{words}</HUMAN>' for m, words in anchors)
    relations = (
        f'<INTRA_DOC_COREF r_id="{n}">{sources}</INTRA_DOC_COREF>'
        for n, sources in enumerate(map("".join, d.clusters(lambda m: f'<source m_id="{m.number}"/>')))
    )
    parts = (*tokens, _element("Markables", mentions), _element("Relations", relations))
    return _lines(['<Document doc_name="1_1ecb.xml" doc_id="D">', *parts, "</Document>"])


def naf(d: Document) -> str:
    numbers = ((s, word) for s, words in enumerate(d.sentences) for word in words)
    words = [f'<wf id="w{n}" sent="{s}">{word}</wf>' for n, (s, word) in enumerate(numbers)]
    terms = (f'<term id="t{n}"><span><target id="w{n}"/></span></term>' for n in range(len(words)))

    def span(m: Mention) -> str:
        return _element("span", (f'<target id="t{t}"/>' for t in range(m.start, m.end)))

    entities = (f'<coref id="co{n}">{"".join(spans)}</coref>' for n, spans in enumerate(d.clusters(span)))
    layers = (_element("text", words), _element("terms", terms), _element("coreferences", entities))
    return _lines(['<NAF xml:lang="en" version="v3">', *layers, "</NAF>"])


def tei(d: Document) -> str:
    words = [f'<w xml:id="w{n}">{word}</w>' for n, word in enumerate(d.words)]
    sentences = (_element("s", words[a:b]) for a, b in pairwise([*d.starts, len(words)]))
    mentions = (f'<span xml:id="m{m.number}" from="#w{m.start}" to="#w{m.last}"/>' for m in d.mentions)
    targets = enumerate(map(" ".join, d.clusters(lambda m: f"#m{m.number}")))
    links = (f'<link xml:id="c{n}" target="{target}"/>' for n, target in targets)
    groups = ('<spanGrp subtype="mention">', *mentions, '</spanGrp><linkGrp type="schema">', *links, "</linkGrp>")
    head, tail = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>', '</text><standOff><annotation type="coreference">'
    return _lines([head, *sentences, tail, *groups, "</annotation></standOff></TEI>"])


def litbank(d: Document) -> Mapping[str, str]:
    places = ((m, f"{m.sentence}\t{m.place}\t{m.sentence}\t{m.place_end - 1}") for m in d.mentions)
    mentions = [f"MENTION\tT{m.number}\t{place}\t{d.words_of(m)}\tPER\tNOM" for m, place in places]
    return {"d.ann": _lines([*mentions, *(f"COREF\tT{m.number}\t{m.entity}" for m in d.mentions)]), "d.txt": d.text + "\n"}


def _element(name: str, lines: Iterable[str]) -> str:
    return f"<{name}>\n{_lines(lines)}</{name}>\n"


def _lines(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


# Tables.


def parquet(d: Document) -> bytes:
    from pyarrow import parquet as library

    out = io.BytesIO()
    library.write_table(_table(d), out)
    return out.getvalue()


def arrow(d: Document) -> bytes:
    from pyarrow import ipc

    table, out = _table(d), io.BytesIO()
    with ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return out.getvalue()


def _table(d: Document) -> Any:
    import pyarrow as pa

    tokens = [[{"id": n, "text": word} for n, word in enumerate(words, 1)] for words in d.sentences]
    sentences = [{"id": n, "tokens": here} for n, here in enumerate(tokens, 1)]
    chains = d.clusters(lambda m: [m.sentence, m.place, m.place_end - 1])
    return pa.table({"id": ["d"], "sentences": [sentences], "coref_chains": [chains]})


def gap(d: Document) -> str:
    """Decisions of a system, two for each mention: not what the mentions are, but as many rows."""
    return _lines(f"d-{m.number}\t{str(m.entity % 2 > 0).upper()}\t{str(m.entity % 3 > 1).upper()}" for m in d.mentions)


Content: TypeAlias = "str | bytes | Mapping[str, str]"
FORMATS: dict[str, Callable[[Document], Content]] = {
    make.__name__: make
    for make in (
        *(maverick, allennlp, fastcoref, elit, stanza, corenlp, booknlp, docbin, tagged, quotes),
        *(doccano, prodigy, corefannotator, uima, glozz),
        *(arrau, mmax2, ecb, naf, tei, litbank),
        *(parquet, arrow, gap),
    )
}
"""The name of a format -> what a file, or the files of a folder, have in it."""

INSIDE = {"booknlp": "d.entities", "glozz": "d.aa", "litbank": "d.ann", "mmax2": "d.mmax"}
"""The file to read of formats whose files are in a folder."""


def file_of(format: str, side: str) -> str:
    """The name of a file, with `{n}` for the size."""
    return f"read-{{n}}.{side}.{format}" + (f"/{INSIDE[format]}" if format in INSIDE else "")


def make(work: Path, name: str, data: Sequence[Path]) -> None:
    """Write the file of a name, or the folder that it is in."""
    target = work / name.partition("/")[0]
    stem, side, ending = target.name.split(".")
    pair = corpora.make(work, f"one-{stem.removeprefix('read-')}-medium", data=data)
    content = FORMATS[ending](Document(pair.key if side == "key" else pair.response))
    for path, part in content.items() if isinstance(content, Mapping) else [("", content)]:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(part.encode() if isinstance(part, str) else part)
