"""Who *I* and *you* are: by labels of speakers (``# speaker = ANN``) or by quotations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.resolver.attributes import NUMBERS, TYPE, Mentions
from referee.resolver.kinds import KIND, PERSON, POSSIBLE, kind_of_name
from referee.resolver.lexicon import KindLexicon
from referee.resolver.quotations import Attribution, Clues, Quotation, QuotationMarks
from referee.resolver.syntax import Syntax, plain

LABEL, OTHER_LABEL = "label", "other of two labels"


class Utterance(NamedTuple):
    """Who *I* or *you* is.

    Parameters
    ----------
    mention : int
        Who it is; -1 for somebody whom only a label names.
    label : int
        The code of the label, or 0.
    rule : str
        How that was found.
    """

    mention: int
    label: int
    rule: str


class Speakers(NamedTuple):
    """What is known of who speaks.

    Parameters
    ----------
    document : int64, shape (mentions,)
        The document of each mention.
    spoken : dict
        Who each *I* and *you* is, if that is known.
    apart : list of (int, int)
        A mention in what is said, and who says it, who is another one.
    unknown : list of int
        *I* in quotations of which nobody knows who says them.
    quotations : list of Quotation
    """

    document: Ints
    spoken: dict[int, Utterance]
    apart: list[tuple[int, int]]
    unknown: list[int]
    quotations: list[Quotation]


def speakers_of(syntax: Syntax, m: Mentions, possible: Ints, lexicon: KindLexicon) -> Speakers:
    """Find out who speaks in each document: by labels where it has some, else by quotations."""
    speakers = Speakers(m.document, {}, [], [], [])
    clues = Clues(syntax, m, possible, lexicon.speech)
    marks, paragraph = QuotationMarks(clues, lexicon), clues.paragraph.tolist()
    edges = np.searchsorted(m.document, np.arange(len(syntax.doc_ids) + 1)).tolist()
    for d in range(len(syntax.doc_ids)):
        rows, first, after = range(edges[d], edges[d + 1]), int(syntax.first[d]), int(syntax.first[d + 1])
        if not rows:
            continue
        if m.speaker[rows.start : rows.stop].any():
            _by_labels(syntax, m, possible, lexicon, rows, speakers)
        elif quotations := marks.quotations(first, after, paragraph):
            attribution = Attribution(clues, first, after, rows, quotations)
            attribution.attribute()
            speakers.quotations.extend(quotations)
            _by_quotations(attribution, rows, speakers)
    return speakers


def _by_labels(syntax: Syntax, m: Mentions, possible: Ints, lexicon: KindLexicon, rows: range, speakers: Speakers) -> None:
    """*I* is who the label of the sentence names, *you* the other one of two, or whom a comment says."""
    codes = m.speaker[rows.start : rows.stop]
    labels = sorted({*codes.tolist()} - {0})
    who = {code: _named(syntax, m, possible, lexicon, rows, code) for code in labels}
    kinds, persons = m.kind.tolist(), m.type == TYPE["pron3"]
    for i, code in zip(rows, codes.tolist(), strict=True):
        if not code:
            continue
        if kinds[i] == KIND["I"]:
            speakers.spoken[i] = Utterance(who[code], code, LABEL)
        elif kinds[i] == KIND["you"]:
            other = int(m.addressee[i]) or (sum(labels) - code if len(labels) == 2 else 0)
            if other:
                speakers.spoken[i] = Utterance(who.get(other, -1), other, OTHER_LABEL)
        elif persons[i] and who[code] >= 0 and who[code] != i:
            speakers.apart.append((i, who[code]))


def _named(syntax: Syntax, m: Mentions, possible: Ints, lexicon: KindLexicon, rows: range, code: int) -> int:
    """The first mention of the person that a label names; -1 for none."""
    spelt = tuple(plain(syntax.speakers[code]).split())
    label = {word.strip(".") for word in spelt}
    may_be = POSSIBLE[kind_of_name(spelt, lexicon)]
    for i in rows:
        name = m.names[m.name[i]]
        words = {word.strip(".") for word in name}
        proper = {word.strip(".") for word in name if word not in lexicon.titles}
        fits = proper and (words <= label or label <= words or proper <= label)
        if fits and possible[i] & may_be & PERSON and m.number[i] != NUMBERS.index("Plur"):
            return i
    return -1


def _by_quotations(attribution: Attribution, rows: range, speakers: Speakers) -> None:
    """*I* is who says the quotation that it is in, *you* whom it is said to."""
    m = attribution.clues.m
    at = attribution.quotation_at[m.head[rows.start : rows.stop] - attribution.first]
    for n in np.flatnonzero(at >= 0).tolist():
        i, q = rows.start + n, attribution.quotations[at[n]]
        if m.kind[i] == KIND["I"]:
            if q.speaker >= 0:
                speakers.spoken[i] = Utterance(q.speaker, 0, q.rule)
            else:
                speakers.unknown.append(i)
        elif m.kind[i] == KIND["you"]:
            if q.addressee >= 0:
                speakers.spoken[i] = Utterance(q.addressee, 0, q.addressing)
        elif (m.type[i] == TYPE["pron3"] or attribution.clues.is_vocative[m.head[i]]) and q.is_sure and q.speaker != i:
            speakers.apart.append((i, q.speaker))
