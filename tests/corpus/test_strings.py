"""Names kept as numbers."""

import numpy as np

from referee.corpus.schema import Picked
from referee.corpus.strings import Names

NAMES = ["-1", "a", "averylongname", "é", "-10"]
ABSENT = ["-", "1", "averylongnam", "averylongname2", "", "x" * 40]


def test_a_name_is_found_among_many():
    words = np.array([list(np.frombuffer(name.encode().ljust(16, b"\0"), dtype=">u8")) for name in NAMES], dtype=np.uint64)
    packed = Names(words)
    assert list(packed) == NAMES
    some = Picked(packed, np.array([1, 3]))
    assert [name in packed for name in NAMES + ABSENT] == [True] * len(NAMES) + [False] * len(ABSENT)
    assert [name in some for name in NAMES + ABSENT] == [name in ("a", "é") for name in NAMES + ABSENT]
