"""Predict phrases with a model: the probability of every candidate, or the most probable parse.

MODEL is a file that `referee phrases fit` has written, or `chunks`, the model of English that comes with Referee, for CoNLL-U
with tags (`--format dependencies`). INPUT is in any format that `fit` reads, or has words in a column and their parts of
speech in a second. The output is JSON lines of candidates, or what the ending of the file says; parses are written as columns
with IOB2 tags.

The candidates of sentence models (S, Z) are their marginals. As all of them differ, those below --min-probability are not
listed. They get the mean of their category and length.

Examples
--------
referee phrases predict c.json test.txt -o candidates.jsonl
referee phrases predict s.json test.txt --parse > parsed.txt
referee phrases predict c.json test.txt --parse Z -o parsed.txt
referee phrases predict chunks text.conllu --format dependencies --parse
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError
from referee.basics.options.choices import PARSERS, PHRASE_FORMATS

SHIPPED = "chunks"
"""The name of the model that comes with the package."""

MODELS_OWN = "own"
"""Parse with the kind of the model itself."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("model", metavar="MODEL", help="the model")
    parser.add_argument("input", metavar="INPUT", help="the sentences")
    parser.add_argument("--format", choices=PHRASE_FORMATS, metavar="FORMAT", help="format of the input (default: detected)")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write to a file")
    parser.add_argument(
        "--parse",
        choices=[*PARSERS, MODELS_OWN],
        nargs="?",
        const=MODELS_OWN,
        metavar="S|Z",
        help="write the most probable parse, by S or Z (default: that of the model)",
    )
    parser.add_argument(
        "--min-probability",
        type=float,
        metavar="NUMBER",
        default=1e-4,
        help="list the marginals of at least this probability; 0 for all (default: 0.0001)",
    )


def run(args: Namespace) -> int:
    """Predict and write."""
    from referee.formats.shared.source import Source
    from referee.parsing import chunks
    from referee.phrases.formats.writing import write
    from referee.phrases.models.corpora import read_sentences
    from referee.phrases.models.files import load
    from referee.phrases.models.parses import SentenceModel
    from referee.phrases.models.rules import RuleModel, check_tags

    if args.model == args.input == "-":
        raise OptionError("- is standard input, which can be read only once; found it as model and input")
    if not 0 <= args.min_probability <= 1:
        raise OptionError(f"--min-probability takes a probability; found {args.min_probability:g}")
    model = load(Source(chunks.SHIPPED if args.model == SHIPPED else args.model))
    progress.step("reading")
    sentences = read_sentences(args.input, format=args.format)
    phrases = model.phrases if isinstance(model, SentenceModel) else model
    if isinstance(phrases, RuleModel):
        if phrases.tagger is None and sentences.tags is None:
            raise FormatError(args.input, None, f"has no tags, which model {model.name} needs; expected one for each word")
        check_tags(phrases, sentences, source=args.input)
    progress.step("predicting")
    if args.parse is None:
        least = [args.min_probability] if isinstance(model, SentenceModel) else []
        write(model.predict(sentences, *least), args.output)
        return 0
    if args.parse != MODELS_OWN:
        model = SentenceModel(args.parse, phrases)
    elif not isinstance(model, SentenceModel):
        raise OptionError(f"model {model.name} cannot parse by itself; expected --parse S or --parse Z")
    _write_parses(model.parse(sentences), args.output)
    return 0


def _write_parses(parsed: referee.phrases.Chunks, path: str) -> None:
    from referee.phrases.chunking.treebank import OUTSIDE
    from referee.phrases.formats import columns
    from referee.phrases.formats.writing import format_of, write
    from referee.phrases.models.corpora import with_single_words

    if format_of(path) in (None, "columns"):
        columns.write(with_single_words(parsed), path, outside=OUTSIDE)
    else:
        write(parsed, path)
