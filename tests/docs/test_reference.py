"""The pages of docs/reference are those that scripts/reference.py writes, and have every public name."""

import pytest

import referee
from scripts import reference


def test_the_reference_is_that_of_docstrings_and_parsers():
    pytest.importorskip("spacy")
    different = [path for path, content in reference.pages() if path.read_text(encoding="utf-8") != content]
    assert different == [], "run `python scripts/reference.py`"


def test_the_reference_has_every_public_name():
    named = {name for names in reference.NAMES.values() for name in names}
    modules = {name.removeprefix("referee.") for names in reference.MODULES.values() for name in names}
    assert set(referee.__all__) - {"__version__"} <= named | modules
    assert named <= set(referee.__all__)
