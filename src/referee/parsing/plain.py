"""Files of plain text: what their bytes say, or in one line why they are none."""

from __future__ import annotations

import codecs
import re

from referee.basics.exceptions import FormatError, counted, warn
from referee.formats.shared.source import HEAD, Source

TEXT = "expected plain text: save it as such"
KINDS: dict[bytes, str] = {
    b"%PDF": f"is a PDF file; {TEXT}, for example with pdftotext -layout FILE.pdf FILE.txt",
    b"PK\x03\x04": f"is a document of an office program, an EPUB or a zip archive; {TEXT}",
    b"\xd0\xcf\x11\xe0": f"is a document of an office program (.doc); {TEXT}",
    b"{\\rtf": f"is an RTF document; {TEXT}",
    b"\x1f\x8b": "is compressed twice (gzip); expected plain text: decompress it first",
    b"BZh": "is compressed (bzip2); expected plain text: decompress it first",
    b"\xfd7zXZ": "is compressed (xz); expected plain text: decompress it first",
    b"\x28\xb5\x2f\xfd": "is compressed (zstd); expected plain text: decompress it first",
    b"7z\xbc\xaf\x27\x1c": "is an archive (7z); expected plain text: unpack it first",
    **dict.fromkeys(
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"),
        "is an image; expected plain text: read it with a program for OCR",
    ),
    b"RIFF": "is a recording, a film or an image; expected plain text",
    b"ID3": "is a recording; expected plain text",
    b"OggS": "is a recording; expected plain text",
    b"%!PS": f"is a PostScript file; {TEXT}",
}
"""How files begin that are no plain text."""

HTML = re.compile(rb"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
CONTROLS = re.compile("[\x01-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1b\xc0\xc1\xf5-\xff]")
"""Bytes that no text in UTF-8 has."""

ROW = re.compile(rb"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t\n]*){9}\r?$", re.MULTILINE)
COLUMNS = re.compile(rb"\S+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+\S+[ \t]+\S+[ \t]+[(*]")


def decoded_text(source: Source | bytes, name: str) -> str:
    r"""The text of a file: UTF-8, perhaps with a byte order mark, or UTF-16 with one (from bytes only).

    Control characters are counted in a warning: they are taken as white space.

    Parameters
    ----------
    source : Source or bytes
    name : str
        What messages call it.

    Raises
    ------
    FormatError
        If it is empty, or no plain text in one of these encodings.

    Examples
    --------
    >>> decoded_text("\ufeffÀ bientôt.".encode(), "a.txt")
    'À bientôt.'
    """
    raw = source if isinstance(source, bytes) else source.raw()
    problem = next((problem for magic, problem in KINDS.items() if raw.startswith(magic) and _tells(magic, raw)), None)
    if HTML.match(raw[:HEAD].removeprefix(codecs.BOM_UTF8)):
        problem = f"is an HTML page; {TEXT}, for example with a browser"
    if problem:
        raise FormatError(name, None, problem)
    text = _decoded(raw, name)
    if "\0" in text:
        raise FormatError(name, text.count("\n", 0, text.index("\0")) + 1, "found a NUL byte; expected plain text in UTF-8")
    if not text.strip("\ufeff \t\r\n\x0b\x0c\x85\xa0\u200b\u2028\u2029"):
        raise FormatError(name, None, "is empty; expected text")
    controls = len(CONTROLS.findall(text))
    if controls:
        warn(f"{name}: {counted(controls, 'control character')} taken as white space")
    return text


def _tells(magic: bytes, raw: bytes) -> bool:
    """Whether a beginning says what a file is: a text may begin with `ID3`, too, if nothing in it is no text."""
    return magic in (b"%PDF", b"{\\rtf", b"%!PS") or not magic.isascii() or bool(NO_TEXT.search(raw[:HEAD]))


UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""Bytes that mean nothing in the encoding cp1252."""


def _decoded(raw: bytes, name: str) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            raise FormatError(
                name,
                None,
                "begins as UTF-16, but is none to its end; expected UTF-8: convert the file: iconv -f UTF-16 -t UTF-8",
            ) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        encoding = "latin1" if UNDEFINED.search(raw) else "cp1252"  # which has quotes and dashes where latin1 has nothing
        expected = f"expected UTF-8: convert the file: iconv -f {encoding} -t utf-8"
        raise FormatError(name, line, f"found the byte 0x{raw[error.start]:02x}; {expected}") from None


def annotation(raw: bytes) -> str:
    r"""What annotation a file seems to be rather than text: `CoNLL-U`, `CoNLL`, `XML` or `JSON`; empty for text.

    >>> annotation(b"1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\t_"), annotation(b"Ann left.")
    ('CoNLL-U', '')
    """
    head = raw[:HEAD].removeprefix(codecs.BOM_UTF8)
    start = head.lstrip()
    if start.startswith((b"<?xml", b"<TEI")):
        return "XML"
    if re.match(rb'\{\s*"|\[\s*[\[{"]', start):
        return "JSON"
    if ROW.search(head):
        return "CoNLL-U"
    return "CoNLL" if start.startswith(b"#begin document") or COLUMNS.match(start) else ""
