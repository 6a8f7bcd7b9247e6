"""What does not work names what does."""

import webbrowser

import pytest

from referee import FormatError, RefereeError, Resampling, inputs, read
from referee.pages.board import write_board
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"


def refused(*arguments, cwd=None):
    done = referee(*arguments, cwd=cwd)
    assert (done.status, done.out, len(done.errors)) == (2, "", 1)
    return done.err


def test_plain_text_is_for_resolve_and_tags_are_for_phrases(tmp_path):
    text, tags = tmp_path / "a.txt", tmp_path / "a.iob"
    text.write_text("Ann met Bob. She liked him.\n")
    tags.write_text("Ann\tB-PER\nsaw\tO\nBob\tB-PER\n\n")
    assert "of a plain text, referee resolve finds the entities" in refused("score", text, RESPONSE)
    assert "of a plain text, referee resolve finds the entities" in referee("validate", text).out
    assert "referee resolve" not in refused("score", tags, tags)
    assert "referee phrases score KEY RESPONSE" in refused("score", tags, tags)
    assert "# global.Entity" in referee("resolve", text).out


@pytest.mark.parametrize(
    "text",
    [
        "Ann bought a house in May. Her brother Tom helped her, but he fell off.\n",
        "Ann met Bob in May, and left.\nShe came home at six, and slept.\n",
        "Ann, a painter, bought it.\nTom, her brother, fell off it.\nThe ladder, a new one, broke.\n",
        "Das Haus ist alt; es ist kaputt.\n",
    ],
)
@pytest.mark.parametrize("verb", ["inspect", "score", "validate", "convert"])
def test_prose_with_commas_is_no_table(verb, text, tmp_path):
    story = tmp_path / "story.txt"
    story.write_text(text)
    more = {"score": [RESPONSE], "convert": [tmp_path / "a.conll"]}.get(verb, [])
    done = referee(verb, story, *more)
    assert "referee resolve finds the entities" in done.out + done.err
    assert "header" not in done.out + done.err


@pytest.mark.parametrize(
    "table", ["Ann Smith, Acme Inc.\nBob Miller, Acme Inc.\n", "Ann Smith of York, person 1\nAnn Smyth of York, person 2\n"]
)
def test_a_table_of_many_words_is_no_prose(table, tmp_path):
    path = tmp_path / "k.csv"
    path.write_text(table)
    assert inputs.detect(path) == "csv"


def test_no_remedy_is_cut_out_of_a_message(tmp_path):
    path = tmp_path / "k.csv"
    long = "a" * 400
    path.write_text(f"{long},{long}\nb{long},c{long}\n")
    said = refused("score", path, path)
    assert "If so say --key-columns item=" in said
    assert "; if it is data --key-columns item=1,entity=2, or left=1,right=2" in said
    problem = f"found '{long}' and {long}; " + "expected another name of one word, " * 8 + "or --lossy"
    told = str(FormatError("k.csv", 1, problem))
    assert problem[problem.index("expected") :] in told
    assert long not in told


@pytest.mark.parametrize(
    "call",
    [
        ("agree", KEY, RESPONSE, "--adjudicate", "todo.tsv"),
        ("agree", KEY, RESPONSE, "--merged", "todo.tsv"),
        ("sample", KEY, RESPONSE, "--write", "todo.tsv"),
        ("convert", KEY, "todo.tsv", "--lossy"),
        ("resolve", EXAMPLES / "story.conllu", "-o", "todo.tsv"),
    ],
    ids=lambda call: call[0],
)
def test_the_ending_of_two_formats_decides_for_none(call, tmp_path):
    assert "expected --to webanno (WebAnno and INCEpTION), or --to tsv" in refused(*call, cwd=tmp_path)
    assert not [*tmp_path.iterdir()]


def test_the_ending_of_two_formats_is_one_for_records(tmp_path):
    (tmp_path / "k.csv").write_text("item,entity\na,1\nb,1\n")
    assert referee("convert", "k.csv", "k.tsv", cwd=tmp_path).status == 0
    with pytest.raises(RefereeError, match="--to webanno"):
        inputs.write(read(KEY), tmp_path / "x.tsv")


def test_a_page_is_opened_only_on_request(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or len(opened) == 1)

    def run(*more):
        return referee("inspect", KEY, RESPONSE, *more, cwd=tmp_path)

    run("-o", "a.html")
    assert opened == []
    run("-o", "a b.html", "--open")
    assert opened == [(tmp_path / "a b.html").as_uri()]
    assert "found no browser to open a.html" in run("-o", "a.html", "--open").err
    assert "--open opens a file; found -o -" in run("-o", "-", "--open").err


def test_a_sample_says_how_scores_of_all_are_had():
    disputed = referee("sample", KEY, RESPONSE).out
    assert "harder than others" in disputed and "--random N adds documents whose scores are not biased" in disputed
    remedy = "referee score KEY RESPONSE --extra-documents ignore --intervals estimates scores of"
    both = referee("sample", KEY, RESPONSE, "--random", 1).out
    assert f"with a key of the random ones alone, {remedy} all not chosen by disagreement" in both
    drawn = referee("sample", KEY, RESPONSE, "-n", 0, "--random", 1).out
    assert f"with a key of these, {remedy} all documents" in drawn and "harder" not in drawn


def test_the_responses_of_a_board_are_files_or_in_a_folder(tmp_path):
    folder = tmp_path / "systems"
    folder.mkdir()
    for path in (KEY, RESPONSE):
        (folder / path.name).write_bytes(path.read_bytes())
    resampling = Resampling(resamples=100)
    files = write_board(str(KEY), [str(KEY), str(RESPONSE)], tmp_path / "a", resampling=resampling)
    named = write_board(str(KEY), [str(folder)], tmp_path / "b", resampling=resampling)
    assert files.systems == named.systems == ["key", "response"]
    assert "twice; expected different files" in refused("board", KEY, KEY, KEY, "-o", tmp_path / "c")


def test_records_are_drawn_by_hand_and_a_page_is_no_response(tmp_path):
    (tmp_path / "r.csv").write_text("id,entity\na,1\nb,1\nc,2\n")
    for files in (["r.csv"], ["r.csv", "r.csv"]):
        done = referee("sample", *files, "-n", "1", "--names", ",".join("ab"[: len(files)]), cwd=tmp_path)
        assert done.status == 2
        assert "r.csv is one table of records, and documents are chosen; expected for records: choose records" in done.err
        assert "referee estimate --weights inverse-size" in done.err
    done = referee("inspect", "r.csv", "r.csv", "p.html", cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "found p.html as a response, which is not there; expected an annotation: inspect(...).save('p.html')" in done.err
