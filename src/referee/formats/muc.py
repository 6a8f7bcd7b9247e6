"""SGML with coreference in the text, as in MUC-6, MUC-7 and OntoNotes.

::

    <DOC><DOCNO>nyt-1</DOCNO><TEXT>
    <s><COREF ID="1" MIN="company">The big company</COREF> sold <COREF ID="2" TYPE="IDENT" REF="1">its</COREF> shares</s>
    </TEXT></DOC>

    <DOC DOCNO="bc/cctv_0005"><TEXT PARTNO="000">
    <COREF ID="12" TYPE="IDENT">He</COREF> said <COREF ID="12" TYPE="IDENT">he</COREF> knew
    </TEXT></DOC>

Two conventions; a file follows the first if it has a REF anywhere:

MUC
    ID names the mention, REF the mention that it corefers with. Entities are the connected components; the links are kept as
    listed. An ID that occurs twice in a document and a REF to no ID are errors. A REF of another TYPE than IDENT is ignored,
    and a mention that is optional (STATUS="OPT") counts as others do, both with a warning.
OntoNotes
    ID names the entity. TYPE="APPOS" marks appositions (SUBTYPE="HEAD" and "ATTRIB"), no coreference: these mentions are left
    out with a warning, as in CoNLL-2012. Each TEXT with a PARTNO is a document, called `docno_0` for part 000, as in the CoNLL
    files, which lack what follows an `@` in DOCNO, too. Each line of it is a sentence.

MIN is the minimum span that a response may give, mostly the head: words of the mention, found at their first occurrence there,
as whole tokens or else inside tokens. Of alternatives divided by `|` the first that is found counts. A MIN that is not in the
text of its mention is left out, with a warning.

Tags and attributes in either case, attribute values with or without quotes, character references (`&amp;`, `&#38;`) decoded,
other tags ignored. This is no XML parser: no entities are defined, no files opened. A document's name is the content of DOCNO
or DOCID, or that attribute of DOC. Text outside of TEXT counts (MUC marks coreference in headlines, too).

Tokens are what stands between blanks and tags; so a tag inside a word splits it. Sentences are the `<s>` elements, in OntoNotes
lines; without any, the document is one sentence.

References
----------
Hirschman and Chinchor (1998), MUC-7 coreference task definition; OntoNotes 5.0.

Notes
-----
Where programs disagree:

* OntoNotes' S_OFF and E_OFF, for mentions that begin or end inside a token, are left out, as in its CoNLL files: such a
  mention has the whole token.
* OntoNotes' traces (`*PRO*-1`, `*T*-2`, `0`) stand among the words and are read as such; its CoNLL files are without them.
* Every tokeniser disagrees about SGML; score against a key whose text is split in the same way.

In writing each mention refers to the one before it in its entity, whatever links were listed. Mentions that cross one another
or a sentence's end cannot be written, nor a MIN that would be found elsewhere in its mention. Types are not written.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html.entities import html5
from itertools import accumulate, pairwise
from typing import TextIO

from referee.algorithms.components import components
from referee.basics.exceptions import one_line, shortened
from referee.corpus import Corpus, CorpusBuilder, Words
from referee.formats.shared.documents import begin, entities, words_of
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.losses import Losses
from referee.formats.shared.possessive import compiled
from referee.formats.shared.source import OnError, Source

TAG = compiled(r"""<!--.*?(?:-->|\Z)|<[!?][^<>]*>|<(/?)([A-Za-z][\w.-]*+)((?:"[^"]*"|'[^']*'|[^<>"'])*)>""", re.DOTALL)
ATTRIBUTE = compiled(r"""(?<!\s)\s++([A-Za-z_][\w.-]*+)\s*+=\s*+("[^"]*"|'[^']*'|[^\s"'=]+)""")
REFERENCE = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w+);")
BROKEN = re.compile(r"</?COREF\b", re.IGNORECASE)
IDENT = ("", "IDENT")
UNSAFE = re.compile(r"[&<>\"|\s\x00-\x1f]")


@dataclass(slots=True)
class _MucMention:
    line: int
    start: int
    id: str
    ref: str | None
    type: str
    minimum: str
    optional: bool = False
    end: int = -1


@dataclass
class _MucDocument:
    line: int
    name: str = ""
    part: str | None = None
    tokens: list[str] = field(default_factory=list)
    boundaries: set[int] = field(default_factory=lambda: {0})
    mentions: list[_MucMention] = field(default_factory=list)
    """in the order in which they open"""

    @property
    def full_name(self) -> str:
        if self.part is None:
            return self.name
        return f"{self.name.partition('@')[0]}_{int(self.part) if self.part.isdecimal() and len(self.part) < 10 else self.part}"


def sniff(head: str) -> bool:
    """It begins with a document that has its name as these do, or with text (no JSON) in which a mention is marked."""
    if re.match(r"\s*(<[!?][^>]*>\s*)*<(DOC>|(?i:DOC\s+DOC(NO|ID)\s*=))", head):
        return True
    return not head.lstrip().startswith(("{", "[")) and bool(re.search(r"<COREF\s+[A-Z]+\s*=", head, re.IGNORECASE))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents in either convention, MUC or OntoNotes."""
    documents = _TagParser(on_error).parse(source.text(on_error))
    has_links = any(m.ref is not None for d in documents for m in d.mentions)
    builder = CorpusBuilder(source.name)
    lost = optional = 0
    others = Counter[str]()
    for document in documents:
        sentences = sorted(b for b in document.boundaries if b < len(document.tokens))
        begin(builder, on_error, document.full_name, document.tokens, sentences, line=document.line)
        text = _SearchedText(document.tokens) if any(m.minimum for m in document.mentions) else None
        minima = [text.find(m.minimum, m.start, m.end) if text and m.minimum else None for m in document.mentions]
        lost += sum(bool(m.minimum) and minimum is None for m, minimum in zip(document.mentions, minima, strict=True))
        optional += sum(m.optional for m in document.mentions)
        others.update(m.type for m in document.mentions if m.type not in IDENT and (m.ref is not None or not has_links))
        if has_links:
            _add_linked(document.mentions, minima, builder, on_error)
            continue
        for m, minimum in zip(document.mentions, minima, strict=True):
            if m.type in IDENT:
                builder.mention(m.start, m.end, m.id, minimum_span=minimum)
    ignored = "ignored {} of types that are no coreference ({names})"
    warn_file(source.name, ignored, "REF" if has_links else "mention", others)
    warn_file(source.name, "took {} that are optional (STATUS OPT) for mentions as all others", "mention", optional)
    warn_file(source.name, "left out {} whose words are not in the text of the mention", "MIN", lost)
    return builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one DOC a document, one `<s>` a sentence.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    for (name, mentions), words in zip(entities(corpus), words_of(corpus, format="muc"), strict=True):
        opening, closing = _tags(corpus, mentions, words)
        out.write(f"<DOC><DOCNO>{_escape(name)}</DOCNO><TEXT>\n")
        for start, end in pairwise([*words.sentences, len(words.tokens)]):
            line = (
                "".join(opening.get(i, ())) + _escape(words.tokens[i]) + "</COREF>" * closing.get(i + 1, 0)
                for i in range(start, end)
            )
            out.write(f"<s>{' '.join(line)}</s>\n")
        out.write("</TEXT></DOC>\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions that cross one another or the end of a sentence, and minimum spans that are found elsewhere."""
    losses.leave_out_over_sentences()
    losses.leave_out_crossing()
    losses.change_words(re.compile(r"\A\Z"))
    corpus = losses.corpus
    if corpus.minimum_span is not None and corpus.text is not None:
        minima = corpus.minimum_span.copy()
        for number, words in enumerate(corpus.text.words):
            text, here = _SearchedText(words.tokens), corpus.mentions_in(number, number + 1)
            for m in range(here.start, here.stop):
                if minima[m, 0] >= 0 and text.minimum(corpus, m) is None:
                    minima[m] = -1
                    losses.describe_mention(m)
                    losses.left_out["minimum span", ""] += 1
        losses.corpus = replace(corpus, minimum_span=minima)


class _TagParser:
    """Follows the tags of a file, and collects documents."""

    def __init__(self, on_error: OnError) -> None:
        self.on_error = on_error
        self.documents: list[_MucDocument] = []
        self.document: _MucDocument | None = None
        self.open: list[_MucMention] = []
        self.naming = False

    def parse(self, text: str) -> list[_MucDocument]:
        """The documents of a text."""
        line, position = 1, 0
        for tag in TAG.finditer(text):
            start, end = tag.span()
            self.words(text[position:start], line)
            line += text.count("\n", position, start)
            closes, name, rest = tag.groups()
            if name:
                self.tag(name.upper(), bool(closes), rest, line)
            elif text.startswith("<!--", start) and not text.endswith("-->", start, end):
                self.on_error(line, "found a comment that is never closed; expected -->")
            line += text.count("\n", start, end)
            position = end
        self.words(text[position:], line)
        self.finish()
        return self.documents

    def words(self, text: str, line: int) -> None:
        if "<" in text and (broken := BROKEN.search(text)):
            place = line + text.count("\n", 0, broken.start())
            self.on_error(place, f"found {shortened(broken[0])!r}; expected '>' at the end of this tag")
        if self.naming and self.document:
            self.document.name += _unescape(text.strip())
        elif self.document and self.document.part is not None:
            for n, row in enumerate(text.split("\n")):
                if n:
                    self.document.boundaries.add(len(self.document.tokens))
                self.document.tokens.extend(map(_unescape, row.split()))
        elif words := text.split():
            self.current(line).tokens.extend(map(_unescape, words) if "&" in text else words)

    def tag(self, name: str, closes: bool, rest: str, line: int) -> None:
        match name:
            case "COREF" if closes:
                self.close(line)
            case "COREF":
                self.mention(rest, line)
            case "DOC":
                self.finish()
                if not closes:
                    attributes = self.attributes(rest, line)
                    self.document = _MucDocument(line, attributes.get("DOCNO") or attributes.get("DOCID") or "")
            case "DOCNO" | "DOCID":
                self.naming = not closes
                if self.naming:
                    self.current(line).name = ""
            case "TEXT" if not closes and (part := self.attributes(rest, line).get("PARTNO")) is not None:
                document = self.current(line)
                if document.part is not None:  # another part of the same document
                    self.finish()
                    self.document = _MucDocument(line, document.name)
                self.current(line).part = part
            case "S":
                document = self.current(line)
                document.boundaries.add(len(document.tokens))

    def mention(self, rest: str, line: int) -> None:
        document = self.current(line)
        attributes = self.attributes(rest, line)
        id_, kind, ref, minimum = map(attributes.get, ("ID", "TYPE", "REF", "MIN"))
        if not id_:
            self.on_error(line, "found a COREF without ID; expected one in every COREF")
        if minimum is not None and not minimum.strip():
            self.on_error(line, f"COREF {_shown_id(id_ or '')} has an empty MIN; expected words, or no MIN")
        optional = attributes.get("STATUS", "").upper() == "OPT"
        id_, kind, minimum = id_ or f"?{len(document.mentions)}", (kind or "").upper(), (minimum or "").strip()
        mention = _MucMention(line, len(document.tokens), id_, ref, kind, minimum, optional)
        document.mentions.append(mention)
        self.open.append(mention)

    def close(self, line: int) -> None:
        if not self.open:
            self.on_error(line, "found </COREF> without a COREF that is open; expected one before it")
            return
        mention = self.open.pop()
        document = self.current(line)
        mention.end = len(document.tokens)
        if mention.start == mention.end:
            self.on_error(mention.line, f"COREF {_shown_id(mention.id)} has no words; expected at least one")

    def current(self, line: int) -> _MucDocument:
        if self.document is None:
            self.document = _MucDocument(line)
        return self.document

    def finish(self) -> None:
        for mention in self.open:
            mention.end = mention.start  # kept, like other wrong ones, so that a REF to it is no second error
            problem = f"COREF {_shown_id(mention.id)} is never closed"
            self.on_error(mention.line, f"{problem}; expected </COREF> before the document ends")
        self.open, self.naming = [], False
        if self.document is not None:
            self.documents.append(self.document)
        self.document = None

    def attributes(self, rest: str, line: int) -> dict[str, str]:
        """The attributes of a tag, their names in upper case; MIN undecoded, as a `|` or a blank in it may be meant as such."""
        stray = ATTRIBUTE.sub("", rest).strip(" \t\r\n/")
        if stray:
            self.on_error(line, f'found {shortened(stray)!r} in a tag; expected attributes of the form NAME="value"')
        pairs = [(name.upper(), value[1:-1] if value[0] in "\"'" else value) for name, value in ATTRIBUTE.findall(rest)]
        return {name: _unescape(value) if name != "MIN" else value for name, value in pairs} if "&" in rest else dict(pairs)


def _add_linked(
    mentions: Sequence[_MucMention], minima: Sequence[tuple[int, int] | None], builder: CorpusBuilder, on_error: OnError
) -> None:
    """Add the mentions of a document whose entities are made by REF."""
    number: dict[str, int] = {}
    for n, m in enumerate(mentions):
        if (before := number.setdefault(m.id, n)) != n:
            first = f"on line {mentions[before].line}"
            on_error(m.line, f"COREF {_shown_id(m.id)} is there already, {first}; expected each ID once")
    links = []
    for n, m in enumerate(mentions):
        if m.ref is None or m.type not in IDENT:
            continue
        if m.ref == m.id or m.ref not in number:
            reason = "itself" if m.ref == m.id else f"{shortened(m.ref)!r}, which is no mention of the document"
            on_error(m.line, f"COREF {_shown_id(m.id)} refers to {reason}; expected the ID of another COREF")
        else:
            links.append((n, number[m.ref]))
    numbers = [
        builder.mention(m.start, m.end, mentions[root].id, minimum_span=minimum)
        for m, minimum, root in zip(mentions, minima, components(len(mentions), links), strict=True)
    ]
    for one, other in links:
        builder.link(numbers[one], numbers[other])


class _SearchedText:
    """A document's tokens as texts in which words are looked for: first with something between tokens, then with nothing."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.texts = []
        for between in ("\n", ""):
            places = list(accumulate((len(token) + len(between) for token in tokens), initial=0))
            self.texts.append((between, between + between.join([*tokens, ""]), places))

    def find(self, words: str, start: int, end: int) -> tuple[int, int] | None:
        """The tokens between `start` and `end` that have the words of one of the alternatives; None if there are none."""
        alternatives = [list(map(_unescape, alternative.split())) for alternative in words.split("|")]
        for between, text, places in self.texts:
            for sought in (between + between.join([*alternative, ""]) for alternative in alternatives if alternative):
                at = text.find(sought, places[start], places[end] + len(between))
                if at >= 0:
                    return bisect_right(places, at) - 1, bisect_left(places, at + len(sought) - len(between))
        return None

    def minimum(self, corpus: Corpus, mention: int) -> str | None:
        """The words of the minimum span of a mention, as they are written; None if they are found elsewhere in it."""
        assert corpus.minimum_span is not None
        first, after = corpus.minimum_span[mention].tolist()
        words = " ".join(map(_escape, self.tokens[first:after]))
        span = self.find(words, int(corpus.start[mention]), int(corpus.end[mention]))
        return words if span == (first, after) else None


def nested(corpus: Corpus, mentions: dict[int, list[int]]) -> list[int]:
    """The mentions of a document in the order in which they open, outermost first."""
    numbers = sorted(m for entity in mentions.values() for m in entity)
    return sorted(numbers, key=lambda m: (corpus.start[m], -corpus.end[m]))


def _tags(corpus: Corpus, mentions: dict[int, list[int]], words: Words) -> tuple[dict[int, list[str]], dict[int, int]]:
    """The tags that open before each token, outermost first, and how many close where."""
    before = {m: last for entity in mentions.values() for last, m in pairwise(entity)}
    numbers = nested(corpus, mentions)
    ids = {m: number for number, m in enumerate(numbers, start=1)}
    text = _SearchedText(words.tokens)
    opening: dict[int, list[str]] = {}
    closing: dict[int, int] = {}
    for m in numbers:
        start, end = int(corpus.start[m]), int(corpus.end[m])
        ref = f' REF="{ids[before[m]]}"' if m in before else ""
        if corpus.minimum_span is not None and corpus.minimum_span[m, 0] >= 0:
            minimum = text.minimum(corpus, m)
            ref += f' MIN="{minimum}"' if minimum else ""
        opening.setdefault(start, []).append(f'<COREF ID="{ids[m]}" TYPE="IDENT"{ref}>')
        closing[end] = closing.get(end, 0) + 1
    return opening, closing


def _shown_id(id_: str) -> str:
    return one_line(shortened(id_))


def _unescape(text: str) -> str:
    """The text with character references decoded; unknown ones stay as they are."""

    def character(reference: re.Match[str]) -> str:
        name = reference[1]
        if not name.startswith("#"):
            return html5.get(name + ";", reference[0])
        code = int("0" + name[1:], 16) if name[1] in "xX" else int(name[1:])
        return reference[0] if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)

    return REFERENCE.sub(character, text) if "&" in text else text


def _escape(text: str) -> str:
    """The text with `&<>"|` and blanks as character references, so that it is one token, and one word of a MIN."""
    names = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return UNSAFE.sub(lambda c: names.get(c[0], f"&#{ord(c[0])};"), text)


FORMAT = Format(
    "muc", __doc__, ("spans", "words", "minimum spans"), sniff, read, write, drop_unsupported, endings=(".sgml", ".sgm")
)
