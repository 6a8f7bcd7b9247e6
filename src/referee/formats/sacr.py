r"""SACR: text with mentions in braces, as in the annotation tool SACR and its conversion scripts.

::

    #textid: aesop
    #title: The Peasant and the Eagle

    {Peasant:function="s subject",head="1" A Peasant} found {Eagle an Eagle captured in {M3 a trap}}, and much admiring
    {Eagle the bird}, set {Peasant him} free.

    #COLOR:Peasant=hsl(25, 100%, 80%)
    #TOKENIZATION-TYPE:1

A mention is an opening brace, the name of its entity (letters, digits, `_` and `-`), perhaps a colon and properties, one blank,
its text, and a closing brace. Mentions nest, and end in the paragraph where they begin. Paragraphs are divided by empty lines;
line ends within them, and a written `\n`, are blanks. Lines that begin with `#`, or have nothing but asterisks, are no text:

``#textid:``
    the document's name; where text or another name came before, a new document begins (SACR itself has one a file)
``#tokens: blanks``
    ours: tokens are what stands between blanks and braces, whatever its characters. The writer needs it, as texts in other
    formats have their tokens.

All else is skipped; properties that have a value are counted. Without `#tokens` the text is tokenised as in all formats that
have only characters: words and single signs, cut where a mention begins or ends. Each paragraph is a sentence.

References
----------
SACR (Oberle 2018), its user guide and its parser; corefconversion by the same author.

Notes
-----
Where programs disagree:

* Braces cannot be escaped. SACR reads an opening brace without a name as text; here it is an error.
* corefconversion allows names of letters, digits and `_` only, so these alone are written.
* SACR's three TOKENIZATION-TYPEs say what an annotator can mark; they change nothing here.

A corpus whose mentions cross one another or a sentence's end, with braces or blanks in its tokens, or with a sentence that
would be taken for one of the lines above, cannot be written. Types are not written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TextIO

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder, RawText, Words
from referee.formats.muc import nested
from referee.formats.shared.characters import tokenised
from referee.formats.shared.documents import begin, distinct, entities, is_unnamed, words_of
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.losses import Losses
from referee.formats.shared.program_text import is_code
from referee.formats.shared.source import OnError, Source

PROPERTY = r'\w+=(?:"(?:\\.|[^"\\]){0,2000}"|\w+)'
MARK = re.compile(rf"(\{{)(?:([-\w]+)(?::((?:{PROPERTY}(?:[,;]{PROPERTY})*)?))?\s)?|(\}})|\\n")
MENTION = re.compile(r"(?<![\w\\$%@#])\{([-\w]+)(?=:|\s[^=<>|&?!;,.)}])")
MENTION_WITH_PROPERTY = re.compile(rf"(?<![\w\\$%@#])\{{[-\w]+:{PROPERTY}")
PROPERTIES = re.compile(r'(\w+)=("(?:\\.|[^"\\]){0,2000}"|\w+)')
METADATA = re.compile(r"\s*#|\*+\s*$")
NAME = re.compile(r"\s*#text_?id\s*:(.*)")
BLANKS = re.compile(r"\s*#tokens\s*:\s*blanks\s*$")
UNHOLDABLE = re.compile(r"[\s\0{}]|\\n|^$")
BRACES = {"{": "-LCB-", "}": "-RCB-"}
"""What braces in words are written as with --lossy: a scorer that knows the Penn treebank takes them for the same."""

Tokens = tuple[list[str], list[int], list[tuple[int, int]], RawText | None]
"""The tokens of a document, where its sentences start, the span of each of its mentions, and its text without the marks."""


@dataclass
class _SacrDocument:
    """A document.

    Parameters
    ----------
    name, line
        Its name, and where it begins.
    text : list of str
        The text without the marks, in pieces.
    length : int
        The number of characters of the text.
    inked : int
        Where the last piece that is not blank ends.
    paragraphs : list of int
        Where paragraphs start.
    mentions : list of triples
        Name, and half-open span of characters.
    properties : Counter
        How many mentions have a value of each property.
    """

    name: str
    line: int
    text: list[str] = field(default_factory=list)
    length: int = 0
    inked: int = 0
    paragraphs: list[int] = field(default_factory=list)
    mentions: list[tuple[str, int, int]] = field(default_factory=list)
    properties: Counter[str] = field(default_factory=Counter)

    def append(self, text: str) -> None:
        self.text.append(text)
        self.length += len(text)
        if text.strip():
            self.inked = self.length


def sniff(head: str) -> bool:
    """It names a text; or its braces are those of mentions, with text beside them.

    Their entities must be named twice, or have numbers or properties: others have braces around words, too.
    """
    if head.lstrip().startswith(('{"', "[", "<")):
        return False
    lines = head.split("\n")
    if any(NAME.match(line) or BLANKS.match(line) for line in lines):
        return True
    text = "\n".join(line for line in lines if not METADATA.match(line))
    names = [match[1] for match in MENTION.finditer(text)]
    properties = MENTION_WITH_PROPERTY.search(text) is not None
    if len(names) < 0.9 * text.count("{") or is_code(text.replace("}", "")):
        return False
    if len({*names}) == len(names) and not properties and not any(map(str.isdecimal, "".join(names))):
        return False
    for _ in range(20):
        text = re.sub(r"\{[-\w]+\s[^{}]*\}|\s#.*", " ", text)
    return properties or bool(re.search(r"(?<!\S)[^\W\d_]+(?![^\s.,;:!?])", text))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read texts with mentions in braces."""
    builder = CorpusBuilder(source.name)
    blanks = any(BLANKS.match(line) for line in source.head.decode(errors="replace").split("\n"))
    properties: Counter[str] = Counter()
    for document in _documents(source, on_error):
        properties.update(document.properties)
        tokens, sentences, spans, raw = (_between_blanks if blanks else _tokenised)(document)
        if begin(builder, on_error, document.name, tokens, sentences, raw=raw, line=document.line):
            for (name, _, _), span in zip(document.mentions, spans, strict=True):
                builder.mention(*span, name)
    warn_file(source.name, "left out {} of mentions ({names})", "property", properties)
    return builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one paragraph a sentence.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    labels = distinct((re.sub(r"[^A-Za-z0-9_]+", "_", label) or "_" for label in corpus.entity_ids), "_")
    out.write("#tokens: blanks\n\n")
    for (name, mentions), words in zip(entities(corpus), words_of(corpus, format="sacr"), strict=True):
        opening: dict[int, str] = {}
        closing: dict[int, str] = {}
        for mention in nested(corpus, mentions):
            start, end = int(corpus.start[mention]), int(corpus.end[mention])
            opening[start] = opening.get(start, "") + f"{{{labels[corpus.entity[mention]]} "
            closing[end] = closing.get(end, "") + "}"
        out.write(f"#textid: {'' if is_unnamed(corpus) else name}\n\n")
        for start, end in pairwise([*words.sentences, len(words.tokens)]):
            line = " ".join(opening.get(i, "") + words.tokens[i] + closing.get(i + 1, "") for i in range(start, end))
            out.write(f"{line}\n\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions that cross one another or the end of a sentence; change words, sentences and names of documents."""
    losses.leave_out_over_sentences()
    losses.leave_out_crossing()
    losses.change_words(UNHOLDABLE, lambda brace: BRACES.get(brace, "_"))
    losses.rename()
    marked = set(zip(losses.corpus.document.tolist(), losses.corpus.start.tolist(), strict=True))

    def without_metadata(document: int, words: Words) -> list[str]:
        """The words, with another sign at the beginning of a sentence that would be metadata."""
        tokens = list(words.tokens)
        for start, end in pairwise([*words.sentences, len(tokens)]):
            if (document, start) not in marked and METADATA.match(" ".join(tokens[start:end])):
                tokens[start] = "_" + tokens[start][1:]
        return tokens

    losses.reword(without_metadata)


def _documents(source: Source, on_error: OnError) -> list[_SacrDocument]:
    documents: list[_SacrDocument] = []
    for line, paragraph in _paragraphs(source, on_error):
        if name := NAME.match(paragraph[0]):
            documents.append(_SacrDocument(name[1].strip(), line))
        elif not METADATA.match(paragraph[0]):
            documents = documents or [_SacrDocument("", line)]
            _add(documents[-1], paragraph, line, on_error)
    return documents


def _paragraphs(source: Source, on_error: OnError) -> Iterator[tuple[int, list[str]]]:
    """The lines of each paragraph, with the number of the first; a line of metadata is a paragraph of its own."""
    paragraph: list[str] = []
    first = 1
    for number, line in source.lines(on_error):
        if line.strip() and not METADATA.match(line):
            first = first if paragraph else number
            paragraph.append(line)
            continue
        if paragraph:
            yield first, paragraph
            paragraph = []
        if line.strip():
            yield number, [line]
    if paragraph:
        yield first, paragraph


def _add(document: _SacrDocument, lines: Sequence[str], first: int, on_error: OnError) -> None:
    """Add a paragraph, whose first line has this number, to a document."""
    text = " ".join(lines)
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    document.paragraphs.append(document.length)
    open_: list[tuple[str, int, int]] = []
    position = 0
    for mark in MARK.finditer(text):
        document.append(text[position : mark.start()])
        position = mark.end()
        number = first + bisect_right(starts, mark.start()) - 1
        if mark[2]:
            open_.append((mark[2], document.length, number))
            if mark[3]:
                document.properties.update(name for name, value in PROPERTIES.findall(mark[3]) if value != '""')
        elif mark[1]:
            sign = shortened(text[mark.start() :], 20)
            on_error(number, f"found {sign!r}; expected a name and a blank behind the brace, as in {{Ann she}}")
        elif not mark[4]:
            document.append(" ")
        elif not open_:
            on_error(number, "found } without a mention that is open; expected { and a name before it")
        else:
            name, start, begun = open_.pop()
            if start < document.inked:
                document.mentions.append((name, start, document.length))
            else:
                on_error(begun, f"mention of {shortened(name)} has no text; expected at least one character")
    document.append(text[position:])
    document.append("\n")
    for name, _, begun in open_:
        on_error(begun, f"mention of {shortened(name)} is never closed; expected }} before the paragraph ends")


def _tokenised(document: _SacrDocument) -> Tokens:
    spans = [span for _, *span in document.mentions]
    characters = tokenised("".join(document.text), (edge for span in spans for edge in span))
    on_tokens = [characters.span(start, end) for start, end in spans]
    return list(characters.tokens), list(characters.sentences), on_tokens, characters.raw


def _between_blanks(document: _SacrDocument) -> Tokens:
    """What stands between blanks and braces."""
    text = "".join(document.text)
    edges = {0, len(text), *document.paragraphs, *(edge for _, *span in document.mentions for edge in span)}
    tokens: list[str] = []
    place = {}
    for start, end in pairwise([*sorted(edges), len(text)]):
        place[start] = len(tokens)
        tokens += text[start:end].split()
    spans = [(place[start], place[end]) for _, start, end in document.mentions]
    return tokens, sorted({place[start] for start in document.paragraphs} - {len(tokens)}), spans, None


FORMAT = Format("sacr", __doc__, ("spans", "words"), sniff, read, write, drop_unsupported, is_like_prose=True)
