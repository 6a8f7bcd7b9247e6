"""The command `referee`, also as `python -m referee`."""

from __future__ import annotations

import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def command() -> NoReturn:
    """Run the command. Ctrl-C ends it in silence also while its modules are imported."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from referee.cli.main import command  # takes a while

    command()


if __name__ == "__main__":
    command()
