"""What trees teach of splitting."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError
from referee.parsing.splitting.fit import fit_splitting
from referee.parsing.splitting.learnt import Splitting
from referee.parsing.splitting.trees import read_trees
from tests.parsing.splittings import ENGLISH, FRENCH, english, forms, sentences


def conllu(*sentences, spaces=True):
    """Trees of words; `+` after a word: no white space; `du=de=le`: a token and its words; `¶` begins a paragraph."""
    blocks = []
    for sentence in sentences:
        rows = []
        number = 0
        for word in sentence.removeprefix("¶ ").split():
            glued = "SpaceAfter=No" if word.endswith("+") and spaces else "_"
            token, *parts = word.removesuffix("+").split("=")
            if parts:
                rows.append(f"{number + 1}-{number + len(parts)}\t{token}" + "\t_" * 7 + f"\t{glued}")
            for part in parts or [token]:
                number += 1
                rows.append(f"{number}\t{part}" + "\t_" * 7 + f"\t{'_' if parts else glued}")
        comments = ["# newpar"] if sentence.startswith("¶") else []
        blocks.append("\n".join([*comments, *rows]) + "\n\n")
    return "".join(blocks).encode()


def test_trees_are_read_as_paragraphs_of_sentences_of_tokens():
    raw = b"# newdoc id = a\n" + conllu("¶ Il vient du=de=le parc+ .", "Oui+ .", "¶ Non+ .")
    (document,) = read_trees(raw).documents
    assert [len(paragraph) for paragraph in document] == [2, 1]
    assert [(token.form, token.words, token.space) for token in document[0][0]] == [
        ("Il", ("Il",), True),
        ("vient", ("vient",), True),
        ("du", ("de", "le"), True),
        ("parc", ("parc",), False),
        (".", (".",), True),
    ]


def test_white_space_is_guessed_where_no_file_tells_it():
    (document,) = read_trees(conllu('" Come in , " said Ann \'s well - known dog ( the one ) .', spaces=False)).documents
    text = "".join(token.form + " " * token.space for token in document[0][0]).strip()
    assert text == '"Come in," said Ann\'s well-known dog (the one).'


MANY = 6


def test_enclitics_abbreviations_contractions_and_hyphens_are_learnt():
    raw = conllu(
        *["I did+ n't see Ann+ 's well+ -+ known e-mail to Mr. Brown+ ."] * MANY,
        *["They 're gonna=gon=na go to the co-op with Jones+ ."] * MANY,
        *["The red+ -+ haired man came back from 1914+ -+ 1918+ , call 555-0100+ ."] * MANY,
    )
    learnt = fit_splitting([raw], "en")
    assert {"n't", "'s"} <= learnt.enclitics
    assert learnt.contractions["gonna"] == ("gon", "na")
    assert "Mr." in learnt.abbreviations
    assert {"e", "co"} <= learnt.prefixes
    assert {"aa1", "0<1"} <= learnt.joints
    assert "0>1" not in learnt.joints
    assert forms("He didn't. Mr. Jones's e-mail is well-known, gonna 1950-1955 555-0100.", learnt) == (
        "He did n't . Mr. Jones 's e-mail is well - known , gon na 1950 - 1955 555-0100 ."
    )


def test_french_words_are_learnt():
    raw = conllu(
        *["L'+ homme qu'+ il voit du=de=le parc vient+ -il aujourd'hui+ ?"] * MANY, *["Arc-en-ciel d'+ un jour+ ."] * MANY
    )
    learnt = fit_splitting([raw], "fr")
    assert forms("L'ami d'un jour dort-il aujourd'hui près du pont-levis?", learnt) == (
        "L' ami d' un jour dort -il aujourd'hui près de le pont-levis ?"
    )


def test_ends_of_sentences_are_learnt():
    raw = conllu(*["¶ Mr. Brown left the town at noon+ .", "Did he see Dr. Jones+ ?", "He did not say it+ ."] * (2 * MANY))
    learnt = fit_splitting([raw], "en")
    assert sentences("Did Mr. White leave? He left at noon. Dr. Brown did not.", learnt) == [
        "Did Mr. White leave ?",
        "He left at noon .",
        "Dr. Brown did not .",
    ]


def test_frequent_words_and_letters():
    learnt = fit_splitting([conllu("The cat saw the dog and the Cat+ .")], "en")
    assert learnt.frequent[:2] == ("the", "and")  # once each: by the alphabet; a cat that is often a name is no frequent word
    assert learnt.letters == "acdeghnostw"


def test_the_same_files_give_the_same_splitting_whatever_hashes_are():
    code = (
        "import sys, json\n"
        "from referee.parsing.splitting.fit import fit_splitting\n"
        "print(json.dumps(fit_splitting([sys.stdin.buffer.read()], 'en').values()))"
    )
    raw = conllu(*["¶ I did+ n't see Ann+ 's well+ -+ known e-mail+ .", "Mr. Brown saw it+ !"] * MANY)
    found = {
        subprocess.run(
            [sys.executable, "-c", code], input=raw, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1
    assert Splitting.from_values(json.loads(found.pop())) == fit_splitting([raw], "en")


@pytest.mark.parametrize("splitting", [ENGLISH, FRENCH, Splitting()])
def test_values_are_json_and_give_back_the_splitting(splitting):
    assert Splitting.from_values(json.loads(json.dumps(splitting.values()))) == splitting


def test_what_the_kit_teaches_is_kept_as_json():
    assert Splitting.from_values(json.loads(json.dumps(english().values()))) == english()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "found no words; expected trees in CoNLL-U"),
        (b"# text = a\n", "found no words"),
        (b"1\tcaf\xe9\t_\t_\t_\t_\t_\t_\t_\t_\n", "found the byte 0xe9; expected UTF-8"),
        (b"x\tAnn\t_\t_\t_\t_\t_\t_\t_\t_\n", "found a row that begins with 'x'; expected CoNLL-U"),
    ],
)
def test_what_is_no_trees_is_refused(raw, message):
    with pytest.raises(FormatError, match=message):
        fit_splitting([raw])


WORDS = st.sampled_from(
    ["Ann", "n't", "'s", "-", ".", "...", "du=de=le", "5", "Mr.", "l'", "-il", '"', "(", "well+", "did+", "x'", "—"]
)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=8))
def test_any_trees_teach_something_that_splits(drawn):
    learnt = fit_splitting([conllu(*drawn)])
    assert Splitting.from_values(json.loads(json.dumps(learnt.values()))) == learnt
    assert forms("Ann didn't see du parc, l'ami. Mr. X (well-known) — vient-il?", learnt)
