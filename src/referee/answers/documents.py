"""Which document of a key each part of an answer is about: by names, by headings, by the name of its file, or by the order.

Lists and marked text go by the same rules. Of several answers about a document the last one counts, and so does a request that
was made again; parts below the same heading of one text are put together.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from referee.answers.answer import FAILED, UNREAD, WITHOUT
from referee.answers.lists import lists_in, says_nothing
from referee.answers.marked import Style
from referee.answers.texts import AnswerBlock, below_headings, known_name, names_of
from referee.answers.values import Quote, Quotes
from referee.basics.exceptions import MismatchError, counted, shortened

JOINED = "parts of documents joined"
OTHER_NAME = "documents of another name taken for that of the key"
PREFACE = "words outside of the documents left out"
NAMED = "expected answers named by documents, as `referee prompts` names them, or numbered from 0 in the order of the key"
DRAFTS = "earlier answers left out"


class AnswerPart(NamedTuple):
    """What an answer says of a document.

    Parameters
    ----------
    name : str
        The document; empty if the answer does not say.
    text : str
        Text with marks; empty for lists.
    entities : sequence of (str, sequence of Quote)
        The name of each entity, and its mentions.
    whole : bool
        Whether it is all that is said of the document; else others may be parts of the same.
    style : Style or None
        How its mentions are marked; None for lists.
    unread : sequence of str
        Its lines, or strings, that were not read.
    read : int
        How many were.
    raw : str
        All that the model said.
    failed : str
        Why there is no answer; empty if there is one.
    repairs : mapping
        What was repaired when it was read -> how often.
    """

    name: str
    text: str = ""
    entities: Sequence[tuple[str, Sequence[Quote]]] = ()
    whole: bool = False
    style: Style | None = None
    unread: Sequence[str] = ()
    read: int = 0
    raw: str = ""
    failed: str = ""
    repairs: Mapping[str, int] = MappingProxyType({})


def documents_of(blocks: Sequence[AnswerBlock], names: Sequence[str], source: str, repairs: Counter[str]) -> list[AnswerPart]:
    """The documents of the texts of an answer, each once, by the names of a key's documents.

    Parameters
    ----------
    blocks : sequence of AnswerBlock
        The texts.
    names : sequence of str
        The documents of the key; none if there is no key.
    source : str
        What messages call the answer.
    repairs : Counter
        Counts what is left out.

    Raises
    ------
    MismatchError
        If documents without names cannot be told apart.
    """
    known = names_of(names)
    parts: list[AnswerPart] = []
    for block in _named_by_file(blocks, names, source):
        parts += _parts(block, known, repairs)
    if names:
        parts = _named(parts, names, source, repairs)
        _check_names([part.name for part in parts], names, source)
    together: dict[str, AnswerPart] = {}
    for part in parts:
        name = part.name if names or part.name else f"#{len(together)}"
        earlier = together.get(name)
        if earlier is None or part.whole or earlier.whole or part.style != earlier.style or not names:
            repairs[DRAFTS] += earlier is not None and part.name != ""
            together[name] = part
        else:
            repairs[JOINED] += part.style is not None
            together[name] = _joined(earlier, part)
    return list(together.values())


def _joined(one: AnswerPart, two: AnswerPart) -> AnswerPart:
    text = f"{one.text}\n{two.text}" if one.style else ""
    entities, unread = [*one.entities, *two.entities], [*one.unread, *two.unread]
    raw = one.raw if one.raw == two.raw else f"{one.raw}\n{two.raw}"
    repairs = two.repairs if one.raw == two.raw else Counter(one.repairs) + Counter(two.repairs)
    return two._replace(text=text, entities=entities, unread=unread, read=one.read + two.read, raw=raw, repairs=repairs)


def _parts(block: AnswerBlock, known: Mapping[str, str], repairs: Counter[str]) -> list[AnswerPart]:
    """The documents of a text with marks or lists; one without entities where it has none."""
    if block.failed:
        return [AnswerPart(known_name(block.name, known), whole=True, failed=block.failed, repairs={FAILED: 1})]
    parts: list[AnswerPart] = []
    texts = [(block.name, block.text)] if block.name else below_headings(block.text, known) or [("", block.text)]
    for title, text in texts:
        name = known_name(title, known)
        raw, read_repairs = (block.raw, block.repairs) if len(texts) == 1 else (text.strip(), {})
        if block.style:
            parts.append(AnswerPart(name, text, whole=block.is_record, style=block.style, raw=raw, repairs=read_repairs))
            continue
        lists = lists_in(text)
        if lists is None and not name and len(texts) > 1:  # what is said before the first document
            continue
        made = Counter(lists.repairs if lists else {WITHOUT if says_nothing(text) or not text.strip() else UNREAD: 1})
        repairs.update(made)
        for n, document in enumerate(lists.documents if lists else [Quotes("", [])]):
            by_name = known_name(document.name, known)
            better = by_name if by_name in known.values() or not name else name
            unread, read = (lists.unread, lists.read) if lists and not n else ((), 0)
            whole = document.whole or block.is_record
            is_alone = not lists or len(lists.documents) == 1
            raw_text = raw if len(texts) > 1 or is_alone else ""
            all_repairs = Counter(read_repairs) + (made if is_alone else Counter())
            parts.append(
                AnswerPart(better, "", document.entities, whole, unread=unread, read=read, raw=raw_text, repairs=all_repairs)
            )
    return parts


def _named(parts: Sequence[AnswerPart], names: Sequence[str], source: str, repairs: Counter[str]) -> list[AnswerPart]:
    """Parts with the names of the key's documents: their own, or by their order, or by their numbers."""
    others = [part for part in parts if part.name or not part.style]
    if 0 < len(others) < len(parts) and any(part.name for part in others):
        repairs[PREFACE] += sum(len(part.text.split()) for part in parts if not part.name)
        parts = others
    strange = {part.name for part in parts} - set(names)
    if not strange:
        return list(parts)
    if len(strange) == len({part.name for part in parts}) and (numbered := _by_numbers(strange, names)):
        return [part._replace(name=numbered[part.name]) for part in parts]
    if len(names) == 1:
        if strange != {""} and (len(strange) > 1 or len({part.name for part in parts}) > 1):
            return [part for part in parts if part.name]
        repairs[OTHER_NAME] += strange != {""}
        return [part._replace(name=names[0]) for part in parts]
    if "" in strange:
        lines = [line for part in parts for line in part.text.splitlines() if line.strip()]
        if all(part.style for part in parts) and len(lines) == len(names) != len(parts):
            parts = [parts[0]._replace(text=line) for line in lines]
        return [part._replace(name=name) for name, part in zip(names, _in_order(parts, names, source), strict=True)]
    within = {name: _within(name, names) for name in strange}
    if all(within.values()) and len(set(within.values())) == len(within):
        repairs[OTHER_NAME] += len(within)
        return [part._replace(name=within.get(part.name) or part.name) for part in parts]
    return list(parts)


def _by_numbers(ids: Collection[str], names: Sequence[str]) -> dict[str, str]:
    """The documents that ids number in the order of the key: from 0, or all of them from 1; empty if they do not."""
    if not all(re.fullmatch("[0-9]{1,9}", one) for one in ids) or len({*map(int, ids)}) < len(ids):
        return {}
    numbers = {one: int(one) for one in ids}
    if 0 in numbers.values() and max(numbers.values()) < len(names):
        return {one: names[number] for one, number in numbers.items()}
    if sorted(numbers.values()) == list(range(1, len(names) + 1)):
        return {one: names[number - 1] for one, number in numbers.items()}
    return {}


def _within(name: str, names: Sequence[str]) -> str:
    """The one document whose name is part of another name, as in `coref-d1-run0`; empty if there is none, or several."""
    documents = [item for item in names if item in name and re.search(rf"(?<![^\W_]){re.escape(item)}(?![^\W_])", name)]
    return documents[0] if len(documents) == 1 else ""


def _in_order(parts: Sequence[AnswerPart], names: Sequence[str], source: str) -> Sequence[AnswerPart]:
    """The parts if they are as many as the documents: the first is of the first."""
    if len(parts) == len(names):
        return parts
    problem = "lacks the name of a document" if len(parts) == 1 else f"has {len(parts)} texts without names of documents"
    if source.startswith("<"):
        remedy = f"a mapping: referee.Answer({{{shortened(names[0])!r}: answer, ...}})"
    else:
        file = f"{shortened(names[0])}{os.path.splitext(source)[1] or '.txt'}"
        remedy = f"files named as documents ({file}), a heading before each (### NAME), or JSON objects with doc_id"
    raise MismatchError(f"{source}: it {problem}; {_documents_said(names)}; expected {remedy}")


def _documents_said(names: Sequence[str]) -> str:
    """The documents of a key, of which messages name three.

    >>> _documents_said(["a", "b"]), _documents_said(list("abcde"))
    ('the key has 2 documents: a, b', 'the key has 5 documents: a, b, c, ...')
    """
    first = ", ".join(map(shortened, names[:3]))
    return f"the key has {counted(len(names), 'document')}: {first}{', ...' * (len(names) > 3)}"


def _check_names(answered: Iterable[str], names: Sequence[str], source: str) -> None:
    """Raise MismatchError if answers have names, and none of them is that of a document of the key."""
    others = list(answered)
    if not others or not set(others).isdisjoint(names):
        return
    several = len(others) > 1
    verb = "are no documents" if several else "is no document"
    remedy = "name files by documents, one folder a system" if os.path.isdir(source) else NAMED
    listed_names = ", ".join(map(shortened, others[:3])) + ", ..." * (len(others) > 3)
    raise MismatchError(f"{source}: {listed_names} {verb} of the key; {_documents_said(names)}; {remedy}")


def _named_by_file(blocks: Sequence[AnswerBlock], names: Sequence[str], source: str) -> Sequence[AnswerBlock]:
    """The texts of a file that is called like a document of a key: of this document, unless a text says of which it is."""
    known = names_of(names)
    name = known_name(os.path.splitext(os.path.basename(source.removesuffix(".gz")))[0], known)
    if len(names) < 2 or name not in known.values():
        return blocks
    if any(block.name or any(document for document, _ in below_headings(block.text, known)) for block in blocks):
        return blocks
    return [block._replace(name=name) for block in blocks]


def files_of_documents(blocks: Sequence[AnswerBlock], names: Sequence[str]) -> Mapping[str, str]:
    """The document of a key, as far as files of a folder are called like some -> its file."""
    known = names_of(names)
    return {known_name(block.name, known): block.file for block in blocks if block.file}
