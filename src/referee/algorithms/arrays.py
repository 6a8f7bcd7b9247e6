"""Names for arrays that say what they hold."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[Any]
"""int64 where whole things are counted, float64 where not."""
Weights: TypeAlias = NDArray[Any]
"""Either float64, or whole numbers of any size: Python integers in an array of objects."""
