"""Quoted strings on the words of a key: each is looked up in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.answers.answer import SPURIOUS, Grounded, Unplaced, repaired_in
from referee.answers.choosing import documents_of_lists
from referee.answers.grounding import KeyText
from referee.answers.lists import LABEL, Quote, Quotes
from referee.answers.occurrences import occurrences
from referee.answers.placing import Occurrences
from referee.answers.refining import refined
from referee.answers.texts import AnswerBlock, files_of_documents
from referee.answers.units import units_of
from referee.basics.exceptions import MismatchError, counted
from referee.corpus import Corpus, CorpusBuilder

UNLISTED = "names of entities that stand in the text left out, as they are not listed"
DECIDED = "decided by the order of the lists; numbers of sentences, or marks in the text, tell them apart"


@dataclass(frozen=True)
class QuotedText:
    """Texts with lists of strings.

    Parameters
    ----------
    blocks : sequence of Block
        The texts.
    repairs : Counter
        What was repaired when they were read.
    """

    blocks: Sequence[AnswerBlock]
    repairs: Counter[str] = field(default_factory=Counter)

    def documents(
        self, names: Sequence[str] = (), source: str = "", where: dict[str, list[str]] | None = None
    ) -> tuple[list[Quotes], Counter[str]]:
        """The documents, those with a name of a key by this name; and what was repaired, whose documents `where` gets."""
        repairs = Counter(self.repairs)
        return documents_of_lists(self.blocks, names, source, repairs, {} if where is None else where), repairs

    def ground(self, key: Corpus, source: str, quotes: str) -> Grounded:
        """Look the strings up in the words of a key."""
        where: dict[str, list[str]] = {}
        documents, repairs = self.documents(key.doc_ids, source, where)
        builder, number = CorpusBuilder(source), {name: n for n, name in enumerate(key.doc_ids)}
        looked_up = doubtful = 0
        unplaced: list[Unplaced] = []
        for name, entities, _ in sorted(documents, key=lambda document: number.get(document.name, len(number))):
            text = KeyText(key, number[name]) if name in number else None
            with repaired_in(name, repairs, where):
                strings, spans = _look_up(text, name, entities, quotes, builder, repairs, unplaced)
            looked_up, doubtful = looked_up + strings, doubtful + spans
        if looked_up and repairs[SPURIOUS] >= looked_up:
            raise MismatchError(f"{source}: none of its {counted(looked_up, 'string')} is in the text of {key.source}")
        words, doubt = f"quotes-{quotes}", ""
        if doubtful:
            words += f"-but-{doubtful / looked_up:.2%}-ambiguous"
            doubt = f"{source}: {doubtful} of its {counted(looked_up, 'string')} could stand in several places, {DECIDED}"
        files = files_of_documents(self.blocks, key.doc_ids)
        return Grounded(builder.corpus(), 0.0, +repairs, words, repairs[SPURIOUS], doubt, unplaced, where, files)


def _look_up(
    text: KeyText | None,
    name: str,
    entities: Sequence[tuple[str, list[Quote]]],
    how: str,
    builder: CorpusBuilder,
    repairs: Counter[str],
    unplaced: list[Unplaced],
) -> tuple[int, int]:
    """Add a document with the mentions that the strings are; the number of strings, and how many could be others.

    `unplaced` gets the strings that the text does not have.
    """
    lists: Sequence[Sequence[Quote]] = [mentions for _, mentions in entities]
    if text is not None:
        places = occurrences(text, {quote.text for entity in lists for quote in entity})
        if not all(occurrence.all for occurrence in places.values()):
            lists = refined(
                lists, lambda strings: [s for s, occurrence in occurrences(text, strings).items() if occurrence.all], repairs
            )
            places = occurrences(text, {quote.text for entity in lists for quote in entity})
        repairs[UNLISTED] += _unlisted(text, [label for label, _ in entities], lists)
    else:
        places = occurrences(None, {quote.text for entity in lists for quote in entity})
    occurrence = Occurrences(text, places, [quote for entity in lists for quote in entity], repairs)
    if how == "ordered":
        spans_of, doubtful = occurrence.in_order(lists)
    else:
        lists = [list(dict.fromkeys(entity)) for entity in lists]
        spans_of, doubtful = [[occurrence.every(quote, how) for quote in entity] for entity in lists], 0
    spans: list[tuple[int, int, str]] = []
    added: list[str] = []
    for number, (entity, item) in enumerate(zip(lists, spans_of, strict=True)):
        for quote, meant in zip(entity, item, strict=True):
            if not meant:
                repairs[SPURIOUS] += 1
                unplaced.append(Unplaced(SPURIOUS, name, entities[number][0] or str(number + 1), quote.text))
                begin = occurrence.tokens + len(added)
                added += units_of(quote.text) or [quote.text]
                spans.append((begin, occurrence.tokens + len(added), str(number)))
            spans += [(*span, str(number)) for span in meant]
    if text is None:
        builder.document(name, added)
    else:
        text.begin(builder, name, added)
    for span in spans:
        builder.mention(*span)
    return sum(map(len, lists)), doubtful


def _unlisted(text: KeyText, labels: Sequence[str], lists: Sequence[Sequence[Quote]]) -> int:
    """How many names of entities stand in the text and in no mention of their entity, if this is so for all that have names."""
    named = [(label, spans) for label, spans in zip(labels, lists, strict=True) if label and not LABEL.fullmatch(label)]
    apart = [label for label, spans in named if not any(label.casefold() in quote.text.casefold() for quote in spans)]
    if len(apart) < max(len(named), 2):
        return 0
    return sum(bool(occurrence.all) for occurrence in occurrences(text, apart).values())
