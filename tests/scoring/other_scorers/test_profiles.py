"""Each profile gives the numbers of its program in documents that repeat mentions, by every matcher that the program has.

The numbers of the programs are those of `referee as`, which `tests/compat/programs` compares with the programs themselves.
"""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from referee import CorpusBuilder, read, score, write
from referee.compat.programs import universal_anaphora as programs
from referee.compat.programs.scorer_pl import run as scorer_pl
from referee.compat.programs.universal_anaphora import MATCH, UaSettings
from referee.formats.shared.source import Source
from referee.matching.repeated_mentions import repeated
from tests.support.conll_pairs import write_pair
from tests.support.corefud_pairs import corefud_pair
from tests.support.ua_pairs import Kind, ua_pair

pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")


@pytest.mark.parametrize(("family", "newest"), [("corefud", "corefud-1.2"), ("conll", "conll-8.01"), ("ua", "ua-2.0")])
def test_a_family_is_its_newest_version(family, newest):
    named, whole = (score([{1, 2}, {3}], [{1, 2}], profile=name) for name in (family, newest))
    assert f"profile:{newest}" in named.signature
    assert named.signature == whole.signature


ENTITIES = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
SIDES = ("recall", "precision", "value")


def written(files, folder):
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in files]


def of_program(paths, s):
    key, response = (programs.annotation(path, role, s) for path, role in zip(paths, ("key", "response"), strict=True))
    return programs.evaluated(key, response, s, programs.OWN)


def of_profile(corpora, s, **options):
    options |= {"match": MATCH[s.format][s.match], "zeros": s.zeros or "drop"}
    metrics = [programs.METRICS[name] for name in s.metrics]
    return score(*corpora, metrics=metrics, singletons="keep" if s.singletons else "drop-annotated", **options)


def same(scores, others, what):
    for metric in scores:
        for side in SIDES:
            value, other = (getattr(of[metric], side) for of in (scores, others))
            assert value == pytest.approx(other, abs=1e-9, nan_ok=True), (what, metric, side)


def with_one_head_a_span(path):
    """Give copies the head of the first: the program takes a span with two heads for two mentions, the profile does not."""
    corpus = read(path, format="corefud")
    head = corpus.heads.copy()
    for copy in np.flatnonzero(repeated(corpus)).tolist():
        head[copy] = head[copy - 1]
    write(replace(corpus, head=head), path, format="corefud")


def test_corefud(tmp_path):
    # Zeros are matched by their positions, because the program contradicts its own pairs otherwise (docs/matching.md).
    for seed in range(16):
        paths = written(corefud_pair(seed, 1 + seed % 3, zeros=seed % 4 == 3, repeated=True, copies=seed % 2 == 1), tmp_path)
        for path in paths:
            with_one_head_a_span(path)
        corpora = [read(path, format="corefud") for path in paths]
        for match, singletons in product(MATCH["corefud"], (True, False)):
            s = UaSettings((*ENTITIES, "mor"), "corefud", match, singletons=singletons, zeros="linear")
            same(of_profile(corpora, s, profile="corefud-1.2"), of_program(paths, s), (seed, match, singletons))


def test_universal_anaphora(tmp_path):
    for seed in range(12):
        kind = Kind(zeros=seed % 3 == 0, discontinuous=seed % 3 == 1, minimum=seed % 3 == 2)
        paths = written(ua_pair(seed, 1 + seed % 3, kind), tmp_path)
        corpora = [read(path, format="ua") for path in paths]
        for match, zeros in product(MATCH["ua"], ("linear", "")):
            s = UaSettings(ENTITIES, "ua", match, singletons=seed % 2 == 0, zeros=zeros)
            same(of_profile(corpora, s, profile="ua-2.0"), of_program(paths, s), (seed, match, zeros))


def test_conll(tmp_path):
    names = {"muc": "muc", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "blanc": "blanc"}
    for seed in range(20):
        paths = write_pair(seed, tmp_path, repeated=True)
        e = score(*paths, profile="conll-8.01", metrics=list(names.values()))
        for name, metric in names.items():
            last = [line for line in scorer_pl([name, *paths, "none"]).text.splitlines() if "F1:" in line][-1]
            assert float(last.rpartition("F1: ")[2].rstrip("%")) == pytest.approx(100 * (e[metric].f1 or 0), abs=0.011)


def corpora(seed, *, copies):
    """A key, a response with mentions of the same heads, and that response with the spans that the key has for these.

    The key has mentions in two entities; the response has, too, if there are to be copies.
    """
    rng = np.random.default_rng(seed)
    builders = [CorpusBuilder(name) for name in ("key", "response", "as the key")]
    for builder in builders:
        builder.document("d", [f"w{n}" for n in range(60)])

    def add(builder, place, reach, entity):
        head = 10 * place + 5
        builder.mention(head - reach[0], head + 1 + reach[1], str(entity), head=head)

    for place in range(6):
        reach, other = (tuple(rng.integers(0, 3, 2).tolist()) for _ in range(2))
        in_key, in_response = rng.random(2) < 0.8
        for entity in rng.integers(0, 3, 1 + (rng.random() < 0.4)).tolist() if in_key else ():
            add(builders[0], place, reach, entity)
        for entity in rng.integers(0, 3, 1 + (copies and rng.random() < 0.4)).tolist() if in_response else ():
            add(builders[1], place, other, entity)
            add(builders[2], place, reach if in_key else other, entity)
    key, response, as_key = (builder.corpus() for builder in builders)
    return key, response, as_key


@pytest.mark.parametrize("policy", ["conll", "corefud", "ua"])
def test_a_matched_mention_counts_as_the_mention_that_it_matches(policy):
    # Of copies in the response, conll leaves out those that the key has, as equal mentions.
    metrics = ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", *(["lea"] if policy != "conll" else [])]
    for seed in range(24):
        key, response, as_key = corpora(seed, copies=policy != "conll")
        found = score(key, response, match="head", repeated_mentions=policy, metrics=metrics)
        same(found, score(key, as_key, repeated_mentions=policy, metrics=metrics), seed)


@cache
def corefud_corpora():
    pairs = (corefud_pair(seed, 2, zeros=seed % 2 == 0, repeated=True, copies=True) for seed in range(8))
    return [[read(Source(name, text.encode())) for name, text in pair.items()] for pair in pairs]


def as_items(side, place):
    """The mentions of a side as items that are called by their places, entity by entity as its file lists them."""
    builder = CorpusBuilder(side.source)
    mentions = np.lexsort((np.arange(len(place)), side.file_order[side.entity]))
    for number, document in enumerate(side.doc_ids):
        builder.document(document)
        for m in mentions[side.document[mentions] == number].tolist():
            builder.item(str(place[m]), str(side.entity[m]))
    return builder.corpus()


@pytest.mark.parametrize("zeros", ["dependent", "linear"])
@pytest.mark.parametrize("match", ["exact", "head", "partial", "min", "overlap", "craft"])
@pytest.mark.parametrize("policy", ["corefud", "ua"])
def test_only_which_mentions_match_counts_not_where_they_are(policy, match, zeros):
    metrics = ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"]
    for seed, corpora in enumerate(corefud_corpora()):
        e = score(*corpora, metrics=metrics, match=match, zeros=zeros, repeated_mentions=policy)
        of_key, of_response = (np.cumsum(~repeated(side)) - 1 for side in e.pair.with_repeats)
        counterpart = -1 - np.arange(len(e.pair.response.document))
        counterpart[e.pair.matching.response_mention] = e.pair.matching.key_mention
        items = [
            as_items(side, place) for side, place in zip(e.pair.with_repeats, (of_key, counterpart[of_response]), strict=True)
        ]
        same(e, score(*items, metrics=metrics, repeated_mentions=policy), seed)
