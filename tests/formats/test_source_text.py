"""The text of the author: formats with offsets of characters are written with it, and with offsets into it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import CorpusBuilder, convert, read, write
from referee.corpus import Corpus
from referee.corpus.text import SourceText

STORY = "Ann’s  dog 🐕\r\nsaw\tAnn.\n\nIt barked at\nher!\n"
WORDS = [(0, 3), (3, 5), (7, 10), (11, 12), (14, 17), (18, 21), (21, 22), (24, 26), (27, 33), (34, 36), (37, 40), (40, 41)]


def corpus_of(text: str, places: list[tuple[int, int]], mentions: list[tuple[int, int, str]]) -> Corpus:
    builder = CorpusBuilder()
    starts, ends = ([place[n] for place in places] for n in (0, 1))
    builder.document("", [text[a:b] for a, b in places], [0], source=SourceText(text, starts, ends))
    for start, end, entity in mentions:
        builder.mention(start, end, entity)
    return builder.corpus()


def characters(corpus: Corpus) -> set[frozenset[tuple[int, int]]]:
    """The entities, their mentions as characters that are no white space, of the text without white space."""
    assert corpus.text is not None
    (words,) = corpus.text.words
    lengths = np.concatenate([[0], np.cumsum([len("".join(token.split())) for token in words.tokens])])
    (document,) = corpus.documents.values()
    entities = document.entities
    return {frozenset((int(lengths[m.start]), int(lengths[m.end])) for m in entity.mentions) for entity in entities}


@pytest.fixture
def story() -> Corpus:
    return corpus_of(STORY, WORDS, [(0, 4, "a"), (0, 2, "b"), (5, 6, "b"), (7, 8, "a"), (10, 11, "b"), (4, 11, "c")])


def test_brat_has_the_text_as_it_was(story: Corpus, tmp_path: Path) -> None:
    write(story, tmp_path / "a.ann")
    assert (tmp_path / "a.txt").read_bytes() == STORY.encode()
    assert "T1\tMention 0 12\tAnn’s  dog 🐕\n" in (tmp_path / "a.ann").read_text()
    assert "T4\tMention 14 22;24 36;37 40\tsaw Ann. It barked at her\n" in (tmp_path / "a.ann").read_text().replace("T3", "T4")
    assert characters(read(tmp_path / "a.ann")) == characters(story)
    convert(tmp_path / "a.ann", tmp_path / "b.ann")
    assert (tmp_path / "b.txt").read_bytes() == STORY.encode()
    assert (tmp_path / "b.ann").read_text() == (tmp_path / "a.ann").read_text()


def test_label_studio_has_the_text_as_it_was(story: Corpus, tmp_path: Path) -> None:
    write(story, tmp_path / "a.json", format="labelstudio")
    (task,) = json.loads((tmp_path / "a.json").read_text())
    assert task["data"]["text"] == STORY
    values = [region["value"] for region in task["predictions"][0]["result"] if region["type"] == "labels"]
    assert all(value["text"] == STORY[value["start"] : value["end"]] for value in values)
    assert characters(read(tmp_path / "a.json")) == characters(story)


def test_webanno_has_offsets_into_the_text_in_units_of_utf_16(story: Corpus, tmp_path: Path) -> None:
    write(story, tmp_path / "a.tsv", format="webanno")
    rows = [line.split("\t") for line in (tmp_path / "a.tsv").read_text().splitlines() if "-" in line.partition("\t")[0]]
    units = STORY.encode("utf-16-le")
    for _, place, token, *_ in rows:
        start, end = map(int, place.split("-"))
        assert units[2 * start : 2 * end].decode("utf-16-le") == token
    assert characters(read(tmp_path / "a.tsv")) == characters(story)


TEXTS = st.text(st.sampled_from("ab🐕é\u0301’.- \u00a0\t\n"), min_size=1, max_size=40).filter(str.strip)


@given(TEXTS, st.data())
def test_whatever_the_text_is_it_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject) -> None:
    places = [(n, n + 1) for n, character in enumerate(text) if not character.isspace()]
    spans = data.draw(st.sets(st.tuples(st.integers(0, len(places) - 1), st.integers(1, 3)), max_size=4))
    mentions = [(a, min(a + size, len(places)), f"e{data.draw(st.integers(0, 1))}") for a, size in sorted(spans)]
    corpus = corpus_of(text, places, [*{(a, b): (a, b, entity) for a, b, entity in mentions}.values()])
    folder = tmp_path_factory.mktemp("texts")
    write(corpus, folder / "a.ann")
    assert (folder / "a.txt").read_bytes() == text.encode()
    found = read(folder / "a.ann")
    assert characters(found) == characters(corpus)
    write(found, folder / "a.json", format="labelstudio")
    assert json.loads((folder / "a.json").read_text())[0]["data"]["text"] == text
    assert characters(read(folder / "a.json")) == characters(corpus)
    convert(folder / "a.json", folder / "b.ann", format="labelstudio")
    assert (folder / "b.txt").read_bytes() == text.encode()
