"""The options of label tables: which columns, what is counted, and with what."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from referee.choices import TABLE_CHOICES as CHOICES
from referee.options import TABLE_OPTIONS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of label tables."""
    group = parser.add_argument_group("label tables (Parquet files, folders and URLs)")
    group.add_argument(
        "--columns", metavar="ROLE=NAME,...", help="the columns of item, entity, document and source (default: by their names)"
    )
    group.add_argument("--key-columns", metavar="ROLE=NAME,...", help="the same for the key")
    group.add_argument("--response-columns", metavar="ROLE=NAME,...", help="the same for the responses")
    group.add_argument("--nulls", choices=CHOICES["nulls"], help="rows without an item or an entity (default: error)")
    group.add_argument("--engine", choices=CHOICES["engine"], help="what brings rows together (default: by their number)")
    group.add_argument("--memory", metavar="SIZE", help="memory for everything, such as 8GB (default: 60 %% of what is free)")
    group.add_argument("--spill", metavar="FOLDER", help="where temporary files go (default: that of the system)")
    group.add_argument("--threads", type=int, metavar="N", help="threads of the engine (default: the number of cores)")
    group.add_argument("--master", metavar="URL", help="the cluster of Spark, such as spark://host:7077 (with --engine spark)")
    group.add_argument("--spark-conf", metavar="NAME=VALUE,...", help="configuration of the session of Spark")


def options(args: Namespace) -> dict[str, Any]:
    """Return what was given, as arguments of `referee.score`; OptionError for a wrong value, before any file is read."""
    given = {name: getattr(args, name) for name in TABLE_OPTIONS if getattr(args, name, None) is not None}
    if given:
        from referee.tables.settings import Settings

        Settings(**given)
    return given
