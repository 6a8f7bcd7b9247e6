"""A perfect score is looked at: what was not read beside a key and a response that have the same annotation."""

from __future__ import annotations

import os

from referee.basics.exceptions import MismatchError, listed, one_line, warn
from referee.basics.sides import folded, is_annotation, side_of
from referee.corpus import Corpus
from referee.corpus.origin import Origin
from referee.inputs.kinds import Input
from referee.inputs.paths import Stored
from referee.matching.key_samples import SAMPLING
from referee.matching.pair import Pair
from referee.metrics.pairs import counts_of_decisions, decisions_of
from referee.metrics.table import table_of
from referee.scoring.evaluation import Evaluation

SHOWN = 5
"""Columns that a message names at most."""


def check_perfect(evaluation: Evaluation, key: Input, response: Input) -> None:
    """Warn of one file on both sides, and of columns that are not read, if key and response have the same annotation.

    Raises
    ------
    MismatchError
        If one of these columns or fields looks like an annotation.
    """
    if key.kind == response.kind == "labels" and isinstance(evaluation.compared, Pair) and is_perfect(evaluation):
        _warn_of_singletons(*evaluation.compared.scored)
    origins = {side: origin for side, origin in (("key", _origin(key)), ("response", _origin(response))) if origin}
    if "key" in origins and _source(key) != _source(response) and (other := origins["key"].other_side):
        warn(f"{_source(key)} has {other}, too: it was read from {origins['key'].field}")
    unread = dict.fromkeys(
        name
        for side, origin in origins.items()
        for name in origin.unread
        if side_of(name) in ("", side) and not (side == "key" and folded(name) in SAMPLING)
    )
    is_one_file = (name := _source(key)) == _source(response) and os.path.exists(name)
    if not (unread or is_one_file) or not is_perfect(evaluation):
        return
    origin = origins.get("response") or origins.get("key") or Origin("")
    same = f"{name} is key and response" if is_one_file else f"{_source(key)} and {_source(response)} have the same annotation"
    read = f", read from {origin.field}" if origin.field else ""
    if not unread:
        warn(f"{same}{read}: expected another file, unless the scores of a file with itself are meant")
        return
    likely = list(filter(is_annotation, unread))
    names = likely or list(unread)
    others = listed([one_line(other) for other in names[:SHOWN]]) + f" and {len(names) - SHOWN} more" * (len(names) > SHOWN)
    problem = f"{same}{read}, and {others} {'is' if len(names) == 1 else 'are'} not read"
    if not origin.role and any(side_of(name) == "response" for name in names):
        remedy = f"referee convert --role response (referee.read(path, role='response')) reads {one_line(names[0])}"
    elif not origin.role:
        remedy = f"expected the clusters of a response as predicted_clusters: rename {one_line(names[0])}"
    else:
        is_shared = not is_one_file and all(names[0] in side.unread for side in origins.values())
        option = "--columns" if is_shared else "--response-columns"
        remedy = f"{option} {origin.role}={one_line(_named(names[0]))} reads it"
        remedy += (
            f", {option} {origin.role}={one_line(_named(origin.field))} says that {one_line(origin.field)} is meant"
            * bool(origin.field)
        )
    if likely:
        raise MismatchError(f"{problem}: {remedy}")
    warn(f"{problem}: {remedy}")


def _warn_of_singletons(key: Corpus, response: Corpus) -> None:
    """Warn of the same items on both sides if each has a label of its own, so that nothing says which belong together."""
    if 1 < len(key.entity) == len(key.entity_ids):
        each = f"each of the {len(key.entity)} items of {key.source} and {response.source} has a label of its own"
        warn(f"{each}: is what they have in common in another column, or in the labels?")


def _named(column: str) -> str:
    """How --columns names a column: by its number where it has no name."""
    return column.removeprefix("column ")


def _origin(side: Input) -> Origin | None:
    return None if isinstance(side, Stored) else side.origin


def _source(side: Input) -> str:
    """What an input is called: the path of its file."""
    return side.source if isinstance(side, Corpus) else side.path if isinstance(side, Stored) else side.name


def is_perfect(evaluation: Evaluation) -> bool:
    """Whether key and response have the same mentions, and the same entities; of two lists of pairs also the same matches.

    Of tables whose rows stay columns all scores are looked at.
    """
    pair = evaluation.compared
    if not isinstance(pair, Pair):
        return all(evaluation[metric].value == 1 for metric in evaluation)
    key, response = pair.scored
    matched = len(pair.matching.key_mention)
    if not matched == len(key.entity) == len(response.entity) or not matched:
        return False
    if all(side.decided_pairs is not None for side in pair.unfiltered):
        decided = counts_of_decisions(*decisions_of(pair.unfiltered, pair.places))
        if decided["fp"].any() or decided["fn"].any():
            return False
    table = table_of(pair)
    return len(table.key) == len(key.entity_ids) == len(response.entity_ids)
