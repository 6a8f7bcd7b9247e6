"""The partial matching of CRAFT, against its definition; the shared task gives no weights to compare."""

from hypothesis import given

from referee.matching.craft import craft
from tests.support.sides import sides, spans


def in_text(corpus):
    return sorted(
        range(len(corpus.document)), key=lambda m: (int(corpus.document[m]), int(corpus.start[m]), int(corpus.end[m]), m)
    )


def by_definition(key, response):
    pairs = {}
    for r in in_text(response):
        for k in in_text(key):
            start, end = key.spans(k)[0]
            if key.document[k] == response.document[r] and any(start <= a and b <= end for a, b in response.spans(r)):
                pairs.setdefault(k, r)
                break
    return set(pairs.items())


@given(sides(nodes=False))
def test_a_response_mention_gets_the_first_key_mention_that_contains_a_span_of_it(pair):
    if all(len(side.document) for side in pair):
        candidates = craft(*pair)
        assert set(zip(candidates.key.tolist(), candidates.response.tolist(), strict=True)) == by_definition(*pair)


def test_the_second_response_mention_in_one_key_mention_gets_none():
    found = craft(spans((0, 6, 2), (4, 6, 4)), spans((2, 3, 2), (5, 6, 5)))
    assert (found.key.tolist(), found.response.tolist()) == ([0], [0])
