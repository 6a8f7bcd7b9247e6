"""JSON, for programs: everything there is, fractions at full precision, null where undefined, "inf" where infinite."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from referee.reports.listing import Listing


def render(listings: Sequence[Listing]) -> str:
    """Write tables in this form."""
    contents = [listing.to_dict() for listing in listings]
    return written(contents[0] if len(contents) == 1 else contents)


def written(content: object) -> str:
    """The JSON of plain values."""
    try:
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    except ValueError:  # something is infinite
        return json.dumps(_finite(content), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _finite(value: object) -> object:
    """The value with texts for infinite numbers, which JSON lacks."""
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value
