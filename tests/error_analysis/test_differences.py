"""What happened to mentions and entities, against the definitions, written anew on sets."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from referee import CorpusBuilder, score
from referee.error_analysis.differences import KINDS, differences
from tests.support.partitions import corpora
from tests.support.strategies import one_document


def evaluated(documents, **options):
    """Documents of mentions that are integers, scored as named things."""

    def named(side):
        return {f"d{n}": [{f"{m:03}" for m in entity} for entity in d[side]] for n, d in enumerate(documents)}

    return score(named(0), named(1), **options)


def kinds_by_definition(key, response):
    """The errors of one document without boundaries, from the docstring."""
    found = Counter()
    everywhere = [set().union(*key), set().union(*response)]

    def most(own, others):
        sharing = [o for o in others if own & o]
        return min(sharing, key=lambda o: (-len(own & o), len(o), min(o)), default=None)

    for k in key:
        missed = k - everywhere[1]
        found["missed" if most(k, response) else "missed_entity"] += len(missed) if most(k, response) else 1
        for r in response:
            if k & r:
                home, owned = most(k, response) is r, most(r, key) is k
                found["kept" if home and owned else "merged" if home else "split" if owned else "misplaced"] += 1
    for r in response:
        spurious = r - everywhere[0]
        found["spurious" if most(r, key) else "spurious_entity"] += len(spurious) if most(r, key) else 1
    return found


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@given(documents=corpora())
def test_kinds_are_as_defined(documents):
    if not any(side for d in documents for side in d):
        return
    expected = sum((kinds_by_definition(*d) for d in documents), Counter[str]())
    assert differences(evaluated(documents).pair).counts == {kind: expected[kind] for kind in KINDS}


def spans(*mentions, heads=None):
    builder = CorpusBuilder("made")
    builder.document("d", [f"w{n}" for n in range(20)], [0])
    for start, end, label in mentions:
        builder.mention(start, end, label, head=-1 if heads is None else heads[start, end])
    return builder


def of_spans(key, response):
    return differences(score(key.corpus(), response.corpus()).pair)


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_half_of_the_positions_of_either_make_one_mention_with_another_boundary():
    half = of_spans(spans((0, 4, "a"), (10, 11, "a")), spans((2, 4, "x"), (10, 11, "x")))
    assert {k: n for k, n in half.counts.items() if n} == {"span": 1}
    less = of_spans(spans((0, 5, "a"), (10, 11, "a")), spans((3, 5, "x"), (10, 11, "x")))
    assert {k: n for k, n in less.counts.items() if n} == {"missed": 1, "spurious": 1}


def test_a_common_head_makes_one_mention_with_another_boundary():
    heads = {(0, 9): 0, (0, 1): 0, (12, 13): 12}
    found = of_spans(spans((0, 9, "a"), (12, 13, "a"), heads=heads), spans((0, 1, "x"), (12, 13, "x"), heads=heads))
    assert {k: n for k, n in found.counts.items() if n} == {"span": 1}
    assert found.key_span_error.tolist() == [0, -1]


def test_a_mention_with_another_boundary_may_be_misplaced_too():
    key = spans((0, 2, "a"), (3, 4, "a"), (5, 6, "a"), (8, 9, "b"), (10, 11, "b"))
    response = spans((0, 1, "y"), (3, 4, "x"), (5, 6, "x"), (8, 9, "y"), (10, 11, "y"))
    found = of_spans(key, response)
    assert {k: n for k, n in found.counts.items() if n} == {"span": 1, "misplaced": 1}
    assert found.key_error[0] == list(found.kind).index(KINDS.index("misplaced"))


def test_the_example_of_the_paper():
    """Popescu-Belis and Robba (1998), Table 1. K1 and K2 lie in entities that K3 and K4 own; two mentions of K3 are with K4,
    whose last mention is alone."""
    key = [{1, 2}, {3, 4, 5}, {6, 7, 8, 9, 10, 11, 12}, {13, 14, 15, 16, 17}]
    response = [{1, 2, 6, 7, 8, 9, 10}, {3, 4, 5, 11, 12, 13, 14, 15, 16}, {17}]
    found = differences(evaluated([(key, response)]).pair)
    assert {k: n for k, n in found.counts.items() if n} == {"merged": 2, "misplaced": 1, "split": 1}
    assert found.best_response.tolist() == [0, 1, 0, 1]
    assert found.best_key.tolist() == [2, 3, 3]


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@given(key=one_document, response=one_document)
def test_every_mention_is_kept_or_in_an_error_of_its_kind(key, response):
    d = differences(score(key, response).pair)
    for counterpart, error, absent in (
        (d.key_counterpart, d.key_error, ("missed", "missed_entity")),
        (d.response_counterpart, d.response_error, ("spurious", "spurious_entity")),
    ):
        for other, number in zip(counterpart.tolist(), error.tolist(), strict=True):
            kind = "kept" if number < 0 else KINDS[d.kind[number]]
            assert (kind in absent) == (other < 0)
    concerned = np.bincount(
        np.concatenate(
            [d.key_error[d.key_error >= 0], d.response_error[(d.response_error >= 0) & (d.response_counterpart < 0)]]
        ),
        minlength=len(d),
    )
    assert (concerned + (d.kind == KINDS.index("span")) == d.mentions).all()


def test_a_key_against_itself_has_no_errors():
    assert not len(differences(evaluated([([{1, 2}, {3}], [{1, 2}, {3}])]).pair))
