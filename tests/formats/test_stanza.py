import json

import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.inputs import registry
from tests.support.reading import entities_of, faults_of, read_text, source_of
from tests.support.samples import file_text


def mark(chain, place, text="x"):
    """A chain at a word as CorefAttachment.to_json() of Stanza writes it: what is false is left out."""
    flags = {"unit": ("is_start", "is_end"), "start": ("is_start",), "end": ("is_end",), "middle": ()}[place]
    return {"index": chain, "representative_text": text, **dict.fromkeys(flags, True)}


def word(number, text, *chains):
    return {"id": number, "text": text, "start_char": 0, "end_char": 1, "coref_chains": list(chains)}


# The sentences of the docstring of Stanza's coref_chain.py: Barack Obama -> [(0, 0, 2), (1, 0, 1)], Hawaii -> [(0, 5, 6)]
OBAMA = [
    [
        word(1, "Barack", mark(0, "start")), word(2, "Obama", mark(0, "end")), word(3, "was"), word(4, "born"),
        word(5, "in"), word(6, "Hawaii", mark(1, "unit")), word(7, "."),
    ],
    [word(1, "He", mark(0, "unit")), word(2, "later"), word(3, "became"), word(4, "president"), word(5, ".")],
]  # fmt: skip

CONLLU = file_text("stanza.conllu")


@pytest.mark.parametrize("text", [json.dumps(OBAMA), json.dumps(OBAMA, indent=2), CONLLU])
def test_mentions_are_put_together_from_their_words(text):
    assert inputs.detect(source_of(text)) == "stanza"
    corpus = read_text(text)
    assert entities_of(corpus) == {"#1": {"0": [(0, 2), (7, 8)], "1": [(5, 6)]}}
    document = corpus.documents["#1"]
    assert list(document.sentences) == [0, 7]
    assert [m.text for m in document.mentions] == ["Barack Obama", "Hawaii", "He"]


def test_each_line_of_json_is_a_document():
    assert read_text(f"{json.dumps(OBAMA)}\n{json.dumps(OBAMA)}\n").doc_ids == ("#1", "#2")


def test_comments_name_documents_in_conllu():
    second = CONLLU.replace("# sent_id", "# doc_id = b\n# sent_id")
    corpus = read_text(f"# newdoc id = a\n{CONLLU}{second}")
    assert entities_of(corpus) == {name: {"0": [(0, 2), (7, 8)], "1": [(5, 6)]} for name in "ab"}
    assert read_text(CONLLU + second).doc_ids == ("#1", "b")


def test_other_conllu_and_lists_are_not_taken_for_it():
    assert not registry.load_format("stanza").sniff(CONLLU.replace("coref_chains=", "Entity="))
    assert inputs.detect(source_of('[["id", "text"], ["b"]]')) == "clusters"


def test_words_of_a_multi_word_token_are_the_tokens():
    # the French du is de and le
    sentence = [
        word(1, "chien"),
        {"id": [2, 3], "text": "du"},
        word(2, "de"),
        word(3, "le", mark(0, "start")),
        word(4, "roi", mark(0, "end")),
    ]
    corpus = read_text(json.dumps([sentence]))
    assert entities_of(corpus) == {"#1": {"0": [(2, 4)]}}
    assert list(corpus.documents["#1"].tokens) == ["chien", "de", "le", "roi"]


def test_zeros_are_empty_nodes_behind_the_word_of_their_id():
    # Stanza lists those that are not at the start in the order in which it made them, so 2.2 may stand behind 3.1
    sentence = [
        word([0, 3], "_", mark(0, "unit")), word(1, "vino", mark(0, "unit")), word(2, "y"), word(3, "vio"),
        word([3, 1], "_", mark(0, "unit")), word([2, 2], "_", mark(1, "unit")),
    ]  # fmt: skip
    corpus = read_text(json.dumps([[word(1, "Sí")], sentence]))
    assert list(corpus.documents["#1"].tokens) == ["Sí", "_", "vino", "y", "_", "vio", "_"]
    assert entities_of(corpus) == {"#1": {"0": [(1, 2), (2, 3), (6, 7)], "1": [(4, 5)]}}
    assert corpus.zero.tolist() == [True, False, True, True]
    assert list(corpus.empty_nodes.node) == [1, 4, 6]
    assert list(corpus.empty_nodes.sentence) == [1, 1, 1]
    conllu = (
        "1\tSí\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        "0.3\t_\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id0\n1\tvino\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id0\n"
        "2\ty\t_\t_\t_\t_\t_\t_\t_\t_\n3\tvio\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3.1\t_\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id0\n2.2\t_\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id1\n"
    )
    assert read_text(conllu) == corpus


def test_an_empty_node_does_not_interrupt_a_mention():
    sentence = [word(1, "a", mark(0, "start")), word([1, 1], "_", mark(1, "unit")), word(2, "b", mark(0, "end"))]
    assert entities_of(read_text(json.dumps([sentence]))) == {"#1": {"0": [(0, 3)], "1": [(1, 2)]}}


def marked(length, mentions):
    """A sentence whose words are marked as Document._attach_coref_mentions of Stanza does: mention by mention, in order."""
    words = [word(n + 1, f"w{n}") for n in range(length)]
    for start, end, chain in sorted(mentions):
        for n in range(start, end):
            place = "unit" if end - start == 1 else "start" if n == start else "end" if n == end - 1 else "middle"
            words[n]["coref_chains"].append(mark(chain, place))
    return words


SPANS = st.tuples(st.integers(0, 6), st.integers(1, 4), st.integers(0, 1)).map(lambda s: (s[0], min(7, s[0] + s[1]), s[2]))


@given(st.lists(SPANS, max_size=8))
def test_mentions_of_one_chain_that_nest_cross_and_repeat_are_told_apart(mentions):
    corpus = read_text(json.dumps([marked(7, mentions), [word(1, "end")]]), "stanza")
    found = [(m.start, m.end, int(e.id)) for e in corpus.documents["#1"].entities for m in e.mentions]
    assert sorted(found) == sorted(mentions)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"a": 1}, "expected a document as a list of lists of words"),
        ([[7]], "expected a document as a list of lists of words"),
        ([[{"id": 1, "text": "a"}]], "found no `coref_chains` in any word"),
        ([[{"id": 1, "text": 5, "coref_chains": []}]], "the text of a word is 5; expected a string"),
        ([[{"text": "a", "coref_chains": []}]], 'the id of the word "a" is null; expected a number, or two'),
        ([[word(1, "a") | {"coref_chains": {}}]], r"`coref_chains` is \{\}; expected a list"),
        ([[word(1, "a") | {"coref_chains": [{"index": True}]}]], "expected an object with the `index` of a chain"),
        ([[word(1, "a", mark(0, "start"))], [word(1, "b")]], "chain 0: a mention is open before token 1 and goes on nowhere"),
        ([[word(1, "a", mark(0, "start")), word(2, "b"), word(3, "c")]], "chain 0: a mention is open before token 1"),
        ([[word(1, "a", mark(0, "start"))]], "chain 0: a mention is open before token 1"),
        ([[word(1, "a", mark(0, "end"))]], "chain 0: 1 of its mentions go on at token 0; expected 0"),
        ([[word([0, 0], "_")]], "found the empty node 0.0; expected a second number"),
        ([[word([0, 10**30], "_")]], "found the empty node 0.1000"),
    ],
)
def test_a_fault_names_line_and_problem(bad, problem):
    text = f"{json.dumps(OBAMA)}\n{json.dumps(bad)}\n"
    with pytest.raises(FormatError, match=f"^x:2: .*{problem}"):
        read_text(text, "stanza")
    assert len(faults_of(text, "stanza")) == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1\tb", "has 2 columns; expected the 10 of CoNLL-U"),
        ("x\tb\t_\t_\t_\t_\t_\t_\t_\t_", "found the id 'x'; expected a number, 1-2 or 1.1"),
        ("1\tb\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=begin-id0", "found 'begin-id0' in `coref_chains`"),
        ("4.1\tb\t_\t_\t_\t_\t_\t_\t_\t_", "found the empty node 4.1 behind word 0"),
    ],
)
def test_a_fault_in_conllu_names_its_line(line, problem):
    text = f"{CONLLU}{line}\n"
    with pytest.raises(FormatError, match=f"^x:19: .*{problem}"):
        read_text(text)
    assert len(faults_of(text, "stanza")) == 1
