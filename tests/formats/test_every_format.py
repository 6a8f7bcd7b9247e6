"""What holds for every format; those that are registered later are tested without being named here."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from referee import inputs, score
from referee.basics.exceptions import FormatError, MissingExtraError, RefereeWarning
from referee.corpus.corpus import FEATURES, Corpus
from referee.corpus.lossy import without
from referee.corpus.text import Text, Words
from referee.inputs import registry
from referee.inputs.registry import FORMATS
from tests.support.annotated import Limits, rich_corpora
from tests.support.examples import examples
from tests.support.metrics import ENTITY_METRICS
from tests.support.mutations import mutated, trouble_with
from tests.support.paths import EXAMPLES
from tests.support.reading import read_again, read_text, written
from tests.support.samples import MADE, TEXTS, samples
from tests.support.strategies import NAMES, PADDED, item_corpora

WRITTEN = inputs.written()
every_format = pytest.mark.parametrize("name", FORMATS)
every_written_format = pytest.mark.parametrize("name", WRITTEN)

LIMITS = {
    "muc": Limits(in_sentences=True),
    "preco": Limits(in_sentences=True),
    "sacr": Limits(in_sentences=True),
    "corefud": Limits(in_sentences=True, crossing=False, by_entity=True, empty=False),
}
"""What the documentation of a format says that its mentions must be; more of the random corpora can then be written."""

APART = {"discourse deixis", "empty nodes"}
"""What is not asked for together with all the rest. Classes are left to the formats' own tests: words decide them."""


def holds(name: str) -> set[str]:
    return set(registry.load_format(name).holds)


def written_by(name: str) -> set[str]:
    return set(registry.load_format(name).writable)


def samples_of(name: str) -> Sequence[Mapping[str, bytes]]:
    try:
        return samples(name)
    except MissingExtraError as error:
        pytest.skip(str(error))


def corpora_for(name: str) -> st.SearchStrategy[Corpus]:
    """Corpora with all that the format can hold, or with a part of it: some formats cannot hold everything at once."""
    features = written_by(name) - {"items", "links", "mention types"}
    limits = LIMITS.get(name, Limits())
    kinds = [rich_corpora(some, limits=limits) for some in _parts_of(features)] if "spans" in features else []
    if "items" in written_by(name):
        linked, most = "links" in written_by(name), 0 if name == "s2and" else 3
        kinds.append(item_corpora(linked=linked, empty=False, max_documents=most, documents=NAMES | PADDED))
    return st.one_of(kinds).map(lambda corpus: held(corpus, name))


def held(corpus: Corpus, name: str) -> Corpus:
    """The corpus without the documents that a format cannot hold: those without mentions, where it has a row a mention."""
    holds_empty = registry.load_format(name).holds_empty
    return corpus if holds_empty else corpus.select_documents(np.unique(corpus.document))


def _parts_of(features: set[str]) -> list[set[str]]:
    """All features, the essential ones, and these with one other."""
    essential = features & {"spans", "words"}
    return [features - APART, essential, *(essential | {other} for other in sorted(features - essential))]


@every_format
def test_it_says_what_it_is_and_what_it_holds(name: str) -> None:
    record = registry.load_format(name)
    assert record.name == name
    assert set(record.writable) <= set(record.holds) <= set(FEATURES)
    assert len(set(record.holds)) == len(record.holds)
    documentation = record.documentation.split("\n")
    assert documentation[0].strip()
    assert documentation[1:2] == [""], "the first line is a sentence of its own"
    assert any(line.startswith("    ") for line in documentation), "there is an example, or a description of the fields"


@pytest.mark.filterwarnings("ignore:.* is a link:referee.RefereeWarning")
@pytest.mark.filterwarnings("ignore:.*left out [0-9]+ (annotation|propert):referee.RefereeWarning")
@every_format
def test_there_is_a_sample_that_is_read_and_recognised(name: str, tmp_path: Path) -> None:
    assert name in {*TEXTS, *MADE}, "add a sample of this format to tests/samples"
    for number, sample in enumerate(samples_of(name)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for file, data in sample.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(data)
        corpus = inputs.read(folder / next(iter(sample)))
        assert corpus.format == name
        assert len(corpus.document)
        assert trouble_with(sample, name, folder) is None


@every_written_format
def test_what_is_written_reads_the_same(name: str) -> None:
    counts: Counter[str] = Counter()

    @examples(4)
    @given(corpora_for(name))
    def check(corpus: Corpus) -> None:
        assume(corpus.doc_ids)
        counts["all"] += 1
        whole = len(corpus.document)
        corpus = largest_written(corpus, name)
        if corpus is None:
            return
        counts["written"] += 1
        counts["whole"] += len(corpus.document) == whole
        counts["with mentions"] += len(corpus.document) > 0
        again = read_again(corpus, name)
        assert again == corpus
        if "entity types" in written_by(name):
            assert types_of(again) == types_of(corpus)
        if corpus.links is not None:
            assert links_of(again) == links_of(corpus)

    check()
    assert counts["written"] >= 0.5 * counts["all"], counts
    assert counts["whole"] >= 0.4 * counts["all"], counts
    assert counts["with mentions"] >= 0.3 * counts["all"], counts


@every_written_format
@pytest.mark.parametrize("example", ["key.conll", "key.sgml", "second.jsonlines"])
def test_what_is_written_is_recognised(name: str, example: str, tmp_path: Path) -> None:
    corpus = inputs.read(EXAMPLES / example)
    if name == "s2and":
        corpus = replace(corpus.select_documents(np.arange(1)), doc_ids=("#1",))
    with silent():
        inputs.write(corpus, tmp_path / "x", format=name, lossy=True)
    again = inputs.read(tmp_path / "x")
    assert again.format == name
    assert len(again.document) == len(corpus.document)


def largest_written(corpus: Corpus, name: str) -> Corpus | None:
    """The corpus with as many of its mentions, from the first on, as the format can hold; None if not even the words can be.

    What it cannot hold it must say.
    """
    for number in range(len(corpus.document), -1 if corpus.items is None else 0, -1):
        kept = corpus if number == len(corpus.document) else held(corpus.select(np.arange(len(corpus.document)) < number), name)
        if not kept.doc_ids:
            return None
        try:
            read_again(kept, name)
        except FormatError as error:
            assert_is_refusal(error)
        else:
            return kept
    return None


def assert_is_refusal(error: FormatError) -> None:
    said = ("cannot hold", "cannot say", "cannot be written", "cannot be told")
    assert any(phrase in error.problem for phrase in said), error
    assert "\n" not in str(error)
    assert len(str(error)) < 400


def types_of(corpus: Corpus) -> list[str]:
    return list(corpus.entity_types or [""] * len(corpus.entity_ids))


def links_of(corpus: Corpus) -> list[tuple[int, int]]:
    return [] if corpus.links is None else list(zip(corpus.links.first.tolist(), corpus.links.second.tolist(), strict=True))


def _cut(data: bytes, random: Random) -> list[bytes]:
    """The beginnings of a file, up to 40 of them."""
    step = 1 + len(data) // 40
    return [data[:n] for n in range(0, len(data), step)]


def _shuffled(data: bytes, random: Random) -> list[bytes]:
    """Its lines in another order."""
    lines = data.splitlines(keepends=True)
    return [*dict.fromkeys(b"".join(random.sample(lines, len(lines))) for _ in range(12))]


def _in_mixed_encodings(data: bytes, random: Random) -> list[bytes]:
    """With a byte of Latin-1, of UTF-16, and more."""
    places = [random.randint(0, len(data)) for _ in range(20)]
    text = data.decode("latin-1")
    other = [text.encode(encoding) for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig")]
    return [*(data[:n] + b"\xe9" + data[n:] for n in places), *other, data.replace(b"\n", b"\r"), data + other[1]]


@every_format
@pytest.mark.parametrize("damaged", [_cut, _shuffled, _in_mixed_encodings])
def test_a_damaged_file_is_a_corpus_or_one_short_fault(
    name: str, damaged: Callable[[bytes, Random], list[bytes]], tmp_path: Path
) -> None:
    random = Random(name)
    with silent():
        for sample in [*samples_of(name), *written_sample(name)]:
            for file in sample:
                step = 1 if len(sample) == 1 else 8  # writing files takes time
                for data in damaged(sample[file], random)[::step]:
                    assert trouble_with({**sample, file: data}, name, tmp_path) is None, data


def written_sample(name: str) -> list[dict[str, bytes]]:
    """What the format makes of the first example file, if that can be written."""
    if name not in WRITTEN or not {"spans", "words"} <= holds(name):
        return []
    return [{"d": written(inputs.read(EXAMPLES / "second.jsonlines"), name).encode()[:3000]}]


@every_format
def test_files_with_random_damage_do_no_harm(name: str, tmp_path: Path) -> None:
    samples_of(name)
    with silent():
        for number in range(2 * settings().max_examples):
            sample = mutated(name, Random(f"every {name} {number}"))
            trouble = trouble_with(sample, name, tmp_path)
            assert trouble is None, (number, trouble, sample)


class silent(warnings.catch_warnings):  # noqa: N801  # used like the function it replaces
    """Our own warnings are of no interest where files are damaged; all others are errors."""

    def __enter__(self) -> Any:
        entered = super().__enter__()
        warnings.simplefilter("ignore", RefereeWarning)
        return entered


# The same annotation scores the same in whatever format it comes.


def regrouped(corpus: Corpus, kept: Sequence[bool], labels: Sequence[int]) -> Corpus:
    """Some mentions of a corpus, in other entities: the labels are those within each document."""
    chosen = np.flatnonzero(np.array(kept[: len(corpus.document)], dtype=bool))
    entity = corpus.document[chosen] * 4 + np.array(labels, dtype=np.int64)[chosen]
    number = {e: n for n, e in enumerate(dict.fromkeys(entity.tolist()))}
    columns = corpus.mention_columns(chosen) | {"entity": np.array([number[e] for e in entity.tolist()], dtype=np.int64)}
    return Corpus(
        corpus.doc_ids,
        **columns,
        entity_ids=[str(e) for e in number],
        text=corpus.text,
        source="random",
        fragment_lists=corpus.fragment_lists,
        empty_nodes=corpus.empty_nodes,
    ).in_reading_order()


def nested(corpus: Corpus) -> Corpus:
    """The corpus without repeated mentions and those that cross one that was kept, which brackets cannot hold."""
    kept: list[tuple[int, int, int]] = []
    whole = []
    for d, start, end in zip(corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True):
        whole.append(not any(e == d and (a <= start < b <= end or start <= a < end <= b) for e, a, b in kept))
        if whole[-1]:
            kept.append((d, start, end))
    return corpus.select(np.array(whole, dtype=bool))


def pairs_of(corpora: st.SearchStrategy[Corpus]) -> st.SearchStrategy[tuple[Corpus, Corpus]]:
    """Keys and responses over the same documents."""
    half = st.tuples(
        st.lists(st.sampled_from([True, True, True, False]), min_size=24, max_size=24),
        st.lists(st.integers(0, 3), min_size=24, max_size=24),
    )
    return st.tuples(corpora, half, half).map(lambda drawn: (regrouped(drawn[0], *drawn[1]), regrouped(drawn[0], *drawn[2])))


def counts_of(key: Corpus, response: Corpus, **options: Any) -> dict[str, dict[str, list[float]]]:
    """The counts of all measures of entities, document by document."""
    with silent():
        evaluation = score(key, response, metrics=list(ENTITY_METRICS), **options)
    return {
        metric: {column: values.tolist() for column, values in counts.columns.items()}
        for metric, counts in evaluation.counts.items()
    }


def assert_formats_agree(pairs: st.SearchStrategy[tuple[Corpus, Corpus]], names: Sequence[str], **options: Any) -> None:
    """Key and response, each written in any of the formats and read again, have the counts that they have in memory.

    Each example pairs each format with one other, and all examples together pair it with all.
    """
    counts: Counter[str] = Counter()

    @given(pairs)
    def check(pair: tuple[Corpus, Corpus]) -> None:
        counts["all"] += 1
        if not all(len(side.document) for side in pair):
            return
        if options.get("match") == "head" and not all("heads" in side.own_features for side in pair):
            return  # refused: a side without any head cannot be matched by heads
        expected = counts_of(*pair, **options)
        sides: list[list[Corpus]] = []
        for side in pair:
            try:
                sides.append([without(read_again(side, name), ["links"]) for name in names])
            except FormatError as error:
                assert_is_refusal(error)
                return
        counts["compared"] += 1
        for n, key in enumerate(sides[0]):
            other = (n + counts["compared"]) % len(names)
            assert counts_of(key, sides[1][other], **options) == expected, (names[n], names[other])

    check()
    assert counts["compared"] >= min(len(names), 0.2 * counts["all"]), counts


def writers(*features: str) -> list[str]:
    """The formats that can write all of this, and documents without mentions; of named mentions, all that can write these."""
    return [
        name
        for name in WRITTEN
        if set(features) <= written_by(name) and ("items" in features or registry.load_format(name).holds_empty)
    ]


def plain(corpus: Corpus) -> Corpus:
    """The corpus with words, and names of documents, that nothing is meant by."""
    if corpus.text is None:
        return corpus
    words = [Words([f"w{n}" for n in range(len(of.tokens))], of.sentences) for of in corpus.text.words]
    return replace(corpus, doc_ids=tuple(f"d{n}" for n in range(len(corpus.doc_ids))), text=Text.of(words))


NARROW = Limits(in_sentences=True, crossing=False, empty=False)


def test_spans_score_the_same_in_all_formats_with_words() -> None:
    names = writers("spans", "words")
    assert len(names) >= 6
    assert_formats_agree(pairs_of(rich_corpora({"spans", "words"}, limits=NARROW).map(nested).map(plain)), names)


@pytest.mark.parametrize(
    ("feature", "options"),
    [("heads", {"match": "head"}), ("discontinuous mentions", {}), ("empty nodes", {}), ("minimum spans", {"match": "min"})],
)
def test_what_only_some_formats_hold_scores_the_same_in_these(feature: str, options: Mapping[str, str]) -> None:
    corpora = rich_corpora({"spans", "words", feature}, limits=NARROW).map(nested).map(plain)
    assert_formats_agree(pairs_of(corpora), writers("spans", "words", feature), **options)


def test_names_score_the_same_in_all_formats_with_names() -> None:
    names = writers("items")
    assert {"csv", "tsv", "links", "clusters", "s2and"} <= set(names)
    assert_formats_agree(
        pairs_of(item_corpora(max_documents=0, repeated=False, empty=False).filter(lambda c: len(c.document) > 2)), names
    )


def test_names_read_by_formats_without_a_writer_score_the_same() -> None:
    pairs = "id1,id2\na,b\nb,c\nd,d\n"
    table = "a,1\nb,1\nc,1\nd,2\n"
    response = read_text("{a b} {c d}", "links")
    assert counts_of(read_text(pairs, "pairs", tables="one"), response) == counts_of(read_text(table, "csv"), response)


def test_an_empty_file_is_a_fault_or_no_documents() -> None:
    for name in set(TEXTS) & set(FORMATS):
        with silent():
            try:
                corpus = read_text("", name)
            except FormatError as error:
                assert str(error).startswith("x")
            else:
                assert not len(corpus.document)
