"""Agreement between annotators: `agree`, and the `Agreement` it gives."""

from referee.agreement.agreeing import SYMMETRIC, Agreement, Disputed, agree
from referee.agreement.alpha import DISTANCES, MENTIONS

__all__ = ["DISTANCES", "MENTIONS", "SYMMETRIC", "Agreement", "Disputed", "agree"]
