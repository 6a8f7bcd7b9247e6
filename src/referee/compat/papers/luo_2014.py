"""Luo, Pradhan, Recasens and Hovy (2014), An extension of BLANC to system mentions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from functools import partial
from itertools import combinations

from referee.compat.papers.example import Example, Partition, all_pairs, partitions
from referee.compat.papers.value import Data, PrintedValue

Links = set[frozenset[int]]

OPENING = Example("{a b c} {d e}", "{b c} {e f g}")
FIRST = Example("{a b c} {d}", "{b c} {d e}")
BOUNDARY = {
    2: (Example("{a}", "{b}"), "case (1)", "0"),
    3: (Example("{a} {b} {c}", "{a} {b} {d}"), "case (2)", "1/3"),
    4: (Example("{a b c}", "{b c}"), "case (3)", "1/2"),
}


def values(data: Data) -> Iterator[PrintedValue]:
    """The equations on all small partitions, the boundary cases and the toy examples; the tables need responses."""
    yield from _rand()
    yield from _equations()
    yield from _boundary_cases()
    yield from _toy_examples()
    for table, what in (
        ("Table 1", "BLANC of 18 systems of CoNLL-2011"),
        ("Table 2", "BLANC of 31 systems of CoNLL-2012"),
        ("Table 3", "correlations of BLANC with other metrics on these systems"),
    ):
        yield PrintedValue(table, what, "a table", None, missing="OntoNotes, and the responses of the participants")


def _rand() -> Iterator[PrintedValue]:
    perfect = Example("{a b} {c}", "{a b} {c}")
    yield from Example("{a b c} {d}", "{a b} {c d}").values(
        "Equation (1)",
        ("Rand index of {a b c} {d}, {a b} {c d}", "rand value", "3/15", "3/6"),
        misprint="T is the set of links: the denominator is |T|, not |T| (|T| - 1) / 2",
    )
    yield from perfect.values("Equation (1)", ("Rand index of a perfect response", "rand value", "1"))


def _links(partition: Partition) -> tuple[Links, Links]:
    """Coreference links, and non-coreference links."""
    together = {frozenset(pair) for entity in partition for pair in combinations(sorted(entity), 2)}
    mentions = sorted(mention for entity in partition for mention in entity)
    return together, {frozenset(pair) for pair in combinations(mentions, 2)} - together


def _ratio(part: int, whole: int) -> F:
    """A quotient; 0 where both are 0, which the boundary cases leave out."""
    return F(part, whole) if whole else F(0)


def blanc(key: Partition, response: Partition, *, gold: bool = False) -> F:
    """Equations (9)-(15), with the links that the other side does not have; without them (2)-(8), BLANC-gold."""
    (c_k, n_k), (c_r, n_r) = _links(key), _links(response)
    alone_k, alone_r = (set(), set()) if gold else ((c_k | n_k) - (c_r | n_r), (c_r | n_r) - (c_k | n_k))

    def f(mine: Links, yours: Links, others_mine: Links, others_yours: Links) -> F:
        both = len(mine & yours)
        recall = _ratio(both, both + len(mine & others_yours) + len(mine & alone_k))
        precision = _ratio(both, both + len(yours & others_mine) + len(yours & alone_r))
        return 2 * recall * precision / (recall + precision) if recall + precision else F(0)

    return _mean(f(c_k, c_r, n_k, n_r), f(n_k, n_r, c_k, c_r), key, response)


def _mean(coreference: F, other: F, key: Partition, response: Partition) -> F:
    """The mean of the two F, with the boundary cases of section 4.1."""
    (c_k, n_k), (c_r, n_r) = _links(key), _links(response)
    if not (c_k or c_r or n_k or n_r):
        return F(frozenset().union(*key) == frozenset().union(*response))
    if not (c_k or c_r):
        return other
    return (coreference + other) / 2 if n_k or n_r else coreference


def _equations() -> Iterator[PrintedValue]:
    five = list(partitions(range(5)))
    subsets = [p for size in range(1, 5) for items in combinations(range(4), size) for p in partitions(items)]
    for place, definition, sides in (
        ("Equations (2)-(8), equal mentions", partial(blanc, gold=True), five),
        ("Equations (9)-(15), any mentions", blanc, subsets),
    ):
        pairs, evaluation = all_pairs(sides, sides)
        ours = evaluation.counts_of("blanc").score().value.tolist()
        largest = max(abs(value - definition(*pair)) for value, pair in zip(ours, pairs, strict=True))
        yield PrintedValue(
            place, "largest difference from the definition by sets of links", "0", round(float(largest), 12),
            remark=f"{len(pairs)} pairs of partitions",
        )  # fmt: skip
    differences = sum(blanc(k, r, gold=True) != blanc(k, r) for k in five for r in five)
    yield PrintedValue("Section 4, proposition", "pairs for which BLANC is not BLANC-gold", "0", differences)


def _boundary_cases() -> Iterator[PrintedValue]:
    place = "Section 4.1, case (1)"
    yield from Example("{a}", "{a}").values(place, ("the same mention on both sides", "blanc value", "1"))
    for number, (example, case, printed) in BOUNDARY.items():
        yield from example.values(f"Section 4.2, example {number}", (f"BLANC, {case}", "blanc value", printed))


def _toy_examples() -> Iterator[PrintedValue]:
    place = "Section 4, {a b c} {d e}, {b c} {e f g}"
    for name, column, printed in (("C_k", "coreference_key", "4"), ("common to C_k and C_r", "coreference_found", "1")):
        yield PrintedValue(place, f"links {name}", printed, OPENING.count("blanc", column))
    place = "Section 4.2, example 1"
    for name, column, printed in (
        ("C_k", "coreference_key", "3"), ("N_k", "other_key", "3"), ("C_r", "coreference_response", "2"),
        ("N_r", "other_response", "4"), ("common to C_k and C_r", "coreference_found", "1"),
        ("common to N_k and N_r", "other_found", "2"),
    ):  # fmt: skip
        yield PrintedValue(place, f"links {name}", printed, FIRST.count("blanc", column))
    yield from FIRST.values(
        place,
        ("R_c", "links recall", "1/3"),
        ("P_c", "links precision", "1/2"),
        ("F_c", "links value", "2/5"),
    )
    common, key, response = (FIRST.count("blanc", f"other_{side}") for side in ("found", "key", "response"))
    yield PrintedValue(place, "R_n", "2/3", common / key)
    yield PrintedValue(place, "P_n", "2/4", common / response)
    yield PrintedValue(place, "F_n", "4/7", 2 * common / (key + response))
    yield from FIRST.values(place, ("BLANC", "blanc value", "17/35"))
    third, fourth = BOUNDARY[3][0], BOUNDARY[4][0]
    yield from third.values("Section 4.2, example 3", ("R_n", "blanc recall", "1/3"), ("P_n", "blanc precision", "1/3"))
    yield from fourth.values(
        "Section 4.2, example 4",
        ("R_c", "blanc recall", "1/3"),
        ("P_c", "blanc precision", "1"),
    )
