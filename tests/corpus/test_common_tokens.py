"""Annotations of one text whose readers cut its tokens differently: the tokens of all are cut wherever those of one are."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import agree, inputs, score
from referee.basics.exceptions import MismatchError
from referee.corpus import CorpusBuilder, RawText
from referee.corpus.common_tokens import on_common_tokens
from tests.support.raw_texts import entities_in, entities_of_raw, raw_of

Spans = list[tuple[int, int, int]]
PIECES = ["Paris", "ian", ".", "\n", "\r\n", "\t", "  ", "e\u0301", "😀", "\u2028", "a-b", "\xa0"]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join).filter(str.strip)


@st.composite
def annotations(draw, text):
    """Spans of characters with their entities: they begin and end anywhere, also within words and blanks."""
    place = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(place, place, st.integers(0, 2)), max_size=5))
    return [(min(a, b), max(a, b), e) for a, b, e in spans if text[min(a, b) : max(a, b)].strip()]


@st.composite
def annotated_texts(draw):
    text = draw(TEXTS)
    return text, [draw(annotations(text)) for _ in range(3)]


def brat(folder, text, spans):
    """The annotation as brat has it, read."""
    folder.mkdir(exist_ok=True)
    lines = [f"T{n}\tX {a} {b}" for n, (a, b, _) in enumerate(spans)]
    for entity in range(3):
        same = [f"T{n}" for n, (*_, e) in enumerate(spans) if e == entity]
        lines += [f"*\tEquiv {' '.join(same)}"] * (len(same) > 1)
    (folder / "d.txt").write_bytes(text.encode())
    (folder / "d.ann").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return inputs.read(folder / "d.ann", format="brat")


def ink(text, spans):
    return {tuple(n for n in range(a, b) if not text[n].isspace()) for a, b, _ in spans}


@given(annotated_texts())
def test_all_have_the_same_tokens_and_their_own_mentions_of_the_same_text(case):
    text, several = case
    with TemporaryDirectory() as folder:
        corpora = [brat(Path(folder, str(n)), text, spans) for n, spans in enumerate(several)]
    common = on_common_tokens(corpora)
    assert len({tuple(corpus.words(0)) for corpus in common}) == 1
    for corpus, spans in zip(common, several, strict=True):
        assert raw_of(corpus).text == text
        assert entities_of_raw(corpus) == entities_in(text, spans)
    assert [list(corpus.words(0)) for corpus in on_common_tokens(common)] == [list(corpus.words(0)) for corpus in common]


@given(annotated_texts())
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_mentions_are_the_same_if_their_characters_are(case):
    text, (key, response, _) = case
    with TemporaryDirectory() as folder:
        found = score(brat(Path(folder, "a"), text, key), brat(Path(folder, "b"), text, response), metrics=["mentions"])
    assert "tokens:same" in found.signature or "tokens:common" in found.signature
    assert len(found.matching.key_mention) == len(ink(text, key) & ink(text, response))


@given(annotated_texts())
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_what_annotators_agree_on_is_written_with_their_text_and_its_offsets(case):
    text, several = case
    with TemporaryDirectory() as folder:
        corpora = {str(n): brat(Path(folder, str(n)), text, spans) for n, spans in enumerate(several)}
        agreement = agree(corpora, repeated_mentions="first")
        for merged in (agreement.merged().corpus, agreement.merged().adjudication):
            inputs.write(merged, Path(folder, "m.ann"), format="brat")
            assert Path(folder, "m.txt").read_bytes() == text.encode()
            again = inputs.read(Path(folder, "m.ann"), format="brat")
            assert raw_of(again).text == text
            known = ink(text, [span for spans in several for span in spans])
            assert {places for entity in entities_of_raw(again) for places, _ in entity} <= known
            Path(folder, "m.txt").unlink()


def test_sentences_heads_minima_and_parts_follow():
    text = "Parisian streets\nand rivers"

    def corpus(*places):
        builder = CorpusBuilder("x")
        start, end = np.array(places).T
        words = [text[a:b] for a, b in places]
        second = words.index("and")
        builder.document("d", words, [0, second], raw=RawText(text, start, end))
        builder.mention(0, 2, "e", head=1, minimum_span=(0, 2))
        builder.mention(0, 0, "f", spans=[(0, 1), (second, second + 1)])
        return builder.corpus()

    whole, cut = on_common_tokens(
        [corpus((0, 8), (9, 16), (17, 20), (21, 27)), corpus((0, 5), (5, 8), (9, 16), (17, 20), (21, 24), (24, 27))]
    )
    tokens = ["Paris", "ian", "streets", "and", "riv", "ers"]
    for each, minimum, head, parts in ((whole, [0, 3], 2, ((0, 2), (3, 4))), (cut, [0, 2], 1, ((0, 1), (3, 4)))):
        assert list(each.words(0)) == tokens
        assert list(each.text.words[0].sentences) == [0, 3]
        one = int(np.flatnonzero(each.minimum_span[:, 0] >= 0)[0]) if each.minimum_span is not None else -1
        assert each.minimum_span[one].tolist() == minimum
        assert int(each.heads[one]) == head
        assert each.spans(1 - one) == parts


def test_documents_of_other_texts_stay_as_they_are(tmp_path):
    a, b = brat(tmp_path / "a", "Parisian", [(0, 5, 0)]), brat(tmp_path / "b", "Parisians", [(0, 9, 0)])
    assert [corpus.words(0) for corpus in on_common_tokens([a, b])] == [["Paris", "ian"], ["Parisians"]]
    with pytest.raises(MismatchError, match=r"found 'Parisians' in .*; expected 'Paris' as in"):
        score(a, b)
    builder = CorpusBuilder("words")
    builder.document("", ["Parisian"])
    assert [corpus.words(0) for corpus in on_common_tokens([a, builder.corpus()])] == [["Paris", "ian"]] * 2


def test_words_alone_are_cut_for_annotators_only():
    def words(*tokens):
        builder = CorpusBuilder("words")
        builder.document("", tokens)
        builder.mention(0, 1, "e")
        return builder.corpus()

    sides = [words("Mr.", "Ray", "a b"), words("Mr", ".", "Ra", "y", "a", "b")]
    assert on_common_tokens(sides) == sides
    cut = on_common_tokens(sides, of_words=True)
    assert [corpus.words(0) for corpus in cut] == [["Mr", ".", "Ra", "y", "a", "b"]] * 2
    assert [(int(corpus.start[0]), int(corpus.end[0])) for corpus in cut] == [(0, 2), (0, 1)]


def test_white_space_is_no_difference(tmp_path):
    one = brat(tmp_path / "a", "Mr. Ray  ran.\nHe won", [(0, 7, 0), (14, 16, 0)])
    other = brat(tmp_path / "b", "Mr. Ray ran. He won\n", [(0, 7, 0), (13, 15, 0)])
    assert score(one, other)["conll"].value == 1


@pytest.mark.filterwarnings("ignore:.*found no coreference:referee.RefereeWarning")
def test_all_documents_of_folders_are_cut(tmp_path):
    texts = {"x": "Paris, Parisian Paris", "y": "none here", "z": "Parisians"}
    sides = {
        "a": {"x": [(0, 5, 0), (16, 21, 0)], "y": [(0, 4, 0)], "z": [(0, 5, 0)]},
        "b": {"x": [(7, 12, 0)], "y": [], "z": [(0, 5, 0), (5, 8, 1)]},
    }
    for side, documents in sides.items():
        (tmp_path / side).mkdir()
        for name, spans in documents.items():
            brat(tmp_path / "d", texts[name], spans)
            for ending in (".ann", ".txt"):
                (tmp_path / "d" / f"d{ending}").rename(tmp_path / side / f"{name}{ending}")
    a, b = on_common_tokens([inputs.read(tmp_path / side) for side in sides])
    tokens = [["Paris", ",", "Paris", "ian", "Paris"], ["none", "here"], ["Paris", "ian", "s"]]
    for side, corpus in (("a", a), ("b", b)):
        assert [list(corpus.words(n)) for n in range(3)] == tokens
        for n, name in enumerate(texts):
            assert entities_of_raw(corpus, n) == entities_in(texts[name], sides[side][name])
    assert len(score(tmp_path / "a", tmp_path / "b", metrics=["mentions"]).matching.key_mention) == 1
