"""Without its extra, the metric for torchmetrics says how to get it; the rest of the package needs none."""

import subprocess
import sys

WITHOUT = """
import sys
sys.modules["torch"] = sys.modules["torchmetrics"] = None  # as if not installed
from referee.training import ClusterChecker, CorefEvaluator, MentionEvaluator, Scorer
import referee
try:
    import referee.training.torchmetrics
except referee.MissingExtraError as error:
    print(error)
"""


def test_a_missing_extra_is_named():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert done.stdout == "the metric for torchmetrics needs an extra: pip install 'referee[torch]'\n"


def test_scoring_imports_nothing_of_training():
    code = "import sys, referee; referee.score([{'a'}], [{'a'}]); print([m for m in sys.modules if 'training' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
