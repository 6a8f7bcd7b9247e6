"""`referee compare`, and the intervals of `referee score`, as people run them."""

import csv
import io
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from tests.support.command import referee
from tests.support.partitions import random_documents

NAMES = [f"{genre}/{number}" for genre in ("news", "talk") for number in range(6)]


def clusters(documents):
    """jsonlines, one document a line."""
    lines = []
    for name, entities in zip(NAMES, documents, strict=True):
        sentence = [f"w{n}" for n in range(20)]
        of = [[[m, m] for m in sorted(entity)] for entity in entities]
        lines.append(json.dumps({"doc_key": name, "sentences": [sentence], "clusters": of}))
    return "\n".join(lines) + "\n"


@pytest.fixture
def here(tmp_path):
    rng = np.random.default_rng(8)
    documents = random_documents(rng, 12, 18)
    (tmp_path / "key.jsonlines").write_text(clusters([key for key, _ in documents]))
    (tmp_path / "a.jsonlines").write_text(clusters([response for _, response in documents]))
    (tmp_path / "b.jsonlines").write_text(clusters([key for key, _ in random_documents(rng, 12, 18)]))
    (tmp_path / "meta.tsv").write_text(
        "document\tsplit\n" + "".join(f"{name}\t{'dev' if '1' in name else 'test'}\n" for name in NAMES)
    )
    return tmp_path


FILES = ("key.jsonlines", "a.jsonlines", "b.jsonlines", "--names", "one,two", "--resamples", "300")


def good(here, *arguments):
    done = referee("compare", *arguments, cwd=here)
    assert (done.status, done.err) == (0, "")
    return done.out


def values(here, *arguments):
    return list(csv.DictReader(io.StringIO(good(here, *arguments, "--report", "csv"))))


def test_the_table_has_a_row_a_response_and_says_what_its_signs_mean(here):
    text = good(here, *FILES, "-m", "mentions,lea").splitlines()
    assert (text[0].split(), text[1].split()) == (["F1"], ["system", "mentions", "lea"])
    assert re.fullmatch(r"one +\d+\.\d\d ±\d+\.\d\d +\d+\.\d\d ±\d+\.\d\d", text[2])
    assert re.fullmatch(r"two − one: mentions [+−]\d+\.\d\d \[[+−]\d+\.\d\d, [+−]\d+\.\d\d\], p [=<≤] .*", text[5])
    assert text[6].startswith("two − one: lea ")
    assert text[7] == "± half the 95 % interval; * better, † worse than one (p ≤ 0.05)"
    assert text[-1].endswith("| resamples:300 | seed:0 | unit:document | test:randomization | correction:holm | baseline:one")


def test_the_best_is_bold_in_markdown(here):
    text = good(here, *FILES, "-m", "mentions", "--report", "markdown", "--style", "interval")
    bold = re.findall(r"\| (\w+) \| \*\*(\S+) \[(\S+), (\S+)\]\*\*", text)
    assert len(bold) == 1
    found = {row["system"]: float(row["value"]) for row in values(here, *FILES, "-m", "mentions")}
    assert bold[0][0] == max(found, key=found.__getitem__)


def test_the_same_seed_gives_the_same_bytes(here):
    assert good(here, *FILES, "-r", "json") == good(here, *FILES, "-r", "json")
    assert good(here, *FILES, "-r", "json") != good(here, *FILES, "-r", "json", "--seed", "1")


def test_any_response_may_be_the_baseline(here):
    rows = {row["system"]: row for row in values(here, *FILES, "-m", "lea", "--baseline", "two")}
    assert rows["two"]["difference"] == ""
    assert float(rows["one"]["difference"]) == pytest.approx(float(rows["one"]["value"]) - float(rows["two"]["value"]))
    assert rows["one"]["exact"] == "True"  # twelve documents: all 4096 swaps
    assert (float(rows["one"]["p_randomization"]) * 4096).is_integer()


def test_groups_by_prefix_and_by_a_field(here):
    prefix = {row["group"]: row for row in values(here, *FILES, "-m", "lea", "--by", "prefix") if row["system"] == "one"}
    assert {name: row["documents"] for name, row in prefix.items()} == {"news": "6", "talk": "6", "micro": "12", "macro": "12"}
    mean = (float(prefix["news"]["value"]) + float(prefix["talk"]["value"])) / 2
    assert float(prefix["macro"]["value"]) == pytest.approx(mean)
    field = values(here, *FILES, "-m", "lea", "--by", "split", "--metadata", "meta.tsv")
    assert {row["group"]: row["documents"] for row in field} == {"dev": "2", "test": "10", "micro": "12", "macro": "12"}
    assert len(values(here, *FILES, "-m", "lea", "--by", "document")) == 2 * (12 + 2)


TOML = """\
baseline = "two"

[corpora.first]
key = "key.jsonlines"
responses = {one = "a.jsonlines", two = "b.jsonlines"}

[corpora.second]
key = "a.jsonlines"

[corpora.second.responses]
two = "b.jsonlines"
one = "key.jsonlines"
"""


def test_corpora_from_a_file_and_from_the_command_line(here):
    (here / "shared.toml").write_text(TOML)
    text = good(here, "--corpora", "shared.toml", "-m", "lea", "--resamples", "100")
    assert [line.split()[0] for line in text.splitlines()[2:10:2]] == ["first", "second", "micro", "macro"]
    line = [
        "--corpus", "first=key.jsonlines,a.jsonlines,b.jsonlines", "--corpus", "second=a.jsonlines,key.jsonlines,b.jsonlines",
        "--names", "one,two", "--baseline", "two",
    ]  # fmt: skip
    assert good(here, *line, "-m", "lea", "--resamples", "100") == text
    elsewhere = referee("compare", "--corpora", here / "shared.toml", "-m", "lea", "--resamples", "100", cwd="/")
    assert elsewhere.status == 0  # files are beside the TOML file


def test_latex_is_a_table_with_rules(here):
    text = good(here, *FILES, "-m", "mentions,d_error,merge_distance", "--report", "latex")
    assert text.startswith("% \\usepackage{booktabs}\n% referee ")
    head = "\\begin{tabular}{lrrr}\n\\toprule\n & \\multicolumn{1}{c}{F$_{1}$} &  &  \\\\\n\\cmidrule(lr){2-2}\n"
    assert head + "System & Mentions & d-error & Merge distance (operations)" in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {row.count("&") for row in rows} == {3}
    assert sum("\\textbf" in row for row in rows) >= 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("style", ["margin", "interval", "plain"])
def test_latex_accepts_the_table(here, style):
    files = (*FILES[:3], "--resamples", "300")
    how = ("--names", "[one],*two", "-m", "conll,vi,d_error,merge_distance", "-r", "latex", "--style", style)
    tables = [good(here, *files, *how, *groups) for groups in ((), ("--by", "prefix"))]
    preamble = tables[0].splitlines()[0].removeprefix("% ")
    document = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{''.join(tables)}\\end{{document}}\n"
    (here / "paper.tex").write_text(document)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=here, capture_output=True, check=False, timeout=100,
    )  # fmt: skip
    if b"booktabs.sty' not found" in done.stdout:
        pytest.skip("needs booktabs")
    assert done.returncode == 0, done.stdout[-1000:]
    assert (here / "paper.pdf").exists()


def test_cells_of_a_table_are_stripped_and_any_field_may_group(here):
    (here / "wide.tsv").write_text(
        "document\t prefix\n" + "".join(f"{name} \t {'dev' if '1' in name else 'test'} \n" for name in NAMES)
    )
    rows = values(here, *FILES, "-m", "lea", "--by", "prefix", "--metadata", "wide.tsv")
    assert {row["group"]: row["documents"] for row in rows} == {"dev": "2", "test": "10", "micro": "12", "macro": "12"}


@pytest.mark.parametrize("verb", ["compare", "errors", "correlate", "phrases"])
def test_a_picture_that_cannot_be_written_leaves_nothing(here, verb):
    pytest.importorskip("matplotlib")
    files = {"compare": FILES[:3], "errors": FILES[:2], "correlate": FILES[:3], "phrases": ("score", *FILES[:2])}[verb]
    before = sorted(here.iterdir())
    for output in ((), ("-o", "out.txt")):
        done = referee(verb, *files, *output, "--plot", "nowhere/x.png", cwd=here)
        assert (done.status, done.out, len(done.errors)) == (2, "", 1)
        assert "cannot write nowhere/x.png" in done.err
    done = referee(verb, *files, "-o", "nowhere/out.txt", "--plot", "x.svg", cwd=here)
    assert done.status == 2
    assert sorted(here.iterdir()) == before


def test_a_picture_has_names_as_they_are(here):
    pytest.importorskip("matplotlib")
    names = ["$x_$y", "_hidden", "long" * 40, "a^b"]
    files = ["a.jsonlines", "b.jsonlines", "a.jsonlines", "b.jsonlines"]
    good(here, "key.jsonlines", *files, "--names", ",".join(names), "-m", "lea", "--resamples", "40", "--plot", "x.svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (here / "x.svg").read_text())
    for name in ("$x_$y", "a^b"):
        assert texts.count(name) >= 2  # beside an interval, and in a legend
    assert sum(text.strip() == "_hidden" for text in texts) >= 3
    assert max(map(len, texts)) < 70
    shutil.copy(here / "a.jsonlines", here / "$x_$y.jsonlines")
    done = referee("phrases", "score", "key.jsonlines", "$x_$y.jsonlines", "--plot", "y.svg", cwd=here)
    assert (done.status, done.err) == (0, "")
    assert "$x_$y" in (here / "y.svg").read_text()


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_comparison_is_drawn(here, ending):
    pytest.importorskip("matplotlib")
    good(here, *FILES, "-m", "lea", "--plot", f"picture.{ending}")
    head = (here / f"picture.{ending}").read_bytes()[:100]
    assert {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending] in head
    good(here, "key.jsonlines", "a.jsonlines", "-m", "vi", "--plot", f"alone.{ending}")


def test_the_table_of_papers(here):
    table = good(here, *FILES, "--table", "conll").splitlines()
    assert table[1].split() == ["system", *["P", "R", "F1"] * 3, "avg.", "F1"]
    assert "±" not in table[2]
    assert "±" in good(here, *FILES, "--table", "conll", "--style", "margin").splitlines()[2]


# The intervals of `score`.


def scored(here, *arguments):
    return referee("score", "key.jsonlines", "a.jsonlines", *arguments, cwd=here)


def test_score_shows_intervals(here):
    done = scored(here, "-m", "lea,vi", "--intervals", "--resamples", "300")
    assert re.search(r"^lea( +\d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\]){3}", done.out, re.MULTILINE)
    assert re.search(r"^vi +\d\.\d+ \[\d\.\d+, \d\.\d+\] +bits$", done.out, re.MULTILINE)
    assert "| intervals:percentile | level:0.95 | resamples:300 | seed:0 | unit:document\n" in done.out
    report = json.loads(scored(here, "-m", "lea", "--intervals", "--resamples", "300", "-r", "json").out)
    (row,) = values(here, "key.jsonlines", "a.jsonlines", "--resamples", "300", "-m", "lea")
    assert report["systems"][0]["metrics"]["lea"]["intervals"]["value"] == [float(row["low"]), float(row["high"])]
    several = scored(here, "b.jsonlines", "-m", "lea", "--intervals").out
    assert several.count("[") == 3  # of each system, and of the legend
    assert scored(here, "-m", "lea", "--intervals", "--by", "document").out.count("[") == 2


def test_one_document_is_said_to_have_no_interval(here):
    (here / "one.json").write_text('[["a", "b"], ["c"]]')
    done = referee("score", "one.json", "one.json", "--intervals", "-m", "muc", cwd=here)
    assert done.status == 0
    assert "no interval can be given: there is 1 document, and at least two are needed" in done.err
