"""What a session shows of a result: one short line in which stands what it is, whatever its names and however large it is."""

import json

import numpy as np
import pytest

import referee
from referee.agreement.sampling import sample
from referee.comparison.correlations import correlate
from referee.compat.papers import reproduce
from referee.compat.papers.resolved_texts import ResolvedTexts
from referee.phrases.chunking.iob import decode
from referee.phrases.models.by_name import fit
from referee.phrases.scores import PhraseSystems
from referee.phrases.scoring import score as score_phrases
from referee.reports.result import Result
from referee.resolver.resolving import resolution as resolve_text
from referee.scoring.systems import Systems
from tests.reports.test_names import REPORTS
from tests.support.corrected import as_file
from tests.support.paths import ROOT
from tests.support.phrases import listed

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")

LONGEST = 120

DOCUMENTS = 30
LONG = "/a/folder/of/" + "results/" * 30


def annotation(seed):
    """Many documents with long names."""
    draw = np.random.default_rng(seed)
    names = (f"{LONG}document\n{n}" for n in range(DOCUMENTS))
    return {name: [set(), *(set(map(int, part)) for part in np.split(draw.permutation(9), [3, 5]))][1:] for name in names}


def results(folder):
    """Every class of results, of responses with long names, and of what belongs to them."""
    key = annotation(0)
    responses = {f"{LONG}{n}.conll": annotation(n) for n in range(1, 6)}
    name, response = next(iter(responses.items()))
    few = referee.Resampling(resamples=40)
    e = referee.score(key, response, name=name)
    counts = folder / f"{'c' * 200}.counts.parquet"
    pytest.importorskip("pyarrow")
    referee.write_counts(e, counts)
    yield from (e, referee.read_counts(counts), e.intervals(resamples=40), e.systems, e.errors(), e.errors().by("document"))
    yield Systems("key", [referee.score(key, of, name=called, metrics="exclusive_core_mr") for called, of in responses.items()])
    yield from (e["muc"], e.counts["muc"], e.columns("muc"), e.options, e.pair, e.matching, e.table, e.key, e.response)
    yield from (e.key.documents, referee.inspect(key, response, names=[name], metrics="muc"), referee.inspect(e.key))
    for metrics in ("conll", "exclusive_core_mr", "vi"):
        yield referee.compare(key, responses, metrics=metrics, resampling=few)
    yield correlate({n: referee.score(key, of, metrics="muc,lea") for n, of in responses.items()})
    agreement = referee.agree(responses, metrics="mentions", resampling=few)
    yield from (agreement, agreement.merged(), sample(responses, 3))
    labels, pairs = folder / f"{'k' * 200}.csv", folder / f"{'p' * 200}.csv"
    labels.write_text("item,entity\na,1\nb,1\nc,2\n", encoding="utf-8")
    pairs.write_text("id1,id2,probability\na,b,0.9\nb,c,0.3\n", encoding="utf-8")
    yield from (referee.thresholds(str(labels), str(pairs)), referee.estimate(str(labels), str(labels), name=name))
    phrases = decode([["B-NP", "I-NP", "B-VP"], ["B-NP"]] * 1000, source=name)
    scored = score_phrases(phrases, phrases)
    yield from (
        scored,
        scored.types,
        score_phrases(phrases, listed(phrases, ["NP", "VP"], [(0, 0, 2, 0, 0.7)], 0.0)).thresholds,
        referee.phrases.errors(phrases, phrases),
        PhraseSystems([scored] * 9, tuple(scored)),
        fit("XK", phrases),
    )
    story = str(ROOT / "examples" / "story.conllu")
    yield from (reproduce("002"), ResolvedTexts(referee.read(story), referee.resolve(story, "rules"), LONG))
    yield from (referee.resolver.load("tables"), referee.resolver.load("tables").decoder, referee.parsing.load("english"))
    key = ROOT / "examples/key.conll"
    corrections = folder / "kim.corrections.json"
    corrections.write_text(json.dumps(as_file(referee.read(key), {})))
    yield from (referee.correct(key, corrections), (text := resolve_text("Ann saw Bob.")).people(), text.quotations())
    yield from (referee.parse("Ann said that she left. " * 200), *referee.METRICS.values())


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return list(results(tmp_path_factory.mktemp("results")))


def test_a_session_shows_each_result_in_a_short_line(found):
    for result in found:
        shown = repr(result)
        assert shown.startswith(("<", type(result).__name__)), shown
        assert len(shown) <= LONGEST, shown
        assert shown.isprintable(), shown


def test_each_class_of_results_is_shown(found):
    names = {base.__name__ for result in found for base in type(result).__mro__}
    wanted = {name for names in REPORTS for name in names.split()}
    assert wanted - names == {"ModelReproduction"}  # which takes seconds; its line has one number


def test_a_notebook_shows_each_result_as_a_table(found):
    for result in (result for result in found if isinstance(result, Result)):
        assert "<table" in result._repr_html_(), result


def test_what_has_keys_says_them_for_completion(found):
    complete = [result for result in found if hasattr(result, "_ipython_key_completions_")]
    classes = {type(result).__name__ for result in complete}
    assert classes == {
        *("Evaluation", "StoredScores", "Intervals", "Comparison", "Estimates", "PhraseScores", "Documents", "Corpus")
    }
    for result in complete:
        keys = result._ipython_key_completions_()
        assert keys
        assert all(result[key] is not None for key in keys[:9])
