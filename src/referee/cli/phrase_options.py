"""The options with which the verbs of `phrases` that compare a key and responses read these."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.basics.options.choices import DECODERS, PHRASE_FORMATS, TREE_CHUNKS, decoder_named
from referee.cli import scoring_options
from referee.cli.help import TakesOptions, rare

if TYPE_CHECKING:
    from referee.phrases.formats.sides import PhraseSides

KEY = "the key: the true phrases"


def add_threshold(group: TakesOptions) -> None:
    """Add the option that makes phrases of probabilities."""
    group.add_argument(
        "--threshold",
        type=float,
        metavar="NUMBER",
        default=0.5,
        help="a candidate of this probability or more counts as predicted where phrases are matched (default: 0.5)",
    )


def add_phrases(group: TakesOptions) -> None:
    """Add the options that say which phrases count, and what makes them."""
    few = rare(group)
    group.add_argument("--types", metavar="NAMES", default="", help="score phrases of these types alone, as PER,LOC")
    group.add_argument("--without", metavar="NAMES", default="", help="leave out phrases of these types")
    few.add_argument("--categories", metavar="NAMES", default="", help="add these types to the candidate space")
    group.add_argument("--untyped", action="store_true", help="ignore the types of phrases")
    group.add_argument(
        "--decode",
        type=decoder_named,
        choices=DECODERS,
        metavar="SCHEME",
        default="conlleval",
        help=f"how tags become phrases: {', '.join(DECODERS)} (BIO is IOB2; default: conlleval, lenient)",
    )
    few.add_argument("--trees", choices=TREE_CHUNKS, default="abney", help="how trees become chunks (default: abney)")
    few.add_argument(
        "--outside",
        metavar="NAME",
        default="",
        help="make each word with the tag O a phrase of this category (default: Null, if another file has it)",
    )


def add_files(parser: ArgumentParser) -> None:
    """Add the options that say what the files are."""
    group = rare(scoring_options.add_files(parser, PHRASE_FORMATS))
    group.add_argument("--key-column", type=int, metavar="NUMBER", help="column of the key's tags, from 1, or from the end: -1")
    group.add_argument(
        "--response-column", type=int, metavar="NUMBER", help="column of the responses' tags (default: the last)"
    )
    group.add_argument("--encoding", metavar="NAME", help="the encoding of files that are not UTF-8, as cp1252")


def read(args: Namespace, responses: Sequence[str]) -> PhraseSides:
    """Read the key and the responses over one candidate space, as the options say; a key alone has both."""
    from referee.formats.shared.source import Source
    from referee.phrases.formats.registry import PhraseOptions
    from referee.phrases.formats.sides import PhraseInput, PhraseSides, check_alone, read_sides

    scoring_options.check_files([args.key, *responses])
    options = PhraseOptions(decode=args.decode, column=args.response_column, trees=args.trees, encoding=args.encoding)
    key_options = replace(options, column=args.key_column, holds_key=args.key in (responses or [args.key]))
    key_format, response_format = scoring_options.formats(args)
    of_key = PhraseInput.open(args.key, key_format, key_options, "key")
    places: list[str | Source] = [*responses]
    if not responses:  # standard input is read only once
        is_piped = isinstance(of_key.place, Source) and of_key.place.path == "-"
        places = [
            Source("<stdin>", of_key.place.raw(), role="response")
            if is_piped and isinstance(of_key.place, Source)
            else args.key
        ]
    files = [PhraseInput.open(place, response_format, options) for place in places]
    categories, types, without = names(args.categories), names(args.types), names(args.without)
    sides = read_sides(of_key, files, outside=args.outside, categories=categories, types=types, without=without)
    key, predicted, settings = sides
    if not responses:
        check_alone(key, predicted[0])
    if args.untyped:
        key, predicted = key.without_categories(), [response.without_categories() for response in predicted]
    settings |= {"types": args.types, "without": args.without, "untyped": args.untyped}
    return PhraseSides(key, predicted, {name: value for name, value in settings.items() if value})


def names(text: str) -> list[str]:
    """The names in a text, separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]
