"""The models, from guessing to tag sequences in context: `fit`, `MODELS`.

==========  ==================================================================  =====================
model       what it knows of a candidate                                        learns from
==========  ==================================================================  =====================
0           nothing: 1/2                                                        nothing
1           the proportion of true chunks                                       one corpus
XK          its category and length                                             one corpus
G           its category and tags                                               two corpora, with tags
C           its category, tags, and the next tag                                two corpora, with tags
S(G), S(C)  its choice after the chunks before it, in a partition               as G, C
Z(G), Z(C)  its part in all partitions of the sentence                          as G, C
==========  ==================================================================  =====================

S and Z alone are S(G) and Z(G). Z is ours, all others are from [1]_.

References
----------
.. [1] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.basics.exceptions import OptionError, UnknownNameError
from referee.phrases.annotation import Chunks
from referee.phrases.models.baselines import by_length, guess, one_parameter
from referee.phrases.models.lattice import Tagger
from referee.phrases.models.parses import WEIGHTS, PhraseModel, SentenceModel
from referee.phrases.models.rules import grammar_rules, rules_in_context

FROM_ONE: dict[str, Callable[[Chunks], PhraseModel]] = {"0": guess, "1": one_parameter, "XK": by_length}
"""Models that are fitted to one corpus."""

FROM_TWO: dict[str, Callable[[Chunks, Chunks, Tagger | None], PhraseModel]] = {"G": grammar_rules, "C": rules_in_context}
"""Models that are fitted to two corpora."""

MODELS = (*FROM_ONE, *FROM_TWO, *(f"{kind}({name})" for name in FROM_TWO for kind in WEIGHTS))
"""Every model; usually, each is better than those before it."""


def fit(name: str, train: Chunks, second: Chunks | None = None, *, tagger: Tagger | None = None) -> PhraseModel:
    """Fit a model.

    Parameters
    ----------
    name
        One of `MODELS`.
    train
        The corpus from which rules and proportions are learnt.
    second
        The corpus from which G and C, and the models made of them, learn how reliable the rules of the first are.
    tagger
        Gives the probabilities of tags; without one, the tags of the corpora are certain.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    OptionError
        If the model needs a second corpus, or a corpus has no chunks or no tags.
    """
    parts = re.fullmatch(rf"([{''.join(WEIGHTS)}])(?:\(({'|'.join((*FROM_ONE, *FROM_TWO))})\))?", name)
    if parts:
        return SentenceModel(parts[1], fit(parts[2] or "G", train, second, tagger=tagger))
    if name in FROM_TWO:
        if second is None:
            raise OptionError(
                f"model {name} needs a second corpus, to learn how reliable the rules of the first are; found none"
            )
        return FROM_TWO[name](train, second, tagger)
    if name not in FROM_ONE:
        raise UnknownNameError("model", name, (*MODELS, *WEIGHTS))
    return FROM_ONE[name](train)
