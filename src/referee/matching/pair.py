"""`Pair`: a key and a response over the same documents, made ready to be counted.

`pair_of` is a line of steps: align the documents, compare the words, join documents across which entities are scored, leave out
what is not scored, decide about repeated mentions. `Pair.matching` then says which key mention is which response mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import FormatError, MismatchError, OptionError, brief, counted, warn
from referee.basics.memo import Memo
from referee.basics.options.choices import ANSWERS
from referee.basics.options.documents import DocumentFilter
from referee.basics.options.options import Options
from referee.corpus import Corpus
from referee.corpus.common_tokens import on_common_tokens
from referee.corpus.cross_document import join_documents
from referee.matching.documents import AlignedDocuments, align_documents
from referee.matching.exact import identities
from referee.matching.items import with_items
from referee.matching.matchers import Matching, match
from referee.matching.positions import CharacterAlignments, are_words_alone, character_alignments, on_common_positions
from referee.matching.repeated_mentions import COUNTED_REPEATEDLY, resolve_repeated_mentions, without_repeated_mentions
from referee.matching.tokens import REMEDY, compare_tokens, differences, warn_of_range

if TYPE_CHECKING:
    from referee.answers.answer import DocumentAnswer, Grounded

BLOCK = 1 << 17
"""Mentions, of key and response together, that are counted at a time; a larger document is counted whole."""


class Sides(NamedTuple):
    """A key and a response over the same documents."""

    key: Corpus
    response: Corpus

    def each(self, change: Callable[[Corpus], Corpus]) -> Sides:
        """Both sides, changed alike."""
        return Sides(change(self.key), change(self.response))

    def block(self, first: int, after: int) -> Sides:
        """The documents from `first` up to `after`."""
        return self.each(lambda side: side.block(first, after))


@dataclass(frozen=True, eq=False, repr=False)
class Pair(Memo):
    """A key and a response, ready to be counted.

    Parameters
    ----------
    scored : Sides
        The mentions that are scored, each once.
    unfiltered : Sides
        The same documents with everything that is annotated: non-referring expressions, zeros, singletons, layers.
    with_repeats : Sides
        As `scored`, with the repeated mentions that the policy of another scorer keeps.
    characters : sequence
        The alignment of documents whose words differ, see `referee.matching.positions`.
    words : str
        How the words compare: "same", "different", "not-compared", or the share that could not be aligned.
    options : Options
        How the two are compared.
    repairs : mapping
        What was repaired in the answer of a language model -> how often.
    answers : mapping
        Document -> what a language model answered about it, if the response is its answer.
    selection : mapping
        What a signature says of which documents are compared, if not all are.
    emulated_documents : bool, shape (documents,), or None
        The documents that are counted in another way: none of their mentions match here.
    absent : tuple of str
        The documents of the key that the response lacks.
    """

    scored: Sides
    unfiltered: Sides
    with_repeats: Sides
    characters: CharacterAlignments
    words: str
    options: Options
    repairs: Mapping[str, int] = field(default_factory=dict)
    answers: Mapping[str, DocumentAnswer] = field(default_factory=dict)
    selection: Mapping[str, str] = field(default_factory=dict)
    emulated_documents: Bools | None = None
    absent: tuple[str, ...] = ()

    def __repr__(self) -> str:
        names = brief(self.key.source, 30), brief(self.response.source, 30)
        return f"<Pair of {names[0]} and {names[1]}: {counted(len(self.key.doc_ids), 'document')}>"

    @property
    def key(self) -> Corpus:
        """The key: the mentions that are scored."""
        return self.scored.key

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        return self.key.source

    @property
    def response(self) -> Corpus:
        """The response: the mentions that are scored."""
        return self.scored.response

    @cached_property
    def matching(self) -> Matching:
        """Which key mention is which response mention."""
        o = self.options
        matching = match(*self.scored, matcher=o.match, zeros=o.zeros, min_overlap=o.min_overlap, characters=self.characters)
        if self.emulated_documents is None:
            return matching
        return matching.some(~self.emulated_documents[self.key.document[matching.key_mention]])

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """Numbers of the annotated mentions, equal for mentions of key and response that are equal on common positions."""
        return identities(*on_common_positions(*self.unfiltered, self.characters))

    def blocks(self) -> Iterator[Pair]:
        """Blocks of documents with some `BLOCK` mentions each, so that memory does not grow with the corpus."""
        documents = len(self.key.doc_ids)
        edges = np.arange(documents + 1)
        mentions = np.searchsorted(self.key.document, edges) + np.searchsorted(self.response.document, edges)
        first = 0
        while first < documents or first == 0:
            after = int(np.searchsorted(mentions, mentions[first] + BLOCK, side="right")) - 1
            after = min(max(after, first + 1), documents)
            yield self.block(first, after)
            first = max(after, 1)

    def block(self, first: int, after: int) -> Pair:
        """The documents from `first` up to `after`."""
        scored, unfiltered = self.scored.block(first, after), self.unfiltered.block(first, after)
        with_repeats = scored if self.with_repeats is self.scored else self.with_repeats.block(first, after)
        emulated = None if self.emulated_documents is None else self.emulated_documents[first:after]
        return replace(
            self, scored=scored, unfiltered=unfiltered, with_repeats=with_repeats, characters=self.characters[first:after],
            emulated_documents=emulated,
        )  # fmt: skip


def pair_of(key: Corpus, response: Corpus, options: Options, documents: DocumentFilter | None = None) -> Pair:
    """Make a pair of two corpora, or of those of their documents that are to be compared.

    Raises
    ------
    MismatchError
        If the two have no document in common, or different words.
    OptionError
        If the options do not fit the data.

    Warns
    -----
    RefereeWarning
        For documents that one side lacks, other words, and repeated mentions.
    """
    cut = False
    grounded = _grounded(key, response, options, documents)
    response = grounded.corpus if grounded else response
    aligned = align_documents(key, response, extra=options.extra_documents == "score", wanted=documents)
    if options.tokens != "ignore" and not grounded:
        common = _on_common_tokens(aligned)
        cut = common.key is not aligned.key or common.response is not aligned.response
        aligned = common
    words = grounded.words if grounded else _compared_words(aligned, options.tokens)
    if words == "same" and cut:
        words = "common"
    if words == "same" and are_words_alone(aligned.key, aligned.response):
        words = "without-empty-nodes"
    annotated = _joined(Sides(*with_items(aligned.key, aligned.response, options.items)), options.cross_document)
    characters: CharacterAlignments = ()
    if words == "aligned":
        characters, share = character_alignments(*annotated)
        words = f"aligned-but-{share:.2%}"
    repeated = _resolved(annotated.each(_referring), options)
    scored = repeated.each(without_repeated_mentions) if options.repeated_mentions in COUNTED_REPEATEDLY else repeated
    repairs, answers = (grounded.repairs, grounded.answers) if grounded else ({}, {})
    return Pair(
        scored, annotated, repeated, characters, words, options, repairs, answers, aligned.selection, absent=aligned.only_key
    )


def _grounded(key: Corpus, response: Corpus, options: Options, documents: DocumentFilter | None) -> Grounded | None:
    """The answer of a language model on the words of the key, with a warning of what was repaired."""
    if response.format not in ANSWERS:
        return None
    from referee.answers.answer import ground  # files are seldom answers
    from referee.matching.selecting import selected_alone

    grounded = ground(response, key, options, None if documents is None else selected_alone(key, documents).doc_ids)
    for note in () if grounded is None else grounded.warnings(response.source, key.source):
        warn(note)
    return grounded


def word_differences(key: Corpus, response: Corpus, options: Options, documents: DocumentFilter | None = None) -> list[str]:
    """The first difference of each document whose words differ: of all that `pair_of` would refuse, not of the first alone."""
    if options.tokens != "compare" or response.format in ANSWERS:
        return []
    aligned = align_documents(key, response, extra=options.extra_documents == "score", wanted=documents)
    return list(differences(_on_common_tokens(aligned)))


def _on_common_tokens(aligned: AlignedDocuments) -> AlignedDocuments:
    key, response = on_common_tokens((aligned.key, aligned.response))
    return aligned._replace(key=key, response=response)


def _compared_words(aligned: AlignedDocuments, tokens: str) -> str:
    """Return how the words compare: the same, different, to be aligned, or not compared."""
    warn_of_range(aligned)
    if tokens == "ignore":
        return "not-compared"
    try:
        return "same" if compare_tokens(aligned) else "not-compared"
    except (FormatError, MismatchError) as difference:  # a file may be fine except for the encoding of its words
        if tokens == "compare":
            raise
        warn(f"{str(difference).removesuffix(REMEDY)}: aligned by characters" if tokens == "align" else str(difference))
        return "aligned" if tokens == "align" else "different"


def _joined(sides: Sides, cross_document: str | None) -> Sides:
    """Join the documents across which entities are scored."""
    if cross_document is None:
        return sides
    if sides.key.format == "gap":
        raise OptionError("the examples of GAP are independent of each other; expected no --cross-document")
    return Sides(*join_documents(*sides, cross_document))


def _resolved(sides: Sides, o: Options) -> Sides:
    """Decide about repeated mentions; drop zeros and singletons if the options say so."""
    if o.zeros == "drop" and o.singletons != "drop-annotated":
        sides = sides.each(_without_zeros)
    sides = Sides(*resolve_repeated_mentions(*sides, o.repeated_mentions))
    if o.singletons != "keep":
        sides = sides.each(lambda side: side.select(side.entity_size[side.entity] > 1))
    return sides.each(_without_zeros) if o.zeros == "drop" and o.singletons == "drop-annotated" else sides


def _without_zeros(side: Corpus) -> Corpus:
    return side.select(~side.zero) if side.zero.any() else side


def _referring(side: Corpus) -> Corpus:
    return side if side.referring is None else side.select(side.referring[side.entity])
