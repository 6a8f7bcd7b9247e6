"""Folders of Delta Lake and Iceberg, which are no plain folders of files."""

from __future__ import annotations

import os

from referee.basics.exceptions import FormatError

LAKES = {
    "_delta_log": "a Delta table, whose files have deleted rows, too: give deltalake.DeltaTable(path)",
    "metadata": "an Iceberg table, whose files have deleted rows, too: give pyiceberg's table.scan().to_arrow_batch_reader()",
}
"""A folder that has one of these is no plain folder of Parquet files."""


def check_folder(path: str) -> None:
    """Raise FormatError, with the remedy, for a folder whose files are not all of its rows."""
    metadata = os.path.join(path, "metadata")
    if os.path.isdir(os.path.join(path, "_delta_log")):
        raise FormatError(path, None, f"is {LAKES['_delta_log']}")
    if os.path.isdir(metadata) and any(name.endswith(".metadata.json") for name in os.listdir(metadata)):
        raise FormatError(path, None, f"is {LAKES['metadata']}")
