"""List the tags of files, or of the files of folders, that are not legal in their places; exit with 1 if there are any.

The scheme is that whose prefixes the tags have, or that of --decode. Scores read such tags leniently, as conlleval does, unless
--decode names a scheme.

Examples
--------
referee phrases validate response.iob
referee phrases validate predictions --decode IOB2 --limit 20
referee phrases validate response.iob --report github
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from referee.basics.exceptions import FormatError, OptionError, RefereeError, counted
from referee.basics.options.choices import DECODERS, decoder_named
from referee.cli import validate


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or - for standard input")
    schemes = [name for name in DECODERS if name != "conlleval"]
    parser.add_argument(
        "--decode", type=decoder_named, choices=schemes, metavar="SCHEME", default="strict",
        help=f"the scheme: {', '.join(schemes)} (default: strict, the one whose prefixes the tags have)",
    )  # fmt: skip
    parser.add_argument("--column", type=int, metavar="NUMBER", help="column of the tags (default: the last)")
    parser.add_argument("--encoding", metavar="NAME", help="the encoding of files that are not UTF-8, as cp1252")
    parser.add_argument(
        "--limit", type=int, metavar="N", default=validate.LIMIT, help=f"tags to show, at most (default: {validate.LIMIT})"
    )
    parser.add_argument("-r", "--report", choices=validate.REPORTS, default="text", help="form of the report (default: text)")


def run(args: Namespace) -> int:
    """Print the tags and their number."""
    return validate.report(args, _verdicts(args), "file")


def _verdicts(args: Namespace) -> Iterator[validate.FileVerdict]:
    from referee.phrases.formats.folders import sources
    from referee.phrases.formats.reading import file_or_folder
    from referee.phrases.formats.registry import PhraseOptions

    options = PhraseOptions(column=args.column, encoding=args.encoding)
    for path in args.files:
        for source in sources(path, options) if os.path.isdir(path) else [file_or_folder(path, "response", options)]:
            errors: list[RefereeError] = []
            summary = ""
            try:
                errors, summary = _illegal(source, args.decode, options)
            except FormatError as error:
                errors = [error]
            name = str(getattr(source, "name", source))
            yield validate.FileVerdict(name, [name], errors[: max(args.limit, 1)], len(errors), summary=summary)


def _illegal(source: object, decode: str, options: object) -> tuple[list[RefereeError], str]:
    """The tags of a file that are not legal, and what was read."""
    from referee.formats.shared.source import Source
    from referee.phrases.chunking.iob import illegal_tags, rule_named
    from referee.phrases.chunking.schemes import are_plain
    from referee.phrases.formats.columns import read
    from referee.phrases.formats.registry import PhraseOptions

    assert isinstance(source, Source)
    assert isinstance(options, PhraseOptions)
    chunks = read(source, options)
    tags = chunks.word_tags or []
    try:
        rule = "IO" if are_plain({tag for row in tags for tag in row}) else rule_named(decode, tags, source.name)
    except OptionError as error:
        raise FormatError(source.name, None, str(error).partition(": ")[2]) from None
    first = chunks.sentences.first_line
    errors: list[RefereeError] = []
    for sentence, word in illegal_tags(tags, rule):
        row = ["the beginning", *tags[sentence], "the end"]
        problem = f"found {row[word + 1]} after {row[word]}, before {row[word + 2]}: not legal in {rule}"
        if first is None:
            errors.append(FormatError(source.name, None, f"sentence {sentence + 1}, word {word + 1}: {problem}"))
        else:
            errors.append(FormatError(source.name, int(first[sentence]) + word, problem))
    return errors, f"{counted(len(tags), 'sentence')}, {counted(len(chunks), 'phrase')}, {rule}"
