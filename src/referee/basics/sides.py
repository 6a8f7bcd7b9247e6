"""Names of columns and fields that say whose annotation they hold: of a key, as `gold`, or of a response, as `predicted`."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

Side = Literal["key", "response", ""]

KEY = r"gold|golden|true|truth|groundtruth|actual|reference|human|annotator\d*|gt|expected"
RESPONSE = "pred|predicted|predictions?|system|response|hyp|hypothesis"
ENTITY = "(?:entity|entities|cluster|label|group|coref|chain|tag|mention|(?:is)?(?:match|duplicate|link)|span)s?(?:ids?)?"
"""Words for an annotation. With them, a few more words name a side: products have a `model`, but no `model_cluster`."""
CLUSTERS = "(?:coref(?:erence)?|cluster|chain|entity|entities|label|group)s?"

_NAMES: dict[Side, re.Pattern[str]] = {
    "key": re.compile(rf"y?(?:{KEY})(?:(?:{ENTITY})*|ids?)|key{ENTITY}|(?:{ENTITY})+(?:{KEY}|key)"),
    "response": re.compile(
        rf"y?(?:{RESPONSE})(?:(?:{ENTITY})*|ids?)|(?:output|auto|model){ENTITY}|(?:{ENTITY})+(?:{RESPONSE}|output|auto|model)"
    ),
}


def folded(name: str) -> str:
    """The name without case, blanks and marks.

    >>> folded("Cluster ID"), folded("ltable.id"), folded("__id")
    ('clusterid', 'ltableid', 'id')
    """
    return re.sub(r"[\s_.\-]+", "", name.casefold())


@cache
def side_of(name: str) -> Side:
    """The side whose annotation has this name; empty if it says nothing of sides.

    >>> side_of("gold_cluster"), side_of("y_pred"), side_of("clusters"), side_of("model"), side_of("model_cluster")
    ('key', 'response', '', '', 'response')
    """
    return next((side for side, names in _NAMES.items() if names.fullmatch(folded(name))), "")


@cache
def is_annotation(name: str) -> bool:
    """Whether a name is one of an annotation: of a side, or of entities.

    >>> is_annotation("coref_id"), is_annotation("actual"), is_annotation("cluster_size"), is_annotation("price")
    (True, True, False, False)
    """
    return bool(side_of(name)) or bool(re.fullmatch(f"(?:{CLUSTERS})+(?:ids?)?", folded(name)))
