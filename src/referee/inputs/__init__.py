"""What goes in and out: paths, Python values, objects of other libraries; `FORMATS` names all formats of files."""

from referee.inputs.reading import detect, read, read_folder
from referee.inputs.registry import FORMATS
from referee.inputs.validating import validate
from referee.inputs.writing import write, written

__all__ = ["FORMATS", "detect", "read", "read_folder", "validate", "write", "written"]
