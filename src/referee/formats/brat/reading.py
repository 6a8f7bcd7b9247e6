"""Reading brat standoff."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from os.path import basename

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.brat.lines import SPAN, lines_of, parts_of
from referee.formats.brat.mentions import MARK, BratMention, mention_of, warn_of_types, with_words_of_text
from referee.formats.brat.relations import Related, coreferent, relation_of
from referee.formats.shared.characters import TOKEN, Characters, line_starts
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.relations import COREFERENCE, ChosenRelations
from referee.formats.shared.source import OnError, Source
from referee.formats.shared.text_mentions import (
    TextMention,
    add_mentions,
    on_tokens,
    without_blanks,
)

ANNOTATION = re.compile(r"([TREAMN#][^\t\n]*|\*)\t", re.MULTILINE)
MENTION = re.compile(r"^T[^\t\n]*\t[^\s;]+ [0-9]+ [0-9]+(;[0-9]+ [0-9]+)*(\t|\r?$)", re.MULTILINE)
RELATION = re.compile(r"^(R[0-9]{1,9}\t\S+ \S+:[TE][0-9]+ \S+:[TE][0-9]|\*\t\S+ T[0-9]+ T[0-9])", re.MULTILINE)
BLANKS = re.compile(r"#[^\t]*\tAnnotatorNotes T[^\t]*\ttokens: blanks\s*")
BETWEEN_BLANKS = re.compile(r"[^ \r\n]+")
OTHERS = {"E": "event", "A": "attribute", "M": "attribute", "N": "normalisation", "#": "note"}


def sniff(head: str) -> bool:
    """Its first line is an annotation, and some line is a mention or relates some, or the note of a document without any."""
    return bool(ANNOTATION.match(head.lstrip()) and (MENTION.search(head) or RELATION.search(head) or BLANKS.match(head)))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    beside = source.beside(".txt")
    text = _text(beside, on_error)
    lines = lines_of(source, on_error)
    if beside.has_mark and _counts_mark(text, lines.texts):
        text = MARK + text
    mentions: dict[str, BratMention] = {}
    relations: dict[int, Related] = {}
    triggers: dict[str, str] = {}
    unused: Counter[str] = Counter()
    blanks = False
    for n, line in enumerate(lines.texts):
        kind = line[:1]
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
            if (mention := mention_of(lines, n, text)) and id_ in mentions:
                before = lines.name(mentions[id_].line)
                lines.refuse(n, f"{shortened(id_)} is there already, on line {before}; expected each id once")
            elif mention:
                mentions[id_] = mention
        elif kind == "E":
            triggers[id_] = fields[0].partition(" ")[0].rpartition(":")[2]
        else:
            relations[n] = relation_of(line)
    if triggers:
        unused["event"] += len(triggers.keys() - {id_ for _, *ids in relations.values() for id_ in ids})
        relations = {n: (name, *(triggers.get(id_, id_) for id_ in ids)) for n, (name, *ids) in relations.items()}
    warn_file(source.name, "left out {} beside coreference ({names})", "annotation", +unused)
    right = with_words_of_text(source.name, lines, [*mentions.values()])
    otherwise = "read {} over the end of a line, whose words are written otherwise than brat writes them"
    warn_file(source.name, otherwise, "mention", sum(mention.deviates for mention in right))
    usual = "those whose names begin with coref or ident, and Equiv, are"
    chosen = ChosenRelations(source.options.relations, lambda name: COREFERENCE.match(name) or name == "Equiv", usual)
    links = coreferent(lines, relations, [mention.id for mention in right], chosen)
    mentioned = without_blanks(text, (TextMention(mention.id, mention.label, mention.parts) for mention in right))
    words = words_of_text(text, mentioned, blanks)
    builder = CorpusBuilder(source.name)
    builder.document("", words.tokens, words.sentences, raw=words.raw)
    add_mentions(builder, words, mentioned, links, chosen)
    chosen.warn(source.name)
    if not builder.links:
        warn_of_types(source.name, right)
    return builder.corpus()


def words_of_text(text: str, mentions: Sequence[TextMention], blanks: bool) -> Characters:
    """The tokens of a text: what stands between blanks, or else words and signs."""
    pattern = BETWEEN_BLANKS if blanks else TOKEN
    tokens = [token.span() for token in pattern.finditer(text, int(text.startswith(MARK)))]
    return on_tokens(text, mentions, tokens, line_starts(text))


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
