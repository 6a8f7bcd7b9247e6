"""Measures of mentions, each against its definition on plain sets: overlap of mentions, and anaphors by class."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from referee import CorpusBuilder, score
from referee.basics.options.options import Options
from referee.corpus.columns import MENTION_TYPES
from referee.inputs.load import read_both
from referee.matching.pair import pair_of
from referee.metrics.anaphora import pronoun_anaphora
from referee.metrics.registry import panel
from tests.support.metrics import ENTITY_METRICS

WORDS = 7
pytestmark = pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")


@st.composite
def sides(draw):
    return draw(corpora()), draw(corpora())


@st.composite
def corpora(draw):
    """Two documents of words and empty nodes, with mentions of all classes; the same nodes on either side."""
    builder = CorpusBuilder("side")
    for name in ("a", "b"):
        builder.document(name, [f"w{n}" for n in range(WORDS)])
        builder.empty_node(2, 1, 0)
        builder.empty_node(5, 1, 0)
        for span in draw(st.sets(st.tuples(st.integers(0, WORDS - 1), st.integers(1, 3)), max_size=6)):
            start, end = span[0], min(span[0] + span[1], WORDS)
            builder.mention(
                start,
                end,
                str(draw(st.integers(0, 2))),
                head=start,
                mention_type=draw(st.sampled_from(["pronoun", "name", "other"])),
            )
    return builder.corpus()


def once(corpus):
    spans = list(zip(corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True))
    return len(set(spans)) == len(spans)


def best_overlap(key, response):
    """The most positions in common, over all one-to-one matchings."""
    few, many = sorted((key, response), key=len)
    return max(sum(len(a & b) for a, b in zip(few, chosen, strict=True)) for chosen in permutations(many, len(few)))


@given(sides())
def test_mention_overlap_is_the_best_one_to_one_matching(pair):
    key, response = pair
    if not (once(key) and once(response)):
        return
    rows = score(key, response, metrics=["mention_overlap"]).counts["mention_overlap"].columns
    for d in range(2):
        k, r = ([set(range(m.start, m.end)) for m in side.documents["ab"[d]].mentions] for side in pair)
        assert rows["recall_numerator"][d] == rows["precision_numerator"][d] == best_overlap(k, r)
        assert rows["recall_denominator"][d] == sum(map(len, k))
        assert rows["precision_denominator"][d] == sum(map(len, r))


def class_of(corpus, m):
    zero = int(corpus.start[m]) in (2, 5) and int(corpus.end[m] - corpus.start[m]) >= 1 and int(corpus.heads[m]) in (2, 5)
    return "zero" if zero else MENTION_TYPES[int(corpus.mention_types[m])] if corpus.mention_types is not None else ""


def expected(key, response, class_):
    """Recall and precision of one class, mention by mention."""

    def place(c, m):
        return int(c.document[m]), int(c.start[m]), int(c.end[m])

    def anaphors(c):
        """Of each anaphor of the class, the mentions of its entity before it."""
        found = {}
        for e in range(len(c.entity_ids)):
            mentions = sorted((m for m in range(len(c.document)) if c.entity[m] == e), key=lambda m: place(c, m))
            found.update({m: mentions[:n] for n, m in enumerate(mentions) if n and class_of(c, m) == class_})
        return found

    where = {place(response, m): m for m in range(len(response.document))}
    counterpart = {m: where.get(place(key, m)) for m in range(len(key.document))}
    first = {
        min((m for m in range(len(response.document)) if response.entity[m] == e), key=lambda m: place(response, m))
        for e in range(len(response.entity_ids))
    }
    ours, theirs = anaphors(key), anaphors(response)
    right = wrong = missed = 0
    for m, before in ours.items():
        s = counterpart[m]
        if s is None or s in first:
            missed += 1
        elif any(counterpart[b] is not None and response.entity[counterpart[b]] == response.entity[s] for b in before):
            right += 1
        else:
            wrong += 1
    spurious = len(set(theirs) - {counterpart[m] for m in ours})
    if not right + wrong + missed or not right + wrong + spurious:
        return None
    return Fraction(right, right + wrong + missed), Fraction(right, right + wrong + spurious)


@pytest.mark.parametrize("class_", ["zero", "pronoun", "name"])
@given(pair=sides())
def test_anaphors_of_a_class_are_right_wrong_missed_or_spurious(class_, pair):
    if not all(once(side) for side in pair):
        return
    found = score(*pair, metrics=[f"{class_}_anaphora"], zeros="linear")[f"{class_}_anaphora"]
    sides_ = expected(*pair, class_)
    if sides_ is not None:
        assert (found.recall, found.precision) == pytest.approx((float(sides_[0]), float(sides_[1])))


def test_a_response_without_classes_has_recall_only():
    """She is right, and her is wrong."""

    def corpus(class_, *entities):
        builder = CorpusBuilder("x")
        builder.document("d", ["Ann", "she", "Bea", "her"])
        for label, entity in enumerate(entities):
            for n in entity:
                builder.mention(n, n + 1, str(label), mention_type=class_ if n % 2 else "")
        return builder.corpus()

    sides = corpus("pronoun", (0, 1, 3)), corpus("", (0, 1), (2, 3))
    found = score(*sides, metrics=["pronoun_anaphora"])["pronoun_anaphora"]
    assert found.recall == 1 / 2
    assert found.precision != found.precision  # undefined


def test_measures_of_annotation_are_computed_where_the_key_calls_for_them():
    builder = CorpusBuilder("x")
    builder.document("d", ["Ann", "_", "swims"])
    builder.empty_node(1, 1, 0)
    builder.mention(0, 1, "ann", head=0)
    builder.mention(1, 2, "ann", head=1)
    key = builder.corpus()
    reported = ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll"]
    assert list(panel(key.own_features)) == [*reported, "mention_overlap", "zero_anaphora"]
    assert list(score(key, key)) == list(panel(key.own_features))
    assert list(panel(key.own_features, panels=["records"])) == ["links", "b_cubed", "exact", "mentions"]
    named = {"homogeneity", "completeness", "syntactic_links"}  # the sides of the V-measure; the key lists no links
    entities = [name for name in ENTITY_METRICS if name not in named]
    assert list(panel(key.own_features, everything=True)) == [*entities, "mention_overlap", "zero_anaphora"]
    assert list(score(key, key, metrics="all")) == list(panel(key.own_features, everything=True))


@pytest.mark.parametrize("options", [{}, {"zeros": "linear"}, {"zeros": "drop"}])
def test_zeros_that_moved_are_found_by_what_they_depend_on(options):
    def corpus(node, minor):
        builder = CorpusBuilder("x")
        tokens = ["Ann", "came", "and", "saw"]
        builder.document("d", [*tokens[:node], "_", *tokens[node:]])
        builder.empty_node(node, minor, 0, "4:nsubj")
        builder.mention(0, 1, "ann", head=0)
        builder.mention(node, node + 1, "ann", head=node)
        return builder.corpus()

    e = score(corpus(3, 1), corpus(2, 1), metrics=["mentions", "zero_anaphora", "muc"], **options)
    found = e["mentions"].recall, e["zero_anaphora"].recall
    assert found == {"linear": (0.5, 0), "drop": (1, pytest.approx(float("nan"), nan_ok=True))}.get(
        options.get("zeros", ""), (1, 1)
    )


def test_an_anaphor_is_wrong_with_another_antecedent_and_spurious_without_one_in_the_key():
    """She and her are right; him is wrong, as Dan is no mention of the key; it is spurious."""

    def corpus(*entities):
        builder = CorpusBuilder("x")
        tokens = ["Ann", "she", "her", "Dan", "Bob", "him", "it"]
        builder.document("d", tokens)
        for entity in entities:
            for token in entity.split():
                builder.mention(n := tokens.index(token), n + 1, entity, mention_type="name" if token.istitle() else "pronoun")
        return builder.corpus()

    found = score(corpus("Ann she her", "Bob him"), corpus("Ann she her", "Dan him", "Bob it"), metrics=["pronoun_anaphora"])
    assert (found["pronoun_anaphora"].recall, found["pronoun_anaphora"].precision) == (2 / 3, 2 / 4)


def test_an_anaphor_whose_counterpart_is_a_first_mention_is_missed_and_not_wrong():
    """Her is missed, and she is right."""

    def corpus(*entities):
        builder = CorpusBuilder("x")
        builder.document("d", ["Ann", "she", "her"])
        for label, entity in enumerate(entities):
            for n in entity:
                builder.mention(n, n + 1, str(label), mention_type="pronoun" if n else "name")
        return builder.corpus()

    found = score(corpus((0, 1, 2)), corpus((0, 1), (2,)), metrics=["pronoun_anaphora"])["pronoun_anaphora"]
    assert (found.recall, found.precision) == (1 / 2, 1)
    first = score(corpus((1, 2)), corpus((1, 2)), metrics=["pronoun_anaphora"])["pronoun_anaphora"]
    assert (first.recall, first.precision) == (1, 1)
    counts = pronoun_anaphora.count(pair_of(*read_both(corpus((1, 2)), corpus((1, 2))), Options()))
    assert [column.tolist() for column in counts.columns.values()] == [[1]] * 4


def test_of_mentions_that_start_together_the_shorter_is_the_first_of_its_entity():
    """The longer one comes first in the corpus, and is an anaphor."""
    builder = CorpusBuilder("x")
    builder.document("d", ["her", "own", "self"])
    builder.mention(0, 3, "her", mention_type="pronoun")
    builder.mention(0, 2, "her", mention_type="name")
    side = builder.corpus()
    assert side.end.tolist() == [3, 2]
    counts = pronoun_anaphora.count(pair_of(*read_both(side, side), Options()))
    assert [column.tolist() for column in counts.columns.values()] == [[1]] * 4
