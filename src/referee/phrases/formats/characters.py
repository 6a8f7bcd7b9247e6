"""Spans of characters: JSON, or JSON lines, as written by taggers of names and by annotation tools.

::

    [{"entity_group": "PER", "score": 0.99, "word": "Ann Lee", "start": 0, "end": 7}]                        transformers
    [{"start": 0, "end": 7, "text": "Ann Lee", "label": "person", "score": 0.97}]                            GLiNER
    {"text": "Ann Lee sang", "entities": [{"start_pos": 0, "end_pos": 7, "labels":
       [{"value": "PER", "confidence": 0.99}]}]}                                                             Flair
    {"text": "Ann Lee sang", "ents": [{"start": 0, "end": 7, "label": "PERSON"}]}                            spaCy
    {"text": "Ann Lee sang", "spans": [{"start": 0, "end": 7, "label": "PERSON"}]}                           Prodigy
    {"text": "Ann Lee sang", "label": [[0, 7, "PERSON"]]}                                                    doccano

Offsets count characters from 0 and are half-open. Each text, or each list of spans, is a sentence; a file is one of them,
a list of them, or one on each line. Blanks at the ends of a span are no part of it. If any span has a probability (`score`,
`confidence`), the file is one of candidates: spans without one are certain, and the probability of unlisted candidates is
unknown. Pieces of words with tags (transformers without aggregation) are joined as by the strategy "simple".

Words are those of the file (`tokens` with `start` and `end`), or runs of letters and digits, and single signs; a span may begin
or end within a word, which is cut there. Key and response must have the same text; blanks may differ. Lists of spans without
texts belong to the sentences of the key, or, if it is one list, to all of them with one blank between two. If the words of the
key are in columns, they are joined by blanks. What such spans say is their text (`word`, `text`) is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from referee.basics.exceptions import FormatError, MismatchError, OptionError, shortened
from referee.formats.shared.characters import Characters, cut, tokenised
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys, values
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.json_sentences import fields_of_sides
from referee.phrases.formats.shared.text_spans import (
    ENDS,
    LABELS,
    STARTS,
    TextItem,
    TextSpanError,
    has_its_text,
    is_span,
    list_of,
    text_items,
)

OFFSET = re.compile(
    rf'"({"|".join(STARTS)})"\s*:\s*\d|"(labels?|ents|entities|spans)"\s*:\s*\[\s*(\[\s*\d+\s*,\s*\d+\s*,\s*"|\])'
)
PAIRS = re.compile(r'\s{0,9}\[[\s\[]{0,99}"(?:[^"\\]|\\.){0,9999}",\s{0,9}\{\s{0,99}"entities"\s{0,9}:\s{0,9}\[')
"""Training data of spaCy."""

WORDS = re.compile(r'"(tokens|words)"\s*:\s*\[\s*"')


def sniff(head: str) -> bool:
    """Whether the first object is a span of characters, or a text with such spans and no links between them."""
    start = head[:4096]
    keys = first_keys(head)
    if not keys and PAIRS.match(start):
        return True
    if keys & set(STARTS) and keys & set(ENDS):
        return bool(keys & {*LABELS, "labels"})
    others = {"relations", "clusters", "annotations", "corefs", "sentences", "mentions"}
    return (
        "text" in keys
        and bool(keys & {"ents", "spans", "entities", "label", "labels"})
        and not (keys & others or WORDS.search(start) or not OFFSET.search(head))
    )


def read(source: Source, options: PhraseOptions) -> Chunks | PhraseCandidates:
    """Read spans; candidates if any has a probability, else chunks."""
    items: list[TextItem] = []
    content: list[tuple[int | None, object]] = list(values(source, source.raise_error))
    if loose := [value for _, value in content if is_span(value)]:  # one span on each line
        content = [(line, value) for line, value in content if not is_span(value)] + [(None, loose)]
    for line, value in content:
        try:
            items += text_items(value)
        except TextSpanError as error:
            raise FormatError(source.name, line, str(error)) from None
    try:
        phrases = _phrases(items, options.texts, source.name)
    except TextSpanError as error:
        raise FormatError(source.name, None, str(error)) from None
    objects = chain(*(value if isinstance(value, list) else [value] for _, value in content))
    unread = {name: None for value in objects for name in fields_of_sides(value, list_of(value))}
    return replace(phrases, unread=tuple(unread))


def from_characters(
    items: object, text: str | Sequence[str] | Chunks | None = None, *, source: str = "<spans>"
) -> Chunks | PhraseCandidates:
    """Phrases from spans of characters, as models and tools return them in Python.

    Parameters
    ----------
    items
        Objects as in the format `characters`, for one text or a list for several; or Doc objects of spaCy, whose `ents` are
        taken.
    text
        The text, or the texts, of lists of spans without them; or the key.
    source
        The name of the source, for messages.

    Returns
    -------
    Chunks or PhraseCandidates
        Candidates if any span has a probability.

    Raises
    ------
    OptionError
        If an item is not as expected.
    MismatchError
        If there is no text, or a span says that its text is another.

    Examples
    --------
    >>> from referee.phrases import decode, score
    >>> chunks = from_characters([{"start": 0, "end": 7, "label": "PER"}], "Ann Lee sang")
    >>> chunks.sentences.words, chunks.triples()
    ([['Ann', 'Lee', 'sang']], [[('PER', 0, 2)]])
    """
    texts = texts_of(text) if isinstance(text, Chunks) else (text,) if isinstance(text, str) else text
    try:
        return _phrases(list(text_items([*items] if isinstance(items, Iterator) else items)), texts, source)
    except TextSpanError as error:
        raise OptionError(f"{source}: {error}") from None


def texts_of(key: Chunks) -> tuple[str, ...]:
    """The texts of the key's sentences: its own, or its words with blanks between them."""
    sentences = key.sentences
    if sentences.texts is not None:
        return tuple(sentences.texts)
    if sentences.words is None:
        raise MismatchError(f"{key.source} has no words; expected them, as spans of characters need the text")
    return tuple(" ".join(words) for words in sentences.words)


def _phrases(items: Sequence[TextItem], key_texts: Sequence[str] | None, source: str) -> Chunks | PhraseCandidates:
    texts = _texts(items, key_texts, source)
    if len(items) == 1 < len(texts):
        texts = [" ".join(texts)]
    words: list[Sequence[str]] = []
    probabilities: dict[tuple[int, int, int, str], float] = {}
    repeated = 0
    for sentence, (item, text) in enumerate(zip(items, texts, strict=True)):
        spans: dict[tuple[int, int, str], float] = {}
        for span in item.spans:
            inside = text[span.start : span.end].strip()
            if span.end > len(text) or not inside:
                problem = f"found {span.label} from {span.start} to {span.end}; expected words in {len(text)} characters"
                raise TextSpanError(problem)
            if not has_its_text(span, text):
                raise MismatchError(
                    f"{source}: the text of sentence {sentence + 1} differs: found {shortened(repr(span.text))} from "
                    f"{span.start} to {span.end}; expected {shortened(repr(text[span.start : span.end]))}"
                )
            start = text.index(inside, span.start)
            place = (start, start + len(inside), span.label)
            repeated += place in spans
            spans[place] = max(1.0 if span.probability is None else span.probability, spans.get(place, 0.0))
        characters = _words(item, text, [bound for start, end, _ in spans for bound in (start, end)])
        words.append(characters.tokens)
        probabilities |= {(sentence, *characters.span(start, end), label): p for (start, end, label), p in spans.items()}
    warn_file(source, "counted once {} given twice", "span", repeated)
    categories = sorted({label for *_, label in probabilities})
    rows = [(s, start, end, categories.index(label)) for s, start, end, label in probabilities]
    sentences = replace(Sentences.numbered([*map(len, words)], words), texts=tuple(texts))
    columns = SpanColumns.of_rows(rows)._asdict()
    phrases: Chunks | PhraseCandidates = Chunks.build(sentences, categories, **columns, source=source)
    if any(span.probability is not None for item in items for span in item.spans):
        p_of_rows = list(probabilities.values())
        phrases = PhraseCandidates.build(sentences, categories, **columns, probability=p_of_rows, source=source)
    return replace(phrases, read_as="characters")


def _texts(items: Sequence[TextItem], key_texts: Sequence[str] | None, source: str) -> list[str]:
    """The text of each item."""
    texts = [item.text for item in items if item.text is not None]
    if len(texts) == len(items) and texts:
        return texts
    if texts:
        raise FormatError(
            source, None, f"has texts in {len(texts)} of {len(items)} lists of spans; expected them in all or none"
        )
    if key_texts is None:
        raise MismatchError(f"{source} has spans without a text; expected a key with words, whose text they are about")
    if len(items) not in (1, len(key_texts)):
        raise MismatchError(
            f"{source} has spans of {len(items)} texts, the key has {len(key_texts)} sentences; expected the same"
        )
    return list(key_texts)


def _words(item: TextItem, text: str, cuts: Sequence[int]) -> Characters:
    """The words of the item, if they are all of the text, else those of the text; cut at these places."""
    words = item.words or ()
    if "".join("".join(text[a:b] for a, b in words).split()) != "".join(text.split()):
        return tokenised(text, cuts)
    return cut(text, words, (), cuts)


FORMAT = Format("characters", __doc__, (), sniff, read)
