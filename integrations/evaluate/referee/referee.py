"""Referee as a metric of Hugging Face evaluate: `evaluate.load("integrations/evaluate/referee")`, or from the Hub."""

import json

import datasets
import evaluate

from referee.compat.evaluate import compute
from referee.formats.json_documents import json_of

DESCRIPTION = """
Scores coreference and entity resolution: MUC, B-cubed, CEAF, BLANC, LEA, the CoNLL average and other metrics, as the reference
scorers and the papers define them.
"""

INPUTS = """
Args:
    predictions, references: lists of
        documents, which are lists of clusters, which are lists of spans [start, end] or of names;
        or sentences, which are lists of lines of CoNLL (one document unless there are lines with "#begin document");
        or sentences, which are lists of tags, with names="seqeval";
        or paths of files, in any format of Referee;
        or labels, whole numbers that name the entities of items.
    metrics: names of metrics, as ["muc", "lea", "conll"] or "muc,lea,conll"; "all"; None for those that papers report.
    profile: "default", "conll-8.01", "corefud-1.2" or "ua-2.0".
    names: "referee"; "coval" or "seqeval" for the keys and the arguments of these metrics of evaluate.
    singletons, match, repeated_mentions, zero_division and others: the options of referee.score.
Returns:
    muc_recall, muc_precision, muc_f1 and so on, and conll, as fractions of 1; the signature says how they were computed.
Examples:
    >>> metric = evaluate.load("integrations/evaluate/referee")
    >>> references = [[[[0, 1], [4, 5], [7, 9]]]]
    >>> predictions = [[[[0, 1], [4, 5]]]]
    >>> metric.compute(predictions=predictions, references=references, metrics="muc")
    {'muc_recall': 0.5, 'muc_precision': 1.0, 'muc_f1': 0.6666666666666666, 'signature': 'referee ...'}
"""

CITATION = """
@software{referee,
  title = {Referee: coreference and entity resolution, scored exactly},
  note = {The signature names the version},
}
"""

TEXT = datasets.Value("string")


class Referee(evaluate.Metric):
    """The metric. Predictions and references of any form are kept as JSON until they are scored."""

    def _info(self):
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": TEXT, "references": TEXT}),
        )

    def add(self, *, prediction=None, reference=None, **others):
        """Add a prediction and a reference: a document, a sentence, a path or a label."""
        super().add(prediction=json_of(prediction), reference=json_of(reference), **others)

    def add_batch(self, *, predictions=None, references=None, **others):
        """Add several."""
        super().add_batch(predictions=[*map(json_of, predictions)], references=[*map(json_of, references)], **others)

    def _compute(self, predictions, references, **options):
        return compute([*map(json.loads, predictions)], [*map(json.loads, references)], **options)
