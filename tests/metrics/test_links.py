"""Links as files list them: found where both mentions are in one entity of the other side."""

import math
from itertools import pairwise

from referee import CorpusBuilder, score

# A document is {entity: its items}, and each item is linked to the one before it.


def corpus(documents, *, linked=True):
    builder = CorpusBuilder("x")
    for name, entities in documents.items():
        builder.document(name)
        for label, items in entities.items():
            mentions = [builder.item(item, label) for item in items]
            for pair in pairwise(mentions) if linked else ():
                builder.link(*pair)
    return builder.corpus()


KEY = {"d1": {"1": "abc", "2": "de", "3": "xy"}, "d2": {"1": "ab", "2": "cd"}}
RESPONSE = {"d1": {"1": "ab", "2": "cd"}, "d2": {"1": "abcd"}}


def test_a_link_is_found_if_the_other_side_has_both_mentions_in_one_entity():
    """Of the key's links a-b, b-c, d-e and x-y of d1 the response has a-b; nobody has found x-y, whose ends it lacks."""
    rows = score(corpus(KEY), corpus(RESPONSE), metrics=["syntactic_links"]).counts["syntactic_links"].columns
    assert rows["recall_numerator"].tolist() == [1, 2]
    assert rows["recall_denominator"].tolist() == [4, 2]
    assert rows["precision_numerator"].tolist() == [1, 2]
    assert rows["precision_denominator"].tolist() == [2, 3]


def test_links_of_one_side_alone_are_not_compared():
    for key, response in ((corpus(KEY), corpus(RESPONSE, linked=False)), (corpus(KEY, linked=False), corpus(RESPONSE))):
        found = score(key, response, metrics=["syntactic_links"])["syntactic_links"]
        assert math.isnan(found.recall)
        assert math.isnan(found.precision)
