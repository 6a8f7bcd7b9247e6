"""Some of the errors, and tables of several properties: against costs of groups computed one by one."""

from itertools import product
from math import isclose

import numpy as np
import pytest

from referee import OptionError, UnknownNameError, score
from referee.corpus import MENTION_TYPES
from referee.error_analysis.costs import costs
from referee.error_analysis.differences import KINDS
from referee.pages.inspector.response import ScoredResponse
from tests.error_analysis.test_breakdown import evaluation
from tests.support.paths import EXAMPLES

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"


@pytest.fixture(scope="module")
def errors():
    return score(KEY, RESPONSE).errors()


def gain(errors, rows, metric="conll"):
    """What the errors in these rows, in the order of the text, cost together."""
    groups = np.full(len(errors), -1)
    groups[rows] = 0
    return float(costs(errors.differences, errors.scores, [metric], groups, 1).corpus[metric][0])


def test_each_error_has_its_types_the_size_of_its_entity_and_the_distance():
    """Counted by hand in the story of test_breakdown."""
    by_kind = {row["kind"]: row for row in evaluation().errors()}
    names = ("mention_type", "mention_type_by", "entity_type", "size", "distance")
    assert {kind: tuple(row[name] for name in names) for kind, row in by_kind.items()} == {
        "missed_entity": ("name", "the annotation", "thing", 1, None),
        "misplaced": ("pronoun", "the annotation", "person", 3, 1),
        "spurious": ("other", "the annotation", "thing", 4, 1),
    }


@pytest.mark.parametrize(
    ("some", "is_wanted"),
    [
        ({"mention_type": "pronoun"}, lambda row: row["mention_type"] == "pronoun"),
        ({"mention_type": ["name,pronoun"]}, lambda row: row["mention_type"] in ("name", "pronoun")),
        ({"kind": "split,missed"}, lambda row: row["kind"] in ("split", "missed")),
        ({"kind": "misplaced", "mention_type": "pronoun"}, lambda row: row["kind"] == "misplaced"),
    ],
)
def test_a_filter_leaves_these_errors_and_says_what_they_cost_together(errors, some, is_wanted):
    expected = [row for row in errors if is_wanted(row)]
    assert errors.to_rows(**some) == expected
    assert 0 < len(expected) < len(errors)
    d = errors.differences
    keys = list(zip(d.document.tolist(), d.kind.tolist(), d.key_mention.tolist(), d.response_mention.tolist(), strict=True))
    assert len(set(keys)) == len(errors)
    by_kind = errors.by("kind", ["muc"], **some)
    assert dict(zip(by_kind.names, by_kind.errors.tolist(), strict=True)) == {
        kind: sum(row["kind"] == kind for row in expected) for kind in KINDS
    }
    rows = [n for n, e in enumerate(cost_rows(errors)) if is_wanted(e)]
    assert isclose(errors.to_dict(by="error", **some)["cost_of_all"]["conll"], gain(errors, rows))
    assert isclose(by_kind.everything["muc"], gain(errors, rows, "muc"))


def cost_rows(errors):
    """The rows of errors in the order of the text, as `differences` has them."""
    d = errors.differences
    by_cost = list(errors)
    order = np.argsort(-errors.costs("conll"), kind="stable").tolist()
    rows = [None] * len(d)
    for place, row in zip(order, by_cost, strict=True):
        rows[place] = row
    return rows


def test_mentions_of_other_types_are_left_out_of_counts(errors):
    """Each mention is in one row of all tables by type, so these add up."""
    whole = errors.by("size", ["muc"])
    parts = [errors.by("size", ["muc"], mention_type=name) for name in ("pronoun", "name", "nominal")]
    for outcome in ("kept", "misplaced"):
        assert sum(part.outcomes[outcome].sum() for part in parts) == whole.outcomes[outcome].sum()
    assert sum(part.mentions.sum() for part in parts) == whole.mentions.sum()
    split = errors.by("size", ["muc"], kind="split")
    assert set(split.outcomes) == {"kept", "split"}


def test_a_table_of_several_properties_has_what_each_group_costs(errors):
    rows = errors.to_rows("kind,mention-type", metrics="conll")
    listed = cost_rows(errors)
    cells = {(row["kind"], row["mention_type"]): row for row in rows}
    kinds, types = ({value for pair in cells for value in [pair[n]]} for n in (0, 1))
    for kind, mention_type in product(kinds, types):
        here = [n for n, e in enumerate(listed) if kind in ("all", e["kind"]) and mention_type in ("all", e["mention_type"])]
        assert ((kind, mention_type) in cells) == bool(here)
        if here:
            cell = cells[kind, mention_type]
            assert cell["errors"] == len(here)
            assert cell["mentions"] == sum(listed[n]["mentions"] for n in here)
            assert isclose(cell["cost_conll"], gain(errors, here))


def test_people_see_the_last_property_as_columns_with_margins(errors):
    listing = errors.listing("kind,mention-type", metrics="muc")
    titles = [str(column.title) for column in listing.columns]
    assert (titles[:2], {*titles[2:-1]}, titles[-1]) == (["kind", "errors"], {"pronoun", "nominal", "name"}, "all")
    assert listing.rows[-1][2:-1] == sorted(listing.rows[-1][2:-1], reverse=True)
    assert listing.rows[-1][:2] == ["all", len(errors)]
    by_kind = errors.by("kind", ["muc"])
    costs_of_kinds = dict(zip(by_kind.names, by_kind.costs["muc"].tolist(), strict=True))
    assert all(isclose(row[-1], costs_of_kinds[row[0]]) for row in listing.rows[:-1])
    assert errors.report(by="kind,mention-type,size").count("all") > 5


def test_types_that_are_not_there_are_refused(errors):
    with pytest.raises(UnknownNameError, match="no mention type named 'zero'"):
        errors.to_rows(mention_type="zero")
    with pytest.raises(OptionError, match="has no entity types"):
        errors.to_rows(entity_type="person")
    with pytest.raises(UnknownNameError, match=r"to_rows\(by='kind,size'\)"):
        errors.by("kind,size")
    for call in (errors.by, errors.to_rows, lambda by: errors.report(by=by)):
        with pytest.raises(OptionError, match=r"by is a text, as 'kind,mention-type'; found \['kind', 'size'\]"):
            call(["kind", "size"])
    typed = evaluation().errors()
    assert [row["kind"] for row in typed.to_rows(entity_type="person")] == ["misplaced"]
    assert typed.to_rows("entity", entity_type="person", metrics="muc")[0]["what"].startswith("1 misplaced")


def test_it_is_said_how_mention_types_are_known(errors):
    note = "mention types are those of English words, not annotated"
    for how in (
        {"by": "mention-type"},
        {"by": "kind,mention-type"},
        {"mention_type": "name"},
        {"by": "error", "kind": "split"},
    ):
        assert (note in errors.report(**how)) == ("kind" not in how)
    assert "mention types are" not in evaluation().errors().report(by="mention-type")


def test_the_page_has_the_joint_costs_of_its_filters(errors):
    response = ScoredResponse(score(KEY, RESPONSE))
    groups, gains = response.together
    table = {tuple(group): gain for (*group, _), gain in zip(groups, gains["conll"], strict=True)}
    pronoun = MENTION_TYPES.index("pronoun")
    assert isclose(table[-1, pronoun, ""], errors.by("kind", ["conll"], mention_type="pronoun").everything["conll"])
    split = [n for n, row in enumerate(cost_rows(errors)) if row["kind"] == "split"]
    assert isclose(table[KINDS.index("split"), -1, ""], gain(errors, split))
    typed = ScoredResponse(evaluation())
    assert {entity_type for *_, entity_type, _ in typed.together[0]} == {"", "person", "thing"}
    assert typed.error_entity_types[0] == ["person", "thing"]
