"""The CoNLL files of the ARRAU corpus: one word per line, markables with their sets and minimum spans.

::

    TOKEN  MARKABLES                                    MIN             POS  REFERENCE
    The    B-markable_1=set_1                           word_2          x    referring
    owner  I-markable_1=set_1                           word_2          x    referring
    of     I-markable_1=set_1                           word_2          x    referring
    it     I-markable_1=set_1@B-markable_2=set_7        word_2@word_4   x    referring@referring
    rains

Columns are separated by tabs or blanks. A first line that begins with TOKEN is skipped; a file is one document, without a name.

MARKABLES
    ``B-`` where a markable begins, ``I-`` where it goes on, joined with ``@``; markables of one set are an entity
MIN, the third of at least four columns
    the minimum span of each markable that a response may give, as ``word_4`` or ``word_4..word_6``, counted from 1
REFERENCE, the last of at least three columns
    ``non_referring`` for each markable that is non-referring, anything else for the others; the first markable of a set decides

A blank line ends a sentence. Read only: these files have no place for sentences or for several documents; ua holds all that
they hold.

References
----------
The reader of the scorer coval (Moosavi), for which the corpus was converted like this.

Notes
-----
Where it and this one disagree:

* It reads any number that stands where it expects one, and ignores what it cannot read; here that is an error.
* It skips every line that begins with TOKEN, words included, and stops at blank lines.
* Where rows in the midst of a markable are without it, both take it for one of one part, from its first row to its last; here
  with a warning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from referee.basics.exceptions import counted, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source

COLUMN = re.compile(r"[^\0- ]+")
MARKABLE = re.compile(r"([BI])-markable_([0-9]+)=set_([0-9]+)")
MIN = re.compile(r"word_([0-9]{1,9})(?:\.\.word_([0-9]{1,9}))?")
EMPTY = ("_", "-")


@dataclass
class _ArrauMarkable:
    line: int
    entity: str
    minimum: str
    referring: bool
    start: int
    end: int
    gaps: bool = False


def sniff(head: str) -> bool:
    """A word, and behind it the beginning of a markable."""
    return bool(re.search(r"^[^\s]+[ \t]+(?:I-markable_\d+=set_\d+@)*B-markable_\d+=set_\d+", head, re.MULTILINE))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a file, which is one document."""
    tokens: list[str] = []
    sentences: list[int] = []
    markables: dict[str, _ArrauMarkable] = {}
    breaks = True
    for number, line in source.lines(on_error):
        cells = COLUMN.findall(line)
        if number == 1 and line.startswith("TOKEN"):
            continue
        if not cells:
            breaks = True
            continue
        if breaks:
            sentences.append(len(tokens))
            breaks = False
        tokens.append(cells[0])
        if len(cells) > 1 and cells[1] not in EMPTY:
            _annotate(number, cells, len(tokens) - 1, markables, on_error)
    builder = CorpusBuilder(source.name)
    builder.document("", tokens, sentences)
    _build(builder, markables.values(), on_error)
    return builder.corpus()


def _annotate(line: int, cells: list[str], token: int, markables: dict[str, _ArrauMarkable], on_error: OnError) -> None:
    """Begin the markables of a row, or go on with them."""
    names = cells[1].split("@")
    least = cells[2].split("@") if len(cells) > 3 else [""] * len(names)
    reference = cells[-1].split("@") if len(cells) > 2 else [""] * len(names)
    for column, values in (("MIN", least), ("REFERENCE", reference)):
        if len(values) != len(names):
            oddity = f"{counted(len(values), 'value')} of {column} for {counted(len(names), 'markable')}"
            on_error(line, f"found {oddity}; expected one for each, joined with @")
            return
    for name, minimum, refers in zip(names, least, reference, strict=True):
        if not (parts := MARKABLE.fullmatch(name)):
            expected = "expected one such as B-markable_1=set_1 or I-markable_1=set_1"
            on_error(line, f"found the markable {shortened(name)!r}; {expected}")
            continue
        begins, id_, entity = parts[1] == "B", parts[2], parts[3]
        markable = markables.get(id_)
        if begins and markable:
            on_error(
                line, f"markable_{id_} begins on line {markable.line} already; expected I-markable_{id_}, or another number"
            )
        elif begins:
            markables[id_] = _ArrauMarkable(line, entity, minimum, refers != "non_referring", token, token + 1)
        elif markable is None:
            on_error(line, f"markable_{id_} goes on but never began; expected B-markable_{id_} before it")
        elif markable.entity != entity:
            known = f"is of set_{markable.entity} on line {markable.line}"
            on_error(line, f"markable_{id_} {known}, and of set_{entity} here; expected one set")
        else:
            markable.gaps |= token > markable.end
            markable.end = token + 1


def _build(builder: CorpusBuilder, markables: Iterable[_ArrauMarkable], on_error: OnError) -> None:
    troubles: Counter[tuple[str, str]] = Counter()
    referring: dict[str, bool] = {}
    for markable in markables:
        minimum = None
        if markable.minimum not in ("", *EMPTY):
            if match := MIN.fullmatch(markable.minimum):
                minimum = int(match[1]) - 1, int(match[2] or match[1])
                if not markable.start <= minimum[0] < minimum[1] <= markable.end:
                    minimum = None
                    troubles["left out {} not within the markable", "minimum span"] += 1
            else:
                shown = shortened(markable.minimum)
                on_error(markable.line, f"found the MIN {shown!r}; expected one such as word_4 or word_4..word_6")
        troubles["filled the gaps of {}", "markable"] += markable.gaps
        refers = referring.setdefault(markable.entity, markable.referring)
        builder.mention(markable.start, markable.end, f"set_{markable.entity}", minimum_span=minimum, referring=refers)
    for (text, noun), count in (+troubles).items():
        warn_file(builder.source, text, noun, count)


FORMAT = Format("arrau", __doc__, ("spans", "words", "minimum spans", "non-referring"), sniff, read)
