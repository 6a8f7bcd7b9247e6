"""Plots of blame and reliability: what is drawn, looked up in the figure, and that files are written in silence."""

from dataclasses import replace

import numpy as np
import pytest

from referee.basics.exceptions import OptionError
from referee.phrases import plots
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.iob import decode
from referee.phrases.scoring import score
from referee.reports.figures import MARKERS
from tests.support.command import referee
from tests.support.phrases import constant, listed


def of(key, p, name="model"):
    return replace(score(key, constant(key, p)), name=name)


@pytest.fixture
def draw(monkeypatch):
    pytest.importorskip("matplotlib")
    found = []
    monkeypatch.setattr(plots, "save", lambda figure, _: found.append(figure))

    def drawn(systems, **options):
        plots.plot(systems, "x.png", **options)
        return found.pop()

    return drawn


def titles(figure):
    return [axis.get_title(loc="left") for axis in figure.axes if axis.get_title(loc="left")]


def panel(figure, title):
    return next(axis for axis in figure.axes if axis.get_title(loc="left") == title)


def widths(axis):
    """Of each container of bars: true and false ones of the first system, of the second, and so on."""
    return [[bar.get_width() for bar in bars] for bars in axis.containers]


def names(axis):
    return [text.get_text() for text in axis.get_yticklabels()]


def marks(axis, shape):
    found = [line.get_xydata() for line in axis.lines if line.get_marker() == shape]
    return [(float(x), float(y)) for points in found for x, y in points]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_blame_and_reliability_are_drawn(tmp_path, ending):
    pytest.importorskip("matplotlib")
    scores = of(decode([["B-NP", "I-NP", "B-名詞句"], ["B-NP"]]), 0.125, "日本語.jsonl")
    plots.plot([scores, scores], str(tmp_path / f"blame.{ending}"))
    head = (tmp_path / f"blame.{ending}").read_bytes()[:100]
    assert {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending] in head
    assert [path.name for path in tmp_path.iterdir()] == [f"blame.{ending}"]


def test_a_plot_of_another_kind_is_refused():
    with pytest.raises(OptionError, match=r"expected a name that ends in \.svg, \.png, \.pdf"):
        plots.plot([], "blame.gif")


def test_letters_that_no_font_has_are_no_reason_to_warn(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("key", "日本語"):
        (tmp_path / name).write_text("犬 N B-名詞句\n吠 V B-動詞\n", encoding="utf-8")
    done = referee("phrases", "score", "key", "日本語", "--plot", "x.png", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")


def test_groups_are_those_asked_for(draw):
    scores = of(decode([["B-NP", "B-VP"], ["B-NP"]]), 0.25)
    assert titles(draw([scores], groups=["length", "sentence", "length"])) == [
        "cross-entropy by length",
        "cross-entropy by sentence",
        "reliability",
    ]
    assert titles(draw([scores])) == titles(draw([scores], groups=[])) == ["F1 by type", "F1 by threshold", "reliability"]


def test_bars_are_bits_of_true_and_of_false_candidates(draw):
    # One true NP and one false VP a sentence, with p = 1/2: one bit each.
    key = decode([["B-NP"], ["B-NP"]]).with_categories(["NP", "VP"])
    axis = panel(draw([of(key, 0.5)], groups=["category"]), "cross-entropy by category")
    assert names(axis) == ["NP", "VP"]
    assert widths(axis) == [[1, 0], [0, 1]]


def test_zero_probability_events_are_counted_where_bits_are_infinite(draw):
    # One chunk of two words is missed; of three that are said to be there, one is right.
    key = decode([["B-NP", "I-NP", "B-VP"]])
    hard = score(key, decode([["B-NP", "B-NP", "B-VP"]]))
    figure = draw([hard], groups=["length"])
    assert titles(figure) == ["zero-probability events by length", "reliability"]
    assert widths(panel(figure, "zero-probability events by length")) == [[0, 1, 0], [2, 0, 0]]
    both = draw([hard, of(key, 0.5)], groups=["length"])
    assert titles(both) == ["cross-entropy by length", "zero-probability events by length", "reliability"]
    assert panel(both, "cross-entropy by length").get_xlabel() == "bits per sentence, without zero-probability events"
    assert widths(panel(both, "cross-entropy by length")) == [[0] * 3, [0] * 3, [1, 1, 0], [2 * 3 - 1, 2 * 2 - 1, 2]]


def test_a_perfect_answer_has_empty_panels_that_begin_at_0(draw):
    key = decode([["B-NP", "B-VP"]])
    figure = draw([score(key, key)], groups=["category"])
    assert titles(figure) == ["cross-entropy by category", "reliability"]
    assert panel(figure, "cross-entropy by category").get_xlim() == (0, 1)


def test_the_reliability_diagram_has_linear_axes_and_every_bin(draw):
    # 0.3 is said of four false candidates, 1 of the true one and of nothing else, 0 of another true one.
    key = Chunks.build(Sentences.numbered([1, 2]), ["A", "B"], sentence=[0, 1], start=[0, 0], end=[1, 1], category=[0, 0])
    said = listed(key, ["A", "B"], [(0, 0, 1, 0, 1.0), (1, 0, 1, 0, 0.0), (0, 0, 1, 1, 0.3)], 0.3)
    axis = panel(draw([score(key, said)]), "reliability")
    assert (axis.get_xscale(), axis.get_yscale()) == ("linear", "linear")
    assert marks(axis, "o") == [(0, 1), (pytest.approx(0.3), 0), (1, 1)]


def test_f1_of_each_type_has_an_interval(draw):
    """Against the percentiles of resamples made here: 20 sentences with a PER each, half of them found."""
    key, response = [["B-PER", "B-LOC"]] * 20, [["B-PER", "B-LOC"]] * 10 + [["O", "B-LOC"]] * 10
    axis = panel(draw([replace(score(key, response), name="ours"), score(key, key)]), "F1 by type")
    assert names(axis) == ["LOC", "PER", "micro average"]
    values, _, (bars,) = axis.containers[0]
    assert values.get_xdata() == pytest.approx([100, 200 / 3, 100 * 60 / 70])
    ends = [sorted(x for x, _ in segment) for segment in bars.get_segments()]
    assert ends[0] == pytest.approx([100, 100])
    share = np.random.default_rng(0).binomial(20, 0.5, 100_000) / 20
    low, high = np.percentile(100 * 2 * share / (share + 1), [2.5, 97.5])
    assert ends[1] == pytest.approx([low, high], abs=3)
    assert axis.get_legend().get_texts()[0].get_text() == "ours: 85.71"
    assert titles(draw([score(key, response)])) == ["F1 by type"]


def test_f1_by_threshold_marks_the_best(draw):
    key = decode([["B-X", "O", "B-X"]])
    said = listed(key, ["X"], [(0, 0, 1, 0, 0.9), (0, 1, 2, 0, 0.5), (0, 2, 3, 0, 0.3)], 0.0)
    axis = panel(draw([score(key, said)]), "F1 by threshold")
    assert axis.lines[0].get_ydata() == pytest.approx([80, 50, 200 / 3])  # 2 of 3 and 2, 1 of 2 and 2, 1 of 1 and 2
    assert marks(axis, "o") == [(0.3, pytest.approx(80))]


def test_bars_begin_at_0_and_end_before_the_frame_and_the_legend_is_elsewhere(draw):
    figure = draw([of(decode([["B-NP", "B-VP"], ["B-NP"]]), p) for p in (0.25, 0.125)], groups=["category", "length"])
    for axis in figure.axes:
        if bars := axis.containers:
            assert axis.get_legend() is None
            low, high = axis.get_xlim()
            assert low == 0
            assert high > max(bar.get_x() + bar.get_width() for container in bars for bar in container)


def test_28_systems_look_different(draw):
    figure = draw([of(decode([["B-NP"]]), (n + 1) / 30) for n in range(28)], groups=["category"])
    bars = panel(figure, "cross-entropy by category").containers[::2]
    assert len({(bar[0].get_facecolor(), bar[0].get_hatch()) for bar in bars}) == 28
    curves = panel(figure, "reliability").lines
    assert len({(line.get_color(), line.get_linestyle()) for line in curves if line.get_marker() in MARKERS}) == 28
    (legend,) = [found for axis in figure.axes if (found := axis.get_legend())]
    assert len(legend.get_texts()) == 28 + 2


def test_many_categories_are_few_and_others_and_nothing_is_lost(draw):
    long = [f"a category whose name is long, number {n}, indeed" for n in range(45)]
    key = decode([[f"B-{name}" for name in long], ["B-" + long[30]]])
    scores = of(key, 0.01)
    axis = panel(draw([scores], groups=["category"]), "cross-entropy by category")
    assert len(names(axis)) == 21
    assert max(map(len, names(axis))) <= 21
    assert names(axis)[0] == plots.label(long[30], 20)
    assert names(axis)[-1] == "25 others"
    assert np.sum(widths(axis)) == pytest.approx(float(scores.total.bits_per_sentence))


def test_the_bar_of_other_sentences_is_their_mean(draw):
    # Sentences of one word and of two: with p = 1/2 each has as many bits as spans.
    axis = panel(
        draw([of(decode([["B-A", "B-A"]] * 20 + [["B-A"]] * 5), 0.5)], groups=["sentence"]), "cross-entropy by sentence"
    )
    assert names(axis)[-1] == "mean of 5 others"
    assert [sum(bar) for bar in zip(*widths(axis), strict=True)] == [3] * 20 + [1]
