"""Reading and writing brat standoff."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from os.path import basename
from typing import TextIO

import numpy as np

from referee.algorithms.arrays import Bools
from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder, Spans
from referee.formats.brat.lines import SPAN, lines_of, parts_of
from referee.formats.brat.mentions import (
    MARK,
    OtherMention,
    checked,
    in_order,
    mention_of,
    plain_mentions,
    warn_of_types,
)
from referee.formats.brat.relations import coreferent, plain_relations, relation_of
from referee.formats.shared import characters
from referee.formats.shared.characters import Characters, found_in, line_starts, pieces_between
from referee.formats.shared.documents import unwritable, words_of
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.losses import Losses
from referee.formats.shared.relations import COREFERENCE, ChosenRelations
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.text_mentions import (
    UNTYPED,
    TextMention,
    TextMentions,
    add_mentions,
    columns_of,
    on_tokens,
)
from referee.formats.shared.written_links import label_of, leave_out_loose_links, links_of_document
from referee.formats.shared.written_text import WrittenText, documents_to_write, written_text

ANNOTATION = re.compile(r"([TREAMN#][^\t\n]*|\*)\t", re.MULTILINE)
MENTION = re.compile(r"^T[^\t\n]*\t[^\s;]+ [0-9]+ [0-9]+(;[0-9]+ [0-9]+)*(\t|\r?$)", re.MULTILINE)
RELATION = re.compile(r"^(R[0-9]{1,9}\t\S+ \S+:[TE][0-9]+ \S+:[TE][0-9]|\*\t\S+ T[0-9]+ T[0-9])", re.MULTILINE)
BLANKS = re.compile(r"#[^\t]*\tAnnotatorNotes T[^\t]*\ttokens: blanks\s*")
UNHOLDABLE = re.compile(r"[\0 \t-\r\x1c-\x1e\x85\u2028\u2029]|^\s*$")
WHITE = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]")
UNHOLDABLE_IN_TEXT = re.compile(r"[\0\ud800-\udfff]")
SURROGATE = re.compile(r"[\ud800-\udfff]")
OTHERS = {"E": "event", "A": "attribute", "M": "attribute", "N": "normalisation", "#": "note"}


def sniff(head: str) -> bool:
    """Its first line is an annotation, and some line is a mention or relates some, or the note of a document without any."""
    return bool(ANNOTATION.match(head.lstrip()) and (MENTION.search(head) or RELATION.search(head) or BLANKS.match(head)))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    builder = CorpusBuilder(source.name)
    _add_document(builder, source, on_error)
    return builder.corpus()


def _add_document(builder: CorpusBuilder, source: Source, on_error: OnError) -> None:
    """Add the document of an annotation."""
    given = source.beside(".txt")
    text = _text(given, on_error)
    lines = lines_of(source, on_error)
    if given.has_mark and _counts_mark(text, lines.texts):
        text = MARK + text
    kinds = [line[:1] for line in lines.texts]
    plain = plain_mentions(lines, [n for n, kind in enumerate(kinds) if kind == "T"], text)
    relations = plain_relations(lines, [n for n, kind in enumerate(kinds) if kind == "R"])
    others: dict[str, OtherMention] = {}
    triggers: dict[str, str] = {}
    unused: Counter[str] = Counter()
    blanks = False
    for n in sorted({*range(len(kinds))}.difference(plain.lines, relations)):
        line, kind = lines.texts[n], kinds[n]
        id_, *fields = line.split("\t")
        if not line.strip():
            continue
        if kind == "#" or (kind in "AMN" and fields):
            if BLANKS.fullmatch(line):
                blanks = True
            else:
                unused[OTHERS[kind]] += 1
        elif kind not in "TRE*" or not "".join(fields).strip():
            expected = "an id that begins with T, R, E, A, M, N, # or *, a tab, and more"
            lines.refuse(n, f"found {shortened(line)!r}; expected {expected}")
        elif kind == "T":
            if (mention := mention_of(lines, n, text)) and id_ in others:
                before = lines.name(others[id_].line)
                lines.refuse(n, f"{shortened(id_)} is there already, on line {before}; expected each id once")
            elif mention:
                others[id_] = mention
        elif kind == "E":
            triggers[id_] = fields[0].partition(" ")[0].rpartition(":")[2]
        else:
            relations[n] = relation_of(line)
    if triggers:
        unused["event"] += len(triggers.keys() - {id_ for _, *ids in relations.values() for id_ in ids})
        relations = {n: (name, *(triggers.get(id_, id_) for id_ in ids)) for n, (name, *ids) in relations.items()}
    warn_file(source.name, "left out {} beside coreference ({names})", "annotation", +unused)
    deviating = checked(source.name, lines, [*others.values()], len(plain.ids) + len(others))
    otherwise = "read {} over the end of a line, whose words are written otherwise than brat writes them"
    warn_file(source.name, otherwise, "mention", sum(mention.deviates for mention in deviating))
    said = "those whose names begin with coref or ident, and Equiv, are"
    chosen = ChosenRelations(source.options.relations, lambda name: COREFERENCE.match(name) or name == "Equiv", said)
    mentions = in_order(text, plain, deviating)
    links = coreferent(lines, dict(sorted(relations.items())), mentions.ids, chosen)
    words = _characters(text, mentions, blanks)
    builder.document("", words.tokens, words.sentences, raw=words.raw)
    listed = len(builder.links or ())
    add_mentions(builder, words, mentions, links, chosen)
    chosen.warn(source.name)
    if len(builder.links or ()) == listed:
        warn_of_types(source.name, plain, deviating)


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
        if words.tokens and (
            not written.is_raw or not given or _needs_note(written, columns_of(text, given))
        ):  # a file is never empty
            out.write("#1\tAnnotatorNotes T1\ttokens: blanks\n")


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions of nothing but blanks, and links that do not connect entities; change words, texts and types."""
    losses.change_texts(UNHOLDABLE_IN_TEXT)
    losses.leave_out(_of_marks(losses.corpus), "mention", " of a byte order mark")
    losses.reword(lambda _, words: [_holdable(token) if words.raw is None else token for token in words.tokens])
    losses.change_types(lambda entity_type: re.sub(r"[\s;]", "_", entity_type) + "_" * (entity_type == UNTYPED))
    leave_out_loose_links(losses)


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


def _needs_note(written: WrittenText, given: TextMentions) -> bool:
    """Whether the tokens of a text with these mentions are read as they are with the note alone."""
    with_note, without = (_characters(written.text, given, blanks) for blanks in (True, False))
    places = list(written.places)
    return places == _places(with_note) != _places(without)


def _places(characters: Characters) -> list[tuple[int, int]]:
    """The characters of each token."""
    return list(zip(characters.starts.tolist(), characters.ends.tolist(), strict=True))


def _characters(text: str, mentions: TextMentions, blanks: bool) -> Characters:
    """The tokens of a text: what stands between blanks, or else words and signs."""
    before = int(text.startswith(MARK))
    tokens = (pieces_between(text[before:], " \r\n") if blanks else found_in(text[before:], characters.TOKEN)) + before
    return on_tokens(text, mentions, tokens, line_starts(text))


def _lines_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a span in each line, but for blank lines."""
    for line in re.finditer(r"[^\r\n]+", text[start:end]):
        if line[0].strip():
            yield start + line.start(), start + line.end()


def _counts_mark(text: str, lines: Iterable[str]) -> bool:
    """Whether the offsets count a byte order mark before the text, as brat does: no fewer mentions have their words then."""
    fitting = [0, 0]
    for line in lines:
        _, _, rest = line.partition("\t")
        span, _, words = rest.partition("\t")
        found = SPAN.fullmatch(span) if line.startswith("T") else None
        if found:
            parts = parts_of(found[2])
            for before in (0, 1):
                pieces = (text[max(start - before, 0) : max(end - before, 0)] for start, end in parts)
                fitting[before] += "".join("".join(pieces).split()) == "".join(words.removeprefix(MARK).split())
    return fitting[1] >= fitting[0]


def _text(source: Source, on_error: OnError) -> str:
    """The text as it is: every line end counts."""
    raw = source.raw()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        place = f"{basename(source.name)}:{raw[: error.start].count(10) + 1}"
        on_error(None, f"{place}: found the byte 0x{raw[error.start]:02x}; expected UTF-8: convert the file")
        return raw.decode(errors="replace")
