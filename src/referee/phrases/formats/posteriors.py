"""Posterior probabilities of a tagger's tags, as JSON lines: a header with the tags, then one object per sentence.

::

    {"format": "tag-posteriors", "version": 1, "tags": ["O", "B-NP", "I-NP"]}
    {"id": "s1", "p": [[0.1, 0.9, 0.0], [0.2, 0.1, 0.7]], "next": [[[0.5, 0.5, 0.0], [0.2, 0.1, 0.7], [0.3, 0.1, 0.6]]]}

``p``
    for each word, the probability of each tag, given the sentence
``next``
    optional; for each word but the last and each of its tags, the probability of each tag of the next word. With it, chunks get
    their exact probabilities in a chain of first order; without it, as if words were independent. The row of a tag with
    probability 0 may contain any numbers from 0 to 1

The result is candidates: see `referee.phrases.models.posteriors`. Objects may have `words` and `tags`, as in the format
`candidates`. The tags are those of IOB2, IOBES, BILOU or BMEWO.

Without a header, a file has what `predict_marginals` of sklearn-crfsuite returns, as JSON or one sentence a line: for each
word, tags with their probabilities.

::

    [[{"O": 0.1, "B-NP": 0.9, "I-NP": 0.0}, {"O": 0.2, "B-NP": 0.1, "I-NP": 0.7}], [{"O": 1.0}]]
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from referee.algorithms.arrays import Bools, Floats
from referee.basics.exceptions import counted
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import are_words, first_keys, shown, values
from referee.formats.shared.source import Source
from referee.formats.shared.tags import TAG
from referee.phrases.annotation import PhraseCandidates, Sentences
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.json_sentences import SentenceCollector, objects
from referee.phrases.models.posteriors import chain_candidates, independent_candidates

TOLERANCE = 1e-3
"""How far from 1 the probabilities of a word's tags may add up to, as they are often written with few digits."""


def sniff(head: str) -> bool:
    """Whether the header names the format, or lists of objects have tags for keys."""
    if head.lstrip().startswith("{"):
        return '"tag-posteriors"' in head.lstrip().partition("\n")[0]
    keys = first_keys(head)
    return head.lstrip().startswith("[") and bool(keys) and all(map(TAG.fullmatch, keys))


def read(source: Source, options: PhraseOptions) -> PhraseCandidates:
    """Read the probabilities of tags, and compute those of chunks."""
    if not source.head.decode(errors="replace").lstrip().startswith("{"):
        return _read_lists(source)
    lines = objects(source, '{"p": [[...], ...]}')
    number, header = next(lines, (1, {}))
    tags = header.get("tags")
    if header.get("version") != 1 or not tags or not are_words(tags):
        source.raise_error(number, f'found {shown(header)}; expected a header with "version": 1 and "tags": [...]')
    collector = SentenceCollector(source)
    marginals: list[Floats] = []
    steps: list[Floats] = []
    for line, value in lines:
        p = _probabilities(value.get("p"), (-1, len(tags)))
        if p is None or not _adds_up(p).all():
            expected = f"expected for each word {len(tags)} probabilities that add up to 1"
            source.raise_error(line, f"found `p` {shown(value.get('p'))}; {expected}")
        collector.begin(line, {"n": len(p), **value})
        if collector.lengths[-1] != len(p):
            problem = f"found probabilities for {counted(len(p), 'word')}; expected {collector.lengths[-1]}"
            source.raise_error(line, problem)
        marginals.append(p)
        if "next" in value:
            shape = (len(p) - 1, len(tags), len(tags))
            step = _probabilities(value["next"], shape)
            if step is None or not (_adds_up(step) | (p[:-1] == 0)).all():
                tables = f"{counted(max(len(p) - 1, 0), 'table')} of {len(tags)} x {len(tags)} probabilities"
                source.raise_error(line, f"found `next` {shown(value['next'])}; expected {tables}, in rows that add up to 1")
            steps.append(step)
    if not steps:
        return independent_candidates(collector.sentences, tags, marginals, source=source.name)
    if len(steps) < len(marginals):
        source.raise_error(None, f"found `next` in {len(steps)} of {len(marginals)} sentences; expected it in all or none")
    return chain_candidates(collector.sentences, tags, marginals, steps, source=source.name)


def _read_lists(source: Source) -> PhraseCandidates:
    """Read tags with their probabilities, word by word."""
    sentences: list[list[dict[str, float]]] = []
    for line, value in values(source, source.raise_error):
        rows = value if isinstance(value, list) else [value]
        if rows and all(isinstance(word, dict) for word in rows):
            rows = [rows]  # one sentence
        for row in rows:
            if not (isinstance(row, list) and all(map(_is_distribution, row))):
                problem = f"found {shown(row)}; expected for each word tags with probabilities that add up to 1"
                source.raise_error(line, problem)
            sentences.append(row)
    numbered_tags = dict.fromkeys(tag for row in sentences for word in row for tag in word)
    numbered_tags |= dict.fromkeys(f"B-{tag[2:]}" for tag in numbered_tags if tag.startswith("I-"))
    tags = list(numbered_tags)
    marginals = [np.array([[word.get(tag, 0.0) for tag in tags] for word in row]).reshape(-1, len(tags)) for row in sentences]
    numbered = Sentences.numbered([len(row) for row in sentences])
    return independent_candidates(numbered, tags, marginals, source=source.name)


def _is_distribution(word: object) -> bool:
    numbers = list(word.values()) if isinstance(word, dict) else []
    return all(type(p) in (int, float) and 0 <= p <= 1 for p in numbers) and abs(sum(numbers) - 1) <= TOLERANCE


def _probabilities(value: object, shape: tuple[int, ...]) -> Floats | None:
    """The value as an array of numbers from 0 to 1, or None if it has not this shape; -1 stands for any length."""
    if value == [] and shape[0] <= 0:
        return np.empty((0, *shape[1:]))
    cells = value if isinstance(value, list) else []
    try:
        array = np.array(value, dtype=np.float64)
        for _ in shape[1:]:
            cells = list(chain.from_iterable(cells))
    except (ValueError, TypeError, OverflowError):
        return None
    is_shape = array.shape[1:] == shape[1:] and shape[0] in (-1, len(array))
    is_valid = is_shape and ((array >= 0) & (array <= 1)).all() and {*map(type, cells)} <= {int, float}
    return array if is_valid else None


def _adds_up(p: Floats) -> Bools:
    """Which rows of an array add up to 1."""
    return np.asarray(np.abs(p.sum(axis=-1) - 1) <= TOLERANCE)


FORMAT = Format("posteriors", __doc__, (), sniff, read)
