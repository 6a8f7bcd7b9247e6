"""Counts files: what metrics counted in each document, as Parquet, from which all scores can be made again to the bit.

A row is a document. The column `document` has its name. The others, `c0`, `c1`, ..., are the columns of the counts, int64 or
float64; columns that are equal are stored once. The metadata `referee.counts` is JSON:

::

    {"version": 1, "digest": 912559, "referee": "0.3.0", "name": "run7.conll", "engine": "memory",
     "signature": "...", "short_signature": "...", "options": {"match": "exact", ...},
     "metrics": {"muc": {"recall_numerator": "c0", ...}, ...}, "digests": {"document": 77, "c0": 1311, ...},
     "sources": {"key": {"name": "key.conll", "size": 4212, "modified": 1791.5, "mentions": 19, "entities": 6},
                 "response": {...}}}

A `digest` is the CRC-32 of the JSON without it, with sorted keys; those of the columns are of their types and values. So a
file with a wrong bit anywhere is refused.

Needs the extra `referee[parquet]`.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from zlib import crc32

from referee.algorithms.arrays import Numbers
from referee.basics.exceptions import FormatError, MissingFileError, OptionError, listed, one_line, shortened, warn
from referee.basics.extras import arrow, need, parquet
from referee.basics.files import written_whole
from referee.basics.names import check_call
from referee.basics.options.options import Options
from referee.basics.version import VERSION
from referee.corpus import CorpusBuilder
from referee.formats.shared.json_values import Json
from referee.formats.shared.source import check_size
from referee.inputs.paths import ENDING, KEY
from referee.matching.pair import Pair, pair_of
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS
from referee.scoring.evaluation import Evaluation
from referee.scoring.other_scorers.profiles import PROFILES
from referee.scoring.stored import StoredScores, scores_of_scorer, sources_of
from referee.stats.counts import Columns, Counts

VERSION_OF_FORMAT = 1

ROWS = 1 << 16
"""Documents of a row group."""


@check_call()
def write_counts(scores: object, path: str | os.PathLike[str]) -> None:
    """Write the counts of each document, from which `read_counts` makes the scores again.

    Parameters
    ----------
    scores : Evaluation, StoredScores or Scorer
        What was counted; a `Scorer` keeps the counts of documents with ``rows=True``.
    path : path
        A file that ends in .parquet.

    Raises
    ------
    OptionError
        If the file cannot be written, or no metric can be stored.

    Warns
    -----
    RefereeWarning
        If metrics of your own are left out: a file has no functions.
    """
    scores = scores_of_scorer(scores)
    if not isinstance(scores, (Evaluation, StoredScores)):
        raise OptionError(f"found {shortened(repr(scores))}; expected an evaluation, or a Scorer with rows=True")
    scores.check_rows()
    if callable(scores.options.match):
        raise OptionError("counts by a matcher of your own cannot be stored: expected a name, as match='overlap'")
    records = _records(scores.options.profile)
    stored = {name: counts for name, counts in scores.counts.items() if records.get(name) is scores.metrics.get(name)}
    if own := [name for name in scores.counts if name not in stored]:
        remedy = "counts of functions of your own cannot be stored: expected names of metrics"
        if not stored:
            raise OptionError(f"found {listed(own)} alone; {remedy}")
        warn(f"{os.fspath(path)}: left out {listed(own)}; {remedy}")
    target = os.fspath(path)
    if not target.endswith(ENDING):
        raise OptionError(f"counts are written as Parquet; found {target}: expected a name that ends in .parquet")
    need("a counts file", "pyarrow")
    columns: dict[str, Numbers] = {}
    names: dict[tuple[str, bytes], str] = {}
    metrics: dict[str, dict[str, str]] = {}
    for metric, counts in stored.items():
        metrics[metric] = {}
        for column, values in counts.columns.items():
            kind = "int64" if values.dtype.kind in "iu" else "float64"
            typed = values.astype(kind)
            name = metrics[metric][column] = names.setdefault((kind, typed.tobytes()), f"c{len(names)}")
            columns.setdefault(name, typed)
    options = {name: None if isinstance(v, float) and math.isnan(v) else v for name, v in asdict(scores.options).items()}
    content = {
        "version": VERSION_OF_FORMAT,
        "referee": VERSION,
        "name": scores.name,
        "engine": str(scores.run.get("engine", "memory")),
        "signature": scores.signature,
        "short_signature": scores.short_signature,
        "options": options,
        "sources": dict(sources_of(scores)),
        "metrics": metrics,
        "digests": _digests(scores.documents, columns),
    }
    content["digest"] = crc32(_canonical(content))
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    arrays = {"document": arrow.array(scores.documents, arrow.string()), **{n: arrow.array(c) for n, c in columns.items()}}
    table = arrow.table(arrays)
    with (
        written_whole(target) as partial,
        open(partial, "wb") as opened,  # Arrow opens no name that is not UTF-8
        parquet.ParquetWriter(opened, table.schema, compression="zstd", write_page_checksum=True) as file,
    ):
        file.write_table(table, row_group_size=ROWS)
        file.add_key_value_metadata({KEY: text.encode(errors="backslashreplace")})  # a file name may be no UTF-8


@check_call()
def read_counts(path: str | os.PathLike[str]) -> StoredScores:
    """Read a counts file: scores, breakdowns, intervals and comparisons without key and response.

    Parameters
    ----------
    path : path
        What `referee score --counts` or `write_counts` wrote.

    Returns
    -------
    StoredScores
        The scores, as a mapping from metrics. All digits are those of the evaluation that was stored.

    Raises
    ------
    FormatError
        If the file is damaged, of another version of the format, or no counts file.
    MissingExtraError
        Without pyarrow.
    """
    name = os.fspath(path)
    content, documents, columns = _content(name)
    try:
        return _scores(content, documents, columns)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(name, None, f"has metadata that cannot be read: {shortened(str(error), 100)}") from None


def _content(path: str) -> tuple[dict[str, Json], tuple[str, ...], dict[str, Numbers]]:
    """The metadata, the documents and the columns of a file, which are as they were written."""
    need("a counts file", "pyarrow")
    if not os.path.exists(path):
        raise MissingFileError(path, None, "cannot be opened: no such file or directory")
    check_size(path, os.path.getsize(path))
    failures = (arrow.ArrowException, OSError, UnicodeDecodeError, json.JSONDecodeError, MemoryError)
    try:
        with open(path, "rb") as opened, parquet.ParquetFile(opened, page_checksum_verification=True) as file:
            metadata = file.metadata.metadata or {}
            if KEY.encode() not in metadata:
                raise FormatError(path, None, "is no counts file; expected one that referee score --counts has written")
            content = json.loads(metadata[KEY.encode()])
            version = content.get("version") if isinstance(content, dict) else None
            if version != VERSION_OF_FORMAT:
                problem = f"has version {shortened(repr(version))} of the format"
                raise FormatError(path, None, f"{problem}; expected {VERSION_OF_FORMAT}: score the files again")
            if content.get("digest") != crc32(_canonical({name: v for name, v in content.items() if name != "digest"})):
                problem = "has metadata that were changed"
                raise FormatError(path, None, f"{problem}; expected a file as referee score --counts wrote it")
            table = file.read()
    except failures as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(path, None, f"is no counts file that can be read: {problem}") from None
    names = table.column_names
    if {*names} != {*content["digests"]}:
        differing, expected = (one_line(shortened(", ".join(hashes), 100)) for hashes in (names, content["digests"]))
        raise FormatError(path, None, f"has the columns {differing}; expected {expected}")
    documents = tuple(table.column("document").to_pylist())
    columns = {name: table.column(name).to_numpy() for name in names if name != "document"}
    digests = _digests(documents, columns)
    for name, digest in content["digests"].items():
        if digests[name] != digest:
            raise FormatError(path, None, f"is damaged: column {name} has other values than were written; write it again")
    return content, documents, columns


def _scores(content: Mapping[str, Json], documents: tuple[str, ...], columns: Columns) -> StoredScores:
    options = dict(content["options"])
    if options["zero_division"] is None:
        options["zero_division"] = math.nan
    records, empty = _records(options["profile"]), pair_of(CorpusBuilder().corpus(), CorpusBuilder().corpus(), Options())
    metrics = {name: records[name] for name in content["metrics"]}
    counts = {name: _counts(metrics[name], places, columns, empty) for name, places in content["metrics"].items()}
    return StoredScores(
        name=content["name"],
        documents=documents,
        metrics=metrics,
        counts=counts,
        options=Options(**options),
        signature=content["signature"],
        short_signature=content["short_signature"],
        sources=content["sources"],
        engine=content["engine"],
    )


def _counts(metric: Metric, places: Mapping[str, str], columns: Columns, empty: Pair) -> Counts:
    """The counts of a metric; how they are divided, the metric says when it counts nothing."""
    counts = metric.of_pair(empty)
    if lacking := counts.columns.keys() - places.keys():
        raise ValueError(f"{metric.id} has no column {min(lacking)}")
    return Counts({column: columns[name] for column, name in places.items()}, counts.finish, counts.unit)


def _records(profile: str) -> Mapping[str, Metric]:
    """The metrics of a profile, by their names."""
    return {**METRICS, **PROFILES[profile].metrics}


def _digests(documents: Sequence[str], columns: Columns) -> dict[str, int]:
    """The CRC-32 of each column: of its type and values, or of the names of the documents."""
    names = b"".join(document.encode() + b"\0" for document in documents if isinstance(document, str))
    numbers = {name: crc32(column.tobytes(), crc32(column.dtype.name.encode())) for name, column in columns.items()}
    return {"document": crc32(names), **numbers}


def _canonical(content: Mapping[str, object]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
