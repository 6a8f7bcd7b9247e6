"""The page of several annotators, for tests of the inspector."""

from referee import agree
from referee.cli.agree import page_of


def of_annotators(*annotations, names):
    """What `agree --page` writes."""
    named = dict(zip(names, annotations, strict=True))
    return page_of(agree(named, items="union"), named, {"items": "union"})
