"""Answers read: the form of the texts told, and a corpus made of them that the words of a key make complete."""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.answers.answer import AnswerCorpus, Groundable, Grounded
from referee.answers.finding import FENCE, FENCE_SIGN, FENCES, PROSE, lists_in, says_nothing
from referee.answers.grounding import AnnotatedText, add_alone
from referee.answers.logs import FAILED
from referee.answers.markup import marked
from referee.answers.notations import notation_of, style_of
from referee.answers.quoting import QuotedText
from referee.answers.texts import AnswerBlock, blocks_of, sections, values_blocks
from referee.answers.thoughts import final_part, without_thoughts
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.editing import concatenate
from referee.formats.shared.source import Source


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
    return answer_of(blocks_of(source.text(source.raise_error), repairs), source.name, repairs, form=form)


def read_answers(paths: Mapping[str, str], folder: str, role: str, form: str | None = None) -> AnswerCorpus | None:
    """Read the files of a folder, by their paths; a text without a name is called like its file."""
    repairs: Counter[str] = Counter()
    blocks: list[AnswerBlock] = []
    for path, name in paths.items():
        file = Source(path, role=role)
        added = blocks_of(file.text(file.raise_error), repairs, name)
        blocks += (block._replace(logged=True, file=path) for block in added)
    return answer_of(blocks, folder, repairs, form=form)


def read_values(value: object, name: str, form: str | None = None) -> AnswerCorpus | None:
    """Read an answer in memory: a text, a value of JSON, or a mapping from the names of documents to these."""
    repairs: Counter[str] = Counter()
    if isinstance(value, str):
        blocks = blocks_of(value, repairs)
    else:
        added = values_blocks([value], repairs)
        blocks = [block._replace(text=without_thoughts(block.text, repairs)) for block in added]
    return answer_of([block._replace(logged=True) for block in blocks], name, repairs, form=form)


def answer_of(
    blocks: Sequence[AnswerBlock], source: str, repairs: Counter[str], *, form: str | None = None
) -> AnswerCorpus | None:
    """Make a corpus of the texts of an answer; None if there are neither lists nor marks."""
    if form is None and repairs[FAILED] == len(blocks):
        return None
    if form is None and len(blocks) > 1 and all(block.name for block in blocks):
        in_text = [block for block in blocks if _form_of([block]) == "tagged"]
        others = [block for block in blocks if block not in in_text]
        if in_text and others:
            return _mixed(
                answer_of(others, source, repairs, form="quotes"), answer_of(in_text, source, Counter(), form="tagged")
            )
    kind, _, variant = (form or _form_of(blocks) or "").partition(":")
    if not kind:
        return None
    if kind == "quotes":
        return _quoted(QuotedText(blocks, repairs), source, named=form is not None)
    blocks = [block._replace(text=_last_marked(block.text, repairs)) for block in blocks]
    style = style_of("\n".join(block.text for block in blocks), variant)
    if style is None:
        return None
    builder = CorpusBuilder(source)
    for block in sections(blocks):
        add_alone(builder, "" if block.name in builder.doc_ids else block.name, block.text, style, Counter())
    return AnswerCorpus.from_content(replace(builder.corpus(), format=kind), AnnotatedText(blocks, style, repairs))


def _mixed(quoted: AnswerCorpus | None, tagged: AnswerCorpus | None) -> AnswerCorpus | None:
    """Lists for some documents, and marks for others."""
    contents = [item.content for item in (quoted, tagged) if item is not None and item.content is not None]
    return None if quoted is None else AnswerCorpus.from_content(quoted, MixedAnswer(contents))


@dataclass(frozen=True)
class MixedAnswer:
    """An answer whose documents are written in several ways.

    Parameters
    ----------
    contents : sequence of Groundable
        What was read of each way.
    """

    contents: Sequence[Groundable]

    def ground(self, key: Corpus, source: str, quotes: str) -> Grounded:
        """Put each on the words of a key."""
        parts = [content.ground(key, source, quotes) for content in self.contents]
        return Grounded(
            concatenate([part.corpus for part in parts]),
            sum(part.unaligned for part in parts),
            sum((part.repairs for part in parts), Counter[str]()),
            "-and-".join(part.words for part in parts),
            sum(part.strange for part in parts),
            "".join(part.doubt for part in parts),
            [mention for part in parts for mention in part.unplaced],
            {what: [name for part in parts for name in part.where.get(what, ())] for item in parts for what in item.where},
            ChainMap(*(dict(part.files) for part in parts)),
        )


def _form_of(blocks: Sequence[AnswerBlock]) -> str | None:
    """Lists with quotes go before marks in the text, and these before other lists."""
    texts = [block.text for block in blocks]
    with_marks = [text for text in texts if notation_of(text) is not None]
    listed = [text for text in texts if lists_in(text, certain=True) is not None]
    if listed and not any(map(_has_more_marks, with_marks)):
        return "quotes"
    if with_marks:
        return "tagged"
    is_answer = any(block.logged for block in blocks) or any(says_nothing(text) for text in texts)
    return "quotes" if is_answer or any(lists_in(text) for text in texts) else None


def _has_more_marks(text: str) -> bool:
    """Whether a text has more mentions in marks than strings in lists."""
    style, lists = style_of(text), lists_in(text, certain=True)
    marks = 0 if style is None else len(marked(text, style).marks) // 2
    return marks > sum(len(quotes) for document in lists.documents for _, quotes in document.entities) if lists else True


def _quoted(content: QuotedText, source: str, *, named: bool) -> AnswerCorpus | None:
    """The strings as items, as long as there is no key."""
    documents, _ = content.documents()
    if named and not any(block.logged or says_nothing(block.text) or lists_in(block.text) for block in content.blocks):
        return None
    builder = CorpusBuilder(source)
    for document in documents:
        builder.document("" if document.name in builder.doc_ids else document.name)
        often: Counter[str] = Counter()
        for number, (label, quotes) in enumerate(document.entities):
            for quote in quotes:
                often[quote.text] += 1
                again = f"#{often[quote.text]}" if often[quote.text] > 1 else ""
                builder.item(quote.text + again, label or str(number))
    return AnswerCorpus.from_content(replace(builder.corpus(), format="quotes"), content)


def _last_marked(text: str, repairs: Counter[str]) -> str:
    """Of texts in fences, or behind "Final answer:", the last one with marks; else the text without fences."""
    final = final_part(text)
    if final is not None and notation_of(final):
        repairs[PROSE] += 1
        text = final
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
