"""The page of several annotators, for tests of the inspector."""

from __future__ import annotations

from referee import agree
from referee.cli.agree import page_of
from referee.pages.inspector.inspection import Inspection


def of_annotators(*annotations: object, names: tuple[str, ...]) -> Inspection:
    """What `agree --page` writes."""
    named = dict(zip(names, annotations, strict=True))
    return page_of(agree(named, items="union"), named, {"items": "union"})
