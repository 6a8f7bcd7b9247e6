"""Spans of characters, as taggers and annotation tools write them, against a key of the same text."""

import json
import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import FormatError, MismatchError, OptionError, RefereeWarning
from referee.formats.shared.format import Format
from referee.formats.shared.source import Source
from referee.inputs.registry import FORMATS
from referee.phrases import Chunks, PhraseCandidates, decode, from_characters, match_chunks, read, score
from referee.phrases.annotation import Sentences, in_common_words
from referee.phrases.formats.reading import detect
from tests.support.command import referee
from tests.support.examples import examples
from tests.support.warned import silenced

TEXT = "Ann Lee sang in Oslo"
KEY = "Ann B-PER\nLee I-PER\nsang O\nin O\nOslo B-LOC\n\nBob B-PER\nslept O\n"
TAGS = [["B-PER", "I-PER", "O", "O", "B-LOC"], ["B-PER", "O"]]
SECOND = "Bob slept"

SPANS = [(TEXT, [(0, 7, "PER", 0.75), (16, 20, "LOC", 0.5)]), (SECOND, [(0, 3, "PER", 1.0)])]
PIECES = [
    [
        (0, 3, "B-PER", 0.5, 1, "Ann"), (4, 6, "I-PER", 1.0, 2, "Le"), (6, 7, "I-PER", 0.75, 3, "##e"),
        (16, 20, "B-LOC", 0.5, 6, "Oslo"),
    ],
    [(0, 3, "B-PER", 1.0, 1, "Bob")],
]  # fmt: skip
PRODIGY_TOKENS = [{"text": m[0], "start": m.start(), "end": m.end(), "id": n} for n, m in enumerate(re.finditer(r"\S+", TEXT))]


def each(span, item=lambda _, spans: spans):
    """The same spans in another form: of each text an item with its spans."""
    return [
        item(text, [span(text[start:end], start, end, label, p) for start, end, label, p in spans]) for text, spans in SPANS
    ]


FORMS = {
    "transformers": each(lambda w, a, b, x, p: {"entity_group": x, "score": p, "word": w.lower(), "start": a, "end": b}),
    "transformers without aggregation": [
        [{"entity": x, "score": p, "index": n, "word": w, "start": a, "end": b} for a, b, x, p, n, w in row] for row in PIECES
    ],
    "GLiNER": each(lambda w, a, b, x, p: {"start": a, "end": b, "text": w, "label": x, "score": p}),
    "Flair": each(
        lambda w, a, b, x, p: {
            "text": w, "start_pos": a, "end_pos": b,
            "labels": [{"value": "ORG", "confidence": 0.25}] * (x == "LOC") + [{"value": x, "confidence": p}],
        },
        lambda text, spans: {"text": text, "labels": [], "entities": spans},
    ),
}  # fmt: skip
CERTAIN = {
    "spaCy": each(
        lambda _, a, b, x, __: {"start": a, "end": b, "label": x},
        lambda text, spans: {"text": text, "ents": spans, "tokens": [{"id": 0, "start": 0, "end": 3}] * (text == SECOND)},
    ),
    "spaCy, one text": [
        {
            "text": f"{TEXT}\n{SECOND}",
            "ents": [{"start": a, "end": b, "label": x} for a, b, x in ((0, 7, "PER"), (16, 20, "LOC"), (21, 24, "PER"))],
        }
    ],
    "training data of spaCy": each(lambda _, a, b, x, __: [a, b, x], lambda text, spans: [text, {"entities": spans}]),
    "Prodigy": each(
        lambda _, a, b, x, __: {"start": a, "end": b, "token_start": a // 4, "token_end": b // 5, "label": x},
        lambda text, spans: {
            "text": text, "tokens": PRODIGY_TOKENS if text == TEXT else [], "spans": spans, "answer": "accept",
        },
    ),
    "doccano": each(
        lambda _, a, b, x, __: [a, b, x], lambda text, spans: {"id": 1, "text": text, "label": spans, "Comments": []}
    ),
    "doccano with entities": each(
        lambda _, a, b, x, __: {"id": a, "label": x, "start_offset": a, "end_offset": b},
        lambda text, spans: {"id": 1, "text": text, "entities": spans},
    ),
}  # fmt: skip


@pytest.fixture
def key():
    words = [TEXT.split(), SECOND.split()]
    return decode(TAGS, sentences=Sentences.numbered([5, 2], words))


def test_json_of_a_new_format_of_mentions_is_not_taken_for_spans_of_texts(monkeypatch):
    text = json.dumps({"story": 1, "text": "Ann sang", "spans": [{"start": 0, "end": 3, "label": "PER"}]})
    assert detect(Source("x", text.encode())) == "characters"
    module = ModuleType("referee.formats.story")
    module.FORMAT = Format("story", "", (), lambda head: '"story"' in head, lambda *_: None)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(FORMATS, "story", f"{module.__name__}:FORMAT")
    assert detect(Source("x", text.encode())) == "mentions"


@pytest.mark.parametrize("layout", ["json", "lines"])
@pytest.mark.parametrize("name", [*FORMS, *CERTAIN])
def test_every_form_is_read_and_scored(name, layout, tmp_path):
    items = (FORMS | CERTAIN)[name]
    text = json.dumps(items, indent=1) if layout == "json" else "".join(json.dumps(item) + "\n" for item in items)
    (tmp_path / "key.iob").write_text(KEY)
    (tmp_path / "found.json").write_text(text)
    assert detect(Source("found.json", text.encode())) == "characters"
    done = referee("phrases", "score", "key.iob", "found.json", "--report", "json", cwd=tmp_path)
    (system,) = json.loads(done.out)["systems"]
    assert system["metrics"]["exact_match"]["f1"] == 1
    if name in FORMS:
        # Probabilities of 3/4, 1/2 and 1 for true phrases.
        assert system["metrics"]["expected"]["recall"] == 2.25 / 3
    else:
        assert system["one_best"]


@pytest.mark.parametrize("name", [*FORMS, *CERTAIN])
def test_every_form_is_taken_in_python(name, key):
    found = from_characters((FORMS | CERTAIN)[name], key)
    assert isinstance(found, PhraseCandidates) == (name in FORMS)
    chunks = found.chunks(0.0) if isinstance(found, PhraseCandidates) else found
    ours, (theirs,) = in_common_words(key, [chunks])
    assert ours.triples() == key.triples() == theirs.triples()


class Token:
    def __init__(self, start, text):
        self.idx, self.text, self.is_space = start, text, text.isspace()

    def __len__(self):
        return len(self.text)


class Doc:
    """What is used of a Doc of spaCy."""

    def __init__(self, text, ents):
        self.text = text
        self.ents = [SimpleNamespace(start_char=a, end_char=b, label_=label) for a, b, label in ents]
        self.tokens = [Token(m.start(), m[0]) for m in re.finditer(r"\S+", text)]

    def __iter__(self):
        return iter(self.tokens)


def test_entities_of_spacy_are_taken(key):
    docs = [Doc(TEXT, [(0, 7, "PER"), (16, 20, "LOC")]), Doc(SECOND, [(0, 3, "PER")])]
    for items in (docs, iter(docs)):
        assert score(key, from_characters(items))["exact_match"].value == 1
    assert from_characters(docs[1]).triples() == [[("PER", 0, 1)]]


def test_a_key_of_characters_is_scored_against_tags(tmp_path):
    (tmp_path / "key.jsonl").write_text("".join(json.dumps(item) + "\n" for item in CERTAIN["doccano"]))
    (tmp_path / "found.iob").write_text(KEY.replace("B-LOC", "O"))
    done = referee("phrases", "score", "key.jsonl", "found.iob", "-q", cwd=tmp_path)
    assert (done.out, done.err) == ("80.00\n", "")  # two of three are found, nothing else is


def test_a_span_within_a_word_is_wrong_and_its_word_is_cut(key):
    """Aligned to words it would be the phrase itself, or nothing: recall 2/3 and precision 2/3, not 1."""
    items = [
        [{"start": 0, "end": 7, "label": "PER"}, {"start": 16, "end": 18, "label": "LOC"}],
        [{"start": 0, "end": 3, "label": "PER"}],
    ]
    with pytest.warns(RefereeWarning, match="cut 1 word where phrases of responses begin or end within them"):
        found = score(key, from_characters(items, key))
    assert (found["exact_match"].recall, found["exact_match"].precision) == (2 / 3, 2 / 3)


def test_blanks_around_a_span_are_no_part_of_it(key):
    items = [[{"start": 0, "end": 8, "label": "PER"}, {"start": 15, "end": 20, "label": "LOC"}], []]
    assert score(key, from_characters(items, key))["exact_match"].precision == 1


@pytest.mark.parametrize(
    "items", [[{"text": "Ann Lee sang in Rome", "ents": []}, {"text": SECOND, "ents": []}], [{"text": TEXT, "ents": []}]]
)
def test_another_text_is_refused(items, key):
    with pytest.raises(MismatchError, match=r"its text differs from <tags> in sentence '[12]': found '"):
        score(key, from_characters(items, source="r"))


@pytest.mark.parametrize("field", ["word", "text"])
def test_a_span_that_says_another_text_is_refused(field, key):
    items = [[{"start": 0, "end": 7, "label": "PER", field: "Bob Lee"}], []]
    with pytest.raises(MismatchError, match="the text of sentence 1 differs: found 'Bob Lee' from 0 to 7; expected 'Ann Lee'"):
        from_characters(items, key)


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ([[{"start": 0, "end": 99, "label": "PER"}], []], "found PER from 0 to 99; expected words in 20 characters"),
        ([[{"start": 3, "end": 4, "label": "PER"}], []], "found PER from 3 to 4; expected words"),
        ([[{"start": 3, "end": 3, "label": "PER"}], []], "expected 0 <= start < end, counted in characters"),
        ([[{"start": 0, "end": 3}], []], "expected a label"),
        ([[{"start": 0, "end": 3, "label": "PER", "score": 1.5}], []], "expected a score from 0 to 1"),
        ([{"text": TEXT}], "expected its spans in one of ents"),
        ([5], "expected a text with its spans, or a list of spans with start, end and label"),
    ],
)
def test_what_is_no_span_is_refused(items, problem, key):
    with pytest.raises(OptionError, match=re.escape(problem)):
        from_characters(items, key)
    with pytest.raises((FormatError, MismatchError)):
        read(Source("f", json.dumps(items).encode()), format="characters")


def test_as_many_lists_as_sentences_are_needed(key):
    with pytest.raises(MismatchError, match="has spans of 3 texts, the key has 2 sentences; expected the same"):
        from_characters([[], [], []], key)
    with pytest.raises(MismatchError, match="has spans without a text; expected a key with words"):
        from_characters([[{"start": 0, "end": 3, "label": "PER"}]])


def test_one_list_is_about_all_sentences(key):
    found = from_characters([{"start": 21, "end": 24, "label": "PER", "word": "Bob"}], key)
    assert score(key, found)["exact_match"].precision == 1


def test_a_phrase_over_the_end_of_a_sentence_is_counted(key):
    """Of two phrases of the response one is wrong, so precision is 1/2; the sentences that it connects become one."""
    spans = [{"start": 21, "end": 24, "label": "PER"}, {"start": 16, "end": 24, "label": "PER"}]
    with pytest.warns(RefereeWarning, match="joined 1 sentence to the one before, as phrases of responses cross their borders"):
        assert score(key, from_characters(spans, key))["exact_match"].precision == 0.5


WORDS = st.lists(st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=4), min_size=1, max_size=3)


@given(words=WORDS, data=st.data())
@examples(1)
def test_matches_are_those_of_characters(words, data):
    """Counted from the definition: spans of a sentence with the same first and last character."""
    texts = [" ".join(row) for row in words]
    tags = [[data.draw(st.sampled_from(["O", "B-X", "I-X"])) for _ in row] for row in words]
    key = decode(tags, sentences=Sentences.numbered([len(row) for row in words], words))
    true = set()
    for s, row in enumerate(key.triples()):
        starts = [sum(len(word) + 1 for word in words[s][:n]) for n in range(len(words[s]) + 1)]
        true |= {(s, starts[i], starts[j] - 1) for _, i, j in row}
    found = set()
    for s, text in enumerate(texts):
        for _ in range(data.draw(st.integers(0, 3))):
            start = data.draw(st.integers(0, len(text) - 1))
            end = data.draw(st.integers(start + 1, len(text)))
            if text[start] != " " != text[end - 1]:
                found.add((s, start, end))
    items = [[{"start": a, "end": b, "label": "X"} for t, a, b in sorted(found) if t == s] for s in range(len(texts))]
    response = from_characters(items, key)
    assert isinstance(response, Chunks)
    with silenced():
        ours, (theirs,) = in_common_words(key, [response])
    counts = match_chunks(ours, theirs)
    assert counts == (len(true & found), len(true), len(found))
