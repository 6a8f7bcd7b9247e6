"""Files in the formats that Referee reads and does not write: the texts of a CoNLL file, a function for each format.

What a function gets has words, tags, lemmas, trees, sentences and mentions. It gives what tools write: a line or an object of
a document (`LINES`), the files of a document by their endings (`FOLDERS`), or one file of all (`WHOLE`). `gum.key.naf` is the
key of GUM as a folder of NAF. Texts have no dependencies, so each word depends on the one before.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, count, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import numpy as np

XMI = 'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"'
SEGMENTS = 'xmlns:type4="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"'


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
    """A document of a CoNLL file, whose sentences are lines of words with blanks between them.

    A row of `cells` has the columns of a word. The text, `at` (the characters at which words begin) and `xml` (words for XML)
    follow from them.
    """

    def __init__(self, name: str, cells: Sequence[Sequence[str]], starts: Sequence[int], spans: Any) -> None:
        self.name = name
        self.words = [row[3] for row in cells]
        full = len(cells[0]) == 12
        self.pos = [row[4] if full else "X" for row in cells]
        self.lemmas = [row[6] if full else row[3] for row in cells]
        self.parse = [row[5] if full else "*" for row in cells]
        self.limits = [*starts, len(cells)]
        self.sentences = [self.words[a:b] for a, b in pairwise(self.limits)]
        self.text = "\n".join(map(" ".join, self.sentences))
        self.at = [0, *accumulate(len(word) + 1 for word in self.words)]
        self.places = [(s, n) for s, words in enumerate(self.sentences) for n in range(len(words))]
        self.xml = list(map(_xml, self.words))
        self.mentions = [
            Mention(number, start, end, entity, *self.places[start]) for number, (start, end, entity) in enumerate(spans)
        ]

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

    def kind(self, mention: Mention) -> str:
        tag = self.pos[mention.last]
        return "PRON" if tag.startswith("PRP") else "PROP" if tag.startswith("NNP") else "NOM"


def documents(path: Path) -> list[Document]:
    """The documents of a CoNLL file."""
    from referee import read

    corpus = read(path)
    assert corpus.text is not None
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if "\t" in line]
    spans = np.stack([corpus.start, corpus.end, corpus.entity], axis=1).tolist()
    found, word, mentions = [], 0, np.searchsorted(corpus.document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    for name, text, (first, last) in zip(corpus.doc_ids, corpus.text.words, pairwise(mentions), strict=True):
        cells = rows[word : word + len(text.tokens)]
        found.append(Document(name, cells, list(text.sentences), spans[first:last]))
        word += len(cells)
    return found


# Lines: output of resolvers, answers of language models, exports of tools for annotation.


def maverick(d: Document) -> Any:
    offsets, texts = d.clusters(lambda m: [m.start, m.last]), d.clusters(d.words_of)
    return {"tokens": d.words, "clusters_token_offsets": offsets, "clusters_char_offsets": None, "clusters_token_text": texts}


def allennlp(d: Document) -> Any:
    """With two spans in five words, and the fifty before each as its candidates."""
    spans = [[n, n + 2] for n in range(0, len(d.words) - 2, 5) for _ in range(2)]
    before = [list(range(n - 50, n)) for n in range(len(spans))]
    found = {"top_spans": spans, "antecedent_indices": before, "predicted_antecedents": [-1 for _ in spans]}
    return found | {"document": d.words, "clusters": d.clusters(lambda m: [m.start, m.last])}


def fastcoref(d: Document) -> Any:
    return {"text": d.text, "clusters": d.clusters(d.characters), "clusters_strings": d.clusters(d.words_of)}


def elit(d: Document) -> Any:
    clusters = d.clusters(lambda m: [m.sentence, m.place, m.place_end, d.words_of(m)])
    columns = {name: [of[a:b] for a, b in pairwise(d.limits)] for name, of in (("lem", d.lemmas), ("pos", d.pos))}
    return {"tokens": d.sentences, **columns, "dcr": clusters}


def quotes(d: Document) -> Any:
    return {"doc_id": d.name, "clusters": d.clusters(lambda m: [d.words_of(m), m.sentence + 1])}


def doccano(d: Document) -> Any:
    places = ((m, *d.characters(m)) for m in d.mentions)
    mentions = [{"id": m.number, "label": "Mention", "start_offset": a, "end_offset": b} for m, a, b in places]
    links = [{"id": n, "from_id": b.number, "to_id": a.number, "type": "coref"} for n, (a, b) in enumerate(d.links())]
    return {"text": d.text, "entities": mentions, "relations": links, "Comments": []}


def prodigy(d: Document) -> Any:
    def span(m: Mention) -> dict[str, Any]:
        start, end = d.characters(m)
        return {"start": start, "end": end, "token_start": m.start, "token_end": m.last, "label": "X"}

    tokens = [
        {"text": w, "start": d.at[n], "end": d.at[n] + len(w), "id": n, "ws": True, "disabled": False}
        for n, w in enumerate(d.words)
    ]
    links = [
        {"head": a.last, "child": b.last, "head_span": span(a), "child_span": span(b), "color": "#ffd882", "label": "COREF"}
        for a, b in d.links()
    ]
    said = {"_is_binary": False, "_view_id": "relations", "answer": "accept"}
    return {"text": d.text, "tokens": tokens, "spans": list(map(span, d.mentions)), "relations": links} | said


# Folders with a file, or several, for each document.


def stanza(d: Document) -> Files:
    first = {mentions[0].entity: mentions[0] for mentions in d.entities}

    def chains(at: int) -> list[dict[str, Any]]:
        return [
            {"index": m.entity, "representative_text": d.words_of(first[m.entity]), "is_start": m.start == at}
            | {"is_end": m.last == at, "is_representative": m == first[m.entity]}
            for m in d.around[at]
        ]

    def word(at: int) -> dict[str, Any]:
        text, (_, n), start = d.words[at], d.places[at], d.at[at]
        grammar = {"id": n + 1, "text": text, "lemma": d.lemmas[at], "upos": "X", "xpos": d.pos[at], "feats": "Number=Sing"}
        tree = {"head": n, "deprel": "dep" if n else "root", "start_char": start, "end_char": start + len(text)}
        return grammar | tree | {"ner": "O", "multi_ner": ["O"], "coref_chains": chains(at)}

    return {".json": json.dumps([[word(at) for at in range(a, b)] for a, b in pairwise(d.limits)], indent=2)}


def corenlp(d: Document) -> Files:
    kinds = {"PRON": "PRONOMINAL", "PROP": "PROPER", "NOM": "NOMINAL"}

    def mention(m: Mention) -> dict[str, Any]:
        of_words = {"id": m.number, "text": d.words_of(m), "type": kinds[d.kind(m)], "number": "SINGULAR", "gender": "UNKNOWN"}
        place = {"startIndex": m.place + 1, "endIndex": m.place_end + 1, "headIndex": m.place_end, "sentNum": m.sentence + 1}
        return (
            of_words
            | {"animacy": "ANIMATE"}
            | place
            | {"position": [m.sentence + 1, m.number], "isRepresentativeMention": True}
        )

    def token(at: int) -> dict[str, Any]:
        word, places = d.words[at], {"characterOffsetBegin": d.at[at], "characterOffsetEnd": d.at[at] + len(d.words[at])}
        names = {"index": d.places[at][1] + 1, "word": word, "originalText": word, "lemma": d.lemmas[at]}
        return names | places | {"pos": d.pos[at], "ner": "O", "before": " ", "after": " "}

    def dependency(at: int) -> dict[str, Any]:
        place = d.places[at][1]
        ends = {"governor": place, "governorGloss": d.words[at - 1] if place else "ROOT"}
        return {"dep": "dep" if place else "ROOT"} | ends | {"dependent": place + 1, "dependentGloss": d.words[at]}

    def sentence(number: int, words: range) -> dict[str, Any]:
        tree = "".join(d.parse[at].replace("*", f" ({d.pos[at]} {d.words[at]})") for at in words)
        named = {f"{kind}Dependencies": list(map(dependency, words)) for kind in ("basic", "enhanced", "enhancedPlusPlus")}
        return {"index": number, "parse": tree} | named | {"tokens": list(map(token, words))}

    sentences = [sentence(n, range(a, b)) for n, (a, b) in enumerate(pairwise(d.limits))]
    corefs = {entity[0].entity: list(map(mention, entity)) for entity in d.entities}
    return {".json": json.dumps({"docId": d.name, "sentences": sentences, "corefs": corefs}, indent=2)}


def booknlp(d: Document) -> Files:
    mentions = [f"{m.entity}\t{m.start}\t{m.last}\t{d.kind(m)}\tPER\t{d.words_of(m)}" for m in d.mentions]
    tokens = [
        f"0\t{s}\t{n}\t{at}\t{word}\t{lemma}\t{start}\t{start + len(word)}\tX\t{pos}\tdep\t{at - bool(n)}\tO"
        for at, ((s, n), word, lemma, pos, start) in enumerate(zip(d.places, d.words, d.lemmas, d.pos, d.at, strict=False))
    ]
    numbers = "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document"
    tags = "POS_tag\tfine_POS_tag\tdependency_relation\tsyntactic_head_ID\tevent"
    return {
        ".entities": _lines(["COREF\tstart_token\tend_token\tprop\tcat\ttext", *mentions]),
        ".tokens": _lines([f"{numbers}\tword\tlemma\tbyte_onset\tbyte_offset\t{tags}", *tokens]),
    }


def corefannotator(d: Document) -> Files:
    name = 'xmlns:v2="http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore"'
    mentions = [f'<v2:Mention xmi:id="m{m.number}" Entity="e{m.entity}" Surface="s{m.number}"/>' for m in d.mentions]
    surfaces = [
        f'<v2:MentionSurface xmi:id="s{m.number}" {_sofa(*d.characters(m))} Mention="m{m.number}"/>' for m in d.mentions
    ]
    entities = [
        f'<v2:Entity xmi:id="e{m.entity}" Label="{_xml(d.words_of(m))} {m.entity}" Color="-255" Key=""/>'
        for m, *_ in d.entities
    ]
    return _xmi(d, name, [*entities, *mentions, *surfaces])


def uima(d: Document) -> Files:
    """As INCEpTION exports it, with tags and lemmas."""
    names = " ".join(
        f'xmlns:{name}="http:///de/tudarmstadt/ukp/dkpro/core/api/{path}.ecore"'
        for name, path in (("coref", "coref/type"), ("pos", "lexmorph/type/pos"))
    )
    chains = [f'<coref:CoreferenceChain xmi:id="c{e[0].entity}" first="m{e[0].number}"/>' for e in d.entities]
    after = {a.number: f' next="m{b.number}"' for a, b in d.links()}
    links = [
        f'<coref:CoreferenceLink xmi:id="m{m.number}" {_sofa(*d.characters(m))} referenceType="x"{after.get(m.number, "")}/>'
        for m in d.mentions
    ]
    places = [_sofa(start, start + len(word)) for word, start in zip(d.words, d.at, strict=False)]
    tags = [f'<pos:POS xmi:id="p{n}" {at} PosValue="{_xml(d.pos[n])}" coarseValue="X"/>' for n, at in enumerate(places)]
    lemmas = [f'<type4:Lemma xmi:id="l{n}" {at} value="{_xml(d.lemmas[n])}"/>' for n, at in enumerate(places)]
    return _xmi(d, names, [*chains, *links, *tags, *lemmas])


def _sofa(start: int, end: int) -> str:
    return f'sofa="1" begin="{start}" end="{end}"'


def _xmi(d: Document, name: str, lines: Iterable[str]) -> Files:
    places = ((n, _sofa(start, start + len(word))) for n, (word, start) in enumerate(zip(d.words, d.at, strict=False)))
    tokens = [f'<type4:Token xmi:id="t{n}" {at} lemma="l{n}" pos="p{n}" order="0"/>' for n, at in places]
    limits = ((d.at[a], d.at[b] - 1) for a, b in pairwise(d.limits))
    sentences = [f'<type4:Sentence xmi:id="x{n}" {_sofa(*at)}/>' for n, at in enumerate(limits)]
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{_xml(d.text)}"/>'
    top = f'<xmi:XMI {XMI} {SEGMENTS} {name} xmi:version="2.0">'
    return {".xmi": _lines([top, *lines, *tokens, *sentences, sofa, "</xmi:XMI>"])}


def glozz(d: Document) -> Files:
    sentences = [_unit(f"s{n}", "sentence", d.at[a], d.at[b] - 1) for n, (a, b) in enumerate(pairwise(d.limits))]
    mentions = [_unit(f"m{m.number}", "MENTION", *d.characters(m)) for m in d.mentions]
    schemas = [
        f'<schema id="e{number}">{_about("CHAINE")}<positioning>{units}</positioning></schema>'
        for number, units in enumerate(map("".join, d.clusters(lambda m: f'<embedded-unit id="m{m.number}"/>')))
    ]
    return {".aa": _lines(["<annotations>", *sentences, *mentions, *schemas, "</annotations>"]), ".ac": d.text}


def _about(kind: str) -> str:
    when = "<metadata><author>me</author><creation-date>1374153142</creation-date></metadata>"
    feature = '<featureSet><feature name="CATEGORIE">GN</feature></featureSet>'
    return f"{when}\n<characterisation><type>{kind}</type>\n{feature}</characterisation>\n"


def _unit(name: str, kind: str, start: int, end: int) -> str:
    places = "".join(f'<{side}><singlePosition index="{at}"/></{side}>\n' for side, at in (("start", start), ("end", end)))
    return f'<unit id="{name}">{_about(kind)}<positioning>{places}</positioning></unit>'


def arrau(d: Document) -> Files:
    def row(word: str, pos: str, at: int, around: list[Mention]) -> str:
        marks = "@".join(f"{'B' if m.start == at else 'I'}-markable_{m.number}=set_{m.entity}" for m in around)
        words = "@".join(f"word_{m.start + 1}..word_{m.end}" for m in around)
        return "\t".join((word, marks, words, pos, "@".join("referring" for _ in around))) if around else word

    rows = list(map(row, d.words, d.pos, count(), d.around))
    return {".CONLL": _lines(chain.from_iterable([*rows[a:b], ""] for a, b in pairwise(d.limits)))}


def mmax2(d: Document) -> Files:
    def level(name: str, markables: Iterable[str]) -> tuple[str, str]:
        return f"Markables/{d.name}_{name}_level.xml", _element("markables", markables)

    def span(number: int, start: int, end: int, more: str) -> str:
        return f'<markable id="markable_{number}" span="word_{start + 1}..word_{end}" {more}/>'

    words = (f'<word id="word_{n}">{word}</word>' for n, word in enumerate(d.xml, 1))
    more = 'mmax_level="{}"'
    of_mention = more.format("coref") + ' reference="new" category="concrete" min_words="{}" coref_class="set_{}"'
    mentions = (span(*m[:3], of_mention.format(d.xml[m.last], m.entity)) for m in d.mentions)
    sentences = (span(n, a, b, more.format("sentence")) for n, (a, b) in enumerate(pairwise(d.limits)))
    tags = (span(n, n, n + 1, f'{more.format("pos")} tag="{_xml(pos)}"') for n, pos in enumerate(d.pos))
    return {
        ".mmax": f"<mmax_project><words>{d.name}_words.xml</words></mmax_project>\n",
        f"Basedata/{d.name}_words.xml": _element("words", words),
        **dict([level("coref", mentions), level("sentence", sentences), level("pos", tags)]),
    }


def ecb(d: Document) -> Files:
    tokens = [
        f'<token t_id="{t}" sentence="{s}" number="{n}">{word}</token>'
        for t, ((s, n), word) in enumerate(zip(d.places, d.xml, strict=True), 1)
    ]
    anchors = ((m, "".join(f'\n<token_anchor t_id="{t + 1}"/>' for t in range(m.start, m.end))) for m in d.mentions)
    mentions = (f'<HUMAN_PART_PER m_id="{m.number}" note="byCROMER">{words}\n</HUMAN_PART_PER>' for m, words in anchors)
    relations = (
        f'<INTRA_DOC_COREF r_id="{n}">{sources}\n</INTRA_DOC_COREF>'
        for n, sources in enumerate(map("".join, d.clusters(lambda m: f'\n<source m_id="{m.number}"/>')))
    )
    parts = (*tokens, _element("Markables", mentions), _element("Relations", relations))
    return {".xml": _lines([f'<Document doc_name="{d.name}.xml" doc_id="D">', *parts, "</Document>"])}


def naf(d: Document) -> Files:
    words = [
        f'<wf id="w{n}" sent="{s + 1}" para="1" offset="{start}" length="{len(word)}">{_xml(word)}</wf>'
        for n, ((s, _), word, start) in enumerate(zip(d.places, d.words, d.at, strict=False))
    ]
    terms = [
        f'<term id="t{n}" lemma="{_xml(lemma)}" pos="{_xml(pos)}" type="open"><span><target id="w{n}"/></span></term>'
        for n, (lemma, pos) in enumerate(zip(d.lemmas, d.pos, strict=True))
    ]
    edges = (f'<dep from="t{n - 1}" to="t{n}" rfunc="dep"/>' for n, (_, place) in enumerate(d.places) if place)

    def span(m: Mention) -> str:
        head = ' head="yes"'
        targets = (f'<target id="t{t}"{head * (t == m.last)}/>' for t in range(m.start, m.end))
        return f"<!-- {_xml(d.words_of(m)).replace('--', '')} -->\n{_element('span', targets)}"

    entities = (f'<coref id="co{n}" type="person">{"".join(spans)}</coref>' for n, spans in enumerate(d.clusters(span)))
    layers = ("text", words), ("terms", terms), ("deps", edges), ("coreferences", entities)
    head = f'<nafHeader><public publicId="{d.name}"/></nafHeader>'
    return {".naf": _lines(['<NAF xml:lang="en" version="v3">', head, *(_element(*layer) for layer in layers), "</NAF>"])}


def tei(d: Document) -> Files:
    """As TXM exports it: words in a file, units and schemas in another."""
    notes = '<txm:ana resp="#txm" type="#pos">{}</txm:ana><txm:ana resp="#txm" type="#lemma">{}</txm:ana>'
    words = [
        f'<w xml:id="w_{n}" n="{n}"><txm:form>{word}</txm:form>{notes.format(_xml(pos), _xml(lemma))}</w>'
        for n, (word, pos, lemma) in enumerate(zip(d.xml, d.pos, d.lemmas, strict=True))
    ]
    sentences = (_element("s", words[a:b]) for a, b in pairwise(d.limits))
    names = [f"u-MENTION-{m.number}" for m in d.mentions]
    ends = [f'from="text:w_{m.start}" to="text:w_{m.last}"' for m in d.mentions]
    mentions = (f'<span xml:id="{name}" {end} ana="#{name}-fs"/>' for name, end in zip(names, ends, strict=True))
    chains = enumerate(map(" ".join, d.clusters(lambda m: f"#u-MENTION-{m.number}")))
    links = (f'<link xml:id="s-CHAINE-{n}" target="{target}" ana="#s-CHAINE-{n}-fs"/>' for n, target in chains)
    features = (f'<fs xml:id="{name}-fs">\n<f name="CATEGORIE">\n<string>GN</string>\n</f>\n</fs>' for name in names)
    groups = (
        *('<annotationGrp type="Unit" subtype="MENTION">', *mentions, "</annotationGrp>"),
        *('<annotationGrp type="Schema" subtype="CHAINE">', *links, "</annotationGrp>"),
        *('<div type="unit-fs">', *features, "</div>"),
    )
    top = '<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:txm="http://textometrie.org/1.0">'
    around = f'{top}<standOff><annotations type="coreference">', "</annotations></standOff></TEI>"
    text = _lines([f"{top}<text>", *sentences, "</text></TEI>"])
    return {".xml": text, "-urs.xml": _lines([around[0], *groups, around[1]])}


def litbank(d: Document) -> Files:
    places = ((m, f"{m.sentence}\t{m.place}\t{m.sentence}\t{m.place_end - 1}") for m in d.mentions)
    mentions = [f"MENTION\tT{m.number}\t{place}\t{d.words_of(m)}\tPER\t{d.kind(m)}" for m, place in places]
    return {".ann": _lines([*mentions, *(f"COREF\tT{m.number}\t{m.entity}" for m in d.mentions)]), ".txt": d.text + "\n"}


def _xml(text: str) -> str:
    return escape(text, {'"': "&quot;", "\n": "&#10;"})


def _element(name: str, lines: Iterable[str]) -> str:
    return f"<{name}>\n{_lines(lines)}</{name}>\n"


def _lines(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


# One file of all documents.


def tagged(of: Documents) -> str:
    def text(d: Document) -> str:
        words = list(d.words)
        for m in sorted(d.mentions, key=lambda m: (m.start, -m.end), reverse=True):  # what is within others is marked first
            words[m.start] = "[" + words[m.start]
            words[m.last] += f"](#{m.entity})"
        return "\n".join(" ".join(words[a:b]) for a, b in pairwise(d.limits))

    return "\n\n".join(f"### {d.name}\n\n{text(d)}" for d in of) + "\n"


def docbin(of: Documents) -> bytes:
    from spacy.tokens import Doc, DocBin
    from spacy.vocab import Vocab

    vocab = Vocab()
    packed = DocBin()
    for d in of:
        heads = [at - bool(n) for at, (_, n) in enumerate(d.places)]
        kinds = ["dep" if n else "ROOT" for _, n in d.places]
        document = Doc(vocab, words=d.words, tags=d.pos, lemmas=d.lemmas, heads=heads, deps=kinds)
        for number, entity in enumerate(d.entities):
            document.spans[f"coref_clusters_{number}"] = [document[m.start : m.end] for m in entity]
        packed.add(document)
    return bytes(packed.to_bytes())


def parquet(of: Documents) -> bytes:
    return _parquet(_texts(of))


def arrow(of: Documents) -> bytes:
    from pyarrow import ipc

    table, out = _texts(of), io.BytesIO()
    with ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return out.getvalue()


def _parquet(table: Any) -> bytes:
    from pyarrow import parquet as library

    out = io.BytesIO()
    library.write_table(table, out)
    return out.getvalue()


def _texts(of: Documents) -> Any:
    """As the corpora of coref-data have them."""
    import pyarrow as pa

    def token(d: Document, at: int) -> dict[str, Any]:
        place = d.places[at][1]
        tree = {"feats": "_", "head": place, "deprel": "dep", "deps": "_", "misc": "_"}
        return {"id": place + 1, "text": d.words[at], "lemma": d.lemmas[at], "upos": "X", "xpos": d.pos[at]} | tree

    def sentences(d: Document) -> list[dict[str, Any]]:
        return [
            {"id": n, "speaker": "-", "text": " ".join(d.words[a:b]), "tokens": [token(d, at) for at in range(a, b)]}
            for n, (a, b) in enumerate(pairwise(d.limits))
        ]

    chains = [d.clusters(lambda m: [m.sentence, m.place, m.place_end - 1]) for d in of]
    columns = {"id": [d.name for d in of], "text": [d.text for d in of], "sentences": list(map(sentences, of))}
    return pa.table(columns | {"coref_chains": chains, "genre": ["-"] * len(of)})


def _records(of: Documents) -> list[tuple[str, str]]:
    """The mentions of a corpus as records, with their entities; the names of both say the document."""
    return [(f"{d.name}:{m.start}-{m.end}", f"{d.name}:{m.entity}") for d in of for m in d.mentions]


def rows(of: Documents) -> str:
    return _lines(json.dumps({"record_id": record, "cluster_id": entity}) for record, entity in _records(of))


def table(of: Documents) -> bytes:
    """Parquet of records."""
    import pyarrow as pa

    return _parquet(pa.table(dict(zip(("record_id", "cluster_id"), zip(*_records(of), strict=True), strict=True))))


def xlsx(of: Documents) -> bytes:
    """A workbook of records."""
    import openpyxl

    book, out = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    for row in (("record_id", "cluster_id"), *_records(of)):
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def s2and(of: Documents) -> str:
    entities: dict[str, list[str]] = {}
    for record, entity in _records(of):
        entities.setdefault(entity, []).append(record)
    return json.dumps(
        {name: {"cluster_id": name, "signature_ids": records, "model_version": -1} for name, records in entities.items()}
    )


def pairs(of: Documents) -> str:
    """As Splink predicts them: each mention with the one before it in its entity, the first with itself."""
    before: dict[str, str] = {}
    found = ["match_weight,match_probability,unique_id_l,unique_id_r"]
    for record, entity in _records(of):
        found.append(f"9.132,0.98211,{before.get(entity, record)},{record}")
        before[entity] = record
    return _lines(found)


Files: TypeAlias = Mapping[str, str]
"""The files of a document: what follows its name in theirs, or the path of one."""
Documents: TypeAlias = Sequence[Document]

LINES = {make.__name__: make for make in (maverick, allennlp, fastcoref, elit, quotes, doccano, prodigy)}
FOLDERS = {
    make.__name__: make
    for make in (stanza, corenlp, booknlp, corefannotator, uima, glozz, arrau, mmax2, ecb, naf, tei, litbank)
}
WHOLE: dict[str, Callable[[Documents], str | bytes]] = {
    make.__name__: make for make in (tagged, docbin, parquet, arrow, rows, table, xlsx, s2and, pairs)
}
FORMATS = (*LINES, *FOLDERS, *WHOLE)


def write(target: Path, of: Documents, format: str) -> None:
    """Write the file of a format, or the folder."""
    if format in FOLDERS:
        for document in of:
            for name, content in FOLDERS[format](document).items():
                path = target / (name if "/" in name else document.name + name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, "utf-8")
        return
    if format in LINES:
        lines = ({"doc_key": document.name} | LINES[format](document) for document in of)
        target.write_text(_lines(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    else:
        whole = WHOLE[format](of)
        target.write_bytes(whole.encode() if isinstance(whole, str) else whole)
