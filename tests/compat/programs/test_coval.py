"""`referee as coval` prints what coval's scorer.py prints; `referee.compat.coval` has its functions."""

from __future__ import annotations

import importlib
import io
import random
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from referee.basics.exceptions import OptionError
from referee.compat import coval_arrau, coval_ua
from referee.compat.coval import (
    Evaluator,
    b_cubed,
    blanc,
    ceafe,
    ceafm,
    evaluate_bridgings,
    evaluate_documents,
    evaluate_non_referrings,
    get_coref_infos,
    get_document_evaluations,
    lea,
    mentions,
    muc,
)
from referee.compat.programs.coval import run
from tests.support.conll_pairs import write_pair
from tests.support.paths import EXAMPLES, SHARED
from tests.support.programs import FOLDER, Case, coval, ours, real, stored

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
DATA = SHARED / "conformance" / "reference-tests"


def test_prints_what_the_program_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in stored("coval"):
        assert ours("coval", case, tmp_path, monkeypatch) == case.printed, case.arguments


@pytest.mark.slow
def test_prints_what_the_program_prints_for_random_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1000, 1200):
        assert ours("coval", coval(seed), tmp_path, monkeypatch) == real("coval", coval(seed), tmp_path), seed


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the conformance kit, ../shared/conformance")
@pytest.mark.parametrize("options", [[], ["remove_singletons"]], ids=["keep", "remove"])
def test_prints_what_the_program_prints_for_its_own_tests(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in sorted(DATA.glob("*.response")):
        files = {file: (DATA / file).read_text() for file in (re.sub(r"-\d+\.response", ".key", path.name), path.name)}
        case = Case([*files, *options], files)
        assert ours("coval", case, tmp_path, monkeypatch) == real("coval", case, tmp_path), path.name


def test_its_functions_give_what_it_prints(tmp_path: Path) -> None:
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
def test_evaluate_documents_takes_the_dictionary_of_coval(name: str, recall: Fraction, precision: Fraction) -> None:
    found = evaluate_documents(BOTH, NAMES[name])
    f1 = 2 * recall * precision / (recall + precision)
    assert found == pytest.approx((float(recall), float(precision), float(f1)))


def test_mentions_of_a_dictionary_are_only_compared() -> None:
    # As half-open spans, (0, 0) would be empty and (5, 3) the wrong way round; documents may have any name, and be empty.
    key = [[(0, 0), (5, 3)], [frozenset({1}), None]]
    assert evaluate_documents({1: (key, key), ("a", 2): ([], [])}, muc) == (1.0, 1.0, 1.0)
    assert evaluate_documents({"d": (key, [])}, b_cubed) == (0.0, 0.0, 0.0)
    assert evaluate_documents({}, lea) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "wrong", [None, [], {"d": None}, {"d": ()}, {"d": ([],)}, {"d": ([[[1]]], [[[1]]])}, {"d": ([3], [3])}]
)
def test_what_is_no_dictionary_of_coval_is_named(wrong: Any) -> None:
    with pytest.raises(OptionError, match=r"^(document d: )?found .*; expected what get_coref_infos returns, or \{document: "):
        evaluate_documents(wrong, muc)


def test_what_needs_parses_is_refused() -> None:
    files = [str(EXAMPLES / "key.conll")] * 2
    for option in ("remove_nested", "min_span", "min"):
        with pytest.raises(OptionError, match="of coval is not possible here"):
            run([*files, option])
    with pytest.raises(OptionError, match="coval: found 1 arguments"):
        run(files[:1])


def parsed(seed: int) -> Case:
    """Files of CoNLL-2012 with random parses; one in three mentions of a word is a verb phrase."""
    chance = random.Random(seed)
    lines: list[list[str]] = []
    for word in range(40):
        label = chance.choice(("NP", "VP", "NP-SBJ", "S"))
        parse = chance.choice((f"({label}*)", f"({label}*", "*", "*)", f"(S({label}*))", f"({label}(NN*)"))
        lines.append(["d", "0", str(word), chance.choice(("go", "it", "7", ",")), "XX", parse])
    files = {}
    for name in ("key", "response"):
        cells = [[] for _ in lines]  # type: list[list[str]]
        for mention in range(chance.randint(4, 14)):
            start = chance.randrange(40)
            end = min(39, start + chance.randrange(4))
            if start // 10 != end // 10:
                continue  # of two sentences
            entity = chance.randrange(4) + 4 * (mention % 2) if name == "key" else chance.randrange(6)
            cells[start].append(f"({entity})" if start == end else f"({entity}")
            if end > start:
                cells[end].append(f"{entity})")
        text = "#begin document (d); part 000\n"
        for number, (line, cell) in enumerate(zip(lines, cells, strict=True), start=1):
            text += "\t".join([*line, "|".join(cell) or "-"]) + ("\n\n" if number % 10 == 0 else "\n")
        files[name] = text + "#end document\n"
    return Case([*files, "NP_only", *(["remove_singletons"] if seed % 2 else [])], files)


@pytest.mark.slow
def test_verb_phrases_are_left_out_as_the_program_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    different = 0
    for seed in range(100):
        case = parsed(seed)
        found = ours("coval", case, tmp_path, monkeypatch)
        assert found == real("coval", case, tmp_path), seed
        different += found != ours(
            "coval", Case([a for a in case.arguments if a != "NP_only"], case.files), tmp_path, monkeypatch
        )
    assert different > 10


def test_verb_phrases_are_left_out(tmp_path: Path) -> None:
    rows = [("Ann", "(NP*)", "(1)"), ("ran", "(VP*)", "(2)"), ("to", "(VP*", "(3"), ("run", "*)", "3)"), ("it", "(NP*)", "(1)")]
    rows += [("this", "(NP*)", "(3)"), ("fun", "(NP*)", "(3)"), ("that", "(NP*)", "(2)")]
    text = "#begin document (d);\n" + "".join(f"d 0 {n} {w} XX {p} {c}\n" for n, (w, p, c) in enumerate(rows))
    for name in ("key", "response"):
        (tmp_path / name).write_text(f"{text}#end document\n")
    files = str(tmp_path / "key"), str(tmp_path / "response")
    # Of entity 2, one mention is left, so it is left out; entities 1 and 3 keep two mentions each.
    assert get_document_evaluations(get_coref_infos(*files, NP_only=True), muc) == ([2], [2], [2], [2])
    assert get_document_evaluations(get_coref_infos(*files), muc) == ([4], [4], [4], [4])
    assert "muc        Recall: 100.00" in run([*files, "NP_only"]).text
    with pytest.raises(OptionError, match=r"found \[\[.* with NP_only; expected a file of CoNLL-2012, with parses in column 6"):
        get_coref_infos([[(0, 1), (2, 3)]], [[(0, 1), (2, 3)]], NP_only=True)
    (tmp_path / "key").write_text("#begin document (d);\nd 0 0 Ann XX - (1)\n#end document\n")
    with pytest.raises(OptionError, match=r"key: found the line 'd 0 0 Ann XX - .* with NP_only; expected a parse in column 6"):
        get_coref_infos(*files, NP_only=True)


def test_document_by_document() -> None:
    evaluator = Evaluator(b_cubed, beta=2, keep_aggregated_values=True)
    for info in BOTH.values():
        evaluator.update(info)
    recall, precision, f2 = evaluate_documents(BOTH, b_cubed, beta=2)
    assert (
        evaluator.get_prf()
        == (precision, recall, f2)
        == (evaluator.get_precision(), evaluator.get_recall(), evaluator.get_f1())
    )
    assert evaluator.get_counts() == pytest.approx((5 / 2 + 2, 6, 5 / 3 + 2, 6))
    assert evaluator.get_aggregated_values() == get_document_evaluations(BOTH, b_cubed)
    assert evaluator.get_aggregated_values()[1] == [4, 2]


def test_non_referring_expressions_of_a_dictionary() -> None:
    infos = {"d": ([(0, 1), (2, 3)], [(2, 3), (5, 6), (7, 8)]), "e": ([], [])}
    assert evaluate_non_referrings(infos) == pytest.approx((1 / 2, 1 / 3, 2 / 5))
    assert evaluate_non_referrings({}) == (0.0, 0.0, 0.0)
    with pytest.raises(OptionError, match=r"found \[\]; expected what get_coref_infos of coval_ua or coval_arrau returns"):
        evaluate_non_referrings([])


# The readers of other formats


@pytest.mark.parametrize("program", ["ua-scorer-1"])
def test_the_reader_of_ua_gives_what_the_program_printed(program: str, tmp_path: Path) -> None:
    checked = 0
    for case in stored(program):
        words = case.arguments[2:]
        for name, text in case.files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        flags = [
            not any(word.startswith("remove_singleton") for word in words),
            not any(word.startswith("remove_split") for word in words),
            any(word.startswith("keep_bridging") for word in words),
            any(word.startswith("keep_non") for word in words),
            "evaluate_discourse_deixis" in words,
            bool({"min", "MIN", "min_spans"} & {*words}),
        ]
        only = any(word.startswith("only_split") for word in words)
        infos, non_referring, bridging = coval_ua.get_coref_infos(*(str(tmp_path / name) for name in case.files), *flags)
        blocks = re.findall(r"^(\w+)\nRecall: ([\d.]+)  Precision: ([\d.]+)  F1: ([\d.]+)$", case.printed, re.MULTILINE)
        for name, *sides in blocks:
            metric = {"bcub": b_cubed, "blanc": blanc, **NAMES}[name]
            assert printed(evaluate_documents(infos, metric, only_split_antecedent=only)) == sides, (case.arguments, name)
            checked += 1
        layers = re.findall(r":\nRecall: ([\d.]+)  Precision: ([\d.]+)  F1: ([\d.]+)", case.printed)
        found = [evaluate_non_referrings(non_referring)] * flags[3] + [*evaluate_bridgings(bridging)] * flags[2]
        if layers:
            assert [printed(sides) for sides in found] == [[*sides] for sides in layers]
    assert checked > 50


def printed(sides: tuple[float, float, float]) -> list[str]:
    return [f"{100 * side:.2f}" for side in sides]


def arrau(seed: int, folder: Path) -> tuple[str, str]:
    """A key and a response of two documents: markables of sets, some non-referring."""
    chance = random.Random(seed)
    for side in ("key", "response"):
        (folder / side).mkdir(exist_ok=True)
        for document in ("a", "b"):
            cells: list[list[tuple[str, str]]] = [[] for _ in range(20)]
            spans = {(s, min(19, s + chance.randrange(3))) for s in (chance.randrange(20) for _ in range(12))}
            for number, (start, end) in enumerate(sorted(spans)):
                entity = chance.randrange(5)
                for place in range(start, end + 1):
                    mark = f"{'B' if place == start else 'I'}-markable_{number}=set_{entity}"
                    cells[place].append((mark, "referring" if entity else "non_referring"))
            lines = ["TOKEN MARKABLES MIN POS REFERENCE"]
            for cell in cells:
                marks = ["@".join(part) for part in zip(*cell, strict=True)] if cell else []
                lines.append("\t".join(["w", marks[0], "@".join("word_1" for _ in cell), "nn", marks[1]] if cell else ["w"]))
            (folder / side / f"{document}.CONLL").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder / "key"), str(folder / "response")


@pytest.mark.slow
@pytest.mark.parametrize("keep", [True, False])
def test_the_reader_of_arrau_gives_what_coval_gives(keep: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (FOLDER / "coval" / "coval").is_dir():
        pytest.skip(f"needs {FOLDER}/coval: name its folder as REFEREE_PROGRAMS")
    monkeypatch.syspath_prepend(FOLDER / "coval")
    for name in [module for module in sys.modules if module.startswith("coval")]:
        monkeypatch.delitem(sys.modules, name)
    reader, evaluator = (importlib.import_module(f"coval.{name}") for name in ("arrau.reader", "eval.evaluator"))
    for seed in range(40):
        files = arrau(seed, tmp_path)
        theirs, of_them = reader.get_coref_infos(*files, keep, True, False)
        infos, non_referring = coval_arrau.get_coref_infos(*files, keep, True, False)
        for name in ("muc", "b_cubed", "ceafe", "lea"):
            expected = evaluator.evaluate_documents(theirs, getattr(evaluator, name))
            assert evaluate_documents(infos, NAMES[name]) == pytest.approx(expected), (seed, name)
            assert evaluate_documents(theirs, NAMES[name]) == pytest.approx(expected), (seed, name)
        expected = evaluator.evaluate_non_referrings(of_them)
        assert evaluate_non_referrings(non_referring) == pytest.approx(expected)
        assert evaluate_non_referrings(of_them) == pytest.approx(expected)


def test_the_reader_of_arrau(tmp_path: Path) -> None:
    for name, rows in {"key": "1 1 2 0", "response": "1 2 2 0"}.items():
        (tmp_path / name).mkdir()
        kinds = {"0": "non_referring"}
        lines = [f"w\tB-markable_{n}=set_{s}\tword_{n}\tx\t{kinds.get(s, 'referring')}" for n, s in enumerate(rows.split(), 1)]
        (tmp_path / name / "a.CONLL").write_text("\n".join(["TOKEN", *lines, ""]), encoding="utf-8")
    infos, non_referring = coval_arrau.get_coref_infos(str(tmp_path / "key"), str(tmp_path / "response"), True, True, False)
    # The key has {1, 2} and {3}, the response {1} and {2, 3}.
    assert evaluate_documents(infos, muc) == (0.0, 0.0, 0.0)
    assert evaluate_documents(infos, b_cubed) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert evaluate_non_referrings(non_referring) == (1.0, 1.0, 1.0)


def test_options_of_the_evaluator_that_are_not_possible() -> None:
    with pytest.raises(OptionError, match="found lea_split_antecedent_importance=2; expected 1"):
        evaluate_documents(BOTH, lea, lea_split_antecedent_importance=2)
    with pytest.raises(OptionError, match="found only_split_antecedent=True; expected what get_coref_infos of coval_ua"):
        evaluate_documents(BOTH, lea, only_split_antecedent=True)
    with pytest.raises(OptionError, match="found keep_split_antecedent=True without singletons"):
        coval_ua.get_coref_infos("a", "b", False, True, False, False, False, False)


def test_brackets_that_it_does_not_see_are_printed(tmp_path: Path) -> None:
    # In the cell of the first word, the second bracket makes it forget the first one, so 1 is never open.
    text = "#begin document (d);\nd 0 0 a (1(2\nd 0 1 b 2)1)\nd 0 2 c (3)|(2)\n\n#end document\n"
    for name in ("key", "response"):
        (tmp_path / name).write_text(text)
    found = run([str(tmp_path / "key"), str(tmp_path / "response"), "mentions"]).text
    problem = "Problem in the coreference annotation:\n d 0 1 b 2)1)\n\n"
    warning = "Warning: A single mention is assigned to more than one cluster: [3, 2]\n"
    assert found == 2 * (problem + warning) + "mentions   Recall: 100.00  Precision: 100.00  F1: 100.00\n"


@pytest.mark.parametrize("where", ["file", "folder", "standard input"])
def test_a_file_that_coval_cannot_read_is_scored(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
