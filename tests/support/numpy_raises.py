"""A plugin of pytest: NumPy raises an error where a number is lost, as by overflow or a division by 0."""

import numpy as np


def pytest_configure():
    np.seterr(all="raise")
