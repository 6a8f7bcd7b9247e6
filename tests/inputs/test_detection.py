"""Formats told from the content of files: by structure, however long the first document is."""

import json
from functools import cache

import numpy as np
import pytest

from referee import CorpusBuilder, inputs
from referee.basics.exceptions import FormatError, RefereeWarning
from referee.formats.shared.source import HEAD
from referee.inputs.registry import load_format
from tests.support.command import referee
from tests.support.paths import SHARED
from tests.support.reading import read_text, source_of
from tests.support.samples import TEXTS, texts

FIELD = SHARED / "field/formats"
in_the_field = pytest.mark.skipif(not FIELD.is_dir(), reason="needs the inputs of the field")
LONG = 200_000
ONE_FIRST = [
    pytest.param(name, json.loads(text.split("\n")[0] if text.startswith("{") and "}\n{" in text else text), id=f"{name}-{n}")
    for name in TEXTS
    for n, text in enumerate(texts(name))
    if text.startswith("{") and name not in ("links", "sacr", "tagged", "quotes", "clusters", "rows", "s2and")
]
"""Formats of JSON, each with the first object of a sample."""


@cache
def long_corpus(document, has_words, has_items):
    """One document, far longer than what is looked at, with mentions or items, whichever a format holds."""
    builder = CorpusBuilder("x")
    words = ["owls", "like", "tea", "."] * (15_000 if has_words else 40_000)
    builder.document(document, words, range(0, len(words), 4))
    for n in range(0, len(words), 4):
        builder.mention(n, n + 1, "owls")
        builder.mention(n + 2, n + 3, str(n % 16))
    if not has_items:
        return builder.corpus()
    items = CorpusBuilder("x")
    items.document(document)
    for n in range(25_000):
        items.item(f"the-long-record-{n}", str(n // 3))
    return items.corpus()


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("name", inputs.written())
def test_what_is_written_with_a_long_first_document_is_detected(name, tmp_path):
    holds = load_format(name).holds
    corpus = long_corpus("" if name == "s2and" else "d", "words" in holds, "items" in holds)
    inputs.write(corpus, tmp_path / "x", format=name, lossy=True)
    file = tmp_path / "x"
    assert sum(path.stat().st_size for path in tmp_path.glob("x*")) > LONG
    assert inputs.detect(file) == name


@pytest.mark.parametrize(("name", "first"), ONE_FIRST)
@pytest.mark.parametrize("padding", ["word " * (LONG // 5), ["word"] * (LONG // 8), [{"a": [[1, 2]]}] * (LONG // 16)])
@pytest.mark.parametrize("indent", [None, 1])
def test_keys_behind_a_long_value_tell_as_others_do(name, first, padding, indent):
    before = json.dumps(first, indent=indent)
    assert inputs.detect(source_of(before)) == name
    assert inputs.detect(source_of(json.dumps({"padding": padding, **first}, indent=indent))) == name


@in_the_field
@pytest.mark.parametrize("file", ["a.preco", "a.maverick.json", "a.elit.json", "a.doccano.jsonl", "a.prodigy.jsonl"])
def test_long_first_documents_of_the_field_are_detected_and_read(file):
    path = FIELD / "detection-64k" / file
    corpus = inputs.read(path)
    assert corpus.format == file.split(".")[1]
    assert np.bincount(corpus.entity).tolist() == [1 if file == "a.prodigy.jsonl" else 2]


def test_damaged_json_that_is_long_is_told_by_what_was_seen():
    text = json.dumps({"doc_key": "d", "sentences": [["word"] * HEAD], "clusters": []})
    for damaged in (text[:-9], text.replace('"word", ', '"word"; ', 1), "{" + text):
        with pytest.raises(FormatError, match="is not JSON"):
            read_text(damaged, "jsonlines")
    assert inputs.detect(source_of(text[:-9])) == "jsonlines"


def test_tei_with_a_long_header_is_detected():
    sample = texts("tei")[0]
    before, tag, after = sample.partition(">")
    longer = f"{before}{tag}<teiHeader><p>{'Of a text. ' * (LONG // 11)}</p></teiHeader>{after}"
    assert inputs.detect(source_of(sample)) == inputs.detect(source_of(longer)) == "tei"


FOLDERS = FIELD / "readme-in-folder"
LEFT_OUT = r"^.*: left out 1 file as no annotation \((README\.md|LICENSE|zz\.md)\)$"


@in_the_field
@pytest.mark.parametrize(
    ("folder", "format", "mentions"),
    [("with", "conll", 4), ("resp", "conll", 0), ("jl", "jsonlines", 2), ("br", "brat", 2), ("cu", "corefud", 1),
     ("ud", "corefud", 1), ("plain", "conll", 4), ("gpl", "corefud", 1), ("last", "conll", 4)],
)  # fmt: skip
@pytest.mark.parametrize("named", [False, True])
def test_descriptions_and_licences_do_not_decide(folder, format, mentions, named):
    with pytest.warns(RefereeWarning, match=LEFT_OUT) as said:
        corpus = inputs.read(FOLDERS / folder, format=format if named else None)
    assert (corpus.format, len(corpus.document), len(said)) == (format, mentions, 1)
    assert inputs.detect(FOLDERS / folder) == format


def folder_of(folder, **contents):
    """The folder with these files, whose names have __ for a point."""
    folder.mkdir()
    for name, content in contents.items():
        (folder / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return folder


CONLL = "#begin document (a); part 000\na 0 0 Ann (0)\n\n#end document\n"
MARKED = "[Ann](#1) saw [her](#1) dog.\n"


def test_the_format_of_most_files_decides_and_the_others_are_counted(tmp_path):
    jsonl = '{"doc_key": "%s", "sentences": [["Ann"]], "clusters": []}\n'
    folder = folder_of(tmp_path / "x", a__conll=CONLL, b__jsonl=jsonl % "b", c__jsonl=jsonl % "c", run__sh="#!/bin/sh\n")
    with pytest.warns(RefereeWarning) as said:
        assert inputs.read(folder).doc_ids == ("b", "c")
    assert sorted(str(warning.message) for warning in said) == [
        f"{folder}: left out 1 file as no annotation (run.sh)",
        f"{folder}: left out 1 file of another ending or format, conll (a.conll); read jsonlines: name another with --format",
    ]
    with pytest.warns(RefereeWarning, match="as no annotation"):
        assert len(inputs.read(folder, format="conll").document) == 1


def test_a_folder_of_answers_in_markdown_is_read(tmp_path):
    folder = folder_of(tmp_path / "x", a__md=MARKED, b__md=MARKED, README__md="# Answers\n")
    with pytest.warns(RefereeWarning, match=r"left out 1 file as no annotation \(README\.md\)"):
        assert inputs.read(folder).doc_ids == ("a", "b")


def test_what_is_hidden_is_no_part_of_a_folder(tmp_path):
    folder = folder_of(tmp_path / "x", a__conll=CONLL)
    folder_of(folder / ".git", b__conll=CONLL, c__conll=CONLL)
    assert len(inputs.read(folder).document) == 1


NO_ANNOTATION = [
    "#!/bin/sh\ngrep '[x|y]' in > out\n",
    "def rows(table):\n    for [name|other] in table:\n        yield name\n",
    "# A corpus\n\nEach line holds `[word|tag]`.\n",
    "- [Usage](#usage)\n- [Licence](#licence)\n\nUse it well.\n",
    "Copyright {year} {name of the owner}\n\n    {description}\n",
    "int main() {\n  if (a[x|y]) {\n    return a;\n  }\n}\n",
    "\\section{On owls}\nThe \\emph{tawny owl} and the {\\bf barn owl}.\n",
    '<doc id="1" url="http://x" title="Owls">\nOwls are birds.\n</doc>\n',
    '{"name": "owls", "version": "1.0", "files": ["a", "b"], "scripts": {"test": "x"}}\n',
    "1.0e-01 2.0e-01\n3.0e-01 4.0e-01\n",
    "---\nname: owls\non: push\n---\n",
    "貓子 猫子 [mao1 zi5] /kitten/\n貓狗 猫狗 [mao1 gou3] /pets/\n狗子 狗子 [gou3 zi5] /puppy/\n狗貓 狗猫 [gou3 mao1] /pets/\n",
    "猫 [ねこ] /(n) cat/\n犬 [いぬ] /(n) dog/\n子猫 [こねこ] /(n) (1) kitten/(2) young cat/\n",
    "cat [n 1] a small animal\ndog [n 1] a larger animal\nrun [v 1] to go fast\nrun [n 2] an act of running\n",
    (
        "The war began in 1914 [1] and ended in 1918 [2]. Historians [1] disagree on its causes [3].\n\n[1] "
        "Smith 2001.\n[2] Jones 2002.\n[3] Brown 2003.\n"
    ),
    "Tom [1] went home. His dog [2] barked at Tom [1] and at the cat [3]. The dog [2] slept.\n",
    "See [the docs](docs/a.md) and [the guide](docs/b.md), or [the docs](docs/a.md) again. [Home](#home).\n",
    "See [the docs][1] and [the guide][2], or [the docs][1] again.\n\n[1]: http://a.b/c\n[2]: http://a.b/d\n",
    "'''Ann''' (born [[1970]]) is an [[English people|English]] writer. She lives in [[London|the city]].\n",
    "[[Cat|The cat]] saw [[Dog|the dog]]. Then [[Cat|the animal]] ran, and [[Dog|it]] too, to [[London]].\n",
    "The/DT cat/NN sat/VBD on/IN the/DT mat/NN ./.\nThe/DT dog/NN ran/VBD ./.\n",
    "let a[1] be x and a[2] be y then swap a[1] with a[2] and print a[1]\n",
    "[2024-01-01 12:00:01] INFO start\n[2024-01-01 12:00:02] INFO stop\n",
    "[Speaker 1] Hello there.\n[Speaker 2] Hi, how are you?\n[Speaker 1] Fine.\n[Speaker 2] Good.\n",
    "[Verse 1]\nI saw her there\n[Chorus]\nOh oh\n[Verse 2]\nShe went away\n[Chorus]\nOh oh\n",
    "[G]Amazing [C]grace how [G]sweet the [D7]sound\nThat [G]saved a [C]wretch like [G]me\n",
    "[1:1] In the beginning was the word.\n[1:2] The same was in the beginning.\n[2:1] And the third day.\n",
    "The parties (a) agree and (b) consent that (a) clause (1) and (b) clause (2) of section (1) apply.\n",
    "It was shown (Smith, 2010) that this holds (Jones, 2011), contrary to (Smith, 2010) and [Brown 1999].\n",
    "Ann was born in 1970【4†source】. She lives in London【5†source】 and writes【4†source】.\n",
    '<ENAMEX TYPE="PERSON">Tom</ENAMEX> saw <ENAMEX TYPE="PERSON">Ann</ENAMEX> in <ENAMEX TYPE="LOC">Rome</ENAMEX>.\n',
    '<p class="a">Hello <b>you</b></p><p class="a">Hi <a href="x.html">there</a> and <a href="x.html">here</a></p>\n',
    "As \\cite{smith01} says, \\emph{all} is \\cite{jones02}; see \\ref{sec1} and \\cite{smith01}.\n",
    "@article{smith01,\n author={Smith, J},\n year={2001}\n}\n@article{jones02,\n author={Jones, A},\n year={2001}\n}\n",
    "- [x] buy milk\n- [ ] call Ann\n- [x] write\n",
    "(S (NP (DT The) (NN cat)) (VP (VBD sat)))\n(S (NP (DT The) (NN dog)) (VP (VBD ran)))\n",
    '[1] 0.5 0.4 0.3\n[4] 0.2 0.1 0.0\n[1] "a" "b"\n',
    "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello Tom\n\n00:02.000 --> 00:03.000\n<v Tom>Hello Ann\n",
    '[Event "Open"]\n[Site "London"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 1-0\n',
    "Water is H₂O and carbon dioxide is CO₂, while hydrogen is H₂ and oxygen is O₂.\n",
    "Let x₁ and x₂ be numbers with x₁ + x₂ = 1, so that x₁ is 1 minus x₂.\n",
    "Let $x_1$ and $x_2$ be given. Then $x_1 + x_2 = 3$ and f(x_1) = f(x_2).\n",
    "[Tom](PER) went to [Rome](LOC) with [Ann](PER).\n",
    "- I want a [hotel](place) in [Rome](city) and a [bar](place) in [Paris](city)\n",
    "[ARG0 The cat] [V ate] [ARG1 the fish] and [ARG0 the dog] [V drank] [ARG1 water].\n",
    "[ARG0: The cat] [V: ate] [ARG1: the fish] and [ARG0: the dog] [V: drank] [ARG1: water].\n",
    "我 [wo3] ai4 [ni3 hao3] he [wo3 ai4] ni [ni3 men5] ta [ta1 men5]\n",
    "[Q1] What is it? [A1] A dog. [Q2] Where is it? [A2] Here. [Q1] What again?\n",
    "- Fix a bug ([#12](http://a/12)) by [@ann](http://a/ann)\n- Add it ([#13](http://a/13)) by [@ann](http://a/ann)\n",
    "Dear {{name}}, {{#if x}}your order{{/if}} {{name}} {{order|upper}} {{name|upper}} {{x|upper}}\n",
    "[Illustration: The cat]\n\nThe cat sat. [Footnote 1: A cat.] It ran. [Footnote 2: A dog.] [Illustration: The dog]\n",
    "Paris[1] is the capital of France[2] and a city.[1] It has two million people.[3] France[2] is large.\n",
]


@pytest.mark.parametrize("text", NO_ANNOTATION)
def test_code_descriptions_and_licences_are_no_annotation(text):
    with pytest.raises(FormatError, match=r"looks like none of the .*--format"):
        inputs.detect(source_of(text))


@in_the_field
@pytest.mark.parametrize("file", ["a.py", "a.sh", "README.md", "table.tsv", "README.txt"])
def test_no_text_of_the_field_is_taken_for_annotation(file):
    with pytest.raises(FormatError):
        inputs.read(FIELD / "any-text-as-tagged" / file)


@in_the_field
@pytest.mark.parametrize(("file", "what"), [("a.conllup", "CoNLL-U Plus"), ("a.xtsv", "a table of words with their lemmas")])
def test_annotation_that_is_not_read_is_refused_by_its_name(file, what):
    with pytest.raises(FormatError, match=f"{file}: is {what}.*convert it to CoNLL-U with Entity="):
        inputs.read(FIELD / "conllu-plus-as-tagged" / file)


def test_a_refusal_after_detection_names_other_formats():
    text = '{"text": "Ann left", "entities": 3, "relations": [], "clusters": []}\n'
    with pytest.raises(
        FormatError, match=r"; detected as doccano: name another with --format .*such as fastcoref or jsonlines$"
    ):
        read_text(text)
    with pytest.raises(FormatError) as refused:
        read_text(text, "doccano")
    assert "detected" not in refused.value.problem


def test_validate_says_what_it_read_and_each_warning_once(tmp_path):
    folder = folder_of(tmp_path / "x", a__conll=CONLL, README__md="# Read me\n")
    done = referee("validate", folder, folder / "a.conll")
    assert (done.status, done.err.count("left out")) == (0, 1) and "said" not in done.err
    assert done.out.count(": no errors (texts: conll; 1 document, 1 mention, 1 entity)\n") == 2
    (tmp_path / "answer.txt").write_text(MARKED, encoding="utf-8")
    assert (
        "(texts: tagged (notation links); 1 document, 2 mentions, 1 entity)" in referee("validate", tmp_path / "answer.txt").out
    )
