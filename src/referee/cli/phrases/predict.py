"""Predict phrases: the probability of every candidate, or the most probable parse.

MODEL is a file that `referee phrases fit` has written. INPUT is in any format that it reads, or words in a column, with their
parts of speech in a second. The output is JSON lines of candidates, or what the ending of the file says; parses are columns
with IOB2 tags.

Candidates of sentence models (S, Z) are their marginals. As every one of them differs, those below --least are not listed, and
are given the mean of their category and length.

examples:
  referee phrases predict c.json test.txt -o candidates.jsonl
  referee phrases predict s.json test.txt --parse > parsed.txt
  referee phrases predict c.json test.txt --parse Z -o parsed.txt
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from referee.cli.phrases.fit import progress
from referee.exceptions import FormatError, OptionError
from referee.formats.shared.source import Source
from referee.phrases.formats import columns
from referee.phrases.formats.registry import FORMATS
from referee.phrases.formats.writing import ENDINGS, write
from referee.phrases.models.corpora import NULL, alone, read_sentences
from referee.phrases.models.files import load
from referee.phrases.models.rules import Rules
from referee.phrases.models.sentence import SentenceModel
from referee.phrases.models.sequence import WEIGHTS

OWN = "own"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the model")
    parser.add_argument("input", metavar="INPUT", help="the sentences")
    parser.add_argument("--format", choices=FORMATS, help="format of the input (default: told from the content)")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write to a file")
    parser.add_argument(
        "--parse", choices=[*WEIGHTS, OWN], nargs="?", const=OWN, metavar="S|Z",
        help="write the most probable parse, by S or Z (default: the model's own)",
    )  # fmt: skip
    parser.add_argument(
        "--least", type=float, metavar="NUMBER", default=1e-4,
        help="of marginals, list those of at least this; 0 for all (default: 0.0001)",
    )  # fmt: skip


def run(args: Namespace) -> int:
    if args.model == args.input == "-":
        raise OptionError("- is standard input, which can be read only once; found it as model and input")
    if not 0 <= args.least <= 1:
        raise OptionError(f"--least takes a probability; found {args.least:g}")
    model = load(Source(args.model))
    progress("reading")
    sentences = read_sentences(args.input, format=args.format)
    phrases = model.phrases if isinstance(model, SentenceModel) else model
    if isinstance(phrases, Rules) and phrases.tagger is None and sentences.tags is None:
        raise FormatError(args.input, None, f"has no tags, which model {model.name} looks at; expected one for each word")
    progress("predicting")
    if args.parse is None:
        found = model.predict(sentences, args.least) if isinstance(model, SentenceModel) else model.predict(sentences)
        progress()
        write(found, args.output)
        return 0
    own = model.kind if isinstance(model, SentenceModel) else None
    kind = own if args.parse == OWN else args.parse
    if kind is None:
        raise OptionError(f"model {model.name} has no way to parse of its own; expected --parse S or --parse Z")
    parsed = SentenceModel(kind, phrases).parse(sentences)
    progress()
    ending = os.path.splitext(args.output.removesuffix(".gz"))[1]
    if ENDINGS.get(ending, "columns") == "columns":
        columns.write(alone(parsed), args.output, null=NULL)
    else:
        write(parsed, args.output)
    return 0
