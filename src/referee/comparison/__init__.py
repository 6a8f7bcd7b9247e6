"""Compare systems that were scored against one key, or several: `compare`, and the `Comparison` that it returns.

A comparison has *parts*: groups of documents, if you ask for them; all documents; and the mean over the groups. Each part has a
*cell* for each system and metric. All systems of a part see the same resamples, so differences are paired.

Other packages import `comparing`, `corpora`, `correlations`, `dataset_tables`, `difference_lines`, `every_pair`, `notes`,
`parts`, `regression`, `result` and `values`.
"""

from referee.comparison.comparing import compare, comparison, score_all
from referee.comparison.regression import worse
from referee.comparison.result import Comparison
from referee.comparison.values import ComparisonCell, Difference, Part
from referee.stats.settings import Resampling

__all__ = ["Comparison", "ComparisonCell", "Difference", "Part", "Resampling", "compare", "comparison", "score_all", "worse"]
