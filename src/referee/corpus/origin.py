"""Where annotation was read from: `Origin`, a column or field of its file, and `InFile`, the file of a folder."""

from __future__ import annotations

from typing import NamedTuple

from referee.basics.sides import side_of


class InFile(NamedTuple):
    """Where a document of a folder was read from.

    Parameters
    ----------
    file : str
        The path of its file in the folder, without the ending.
    name : str
        What the file calls it.
    """

    file: str
    name: str


class Origin(NamedTuple):
    """Which part of a file or a value an annotation was read from.

    Parameters
    ----------
    field : str
        The column or field that was read.
    unread : tuple of str
        Columns or fields beside it that were not read.
    role : str
        What the columns of tables have: "entity" or "decision". Empty for documents.
    """

    field: str
    unread: tuple[str, ...] = ()
    role: str = ""

    @property
    def other_side(self) -> str:
        """The first name that says that an annotation is of the other side; empty if there is none.

        Beside the clusters of a key, those of no side are a system's; columns of a table may be anything.

        >>> Origin("clusters", ("coref_id", "predicted_clusters")).other_side, Origin("gold_clusters", ("clusters",)).other_side
        ('predicted_clusters', 'clusters')
        """
        sides = {side_of(self.field), "" if self.role else side_of(self.field)}
        return next((name for name in self.unread if side_of(name) not in sides), "")
