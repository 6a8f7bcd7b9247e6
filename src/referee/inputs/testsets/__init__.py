"""Public test sets by name: `download` fetches one when you ask for it, `path` says where it is; `ENTRIES` lists them.

Nothing but `download` opens a connection, and a test set that was downloaded needs none.
"""

from referee.inputs.testsets.cache import folder, path
from referee.inputs.testsets.download import download
from referee.inputs.testsets.registry import ENTRIES, Entry

__all__ = ["ENTRIES", "Entry", "download", "folder", "path"]
