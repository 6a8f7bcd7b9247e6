"""The page of the Space: key and response as JSON, the scores as JSON."""

import json
from pathlib import Path

import evaluate
import gradio

EXAMPLE = [["[[[[0, 1], [4, 5], [7, 9]], [[2, 3]]]]", "[[[[0, 1], [4, 5]], [[2, 3], [7, 9]]]]", "muc,b_cubed,ceaf_e,lea,conll"]]

metric = evaluate.load(str(Path(__file__).with_name("referee.py")))


def scores(references: str, predictions: str, metrics: str) -> dict:
    """The scores of documents: lists of clusters, which are lists of spans."""
    return metric.compute(references=json.loads(references), predictions=json.loads(predictions), metrics=metrics)


gradio.Interface(
    scores,
    [gradio.Textbox(label="references"), gradio.Textbox(label="predictions"), gradio.Textbox(label="metrics")],
    gradio.JSON(label="scores"),
    examples=EXAMPLE,
    title="Referee",
    article=metric.inputs_description,
).launch()
