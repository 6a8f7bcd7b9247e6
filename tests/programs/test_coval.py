"""`referee as coval` prints what coval's scorer.py prints; `referee.compat.coval` has its functions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.compat.coval import evaluate_documents, get_coref_infos, lea, muc
from referee.exceptions import OptionError
from referee.programs.coval import run
from tests.support.conll_pairs import write_pair
from tests.support.paths import EXAMPLES, SHARED
from tests.support.programs import Case, coval, ours, real, stored

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
DATA = SHARED / "conformance" / "reference-tests"

WITHOUT_BARS = {"TC-A-7.response", "TC-A-8.response", "TC-A-9.response"}
"""coval forgets brackets that stand together without a bar."""


def test_prints_what_the_program_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in stored("coval"):
        assert _in_order(ours("coval", case, tmp_path, monkeypatch)) == _in_order(case.printed), case.arguments


@pytest.mark.slow
def test_prints_what_the_program_prints_for_random_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    different = [
        seed
        for seed in range(1000, 1200)
        if _in_order(ours("coval", coval(seed), tmp_path, monkeypatch)) != _in_order(real("coval", coval(seed), tmp_path))
    ]
    assert different == [1085]  # the order of entities in a cell decides which of them is the last


def _in_order(text: str) -> str:
    """Entities of a repeated mention are in the order of the file; in coval, in that of the cell."""
    return re.sub(r"\[(.*)\]", lambda ids: str(sorted(ids[1].split(", "))), text)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the conformance kit, ../shared/conformance")
@pytest.mark.parametrize("options", [[], ["remove_singletons"]], ids=["keep", "remove"])
def test_prints_what_the_program_prints_for_its_own_tests(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    different = set()
    for path in sorted(DATA.glob("*.response")):
        files = {file: (DATA / file).read_text() for file in (re.sub(r"-\d+\.response", ".key", path.name), path.name)}
        case = Case([*files, *options], files)
        if ours("coval", case, tmp_path, monkeypatch) != real("coval", case, tmp_path):
            different.add(path.name)
    assert different == WITHOUT_BARS


def test_its_functions_give_what_it_prints(tmp_path: Path) -> None:
    key, response = write_pair(13, tmp_path)
    infos = get_coref_infos(key, response, False, False, True, False)
    for metric, name in ((muc, "muc"), (lea, "lea")):
        recall, precision, f1 = (100 * side for side in evaluate_documents(infos, metric))
        expected = f"{name:<10} Recall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}\n"
        assert run([key, response, name]).text == expected
    assert evaluate_documents(infos, muc, beta=2)[:2] == evaluate_documents(infos, muc)[:2]


def test_what_needs_parses_is_refused() -> None:
    files = [str(EXAMPLES / "key.conll")] * 2
    for option in ("NP_only", "remove_nested", "min_span", "min"):
        with pytest.raises(OptionError, match="of coval is not possible here"):
            run([*files, option])
    with pytest.raises(OptionError, match="coval: found 1 arguments"):
        run(files[:1])
