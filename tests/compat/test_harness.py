"""What harnesses share: records of answers add up to the scores of all documents; prompts have the text, and work."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st

import referee
from referee.basics.exceptions import MismatchError, OptionError
from referee.compat.harness import answer_scorer, corpus_scores, document_of
from referee.compat.prompts import PROMPTS, QUOTES, TAGGED, prompts
from referee.corpus import CorpusBuilder
from referee.corpus.text import RawText
from tests.support.answers import Text, nesting, written
from tests.support.examples import examples
from tests.support.harnesses import ANSWERS, KEY, lines

SPANS = st.tuples(st.integers(0, 6), st.integers(1, 3), st.sampled_from("xyz"))
DOCUMENTS = st.lists(st.lists(SPANS, max_size=6), min_size=2, max_size=8)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "singletons": st.sampled_from(["keep", "drop"]),
        "zero_division": st.sampled_from([0.0, 1.0]),
        "beta": st.sampled_from([0.5, 2]),
        "average": st.sampled_from(["micro", "macro"]),
    },
)
METRICS = st.sampled_from(["conll,lea", "mentions,muc", "blanc,ceaf_m", "b_cubed,ceaf_e,conll"])


def text_of(number, spans):
    """A document of nine words, with these mentions as far as they nest."""
    mentions = [(start, start + length, entity) for start, length, entity in spans]
    return nesting(Text(f"d{number}", [f"word{n}" for n in range(9)], mentions))


def corpus(texts):
    builder = CorpusBuilder("response")
    for text in texts:
        builder.document(text.name, text.tokens)
        for mention in text.mentions:
            builder.mention(*mention)
    return builder.corpus()


@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")  # of documents with nothing in common
@examples(1)
@given(DOCUMENTS, DOCUMENTS, OPTIONS, METRICS)
def test_records_add_up_to_the_scores_of_all_documents(keys, responses, options, metrics):
    pairs = [(text_of(n, k), text_of(n, r)) for n, (k, r) in enumerate(zip(keys, responses, strict=False))]
    pairs = [(key, answer) for key, answer in pairs if answer.mentions]  # marks are what tells that it is an answer
    if not pairs:
        return
    key = corpus([one for one, _ in pairs])
    scored = answer_scorer(metrics, options=options)
    found = [scored(document_of(key, said.name), written(said, "links")) for _, said in pairs]
    assert not [one.error for one in found if one.error]
    together = referee.score(key, corpus([said for _, said in pairs]), metrics=metrics, **options)
    assert json.dumps(corpus_scores(json.loads(json.dumps([one.record for one in found])))) == json.dumps(together.flat())


def test_an_answer_that_cannot_be_read_has_no_entities_and_says_why(tmp_path):
    path = tmp_path / "key.jsonlines"
    path.write_text(lines({"ship": KEY["ship"]}), encoding="utf-8")
    found = answer_scorer("lea")(referee.read(path), ANSWERS["ship"])
    assert found.evaluation["lea"].recall == 0
    assert found.record["numbers"] == {"unread": 1, "without_entities": 1, "repaired": 0}
    assert found.error.startswith("answer")
    assert "\n" not in found.error
    assert found.explanation.startswith("The answer counts as one without entities, as it cannot be read: answer")


def test_records_of_different_kinds_are_not_added(tmp_path):
    path = tmp_path / "key.jsonlines"
    path.write_text(lines({"anna": KEY["anna"]}), encoding="utf-8")
    first, other, third = (
        answer_scorer(metrics, options=options)(referee.read(path), ANSWERS["anna"]).record
        for metrics, options in (("lea", {}), ("muc", {}), ("lea", {"singletons": "drop"}))
    )
    with pytest.raises(OptionError, match="only some answers were scored by lea and muc; expected names of metrics"):
        corpus_scores([first, other])
    with pytest.raises(OptionError, match="found answers that were scored with different options; expected the same"):
        corpus_scores([first, third])
    assert corpus_scores([]) == {}


def test_mistakes_are_named_before_an_answer_comes():
    with pytest.raises(OptionError, match=r"^found mine, which the log of a harness cannot hold; expected names of metrics$"):
        answer_scorer({"mine": "muc"})
    with pytest.raises(OptionError, match=r"expected no cross_document: score them together with referee\.score$"):
        answer_scorer(options={"cross_document": "corpus"})
    with pytest.raises(MismatchError, match=r"^response: no document named 'd2'; known: d1$"):
        document_of(corpus([text_of(1, [])]), "d2")


@pytest.mark.parametrize("form", PROMPTS)
def test_the_example_of_a_prompt_is_read_as_what_it_says(form):
    tokens = re.findall(r"\w+|[.,]", "Anna called her brother. He was asleep, and she was angry with him.")
    key = corpus([Text("d1", tokens, [(0, 1, "1"), (2, 3, "1"), (10, 11, "1"), (2, 4, "2"), (5, 6, "2"), (14, 15, "2")])])
    shown = re.findall(r"Answer:\n(.+)\n", PROMPTS[form])[0]
    found = answer_scorer("exact,lea")(document_of(with_sentences(key, [0, 5]), "d1"), shown)
    assert (found.error, found.notes, found.evaluation["lea"].f1, found.evaluation["exact"].f1) == ("", (), 1, 1)


def with_sentences(key, sentences):
    """The same document with sentences."""
    builder = CorpusBuilder(key.source)
    builder.document(key.doc_ids[0], key.text.words[0].tokens, sentences)
    for start, end, entity in zip(key.start.tolist(), key.end.tolist(), key.entity.tolist(), strict=True):
        builder.mention(start, end, str(entity))
    return builder.corpus()


def test_a_prompt_has_the_text_of_its_document_as_its_file_has_it():
    raw = "Tom {saw} it.\n\nHe  left.\n"
    builder = CorpusBuilder()
    start, end = np.array([word.span() for word in re.finditer(r"\S+", raw)]).T
    builder.document("d", ["Tom", "{saw}", "it.", "He", "left."], [0, 3], raw=RawText(raw, start, end))
    builder.document("e", ["Yes", "!"], [0])
    found = builder.corpus()
    assert prompts(found) == {"d": TAGGED.replace("{text}", raw.strip()), "e": TAGGED.replace("{text}", "Yes!")}
    assert prompts(found, "quotes") == {
        "d": QUOTES.replace("{text}", "1: Tom {saw} it.\n2: He left."),
        "e": QUOTES.replace("{text}", "1: Yes!"),
    }


def test_a_prompt_has_no_empty_nodes(tmp_path):
    path = tmp_path / "key.conllu"
    nodes = [("1", "Llega"), ("1.1", "él"), ("2", "tarde"), ("3", ".")]
    rows = [f"{place}\t{word}\t_\t_\t_\t_\t{'_' if '.' in place else 0}\t_\t0:root\t_" for place, word in nodes]
    header = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
    path.write_text(header + "\n".join(rows) + "\n\n", encoding="utf-8")
    assert prompts(referee.read(path))["d"] == TAGGED.replace("{text}", "Llega tarde.")


def test_a_key_without_words_has_no_prompts():
    builder = CorpusBuilder("key.csv")
    builder.document("d")
    builder.item("a", "1")
    with pytest.raises(MismatchError, match=r"^key.csv has no words; expected a key with the text"):
        prompts(builder.corpus())


WITHOUT = """
import sys
sys.modules["inspect_ai"] = sys.modules["datasets"] = None  # as if not installed
import referee, referee.compat.lm_eval
for use in (lambda: __import__("referee.compat.inspect_ai"), lambda: referee.compat.lm_eval.documents(sys.argv[1])):
    try:
        use()
    except referee.MissingExtraError as error:
        print(error)
"""


def test_a_missing_extra_is_named(tmp_path):
    path = tmp_path / "key.jsonlines"
    path.write_text(lines({"anna": KEY["anna"]}), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", WITHOUT, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "the scorer for Inspect needs an extra: pip install 'referee[inspect]'",
        "the task of lm-evaluation-harness needs an extra: pip install 'referee[lm-eval]'",
    ]
