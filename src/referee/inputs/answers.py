"""`Answer`: what a language model answered, as a value of Python; and responses that are answers though nobody said so."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from referee.basics.exceptions import (
    FormatError,
    MismatchError,
    MissingFileError,
    NoFormatError,
    OptionError,
    RefereeError,
    check_name,
    counted,
    shortened,
    warn,
)
from referee.basics.options.choices import ANSWERS
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.inputs.kinds import Input
from referee.inputs.paths import Stored

if TYPE_CHECKING:
    from referee.answers.texts import AnswerBlock
    from referee.inputs.labels import LabelTable
    from referee.tabular.pairs import PairTable

FORMS = "lists of strings by entity, or the text with marks: see docs/answers.md"
MARK = re.compile(r"\[[^\[\]\n]+\]\(#\w{1,20}\)")
JSON = re.compile(r'\s*(?:\[\s*[\[{]\s*"|\{\s*")')
TOKENS = re.compile(r'"sentences"\s*:\s*\[\s*\[|(?s:"(?:tokens|cased_words)"\s*:\s*\[.*"\w*clusters\w*"\s*:)')
STRINGS = re.compile(r'"(?!sentences|tokens|cased_words)\w+"\s*:\s*\[\s*[\[{]\s*"')
IN_NONE = "is in none of the formats that `referee formats` lists"


@dataclass(frozen=True)
class Answer:
    """What a language model answered when it was options who is who in a text.

    Parameters
    ----------
    content : str, list, mapping or path
        The answer: a text, a value of JSON, the log of an interface, or a mapping from the names of documents to these; a list
        of answers, one for each document of the key, in its order; or a `pathlib.Path`, of a file or a folder.
    name : str
        What messages call it.

    Examples
    --------
    >>> import referee
    >>> key = {"sentences": [["Tom", "saw", "his", "dog"]], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]}
    >>> referee.score(key, referee.Answer("[Tom](#1) saw [[his](#1) dog](#2)"))["lea"].f1
    1.0

    A text with marks, or JSON, is taken for an answer by itself:

    >>> referee.score(key, "[Tom](#1) saw [[his](#1) dog](#2)")["lea"].f1
    1.0
    """

    content: str | list[object] | tuple[object, ...] | Mapping[str, object] | os.PathLike[str]
    name: str = "<answer>"

    def __post_init__(self) -> None:
        if not isinstance(self.content, str | list | tuple | Mapping | os.PathLike):
            problem = f"found an answer of the type {type(self.content).__name__}"
            raise OptionError(f"{problem}; expected a text, a value of JSON, or a pathlib.Path")
        if isinstance(self.content, str) and "\n" not in self.content and os.path.isfile(self.content):
            file = shortened(self.content)
            raise OptionError(
                f"found the file {file}; expected a text: Answer(Path({file!r})), or score(key, {file!r}), reads it"
            )

    def corpus(self, form: str | None = None) -> Corpus:
        """Read it.

        Parameters
        ----------
        form : str or None
            "quotes" or "tagged"; None to tell it by the answer.

        Raises
        ------
        FormatError
            If it has neither lists nor marks.
        UnknownNameError
            If there is no such form.
        """
        if form is not None:
            check_name("form of an answer", form.partition(":")[0], ANSWERS)
        from referee.answers.reading import answer_of, read_values  # files are seldom answers

        if isinstance(self.content, os.PathLike):
            corpus = _read_answer(self.content, form)
        elif _has_answers(self.content):
            repairs: Counter[str] = Counter()
            corpus = answer_of(_blocks(self.content, repairs), self.name, repairs, form=form)
        else:
            corpus = read_values(self.content, self.name, form)
        if corpus is None:
            name = self.name if not isinstance(self.content, os.PathLike) else os.fspath(self.content)
            raise FormatError(name, None, f"found no answer with entities; expected {FORMS}")
        return corpus


def _parts(content: object) -> list[tuple[str, object]]:
    """What is in a list or a mapping, with its names."""
    if isinstance(content, Mapping):
        return [(str(name), part) for name, part in content.items()]
    return [("", part) for part in content] if isinstance(content, list | tuple) else []


def _has_answers(content: object) -> bool:
    """Whether it is a list of answers, or a mapping to answers."""
    parts = _parts(content)
    return bool(parts) and all(isinstance(part, Answer) for _, part in parts)


def _blocks(content: object, repairs: Counter[str]) -> list[AnswerBlock]:
    """The texts of an answer in memory; those of several answers are named as a mapping says, or not at all."""
    from referee.answers.reading import blocks_in

    if isinstance(content, Answer):
        return _blocks(content.content, repairs)
    if not _has_answers(content):
        return blocks_in(content, repairs)
    return [block._replace(name=block.name or name) for name, part in _parts(content) for block in _blocks(part, repairs)]


def as_answer(value: object) -> Answer | None:
    """A value of Python that is an answer, though it is not called so; None if it is none.

    It is a list of answers, or a mapping to answers, or to texts with marks such as [Anna](#1), and None for those that failed;
    or a text that is no file, and has marks, or is JSON.
    """
    if isinstance(value, Answer):
        return value
    if isinstance(value, str):
        is_text = MARK.search(value) is not None or JSON.match(value) is not None
        return Answer(value) if is_text and not os.path.exists(value) else None
    parts = _parts(value)
    texts = ["" if part is None else part for _, part in parts if part is None or isinstance(part, str)]
    if texts and len(texts) == len(parts) and any(map(MARK.search, texts)):
        if isinstance(value, Mapping):
            return Answer({name: Answer(text) for (name, _), text in zip(parts, texts, strict=True)})
        return Answer([Answer(text) for text in texts])
    return Answer(value) if _has_answers(value) else None  # type: ignore[arg-type]  # it is a list or a mapping


def is_answer_text(value: object, named: str | None) -> bool:
    """Whether a value is the answer itself, as its format says, and no path."""
    if not isinstance(named, str) or named.partition(":")[0] not in ANSWERS:
        return False
    if isinstance(value, str):
        return ("\n" in value or value.lstrip()[:1] in ("[", "{", "<", '"', "`") or " " in value) and not os.path.exists(value)
    return isinstance(value, list | Mapping)


def same_kind(key: Input, response: Input) -> bool:
    """Whether a response is annotation as a key has it; strings for a key of spans in a text may be an answer."""
    return (isinstance(response, Corpus) and (response.items is None or response.format in ANSWERS)) or not _has_text(key)


def answer_instead(key: Input, value: object, other: Input | RefereeError) -> Input | None:
    """Read a response as the answer of a language model.

    Parameters
    ----------
    key : Input
        What was loaded as the key.
    value : object
        What was given as the response.
    other : Input or RefereeError
        What it is otherwise: records, or why it is no annotation in any format.

    Returns
    -------
    Input or None
        None if it is no answer.

    Raises
    ------
    MismatchError
        If it is an answer and nothing else, and the key has no words.
    """
    if isinstance(other, MissingFileError) or (isinstance(other, FormatError) and _is_broken(value, other)):
        return None
    if not _has_text(key):
        if isinstance(other, NoFormatError) and not isinstance(key, Stored):
            _refuse_key(key, value)
        return None
    if isinstance(other, Corpus) and other.format == "corenlp":  # its chains alone: they have places, and no guess is needed
        problem = "has no sentences, so its mentions have no place in a text"
        raise FormatError(other.source, None, f"{problem}; expected CoreNLP's whole output, with `sentences` and `corefs`")
    answer = _read_answer(value)
    if answer is None:
        if isinstance(other, NoFormatError):
            forms = "referee formats quotes, and referee formats tagged, show how"
            raise FormatError(other.source, None, f"{other.problem}; if it is the answer of a language model: {forms}")
        return None
    from referee.answers.answer import ground, is_of

    try:
        grounded = ground(answer, key, None)
    except MismatchError as error:
        grounded, problem = None, error.args[0].removeprefix(answer.source).removeprefix(":").strip()
    if grounded is None or not is_of(grounded):
        if isinstance(other, FormatError) and (other.line is None or _is_json(value)):
            if grounded is not None:
                verb = "is" if grounded.strange == 1 else "are"
                problem = f"{counted(grounded.strange, 'string')} {verb} not in the text of {key.source}"
            elsewise = f"it {IN_NONE}" if isinstance(other, NoFormatError) else str(other)
            raise MismatchError(f"{other.source}: as the answer of a language model, {problem}; otherwise {elsewise}")
        return None
    if not isinstance(other, RefereeError):
        what = f"{answer.source}: its strings are looked up in the text of {key.source}"
        warn(f"{what}, as with --response-format {answer.format}")
    return answer


def _is_broken(value: object, error: FormatError) -> bool:
    """Whether a file, or one of a folder, is of the format that it looks like, and something there has errors."""
    if isinstance(error, NoFormatError) or not isinstance(value, str | os.PathLike):
        return False
    if not os.path.isdir(value):
        return os.path.isfile(value) and _has_format(value)
    from referee.inputs.folders import list_files

    try:
        return any(map(_has_format, list_files(os.fspath(value), None).paths))
    except RefereeError:
        return False


def _has_format(path: str | os.PathLike[str]) -> bool:
    """Whether a file is of the format that it looks like, whatever errors it has: it has words, and no lists of strings."""
    from referee.inputs.detecting import format_of
    from referee.inputs.reading import has_mentions
    from referee.inputs.registry import load_format

    source = Source(path, role="response")
    try:
        name = format_of(source)
    except RefereeError:
        return False
    if name in ANSWERS or "words" not in load_format(name).holds:
        return False
    head = source.head.decode("utf-8", "replace")
    return (
        has_mentions(source, name)
        or "#begin document" in head
        or (TOKENS.search(head) is not None and STRINGS.search(head) is None)
    )


def _refuse_key(key: Corpus | LabelTable | PairTable, value: object) -> None:
    """Raise MismatchError if a response, which is in no format, is an answer with mentions: the key has no words for them."""
    answer = _read_answer(value)
    if answer is None or not len(answer.document) or (answer.format == "quotes" and not _is_json(value)):
        return  # lines may be anything
    from referee.answers.answer import no_words

    name, spans = (key.source, key if key.items is None else None) if isinstance(key, Corpus) else (key.name, None)
    raise MismatchError(f"{no_words(name, answer, spans)}; otherwise {answer.source} {IN_NONE}")


def _is_json(value: object) -> bool:
    """Whether a file is JSON, as answers often are; by its structure another file is of a format that answers do not have."""
    from referee.inputs.detecting import kind_of

    return kind_of(_head(value)) == "json"


def _head(value: object) -> str:
    """The beginning of a file; empty if it is none."""
    if not isinstance(value, str | os.PathLike) or not os.path.isfile(value):
        return ""
    return Source(value, role="response").head.decode("utf-8", "replace")


def _has_text(key: Input) -> TypeGuard[Corpus]:
    return isinstance(key, Corpus) and key.items is None and key.has_words


def _read_answer(value: object, form: str | None = None) -> Corpus | None:
    from referee.answers.reading import read_answer, read_answers, read_values  # files are seldom answers
    from referee.inputs.reading import named_files

    if isinstance(value, Source):
        return read_answer(value, form=form)
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if not os.path.isdir(path):
            source = Source(path, role="response")
            return None if source.binary else read_answer(source, form=form)
        return read_answers(named_files(path, ANSWERS[0]), path, "response", form)
    try:
        return read_values(value, "<response>") if isinstance(value, list | Mapping) else None
    except OptionError:  # not of JSON, as a list of corpora is not
        return None
