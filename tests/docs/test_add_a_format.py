"""The format that docs/add-a-format.md adds is taken from the page and works as the page says."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from reading import entities_of, faults_of, read_again, read_text, source_of
from rich import rich_corpora

from markable import formats
from markable.cli import main
from markable.corpus import Corpus

PAGE = (Path(__file__).parents[2] / "docs" / "add-a-format.md").read_text(encoding="utf-8")
DOG, MODULE, _, SHELL, PROPERTY = re.findall(r"^```\w*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
NAME = "markable.formats.spans"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of the page, registered."""
    module = ModuleType(NAME)
    exec(compile(MODULE, "docs/add-a-format.md", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, NAME, module)
    monkeypatch.setitem(formats.FORMATS, "spans", NAME)
    return module


def test_the_page_s_format_reads_the_page_s_example(spans: ModuleType) -> None:
    assert entities_of(read_text(DOG, "spans")) == {"d1": {"Ann": [(0, 1), (3, 4)], "dog": [(4, 6)]}}
    assert entities_of(read_text(DOG.partition("\n")[2], "spans")) == {"#1": {"Ann": [(0, 1), (3, 4)], "dog": [(4, 6)]}}
    assert formats.detect(source_of(DOG)) == "spans"


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpus=rich_corpora({"spans"}))
def test_what_it_writes_reads_the_same(spans: ModuleType, corpus: Corpus) -> None:
    assert spans.HOLDS == ("spans",)
    assert read_again(corpus, "spans") == corpus


def test_the_property_test_of_the_page_is_python_that_says_so(spans: ModuleType) -> None:
    assert 'assert read_again(corpus, "spans") == corpus' in PROPERTY
    compile(PROPERTY, "docs/add-a-format.md", "exec")


def test_the_commands_of_the_page_print_what_it_says(
    spans: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    faulty = Path("dog.spans")
    faulty.write_text(DOG.replace("3-4", "3-3").replace("dog:", "dog"), encoding="utf-8")
    assert faults_of(faulty.read_text(encoding="utf-8"), "spans")
    printed = ""
    for number, command in enumerate(re.findall(r"^\$ markable (.*)$", SHELL, re.MULTILINE)):
        if number == 1:
            faulty.write_text(DOG, encoding="utf-8")
        status = main(command.split())
        found = capfd.readouterr()
        printed += f"$ markable {command}\n{found.out}{found.err}"
        assert status == (1 if number == 0 else 2 if found.err else 0)
    assert printed == SHELL
    assert entities_of(formats.read("dog.json"))["d1"] == {"Ann": [(0, 1), (3, 4)], "dog": [(4, 6)]}
