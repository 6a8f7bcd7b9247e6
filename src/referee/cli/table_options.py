"""The options of tables: what their columns mean, and with what label tables are counted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _ArgumentGroup
from typing import Any

from referee.basics.options.choices import TABLE_CHOICES as CHOICES
from referee.basics.options.options import ENGINE_OPTIONS
from referee.basics.options.reading import READ_OPTIONS, ReadOptions
from referee.cli.help import TakesOptions, rare


def add_reading(parser: ArgumentParser, *, sides: bool = True) -> _ArgumentGroup:
    """Add the options that say what a table means, and return their group; `sides` for verbs with a key and a response."""
    group = parser.add_argument_group("tables of records")
    few = rare(group)
    roles = (
        "item, entity, document and source, or left, right, probability and decision of pairs; word and entity of CoNLL files"
    )
    group.add_argument("--columns", metavar="ROLE=NAME,...", help=f"the columns of {roles}, as word=4,entity=-2")
    if sides:
        few.add_argument("--key-columns", metavar="ROLE=NAME,...", help="the same for the key")
        few.add_argument("--response-columns", metavar="ROLE=NAME,...", help="the same for the responses")
    few.add_argument(
        "--nulls", choices=CHOICES["nulls"],
        help="rows without an item or an entity, or with NA: error, drop, singleton (no entity), keep words (default: error)",
    )  # fmt: skip
    few.add_argument(
        "--tables", choices=CHOICES["tables"], help="whether ids are of one table (without sources), or those of pairs of two"
    )
    few.add_argument(
        "--ids", choices=CHOICES["ids"], help="compare ids as text, or as number: 007 and 7.0 are 7 (default: text)"
    )
    rare(parser).add_argument(
        "--relations", metavar="NAME,...",
        help="the relations of brat, UIMA and other tools that are coreference (default: coref... and ident...)",
    )  # fmt: skip
    rare(parser).add_argument("--encoding", metavar="NAME", help="the encoding of files that are not UTF-8, as cp1252")
    return group


def add_threshold(group: TakesOptions, what: str) -> None:
    """Add the threshold of pairs; `what` is what they are."""
    few = f"{what} pairs with probabilities, which are links from this one on (several: referee thresholds)"
    group.add_argument("--threshold", type=float, metavar="NUMBER", help=few)


def add_skipping(group: TakesOptions) -> None:
    """Add the option that leaves files out, for verbs that read folders."""
    group.add_argument(
        "--skip-bad-files", action="store_true", default=None,
        help="leave out files of folders that cannot be read, with their documents on the other side (in the signature)",
    )  # fmt: skip


def add_engine(parser: ArgumentParser) -> None:
    """Add the options of the engine."""
    group = rare(parser.add_argument_group("large label tables (no option changes a digit)"))
    group.add_argument("--engine", choices=CHOICES["engine"], help="what brings rows together (default: by their number)")
    group.add_argument("--memory", metavar="SIZE", help="memory for everything, such as 8GB (default: 60 %% of what is free)")
    group.add_argument("--spill", metavar="FOLDER", help="where temporary files go (default: that of the system)")
    group.add_argument("--threads", type=int, metavar="N", help="threads of the engine (default: the number of cores)")
    group.add_argument("--master", metavar="URL", help="the cluster of Spark, such as spark://host:7077 (with --engine spark)")
    group.add_argument("--spark-conf", metavar="NAME=VALUE,...", help="configuration of the session of Spark")


def reading(args: Namespace) -> dict[str, Any]:
    """Return what was given of reading, as arguments of `referee.score`; OptionError for a wrong value."""
    values = {name: getattr(args, name) for name in READ_OPTIONS if getattr(args, name, None) is not None}
    if not values.get("where"):
        values.pop("metadata", None)  # it is for --by
    if values:
        ReadOptions.of_sides(**values)
    return values


def options(args: Namespace) -> dict[str, Any]:
    """Return the same, and what was given of the engine; OptionError for a wrong value, before any file is read."""
    engine = {name: getattr(args, name) for name in ENGINE_OPTIONS if getattr(args, name, None) is not None}
    if engine:
        from referee.basics.options.engines import EngineSettings

        EngineSettings(**engine)
    return {**reading(args), **engine}
