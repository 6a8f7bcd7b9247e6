"""Reproduce the table of Abney (1993) on a corpus: fit every model, and score it on other sentences.

Give three corpora: TRAIN, from which rules are learnt, SECOND, which tells how good they are, and TEST. With two, the halves of
the first are TRAIN and SECOND. One is cut where --split says. Formats are those of `referee phrases fit`.

examples:
  referee phrases reproduce train.txt test.txt
  referee phrases reproduce treebank/combined --split 1706,659
  referee phrases reproduce train.txt second.txt test.txt --tagger hmm --report csv
"""

from __future__ import annotations

import csv
import json
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict, astuple, fields
from typing import TextIO

from referee.cli.phrases.fit import add_reading, progress
from referee.exceptions import OptionError
from referee.files import output
from referee.phrases.annotation.chunks import Chunks
from referee.phrases.models.corpora import read_corpus, split
from referee.phrases.models.reproduction import ModelScores, Reproduction, UncoveredShares, reproduce
from referee.phrases.models.tagger import HMM
from referee.version import VERSION


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("corpora", metavar="CORPUS", nargs="+", help="train, second and test; or train and test; or one to cut")
    parser.add_argument(
        "--split", metavar="A,B", help="cut one corpus: A sentences to train, B for the second, the rest to test"
    )
    parser.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    add_reading(parser)


def run(args: Namespace) -> int:
    progress("reading")
    train, second, test = _corpora(args)
    progress("tagger")
    tagger = HMM.train(train.sentences, source=train.source) if args.tagger == "hmm" else None
    table = reproduce(train, second, test, tagger=tagger, progress=progress)
    progress()
    with output(args.output) as out:
        REPORTS[args.report](table, f"referee {VERSION} | tags:{args.tagger} | trees:{args.trees}", out)
    return 0


def _corpora(args: Namespace) -> list[Chunks]:
    paths = args.corpora
    if len(paths) > 3 or paths.count("-") > 1:
        raise OptionError(f"found {len(paths)} corpora; expected one, two or three, and one from standard input at most")
    if (len(paths) == 1) != bool(args.split):
        raise OptionError("--split cuts a single corpus; found it with several, or one without it: give --split A,B")
    read = [read_corpus(path, trees=args.trees, format=args.format) for path in paths]
    if args.split:
        sizes = args.split.split(",")
        if len(sizes) != 2 or not all(size.strip().isdecimal() and len(size) < 10 for size in sizes):
            raise OptionError(f"--split takes two numbers of sentences, as in 1706,659; found {args.split!r}")
        return split(read[0], [int(size) for size in sizes])
    if len(read) == 2:
        return [*split(read[0], [len(read[0].sentences) // 2]), read[1]]
    return read


CORPORA = ("train", "second", "test")


def _text(table: Reproduction, signature: str, out: TextIO) -> None:
    out.writelines(
        f"{name:6}  {sentences:,} sentences  {chunks:,} true chunks  {candidates:,} candidates\n"
        for name, (sentences, chunks, candidates) in zip(CORPORA, table.corpora, strict=True)
    )
    out.write(f"\n{'model':6}{'bits/cand.':>12}{'bits/sent.':>12}{'bits/chunk':>12}{'log10 PP':>10}")
    out.write(f"{'recall':>9}{'precision':>11}{'F1':>8}{'seconds':>9}\n")
    for row in table.rows:
        each = "" if math.isnan(row.bits_per_candidate) else f"{row.bits_per_candidate:.6f}"
        out.write(f"{row.model:6}{each:>12}{row.bits_per_sentence:12.2f}{row.bits_per_chunk:12.2f}{row.log10_perplexity:10.2f}")
        out.write(f"{_percent(row.recall):>9}{_percent(row.precision):>11}{_percent(row.f1):>8}{row.seconds:9.2f}\n")
    u = table.uncovered
    out.write(f"\nno rule of G covers {u.true_chunks:.1%} of the true chunks, {u.candidates:.1%} of the candidates; ")
    out.write(f"they have {u.bits:.1%} of its bits\n")
    out.write("recall, precision, F1: expected, of phrase models; of the most probable parse, for S and Z\n")
    out.write(f"{signature} | categories:{len(table.categories)}\n")


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.2f}"


def _csv(table: Reproduction, signature: str, out: TextIO) -> None:
    """A line a model; what is said of the corpora stands on each, what is said of rules on that of G."""
    sizes = [f"{corpus}_{what}" for corpus in CORPORA for what in ("sentences", "chunks", "candidates")]
    uncovered = [f"uncovered_{field.name}" for field in fields(UncoveredShares)]
    of_all = [size for corpus in table.corpora for size in corpus]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*(field.name for field in fields(ModelScores)), *uncovered, *sizes, "signature"])
    for row in table.rows:
        of_rules = astuple(table.uncovered) if row.model == "G" else [math.nan] * len(uncovered)
        values = ["" if value != value else value for value in (*astuple(row), *of_rules)]  # noqa: PLR0124  # nan
        writer.writerow([*values, *of_all, f"{signature} | categories:{len(table.categories)}"])


def _json(table: Reproduction, signature: str, out: TextIO) -> None:
    value = asdict(table, dict_factory=lambda pairs: {name: None if of != of else of for name, of in pairs})  # noqa: PLR0124  # nan
    json.dump({"signature": signature, **value}, out, indent=2)
    out.write("\n")


REPORTS: dict[str, Callable[[Reproduction, str, TextIO], None]] = {"text": _text, "csv": _csv, "json": _json}
