"""What the resolver writes is read again, with the same mentions and entities, in every format, or refused in one line."""

import re
import warnings
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import referee
from referee import CorpusBuilder, RefereeWarning
from referee.basics.exceptions import FormatError, OptionError
from referee.formats.shared.source import Source
from referee.inputs.writing import written
from referee.resolver.files import load
from referee.resolver.resolving import resolution
from referee.resolver.strategies import STRATEGIES
from tests.support.trees import KIT, conllu, documents

pytestmark = [
    pytest.mark.filterwarnings("ignore::referee.RefereeWarning"),
    pytest.mark.filterwarnings("ignore:.*expected one type for each entity"),
]
TABLES = load("tables")
WAYS = {name: {"model": load(name)} for name in ("tables", "rules", "rules-mean")}
WAYS |= {name: {"model": TABLES, "strategy": name} for name in STRATEGIES}


def entities(corpus):
    """The mentions of each entity of each document; some formats do not keep the names of documents."""
    return [sorted(sorted(m.spans for m in e.mentions) for e in d.entities) for d in corpus.documents.values()]


def annotated(text, mentions):
    """Mentions of any words of the text, and their entities."""
    words = re.findall(r"^([0-9]+)\t([^\t]*)\t", text, flags=re.MULTILINE)
    sentences = [n for n, (number, _) in enumerate(words) if number == "1"]
    builder = CorpusBuilder("mentions")
    builder.document("d", [form for _, form in words], sentences)
    for chosen, entity in mentions:
        tokens = sorted({token % len(words) for token in chosen})
        builder.mention(0, 0, str(entity), spans=[(token, token + 1) for token in tokens])
    return builder.corpus()


@st.composite
def texts(draw):
    """A document, with zeros behind some of its words, of which most are mentions."""

    def zero(word):
        entity = draw(st.sampled_from(["", "", "", "_", "Entity=(z--1-)", "Entity=(y--1-)(z--1-)"]))
        columns = (f"{word[1]}.1", "_", "_", "PRON", "_", "Number=Sing|Person=3", "_", "_", f"{word[1]}:nsubj", entity)
        return word[0] + ("\t".join(columns) + "\n") * bool(entity)

    return re.sub(r"^([0-9]+)\t.*\n", zero, draw(documents()), flags=re.MULTILINE)


MENTIONS = st.lists(st.tuples(st.lists(st.integers(0, 23), min_size=1, max_size=4), st.integers(0, 3)), min_size=1, max_size=10)
GIVEN = {"text": texts(), "mentions": MENTIONS, "how": st.sampled_from([*WAYS])}


@given(**GIVEN, format=st.sampled_from(written()), singletons=st.sampled_from(["keep", "drop"]))
def test_what_is_written_is_read_again(text, mentions, how, format, singletons):
    source = Source("x", data=text.encode())
    found = resolution(source, **WAYS[how], mentions=annotated(text, mentions), singletons=singletons)
    check(found, format, "the mention" if format == "corefud" else "")


@given(text=texts(), how=st.sampled_from([*WAYS]), format=st.sampled_from(written()))
def test_zeros_are_written_and_read_again(text, how, format):
    assume("Entity=(" in text)
    found = resolution(Source("x", data=text.encode()), **WAYS[how], mentions="key")
    check(found, format, None if format == "corefud" else "")


@given(**GIVEN)
def test_corefud_holds_all_mentions_within_sentences(text, mentions, how):
    source = Source("x", data=text.encode())
    given_mentions = annotated(text, mentions)
    sentences = given_mentions.text.words[0].sentences
    within = [all(not a < s < b for s in sentences) for a, b in zip(given_mentions.start, given_mentions.end, strict=True)]
    found = resolution(source, **WAYS[how], mentions=given_mentions.select(np.array(within, dtype=bool)))
    assert check(found, "corefud")


def check(found, format, refusal=None):
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


def test_interleaved_mentions_get_entities_of_their_own_and_are_counted():
    text = conllu("""
meir       meir       ADJ   _ 3 amod _
er         er         AUX   _ 3 cop  _
strukturar strukturar NOUN  _ 0 root _
og         og         CCONJ _ 5 cc   _
teknologi  teknologi  NOUN  _ 3 conj _
""")
    with pytest.warns(RefereeWarning, match="1 mention that crossed another of the same entity, or interleaved with it, got"):
        found = resolution(
            Source("x", data=text.encode()), strategy="together", mentions=annotated(text, [([0, 2], 0), ([0, 2, 4], 1)])
        )
    assert check(found, "corefud")


def test_a_mention_over_the_end_of_a_sentence_is_not_written_as_corefud(tmp_path):
    text = conllu("a a NOUN _ 0 root _\n\nb b NOUN _ 0 root _")
    found = resolution(Source("x", data=text.encode()), "rules", mentions=annotated(text, [([0, 1], 0)]))
    problem = "x: document 'd' cannot be written: the mention 0-2 is not within one sentence"
    with pytest.raises(FormatError, match=re.escape(problem)):
        found.write(tmp_path / "out.conllu")
    assert not (tmp_path / "out.conllu").exists()


@pytest.mark.skipif(not KIT.is_dir(), reason="the resolver kit is absent")
@pytest.mark.parametrize(("how", "name"), [*zip(WAYS, cycle(["narc-nb.dev", "gum-by.dev", "narc-nb.test"]), strict=False)])
def test_corpora_are_written_and_read_again(name, how, tmp_path):
    found = resolution(KIT / f"{name}.conllu.gz", **WAYS[how])
    found.write(tmp_path / "out.conllu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = referee.read(tmp_path / "out.conllu")
    assert entities(again) == entities(found.corpus)
