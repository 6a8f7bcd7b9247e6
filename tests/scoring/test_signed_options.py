"""A signature that is run again on the same files gives the same digits."""

import math
import re
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import referee
from referee.basics.exceptions import OptionError, RefereeError
from referee.basics.options.options import RECORDS
from referee.basics.version import VERSION
from referee.scoring.score import parse_options
from referee.scoring.signature import option_fields, signature
from referee.scoring.signed_options import FIELDS, SignedScores, read_signature
from tests.support.command import told
from tests.support.paths import EXAMPLES, ROOT, SHARED
from tests.support.warned import silenced

KITS = [
    "corefud/adversarial", "corefud/corefud-tests", "corefud/gum", "corefud/gum-by", "corefud/gum-by-zeros", "corefud/ua-tests",
    "corefud/ua-own", "corefud/arrau-own", "conformance/bad-inputs", "conformance/reference-tests", "conformance/gum",
    "conformance/litbank", "conformance/ontogum", "conformance/long",
]  # fmt: skip


def pairs(kit):
    """The keys and responses of a kit, small ones first: files of one name up to the ending, or one folder for each side."""
    files = sorted((path for path in (SHARED / kit).rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    for key in files:
        if key.parent.name == "key":
            responses = [key.parent.parent / "sys" / key.name]
        elif "key" in key.name.split("."):
            stem = key.name.partition(".key")[0]
            responses = sorted(path for path in key.parent.glob(f"{stem}*") if ".key" not in path.name)
        else:
            continue
        yield from ((key, response) for response in responses if response.is_file())


def same(one, other):
    return all(
        a == b or (math.isnan(a) and math.isnan(b)) for m in one for a, b in zip(values(one[m]), values(other[m]), strict=True)
    )


def values(score):
    return [score.value, *(side for side in (score.recall, score.precision) if side is not None)]


def check(key, response, **how):
    """Score again as the signature says, and as the short one does; 0 if the two cannot be scored so."""
    try:
        first = referee.score(key, response, **how)
    except RefereeError:  # of heads that are not there, and the like
        return 0
    again = referee.score(key, response, **read_signature(first.signature))
    assert same(first, again)
    assert again.signature == first.signature
    options = {**read_signature(first.short_signature), "metrics": "mentions"}
    assert repr(referee.score(key, response, **options).options) == repr(again.options)
    return 1


def read_both(key, response, documents):
    """Both sides, or the first documents of each."""
    sides = referee.read(key), referee.read(response)
    return [side.select_documents(np.arange(min(documents, len(side.doc_ids)))) if documents else side for side in sides]


def check_kit(kit, *, files=None, documents=None, most=None):
    """Score files of a kit, the first ones up to a size, or their first documents, by every profile that takes them."""
    scored = 0
    with silenced():
        for key, response in islice(pairs(kit), files):
            if most and key.stat().st_size > most:
                pytest.skip("its files are large")
            with suppress(RefereeError):
                sides = read_both(key, response, documents)
                scored += sum(check(*sides, profile=p) for p in referee.PROFILES)
    assert scored


@pytest.fixture(params=KITS)
def kit(request):
    if not (SHARED / request.param).is_dir():
        pytest.skip("needs the kits in ../shared")
    return request.param


def test_signatures_of_all_profiles_give_the_same_digits_again(kit):
    check_kit(kit, files=6, documents=2, most=1 << 18)


@pytest.mark.slow
def test_those_of_all_files_of_the_kits(kit):
    check_kit(kit)


KEY = {"a": [[1, 2, 3], [4], [5, 6]], "b": [[1, 2]], "c": [[1], [2]]}
RESPONSE = {"a": [[1, 2], [3, 4], [5, 6]], "b": [[1, 2, 3]], "d": [[1]]}


SIGNED = [name for name, record in RECORDS.items() if record.is_signed and name not in ("profile", "sample", "tokens")]


def signed_fields(options):
    """What a signature says of options; of the words it says how they compared."""
    return {name: value for name, value in option_fields(options).items() if value and name != "tokens"}


@pytest.mark.parametrize("profile", referee.PROFILES)
@pytest.mark.parametrize("name", SIGNED)
def test_each_value_of_each_option_is_read_back(name, profile):
    record, usual = RECORDS[name], referee.PROFILES[profile].options
    for value in record.choices or ([0.25] if record.number else [{"person": 2.0, "a=b": 0.125}]):
        options = replace(usual, **{name: value}, **(dict([record.needs]) if record.needs else {}))
        again = read_signature(signature(signed_fields(options), "muc"))
        read, _ = parse_options(**{name: value for name, value in again.items() if name != "metrics"})
        assert getattr(read, name) == getattr(options, name) or value != value  # noqa: PLR0124  # nan is no number
        assert signed_fields(read) == signed_fields(options)


@pytest.mark.parametrize(
    ("listed", "metrics"),
    [("default", None), ("default+bridging", None), ("corefud", None), ("records", None), ("pairs+records", None),
     ("all", "all"), ("pairs", ["pairs"]), ("muc+lea", ["muc", "lea"])],
)  # fmt: skip
def test_panels_are_those_that_the_key_calls_for(listed, metrics):
    assert read_signature(f"referee {VERSION} | {listed} | match:exact")["metrics"] == metrics


@pytest.mark.parametrize(
    ("words", "tokens"),
    [("same", "compare"), ("different", "warn"), ("aligned-but-1.20%", "align"), ("not-compared", "ignore"),
     ("same,not-compared", "compare"), ("quotes-first-but-1.00%-ambiguous", "compare")],
)  # fmt: skip
def test_how_words_were_compared_is_told_from_what_came_out(words, tokens):
    options = read_signature(f"referee {VERSION} | conll | match:exact | tokens:{words} | documents:2")
    assert options.get("tokens", "compare") == tokens
    assert ("quotes" in options) == words.startswith("quotes")


@pytest.mark.parametrize(
    "options",
    [
        {"documents": "light*"},
        {"documents": ["orchard", "a b|c,d=e+f"]},
        {"where": {"prefix": ["light", "orch"]}, "min_tokens": 5},
        {"max_tokens": 60},
        {"quotes": "all"},
        {"added_mentions": "ignore", "tokens": "align"},
        {"average": "macro", "beta": 2},
    ],
)
@pytest.mark.parametrize("response", ["answer.txt", "second.jsonlines"])
def test_documents_and_answers_are_those_of_the_signature(options, response):
    files = EXAMPLES / "key.conll", EXAMPLES / response
    with silenced():
        try:
            first = referee.score(*files, **options)
        except RefereeError:  # no document fits
            pytest.skip("nothing is left")
        again = referee.score(*files, **read_signature(first.signature))
    assert (again.signature, same(first, again)) == (first.signature, True)


def test_comparisons_are_run_again_with_their_intervals(kit):
    with silenced():
        for key, response in islice(pairs(kit), 3):
            if key.stat().st_size > 1 << 18:
                pytest.skip("its files are large")
            for profile in referee.PROFILES:
                with suppress(RefereeError):
                    sides = read_both(key, response, 2)
                    settings = referee.Resampling(seed=2, resamples=100, level=0.9, test="bootstrap")
                    how = {"profile": profile, "metrics": "conll,mentions"}
                    systems = {"a": sides[1], "b": sides[0]}
                    first = referee.compare(sides[0], systems, resampling=settings, **how)
                    signed = SignedScores.parse(first.signatures[0])
                    again = referee.compare(
                        sides[0], systems, resampling=referee.Resampling(**signed.resampling), **signed.options
                    )
                    assert again.report("json") == first.report("json")


def test_every_field_of_signatures_is_known():
    rows = re.findall(r"^\| *`.*", (ROOT / "docs" / "scores.md").read_text(encoding="utf-8"), re.MULTILINE)
    fields = {field for row in rows for field in re.findall("`([a-z-]+):`", row.split("|")[1])}
    assert {"match", "seed", "baseline"} <= fields <= FIELDS


def test_options_of_tables_are_read():
    key, pairs = EXAMPLES / "records.key.csv", EXAMPLES / "records.response.csv"
    with silenced():
        first = referee.score(key, pairs, nulls="drop", items="key")
    again = referee.score(key, pairs, **read_signature(first.signature))
    assert (again.signature, same(first, again)) == (first.signature, True)
    assert read_signature(f"referee {VERSION} | links | kind:labels/pairs | threshold:0.5 | ids:number")["threshold"] == 0.5


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("CoNLL 67.5", "takes a signature, as 'referee"),
        ("referee 0.3.0", "takes a signature"),
        ("referee 99.0.0 | conll | match:exact", "expected no later one"),
        (f"referee {VERSION} | conll | mach:exact", "no field of signatures named 'mach'; did you mean match"),
        (f"referee {VERSION} | conll | match:nearly", "match:nearly, which is no value of it"),
        (f"referee {VERSION} | conll | match:exact | threshold:x", "threshold:x; expected a number"),
        (f"referee {VERSION} | conll | match:exact | min-tokens:x", "min-tokens:x; expected a number"),
        (f"referee {VERSION} | mine* | match:exact", "a metric of the one who made it"),
        (f"referee {VERSION} | mucc | match:exact", "no metric named 'mucc'"),
        (
            "referee 0.2.0 | conll | formats:conll/tagged | match:exact",
            "added-mentions was ignore by default; it is score since 0.3",
        ),
    ],
)
def test_what_cannot_be_run_again_is_refused(text, problem):
    with pytest.raises(RefereeError, match=problem):
        read_signature(text)


def test_defaults_that_changed_count_where_they_mean_something():
    plain = SignedScores.parse("referee 0.2.0 | conll | formats:conll | match:exact")
    plain.check_version()
    answers = SignedScores.parse("referee 0.2.0 | conll | formats:conll/quotes | match:exact")
    answers.check_version(["added_mentions"])
    with pytest.raises(OptionError):
        answers.check_version()
    for text in ("default | formats:corefud | match:head", "records | formats:csv | kind:labels/pairs | match:exact"):
        usual = SignedScores.parse(f"referee 0.2.0 | {text}")
        usual.check_version(["metrics"])
        with pytest.raises(OptionError, match="where other metrics were usual"):
            usual.check_version()
        SignedScores.parse(f"referee 0.3.0 | {text}").check_version()
    SignedScores.parse("referee 0.2.0 | conll | formats:corefud | match:head").check_version()
    assert all(record.before is None or record.before[1] in record.choices for record in RECORDS.values())


# The command.


def last(text):
    return text.rstrip().splitlines()[-1]


@pytest.mark.parametrize("profile", [p for p in referee.PROFILES if p != "corefud-1.2"])  # examples have no heads
def test_score_and_compare_print_the_same_again(profile):
    key, one, other = (EXAMPLES / name for name in ("key.conll", "response.conll", "second.jsonlines"))
    for verb, files, options in (
        ("score", [one], ["-m", "muc,lea"]),
        ("score", [one, other], ["--intervals", "--seed", "3", "--resamples", "200", "--level", "0.9"]),
        ("compare", [one, other, key], ["--all-pairs", "--resamples", "200"]),
        ("compare", [one, other], ["--baseline", "second", "--seed", "3", "--resamples", "200", "--test", "bootstrap"]),
    ):
        first = told(verb, key, *files, *options, "--profile", profile)
        again = told(verb, key, *files, "--like", last(first.out))
        assert (again.status, again.out) == (0, first.out)
        assert "--like" not in again.err


def test_options_of_the_command_go_before_those_of_a_signature_and_differences_are_said():
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    signed = last(told("score", *files, "-m", "muc").out)
    done = told("score", *files, "--like", signed, "--match", "overlap")
    assert "match:overlap" in done.out
    assert "--like: the signature has other fields than that one: match overlap, there exact" in done.err
    done = told("score", *files, "--like", signed, "--task", EXAMPLES / "task.toml")
    assert (done.status, "expected one of them" in done.err) == (2, True)
    older = signed.replace(VERSION, "0.2.0")
    assert "the changelog has the numbers that changed" in told("score", *files, "--like", older).err
