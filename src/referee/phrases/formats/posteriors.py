"""Probabilities of a tagger's tags, as JSON lines: a header with the tags, then one object a sentence.

::

    {"format": "tag-posteriors", "version": 1, "tags": ["O", "B-NP", "I-NP"]}
    {"id": "s1", "p": [[0.1, 0.9, 0.0], [0.2, 0.1, 0.7]], "next": [[[0.5, 0.5, 0.0], [0.2, 0.1, 0.7], [0.3, 0.1, 0.6]]]}

``p``
    of each word, the probability of each tag, given the sentence
``next``
    optional, of each word but the last: for each tag that it may have, the probability of each tag of the next word. With it,
    chunks have their exact probabilities in a chain of first order; without, as if words were independent. What follows a tag
    of probability 0 may be anything, all zeros too

Read as candidates: see `referee.phrases.models.posteriors`. `words` and `tags` may be there as in candidates.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from referee.algorithms.arrays import Floats
from referee.formats.shared.json_values import shown
from referee.formats.shared.source import Fault, Source
from referee.messages import counted
from referee.phrases.candidates import Candidates, Flags
from referee.phrases.formats.reading import Reading
from referee.phrases.formats.sentences import Collected, objects
from referee.phrases.models.posteriors import of_chain, of_marginals

SLACK = 1e-3
"""How far from 1 the probabilities of a word's tags may add up to, as they are often written with a few digits."""


def sniff(head: str) -> bool:
    """The header says it."""
    return head.lstrip().startswith("{") and '"tag-posteriors"' in head.lstrip().partition("\n")[0]


def read(source: Source, fault: Fault, reading: Reading) -> Candidates:
    lines = objects(source, fault, '{"p": [[...], ...]}')
    number, header = next(lines, (1, {}))
    tags = header.get("tags")
    if header.get("version") != 1 or not (isinstance(tags, list) and tags and all(type(tag) is str for tag in tags)):
        fault(number, f'found {shown(header)}; expected a header with "version": 1 and "tags": [...]')
        tags = ["O"]
    collected = Collected(source, fault)
    marginals: list[Floats] = []
    steps: list[Floats] = []
    for line, value in lines:
        p = _probabilities(value.get("p"), (-1, len(tags)))
        if p is None or not _adds_up(p).all():
            fault(line, f"found `p` {shown(value.get('p'))}; expected for each word {len(tags)} probabilities that add up to 1")
            continue
        if collected.sentence(line, {"n": len(p), **value}) is None:
            continue
        if collected.lengths[-1] != len(p):
            fault(line, f"found probabilities for {len(p)} words; expected {collected.lengths[-1]}")
            p = np.zeros((collected.lengths[-1], len(tags)))
        marginals.append(p)
        if "next" in value:
            step = _probabilities(value["next"], (len(p) - 1, len(tags), len(tags)))
            if step is None or not (_adds_up(step) | (p[:-1] == 0)).all():
                tables = f"{counted(max(len(p) - 1, 0), 'table')} of {len(tags)} x {len(tags)} probabilities"
                fault(line, f"found `next` {shown(value['next'])}; expected {tables}, in rows that add up to 1")
            else:
                steps.append(step)
    if steps and len(steps) < len(marginals):
        fault(None, f"found `next` in {len(steps)} of {len(marginals)} sentences; expected it in all or none")
    if steps:
        return of_chain(collected.sentences, tags, marginals, steps, source=source.name)
    return of_marginals(collected.sentences, tags, marginals, source=source.name)


def _probabilities(value: Any, shape: tuple[int, ...]) -> Floats | None:
    """An array of this shape, of which the first axis may be any (-1), of numbers from 0 to 1; None if it is none."""
    if value == [] and shape[0] <= 0:
        return np.empty((0, *shape[1:]))
    try:
        array = np.array(value, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        return None
    if array.shape[1:] != shape[1:] or shape[0] not in (-1, len(array)):
        return None
    cells = value
    for _ in shape[1:]:
        cells = chain.from_iterable(cells)
    good = (array >= 0) & (array <= 1)
    return array if good.all() and set(map(type, cells)) <= {int, float} else None


def _adds_up(p: Floats) -> Flags:
    """Which rows of an array add up to 1."""
    sums: Flags = np.abs(p.sum(axis=-1) - 1) <= SLACK
    return sums
