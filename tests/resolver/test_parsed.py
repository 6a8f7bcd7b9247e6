"""Documents of parsers as input. Stanza needs models: its documents are stand-ins with the attributes of its classes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import referee
from referee.basics.exceptions import OptionError, RefereeWarning
from tests.support.trees import ANN, conllu


def rows(text: str) -> list[list[list[str]]]:
    """The columns of the words of each sentence."""
    blocks = text.strip().split("\n\n")
    return [[line.split("\t") for line in block.splitlines() if line[0].isdigit()] for block in blocks]


def stanza(text: str) -> Any:
    sentences = []
    for block in rows(text):
        words = [
            SimpleNamespace(id=int(c[0]), text=c[1], lemma=c[2], upos=c[3], xpos=None, feats=c[5] if c[5] != "_" else None,
                            head=int(c[6]), deprel=c[7])
            for c in block
        ]  # fmt: skip
        sentences.append(SimpleNamespace(words=words, empty_words=[]))
    return SimpleNamespace(sentences=sentences, num_words=sum(len(s.words) for s in sentences))


def spacy_doc(text: str) -> Any:
    tokens = pytest.importorskip("spacy.tokens")
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    columns: list[list[str]] = []
    heads, starts = [], []
    for block in rows(text):
        base = len(columns)
        heads += [base + (int(c[6]) or int(c[0])) - 1 for c in block]
        starts += [n == 0 for n in range(len(block))]
        columns += block
    _, words, lemmas, pos, _, morphs, _, deps, *_ = zip(*columns, strict=True)
    return tokens.Doc(
        vocab, list(words), lemmas=list(lemmas), pos=list(pos), morphs=["" if m == "_" else m for m in morphs], heads=heads,
        deps=["ROOT" if d == "root" else d for d in deps], sent_starts=starts,
    )  # fmt: skip


def entities(corpus: referee.Corpus, name: str) -> set[frozenset[tuple[int, int]]]:
    found = corpus.documents[name].entities
    return {frozenset((m.start, m.end) for m in entity.mentions) for entity in found}


@pytest.mark.parametrize("made", [stanza, spacy_doc])
def test_documents_of_parsers_are_resolved_as_their_conllu(made: Any, tmp_path: Any) -> None:
    text = conllu(ANN)
    path = tmp_path / "ann.conllu"
    path.write_text(text)
    expected = entities(referee.resolve(path, mentions="tree"), "d")
    document = made(text)
    assert entities(referee.resolve({"d": document}), "d") == expected
    assert entities(referee.resolve([document, document]), "#2") == expected
    assert entities(referee.resolve(document, output=tmp_path / "out.conllu"), "#1") == expected
    assert entities(referee.resolve(tmp_path / "out.conllu"), "#1") == expected


def test_blanks_are_tokens_without_mentions() -> None:
    tokens = pytest.importorskip("spacy.tokens")
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    doc = tokens.Doc(
        vocab, ["Ann", "\n\n", "sang"], pos=["PROPN", "SPACE", "VERB"], heads=[2, 0, 2], deps=["nsubj", "dep", "ROOT"]
    )
    assert entities(referee.resolve(doc), "#1") == {frozenset({(0, 1)})}


def test_documents_without_trees_and_other_values_are_refused() -> None:
    word = SimpleNamespace(id=1, text="Ann", head=None, deprel=None)
    parsed = SimpleNamespace(sentences=[SimpleNamespace(words=[word])], num_words=1)
    for value, problem in ((parsed, "has no trees"), (7, "type int"), ([object()], "type object"), ({"a": 3.5}, "type float")):
        with pytest.raises(OptionError, match=problem):
            referee.resolve(value)


def test_trees_of_another_scheme_give_a_warning() -> None:
    document = stanza(conllu(ANN).replace("obj", "dobj").replace("obl", "pobj"))
    with pytest.warns(RefereeWarning, match=r"dobj, pobj.*none of Universal Dependencies"):
        referee.resolve(document)
