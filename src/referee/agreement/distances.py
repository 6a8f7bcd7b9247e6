"""Distances of two sets, by which alpha compares the values of two annotators: `DISTANCES`.

References
----------
.. [1] Passonneau (2004), Computing Reliability for Coreference Annotation: the distance `set`.
.. [2] Passonneau (2006), Measuring Agreement on Set-valued Items (MASI).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.stats.counts import divide


def nominal(shared: Ints, a: Ints, b: Ints) -> Floats:
    """Return 0 for equal sets, else 1."""
    return ((shared < a) | (shared < b)).astype(np.float64)


def jaccard(shared: Ints, a: Ints, b: Ints) -> Floats:
    """Return 1 minus the share of both sets that they have in common."""
    return 1 - divide(shared, a + b - shared, 1.0)


def passonneau(shared: Ints, a: Ints, b: Ints) -> Floats:
    """Return 0 for equal sets, 1/3 if one contains the other, 2/3 if they overlap, else 1 [1]_."""
    partly = np.where(shared == np.minimum(a, b), 1 / 3, np.where(shared > 0, 2 / 3, 1.0))
    return np.where((shared == a) & (shared == b), 0.0, partly)


def masi(shared: Ints, a: Ints, b: Ints) -> Floats:
    """Return 1 - J M [2]_.

    J is Jaccard's similarity. M is 1 for equal sets, 2/3 if one contains the other, 1/3 if they overlap otherwise.

    Examples
    --------
    >>> masi(np.array([2]), np.array([2]), np.array([4])).round(3).tolist()
    [0.667]
    """
    return 1 - (1 - jaccard(shared, a, b)) * (1 - passonneau(shared, a, b))


DISTANCES: Mapping[str, Callable[[Ints, Ints, Ints], Floats]] = {
    "masi": masi,
    "set": passonneau,
    "jaccard": jaccard,
    "nominal": nominal,
}
"""Distances of two sets, in [0, 1], from the number of mentions in both, and in each."""
