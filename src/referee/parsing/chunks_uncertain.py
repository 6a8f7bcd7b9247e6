"""Tags with probabilities, for models of chunks: what a tagger is not sure of, chunks are not sure of either.

Of each word, its tags are independent of those of other words, given the text. A model that was fitted to certain tags takes
them through its `tagger`, as `referee.phrases.models.lattice` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.algorithms.arrays import Floats, Ints, order_by
from referee.basics.exceptions import OptionError, counted
from referee.phrases.annotation import Sentences
from referee.phrases.models.lattice import Lattice, first_positions
from referee.phrases.models.parses import SentenceModel
from referee.phrases.models.rules import RuleModel

LEAST = 0.01
"""Tags with a smaller probability are left out."""


@dataclass(frozen=True, eq=False)
class UncertainTags:
    """The probabilities of the tags of a text, for a model that knows certain tags: a tagger of this text alone.

    Parameters
    ----------
    tags : tuple of str
        Those of the model.
    given : sequence of str
        Those that the tagger may give; the model need not know all.
    probability : float, shape (words, given tags)
        For each word, its probabilities add up to 1.
    """

    tags: tuple[str, ...]
    given: Sequence[str]
    probability: Floats

    def lattice(self, sentences: Sentences) -> Lattice:
        """The tags of these sentences, which have all words of the text, in order.

        Raises
        ------
        OptionError
            If there are more or fewer words than probabilities.
        """
        words = int(sentences.length.sum())
        if len(self.probability) != words:
            raise OptionError(f"found the tags of {counted(len(self.probability), 'word')}; expected those of {words}")
        number = {tag: t for t, tag in enumerate(self.tags)}
        numbers = np.array([number.get(tag, len(self.tags) + 1) for tag in self.given], dtype=np.int64)
        word, tag = np.nonzero(self.probability >= LEAST)
        sentence = np.repeat(np.arange(len(sentences)), sentences.length)
        ends = first_positions(sentences) + sentences.length
        position = np.concatenate([word + sentence[word], ends])
        state = np.concatenate([numbers[tag], np.full(len(ends), len(self.tags))])
        p = np.concatenate([self.probability[word, tag], np.ones(len(ends))])
        order = order_by(position)
        p = p[order]

        def conditional(before: Ints, target: Ints) -> Floats:
            return p[target]

        return Lattice.linked(
            sentences, self.tags, position=position[order], tag=state[order], probability=p, conditional=conditional
        )


def with_uncertain_tags(model: SentenceModel, given: Sequence[str], probability: Floats) -> SentenceModel:
    """The model for one text, with the probabilities of its tags in place of its tags.

    Parameters
    ----------
    model : SentenceModel
    given, probability
        As in `UncertainTags`.

    Raises
    ------
    OptionError
        If the model knows no tags.
    """
    if not isinstance(model.phrases, RuleModel):
        raise OptionError(f"model {model.name} knows no tags; expected one that does, such as S(C)")
    tagger = UncertainTags(model.phrases.tags, given, probability)
    return replace(model, phrases=replace(model.phrases, tagger=tagger))
