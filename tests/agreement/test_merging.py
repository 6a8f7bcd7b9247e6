"""Who put which mention where, merged keys, and samples: of exports of annotation tools, and of values."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from referee import agree, inputs
from referee.agreement import sample
from referee.basics.exceptions import MismatchError, OptionError, RefereeWarning
from referee.corpus.undecided import UNDECIDED
from tests.support.command import referee
from tests.support.paths import EXAMPLES
from tests.support.reading import entities_of, read_text

KEY, RESPONSE, SECOND = EXAMPLES / "key.conll", EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines"
WORDS = "Ann saw her dog and it barked at her"
ANN = [[(0, 1), (2, 3), (8, 9)], [(2, 4), (5, 6)]]
BOB = [[(0, 1), (2, 3), (8, 9)], [(2, 4)], [(5, 6)]]
EVE = [[(0, 1), (2, 3)], [(2, 4), (5, 6)], [(3, 4)]]


def annotation(entities):
    clusters = [[[start, end - 1] for start, end in entity] for entity in entities]
    return read_text(json.dumps({"doc_key": "d", "sentences": [WORDS.split()], "clusters": clusters}), "jsonlines")


THREE = {"ann": annotation(ANN), "bob": annotation(BOB), "eve": annotation(EVE)}


def test_each_mention_has_the_entity_of_each_annotator_the_most_disagreement_first():
    agreement = agree(THREE, metrics=["mentions"])
    rows = agreement.to_rows(by="mention")
    assert list(rows[0]) == ["document", "place", "mention", "ann", "bob", "eve", "disagreement"]
    by_place = {row["place"]: [row[name] for name in THREE] for row in rows}
    assert by_place["5-6"] == ["1: her dog ×2", "2: it ×1", "1: her dog ×2"]
    assert by_place["8-9"] == ["0: Ann ×3", "0: Ann ×3", "–"]
    assert by_place["3-4"] == ["–", "–", "2: dog ×1"]
    assert [row["disagreement"] for row in rows] == sorted((row["disagreement"] for row in rows), reverse=True)
    assert agreement.to_rows(by="mention", top=1) == rows[:1]
    assert [row["mention"] for row in csv.DictReader(io.StringIO(agreement.report("csv", by="mention")))] == [
        r["mention"] for r in rows
    ]


def test_each_disputed_entity_says_where_the_others_put_its_mentions():
    others = {(d.annotator, d.name): d.others for d in agree(THREE).disputed}
    assert others["ann", "Ann"] == "bob: 3 in 0: Ann ×3; eve: 2 in 0: Ann ×2, 1 nowhere"
    assert others["bob", "it"] == "ann: 1 in 1: her dog ×2; eve: 1 in 1: her dog ×2"


def test_the_largest_disputes_come_first_and_fit_on_a_screen():
    large = [{f"a{n:02}" for n in range(12)}, {"x"}, {"y"}]
    split = [{f"a{n:02}" for n in range(9)}, {"a09", "a10"}, {"x", "y"}]  # without a11
    long = "GUM_a_document_whose_name_is_long_and_differs_at_the_end_1"
    people = {name: {long: e} for name, e in (("ann", large), ("bob", split), ("a_name_that_is_very_long", large))}
    agreement = agree(people, items="union")
    rows = agreement.to_rows(by="entity")
    weights = [row["mentions"] * row["disagreement"] for row in rows]
    assert weights == sorted(weights, reverse=True)
    disagreements = [row["disagreement"] for row in rows]
    assert disagreements.index(max(disagreements)) > 0  # x and y differ more, and are fewer
    others = {(row["annotator"], row["entity"]): row["others"] for row in rows}
    assert others["ann", "a00"].startswith("bob: 9 in 0: a00 ×9, 2 in 1: a09 ×2, 1 nowhere; a_name_that_is_very_long: 12 in ")
    lines = agreement.report(by="entity").splitlines()
    table = lines[: lines.index("")]
    assert max(map(len, table)) <= 120
    (line,) = [line for line in table if line.split()[1:3] == ["a_name_that…ery_long", "a00"]]
    assert line.startswith("GUM_a_document…the_end_1  ")
    assert "  ann 12/12; bob 9/9, 2/2, 1 –  " in line
    assert "mentions × disagreement" in lines[len(table) + 1] and "3/4: 3 of the mentions" in lines[len(table) + 1]


def test_a_tie_says_who_is_for_and_who_against_one_entity_with_which_mention():
    said = {
        "ann": [[(0, 1)], [(2, 3)], [(3, 4), (5, 6)]],
        "bob": [[(0, 1), (2, 3)], [(3, 4), (5, 6)]],
        "eve": [[(0, 1)], [(3, 4), (5, 6)]],  # without the other mention of the tie
    }
    merged = agree({name: annotation(entities) for name, entities in said.items()}).merged()
    assert {u.placed.text: u.reason for u in merged.undecided} == {
        "Ann": "bob for, ann against one entity with “her” (2-3)",
        "her": "bob for, ann against one entity with “Ann” (0-1)",
    }
    report = merged.report()
    assert "a tie leaves a mention undecided, even if most have it in equal entities" in report
    assert "a tie" not in agree([[{1, 2}], [{1, 2}]]).merged().report()


def test_links_that_contradict_the_votes_say_so():
    # a~b and b~c by two of three each, but a and c are apart for two
    said = {"ann": [{"a", "b", "c"}], "bob": [{"a", "b"}, {"c"}], "eve": [{"a"}, {"b", "c"}]}
    reasons = {u.placed.text: u.reason for u in agree(said).merged().undecided}
    assert reasons == {
        "a": "ann for, bob and eve against one entity with “c”, to which other links connect it",
        "b": "all that it is linked to is undecided",
        "c": "ann for, bob and eve against one entity with “a”, to which other links connect it",
    }


def test_more_conflicts_are_counted_and_long_mentions_are_cut_for_people():
    long = "a mention that is much longer than any line has room for"
    agreement = agree({"ann": [{long}, {"x", "y", "z"}], "bob": [{long, "x", "y", "z"}]})
    (found,) = agreement.merged().undecided
    assert found.reason == "bob for, ann against one entity with “x”; 2 more conflicts"
    for by in ("undecided", "mention"):
        assert long not in agreement.report(by=by) and f"{long[:40]}…" in agreement.report(by=by)
        assert long in agreement.report("csv", by=by)


def test_what_most_have_is_the_key_and_the_rest_is_listed():
    merged = agree(THREE).merged()
    assert entities_of(merged.corpus) == {"d": {"1": [(0, 1), (2, 3), (8, 9)], "2": [(2, 4), (5, 6)]}}
    assert (merged.undecided, merged.rejected) == ((), 1)
    assert merged.corpus == merged.adjudication


def test_two_annotators_never_outvote_each_other():
    merged = agree({"ann": annotation(ANN), "eve": annotation(EVE)}).merged()
    assert entities_of(merged.corpus) == {"d": {"1": [(0, 1), (2, 3)], "2": [(2, 4), (5, 6)]}}
    assert [(u.placed.text, u.placed.entities, u.reason) for u in merged.undecided] == [
        ("dog", (None, "2: dog"), "marked by 1 of 2"),
        ("her", ("0: Ann", None), "marked by 1 of 2"),
    ]
    types = [(e.type, [m.text for m in e.mentions]) for e in merged.adjudication.documents["d"].entities]
    assert sorted(types) == [("", ["Ann", "her"]), ("", ["her dog", "it"]), (UNDECIDED, ["dog"]), (UNDECIDED, ["her"])]


def test_types_are_those_with_most_votes_and_none_if_tied():
    typed = [replace(THREE["ann"], entity_types=types) for types in (["person", "dog"], ["person", "animal"], ["x", ""])]
    assert list(agree(dict(zip("abc", typed, strict=True))).merged().corpus.entity_types or ()) == ["person", ""]


def test_items_are_merged_too():
    merged = agree([[{"a", "b", "c"}], [{"a", "b"}, {"c"}], [{"a", "b"}, {"c"}]]).merged()
    assert entities_of(merged.corpus) == {"#1": {"1": ["a", "b"], "2": ["c"]}}


def test_what_cannot_be_merged_is_refused_or_told():
    other = replace(THREE["bob"], text=annotation(BOB).text)
    words = read_text(json.dumps({"doc_key": "d", "sentences": [["X"] * 9], "clusters": []}), "jsonlines")
    with pytest.raises(MismatchError, match="cannot merge annotations of different words"):
        agree({"a": THREE["ann"], "b": replace(other, text=words.text)}, tokens="ignore").merged()
    with pytest.warns(RefereeWarning, match="a merged key has mentions and entities with their types; left out heads"):
        agree({"a": replace(THREE["ann"], head=THREE["ann"].start), "b": THREE["bob"]}).merged()


def test_other_texts_are_merged_on_the_words_of_the_first():
    def side(tokens, *spans):
        return {"d": {"sentences": [tokens], "clusters": [[list(span) for span in spans]]}}

    ann = side(["Dr", "Ray", "saw", "Bo", "-LRB-", "Ann", ")"], (0, 1), (3, 3), (5, 5))
    bob = side(["Dr.", "Ray", "saw", "uh", "Bo", "(", "Ann", ")"], (0, 1), (4, 4), (6, 6), (3, 3))
    corpora = {
        name: read_text(json.dumps({"doc_key": "d", **of["d"]}), "jsonlines") for name, of in (("ann", ann), ("bob", bob))
    }
    with pytest.warns(RefereeWarning) as warnings:
        merged = agree(corpora, tokens="align").merged()
    assert merged.corpus.words(0) == ["Dr", "Ray", "saw", "Bo", "-LRB-", "Ann", ")"]
    assert [mention.spans for mention in merged.corpus["d"].mentions] == [((0, 2),), ((3, 4),), ((5, 6),)]
    assert any("left out 1 mention with no words of their own in" in str(w.message) for w in warnings)  # uh


@pytest.mark.parametrize("tool", ["webanno", "brat", "labelstudio"])
def test_exports_of_tools_are_compared_merged_and_written_for_the_tool_again(tool, tmp_path):
    paths = []
    for name, source in (("kim", KEY), ("rob", RESPONSE), ("sue", SECOND)):
        inputs.write(inputs.read(source), tmp_path / name, format=tool)
        paths.append(tmp_path / name)
    written = ["--merged", tmp_path / "merged.conll"]
    done = referee("agree", *paths, "--by", "undecided", "--report", "json", "--names", "kim,rob,sue", *written)
    assert (done.status, len(done.errors)) == (0, 1)
    assert "36 mentions in 16 entities decided, 3 undecided" in done.err
    undecided = json.loads(done.out)["rows"]
    assert [row["mention"] for row in undecided] == ["it", "mine", "Orchard Press"]
    assert set(undecided[0]) == {"document", "place", "mention", "kim", "rob", "sue", "votes", "candidates"}
    assert undecided[0]["candidates"] == "“the lighthouse” ×2 (kim and sue), “a storm” ×2 (rob)"
    merged = agree([KEY, RESPONSE, SECOND]).merged()
    assert inputs.read(tmp_path / "merged.conll") == merged.corpus
    assert referee("agree", *paths, "--adjudicate", tmp_path / "todo", "--to", tool).status == 0
    with pytest.warns(RefereeWarning, match="has 3 mentions of the type undecided"):
        again = inputs.read(tmp_path / "todo")
    assert again == merged.adjudication
    assert sum(name == UNDECIDED for name in again.entity_types or ()) == 3


def test_what_is_to_be_adjudicated_has_the_text_that_was_annotated(tmp_path):
    for name in ("kim", "rob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.txt").write_bytes(b"Ann's  dog\r\n\r\nleft.")
        (tmp_path / name / "d.ann").write_text("T1\tX 0 3\n" + "T2\tX 0 10\n" * (name == "rob"))
    assert referee("agree", tmp_path / "kim", tmp_path / "rob", "--adjudicate", tmp_path / "todo.ann").status == 0
    assert (tmp_path / "todo.txt").read_bytes() == b"Ann's  dog\r\n\r\nleft."


def test_two_annotators_in_one_export_of_label_studio(tmp_path):
    inputs.write(THREE["ann"], tmp_path / "a.json", format="labelstudio")
    inputs.write(THREE["bob"], tmp_path / "b.json", format="labelstudio")
    tasks = [json.loads((tmp_path / name).read_text())[0] for name in ("a.json", "b.json")]
    results = [{"completed_by": n, "result": task["predictions"][0]["result"]} for n, task in enumerate(tasks, start=1)]
    (tmp_path / "both.json").write_text(json.dumps([{"annotations": results, "data": tasks[0]["data"]}]))
    both = [inputs.read(tmp_path / "both.json", format=f"labelstudio:{n}") for n in (1, 2)]
    assert both == [THREE["ann"], THREE["bob"]]
    assert [u.placed.text for u in agree({"1": both[0], "2": both[1]}).merged().undecided] == ["her dog", "it"]


def test_a_merged_key_of_one_annotation_twice_is_this_annotation():
    key = inputs.read(KEY)
    merged = agree({"1": key, "2": key}).merged()
    assert merged.corpus == key
    assert not merged.undecided


def test_a_format_without_types_holds_no_file_to_adjudicate(tmp_path):
    done = referee("agree", KEY, SECOND, "--adjudicate", tmp_path / "todo.conll")
    assert (done.status, len(done.errors)) == (2, 1)
    todo, number = tmp_path / "todo", len(agree([KEY, SECOND]).merged().undecided)
    found = f"found conll, which has no entity types that tell {number} undecided mentions from others"
    assert (
        f"{todo}.conll: {found}; expected corefud, webanno, brat, labelstudio, jsonlines, such as {todo}/ --to brat" in done.err
    )
    assert not [*tmp_path.iterdir()]
    done = referee("agree", KEY, SECOND, "--to", "brat")
    assert done.err == "referee: error: --to is the format of --merged and --adjudicate; expected one of them\n"


def test_the_sample_has_the_documents_with_most_disagreement(tmp_path):
    chosen = sample([KEY, RESPONSE, SECOND], 1)
    by_document = {
        d: np.mean([p.disagreement for p in agree([KEY, RESPONSE, SECOND]).placements.placed("masi") if p.document == d])
        for d in ("lighthouse", "orchard")
    }
    assert chosen.documents[0].document == max(by_document, key=by_document.__getitem__)
    assert chosen.documents[0].disagreement == pytest.approx(max(by_document.values()))
    assert chosen.corpus.doc_ids == ("lighthouse",)
    arguments = (
        "sample",
        KEY,
        RESPONSE,
        SECOND,
        "-n",
        1,
        "--random",
        1,
        "--write",
        tmp_path / "next.json",
        "--to",
        "labelstudio",
    )
    done = referee(*arguments, "--report", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["document"], row["why"]) for row in rows] == [("lighthouse", "disagreement"), ("orchard", "random")]
    with pytest.warns(RefereeWarning, match="has 3 mentions of the type undecided"):
        assert inputs.read(tmp_path / "next.json").doc_ids == ("lighthouse", "orchard")


@pytest.mark.parametrize("numbers", [(0, 0), (-1, 3), (2, 1)])
def test_numbers_of_documents_that_cannot_be(numbers):
    with pytest.raises(OptionError, match=r"^found --number -?\d+ and --random \d+; expected"):
        sample([KEY, RESPONSE], numbers[0], random=numbers[1])


def test_without_a_number_a_sample_has_ten_documents_or_as_many_as_there_are():
    assert [each.why for each in sample([KEY, RESPONSE]).documents] == ["disagreement", "disagreement"]
    assert [each.why for each in sample([KEY, RESPONSE], random=1).documents] == ["disagreement", "random"]
