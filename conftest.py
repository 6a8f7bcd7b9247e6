"""Modules whose examples need an extra are left out where it is not installed."""

from importlib.util import find_spec

NEEDED = {"inspect_ai": "src/referee/compat/inspect_ai.py", "torchmetrics": "src/referee/training/torchmetrics.py"}
"""Library -> the module that needs it."""

collect_ignore = [module for library, module in NEEDED.items() if not find_spec(library)]
