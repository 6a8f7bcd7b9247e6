"""Parquet; what needs pyarrow is skipped without it."""

import gzip
import io
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest

from referee import inputs
from referee.basics.exceptions import FormatError, MissingExtraError
from referee.corpus.layers import BEFORE
from referee.formats.shared.source import Source
from tests.support.reading import entities_of, links_of, read_text

Table = Mapping[str, Sequence[Any]]


def parquet(table):
    arrow = pytest.importorskip("pyarrow", exc_type=ImportError)
    out = io.BytesIO()
    import_module("pyarrow.parquet").write_table(arrow.table(dict(table)), out)
    return out.getvalue()


def read(table, *, role="key"):
    return inputs.read(Source("x", parquet(table), role=role))


def sentence(*words, ids=()):
    """As in the datasets, with the columns that matter."""
    numbers = ids or range(1, len(words) + 1)
    tokens = [{"id": n, "text": word} for n, word in zip(numbers, words, strict=True)]
    return {"id": 1, "speaker": None, "text": " ".join(words), "tokens": tokens}


# Two documents of the form that the README of ianporada/coref-data describes, its spans with inclusive ends.
DATASET = {
    "id": ["d1", "d2"],
    "text": ["Ann Lee waves. She smiles.", "It rains."],
    "sentences": [[sentence("Ann", "Lee", "waves", "."), sentence("She", "smiles", ".")], [sentence("It", "rains", ".")]],
    "coref_chains": [[[[0, 0, 1], [1, 0, 0]], [[0, 2, 2]]], []],
    "genre": ["", ""],
}


def test_a_row_of_a_dataset_is_a_document_and_ends_are_inclusive():
    corpus = read(DATASET)
    assert inputs.detect(Source("x", parquet(DATASET))) == "parquet"
    assert entities_of(corpus) == {"d1": {"0": [(0, 2), (4, 5)], "1": [(2, 3)]}, "d2": {}}
    assert list(corpus.documents["d1"].tokens) == ["Ann", "Lee", "waves", ".", "She", "smiles", "."]
    assert list(corpus.documents["d1"].sentences) == [0, 4]
    assert corpus.empty_nodes is None


def test_tokens_whose_id_has_a_fraction_are_empty_nodes():
    """As in the datasets from CorefUD, where ids are floats: 0.1 is before the first word, 2.1 and 2.2 behind the second."""
    words = sentence("_", "a", "b", "_", "_", "c", ids=[0.1, 1.0, 2.0, 2.1, 2.2, 3.0])
    corpus = read({"id": ["d"], "sentences": [[sentence("x", ids=[1.0]), words]], "coref_chains": [[[[1, 0, 0], [1, 3, 4]]]]})
    assert corpus.empty_nodes.node.tolist() == [1, 4, 5]
    assert corpus.empty_nodes.minor.tolist() == [BEFORE + 1, 1, 2]
    assert corpus.empty_nodes.sentence.tolist() == [1, 1, 1]
    assert entities_of(corpus) == {"d": {"0": [(1, 2), (4, 6)]}}
    assert corpus.zero.tolist() == [True, False]


def test_tables_are_read_as_csv_reads_them():
    assert read({"unique_id": ["r1", "r2", "r3"], "cluster_id": [17, 17, 4]}) == read_text("r1,17\nr2,17\nr3,4\n")
    assert entities_of(read({"doc": ["d", "e"], "v": [[1], [2]], "item": ['a,"\n', "b"], "entity": [1, 1]})) == {
        "d": {"1": ['a,"']},
        "e": {"1": ["b"]},
    }


@pytest.mark.filterwarnings("ignore:.* is a link:referee.RefereeWarning")
def test_pairs_are_read_as_pairs():
    table = {
        "unique_id_l": ["r1", "r2"],
        "unique_id_r": ["r2", "r7"],
        "match_probability": [0.93, 0.12],
        "label": [False, True],
    }
    assert links_of(read(table)) == [("r2", "r7")]
    assert links_of(read(table, role="response")) == [("r1", "r2")]


def test_degenerate_tables():
    assert read({"id": [], "sentences": [], "coref_chains": []}).doc_ids == ()
    assert entities_of(read({"sentences": [[]], "coref_chains": [[]]})) == {"#1": {}}
    assert entities_of(read({"item": [], "entity": []})) == {"#1": {}}


TWO_WORDS = [sentence("a", "b")]


def dataset(sentences=TWO_WORDS, chains=()):
    return {"id": ["d"], "sentences": [sentences], "coref_chains": [chains]}


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            {"foo": ["a"], "bar": ["b"]},
            (
                "has the columns foo, bar; expected one for the item and one for the entity: "
                "--columns item=foo,entity=bar, or left=foo,right=bar for pairs$"
            ),
        ),
        (
            {"item": ["a", None], "entity": [1, 1]},
            (
                r"has 1 row without a value \(item empty, entity 1\); expected an item and an "
                "entity: --nulls drop leaves these rows out, --nulls singleton makes an entity of each item without one$"
            ),
        ),
        ({"id1": ["a"], "id2": ["b"], "match": [2.5]}, "found '2.5'; expected a number from 0 to 1"),
        (dataset(sentences=None), "document 'd': `sentences` is not what it should be; expected a list of sentences"),
        (dataset(sentences=["a b"]), "document 'd': `sentences` is not what it should be"),
        (dataset(sentences=[{"tokens": [{"text": None}]}]), "document 'd': `sentences` is not what it should be"),
        (dataset(chains=None), "document 'd': `coref_chains` is None; expected a list of lists of mentions"),
        (dataset(chains="x"), "document 'd': `coref_chains` is 'x'"),
        (dataset(chains=[[[0, 0]]]), r"document 'd': chain 0: found \[0, 0\]; expected \[sentence, start, end\]"),
        (dataset(chains=[[[0, 0, 0]], [[0, 1, 2]]]), r"document 'd': chain 1: found \[0, 1, 2\]"),
        (dataset(chains=[[[0, 1, 0]]]), r"document 'd': chain 0: found \[0, 1, 0\]"),
        (dataset(chains=[[[1, 0, 0]]]), r"document 'd': chain 0: found \[1, 0, 0\]"),
        (dataset(chains=[[[-1, 0, 0]]]), r"document 'd': chain 0: found \[-1, 0, 0\]"),
        (dataset(chains=[[[True, False, True]]]), r"document 'd': chain 0: found \[True, False, True\]"),
        (dataset(chains=[[[0.0, 0.0, 1.0]]]), r"document 'd': chain 0: found \[0.0, 0.0, 1.0\]"),
        ({"id": [1, 1], "sentences": [[], []], "coref_chains": [[], []]}, "document '1' appears twice"),
    ],
)
def test_a_fault_names_the_place_and_the_problem(table, problem):
    with pytest.raises(FormatError, match=rf"^x(:[23])?: {problem}"):
        read(table)


def test_what_is_no_such_file_is_a_fault():
    pytest.importorskip("pyarrow", exc_type=ImportError)
    items = [str(n * 7919 % 99991) for n in range(20_000)]
    cut_off = gzip.compress(parquet({"item": items, "entity": items}))[:-9]  # far behind what is looked at to tell the format
    for data in (b"PAR1", b"PAR1" + bytes(50) + b"PAR1", b"item,entity\n", cut_off):
        with pytest.raises(FormatError, match=r"^x: is no Parquet file that can be read: "):
            inputs.read(Source("x", data), format="parquet")


def test_rows_are_never_lost_without_a_word():
    """Where the end of a file says -101 instead of 100: Arrow loses rows of some columns, and ends the process for others."""
    item = [f"r{n}" for n in range(100)]
    for table in ({"item": item, "entity": item}, {"nested": [[1]] * 100}):
        whole, said = parquet(table), set()
        size = int.from_bytes(whole[-8:-4], "little")
        for place in range(len(whole) - size - 8, len(whole) - 8):
            if whole[place : place + 2] == b"\xc8\x01":  # 100 as a number of Thrift
                try:
                    corpus = inputs.read(Source("x", whole[:place] + b"\xc9\x01" + whole[place + 2 :]))
                except FormatError as error:
                    said.add(str(error).partition(";")[0])
                else:
                    assert len(corpus.entity) == 100
        assert "x: is damaged: found -101 rows in a row group" in said
        assert ("x: is damaged: found 0 rows" in said) == ("item" in table)


def test_without_pyarrow_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"^Parquet needs an extra: pip install 'referee\[parquet\]'"):
        inputs.read(Source("x", b"PAR1"))
