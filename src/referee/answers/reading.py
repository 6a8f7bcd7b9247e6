"""Answers read: the form of the texts told, and a corpus made of them that the words of a key make complete."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.answers.answer import AnswerCorpus
from referee.answers.content import AnswerContent, add_alone
from referee.answers.documents import DRAFTS, documents_of
from referee.answers.lists import lists_in, says_nothing
from referee.answers.marked import Style
from referee.answers.markup import NOTATIONS, marked
from referee.answers.notations import notation_of, style_of
from referee.answers.texts import AnswerBlock, blocks_of, values_blocks
from referee.answers.thoughts import FENCE, FENCE_SIGN, FENCES, PROSE, final_part
from referee.basics.exceptions import FormatError, counted, shortened
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.source import OnError, Source

SECTION = re.compile(r"^###[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
"""A heading that begins a document where no key says which documents there are."""


def read_answer(source: Source, *, form: str | None = None) -> AnswerCorpus | None:
    """Read the answer in a file.

    Parameters
    ----------
    source : Source
        The file.
    form : str or None
        "quotes", "tagged", or "tagged:" and a notation; None to tell it by the text.

    Returns
    -------
    AnswerCorpus or None
        None if there are neither lists of strings nor marks.
    """
    repairs: Counter[str] = Counter()
    text = source.text(source.raise_error)
    return answer_of(blocks_of(text, repairs), source.name, repairs, form=form, text=text)


def read_answers(paths: Mapping[str, str], folder: str, role: str, form: str | None = None) -> AnswerCorpus | None:
    """Read the files of a folder, by their paths; a text without a name is called like its file."""
    repairs: Counter[str] = Counter()
    blocks: list[AnswerBlock] = []
    for path, name in paths.items():
        file = Source(path, role=role)
        added = blocks_of(file.text(file.raise_error), repairs, name)
        blocks += (block._replace(logged=True, file=path) for block in added)
    return answer_of(blocks, folder, repairs, form=form)


def read_together(
    paths: Mapping[str, str], folder: str, role: str, options: ReadOptions | None = None, *, form: str = "quotes"
) -> Corpus:
    """Read the files of a folder, each in its own form; a text without a name is called like its file."""
    answer = read_answers(paths, folder, role) or read_answers(paths, folder, role, form)
    source = Source(folder, b"", role=role)
    return checked(answer, source, source.raise_error, form)


def checked(answer: AnswerCorpus | None, source: Source, on_error: OnError, form: str) -> Corpus:
    """An answer that was read in a form; an error if there is none of the form."""
    if answer is not None:
        return answer
    remedy = " or other entities in lines"
    if form == "quotes" and notation_of(source.head.decode(errors="replace")):
        remedy = ": it has marks in a text, which are --response-format tagged"
    lists = f"no lists of strings; expected one for each entity{remedy}"
    marks = f"no marks of mentions; expected one of the notations {', '.join(NOTATIONS)}"
    on_error(None, f"found {lists if form == 'quotes' else marks}")
    return CorpusBuilder(source.name).corpus()


def read_values(value: object, name: str, form: str | None = None) -> AnswerCorpus | None:
    """Read an answer in memory: a text, a value of JSON, or a mapping from the names of documents to these."""
    repairs: Counter[str] = Counter()
    blocks = blocks_in(value, repairs)
    return answer_of(blocks, name, repairs, form=form, text=value if isinstance(value, str) else "")


def blocks_in(value: object, repairs: Counter[str]) -> list[AnswerBlock]:
    """The texts of an answer in memory."""
    if isinstance(value, str):
        blocks = blocks_of(value, repairs)
    else:
        blocks = [block.thought_out() for block in values_blocks([value], repairs)]
    return [block._replace(logged=True) for block in blocks]


def answer_of(
    blocks: Sequence[AnswerBlock], source: str, repairs: Counter[str], *, form: str | None = None, text: str = ""
) -> AnswerCorpus | None:
    """Make a corpus of the texts of an answer; None if there are neither lists nor marks.

    Raises
    ------
    FormatError
        If all requests failed.
    """
    if blocks and all(block.failed for block in blocks):
        first = f"the first{f' ({shortened(blocks[0].name)})' * bool(blocks[0].name)}: {shortened(blocks[0].failed, 200)}"
        raise FormatError(source, None, f"has no answer to its {counted(len(blocks), 'request')}; {first}")
    forms = [form or _form_of(block) for block in blocks]
    if not any(forms):
        return None
    are_texts = [bool(block.text.strip()) for block in blocks]  # not so of requests that failed
    leading = next((name for name, is_text in zip(forms, are_texts, strict=True) if is_text), forms[0])
    forms = [name if is_text else leading for name, is_text in zip(forms, are_texts, strict=True)]
    kind, _, variant = (leading or "quotes").partition(":")
    in_text = [str(name).startswith("tagged") for name in forms]
    blocks = [_last_marked(block) if is_marked else block for block, is_marked in zip(blocks, in_text, strict=True)]
    texts = [block.text for block in blocks]
    for block in blocks:
        repairs.update(block.repairs)
    style = style_of("\n".join(text for text, is_marked in zip(texts, in_text, strict=True) if is_marked), variant)
    if style is None and any(in_text):
        return None
    blocks = [
        block._replace(style=_style(block.text, style, variant) if is_marked and style else None)
        for block, is_marked in zip(blocks, in_text, strict=True)
    ]
    content = AnswerContent(blocks, repairs, text)
    if not all(in_text):
        listed = [block for block in blocks if block.style is None]
        if form and not any(block.logged or says_nothing(block.text) or lists_in(block.text) for block in listed):
            return None
        return _with_items(AnswerContent(listed, Counter(), text), content, source)
    builder = CorpusBuilder(source)
    for block in _sections(blocks):
        assert style is not None  # as any text has marks
        add_alone(builder, "" if block.name in builder.doc_ids else block.name, block.text, style, Counter())
    return AnswerCorpus.from_content(replace(builder.corpus(), format=kind), content)


def _style(text: str, most: Style, variant: str) -> Style:
    """The style of the marks of a text: that of most texts, or its own if it has no such marks."""
    is_used = any(mark.entity is not None for mark in marked(text, most).marks)
    return most if is_used else style_of(text, variant) or most


def _form_of(block: AnswerBlock) -> str | None:
    """Lists with quotes go before marks in the text, unless these are more, and marks before other lists."""
    lists, style = lists_in(block.text, certain=True), style_of(block.text)
    marks = len(marked(block.text, style).marks) // 2 if style and lists else 0
    if lists and marks <= sum(len(quotes) for document in lists.documents for _, quotes in document.entities):
        return "quotes"
    is_listed = style is None and (block.logged or says_nothing(block.text) or lists_in(block.text))
    return "tagged" if style else "quotes" if is_listed else None


def _with_items(listed: AnswerContent, content: AnswerContent, source: str) -> AnswerCorpus:
    """The strings as items, as long as there is no key."""
    builder = CorpusBuilder(source)
    parts = documents_of(listed.blocks, (), source, Counter())
    unread = [line for part in parts for line in part.unread]
    content.unread_note(source, unread, len(unread) + sum(part.read for part in parts))
    for part in parts:
        builder.document("" if part.name in builder.doc_ids else part.name)
        often: Counter[str] = Counter()
        for number, (label, quotes) in enumerate(part.entities):
            for text in (text.strip() for q in quotes for text in (q.text.split(",") if q.form == "list" else [q.text])):
                often[text] += 1
                again = f"#{often[text]}" if often[text] > 1 else ""
                builder.item(text + again, label or str(number))
    return AnswerCorpus.from_content(replace(builder.corpus(), format="quotes"), content)


def _sections(blocks: Sequence[AnswerBlock]) -> list[AnswerBlock]:
    """The documents where no key says which there are: those below headings of three signs, or the blocks."""
    parts = []
    for block in blocks:
        headings = [] if block.name else list(SECTION.finditer(block.text))
        ends = [*(heading.start() for heading in headings[1:]), len(block.text)]
        sections = [block._replace(name=h[1], text=block.text[h.end() : end]) for h, end in zip(headings, ends, strict=False)]
        parts += sections or [block]
    return parts


def _last_marked(block: AnswerBlock) -> AnswerBlock:
    """Of texts in fences, or behind "Final answer:", the last one with marks; else the text without fences."""
    repairs = Counter(block.repairs)
    text = _last_text(block.text, repairs)
    return block._replace(text=text, repairs=+repairs)


def _last_text(text: str, repairs: Counter[str]) -> str:
    final = final_part(text)
    if final is not None and notation_of(final):
        repairs[PROSE] += 1
        text = final
    paragraphs = [part.strip() for part in text.strip().split("\n\n")]
    times = next((n for n in (4, 3, 2) if paragraphs[: len(paragraphs) // n] * n == paragraphs), 1)
    if times > 1:  # the same again
        repairs[DRAFTS] += times - 1
        text = "\n\n".join(paragraphs[: len(paragraphs) // times])
    fences = [match["text"] for match in FENCE.finditer(text)]
    with_marks = [fence for fence in fences if notation_of(fence)]
    repairs[FENCES] += len(FENCE_SIGN.findall(text))
    if not with_marks:
        return FENCE_SIGN.sub("", text)
    outside = FENCE.sub("", text)
    if len(with_marks) == 1 and notation_of(outside):  # several documents, of which one is in a fence
        return FENCE_SIGN.sub("", text)
    repairs[PROSE] += len(fences) - 1 + bool(outside.strip())
    return with_marks[-1]
