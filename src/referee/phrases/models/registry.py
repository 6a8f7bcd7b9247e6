"""Models that give every candidate, or every parse, a probability; from guessing to tag sequences in context.

==========  ==================================================================  =====================
model       what it knows of a candidate                                        learns from
==========  ==================================================================  =====================
0           nothing: 1/2                                                        nothing
1           the proportion of true chunks                                       one corpus
XK          its category and length                                             one corpus
G           its category and tags                                               two corpora, with tags
C           its category, tags, and the next tag                                two corpora, with tags
S(G), S(C)  that it is chosen after the chunks before it, in a partition        as G, C
Z(G), Z(C)  that it is in a partition, all of them weighed                      as G, C
==========  ==================================================================  =====================

S and Z alone are S(G) and Z(G). Source: Abney (1993); Z is ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from referee.exceptions import OptionError, UnknownNameError
from referee.phrases.candidates import Candidates, Chunks, Sentences
from referee.phrases.models.by_length import by_length
from referee.phrases.models.constant import guess, one_parameter
from referee.phrases.models.lattice import Tagger
from referee.phrases.models.rules import grammar_rules, rules_in_context
from referee.phrases.models.sentence import SentenceModel
from referee.phrases.models.sequence import WEIGHTS


class Model(Protocol):
    """What has learnt to give probabilities."""

    @property
    def name(self) -> str: ...

    @property
    def categories(self) -> tuple[str, ...]: ...

    def predict(self, sentences: Sentences) -> Candidates:
        """A probability for every candidate of these sentences."""

    def values(self) -> dict[str, Any]:
        """What it has learnt, as JSON has it."""


FROM_ONE: dict[str, Callable[[Chunks], Model]] = {"0": guess, "1": one_parameter, "XK": by_length}
FROM_TWO: dict[str, Callable[[Chunks, Chunks, Tagger | None], Model]] = {"G": grammar_rules, "C": rules_in_context}
MODELS = (*FROM_ONE, *FROM_TWO, *(f"{kind}({name})" for name in FROM_TWO for kind in WEIGHTS))
"""Every model, each better than those before, as a rule."""


def fit(name: str, train: Chunks, second: Chunks | None = None, *, tagger: Tagger | None = None) -> Model:
    """The model of this name.

    second : where G and C, and what is made of them, learn how good the rules of the first corpus are
    tagger : gives the probabilities of tags; without one, the tags of the corpora are certain
    """
    parts = re.fullmatch(rf"([{''.join(WEIGHTS)}])(?:\(({'|'.join((*FROM_ONE, *FROM_TWO))})\))?", name)
    if parts:
        return SentenceModel(parts[1], fit(parts[2] or "G", train, second, tagger=tagger))
    if name in FROM_TWO:
        if second is None:
            raise OptionError(f"model {name} needs a second corpus, to learn how good the rules of the first are; found none")
        return FROM_TWO[name](train, second, tagger)
    if name not in FROM_ONE:
        raise UnknownNameError("model", name, (*MODELS, *WEIGHTS))
    return FROM_ONE[name](train)
