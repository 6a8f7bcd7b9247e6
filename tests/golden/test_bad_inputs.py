"""Broken and unusual input: a score (with a warning where something is odd), or one line that says what is wrong and where.

The 42 pairs are the conformance kit's, each with what a person would expect of it. Numbers are F1 in percent for MUC, B³,
CEAF-m, CEAF-e and BLANC: those of the Perl reference scorer v8.01 (which cuts decimals), unless a comment derives them.
"""

import gzip
import json
import os
import shutil
import sys
from dataclasses import dataclass

import pytest

from tests.support.command import COMMAND, process, referee
from tests.support.mutations import limited
from tests.support.paths import SHARED

KIT = SHARED / "conformance" / "bad-inputs"
in_kit = pytest.mark.skipif(not KIT.is_dir(), reason="needs the conformance kit, ../shared/conformance")

METRICS = "muc,b_cubed,ceaf_m,ceaf_e,blanc"
BASE = (66.66, 83.26, 85.71, 86.66, 74.28)
NOTHING = (0, 0, 0, 0, 0)
ALL = (100, 100, 100, 100, 100)


@dataclass
class Case:
    """A score with warnings, each of which has some words; or a refusal, whose one line has some words."""

    scores: tuple[float | None, ...] | None = None
    warned: tuple[tuple[str, ...], ...] = ()
    refused: tuple[str, ...] = ()


def fine(*warned, scores=BASE):
    return Case(scores=scores, warned=warned)


def refused(*words):
    return Case(refused=words)


CASES = {
    "00_base": fine(),
    "01_resp_open_not_closed": refused(".resp:4:", "entity 5", "never closed"),
    "02_resp_close_not_opened": refused(".resp:4:", "entity 5", "never opened"),
    "03_key_open_not_closed": refused(".key:4:", "entity 5", "never closed"),
    "04_resp_file_missing": refused(".resp:", "no such file"),
    "05_key_file_missing": refused(".key:", "no such file"),
    "06_words_differ_same_count": refused("'d1_0', token 1", "'wolf'", ".resp", "'dog'", ".key", "--tokens"),
    "07_resp_one_token_less": refused("'d1_0', token 2", ".resp", "'saw'", ".key", "(15 and 14 tokens)"),
    "08_resp_sentence_break_missing": fine(),  # spans are offsets in the document
    "09_resp_doc_missing": fine(("1 of 2 documents of", ".key", "d2_0", "missed"), scores=(44.44, 56.04, 57.14, 57.77, 50.18)),
    # Precision of the base halves; BLANC: (4/11 + 32/52) / 2 from links 2, 3, 8 and 16, 18, 34. Perl ignores the document.
    "10_resp_extra_doc": fine(("1 of 2 documents of", ".resp", "d2_0", "spurious"), scores=(44.44, 54.99, 57.14, 57.77, 48.95)),
    "11_docs_other_order": fine(),
    "12_dup_mention_two_clusters_resp": fine(
        (
            ".resp: 1 repeated mention",
            "'d1_0'",
            "token 11 in entities 0 and 3",
            "entities 0 and 3",
            "each stays in the entity that comes first",
        ),
        scores=(57.14, 73.46, 71.42, 66.66, 60.62),
    ),
    "13_dup_only_mention_of_2nd_cluster_resp": fine((".resp: 1 repeated mention", "entities 3 and 7")),
    "14_dup_mention_same_cluster_resp": fine((".resp: 1 repeated mention", "entity 3, twice")),
    # By hand, of {dog, It, They} {cat, it} {home, home}; Perl counts the key's mention twice.
    # MUC 2/4, 2/3; B³ (5/3 + 1 + 2)/7, (5/3 + 4)/7; CEAF-m 5/7; CEAF-e 7/3 of 3 and 4; BLANC (4/9 + 28/33) / 2.
    "15_dup_mention_two_clusters_key": fine(
        (".key: 1 repeated mention", "entities 0 and 3"), scores=(57.14, 73.11, 71.42, 66.66, 64.64)
    ),
    # By hand, eleven singletons against entities of 4, 4 and 3: MUC 0/8, 0/0; B³ 3/11, 1; CEAF-m 3/11; CEAF-e 1.3 of 3 and 11;
    # BLANC (0 + 80/95) / 2. Perl refuses.
    "16_11_dups_resp": fine((".resp: 11 repeated mentions", "token 0 in"), scores=(0, 42.85, 27.27, 18.57, 42.10)),
    "17_3_dups_resp_all_metrics": fine(  # Perl refuses after three of the five
        (".resp: 3 repeated mentions",), scores=(79.99, 80.48, 81.81, None, None)
    ),
    "18_resp_empty_file": refused(".resp: is empty"),
    "19_key_empty_file": refused(".key: is empty"),
    "20_both_empty": refused(".key: is empty"),
    "21_resp_no_mentions": fine((".resp has no mentions",), scores=NOTHING),
    "22_key_no_mentions": fine((".key has no mentions",), scores=NOTHING),
    "23_non_utf8_resp": refused(".resp:3:", "0xf6", "UTF-8"),
    "24_crlf_both": fine(),
    "25_crlf_resp_only": fine(),
    "26_utf8_bom_resp": fine(),
    "27_no_end_document_resp": fine(),
    "28_space_separated": fine(),
    "29_mention_across_sentences_both": fine(scores=(66.66, 85.36, 87.5, 89.33, 75.51)),
    "30_named_ids": fine(),
    # A span in two entities on both sides: the base remains when each is kept once.
    "31_no_pipe_between": fine((".key: 1 repeated mention",), (".resp: 1 repeated mention",)),
    "32_pipe_between_same_as_31": fine((".key: 1 repeated mention",), (".resp: 1 repeated mention",)),
    "33_two_parts_same_name": fine(),
    "34_same_doc_twice_resp": refused(".resp:21:", "'d1_0' appears twice"),
    "35_underscore_as_empty": fine(),
    "36_crossing_same_entity": fine(scores=ALL),
    "37_adjacent_overlap_same_entity": fine(scores=ALL),
    "38_part_missing_in_header": fine(),
    "39_header_part_formats_differ_000_vs_0": fine(),
    "40_text_before_begin": fine((".resp: left out 1 token outside of any document", "#begin document")),
    "41_big_entity_id": fine(),
}

NOT_AS_PERL = {
    "18_resp_empty_file": "an empty file is refused",
    "19_key_empty_file": "an empty file is refused",
    "20_both_empty": "an empty file is refused",
    "26_utf8_bom_resp": "Perl gives a silent 0",
    "34_same_doc_twice_resp": "a document twice is refused",
    "39_header_part_formats_differ_000_vs_0": "Perl gives a silent 0",
}


def told(done, *words):
    """A refusal: exit status 2, nothing on standard output, one line that has all the words."""
    assert (done.status, done.out, len(done.errors)) == (2, "", 1), done
    assert done.err.startswith("referee: error: ")
    assert len(done.err) < 600
    for word in words:
        assert word in done.err


def scores_of(out):
    return [float(line.split(",")[6] or "nan") for line in out.splitlines()[1:]]


def fits(done, case, tolerance=0.011):
    if case.scores is None:
        told(done, *case.refused)
        return
    assert done.status == 0, done
    assert "Traceback" not in done.err
    for found, expected in zip(scores_of(done.out), case.scores, strict=True):
        assert expected is None or abs(found * 100 - expected) < tolerance, (found, expected)
    assert len(done.errors) == len(case.warned), done.err
    for words in case.warned:
        assert any(line.startswith("referee: warning: ") and all(w in line for w in words) for line in done.errors), done.err


@in_kit
def test_every_pair_has_its_expectation():
    assert {path.stem for path in KIT.iterdir() if path.suffix in (".key", ".resp")} == set(CASES)
    assert len(CASES) == 42


@in_kit
@pytest.mark.parametrize("name", CASES)
def test_a_bad_pair_is_scored_or_refused_in_one_line(name):
    fits(referee("score", KIT / f"{name}.key", KIT / f"{name}.resp", "-m", METRICS, "-r", "csv"), CASES[name])


@in_kit
@pytest.mark.parametrize("name", ["00_base", "09_resp_doc_missing", "23_non_utf8_resp"])
def test_a_process_of_its_own_says_the_same(name):
    arguments = ("score", KIT / f"{name}.key", KIT / f"{name}.resp", "-m", METRICS, "-r", "csv")
    assert process(*arguments) == referee(*arguments)


@in_kit
@pytest.mark.parametrize("name", [name for name in CASES if name not in NOT_AS_PERL])
def test_the_profile_gives_the_digits_of_the_reference_scorer_where_that_gives_any(name):
    perl = json.loads((KIT / "behaviour.json").read_text())[name]["perl"]
    if perl["exit"]:
        pytest.skip("the reference scorer refuses it, too")
    done = referee("score", KIT / f"{name}.key", KIT / f"{name}.resp", "-m", METRICS, "-r", "csv", "-p", "conll-8.01")
    assert done.status == 0
    expected = [float(x) for x in perl["f1"].replace("bl ", "").split()]
    assert [x * 100 for x in scores_of(done.out)] == pytest.approx(expected, abs=0.011)


REPEATED = {
    "12": ["resp"], "13": ["resp"], "14": ["resp"], "15": ["key"], "16": ["resp"], "17": ["resp"],
    "31": ["key", "resp"], "32": ["key", "resp"],
}  # fmt: skip
"""Files of the kit in which a mention stands twice, by the number of the case."""


@in_kit
@pytest.mark.parametrize("name", CASES)
def test_validation_finds_a_fault_where_scoring_finds_one(name):
    words = CASES[name].refused
    for side in ("key", "resp"):
        done = referee("validate", KIT / f"{name}.{side}")
        repeats = side in REPEATED.get(name[:2], ())  # which scoring has a policy for
        refused = any(word.startswith(f".{side}:") for word in words) or "both_empty" in name
        missing = "file_missing" in name and side in name
        assert done.status == (2 if missing else 1 if refused or repeats else 0), done
        assert ("repeated mention" in done.out) == repeats
        assert all(f"{name}.{side}" in line for line in done.out.splitlines())
        assert "Traceback" not in done.err


@in_kit
def test_inputs_are_left_as_they_were(tmp_path):
    shutil.copytree(KIT, tmp_path / "kit")
    files = sorted((tmp_path / "kit").iterdir())
    for path in files:
        os.utime(path, (1, 1))
        path.chmod(0o444)
    before = {path: path.read_bytes() for path in files}
    for name in CASES:
        key, response = (tmp_path / "kit" / f"{name}.{side}" for side in ("key", "resp"))
        for verb in (["score", key, response], ["validate", key, response], ["convert", key, tmp_path / "out.jsonlines"]):
            assert referee(*verb).status in (0, 1, 2)
    assert sorted((tmp_path / "kit").iterdir()) == files
    assert {path: path.read_bytes() for path in files} == before
    assert {path.stat().st_mtime for path in files} == {1}


# Files that are no annotation at all.

GOOD = "#begin document (d); part 000\na\t(1\nb\t1)\nc\t(1)\n#end document\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.conll"
    path.write_text(GOOD)
    return path


def as_key_and_response(bad, good, *words):
    told(referee("score", bad, good), bad.name, *words)
    told(referee("score", good, bad), bad.name, *words)
    done = referee("validate", bad)
    assert done.status == 1
    assert bad.name in done.out


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty", None, ["empty: has no file that looks like any of the formats"]),  # a folder
        ("blank", b"\n \t\n\r\n" * 9, ["blank: is empty"]),
        ("zeros", b"", ["zeros: is empty"]),
        ("zeros", bytes(1), ["zeros:1: found a NUL byte"]),
        ("zeros", bytes(10_000_000), ["zeros:1: found a NUL byte"]),
        ("wide.conll", GOOD.encode("utf-16-le"), ["wide.conll:1:", "NUL", "UTF-8"]),
        ("wide.conll", GOOD.encode("utf-16-be"), ["wide.conll:1:", "NUL", "UTF-8"]),
    ],
    ids=["folder", "blank lines", "empty", "a zero", "zeros", "utf-16-le", "utf-16-be"],
)
def test_what_is_no_annotation_is_refused(tmp_path, good, name, content, words):
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    as_key_and_response(path, good, *words)


def test_a_missing_file_is_told(tmp_path, good):
    missing = tmp_path / "nowhere.conll"
    for arguments in (("score", missing, good), ("score", good, missing), ("validate", missing)):
        told(referee(*arguments), "nowhere.conll: cannot be opened: no such file")


def test_an_unreadable_file_is_told(tmp_path, good):
    path = tmp_path / "secret.conll"
    path.write_text(GOOD)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    as_key_and_response(path, good, "permission denied")


def test_a_nul_byte_far_into_the_file_is_told_with_its_line(tmp_path, good):
    path = tmp_path / "late.conll"
    lines = ["#begin document (d)"] + ["token" * 2000 + "\t-"] * 700
    lines[650] = "to\0ken\t-"
    path.write_text("\n".join(lines))
    assert path.stat().st_size > 5_000_000  # past the first block
    as_key_and_response(path, good, "late.conll:651: found a NUL byte")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * 200_000, ("looks like none of the",)),
        ("#begin document (d)\n" + "x" * 200_000, ("long:2: found",)),
        ("#begin document (d)\na\t(1)\n" + "x" * 200_000 + "\t(2\n", ("long:3: entity 2", "never closed")),
        ("#begin document (d)\na\t(" + "7" * 100_000 + "\n", ("long:2: entity 777", "never closed")),
        ("#begin document (" + "d" * 100_000 + ")\na\t(1)\n", ("no document", "good.conll")),
    ],
)
def test_a_message_about_a_long_line_is_short(tmp_path, good, text, words):
    path = tmp_path / "long"
    path.write_text(text)
    told(referee("score", good, path), "long", *words)


def test_long_lines_and_long_ids_are_scored(tmp_path):
    path = tmp_path / "long"
    path.write_text(f"#begin document (d)\n{'x' * 10_000_000}\t({'7' * 100_000}\nb\t{'7' * 100_000})\nc\t({'7' * 100_000})\n")
    with limited(5):
        assert referee("score", path, path, "-q", "-m", "muc")[:2] == (0, "100.00\n")


@pytest.mark.parametrize("damage", ["cut", "bytes", "checksum"])
def test_a_damaged_gzip_is_refused(tmp_path, good, damage):
    lines = "".join(f"token{n * 7919 % 10007}\t({n % 13})\n" for n in range(100_000))
    whole = gzip.compress(f"#begin document (d)\n{lines}".encode())
    middle = len(whole) // 2
    path = tmp_path / "damaged.gz"
    path.write_bytes(
        {
            "cut": whole[:middle],
            "bytes": whole[:middle] + b"\xff" * 64 + whole[middle + 64 :],
            "checksum": whole[:-8] + b"\0" * 8,
        }[damage]
    )
    as_key_and_response(path, good, "damaged.gz")


def test_nothing_in_common_is_never_a_silent_zero(tmp_path, good):
    other = tmp_path / "other.conll"
    other.write_text(GOOD.replace("(d)", "(e)"))
    done = referee("score", good, other, "-q")
    assert (done.status, done.out) == (0, "100.00\n")
    assert "paired 1 by their texts (d_0 with e_0)" in done.err
    other.write_text(GOOD.replace("(d)", "(e)").replace("c\t", "x\t"))
    told(referee("score", good, other), "other.conll has no document of", "found e_0; expected d_0")
    other.write_text("#begin document (d); part 000\na\t-\nb\t(1)\nc\t-\n")
    done = referee("score", good, other, "-m", "b_cubed")
    assert done.status == 0
    assert "have no mention in common" in done.err


# Standard input and output.


def test_standard_input_may_be_the_key_or_the_response(good):
    for arguments in (("-", good), (good, "-")):
        assert referee("score", *arguments, "-q", "-m", "muc", stdin=GOOD.encode()) == (0, "100.00\n", "")
    assert referee("score", "-", good, "-q", "-m", "muc", stdin=gzip.compress(GOOD.encode())) == (0, "100.00\n", "")


def test_a_fault_on_standard_input_has_its_line(good):
    told(referee("score", "-", good, stdin=b"#begin document (d)\na\t(1\n"), "<stdin>:2: entity 1")
    told(referee("score", "-", good), "<stdin>: is empty")


@pytest.mark.parametrize("arguments", [("-", "-"), ("GOOD", "-", "-"), ("-", "GOOD", "-")])
def test_standard_input_is_read_once(good, arguments):
    told(referee("score", *(good if a == "GOOD" else a for a in arguments), stdin=GOOD.encode()), "standard input")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(("redirect", "status"), [("<&-", 2), (">&-", 0), ("> /dev/full", 2)])
def test_closed_and_full_streams_are_no_traceback(good, redirect, status):
    if "/dev/full" in redirect and not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    key = "-" if redirect == "<&-" else str(good)
    done = process("-c", f'"$@" {redirect}', "sh", *COMMAND, "score", key, good, command=["sh"])
    assert done.status == status, done
    assert len(done.errors) == (status != 0)
    assert "Traceback" not in done.err


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path, good):
    before = sorted(tmp_path.iterdir())
    told(referee("score", good, good, "-o", tmp_path / "none" / "x.txt"), "cannot write", "none", "no such file")
    told(referee("score", good, good, "-o", tmp_path), "cannot write", "directory")
    told(referee("convert", good, tmp_path / "none" / "x.jsonlines"), "cannot write", "none", "no such file")
    told(referee("convert", good, tmp_path / "x.unheard"), "x.unheard", "--to")
    crossing = tmp_path / "crossing.jsonlines"
    crossing.write_text(json.dumps({"doc_key": "d", "tokens": list("abcd"), "clusters": [[[0, 2], [1, 3]]]}))
    told(referee("convert", crossing, tmp_path / "y.conll.gz"), "crossing.jsonlines", "cross", "such as jsonlines")
    assert sorted(tmp_path.iterdir()) == sorted([*before, crossing])


def test_a_failed_conversion_leaves_the_old_file_alone(tmp_path, good):
    target = tmp_path / "old.conll"
    target.write_text("precious")
    bad = tmp_path / "bad.jsonlines"
    rows = [{"doc_key": "d", "tokens": ["a"], "clusters": []}, {"doc_key": "e", "tokens": ["a b"], "clusters": []}]
    bad.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told(referee("convert", bad, target), "bad.jsonlines", "'a b'")
    assert target.read_text() == "precious"


def test_offsets_too_large_for_us_are_refused_and_not_taken_modulo_something(tmp_path):
    for n in (1 << 31, 1 << 32, 1 << 62, 1 << 70):
        big, small = tmp_path / "big.json", tmp_path / "small.json"
        big.write_text(json.dumps([[[n, n + 1]]]))
        small.write_text(json.dumps([[[0, 1]]]))
        told(referee("score", big, small), "big.json", str(n))
