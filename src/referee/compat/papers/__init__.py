"""Values that papers print, computed again: `referee reproduce`.

A paper is a module with a function `values` that gives a `PrintedValue` for each number. `reproduce` collects them.
"""

from referee.compat.papers.reproduction import PAPERS, Reproduction, reproduce
from referee.compat.papers.resolved_texts import ResolvedTexts
from referee.compat.papers.value import Data, PrintedValue

__all__ = ["PAPERS", "Data", "PrintedValue", "Reproduction", "ResolvedTexts", "reproduce"]
