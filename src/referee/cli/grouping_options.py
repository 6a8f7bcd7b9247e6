"""The options that say by what documents are grouped."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from referee.basics.exceptions import OptionError, UnknownNameError, check_name
from referee.basics.options.choices import ERRORS_BY
from referee.cli.document_options import METADATA
from referee.cli.help import TakesOptions, rare

if TYPE_CHECKING:
    from referee.metrics.scores import Scores
    from referee.scoring.by import By


def add_arguments(group: TakesOptions) -> None:
    """Add the options that go with --by."""
    few = rare(group)
    few.add_argument("--separator", metavar="TEXT", help="for --by prefix: the text that ends a prefix (default: /)")
    few.add_argument(
        "--depth", type=int, metavar="N", help="for --by prefix: the prefix ends at the N-th separator (default: 1)"
    )
    few.add_argument("--metadata", metavar="FILE", help=f"for --by and --where: {METADATA}")


class Groups:
    """The groups of documents that were asked for; the file of --metadata is read before others are."""

    def __init__(self, args: Namespace) -> None:
        from referee.formats.shared.metadata import read_metadata
        from referee.scoring.by import BY

        self.by: str | None = args.by
        self.separator, self.depth, self.source = (getattr(args, name, None) for name in ("separator", "depth", "metadata"))
        if (self.by != "prefix" or self.source is not None) and (self.separator is not None or self.depth is not None):
            raise OptionError("--separator and --depth are for --by prefix")
        if self.by is None and getattr(args, "where", None):
            self.source = None  # it is for --where alone
        if self.by is None and self.source is not None:
            raise OptionError(f"--metadata FILE has the fields of --by; expected --by FIELD, or {', '.join(BY)} or prefix")
        self.metadata = read_metadata(self.source) if self.source is not None else {}
        if self.metadata:
            check_name("field", self.by, list(next(iter(self.metadata.values()))))

    def grouping(self, systems: Iterable[Scores]) -> By:
        """What gives the group of each document; None for no groups."""
        from referee.scoring.by import BY
        from referee.scoring.groupings import by_field, by_prefix

        each = list(systems)
        documents = dict.fromkeys(name for scores in each for name in scores.documents)
        if self.by is not None and self.source is not None:
            return by_field(documents, self.by, self.metadata, self.source)
        if self.by not in (None, *BY, "prefix"):
            return by_field(documents, self.by, _of_key(each[0], self.by), "the key")
        if self.by == "prefix":
            return by_prefix(
                documents, "/" if self.separator is None else self.separator, 1 if self.depth is None else self.depth
            )
        return self.by


def _of_key(scores: Scores, field: str) -> Mapping[str, Mapping[str, str]]:
    """What the key says of its documents. UnknownNameError if it says nothing."""
    from difflib import get_close_matches  # a slow import

    from referee.scoring.by import BY

    key = getattr(scores, "key", None)  # stored scores have none
    metadata: Mapping[str, Mapping[str, str]] = {} if key is None else key.metadata or {}
    if not metadata:
        remedy = (
            ""
            if get_close_matches(field, BY)
            else f"expected {', '.join(BY)}, prefix (of names), or a field of --metadata FILE"
            + f"; referee errors has --by {field}" * (field in ERRORS_BY)
        )
        raise UnknownNameError("breakdown", field, BY, remedy=remedy)
    return metadata
