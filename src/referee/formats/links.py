"""Links or entities of items as plain text, the notation of examples in papers.

::

    # document example     (a comment; with the word `document` it begins the document of that name)
    A-B B-C                links: the entities are their connected components
    <D-E E-F>              the same in angle brackets, as Vilain et al. (1995) write it
    {G H I} {J}            entities

What stands before the first `# document` line, or a whole file without one, is a document without a name. `#` starts a comment
at the beginning of a line or after a blank. A pair of brackets closes on its line.

Names are any characters but blanks and `{}<>`. In a link exactly one hyphen separates the names; written with two, single
hyphens belong to the names: `well-known--it` links `well-known` with `it`.

In braces each name is a mention of its own, so `{A B} {A C}` lists the mention A twice, in two entities. In a link a name means
the mention (the first, if listed twice) that stands in braces, else a mention that links alone make: `{A B} A-C` is one entity.

References
----------
Vilain et al. (1995) for `<A-B B-C>` and `{A B C}`; comments, documents and the double hyphen are ours.

Notes
-----
Where readers disagree: the paper's own `G-H-H-I` (a misprint of `G-H H-I`) is no link here but an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import TextIO

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.documents import add_linked, begin, entities, is_unnamed, item_names
from referee.formats.shared.format import Format
from referee.formats.shared.losses import Losses, fitting
from referee.formats.shared.source import OnError, Source

HEADING = re.compile(r"# document (\S|\S.*\S)\s*$")
COMMENT = re.compile(r"(^|(?<=\s))#.*")
PIECE = re.compile(r"[{}<>]|[^\s{}<>]+")
NUMBER = re.compile(r"[-+.\d]+(?:[eE][-+]?\d+)?")
NO_NAME = re.compile(r"[\s\0{}<>]|^#|^\ufeff")
MARKED = re.compile(r"[,:;\"'\]]$|^[\"'\[]")
"""Names that a program has written with marks around them, as sets and JSON: blanks do not stand between these."""
FEW = 3
"""Lines with a link each that may be names with hyphens, at least."""
CLOSING = {"{": "}", "<": ">"}


@dataclass
class _LinkedDocument:
    name: str
    line: int
    clusters: list[list[str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def sniff(head: str) -> bool:
    """A line begins a document; or the first line with content is one of links or of entities, as nearly all lines are."""
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = (whole or rest).split("\n")
    if any(map(HEADING.match, lines)):
        return True
    rows = [pieces for line in lines if (pieces := PIECE.findall(COMMENT.sub("", line)))]
    if not rows or all(map(NUMBER.fullmatch, rows[0])):
        return False
    read = _LinkedDocument("", 0)
    wrong = [bool(_parse(pieces, read)) for pieces in rows]
    if any(MARKED.search(name) for cluster in read.clusters for name in cluster) or _are_names(rows, read.links):
        return False
    return not wrong[0] and sum(wrong) <= 0.1 * len(rows)


def _are_names(rows: Sequence[Sequence[str]], links: Sequence[tuple[str, str]]) -> bool:
    """Whether lines seem to be names with hyphens, one each: their first parts are all alike, or their parts all different."""
    if len(rows) < FEW or not len(links) == len(rows) == sum(map(len, rows)):
        return False
    firsts, parts = {first for first, _ in links}, {part for link in links for part in link}
    return len(firsts) == 1 or len(parts) == 2 * len(links)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents with their links and entities."""
    builder = CorpusBuilder(source.name)
    for document in _documents(source, on_error):
        if begin(builder, on_error, document.name, line=document.line):
            _add(document, builder)
    return builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write the links of the corpus, and in braces every entity that these do not make; without links all in braces."""
    names = item_names(corpus)
    links = list(zip(corpus.links.first.tolist(), corpus.links.second.tolist(), strict=True)) if corpus.links else []
    made = components(len(names), links)
    links_of: dict[int, list[str]] = {}
    for a, b in links:
        links_of.setdefault(int(corpus.document[a]), []).append(_link(names[a], names[b]))
    for number, (document, mentions) in enumerate(entities(corpus)):
        if not is_unnamed(corpus) or not mentions:
            out.write(f"# document {document}\n")
        in_braces = [e for e in mentions.values() if len(e) == 1 or len({made[m] for m in e}) > 1]
        braces = ["{" + " ".join(names[m] for m in entity) + "}" for entity in in_braces]
        lines = braces, links_of.get(number, [])
        out.writelines(" ".join(line) + "\n" for line in lines if line)


def drop_unsupported(losses: Losses) -> None:
    """Change names of mentions and of documents; leave out links of names that cannot be told apart in one."""
    corpus = losses.corpus
    if corpus.items is not None:
        items = fitting(corpus.items, _fits, NO_NAME)
        losses.change_names(corpus.items, items, "mentions")
        losses.corpus = replace(corpus, items=items).in_reading_order()
    losses.rename()
    corpus = losses.corpus
    if corpus.links is not None:
        names = item_names(corpus)
        uses = Counter(zip(corpus.document.tolist(), names, strict=True))
        pairs = list(zip(corpus.links.first.tolist(), corpus.links.second.tolist(), strict=True))
        lost = [
            _names(_link(names[a], names[b])) != (names[a], names[b])
            or any(uses[int(corpus.document[m]), names[m]] > 1 for m in (a, b))
            for a, b in pairs
        ]
        losses.leave_out_rows("links", np.array(lost, dtype=bool))


def _fits(name: str) -> bool:
    """Whether a line gives the name of a mention back."""
    if "\0" in name or name.startswith("\ufeff"):
        return False
    return PIECE.findall(COMMENT.sub("", name)) == [name] and name not in "{}<>"


def _documents(source: Source, on_error: OnError) -> list[_LinkedDocument]:
    documents: list[_LinkedDocument] = []
    for number, line in source.lines(on_error):
        if heading := HEADING.match(line):
            documents.append(_LinkedDocument(heading[1], number))
        elif pieces := PIECE.findall(COMMENT.sub("", line)):
            documents = documents or [_LinkedDocument("", number)]
            if problem := _parse(pieces, documents[-1]):
                on_error(number, problem)
    return documents


def _parse(pieces: Sequence[str], document: _LinkedDocument) -> str | None:
    """Add the entities and links of a line to the document, up to the first problem, which is returned."""
    closing = ""
    cluster: list[str] = []
    for piece in pieces:
        if piece in CLOSING:
            if closing:
                return f"found {piece!r}; expected {closing!r} first"
            closing, cluster = CLOSING[piece], []
        elif piece in CLOSING.values():
            if piece != closing:
                return f"found {piece!r}; expected it only after its opening bracket"
            if closing == "}" and not cluster:
                return "found '{}'; expected at least one mention in an entity"
            if closing == "}":
                document.clusters.append(cluster)
            closing = ""
        elif closing == "}":
            cluster.append(piece)
        elif (link := _names(piece)) is None:
            expected = "a link A-B of two different mentions (A--B if names have hyphens) or {A B}"
            return f"found {shortened(piece)!r}; expected {expected}"
        else:
            document.links.append(link)
    return f"found no {closing!r}; expected it on the line of its opening bracket" if closing else None


def _names(link: str) -> tuple[str, str] | None:
    """The two names of a link; None if it is none."""
    names = link.split("--" if "--" in link else "-")
    if len(names) != 2 or names[0] == names[1] or any(not n or n[0] == "-" or n[-1] == "-" for n in names):
        return None
    return names[0], names[1]


def _link(a: str, b: str) -> str:
    return f"{a}--{b}" if "-" in a + b else f"{a}-{b}"


def _add(document: _LinkedDocument, builder: CorpusBuilder) -> None:
    names = [name for cluster in document.clusters for name in cluster]
    first = {name: n for n, name in reversed(list(enumerate(names)))}
    for name in (name for link in document.links for name in link):
        if name not in first:
            first[name] = len(names)
            names.append(name)
    ends = list(accumulate(map(len, document.clusters), initial=0))
    ties = [(n, n + 1) for start, end in pairwise(ends) for n in range(start, end - 1)]
    links = [(first[a], first[b]) for a, b in document.links]
    numbers = list(map(str, range(len(names))))
    add_linked(builder, numbers, links, lambda n, label: builder.item(names[n], label), ties=ties)


FORMAT = Format(
    "links", __doc__, ("items", "links"), sniff, read, write, drop_unsupported, endings=(".txt",), is_like_prose=True
)
