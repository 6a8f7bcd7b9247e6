"""Which documents are compared: the same selection in every verb and in Python."""

import base64
import gzip
import json
import re
from pathlib import Path
from zlib import crc32

import pytest

import referee
from referee.basics.exceptions import MismatchError, OptionError, RefereeError, RefereeWarning, UnknownNameError
from tests.support.command import referee as run

pytestmark = pytest.mark.filterwarnings("ignore:.*(their mentions count as|has no mentions)")

KEY = {
    "bc/news_1": [[(0, 1), (2, 3)], [(4, 5)]],
    "bc/news_2_0": [[(0, 1), (2, 3), (4, 5)]],
    "nw/tale": [[(0, 1), (6, 7)]],
}
RESPONSE = {
    "bc/news_1": [[(0, 1), (2, 3)], [(4, 5)]],
    "bc/news_2": [[(0, 1), (2, 3)], [(4, 5)]],
    "nw/tale": [[(0, 1)], [(6, 7)]],
    "web/more": [[(0, 1), (2, 3)]],
}
GENRES = {"bc/news_1": {"genre": "news"}, "bc/news_2": {"genre": "news"}, "nw/tale_0": {"genre": "tale"}}
TWO = ("bc/news_1", "bc/news_2_0")


@pytest.mark.parametrize(
    ("selection", "documents"),
    [
        ({"documents": "bc/news_1"}, TWO[:1]),
        ({"documents": "bc/news_2"}, TWO[1:]),
        ({"documents": "bc/news_2_0"}, TWO[1:]),
        ({"documents": ["bc/*"]}, TWO),
        ({"documents": ["bc/news_1", "nw/*"]}, ("bc/news_1", "nw/tale")),
        ({"documents": "web/*"}, ("web/more",)),
        ({"documents": lambda document: len(document.entities) == 1}, ("bc/news_2_0", "nw/tale", "web/more")),
        ({"where": "prefix=bc"}, TWO),
        ({"where": {"prefix": ["nw", "web"]}}, ("nw/tale", "web/more")),
        ({"where": "genre=news", "metadata": GENRES}, TWO),
        ({"where": ["genre=news", "genre=tale"], "metadata": GENRES}, (*TWO, "nw/tale")),
        ({"where": ["genre=news", "prefix=bc/news_1"], "metadata": GENRES}, TWO[:1]),
    ],
)
def test_only_the_selected_documents_are_compared(selection, documents):
    evaluation = referee.score(KEY, RESPONSE, metrics="muc", **selection)
    alone = {name: entities for name, entities in KEY.items() if name in documents}
    answers = {name: entities for name, entities in RESPONSE.items() if name in documents or f"{name}_0" in documents}
    assert evaluation.documents == documents
    assert repr(evaluation["muc"]) == repr(referee.score(alone, answers, metrics="muc")["muc"])
    assert f"documents:{len(documents)}-of-4" in evaluation.signature


def test_a_selection_by_hand():
    # MUC of news_1 is 1/1; of news_2 it is 1/2 and 1/1.
    evaluation = referee.score(KEY, RESPONSE, metrics="muc", documents="bc/*")
    assert (evaluation["muc"].recall, evaluation["muc"].precision) == (2 / 3, 1.0)


@pytest.mark.parametrize(
    ("selection", "signed"),
    [
        ({"documents": "bc/*"}, "documents:2-of-4 | selected:bc/*"),
        ({"documents": ["bc/*", "nw/tale"]}, "documents:3-of-4 | selected:bc/*+nw/tale"),
        ({"where": "prefix=bc"}, "documents:2-of-4 | where:prefix=bc"),
        (
            {"documents": lambda document: document.name.startswith("bc")},
            f"documents:2-of-4 | selected:crc32-{crc32(b'bc/news_1' + bytes([10]) + b'bc/news_2_0'):08x}",
        ),
    ],
)
def test_the_signature_says_which(selection, signed):
    evaluation = referee.score(KEY, RESPONSE, **selection)
    assert evaluation.signature.endswith(signed)
    assert "d:" in evaluation.short_signature


def test_a_name_goes_before_a_pattern():
    key = {"a[1]": [{1, 2}], "a1": [{1, 2}]}
    assert referee.score(key, key, documents="a[1]").documents == ("a[1]",)
    assert referee.score(key, key, documents="a[0-9]").documents == ("a1",)


def test_documents_are_selected_by_their_words(tmp_path):
    text = [{"doc_key": f"d{n}", "sentences": [["w"] * n], "clusters": [[[0, 0], [1, 1]]]} for n in (2, 5, 9)]
    path = tmp_path / "key.jsonlines"
    path.write_text("".join(json.dumps(line) + "\n" for line in text))
    for how, documents in (
        ({"min_tokens": 5}, ("d5", "d9")),
        ({"max_tokens": 5}, ("d2", "d5")),
        ({"min_tokens": 3, "max_tokens": 5}, ("d5",)),
    ):
        assert referee.score(path, path, **how).documents == documents
    assert (
        run("score", path, path, "--min-tokens", "3", "--max-tokens", "5")
        .out.rstrip()
        .endswith("documents:1-of-3 | min-tokens:3 | max-tokens:5")
    )


@pytest.mark.parametrize(
    ("selection", "problem"),
    [
        ({"documents": "bc/new_1"}, "no document named 'bc/new_1'; near names: bc/news_1, bc/news_2_0"),
        ({"documents": "bc/news_1,nw/tale"}, "give each by itself: --documents bc/news_1 --documents nw/tale"),
        ({"documents": []}, "documents are names or patterns"),
        ({"documents": 3}, "documents are names or patterns"),
        ({"documents": ["bc/*", "zzz"]}, "no document named 'zzz'; the first of 4"),
        ({"documents": lambda document: False}, "no document of 4 fits the function; expected at least one"),
        ({"documents": "bc/*", "where": "prefix=nw"}, "no document of 4 fits"),
        ({"where": "genre"}, "where is FIELD=VALUE, as genre=news; found 'genre'"),
        ({"where": "genre=news"}, "expected --metadata FILE with the field genre, or --documents PATTERN"),
        ({"where": "genre=newz", "metadata": GENRES}, "no genre named 'newz'; did you mean news?"),
        ({"where": "gender=f", "metadata": GENRES}, "no field named 'gender'; did you mean genre?"),
        (
            {"where": "genre=news", "metadata": {"bc/news_1": {"genre": "news"}}},
            "metadata lacks 2 documents, first 'bc/news_2_0'",
        ),
        ({"metadata": GENRES}, "metadata is for where"),
        ({"min_tokens": 1}, "has no words; expected a text"),
        ({"min_tokens": -1}, "min_tokens is a number of words"),
        ({"min_tokens": 3, "max_tokens": 2}, "expected no more than that"),
    ],
)
def test_what_selects_nothing_is_refused(selection, problem):
    with pytest.raises(RefereeError) as error:
        referee.score(KEY, RESPONSE, **selection)
    assert problem in str(error.value)


def test_records_have_no_documents():
    with pytest.raises(OptionError, match="found tables of records"):
        referee.score([0, 0, 1], [0, 1, 1], documents="x")
    done = run("score", "examples/records.key.csv", "examples/records.response.csv", "--documents", "x")
    assert (done.status, len(done.errors)) == (2, 1)


COREFUD = """\
# newdoc id = one
# global.Entity = eid-etype-head-other
# meta::genre = news
# meta::title = A = B
# sent_id = one-1
# s_type = decl
1\tAnn\t_\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)
2\tshe\t_\tPRON\t_\t_\t1\t_\t_\tEntity=(e1-person-1-)

# newdoc id = two
# genre = tale
1\tTom\t_\tPROPN\t_\t_\t0\t_\t_\tEntity=(e2-person-1-)

"""


@pytest.fixture
def corefud(tmp_path):
    path = tmp_path / "key.conllu"
    path.write_text(COREFUD)
    return path


def test_comments_of_corefud_files_are_fields(corefud):
    corpus = referee.read(corefud)
    assert corpus.metadata == {"one": {"genre": "news", "title": "A = B"}, "two": {"genre": "tale"}}
    assert referee.score(corefud, corefud, where="genre=tale").documents == ("two",)
    done = run("score", corefud, corefud, "--where", "title=A = B", "-m", "muc")
    assert "documents:1-of-2 | where:title=A%20%3D%20B" in done.out
    folder = corefud.parent / "folder"
    folder.mkdir()
    (folder / "a.conllu").write_text(COREFUD)
    (folder / "b.conllu").write_text(COREFUD.replace("one", "three").replace("two", "four"))
    assert referee.score(folder, folder, where="genre=news").documents == ("one", "three")


def test_texts_of_objects_in_json_lines_are_fields(tmp_path):
    path = tmp_path / "key.jsonlines"
    lines = [
        {"doc_key": f"d{n}", "genre": genre, "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]], "split": "dev"}
        for n, genre in enumerate(("news", "tale"))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert referee.read(path).metadata == {
        f"d{n}": {"genre": genre, "split": "dev"} for n, genre in enumerate(("news", "tale"))
    }
    assert referee.score(path, path, where="genre=tale").documents == ("d1",)


def documents_in(page):
    packed = re.search(r'id="overview">([A-Za-z0-9+/=]*)<', page.read_text())[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))["documents"]


def test_every_verb_takes_the_same_selection(tmp_path):
    key, response, second = "examples/key.conll", "examples/response.conll", "examples/second.jsonlines"
    page, site = tmp_path / "page.html", tmp_path / "site"
    how = ("--documents", "orch*")
    for verb, *files in (("score", key, response), ("errors", key, response), ("compare", key, response, second)):
        done = run(verb, *files, *how)
        assert (done.status, "documents:1-of-2 | selected:orch*" in done.out) == (0, True), done.err
    assert run("inspect", key, response, *how, "-o", page).status == 0
    assert documents_in(page) == ["orchard"]
    assert run("inspect", key, *how, "-o", page).status == 0
    assert documents_in(page) == ["orchard"]
    assert run("board", key, response, second, *how, "-o", site).status == 0
    assert "documents:1-of-2" in (site / "index.html").read_text()
    assert (
        referee.errors(key, response, documents="orch*").counts
        == referee.score(key, response, documents="orch*").errors().counts
    )


def test_metadata_may_be_a_file_and_go_by_either_name(tmp_path):
    table = tmp_path / "documents.tsv"
    table.write_text("document\tgenre\norchard_0\ttale\nlighthouse\tnews\n")
    for verb in ("score", "errors", "compare"):
        done = run(verb, "examples/key.conll", "examples/response.conll", "--where", "genre=tale", "--metadata", table)
        assert "documents:1-of-2 | where:genre=tale" in done.out, done.err
    done = run("score", "examples/key.conll", "examples/response.conll", "--by", "genre", "--metadata", table)
    assert done.status == 0, done.err


def test_a_corpus_of_some_documents():
    key = referee.read("examples/key.conll")
    few = key.select([d for d in key if d.name == "orchard"])
    assert few == key.select("orchard") == key.select(lambda d: d.name.startswith("o")) == key.select(["o*"])
    assert few.doc_ids == ("orchard",)
    assert key.select(lambda d: False).doc_ids == ()
    with pytest.raises(UnknownNameError, match="no document named 'orchart'; near names: orchard"):
        key.select("orchart")
    with pytest.raises(OptionError, match="of another corpus"):
        few.select([key["lighthouse"]])
    with pytest.raises(OptionError, match="expected names or patterns"):
        key.select(3)


def test_other_documents_may_have_other_words(tmp_path):
    response = tmp_path / "response.conll"
    response.write_text(
        Path("examples/response.conll").read_text().replace("lighthouse", "tower").replace("(tower)", "(lighthouse)")
    )
    with pytest.raises(MismatchError):
        referee.score("examples/key.conll", response)
    expected = referee.score("examples/key.conll", "examples/response.conll", documents="orchard")
    assert referee.score("examples/key.conll", response, documents="orchard")["conll"] == expected["conll"]


def test_a_document_that_the_response_lacks_is_missed():
    with pytest.warns(RefereeWarning, match="1 of 1 documents of <key> are not in <response>: x; .* missed"):
        evaluation = referee.score({"x": [{1, 2}]}, {"y": [{1, 2}], "z": [{1}]}, documents="x")
    assert evaluation["mentions"].recall == 0
