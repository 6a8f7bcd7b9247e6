"""Ids and logits of token classification are the tags that they stand for."""

import numpy as np
import pytest

import referee
from referee.phrases import PhraseScorer, from_ids, score

LABELS = ["O", "B-PER", "I-PER"]
KEY = [[-100, 1, 2, 0, -100], [-100, 0, 1, -100, -100]]
RESPONSE = [[0, 1, 2, 0, 2], [1, 0, 0, 0, 1]]
EXPECTED = ([["B-PER", "I-PER", "O"], ["O", "B-PER"]], [["B-PER", "I-PER", "O"], ["O", "O"]])


def logits(ids):
    return np.eye(3)[np.asarray(ids)] - 0.5


@pytest.mark.parametrize("labels", [LABELS, dict(enumerate(LABELS)), {str(n): label for n, label in enumerate(LABELS)}])
@pytest.mark.parametrize(
    ("key", "response"),
    [
        (KEY, RESPONSE),
        (np.array(KEY), np.array(RESPONSE)),
        (np.array(KEY), logits(RESPONSE)),
        (KEY, logits(RESPONSE).tolist()),
        ([KEY[0], KEY[1][:4]], [RESPONSE[0], RESPONSE[1][:4]]),
        (np.array(KEY, dtype=float), np.array(RESPONSE, dtype=float)),
    ],
)
def test_ids_and_logits_are_tags(key, response, labels):
    assert from_ids(key, response, labels) == EXPECTED


def test_scores_are_flat():
    flat = score(*from_ids(KEY, logits(RESPONSE), LABELS)).flat("dev/")
    assert (flat["dev/exact_match_recall"], flat["dev/exact_match_precision"]) == (1 / 2, 1)
    assert all(isinstance(number, float) for number in flat.values())


def test_a_scorer_takes_ids_and_logits_batch_by_batch():
    scorer = PhraseScorer(id2label=LABELS)
    for key, response in zip(KEY, RESPONSE, strict=True):
        scorer.update(logits([response]), [key])
    assert scorer.compute().flat() == score(*EXPECTED).flat()


def test_tensors_are_read():
    torch = pytest.importorskip("torch", reason="needs the extra referee[torch]")
    assert from_ids(torch.tensor(KEY), torch.tensor(logits(RESPONSE), requires_grad=True), LABELS) == EXPECTED
    assert from_ids([*torch.tensor(KEY)], [*torch.tensor(RESPONSE)], LABELS) == EXPECTED


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        (KEY, RESPONSE[:1], "found 2 sentences in the key and 1 in the response"),
        (KEY, [row[:3] for row in RESPONSE], r"sentence 1: found numbers of shape \[5\] in the key and \[3\]"),
        ([[7, 0]], [[0, 0]], "found the id 7; expected one of id2label: 0, 1, 2"),
        ([[0, 0]], [[0, -100]], "found the id -100"),
        ([["O", "B-PER"]], [["O", "O"]], "tags that are words need no ids"),
        ([0, 1], [0, 1], "sentence 1: found numbers of shape"),
    ],
)
def test_what_has_no_tags_is_refused(key, response, message):
    with pytest.raises(referee.OptionError, match=message):
        from_ids(key, response, LABELS)
