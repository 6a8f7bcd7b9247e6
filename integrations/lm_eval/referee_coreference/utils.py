"""The functions that referee_coreference.yaml names."""

from referee.compat.lm_eval import corpus_score, documents, process_results, total

__all__ = ["corpus_score", "documents", "process_results", "total"]
