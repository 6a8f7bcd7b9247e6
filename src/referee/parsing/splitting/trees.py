"""Trees in CoNLL-U as texts to learn splitting from: tokens, the words they stand for, and where white space is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from referee.basics.exceptions import FormatError, shortened
from referee.parsing.splitting.tokens import key

NOT_BEFORE = frozenset(".,;:!?)]}%”’…") | {"n't", "n’t", "''"}
NOT_AFTER = frozenset("([{“‘$#") | {"``"}
NEW_PARAGRAPH = re.compile(r"# ?newpar(?!\w)")
NUMBER = re.compile(r"[0-9]{1,9}(?:(?P<node>\.[0-9]{1,9})|-(?P<last>[0-9]{1,9}))?")
SPACED = re.compile(r"['’-][^\W\d_]+|[^\W\d_]+['’]")


class TreeToken(NamedTuple):
    """A token of a tree: its form, the words it stands for, and whether white space follows."""

    form: str
    words: tuple[str, ...]
    space: bool

    @property
    def parts(self) -> tuple[str, ...]:
        """The words where they are the letters of the token (*ca n't*), else the token alone (*du*)."""
        return self.words if key("".join(self.words)) == key(self.form) else (self.form,)


TreeDocument: TypeAlias = "list[list[list[TreeToken]]]"
"""Paragraphs, their sentences, their tokens."""


class TreeTexts(NamedTuple):
    """The documents of a file, and whether it tells where white space is."""

    documents: list[TreeDocument]
    spaced: bool


def read_trees(raw: bytes) -> TreeTexts:
    """The tokens of a CoNLL-U file.

    Raises
    ------
    FormatError
        If it is not UTF-8, or a row does not begin with the number of a word.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FormatError("<trees>", line, f"found the byte 0x{raw[error.start]:02x}; expected UTF-8") from None
    spaced = "\n# text =" in text or text.startswith("# text =") or "SpaceAfter=No" in text
    documents: list[TreeDocument] = []
    for block in re.split(r"\n[ \t\r]*\n", text):
        lines = block.split("\n")
        tokens = _sentence(line.rstrip("\r") for line in lines if "\t" in line and line[0] != "#")
        if not tokens:
            continue
        new_document = any(line.startswith("# newdoc") for line in lines)
        if new_document or not documents:
            documents.append([])
        if new_document or not documents[-1] or any(NEW_PARAGRAPH.match(line) for line in lines):
            documents[-1].append([])
        documents[-1][-1].append(tokens if spaced else _guessed(tokens))
    return TreeTexts(documents, spaced)


def _sentence(rows: Iterable[str]) -> list[TreeToken]:
    tokens: list[TreeToken] = []
    until = 0
    for row in rows:
        number, form, *_, misc = row.split("\t")
        match = NUMBER.fullmatch(number)
        if match is None:
            raise FormatError("<trees>", None, f"found a row that begins with {shortened(number)!r}; expected CoNLL-U")
        if match["node"]:
            continue
        form = "".join(form.split()) or "_"
        space = "SpaceAfter=No" not in misc
        if match["last"]:
            until = int(match["last"])
            tokens.append(TreeToken(form, (), space))
        elif int(number) <= until and tokens:
            tokens[-1] = tokens[-1]._replace(words=(*tokens[-1].words, form))
        else:
            tokens.append(TreeToken(form, (form,), space))
    return [token if token.words else token._replace(words=(token.form,)) for token in tokens]


def _guessed(tokens: list[TreeToken]) -> list[TreeToken]:
    """The tokens with white space as it usually is: none before a comma, after a bracket, around a hyphen."""
    guessed: list[TreeToken] = []
    quoted = False
    for n, token in enumerate(tokens):
        form, following = token.form, tokens[n + 1].form if n + 1 < len(tokens) else ""
        space = not (
            following in NOT_BEFORE
            or form in NOT_AFTER
            or (following and SPACED.fullmatch(following) and following[0] in "'’-" and form[-1].isalnum())
            or (SPACED.fullmatch(form) and form[-1] in "'’" and following[:1].isalnum() and len(form) < 8 and form[-2] != "s")
            or (form == "-" and following[:1].isalnum() and n > 0 and tokens[n - 1].form[-1:].isalnum())
            or (following == "-" and form[-1].isalnum() and n + 2 < len(tokens) and tokens[n + 2].form[:1].isalnum())
        )
        if '"' in (form, following):
            if form == '"':
                quoted = not quoted
                space = space and not quoted
            if following == '"' and quoted:
                space = False
        guessed.append(token._replace(space=space))
    return guessed


def sentences_of(documents: Sequence[TreeDocument]) -> Iterator[list[TreeToken]]:
    """All sentences."""
    for document in documents:
        for paragraph in document:
            yield from paragraph


def tokens_of(documents: Sequence[TreeDocument]) -> Iterator[TreeToken]:
    """All tokens."""
    for sentence in sentences_of(documents):
        yield from sentence


def pieces_of(documents: Sequence[TreeDocument]) -> Iterator[list[TreeToken]]:
    """Tokens that no white space parts."""
    for sentence in sentences_of(documents):
        piece: list[TreeToken] = []
        for token in sentence:
            piece.append(token)
            if token.space:
                yield piece
                piece = []
        if piece:
            yield piece
