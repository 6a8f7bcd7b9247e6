"""By which mention people know an entity best."""

import pytest

from referee.corpus.builder import CorpusBuilder
from referee.corpus.naming import best_known

TEXT = "The keeper waved , and I saw her . Keepers wave . It was a long way to Anna , she said"
WORDS = TEXT.split()


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        ([(5, 6), (7, 8), (18, 19), (20, 21)], "Anna"),  # not "I": a name has more letters
        ([(7, 8), (0, 2)], "The keeper"),
        ([(9, 10), (12, 13)], "Keepers"),  # its capital says nothing: the first of several single words
        ([(7, 8), (14, 17), (17, 19)], "to Anna"),
        ([(5, 6), (14, 17), (0, 19)], "a long way"),  # what is longer than 8 tokens is no name
    ],
)
def test_a_name_is_better_than_a_nominal_and_that_than_a_pronoun(spans, text):
    builder = CorpusBuilder("text")
    builder.document("d", WORDS, [0, 9, 12])
    for start, end in spans:
        builder.mention(start, end, "e")
    (entity,) = builder.corpus().documents["d"].entities
    assert best_known(entity).text == text


def test_mention_types_decide_where_there_are_some():
    builder = CorpusBuilder("text")
    builder.document("d", WORDS, [0, 9, 12])
    builder.mention(18, 19, "e", mention_type="pronoun")
    builder.mention(0, 2, "e", mention_type="nominal")
    builder.mention(9, 10, "e", mention_type="name")
    (entity,) = builder.corpus().documents["d"].entities
    assert best_known(entity).text == "Keepers"
