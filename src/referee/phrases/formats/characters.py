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
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from referee.basics.exceptions import FormatError, MismatchError, OptionError, shortened
from referee.formats.shared.characters import TOKEN, with_marks
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys, values
from referee.formats.shared.source import OnError, Source
from referee.phrases.annotation import Chunks, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.text_spans import ENDS, LABELS, STARTS, TextItem, TextSpanError, is_span, says, text_items

OFFSET = re.compile(rf'"({"|".join(STARTS)})"\s*:\s*\d|"labels?"\s*:\s*\[\s*(\[\s*\d|\])|"(ents|entities|spans)"\s*:\s*\[\s*\]')
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


def read(source: Source, on_error: OnError, options: PhraseOptions) -> Chunks | PhraseCandidates:
    """Read spans; candidates if any has a probability, else chunks."""
    items: list[TextItem] = []
    content: list[tuple[int | None, object]] = list(values(source, on_error))
    if loose := [value for _, value in content if is_span(value)]:  # one span on each line
        content = [(line, value) for line, value in content if not is_span(value)] + [(None, loose)]
    for line, value in content:
        try:
            items += text_items(value)
        except TextSpanError as error:
            on_error(line, str(error))
    return _phrases(items, options.texts, source.name, on_error)


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

    def on_error(line: int | None, problem: str) -> None:
        raise OptionError(f"{source}: {problem}")

    if isinstance(items, Iterator):  # as of nlp.pipe
        items = list(items)
    texts = texts_of(text) if isinstance(text, Chunks) else (text,) if isinstance(text, str) else text
    try:
        return _phrases(list(text_items(items)), texts, source, on_error)
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


def _phrases(
    items: Sequence[TextItem], key_texts: Sequence[str] | None, source: str, on_error: OnError
) -> Chunks | PhraseCandidates:
    texts = _texts(items, key_texts, source)
    if len(items) == 1 < len(texts):
        texts = [" ".join(texts)]
    words: list[list[tuple[int, int]]] = []
    rows: list[tuple[int, int, int, int]] = []
    probabilities: list[float] = []
    repeated = 0
    numbers: dict[str, int] = {}
    for sentence, (item, text) in enumerate(zip(items, texts, strict=True)):
        seen: dict[tuple[int, int, str], int] = {}
        for span in item.spans:
            inside = text[span.start : span.end].strip()
            if span.end > len(text) or not inside:
                on_error(None, f"found {span.label} from {span.start} to {span.end}; expected words in {len(text)} characters")
                continue
            if not says(span, text):
                raise MismatchError(
                    f"{source}: the text of sentence {sentence + 1} differs: found {shortened(repr(span.text))} from "
                    f"{span.start} to {span.end}; expected {shortened(repr(text[span.start : span.end]))}"
                )
            start = text.index(inside, span.start)
            place = (start, start + len(inside), span.label)
            p = 1.0 if span.probability is None else span.probability
            if place in seen:
                repeated += 1
                probabilities[seen[place]] = max(probabilities[seen[place]], p)
                continue
            seen[place] = len(rows)
            rows.append((sentence, *place[:2], numbers.setdefault(span.label, len(numbers))))
            probabilities.append(p)
        words.append(_borders(item, text, {bound for start, end, _ in seen for bound in (start, end)}))
    warn_file(source, "counted once {} given twice", "span", repeated)
    starts, ends = ([[bounds[side] for bounds in row] for row in words] for side in (0, 1))
    columns = SpanColumns.of_rows(
        [(s, bisect_left(starts[s], a), bisect_right(ends[s], b), category) for s, a, b, category in rows]
    )
    sentences = Sentences.numbered(
        [len(row) for row in words], [[t[a:b] for a, b in row] for t, row in zip(texts, words, strict=True)]
    )
    content = (replace(sentences, texts=tuple(texts)), list(numbers))
    phrases: Chunks | PhraseCandidates = Chunks.build(*content, **columns._asdict(), source=source)
    if any(span.probability is not None for item in items for span in item.spans):
        phrases = PhraseCandidates.build(*content, **columns._asdict(), probability=probabilities, source=source)
    return replace(phrases.with_categories(sorted(numbers)), read_as="characters")


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


def _borders(item: TextItem, text: str, bounds: Iterable[int]) -> list[tuple[int, int]]:
    """Where the words begin and end: those of the item, or of the text, cut at these places."""
    cuts = sorted(bounds)
    words = item.words or ()
    if "".join("".join(text[a:b] for a, b in words).split()) != "".join(text.split()):  # none, or not of the whole text
        words = with_marks(text, [match.span() for match in TOKEN.finditer(text)])
    borders = []
    for start, end in words:
        inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
        borders += [(a, b) for a, b in pairwise([start, *inside, end]) if text[a:b].strip()]
    return borders


FORMAT = Format("characters", __doc__, (), sniff, read)
