"""Zeros matched by their dependencies, against the definition with all matchings tried."""

from fractions import Fraction
from itertools import permutations

from hypothesis import given

from referee.corpus.builder import CorpusBuilder
from referee.matching.matchers import match
from referee.matching.one_to_one import one_to_one
from referee.matching.zeros import dependent_zeros
from tests.support.sides import sides


def dependencies(corpus, mention):
    nodes = zip(corpus.empty_nodes.document.tolist(), corpus.empty_nodes.node.tolist(), corpus.empty_nodes.deps, strict=True)
    document, head = int(corpus.document[mention]), int(corpus.heads[mention])
    return next({d for d in deps.split("|") if d not in ("", "_")} for d, n, deps in nodes if (d, n) == (document, head))


def f_measure(a, b):
    return Fraction(2 * len(a & b), len(a) + len(b)) if a or b else Fraction(0)


def weight(key, k, response, r):
    """Random corpora are of one sentence a document."""
    a, b = dependencies(key, k), dependencies(response, r)
    parents = [{dependency.partition(":")[0] for dependency in side} for side in (a, b)]
    return 10 * f_measure(a, b) + f_measure(*parents) if key.document[k] == response.document[r] else Fraction(0)


@given(sides())
def test_zeros_get_the_heaviest_matching_of_their_dependencies(pair):
    key, response = pair
    zeros = [[m for m in range(len(side.document)) if side.zero[m]] for side in pair]
    if not all(zeros) or max(map(len, zeros)) > 6:
        return
    few, many = sorted(zeros, key=len)
    swapped = few is zeros[1] and few is not zeros[0]
    best = max(
        sum(weight(key, b, response, a) if swapped else weight(key, a, response, b) for a, b in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    k, r = matched(key, response)
    assert len(set(k)) == len(set(r)) == len(k)
    assert sum(weight(key, a, response, b) for a, b in zip(k, r, strict=True)) == best
    assert all(weight(key, a, response, b) for a, b in zip(k, r, strict=True))


def matched(key, response):
    return [mentions.tolist() for mentions in one_to_one(dependent_zeros(key, response), key, response)]


def test_zeros_of_one_sentence_that_share_no_parent_are_not_compared():
    builder = CorpusBuilder("x")
    builder.document("d", ["_"] * 30_000)
    for n in range(30_000):
        builder.empty_node(n, n + 1, 0, f"{n}:nsubj")
        builder.mention(n, n + 1, "1")
    many = builder.corpus()
    assert len(match(many, many).key_mention) == 30_000  # all pairs would take minutes


def text(*sentences):
    """A zero with dependencies before the word of each sentence."""
    builder = CorpusBuilder("x")
    builder.document("d", [word for _ in sentences for word in ("_", "w")], [2 * n for n in range(len(sentences))])
    for n, deps in enumerate(sentences):
        builder.empty_node(2 * n, 1, n, deps)
        builder.mention(2 * n, 2 * n + 1, "1")
    return builder.corpus()


def test_zeros_of_different_sentences_are_not_the_same():
    assert matched(text("", "1:nsubj"), text("1:nsubj", "")) == [[], []]
    assert matched(text("", "1:nsubj"), text("1:obj", "1:obj")) == [[1], [1]]


def test_the_weight_of_two_zeros_is_ten_times_the_f_of_dependencies_and_the_f_of_parents():
    """Of one and three dependencies one is shared, of one and two parents one, too: 10 · 2/4 + 2/3."""
    candidates = dependent_zeros(text("1:nsubj"), text("1:nsubj|1:obj|2:obj"))
    assert Fraction(int(candidates.shared[0]), int(candidates.size[0])) == 10 * Fraction(2, 4) + Fraction(2, 3)
    parents_alone = dependent_zeros(text("1:nsubj"), text("1:obj"))
    assert Fraction(int(parents_alone.shared[0]), int(parents_alone.size[0])) == 1


def test_zeros_are_matched_whatever_their_numbers():
    found = match(text("1:nsubj|2:obj", "3:nsubj"), text("1:nsubj|2:obj", "3:nsubj"))
    assert sorted(zip(found.key_mention.tolist(), found.response_mention.tolist(), strict=True)) == [(0, 0), (1, 1)]
