"""Where the tests find files: the project, its examples, and the conformance data beside the project."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared"
