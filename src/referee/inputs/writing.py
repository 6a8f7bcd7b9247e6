"""Corpora as files: `write`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, TextIO

import numpy as np

from referee.basics.exceptions import FormatError, OptionError, counted, listed, shortened, warn
from referee.basics.files import ending_of, folder_written_whole, output
from referee.basics.names import check_call
from referee.basics.options.choices import ANSWERS, ENDINGS, WRITABLE
from referee.basics.options.options import Options, check_threshold
from referee.basics.options.reading import ReadOptions
from referee.corpus import FEATURES, Corpus
from referee.corpus.corpus import feature_counts
from referee.corpus.lossy import over_empty_nodes, without
from referee.corpus.needless import telling_links, types_follow
from referee.formats.shared.documents import LOSSY, is_unnamed
from referee.formats.shared.file_warnings import ignore_warnings
from referee.formats.shared.format import Format
from referee.formats.shared.losses import Losses
from referee.formats.shared.skipping import OPTION
from referee.formats.shared.source import Source
from referee.formats.shared.written_text import warn_of_parts
from referee.inputs.holding import check_holdable, holding
from referee.inputs.kinds import check_pairs
from referee.inputs.load import corpus_of, load_response
from referee.inputs.reading import detect, named_files, read, read_records
from referee.inputs.registry import FORMATS, load_format

if TYPE_CHECKING:
    from referee.inputs.rewriting import Rewritten
    from referee.tabular.pairs import PairTable

SHARED_ENDINGS = {".json", ".jsonl", ".txt"}
"""Endings that files of several formats have: they name none where a format is named."""


@check_call(other="referee.convert(source, target) needs no corpus")
def write(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    lossy: bool = False,
    like: str | os.PathLike[str] | None = None,
) -> None:
    """Write annotation. The file appears only when it is complete.

    Parameters
    ----------
    corpus : Corpus
        The annotation.
    path : path
        A file (gzip if it ends in .gz), or `-` for standard output.
    format : str or None
        One of `FORMATS`, "conll:numbers" or "conll:names"; None to take it from the ending.
    lossy : bool
        Leave out or change what the format cannot hold (see `referee.corpus.lossy` and `Losses`), with a warning that counts
        it, instead of refusing. Links of a text are left out without it, as its entities say who corefers: with a warning
        if they say more (see `referee.corpus.needless`).
    like : path or None
        A file or folder with the same words, which is written again with these entities: all else in it stays as it is, and
        so do the ids and attributes of mentions and entities that do not change. The format is that of it.

    Raises
    ------
    FormatError
        If the format cannot hold the corpus.
    OptionError
        If the ending names another format, or none and no format is named.
    """
    planned(corpus, path, format=format, lossy=lossy, like=like)()


def planned(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    lossy: bool = False,
    like: str | os.PathLike[str] | None = None,
) -> Callable[[], None]:
    """Return what writes an annotation, when it is called; nothing is written before all is checked. As `write`."""
    if not isinstance(corpus, Corpus):
        problem = f"found a value of the type {type(corpus).__name__}; expected a Corpus, as referee.read returns it"
        raise OptionError(f"{problem}: referee.write(corpus, path)")
    target = os.fspath(path)
    of_source = _format_like(like, target, format)
    name, _, variant = (of_source or format or format_of(target, corpus)).partition(":")
    writer = load_format(name)
    if format and (of_ending := named_by_ending(target)) not in (None, name) and writer.document_ending != ending_of(target):
        problem = f"found {name} for a file whose ending names {of_ending}"
        raise OptionError(f"{target}: {problem}; expected no --to, or another name")
    if writer.write is None:
        raise OptionError(f"{name} is only read; expected a format that is written, too: {', '.join(WRITABLE)}")
    if variant and not of_source and variant not in writer.written_variants:
        raise OptionError(f"found the format {format}; expected {name}, which is written in one way")
    unheld = corpus.features - set(writer.holds if of_source else writer.writable)
    follows = _said_by_entities(corpus, unheld)
    excess = [feature for feature in FEATURES if feature in unheld - follows.keys()]
    dropped = unheld if lossy else follows
    numbers = feature_counts(corpus) if excess and lossy else {}
    gone, shorter = over_empty_nodes(corpus) if "empty nodes" in dropped else (0, 0)
    corpus = without(corpus, dropped) if dropped else corpus
    empty = len(corpus.doc_ids) - len(np.unique(corpus.document))
    if empty and not writer.holds_empty and not is_unnamed(corpus):
        excess.append(counted(empty, "document") + " without mentions")
    if not (excess or lossy or of_source):
        check_holdable(corpus, writer)
    if excess and not lossy:
        others = holding(corpus.features)[:3]
        another = f"another format, such as {', '.join(others)}" if others else "another format"
        if corpus.format in ANSWERS and corpus.items is not None and "spans" in writer.writable:
            another = f"--text KEY, which puts them on the words of a text, {another}"
        besides = " besides their entities" if excess == ["links"] else ""
        leave_out = f", or {LOSSY}" * ("items" not in excess)  # they are no spans of words, whatever is left out
        as_what = f", the format of {ending_of(target)}," if not format and meant_by_ending(target) else ""
        problem = f"has {listed(excess)}, which {name}{as_what} cannot hold{besides}; expected {another}{leave_out}"
        raise FormatError(corpus.source, None, problem)
    in_folder = _is_new_folder(target, writer) or (bool(writer.document_ending) and len(corpus.doc_ids) != 1)
    losses = Losses(corpus)
    losses.left_out["link", " besides their entities"] += follows.get("links", 0)
    losses.left_out["zero", ""] += gone
    losses.changed["span", f" over empty nodes, so that they do not match those of {corpus.source}"] += shorter
    if lossy:
        if in_folder:
            losses.rename(can_be_files, str.casefold)
        if writer.drop_unsupported:
            writer.drop_unsupported(losses)
        corpus = losses.corpus
    if in_folder and not of_source:
        _check_folder(corpus, target, name)
    files: Sequence[Rewritten] = ()
    if like is not None:
        from referee.inputs.rewriting import rewritten  # few corpora are written so

        files = [*rewritten(corpus, os.fspath(like), of_source)]

    def write_it() -> None:
        if of_source:
            _write_files(files, target, writer, in_folder=in_folder or os.path.isdir(like or ""))
        elif in_folder:
            _write_folder(corpus, target, writer)
        else:
            _write_file(corpus, target, writer, variant)
        if summary := losses.described(name, [f"{lost} ({numbers[lost]})" if numbers.get(lost) else lost for lost in excess]):
            warn(f"{corpus.source}: {summary}")
        if writer.writes_places:
            warn_of_parts(corpus, format=name)

    return write_it


def _format_like(like: str | os.PathLike[str] | None, target: str, format: str | None) -> str:
    """The format of a file that is written again; empty if there is none."""
    if like is None:
        return ""
    name = format or detect(like)
    record = load_format(name.partition(":")[0])
    if not record.rewriting:
        others = listed([other for other in WRITABLE if load_format(other).rewriting])
        raise OptionError(f"{os.fspath(like)} is {name}, which is not written again with other entities; expected {others}")
    if target != "-" and (of_ending := named_by_ending(target)) not in (None, record.name) and not record.document_ending:
        problem = f"found an ending of {of_ending} for what is written like {os.fspath(like)}, which is {record.name}"
        raise OptionError(f"{target}: {problem}; expected another ending, or no source to write like")
    return name


def _said_by_entities(corpus: Corpus, features: Collection[str]) -> dict[str, int]:
    """Those of some `FEATURES` which a text can do without, as it keeps its entities; and how much of each is lost with it."""
    implied: dict[str, int] = {}
    if "links" in features and corpus.links is not None and corpus.items is None:
        implied["links"] = telling_links(corpus)
    if "entity types" in features and types_follow(corpus):
        implied["entity types"] = 0
    return implied


@contextmanager
def _whole(target: str) -> Iterator[TextIO]:
    """Open a file that is written whole, or not at all; so are standard output and pipes."""
    if target != "-" and (os.path.isfile(target) or not os.path.exists(target)):
        with output(target) as out:
            yield out
        return
    text = StringIO()
    yield text
    with output(target) as out:
        out.write(text.getvalue())


def _write_file(corpus: Corpus, target: str, record: Format, variant: str = "") -> None:
    """Write a file, and the text beside it if the format has it there."""
    assert record.write
    beside, text = ("", "") if record.write_beside is None else _text_beside(corpus, target, record)
    with _whole(target) as out:  # appears when the text is there
        record.write(corpus, out, *([variant] if variant else []))
        if beside and not os.path.exists(beside):
            with output(beside) as text_out:
                text_out.write(text)


def _text_beside(corpus: Corpus, target: str, record: Format) -> tuple[str, str]:
    """The path of the text that goes with a file, and the text. OptionError if the file is there with another one."""
    out = StringIO()
    assert record.write_beside
    record.write_beside(corpus, out)
    return _path_beside(target, record.name, record.beside, out.getvalue()), out.getvalue()


def _path_beside(target: str, name: str, ending: str, text: str) -> str:
    """The path of a text that goes with a file. OptionError if the file is there with another one."""
    if target == "-":
        raise OptionError(f"{name} has two files; expected the name of one: found - for standard output")
    path = os.path.splitext(target.removesuffix(".gz"))[0] + ending
    if path == target:
        raise OptionError(f"found the name {target!r} for annotation and text; expected another ending, such as .ann")
    if os.path.exists(path):
        source = Source(path, as_it_is=True)  # it may have a byte order mark that the text has not
        if source.raw() != text.removeprefix("\ufeff").encode() or (text.startswith("\ufeff") and not source.has_mark):
            raise OptionError(f"{path} is there already, with another text; expected another name, or a folder")
    return path


def _write_files(files: Sequence[Rewritten], target: str, record: Format, *, in_folder: bool) -> None:
    """Write files that were written again, and the texts that go with them: one, or those of a folder by their names."""
    if in_folder:
        _check_new(target, record.name)
        with folder_written_whole(target) as partial:
            for file in files:
                path = os.path.join(partial, file.name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                _write_again(file, path, record)
    else:
        _write_again(files[0], target, record)


def _write_again(file: Rewritten, target: str, record: Format) -> None:
    besides = {_path_beside(target, record.name, ending, text): text for ending, text in file.beside.items()}
    with _whole(target) as out:
        out.write(file.text)
        for path, text in besides.items():
            if not os.path.exists(path):
                with output(path) as text_out:
                    text_out.write(text)


def _check_new(folder: str, name: str) -> None:
    """Raise an error if a folder is there and not empty."""
    if os.path.exists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        problem = "is not empty" if os.path.isdir(folder) else "is a file"
        raise OptionError(f"{folder} {problem}; expected a new folder, as {name} has a file for each document")


def _check_folder(corpus: Corpus, folder: str, name: str) -> None:
    """Raise an error if documents cannot be files of a folder, called like the documents."""
    if folder == "-":
        documents = counted(len(corpus.doc_ids), "document")
        raise OptionError(f"{name} has a file for each document; expected a folder for {documents}")
    _check_new(folder, name)
    names: dict[str, str] = {}
    for document in corpus.doc_ids:
        if not can_be_files(document):
            problem = f"document {shortened(document)!r} cannot be written as a file's name"
            raise FormatError(corpus.source, None, f"{problem}; {RENAME}")
        if (same := names.setdefault(document.casefold(), document)) != document:
            problem = f"documents {same!r} and {document!r} cannot be told apart by file names everywhere"
            raise FormatError(corpus.source, None, f"{problem}; {RENAME}")


def _write_folder(corpus: Corpus, folder: str, record: Format) -> None:
    """Write each document into a file of a folder; the folder appears when it is complete."""
    with folder_written_whole(folder) as partial:
        for number, document in enumerate(corpus.doc_ids):
            path = os.path.join(partial, *document.split("/")) + record.document_ending
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _write_file(corpus.select_documents(np.array([number])), path, record)


def can_be_files(document: str) -> bool:
    """Whether the name of a document can be that of a file everywhere, and of the folders that it is in."""
    return not FORBIDDEN.search(document) and not any(part == "" or part.startswith(".") for part in document.split("/"))


FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\\]|[^/]{200}")
"""What cannot be in the name of a file everywhere."""

RENAME = f"expected names that can be, another format, or {LOSSY}"


def written() -> list[str]:
    """The formats that can be written."""
    return list(WRITABLE)


def named_by_ending(path: str) -> str | None:
    """The format that the ending of a file names, whatever is asked for; None if it names none, or if several have it."""
    ending = ending_of(path)
    return None if ending in SHARED_ENDINGS else format_of_ending(ending)


def meant_by_ending(path: str) -> str:
    """The format that an ending means if none is named, although several formats have it; empty for other endings."""
    ending = ending_of(path)
    return (ending in SHARED_ENDINGS and format_of_ending(ending)) or ""


def format_of_ending(ending: str) -> str | None:
    """The format that has this name, or is written with this ending; None if there is none."""
    name = ENDINGS.get(ending, ending.removeprefix("."))
    return name if name in FORMATS else None


def format_of(path: str, corpus: Corpus) -> str:
    """The format of an ending. WebAnno's files end as tables of records do, which hold no mentions in texts."""
    name = format_of_ending(ending_of(path))
    if name is None:
        names = ", ".join(holding(corpus.features) or WRITABLE)
        raise OptionError(f"cannot tell a format from the name {path!r}; say which with --to: {names}")
    if name == "links" and corpus.format in ANSWERS:
        remedy = "--text KEY, with an ending such as .conll; or --to clusters, for the strings of entities"
        raise OptionError(f"{path}: .txt is the ending of many formats; expected {remedy}")
    if name == "tsv" and "spans" in corpus.features:
        remedy = "--to webanno (WebAnno and INCEpTION), or --to tsv --lossy (a table of records)"
        raise OptionError(f"{path}: .tsv is the ending of two formats; expected {remedy}")
    return name


@check_call()
def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: str | None = None,
    to: str | None = None,
    role: str | None = None,
    lossy: bool = False,
    text: str | os.PathLike[str] | None = None,
    quotes: str = "ordered",
    options: ReadOptions | None = None,
    skip_bad_files: bool = False,
    threshold: float | None = None,
) -> None:
    """Write an annotation in another format.

    Parameters
    ----------
    source, target : path
        `-` is standard input and output.
    format, to : str or None
        As `read` and `write` take them: of the source, None to detect it; of the target, None to take it from its ending.
    role : str or None
        "key" or "response": what to read of a file that holds both; None of one that holds one annotation.
    lossy : bool
        Leave out what the target cannot hold, with a warning, instead of refusing.
    text : path or None
        An annotation, or a plain text, on whose words the answer of a language model is put. What the text does not have is
        left out, with a warning.
    quotes : str
        For lists of strings, as in `Options`.
    options : ReadOptions or None
        What the columns of a table mean.
    skip_bad_files : bool
        As in `read`.
    threshold : float or None
        The source has pairs with probabilities: write the entities that pairs with at least this probability make. All records
        are written, also those of no such pair; a warning says that the pairs are left out, where the target has none.

    Raises
    ------
    FormatError
        If the source cannot be read, or the target cannot hold what it has.
    OptionError
        If a text is given, and the source is no answer; if there is a threshold, and the source has no pairs.
    """
    if not isinstance(source, (str, os.PathLike)):
        problem = f"found a value of the type {type(source).__name__}; expected the path of a file or folder"
        raise OptionError(f"{problem}: referee.write(corpus, path) writes what was read")
    if threshold is not None:
        if text is not None:
            raise OptionError("a threshold is for pairs of records, which have no text; expected one of the two")
        check_threshold(threshold, probable=False)
        records = read_records(
            source, format=format, role=role or "key", options=options, probable=True, skip_bad_files=skip_bad_files
        )
        _write_entities(check_pairs(records), target, to, threshold, lossy=lossy)
        return
    if text is None:
        opened = source if skip_bad_files or os.path.isdir(source) else Source(source, role=role or "key", options=options)
        is_plain = role is None and not (options and options.columns)
        if is_plain and (name := _same_form(opened, format, os.fspath(target), to)):
            record, place = load_format(name), os.fspath(target)
            with ignore_warnings():  # of what is left out
                corpus = read(opened, format=format, options=options, skip_bad_files=skip_bad_files)
                files = _files_as_they_are(opened, corpus, join=_joins(opened, place, record))
            in_folder = _is_new_folder(place, record) or (os.path.isdir(source) and not _joins(opened, place, record))
            _write_files(files, place, record, in_folder=in_folder)
            return
        corpus = read(opened, format=format, role=role or "key", options=options, skip_bad_files=skip_bad_files)
        if role is None and (other := corpus.origin and corpus.origin.other_side):
            assert corpus.origin is not None
            problem = f"{corpus.source}: found {corpus.origin.field} and {other}"
            raise OptionError(f"{problem}; expected --role key, for {corpus.origin.field}, or --role response")
        if role is None and corpus.origin and not corpus.origin.role and corpus.origin.unread:
            warn(f"{corpus.source}: read {corpus.origin.field}, and not {listed(corpus.origin.unread)}")
    elif skip_bad_files:
        raise OptionError(f"{OPTION} leaves no file of an answer out; expected no text with it")
    else:
        from referee.inputs.key_text import key_text  # of answers only

        corpus = _on_text(source, format, key_text(text), quotes)
    write(corpus, target, format=to, lossy=lossy)


def _same_form(source: str | os.PathLike[str] | Source, format: str | None, target: str, to: str | None) -> str:
    """The format of a source and of a target, if they have one, file for file, and it is written again; empty otherwise."""
    name = to or format_of_ending(ending_of(target))
    record = load_format(name) if name and name in FORMATS else None
    if name is None or record is None or not record.rewriting:
        return ""
    if named_by_ending(target) not in (None, name) and record.document_ending != ending_of(target):
        return ""  # which is refused
    if (format or detect(source)) != name:
        return ""
    from referee.inputs.rewriting import can_join  # few corpora are written so

    return name if not _joins(source, target, record) or can_join(name) else ""


def _joins(source: str | os.PathLike[str] | Source, target: str, record: Format) -> bool:
    """Whether the files of a folder become one file."""
    if isinstance(source, Source) or not os.path.isdir(source) or record.document_ending:
        return False
    return bool(ending_of(target)) and not target.endswith(("/", os.sep)) and not os.path.isdir(target)


def _is_new_folder(target: str, record: Format) -> bool:
    """Whether a target is a folder for the files of a format that has one for each document."""
    return bool(record.document_ending) and (target.endswith(("/", os.sep)) or os.path.isdir(target))


def _files_as_they_are(source: str | os.PathLike[str] | Source, corpus: Corpus, *, join: bool) -> list[Rewritten]:
    """The files that a corpus was read from, or one with all that they have; all words can be read, too."""
    from referee.inputs.rewriting import as_it_is, joined  # likewise

    if corpus.text is not None:
        corpus.text.words  # noqa: B018 -- errors in them
    if isinstance(source, Source) or not os.path.isdir(source):
        one = source if isinstance(source, Source) else Source(source)
        return [as_it_is(one, os.path.basename(one.path), corpus.format)]
    document_name = load_format(corpus.format).document_name
    unread = {file.name for file in corpus.skipped.files} if corpus.skipped else set()
    files = named_files(os.fspath(source), corpus.format).items()
    stems = {path: stem for path, stem in files if document_name(stem) not in unread}
    if join:
        return [joined(stems, corpus.format)]
    return [as_it_is(Source(path), os.path.relpath(path, source), corpus.format) for path in stems]


def _write_entities(pairs: PairTable, target: str | os.PathLike[str], to: str | None, threshold: float, *, lossy: bool) -> None:
    """Write the entities of pairs. They are what is wanted, so a format that has no links needs no `lossy`."""
    corpus = pairs.corpus(threshold)
    name = (to or format_of(os.fspath(target), corpus)).partition(":")[0]
    left_out = "the probabilities of {pairs}"
    if "links" not in load_format(name).writable:
        corpus, left_out = replace(corpus, links=None), "{pairs} and their probabilities"
    write(corpus, target, format=to, lossy=lossy)
    left_out = left_out.format(pairs=counted(len(pairs.probability), "pair"))
    wrote = f"{counted(len(corpus.entity_ids), 'entity')} of {counted(len(corpus.entity), 'record')}"
    warn(f"{corpus.source}: left out {left_out}; wrote {wrote}")


def _on_text(source: str | os.PathLike[str], format: str | None, text: Corpus, quotes: str) -> Corpus:
    """An answer on the words of a text, with a warning of what was repaired."""
    from referee.answers.answer import ground  # of answers only

    corpus = corpus_of(load_response(text, source, ReadOptions(format=format)))
    grounded = ground(corpus, text, Options(quotes=quotes))
    if grounded is None:
        raise OptionError(f"{corpus.source} is {corpus.format}; expected tagged or quotes, which alone need a text")
    grounded = grounded.on_key(text)
    for note in grounded.warnings(corpus.source, text.source):
        warn(note)
    return grounded.corpus
