"""Gradients against differences of the loss, which is computed by the network as it is used."""

import numpy as np
import pytest

from referee.parsing.gradients import OF_SUM, Examples, gradients
from referee.parsing.learning import Random
from referee.parsing.network import EMBEDDINGS, Widths, hidden, products, shapes, state_sums, vectors
from referee.parsing.transitions import detail_codes

SIZE = Widths(word=8, prefix=4, suffix=4, ending=4, shape=4, near=24, wide=24, detail=6, state=32)
SEEN = {"word": 9, "prefix": 5, "suffix": 5, "ending": 5}
TAGS, LABELS = 5, 3


class NoDropout(Random):
    """Keeps all units."""

    def kept(self, *shape):
        return np.ones(shape, dtype=np.float32)


@pytest.fixture(scope="module")
def weights():
    """So large that a step of a unit is small beside its value."""
    source = np.random.default_rng(3)
    largest = {"near": 60, "wide": 60, "state": 20, "state details": 20, "tag": 60, "move": 60}
    found = {}
    for name, shape in shapes(SIZE, SEEN, TAGS, LABELS).items():
        most = 200 if name.endswith("bias") else largest.get(name, 90)
        found[name] = source.integers(-most, most + 1, shape).astype(np.float32)
    return found


@pytest.fixture(scope="module")
def lesson():
    source = np.random.default_rng(4)
    words, states = 40, 60
    columns = np.stack([source.integers(0, SEEN.get(name, 11) + 1, words) for name in (*SEEN, "shape")], axis=1)
    lossless = source.integers(0, 2, (states, 3)) > 0
    lossless[~lossless.any(axis=1), 0] = True
    return Examples(
        columns,
        np.array([0, 7, 8, 25, words]),
        source.integers(0, TAGS, words),
        source.integers(0, words + 1, (states, 11)),
        source.integers(0, detail_codes(LABELS), (states, 11)),
        lossless,
        source.integers(1, LABELS + 1, states),
    )


def loss(weights, lesson):
    """The negative logarithms of the probabilities of the right tags, and of all lossless moves together."""
    rows = vectors(weights, lesson.columns, lesson.first)
    tags = chances(rows @ weights["tag"] + weights["tag bias"])
    with_none = np.concatenate([np.zeros((1, rows.shape[1]), dtype=np.float32), rows])
    units = hidden(state_sums(weights, products(weights, with_none), lesson.places, lesson.details), "state")
    moves = chances(units @ weights["move"] + weights["move bias"])
    right = np.stack([np.zeros_like(lesson.label), lesson.label, lesson.label + LABELS], axis=1)
    kept = (np.take_along_axis(moves, right, axis=1) * lesson.lossless).sum(axis=1)
    return float(-np.log(tags[np.arange(len(tags)), lesson.tag]).sum() - np.log(kept).sum())


def chances(scores):
    odds = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.float64) * OF_SUM)
    return odds / odds.sum(axis=1, keepdims=True)


STEP = {
    "near bias": 2048, "wide bias": 1024, "state bias": 256, "tag bias": 8, "move bias": 8, "tag": 1, "move": 1, "near": 24,
    "wide": 24,
}  # fmt: skip
"""How much a weight is changed; where units come after it, enough for their steps to be small beside it."""

UNIT = {"word": 64, "prefix": 64, "suffix": 64, "ending": 64, "shape": 64, "detail": 8, "near": 8192, "near bias": 8192,
        "wide": 2048, "wide bias": 2048}  # fmt: skip
"""How much of a weight its gradient is for, as `gradients` has it: 1024 where nothing else is said."""


@pytest.mark.parametrize("name", shapes(SIZE, SEEN, TAGS, LABELS))
def test_a_gradient_is_what_the_loss_changes_by(weights, lesson, name):
    found = gradients(weights, lesson, NoDropout(1))[name].reshape(-1)
    source = np.random.default_rng(5)
    steepest = np.argsort(-np.abs(found), kind="stable")[: max(20, len(found) // 4)]
    chosen = source.permutation(steepest)[:40]
    step = STEP.get(name, 40 if name in EMBEDDINGS else 8)
    differences = []
    for cell in chosen.tolist():
        there = []
        for sign in (1, -1):
            changed = weights[name].copy()
            changed.reshape(-1)[cell] += sign * step
            there.append(loss({**weights, name: changed}, lesson))
        differences.append((there[0] - there[1]) / (2 * step) * UNIT.get(name, 1024))
    exact = name in ("tag", "tag bias", "move", "move bias")
    slope = float(found[chosen] @ differences / (found[chosen] @ found[chosen]))
    assert np.corrcoef(found[chosen], differences)[0, 1] > (0.999 if exact else 0.9)
    assert slope == pytest.approx(1, abs=0.01 if exact else 0.15)
