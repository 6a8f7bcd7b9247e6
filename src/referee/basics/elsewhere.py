"""`MEANT`: what people look for in `referee` in vain, because it has another name here, or another module has it."""

from __future__ import annotations

from referee.basics.interactive import instead

MEANT = {
    **instead("referee.score(key, response) scores", "evaluate", "eval", "compute", "Evaluator", "metric", "f1", "f1_score"),
    **instead(
        "referee.read(path) reads every format",
        *("load", "load_corpus", "load_file", "open", "load_conll", "read_conll", "read_conllu", "read_json", "read_file"),
    ),
    **instead(
        "referee.score(key, response) takes files, values and frames as they are",
        *("from_pandas", "from_polars", "from_clusters", "from_dict", "from_list", "read_csv", "load_csv"),
    ),
    **instead("referee.write(corpus, path) writes a file", "save", "dump", "to_conll", "write_conll", "export"),
    **instead("referee.compare(key, a, b) tests differences", "diff", "significance", "bootstrap", "rank"),
    **instead("referee.score(key, response).intervals() has them", "intervals", "confidence_intervals"),
    **instead("referee.agree(a, b) has alpha and metrics", "agreement", "alpha", "kappa", "iaa", "krippendorff"),
    **instead("referee.errors(key, response) has them", "error_analysis", "analyse", "analyze", "breakdown"),
    **instead("referee.inspect(key, response) shows a page", "show", "view", "visualize", "visualise", "display"),
    **instead("referee.errors(key, response).plot(path) draws", "plot"),
    **instead("write from referee.pages.board.site import write_board", "board", "write_board", "leaderboard"),
    **instead("write from referee.comparison.correlations import correlate", "correlate", "correlation", "correlations"),
    **instead("write from referee.agreement.sampling import sample", "sample"),
    **instead("write from referee.comparison.papers import reproduce", "reproduce"),
    **instead("referee.phrases.score(key, response) takes files and tags", "chunks", "tags", "ner", "score_phrases"),
    **instead(
        "write from referee.compat import seqeval", *("seqeval", "classification_report", "precision_recall_fscore_support")
    ),
    **instead("`referee app` of the command starts it", "app", "page", "serve"),
    **instead("referee.resolve(text) finds mentions and entities", "predict", "coref", "coreference", "annotate"),
    **instead("write from referee.compat.prompts import prompts", "prompts", "prompt"),
    **instead("referee.Answer(text) is an answer of a language model", "answer", "llm", "from_answer", "parse_answer"),
    **instead("referee.METRICS has all", "list_metrics", "available_metrics"),
    **instead("referee.FORMATS has all", "formats", "list_formats"),
}
"""Name -> what to write instead, as a clause."""
