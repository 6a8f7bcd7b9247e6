"""The colours of all pages, for what is no page: `shell.css` names them."""

from __future__ import annotations

import pkgutil
import re
from functools import cache


@cache
def colours() -> dict[str, str]:
    """Return the colours where pages are light: "accent" and so on, as #rrggbb."""
    sheet = pkgutil.get_data(__package__ or "", "shell.css") or b""  # importlib.resources takes longer to import
    return dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}),", sheet.decode()))
