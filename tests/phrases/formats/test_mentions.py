"""The models on mentions: GUM without its texts from Reddit, one category, spans that nest (the phrase kit's numbers).

The texts are the conformance kit's. Those of GUM's own training part are taken in turn, sorted by name: rules are from the
first, third, ... and proportions from the second, fourth, ... Types are not in that file, so that K is 1; the kit's other
numbers, of 10 types, are out of reach.
"""

import gzip
import json
from dataclasses import replace
from functools import cache
from itertools import groupby

import numpy as np
import pytest

from referee.formats.shared.source import Source
from referee.inputs.reading import read
from referee.phrases.formats.mentions import mention_chunks
from referee.phrases.models.by_name import fit
from referee.phrases.scoring import score
from tests.support.paths import SHARED

GUM = SHARED / "conformance" / "gum" / "gum.key.conll.gz"
EXPECTED = SHARED / "phrase" / "expected.json"
in_kit = pytest.mark.skipif(not (GUM.is_file() and EXPECTED.is_file()), reason="needs the kits, ../shared")

PARTS = {
    "test": """academic_discrimination academic_eegimaa bio_dvorak bio_jespersen conversation_lambada conversation_retirement
        court_insanity court_mitigation essay_fear essay_system fiction_falling fiction_teeth interview_hill
        interview_libertarian letter_attorney letter_mandela news_nasa news_sensitive podcast_bezos podcast_multitasking
        speech_austria speech_newzealand textbook_chemistry textbook_union vlog_london vlog_studying voyage_oakland
        voyage_vavau whow_cactus whow_mice""",
    "dev": """academic_exposure academic_librarians bio_byron bio_emperor conversation_grounded conversation_risk court_loan
        court_negligence essay_evolved essay_tools fiction_beast fiction_lunre interview_cyclone interview_gaming
        letter_arendt letter_wiki news_homeopathic news_iodine podcast_bangladesh podcast_wrestling speech_impeachment
        speech_inauguration textbook_governments textbook_labor vlog_portland vlog_radiology voyage_athens voyage_coron
        whow_joke whow_overalls""",
}
"""GUM's own division, splits.md. What is in neither is for training, but for GENTLE's texts: they are another test set."""


@cache
def gum():
    """Rules, proportions, test: mentions and parts of speech."""
    text = gzip.decompress(GUM.read_bytes())
    every = mention_chunks(read(Source("gum.conll", text)))
    lines = (line.split() for line in text.decode().splitlines() if not line.startswith("#"))
    found = {}  # the tags of each document's sentences
    for written, group in groupby(lines, key=bool):
        if written:
            rows = list(group)
            found.setdefault(rows[0][0], []).append([row[4] for row in rows])
    names = [name.rsplit("_", 1)[0] for name in every.sentences.ids]  # without part and number
    documents = list(dict.fromkeys(names))
    tags = [sentence for name in documents for sentence in found[name]]
    assert [len(sentence) for sentence in tags] == every.sentences.length.tolist()
    every = replace(every, sentences=replace(every.sentences, tags=tags))
    used = {part: {f"GUM_{name}" for name in listed.split()} for part, listed in PARTS.items()}
    train = sorted(n for n in documents if n.startswith("GUM_") and n not in used["test"] | used["dev"])
    rules, proportions, test = (
        every.select([s for s, name in enumerate(names) if name in chosen])
        for chosen in (set(train[0::2]), set(train[1::2]), used["test"])
    )
    return rules, proportions, test


@in_kit
def test_the_mentions_of_gum_are_as_many_as_is_known():
    *_, test = gum()
    known = json.loads(EXPECTED.read_text())["mentions"]["gum"]["test"]
    assert (int(test.sentences.length.sum()), len(test)) == (known["tokens"], known["chunks"])
    assert int(test.sentences.span_counts.sum()) == known["candidates"]


@in_kit
@pytest.mark.parametrize("name", ["0", "1", "XK", "G", "C"])
def test_every_model_gives_the_numbers_that_are_known_on_mentions(name):
    rules, proportions, test = gum()
    known = json.loads(EXPECTED.read_text())["mentions"]["gum"][name]
    total = score(test, fit(name, rules, proportions).predict(test.sentences)).total
    assert int(total["candidates"]) == known["candidates"]
    assert int(total["true_chunks"]) == known["true"]
    figures = (total.bits_per_candidate, total.bits_per_sentence, total.precision, total.recall, total.brier)
    expected = [known[key] for key in ("H", "bits_per_sent", "exp_P", "exp_R", "brier")]
    assert [float(np.asarray(figure)) for figure in figures] == pytest.approx(expected, rel=1e-6)
