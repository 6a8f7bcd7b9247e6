"""`parse`: from plain text to trees."""

from __future__ import annotations

import os
from dataclasses import replace

from referee.basics.exceptions import FormatError, OptionError, counted, listed, shortened, warn
from referee.basics.names import check_call
from referee.formats.shared.source import Source
from referee.parsing.language import check_language
from referee.parsing.model import ParserModel, load
from referee.parsing.plain import annotation, decoded_text
from referee.parsing.splitting.split import left_out, split
from referee.parsing.tagging import tag_and_parse
from referee.parsing.texts import TextInput, list_texts
from referee.parsing.words import ParsedText, PlacedWords

CHUNKS = "chunks"
"""The model that makes shallow trees, by the tags of the English one."""


@check_call()
def parse(source: object, model: str | os.PathLike[str] | ParserModel = "english") -> ParsedText:
    """Find the sentences, words, tags and trees of plain text.

    Parameters
    ----------
    source : str, path, list or mapping
        A text, a file, a folder of files that end in .txt; several in a list, or with their names in a mapping. A string is
        a text if it has a line break, or a space and is not the name of a file.
    model : str, path or ParserModel
        "english"; "chunks" for shallow trees, which are made of chunks by a model of phrases; or a file that ``referee parse
        fit`` wrote.

    Returns
    -------
    ParsedText
        To be resolved by `referee.resolve`, or written by `referee.parsing.conllu`.

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
    documents = list_texts(source)
    for one in documents:
        if one.is_tree:
            raise OptionError(f"{one.source.name} is CoNLL-U, which has words already; expected plain text")
    return parse_texts(documents, model)


def parse_texts(
    documents: list[TextInput], model: str | os.PathLike[str] | ParserModel = "english", encoding: str | None = None
) -> ParsedText:
    """Parse files that are texts, in UTF-8 or another encoding."""
    shallow = model == CHUNKS
    loaded = load("english" if shallow else model)
    texts = [_text(one.source, encoding) for one in documents]
    check_language(texts, [one.source.name for one in documents], loaded.splitting)
    words = split(texts, [one.name for one in documents], loaded.splitting)
    _warn_of_left_out(words, documents)
    parsed = replace(tag_and_parse(words, loaded), model=f"parser:{loaded.name} {loaded.digest[:8]}")
    if not shallow:
        return parsed
    from referee.parsing.chunks import chunk_trees, load_chunks, tags_in  # few runs need the models of phrases

    return replace(chunk_trees(words, tags_in(parsed), load_chunks()), model=f"parser:chunks, tags:{loaded.digest[:8]}")


def _text(source: Source, encoding: str | None) -> str:
    kind = annotation(source.head)
    if kind:
        expected = "expected plain text, or CoNLL-U with trees: `referee convert` writes other annotation"
        raise FormatError(source.name, None, f"seems to be {kind} and no plain text; {expected}")
    return decoded_text(source if encoding is None else _recoded(source, encoding), source.name)


def _recoded(source: Source, encoding: str) -> bytes:
    """The text of a file of another encoding, in UTF-8."""
    try:
        return source.raw().decode(encoding).encode()
    except LookupError:
        raise OptionError(f"no encoding named {shortened(encoding)!r}; expected one such as cp1252 or utf-16") from None
    except UnicodeError as error:
        raise FormatError(
            source.name, None, f"is not in {encoding} ({shortened(str(error), 100)}); expected another one"
        ) from None


def _warn_of_left_out(words: PlacedWords, documents: list[TextInput]) -> None:
    """Say what of the texts is no word."""
    gone = left_out(words)
    parts = [counted(gone.labels, "label") + " of speakers"] * bool(gone.labels)
    parts += [counted(gone.characters, "character") + " (marks of emphasis, soft hyphens, hyphens at ends of lines)"] * bool(
        gone.characters
    )
    if parts:
        source = documents[0].source.name if len(documents) == 1 else counted(len(documents), "text")
        warn(f"{source}: {listed(parts)} are no words of the text")
