"""Answers with marks are scored as the same annotation in CoNLL; what is damaged is repaired and counted."""

import json
import random

import pytest

from referee import FormatError, MismatchError, RefereeWarning, read, score
from referee.corpus import CorpusBuilder
from referee.formats.shared.source import Source
from referee.inputs import detect
from tests.support.answers import DAMAGES, TAGGED, Text, nesting, quoted, texts, without_loss, written
from tests.support.command import referee
from tests.support.paths import EXAMPLES, SHARED

KEY = EXAMPLES / "key.conll"
DATA = SHARED / "conformance"
in_kit = pytest.mark.skipif(not DATA.is_dir(), reason="needs the conformance kit, ../shared/conformance")


def dog(*spans):
    """A key of one document."""
    builder = CorpusBuilder("key")
    builder.document("d", ["Tom", "saw", "his", "dog", ".", "He", "[", "Tom", "]", "fed", "it", "."], [0, 5])
    for span in spans:
        builder.mention(*span)
    return builder.corpus()


WANTED = [(0, 1, "t"), (2, 3, "t"), (2, 4, "d"), (5, 6, "t"), (10, 11, "d")]
ANSWERS = {
    "links": "[Tom](#1) saw [[his](#1) dog](#2). [He](#1) [ Tom ] fed [it](#2).",
    "numbered": "<m>Tom</m>#1 saw <m><m>his</m>#1 dog</m>#2. <m>He</m>#1 [Tom] fed <m>it</m>#2.",
    "columns": "Tom|[1] saw his|[2,[1] dog|2] . He|[1] [ Tom ] fed it|[2] .",
    "actions": "<m> Tom | 1 </m> saw <m> <m> his | 1 </m> dog | 2 </m> . <m> He | 1 </m> [ Tom ] fed <m> it | 2 </m> .",
    "tanl": "[ Tom ] saw [ [ his | Tom ] dog ] . [ He | his ] [ Tom ] fed [ it | his dog ] .",
}


def answered(text, key=None, **options):
    """The mentions of an answer on the words of a key, what was repaired, and the F of LEA."""
    found = score(key or dog(*WANTED), read(Source("answer.txt", text.encode())), **options)
    response = found.pair.unfiltered.response
    spans = list(zip(response.start.tolist(), response.end.tolist(), strict=True))
    return sorted(spans), found.pair.repairs, found["lea"].value


@pytest.mark.parametrize("notation", ANSWERS)
def test_each_notation_says_the_same(notation):
    assert answered(ANSWERS[notation]) == (sorted(span[:2] for span in WANTED), {}, 1.0)
    assert detect(Source("answer.txt", ANSWERS[notation].encode())) == "tagged"


REPAIRS = {
    "Sure!\n```\n" + ANSWERS["links"] + "\n```": {"code fences removed": 2, "passages beside the answer left out": 1},
    "[tom](#1) saw [[his](#1) cat](#2). [He](#1) [ Tom ] fed [it](#2).": {"words written in another way": 2},
    "[Tom](#1) saw [[his](#1) big dog](#2). [He](#1) [ Tom ] [it](#2).": {"missing words": 1, "added words": 1},
    "[Tom](#1) saw [[his](#1) dog](#2). [He](#1) [ Tom ] fed [it](#2). [Santa](#3)": {
        "added words": 1, "mentions in added text counted as spurious": 1,
    },
    "[Tom](#1) saw [[his](#1) dog](#2). [He](#1) [ Tom ] fed [it](#2": {"missing words": 1, "closing marks completed": 1},
    "[Tom](#1) saw [[his](#1) dog](#2). [He](#1) [ Tom ] fed [it](#) .": {"mentions without an entity taken for singletons": 1},
    "[Tom](#1) saw [[his](#1) dog](#2) ](#1). [He](#1) [ Tom ] fed [it](#2)": {
        "closing marks without a beginning left out": 1, "missing words": 1,
    },
    "Tom|[1] saw his|[2,[1] dog . He|[1] [ Tom ] fed it|[2] .": {"unclosed mentions ended with their sentences": 1},
    ANSWERS["columns"] + " &#1;|[3": {  # a character that is no word
        "unclosed mentions ended with their sentences": 1, "mentions without words left out": 1, "escaped signs": 1,
    },
    "[ Tom ] saw [ [ his | Ann ] dog ] . [ He | his ] [ Tom ] fed [ it | his dog ] .": {
        "links to no earlier mention taken for new entities": 1,
    },
    "[Tom](#1) &lt; saw [[his](#1) dog](#2). [He](#1) [ Tom ] fed [it](#2).": {"added words": 1, "escaped signs": 1},
}  # fmt: skip


@pytest.mark.parametrize("text", REPAIRS)
def test_repairs_are_counted_and_said(text):
    with pytest.warns(RefereeWarning, match="repaired: "):
        _, repairs, value = answered(text)
    assert dict(repairs) == REPAIRS[text]
    assert value > 0.5


def test_marks_by_zeros():
    builder = CorpusBuilder("key")
    builder.document("d", ["Tom", "vino", "_", "y", "_", "fue"], [0])
    builder.empty_node(2, 1, 0)
    builder.empty_node(4, 1, 0)
    for span in ((0, 1, "t"), (2, 3, "t"), (4, 5, "t")):
        builder.mention(*span)
    for text in ("<m>Tom</m>#0 vino </z>@0 y </z>@0 fue", "Tom|[e1] vino ##|[e1] y ##|[e1] fue"):
        assert answered(text, builder.corpus()) == ([(0, 1), (2, 3), (4, 5)], {}, 1.0)


def test_several_documents(tmp_path):
    whole = [nesting(text) for text in texts(read(KEY))]
    answers = {text.name: written(text, "links") for text in whole}
    (tmp_path / "folder").mkdir()
    for name, answer in answers.items():
        (tmp_path / "folder" / f"{name}.txt").write_text(answer)
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(answers.values()))
    headings = tmp_path / "headings.txt"
    headings.write_text("Here they are.\n" + "\n".join(f"## Document: {name.title()}\n{a}" for name, a in answers.items()))
    objects = tmp_path / "objects.jsonl"
    objects.write_text("".join(json.dumps({"doc_id": name, "text": answer}) + "\n" for name, answer in answers.items()))
    for path in (tmp_path / "folder", lines, objects):
        assert score(KEY, str(path))["conll"].value == 1.0
    with pytest.warns(RefereeWarning, match="3 words outside of the documents left out"):
        assert score(KEY, str(headings))["conll"].value == 1.0


def test_what_cannot_be_scored_is_refused(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("[Nobody](#1) ever met [this](#2) text here, whose words are quite others in every way but for none at all")
    with pytest.raises(MismatchError, match="lacks the name of a document; the key has 2 documents"):
        score(KEY, path)
    with pytest.raises(MismatchError, match="is another text than key"):
        score(dog(*WANTED), path)
    path.write_text("no marks")
    with pytest.raises(FormatError, match="found no marks of mentions"):
        score(KEY, path, response_format="tagged")


@pytest.mark.parametrize("digits", [7, 19, 20, 5000])
def test_a_number_after_an_ampersand_may_have_any_length(tmp_path, digits):
    """Beyond the last sign, 0x10FFFF, there is none; Python converts no string of more than 4,300 digits."""
    path = tmp_path / "answer.txt"
    path.write_text(f"[Tom](#1) saw [[his](#1) dog](#2). &#{'9' * digits}; [He](#1) [ Tom ] fed [it](#2).")
    with pytest.warns(RefereeWarning, match="added"):
        assert score(dog(*WANTED), path, response_format="tagged")["conll"].value == 1.0


def test_the_command_reports_repairs(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("### lighthouse\n[Anna](#1) kept the lighthouse .\n### orchard\nno marks here")
    done = referee("score", KEY, path, "-m", "conll")
    assert done.status == 0
    assert "1 document cut off (in lighthouse)" in done.err
    assert "1 answer in which neither lists nor marks were found (in orchard: no marks here)" in done.err
    assert "| repaired:" in done.out
    assert "aligned-but-" in done.out


@pytest.mark.parametrize("notation", TAGGED)
@pytest.mark.parametrize(
    "mentions",
    [
        [(2, 7, "1"), (3, 5, "2")],  # [ Galois ' ] argument, and Galois ' in it
        [(3, 5, "1")],
        [(2, 6, "1")],
        [(2, 6, "1"), (3, 5, "2"), (10, 11, "3")],
        [(10, 11, "1"), (13, 14, "2")],  # the last bracket has no partner
        [(0, 1, "1"), (2, 7, "2"), (9, 12, "3"), (13, 14, "1")],
    ],
)
def test_brackets_of_the_text_are_in_the_mentions_that_enclose_pairs_of_them(mentions, notation):
    words = ["He", "called", "[", "Galois", "'", "]", "argument", "new", ".", "[", "4", "]", "[", "Example", ":", "use", "oh"]
    key = CorpusBuilder("key")
    key.document("d", words, [0])
    for mention in mentions:
        key.mention(*mention)
    answer = written(nesting(Text("d", words, mentions)), notation)
    found = score(key.corpus(), read(Source("answer.txt", answer.encode()), format=f"tagged:{notation}"))
    assert found["mentions"].value == found["b_cubed"].value == 1.0
    assert "repaired" not in found.signature


@in_kit
@pytest.mark.parametrize("name", ["gum", "litbank"])
def test_keys_in_tanl_are_read_as_they_are(name):
    """Those documents of GUM in which mentions have brackets, and some of LitBank."""
    key = read(DATA / name / f"{name}.key.conll.gz")
    bracketed = [n for n, words in enumerate(key.text.words) if not {"[", "]"}.isdisjoint(words.tokens)][:12]
    for n in bracketed:
        part = key.select_documents([n])
        [text] = map(nesting, texts(part))
        found = read(Source("answer.txt", written(text, "tanl").encode()), format="tagged:tanl")
        response = score(part, found, metrics=["mentions"]).pair.unfiltered.response
        spans = sorted(zip(response.start.tolist(), response.end.tolist(), strict=True))
        assert spans == sorted((start, end) for start, end, _ in text.mentions)


@pytest.fixture(scope="module")
def litbank():
    """Some documents of LitBank: the key, the texts of a response with nested mentions, and the scores of the latter."""
    key, response = (read(DATA / "litbank" / f"litbank.{side}.conll.gz") for side in ("key", "medium"))
    some = list(range(0, 100, 9))
    key, response = key.select_documents(some), response.select_documents(some)
    builder, nested = CorpusBuilder("response"), [nesting(text) for text in texts(response)]
    for text in nested:
        builder.document(text.name, text.tokens)
        for mention in text.mentions:
            builder.mention(*mention)
    return key, nested, score(key, builder.corpus())


@in_kit
@pytest.mark.parametrize("notation", TAGGED)
def test_scores_are_those_of_conll(notation, litbank):
    key, nested, expected = litbank
    answer = "".join(f"### {text.name}\n{written(text, notation)}\n" for text in nested)
    found = score(key, read(Source("answer.txt", answer.encode())))
    assert {m: found[m].value for m in found} == {m: expected[m].value for m in found}
    assert "tokens:same" in found.signature
    assert "repaired" not in found.signature


def test_damaged_answers_are_scored_or_refused():
    """The short version of ``benchmarks/answers.py``."""
    rng = random.Random(7)
    key = read(KEY)
    parts = [key.select_documents([n]) for n in range(2)]
    for n in range(240):
        part = parts[n % 2]
        text = nesting(texts(part)[0])
        notation = rng.choice([*TAGGED, "quotes"])
        answer = quoted(text) if notation == "quotes" else written(text, notation)
        assert without_loss(part, text, answer, notation, rng.choice(list(DAMAGES)), rng) is None
