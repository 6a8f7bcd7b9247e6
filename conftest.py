"""Modules whose examples need an extra are left out where it is not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torchmetrics") else ["src/referee/training/torchmetrics.py"]
