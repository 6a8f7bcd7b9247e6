"""The plot of a comparison: which panels it has, on equal axes, whatever there is to compare."""

import pytest

from referee import compare
from referee.basics.exceptions import UnknownNameError
from referee.comparison import plots
from referee.reports.colours import colours

KEY = {f"d{n}": [["a", "b", "c"], ["d", "e"]] for n in range(4)}
WORSE = {f"d{n}": [["a", "b"], ["c", "d", "e"]] for n in range(3)} | {"d3": KEY["d3"]}


@pytest.fixture
def drawn(monkeypatch):
    pytest.importorskip("matplotlib")
    found = []
    monkeypatch.setattr(plots, "save", lambda figure, _: found.append(figure))

    def drawn(*arguments, **options):
        compare(*arguments, **options).plot("x.png")
        return found.pop().axes

    drawn.figures = found
    return drawn


def points(axis):
    return [(x, y) for line in axis.lines if line.get_marker() == "o" for x, y in zip(*line.get_data(), strict=True)]


def test_several_systems_have_their_differences_and_documents_on_equal_axes(drawn):
    """Two links of three are found, and two of three are right: MUC F1 is 2/3 in each of three documents, and 1 in the fourth.

    Over all, 9 of 12.
    """
    scores, differences, documents, lengths = drawn(KEY, {"same": KEY, "worse": WORSE}, metrics=["muc"])
    assert scores.get_xlabel() == "MUC F1 (%)"
    assert points(scores) == [(100, 0), (75, 1)]
    assert [label.get_text() for label in scores.get_yticklabels()] == ["same", "worse"]
    (dot,), (ends, *_) = ([line for line in scores.lines if line.get_marker() == marker][:1] for marker in "o|")
    assert dot.get_markersize() < ends.get_markersize() / 2  # which are seen where the interval is shorter than the dot
    assert differences.get_title(loc="left") == "Minus same"
    assert points(differences) == [(-25, 1)]
    assert any(list(line.get_xdata()) == [0, 0] and line.get_color() == colours()["ink"] for line in differences.lines)
    assert documents.get_xlim() == documents.get_ylim() and documents.get_box_aspect() == 1
    dots = sorted(map(tuple, documents.collections[0].get_offsets().round(4).tolist()))
    assert dots == [(100, 66.6667)] * 3 + [(100, 100)]
    assert lengths.get_title(loc="left") == "Documents by length"
    assert [text.get_text() for text in scores.texts] == ["100.00", "75.00"]
    assert [text.get_text() for text in differences.texts] == ["−25.00"]
    width, height = scores.figure.get_size_inches()
    assert width / height == pytest.approx(16 / 9)


def test_the_metric_is_named_as_everywhere(drawn, tmp_path):
    found = compare(KEY, {"same": KEY, "worse": WORSE}, metrics=["muc", "b_cubed"])
    found.plot(str(tmp_path / "x.svg"), "b3")
    found.plot(str(tmp_path / "y.svg"), "muc")
    assert "B³ F1" in drawn.figures[0].axes[0].get_xlabel() and "MUC F1" in drawn.figures[1].axes[0].get_xlabel()
    with pytest.raises(UnknownNameError, match="no metric named 'mucc'"):
        found.plot(str(tmp_path / "x.svg"), "mucc")


def test_one_system_has_no_differences(drawn):
    titles = [axis.get_title(loc="left") for axis in drawn(KEY, {"x": WORSE})]
    assert titles == ["Scores, 95 % intervals", "Documents by length"]


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_one_document_has_no_intervals(drawn):
    scores, differences, *_ = drawn([["a", "b"]], {"x": [["a", "b"]], "y": [["a"], ["b"]]}, metrics=["lea"])
    assert scores.get_title(loc="left") == "Scores"
    assert not [line for line in differences.lines if line.get_marker() == "|"]


def test_ten_systems_with_long_names(tmp_path):
    pytest.importorskip("matplotlib")
    names = [f"a-system-with-a-name-that-is-long-{n}" for n in range(10)]
    compare(KEY, dict.fromkeys(names, WORSE), metrics=["vi"]).plot(str(tmp_path / "x.svg"))
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "a-system-wit…at-is-long-9" in text and names[9] not in text
    assert "VI (bits)" in text


def test_a_plot_without_a_file_is_the_figure():
    pytest.importorskip("matplotlib", reason="the extra referee[plot] is not installed")
    comparison = compare(KEY, {"a": WORSE})
    assert [axes.get_title(loc="left") for axes in comparison.plot().axes][-1] == "Documents by length"
    assert comparison.plot(metric="muc").axes
    errors = next(iter(comparison.evaluations[""].values())).errors()
    assert errors.plot(kind="sizes").axes
