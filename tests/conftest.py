"""One thread for NumPy's linear algebra, as in the command: more take time from the tests that run at the same time.

The browsers of `support/browsers.py` are there for all tests, and tests that passed can be left out (`support/passed.py`).
"""

import os

for _library in ("OPENBLAS", "OMP", "MKL"):  # read when NumPy is imported, after this file
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

from tests.support.browsers import browser, playwright  # noqa: E402, F401  # fixtures
from tests.support.passed import pytest_collection_modifyitems, pytest_runtest_logreport  # noqa: E402, F401
