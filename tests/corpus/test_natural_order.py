"""Ids in the order that people expect, of many names at once."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.corpus import natural_order as module
from referee.corpus.natural_order import natural, natural_order
from referee.corpus.strings import Names


def names_of(texts):
    raw = [text.encode() for text in texts]
    width = -max(map(len, raw), default=1) // 8 * -8
    words = np.frombuffer(b"".join(text.ljust(width, b"\0") for text in raw), dtype=">u8")
    return Names(words.astype(np.uint64).reshape(len(raw), width // 8))


IDS = st.text("aZ019-/é", min_size=1, max_size=12) | st.integers(0, 10**30).map(str) | st.uuids().map(str)


@pytest.mark.parametrize("block", [2, 1000])
@given(texts=st.lists(IDS, min_size=1, unique=True))
def test_many_names_have_the_order_of_single_ones(block, texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        order = natural_order(names_of(texts))
    assert [texts[n] for n in order.tolist()] == sorted(texts, key=natural)


def test_numbers_are_sorted_by_their_size_and_one_with_zeros_before_it_comes_first():
    texts = ["r10", "r2", "r02", "r", "2", "10", "r2a", "r2-1", "R3"]
    in_order = ["2", "10", "R3", "r", "r02", "r2", "r2-1", "r2a", "r10"]
    assert [texts[n] for n in natural_order(names_of(texts)).tolist()] == in_order
