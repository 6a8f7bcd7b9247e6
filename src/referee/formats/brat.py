r"""Brat standoff: an .ann file with the annotations, and a .txt file with the text.

::

    T1	Person 0 10	Mary Sayles
    T2	Person 23 26	her
    T3	Group 5 9;14 18	old ... men
    R1	Coreference Arg1:T2 Arg2:T1
    *	Equiv T1 T4 T5
    #1	AnnotatorNotes T1	unclear

``T``
    A mention: id, label and offsets of characters (Unicode code points, line ends included), the end exclusive. Several pairs
    of offsets divided by `;` are the parts of a discontinuous mention. The label is the entity's type. Its words, if they are
    given, must be those of the text, white space left out. Where a mention goes over the end of a line brat writes a blank; as
    in NARC, the words may also go on in the next line. Where fewer than 1 % of the mentions have other words than the text
    (of a short file one, whose words are a part of the text's), the offsets count, with a warning. A mention of white space
    alone is left out with one.
``R``
    A relation of two mentions, whatever the arguments are called. A name that begins with "coref" or "ident" (in either case)
    means coreference; other relations are ignored, with a warning. What stands in brackets behind the arguments, as in BioNLP
    (`R1 Coref Anaphora:T2 Antecedent:T1 [T9]`), is not used.
``*``
    An equivalence of any number of mentions: Equiv, or a name that means coreference.
``E``
    An event. In relations it stands for its trigger, a mention.
``A``, ``M``, ``N``, ``#``
    Attributes, normalisations and notes are left out, and so are events that are in no relation, with a count. But the note
    `tokens: blanks` of a mention is ours: tokens are what stands between blanks. The writer needs it where it makes a text of
    the tokens of another format. It is written without a mention, too, and belongs to the first one that is made (until then
    brat says that T1 is not defined).

Entities are the connected components, called by their first mention; every T line without a relation is a singleton. Links are
kept as listed, those of an equivalence each from a mention to the one before it. An empty file beside a text is a document
without mentions. Without the note, tokens are made as in all formats that have only characters: words and single signs, cut
where a mention begins or ends. Each line is a sentence. The document has no name; several documents are written as the files of
a folder, called by their names.

The text is written as it is in the file that was read, or that was parsed, byte for byte; a text that is there already is left
alone. Where only tokens are known, they are written with blanks between them, a line a sentence.

Files of BioNLP called .a2 or .rel go on from the .a1 beside, which is read first: they are one document. In a folder that
has such files these are read, and an .a1 is no document of its own.

Written relations are called Coreference, each from a mention to the one before it, or as listed. The label `Mention` means an
entity without a type. A mention in several lines is written in several parts, as brat does.

References
----------
brat.nlplab.org/standoff.html.

Notes
-----
Where programs disagree:

* Brat leaves line ends as they are, and so do we: in a text whose lines end in CR LF both characters count.
* Brat counts a byte order mark at the beginning of the text; other programs do not. The words of the mentions tell.
* Brat's corpora call coreference "Coreference", "Coref", or use Equiv lines; others (is_equivalent, semantically_same) are not
  known, and must be renamed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os.path import basename, exists, splitext
from typing import NamedTuple, TextIO

import numpy as np

from referee.algorithms.arrays import Bools
from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder, Spans
from referee.formats.shared import characters
from referee.formats.shared.characters import Characters, found_in, line_starts
from referee.formats.shared.documents import unwritable, words_of
from referee.formats.shared.relations import (
    COREFERENCE,
    UNTYPED,
    ChosenRelations,
    TextMention,
    add_mentions,
    label_of,
    leave_out_loose_links,
    links_of_document,
    on_tokens,
)
from referee.formats.shared.remainder import Remainder
from referee.formats.shared.remarks import remark
from referee.formats.shared.source import Fault, Source
from referee.formats.shared.written_text import WrittenText, documents_to_write, written_text

HOLDS = ("spans", "words", "entity types", "links", "discontinuous mentions")
ONE_DOCUMENT = ".ann"
BESIDE = ".txt"
INSTEAD = {".a1": (".a2", ".rel")}
"""Endings of the files that are read in a folder instead of others, where there are any: those read the others themselves."""
WRITES_PLACES = True
RELATIONS = True
ANNOTATION = re.compile(r"([TREAMN#][^\t\n]*|\*)\t", re.MULTILINE)
MENTION = re.compile(r"^T[^\t\n]*\t[^\s;]+ [0-9]+ [0-9]+(;[0-9]+ [0-9]+)*(\t|\r?$)", re.MULTILINE)
RELATION = re.compile(r"^(R[0-9]{1,9}\t\S+ \S+:[TE][0-9]+ \S+:[TE][0-9]|\*\t\S+ T[0-9]+ T[0-9])", re.MULTILINE)
SPAN = re.compile(r"(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*)")
PLAIN = re.compile(r"(T[^\t]*)\t(\S+) ([0-9]{1,9}) ([0-9]{1,9})\t([^\t]+)")
BLANKS = re.compile(r"#[^\t]*\tAnnotatorNotes T[^\t]*\ttokens: blanks\s*")
TOKEN = re.compile(r"([^ \r\n]+)")
UNHOLDABLE = re.compile(r"[\0 \t-\r\x1c-\x1e\x85\u2028\u2029]|^\s*$")
WHITE = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]")
UNHOLDABLE_IN_TEXT = re.compile(r"[\0\ud800-\udfff]")
SURROGATE = re.compile(r"[\ud800-\udfff]")
GOES_ON = re.compile(r"^(?![TREAMN#][0-9]{1,9}\t|\*\t)", re.MULTILINE)
"""A line that begins no annotation, but goes on with the words of a mention."""
BRACKETED = re.compile(r"\[[^\[\]]*\]")
MARK = "\ufeff"
OTHERS = {"E": "event", "A": "attribute", "M": "attribute", "N": "normalisation", "#": "note"}


class _BratLine(NamedTuple):
    """A line, or several that one mention goes over: the number of the first, the text, the file if it is another one."""

    number: int
    text: str
    fault: Fault
    file: str = ""

    @property
    def name(self) -> str:
        """Where it is."""
        return f"{self.file}:{self.number}" if self.file else str(self.number)

    def refuse(self, problem: str) -> None:
        """Report an error."""
        self.fault(None if self.file else self.number, f"{self.name}: {problem}" if self.file else problem)


@dataclass
class _BratMention:
    line: _BratLine
    id: str
    label: str
    parts: list[tuple[int, int]]
    given: str
    there: str
    deviates: bool
    agrees: bool


@dataclass
class _BratRelation:
    line: _BratLine
    name: str
    ids: list[str]


def sniff(head: str) -> bool:
    """Its first line is an annotation, and some line is a mention or relates some, or the note of a document without any."""
    return bool(ANNOTATION.match(head.lstrip()) and (MENTION.search(head) or RELATION.search(head) or BLANKS.match(head)))


def read(source: Source, fault: Fault) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    given = source.beside(".txt")
    text = _text(given, fault)
    lines = [*_lines_before(source, fault), *(_BratLine(*line, fault) for line in _whole_lines(source.text(fault)))]
    if given.has_mark and _counts_mark(text, [line.text for line in lines]):
        text = MARK + text
    mentions: dict[str, _BratMention] = {}
    triggers: dict[str, str] = {}
    relations: list[_BratRelation] = []
    unused: Counter[str] = Counter()
    blanks = False
    for place in lines:
        line = place.text
        if (plain := PLAIN.fullmatch(line)) and plain[1] not in mentions and (mention := _plain_mention(place, plain, text)):
            mentions[plain[1]] = mention  # nearly all
            continue
        id_, *fields = line.split("\t")
        if not line.strip():
            continue
        if line[0] == "#" or (line[0] in "AMN" and fields):
            if BLANKS.fullmatch(line):
                blanks = True
            else:
                unused[OTHERS[line[0]]] += 1
        elif line[0] not in "TRE*" or not "".join(fields).strip():
            expected = "an id that begins with T, R, E, A, M, N, # or *, a tab, and more"
            place.refuse(f"found {shortened(line)!r}; expected {expected}")
        elif line[0] == "T":
            if (mention := _mention(place, id_, fields, text)) and id_ in mentions:
                place.refuse(f"{shortened(id_)} is there already, on line {mentions[id_].line.name}; expected each id once")
            elif mention:
                mentions[id_] = mention
        elif line[0] == "E":
            triggers[id_] = fields[0].partition(" ")[0].rpartition(":")[2]
        else:
            name, *arguments = " ".join(fields).split()
            while len(arguments) > 1 and BRACKETED.fullmatch(arguments[-1]):
                arguments.pop()
            relations.append(_BratRelation(place, name, [a.rpartition(":")[2] for a in arguments]))
    unused["event"] += len(triggers.keys() - {id_ for relation in relations for id_ in relation.ids})
    for relation in relations:
        relation.ids = [triggers.get(id_, id_) for id_ in relation.ids]
    remark(source.name, "left out {} beside coreference ({names})", "annotation", +unused)
    _check_words(source.name, mentions)
    otherwise = "read {} over the end of a line, whose words are written otherwise than brat writes them"
    remark(source.name, otherwise, "mention", sum(mention.deviates for mention in mentions.values()))
    said = "those whose names begin with coref or ident, and Equiv, are"
    chosen = ChosenRelations(source.asked.relations, lambda name: COREFERENCE.match(name) or name == "Equiv", said)
    corpus = _corpus(source.name, text, blanks, list(mentions.values()), _links(relations, mentions, chosen), chosen)
    chosen.warn(source.name)
    if corpus.links is None:
        _check_types(source.name, mentions)
    return corpus


def write(corpus: Corpus, out: TextIO) -> None:
    """Write the annotation of a single document; `write_beside` its text.

    Raises
    ------
    FormatError
        If there are no words or no spans, or some that brat cannot hold.
    """
    for name, mentions, words, written in documents_to_write(corpus, format="brat", unholdable=UNHOLDABLE_IN_TEXT):
        text = written.text
        if not written.is_raw:
            _check_tokens(corpus, name, words.tokens)
        elif any(_is_mark(text, written.spans(corpus, m)) for of in mentions.values() for m in of):
            raise unwritable(corpus, name, "a mention that is a byte order mark", format="brat")
        numbers = {m: number for number, m in enumerate(sorted(m for of in mentions.values() for m in of), start=1)}
        labels = {m: label_of(corpus, name, entity, format="brat") for entity, of in mentions.items() for m in of}
        given = []
        for m, number in numbers.items():
            parts = [part for span in written.spans(corpus, m) for part in _lines_of(text, *span)]
            given.append(TextMention(f"T{number}", labels[m], parts))
            offsets = ";".join(f"{start} {end}" for start, end in parts)
            covered = WHITE.sub(" ", " ".join(text[start:end] for start, end in parts))
            out.write(f"T{number}\t{labels[m]} {offsets}\t{covered}\n")
        for number, (a, b) in enumerate(links_of_document(corpus, name, mentions, format="brat"), start=1):
            out.write(f"R{number}\tCoreference Arg1:T{numbers[a]} Arg2:T{numbers[b]}\n")
        if words.tokens and (not written.is_raw or not given or _needs_note(written, given)):  # a file is never empty
            out.write("#1\tAnnotatorNotes T1\ttokens: blanks\n")


def held(rest: Remainder) -> None:
    """Leave out mentions of nothing but blanks, and links that do not connect entities; change words, texts and types."""
    rest.change_texts(UNHOLDABLE_IN_TEXT)
    rest.leave_out(_of_marks(rest.corpus), "mention", " of a byte order mark")
    rest.reword(lambda _, words: [_holdable(token) if words.raw is None else token for token in words.tokens])
    rest.change_types(lambda entity_type: re.sub(r"[\s;]", "_", entity_type) + "_" * (entity_type == UNTYPED))
    leave_out_loose_links(rest)


def _is_mark(text: str, spans: Spans) -> bool:
    """Whether characters are the byte order mark that a text begins with, which is no token here."""
    return text.startswith(MARK) and spans == ((0, 1),)


def _of_marks(corpus: Corpus) -> Bools:
    """The mentions that are a byte order mark."""
    found = np.zeros(len(corpus.document), dtype=bool)
    for number, words in enumerate(corpus.text.words if corpus.text else ()):
        if words.raw is not None and words.raw.text.startswith(MARK):
            written, here = written_text(words), corpus.mentions_in(number, number + 1)
            found[here] = [_is_mark(words.raw.text, written.spans(corpus, m)) for m in range(here.start, here.stop)]
    return found


def _holdable(token: str) -> str:
    """A token as a text made of tokens can have it."""
    changed = UNHOLDABLE.sub("_", token) if token.strip() else "_"
    return SURROGATE.sub("\ufffd", changed)


def write_beside(corpus: Corpus, out: TextIO) -> None:
    """Write the text of a single document: as it is, or else one line a sentence, blanks between tokens."""
    for words in words_of(corpus, format="brat"):
        written = written_text(words)
        out.write(written.text + "\n" * bool(written.text and not written.is_raw))


def _check_tokens(corpus: Corpus, name: str, tokens: Sequence[str]) -> None:
    """Refuse tokens that a text made of them does not give back."""
    if wrong := next((token for token in tokens if UNHOLDABLE.search(token)), None):
        raise unwritable(corpus, name, f"the token {shortened(wrong)!r} has blanks or a NUL byte in it", format="brat")
    if "" in tokens:
        raise unwritable(corpus, name, "it has an empty token", format="brat")


def _needs_note(written: WrittenText, given: Sequence[TextMention]) -> bool:
    """Whether the tokens of a text with these mentions are read as they are with the note alone."""
    with_note, without = (_characters(written.text, given, blanks) for blanks in (True, False))
    places = list(written.places)
    return places == _places(with_note) != _places(without)


def _places(characters: Characters) -> list[tuple[int, int]]:
    """The characters of each token."""
    return list(zip(characters.starts.tolist(), characters.ends.tolist(), strict=True))


def _characters(text: str, mentions: Sequence[TextMention], blanks: bool) -> Characters:
    """The tokens of a text: what stands between blanks, or else words and signs."""
    before = int(text.startswith(MARK))
    tokens = found_in(text[before:], TOKEN if blanks else characters.TOKEN) + before
    return on_tokens(text, mentions, tokens, line_starts(text))


def _lines_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a span in each line, but for blank lines."""
    for line in re.finditer(r"[^\r\n]+", text[start:end]):
        if line[0].strip():
            yield start + line.start(), start + line.end()


def _whole_lines(text: str) -> Iterable[tuple[int, str]]:
    """The lines of an annotation, with their numbers, each with those in which the words of its mention go on."""
    lines = enumerate(text.split("\n"), start=1)
    return _joined_lines(lines) if GOES_ON.search(text) else lines


def _joined_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, each with those in which the words of its mention go on: its span tells how many characters these are."""
    whole, first = "", 0
    missing: int | None = None  # told only where a line may go on
    for number, line in lines:
        if first and GOES_ON.match(line):
            missing = _missing(whole) if missing is None else missing
            if missing > 0:
                whole += "\n" + line
                missing -= 1 + len(line)
                continue
        if first:
            yield first, whole
        whole, first, missing = line, number, None
    if first:
        yield first, whole


def _missing(line: str) -> int:
    """How many characters of its mention a line lacks."""
    _, _, rest = line.partition("\t")
    span, has_words, words = rest.partition("\t")
    found = SPAN.fullmatch(span) if line.startswith("T") and has_words else None
    if found is None:
        return 0
    return sum(int(end) - int(start) for start, end in (pair.split(" ") for pair in found[2].split(";"))) - len(words)


def _counts_mark(text: str, lines: Iterable[str]) -> bool:
    """Whether the offsets count a byte order mark before the text, as brat does: no fewer mentions have their words then."""
    fitting = [0, 0]
    for line in lines:
        _, _, rest = line.partition("\t")
        span, _, words = rest.partition("\t")
        found = SPAN.fullmatch(span) if line.startswith("T") else None
        if found:
            parts = [tuple(map(int, pair.split(" "))) for pair in found[2].split(";")]
            for before in (0, 1):
                pieces = (text[max(start - before, 0) : max(end - before, 0)] for start, end in parts)
                fitting[before] += "".join("".join(pieces).split()) == "".join(words.removeprefix(MARK).split())
    return fitting[1] >= fitting[0]


def _lines_before(source: Source, fault: Fault) -> Iterator[_BratLine]:
    """The lines of the .a1 file beside a file of BioNLP, which has the first mentions of the same document."""
    path = source.path.removesuffix(".gz")
    stem, ending = splitext(path)
    if ending in INSTEAD[".a1"] and (exists(stem + ".a1") or exists(stem + ".a1.gz")):
        before = source.beside(".a1")
        file = basename(before.name)

        def report(line: int | None, problem: str) -> None:
            fault(None, f"{file}:{line}: {problem}")

        for number, text in _whole_lines(before.text(report)):
            yield _BratLine(number, text, fault, file)
    elif ending == ".a1" and any(exists(stem + other) for other in INSTEAD[".a1"]):
        remark(source.name, "read {} without the .a2 or .rel beside it, which has its relations: give that", "file", 1)


def _text(source: Source, fault: Fault) -> str:
    """The text as it is: every line end counts."""
    raw = source.raw()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        place = f"{basename(source.name)}:{raw[: error.start].count(10) + 1}"
        fault(None, f"{place}: found the byte 0x{raw[error.start]:02x}; expected UTF-8: convert the file")
        return raw.decode(errors="replace")


def _plain_mention(line: _BratLine, found: re.Match[str], text: str) -> _BratMention | None:
    """A mention of one part, if it has just the words of the text there."""
    id_, label, first, after, words = found.groups()
    start, end = int(first), int(after)
    if end - start == len(words) and words == text[start:end] and words.isprintable():
        return _BratMention(line, id_, label, [(start, end)], words, words, False, True)
    return None


def _mention(line: _BratLine, id_: str, fields: list[str], text: str) -> _BratMention | None:
    """A mention; None after an error."""
    found = SPAN.fullmatch(fields[0].strip())
    if found is None:
        expected = "expected label, start and end, such as `Person 0 4` or `Person 5 9;14 18`"
        line.refuse(f"found {shortened(fields[0])!r}; {expected}")
        return None
    offsets = [tuple(map(int, pair.split(" "))) for pair in found[2].split(";")]
    parts = [(start, end) for start, end in offsets if 0 <= start <= end <= len(text)]
    if len(parts) < len(offsets):
        line.refuse(f"found {shortened(found[2])}; expected offsets with start <= end <= {len(text)}, the length of the text")
        return None
    pieces = [text[start:end] for start, end in parts]
    if len(fields) > 1 and fields[1] == " ".join(pieces) and fields[1].isprintable():
        return _BratMention(line, id_, found[1], parts, fields[1], fields[1], deviates=False, agrees=True)
    words = "".join("".join(piece.split()) for piece in pieces)
    given = fields[1] if len(fields) > 1 else words
    ink = "".join(given.split())
    over_lines = any(re.search(r"[\r\n]", piece.strip()) for piece in pieces)
    of_first_line = over_lines and ink == "".join(re.split(r"[\r\n]", pieces[0].strip(), maxsplit=1)[0].split())
    is_mark = words == MARK and parts[0][0] == 0
    agrees = not is_mark and (ink == words or of_first_line)
    return _BratMention(line, id_, found[1], parts, given, words, agrees and ("\n" in given or ink != words), agrees)


def _check_types(source: str, mentions: Mapping[str, _BratMention]) -> None:
    """Warn if nothing corefers and most mentions have a second type with a number: LitBank has names of entities as types."""
    types: dict[tuple[tuple[int, int], ...], set[str]] = {}
    for mention in mentions.values():
        types.setdefault(tuple(mention.parts), set()).add(mention.label)
    several = sum(len(labels) > 1 and any(label[-1:].isdigit() for label in labels) for labels in types.values())
    if 2 * several > len(types):
        text = "found {} with several types, and no coreference: if types name entities, they are not read as such"
        remark(source, f"{text}; expected relations", "mention", several)


def _check_words(source: str, mentions: dict[str, _BratMention]) -> None:
    """Warn of a few mentions with other words than the text has at their offsets; report many, and take them out.

    Of a short file one mention may be so, if others have their words and it has a part of its own: then the text was not
    changed. A byte order mark is no word.
    """
    others = [mention for mention in mentions.values() if not mention.agrees]
    given, there = ("".join(text.split()) for text in (others[0].given, others[0].there)) if others else ("", "")
    is_part = bool(given and there) and (given in there or there in given)
    is_few = len(others) * 100 < len(mentions) or (len(others) == 1 and len(mentions) > 2 and is_part)
    if is_few and all(mention.there != MARK for mention in others):
        names = Counter(f"{shortened(m.given)!r} for {shortened(m.there)!r}" for m in others)
        text = "took the offsets of {} with other words than the text has there ({names})"
        remark(source, text, "mention", names, others[0].line.number if others and not others[0].line.file else None)
        return
    for mention in others:
        problem = f"{shortened(mention.id)} is {shortened(mention.given)!r}, but the text has {shortened(mention.there)!r}"
        mention.line.refuse(f"{problem} there; expected the text that was annotated, its line ends unchanged")
        del mentions[mention.id]


def _links(relations: list[_BratRelation], mentions: Container[str], chosen: ChosenRelations) -> Iterator[tuple[str, str]]:
    """The pairs of mentions that corefer, as listed."""
    for relation in relations:
        if not chosen.means(relation.name):
            continue
        ids = relation.ids
        unknown = [id_ for id_ in ids if id_ not in mentions]
        if unknown or len(set(ids)) < max(2, len(ids)):
            found = f"{shortened(unknown[0])}, which is no mention" if unknown else shortened(" ".join(ids)) or "nothing"
            expected = "expected the ids of two different mentions, or more"
            relation.line.refuse(f"{shortened(relation.name)} relates {found}; {expected}")
        else:
            yield from ((b, a) if relation.name == "Equiv" else (a, b) for a, b in pairwise(ids))


def _corpus(
    name: str,
    text: str,
    blanks: bool,
    given: Sequence[_BratMention],
    links: Iterator[tuple[str, str]],
    chosen: ChosenRelations,
) -> Corpus:
    number = {mention.id: n for n, mention in enumerate(given)}
    pairs = [(number[a], number[b]) for a, b in links]
    mentions = [TextMention(mention.id, mention.label, mention.parts) for mention in given]
    words = _characters(text, mentions, blanks)
    builder = CorpusBuilder(name)
    builder.document("", words.tokens, words.sentences, raw=words.raw)
    add_mentions(builder, text, words, mentions, pairs, chosen)
    return builder.corpus()
