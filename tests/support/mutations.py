"""Damaged files: what is done to samples of every format, and what a reader must not do with the result.

Used by `tests/formats/test_every_format.py`, some hundred files a format, and by `scripts/fuzz.py`, as many as one likes.
"""

import gc
import json
import math
import re
import signal
import tracemalloc
import warnings
import zlib
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np

from referee import inputs, score
from referee.basics.exceptions import FormatError, RefereeError, RefereeWarning
from referee.corpus.corpus import Corpus
from referee.corpus.lossy import without
from referee.formats.shared.source import BINARY, Source
from referee.inputs import registry
from tests.support.raw_texts import same_in_text
from tests.support.reading import read_again, written
from tests.support.samples import SHEETS, TABLES, TEXTS, parquet, samples, workbook
from tests.support.warned import silenced

SECONDS = 2.0
"""Of the processor: what takes longer for so small a file hangs."""

SHORT = """\
́ é 0 -1 -0 +1 00 1.5 1e999 -1e999 NaN Infinity 0x10 ² ١ 1_000 2147483647 2147483648 4294967296 9223372036854775808
999999999999999999999999999999 null true false [] {} "" [[]] [null] "\\ud800" "\\u0000" \\ " ' ( ) [ ] { } < > | (((((
))))) (1 1) (1) (1)|(1) - -- _ * # = , ; : / & &amp; &lt &#0; &#55296; &x; %00 %s {0} <!-- --> <![CDATA[ ]]> <?x?> </s>
</COREF> <TEXT> </TEXT> <DOC> .. ../../etc/passwd 1-2 1.1 0.1 [1/2] (EntityID=1|MarkableID=a Entity=(e1 Entity=e1) e1<e1
Bridge=e1<e2 SplitAnte=e1<e1 word_1..word_3 -> word_3..word_1 word_1..word_999999999 #T_SP=a|b
"""
"""What readers may trip over, without blanks; numbers, brackets, pieces of the formats themselves."""
HOSTILE = [
    *SHORT.split(),
    *("", " ", "\n", "\n\n", "\t", "\r", "\r\n", "\0", "\ufeff", "\u2028", "\u00a0", "\x0b", "\x1c", "\x85"),
    *('{"a": 1, "a": 2}', '<!DOCTYPE a [<!ENTITY x "y">]>', "<COREF ID=1>", "#begin document (d)", "#end document"),
    *("# newdoc id = d", "# newdoc", "# global.Entity = eid", "T1\tX 0 3;2 1\tx", "R1\tCoreference Arg1:T1 Arg2:T1"),
    *("*\tEquiv T1", "9" * 5000, "1" + "0" * 400, "x" * 3000, "[" * 2000, "{" * 2000, '{"a":' * 1200, "<a>" * 500),
    *("(1|" * 700, "a-b " * 700, "\n" * 300, "\t" * 300, "|" * 300),
]  # fmt: skip
RAW = [
    *(token.encode() for token in HOSTILE),
    *(b"\xff", b"\xc3", b"\xe9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\x80"),
]
RARE = [
    *(b"[" * 100_000, b'{"a":[' * 30_000, b"<a>" * 50_000, b"x" * 200_000, b"(1" * 50_000, b"\n" * 100_000, b"9" * 100_000),
    *(b" " * 100_000, b"\t" * 100_000, b"<!--" * 25_000, b"<root " * 20_000, b'"' * 100_000, b"\\" * 100_000, b"-" * 100_000),
    *(b"a=" * 50_000, b"&" * 100_000, b"<COREF ID=1>" * 8_000, b"a-b " * 30_000, b"|" * 100_000, b"(1)|" * 30_000),
    *(b"{" + b"\n" * 60_000, b"{a " * 40_000, b"1,2\n" * 30_000, b"T1\tX 0 3\tx\n" * 8_000, b"#\n" * 50_000),
    *(b"word_1,word_2 " * 8_000, b"[1]|" * 30_000),
]  # fmt: skip
"""Where time may grow with the square of the length."""
VALUES = [
    *(None, True, False, 0, 1, 2, -1, 1.5, 1e308, float("inf"), float("nan"), 2**31, 2**63, 10**30, 10**4000),
    *("", " ", "0", "1", "a", "d1", "\0", "\ud800", "é\u0301", "x" * 300, "a\nb", "a\tb", [], {}, [[]], [None], [0], [0, 0]),
    *([1, 0], [[0, 0]], [[[0, 0]]], ["a"], [["a"]], {"a": 1}, {"": []}, [0, 1, 2, 3], [[0, 1], "a"], [True, False]),
    *([-1, 0], [0, 10**30], ["a", "a"]),
]  # fmt: skip
WORD = re.compile(rb"[^\s,:;\"'<>=|()\[\]{}/-]+")
NUMBER = re.compile(rb"[0-9]+")


def mutated(format, random, start=None):
    """One of the samples, or another file to start from, damaged in one to four ways."""
    files = dict(start or random.choice(samples(format)))
    name = random.choice(list(files))
    with suppress(ValueError, RecursionError, zlib.error):  # not everything can be packed again
        if format == "parquet" and start is None and random.random() < 0.8:
            return {name: parquet(with_other_value(random.choice(TABLES), random))}
        if format == "xlsx" and start is None and random.random() < 0.8:
            return {name: workbook(with_other_value(random.choice(SHEETS), random))}
        if format == "docbin" and random.random() < 0.8:
            return {name: _docbin_with_other_value(files[name], random)}
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        files[name] = damaged(files[name], format, random)
        if random.random() < 0.3:
            name = random.choice(list(files))
    return files


def damaged(data, format, random):
    """The bytes of a file, damaged in one way."""
    return random.choices(DAMAGE, WEIGHTS)[0](data, format, random)


def _flipped(data, format, random):
    damaged = bytearray(data)
    for _ in range(random.randint(1, 4) if damaged else 0):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    return bytes(damaged)


def _cut(data, format, random):
    """Its beginning, its end, or all but a piece."""
    a, b = sorted(random.randint(0, len(data)) for _ in range(2))
    return random.choice((data[:a], data[b:], data[:a] + data[b:], data[: max(0, len(data) - random.randint(1, 9))]))


def _other_lines(data, format, random):
    """A line gone, repeated, moved or exchanged for another; or all in another order."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    n, m = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(5)
    if kind == 0:
        del lines[n]
    elif kind == 1:
        lines[n:n] = [lines[m]] * (random.choice((1, 1, 1, 2, 50)) if len(data) < 20_000 else 1)
    elif kind == 2:
        lines[n], lines[m] = lines[m], lines[n]
    elif kind == 3:
        lines.insert(m, lines.pop(n))
    else:
        random.shuffle(lines)
    return b"".join(lines)


def _inserted(data, format, random):
    n = random.randint(0, len(data))
    return data[:n] + random.choice(RAW) + data[n:]


def _other_word(data, format, random):
    """A word or number exchanged for a hostile one, or for another of the file."""
    words = _places(data, NUMBER if random.random() < 0.4 else WORD)
    if not words:
        return data
    start, end = random.choice(words)
    other = data[slice(*random.choice(words))] if random.random() < 0.5 else random.choice(RAW)
    return data[:start] + other + data[end:]


@lru_cache(256)
def _places(data, pattern):
    """Where words are: files are damaged again and again."""
    return [word.span() for word in pattern.finditer(data)]


def _spliced(data, format, random):
    """With a piece, or the rest, of another sample: mostly of the same format."""
    of = format if random.random() < 0.7 else random.choice(TEXTS)
    other = random.choice(list(random.choice(samples(of)).values()))
    n, (a, b) = random.randint(0, len(data)), sorted(random.randint(0, len(other)) for _ in range(2))
    return random.choice((data[:n] + other[a:], data[:n] + other[a:b] + data[n:], data + other))


def _encoded(data, format, random):
    text = data.decode(errors="replace")
    encoding = random.choice(("utf-16", "utf-16-le", "latin-1", "utf-8-sig", "crlf", "cr", "gzip"))
    if encoding == "gzip":
        import gzip

        packed = gzip.compress(data, 1, mtime=0)
        return packed if random.random() < 0.3 else _flipped(packed, format, random)
    if encoding in ("crlf", "cr"):
        return data.replace(b"\n", b"\r\n" if encoding == "crlf" else b"\r")
    return text.encode(encoding, errors="replace")


def _other_value(data, format, random):
    """A value of a JSON file exchanged for another."""
    try:
        values = [json.loads(data)]
    except (ValueError, RecursionError):
        values = []
        for line in data.splitlines():
            with suppress(ValueError, RecursionError):
                values.append(json.loads(line))
    if not values:
        return _other_word(data, format, random)
    n = random.randrange(len(values))
    with suppress(RecursionError, ValueError):
        values[n] = with_other_value(values[n], random)
        return "\n".join(json.dumps(value) for value in values).encode()
    return data


def with_other_value(value, random):
    """The value with one of those inside (or itself) exchanged, gone, repeated, or under another key."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.08:
        return random.choice(VALUES)
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = random.choice(keys)
    copy = dict(value) if isinstance(value, dict) else list(value)
    kind = random.random()
    if kind < 0.1:
        del copy[key]
    elif kind < 0.2:
        copy[random.choice(keys)] = copy[key]
    elif kind < 0.25 and isinstance(copy, dict):
        copy[random.choice(("clusters", "text", "tokens", "doc_key", "id", "", "0", "links"))] = copy[key]
    elif kind < 0.25:
        copy.insert(key, copy[key])
    else:
        copy[key] = with_other_value(copy[key], random)
    return copy


def _docbin_with_other_value(data, random):
    msgpack = import_module("srsly").msgpack_dumps, import_module("srsly").msgpack_loads
    unpacked = zlib.decompress(data)
    if random.random() < 0.5:
        return zlib.compress(_flipped(unpacked, "docbin", random), 1)
    try:
        return zlib.compress(msgpack[0](with_other_value(msgpack[1](unpacked), random)), 1)
    except Exception as error:  # the library has many
        raise ValueError from error


def _oversized(data, format, random):
    n = random.randint(0, len(data))
    return data[:n] + random.choice(RARE) + data[n:]


DAMAGE = (
    _flipped, _cut, _other_lines, _inserted, _other_word, _spliced, _other_value, _encoded, _oversized,
)  # fmt: skip
WEIGHTS = (10, 10, 15, 15, 25, 12, 20, 3, 0.02)


class HangError(BaseException):
    """Not an Exception, so that no reader takes it for its own."""


@contextmanager
def limited(seconds=SECONDS):
    """HangError if what is done takes more of the processor's time; without a limit where the system has no such timer.

    Garbage is not collected: in a process that has run many tests, this alone would take long.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number, frame):
        raise HangError

    before = signal.signal(signal.SIGPROF, stop)
    collects = gc.isenabled()
    gc.disable()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if collects:
            gc.enable()
        signal.signal(signal.SIGPROF, before)


def opened(sample, folder):
    """The file to read: in memory, or, if others belong to it, in the folder."""
    first, *others = sample
    if not others:
        return Source("x", sample[first])
    stored(sample, folder)
    return Source(folder / first)


def stored(sample, folder):
    """Write the files of a sample into a folder."""
    for name, data in sample.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)


class Outcome(NamedTuple):
    """What came of a damaged file: what is wrong with that, or None; and the corpus, if it could be read."""

    trouble: str | None
    corpus: Corpus | None = None


def trouble_with(sample, format, folder):
    """What a reader did that it must not do with any file, however damaged; None if all is well."""
    return outcome(sample, format, folder).trouble


def outcome(sample, format, folder):
    """What comes of a damaged file, with what is wrong.

    Reading must give a corpus that makes sense, or a FormatError of one short line, whether or not the format is named;
    `validate` must find a fault in exactly those files that cannot be read. What is written of the corpus, in this format and
    in another, must read the same, the corpus must be a perfect response to itself, and reading takes no more memory than is
    promised. Each of the last three is tried with every third file, by its digest.
    """
    try:
        with limited(2 * SECONDS):
            return _outcome(sample, format, folder)
    except HangError:
        return Outcome(f"takes more than {2 * SECONDS:g} seconds")
    except Exception as error:  # noqa: BLE001  # that is what we look for
        return Outcome(f"{type(error).__name__}: {error}")


def _outcome(sample, format, folder):
    path, data = _put(sample, folder)
    digest = zlib.crc32(data or b"".join(sample.values()))
    with _traced(data if digest % 3 == 2 else None) as memory:
        corpus, refused = _read(path, data, format)
    if memory and memory[0] > _most(data):  # again, as the first time libraries are imported
        with _traced(data) as memory:
            _read(path, data, format)
        if memory[0] > _most(data):
            return Outcome(f"takes {memory[0]} bytes for {len(data or b'')}")
    try:
        other = inputs.detect(Source(path, data))
    except FormatError:
        other = format
    if other != format:
        _read(path, data, other)
    faults = _faults(path, data, format)
    for fault in [*faults, *([refused] if refused else [])]:
        if problem := bad_message(fault, fault.source):
            return Outcome(problem)
    if refused and not faults:
        return Outcome(f"validate finds nothing, but read says: {refused}")
    if faults and not refused:
        return Outcome(f"it can be read, but validate says: {faults[0]}")
    if corpus is None:
        return Outcome(None)
    trouble = _nonsense(corpus) or _not_as_counted(corpus, data, format) or _not_held(corpus, format)
    if trouble is None and digest % 3 == 0:
        trouble = _imperfect(corpus)
    if trouble is None and digest % 3 == 1:
        others = inputs.written()
        trouble = _lost(corpus, others[digest % len(others)])
    return Outcome(trouble, corpus)


class Glance(NamedTuple):
    """What reading a damaged file alone shows: what is wrong, or None; how the reader behaved; whether it was read."""

    trouble: str | None
    behaviour: object
    is_read: bool = False


QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")


def glance(sample, format, folder):
    """Read a damaged file once; the rest of `outcome` takes ten times as long."""
    try:
        with limited(2 * SECONDS):
            corpus, refused = _read(*_put(sample, folder), format)
            if refused is not None:
                wanted = refused.problem.rpartition("; expected")[2]
                return Glance(bad_message(refused, refused.source), (QUOTED.sub("", wanted)[:60], refused.line is None))
            sizes = len(corpus.doc_ids), len(corpus.document), len(corpus.entity_ids)
            behaviour = corpus.features, corpus.text is None, *(min(size, 4) for size in sizes)
            return Glance(_nonsense(corpus), behaviour, bool(sizes[0]))
    except HangError:
        return Glance(f"takes more than {2 * SECONDS:g} seconds", None)
    except Exception as error:  # noqa: BLE001  # that is what we look for
        return Glance(f"{type(error).__name__}: {error}", None)


def _put(sample, folder):
    """Where the file to read is, and its content, unless others belong to it: then they are stored."""
    path = folder / next(iter(sample))
    if len(sample) == 1:
        return path, next(iter(sample.values()))
    stored(sample, folder)
    return path, None


def _read(path, data, format):
    """What comes of reading: a corpus with its words read, or an error."""
    try:
        corpus = inputs.read(Source(path, data), format=format)
        if corpus.text is not None:
            assert len(corpus.text.words) == len(corpus.doc_ids)
    except FormatError as error:
        return None, error
    return corpus, None


MULTIPLE, AT_LEAST = 300, 8_000_000
"""How many bytes a reader may take for each of a text, as SECURITY.md has it; and in any case."""


@contextmanager
def _traced(data):
    """How much memory was taken at most, once it is over; nothing of files that are packed or on disk."""
    found = []
    if data is None or data.startswith((b"\x1f\x8b", *BINARY)):
        yield found
        return
    tracemalloc.start()
    try:
        yield found
        found.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def _most(data):
    return max(AT_LEAST, MULTIPLE * len(data or b""))


def _not_as_counted(corpus, data, format):
    """Where another number of mentions is read than a plain text begins and ends, without a warning."""
    if data is None or format not in COUNTED or data.startswith(b"\x1f\x8b"):
        return None
    expected, found = COUNTED[format](Source("x", data).raw().decode()), len(corpus.document)
    if set(expected) <= {found}:
        return None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", RefereeWarning)
        _read(Path("x"), data, format)
    return None if said else f"found {found} mentions; expected {expected}"


def _brackets(text):
    """How many brackets are opened and closed in the last column of CoNLL; also of tokens that begin with #."""
    lines = re.sub("^# ?(begin|end) document.*", "", text, flags=re.MULTILINE).split("\n")
    rows = [re.split(r"[\0- ]+", line.rstrip(BLANKS)) for line in lines]
    cells = [row[-1] for row in rows if not row[0].startswith("#") or (len(row) > 1 and BRACKETS.fullmatch(row[-1]))]
    return [sum(cell.count(bracket) for cell in cells) for bracket in "()"]


def _in_clusters(text):
    """How many mentions the clusters of JSON lines have; nothing for other forms."""
    try:
        documents = [json.loads(line) for line in text.split("\n") if line.strip()]
        if any("span_clusters" in document or "characters" in document for document in documents):
            return []
        return [sum(len(cluster) for document in documents for cluster in document["clusters"])]
    except (ValueError, KeyError, TypeError):
        return []


BLANKS = bytes(range(33)).decode()
BRACKETS = re.compile(r"((\([^()|]+\)?|[^()|]+\))\|?)+")
COUNTED = {"conll": _brackets, "jsonlines": _in_clusters}


def _faults(path, data, format):
    try:
        return inputs.validate(Source(path, data), format=format)
    except FormatError as error:  # the source cannot be opened
        return [error]


def bad_message(fault, source=""):
    """What is wrong with a message; it has one line, is short, and says where."""
    message = str(fault)
    if "\n" in message:
        return f"the message has several lines: {message!r}"
    if len(message.removeprefix(source)) >= 550:
        return f"the message has {len(message)} characters: {message[:500]}"
    if not message.startswith(source):
        return f"the message names no source: {message}"
    return None


def _nonsense(corpus):
    """What does not fit together in a corpus; None if all does."""
    if len(set(corpus.doc_ids)) < len(corpus.doc_ids) or "" in corpus.doc_ids:
        return f"document names: {corpus.doc_ids}"
    if (corpus.start < 0).any() or (corpus.start > corpus.end).any():
        return f"spans: {corpus.start.tolist()} {corpus.end.tolist()}"
    if corpus.text is not None:
        lengths = [len(words.tokens) for words in corpus.text.words]
        if any(end > lengths[d] for d, end in zip(corpus.document.tolist(), corpus.end.tolist(), strict=True)):
            return f"spans beyond the last token: {corpus.end.tolist()}"
        for words in corpus.text.words:
            starts = list(words.sentences)
            if (
                starts != sorted(set(starts))
                or starts[:1] != [0][: len(words.tokens)]
                or max(starts, default=-1) >= len(words.tokens) > 0
            ):
                return f"sentences at {starts} of {len(words.tokens)} tokens"
    for column, nothing in ((corpus.head, -1), (corpus.minimum_span, -1)):
        if column is not None:
            inside = column.reshape(len(corpus.document), -1)
            known = (inside != nothing).all(axis=1)
            if ((inside < corpus.start[:, None]) | (inside > corpus.end[:, None]))[known].any():
                return f"heads or minima outside mentions: {column.tolist()}"
    list(corpus.entity_ids), list(corpus.entity_types or ()), list(corpus.items or ()), repr(corpus)
    return None


def _not_held(corpus, format):
    """What a format says that it cannot hold, or does not survive writing; None if all does."""
    if not len(corpus.document):
        return None
    record = registry.load_format(format)
    excess = corpus.features - set(record.holds)
    if not record.write:
        return f"{sorted(excess)} are read, but the format says that it does not hold them" if excess else None
    return _lost(corpus, format)


def _lost(corpus, format):
    """What gets lost when a corpus is written in a format, besides what is left out because the format cannot hold it."""
    record = registry.load_format(format)
    try:
        lean = without(corpus, corpus.features - set(record.writable))
        if lean.head is not None:  # a mention of one token has no other
            lean = replace(lean, head=np.where(lean.end - lean.start == 1, lean.start, lean.head))
        if not record.holds_empty:
            lean = lean.select_documents(np.unique(lean.document))
        if not len(lean.document):
            return None
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", RefereeWarning)
            text = written(lean, format)
    except RefereeError as error:
        return bad_message(error)
    text.encode()
    try:
        again = read_again(lean, format)
    except RefereeError as error:
        if "cannot be written" in str(error) or "cannot be told apart" in str(error):  # as the name of a file
            return None
        return f"what is written as {format} cannot be read: {error}: {text[:1000]!r}"
    return (
        None
        if again == lean or said or same_in_text(again, lean)
        else f"what is written as {format} does not read the same: {text[:2000]!r}"
    )


def _imperfect(corpus):
    """The metrics by which a corpus is no perfect response to itself."""
    try:
        with silenced():
            evaluation = score(corpus, corpus, metrics="all")
    except RefereeError as error:  # such as a mention annotated twice in the same entity
        return bad_message(error)
    if "aligned" in evaluation.signature or "repaired" in evaluation.signature:  # an answer, by the words of the key
        return None
    wrong = {}
    for name, metric in evaluation.metrics.items():
        value, best = evaluation[name].value, 1.0 if metric.target is None else metric.target
        if not (math.isnan(value) or math.isclose(value, best, abs_tol=1e-9)):
            wrong[name] = value
    return f"the scores of a corpus against itself: {wrong}" if wrong else None
