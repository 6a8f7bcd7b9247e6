"""What is odd in CorefUD files but no error: warnings, one of each kind."""

from __future__ import annotations

from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import OnError

HYPHEN = "a hyphen in an id or another field shifts those after it: write _ or %2D for it"

WORDLESS = "expected words in every document; there is nothing to score in it"
LATER = "expected one for the whole file; each counts from where it stands"
MINSPAN = "expected numbers of its words, from 1, such as 2,3; not read"
TYPES = "expected one type for each entity; the first counts"
MALFORMED = "expected links between entities such as e1<e2, joined by commas; left out"
ITSELF = "expected another entity than itself; left out"
NOT_YET = "expected it where a mention of that entity begins, or later; left out"
UNKNOWN = "expected entities of the document that have mentions; left out"
TWICE = "expected each link once; read once"


class Problems:
    """What is odd but no error: one warning for each kind, with the first place and a count. `on_error` is for errors.

    Errors in `late` are reported last: most come with another one that says more.
    """

    def __init__(self, source: str, on_error: OnError) -> None:
        self.source = source
        self.on_error = on_error
        self.warnings: dict[str, list[tuple[int, str]]] = {kind: [] for kind in (WORDLESS, LATER, MINSPAN, TYPES)}
        self.late: list[tuple[int, str]] = []

    def add(self, kind: str, line: int, oddity: str) -> None:
        """Count something odd of this kind on this line."""
        self.warnings.setdefault(kind, []).append((line, oddity))

    def finish(self) -> None:
        """Report the last errors and give the warnings."""
        for error in self.late:
            self.on_error(*error)
        for kind, places in self.warnings.items():
            if places:
                line, oddity = min(places)
                text = f"found {{names}}; {kind} ({{}} of this kind)"
                warn_file(self.source, text, "place", {oddity: len(places)}, line)
