"""Vilain, Burger, Aberdeen, Connolly and Hirschman (1995), A model-theoretic coreference scoring scheme: MUC."""

from __future__ import annotations

from collections.abc import Iterator

from referee.compat.papers.example import Example
from referee.compat.papers.value import Data, PrintedValue

SPANNING = Example("A-B B-C B-D", "A-B C-D")
ONE_LINK = Example("A-B B-C B-D", "A-B")
INDIRECT = Example("A-B B-C", "A-C")
THREE = Example("B-C C-D D-E E-G G-H H-J", "A-B B-C D-E E-F G-H H-I")
SEVERAL = Example("A-B B-C D-E E-F F-G", "A-B C-D F-G G-H")

FIRST = "The model-theoretic approach: <A-B B-C B-D>, <A-B C-D>"
SECOND = "Computing model-theoretic recall: <A-B B-C>, <A-C>"
COMPLEX = "Examples with more complexity: <B-C C-D D-E E-G G-H H-J>"
MORE = "Examples with more complexity: <A-B B-C D-E E-F F-G>"


def values(data: Data) -> Iterator[PrintedValue]:
    """All examples."""
    yield PrintedValue(FIRST, "links of a spanning tree of {A B C D}", "3", SPANNING.count("muc", "recall_denominator"))
    yield from SPANNING.values(FIRST, ("recall", "muc recall", "2/3"), ("precision", "muc precision", "2/2"))
    yield from SPANNING.values(
        FIRST,
        ("recall of the links as listed", "syntactic_links recall", "not 2/3", "1/3"),
        remark="the older scorer finds A-B alone: the key does not list C-D",
    )
    yield PrintedValue(FIRST, "parts of {A B C D} in <A-B>", "3", _parts(ONE_LINK), remark="{A B} {C} {D}")
    yield PrintedValue(SECOND, "links of {A B C}", "2", INDIRECT.count("muc", "recall_denominator"))
    yield PrintedValue(SECOND, "parts of {A B C}", "2", _parts(INDIRECT), remark="{A C} {B}")
    yield from INDIRECT.values(SECOND, ("recall", "muc recall", "1/2"))
    yield from INDIRECT.values(
        SECOND, ("recall of the links as listed", "syntactic_links recall", "not 1/2", "0"), remark="the key does not list A-C"
    )
    exchanged = INDIRECT.exchanged()
    place = "Switching figure and ground: response {A B C}, key {B C}"
    missed = Example("B-C", "A-B B-C")
    yield PrintedValue(place, "parts of {A B C}", "2", _parts(missed.exchanged()), remark="{B C} {A}")
    yield PrintedValue(place, "links to add", "1", _parts(missed.exchanged()) - 1)
    yield from missed.values(place, ("precision", "muc precision", "1/2"))
    yield from exchanged.values("Switching figure and ground: <A-B B-C>, <A-C>", ("precision", "muc precision", "1/2"))
    yield PrintedValue(
        "Table 1", "recall and precision of five examples", "a table", None, missing="the table is not in the text of the paper"
    )
    yield PrintedValue(COMPLEX, "links of the key", "6", THREE.count("muc", "recall_denominator"))
    yield PrintedValue(COMPLEX, "parts of the key entity", "4", _parts(THREE))
    yield PrintedValue(COMPLEX, "parts of the three response entities", "6", 9 - THREE.count("muc", "precision_numerator"))
    yield from THREE.values(COMPLEX, ("recall", "muc recall", "50%", "3/6"), ("precision", "muc precision", "50%", "3/6"))
    yield PrintedValue(
        COMPLEX, "the response", "G-H-H-I", "G-H H-I", misprint="the hyphen between two links; {G H I} is an entity of the text"
    )
    yield from SEVERAL.values(MORE, ("recall", "muc recall", "2/5"), ("precision", "muc precision", "2/4"))


def _parts(example: Example) -> int:
    """Into how many parts the response divides a key that is one entity: its links are one fewer than its mentions."""
    return example.count("muc", "recall_denominator") + 1 - example.count("muc", "recall_numerator")
