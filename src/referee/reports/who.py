"""Who is who in a text: its entities, one a line, or the text with brackets, for people at a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from referee.basics.exceptions import counted, one_line, shortened
from referee.corpus import MENTION_TYPES, Corpus
from referee.corpus.naming import best_spelt
from referee.formats.shared.written_text import written_text
from referee.reports.text import length

BEST = [MENTION_TYPES.index(name) for name in ("name", "nominal", "other", "", "pronoun", "zero")]
"""Types of mentions, the one first that tells best who is meant."""

PRONOUN = MENTION_TYPES.index("pronoun")
POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")
EMPHASIS = re.compile(r"(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")
"""Marks of printed emphasis in plain texts: _so_."""

LONGEST = 40
"""Characters of a mention that are shown."""


def who_is_who(
    corpus: Corpus, width: int | None = None, most: int | None = None, titles: Mapping[str, str] = MappingProxyType({})
) -> str:
    """List the entities, the largest first: the mention that names it best, the others, and how many.

    What is there twice is shown once, with ×2. A name is best, or else a noun; of several, the most frequent one.

    Parameters
    ----------
    corpus : Corpus
        With words.
    width : int or None
        Characters of a line; None for any number.
    most : int or None
        The number of entities of several mentions that are listed of a document; None for all entities.
    titles : mapping
        What entities are called, by their ids, that no name or noun mentions.

    Examples
    --------
    >>> import referee
    >>> print(who_is_who(referee.read("examples/story.conllu")), end="")
    Ann: She, hers · 3
    Bob: him · 2
    the garden · 2
    """
    lines: list[str] = []
    for d in range(len(corpus.doc_ids)):
        if len(corpus.doc_ids) > 1:
            lines += [""] * bool(lines) + [f"{one_line(corpus.doc_ids[d])}:"]
        lines += _entities(corpus, d, width, most, titles)
    return "".join(f"{line}\n" for line in lines)


def _entities(corpus: Corpus, document: int, width: int | None, most: int | None, titles: Mapping[str, str]) -> Iterator[str]:
    rows = corpus.entities_in(document, document + 1)
    size = corpus.entity_size[rows]
    by_size = (-size).argsort(kind="stable")
    several = [rows.start + n for n in by_size.tolist() if most is None or size[n] > 1]
    texts = _texts(corpus, document)
    for entity in several[:most]:
        yield _line(corpus, entity, texts, width, titles.get(corpus.entity_ids[entity]))
    if most is not None and len(several) > most:
        yield f"… and {counted(len(several) - most, 'entity')} more of several mentions: --show entities lists all"
    alone = 0 if most is None else int((size == 1).sum())
    if alone:
        lists = "" if len(several) > (most or 0) else ": --show entities lists them"
        yield f"{'… and ' if several else ''}{counted(alone, 'entity')} of one mention{lists}"
    if not len(size):
        yield "no entities"


def _line(corpus: Corpus, entity: int, texts: dict[int, str], width: int | None, title: str | None) -> str:
    mentions = corpus.mentions_of(entity)
    types = corpus.mention_types_with_zeros[mentions].tolist()
    spelt = [POSSESSIVE.sub("", texts[m]) if number != PRONOUN else texts[m] for m, number in zip(mentions, types, strict=True)]
    counts = Counter(text.casefold() for text in spelt)
    name = title or spelt[best_spelt([BEST.index(number) for number in types], spelt)]
    best = name.casefold()
    forms = {best: name}  # others as they are written first
    for text in spelt:
        forms.setdefault(text.casefold(), text)
    if len(forms) > 1:
        forms = {key: f"{form} ×{counts[key]}" if counts[key] > 1 else form for key, form in forms.items()}
    shown = [forms[key] for key in sorted(forms, key=lambda key: -counts[key]) if key != best]
    if width is not None and len(shown) > width:  # more than a line holds
        shown = [*shown[:width], "…"]
    end = f" · {len(mentions)}"
    while True:
        line = forms[best] + (f": {', '.join(shown)}" if shown else "") + end
        if width is None or length(line) <= width or not shown:
            return line
        shown = [*shown[: -1 if shown[-1] != "…" else -2], "…"] if shown != ["…"] else []


def _texts(corpus: Corpus, document: int) -> dict[int, str]:
    """The text of each mention of a document, as the user has it, on one line."""
    assert corpus.text is not None
    written = written_text(corpus.text.words[document])
    rows = corpus.mentions_in(document, document + 1)
    people = {}
    for m in range(rows.start, rows.stop):
        parts = (" ".join(written.text[a:b].split()) for a, b in written.spans(corpus, m))
        people[m] = one_line(shortened(EMPHASIS.sub("", " … ".join(parts)), LONGEST))
    return people


def bracketed(corpus: Corpus) -> str:
    """Write the text with a bracket around each mention, and behind it the number of its entity, as `who_is_who` lists them.

    Examples
    --------
    >>> import referee
    >>> print(bracketed(referee.read("examples/story.conllu")).splitlines()[0])
    [Ann]1 met [Bob]2 .
    """
    assert corpus.text is not None
    shown = []
    for d, words in enumerate(corpus.text.words):
        written = written_text(words)
        text = written.text
        rows = corpus.entities_in(d, d + 1)
        size = corpus.entity_size[rows]
        number = {rows.start + n: place for place, n in enumerate((-size).argsort(kind="stable").tolist(), 1)}
        marks: list[tuple[int, int, int, int, str]] = []
        of_document = corpus.mentions_in(d, d + 1)
        for m in range(of_document.start, of_document.stop):
            for start, end in written.spans(corpus, m):
                marks += [(start, 1, -end, m, "["), (end, 0, -start, -m, f"]{number[int(corpus.entity[m])]}")]
        pieces, place = [], 0
        for at, *_, mark in sorted(marks):
            pieces += [text[place:at], mark]
            place = at
        name = f"{one_line(corpus.doc_ids[d])}:\n" * (len(corpus.doc_ids) > 1)
        shown.append(f"{name}{''.join(pieces)}{text[place:].rstrip()}\n")
    return "\n".join(shown)
