"""Agreement between annotators: `agree`, and the `Agreement` it gives; `Merged` keys; `sample`, documents to annotate next.

Other packages import `for_tools`, `merging`, `projects`, `result` and `sampling`.
"""

from referee.agreement.agreeing import SYMMETRIC, agree
from referee.agreement.alpha import MENTIONS
from referee.agreement.disputes import Disputed
from referee.agreement.distances import DISTANCES
from referee.agreement.merging import Merged
from referee.agreement.result import Agreement
from referee.agreement.sampling import Sample, sample

__all__ = ["DISTANCES", "MENTIONS", "SYMMETRIC", "Agreement", "Disputed", "Merged", "Sample", "agree", "sample"]
