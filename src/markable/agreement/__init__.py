"""Agreement between annotators: `agree`, and the `Agreement` it gives."""

from markable.agreement.agreeing import SYMMETRIC, Agreement, Disputed, agree
from markable.agreement.alpha import DISTANCES, MENTIONS

__all__ = ["DISTANCES", "MENTIONS", "SYMMETRIC", "Agreement", "Disputed", "agree"]
