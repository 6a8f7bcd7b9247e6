"""The format of a file, told from its content."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from referee.basics.exceptions import FormatError, NoFormatError
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.source import HEAD, Source
from referee.formats.shared.tags import are_tags
from referee.inputs.registry import FORMATS, load_format

ENDINGS: Mapping[str, tuple[str, str]] = {
    ".conll": ("conll", "ua"),
    ".conllu": ("corefud", "stanza"),
    ".conllup": ("ua", "corefud"),
    ".tsv": ("tsv", "webanno"),
    ".csv": ("csv", "pairs"),
    ".json": ("jsonlines", "clusters"),
    ".jsonl": ("jsonlines", "rows"),
    ".jsonlines": ("jsonlines", "fastcoref"),
    ".xml": ("tei", "uima"),
    ".xmi": ("uima", "corefannotator"),
    ".ann": ("brat", "litbank"),
    ".sgml": ("muc", "tagged"),
    ".txt": ("tagged", "quotes"),
    ".md": ("tagged", "quotes"),
    ".sacr": ("sacr", "tagged"),
}
"""The formats that files with an ending have most often."""
ABOUT = re.compile(
    r"(read_?me|licen[cs]e|copying|copyright|citation|change_?log|changes|contributing|contributors|authors|requirements|metadata)"
    r"([-_. ][^.]*)?(\.(md|rst|txt|cff|html?|bib|pdf))?",
    re.IGNORECASE,
)
"""Names of files that say something about others."""
OF_CODE = frozenset((
    ".py", ".pyi", ".ipynb", ".sh", ".bash", ".pl", ".js", ".ts", ".css", ".scss", ".java", ".c", ".h", ".cpp", ".cs", ".go",
    ".rs", ".rb", ".php", ".r", ".tex", ".sty", ".toml", ".cfg", ".ini",
))  # fmt: skip
"""Endings of programs and their settings."""
LONGEST_HEADER = 64 * HEAD
"""Bytes of XML that are looked at, at most."""
UNREAD = {
    "CoNLL-U Plus without IDENTITY": re.compile(r"^#\s*global\.columns\s*=", re.MULTILINE),
    "a table of words with their lemmas": re.compile(
        r"\A(?:[^\t\n]*\t){0,20}form\t(?:[^\t\n]*\t){0,20}lemma[\t\r\n]", re.IGNORECASE
    ),
}
"""Files that are annotation, but of nothing that is read: what they are called, and what they have."""
FEW_BYTES = 8
"""A file of more is not looked at to see whether it is empty."""
IS_EMPTY = "is empty; expected annotation"
OF_TAGS = "is a file of tags, which have verbs of their own: referee phrases score KEY RESPONSE, or errors, compare, validate"
KINDS = {"json": ("jsonlines", "clusters"), "xml": ("tei", "uima"), "table": ("conll", "tsv"), "text": ("tagged", "quotes")}
"""The same for other endings, by how a file begins."""


def format_of(source: Source) -> str:
    """Return the name of the format that the content of a file looks like.

    Raises
    ------
    NoFormatError
        If it looks like none.
    FormatError
        If it is annotation of nothing that is read.
    """
    if source.binary:
        return source.binary
    head = _beginning(source)
    if not head.strip():
        if source.data is None and is_empty_annotation(source.path):
            return "brat"
        raise FormatError(source.name, None, IS_EMPTY)
    name = next((name for head in _heads(source) for name in FORMATS if load_format(name).sniff(head)), None)
    if name and load_format(name).is_like_prose and _is_of_code(source):
        name = None
    if name in (None, "csv", "tsv") and not source.options.columns and are_tags(head):
        raise FormatError(source.name, None, OF_TAGS)
    if name:
        return name
    if source.options.columns:
        return "conll" if source.options.is_of_conll else "csv"
    for kind, pattern in UNREAD.items():
        if pattern.search(head):
            remedy = "convert it to CoNLL-U with Entity= in MISC (corefud), or to CoNLL"
            raise FormatError(source.name, None, f"is {kind}, and has no column of mentions that is read: {remedy}")
    from referee.tabular.text import odd_separator  # a file is seldom of no format

    if separator := odd_separator(head):
        problem = f"seems to have fields between {separator!r}; expected commas, tabs, semicolons or bars"
        raise FormatError(source.name, 1, f"{problem}, or a first line sep={separator}")
    problem = f"looks like none of the {len(FORMATS)} formats that `referee formats` lists"
    text = "; of a plain text, referee resolve finds the entities" if kind_of(head) == "text" else ""
    likely = " or ".join(ENDINGS.get(_ending(source)) or KINDS[kind_of(head)])
    named = f"name one with {_option(source)} if it is, such as {likely}"
    raise NoFormatError(source.name, None, f"{problem}: {named}{text}")


def is_empty(path: str) -> bool:
    """Whether a file has no character, or white space alone, and no annotation is so by its name."""
    if not os.path.isfile(path) or os.path.getsize(path) > FEW_BYTES or is_empty_annotation(path):
        return False
    with open(path, "rb") as file:
        return not file.read().strip()


def is_empty_annotation(path: str) -> bool:
    """Whether an empty file of this name is brat's, of a text without mentions."""
    stem, ending = os.path.splitext(path)
    return os.path.exists(stem + ".txt") and (ending == ".ann" or (ending in (".a2", ".rel") and os.path.exists(stem + ".a1")))


def hint_of(source: Source) -> str:
    """What is said behind an error of a file whose format was detected: other formats that it may have; empty if none is."""
    if source.binary:
        return ""
    head = _beginning(source)
    fitting = [name for name in FORMATS if load_format(name).sniff(head)]
    by_ending = ENDINGS.get(_ending(source), ())
    if not fitting or (len(fitting) == 1 and fitting[0] in (by_ending or fitting)):
        return ""
    others = [name for name in dict.fromkeys([*by_ending, *fitting]) if name != fitting[0]]
    named = f"name another with {_option(source)} if it is one, such as {' or '.join(others[:2])}"
    return f"; detected as {fitting[0]}: {named}"


def _option(source: Source) -> str:
    """The option that names the format of a file, and of no other."""
    return "--response-format" if source.role == "response" else "--format (of convert, --from)"


def _is_of_code(source: Source) -> bool:
    """Whether a file is no annotation, by its name."""
    file = os.path.basename(source.path)
    return source.data is None and bool(file.startswith(".") or ABOUT.fullmatch(file) or _ending(source) in OF_CODE)


def kind_of(head: str) -> str:
    """What a file is, by how it begins: one of `KINDS`."""
    start = head.lstrip()[:1]
    return "json" if start in ("{", "[") else "xml" if start == "<" else "table" if "\t" in head else "text"


def _ending(source: Source) -> str:
    return os.path.splitext(source.path.removesuffix(".gz"))[1].lower()


def _beginning(source: Source) -> str:
    """What a format is told from."""
    head = source.head.decode(errors="replace")
    if len(source.head) < HEAD or head.lstrip()[:1] not in ("{", "["):
        return head
    from referee.formats.shared.beginning import beginning  # few files need it

    return beginning(source)


def _heads(source: Source) -> Iterator[str]:
    """What a format is told from, and more of XML, whose header may be long."""
    yield _beginning(source)
    if len(source.head) == HEAD and source.head.lstrip().startswith(b"<"):
        yield source.longer(LONGEST_HEADER)


def looks_like(path: str, name: str | None, options: ReadOptions | None = None) -> str | None:
    """The format that a file looks like: this one, if it is named, or whichever; None if it does not."""
    try:
        source = Source(path, options=options and ReadOptions(encoding=options.encoding))
        if name is None:
            return format_of(source)
        if source.binary:
            return name if source.binary == name else None
        return name if any(map(load_format(name).sniff, _heads(source))) else None
    except FormatError:
        return None
