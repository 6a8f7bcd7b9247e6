"""What the resolver writes is read again, with the same mentions and entities, in every format, or refused in one line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee import CorpusBuilder, RefereeWarning
from referee.basics.exceptions import FormatError, OptionError
from referee.corpus import Corpus, Spans
from referee.formats.shared.source import Source
from referee.formats.writing import written
from referee.resolver.files import load
from referee.resolver.resolving import Resolution, resolution
from referee.resolver.strategies import STRATEGIES
from tests.support.trees import KIT, conllu, documents

pytestmark = [
    pytest.mark.filterwarnings("ignore::referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.*expected one type for each entity"),
]
RULES, TABLES = load("rules"), load("tables")
WAYS: dict[str, dict[str, Any]] = {"rules": {"model": RULES}, "tables": {"model": TABLES}}
WAYS |= {name: {"model": TABLES, "strategy": name} for name in STRATEGIES if name != "key"}


def entities(corpus: Corpus) -> list[list[list[Spans]]]:
    """The mentions of each entity of each document; some formats do not keep the names of documents."""
    return [sorted(sorted(m.spans for m in e.mentions) for e in d.entities) for d in corpus.documents.values()]


def annotated(text: str, mentions: Sequence[Sequence[int]]) -> Corpus:
    """Mentions of any words of the text."""
    words = referee.read(Source("x", data=text.encode())).text.words[0]  # type: ignore[union-attr]
    builder = CorpusBuilder("mentions")
    builder.document("d", words.tokens, words.sentences)
    for number, chosen in enumerate(mentions):
        tokens = sorted({token % len(words.tokens) for token in chosen})
        builder.mention(0, 0, str(number), spans=[(token, token + 1) for token in tokens])
    return builder.corpus()


MENTIONS = st.lists(st.lists(st.integers(0, 23), min_size=1, max_size=4), min_size=1, max_size=10)


@given(text=documents(), mentions=MENTIONS, format=st.sampled_from(written()), how=st.sampled_from([*WAYS]))
def test_what_is_written_is_read_again(text: str, mentions: list[list[int]], format: str, how: str) -> None:
    found = resolution(Source("x", data=text.encode()), **WAYS[how], mentions=annotated(text, mentions))
    check(found, format, "the mention" if format == "corefud" else "")


@given(text=documents(), mentions=MENTIONS, how=st.sampled_from([*WAYS]))
def test_corefud_holds_all_mentions_within_sentences(text: str, mentions: list[list[int]], how: str) -> None:
    source = Source("x", data=text.encode())
    given_mentions = annotated(text, mentions)
    sentences = given_mentions.text.words[0].sentences  # type: ignore[union-attr]
    within = [all(not a < s < b for s in sentences) for a, b in zip(given_mentions.start, given_mentions.end, strict=True)]
    found = resolution(source, **WAYS[how], mentions=given_mentions.select(np.array(within, dtype=bool)))
    assert check(found, "corefud")


def check(found: Resolution, format: str, refusal: str | None = None) -> bool:
    """Whether it was written; a refusal names what cannot be written and leaves no file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        try:
            found.write(path, format=format)
        except (FormatError, OptionError) as refused:
            assert refusal is not None
            assert refusal in str(refused)
            assert "\n" not in str(refused)
            assert not path.exists()
            return False
        assert entities(referee.read(path, format=format)) == entities(found.corpus)
    return True


def test_interleaved_mentions_get_entities_of_their_own_and_are_counted() -> None:
    text = conllu("""
meir       meir       ADJ   _ 3 amod _
er         er         AUX   _ 3 cop  _
strukturar strukturar NOUN  _ 0 root _
og         og         CCONJ _ 5 cc   _
teknologi  teknologi  NOUN  _ 3 conj _
""")
    with pytest.warns(RefereeWarning, match="1 mention that crossed another of the same entity, or interleaved with it, got"):
        found = resolution(Source("x", data=text.encode()), strategy="together", mentions=annotated(text, [[0, 2], [0, 2, 4]]))
    assert check(found, "corefud")


def test_a_mention_over_the_end_of_a_sentence_is_not_written_as_corefud(tmp_path: Path) -> None:
    text = conllu("a a NOUN _ 0 root _\n\nb b NOUN _ 0 root _")
    found = resolution(Source("x", data=text.encode()), "rules", mentions=annotated(text, [[0, 1]]))
    problem = "x: document 'd' cannot be written: the mention 0-2 is not within one sentence"
    with pytest.raises(FormatError, match=re.escape(problem)):
        found.write(tmp_path / "out.conllu")
    assert not (tmp_path / "out.conllu").exists()


@pytest.mark.skipif(not KIT.is_dir(), reason="the resolver kit is absent")
@pytest.mark.parametrize("name", ["narc-nb.dev", "narc-nb.test", "gum-by.dev"])
@pytest.mark.parametrize("how", WAYS)
def test_corpora_are_written_and_read_again(name: str, how: str, tmp_path: Path) -> None:
    found = resolution(KIT / f"{name}.conllu.gz", **WAYS[how])
    found.write(tmp_path / "out.conllu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = referee.read(tmp_path / "out.conllu")
    assert entities(again) == entities(found.corpus)
