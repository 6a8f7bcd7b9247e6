"""Frameworks as tests need them; a test is skipped where one is not installed."""

import sys
from importlib.metadata import entry_points

import pytest


def evaluate_offline(folder, monkeypatch):
    """The library `evaluate`, without a network; what it keeps is in a folder."""
    evaluate = pytest.importorskip("evaluate", reason="needs evaluate")
    for name, value in {
        "HF_EVALUATE_OFFLINE": True,
        "HF_MODULES_CACHE": folder / "modules",
        "HF_METRICS_CACHE": folder / "metrics",
    }.items():
        monkeypatch.setattr(evaluate.config, name, value)
    monkeypatch.setattr("sys.path", sys.path[:])  # to which it adds the folder
    return evaluate


def spacy_with_scorers():
    """spaCy, which finds the scorers of an installed Referee by their entry points."""
    spacy = pytest.importorskip("spacy", reason="the extra referee[spacy] is not installed")
    if not entry_points(group="spacy_scorers", name="referee.coref.v1"):
        pytest.skip("Referee was installed before it had scorers for spaCy")
    return spacy
