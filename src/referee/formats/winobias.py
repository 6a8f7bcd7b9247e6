"""WinoBias: a sentence a line, in which an occupation and the pronouns that refer to it stand in square brackets.

::

    [The developer] argued with the designer because [she] did not like the design.
    The developer visited [the hairdresser] because [he] opened a new salon.

Each line is a document without a name, and what is in brackets is one entity: two mentions, or more where a pronoun comes
again. Lines in which one phrase is in brackets, as two of the published ones, or none, are warned of. A number before the
sentence that is that of its line is no word of it. Such a text has no tokens. We take runs of letters, digits and underscores,
and every other character that is no white space.

References
----------
Zhao et al. (2018), Gender Bias in Coreference Resolution; the files `pro_stereotyped_type1.txt.dev` and so on of
uclanlp/corefBias. What is there as CoNLL is read as `conll`.
"""

from __future__ import annotations

import re

from referee.basics.exceptions import counted
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import tokenised
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.possessive import compiled
from referee.formats.shared.source import OnError, Source

BRACKETS = re.compile(r"\[([^\[\]]*)\]")
LINE = compiled(r"(?:\d{1,6}[ \t]+)?+[^\[\]{}<>|#\\]*+(?:\[ ?+[\w '-]{1,80}+\](?![(_:\[{\d])[^\[\]{}<>|#\\]*+){2,9}+")
PRONOUNS = frozenset(
    (
        "he",
        "him",
        "his",
        "himself",
        "she",
        "her",
        "hers",
        "herself",
        "they",
        "them",
        "their",
        "theirs",
        "themself",
        "themselves",
    )
)


def sniff(head: str) -> bool:
    """Lines with brackets around words, of which the last is a pronoun in nearly all."""
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = [line for line in (whole or rest).split("\n") if line.strip()]
    fitting = (LINE.fullmatch(line.rstrip("\r")) and BRACKETS.findall(line)[-1].strip().lower() in PRONOUNS for line in lines)
    return bool(lines) and sum(map(bool, fitting)) >= 0.9 * len(lines)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a document a line."""
    builder = CorpusBuilder(source.name)
    single = []
    for line, text in source.lines(on_error):
        if text.strip() and _add(text, builder, line, on_error) < 2:
            single.append(line)
    warn_file(
        source.name,
        "found {} with fewer than two phrases in square brackets",
        "sentence",
        len(single),
        single[0] if single else None,
    )
    return builder.corpus()


def _add(line: str, builder: CorpusBuilder, number: int, on_error: OnError) -> int:
    """Add the document of a line; return how many phrases are in brackets."""
    numbered = re.match(r"\s*(\d{1,6})[ \t]+", line)
    if numbered and int(numbered[1]) == len(builder.doc_ids) + 1:
        line = line[numbered.end() :]
    text, places = "", []
    for n, piece in enumerate(re.split(r"\[([^\[\]]*)\]", line)):  # every second one was in brackets
        if n % 2:
            places.append((len(text), len(text) + len(piece)))
        text += piece
    names = [text[a:b].strip() for a, b in places if text[a:b].strip().lower() not in PRONOUNS]
    characters = tokenised(text, {offset for place in places for offset in place})
    builder.document("", characters.tokens, characters.sentences)
    if "[" in text or "]" in text or len(names) > 1 or not all(text[a:b].strip() for a, b in places):
        problem = f"{counted(len(places), 'phrase')} in square brackets, {len(names)} of which are no pronouns"
        on_error(number, f"found {problem}; expected one occupation and its pronouns, one entity a line")
        return 2  # which is told already
    for start, end in places:
        builder.mention(*characters.span(start, end), "0")
    return len(places)


FORMAT = Format("winobias", __doc__, ("spans", "words"), sniff, read)
