"""Every measure, format, matcher and profile has its place in the documentation, links lead somewhere, and the format that
docs/add-a-format.md adds works as the page says. (That the examples are right is what pytest's doctest sees to.)
"""

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from subprocess import PIPE, STDOUT
from types import ModuleType

import pytest

import referee
from referee.basics.options.options import RECORDS, Options
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
from referee.scoring.signature import SHORT
from scripts import metric_pages
from tests.support.command import told
from tests.support.metrics import ENTITY_METRICS
from tests.support.paths import EXAMPLES, ROOT
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
def test_each_measure_has_a_page_with_its_name_at_the_top(name):
    page = PAGES / f"{metric_pages.page(name)}.md"
    assert page.is_file(), f"expected {page}"
    assert f"`{name}`" in page.read_text(encoding="utf-8").split("\n\n## ")[0]


def test_the_table_and_the_top_of_each_page_are_those_of_the_records():
    different = [path for path, generated in metric_pages.pages() if not path.exists() or text(path) != generated]
    assert different == [], "run `python scripts/metric_pages.py`"


def test_no_page_is_about_a_measure_that_is_gone():
    assert {page.stem for page in PAGES.glob("*.md")} - {Path(OVERVIEW).stem} == set(map(metric_pages.page, METRICS))


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


NEITHER_NOW_NOR_HERE = ("decisions.md", "referee-0.2.md", "add-a-format.md", "add-a-verb.md")
NO_NAMES_OF_PYTHON = ("referee.counts", "referee.html", "referee.coref.v1", "referee.ents.v1", "referee.spans.v1")


def names(page):
    """The names of Python in the prose of a page, and those that its code imports."""
    imports = re.findall(r"^ *(?:>>> )?from (referee[\w.]*) import ([\w, ]+)$", text(page), re.MULTILINE)
    imported = {f"{module}.{name.split()[0]}" for module, line in imports for name in line.split(",")}
    return imported.union(re.findall(r"`(referee(?:\.[A-Za-z_]\w*)+)", text(page)))


NAMED = set().union(*(names(page) for page in ALL if page.name not in NEITHER_NOW_NOR_HERE))


@pytest.mark.parametrize("name", sorted(NAMED - set(NO_NAMES_OF_PYTHON)))
def test_names_that_pages_show_are_there(name):
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            thing = import_module(".".join(parts[:end]))  # the longest module, as some have the name of a function beside them
            break
        except ModuleNotFoundError:
            continue
        except referee.MissingExtraError as error:
            pytest.skip(str(error))
    for part in parts[end:]:
        thing = getattr(thing, part)


@pytest.mark.parametrize("page", [page.name for page in DOCS.glob("*.md")])
def test_each_page_is_linked_from_the_first_one(page):
    first = text(DOCS / "index.md")
    assert page == "index.md" or (f"]({page})" in first and f"\n{page.removesuffix('.md')}\n" in first), "list and contents"


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md")))
def test_each_page_shows_numbers_that_are_checked(page):
    assert ">>> " in (PAGES / page).read_text(encoding="utf-8")


HEADINGS = ["Definition", "Worked by hand", "Where it fails", "When to use it", "Differences between programs", "Sources"]


@pytest.mark.parametrize("name", sorted(set(map(metric_pages.page, METRICS))))
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
    writes = f"Writes {', '.join(record.writes)}, " if record.writes else ""
    item = f"- **`{name}`** ({use}): {summary} Holds {', '.join(record.holds)}. {writes}"
    assert item in " ".join(text(DOCS / "formats.md").split())


def test_no_item_is_about_a_format_that_is_gone():
    assert re.findall(r"^- \*\*`(\w+)`\*\* \(", text(DOCS / "formats.md"), re.MULTILINE) == list(FORMATS)


def test_it_is_said_what_a_loss_of_each_feature_is():
    table = text(DOCS / "formats.md").partition("| annotation | effect of leaving it out |")[2].partition("\n\n")[0]
    named = [name.strip() for row in table.splitlines()[2:] for name in row.split("|")[1].split(",")]
    assert sorted(named) == sorted(FEATURES)


@pytest.mark.parametrize("name", [*MATCHERS, *ZEROS, *REPEATED_MENTIONS, *PROFILES])
def test_each_matcher_policy_and_profile_is_explained(name):
    assert f"`{name}`" in text(DOCS / "matching.md") + text(DOCS / "scores.md") + text(DOCS / "profiles.md")


def test_each_field_has_its_row_and_a_letter_of_its_own_in_the_table_of_the_signature():
    for field, letter in SHORT.items():
        row = f"| `{field}:` | {f'`{letter}`' if letter else 'not shown'} | "
        assert row in text(DOCS / "scores.md") or field == "quotes", f"add a row to docs/scores.md: {row}"
    letters = [letter for letter in SHORT.values() if letter]
    assert len(set(letters)) == len(letters), f"give each option a letter that no other has: {letters}"


@pytest.mark.parametrize(
    "option", [name for name, record in RECORDS.items() if record.choices and name not in ("tokens", "quotes")]
)
def test_each_value_that_a_signature_may_show_is_in_the_row_of_its_field(option):
    record, usual = RECORDS[option], Options()
    row = re.search(rf"^\| `{record.field or option.replace('_', '-')}:` .*$", text(DOCS / "scores.md"), re.MULTILINE)[0]
    shown = [choice for choice in record.choices if record.always or choice != getattr(usual, option)]
    assert [choice for choice in shown if f"`{record.written(choice)}`" not in row.replace("[", "").replace("]", "")] == []


@pytest.mark.parametrize(
    "command",
    [
        "score key.conll response.conll --intervals",
        "score records.key.csv records.response.csv",
        "compare key.conll response.conll second.jsonlines",
        "agree key.conll response.conll",
        "estimate records.key.csv records.response.csv",
        "thresholds records.key.csv pairs.csv",
    ],
)
def test_each_field_that_a_signature_shows_is_explained(command, tmp_path):
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "pairs.csv").write_text("left,right,probability\nr1,r2,0.9\nr2,r3,0.4\n", encoding="utf-8")
    signature = re.search(r"referee \d\S+ \| (.*)", told(*command.split(), cwd=tmp_path).out)[1]
    fields = [field.partition(":")[0] for field in signature.split(" | ")[1:] if ":" in field]
    assert len(fields) > 1
    assert [field for field in fields if f"`{field}:`" not in text(DOCS / "scores.md")] == []


@pytest.mark.parametrize("name", [*KINDS, *BY])
def test_each_kind_of_error_and_each_breakdown_is_explained(name):
    assert f"`{name}`" in text(DOCS / "errors.md")


def blocks(page):
    """The blocks of code of a page."""
    return re.findall(r"^```\w*\n(.*?)^```$", text(DOCS / page), re.MULTILINE | re.DOTALL)


def with_texts(folder, texts):
    """The project in a folder, as links, but for files that have these texts."""
    folders = {parent for path in texts for parent in path.parents}
    for place in sorted(folders):
        (folder / place).mkdir(exist_ok=True)
        for path in (ROOT / place).glob("*"):
            if (other := path.relative_to(ROOT)) not in {*folders, *texts}:
                (folder / other).symlink_to(path)
    for path, content in texts.items():
        (folder / path).write_text(content, encoding="utf-8")


def run(folder, *command):
    """A command of the project in a folder, and all that it prints."""
    env = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=env, stdout=PIPE, stderr=STDOUT, text=True, check=False
    )


def check_shell(folder, shell):
    for command, output in re.findall(r"^\$ (.*)\n([^$]*)", shell, re.MULTILINE):
        assert run(folder, *command.split()).stdout == output


def edited(place, *edits):
    """The text of a file of the package, with other text in some places."""
    code = text(ROOT / "src/referee" / place)
    for old, new in edits:
        assert code.count(old) == 1, (place, old)
        code = code.replace(old, new)
    return code


def test_the_format_of_its_page_does_what_the_page_says(tmp_path):
    dog, module, line, shell, tests = blocks("add-a-format.md")
    end = '\n"""\n"""In the order'
    texts = {
        "src/referee/formats/spans.py": module,
        "src/referee/basics/options/choices.py": edited("basics/options/choices.py", (end, f" {line.split()[-2]}{end}")),
        "tests/samples/spans/1": dog,
        "tests/formats/test_spans.py": tests,
    }
    with_texts(tmp_path, {Path(path): content for path, content in texts.items()})
    files = [file for file in text(DOCS / "add-a-format.md").split("    pytest ")[1].split() if "test_pages" not in file]
    done = run(tmp_path, "pytest", "-n", "0", "-p", "no:cacheprovider", "-k", "spans", *files)
    assert done.returncode == 0, done.stdout
    (tmp_path / "dog.spans").write_text(dog.replace("3-4", "3-3").replace("dog:", "dog"), encoding="utf-8")
    faulty, right = shell.split("$ referee convert", 1)
    check_shell(tmp_path, faulty)
    (tmp_path / "dog.spans").write_text(dog, encoding="utf-8")
    check_shell(tmp_path, f"$ referee convert{right}")


def test_the_verb_of_its_page_prints_what_the_page_says(tmp_path, monkeypatch, capfd):
    result, verb, line, shell, *_ = blocks("add-a-verb.md")
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
    record, kind, use, shell = blocks("add-an-option.md")
    texts = {
        "basics/options/options.py": [("    def __repr__", f"{record}\n    def __repr__")],
        "basics/options/types.py": [("\n\nclass InputOptions", f"{kind}\n\nclass InputOptions")],
        "matching/pair.py": [
            ('    if o.zeros == "drop" and o.singletons', f'{use}    if o.zeros == "drop" and o.singletons'),
            ("\nif TYPE_CHECKING", "from referee.matching.spans import sizes\n\nif TYPE_CHECKING"),
        ],
    }
    with_texts(tmp_path, {Path("src/referee", place): edited(place, *edits) for place, edits in texts.items()})
    check_shell(tmp_path, shell)
