"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from markable.errors import OptionError


@contextmanager
def written_whole(path: str) -> Iterator[str]:
    """Where to write what appears under the name `path` only when it is complete. OptionError if it cannot be written.

    What a symbolic link points to is replaced, not the link; pipes and devices are written to as they are.
    """
    replaced = os.path.isfile(path) or not os.path.exists(path)
    target = os.path.realpath(path) if replaced else path
    partial = f"{target}.{os.getpid()}.partial" if replaced else target
    try:
        yield partial
        if replaced:
            os.replace(partial, target)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    finally:
        if replaced and os.path.exists(partial):
            os.remove(partial)
