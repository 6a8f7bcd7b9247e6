"""Quotations in a text, and who says them: by a verb of speech, by their paragraph, by the sentence before, by turns.

A quotation is what stands between quotation marks, or from one to the end of its paragraph; where a text has none but single
ones, between these; where it has none at all, behind dashes (`referee.resolver.dashes`). Who says it is found in this order:

1. the subject of a verb of speech behind it (*said Ann*), or before it (*Ann said:*);
2. who says another quotation of the paragraph;
3. the subject of the sentence before it, in the same paragraph;
4. who spoke two turns before or after, where turns follow each other closely.

A turn is the quotations of a paragraph; a quotation right after another one is another turn. Who is spoken to is a vocative, or
who says the turn before, or that after.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.resolver.attributes import NUMBERS, Mentions
from referee.resolver.dashes import DASHES, Dialogue
from referee.resolver.kinds import PERSON
from referee.resolver.lexicon import KindLexicon
from referee.resolver.syntax import Syntax

ENDS = frozenset((".", "!", "?", ";"))
BEFORE_SPEECH = frozenset((",", "?", "!", "-", "--", "—", "..."))
"""With what a quotation ends that a verb of speech may follow."""

AFTER_SPEECH = frozenset((",", ":", "--", "—"))
"""What is between a verb of speech and the quotation behind it."""

CLOSING_MARKS = frozenset(('"', "”", "''", "'", ","))
CLAUSE, SENTENCE = 25, 30
"""How many words a clause with a verb of speech has at most, and a sentence before a quotation."""

GAP = 18
"""How many words may be between turns that follow each other."""

PREPARED = 12
"""How many words may be between a quotation and the words before the next one that say who speaks."""

PLURAL = NUMBERS.index("Plur")
BEHIND, AHEAD = "verb of speech after it", "verb of speech before it"
PARAGRAPH, SUBJECT, TURNS = "same paragraph", "sentence before it", "turns"
VOCATIVE, ADDRESSED = "vocative", "turn beside it"


@dataclass(slots=True)
class Quotation:
    """What is between quotation marks, and who says it to whom.

    Parameters
    ----------
    first, after : int
        The first token and that behind the last one, without the marks.
    turn : int
    speaker, addressee : int
        Mentions; -1 where nothing is known.
    rule, addressing : str
        How speaker and addressee were found.
    """

    first: int
    after: int
    turn: int
    speaker: int = -1
    addressee: int = -1
    rule: str = ""
    addressing: str = ""

    def say(self, speaker: int, rule: str) -> bool:
        """Note who says it, if that is known now and was not before."""
        if speaker < 0 or self.speaker >= 0:
            return False
        self.speaker, self.rule = speaker, rule
        return True

    @property
    def is_sure(self) -> bool:
        """Whether a verb of speech says who speaks."""
        return self.rule in (BEHIND, AHEAD)


class Clues:
    """What tells who speaks, over all documents of a file.

    Parameters
    ----------
    syntax : Syntax
    m : Mentions
    possible : int64, shape (mentions,)
    speech : collection of str
        Verbs of speech.
    """

    def __init__(self, syntax: Syntax, m: Mentions, possible: Ints, speech: Collection[str]) -> None:
        self.syntax, self.m = syntax, m
        self.paragraph = syntax.paragraph[syntax.sentence]
        self.says = np.array([word in speech for word in syntax.words] or [False], dtype=bool)[syntax.lemma]
        self.is_nominal = syntax.upos.among("PROPN", "PRON", "NOUN")
        self.is_subject = syntax.relation.among("nsubj") & (syntax.parent >= 0)
        self.is_vocative = syntax.relation.among("vocative")
        self.is_singular = m.number != PLURAL
        self.may_speak = self.is_singular & ((possible & PERSON) > 0)


class QuotationMarks:
    """Which tokens of a file are quotation marks.

    Parameters
    ----------
    clues : Clues
    lexicon : KindLexicon
    """

    def __init__(self, clues: Clues, lexicon: KindLexicon) -> None:
        syntax, paragraph = clues.syntax, clues.paragraph

        def which(*kinds: bool) -> Bools:
            return np.array(kinds or (False,), dtype=bool)[syntax.form]

        words = syntax.words
        self.straight = which(*(w == '"' for w in words))
        self.opening = which(*(w.startswith("“") or w == "``" for w in words))
        self.closing = which(*(w.endswith("”") or w == "''" for w in words))
        self.single = which(*(w.startswith("‘") for w in words))
        self.apostrophe = which(*(w == "'" for w in words))
        self.apostrophe[1:] &= which(*(w in BEFORE_SPEECH or w in ENDS for w in words))[:-1]
        self.words, self.form = words, syntax.form
        self.dash = which(*(w in DASHES for w in words))
        self.spoken = which(*(lexicon.pronouns.get(w) in ("I", "you") for w in words))
        self.speech = np.zeros(len(syntax.form), dtype=bool)
        self.speech[syntax.parent[clues.is_subject]] = True
        self.speech[:-1] |= syntax.upos.among("PROPN")[1:]  # "Are you ill?" asked Ann
        self.speech &= clues.says & (syntax.form != syntax.lemma)
        self.is_last = np.append(paragraph[1:] != paragraph[:-1], True)[: len(paragraph)]

    def quotations(self, first: int, after: int, paragraph: Sequence[int]) -> list[Quotation]:
        """The quotations of a document."""
        part = slice(first, after)
        opening, closing = self.opening[part], self.closing[part]
        straight = self.straight[part]
        if not (opening.any() or straight.any()):
            opening, closing = self.single[part], self.apostrophe[part]
            if not opening.any():
                return self._behind_dashes(first, after, paragraph)
        quotations: list[Quotation] = []
        begin, continued = -1, False
        events = np.flatnonzero(opening | closing | straight | self.is_last[part])
        for n in events.tolist():
            t = first + n
            opens = opening[n] or (straight[n] and begin < 0)
            closes = begin >= 0 and (opens or closing[n] or straight[n])
            if closes and t > begin:
                quotations.append(self._quotation(begin, t, paragraph, quotations, continued))
                continued = False
            if closes or opens:
                begin = t + 1 if opens else -1
            if self.is_last[t] and begin >= 0:
                if begin <= t:
                    quotations.append(self._quotation(begin, t + 1, paragraph, quotations, continued))
                    continued = True
                begin = -1
        return quotations

    def _behind_dashes(self, first: int, after: int, paragraph: Sequence[int]) -> list[Quotation]:
        """The quotations of a document without quotation marks."""
        part = slice(first, after)
        if not self.dash[part].any():
            return []
        speech, spoken = (frozenset(np.flatnonzero(tokens[part]).tolist()) for tokens in (self.speech, self.spoken))
        words = [self.words[w] for w in self.form[part].tolist()]
        quotations: list[Quotation] = []
        for begin, end in Dialogue(words, paragraph[part], speech, spoken).stretches():
            quotations.append(self._quotation(first + begin, first + end, paragraph, quotations, False))
        return quotations

    def _quotation(
        self, begin: int, end: int, paragraph: Sequence[int], before: Sequence[Quotation], continued: bool
    ) -> Quotation:
        """A quotation with its turn: that of its paragraph, and one more for each that comes right after another one."""
        turn = paragraph[begin]
        if before:
            last = before[-1]
            extra = last.turn - paragraph[last.first]
            at_once = paragraph[last.first] == turn and begin - last.after <= 2
            turn = last.turn if continued else turn + extra + at_once
        return Quotation(begin, end, turn)


class Attribution:
    """Finds out who says the quotations of a document.

    Parameters
    ----------
    clues : Clues
    first, after : int
        The tokens of the document.
    rows : range
        Its mentions.
    quotations : list of Quotation
    """

    def __init__(self, clues: Clues, first: int, after: int, rows: range, quotations: list[Quotation]) -> None:
        syntax, part = clues.syntax, slice(first, after)
        self.clues, self.first, self.after, self.quotations = clues, first, after, quotations
        words = syntax.words
        self.words = [words[w] for w in syntax.form[part].tolist()]
        self.paragraph: list[int] = clues.paragraph[part].tolist()
        self.sentence: list[int] = syntax.sentence[part].tolist()
        self.says: list[bool] = clues.says[part].tolist()
        self.quotation_at = np.full(after - first, -1, dtype=np.int64)
        for n, quotation in enumerate(quotations):
            self.quotation_at[quotation.first - first : quotation.after - first] = n
        heads = clues.m.head[rows.start : rows.stop].tolist()
        self.at_head = {head: i for i, head in reversed([*zip(rows, heads, strict=True)])}
        self.subject: dict[int, int] = {}
        self.subject_of_root: dict[int, int] = {}
        subjects = np.flatnonzero(clues.is_subject[part] & (self.quotation_at < 0)) + first
        for t, verb in zip(subjects.tolist(), syntax.parent[subjects].tolist(), strict=True):
            if t in self.at_head:
                self.subject.setdefault(verb, self.at_head[t])
                if syntax.parent[verb] < 0:
                    self.subject_of_root.setdefault(self.sentence[t - first], self.at_head[t])
        self.vocatives: dict[int, int] = {}
        for t in np.flatnonzero(clues.is_vocative[part] & (self.quotation_at >= 0)).tolist():
            if first + t in self.at_head:
                self.vocatives.setdefault(int(self.quotation_at[t]), self.at_head[first + t])

    def attribute(self) -> None:
        """Note who says each quotation, and to whom."""
        for n in range(len(self.quotations)):
            self._by_verbs(n)
        for q, following in zip(self.quotations[-2::-1], self.quotations[:0:-1], strict=True):
            if following.turn == q.turn and following.rule == AHEAD and following.first - q.after < PREPARED:
                q.say(following.speaker, PARAGRAPH)
        for n in range(len(self.quotations)):
            self._by_sentence_before(n)
        self._by_turns()

    def _by_verbs(self, n: int) -> None:
        q = self.quotations[n]
        before = self.quotations[n - 1] if n else None
        if (
            not q.say(self._behind(n), BEHIND)
            and not q.say(self._ahead(n), AHEAD)
            and before is not None
            and before.turn == q.turn
            and before.rule == BEHIND
            and q.first - before.after < CLAUSE
        ):
            q.say(before.speaker, PARAGRAPH)

    def _behind(self, n: int) -> int:
        """Who says a quotation by the clause behind it."""
        q, words = self.quotations[n], self.words
        start = stop = self._clause_behind(q)
        following = self.quotations[n + 1].first - 1 if n + 1 < len(self.quotations) else self.after
        limit = min(following - self.first, start + CLAUSE, len(words))
        paragraph = self.paragraph[q.first - self.first]
        while stop < limit and self.paragraph[stop] == paragraph and words[stop] not in ENDS:
            stop += 1
        end = q.after - self.first
        follows = words[end - 1] in BEFORE_SPEECH or (end < len(words) and words[end] == ",") or start > end + 1
        return self._speaker_in(range(start, stop)) if follows else -1

    def _clause_behind(self, q: Quotation) -> int:
        start = q.after - self.first
        while start < len(self.words) and self.words[start] in CLOSING_MARKS:
            start += 1
        return start

    def _ahead(self, n: int) -> int:
        """Who says a quotation by the clause before it."""
        q, words = self.quotations[n], self.words
        stop = start = q.first - 1 - self.first
        begin = self.quotations[n - 1].after - self.first if n else 0
        limit = max(begin, stop - CLAUSE)
        paragraph = self.paragraph[q.first - self.first]
        while start > limit and self.paragraph[start - 1] == paragraph and words[start - 1] not in ENDS:
            start -= 1
        introduces = stop > start and words[stop - 1] in AFTER_SPEECH
        return self._speaker_in(reversed(range(start, stop))) if introduces else -1

    def _speaker_in(self, tokens: range | Iterable[int]) -> int:
        """The subject of the first verb of speech among these tokens, or what may be its subject where the tree has none."""
        places = list(tokens)
        inside = set(places)
        for t in places:
            if not self.says[t]:
                continue
            subject = self.subject.get(self.first + t)
            if subject is not None:
                return subject if self.clues.is_singular[subject] else -1
            for beside in (t + 1, t - 1, t + 2, t + 3):
                mention = self.at_head.get(self.first + beside) if beside in inside else None
                if mention is not None and self._may_follow(beside, mention):
                    return mention if self.clues.may_speak[mention] else -1
        return -1

    def _may_follow(self, token: int, mention: int) -> bool:
        """Whether a mention may be the subject of a verb of speech beside it: *his* of *his wife* is none."""
        return bool(self.clues.is_nominal[self.first + token]) and not self.clues.m.possessive[mention]

    def _by_sentence_before(self, n: int) -> None:
        q = self.quotations[n]
        before = self.quotations[n - 1] if n else None
        end = q.first - 2 - self.first
        if (
            q.speaker >= 0
            or (before is not None and before.turn == q.turn and before.speaker >= 0)
            or end <= 0
            or self.quotation_at[end] >= 0
            or self.words[end] not in (".", ":")
            or self.paragraph[end] != self.paragraph[q.first - self.first]
        ):
            return
        start = end
        while start and self.sentence[start - 1] == self.sentence[end]:
            start -= 1
        subject = self.subject_of_root.get(self.sentence[end], -1)
        if subject >= 0 and self.clues.may_speak[subject] and end - start < SENTENCE:
            q.say(subject, SUBJECT)

    def _by_turns(self) -> None:
        turns = [list(members) for _, members in groupby(self.quotations, key=lambda q: q.turn)]
        speakers = [next((q.speaker for q in turn if q.speaker >= 0), -1) for turn in turns]
        near = [False] * (len(turns) + 1)
        for k in range(1, len(turns)):
            follows = turns[k][0].turn - turns[k - 1][0].turn == 1
            near[k] = follows and turns[k][0].first - turns[k - 1][-1].after <= GAP
        for k in range(2, len(turns)):
            if speakers[k] < 0 <= speakers[k - 2] != speakers[k - 1] and near[k] and near[k - 1]:
                speakers[k] = speakers[k - 2]
        for k in range(len(turns) - 3, -1, -1):
            if speakers[k] < 0 <= speakers[k + 2] != speakers[k + 1] and near[k + 1] and near[k + 2]:
                speakers[k] = speakers[k + 2]
        for k, turn in enumerate(turns):
            beside = [speakers[j] for j, gap in ((k - 1, k), (k + 1, k + 1)) if 0 <= j < len(turns) and near[gap]]
            other = next((speaker for speaker in beside if speaker >= 0 and speaker != speakers[k]), -1)
            numbers = [int(self.quotation_at[q.first - self.first]) for q in turn]
            vocative = next((self.vocatives[n] for n in numbers if n in self.vocatives), -1)
            for q in turn:
                q.say(speakers[k], TURNS)
                q.addressee, q.addressing = (vocative, VOCATIVE) if vocative >= 0 else (other, ADDRESSED)
