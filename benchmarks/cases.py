"""What is timed: commands, the sizes that they are run at, and what stands beside them.

`{n}` in a command is the size: mentions, documents, mentions one inside another, errors, responses. `{sides}` stands for so
many files, `{work}` for the work folder. Commands with `&&` between them are one after the other. `read:` and `write:` are the
programs of `PROGRAMS`. A name such as `score@60000` is a case at one size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import formats

PROGRAMS = {
    "read:json": "import json,sys\nfor f in sys.argv[1:]: [json.loads(line) for line in open(f)]",
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

    The bound is so many times another case (at the same size, or at that behind @), less the time of the case `less` of that
    one. Peers are a kind of `peers.PEERS`, with options for the peer.
    """

    command: str
    sizes: Sequence[int] = ()
    large: Sequence[int] = ()
    bound: str = ""
    times: int = 1
    less: str = ""
    peers: str = ""
    reason: str = ""


SMALL, LARGE = (100, 1_000, 10_000, 100_000), (1_000_000, 10_000_000)
FEW, MORE = (100, 1_000, 10_000), (100_000,)
MILLION = (1_000_000,)  # of most formats, ten million mentions take more than 24 GB


def curve(command: str, sizes: Sequence[int] = SMALL, large: Sequence[int] = LARGE, **more: str | int) -> Case:
    return Case(command, sizes, large, **more)  # type: ignore[arg-type]


GUM = "gum.key.conll gum.medium.conll"
KEY = "one-{n}.key.conll"
ONE = "one-{n}.key.conll one-{n}.medium.conll"
MANY = "many-{n}.key.conll many-{n}.response.conll"
REPEATED = "repeated-{n}.key.conll repeated-{n}.response.conll"
NESTED = "score nested-{{n}}.key.{0} nested-{{n}}.response.{0}"
SIDE = "many-1000.side{}.conll"
ASSIGNED = "mentions that are not equal are an assignment problem, and any two of n mentions one inside another are candidates"
MATCHERS = ("exact", "head", "partial", "overlap")
COREFUD = "-m muc,b_cubed,ceaf_e,ceaf_m,blanc,lea,mention_overlap,zero_anaphora,conll --profile corefud-1.2"


def read(format: str) -> str:
    """The command that scores files of a format; answers of language models stand beside a key with words."""
    key, response = (formats.file_of(format, side) for side in ("key", "response"))
    if format in ("tagged", "quotes"):
        return f"score {KEY} {response} --response-format {format}"
    return f"score {key} {response} --format {format}"


SETS = {name: Case(f"score {name}.key.conll {name}.medium.conll", peers="conll") for name in ("tiny", "litbank", "gum", "long")}
SETS["gum10"] = Case("score gum10.key.conll gum10.medium.conll", peers="conll")

CURVES = {
    "score": curve(f"score {ONE}"),
    "score-mild": curve("score one-{n}.key.conll one-{n}.mild.conll"),
    "score-severe": curve("score one-{n}.key.conll one-{n}.severe.conll"),
    "score-all": curve(f"score {ONE} --metrics all", large=MILLION),
    "dense": curve(
        "score dense-{n}.key.conll dense-{n}.response.conll",
        (1_000, 4_000, 16_000),
        (64_000,),
        bound="score",
        reason="a response that is independent of the key keeps all its overlaps, and CEAF is an assignment problem on them",
    ),
    "repeated": curve(f"score {REPEATED}", bound="score"),
    "repeated-merge": curve(f"score {REPEATED} --repeated-mentions merge", bound="score"),
    "repeated-conll": curve(f"score {REPEATED} --profile conll-8.01", bound="score"),
    "errors": curve(f"errors {ONE}"),
    "inspect": curve(f"inspect {ONE} -o -"),
    "agree": curve(f"agree {ONE}"),
    "agree-merged": curve(f"agree {ONE} --merged {{work}}/merged-{{n}}.conll"),
    "sample": curve(f"sample {ONE}"),
    "validate": curve("validate one-{n}.medium.conll"),
    "validate-clean": curve("validate clean-{n}.conll"),
    **{f"errors-{kind}": curve(f"validate {kind}-{{n}}.conll", bound="validate-clean") for kind in ("cells", "open", "closed")},
    "convert": curve(f"convert {KEY} - --to jsonlines"),
    "compare": curve(f"compare {ONE} one-{{n}}.severe.conll"),
    "correlate": curve(f"correlate {ONE} one-{{n}}.mild.conll one-{{n}}.severe.conll"),
    "phrases": curve(f"phrases score {ONE}"),
    "resolve": curve("resolve trees-{n}.conllu -o -", large=MILLION),
    "thresholds": curve("thresholds records-{n}.key.csv weighed-{n}.response.csv"),
    "estimate": curve("estimate records-{n}.key.csv records-{n}.response.csv"),
    "as-scorer.pl": curve(f"as scorer.pl all {ONE} none"),
    "as-coval": curve(f"as coval {ONE}"),
    "as-corefud-scorer": curve("as corefud-scorer one-{n}.key.corefud one-{n}.medium.corefud", large=MILLION),
    "as-ua-scorer": curve("as ua-scorer one-{n}.key.ua one-{n}.medium.ua", large=MILLION),
    **{
        f"score-{ending}": curve(f"score one-{{n}}.key.{ending} one-{{n}}.medium.{ending} --format {ending}", large=MILLION)
        for ending in (
            *("jsonlines", "corefud", "ua", "muc", "sacr"),
            *("webanno", "brat", "labelstudio", "preco", "clusters"),
        )
    },
    **{f"read-{name}": curve(read(name), large=MILLION) for name in formats.FORMATS},
    **{
        f"score-{ending}": curve(
            f"score records-{{n}}.key.{ending} records-{{n}}.response.{ending} --format {ending} -m links",
            bound="csv-pandas" if ending == "csv" else "",
        )
        for ending in ("csv", "tsv", "links", "s2and")
    },
    "csv-pandas": curve("read:pandas records-{n}.key.csv records-{n}.response.csv"),
    "score-pairs": curve("score pairs-{n}.key.csv pairs-{n}.response.csv -m links", bound="pairs-pandas"),
    "pairs-pandas": curve("read:pandas pairs-{n}.key.csv pairs-{n}.response.csv"),
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
    "jsonlines": Case("score gum.key.jsonlines gum.medium.jsonlines", bound="gum"),
    "gum-corefud": Case("score gum.key.corefud gum.medium.corefud", bound="gum"),
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

COREFUD_SETS = {
    f"corefud-{corpus}-{match}{singletons}": Case(
        f"score crac-{corpus}.key.conllu crac-{corpus}.response.conllu {COREFUD} --match {match} --singletons {policy}",
        peers=f"corefud -a {match} {option}",
    )
    for corpus in ("gum", "long")
    for match in ("exact", "head", "partial")
    for singletons, policy, option in (("+", "keep", "-s"), ("", "drop-annotated", ""))
}

LABELS = "score {0}-{{n}}.key.parquet {0}-{{n}}.response.parquet --metrics all --memory 4GB --spill {{work}} --engine {1}"
TABLES = {
    f"{kind}-{engine}": Case(
        LABELS.format(kind, engine), sizes, large, peers="tables" if (kind, engine) == ("labels", "memory") else ""
    )
    for kind, sizes, large in (("labels", (100_000, 1_000_000), (10_000_000, 100_000_000)), ("grouped", (1_000, 10_000), MORE))
    for engine in ("memory", "duckdb")
}
"""Of records in one clustering, and of documents with 100 mentions each."""

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

CASES = SETS | CURVES | ROADS | COREFUD_SETS | TABLES | RESOLVER

GROUPS = {
    "sets": [*SETS, *(f"{name}@{n}" for n in (10_000, 100_000, 1_000_000) for name in ("score-mild", "score", "score-severe"))],
    "curves": list(CURVES),
    "roads": [
        *("gum", *ROADS, "repeated@400000", "repeated-merge@400000", "repeated-conll@400000", "score@400000", "score@60000"),
        *(f"documents{what}@10000" for what in ("", "-csv", "-each", "-together", "-compare", "-inspect", "-page", "-twice")),
        *(f"nested-{match}@{n}" for n in (500, 2000) for match in MATCHERS),
        *("nested-mor@500", "dense@40000", "dense@400000", "validate-clean@1000000"),
        *(f"errors-{kind}@1000000" for kind in ("cells", "open", "closed")),
        *("score-pairs@1000000", "pairs-pandas@1000000", "score-csv@1000000", "csv-pandas@1000000"),
    ],
    "corefud": list(COREFUD_SETS),
    "tables": list(TABLES),
    "resolver": list(RESOLVER),
}
"""Names for several cases."""
