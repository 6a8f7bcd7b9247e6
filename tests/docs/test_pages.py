"""Every measure, format, matcher and profile has its place in the documentation, links lead somewhere, and the format that
docs/add-a-format.md adds works as the page says. (That the examples are right is what pytest's doctest sees to.)
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings

import referee
from referee import inputs
from referee.cli.main import main
from referee.cli.verbs import VERBS
from referee.compat.prompts import PROMPTS
from referee.corpus.corpus import FEATURES
from referee.error_analysis.differences import KINDS
from referee.error_analysis.errors import BY
from referee.inputs import registry
from referee.inputs.registry import FORMATS
from referee.matching.matchers import MATCHERS, ZEROS
from referee.matching.repeated_mentions import REPEATED_MENTIONS
from referee.metrics.registry import METRICS
from referee.scoring.other_scorers.profiles import PROFILES
from scripts import metric_pages
from tests.support.annotated import Limits, rich_corpora
from tests.support.examples import examples
from tests.support.metrics import ENTITY_METRICS
from tests.support.paths import ROOT
from tests.support.reading import entities_of, read_again, read_text, source_of
from tests.test_layers import LEVELS

DOCS = ROOT / "docs"
PAGES = DOCS / "metrics"
OVERVIEW = "README.md"
ALL = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def text(page):
    return page.read_text(encoding="utf-8")


def places(page):
    """What stands behind # in links to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", METRICS)
def test_each_measure_has_a_page_with_its_name_in_the_title(name):
    page = PAGES / f"{name}.md"
    assert page.is_file(), f"expected {page}"
    assert f"`{name}`" in page.read_text(encoding="utf-8").split("\n\n## ")[0]


def test_the_table_and_the_top_of_each_page_are_those_of_the_records():
    different = [path for path, generated in metric_pages.pages() if not path.exists() or text(path) != generated]
    assert different == [], "run `python scripts/metric_pages.py`"


def test_no_page_is_about_a_measure_that_is_gone():
    assert {page.stem for page in PAGES.glob("*.md")} - {Path(OVERVIEW).stem} == set(METRICS)


@pytest.mark.parametrize("page", ALL, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page):
    for link in re.findall(
        r"\]\(([^)\s]+)\)", re.sub(r"^ {4}[^\n]*|^```.*?^```", "", text(page), flags=re.MULTILINE | re.DOTALL)
    ):  # no code
        file, _, place = link.partition("#")
        if "://" not in link:
            target = page.parent / file if file else page
            assert target.exists(), f"{link}: no such file"
            assert not place or place in places(target), f"{link}: found {sorted(places(target))}"


@pytest.mark.parametrize("page", [page.name for page in DOCS.glob("*.md")])
def test_each_page_is_linked_from_the_first_one(page):
    first = text(DOCS / "index.md")
    assert page == "index.md" or (f"]({page})" in first and f"\n{page.removesuffix('.md')}\n" in first), "list and contents"


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md")))
def test_each_page_shows_numbers_that_are_checked(page):
    assert ">>> " in (PAGES / page).read_text(encoding="utf-8")


HEADINGS = ["Definition", "Worked by hand", "Where it fails", "When to use it", "Differences between programs", "Sources"]


@pytest.mark.parametrize("name", METRICS)
def test_each_page_has_the_same_headings_in_the_same_order(name):
    headings = re.findall(r"^## (.+)$", text(PAGES / f"{name}.md"), re.MULTILINE)
    assert headings == [heading for heading in HEADINGS if heading in headings]
    assert {"Definition", "Worked by hand", "Sources"} <= set(headings)


def test_the_picture_of_levels_is_the_one_that_holds():
    rows = re.findall(r"^ ?(\d+)  (.+)$", text(DOCS / "architecture.md"), re.MULTILINE)
    assert {module: int(level) for level, row in rows for module in row.split()} == LEVELS


def test_the_readme_has_counted_right():
    promised = re.findall(r"\*\*(\d+) (metrics of entities|more|formats)\*\*", text(ROOT / "README.md"))
    assert {what: int(number) for number, what in promised} == {
        "metrics of entities": len(ENTITY_METRICS),
        "more": len(METRICS) - len(ENTITY_METRICS),
        "formats": len(FORMATS),
    }


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_listed_as_the_command_lists_it(name):
    record = registry.load_format(name)
    summary = record.documentation.partition("\n")[0]
    use = "read, write" if record.write else "read"
    item = f"- **`{name}`** ({use}): {summary} Holds {', '.join(record.holds)}. "
    assert item in " ".join(text(DOCS / "formats.md").split())


def test_no_item_is_about_a_format_that_is_gone():
    assert re.findall(r"^- \*\*`(\w+)`\*\* \(", text(DOCS / "formats.md"), re.MULTILINE) == list(FORMATS)


def test_it_is_said_what_a_loss_of_each_feature_is():
    table = text(DOCS / "formats.md").partition("| annotation | effect of leaving it out |")[2].partition("\n\n")[0]
    named = [name.strip() for row in table.splitlines()[2:] for name in row.split("|")[1].split(",")]
    assert sorted(named) == sorted(FEATURES)


@pytest.mark.parametrize("name", [*MATCHERS, *ZEROS, *REPEATED_MENTIONS, *PROFILES])
def test_each_matcher_policy_and_profile_is_explained(name):
    assert f"`{name}`" in text(DOCS / "matching.md") + text(DOCS / "scores.md")


@pytest.mark.parametrize("name", [*KINDS, *BY])
def test_each_kind_of_error_and_each_breakdown_is_explained(name):
    assert f"`{name}`" in text(DOCS / "errors.md")


BLOCKS = re.findall(r"^```\w*\n(.*?)^```$", text(DOCS / "add-a-format.md"), re.MULTILINE | re.DOTALL)
DOG, MODULE, LINE, SHELL, PROPERTY = BLOCKS


@pytest.fixture
def spans(monkeypatch):
    """The module of docs/add-a-format.md, registered."""
    name = LINE.split()[-2].rstrip("*")
    place = f"referee.formats.{name}"
    module = ModuleType(place)
    exec(compile(MODULE, "docs/add-a-format.md", "exec"), module.__dict__)
    assert bool(module.FORMAT.write) == LINE.split()[-2].endswith("*")
    monkeypatch.setitem(sys.modules, place, module)
    monkeypatch.setitem(FORMATS, name, f"{place}:FORMAT")
    return module


def test_the_page_s_format_reads_the_page_s_example(spans):
    assert entities_of(read_text(DOG, "spans")) == {"d1": {"Ann": [(0, 1), (3, 4)], "dog": [(4, 6)]}}
    assert entities_of(read_text(DOG.partition("\n")[2], "spans")) == {"#1": {"Ann": [(0, 1), (3, 4)], "dog": [(4, 6)]}}
    assert inputs.detect(source_of(DOG)) == "spans"


@settings(examples(3), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(corpus=rich_corpora({"spans"}, limits=Limits(one_line=True)))
def test_what_it_writes_reads_the_same_as_the_page_s_own_test_says(spans, corpus):
    assert set(corpus.features) == set(spans.FORMAT.holds)
    assert PROPERTY.rstrip().endswith('assert read_again(corpus, "spans") == corpus')
    assert read_again(corpus, "spans") == corpus


def test_the_commands_of_the_page_print_what_it_says(spans, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    faulty = Path("dog.spans")
    faulty.write_text(DOG.replace("3-4", "3-3").replace("dog:", "dog"), encoding="utf-8")
    printed = ""
    for number, command in enumerate(re.findall(r"^\$ referee (.*)$", SHELL, re.MULTILINE)):
        if number == 1:
            faulty.write_text(DOG, encoding="utf-8")
        status = main(command.split())
        found = capfd.readouterr()
        printed += f"$ referee {command}\n{found.out}{found.err}"
        assert status == (1 if number == 0 else 2 if "error:" in found.err else 0)
    assert printed == SHELL
    assert entities_of(inputs.read("dog.json"))["d1"] == {"Ann": [(0, 1), (3, 4)], "dog": [(4, 6)]}


def test_the_verb_of_its_page_prints_what_the_page_says(tmp_path, monkeypatch, capfd):
    result, verb, line, shell, *_ = re.findall(r"^```\w*\n(.*?)^```$", text(DOCS / "add-a-verb.md"), re.MULTILINE | re.DOTALL)
    for place, code in (("referee.scoring.sizes", result), ("referee.cli.sizes", verb)):
        module = ModuleType(place, code.split('"""')[1])
        monkeypatch.setitem(sys.modules, place, module)
        exec(compile(code, "docs/add-a-verb.md", "exec"), module.__dict__)
    monkeypatch.setitem(VERBS, *line.strip().rstrip(",").replace('"', "").split(": "))
    monkeypatch.chdir(tmp_path)
    Path("story.json").write_text('[["a", "b"], ["c"], ["d", "e"]]', encoding="utf-8")
    printed = ""
    for command in re.findall(r"^\$ referee (.*)$", shell, re.MULTILINE):
        assert main(command.split()) == 0
        printed += f"$ referee {command}\n{capfd.readouterr().out}"
    assert printed == shell


@pytest.mark.parametrize("form", PROMPTS)
def test_the_prompts_are_those_of_the_page(form):
    assert f"```text\n{PROMPTS[form]}```" in text(DOCS / "answers.md")


def test_the_option_of_its_page_does_what_the_page_says(tmp_path):
    record, kind, use, shell = re.findall(r"^```\w*\n(.*?)^```$", text(DOCS / "add-an-option.md"), re.MULTILINE | re.DOTALL)
    added = {
        "basics/options/options.py": [("    def __repr__", f"{record}\n    def __repr__")],
        "basics/options/types.py": [("\n\nclass InputOptions", f"{kind}\n\nclass InputOptions")],
        "matching/pair.py": [
            ('    if o.zeros == "drop" and o.singletons', f'{use}    if o.zeros == "drop" and o.singletons'),
            ("\nif TYPE_CHECKING", "from referee.matching.spans import sizes\n\nif TYPE_CHECKING"),
        ],
    }
    package = Path(referee.__file__).parent
    for folder in ("", "basics", "basics/options", "matching"):
        (tmp_path / "referee" / folder).mkdir()
        for path in (package / folder).iterdir():
            place = str(path.relative_to(package))
            if place not in (*added, "basics", "basics/options", "matching"):
                (tmp_path / "referee" / place).symlink_to(path)
    for place, edits in added.items():
        code = text(package / place)
        for old, new in edits:
            assert code.count(old) == 1, (place, old)
            code = code.replace(old, new)
        (tmp_path / "referee" / place).write_text(code, encoding="utf-8")
    printed = ""
    for command in re.findall(r"^\$ referee (.*)$", shell, re.MULTILINE):
        done = subprocess.run(
            [sys.executable, "-m", "referee", *command.split()],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        printed += f"$ referee {command}\n{done.stdout}{done.stderr}"
    assert printed == shell
