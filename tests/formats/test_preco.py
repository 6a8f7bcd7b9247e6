import json

import numpy as np
import pytest
from hypothesis import given

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.corpus.builder import CorpusBuilder
from tests.support.reading import entities_of, read_again, read_text, source_of, written
from tests.support.strategies import corpora, item_corpora

# As PreCo's own description has it: [sentence, begin, end), and a sentence of one blank where a paragraph ends.
DOG = {
    "id": "d1",
    "sentences": [["My", "dog", "ran", "."], [" "], ["It", "barked"]],
    "mention_clusters": [[[0, 0, 2], [2, 0, 1]], [[0, 0, 1]]],
}


def lines(*documents):
    return "".join(json.dumps(document) + "\n" for document in documents)


def within_sentences(corpus):
    """The corpus without the mentions that cross a sentence's end."""
    starts = [list(d.sentences) for d in corpus.documents.values()]
    rows = zip(corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True)
    return corpus.select(np.array([not any(a < s < b for s in starts[d]) for d, a, b in rows], dtype=bool))


@given(corpora())
def test_what_is_written_reads_the_same(corpus):
    kept = within_sentences(corpus)
    assert read_again(kept, "preco") == kept


def test_mentions_count_in_their_sentence_and_singletons_are_entities():
    corpus = read_text(lines(DOG))
    assert entities_of(corpus) == {"d1": {"0": [(0, 2), (5, 6)], "1": [(0, 1)]}}
    assert list(corpus.documents["d1"].sentences) == [0, 4, 5]


@pytest.mark.parametrize("text", [lines(DOG), json.dumps(DOG, indent=1), json.dumps([DOG]), json.dumps([DOG], indent=2)])
def test_it_is_told_from_other_json_and_read_over_lines_or_in_one(text):
    assert inputs.detect(source_of(text)) == "preco"
    assert read_text(text) == read_text(lines(DOG))


def test_other_json_is_not_taken_for_it():
    assert inputs.detect(source_of('{"doc_key": "d", "sentences": [["a"]], "clusters": []}')) == "jsonlines"
    assert inputs.detect(source_of('{"sentences": [["mention_clusters", ":"]], "clusters": []}')) == "jsonlines"


def test_a_mention_across_sentences_is_not_written():
    builder = CorpusBuilder("c")
    builder.document("d", ["a", "b"], [0, 1])
    builder.mention(0, 2, "x")
    with pytest.raises(FormatError, match=r"^c: has 1 mention over the end of a sentence .*0-2 of entity x"):
        written(builder.corpus(), "preco")


@given(item_corpora(empty=False))
def test_named_items_are_not_written(corpus):
    if corpus.doc_ids:
        with pytest.raises(FormatError, match="are items, not spans"):
            written(corpus, "preco")
