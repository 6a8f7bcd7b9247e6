"""Agreement between annotators: `agree`, and the `Agreement` it gives."""

from referee.agreement.agreeing import SYMMETRIC, agree
from referee.agreement.alpha import DISTANCES, MENTIONS
from referee.agreement.result import Agreement, Disputed

__all__ = ["DISTANCES", "MENTIONS", "SYMMETRIC", "Agreement", "Disputed", "agree"]
