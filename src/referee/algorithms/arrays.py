"""Names for arrays that say what they hold."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[Any]
"""Either float64, or whole numbers of any size: Python integers in an array of objects."""
