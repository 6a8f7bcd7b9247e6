"""Scores that are updated document by document, for training loops: a `Scorer`, and the evaluators of the field."""

from referee.training.cluster_checker import ClusterChecker
from referee.training.evaluators import CorefEvaluator, MentionEvaluator
from referee.training.scorer import Scorer

__all__ = ["ClusterChecker", "CorefEvaluator", "MentionEvaluator", "Scorer"]
