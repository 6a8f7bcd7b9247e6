"""One thread for NumPy's linear algebra, as in the command: more take time from the tests that run at the same time.

Random tests try the same examples in each run, $REFEREE_EXAMPLES each, and read no clock: a loaded machine fails none.

The browsers of `support/browsers.py` are there for all tests, and tests that passed can be left out (`support/passed.py`).

Tests send SIGINT to processes, which a run in the background would ignore, and they with it.
"""

import gc
import os
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
for _library in ("OPENBLAS", "OMP", "MKL"):  # read when NumPy is imported, after this file
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings  # noqa: E402

from tests.support.browsers import browser, playwright  # noqa: E402, F401  # fixtures
from tests.support.passed import pytest_collection_modifyitems, pytest_runtest_logreport  # noqa: E402, F401

settings.register_profile(
    "referee",
    max_examples=int(os.environ.get("REFEREE_EXAMPLES", "12")),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("referee")
gc.set_threshold(50_000, 20, 20)  # rarely, as it takes long


def pytest_collection_finish():
    """Take the tests, which stay until the end, from what is looked through for garbage."""
    gc.freeze()
