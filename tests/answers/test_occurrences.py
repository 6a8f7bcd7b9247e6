"""Places of strings in a text are those of the definition."""

from hypothesis import given, strategies as st

from referee.answers.grounding import KeyText
from referee.answers.occurrences import FoundString, occurrences
from referee.answers.units import folded, units_of
from referee.corpus import CorpusBuilder

PIECES = st.sampled_from(["a", "A", "b", ".", "a.b", "'", "\u2019"])
STRINGS = st.builds(
    lambda blank, pieces: blank.join(pieces), st.sampled_from(["", " "]), st.lists(PIECES, min_size=1, max_size=4)
)


def places(tokens, string, of_tokens):
    """Each place of the text is tried."""
    units = [(unit, token) for token, written in enumerate(tokens) for unit in units_of(written)]
    wanted = units_of(string)
    found = [[], [], [], []]
    for start in range(len(units) - len(wanted) + 1):
        end = start + len(wanted)
        here, of = zip(*units[start:end], strict=True)
        if list(map(folded, here)) == list(map(folded, wanted)):
            before, after = units[start - 1][1] if start else None, units[end][1] if end < len(units) else None
            is_inside = before == of[0] or after == of[-1]
            is_same = of_tokens and tokens[of[0] : of[-1] + 1] == string.split()
            found[3 if is_inside else 0 if is_same else 1 if list(here) == wanted else 2].append(start)
    return found


@given(st.lists(PIECES, min_size=1, max_size=8), st.lists(STRINGS, min_size=1, max_size=4))
def test_places_are_those_of_the_definition(tokens, strings):
    builder = CorpusBuilder()
    builder.document("d", tokens, [0])
    found = occurrences(KeyText(builder.corpus(), 0), strings)
    of_tokens = {word for string in strings for word in string.split()} <= set(tokens)
    for string in strings:
        expected = places(tokens, string, of_tokens)
        assert [of for of, _ in found[string].tiers] == expected
        assert found[string].all == sorted(expected[0] + expected[1] + expected[2])
        assert found[string].length == len(units_of(string))


def test_a_text_that_has_nothing_has_no_string():
    assert [of for of, _ in occurrences(None, ["a"])["a"].tiers] == [[], [], [], []]


@given(st.sets(st.integers(0, 9), min_size=1), st.lists(st.tuples(st.booleans(), st.integers(-1, 11)), max_size=12))
def test_taken_places_are_not_given_again_and_the_nearest_free_one_is(places, wishes):
    found, free = FoundString([sorted(places), [], [], []], 1), sorted(places)
    for nearest, place in wishes:
        expected = min(free, key=lambda each: (abs(each - place), each), default=None) if nearest else place
        assert (found.take_nearest(place) if nearest else found.used.add(place) or [place]) == (
            [] if expected is None else [expected]
        )
        free = [each for each in free if each != expected]
