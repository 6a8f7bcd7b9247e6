"""The colours of all pages, for what is no page: `shell.css` names them."""

from __future__ import annotations

import pkgutil
import re
from functools import cache


@cache
def colours(scheme: str = "light") -> dict[str, str]:
    """Return the colours of pages that are "light" or "dark": "accent" and so on, as #rrggbb."""
    sheet = pkgutil.get_data(__package__ or "", "shell.css") or b""  # importlib.resources takes longer to import
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", sheet.decode())
    return {name: light if scheme == "light" else dark for name, light, dark in pairs}
