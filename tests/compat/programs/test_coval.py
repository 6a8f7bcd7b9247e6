"""`referee as coval` prints what coval's scorer.py prints; `referee.compat.coval` has its functions."""

import io
import re
from fractions import Fraction

import pytest

from referee.basics.exceptions import OptionError
from referee.compat.coval import b_cubed, ceafe, ceafm, evaluate_documents, get_coref_infos, lea, mentions, muc
from referee.compat.programs.coval import run
from tests.support.conll_pairs import write_pair
from tests.support.paths import EXAMPLES, SHARED
from tests.support.programs import Case, coval, ours, real, stored

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
DATA = SHARED / "conformance" / "reference-tests"


def test_prints_what_the_program_printed(tmp_path, monkeypatch):
    for case in stored("coval"):
        assert ours("coval", case, tmp_path, monkeypatch) == case.printed, case.arguments


@pytest.mark.slow
def test_prints_what_the_program_prints_for_random_pairs(tmp_path, monkeypatch):
    for seed in range(1000, 1200):
        assert ours("coval", coval(seed), tmp_path, monkeypatch) == real("coval", coval(seed), tmp_path), seed


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the conformance kit, ../shared/conformance")
@pytest.mark.parametrize("options", [[], ["remove_singletons"]], ids=["keep", "remove"])
def test_prints_what_the_program_prints_for_its_own_tests(options, tmp_path, monkeypatch):
    for path in sorted(DATA.glob("*.response")):
        files = {file: (DATA / file).read_text() for file in (re.sub(r"-\d+\.response", ".key", path.name), path.name)}
        case = Case([*files, *options], files)
        assert ours("coval", case, tmp_path, monkeypatch) == real("coval", case, tmp_path), path.name


def test_its_functions_give_what_it_prints(tmp_path):
    key, response = write_pair(13, tmp_path)
    infos = get_coref_infos(key, response, False, False, True, False)
    for metric, name in ((muc, "muc"), (lea, "lea")):
        recall, precision, f1 = (100 * side for side in evaluate_documents(infos, metric))
        expected = f"{name:<10} Recall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}\n"
        assert run([key, response, name]).text == expected
    assert evaluate_documents(infos, muc, beta=2)[:2] == evaluate_documents(infos, muc)[:2]


NAMES = {"muc": muc, "b_cubed": b_cubed, "ceafe": ceafe, "ceafm": ceafm, "lea": lea, "mentions": mentions}
BOTH = {  # key and response of two documents; the expected fractions are worked out by the definitions
    "doc1": ([((0, 0), (3, 3), (5, 6)), ((7, 7),)], [((0, 0), (3, 3)), ((5, 6), (9, 9))], {(0, 0): 0}, {}),
    "doc2": ([("a", "b")], [["b", "a"]], {}, {}),
}


@pytest.mark.parametrize(
    ("name", "recall", "precision"),
    [
        ("muc", Fraction(2, 3), Fraction(2, 3)),  # 1 + 1 of 2 + 1 links, and 1 + 1 of 1 + 1 + 1
        ("b_cubed", (Fraction(5, 3) + 2) / 6, (Fraction(5, 2) + 2) / 6),
        ("ceafe", (Fraction(4, 5) + 1) / 3, (Fraction(4, 5) + 1) / 3),
        ("ceafm", Fraction(4, 6), Fraction(4, 6)),
        ("lea", (3 * Fraction(1, 3) + 2) / 6, (2 + 2 * Fraction(0) + 2) / 6),
        ("mentions", Fraction(5, 6), Fraction(5, 6)),
    ],
)
def test_evaluate_documents_takes_the_dictionary_of_coval(name, recall, precision):
    found = evaluate_documents(BOTH, NAMES[name])
    f1 = 2 * recall * precision / (recall + precision)
    assert found == pytest.approx((float(recall), float(precision), float(f1)))


def test_mentions_of_a_dictionary_are_only_compared():
    # As half-open spans, (0, 0) would be empty and (5, 3) the wrong way round; documents may have any name, and be empty.
    key = [[(0, 0), (5, 3)], [frozenset({1}), None]]
    assert evaluate_documents({1: (key, key), ("a", 2): ([], [])}, muc) == (1.0, 1.0, 1.0)
    assert evaluate_documents({"d": (key, [])}, b_cubed) == (0.0, 0.0, 0.0)
    assert evaluate_documents({}, lea) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "wrong", [None, [], {"d": None}, {"d": ()}, {"d": ([],)}, {"d": ([[[1]]], [[[1]]])}, {"d": ([3], [3])}]
)
def test_what_is_no_dictionary_of_coval_is_named(wrong):
    with pytest.raises(OptionError, match=r"^(document d: )?found .*; expected what get_coref_infos returns, or \{document: "):
        evaluate_documents(wrong, muc)


@pytest.mark.parametrize("option", ["remove_nested", "min_span", "min", "NP_only"])
def test_what_needs_parses_is_refused(option):
    files = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response.conll")
    with pytest.raises(OptionError, match="of coval is not possible here; expected files that were changed before"):
        run([*files, option])
    with pytest.raises(OptionError, match="of coval is not possible here; expected files that were changed before"):
        get_coref_infos(*files, **{"min_span" if option == "min" else option: True})


def test_without_files_the_form_is_named():
    with pytest.raises(OptionError, match="coval: found 1 arguments; expected KEY RESPONSE"):
        run([str(EXAMPLES / "key.conll")])


def test_a_word_of_several_entities_is_warned_of_and_has_the_last(tmp_path):
    # b is a mention of 3, whose first mention closes first, and of 2, which counts for it; so 2 keeps its link, and 3 does not.
    for name, cell in (("key", "(3)|(2)"), ("response", "(2)")):
        rows = ("(3)", cell, "(2)")
        text = "".join(f"d 0 {n} {w} {c}\n" for n, (w, c) in enumerate(zip("abc", rows, strict=True)))
        (tmp_path / name).write_text(f"#begin document (d);\n{text}\n#end document\n")
    found = run([str(tmp_path / "key"), str(tmp_path / "response"), "muc"]).text
    warning = "Warning: A single mention is assigned to more than one cluster: [3, 2]\n"
    assert found == warning + "muc        Recall: 50.00  Precision: 100.00  F1: 66.67\n"


@pytest.mark.parametrize("where", ["file", "folder", "standard input"])
def test_a_file_that_coval_cannot_read_is_scored(where, tmp_path, monkeypatch):
    text = b"a\t0\tAnn\t(1)\na\t1\tsaw\t-\na\t2\ther\t(1)\n"
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "key.conll", tmp_path / "folder" / "key.conll"):
        path.write_bytes(text)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    key, response = {
        "file": (tmp_path / "key.conll", tmp_path / "key.conll"),
        "folder": (tmp_path / "folder", tmp_path / "folder"),
        "standard input": ("-", tmp_path / "key.conll"),
    }[where]
    assert run([str(key), str(response), "mentions"]).text == "mentions   Recall: 100.00  Precision: 100.00  F1: 100.00\n"
