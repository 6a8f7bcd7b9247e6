"""A competition of Codabench, made of a task file: the bundle, and the program that scores a submission there.

`referee board --task task.toml --codabench bundle.zip` writes the bundle, which an organiser uploads. Codabench unpacks the
reference data to `input/ref` and a submission to `input/res`, runs the command of the scoring program, and reads
`output/scores.json`; a status that is not 0 is a submission that failed, whose participant sees what was written to standard
error. Neither that nor the page of results has words of the key.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import warnings
import zipfile
import zlib
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from io import BytesIO

from referee.basics.exceptions import OptionError, RefereeError, RefereeWarning, one_line
from referee.basics.files import output, written_whole
from referee.basics.version import VERSION
from referee.cli.grouping_options import Groups
from referee.metrics.best import TARGETS
from referee.metrics.registry import main_metric
from referee.metrics.titles import title_of
from referee.pages.board.submissions import without_words
from referee.reports.numbers import number
from referee.scoring.by import By
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score_each
from referee.scoring.systems import grouped_by
from referee.scoring.task_file import TaskFile, read_task

TASK = "task.toml"
"""The task file in the reference data."""

COMMAND = "python3 -m referee.cli.codabench /app/input /app/output"

IMAGE = f"referee:{VERSION}"
"""The image that `packaging/Containerfile` builds for Codabench."""

YAML = """\
version: 2
title: {title}
description: {description}
image: logo.png
terms: terms.md
docker_image: {image}
enable_detailed_results: true
pages:
- title: Overview
  file: overview.md
tasks:
- index: 0
  name: {title}
  description: {description}
  reference_data: reference_data.zip
  scoring_program: scoring_program.zip
phases:
- index: 0
  name: Evaluation
  description: {description}
  start: {start}
  tasks:
  - 0
leaderboards:
- title: Results
  key: results
  columns:
{columns}"""

COLUMN = """\
  - title: {title}
    key: {key}
    index: {index}
    sorting: {sorting}
"""

OVERVIEW = """\
# {name}

A submission is a zip file with the response: files in the formats, and with the names, of the key. Referee {version} scores it:

    {signature}

Before you submit, `referee validate RESPONSE --key KEY` lists what is wrong, on a key that you have.

{metrics}
"""

TERMS = "# Terms\n\nSubmissions are scored and shown on the leaderboard.\n"


def write_bundle(task_file: str, path: str, image: str | None = None) -> None:
    """Write the bundle of a competition.

    Parameters
    ----------
    task_file
        A file as `referee.scoring.task_file` has it, which names its key.
    path
        The zip file.
    image
        The container image in which submissions are scored; None for `IMAGE`.

    Raises
    ------
    RefereeError
        If the task cannot be read, or its files are not beside it.
    """
    task = read_task(task_file)
    if task.key is None:
        raise OptionError(f'{task_file} names no key; expected key = "gold", a file or folder beside it')
    with warnings.catch_warnings():  # that both are one file
        warnings.simplefilter("ignore", RefereeWarning)
        evaluation = _scored(task, task.key, task.key)
    name = task.name or os.path.splitext(os.path.basename(task_file))[0]
    over = f", mean by {task.grouping['by']}" if "by" in task.grouping else ""
    columns = "".join(
        COLUMN.format(
            title=json.dumps(f"{title_of(metric).paper or metric}{over}", ensure_ascii=False),
            key=metric,
            index=place,
            sorting="asc" if metric in TARGETS else "desc",
        )
        for place, metric in enumerate(_metrics(evaluation))
    )
    described = f"Scored by Referee {VERSION}"
    yaml = YAML.format(
        title=json.dumps(name, ensure_ascii=False),
        description=json.dumps(described),
        image=json.dumps(image or IMAGE),
        start=f"{datetime.now(timezone.utc):%Y-%m-%d}",
        columns=columns,
    )
    metrics = "\n".join(f"- {metric}{over}" for metric in _metrics(evaluation))
    files: dict[str, bytes] = {
        "competition.yaml": yaml.encode(),
        "logo.png": _logo(),
        "overview.md": OVERVIEW.format(
            name=one_line(name), version=VERSION, signature=evaluation.signature, metrics=metrics
        ).encode(),
        "terms.md": TERMS.encode(),
        "reference_data.zip": _zipped(dict(_reference(task_file, task))),
        "scoring_program.zip": _zipped({"metadata.yaml": f"command: {COMMAND}\n".encode()}),
    }
    with written_whole(path) as partial, open(partial, "wb") as file:
        file.write(_zipped(files))


def _reference(task_file: str, task: TaskFile) -> Iterator[tuple[str, bytes]]:
    """The files of the reference data: the task, and what it names, where it names it."""
    folder = os.path.dirname(os.path.abspath(task_file))
    with open(task_file, "rb") as file:
        yield TASK, file.read()
    named = [str(task.key), *([str(task.grouping["metadata"])] if "metadata" in task.grouping else [])]
    for path in named:
        inner = os.path.relpath(os.path.abspath(path), folder)
        if inner.startswith(os.pardir) or os.path.isabs(inner):
            raise OptionError(f"{path} is not beside {task_file}; expected its files in the folder of the task")
        found = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names] if os.path.isdir(path) else [path]
        for one in sorted(found):
            with open(one, "rb") as file:
                yield os.path.relpath(os.path.abspath(one), folder).replace(os.sep, "/"), file.read()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip file, equal for equal files."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _logo(side: int = 128) -> bytes:
    """A picture, which every competition must have: a square in the colour of the pages, with a rim."""
    rim, inside = b"\x1a\x1a\x1c", b"\xf4\xf1\xe8"
    lines = []
    for row in range(side):
        is_rim = row < 8 or row >= side - 8
        lines.append(b"\0" + (rim * side if is_rim else rim * 8 + inside * (side - 16) + rim * 8))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(lines))) + chunk(b"IEND", b"")


def _metrics(evaluation: Evaluation) -> list[str]:
    """The metric that leads first, by which Codabench ranks."""
    main = main_metric(evaluation)
    return sorted(evaluation, key=lambda metric: metric != main)


def _scored(task: TaskFile, key: str, response: str) -> Evaluation:
    (evaluation,) = score_each(key, [("submission", response)], **task.options)
    return evaluation


def main(arguments: Sequence[str]) -> int:
    """Score a submission as Codabench asks for it; return the exit status.

    Parameters
    ----------
    arguments
        The folder of the input, with `ref` and `res`, and that of the output.
    """
    entered, written = arguments
    reference = os.path.join(entered, "ref")
    task = read_task(os.path.join(reference, TASK))
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RefereeWarning)
            evaluation = _scored(task, str(task.key), _submission(os.path.join(entered, "res")))
            by = Groups(Namespace(**{"by": None, "separator": None, "depth": None, "metadata": None, **task.grouping}))
            grouping = by.grouping([evaluation])
            scores = dict(_scores(evaluation, grouping))
            page = evaluation.report("html", by=grouping)
    except RefereeError as error:
        print(f"referee: error: {without_words(one_line(str(error)), ())}", file=sys.stderr)
        return 1
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        print(f"referee: warning: {without_words(one_line(message), evaluation.documents)}", file=sys.stderr)
    os.makedirs(written, exist_ok=True)
    for name, text in (("scores.json", json.dumps(scores)), ("detailed_results.html", page)):
        with output(os.path.join(written, name)) as out:
            out.write(text)
    return 0


def _submission(folder: str) -> str:
    """The response in a submission: its only file or folder, or all of it."""
    names = [name for name in sorted(os.listdir(folder)) if not name.startswith((".", "__MACOSX")) and name != "metadata"]
    if not names:
        raise OptionError("the submission is empty; expected a zip file with the response")
    return os.path.join(folder, names[0]) if len(names) == 1 else folder


def _scores(evaluation: Evaluation, by: By) -> Iterator[tuple[str, float]]:
    """What the leaderboard shows: percentages as reports print them, without what is undefined."""
    parts = grouped_by(evaluation, by, list(evaluation))
    for metric in _metrics(evaluation):
        score = parts.macro(metric)[0] if by else evaluation[metric]
        shown = number(score.value, evaluation.counts_of(metric).unit, evaluation.options.decimals == "truncate")
        if shown != "-":
            yield metric, float(shown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
