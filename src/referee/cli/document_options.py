"""The options that say which documents are compared."""

from __future__ import annotations

from referee.cli.help import TakesOptions, rare

METADATA = "a table with tabs or commas: one line for each document, with fields such as genre"


def add_arguments(group: TakesOptions, *, metadata: bool = True) -> None:
    """Add the options, and the file of --metadata unless a verb has it already."""
    group.add_argument(
        "--documents", metavar="PATTERN", action="append",
        help="only documents whose names fit, as 'news_*'",
    )  # fmt: skip
    group.add_argument(
        "--where", metavar="FIELD=VALUE", action="append",
        help="only documents with this value, as genre=news",
    )  # fmt: skip
    few = rare(group)
    few.add_argument("--min-tokens", type=int, metavar="N", help="only documents of at least so many words")
    few.add_argument("--max-tokens", type=int, metavar="N", help="only documents of at most so many words")
    if metadata:
        few.add_argument("--metadata", metavar="FILE", help=f"for --where: {METADATA}")
