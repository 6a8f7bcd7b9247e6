"""The command, as installed and as `python -m referee`."""

import csv
import dataclasses
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys
from argparse import SUPPRESS

import pytest

from referee import FORMATS, METRICS, read, score
from referee.basics.options.choices import TABLE_CHOICES
from referee.basics.options.options import ENGINE_OPTIONS, RECORDS, Options
from referee.basics.options.reading import READ_OPTIONS
from referee.basics.version import VERSION
from referee.cli import main as cli, manual
from referee.cli.completion import SHELLS
from referee.cli.phrases import VERBS as OF_PHRASES
from referee.cli.verbs import GROUPS, OLD_VERBS, SOUGHT, VERBS
from referee.reports.forms import ALL_FORMS
from referee.scoring.other_scorers.profiles import PROFILES
from referee.stats.settings import Resampling
from tests.support.command import COMMAND, INSTALLED, MODULE, process, referee
from tests.support.corrected import as_file
from tests.support.paths import ROOT

KEY = """\
#begin document (a); part 000
Ann\t(1)
saw\t-
her\t(1)|(2
dog\t2)
.\t-

It\t(2)
barked\t-
.\t-

#end document
#begin document (b); part 000
Bob\t(1)
left\t-
him\t(2)
#end document
"""
RESPONSE = KEY.replace("It\t(2)", "It\t(1)").replace("him\t(2)", "him\t(1)")


@pytest.fixture
def here(tmp_path):
    (tmp_path / "key.conll").write_text(KEY)
    (tmp_path / "response.conll").write_text(RESPONSE)
    (tmp_path / "kim.json").write_text(json.dumps(as_file(read(tmp_path / "key.conll"), {})))
    (tmp_path / "responses").mkdir()
    (tmp_path / "responses" / "a.conll").write_text(RESPONSE)
    return tmp_path


def run(here, *arguments, **more):
    return (process if "command" in more else referee)(*arguments, cwd=here, **more)


def good(here, *arguments, **more):
    """The output of a run that must succeed without a word."""
    done = run(here, *arguments, **more)
    assert (done.status, done.err) == (0, ""), done
    return done.out


def refused(here, *arguments):
    """The one line of a run that must fail."""
    done = run(here, *arguments)
    assert (done.status, done.out, len(done.errors)) == (2, "", 1), done
    assert re.match(r"referee( \w+)*: error: ", done.err)
    return done.err


PAIR = ("score", "key.conll", "response.conll")


# Doors.


@pytest.mark.skipif(not INSTALLED.exists(), reason="referee is not installed beside this Python")
def test_the_installed_command_and_the_module_are_the_same(here):
    assert run(here, *PAIR, command=[str(INSTALLED)]) == run(here, *PAIR, command=MODULE)
    assert run(here, "--help", command=[str(INSTALLED)]) == run(here, "--help", command=MODULE)


CALLS = [
    PAIR, ("compare", *PAIR[1:]), ("errors", *PAIR[1:]), ("inspect", *PAIR[1:], "-o", "-"),
    ("agree", *PAIR[1:]), ("correct", "key.conll", "kim.json", "--list"), ("sample", *PAIR[1:], "-n", "1"),
    ("validate", "key.conll"),
    ("convert", "key.conll", "-", "--to", "jsonlines"), ("thresholds", *PAIR[1:]),
    ("estimate", *(ROOT / f"examples/records.{side}.csv" for side in ("key", "response"))),
    ("resolve", ROOT / "examples/story.conllu", "-m", "rules"), ("resolve fit", "--list"), ("resolve tune", "--help"),
    ("resolve ablate", "--help"), ("resolve show", "rules"), ("parse", ROOT / "examples/ferry.txt"), ("parse fit", "--help"),
    ("phrases", "score", *PAIR[1:]), ("prompts", "key.conll"), ("board", "key.conll", "responses", "-o", "site"),
    ("correlate", *PAIR[1:], "key.conll"), ("app", "-o", "app"), ("testsets",), ("formats",), ("metrics", "lea"),
    ("as", "scorer.pl", "muc", *PAIR[1:]), ("reproduce", "000"), ("completion", "bash"),
]  # fmt: skip


CALLS_OF_PHRASES = [("phrases", verb, *PAIR[1:]) for verb in ("errors", "compare")]


@pytest.mark.parametrize("arguments", [*CALLS, *CALLS_OF_PHRASES], ids=lambda arguments: " ".join(map(str, arguments[:2])))
def test_every_verb_does_the_same_in_a_process_of_its_own(here, arguments):
    assert run(here, *arguments, command=COMMAND) == run(here, *arguments)


def test_every_verb_is_called_in_a_process_of_its_own():
    assert [verb for verb, *_ in CALLS] == [*VERBS]


def test_the_first_screen_has_every_verb_in_its_group(here):
    text = good(here, COLUMNS="80")
    assert text == good(here, "--help") == good(here, "help")
    lines = text.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80 and "{" not in text
    for group, verbs in GROUPS.items():
        first = lines.index(f"{group}:") + 1
        shown = [verb for verb in verbs if " " not in verb]
        assert [line.split()[0] for line in lines[first : first + len(shown)]] == shown
    assert lines.index("examples:") < lines.index("everyday:")
    assert "0 done, 1 below the limit, 2 mistake in the input, 3 engine failure" in lines[-1]


@pytest.mark.parametrize("verb", [*VERBS, *(f"phrases {verb}" for verb in OF_PHRASES if verb != "formats")])
def test_help_has_examples_before_options_on_two_screens(here, verb):
    text = good(here, *verb.split(), "--help", COLUMNS="80")
    assert text.startswith(f"usage: referee {verb} ")
    assert "examples:\n  referee " in text
    assert len(text.splitlines()) <= 75
    begin, _, rest = text.partition("examples:")
    options = rest.partition("\n\n")[2]
    lines = (begin + options).splitlines()
    assert max(len(line) for line in lines if "{" not in line) < 80  # values of an option are one word
    assert text == good(here, "help", *verb.split(), COLUMNS="80")


@pytest.mark.parametrize("verb", ["score", "compare", "resolve", "phrases score", "phrases compare"])
def test_help_all_has_the_options_that_few_people_need(here, verb):
    (command,) = [command for command in manual.verbs(cli.parser()) if manual.words(command) == f"referee {verb}"]
    names = {name for action in command._actions if action.help != SUPPRESS for name in action.option_strings if name[1] == "-"}
    few, everything = (good(here, *verb.split(), way, COLUMNS="80") for way in ("--help", "--help-all"))
    shown, every = ({*re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)} for text in (few, everything))
    assert every == names - {"--help"}
    assert few.splitlines()[-1] == f"--help-all: {len(every - shown)} more options"
    assert shown < every and "--help-all" not in everything


def test_help_is_as_wide_as_the_terminal(here):
    text = good(here, "score", "--help", COLUMNS="160")
    assert 128 < max(map(len, text.splitlines())) < 160
    assert text.startswith("usage: referee score [OPTION ...] KEY [RESPONSE ...]\n")
    assert "  -r, --report FORM  " in text


def test_options_may_stand_between_files(here):
    assert good(here, "score", "key.conll", "-q", "response.conll") == good(here, *PAIR, "-q")
    assert good(here, "score", "-q", "key.conll", "-m", "muc", "response.conll", "key.conll") == "40.00\n100.00\n"


def test_what_verbs_are_called_is_no_verb_and_means_one():
    assert SOUGHT.keys().isdisjoint({**VERBS, **OLD_VERBS})
    assert all(any(meant.split(" ", 2)[: len(verb.split())] == verb.split() for verb in VERBS) for meant in SOUGHT.values())


# Scores.


def test_the_text_report_has_every_measure_and_the_signature(here):
    lines = good(here, *PAIR).splitlines()
    assert lines[0].split() == ["metric", "recall", "precision", "F1", "value"]
    reported = ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll"]
    assert [line.split()[0] for line in lines[1:-2]] == reported
    assert lines[-2] == ""
    assert lines[-1] == score(here / "key.conll", here / "response.conll").signature
    # MUC by hand: key links 1 + 1; (Ann her It) keeps one; response links 2 + 1.
    assert ["muc", "50.00", "33.33", "40.00"] in [line.split() for line in lines]


def test_json_has_the_numbers_of_the_api(here):
    report = json.loads(good(here, *PAIR, "--report", "json", "--by", "document", "-m", "all"))
    e = score(here / "key.conll", here / "response.conll", metrics="all")
    (system,) = report["systems"]
    assert (report["referee"], report["key"], report["warnings"]) == (VERSION, "key.conll", [])
    assert (system["name"], system["signature"], system["documents"]) == ("response", e.signature, 2)
    assert set(system["options"]) == {f.name for f in dataclasses.fields(Options)}
    assert list(system["metrics"]) == list(e)

    def same(found, expected):
        for side in ("recall", "precision", "f1", "value"):
            number = getattr(expected, side)
            if number is None:
                assert side not in found
            else:
                assert found[side] == (None if math.isnan(number) else number)

    for name in e:
        same(system["metrics"][name], e[name])
        same(system["metrics"][name]["macro"], e.macro(name)[0])
        assert system["metrics"][name]["macro"]["documents"] == e.macro(name)[1]
        for document in e.documents:
            same(system["by_document"][document][name], e.document(document)[name])


@pytest.mark.parametrize(("report", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_csv_and_tsv_have_a_line_for_each_response_document_and_measure(here, report, delimiter):
    odd = here / 'odd "name", 50%.conll'
    odd.write_text(RESPONSE)
    text = good(here, *PAIR, odd.name, "-r", report, "--by", "document", "-m", "muc,vi,lea")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    assert len(rows) == 2 * 4 * 3
    assert [r["system"] for r in rows] == ["response"] * 12 + [odd.name.removesuffix(".conll")] * 12
    assert [r["document"] for r in rows[:12]] == ["a_0"] * 3 + ["b_0"] * 3 + ["all"] * 6
    assert [r["average"] for r in rows[:12]] == ["document"] * 6 + ["micro"] * 3 + ["macro"] * 3
    assert [bool(r["signature"]) for r in rows[:12]] == [False] * 6 + [True] * 6
    e = score(here / "key.conll", here / "response.conll")
    assert float(rows[9]["f1"]) == e.macro("muc")[0].f1
    rows = rows[6:9] + rows[:6]
    assert float(rows[0]["f1"]) == e["muc"].f1
    assert (rows[1]["f1"], float(rows[1]["value"]), rows[1]["unit"]) == ("", e["vi"].value, "bits")
    assert rows[6]["metric"] == "muc"
    assert rows[6]["recall"] == ""  # 0 / 0: the key has no links in document b


def test_markdown_is_a_table_whatever_the_names(here):
    odd = here / "a|b_c.conll"
    odd.write_text(RESPONSE)
    lines = good(here, *PAIR, odd.name, "-r", "markdown", "-m", "muc,lea").splitlines()
    assert lines[:2] == ["| system | F1 muc | F1 lea |", "| :--- | ---: | ---: |"]
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines[:4]] == [4] * 4
    assert lines[3].startswith(r"| a\|b")
    assert lines[5] == f"`{score(here / 'key.conll', odd, metrics=['muc', 'lea']).signature}`"


def test_latex_has_no_character_of_a_name_that_latex_would_take_for_its_own(here):
    odd = here / "50%_&_{x}$~^#\\.conll"
    odd.write_text(RESPONSE)
    text = good(here, *PAIR, odd.name, "-r", "latex", "-m", "b_cubed,ceaf_e,vi")
    assert r"System & B$^3$ & CEAF$_e$ & VI (bits) \\" in text
    rows = text.partition("\\midrule\n")[2].partition("\\bottomrule")[0].splitlines()
    assert rows[1].startswith(r"50\%\_\&\_\{x\}\$\textasciitilde{}\textasciicircum{}\#\textbackslash{} & ")
    assert all(len(re.findall(r"(?<!\\)&", row)) == 3 for row in rows)
    assert text.startswith("% \\usepackage{booktabs}\n% referee ")
    assert text.count("\\begin{tabular}{lrrr}") == text.count("\\end{tabular}") == 1


@pytest.mark.parametrize("report", ["text", "markdown", "latex"])
def test_a_document_name_breaks_no_table_and_sends_nothing_to_the_terminal(here, report):
    evil = {"doc_key": "x\n\x1b[31m|y", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}
    (here / "evil.jsonlines").write_text(json.dumps(evil) + "\n")
    text = good(here, "score", "evil.jsonlines", "evil.jsonlines", "-r", report, "--by", "document", "-m", "muc")
    assert "\x1b" not in text
    assert sum("100.00" in line for line in text.splitlines()) == 3  # the document, micro, macro


def test_several_responses_are_rows(here):
    lines = good(here, *PAIR, "key.conll").splitlines()
    assert (lines[0].split(), lines[1].split()[:3]) == (["F1"], ["system", "mentions", "muc"])
    assert [line.split()[0] for line in lines[2:4]] == ["response", "key"]
    assert set(lines[3].split()[1:]) == {"100.00"}


def test_by_document_has_each_document_and_both_averages(here):
    lines = [line.split() for line in good(here, *PAIR, "--by", "document", "-m", "muc,b_cubed").splitlines()]
    assert lines[:2] == [["F1"], ["document", "muc", "b_cubed"]]
    assert [line[0] for line in lines[2:6]] == ["a_0", "b_0", "micro", "macro"]
    e = score(here / "key.conll", here / "response.conll")
    assert float(lines[5][-1]) == pytest.approx(100 * e.macro("b_cubed")[0].value, abs=0.005)


def test_quiet_prints_one_number_a_response(here):
    e = score(here / "key.conll", here / "response.conll")
    assert good(here, *PAIR, "-q") == f"{100 * e['conll'].value:.2f}\n"
    assert good(here, *PAIR, "-q", "-m", "lea,muc") == f"{100 * e['lea'].value:.2f}\n"
    assert good(here, *PAIR, "key.conll", "-q", "-m", "muc") == "40.00\n100.00\n"


@pytest.mark.parametrize(
    ("limit", "status", "words"),
    [  # MUC by hand: 1 of the key's 2 links is found, and 1 of the response's 3 is right
        ("muc=40", 0, ""),
        ("muc=39.99", 0, ""),
        ("muc=40.01", 1, "muc is 40.00, below 40.01"),
        ("muc.recall=50", 0, ""),
        ("MUC.Recall=50.01", 1, "muc.recall is 50.00, below 50.01"),
        ("muc.precision=33.33,muc.recall=50", 0, ""),
        ("muc.precision=33.34", 1, "muc.precision is 33.33, below 33.34"),
        ("muc.f1=40", 0, ""),
        ("muc.value=40.01", 1, "muc is 40.00, below 40.01"),
        ("links.precision=33.34", 1, "links.precision is 25.00, below 33.34"),  # 1 of 3 + 1 links; and not shown
    ],
)
def test_fail_under_answers_no_with_status_1_for_a_metric_or_a_side(here, limit, status, words):
    done = run(here, *PAIR, "-m", "muc", "-q", "--fail-under", limit)
    assert done == (status, "40.00\n", f"referee: response: {words}\n" if words else "")


def test_fail_under_is_for_what_is_printed_and_undefined_is_a_failure(here):
    # 2/3 is printed as 66.67, and 66.66 if decimals are cut.
    pair = ("score", "key.conll", "third.conll", "-q", "-m", "muc", "--fail-under", "muc=66.67")
    (here / "third.conll").write_text(KEY.replace("It\t(2)", "It\t-"))
    assert run(here, *pair) == (0, "66.67\n", "")
    assert run(here, *pair, "-p", "conll-8.01")[:2] == (1, "66.66\n")
    (here / "lone.conll").write_text("#begin document (x)\na\t(1)\n")
    done = run(here, "score", "lone.conll", "lone.conll", "-m", "muc", "-q", "--fail-under", "muc=2")
    assert done == (1, "-\n", "referee: lone: muc is undefined, so not 2\n")
    done = run(here, *PAIR, "--fail-under", "bridging_anaphora=50", "--fail-under", "muc=2")  # which is not shown
    assert (done.status, done.err) == (1, "referee: response: bridging_anaphora is undefined, so not 50\n")
    assert "| default |" in done.out.splitlines()[-1]


@pytest.mark.parametrize(
    "limit, status, words",
    [
        ("muc=0.4", 2, "--fail-under: found muc=0.4; limits are in percent: expected muc=40, or 0.4% if so little is meant"),
        ("muc=1", 2, "limits are in percent: expected muc=100, or 1% if so little is meant"),
        ("muc=1%", 0, ""),
        ("muc=0", 0, ""),
        ("muc= 40.01 %", 1, "muc is 40.00, below 40.01"),
        ("muc=101", 2, "found muc=101; expected a percentage from 0 to 100"),
        ("muc=forty", 2, "found muc=forty; expected a percentage, such as 97"),
        ("bridging_anaphora=nan", 2, "found bridging_anaphora=nan; expected a percentage, such as 97"),
        ("0.9", 2, "--fail-under takes NAME=NUMBER; found '0.9'"),
        ("muc=", 2, "--fail-under takes NAME=NUMBER; found 'muc='"),
        ("vi=1", 2, "expected metrics that are larger when better; found vi"),
    ],
)
def test_limits_are_in_percent(here, limit, status, words):
    done = run(here, *PAIR, "-m", "muc", "-q", "--fail-under", limit)
    assert (done.status, words in done.err) == (status, True)


def test_quiet_prints_the_number_that_a_table_leads_with(here):
    (here / "key.csv").write_text("id,cluster\na,1\nb,1\nc,2\n")
    (here / "response.csv").write_text("id,cluster\na,1\nb,1\nc,1\n")
    assert run(here, "score", "key.csv", "response.csv", "-q").out == "50.00\n"  # links: 1 of 1, and of 3
    assert run(here, "score", "key.csv", "response.csv", "-q", "-m", "exact,links").out == "0.00\n"
    assert run(here, *PAIR, "-q").out == run(here, *PAIR, "-q", "-m", "conll").out


def test_profiles_change_what_their_documentation_says(here):
    (here / "extra.conll").write_text(RESPONSE + KEY.replace("(a)", "(c)").replace("(b)", "(d)"))
    default = run(here, "score", "key.conll", "extra.conll", "-m", "b_cubed,blanc")
    conll = run(here, "score", "key.conll", "extra.conll", "-m", "b_cubed,blanc", "-p", "conll-8.01")
    assert "documents:4" in default.out
    assert "2 of 4 documents of extra.conll are not in key.conll: c_0, d_0; their mentions count as spurious: " in default.err
    assert default.err.endswith("spurious: --extra-documents ignore leaves them out\n")
    assert "documents:2" in conll.out
    assert "profile:conll-8.01" in conll.out
    assert "left out 2 documents of extra.conll" in conll.err


@pytest.mark.parametrize(
    ("arguments", "mark"),
    [
        (("--singletons", "drop"), "singletons:dropped"),
        (("--zero-division", "0"), "zero-division:0"),
        (("--average", "macro"), "average:macro"),
        (("--tokens", "ignore"), "tokens:not-compared"),
        (("--extra-documents", "ignore"), "extra-documents:ignore"),
        (("--beta", "2"), "beta:2 "),
        (("--beta", "0.12345678"), "beta:0.12345678 "),
        (("--match", "overlap", "--min-overlap", "0.3333333333333333"), "overlap:0.3333333333333333 "),
        (("--repeated-mentions", "merge"), "repeated-mentions:merge"),
        (("--metrics", "muc,lea"), "| muc+lea |"),
        (("-p", "conll-8.01", "--zero-division", "0.5", "--tokens", "compare"), "zero-division:0.5"),  # before the profile
    ],
)
def test_every_choice_stands_in_the_signature(here, arguments, mark):
    plain, chosen = good(here, *PAIR).splitlines()[-1], good(here, *PAIR, *arguments).splitlines()[-1]
    assert mark not in plain
    assert mark in chosen


def test_weights_of_types_reach_lea(here):
    typed = KEY.replace("(1)", "(person-1)").replace("(2", "(dog-2").replace("2)", "dog-2)").replace("dog-dog-", "dog-")
    (here / "typed.conll").write_text(typed)
    pair = ("score", "typed.conll", "typed.conll", "-m", "lea", "--lea-importance")
    assert "lea:dog=1,person=3" in good(here, *pair, "person=3,dog=1")
    assert "no importance for entity type 'dog' of typed.conll; given: person" in refused(here, *pair, "person=3")


# Files.


def test_a_report_goes_to_a_file_and_to_nowhere_else(here):
    assert good(here, *PAIR, "-r", "json", "-o", "out.json") == ""
    assert json.loads((here / "out.json").read_text())["key"] == "key.conll"
    assert good(here, *PAIR, "-o", "out.txt.gz") == ""
    assert gzip.decompress((here / "out.txt.gz").read_bytes()).decode() == good(here, *PAIR)


def test_gzip_and_standard_input_are_read(here):
    (here / "key.conll.gz").write_bytes(gzip.compress(KEY.encode()))
    expected = good(here, *PAIR)
    assert good(here, "score", "key.conll.gz", "response.conll") == expected
    assert good(here, "score", "-", "response.conll", stdin=KEY.encode()) == expected
    assert good(here, "score", "key.conll", "-", stdin=RESPONSE.encode()) == expected


def test_the_same_annotation_in_any_two_formats_gives_the_same_digits(here):
    def numbers(key, response):
        metrics = "mentions,muc,b_cubed,ceaf_m,ceaf_e,blanc,lea,conll,links,exact"  # those of records are others by default
        text = good(
            here, "score", key, response, "-r", "csv", "--by", "document", "--tokens", "ignore", "-m", metrics
        )  # columns but the first and the last: names, signatures
        return sorted(tuple(row[1:-1]) for row in csv.reader(io.StringIO(text)))

    spans, names = ("conll", "jsonlines", "clusters"), ("csv", "tsv", "links")
    for to in (*spans, *names):
        for side in ("key", "response"):
            done = run(here, "convert", f"{side}.conll", f"{side}.{to}.x", "--to", to, "--lossy")
            assert (done.status, done.out) == (0, "")
            assert ("left out what" in done.err) == (to not in ("conll", "jsonlines"))
    expected = numbers("key.conll", "response.conll")
    for kind in (spans, names):
        for a in kind:
            for b in kind:
                assert numbers(f"key.{a}.x", f"response.{b}.x") == expected, (a, b)
    assert "expected the same kind" in refused(here, "score", "key.conll", "response.csv.x")


def test_documents_without_mentions_are_not_lost_unsaid(here):
    (here / "some.conll").write_text(KEY + "#begin document (c)\nx\t-\n#begin document (d)\nx\t-\n#end document\n")
    for to in ("csv", "tsv"):
        done = run(here, "convert", "some.conll", f"some.{to}", "--to", to, "--lossy")
        assert done.err.endswith(f"left out what {to} cannot hold: spans, words and 2 documents without mentions\n")
    assert "without mentions" not in run(here, "convert", "some.conll", "some.txt", "--lossy").err
    (here / "names.txt").write_text("# document a\nA-B\n# document b\n")
    message = refused(here, "convert", "names.txt", "names.csv")
    assert "has links and 1 document without mentions, which csv cannot hold" in message
    (here / "nothing.json").write_text("[]")
    assert "without mentions" not in run(here, "convert", "nothing.json", "nothing.csv", "--lossy").err


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes and symbolic links")
def test_pipes_and_devices_are_written_to_and_links_followed(here):
    os.mkfifo(here / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=here, stdout=subprocess.PIPE)
    assert good(here, *PAIR, "-q", "-m", "muc", "-o", "pipe") == ""
    assert reader.communicate(timeout=60)[0] == b"40.00\n"
    assert (here / "pipe").is_fifo()
    (here / "null").symlink_to(os.devnull)
    assert good(here, *PAIR, "-o", "null") == ""
    assert (here / "null").is_char_device()
    assert good(here, *PAIR, "-q", "-m", "muc", "-o", "/dev/stdout", command=COMMAND) == "40.00\n"
    (here / "inside").mkdir()
    for name in ("old.txt", "new.txt"):
        (here / "link").unlink(missing_ok=True)
        (here / "link").symlink_to(f"inside/{name}")
        (here / "inside/old.txt").write_text("old")
        assert good(here, *PAIR, "-q", "-m", "muc", "-o", "link") == ""
        assert (here / "link").is_symlink()
        assert (here / "inside" / name).read_text() == "40.00\n"
    assert sorted(path.name for path in (here / "inside").iterdir()) == ["new.txt", "old.txt"]
    assert "cannot write inside: is a directory" in refused(here, *PAIR, "-o", "inside")


def test_nothing_is_lost_in_conversion_unless_it_is_asked_for(here):
    message = (
        "key.conll: has spans and words, which csv cannot hold; expected another format, such as conll, corefud, ua, or --lossy"
    )
    assert message in refused(here, "convert", "key.conll", "key.csv")
    assert not (here / "key.csv").exists()
    done = run(here, "convert", "key.conll", "key.csv", "--lossy")
    assert (done.status, done.err) == (0, "referee: warning: key.conll: left out what csv cannot hold: spans and words\n")
    assert "fastcoref is only read" in refused(here, "convert", "key.conll", "key.x", "--to", "fastcoref")


def test_sgml_holds_the_same_annotation(here):
    assert good(here, "convert", "key.conll", "key.sgml") == ""
    assert good(here, "score", "key.sgml", "key.conll", "-q", "-m", "b_cubed") == "100.00\n"


def test_convert_tells_formats_from_names_or_is_told(here):
    text = good(here, "convert", "key.conll", "-", "--to", "jsonlines")
    assert good(here, "convert", "key.conll", "--to", "jsonlines", "-") == text
    assert [json.loads(line)["doc_key"] for line in text.splitlines()] == ["a_0", "b_0"]
    assert good(here, "convert", "key.conll", "x.jsonl.gz") == ""
    assert gzip.decompress((here / "x.jsonl.gz").read_bytes()).decode() == text
    back = good(here, "convert", "-", "-", "--from", "jsonlines", "--to", "conll", stdin=text.encode())
    assert good(here, "score", "key.conll", "-", "-q", "-m", "b_cubed", stdin=back.encode()) == "100.00\n"
    assert "--to" in refused(here, "convert", "key.conll", "-")


def test_convert_writes_utf_8_whatever_the_locale(here):
    (here / "jp.conll").write_text("#begin document (日本)\nß\t(1)\n", encoding="utf-8")
    for encoding in ("ascii", "latin-1", "utf-8"):
        text = good(here, "convert", "jp.conll", "-", "--to", "conll", PYTHONIOENCODING=encoding)
        assert "日本" in text
        assert "\nß\t" in text
        assert "日本" in good(here, "score", "jp.conll", "jp.conll", "--by", "document", "-m", "lea", PYTHONIOENCODING=encoding)


def test_validate_lists_errors_and_answers_no(here):
    (here / "bad.conll").write_text("#begin document (x)\na\t(1\nb\t2)\n")
    done = run(here, "validate", "key.conll", "bad.conll", "response.conll")
    assert (done.status, done.err) == (1, "")
    assert [line.partition(";")[0] for line in done.out.splitlines()] == [
        "key.conll: no errors (texts: conll",
        "bad.conll:2: entity 1 is opened but never closed",
        "bad.conll:3: entity 2 is closed but was never opened",
        "response.conll: no errors (texts: conll",
        "1 of 3 files has errors",
    ]
    done = run(here, "validate", "none.conll", "bad.conll")
    assert (done.status, len(done.out.splitlines())) == (2, 2)
    assert done.err == "referee: error: none.conll: cannot be opened: no such file or directory\n"
    *both, compared, last = good(here, "validate", "key.conll", "response.conll").splitlines()
    assert [line.partition("; ")[0] for line in both] == [
        f"{name}.conll: no errors (texts: conll" for name in ("key", "response")
    ]
    assert (compared, last) == ("response.conll: accepted (with key.conll as the key)", "0 of 2 files have errors")


SKIPPING = "--skip-bad-files of other verbs leaves out the files of folders that cannot be read"


def test_validate_takes_the_files_of_a_folder(here):
    (here / "x/y").mkdir(parents=True)
    (here / "x/README.md").write_text("# Read me\n")
    (here / "x/a.conll").write_text("#begin document (a)\na\t(1)\n")
    (here / "x/y/b.conll").write_text("#begin document (b)\na\t(1)\n")
    done = run(here, "validate", "x")
    taken = "texts: conll; 2 documents, 2 mentions, 2 entities"
    assert (done.status, done.out) == (0, f"x: no errors ({taken})\n0 of 2 files have errors\n")
    assert done.err == "referee: warning: x: left out 1 file as no annotation (README.md)\n"
    (here / "x/y/c.conll").write_text("#begin document (a)\na\t(1)\n")
    done = run(here, "validate", "x")
    assert (done.status, "has 2 names in several files (a): these documents are called like their files" in done.err) == (
        0,
        True,
    )
    (here / "x/a.conll").write_text("#begin document (a)\na\t(1\nb\t2)\n")
    (here / "x/y/c.conll").write_text("#begin document (c)\na\t3)\n")
    done = run(here, "validate", "x")
    assert [line.partition(":")[::2] for line in done.out.splitlines()] == [
        ("x/a.conll", "2: entity 1 is opened but never closed; expected 1) before the end of its document"),
        ("x/a.conll", "3: entity 2 is closed but was never opened; expected (2 before it"),
        ("x/y/c.conll", "2: entity 3 is closed but was never opened; expected (3 before it"),
        ("2 of 3 files have errors", ""),
        (SKIPPING, ""),
    ]
    done = run(here, "validate", "x", "--limit", "1")
    assert done.out.splitlines()[1:] == ["… and 2 errors more: --limit 3 shows all", "2 of 3 files have errors", SKIPPING]


def test_validate_names_the_entities_of_a_repeated_mention(here):
    (here / "x").mkdir()
    (here / "x/twice.conll").write_text("#begin document (a)\na\t(1)|(1)\nb\t(1|(2\nc\t1)|2)\n")
    (here / "x/once.conll").write_text("#begin document (b)\na\t(1)\n")
    done = run(here, "validate", "x/twice.conll")
    assert done.out.splitlines() == [
        "x/twice.conll:2: document 'a': repeated mention: token 0 in entity 1, twice; expected each mention once",
        "x/twice.conll:3: document 'a': repeated mention: tokens 1 to 2 in entities 1 and 2; expected each mention once",
    ]
    done = run(here, "validate", "x")
    assert done.out.splitlines()[2:] == ["1 of 2 files has errors"]


# Lists.


def test_formats_and_metrics_are_listed_one_a_line(here):
    assert [line.split()[0] for line in good(here, "formats").splitlines() if line[0] != " "] == list(FORMATS)
    assert "read, write: spans, words, entity types" in good(here, "formats")
    assert [line.split()[0] for line in good(here, "metrics").splitlines()] == list(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_every_measure_is_explained_with_its_source(name, capsys):
    assert cli.main(["metrics", name]) == 0
    has_source = re.search(r"\(\d{4}\)|name that", capsys.readouterr().out)
    assert has_source or name == "mentions", "name the source, with its year in brackets, in the References of the docstring"


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_is_printed(here, shell):
    pytest.importorskip("shtab")
    text = good(here, "completion", shell)
    words = ["--profile"] if shell == "tcsh" else ["--profile", "--fail-under", *VERBS]
    assert all(word in text for word in ("referee", *words))


def test_without_its_extra_completion_says_how_to_get_it(here):
    (here / "shtab.py").write_text("raise ImportError")
    done = run(here, "completion", "bash", command=COMMAND, PYTHONPATH=str(here))
    assert done == (2, "", "referee: error: shell completion needs an extra: pip install 'referee[completion]'\n")


# Options.


def test_command_and_api_take_the_same_options():
    (verbs,) = [a for a in cli.parser()._actions if a.choices]
    actions = {a.dest: a for a in verbs.choices["score"]._actions}
    options = {field.name for field in dataclasses.fields(Options)}
    assert options <= set(actions)
    shown = {"help", SUPPRESS, "key", "responses", "metrics", "report", "by", "names", "table", "quiet", "output"}
    shown |= {"fail_under", "counts", "against", "fail_if_worse", "tolerance", "task", "like", "sort", "top"}
    sure = {"intervals", *(field.name for field in dataclasses.fields(Resampling))} - {"test"}  # there is nothing to test
    files = {"format", "key_format", "response_format", "threshold", "max_size"}
    groups = {"metadata", "separator", "depth"}
    assert set(actions) - options == shown | sure | files | groups | {*READ_OPTIONS, *ENGINE_OPTIONS}
    of_scoring = {name: record.choices for name, record in RECORDS.items() if record.choices}
    for name, choices in {**of_scoring, **TABLE_CHOICES}.items():
        if name in actions:
            assert tuple(actions[name].choices or ()) == choices
    assert set(actions["profile"].choices or ()) == set(PROFILES)
    assert set(actions["report"].choices or ()) == set(ALL_FORMS)
    assert set(actions["format"].choices or ()) == set(FORMATS)


def test_the_defaults_in_the_help_are_the_defaults(here):
    text = " ".join(good(here, "score", "--help-all", COLUMNS="200").split())
    for name, shown in (("match", "exact"), ("repeated-mentions", "first"), ("singletons", "keep"), ("average", "micro")):
        assert getattr(Options(), name.replace("-", "_")) == shown
        assert re.search(rf"--{name} \{{[^}}]*\}} [^-]*\(default: {shown}\)", text), name


# Terminals, pipes, and what is said.


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_only_a_terminal_gets_colour(here, env, coloured):
    import pty

    assert "\x1b" not in good(here, *PAIR)
    mine, theirs = pty.openpty()
    environ = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | env
    process = subprocess.Popen([*COMMAND, *PAIR], cwd=here, stdout=theirs, stderr=subprocess.PIPE, env=environ)
    os.close(theirs)
    text = b""
    try:
        while chunk := os.read(mine, 1 << 16):
            text += chunk
    except OSError:  # Linux says so at the end
        pass
    os.close(mine)
    assert process.communicate()[1] == b""
    assert process.returncode == 0
    assert (b"\x1b[1mmetric" in text) == coloured


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    "arguments",
    [("convert", "big.conll", "-", "--to", "jsonlines"), ("score", "big.conll", "big.conll", "-r", "csv"), ("metrics",)],
)
def test_a_reader_who_has_seen_enough_is_no_fault(here, arguments):
    (here / "big.conll").write_text("".join(KEY.replace("(a)", f"(a{n})").replace("(b)", f"(b{n})") for n in range(2000)))
    done = run(here, "-c", '"$@" | head -c 10', "sh", *COMMAND, *arguments, command=["sh"])
    assert (done.status, len(done.out), done.err) == (0, 10, "")


def test_warnings_go_to_standard_error_once_with_a_count(here):
    (here / "twice.conll").write_text(KEY.replace("Ann\t(1)", "Ann\t(1)|(1)"))
    done = run(here, "score", "twice.conll", "response.conll", "response.conll", "--names", "a,b", "-q", "-m", "muc")
    assert (done.status, done.out) == (0, "40.00\n40.00\n")
    assert len(done.errors) == 1
    assert done.err.startswith("referee: warning: twice.conll: 1 repeated mention, the first in document 'a_0': ")
    assert done.err.endswith(" (said 2 times)\n")


def test_warnings_stand_in_the_json_report(here):
    (here / "lone.conll").write_text(KEY.partition("#begin document (b)")[0])
    done = run(here, "score", "key.conll", "lone.conll", "-r", "json", "-m", "muc")
    (warning,) = json.loads(done.out)["warnings"]
    assert done.err == f"referee: warning: {warning}\n"
    assert warning.startswith("1 of 2 documents of key.conll")


def test_a_plain_score_imports_nothing_heavy(here):
    code = "import sys; from referee.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = run(here, "-c", code, *PAIR, command=[sys.executable])
    assert done.status == 0
    loaded = set(done.err.split())
    assert "numpy" in loaded
    heavy = {"scipy", "json", "csv", "gzip", "difflib", "importlib.metadata", "shtab", "asyncio", "unittest"}
    heavy |= {"typing_extensions"}
    assert not loaded & heavy
    assert not loaded & {place for name, place in FORMATS.items() if name != "conll"}


def test_the_version_is_told_without_numpy(here):
    code = "from referee.cli.main import main\ntry: main(['--version'])\nfinally: import sys; assert 'numpy' not in sys.modules"
    assert good(here, "-c", code, command=[sys.executable]) == f"referee {VERSION}\n"


@pytest.mark.parametrize(
    "error", [MemoryError(), ImportError("x.so: failed to map segment from shared object"), OSError(12, "")]
)
def test_a_lack_of_memory_is_one_line(error, monkeypatch):
    def run(args):
        raise error

    monkeypatch.setattr("referee.cli.main._write_no_more", lambda: None)  # which would close the output of the tests
    monkeypatch.setattr("referee.cli.formats.run", run)
    done = referee("formats")
    assert (done.status, done.err) == (2, "referee: error: not enough memory\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "key.conll", "key.conll", "--counts", "x.parquet", "-o", "x.parquet"),
        ("resolve", "story.conllu", "-o", "./x", "--explain", "x"),
        ("compare", "key.conll", "key.conll", "response.conll", "-o", "a/../x", "--plot", "x"),
    ],
)
def test_two_outputs_are_two_files(arguments, tmp_path):
    inputs = [str(ROOT / "examples" / a) if (ROOT / "examples" / a).is_file() else a for a in arguments]
    done = referee(*inputs, cwd=tmp_path)
    assert done.status == 2
    assert re.fullmatch(
        r"referee: error: .*x(\.parquet)? would be written twice; expected another file for each output\n", done.err
    )
    assert list(tmp_path.iterdir()) == []
