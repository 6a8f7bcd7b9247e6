"""Errors by kind and by facet, in a made-up document whose answers can be counted by hand; pictures of them."""

import numpy as np
import pytest
from hypothesis import given

from referee import CorpusBuilder, score
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.error_analysis.breakdown import FACETS, OUTCOMES
from referee.error_analysis.differences import KINDS
from referee.error_analysis.plots import PLOTS
from tests.support.strategies import one_document


def story(*mentions):
    """Twenty words in four sentences; mentions of one word: its number, the entity, its class."""
    builder = CorpusBuilder("story")
    builder.document("tale", [f"w{n}" for n in range(20)], [0, 5, 10, 15])
    for word, entity, class_ in mentions:
        builder.mention(word, word + 1, entity, {"p": "person"}.get(entity, "thing"), mention_type=class_)
    return builder.corpus()


def evaluation():
    key = story(
        (0, "p", "name"), (1, "q", "nominal"), (3, "p", "pronoun"), (7, "p", "pronoun"), (12, "q", "nominal"), (19, "z", "name")
    )
    response = story(
        (0, "p", "name"),
        (1, "q", "nominal"),
        (3, "p", "pronoun"),
        (7, "q", "pronoun"),
        (12, "q", "nominal"),
        (15, "q", "other"),
    )
    return score(key, response)


@pytest.fixture(scope="module")
def found():
    return evaluation().errors()


def table(d, by):
    """Row -> outcome -> mentions, where there are any."""
    b = d.by(by, ["muc"])
    return {name: {o: int(c[n]) for o, c in b.outcomes.items() if c[n]} for n, name in enumerate(b.names)}


def test_kinds_are_counted_with_the_mentions_they_concern(found):
    b = found.by("kind", ["muc"])
    assert {name: n for name, n in zip(b.names, b.errors.tolist(), strict=True) if n} == {
        "missed_entity": 1, "spurious": 1, "misplaced": 1,
    }  # fmt: skip
    assert b.mentions.sum() == 3


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("size", {"1": {"missed_entity": 1}, "2": {"kept": 2}, "3-4": {"kept": 2, "misplaced": 1, "spurious": 1}}),
        (
            "mention-type",
            {
                "pronoun": {"kept": 1, "misplaced": 1},
                "name": {"kept": 1, "missed_entity": 1},
                "nominal": {"kept": 2},
                "other": {"spurious": 1},
            },
        ),
        (
            "distance",
            {
                "first": {"kept": 2, "missed_entity": 1},
                "1": {"misplaced": 1, "spurious": 1},
                "2": {"kept": 1},
                "3-4": {"kept": 1},
            },
        ),
        (
            "sentences",
            {
                "first": {"kept": 2, "missed_entity": 1},
                "same": {"kept": 1},
                "1": {"misplaced": 1, "spurious": 1},
                "2": {"kept": 1},
            },
        ),
        (
            "position",
            {
                "0-10 %": {"kept": 2},
                "10-20 %": {"kept": 1},
                "30-40 %": {"misplaced": 1},
                "60-70 %": {"kept": 1},
                "70-80 %": {"spurious": 1},
                "90-100 %": {"missed_entity": 1},
            },
        ),
        ("entity-type", {"person": {"kept": 2, "misplaced": 1}, "thing": {"kept": 2, "missed_entity": 1, "spurious": 1}}),
        ("document", {"tale": {"kept": 4, "misplaced": 1, "missed_entity": 1, "spurious": 1}}),
    ],
)  # fmt: skip
def test_facets_tell_where_errors_are(found, by, expected):
    assert table(found, by) == expected


def test_a_response_need_not_have_what_the_key_tells():
    """One without types and words: its spurious mentions have no type, and are in the sentences of the key."""
    bare = CorpusBuilder("bare")
    bare.document("tale")
    for word, entity in ((0, "p"), (3, "p"), (16, "p")):
        bare.mention(word, word + 1, entity)
    d = score(evaluation().key, bare.corpus()).errors()
    assert table(d, "entity-type")["none"] == {"spurious": 1}
    assert table(d, "sentences")["3-4"] == {"spurious": 1}


def test_every_facet_has_an_example():
    (marks,) = (m for m in test_facets_tell_where_errors_are.pytestmark if m.name == "parametrize")
    assert {by for by, _ in marks.args[1]} == set(FACETS)


@pytest.mark.parametrize("by", ["mention-type", "entity-type", "sentences"])
def test_what_an_annotation_does_not_tell_is_refused(by):
    d = score([{"a", "b"}], [{"a"}, {"b"}]).errors()
    with pytest.raises(OptionError, match="expected"):
        d.by(by)
    with pytest.raises(UnknownNameError, match="no breakdown named 'colour'"):
        d.by("colour")


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@given(key=one_document, response=one_document)
def test_breakdowns_count_every_mention_and_every_error_once(key, response):
    d = score(key, response, metrics=["muc"]).errors()
    spurious = int((d.differences.response_counterpart < 0).sum())
    for by in ("size", "distance", "position", "document"):
        b = d.by(by)
        assert b.errors.sum() == len(d)
        assert b.mentions.sum() == len(d.differences.key_counterpart)
        assert sum(int(b.outcomes[o].sum()) for o in OUTCOMES) == len(d.differences.key_counterpart) + spurious


def test_everything_repaired_is_what_is_missing_to_a_perfect_score(found):
    b = found.by("kind", ["muc", "lea"])
    for metric in ("muc", "lea"):
        assert np.isclose(b.everything[metric], 1 - found.scores[metric].value)


def test_errors_one_by_one_say_what_happened(found):
    listing = found.listing("error", metrics=["muc"])
    assert {(row[1], row[3], row[4]) for row in listing.rows} == {
        ("7:8", "misplaced", "of K1 (p) “w0” (2 mentions found as R1 (p) “w0”), in R2 (q) “w1” with 2 mentions of K2 (q) “w1”"),
        ("15:16", "spurious", "in R2 (q) “w1” (found for K2 (q) “w1”)"),
        ("19:20", "missed_entity", "all of K3 (z)"),
    }
    gains = [row[-1] for row in listing.rows]
    assert gains == sorted(gains, reverse=True)


def test_entities_list_the_mentions_that_went_wrong(found):
    rows = {row[3]: row[4] for row in found.listing("entity", metrics=["muc"]).rows}
    misplaced = "1 misplaced: in R2 (q) “w1” with 2 mentions of K2 (q) “w1”"
    assert rows == {"K1 (p)": misplaced, "K2 (q)": "1 spurious", "K3 (z)": "1 missed"}
    assert {row["entity"] for row in found.to_rows(by="entity", metrics=["muc"])} == {"p", "q", "z"}


def test_rows_that_are_left_out_are_counted(found):
    assert found.listing("error", metrics=["muc"], top=1).notes[0] == (
        "2 rows left out: --top 0 shows all, --kind misplaced one kind"
    )
    assert found.listing("entity", metrics=["muc"], top=1).notes[0] == "2 rows left out: --top 0 shows all"


@pytest.mark.parametrize("kind", PLOTS)
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_pictures_are_drawn_the_same_each_time(tmp_path, found, kind, ending):
    pytest.importorskip("matplotlib")
    drawn = []
    for name in ("a", "b"):
        found.plot(str(tmp_path / f"{name}.{ending}"), kind, ["muc", "lea"])
        drawn.append((tmp_path / f"{name}.{ending}").read_bytes())
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])


def test_pictures_show_what_they_are_about(tmp_path, found):
    pytest.importorskip("matplotlib")
    for kind, words in (
        ("costs", ["misplaced (1)", "MUC F1", "LEA F1"]),
        ("sizes", ["key: 3 entities"]),
        ("flow", ["w0 (3)", "w1 (4)"]),
    ):
        found.plot(str(tmp_path / "p.svg"), kind, ["muc", "lea"])
        drawn = (tmp_path / "p.svg").read_text(encoding="utf-8")
        for word in words:
            assert word in drawn


def test_costs_are_drawn_in_one_metric_if_none_is_named(tmp_path, found):
    pytest.importorskip("matplotlib")
    found.plot(str(tmp_path / "p.svg"))
    drawn = (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert "CoNLL F1" in drawn and "MUC" not in drawn


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_what_cannot_be_measured_has_no_cost_and_no_errors_cost_nothing():
    d = score({"d": []}, {"d": [["a"], ["b"]]}).errors()
    b = d.by("kind", ["muc", "lea"])
    costs = dict(zip(b.names, zip(b.costs["muc"], b.costs["lea"], strict=True), strict=True))
    assert np.isnan(costs["spurious_entity"]).all()
    assert costs["split"] == (0.0, 0.0)


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
def test_sizes_without_entities_are_refused(tmp_path):
    pytest.importorskip("matplotlib")
    d = score({"d": []}, {"d": [["a"]]}).errors()
    with pytest.raises(OptionError, match="expected at least one, to plot the sizes"):
        d.plot(str(tmp_path / "sizes.svg"), "sizes")


def test_a_flow_without_entities_is_refused(tmp_path):
    pytest.importorskip("matplotlib")
    d = score([{"a"}], [{"a"}]).errors()
    with pytest.raises(OptionError, match="expected one, to plot its flow"):
        d.plot(str(tmp_path / "flow.svg"), "flow")
    assert not list(tmp_path.iterdir())


def test_the_rows_are_the_errors_and_the_kinds_have_their_name(found):
    assert found.to_rows() == list(found) == [found[n] for n in range(len(found))]
    assert [row["kind"] for row in found.to_rows("kind")] == [*KINDS, "all"]
    assert found.to_rows("kind") == found.to_dict()["rows"]


def test_a_short_form_has_the_kinds_in_the_order_of_the_table(found):
    shown = [row[0] for row in found.listing().rows if found.counts.get(str(row[0]))]
    assert repr(found).startswith(f"<Errors of story: 3 errors ({found.counts[shown[0]]} {shown[0]}, ")
    assert f" {shown[1]}, …)>" in repr(found)


@pytest.mark.parametrize(("metrics", "shape"), [(["muc"], (1, 1)), (["muc", "lea", "b_cubed", "ceaf_e"], (2, 2))])
def test_bars_are_in_the_order_of_the_table_on_a_slide(monkeypatch, found, metrics, shape):
    pytest.importorskip("matplotlib")
    figures = []
    monkeypatch.setattr("referee.error_analysis.plots.save", lambda figure, _: figures.append(figure))
    found.plot("x.svg", metrics=metrics)
    (drawing,) = figures
    names = [str(row[0]).replace("_", " ") for row in found.listing(metrics=metrics).rows[:-1]]
    first = drawing.axes[0]
    assert [label.get_text().rpartition(" (")[0] for label in first.get_yticklabels()] == names
    assert first.yaxis_inverted() and first.get_xlabel() == "points gained when corrected"
    bars = [bar.get_width() for bar in first.patches]
    assert bars == sorted(bars, reverse=True)
    width, height = drawing.get_size_inches()
    assert width / height == pytest.approx(16 / 9)
    assert first.get_gridspec().get_geometry() == shape
