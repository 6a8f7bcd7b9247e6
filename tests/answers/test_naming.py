"""Of which document an answer is: by a mapping, by the name of its file, or refused with the reason first."""

import json

import pytest

from referee import Answer, FormatError, MismatchError, RefereeWarning, score
from tests.support.command import referee

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")

KEY = [
    {"doc_key": "lake", "sentences": [["Anna", "saw", "her", "dog"]], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
    {"doc_key": "sea", "sentences": [["Tom", "fed", "his", "cat"]], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
]
LAKE = {
    "numbered list": '1. "Anna", "her"\n2. "her dog"\n',
    "numbered names": 'Here you are:\n\n1. Anna: ["Anna", "her"]\n2. Dog: ["her dog"]\n',
    "bullets": "- Anna, her\n- her dog\n",
    "names": "Anna: Anna, her\nDog: her dog\n",
    "markdown table": "| Entity | Mentions |\n|---|---|\n| Anna | Anna, her |\n| Dog | her dog |\n",
    "csv": "entity,mention\n1,Anna\n1,her\n2,her dog\n",
    "json": '{"Anna": ["Anna", "her"], "dog": ["her dog"]}',
    "marks": "[Anna](#1) saw [[her](#1) dog](#2)",
}


def of_sea(answer):
    """The same answer about the other document."""
    return answer.replace("Anna", "Tom").replace("her", "his").replace("dog", "cat").replace("Dog", "Cat").replace("saw", "fed")


@pytest.mark.parametrize("form", LAKE)
def test_a_mapping_holds_answers_in_every_notation(form, tmp_path):
    alone = LAKE[form]
    assert score(KEY[0], Answer(alone))["lea"].f1 == 1.0  # the notation works alone
    both = {"sea": of_sea(alone), "lake": alone}
    assert score(KEY, Answer(both))["lea"].f1 == 1.0
    (tmp_path / "answers.json").write_text(json.dumps(both))
    assert score(KEY, tmp_path / "answers.json")["lea"].f1 == 1.0
    with pytest.warns(RefereeWarning, match="not in .*: sea; .* --by document shows each"):
        assert score(KEY, Answer({"lake": alone}))["mentions"].recall == 0.5


@pytest.mark.parametrize("form", LAKE)
def test_a_file_that_is_called_like_a_document_is_about_it(form, tmp_path):
    path = tmp_path / "sea.md"
    path.write_text(of_sea(LAKE[form]))
    found = score(KEY, path, response_format="tagged" if form == "marks" else "quotes")
    assert (found["mentions"].recall, found["mentions"].precision) == (0.5, 1.0)
    assert found.by_document["lea"].recall[1] == found.by_document["lea"].precision[1] == 1.0


def test_headings_say_more_than_the_name_of_a_file(tmp_path):
    path = tmp_path / "sea.md"
    path.write_text(
        "".join(f"### {name}\n{text}\n" for name, text in (("lake", LAKE["bullets"]), ("sea", of_sea(LAKE["bullets"]))))
    )
    assert score(KEY, path, response_format="quotes")["lea"].f1 == 1.0


@pytest.fixture
def here(tmp_path):
    (tmp_path / "key.jsonlines").write_text("".join(json.dumps(document) + "\n" for document in KEY))
    (tmp_path / "answer.md").write_text(LAKE["numbered names"])
    return tmp_path


def test_an_answer_without_a_name_is_refused_with_the_reason_first(here):
    done = referee("score", "key.jsonlines", "answer.md", cwd=here)
    assert done.err.startswith(
        "referee: error: answer.md: as the answer of a language model, it lacks the name of a document; "
        "the key has 2 documents: lake, sea; expected files named as documents (lake.md), "
    )
    assert "…" not in done.err
    (here / "lake.md").write_text(LAKE["numbered names"])
    assert referee("score", "key.jsonlines", "lake.md", cwd=here).status == 0


def test_files_called_like_systems_are_no_documents(here):
    (here / "answers").mkdir()
    for system in ("gpt", "llama"):
        (here / "answers" / f"{system}.md").write_text(LAKE["numbered names"])
    done = referee("score", "key.jsonlines", "answers", cwd=here)
    assert (done.status, len(done.errors)) == (2, 1)
    assert "gpt, llama are no documents of the key; the key has 2 documents: lake, sea" in done.err
    assert "name files by documents, one folder a system" in done.err
    assert "in the text of" not in done.err


def test_a_format_of_answers_is_that_of_the_response(here):
    (here / "lake.md").write_text(LAKE["numbered list"])
    named = referee("score", "key.jsonlines", "lake.md", "--format", "quotes", "-q", cwd=here)
    assert named.out == referee("score", "key.jsonlines", "lake.md", "--response-format", "quotes", "-q", cwd=here).out != ""
    (here / "nothing.md").write_text("zzz\n")
    assert "name one with --response-format" in referee("score", "key.jsonlines", "nothing.md", cwd=here).err


def test_of_a_damaged_file_its_own_error_is_told(tmp_path):
    lines = [
        "#begin document (d); part 000",
        *(f"d 0 {n} w{n} - - - - - - - {b}" for n, b in enumerate(("(1)", "(1", "-"))),
        "",
    ]
    (tmp_path / "bad.conll").write_text("\n".join([*lines, "#end document", ""]))
    with pytest.raises(FormatError) as caught:
        score(KEY, str(tmp_path / "bad.conll"))
    assert caught.value.line == 3 and "language model" not in str(caught.value)


def test_a_text_in_the_place_of_a_path_is_shown_the_door():
    for text in (LAKE["numbered names"], "x" * 5000):
        with pytest.raises(
            FormatError, match=r"^<response>: found the text .* expected a path: give referee.Answer\(text\)"
        ) as caught:
            score(KEY[0], text)
        assert len(str(caught.value)) < 300
    with pytest.raises(FormatError, match=r"^<key>: .* give rows for a table"):
        score("id,cluster\nr1,1\n", KEY[0])


def test_the_first_string_that_the_text_does_not_have_is_named():
    with pytest.warns(RefereeWarning, match=r"1 string that the text does not have.*\('the bird'\)"):
        score(KEY[0], Answer([["Anna", "her"], ["the bird"]]))
    with pytest.warns(RefereeWarning, match=r"2 strings that the text does not have.*\(the first: 'the bird'\)"):
        score(KEY[0], Answer([["Anna", "her"], ["the bird", "a tree"]]))


def test_the_name_of_a_document_is_no_entity_and_an_entity_no_document():
    entities = {"Anna": ["Anna", "her"], "dog": ["her dog"]}
    assert score(KEY[0], Answer(entities))["lea"].f1 == 1.0
    with pytest.raises(MismatchError, match="expected answers named by documents"):
        score(KEY, Answer({"gpt": LAKE["bullets"], "llama": LAKE["bullets"]}))
