"""Documents of parsers as input. Stanza needs models: its documents are stand-ins with the attributes of its classes."""

from types import SimpleNamespace

import pytest

import referee
from referee.basics.exceptions import FormatError, OptionError
from tests.support.trees import ANN, conllu


def rows(text):
    """The columns of the words of each sentence."""
    blocks = text.strip().split("\n\n")
    return [[line.split("\t") for line in block.splitlines() if line[0].isdigit()] for block in blocks]


def stanza(text):
    sentences = []
    for block in rows(text):
        words = [
            SimpleNamespace(id=int(c[0]), text=c[1], lemma=c[2], upos=c[3], xpos=None, feats=c[5] if c[5] != "_" else None,
                            head=int(c[6]), deprel=c[7])
            for c in block
        ]  # fmt: skip
        sentences.append(SimpleNamespace(words=words, empty_words=[]))
    return SimpleNamespace(sentences=sentences, num_words=sum(len(s.words) for s in sentences))


def spacy_doc(text):
    tokens = pytest.importorskip("spacy.tokens")
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    columns = []
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


def entities(corpus, name):
    found = corpus.documents[name].entities
    return {frozenset((m.start, m.end) for m in entity.mentions) for entity in found}


@pytest.mark.parametrize("made", [stanza, spacy_doc])
def test_documents_of_parsers_are_resolved_as_their_conllu(made, tmp_path):
    text = conllu(ANN)
    path = tmp_path / "ann.conllu"
    path.write_text(text)
    expected = entities(referee.resolve(path, mentions="tree"), "d")
    document = made(text)
    assert entities(referee.resolve({"d": document}), "d") == expected
    assert entities(referee.resolve([document, document]), "#2") == expected
    assert entities(referee.resolve(document, output=tmp_path / "out.conllu"), "#1") == expected
    assert entities(referee.resolve(tmp_path / "out.conllu"), "#1") == expected


def test_blanks_are_tokens_without_mentions():
    tokens = pytest.importorskip("spacy.tokens")
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    doc = tokens.Doc(
        vocab, ["Ann", "\n\n", "sang"], pos=["PROPN", "SPACE", "VERB"], heads=[2, 0, 2], deps=["nsubj", "dep", "ROOT"]
    )
    assert entities(referee.resolve(doc), "#1") == {frozenset({(0, 1)})}


def test_documents_without_trees_and_other_values_are_refused():
    word = SimpleNamespace(id=1, text="Ann", head=None, deprel=None)
    parsed = SimpleNamespace(sentences=[SimpleNamespace(words=[word])], num_words=1)
    for value, problem in ((parsed, "has no trees"), (7, "type int"), ([object()], "type object"), ({"a": 3.5}, "type float")):
        with pytest.raises(OptionError, match=problem):
            referee.resolve(value)


def clear_doc(words, pos, heads, deps, ents=None):
    tokens = pytest.importorskip("spacy.tokens")
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    return tokens.Doc(vocab, words.split(), pos=pos.split(), heads=heads, deps=deps.split(), ents=ents)


def test_labels_of_spacys_english_are_converted(tmp_path):
    doc = clear_doc("Ann slept on the roof", "PROPN VERB ADP DET NOUN", [1, 1, 1, 4, 2], "nsubj ROOT prep det pobj")
    found = referee.resolve(doc, "rules")
    assert sorted(zip(found.start.tolist(), found.end.tolist(), found.head.tolist(), strict=True)) == [(0, 1, 0), (3, 5, 4)]


def test_the_first_word_of_a_persons_name_is_its_head():
    columns = ("John Mill saw New York", "PROPN PROPN VERB PROPN PROPN", [1, 2, 2, 4, 2], "compound nsubj ROOT compound dobj")
    named = clear_doc(*columns, ["B-PERSON", "I-PERSON", "O", "B-GPE", "I-GPE"])
    assert sorted(referee.resolve(named, "rules").head.tolist()) == [0, 4]
    assert sorted(referee.resolve(clear_doc(*columns), "rules").head.tolist()) == [1, 4]


def test_labels_of_spacys_german_are_refused():
    doc = clear_doc("Anna sah den Garten", "PROPN VERB DET NOUN", [1, 1, 3, 1], "sb ROOT nk oa")
    with pytest.raises(
        FormatError, match=r"75% of the relations \(sb, nk, oa\) are none of .*: parse it with Stanza, UDPipe or Trankit"
    ):
        referee.resolve(doc)


def test_documents_of_two_schemes_at_once_are_refused():
    doc = clear_doc("Ann slept on the roof", "PROPN VERB ADP DET NOUN", [1, 1, 1, 4, 2], "nsubj ROOT prep det pobj")
    with pytest.raises(FormatError, match=r"relations of UD \(obj, obl\) and of ClearNLP \(prep, pobj\)"):
        referee.resolve([doc, stanza(conllu(ANN))])


def test_a_sentence_of_a_blank_has_a_root():
    tokens = pytest.importorskip("spacy.tokens")
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    doc = tokens.Doc(
        vocab, ["\n\n", "Ann", "sang"], pos=["SPACE", "PROPN", "VERB"], heads=[0, 2, 2], deps=["ROOT", "nsubj", "ROOT"],
        sent_starts=[True, True, False],
    )  # fmt: skip
    assert entities(referee.resolve(doc), "#1") == {frozenset({(1, 2)})}
