"""Reading brat standoff."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from os.path import basename
from typing import NamedTuple

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.undecided import NOTE
from referee.formats.brat.lines import BratLine, lines_of
from referee.formats.brat.mentions import MARK, BratMention, counts_mark, mention_of, warn_of_types, with_words_of_text
from referee.formats.shared.characters import TOKEN, Characters, line_starts, with_marks
from referee.formats.shared.documents import Pairs
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
OF_UNDECIDED = re.compile(rf"#[^\t]*\tAnnotatorNotes (T[^\t]*)\t{NOTE}")
"""The note of an undecided mention."""
BETWEEN_BLANKS = re.compile(r"[^ \r\n]+")
BRACKETED = re.compile(r"\[[^\[\]]*\]")
OTHERS = {"E": "event", "A": "attribute", "M": "attribute", "N": "normalisation", "#": "note"}


def sniff(head: str) -> bool:
    """Its first line is an annotation, and some line is a mention or relates some, or the note of a document without any."""
    return bool(ANNOTATION.match(head.lstrip()) and (MENTION.search(head) or RELATION.search(head) or BLANKS.match(head)))


class BratAnnotation(NamedTuple):
    """What a file has.

    Parameters
    ----------
    text : str
        The text beside it.
    lines : list of BratLine
        All lines.
    mentions : sequence of BratMention
        Those that have their words.
    relations : list of triples
        Line, name and ids of mentions of each relation and equivalence.
    links : Pairs
        The mentions, by number, that corefer.
    meaning : ChosenRelations
        Which relations mean coreference.
    has_note : bool
        Whether tokens are what stands between blanks.
    """

    text: str
    lines: list[BratLine]
    mentions: Sequence[BratMention]
    relations: list[tuple[BratLine, str, list[str]]]
    links: Pairs
    meaning: ChosenRelations
    has_note: bool


def read(source: Source, on_error: OnError) -> Corpus:
    """Read the annotation, and the text from the file beside it."""
    annotation = annotation_of(source, on_error)
    text, meaning = annotation.text, annotation.meaning
    mentions = without_blanks(text, (TextMention(mention.id, mention.label, mention.parts) for mention in annotation.mentions))
    words = words_of_text(text, mentions, annotation.has_note)
    builder = CorpusBuilder(source.name)
    builder.document("", words.tokens, words.sentences, raw=words.raw)
    add_mentions(builder, words, mentions, annotation.links, meaning)
    meaning.warn(source.name)
    if not builder.links:
        warn_of_types(source.name, annotation.mentions)
    return builder.corpus()


def annotation_of(source: Source, on_error: OnError) -> BratAnnotation:
    """What a file has, with the text beside it."""
    beside = source.beside(".txt")
    text = _text(beside, on_error)
    lines = lines_of(source, on_error)
    if beside.has_mark and counts_mark(text, lines):
        text = MARK + text
    by_id: dict[str, BratMention] = {}
    relations: list[tuple[BratLine, str, list[str]]] = []
    triggers: dict[str, str] = {}
    unused: Counter[str] = Counter()
    has_note = False
    for line in lines:
        kind = line.text[:1]
        id_, *fields = line.text.split("\t")
        if not line.text.strip():
            continue
        if kind == "#" or (kind in "AMN" and fields):
            is_note = BLANKS.fullmatch(line.text) is not None
            has_note |= is_note
            unused[OTHERS[kind]] += not (is_note or OF_UNDECIDED.match(line.text))
        elif kind not in "TRE*" or not "".join(fields).strip():
            expected = "an id that begins with T, R, E, A, M, N, # or *, a tab, and more"
            line.refuse(on_error, f"found {shortened(line.text)!r}; expected {expected}")
        elif kind == "T":
            mention = mention_of(line, text, on_error)
            if mention and by_id.setdefault(id_, mention) is not mention:
                before = by_id[id_].line.place
                line.refuse(on_error, f"{shortened(id_)} is there already, on line {before}; expected each id once")
        elif kind == "E":
            triggers[id_] = fields[0].partition(" ")[0].rpartition(":")[2]
        else:
            name, *arguments = " ".join(fields).split()
            while len(arguments) > 1 and BRACKETED.fullmatch(arguments[-1]):
                arguments.pop()
            relations.append((line, name, [argument.rpartition(":")[2] for argument in arguments]))
    if triggers:
        unused["event"] += len(triggers.keys() - {id_ for _, _, ids in relations for id_ in ids})
        relations = [(line, name, [triggers.get(id_, id_) for id_ in ids]) for line, name, ids in relations]
    warn_file(source.name, "left out {} beside coreference ({names})", "annotation", +unused)
    right = with_words_of_text(source.name, [*by_id.values()], on_error)
    otherwise = "read {} over the end of a line, whose words are written otherwise than brat writes them"
    warn_file(source.name, otherwise, "mention", sum(mention.deviates for mention in right))
    usual = "those whose names begin with coref or ident, and Equiv, are"
    meaning = ChosenRelations(source.options.relations, lambda name: COREFERENCE.match(name) or name == "Equiv", usual)
    links = _coreferent(relations, [mention.id for mention in right], meaning, on_error)
    return BratAnnotation(text, lines, right, relations, links, meaning, has_note)


def _coreferent(
    relations: Sequence[tuple[BratLine, str, Sequence[str]]], ids: Sequence[str], meaning: ChosenRelations, on_error: OnError
) -> Pairs:
    """The pairs of mentions, by number, that corefer, as listed; counts relations that mean something else."""
    same = {name: meaning.means(name, relations=n) for name, n in Counter(name for _, name, _ in relations).items()}
    number = {id_: n for n, id_ in enumerate(ids)}
    pairs: list[tuple[int, int]] = []
    for line, name, related in relations:
        numbers = [number[id_] for id_ in related if id_ in number]
        if not same[name]:
            continue
        if len(numbers) == len(related) == len({*numbers}) > 1:
            # A relation goes from a mention to one before it; an equivalence has its mentions in the order of the text.
            pairs += ((b, a) if name == "Equiv" else (a, b) for a, b in pairwise(numbers))
            continue
        unknown = next((f"{shortened(id_)}, which is no mention" for id_ in related if id_ not in number), "")
        what = unknown or shortened(" ".join(related)) or "nothing"
        line.refuse(on_error, f"{shortened(name)} relates {what}; expected the ids of two different mentions, or more")
    return pairs


def words_of_text(text: str, mentions: Sequence[TextMention], blanks: bool) -> Characters:
    """The tokens of a text: what stands between blanks, or else words and signs."""
    pattern = BETWEEN_BLANKS if blanks else TOKEN
    tokens = [token.span() for token in pattern.finditer(text, int(text.startswith(MARK)))]
    return on_tokens(text, mentions, tokens if blanks else with_marks(text, tokens), line_starts(text))


def _text(source: Source, on_error: OnError) -> str:
    """The text as it is: every line end counts."""
    raw = source.raw()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        place = f"{basename(source.name)}:{raw[: error.start].count(10) + 1}"
        on_error(None, f"{place}: found the byte 0x{raw[error.start]:02x}; expected UTF-8: {source.encoding_remedy(raw)}")
        return raw.decode(errors="replace")
