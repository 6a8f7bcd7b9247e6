"""Formats told from the content of files: by structure, however long the first document is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee import CorpusBuilder, formats
from referee.basics.exceptions import FormatError
from referee.corpus.corpus import Corpus
from referee.formats.registry import module
from referee.formats.shared.source import HEAD
from tests.support.mutations import TEXTS
from tests.support.paths import SHARED
from tests.support.reading import read_text, source_of

FIELD = SHARED / "field/formats"
in_the_field = pytest.mark.skipif(not FIELD.is_dir(), reason="needs the inputs of the field")
LONG = 200_000
ONE_FIRST = [
    pytest.param(name, json.loads(text.split("\n")[0] if text.startswith("{") and "}\n{" in text else text), id=f"{name}-{n}")
    for name, samples in TEXTS.items()
    for n, text in enumerate(samples)
    if isinstance(text, str)
    and text.startswith("{")
    and name not in ("links", "sacr", "tagged", "quotes", "clusters", "rows", "s2and")
]
"""Formats of JSON, each with the first object of a sample."""


def long_corpus(name: str) -> Corpus:
    """One document, far longer than what is looked at, with mentions or items, whichever a format holds."""
    builder = CorpusBuilder("x")
    words = ["owls", "like", "tea", "."] * 15_000
    builder.document("" if name == "s2and" else "d", words, range(0, len(words), 4))
    for n in range(0, len(words), 4):
        builder.mention(n, n + 1, "owls")
        builder.mention(n + 2, n + 3, str(n % 16))
    if "words" in module(name).HOLDS:
        return builder.corpus()
    items = CorpusBuilder("x")
    items.document("" if name == "s2and" else "d")
    for n in range(25_000):
        items.item(f"the-long-record-{n}", str(n // 3))
    return items.corpus()


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
@pytest.mark.parametrize("name", formats.written())
def test_what_is_written_with_a_long_first_document_is_detected(name: str, tmp_path: Path) -> None:
    formats.write(long_corpus(name), tmp_path / "x", format=name, lossy=True)
    file = tmp_path / "x"
    assert sum(path.stat().st_size for path in tmp_path.glob("x*")) > LONG
    assert formats.detect(file) == name


@pytest.mark.parametrize(("name", "first"), ONE_FIRST)
@pytest.mark.parametrize("padding", ["word " * (LONG // 5), ["word"] * (LONG // 8), [{"a": [[1, 2]]}] * (LONG // 16)])
@pytest.mark.parametrize("indent", [None, 1])
def test_keys_behind_a_long_value_tell_as_others_do(name: str, first: dict[str, object], padding: object, indent: int) -> None:
    before = json.dumps(first, indent=indent)
    assert formats.detect(source_of(before)) == name
    assert formats.detect(source_of(json.dumps({"padding": padding, **first}, indent=indent))) == name


@in_the_field
@pytest.mark.parametrize("file", ["a.preco", "a.maverick.json", "a.elit.json", "a.doccano.jsonl", "a.prodigy.jsonl"])
def test_long_first_documents_of_the_field_are_detected_and_read(file: str) -> None:
    path = FIELD / "detection-64k" / file
    corpus = formats.read(path)
    assert corpus.format == file.split(".")[1]
    assert np.bincount(corpus.entity).tolist() == [1 if file == "a.prodigy.jsonl" else 2]


def test_damaged_json_that_is_long_is_told_by_what_was_seen() -> None:
    text = json.dumps({"doc_key": "d", "sentences": [["word"] * HEAD], "clusters": []})
    for damaged in (text[:-9], text.replace('"word", ', '"word"; ', 1), "{" + text):
        with pytest.raises(FormatError, match="is not JSON"):
            read_text(damaged, "jsonlines")
    assert formats.detect(source_of(text[:-9])) == "jsonlines"


def test_tei_with_a_long_header_is_detected() -> None:
    sample = next(text for text in TEXTS["tei"] if isinstance(text, str))
    before, tag, after = sample.partition(">")
    longer = f"{before}{tag}<teiHeader><p>{'Of a text. ' * (LONG // 11)}</p></teiHeader>{after}"
    assert formats.detect(source_of(sample)) == formats.detect(source_of(longer)) == "tei"
