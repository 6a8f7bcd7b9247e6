"""Damaged inputs other than the annotation of mentions: phrases, models, counts, tables; and scores and pages of damaged files.

Used by `tests/test_damaged_inputs.py`, some of each kind, and by `scripts/fuzz.py`, as many as one likes.
"""

import base64
import gzip
import io
import json
import math
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import NamedTuple

import numpy as np

from referee import convert, inspect, read_counts, resolve, resolver, score, write_counts
from referee.basics.exceptions import MissingExtraError, RefereeError
from referee.formats.shared.metadata import read_metadata
from referee.formats.shared.source import Source
from referee.inputs.reading import detect
from referee.pages.board import write_board
from referee.phrases.annotation.candidates import PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.formats.reading import read as read_phrases
from referee.phrases.formats.writing import write as write_phrases
from referee.phrases.models.by_name import fit
from referee.phrases.models.files import load, save
from referee.phrases.models.tagger import HMM
from referee.resolver.files import load as load_resolver, text_of
from referee.scoring.groupings import by_field
from referee.scoring.groups import grouped
from referee.stats.settings import Resampling
from tests.support.mutations import SECONDS, HangError, bad_message, damaged, limited, mutated, with_other_value
from tests.support.samples import TEXTS, Sample, parquet, samples

COLUMNS = "Dogs N B-NP\nbark V B-VP\nat P B-PP\nold A B-NP\ncats N I-NP\n\nYes U O\n"

CANDIDATES = """\
{"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"], "default": {"type": "const", "p": 0.1}}
{"id": "s", "n": 3, "words": ["a", "b", "c"], "c": [["NP", 0, 2, 0.5], ["VP", 2, 3, 1]], "uncovered": [1]}
{"id": "t", "n": 1, "words": ["d"], "c": []}
"""

POSTERIORS = """\
{"format": "tag-posteriors", "version": 1, "tags": ["O", "B-NP", "I-NP"]}
{"p": [[0, 1, 0], [0.5, 0, 0.5]], "next": [[[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]]]}
{"p": [[0.25, 0.75, 0]]}
"""

SPANS = """\
{"tokens": ["a", "b"], "tags": ["X", "Y"], "spans": [["NP", 0, 1], ["VP", 1, 2]]}
{"tokens": ["c"], "tags": ["X"], "spans": [{"label": "NP", "start": 0, "end": 1}]}
"""

TREES = """\
# newdoc id = one
# global.Entity = eid-etype-head-other
1\tAnn\tAnn\tPROPN\t_\tGender=Fem|Number=Sing\t2\tnsubj\t_\tEntity=(a-person-1-)
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\tBob\tBob\tPROPN\t_\tNumber=Sing\t2\tobj\t_\tEntity=(b-person-1-)

1\tShe\tshe\tPRON\t_\tGender=Fem|Number=Sing|Person=3|PronType=Prs\t2\tnsubj\t_\tEntity=(a-person-1-)
2\twaved\twave\tVERB\t_\t_\t0\troot\t_\t_

"""


class Kind(NamedTuple):
    """An input: how one is made by chance, and what is done with it, which gives what is wrong, or None."""

    make: Callable[[Random], Sample]
    use: Callable[[Path], str | None]


def trouble_with_input(sample, kind, folder):
    """What went wrong with an input that must be used or be refused with one short line; None if all is well."""
    for name, data in sample.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    try:
        with limited(4 * SECONDS):
            return KINDS[kind].use(folder / next(iter(sample)))
    except RefereeError as error:
        return bad_message(error)
    except HangError:
        return f"takes more than {4 * SECONDS:g} seconds"
    except Exception as error:  # noqa: BLE001  # that is what we look for
        return f"{type(error).__name__}: {error}"


def _texts(texts, name):
    """Texts with some damage."""

    def make(random):
        data = random.choice(texts())
        for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
            data = damaged(data, "jsonlines", random)
        return {name: data}

    return make


# Phrases


def _use_phrases(path):
    phrases = read_phrases(path)
    if problem := _wrong_spans(phrases):
        return problem
    write_phrases(phrases, path.with_name("written.jsonl"), format="spans" if isinstance(phrases, Chunks) else "candidates")
    again = read_phrases(path.with_name("written.jsonl"))
    same = type(again) is type(phrases) and _columns(again) == _columns(phrases)
    return None if same else "what is written again does not read the same"


def _columns(phrases):
    names = [phrases.categories[c] for c in phrases.category.tolist()]
    p = phrases.probability.tolist() if isinstance(phrases, PhraseCandidates) else None
    spans = sorted(zip(phrases.sentence.tolist(), phrases.start.tolist(), phrases.end.tolist(), names, p or names, strict=True))
    return [phrases.sentences.ids, phrases.sentences.words, spans]  # some formats have no tags


def _wrong_spans(phrases):
    inside = (phrases.start >= 0) & (phrases.start < phrases.end)
    if not (inside & (phrases.end <= phrases.sentences.length[phrases.sentence])).all():
        return f"spans beyond their sentences: {phrases.start.tolist()} {phrases.end.tolist()}"
    if isinstance(phrases, PhraseCandidates) and not _are_probabilities(phrases.probability):
        return f"probabilities: {phrases.probability.tolist()}"
    return None


def _are_probabilities(values):
    inside = (values >= 0) & (values <= 1)
    return bool(inside.all())


# Models


@cache
def _training():
    sentences = Sentences(("a", "b"), np.array([3, 1], dtype=np.int32), [["w", "x", "y"], ["x"]], [["t", "u", "t"], ["v"]])
    columns = {"sentence": [0, 0, 1], "start": [0, 2, 0], "end": [2, 3, 1], "category": [0, 1, 2]}
    return Chunks.build(sentences, ["A", "B", "C"], **columns)


@cache
def _phrase_models():
    texts = []
    for name in ("1", "XK", "G", "C", "S(C)", "Z(XK)"):
        out = io.StringIO()
        save(fit(name, _training(), _training(), tagger=HMM.train(_training().sentences)), out)
        texts.append(out.getvalue().encode())
    return texts


def _use_phrase_model(path):
    return _wrong_spans(load(Source(path)).predict(_training().sentences))


@cache
def _resolver_models():
    fitted = resolver.fit(_trees(), tables=["string", "typerole"], epochs=1)
    return [text_of(load_resolver("rules")).encode(), text_of(fitted).encode()]


@cache
def _trees():
    """A file of two documents with trees."""
    path = Path(mkdtemp()) / "train.conllu"
    path.write_text(TREES + TREES.replace("= one", "= two"))
    return path


def _use_resolver_model(path):
    model = load_resolver(path)
    text = text_of(model)
    path.with_name("again").write_text(text, encoding="utf-8")
    if text_of(load_resolver(path.with_name("again"))) != text:
        return "what is written again does not read the same"
    resolve(_trees(), model)
    return None


# Counts, tables


@cache
def _counts():
    path = Path(mkdtemp()) / "a.parquet"
    evaluation = score({"d": [{1, 2}, {3}]}, {"d": [{1}, {2, 3}], "e": [{4}]}, metrics=["muc", "b_cubed", "conll"])
    write_counts(evaluation, path)
    return path.read_bytes(), {name: evaluation[name].value for name in evaluation}


def _use_counts(path):
    found = read_counts(path)
    values = {name: found[name].value for name in found}
    expected = _counts()[1]
    return None if values == expected else f"a damaged file has other scores: {values}; expected {expected}"


LABELS = {"document": ["d", "d", "d", "e"], "item": ["a", "b", "c", "a"], "entity": ["1", "1", "2", "1"]}


def _make_tables(random):
    value = LABELS
    for _ in range(random.choice((0, 1, 1, 2))):
        value = with_other_value(value, random)
    with suppress(ValueError):  # not everything is a table
        return {"a.parquet": parquet(value), "key.parquet": parquet(LABELS)}
    return {"a.parquet": parquet(LABELS), "key.parquet": parquet(LABELS)}


def _use_tables(path):
    outcomes = {}
    for engine in ("memory", "duckdb"):
        try:
            evaluation = score(path.with_name("key.parquet"), path, metrics=["muc", "b_cubed", "ceaf_e"], engine=engine)
            outcomes[engine] = str({name: evaluation[name] for name in evaluation})
        except MissingExtraError:
            raise
        except RefereeError as error:
            if problem := bad_message(error):
                return problem
            outcomes[engine] = "refused"
    return None if len(set(outcomes.values())) == 1 else f"the engines disagree: {outcomes}"


# Scores and pages of damaged files


def _make_pair(random):
    """Key and response of one format, one of them or both damaged."""
    name = random.choice([name for name in TEXTS if len(samples(name)[0]) == 1])
    key, response = (next(iter(mutated(name, Random(random.random())).values())) for _ in range(2))
    return {"key": key if random.random() < 0.5 else response, "response": response}


def _use_score(path):
    found = score(path, path.with_name("response"), metrics="all")
    again = score(path.with_name("response"), path, metrics="all")
    for name, record in found.metrics.items():
        one, other = found[name], again[name] if name in again.metrics else found[name]
        equal = math.isclose(one.value, other.value, abs_tol=1e-12) or math.isnan(one.value) == math.isnan(other.value) == 1
        if record.symmetric and not equal and "aligned" not in found.signature + again.signature:  # on the words of the key
            return f"{name} is {one}, and {other} with the sides exchanged"
    return _out_of_bounds(found)


def _out_of_bounds(scores):
    """A score that is not between 0 and 1, or -1 and 1 as that of BLANC's kappa; where nothing is counted it is NaN."""
    for name, record in scores.metrics.items():
        one = scores[name]
        values = [v for v in (one.value, one.recall, one.precision) if v is not None and not math.isnan(v)]
        if not record.unit and not all(-1 <= v <= 1 + 1e-12 for v in values):
            return f"{name} is {one}"
    return None


METADATA = b"document\tgenre\tyear\nd\tnews\t1\ne\tweb\t2\n"

WORDS = "Tom saw his dog . He fed it ."
GROUNDED = "#begin document (d1);\n" + "".join(f"{word}\t{cell}\n" for word, cell in zip(
    WORDS.split(), ["(1)", "-", "(2|(1)", "2)", "-", "(1)", "-", "(2)", "-"], strict=True
)) + "#end document\n"  # fmt: skip


def _make_answer(random):
    """A key with words, and the damaged answer of a language model."""
    data = next(iter(mutated(random.choice(("tagged", "quotes")), random).values()))
    return {"key": GROUNDED.encode(), "response": data}


def _use_answer(path):
    """Score an answer on the words of a key, and convert it to them: only mentions that these words lack may be gone."""
    response = path.with_name("response")
    if detect(response) not in ("tagged", "quotes"):
        return None
    found = score(path, response, metrics="all")
    convert(response, path.with_name("grounded.conll"), text=path, lossy=True)
    again = score(path, path.with_name("grounded.conll"))
    before, after = found["mentions"], again["mentions"]
    if before.recall != after.recall or before.precision > after.precision:
        return f"mentions: {found['mentions']}, converted {again['mentions']}"
    return _out_of_bounds(found)


def _use_metadata(path):
    """Score by each field of a table: the counts of the groups add up to those of all documents."""
    table = read_metadata(str(path))
    evaluation = score({"d": [{1, 2}, {3}], "e": [{4}]}, {"d": [{1}, {2, 3}], "e": [{4}]}, metrics=["muc", "b_cubed"])
    for field in next(iter(table.values())):
        groups = grouped(evaluation, by_field(evaluation.documents, field, table, str(path)), ["muc", "b_cubed"])
        for metric in ("muc", "b_cubed"):
            one, other = (str(scores.counts_of(metric).total().columns) for scores in (groups, evaluation))
            if one != other:
                return f"{metric} by {field}: the groups have {one}, all documents {other}"
    return None


def _use_board(path):
    """Write a board of a response, and of the key as another: nothing is better than the key."""
    site = path.with_name("site")
    systems = {"<b>a": path.with_name("response"), "key": path}
    ranked = write_board(path, systems, site, resampling=Resampling(resamples=20))
    page, rows = (site / "index.html").read_text("utf-8"), json.loads((site / "board.json").read_text("utf-8"))["ranking"]
    if "<b>a" in page:
        return "a name is shown as HTML"
    shown = sorted(row["system"] for row in rows)
    first = ranked.comparisons["<b>a"]["key", ranked.metric].difference
    return None if shown == ["<b>a", "key"] and (first is None or not first.value < -1e-12) else f"{rows}: {first}"


BLOCK = re.compile(r'<script type="text/plain" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')


def _use_page(path):
    inspection = inspect(path, path.with_name("response"))
    html = inspection.html()
    blocks = dict(BLOCK.findall(html))
    if html.count("</script") != len(blocks) + 1:
        return "there are scripts beside the page's own"
    data = {name: json.loads(gzip.decompress(base64.b64decode(text))) for name, text in blocks.items()}
    documents = data["overview"]["documents"]
    records = [record for name, some in data.items() if name.startswith("documents-") for record in some]
    if len(records) != len(documents):
        return f"documents: {documents}; data: {sorted(data)}"
    for number, record in enumerate(records):
        for side in (record["key"], *(r["annotation"] for r in record["responses"] if r)):
            wrong = [e for e in side["end"] if record["tokens"] and e > len(record["tokens"])] if side else []
            if wrong or (side and not len(side["start"]) == len(side["end"]) == len(side["entity"])):
                return f"document {number}: mentions that do not fit"
    return None


KINDS = {
    "phrases": Kind(_texts(lambda: [text.encode() for text in (COLUMNS, CANDIDATES, POSTERIORS, SPANS)], "p"), _use_phrases),
    "phrase-model": Kind(_texts(_phrase_models, "m.json"), _use_phrase_model),
    "resolver-model": Kind(_texts(_resolver_models, "m"), _use_resolver_model),
    "counts": Kind(_texts(lambda: [_counts()[0]], "a.parquet"), _use_counts),
    "tables": Kind(_make_tables, _use_tables),
    "score": Kind(_make_pair, _use_score),
    "page": Kind(_make_pair, _use_page),
    "answer": Kind(_make_answer, _use_answer),
    "metadata": Kind(_texts(lambda: [METADATA, METADATA.replace(b"\t", b",")], "m"), _use_metadata),
    "board": Kind(_make_pair, _use_board),
}
