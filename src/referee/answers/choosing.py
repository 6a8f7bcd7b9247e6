"""Which lists of an answer are of which document of a key."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from referee.answers.answer import repaired_in
from referee.answers.finding import lists_in, says_nothing
from referee.answers.lists import Quotes
from referee.answers.texts import (
    OTHER_NAME,
    AnswerBlock,
    below_headings,
    check_names,
    in_order,
    known_name,
    named_by_file,
    names_of,
)

DRAFTS = "earlier answers left out"
WITHOUT = "answers without entities"
UNREAD = "answers in which neither lists nor marks were found"
BY_NUMBER = "documents told by the numbers in their names"


def documents_of_lists(
    blocks: Sequence[AnswerBlock], names: Sequence[str], source: str, repairs: Counter[str], where: dict[str, list[str]]
) -> list[Quotes]:
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
    where : dict
        Gets the documents of what is left out.

    Raises
    ------
    MismatchError
        If documents without names cannot be told apart.
    """
    known = names_of(names)
    documents = [
        document for block in named_by_file(blocks, names, source) for document in _documents(block, known, repairs, where)
    ]
    if names:
        documents = _named(documents, names, source, repairs)
        check_names([document.name for document in documents], names, source)
    together: dict[str, Quotes] = {}
    for document in documents:
        earlier = together.get(document.name)
        if earlier is not None and not (document.whole or earlier.whole) and names:
            together[document.name] = document._replace(entities=earlier.entities + document.entities)
            continue
        repairs[DRAFTS] += earlier is not None and document.name != ""
        together[document.name if names or document.name else f"#{len(together)}"] = document
    return list(together.values())


def _documents(
    block: AnswerBlock, known: Mapping[str, str], repairs: Counter[str], where: dict[str, list[str]]
) -> list[Quotes]:
    """The documents of a text; one without entities where it has no lists."""
    documents: list[Quotes] = []
    texts = [(block.name, block.text)] if block.name else below_headings(block.text, known) or [("", block.text)]
    for name, text in texts:
        lists = lists_in(text)
        if lists is None and not name and len(texts) > 1:  # what is said before the first document
            continue
        with repaired_in(known_name(name, known), repairs, where):
            repairs.update(lists.repairs if lists else {WITHOUT if says_nothing(text) or not text.strip() else UNREAD: 1})
        for document in lists.documents if lists else [Quotes("", [])]:
            own, title = (known_name(item, known) for item in (document.name, name))
            better = own if own in known.values() or not title else title
            documents.append(document._replace(name=better, whole=document.whole or block.logged))
    return documents


def _within(name: str, names: Sequence[str]) -> str:
    """The one document whose name is part of another name, as in `coref-d1-run0`; empty if there is none, or several."""
    documents = [item for item in names if item in name and re.search(rf"(?<![^\W_]){re.escape(item)}(?![^\W_])", name)]
    return documents[0] if len(documents) == 1 else ""


def _named(documents: Sequence[Quotes], names: Sequence[str], source: str, repairs: Counter[str]) -> list[Quotes]:
    """Documents without a name of the key by their order, or by their numbers."""
    strange = {document.name for document in documents} - set(names)
    if not strange:
        return list(documents)
    if len(names) == 1:
        if strange != {""} and (len(strange) > 1 or len(documents) > 1):
            return [document for document in documents if document.name]
        repairs[OTHER_NAME] += strange != {""}
        return [document._replace(name=names[0]) for document in documents]
    if "" in strange:
        return [document._replace(name=name) for name, document in in_order(documents, names, source)]
    parts = {name: _within(name, names) for name in strange}
    if all(parts.values()) and len(set(parts.values())) == len(parts):
        repairs[OTHER_NAME] += len(parts)
        return [document._replace(name=parts.get(document.name) or document.name) for document in documents]
    numbers = {name: int(number[1]) for name in strange if (number := re.search(r"(\d{1,9})\D*$", name))}
    if len(numbers) == len(names) == len(strange) and len(documents) == len(names):
        base = min(numbers.values())
        if base in (0, 1) and sorted(numbers.values()) == list(range(base, base + len(names))):
            repairs[BY_NUMBER] += len(names)
            return [document._replace(name=names[numbers[document.name] - base]) for document in documents]
    return list(documents)
