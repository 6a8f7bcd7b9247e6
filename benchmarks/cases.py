"""What is timed: commands, the sizes that they are run at, and what stands beside them.

`{n}` in a command is the size: mentions, documents, mentions one inside another, errors, responses. `{sides}` stands for so
many files, `{work}` for the work folder. Commands with `&&` between them are one after the other. `read:` and `write:` are the
programs of `PROGRAMS`. A name such as `score@60000` is a case at one size.

`score` scores the usual response, which has moved 15 % of the mentions; `score-unlike`, `-random`, `-empty` and `-giant` score
others (`corpora.RESPONSES`). `format-naf` scores GUM, or a real corpus, in a format; `score-naf` is a curve of the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import chunks
import corpora
import formats

FILES = """import sys,pathlib
for f in [f for a in map(pathlib.Path, sys.argv[1:]) for f in (a.rglob('*.*') if a.is_dir() else [a])]:"""
JSON = """
 text = f.read_text()
 try: json.loads(text)
 except ValueError: [json.loads(line) for line in text.splitlines()]"""

PROGRAMS = {
    "read:lines": f"{FILES} f.read_text().split('\\n')",
    "read:json": f"import json,{FILES.removeprefix('import ')}{JSON}",
    "read:xml": f"import xml.etree.ElementTree as e\n{FILES} f.suffix == '.ac' or e.parse(f)",
    "read:parquet": f"import pyarrow.parquet as p\n{FILES} p.read_table(f)",
    "read:arrow": f"import pyarrow.ipc as p\n{FILES} p.open_stream(f).read_all()",
    "read:xlsx": f"import openpyxl as o\n{FILES} [*o.load_workbook(f, read_only=True).active.iter_rows(values_only=True)]",
    "read:docbin": f"import spacy.tokens as t,spacy.vocab as v\n{FILES} list(t.DocBin().from_disk(f).get_docs(v.Vocab()))",
    "read:pandas": "import pandas,sys\nfor f in sys.argv[1:]: pandas.read_csv(f)",
    "read:marshal": "import gc,json,marshal,sys,zlib\ngc.disable()\ndata = marshal.loads(open(sys.argv[1], 'rb').read())",
}
"""Programs that only read the files which their arguments name."""
PROGRAMS["write:page"] = f"""{PROGRAMS["read:marshal"]}
for record in data: zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 2)
"""
"""Writes the data of a page as JSON and compresses them, at the level of the pages of `referee inspect`."""


class Case(NamedTuple):
    """A command; its sizes, and those of --large; what bounds its time; which peers do the same; why it is steep.

    The bound is so many times another case (at the same size, or at that behind @), the slowest of several, less the time of
    the case `less` of that one. Peers are a kind of `peers.PEERS`, with options for the peer. `plain` has the same data in the
    plain format, and the same scores, but for so many points as `within` says.
    """

    command: str
    sizes: Sequence[int] = ()
    large: Sequence[int] = ()
    bound: str = ""
    times: int = 1
    less: str = ""
    peers: str = ""
    reason: str = ""
    plain: str = ""
    within: float = 0.0


SMALL, LARGE = (100, 1_000, 10_000, 100_000), (1_000_000, 10_000_000)
FEW, MORE = (100, 1_000, 10_000), (100_000,)
MILLION = (1_000_000,)  # of most formats, ten million mentions take more than 24 GB


def curve(command: str, sizes: Sequence[int] = SMALL, large: Sequence[int] = LARGE, **more: str | int) -> Case:
    return Case(command, sizes, large, **more)  # type: ignore[arg-type]


GUM = "gum.key.conll gum.medium.conll"
KEY = "one-{n}.key.conll"
ONE = f"{KEY} one-{{n}}.medium.conll"
MILD = "one-{n}.mild.conll"
MANY = "many-{n}.key.conll many-{n}.response.conll"
REPEATED = "repeated-{n}.key.conll repeated-{n}.response.conll"
NESTED = "score nested-{{n}}.key.{0} nested-{{n}}.response.{0}"
SIDE = "many-1000.side{}.conll"
ASSIGNED = "mentions that are not equal are an assignment problem, and any two of n mentions one inside another are candidates"
MATCHERS = ("exact", "head", "partial", "overlap")
COREFUD = "-m muc,b_cubed,ceaf_e,ceaf_m,blanc,lea,mention_overlap,zero_anaphora,conll --profile corefud-1.2"


WRITTEN = ("jsonlines", "webanno", "brat", "muc", "labelstudio", "preco", "clusters", "sacr", "csv", "tsv", "links")
"""Formats that Referee writes, but for those that have real files."""
RESPONSES = ("medium", *(name for name in corpora.RESPONSES if name not in ("medium", "mild")))


def files_of(format: str, stem: str) -> str:
    """Key and response in a format; answers of language models stand beside a key with words."""
    return f"{stem}.key.{'conll' if format in ('tagged', 'quotes') else format} {stem}.medium.{format}"


def score(format: str, stem: str) -> str:
    """The command that scores files of a format."""
    side = "response-format" if format in ("tagged", "quotes") else "format"
    return f"score {files_of(format, stem)} --{side} {'parquet' if format == 'table' else format}"


def unlike(cases: dict[str, Case]) -> dict[str, Case]:
    """Cases of the usual response, and of those that are as no system should make them, bound by it."""
    return {
        name if response == "medium" else f"{name}-{response}": case
        if response == "medium"
        else case._replace(command=case.command.replace(".medium.", f".{response}."), bound=name, peers="")
        for name, case in cases.items()
        for response in RESPONSES
    }


SETS = {name: Case(f"score {name}.key.conll {name}.medium.conll", peers="conll") for name in ("tiny", "litbank", "gum", "long")}
SETS["gum10"] = Case("score gum10.key.conll gum10.medium.conll", peers="conll")

VERBS = unlike(
    {
        "score": curve(f"score {ONE}"),
        "score-all": curve(f"score {ONE} --metrics all", large=MILLION),
        "errors": curve(f"errors {ONE}"),
        "inspect": curve(f"inspect {ONE} -o -"),
        "compare": curve(f"compare {ONE} {MILD}"),
        "correlate": curve(f"correlate {ONE} {MILD}"),
        "agree": curve(f"agree {ONE}"),
        "agree-merged": curve(f"agree {ONE} {MILD} --merged {{work}}/merged-{{n}}.conll"),
        "sample": curve(f"sample {ONE}"),
        "convert": curve("convert one-{n}.medium.conll - --to jsonlines"),
        "thresholds": curve("thresholds records-{n}.key.csv weighed-{n}.medium.csv"),
        "estimate": curve("estimate records-{n}.key.csv records-{n}.medium.csv"),
    }
)
"""Of texts with so many mentions, and of as many records."""

CURVES = VERBS | {
    "repeated": curve(f"score {REPEATED}", bound="score"),
    "repeated-merge": curve(f"score {REPEATED} --repeated-mentions merge", bound="score"),
    "repeated-conll": curve(f"score {REPEATED} --profile conll-8.01", bound="score"),
    "validate": curve("validate one-{n}.medium.conll"),
    "validate-clean": curve("validate clean-{n}.conll"),
    **{f"errors-{kind}": curve(f"validate {kind}-{{n}}.conll", bound="validate-clean") for kind in ("cells", "open", "closed")},
    "phrases": curve(f"phrases score {ONE}"),
    "resolve": curve("resolve trees-{n}.conllu -o -", large=MILLION),
    "as-scorer.pl": curve(f"as scorer.pl all {ONE} none"),
    "as-coval": curve(f"as coval {ONE}"),
    "as-corefud-scorer": curve("as corefud-scorer one-{n}.key.corefud one-{n}.medium.corefud", large=MILLION),
    "as-ua-scorer": curve("as ua-scorer one-{n}.key.ua one-{n}.medium.ua", large=MILLION),
    **{f"score-{name}": curve(score(name, "one-{n}"), large=MILLION) for name in (*WRITTEN, "corefud", "ua", *formats.FORMATS)},
    **{
        f"score-{name}": curve(f"{score(name, 'records-{n}')} -m links", bound="csv-pandas" if name == "csv" else "")
        for name in ("csv", "tsv", "links", "s2and")
    },
    "score-pairs": curve(f"score {files_of('csv', 'pairs-{n}')} -m links", bound="pairs-pandas"),
    "csv-pandas": curve(f"read:pandas {files_of('csv', 'records-{n}')}"),
    "pairs-pandas": curve(f"read:pandas {files_of('csv', 'pairs-{n}')}"),
    "documents": curve(f"score {MANY}", FEW, MORE),
    "documents-each": curve(f"score {MANY} --by document", FEW, MORE, bound="documents"),
    "documents-csv": curve(f"score {MANY} --by document --report csv", FEW, MORE, bound="documents"),
    "documents-together": curve(f"compare {MANY} many-{{n}}.response2.conll", FEW, MORE, bound="documents", times=2),
    "documents-compare": curve(
        f"compare {MANY} many-{{n}}.response2.conll --by document", FEW, MORE, bound="documents-each", times=2
    ),
    "documents-correlate": curve(f"correlate {MANY} --by document", FEW, MORE),
    "documents-sample": curve("sample many-{n}.response.conll many-{n}.response2.conll", FEW, MORE),
    "documents-as-scorer.pl": curve(f"as scorer.pl all {MANY} none", FEW, MORE),
    "documents-as-coval": curve(f"as coval {MANY}", FEW, MORE),
    "documents-board": curve("board many-{n}.key.conll systems-{n}.folder -o {work}/site-{n}", FEW, MORE),
    "documents-inspect": curve(f"inspect {MANY} -o -", FEW, MORE, bound="documents-page"),
    "documents-page": curve(
        f"score {MANY} --metrics all && errors {MANY} && write:page page-many-{{n}}.marshal", FEW, MORE, less="documents-twice"
    ),
    "documents-twice": curve(f"score {MANY} && read:marshal page-many-{{n}}.marshal", FEW, MORE),
    **{
        f"nested-{match}": curve(
            f"{NESTED.format('corefud')} --match {match}",
            (50, 100, 200, 400),
            (800, 1_600),
            bound="gum",
            reason="" if match == "exact" else ASSIGNED,
        )
        for match in MATCHERS
    },
    "nested-mor": curve(f"{NESTED.format('corefud')} -m mention_overlap", (50, 100, 200, 400), (800, 1_600), bound="gum"),
    "nested-conll": curve(NESTED.format("conll"), (100, 1_000), (10_000,)),
    "responses": curve("score many-1000.key.conll {sides}", (2, 8, 32), (128,)),
    "annotators": curve("agree {sides}", (2, 4, 8), (16,), reason="any two annotators are compared: n (n - 1) / 2 comparisons"),
}

ROADS = {
    "other-columns": Case("score gum.key.conll gum.lemma.conll", bound="gum"),
    "jsonlines-conll": Case("score gum.key.jsonlines gum.medium.conll", bound="gum"),
    "folder-2000": Case("score folder.key folder.response", bound="folder-one-file"),
    "validate-folder": Case("validate folder.key", bound="folder-one-file"),
    "folder-one-file": Case("score folder.key.conll folder.response.conll", bound="gum"),
    "20-responses": Case(f"score gum.key.conll {' '.join(f'annotator{n}.conll' for n in range(20))}", bound="gum", times=20),
    "cross-document": Case(f"score {GUM} --cross-document corpus", bound="gum"),
    "tokens-align": Case("score gum.key.conll gum.split.conll --tokens align", bound="gum"),
    "gum-inspect": Case(f"inspect {GUM} -o -", bound="gum-page"),
    "gum-page": Case(f"score {GUM} --metrics all && errors {GUM} && write:page page-gum.marshal", less="gum-twice"),
    "gum-twice": Case(f"score {GUM} && read:marshal page-gum.marshal"),
    "gum-errors": Case(f"errors {GUM}", bound="gum"),
    "agree-2": Case(f"agree {GUM}", bound="gum"),
    "agree-10": Case(f"agree {' '.join(f'annotator{n}.conll' for n in range(10))}", bound="gum", times=45),
    **{
        f"nested-64x200-{match}": Case(
            f"score nested-64x200.key.corefud nested-64x200.response.corefud --match {match}", bound="gum"
        )
        for match in MATCHERS
    },
    "one-line": Case("score line-20000.key.jsonlines line-20000.response.jsonlines", bound="score@60000"),
    "one-line-json": Case("read:json line-20000.key.jsonlines line-20000.response.jsonlines"),
}
"""Beside the main road, which is two CoNLL files that differ in the last column: other formats, verbs, options and shapes."""

GAP, WINOBIAS = "gap-2000.key.{0} gap-2000.response.{0}", "winobias-3160.key.{0} winobias-3160.response.{0}"
PLAIN = {
    "plain-corefud": Case("score crac-gum.key.conll crac-gum.response.conll"),
    "plain-ua": Case("score crac-ua.key.conll crac-ua.response.conll"),
    "plain-gap": Case(f"score {GAP.format('csv')} -m muc,b_cubed,conll"),
    "plain-winobias": Case(f"score {WINOBIAS.format('conll')}"),
}
"""Where a format has other texts than GUM, the same as two plain files."""

WITHIN = {"quotes": 1.0, **dict.fromkeys(("rows", "table", "s2and", "pairs"), 0.3)}
"""Answers lose which of equal strings is meant; records of all documents are one clustering, which BLANC sees."""
MATCHES = "-m exact_match,span_match,category_match"
CHUNKS = f"phrases score chunks{{0}}.key.{{1}} chunks{{0}}.medium.{{2}} {MATCHES} --key-format {{1}} --response-format {{2}}"
PARSED = {"trees": "columns", "dependencies": "columns", "mentions": "spans"}
"""Formats of phrases that have other texts than CoNLL-2000, and the plain one of theirs."""
PLAIN |= {f"plain-phrases-{name}": Case(CHUNKS.format(f"-{name}", plain, plain)) for name, plain in PARSED.items()}
TIMED = {
    # the response has mentions of several parts, which are not in CoNLL
    "corefud": Case("score crac-gum.key.conllu crac-gum.response.conllu", plain="plain-corefud", within=0.5),
    "ua": Case("score crac-ua.key.conllua crac-ua.response.conllua", plain="plain-ua"),
    "gap": Case(f"score {GAP.format('tsv')} --format gap -m gap,muc,b_cubed,conll", plain="plain-gap"),
    "winobias": Case(f"score {WINOBIAS.format('txt')} --format winobias", plain="plain-winobias"),
    **{
        name: Case(score(name, "gum"), plain="gum", within=WITHIN.get(name, 0.0))
        for name in ("conll", *WRITTEN, *formats.FORMATS)
    },
    **{
        f"phrases-{name}": Case(CHUNKS.format("", chunks.KEYS.get(name, name), name), plain="format-phrases-columns")
        for name in (*chunks.FORMATS, "parquet")
    },
    **{f"phrases-{name}": Case(CHUNKS.format(f"-{name}", name, name), plain=f"plain-phrases-{name}") for name in PARSED},
}
"""Key and response in each format."""
KINDS = {
    "json": "jsonlines preco labelstudio clusters stanza corenlp rows s2and maverick allennlp fastcoref elit doccano prodigy "
    "phrases-spans phrases-characters phrases-candidates phrases-posteriors",
    "xml": "corefannotator uima glozz mmax2 ecb naf tei",
    "parquet": "parquet table phrases-parquet",
    "arrow": "arrow",
    "xlsx": "xlsx",
    "docbin": "docbin",
}
READ_BY = {name: kind for kind, names in KINDS.items() for name in names.split()}
"""What reads the files of a format; all others are lines."""
BYTES = {
    f"bytes-{name}": Case(
        f"read:{READ_BY.get(name, 'lines')} {' '.join(re.findall('[^ ]+[.](?:key|medium|response)[^ ]+', case.command))}"
    )
    for name, case in TIMED.items()
}
"""The files of a format are only read."""
FORMATS = {f"format-{name}": case._replace(bound=f"{case.plain} bytes-{name}") for name, case in TIMED.items()}

COREFUD_SETS = {
    f"corefud-{corpus}-{match}{singletons}": Case(
        f"score crac-{corpus}.key.conllu crac-{corpus}.response.conllu {COREFUD} --match {match} --singletons {policy}",
        peers=f"corefud -a {match} {option}",
    )
    for corpus in ("gum", "long")
    for match in ("exact", "head", "partial")
    for singletons, policy, option in (("+", "keep", "-s"), ("", "drop-annotated", ""))
}

LABELS = "score {0}-{{n}}.key.parquet {0}-{{n}}.medium.parquet --metrics all --memory 4GB --spill {{work}} --engine {1}"
OF_LABELS = {
    f"labels-{engine}": Case(
        LABELS.format("labels", engine),
        (100_000, 1_000_000),
        (10_000_000, 100_000_000),
        peers="tables" if engine == "memory" else "",
    )
    for engine in ("memory", "duckdb")
}
TABLES = unlike(OF_LABELS) | {
    f"{name}-three": case._replace(
        command=case.command.replace(" --", " labels-{n}.medium2.parquet labels-{n}.medium3.parquet --", 1),
        bound=name,
        peers="",
    )
    for name, case in OF_LABELS.items()
}
TABLES |= {
    f"grouped-{engine}": Case(LABELS.format("grouped", engine), (1_000, 10_000), MORE) for engine in ("memory", "duckdb")
}
"""Of records in one clustering, with one response and with three; and of documents with 100 mentions each."""

RESOLVER = {
    **{
        f"resolve-{model}-{mentions}": Case(
            f"resolve gum.test.conllu.gz -m {model} --mentions {mentions} -o {{work}}/resolved.conllu"
        )
        for model in ("tables", "rules")
        for mentions in ("key", "tree")
    },
    "resolve-book": Case("resolve book.conllu -o {work}/resolved.conllu"),
    "resolver-fit": Case("resolve fit gum.train.conllu.gz -o {work}/model.json"),
}

CASES = SETS | CURVES | ROADS | PLAIN | FORMATS | BYTES | COREFUD_SETS | TABLES | RESOLVER

GROUPS = {
    "sets": [*SETS, *(f"{name}@{n}" for n in (10_000, 100_000, 1_000_000) for name in ("score", "score-unlike"))],
    "curves": list(CURVES),
    "shapes": [*VERBS, *unlike(OF_LABELS)],
    "formats": list(FORMATS),
    "roads": [
        *("gum", *ROADS, "repeated@400000", "repeated-merge@400000", "repeated-conll@400000", "score@400000", "score@60000"),
        *(f"documents{what}@10000" for what in ("", "-csv", "-each", "-together", "-compare", "-inspect", "-page", "-twice")),
        *(f"nested-{match}@{n}" for n in (500, 2000) for match in MATCHERS),
        *("nested-mor@500", "score-unlike@40000", "score-unlike@400000", "validate-clean@1000000"),
        *(f"errors-{kind}@1000000" for kind in ("cells", "open", "closed")),
        *("score-pairs@1000000", "pairs-pandas@1000000", "score-csv@1000000", "csv-pandas@1000000"),
    ],
    "corefud": list(COREFUD_SETS),
    "tables": list(TABLES),
    "resolver": list(RESOLVER),
}
"""Names for several cases."""
