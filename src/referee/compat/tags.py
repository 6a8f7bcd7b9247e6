"""Tags as callers give them, lists of names: what is no name is a mistake."""

from __future__ import annotations

import re
from functools import lru_cache

from referee.basics.exceptions import OptionError, one_line, shortened

NO_NAME = re.compile(r"-?\d+(\.\d*)?|LABEL_\d+|.*\s(O|[BIESLUMW]-.*)")
"""A number, also as models without names of labels have it; or several tags."""


def name_of_tag(tag: object) -> str:
    """Return the tag; OptionError for the number of a label, for which other packages have no message, or an unclear one.

    Examples
    --------
    >>> name_of_tag(3)
    Traceback (most recent call last):
    referee.OptionError: found the tag 3; expected names of tags, as B-PER: map ids to names
    """
    if not isinstance(tag, str) or _is_no_name(tag):
        raise OptionError(f"found the tag {shortened(one_line(repr(tag)))}; expected names of tags, as B-PER: map ids to names")
    return str(tag)


@lru_cache(maxsize=4096)  # texts have many tags, of few kinds
def _is_no_name(tag: str) -> bool:
    return bool(NO_NAME.fullmatch(tag.strip()))
