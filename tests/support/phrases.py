"""Phrases for tests: chunks from triples, lattices of independent tags, and quantities that only tests need."""

import json
from functools import cache
from zipfile import ZipFile

import numpy as np
import pytest

from referee.formats.shared.source import Source
from referee.phrases.annotation.candidates import DefaultProbabilities, PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks
from referee.phrases.chunking.tree_chunks import chunks_of_trees
from referee.phrases.chunking.trees import read
from referee.phrases.models.lattice import Lattice
from referee.phrases.models.parses import ALMOST_ONE, WEIGHTS, log2, odds, parse_blocks
from tests.support.paths import SHARED

KIT = SHARED / "phrase"
EXPECTED = json.loads((KIT / "expected.json").read_text()) if KIT.is_dir() else {}
"""What is known of the phrase kit."""
in_kit = pytest.mark.skipif(not EXPECTED, reason="needs the phrase kit, ../shared/phrase")


@cache
def _trees():
    with ZipFile(KIT / "treebank.zip") as archive:
        names = sorted(n for n in archive.namelist() if n.endswith(".mrg"))
        return [tree for name in names for tree in read(Source(name, archive.read(name)))]


@cache
def treebank(mode):
    """The chunks of the treebank sample."""
    return chunks_of_trees(_trees(), mode)


def columns(rows):
    """The columns of (sentence, start, end, category), as `Chunks.build` takes them."""
    names = ("sentence", "start", "end", "category")
    table = list(rows)
    return {name: [row[n] for row in table] for n, name in enumerate(names)}


def constant(phrases, p):
    """One probability for every candidate of the sentences and categories of a key."""
    return PhraseCandidates.unlisted(phrases.sentences, phrases.categories, DefaultProbabilities.constant(p))


def listed(key, categories, rows, default=None, **more):
    """Candidates: sentence, start, end, category and probability of each, and the probability of all others."""
    return PhraseCandidates.build(
        key.sentences if isinstance(key, Chunks) else key,
        categories,
        **columns(rows),
        probability=[row[4] for row in rows],
        default=DefaultProbabilities.constant(default) if isinstance(default, int | float) else default,
        **more,
    )


def chunks_of(triples, lengths):
    """The chunks of (category, start, end), sentence by sentence."""
    rows = [(s, x, i, j) for s, row in enumerate(triples) for x, i, j in row]
    names = sorted({x for _, x, _, _ in rows})
    return Chunks.build(Sentences.numbered(lengths), names, **columns([(s, i, j, names.index(x)) for s, x, i, j in rows]))


def independent_lattice(sentences, tags, given, min_probability=1e-3):
    """From the probabilities of each word's tags, as if the tags of adjacent words were independent."""
    number = {tag: t for t, tag in enumerate(tags)}
    states = []
    positions = [distribution for row in given for distribution in (*row, None)]
    for at, distribution in enumerate(positions):
        known = [(len(tags), 1.0)] if distribution is None else sorted((number[t], v) for t, v in distribution.items())
        states += [(at, t, v) for t, v in known if v >= min_probability]
    position, tag, p = (np.array(column) for column in zip(*states, strict=True))
    return Lattice.linked(sentences, tags, position=position, tag=tag, probability=p, conditional=lambda _, target: p[target])


def own_entropy(kind, candidates):
    """The entropy of the parses of each sentence: its bits on average, if the model were true."""
    bits = np.zeros(len(candidates.sentences))
    for block in parse_blocks(candidates, WEIGHTS[kind]):
        p = block.marginals
        expected = np.where(p > 0, p * log2(np.where(p > 0, block.weight, 1.0)), 0.0).sum(axis=(1, 2, 3))
        bits[block.sentences] = np.maximum(block.forward[:, -1] / np.log(2) - expected, 0.0)
    return bits


def partition_cost(candidates):
    """-log2 P(the true candidates partition the sentence), for independent candidates."""
    bits = np.zeros(len(candidates.sentences))
    for block in parse_blocks(candidates, odds):
        all_false = -np.log1p(-np.minimum(block.probability, ALMOST_ONE)).sum(axis=(1, 2, 3))
        bits[block.sentences] = np.maximum(all_false - block.forward[:, -1], 0.0) / np.log(2)
    return bits
