"""Files of phrases: each format read and written, and what is wrong with a file told with its line."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from referee import inputs as core
from referee.basics.exceptions import FormatError, OptionError, RefereeError, RefereeWarning
from referee.cli.main import main
from referee.formats.shared.source import Source
from referee.phrases import formats
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.formats.mentions import mention_chunks
from referee.phrases.formats.reading import read, read_key
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.writing import write
from referee.phrases.models.posteriors import chain_candidates, independent_candidates
from referee.phrases.scoring import score
from tests.support.examples import examples

HEADER = '{"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"], "default": {"type": "const", "p": 0.25}}\n'
CONLL = "He PRP B-NP\nsaw VBD B-VP\nthe DT B-NP\ndog NN I-NP\n. . O\n\n# # B-NP\n"


def of(text, **more):
    return read(Source("file", text.encode()), **more)


def rows(phrases):
    p = [phrases.probability.tolist()] if isinstance(phrases, PhraseCandidates) else []
    columns = [c.tolist() for c in (phrases.sentence, phrases.start, phrases.end)]
    return list(zip(columns[0], (phrases.categories[x] for x in phrases.category), *columns[1:], *p, strict=True))


def test_candidates_as_documented():
    found = of(
        HEADER + '{"id": "a:0", "n": 17, "c": [["NP", 0, 2, 0.98], ["VP", 16, 17, 1]]}\n{"id": "a:1", "n": 2, "c": []}\n'
    )
    assert isinstance(found, PhraseCandidates)
    assert (found.sentences.ids, found.sentences.length.tolist()) == (("a:0", "a:1"), [17, 2])
    assert rows(found) == [(0, "NP", 0, 2, 0.98), (0, "VP", 16, 17, 1.0)]
    assert found.default.beyond == 0.25
    assert found.space_size == 2 * (17 * 9 + 3)


def test_a_default_by_category_and_length():
    default = {"type": "category_length", "p": {"VP": [0.5, 0.25]}, "beyond": 0.125}
    header = json.dumps({"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"], "default": default})
    found = of(header + '\n{"n": 1, "c": []}\n')
    assert isinstance(found, PhraseCandidates)
    assert found.default.complete_table(2).tolist() == [[0.125] * 3, [0.5, 0.25, 0.125]]


def test_columns_as_in_conll_2000():
    found = of(CONLL)
    assert rows(found) == [(0, "NP", 0, 1), (0, "VP", 1, 2), (0, "NP", 2, 4), (1, "NP", 0, 1)]
    assert found.sentences.words == [["He", "saw", "the", "dog", "."], ["#"]]
    assert found.sentences.tags == [["PRP", "VBD", "DT", "NN", "."], ["#"]]
    assert rows(of(CONLL, options=PhraseOptions(outside="Null")))[3] == (0, "Null", 4, 5)


def test_columns_as_in_conll_2003_with_document_marks():
    text = "-DOCSTART- -X- -X- O\n\nU.N. NNP I-NP I-ORG\nofficial NN I-NP O\n"
    assert rows(of(text)) == [(0, "ORG", 0, 1)]
    assert rows(of(text, options=PhraseOptions(column=3))) == [(0, "NP", 0, 2)]


def test_words_with_blanks_are_separated_by_tabs():
    assert of("New York\tB-LOC\nis\tO\n", format="columns").sentences.words == [["New York", "is"]]


def test_lists_of_spans():
    text = (
        '{"tokens": ["a", "b", "c"], "spans": [{"label": "PER", "start": 0, "end": 2}, ["LOC", 1, 2]]}\n'
        '{"tokens": ["d"], "spans": []}\n'
    )
    found = of(text)
    assert isinstance(found, Chunks)
    assert rows(found) == [(0, "PER", 0, 2), (0, "LOC", 1, 2)]
    uncertain = of('{"n": 3, "spans": [{"label": "PER", "start": 0, "end": 2, "score": 0.5}, ["LOC", 1, 2]]}\n')
    assert isinstance(uncertain, PhraseCandidates)
    assert rows(uncertain) == [(0, "PER", 0, 2, 0.5), (0, "LOC", 1, 2, 1.0)]
    assert uncertain.default is None


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("lines", [False, True])
def test_what_gliner_is_trained_on_has_the_last_word_of_each_span(lines, indent):
    sentences = [
        {"tokenized_text": ["Ann", "Lee", "saw", "Rome"], "ner": [[0, 1, "PER"], [3, 3, "LOC"]]},
        {"tokenized_text": ["So"], "ner": []},
    ]
    text = "".join(f"{json.dumps(each)}\n" for each in sentences) if lines else json.dumps(sentences, indent=indent)
    chunks = of(text)
    assert rows(chunks) == [(0, "PER", 0, 2), (0, "LOC", 3, 4)]
    assert chunks.sentences.words == [["Ann", "Lee", "saw", "Rome"], ["So"]]


def test_posteriors_of_a_chain_are_exact():
    # All sequences of three words over O, B-X, I-X in a chain with made-up steps; the sum over sequences is the definition.
    start = np.array([0.5, 0.4, 0.1])
    steps = np.array(
        [[[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.5, 0.2, 0.3]], [[0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.25, 0.25, 0.5]]]
    )
    p = {}
    marginals = np.zeros((3, 3))
    for tags in np.ndindex(3, 3, 3):
        weight = start[tags[0]] * steps[0, tags[0], tags[1]] * steps[1, tags[1], tags[2]]
        for i, tag in enumerate(tags):
            marginals[i, tag] += weight
            if tag == 1:
                j = next((j for j in range(i + 1, 3) if tags[j] != 2), 3)
                p[i, j] = p.get((i, j), 0) + weight
    found = chain_candidates(Sentences.numbered([3]), ["O", "B-X", "I-X"], [marginals], [steps])
    assert {(i, j): q for _, _, i, j, q in rows(found)} == pytest.approx(p)
    text = json.dumps({"format": "tag-posteriors", "version": 1, "tags": ["O", "B-X", "I-X"]})
    text += "\n" + json.dumps({"id": "s", "p": marginals.tolist(), "next": steps.tolist()}) + "\n"
    assert rows(of(text)) == rows(found)


def test_posteriors_of_words_alone_are_multiplied():
    marginals = np.array([[0.5, 0.5, 0.0], [0.25, 0.0, 0.75]])
    found = independent_candidates(Sentences.numbered([2]), ["O", "B-X", "I-X"], [marginals])
    assert rows(found) == [(0, "X", 0, 1, 0.125), (0, "X", 0, 2, 0.375)]
    assert rows(independent_candidates(Sentences.numbered([2]), ["O", "B-X", "I-X"], [marginals], min_probability=0.2)) == [
        (0, "X", 0, 2, 0.375)
    ]


def test_mentions_of_a_corpus_are_phrases_of_their_sentences(tmp_path):
    path = tmp_path / "c.jsonlines"
    document = {
        "doc_key": "d",
        "sentences": [["the", "dog", "of", "Ann"], ["it", "barks"]],
        "clusters": [[[0, 3], [4, 4]], [[3, 3]], [[3, 4]], [[3, 3]]],
        "entity_types": ["animal", "person", "other", "person"],
    }
    path.write_text(json.dumps(document) + "\n")
    with pytest.warns(RefereeWarning, match="left out 1 mention crossing the end of a sentence"):
        found = read(path)
    assert found.sentences.ids == ("d:1", "d:2")
    assert rows(found) == [(0, "animal", 0, 4), (0, "person", 3, 4), (1, "animal", 0, 1)]
    with pytest.warns(RefereeWarning):
        assert rows(read(path).without_categories()) == [(0, "phrase", 0, 4), (0, "phrase", 3, 4), (1, "phrase", 0, 1)]


def test_mentions_without_sentences_are_refused(tmp_path):
    path = tmp_path / "c.json"
    path.write_text('{"clusters": [[[0, 1]]]}')
    with pytest.raises(FormatError, match="has no words with sentences"):
        mention_chunks(core.read(path, format="jsonlines"))


def test_a_key_is_certain():
    with pytest.raises(FormatError, match=r"sentence 'a': found the probability 0\.5; expected 0 or 1 in a key"):
        read_key(Source("k", (HEADER + '{"id": "a", "n": 1, "c": [["NP", 0, 1, 0.5]]}\n').encode()))
    with pytest.raises(FormatError, match="found a default above 0; expected 0 in a key"):
        read_key(Source("k", HEADER.encode()))
    certain = HEADER.replace("0.25", "0") + '{"id": "a", "n": 1, "c": [["NP", 0, 1, 1], ["VP", 0, 1, 0]]}\n'
    assert rows(read_key(Source("k", certain.encode()))) == [(0, "NP", 0, 1)]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet"])
def test_what_is_written_is_read_again(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    sentences = Sentences(("x", "y"), np.array([3, 0], dtype=np.int32))
    candidates = PhraseCandidates.build(
        sentences, ["B", "A", "é"], sentence=[0, 0], start=[0, 1], end=[2, 3], category=[0, 2], probability=[1 / 3, 1e-300],
        default=DefaultProbabilities.by_length([[0.1], [0.2], [0]], 0.3), covered=[True, False],
    )  # fmt: skip
    path = tmp_path / f"c.{ending}"
    write(candidates, path)
    again = read(path)
    assert isinstance(again, PhraseCandidates)
    assert rows(again) == rows(candidates)
    assert again.sentences.ids == sentences.ids
    assert again.categories == candidates.categories
    assert again.covered.tolist() == [True, False]
    assert again.default.table.tolist() == [[0.1], [0.2], [0]]
    assert again.default.beyond == 0.3


@pytest.mark.parametrize("format_", ["candidates", "spans", "columns"])
def test_chunks_are_read_again_from_every_format_that_holds_them(tmp_path, format_):
    chunks = of(CONLL)
    path = tmp_path / "file"
    write(chunks, path, format=format_)
    assert formats.detect(Source(path)) == format_
    again = read_key(path)
    assert rows(again) == rows(chunks)
    assert float(score(read_key(path), again).total.cross_entropy) == 0


def test_what_is_uncertain_cannot_be_tags(tmp_path):
    with pytest.raises(OptionError, match="found probabilities; expected chunks"):
        write(of(HEADER + '{"n": 1, "c": []}\n'), tmp_path / "x.iob")
    with pytest.raises(OptionError, match="posteriors is only read"):
        write(of(CONLL), tmp_path / "x", format="posteriors")


SAMPLES = [
    HEADER + '{"id": "a", "n": 3, "c": [["NP", 0, 2, 0.5]], "uncovered": [0]}\n{"id": "b", "n": 1, "c": []}\n',
    CONLL,
    '{"tokens": ["a", "b"], "spans": [{"label": "PER", "start": 0, "end": 2, "p": 0.5}]}\n',
    '{"format": "tag-posteriors", "version": 1, "tags": ["O", "B-X", "I-X"]}\n{"p": [[0.5, 0.5, 0], [1, 0, 0]]}\n',
]


@settings(examples(6), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_a_damaged_file_is_read_or_told_in_one_line(data):
    text = data.draw(st.sampled_from(SAMPLES))
    at, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    end = min(end, at + 6)
    piece = data.draw(st.sampled_from(["", "null", "-1", "[]", "{}", '"x"', "1e99", "\n", "\t", "true", "[[", "é", "0.5,"]))
    try:
        of(text[:at] + piece + text[end:])
    except RefereeError as error:
        assert str(error)


def test_trees_are_read_as_a_format(tmp_path):
    text = "( (S (NP (DT a) (NN dog)) (VP (VBD sat) (PP (IN on) (NP (PRP it)))) (. .)))"
    abney, flat = of(text), of(text, options=PhraseOptions(trees="flat"))
    assert [row[1:] for row in rows(abney)] == [("NP", 0, 2), ("VP", 2, 3), ("PP", 3, 5), ("Null", 5, 6)]
    assert [row[1:] for row in rows(flat)] == [("NP", 0, 2), ("VP", 2, 3), ("PP", 3, 4), ("NP", 4, 5), ("Null", 5, 6)]
    (tmp_path / "a.mrg").write_text(text)
    assert rows(read(tmp_path)) == rows(abney)
    with pytest.raises(FormatError, match="has no file that looks like columns; expected some"):
        read(tmp_path, format="columns")


def test_the_way_of_trees_is_in_the_signature(tmp_path, capsys):
    path = tmp_path / "a.mrg"
    path.write_text("(S (NP (DT a) (NN dog)) (VP (VBD sat)))")
    assert main(["phrases", "score", str(path), str(path), "--trees", "flat"]) == 0
    assert "| trees:flat\n" in capsys.readouterr().out


def test_words_outside_are_chunks_of_the_key_where_a_response_has_such_chunks(tmp_path, capsys):
    key, response = tmp_path / "key.txt", tmp_path / "r.jsonl"
    key.write_text("a DT B-NP\n. . O\n")
    response.write_text(HEADER.replace("VP", "Null") + '{"n": 2, "c": [["Null", 1, 2, 0.9]]}\n')
    assert main(["phrases", "score", str(key), str(response)]) == 0
    asked_for_nothing = capsys.readouterr()
    assert "| outside:Null" in asked_for_nothing.out
    assert main(["phrases", "score", str(key), str(response), "--outside", "Null"]) == 0
    assert asked_for_nothing == capsys.readouterr()
    assert main(["phrases", "score", str(key), str(response), "--without", "Null"]) == 0
    assert "| without:Null" in capsys.readouterr().out


def test_a_key_that_cannot_say_what_is_outside_is_told_of_a_response_that_does(tmp_path, capsys):
    key, response = tmp_path / "key.jsonl", tmp_path / "r.jsonl"
    key.write_text('{"n": 2, "spans": [{"label": "NP", "start": 0, "end": 1}]}\n')
    response.write_text(HEADER.replace("VP", "Null") + '{"n": 2, "c": [["Null", 1, 2, 0.9]]}\n')
    assert main(["phrases", "score", str(key), str(response)]) == 0
    assert "has no Null, but other files have it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [["--intervals", "--seed", "-1"], ["--intervals", "--resamples", "99999999999"], ["--seed", "3"], ["--key-column", "0"]],
)
def test_a_number_out_of_range_is_one_line(option, tmp_path, capsys):
    path = tmp_path / "key.txt"
    path.write_text("a DT B-NP\n")
    assert main(["phrases", "score", str(path), str(path), "--key-column", "-1", *option]) == 2
    assert capsys.readouterr().err.count("\n") == 1
