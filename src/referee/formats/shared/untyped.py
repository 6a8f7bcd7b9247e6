"""Objects of libraries that have no types: documents that other programs return."""

from __future__ import annotations

from typing import Any, TypeAlias

Untyped: TypeAlias = Any
"""A document of spaCy, Stanza or fastcoref; a data frame, a column, a table of Arrow; any value that may be one."""
