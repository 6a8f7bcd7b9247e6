"""Columns of reports have different names, for people and for programs: no row loses a value to another one of its name."""

import json
import re
from itertools import product

import numpy as np
import pytest

import referee
from referee.agreement import agreeing, result as agreement
from referee.agreement.sampling import sample
from referee.comparison import compare
from referee.comparison.correlations import correlate
from referee.compat.papers import reproduce
from referee.compat.papers.resolved_texts import ResolvedTexts
from referee.error_analysis.costs import ATTRIBUTED
from referee.error_analysis.errors import BY
from referee.error_analysis.regrouped import REGROUPED
from referee.metrics.registry import METRICS
from referee.phrases.calibration import calibrate
from referee.phrases.chunking.iob import decode
from referee.phrases.scores import PhraseSystems
from referee.phrases.scoring import score as score_phrases
from referee.resolver.resolving import resolution as resolve_text
from referee.scoring.estimates import estimate
from referee.scoring.systems import Systems
from referee.scoring.thresholds import thresholds
from tests.phrases.models.test_reproduce import KIT, table
from tests.support.corrected import as_file
from tests.support.paths import ROOT
from tests.support.phrases import listed

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")

KEY, RESPONSE = (str(ROOT / "examples" / f"{name}.conll") for name in ("key", "response"))
ENTITIES = [name for name, metric in METRICS.items() if metric.of_entities]


def first_letter(name):
    return name[0]


def scores():
    e = referee.score(KEY, RESPONSE, metrics="all")
    for of in (e, e.intervals(resamples=40), Systems(KEY, [e, referee.score(KEY, KEY, metrics="all")])):
        for by, table_ in product((None, "document", first_letter), ("", "conll")):
            yield from (*of.listings(by=by, table=table_), of.records(by=by, table=table_))


def errors():
    builder = referee.CorpusBuilder("typed")
    builder.document("d", list("abcdef"))
    for n in range(6):
        builder.mention(n, n + 1, str(n // 2), "person", mention_type="name")
    typed = builder.corpus()
    response = typed.select(np.arange(6) != 2)
    found = referee.score(typed, response, metrics=ATTRIBUTED).errors()
    yield from (found.listing(by) for by in REGROUPED)
    for by in BY:
        if by in REGROUPED:
            continue
        if by == "answer":  # of language models
            answered = referee.score(KEY, str(ROOT / "examples" / "answer.txt"), metrics=ATTRIBUTED).errors()
            yield from (answered.listing(by, metrics=ATTRIBUTED), answered.records(by, metrics=ATTRIBUTED))
            continue
        if by == "pair":  # of records
            rows = [{"id1": a, "id2": b, "label": label} for a, b, label in ("ab1", "bc0")]
            yield referee.score(rows, [{**row, "label": "1"} for row in rows]).errors().listing(by)
            continue
        yield from (found.listing(by, metrics=ATTRIBUTED, context=context) for context in ((0, 2) if by == "error" else (0,)))
        if by not in ("entity", "error"):
            yield found.by(by, ATTRIBUTED).listing()


def comparisons():
    for by in (None, first_letter):
        c = compare(KEY, {"a": RESPONSE, "b": KEY}, metrics="all", by=by)
        for style, table_ in (("", ""), ("margin", ""), ("plain", ""), ("", "conll")):
            yield from (*c.listings(style=style, table=table_), c.records(style=style, table=table_))


def correlations():
    e = {name: referee.score(KEY, path, metrics=ENTITIES) for name, path in (("a", RESPONSE), ("b", KEY))}
    found = correlate(e, by_document=True)
    yield from (found.listing(), found.listing(ranks=True), found.listing(against="muc"), found.listing(metrics=["muc", "lea"]))


def agreements():
    metrics = [name for name in ENTITIES if name in agreeing.SYMMETRIC]
    found = agreeing.agree({"ann": KEY, "bob": RESPONSE, "eve": RESPONSE}, metrics=metrics)
    yield from (found.listing(by=by) for by in agreement.BY if by != "type")
    builder = referee.CorpusBuilder("typed")
    builder.document("d", ["a"])
    builder.mention(0, 1, "e", "person")
    yield agreeing.agree({"ann": builder.corpus(), "bob": builder.corpus()}).listing(by="type")
    yield found.merged().listing()
    yield sample({"a": KEY, "b": RESPONSE, "c": KEY}, 1).listing()


def of_pairs(folder):
    key, pairs = folder / "key.csv", folder / "pairs.csv"
    key.write_text("item,entity\na,1\nb,1\nc,2\n")
    pairs.write_text("id1,id2,probability\na,b,0.9\nb,c,0.3\n")
    yield thresholds(str(key), str(pairs), thresholds=[0.2, 0.5], metrics=ENTITIES).listing()
    for metric in ("links", "b_cubed"):
        found = estimate(str(key), str(key), metrics=[metric])
        yield from (found.listing(), found.records())


def phrases():
    key = decode([["B-NP", "I-NP", "B-VP"], ["B-NP"]])
    found = score_phrases(key, key)
    for of in (found, PhraseSystems([found, found], tuple(found))):
        yield from (*of.listings(), of.records())
    wrong = referee.phrases.errors(key, key.without_categories())
    yield from (*wrong.listings(), wrong.records())
    scored = score_phrases(key, listed(key, ["NP", "VP"], [(0, 0, 2, 0, 0.7), (0, 2, 3, 0, 0.6)], 0.0))
    for of in (scored, PhraseSystems([scored, found])):
        yield from (*of.listings(), of.records())
    yield from (scored.thresholds.listing(), scored.types.listing())
    yield from (found.breakdown(group).listing() for group in ("category", "length", "coverage", "sentence"))
    yield calibrate(np.array([0.25, 0.95]), np.array([4, 2]), np.array([2, 2])).listing()


def reproductions():
    story = str(ROOT / "examples" / "story.conllu")
    resolved = ResolvedTexts(referee.read(story), referee.resolve(story, "rules"), "rules")
    for found in (reproduce("002"), resolved):
        yield from (*found.listings(), found.records())


def reproductions_of_models():
    if not KIT.is_dir():
        pytest.skip("needs the phrase kit, ../shared/phrase")
    found = table("small")
    yield from (*found.listings(), found.records())


def corrections(folder):
    path = folder / "kim.corrections.json"
    key = ROOT / "examples/key.conll"
    path.write_text(json.dumps(as_file(referee.read(key), {})))
    yield referee.correct(key, path).listing()


def of_texts():
    resolution = resolve_text("Ann said: “I left.” Bob knew her.")
    yield from (resolution.people().listing(), resolution.quotations().listing())


REPORTS = {
    "Tabulated Systems": scores,
    "Errors Breakdown": errors,
    "Comparison": comparisons,
    "Correlations": correlations,
    "Agreement Merged Sample": agreements,
    "Thresholds Estimates": of_pairs,
    "PhraseScores PhraseSystems PhraseErrors PhraseThresholds TypeTable": phrases,
    "Corrected": corrections,
    "People Quotations": of_texts,
    "Reproduction ResolvedTexts": reproductions,
    "ModelReproduction": reproductions_of_models,
}


@pytest.mark.parametrize("names", REPORTS)
def test_no_listing_has_two_columns_of_one_name(names, tmp_path):
    found = list(REPORTS[names](tmp_path) if names.startswith(("Thresholds", "Corrected")) else REPORTS[names]())
    assert found
    for listing in found:
        header, _ = listing.by_column()
        assert len(set(header)) == len(header), header
        assert all(list(row) == header for row in listing.to_rows())
        shown = [(str(column.group), str(column.title)) for column in listing.columns if column.key]
        assert len(set(shown)) == len(shown), shown


def test_all_results_are_here():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "referee").rglob("*.py"))
    found = set(re.findall(r"^class (\w+)\([^)]*\bResult\b", sources, re.MULTILINE))
    assert found == {name for names in REPORTS for name in names.split()}


def test_errors_keep_the_number_of_mentions_beside_the_cost_in_the_metric_of_that_name():
    found = referee.score([{"a", "b", "c"}, {"d"}], [{"a", "b"}, {"d", "e"}]).errors().by("kind", ["mentions"])
    rows = {row["kind"]: row for row in found.to_rows()}
    assert (rows["missed"]["mentions"], rows["spurious"]["mentions"]) == (1, 1)
    # F is 2 · 3 / (4 + 4), and 2 · 4 / (4 + 5) or 2 · 3 / (4 + 3) with one of the two corrected.
    assert rows["missed"]["cost_mentions"] == pytest.approx(8 / 9 - 6 / 8)
    assert rows["spurious"]["cost_mentions"] == pytest.approx(6 / 7 - 6 / 8)
