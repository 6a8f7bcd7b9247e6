"""`parse`: from plain text to trees."""

from __future__ import annotations

import os

from referee.basics import progress
from referee.basics.exceptions import FormatError, OptionError
from referee.formats.shared.source import Source
from referee.parsing.language import check_language
from referee.parsing.model import ParserModel, load
from referee.parsing.plain import annotation, read_text
from referee.parsing.splitting import split
from referee.parsing.tagging import tag_and_parse
from referee.parsing.texts import Given, given
from referee.parsing.words import ParsedText


def parse(source: object, model: str | os.PathLike[str] | ParserModel = "english") -> ParsedText:
    """Find the sentences, words, tags and trees of plain text.

    Parameters
    ----------
    source : str, path, list or mapping
        A text, a file, a folder of files that end in .txt; several in a list, or with their names in a mapping. A string is
        a text if it has a line break, or a space and is not the name of a file.
    model : str, path or ParserModel
        "english", or a file that ``referee parse fit`` wrote.

    Returns
    -------
    ParsedText
        To be resolved by `referee.resolve`; its `conllu` gives CoNLL-U.

    Raises
    ------
    FormatError
        If it is no text, or in another language than that of the model.

    Examples
    --------
    >>> import referee
    >>> parsed = referee.parse("Ann met Bob. She likes him.")
    >>> list(parsed.words.form[:4])
    ['Ann', 'met', 'Bob', '.']
    """
    found = given(source)
    for one in found:
        if one.is_tree:
            raise OptionError(f"{one.source.name} is CoNLL-U, which has words already; expected plain text")
    return parse_texts(found, model)


def parse_texts(found: list[Given], model: str | os.PathLike[str] | ParserModel = "english") -> ParsedText:
    """Parse files that are texts."""
    loaded = load(model)
    texts = [_text(one.source) for one in found]
    check_language(texts, [one.source.name for one in found], loaded.splitting)
    progress.step("parsing")
    return tag_and_parse(split(texts, [one.name for one in found], loaded.splitting), loaded)


def _text(source: Source) -> str:
    kind = annotation(source.head)
    if kind:
        expected = "expected plain text, or CoNLL-U with trees: `referee convert` writes other annotation"
        raise FormatError(source.name, None, f"seems to be {kind} and no plain text; {expected}")
    return read_text(source, source.name)
