"""What an `Agreement` shows and exports."""

import csv
import io
import json

import pytest

from referee import agree
from referee.agreement import DISTANCES
from referee.agreement.result import BY
from referee.basics.exceptions import OptionError, UnknownNameError
from referee.corpus import CorpusBuilder
from referee.reports.forms import FORMS

ANN = {"a": [{1, 2, 3}, {4, 5}], "b": [{1, 2}, {3, 4}]}
BOB = {"a": [{1, 2}, {3}, {4, 5}], "b": [{1, 2}, {3, 4}]}


@pytest.fixture(scope="module")
def found():
    return agree({"ann": ANN, "bob": BOB}, metrics=["muc", "vi"])


def test_it_says_in_one_line_what_it_is(found):
    ends = f"[{found.interval.low:.3f}, {found.interval.high:.3f}]"
    assert repr(found) == f"<Agreement of ann, bob: alpha (MASI) {found.alpha:.3f} {ends}, 2 documents>"


def test_it_prints_the_table_of_the_command(found):
    assert str(found) + "\n" == found.report()
    lead, heads, row, *below = found.report().splitlines()
    assert lead.startswith("mentions F1 100.00, entities " + repr(found).split(": ")[1].removesuffix(", 2 documents>"))
    assert heads.split() == ["annotator", "other", "alpha", "muc", "F1", "vi", "(bits)"]
    assert row.split()[:4] == ["ann", "bob", f"{found.alpha:.3f}", f"{100 * found.together['muc']:.2f}"]
    assert below[0] == ""  # two annotators are one pair: no row says it again


def test_alpha_is_no_percentage(found):
    alpha, every = found.together["alpha nominal"], agree({"ann": ANN, "bob": BOB}, metrics="all")
    interval = every.intervals["alpha nominal"]
    assert every.report().splitlines()[2].split()[-1] == f"{alpha:.3f}"
    assert f"alpha nominal [{interval.low:.3f}, {interval.high:.3f}]" in every.report()
    assert found.to_rows()[-1]["alpha nominal"] == alpha


def test_people_see_one_alpha_and_programs_all():
    usual = agree({"ann": ANN, "bob": BOB})
    assert [str(column.title) for column in usual.listing().columns[2:]] == ["alpha", "mentions F1", "conll F1"]
    ends = {"alpha masi_low", "alpha masi_high"}
    assert set(usual.to_rows()[0]) == {"annotator", "other", *usual.together, *ends}
    assert {f"alpha {distance}" for distance in DISTANCES} <= set(usual.together)
    by_nominal = agree({"ann": ANN, "bob": BOB}, metrics=["alpha"], distance="nominal")
    assert (by_nominal.alpha, by_nominal.shown) == (by_nominal.together["alpha nominal"], ("alpha nominal",))
    assert by_nominal.lead.startswith(f"mentions F1 100.00, entities alpha (nominal) {by_nominal.alpha:.3f} [")


def test_a_matrix_is_of_alpha_or_of_the_first_metric_that_is_named(found):
    usual = agree({"ann": ANN, "bob": BOB})
    assert usual.to_rows(by="matrix")[0]["bob"] == usual.alpha
    assert found.to_rows(by="matrix")[0]["bob"] == found.together["muc"]


def test_it_says_why_there_is_no_interval_or_no_alpha():
    one = agree([[{1, 2}, {3}], [{1, 2, 3}]])
    assert one.interval is None and one.lead.startswith("mentions F1 100.00, entities alpha (MASI) 0.125, corrected for chance")
    alone = agree([[{1}, {2}], [{1}, {2}]])  # all values are empty: 0/0
    assert alone.lead == "mentions F1 100.00; alpha (MASI) is undefined: no entity has two mentions"
    assert "is undefined, 1 document>" in repr(alone)


def test_mentions_by_their_types():
    def side(*typed):
        builder = CorpusBuilder("side")
        builder.document("d", list("abcd"))
        for token, entity_type in typed:
            builder.mention(token, token + 1, f"e{token}", entity_type)
        return builder.corpus()

    ann, bob = side((0, "person"), (1, "person"), (2, "place")), side((0, "person"), (1, "place"), (3, "place"))
    eve = side((0, "person"))
    rows = agree({"ann": ann, "bob": bob, "eve": eve}).to_rows(by="type")
    # persons: Ann 2, Bob 1, Eve 1, all pairs agree on the first; places: Ann 1, Bob 2, none in common, and none of Eve
    assert [(row["type"], row["mentions"]) for row in rows] == [("place", 3), ("person", 2)]
    assert [rows[1][name] for name in ("ann bob", "ann eve", "bob eve")] == pytest.approx([2 / 3, 2 / 3, 1])
    assert rows[1]["F1"] == pytest.approx(7 / 9) and rows[0]["F1"] == 0
    with pytest.raises(OptionError, match="have no entity types; expected --by pair, document, entity or mention"):
        agree({"ann": ANN, "bob": BOB}).to_rows(by="type")


def test_records_are_called_records(tmp_path):
    for name, last in (("ann", 1), ("bob", 2)):
        (tmp_path / f"{name}.csv").write_text(f"item,entity\na,1\nb,1\nc,{last}\n")
    of_records = agree([str(tmp_path / "ann.csv"), str(tmp_path / "bob.csv")])
    assert [str(column.title) for column in of_records.listing().columns[2:]] == ["alpha", "links F1", "b_cubed F1"]
    for by in ("pair", "entity", "mention"):
        assert "mention" not in of_records.report(by=by).partition("referee ")[0]  # what stands above the signature
    assert {row["place"] for row in of_records.to_rows(by="mention")} == {""}


@pytest.mark.parametrize("by", [by for by in BY if by != "type"])
def test_every_table_has_every_form_and_the_rows_of_csv(found, by):
    assert all(found.report(form, by=by) for form in FORMS)
    rows = found.to_rows(by=by, top=1)
    for row, text in zip(rows, csv.DictReader(io.StringIO(found.report("csv", by=by, top=1))), strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == text
    assert found.to_dict(by=by) == json.loads(found.report("json", by=by))


def test_at_most_so_many_documents_or_entities(found):
    assert len(found.to_rows(by="document", top=1)) == len(found.to_rows(by="entity", top=1)) == 1
    assert len(found.to_rows(by="matrix", top=1)) == 2


def test_an_unknown_table_is_refused(found):
    known = "document, entity, matrix, mention, pair, type, undecided"
    with pytest.raises(UnknownNameError, match=f"no table named 'x'; known: {known}"):
        found.report(by="x")
