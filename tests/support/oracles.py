"""Slow oracles: each measure from its definition, on Python sets of mentions and with exact fractions.

Nothing here knows the package or its tables. A mention is an integer, its place in the text; an entity is a set of mentions; a
document is (key entities, response entities). An oracle takes a list of documents, adds what it counts over them, divides
last, and returns (recall, precision, F), or one number for a measure of one number. nan is 0 / 0. Floats only where a
logarithm or a root makes a number irrational.

Sources are named at each measure; "the extension" is that of Popescu-Belis and Robba (1998): each missed mention becomes a
singleton of the response, each spurious one a singleton of the key.
"""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

Entity = set[int]
Entities = list[Entity]
Number = Any  # Fraction, int or float
Sides = tuple[Number, Number, Number]

SMALL = 16
"""Cells up to which an alignment is found by trying all of them."""


def quotient(numerator, denominator):
    if denominator == 0:
        return math.nan
    return Fraction(numerator) / denominator if not isinstance(numerator, float) else numerator / float(denominator)


def f_measure(recall, precision):
    if recall == 0 or precision == 0:  # even if the other is undefined
        return 0
    return 2 * recall * precision / (recall + precision)  # nan where one is undefined


def both_sides(count, documents):
    """Recall as counted, and precision by "switching the figure and the ground" (Vilain et al. 1995)."""

    def rate(sides):
        counted = [count(figure, ground) for figure, ground in sides]
        return quotient(sum(n for n, _ in counted), sum(d for _, d in counted))

    recall, precision = rate(documents), rate((response, key) for key, response in documents)
    return recall, precision, f_measure(recall, precision)


def mentions_of(entities):
    return set().union(*entities)


def entity_of(mention, entities):
    """The entity of a mention, empty if no entity has it."""
    return next((entity for entity in entities if mention in entity), set())


def parts_of(entity, ground):
    """The partition p(S) relative to the ground: intersections, and a part of its own for each mention it does not have."""
    return [entity & other for other in ground if entity & other] + [{m} for m in entity - mentions_of(ground)]


def pairs_within(entities):
    return {pair for entity in entities for pair in combinations(sorted(entity), 2)}


def extended(key, response):
    missed, spurious = mentions_of(key) - mentions_of(response), mentions_of(response) - mentions_of(key)
    return key + [{m} for m in sorted(spurious)], response + [{m} for m in sorted(missed)]


# Mentions, links, alignments


def mentions(documents):
    return both_sides(lambda key, response: (len(mentions_of(key) & mentions_of(response)), len(mentions_of(key))), documents)


def muc(documents):
    """Vilain et al. (1995): of the |S| - 1 links that S needs, |p(S)| - 1 are missing."""

    def recall(key, response):
        needed = [len(entity) - 1 for entity in key]
        missing = [len(parts_of(entity, response)) - 1 for entity in key]
        return sum(needed) - sum(missing), sum(needed)

    return both_sides(recall, documents)


def mention_recall(mention, key, response):
    """Bagga and Baldwin (1998): how much of the mention's true chain is in the chain the output has it in."""
    true = entity_of(mention, key)
    return Fraction(len(true & entity_of(mention, response)), len(true))


def b_cubed(documents):
    """Bagga and Baldwin (1998), every mention weighing the same."""

    def recall(key, response):
        found = [mention_recall(m, key, response) for m in mentions_of(key)]
        return sum(found), len(found)

    return both_sides(recall, documents)


def b_cubed_entity(documents):
    """Bagga and Baldwin (1998), every entity weighing the same."""

    def recall(key, response):
        return sum(sum(mention_recall(m, key, response) for m in e) / len(e) for e in key), len(key)

    return both_sides(recall, documents)


def best_alignment(key, response, similarity):
    """The greatest total similarity of a one-to-one alignment: all of them tried, or for larger documents Kuhn's method."""
    weight = [[similarity(k, r) for r in response] for k in key]
    if len(key) * len(response) > SMALL:
        from scipy.optimize import linear_sum_assignment

        chosen = linear_sum_assignment([[float(w) for w in row] for row in weight], maximize=True)
        return sum(weight[i][j] for i, j in zip(*chosen, strict=True))

    def best(i, free):
        if i == len(key):
            return 0
        return max([best(i + 1, free)] + [weight[i][j] + best(i + 1, free - {j}) for j in free if weight[i][j]])

    return best(0, frozenset(range(len(response))))


def ceaf(similarity):
    """Luo (2005): similarity of the best alignment, over the similarity of the key to itself."""

    def measure(documents):
        return both_sides(lambda k, r: (best_alignment(k, r, similarity), sum(similarity(e, e) for e in k)), documents)

    return measure


def phi1(k, r):
    return int(k == r)


def phi2(k, r):
    return int(bool(k & r))


def phi3(k, r):
    return len(k & r)


def phi4(k, r):
    return Fraction(2 * len(k & r), len(k) + len(r))


def exact(documents):
    return both_sides(lambda key, response: (sum(entity in response for entity in key), len(key)), documents)


def lea(documents):
    """Moosavi and Strube (2016); importance is size, and a singleton has one link, to itself."""

    def links_of(entity):
        return set(combinations(sorted(entity), 2)) if len(entity) > 1 else {(m, m) for m in entity}

    def recall(key, response):
        found = set().union(*map(links_of, response))
        return sum(len(e) * Fraction(len(links_of(e) & found), len(links_of(e))) for e in key), sum(map(len, key))

    return both_sides(recall, documents)


def links(documents):
    return both_sides(lambda k, r: (len(pairs_within(k) & pairs_within(r)), len(pairs_within(k))), documents)


def conll(documents):
    """Pradhan et al. (2012)."""
    return sum(measure(documents)[2] for measure in (muc, b_cubed, ceaf(phi4))) / 3


def blanc(documents):
    """Luo et al. (2014), sections 4 and 4.1, with links of all documents."""
    kinds = [[0, 0, 0], [0, 0, 0]]  # found, in the key, in the response: coreference and other links
    for key, response in documents:
        together, together_too = pairs_within(key), pairs_within(response)
        apart = pairs_within([mentions_of(key)]) - together
        apart_too = pairs_within([mentions_of(response)]) - together_too
        for kind, k, r in zip(kinds, (together, apart), (together_too, apart_too), strict=True):
            for place, number in enumerate((len(k & r), len(k), len(r))):
                kind[place] += number
    present = [kind for kind in kinds if kind[1] or kind[2]]
    if not present:
        if not any(key or response for key, response in documents):
            return math.nan, math.nan, math.nan
        same = int(all(mentions_of(key) == mentions_of(response) for key, response in documents))
        return same, same, same
    recall = sum(Fraction(both, k) if k else 0 for both, k, _ in present)
    precision = sum(Fraction(both, r) if r else 0 for both, _, r in present)
    value = sum(Fraction(2 * both, k + r) for both, k, r in present)
    return quotient(recall, len(present)), quotient(precision, len(present)), quotient(value, len(present))


def syntactic_links(documents, listed=None):
    """Links as listed that the transitive closure of the other side has: the scorer that Vilain et al. (1995) replaced."""
    if listed is None:
        return math.nan, math.nan, math.nan

    def rate(counted):
        found = [link[1] in entity_of(link[0], other) for links, other in counted for link in links]
        return quotient(sum(found), len(found))

    pairs = list(zip(listed, documents, strict=True))
    recall = rate((links[0], document[1]) for links, document in pairs)
    precision = rate((links[1], document[0]) for links, document in pairs)
    return recall, precision, f_measure(recall, precision)


# Popescu-Belis and Robba (1998), on the extension


def core_mr(documents):
    def recall(key, response):
        cores = [max(map(len, parts_of(entity, response))) for entity in key]
        return sum(cores) - len(key), len(mentions_of(key)) - len(key)

    return both_sides(recall, [extended(*document) for document in documents])


def exclusive_core_mr(documents):
    """Greedy pairs: the largest intersection, then the greater Dice, then the first key entity, then the first response entity.

    Entities come in the order of the text, those of the extension after the others.
    """
    correct = wrong = n = 0
    for document in documents:
        key, response = extended(*(sorted(entities, key=min) for entities in document))
        n += len(mentions_of(key))
        cells = [(len(k & r), phi4(k, r), -i, -j) for i, k in enumerate(key) for j, r in enumerate(response) if k & r]
        while cells:
            shared, _, i, j = max(cells)
            correct += shared
            wrong += len(response[-j] - key[-i])
            cells = [cell for cell in cells if cell[2] != i and cell[3] != j]
    recall, precision = quotient(correct, n), quotient(n - wrong, n)
    return recall, precision, f_measure(recall, precision)


def sizes(key, response):
    """The sizes of key and response entities, the largest first, filled up with zeros."""
    key, response = extended(key, response)
    ranks = max(len(key), len(response))
    k, r = (sorted(map(len, entities), reverse=True) + [0] * (ranks - len(entities)) for entities in (key, response))
    return list(zip(k, r, strict=True))


def overlap(documents):
    ranks = [pair for document in documents for pair in sizes(*document)]
    return quotient(sum(min(pair) for pair in ranks), sum(k for k, _ in ranks))


def d_error(documents):
    """The reconstruction: the mean rank where the key is larger less the one where the response is, over N + 1."""
    numerator = denominator = 0
    for document in documents:
        ranks = sizes(*document)
        numerator += sum(i * (k - r) for i, (k, r) in enumerate(ranks, start=1))
        denominator += sum(max(0, k - r) for k, r in ranks) * (len(ranks) + 1)
    return quotient(numerator, denominator) if denominator else 0


# Comparison of clusterings; all but purity on the extension


def purity(documents):
    """Precision is purity, recall is inverse purity (Zhao and Karypis 2001)."""

    def recall(key, response):
        return sum(max((len(k & r) for r in response), default=0) for k in key), sum(map(len, key))

    return both_sides(recall, documents)


def entropies(documents):
    """H(K), H(R), H(K|R), H(R|K), I(K;R), each in bits times mentions and added over documents; and the mentions."""
    terms = [[], [], [], [], []]
    total = 0
    for document in documents:
        key, response = extended(*document)
        n = len(mentions_of(key))
        total += n
        terms[0] += [len(k) * math.log2(n / len(k)) for k in key]
        terms[1] += [len(r) * math.log2(n / len(r)) for r in response]
        for k in key:
            for r in response:
                if both := len(k & r):
                    terms[2].append(both * math.log2(len(r) / both))
                    terms[3].append(both * math.log2(len(k) / both))
                    terms[4].append(both * math.log2(n * both / (len(k) * len(r))))
    h_k, h_r, h_k_given_r, h_r_given_k, information = map(math.fsum, terms)
    return h_k, h_r, h_k_given_r, h_r_given_k, information, total


def homogeneity(documents):
    """Rosenberg and Hirschberg (2007)."""
    h_k, _, h_k_given_r, _, _, _ = entropies(documents)
    return 1 - quotient(h_k_given_r, h_k)


def completeness(documents):
    _, h_r, _, h_r_given_k, _, _ = entropies(documents)
    return 1 - quotient(h_r_given_k, h_r)


def v_measure(documents):
    h_k, h_r, _, _, information, _ = entropies(documents)
    recall, precision = quotient(information, h_k), quotient(information, h_r)
    return recall, precision, f_measure(recall, precision)


def vi(documents):
    """Variation of information, in bits (Meila 2007)."""
    _, _, h_k_given_r, h_r_given_k, _, n = entropies(documents)
    return quotient(h_k_given_r + h_r_given_k, n)


def pair_counts(key, response):
    """Pairs together in both, in the key, in the response; all pairs."""
    key, response = extended(key, response)
    k, r = pairs_within(key), pairs_within(response)
    return len(k & r), len(k), len(r), len(pairs_within([mentions_of(key)]))


def rand(documents):
    """Rand (1971): pairs that both sides put together or both keep apart."""
    counted = [pair_counts(*document) for document in documents]
    return quotient(sum(both + (every - k - r + both) for both, k, r, every in counted), sum(c[3] for c in counted))


def ari(documents):
    """Hubert and Arabie (1985): above chance, over the most that could be above chance."""
    above = most = Fraction(0)
    for document in documents:
        both, k, r, every = pair_counts(*document)
        chance = Fraction(k * r, every) if every else 0
        above += both - chance
        most += Fraction(k + r, 2) - chance
    return quotient(above, most)


def fowlkes_mallows(documents):
    """Fowlkes and Mallows (1983); 0, as F, where one side has no links and so none of the other's is found."""
    both, k, r, _ = (sum(column) for column in zip((0, 0, 0, 0), *(pair_counts(*d) for d in documents), strict=True))
    if both == 0 and k + r > 0:
        return 0
    return quotient(float(both), math.sqrt(k * r))


def merge_distance(documents):
    """Menestrina et al. (2010), unit costs: split the response entities into parts of key entities, then merge these."""
    operations = 0
    for document in documents:
        key, response = extended(*document)
        splits = sum(len(parts_of(entity, key)) - 1 for entity in response)
        merges = sum(len(parts_of(entity, response)) - 1 for entity in key)
        operations += splits + merges
    return operations


ORACLES = {
    "mentions": mentions,
    "muc": muc,
    "b_cubed": b_cubed,
    "b_cubed_entity": b_cubed_entity,
    "ceaf_m": ceaf(phi3),
    "ceaf_e": ceaf(phi4),
    "ceaf_phi2": ceaf(phi2),
    "blanc": blanc,
    "lea": lea,
    "conll": conll,
    "links": links,
    "syntactic_links": syntactic_links,
    "rand": rand,
    "core_mr": core_mr,
    "exclusive_core_mr": exclusive_core_mr,
    "overlap": overlap,
    "d_error": d_error,
    "exact": exact,
    "purity": purity,
    "homogeneity": homogeneity,
    "completeness": completeness,
    "v_measure": v_measure,
    "vi": vi,
    "ari": ari,
    "fowlkes_mallows": fowlkes_mallows,
    "merge_distance": merge_distance,
}
