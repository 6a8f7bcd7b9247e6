"""A survey in Chinese of the metrics of coreference resolution: MUC, B³, CEAF and LEA explained.

Its author is not named in the text. It works through examples of the papers that it explains.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.compat.papers.example import Example
from referee.compat.papers.value import Data, PrintedValue
from referee.compat.papers.vilain_1995 import SPANNING

PARTS = Example("{a b c d}", "{a b} {e f}")
FIGURE_2 = Example("{1-5} {6 7} {8-12}", "{1-5} {6-12}")
FIGURE_4 = Example("{1-5} {6 7} {8-12}", "{1-5 8-12} {6 7}")
LEA = Example("{a b c} {d e f g}", "{a b} {c d} {f g h i}")


def values(data: Data) -> Iterator[PrintedValue]:
    """The examples section by section, and the formulas where they differ from those of the papers."""
    yield from _muc()
    yield from _b_cubed()
    yield from _ceaf()
    yield from _lea()


def _muc() -> Iterator[PrintedValue]:
    yield from SPANNING.values("MUC, spanning trees", ("precision", "muc precision", "2/2"))
    yield from SPANNING.values("MUC, spanning trees", ("recall", "muc recall", "2/3"))
    yield from SPANNING.values(
        "MUC, spanning trees", ("recall as a decimal", "muc recall", "0.677", "2/3"), misprint="2/3 is 0.667"
    )
    yield PrintedValue("MUC, m(S)", "links to add to the response", "1", 3 - SPANNING.count("muc", "recall_numerator"))
    parts = 4 - PARTS.count("muc", "recall_numerator")
    yield PrintedValue("MUC, p(S)", "parts of {a b c d} in {a b} {e f}", "3", parts, remark="{a b} {c} {d}")
    parts = 3 - Example("{a b} {c}", "{a b c}").count("muc", "precision_numerator")
    yield PrintedValue("MUC, p'(S')", "parts of {a b c} in {a b} {c}", "2", parts, remark="{a b} {c}")
    missed, single = Example("{A B C}", "{B C}"), Example("{A B C} {D}", "{B C} {D}")
    parts = 3 - missed.count("muc", "recall_numerator")
    yield PrintedValue("MUC, its defects", "parts of {A B C} in {B C}", "2", parts, remark="{B C} {A}")
    for side in ("recall", "precision"):
        without = Fraction(missed.score(f"muc {side}")).limit_denominator(9)
        yield PrintedValue(
            "MUC, its defects", f"{side} with the singleton D found", "as without D", single.score(f"muc {side}"), str(without)
        )


def _b_cubed() -> Iterator[PrintedValue]:
    for figure, example in (("Figure 2", FIGURE_2), ("Figure 4", FIGURE_4)):
        yield from example.values(f"B³, {figure}", ("precision of MUC", "muc precision", "0.9", "9/10"))
    yield PrintedValue("B³, Example 1", "precision of mention 6", "2/7", _share(FIGURE_2, 1, 1))
    yield PrintedValue("B³, Example 2", "precision of mention A", "5/10", _share(FIGURE_4, 2, 0))
    place, formula, exchanged = "B³, recall of a document", "1/n Σ R_i", FIGURE_4.exchanged()
    yield from exchanged.values(
        place,
        ("Figure 4, key and response exchanged", "b_cubed recall", formula, "7/12"),
        misprint="the mean over entities; B³ is the mean over mentions (Bagga and Baldwin 1998)",
    )
    yield from exchanged.values(
        place,
        ("Figure 4, key and response exchanged", "b_cubed_entity recall", formula, "3/4"),
        remark="the metric b_cubed_entity is the formula: (1/2 + 1) / 2",
    )


def _share(example: Example, key: int, response: int) -> float:
    """The share of a key entity in a response entity, both by number."""
    t = example.evaluation.table
    (cell,) = ((t.key == key) & (t.response == response)).nonzero()[0]
    return float(t.shared[cell] / t.response_size[response])


def _ceaf() -> Iterator[PrintedValue]:
    yield from FIGURE_2.values(
        "CEAF, on Figure 2",
        ("recall with φ3", "ceaf_m recall", "Φ(g*) / Σ φ(R, R)", "10/12"),
        ("precision with φ3", "ceaf_m precision", "Φ(g*) / Σ φ(S, S)", "10/12"),
        ("recall with φ4", "ceaf_e recall", "Φ(g*) / Σ φ(R, R)", "11/18"),
        ("precision with φ4", "ceaf_e precision", "Φ(g*) / Σ φ(S, S)", "11/12"),
    )
    yield from FIGURE_2.values(
        "CEAF, on Figure 2",
        ("F1 with φ4", "ceaf_e value", "P + R2(P · R)", "11/15"),
        misprint="the bar of the fraction is lost: 2 P R / (P + R)",
    )


def _lea() -> Iterator[PrintedValue]:
    yield from LEA.values(
        "LEA, on {a b c} {d e f g}, {a b} {c d} {f g h i}",
        ("recall", "lea recall", "Σ |k| Σ link(k ∩ r) / link(k) / Σ |k|", "5/21"),
        ("precision", "lea precision", "Σ |r| Σ link(r ∩ k) / link(r) / Σ |r|", "1/3"),
        remark="the example is that of Moosavi and Strube (2016)",
    )
    yield from Example("{a b} {c}", "{a b} {c}").values(
        "LEA, on {a b} {c}, {a b} {c}",
        ("recall", "lea recall", "link(c) = 0, and 0/0", "1"),
        misprint="a singleton has no link there; Moosavi and Strube give it a link to itself",
    )
