#!/usr/bin/env python
"""Write docs/resolver-experiments.md: the experiments of Popescu-Belis and Robba (1998), on texts under CC BY.

    python scripts/resolver_experiments.py FOLDER

FOLDER has gum-by.train.conllu.gz, gum-by.dev.conllu.gz and gum-by.test.conllu.gz: GUM's academic, court, interview and news.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from referee import compare, score
from referee.basics.exceptions import RefereeWarning
from referee.corpus.corpus import Corpus
from referee.resolver.bench import Bench
from referee.resolver.files import load
from referee.resolver.learning import read_training
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.strategies import STRATEGIES
from referee.stats.correlation import spearman

PAGE = Path(__file__).parents[1] / "docs" / "resolver-experiments.md"
METRICS = ["muc", "core_mr", "exclusive_core_mr", "b_cubed", "ceaf_e", "conll", "lea", "blanc", "overlap", "d_error"]
PARTS = (8, 4, 2, 1)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, [":---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in lines)


def values(key: Corpus, response: Corpus) -> list[float]:
    found = score(key, response, metrics=METRICS)
    return [100 * found[m].value for m in METRICS]


def shown(numbers: Sequence[float]) -> list[str]:
    *most, d_error = numbers
    return [*(f"{n:.1f}" for n in most), f"{abs(d_error):.0f} {'precision' if d_error > 0 else 'recall'}"]


def strategies(bench: Bench, entity: np.ndarray) -> str:
    names = ("apart", "together", "strings", "heads", "nearest", "pronouns-apart", "pronouns-together")
    found = {name: bench.corpus(STRATEGIES[name].label(bench.relations, entity)) for name in names}
    found |= {name: bench.resolve(load(name).decoder) for name in ("rules", "tables")}
    rows = [[f"`{name}`", *shown(values(bench.key, response))] for name, response in found.items()]
    return table(["", *METRICS], rows)


def quantifiers(bench: Bench) -> str:
    models = {"rules, first guess": "rules-untuned", "rules, tuned for mean": "rules-mean", "rules, tuned for any": "rules"}
    models |= {"tables, fitted for any": "tables"}
    rows = []
    for words, name in models.items():
        decoder = load(name).decoder
        responses = {q: bench.resolve(replace(decoder, quantifier=q)) for q in QUANTIFIERS}
        kept, dropped = (compare(bench.key, responses, metrics=["conll"], singletons=s) for s in ("keep", "drop"))
        both = [[100 * found[q, "conll"].score.value for found in (kept, dropped)] for q in QUANTIFIERS]
        rows.append([words, *(f"{first:.1f} / {second:.1f}" for first, second in both)])
    return table(["CoNLL with / without singletons", *QUANTIFIERS], rows)


def parts(corpora: Sequence[Corpus], share: int) -> list[Corpus]:
    """The first part of the mentions of each document of a key; the same mentions of a response."""
    key = corpora[0]
    sizes = np.bincount(key.document, minlength=len(key.doc_ids))
    place = np.arange(len(key.document)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = place < np.ceil(sizes / share)[key.document]
    return [corpus.select(kept) for corpus in corpora]


def drift(bench: Bench) -> str:
    response = bench.resolve(load("rules").decoder)
    rows = []
    for share, name in zip(PARTS, ("first eighth", "quarter", "half", "whole"), strict=True):
        key, part = parts([bench.key, response], share)
        mentions, entities = len(key.document), len(key.entity_ids)
        rows.append([name, str(mentions), str(entities), f"{mentions / entities:.2f}", *shown(values(key, part))])
    return table(["", "mentions", "entities", "rate", *METRICS], rows)


def correlations(bench: Bench) -> str:
    response = bench.resolve(load("rules").decoder)
    key = bench.key
    edges = np.searchsorted(key.document, np.arange(len(key.doc_ids) + 1)).tolist()
    rates = np.array([(b - a) / len(np.unique(key.entity[a:b])) for a, b in pairwise(edges)])
    scores = np.array([values(*(c.select_documents(np.array([d])) for c in (key, response))) for d in range(len(rates))])
    known = ~np.isnan(scores)
    row = [f"{spearman(rates[known[:, n]], scores[known[:, n], n]).value:+.2f}" for n in range(len(METRICS))]
    return table(["", *METRICS], [["Spearman", *row]])


def main() -> None:
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore", RefereeWarning)
    held = read_training([folder / "gum-by.dev.conllu.gz", folder / "gum-by.test.conllu.gz"])
    bench = Bench(held, np.arange(len(held.syntax.doc_ids)))
    every = read_training([folder / f"gum-by.{part}.conllu.gz" for part in ("train", "dev", "test")])
    all_documents = Bench(every, np.arange(len(every.syntax.doc_ids)))
    page = TEXT.format(
        documents=len(held.syntax.doc_ids),
        all=len(every.syntax.doc_ids),
        strategies=strategies(bench, held.entity),
        quantifiers=quantifiers(bench),
        drift=drift(all_documents),
        correlations=correlations(all_documents),
    )
    PAGE.write_text(page, encoding="utf-8")


TEXT = """# Experiments with the resolver

Popescu-Belis and Robba (1998) evaluate metrics with a resolver, and a resolver with metrics. Their texts are not available.
This page asks their questions again, on the CC BY part of GUM. `python scripts/resolver_experiments.py FOLDER` writes it.
Mentions are gold mentions. Numbers are F1 or values in percent, with singletons. The d-error says whether too few links
("recall") or too many ("precision") are found.

## Which strategy is good? (Table 2)

{documents} documents of the development and test parts. The strategies `pronouns-apart` and `pronouns-together` take the
key and change its pronouns.

{strategies}
If all pronouns of a text are thrown into one entity, MUC and the CoNLL average rise. These metrics reward a mistake that
needs no knowledge of language. Exclusive core-MR and B³ do not. This is the paper's complaint about MUC, and it holds
for the CoNLL average, too.

## How to look at a mental representation

The quantifier says how the mentions of a mental representation count. {documents} documents, with the models that come with
Referee:

{quantifiers}
The average forgives numbers that are only guessed. Once numbers are tuned, it is better that the most
compatible mention decides.

## Length and coreference rate (Tables 4 and 5)

One response (`rules`) to all {all} documents. Of each document, the first part of the mentions is scored, in key and response.

{drift}
The rate is mentions per entity. Over the {all} documents, the scores correlate with the rate of the key:

{correlations}
MUC rises with the rate, core-MR hardly changes, and the others fall. So scores of texts with different rates cannot be
compared by any of them.
"""


if __name__ == "__main__":
    main()
