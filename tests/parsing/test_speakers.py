"""Labels of speakers."""

import pytest

from referee.parsing.splitting.split import left_out, split
from tests.parsing.splittings import ENGLISH, said
from tests.support.cases import cases


@pytest.mark.parametrize("case", cases("splitting", "turns"), ids=str)
def test_who_says_what(case):
    assert said(case.text) == [tuple(turn.split(": ", 1)) for turn in case.expected]


def test_labels_are_counted():
    assert left_out(split([cases("splitting", "turns")[0].text], ["a"], ENGLISH)).labels == 4


@pytest.mark.parametrize(
    "text",
    [
        "Note: this stands once.\nAnother line.",
        "note: small.\nnote: small.",
        "From: Ann\nTo: Bob\nSubject: Hello\n\nFrom: Bob\nTo: Ann\nSubject: Hello",
        "He said: no.\nHe said: no.",
        "étude: une.\nétude: deux.",
        "A Name Of More Than Four: yes.\nA Name Of More Than Four: yes.",
        "Time 10:30 it is.\nTime 10:30 it is.",
        "ACT I.\nA hall.\nACT I.\nNo.",
        "YES. I go.\nHAMLET. I see.\nYES. I do.",
        "HAMLET. I see.\nHAMLET. I do.",
        "Ann. I see.\nBob. I do.\nAnn. I go.\nBob. I stay.",
        "II. One.\nXI. Two.\nII. Three.\nXI. Four.",
        "It rained. She ran.\n\n" * 60 + "ANN: Hello.\n\nANN: Well.",
    ],
)
def test_what_is_no_speaker(text):
    assert {speaker for speaker, _ in said(text)} == {""}


@pytest.mark.parametrize("label", ["# speaker = {}", "# speaker {}", "#speaker={}"])
def test_lines_that_name_a_speaker(label):
    text = f"Begin.\n{label.format('Ann Lee')}\nHello.\n\nWell.\n{label.format('Bob')}\nHi.\n{label.format('')}\nThey leave."
    assert said(text) == [("", "Begin ."), ("Ann Lee", "Hello ."), ("Ann Lee", "Well ."), ("Bob", "Hi ."), ("", "They leave .")]
    assert left_out(split([text], ["a"], ENGLISH)).labels == 3


def test_a_turn_begins_a_paragraph():
    words = split(["ANN: Hello,\nANN: you."], ["a"], ENGLISH)
    assert words.paragraph.tolist() == [True, True]
    assert words.start.tolist() == [5, 10, 17, 20]


def test_speakers_of_one_document_do_not_speak_in_the_next():
    words = split(["A: Yes.\nA: No.", "It rained."], ["a", "b"], ENGLISH)
    assert list(words.speaker) == ["A", "A", ""]


def test_a_name_in_capitals_may_stand_once_among_others():
    text = "ANN: Hello.\nBOB: Hi.\nTHE CROWD: Hurrah!\nNote: it is late.\nANN: Well.\nBOB: Yes."
    assert [speaker for speaker, _ in said(text)] == ["ANN", "BOB", "THE CROWD", "THE CROWD", "ANN", "BOB"]
    assert said("THE CROWD: Hurrah!") == [("", "THE CROWD : Hurrah !")]
