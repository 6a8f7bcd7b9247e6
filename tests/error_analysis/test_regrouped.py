"""Merges and splits: from their definitions on sets, and as people and programs get them."""

import csv
import io
import json
from itertools import combinations

import pytest
from hypothesis import given

from referee import OptionError, score
from referee.error_analysis.regrouped import regrouped
from tests.support.command import referee
from tests.support.examples import examples
from tests.support.partitions import documents, table_of
from tests.support.paths import EXAMPLES

KEY = "id,entity\na1,A\na2,A\na3,A\nb1,B\nb2,B\nc1,C\n"
RESPONSE = "id,entity\na1,7\na2,7\nb1,7\na3,8\nb2,9\nc1,10\n"
# 7 mixes A (a1, a2) and B (b1): two pairs. A is in 7 (a1, a2) and 8 (a3): two pairs. B is in 7 and 9: one pair. C is right.


def wrong(whole, parts):
    """Pairs of mentions that both sides have, in one entity here and in two there, of each entity that has any."""
    found = []
    for entity in whole:
        place = {mention: number for number, part in enumerate(parts) for mention in entity & part}
        found.append(sum(place[a] != place[b] for a, b in combinations(sorted(place), 2)))
    return sorted(filter(None, found), reverse=True)


@examples(1)
@given(documents())
def test_pairs_are_those_of_the_definition(document):
    key, response = document
    table = table_of([document])
    assert regrouped(table).pairs.tolist() == wrong(key, response)
    assert regrouped(table.T).pairs.tolist() == wrong(response, key)
    for side in (table, table.T):
        assert all(len(parts) > 1 for parts in regrouped(side).parts)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "k.csv").write_text(KEY)
    (tmp_path / "r.csv").write_text(RESPONSE)
    return tmp_path


def test_of_records_merges_and_splits_come_first(folder):
    lines = referee("errors", "k.csv", "r.csv", cwd=folder).out.splitlines()
    right = "of 3 entities of the key 1 is exactly right, 2 divided; of 4 of the response 1 mixed"
    assert lines[:7] == [
        f"{right}; 1 mixed entity of the response, 2 wrong pairs of records",
        "response entity  records  wrong pairs  mixes key entities",
        "R7                     3            2  A (“a1”, “a2”) + B (“b1”)",
        "",
        "2 divided entities of the key, 3 wrong pairs of records",
        "key entity  records  wrong pairs  is divided into response entities",
        "A                 3            2  R7 (“a1”, “a2”) + R8 (“a3”)",
    ]
    assert any(line.startswith("kind ") for line in lines)
    rows = json.loads(referee("errors", "k.csv", "r.csv", "-r", "json", cwd=folder).out)["rows"]
    assert rows[-1]["kind"] == "all"  # programs get one table, as of texts
    for form in ("markdown", "latex", "html"):
        assert "is divided into" in referee("errors", "k.csv", "r.csv", "-r", form, cwd=folder).out.lower()


def test_where_nothing_is_wrong_there_is_no_empty_table(folder):
    lines = referee("errors", "k.csv", "k.csv", cwd=folder).out.splitlines()
    assert lines[0] == "of 3 entities of the key 3 are exactly right, 0 divided; of 3 of the response 0 mixed"
    assert not any("wrong pair" in line for line in lines)


def test_one_list_alone_and_for_programs(folder):
    lines = referee("errors", "k.csv", "r.csv", "--by", "split", "--top", "1", cwd=folder).out.splitlines()
    assert lines[0] == "2 divided entities of the key, 3 wrong pairs of records"
    assert "1 entity left out: --by split --top 0 shows all" in lines
    out = referee("errors", "k.csv", "r.csv", "--by", "split", "-r", "csv", cwd=folder).out
    assert list(csv.DictReader(io.StringIO(out))) == [
        {"entity": "A", "mentions": "3", "pairs": "2", "consists_of": "7: 2 | 8: 1"},
        {"entity": "B", "mentions": "2", "pairs": "1", "consists_of": "7: 1 | 9: 1"},
    ]
    found = score(folder / "k.csv", folder / "r.csv").errors()
    assert found.to_rows(by="merge") == [{"entity": "7", "mentions": 3, "pairs": 2, "consists_of": "A: 2 | B: 1"}]
    with pytest.raises(OptionError, match="wrong pairs are no costs in a metric; found metrics with by 'merge'"):
        found.listing("merge", metrics=["links"])


def test_many_parts_are_counted_and_of_a_large_part_one_mention_is_quoted(folder):
    parts = {f"an identifier of part {n}": n for n in range(9)} | {f"m{n}": 9 for n in range(4)}
    row = score([set(parts)], parts).errors().listing("split").rows[0]
    assert row[1:3] == [13, 13 * 12 // 2 - 4 * 3 // 2]
    assert row[3] == "R9 (“m0”, 3 more) + R0 (“an identifier of par…”) + 8 more"


def test_texts_have_them_by_name(folder):
    done = referee("errors", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "--by", "split")
    assert done.status == 0
    assert done.out.splitlines()[1].split()[:3] == ["document", "key", "entity"]
    assert "“Orchard Press”" in done.out
