"""One word for each thing: words that the project no longer uses do not come back in the documentation, in the help of the
command, or in its reports (docs/glossary.md has the words that it uses).
"""

import re
from argparse import _SubParsersAction
from typing import NamedTuple

import pytest

from referee.cli.main import main, parser
from tests.docs.test_pages import ALL, DOCS
from tests.support.paths import ROOT


class Retired(NamedTuple):
    """A word that is no longer used, as a regular expression, and the word to write in its place."""

    pattern: str
    instead: str


RETIRED = (
    Retired(r"measures?", "metric (for the noun; for the verb: score, time, count)"),
    Retired(r"least spans?", "minimum span"),
    Retired(r"duplicates?|listed twice", "repeated mention"),
    Retired(r"believed|annotation that is true", "key, or: the annotation taken as true"),
    Retired(r"judged", "response, or: scored"),
    Retired(r"across documents", "cross-document"),
    Retired(r"faults?|faulty", "error (in a file); cost (of an error of a response)"),
    Retired(r"troubles?", "error"),
    Retired(r"blame[ds]?", "cost, or: error breakdown"),
    Retired(r"draws?|drew|drawn|drawings?", "resample (documents); plot (numbers); show"),
    Retired(r"pictures?", "plot; screenshot"),
    Retired(r"markables?", "mention"),
    Retired(r"named things?", "item"),
    Retired(r"(?:other|another|wrong) boundar(?:y|ies)|boundary errors?", "span error"),
    Retired(r"home of|owner of", "best-matching response entity; best-matching key entity"),
    Retired(r"classes of mentions?|mention class(?:es)?", "mention type"),
    Retired(r"no referents?", "non-referring"),
    Retired(r"strangers?", "mentions of other entities"),
    Retired(
        r"(?:overlap|matching) thresholds?|thresholds? (?:of|for) (?:overlap|matching|scores?)",
        "minimum overlap (of matching); limit (of a score); a threshold is a probability of pairs",
    ),
    Retired(r"hard answers?", "1-best prediction"),
    Retired(r"impossible events?", "zero-probability event"),
    Retired(r"cut, (?:and )?not rounded|decimals were cut", "truncated"),
)

ALLOWED = {
    "a conditional entropy-based external cluster evaluation measure": "the title of a paper",
    "Information Theoretic Measures for Clusterings Comparison": "the title of a paper",
    "V-measure": "the name of a metric",
    "Measures and Models for Phrase Recognition": "the title of a paper",
    "markables with their sets and minimum spans": "describes a file format in its own words",
    "levels of markables in the folder Markables": "describes a file format in its own words",
    "F-measures": "the field's name of F",
    "F-measure": "the field's name of F",
    "(a hard answer)": "gives the other word once",
    "of expected recall and precision and of blame": "names a table of the paper",
}

RETIRED_OPTIONS = (
    Retired(r"--across|across:\w+", "--cross-document, cross-document:"),
    Retired(r"--overlap|overlap:[\d.]+", "--min-overlap, min-overlap:"),
    Retired(r"--undefined|undefined:\w+", "--zero-division, zero-division:"),
    Retired(r"--picture", "--plot-kind"),
    Retired(r"drop-listed|dropped-as-listed", "drop-annotated, dropped-as-annotated"),
)

EXPLAINED = DOCS / "glossary.md"
"""The page that gives the words of other programs."""

OTHERS = [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md", "benchmarks/README.md")]

PAGES = [page for page in (*ALL, *OTHERS) if page != EXPLAINED]


def prose(markdown):
    """A page without its code, the targets of its links, and what is allowed."""
    markdown = re.sub(r"^( *)```.*?^\1```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    markdown = re.sub(r"^(?: {4}| *>>> | *\.\.\. ).*$", "", markdown, flags=re.MULTILINE)
    markdown = re.sub(r"`[^`]*`", "`", markdown)
    return re.sub(r"\]\([^)]*\)|src=\"[^\"]*\"", "]", markdown)


def retired_words(text):
    """What stands in a text and should not, with its surroundings and the word to write."""
    text = " ".join(text.split())
    for words in ALLOWED:
        text = text.replace(words, "")
    return [
        f"…{text[max(0, found.start() - 30) : found.end() + 30]}… write {word.instead}"
        for word in (*RETIRED, *RETIRED_OPTIONS)
        for found in re.finditer(rf"(?<!\w)(?:{word.pattern})(?!\w)", text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_use_the_words_of_the_glossary(page):
    assert retired_words(prose(page.read_text(encoding="utf-8"))) == []


def test_a_retired_word_is_found_in_prose_and_nowhere_else():
    page = "Every measure counts.\n\n    measure\n\n```\nmeasure\n```\n\n`measure` [x](measure.md), V-measure"
    assert retired_words(prose(page)) == ["…Every measure counts. ` [x], … write " + RETIRED[0].instead]


def helps(command):
    """The help of a command and of its verbs, each with its name."""
    yield command.prog, command.format_help()
    for action in command._actions:
        if isinstance(action, _SubParsersAction):
            for verb in action.choices.values():
                yield from helps(verb)


HELPS = dict(helps(parser()))


@pytest.mark.parametrize("command", HELPS)
def test_help_uses_the_words_of_the_glossary(command):
    assert retired_words(HELPS[command]) == []


KEY, RESPONSE, SECOND = (f"examples/{name}" for name in ("key.conll", "response.conll", "second.jsonlines"))
COMPARED = ("compare", KEY, RESPONSE, SECOND, "--resamples", "50")
REPORTS = (
    ("score", KEY, RESPONSE),
    ("score", KEY, RESPONSE, SECOND),
    ("score", KEY, RESPONSE, "--by", "document", "--report", "csv"),
    ("errors", KEY, RESPONSE),
    ("errors", KEY, RESPONSE, "--by", "error", "--report", "csv"),
    COMPARED,
    (*COMPARED, "--report", "csv"),
    ("agree", KEY, RESPONSE, SECOND),
    ("agree", KEY, RESPONSE, SECOND, "--report", "csv"),
    ("correlate", KEY, RESPONSE, SECOND),
    ("correlate", KEY, RESPONSE, SECOND, "--report", "csv"),
    ("metrics",),
    ("formats",),
)


@pytest.mark.parametrize("arguments", REPORTS, ids=" ".join)
def test_reports_use_the_words_of_the_glossary(arguments, monkeypatch, capfd):
    monkeypatch.chdir(ROOT)
    assert main(arguments) == 0
    assert retired_words(capfd.readouterr().out) == []
