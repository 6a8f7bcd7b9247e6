"""The formats that Referee reads and writes: one file a format, `FORMATS` names them.

Other packages import `answers`, `arrau`, `conll`, `corefud`, `docbin`, `inputs`, `prodigy`, `reading`, `registry`, `shared`,
`tabular`, `validating` and `writing`.
"""

from referee.formats.reading import detect, read, read_folder
from referee.formats.registry import FORMATS
from referee.formats.validating import validate
from referee.formats.writing import write, written

__all__ = ["FORMATS", "detect", "read", "read_folder", "validate", "write", "written"]
