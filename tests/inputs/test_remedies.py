"""The remedy that a message names works: taken from the message and followed, it succeeds, or ends in the next question."""

import io
import re
import shutil
from typing import NamedTuple

import numpy as np
import pytest

import referee
from tests.support.command import told

WORDS = '"sentences": [["Ann", "saw", "her", "dog", "."], ["It", "ran"]]'
TEXT = f'{{"doc_key": "d", {WORDS}, "clusters": [[[0, 0], [2, 2]], [[2, 3], [5, 5]]]}}\n'
REGION = '{{"id": "{0}", "type": "labels", "value": {{"start": {1}, "end": {2}, "text": "{3}", "labels": ["{4}"]}}}}'


def conll(*cells, word="{word}", name="d"):
    """A document of CoNLL, a sentence of seven words, with columns made of each word and its bracket."""
    words = ["Ann", "saw", "her", "dog", "and", "it", "ran"] * 5
    brackets = ["(1)", "-", "(1)", "(2)", "-", "(2)", "-"] * 5
    rows = (
        "\t".join(cells).format(n=n, word=w, bracket=b, no="-") for n, (w, b) in enumerate(zip(words, brackets, strict=True))
    )
    return "\n".join([f"#begin document ({name})", *rows, "", "#end document", ""])


def task(id_, *annotations, data=""):
    """A task of Label Studio."""
    made = ", ".join(f'{{"completed_by": {n}, "result": [{", ".join(results)}]}}' for n, results in annotations)
    return f'[{{"id": {id_}, "data": {{"text": "Ann saw her dog."{data}}}, "annotations": [{made}]}}]'


PEOPLE = [REGION.format("a", 0, 3, "Ann", "Ann"), REGION.format("b", 8, 11, "her", "Ann")]
FILES = {
    "k.csv": "item,cluster\na,1\nb,1\nc,2\n",
    "word-gap.csv": "item,cluster\na,1\nb,NA\nc,2\n",
    "gap.tsv": "item\tcluster\na\t1\nb\t\nc\t2\n",
    "two-entities.csv": "item,cluster,entity_id\na,1,1\nb,1,2\nc,2,2\n",
    "two-items.csv": "item,record,cluster\na,a,1\nb,b,1\nc,c,2\n",
    "unknown.csv": "foo,bar,baz\na,1,1\nb,1,2\nc,2,2\n",
    "unknown2.csv": "foo,bar\na,1\nb,1\nc,2\n",
    "no-entity.csv": "item,foo\na,1\nb,1\nc,2\n",
    "label-or-pair.csv": "id,dup_id,label\na,b,1\nb,c,0\nc,d,1\n",
    "no-header.csv": "a1,b1\na2,b2\na3,b3\n",
    "label-names.csv": "a1,b1\na2,b1\na3,b3\n",
    "wide.csv": "item,gold_cluster,predicted_cluster\na,1,1\nb,1,2\nc,2,2\n",
    "wide2.csv": "record_id,cluster_id,my_model\na,1,1\nb,1,2\nc,2,2\n",
    "class.csv": "item,label,coref\na,PER,1\nb,PER,1\nc,PER,2\nd,LOC,2\n",
    "class2.csv": "item,label,coref\na,PER,1\nb,PER,2\nc,PER,2\nd,LOC,2\n",
    "noise.csv": "item,cluster\na,-1\nb,-1\nc,2\n",
    "numbers.csv": "doc,mention_id,start,end,cluster\nd,0,5,6,1\nd,1,0,1,1\nd,2,3,4,2\n",
    "one-a-document.csv": "doc,item,cluster\nd1,a,1\nd2,b,1\nd3,c,2\n",
    "header.csv": "Kunde,Gruppe\n1,1\n2,1\n3,2\n",
    "pairs.csv": "id1,id2,match\na,b,1\nc,d,0\n",
    "pair-gap.csv": "id1,id2,match\na,b,1\nb,,1\nc,d,0\n",
    "both-sides.csv": "id1,id2,match\na,b,1\nb,c,1\nc,d,0\n",
    "itself.csv": "id1,id2,match\na,a,1\nb,c,1\na,c,0\n",
    "two-ends.csv": "id1,id2,left_id,right_id\na,b,a,b\nb,c,b,c\n",
    "no-ends.csv": "foo,bar,match\na,b,1\nb,c,0\n",
    "two-decisions.csv": "id1,id2,match,is_duplicate\na,b,1,0\nc,d,0,0\n",
    "probable.csv": "id1,id2,probability\na,b,0.2\nc,d,0.8\n",
    "scored.csv": "id1,id2,xyz\na,b,0\nc,d,1\n",
    "k.jsonlines": TEXT,
    "types.jsonlines": TEXT.replace('"clusters"', '"entity_types": ["PER", "DOG"], "clusters"'),
    "cut.jsonlines": TEXT.replace('"dog"', '"d", "og"').replace("[2, 3], [5, 5]", "[2, 4], [6, 6]"),
    "other-words.jsonlines": TEXT.replace('"dog"', '"cat"'),
    "more.jsonlines": TEXT + TEXT.replace('"d"', '"e"'),
    "slashes.jsonlines": TEXT.replace('"d"', '"x/1."') + TEXT.replace('"d"', '"/x"'),
    "repeated.jsonlines": TEXT.replace("[[2, 3], [5, 5]]", "[[0, 0], [5, 5]]"),
    "twice.jsonlines": TEXT.replace("[[2, 3], [5, 5]]", "[[2, 3], [2, 3]]"),
    "both.jsonlines": TEXT.replace('"clusters"', '"predicted_clusters": [[[0, 0], [2, 2]]], "clusters"'),
    "exclusive.jsonlines": '{"doc_key": "d", "sentences": [["Ann", "saw"]], "clusters": [[[0, 1], [1, 2]]]}\n',
    "inclusive.jsonlines": '{"doc_key": "d", "cased_words": ["Ann", "saw", "her"], "clusters": [[[0, 0], [2, 2]]]}\n',
    "crossing.jsonlines": TEXT.replace("[[2, 3], [5, 5]]", "[[1, 3], [2, 4]]"),
    "over-sentences.jsonlines": TEXT.replace("[[2, 3], [5, 5]]", "[[2, 3], [4, 5]]"),
    "blank-word.jsonlines": TEXT.replace('"dog"', '"hot dog"'),
    "folder/a.jsonlines": TEXT,
    "folder/b.jsonlines": TEXT.replace('"d"', '"e"').replace("[5, 5]", "[5, 55]"),
    "folder/c.jsonlines": TEXT.replace('"d"', '"f"'),
    "mixed/a.jsonlines": TEXT,
    "mixed/b.jsonlines": TEXT.replace('"d"', '"e"'),
    "mixed/c.conll": conll("d", "0", "{n}", "{word}", "{bracket}"),
    "k.conll": conll("d", "0", "{n}", "{word}", "{bracket}"),
    "middle.conll": conll("d", "0", "{n}", "{word}", "{bracket}", "x"),
    "before-last.conll": conll("d", "0", "{n}", "{word}", "{bracket}", "{no}"),
    "words-elsewhere.conll": conll("d", "0", "{n}", "{no}", "{word}", "x", "{bracket}"),
    "no-words.conll": conll("d", "0", "{n}", "{no}", "{bracket}"),
    "two-columns.conll": conll("d", "0", "{n}", "{word}", "{bracket}", "{bracket}"),
    "plain.txt": "Ann saw her dog. It ran away, and Ann was sad.\n",
    "tags.txt": "Ann\tB-PER\nsaw\tO\n\nRome\tB-LOC\n",
    "ids.json": '[["m1", "m2"], ["m3"]]',
    "answer.txt": '{"Ann": ["Ann", "her"], "dog": ["her dog", "It"]}',
    "other-answer.txt": '{"Ann": ["Ann", "her"], "dog": ["a cat", "a cow", "It"]}',
    "marked.txt": "[Ann](#1) saw [[her](#1) dog](#2). [It](#2) ran",
    "stanza.conllu": "# text = Ann\n1\tAnn\t_\t_\t_\t_\t0\troot\t_\tstart_char=0|end_char=3|coref_chains=unit-id0\n\n",
    "spans.json": "[[[0, 1], [2, 3]], [[2, 4]]]",
    "missing.json": '[["NA", "b"], ["c"]]',
    "a.ann": "T1\tPerson 0 3\tAnn\nT2\tPerson 8 11\ther\nR1\tSame Arg1:T1 Arg2:T2\n",
    "a.txt": "Ann saw her dog.\n",
    "log.jsonl": "".join(
        f'{{"id": "d", "epoch": {n}, "output": {{"completion": "[Ann](#1) saw [her](#1) dog. It ran"}}}}\n' for n in (1, 2)
    ),
    "annotators.json": task(7, (1, PEOPLE), (2, PEOPLE)),
    "labels.json": task(7, (1, PEOPLE)),
    "one-file": "x",
}


class Row(NamedTuple):
    """A call; the option, or other remedy, that its message names; what to put for words such as NAME; what is asked next."""

    call: str
    option: str
    fill: str = ""
    asks: str = ""


VERB = r"referee ((?:phrases )?(?!formats)[a-z]+(?: (?:--[a-z]+(?: [a-z]+\b(?!\.))?|[A-Z]+\b|[\w-]+\.\w+))*)"
"""A verb that a message names, with its arguments."""

LISTED = r"(?:such as|say which with --to:) ((?:\w+, )*\w+)"
"""Names of formats in a message."""

NO_VALUE = ("--lossy", "--skip-bad-files", "--intervals")


def remedies(message, option, fill):
    """The arguments that follow a message, one list for each way that it names.

    Words such as NAME and KEY are filled in, one after another; an option in `fill` has the value that the message leaves open.
    """
    words = {word: value.split("/") for word, value in (pair.split("=", 1) for pair in fill.split())}

    def filled(text):
        values = {word: iter(of_word) for word, of_word in words.items()}
        return re.sub(r"\b[A-Z]{1,8}\b", lambda match: next(values[match[0]]) if match[0] in values else match[0], text)

    if option == "verb":
        return [[*filled(verb).split(), *words.get("with", ())] for verb in re.findall(VERB, message)]
    if option in NO_VALUE:
        assert option in message
        return [[option]]
    if option == "--columns":
        name = re.search(r"--(?:key-|response-)?columns", message)[0]
        return [[name, filled(value)] for value in re.findall(r"\b[a-z_]+=[^\s;:()]*[^\s;:(),]", message)]
    if option == "--to" and (listed := re.search(LISTED, message)):
        return [[option, value] for value in listed[1].split(", ") if value != "or"]
    name = re.search(rf"--(?:response-)?{option[2:]}\b", message)[0]
    if option in words:
        return [[name, *words[option]]]
    values = re.findall(rf"{option[1:]}(?: |, or )([\w.:,-]*\w(?: -m [\w,]*\w| --lossy)?)", message)
    return [[name, *filled(value).split()] for value in values]


ROWS = [
    # Tables: gaps, columns, pairs.
    Row("score k.csv word-gap.csv", "--nulls"),
    Row("score k.csv gap.tsv", "--nulls"),
    Row("score pairs.csv pair-gap.csv", "--nulls"),
    Row("score word-gap.csv word-gap.csv", "--nulls"),
    Row("convert word-gap.csv OUT.json", "--nulls"),
    Row("score k.csv two-entities.csv", "--columns", "NAME=entity_id"),
    Row("score k.csv two-items.csv", "--columns", "NAME=record"),
    Row("score two-entities.csv k.csv", "--columns", "NAME=cluster"),
    Row("validate two-entities.csv", "--columns", "NAME=cluster"),
    Row("convert two-entities.csv OUT.json", "--columns", "NAME=cluster"),
    Row("score k.csv unknown.csv", "--columns"),
    Row("score k.csv no-entity.csv", "--columns", "NAME=foo"),
    Row("score k.csv unknown2.csv", "--columns"),
    Row("score k.csv label-or-pair.csv", "--columns"),
    Row("score k.csv no-header.csv", "--columns"),
    Row("validate no-header.csv", "--columns"),
    Row("score k.csv label-names.csv", "--columns"),
    Row("score numbers.csv numbers.csv", "--columns"),
    Row("score wide2.csv wide2.csv", "--columns"),
    Row("score class.csv class2.csv", "--columns"),
    Row("score one-a-document.csv one-a-document.csv", "--cross-document"),
    Row("score pairs.csv two-ends.csv", "--columns", "NAME=id1/id2"),
    Row("score pairs.csv no-ends.csv", "--columns", "NAME=foo/bar"),
    Row("score pairs.csv pairs.csv --response-columns left=id1", "--columns", "NAME=id1/id2"),
    Row("score pairs.csv two-decisions.csv", "--columns", "NAME=match"),
    Row("score pairs.csv itself.csv", "--tables"),
    Row("score pairs.csv both-sides.csv", "--tables"),
    Row("score pairs.csv probable.csv", "--threshold", "--threshold=0.7"),
    Row("thresholds pairs.csv scored.csv", "--columns", "NAME=xyz"),
    Row("thresholds pairs.csv pairs.csv", "--columns", "NAME=match"),
    Row("convert scored.csv OUT.links", "--columns", "NAME=id1/id2"),
    # Texts: which column, which side, which annotator.
    Row("score k.conll middle.conll", "--columns"),
    Row("score middle.conll middle.conll", "--columns", asks="--response-columns entity=5"),
    Row("validate middle.conll", "--columns"),
    Row("validate before-last.conll", "--columns"),
    Row("score two-columns.conll two-columns.conll", "--columns"),
    Row("validate words-elsewhere.conll", "--columns", "N=4"),
    Row("validate no-words.conll", "--columns", "N=3"),
    Row("convert both.jsonlines OUT.conll", "--role"),
    Row("agree k.jsonlines both.jsonlines", "verb", "with=both.jsonlines/OUT.jsonlines"),
    Row("validate a.ann", "--relations", "--relations=Same"),
    Row("score a.ann a.ann", "--relations", "--relations=same"),
    Row("convert a.ann OUT.jsonlines", "--relations", "--relations=Same"),
    Row("validate exclusive.jsonlines", "--format"),
    Row("validate inclusive.jsonlines", "--format"),
    Row("validate annotators.json", "--format"),
    Row("validate labels.json", "--format"),
    Row("validate stanza.conllu --format corefud", "--format"),
    Row("validate tags.txt", "verb", "KEY=tags.txt RESPONSE=tags.txt"),
    Row("validate plain.txt", "verb", "with=plain.txt"),
    Row("score folder folder", "--skip-bad-files"),
    Row("score mixed mixed", "--format", "--format=jsonlines"),
    # Answers.
    Row("validate answer.txt", "--text", "KEY=k.jsonlines"),
    Row("score k.jsonlines other-answer.txt", "verb", asks="is not in the text of"),
    Row("score k.csv answer.txt", "--format"),
    Row("score k.jsonlines marked.txt --response-format quotes", "--format"),
    Row("score spans.json answer.txt", "verb", "OUT=OUT.conll TEXT=k.jsonlines"),
    Row("score spans.json marked.txt", "verb", "OUT=OUT.conll TEXT=k.jsonlines"),
    Row("convert answer.txt OUT.txt", "--to"),
    Row("score k.jsonlines log.jsonl", "--sample"),
    Row("compare k.jsonlines log.jsonl cut.jsonlines --tokens align", "--sample"),
    Row("convert answer.txt OUT.conll", "--to"),
    Row("convert answer.txt OUT.conll", "--text", "KEY=k.jsonlines"),
    # What a format cannot hold.
    Row("convert k.jsonlines OUT", "--to"),
    Row("convert k.jsonlines OUT.tsv", "--to"),
    Row("convert k.jsonlines OUT.csv", "--to"),
    Row("convert k.csv OUT", "--to"),
    Row("convert k.csv OUT.conll", "--to"),
    Row("convert probable.csv OUT.json", "--to"),
    Row("convert probable.csv OUT.json", "--lossy"),
    Row("convert k.jsonlines OUT.csv", "--lossy"),
    Row("convert types.jsonlines OUT.conll", "--lossy"),
    Row("convert crossing.jsonlines OUT.conll", "--lossy"),
    Row("convert over-sentences.jsonlines OUT.conllu", "--lossy"),
    Row("convert blank-word.jsonlines OUT.conll", "--lossy"),
    Row("convert slashes.jsonlines OUT --to brat", "--lossy"),
    # Scores.
    Row("score k.jsonlines cut.jsonlines", "--tokens"),
    Row("score k.jsonlines more.jsonlines", "--extra-documents"),
    Row("score more.jsonlines k.jsonlines", "verb", "with=more.jsonlines/k.jsonlines"),
    Row("score k.jsonlines twice.jsonlines --repeated-mentions error", "--repeated-mentions"),
    Row("score k.jsonlines k.jsonlines --match head", "--match"),
    Row("score k.jsonlines k.jsonlines --unit sentence --intervals", "--metrics"),
    Row("score k.jsonlines k.jsonlines --intervals", "--unit"),
    Row("errors k.jsonlines cut.jsonlines", "--tokens"),
    Row("inspect k.jsonlines cut.jsonlines -o OUT.html", "--tokens"),
    Row("compare k.jsonlines cut.jsonlines k.jsonlines", "--tokens"),
    Row("score repeated.jsonlines repeated.jsonlines --repeated-mentions error", "--repeated-mentions"),
    Row("score k.jsonlines k.jsonlines --match partial", "--match"),
    Row("score k.csv k.csv --memory 1GB --repeated-mentions merge", "--repeated-mentions"),
    Row("score k.csv k.csv --memory 1GB --items both", "--items"),
    Row("compare k.csv k.csv k.csv", "--names", "--names=a,b"),
    Row("agree k.csv k.csv", "--names", "--names=a,b"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of `FILES`."""
    made = tmp_path_factory.mktemp("remedies")
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.call}: {row.option}" for row in ROWS])
def test_the_remedy_of_a_message_works(folder, row):
    if "--memory" in row.call:  # of an engine
        pytest.importorskip("duckdb")
        pytest.importorskip("pyarrow")
    call = row.call.split()
    for out in folder.glob("OUT*"):
        shutil.rmtree(out) if out.is_dir() else out.unlink()
    done = told(*call, cwd=folder)
    message = done.err + done.out * (call[0] == "validate")
    ways = remedies(message, row.option, row.fill)
    assert ways, message
    for number, way in enumerate(ways):
        arguments = way if row.option == "verb" else [*call, *way]
        ending = "" if row.option == "--to" else r"\1"  # a format that is named needs no ending
        followed = told(*(re.sub(r"^OUT(\S*)", f"OUT{number}{ending}", argument) for argument in arguments), cwd=folder)
        assert bool(followed.status) is bool(row.asks), (arguments, message, followed)
        assert row.asks in followed.err + followed.out
        named = [line for line in message.splitlines() if way[0] in line]
        assert row.option == "verb" or not set(named) & set(followed.err.splitlines()), (arguments, followed.err)


CODE = re.compile(r"\{(?:document: |'id1)[^{}]+\}|(?:\bvalue)?\[[a-z(][^\]]*\]|\b[a-z][\w.]*\((?:[^()]|\([^()]*\))*\)")
"""Python in a message."""
VALUES = [
    ("{1: ['a', 'b'], 2: ['c']}", "list(d.values())"),
    ("{'d': [1, 1, 2]}", "{document: numpy.array(labels)}"),
    ("[(1, 2), (3, 4)]", "[value]"),
    ("[(1, 2), (3, 4)]", "networkx.Graph(value)"),
    ("[['a', 1], ['b', 1], ['c', 2]]", "dict(value)"),
    ("[['a', 1], ['b', 1], ['c', 2]]", "networkx.Graph(value)"),
    ("{'a': ['b'], 'b': ['a'], 'c': []}", "networkx.Graph(value)"),
    ("[(('a', 'b'), (0.9, 0.8)), (('c',), (0.5,))]", "[set(items) for items, scores in value]"),
    ("[('a', 'b', 0.9), ('b', 'c', 0.1)]", "{'id1': 'a', 'id2': 'b', 'probability': 0.9}"),
    ("io.StringIO('x')", "referee.read(path, format=...)"),
    ("dict.fromkeys(['test', 'train'], pandas.DataFrame({'item': ['a', 'b'], 'entity': [1, 1]}))", "value[split]"),
]


@pytest.mark.filterwarnings("ignore:.*(a probability of at least 0.5 is a link|lists matches only):referee.RefereeWarning")
@pytest.mark.parametrize(("value", "code"), VALUES)
def test_the_call_that_a_message_names_works(folder, value, code, monkeypatch):
    networkx, pandas = map(pytest.importorskip, ("networkx", "pandas"))
    monkeypatch.chdir(folder)
    modules = {"io": io, "networkx": networkx, "numpy": np, "pandas": pandas, "referee": referee}
    wrong = eval(value, modules)
    with pytest.raises(referee.RefereeError) as error:
        referee.score(wrong, wrong)
    assert code in CODE.findall(str(error.value))
    names = {"value": wrong, "d": wrong, "labels": [1, 1, 2], "document": "d", "path": "k.jsonlines", "split": "test"}
    right = eval(code.replace("format=...", "format=None"), modules, names)
    right = [right] if "id1" in right else right
    assert referee.score(right, right)["links"].f1 == 1
