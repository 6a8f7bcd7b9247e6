"""The decoder against the loop of the paper, on sets."""

import numpy as np
import pytest
from hypothesis import given as draws, strategies as st

from referee.resolver.constraints import Constraints
from referee.resolver.fitting import vocabularies
from referee.resolver.kinds import ANY
from referee.resolver.memory import QUANTIFIERS, decode
from referee.resolver.relations import Relations
from referee.resolver.rules import CLASH, FIRST_GUESS, GRID, KINDS, Kinds, Rules
from referee.resolver.tables import TABLES, Tables, fields_of_mentions, fields_of_pairs, index, sentence_bin, shape_of
from tests.support.examples import examples
from tests.support.trees import ANN, SYNONYMS, conllu, documents, given, random_constraints

QUANTIFIED = {"any": max, "all": min, "mean": lambda v: sum(v) / len(v), "last": lambda v: v[-1], "first": lambda v: v[0]}


def pair(relations, i, j):
    """The relations of one pair."""
    one = np.array([0])
    return relations.between(np.array([i]), np.array([0, 1]), one, np.array([i]), np.array([j]))


def may_be(constraints, mr):
    """What all of some mentions may be."""
    return set.intersection(*({bit for bit in range(5) if constraints.possible[j] >> bit & 1} for j in mr))


def compared(constraints, i, mrs):
    """The MRs that mention i may be attached to, with their ranks."""
    for rank, mr in enumerate(sorted(mrs, key=max, reverse=True)):
        if may_be(constraints, mr | {i}) and mr.isdisjoint(constraints.apart.get(i, ())):
            yield rank, mr


def of_tables(model, relations, constraints, i, mrs):
    """The MR that the loop of the paper chooses for mention i, or None: by tables, looked up one by one."""
    m, of, scores = relations.mentions, fields_of_mentions(relations, model.vocabularies), []

    def looked_up(kind, fields, j):
        names = [name for name in model.weights if TABLES[name].kind == kind]
        rows = np.array([i]), np.array([j])
        return sum(
            int(model.weights[n].reshape(-1)[index(TABLES[n], model.weights[n].shape, fields, of, *rows)[0]]) for n in names
        )

    for rank, mr in compared(constraints, i, mrs):
        pairs = [pair(relations, i, j) for j in sorted(mr)]
        values = [looked_up("pair", fields_of_pairs(p, m, ()), int(p.earlier[0])) for p in pairs]
        distance = int(sentence_bin(np.array([max(0, m.sentence[i] - m.sentence[max(mr)])]))[0])
        fields = {"distance": distance, "near": min(distance, 2), "rank": min(rank, 9),
                  "best": max(int(p.string[0]) for p in pairs), "size": int(np.log2(len(mr)))}  # fmt: skip
        whole = looked_up("entity", {k: np.array([v]) for k, v in fields.items()}, max(mr))
        scores.append((QUANTIFIED[model.quantifier](values) + whole, max(mr), mr))
    best = max(scores, default=None, key=lambda s: s[:2])
    return best[2] if best and best[0] >= looked_up("new", {}, i) else None


def of_rules(model, relations, constraints, i, mrs, active):
    """The same by rules; `active` has the activation of each MR and the sentence when it was computed."""
    m, numbers, scores = relations.mentions, model.numbers, []
    names = ("theta_pronoun", "theta_pronoun", "theta_dem", "theta_name", "theta_def", "theta_indef", "theta_other")
    group = int(m.group[i])
    for rank, mr in compared(constraints, i, mrs):
        values = []
        for j in sorted(mr):
            kinds = Kinds(relations, pair(relations, i, j))
            value = numbers[KINDS[int(kinds.kind[0])]]
            for name, clash in kinds.clashes.items():
                value = value * (numbers[name] if clash[0] else 1)
            values.append(value)
        c = QUANTIFIED[model.quantifier](values)
        activation, sentence = active[min(mr)]
        a = activation
        for _ in range(int(m.sentence[i]) - sentence):
            a = a * numbers["decay"]
        if c >= numbers[names[group]] and (group > 2 or rank < numbers["memory"]):
            score = (c ** numbers["kappa"] * (0.001 + a),) if group <= 2 else (c, a)
            scores.append((*(round(s, 9) for s in score), max(mr), mr))
    return max(scores, key=lambda s: s[:-1])[-1] if scores else None


def loop(relations, constraints, choose):
    """Attach each mention to the MR that it must or that is chosen, or make a new one; the first mention of the MR of each."""
    label = np.arange(len(relations.mentions.document))
    for d in range(int(relations.mentions.document.max(initial=-1)) + 1):
        mrs = []
        for i in np.flatnonzero(relations.mentions.document == d).tolist():
            mr = choose(i, mrs, [mr for mr in mrs if constraints.joined.get(i) in mr and may_be(constraints, mr | {i})])
            if mr is None:
                mr = set()
                mrs.append(mr)
            mr.add(i)
            label[i] = min(mr)
    return label


@examples(0.8)
@draws(st.data(), st.sampled_from(QUANTIFIERS))
def test_tables_decide_as_the_loop_of_the_paper_does(data, quantifier):
    text = "".join(data.draw(documents(name=f"d{n}")) for n in range(data.draw(st.integers(1, 3))))
    relations = Relations(given(text)[1].mentions, synonyms=data.draw(SYNONYMS))
    words = vocabularies(relations.mentions, list(TABLES))
    random = np.random.default_rng(data.draw(st.integers(0, 1000)))
    weights = {n: random.integers(-20, 20, shape_of(t, words)).astype(np.int32) for n, t in TABLES.items()}
    model, constraints = Tables(weights, words, quantifier), random_constraints(relations.mentions, random)
    found = decode(relations.mentions.document, relations.blocks, model.judge(relations), constraints)

    def choose(i, mrs, joined):
        return joined[0] if joined else of_tables(model, relations, constraints, i, mrs)

    assert found.tolist() == loop(relations, constraints, choose).tolist()


@examples(0.8)
@draws(st.data(), st.sampled_from(QUANTIFIERS))
def test_rules_decide_as_the_loop_of_the_paper_does(data, quantifier):
    text = "".join(data.draw(documents(name=f"d{n}")) for n in range(data.draw(st.integers(1, 3))))
    relations = Relations(given(text)[1].mentions, synonyms=data.draw(SYNONYMS))
    numbers = {name: float(data.draw(st.sampled_from(grid))) for name, grid in GRID.items()}
    numbers["synonym"] = data.draw(st.sampled_from(CLASH))
    numbers["memory"] = data.draw(st.sampled_from([1, 2, 300]))
    model = Rules(numbers, quantifier)
    constraints = random_constraints(relations.mentions, np.random.default_rng(data.draw(st.integers(0, 1000))))
    judge = model.judge(relations)
    found = decode(relations.mentions.document, relations.blocks, judge, constraints)
    active = {}

    def choose(i, mrs, joined):
        mr = joined[0] if joined else of_rules(model, relations, constraints, i, mrs, active)
        key, sentence = (i if mr is None else min(mr)), int(relations.mentions.sentence[i])
        before, since = active.get(key, (0.0, sentence))
        for _ in range(sentence - since):
            before = before * numbers["decay"]
        active[key] = before + judge.weight[i], sentence
        return mr

    assert found.tolist() == loop(relations, constraints, choose).tolist()


@pytest.mark.parametrize("blocks", [1, 7])
def test_the_size_of_blocks_does_not_matter(blocks, monkeypatch):
    words = ["she", "dog", "Ann", "it"] * 4
    rows = [f"{t}\t{w}\t{w}\tNOUN\t_\t_\t{t - 1}\tobj\t_\tEntity=(e{t}--1-)" for t, w in enumerate(words, start=1)]
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "\n".join(rows) + "\n\n"
    relations = Relations(given(text)[1].mentions, 6)
    constraints = random_constraints(relations.mentions, np.random.default_rng(0))
    whole = decode(relations.mentions.document, relations.blocks, Rules(FIRST_GUESS).judge(relations), constraints)
    monkeypatch.setattr("referee.resolver.relations.PAIRS", blocks)
    again = decode(relations.mentions.document, relations.blocks, Rules(FIRST_GUESS).judge(relations), constraints)
    assert again.tolist() == whole.tolist()


def test_thresholds_of_0_and_more_than_1_give_together_and_apart():
    relations = Relations(given(conllu(ANN))[1].mentions)
    thetas = [name for name in GRID if name.startswith("theta_")]
    for theta, expected in ((0.0, [0] * 7), (1.01, list(range(7)))):
        numbers = {**FIRST_GUESS, **dict.fromkeys(thetas, theta), "memory": 300.0}
        anything = Constraints(np.full(7, ANY))
        label = decode(relations.mentions.document, relations.blocks, Rules(numbers).judge(relations), anything)
        assert label.tolist() == expected
