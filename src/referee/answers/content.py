"""What was read of an answer, lists and marked texts, and how it is put on the words of a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from referee.answers.answer import (
    FAILED,
    INVENTED,
    LEFT_OUT,
    SPURIOUS,
    UNREAD,
    WITHOUT,
    DocumentAnswer,
    Grounded,
    Unplaced,
    repaired_in,
)
from referee.answers.documents import documents_of, files_of_documents
from referee.answers.grounding import KeyText, placed_marks
from referee.answers.lists import says_nothing
from referee.answers.marked import Style
from referee.answers.marks import mentions_of
from referee.answers.markup import marked
from referee.answers.quoting import placed_strings
from referee.answers.sentences import sentence_starts
from referee.answers.texts import AnswerBlock
from referee.answers.units import ENTITY
from referee.basics.exceptions import FormatError, MismatchError, OptionError, counted, listed, shortened
from referee.basics.options.options import Options
from referee.corpus import Corpus, CorpusBuilder

ESCAPED = "escaped signs"
DECIDED = "decided by the order of the lists; numbers of sentences, or marks in the text, tell them apart"

LEAST = 0.2
"""The share of the words of an answer that must be words of the key; with fewer, it is another text."""
MOST_UNREAD = 0.2
"""The share of the lines of an answer that may be not read."""


@dataclass(frozen=True)
class AnswerContent:
    """Texts with lists of strings, or with marks.

    Parameters
    ----------
    blocks : sequence of AnswerBlock
        The texts.
    repairs : Counter
        What was repaired when they were read.
    text : str
        All that was read, for the numbers of its lines.
    """

    blocks: Sequence[AnswerBlock]
    repairs: Counter[str]
    text: str = ""

    def ground(self, key: Corpus, source: str, options: Options | None, wanted: Collection[str] | None = None) -> Grounded:
        """Put all on the words of a key; without options, the first of several samples, only to see whether it is about it.

        Documents of the key that are not `wanted` are left out.
        """
        repairs, totals, made = Counter(self.repairs), Counter[str](), dict[str, Counter[str]]()
        blocks = self._of_sample(source, None if options is None else options.sample)
        options = options or Options(quotes="first")
        parts = documents_of(blocks, key.doc_ids, source, repairs)
        builder, number = CorpusBuilder(source), {name: n for n, name in enumerate(key.doc_ids)}
        if wanted is not None:
            for part in parts:
                if part.name in number and part.name not in wanted:
                    repairs -= Counter(part.repairs) + made.pop(part.name, Counter())
            parts = [part for part in parts if part.name not in number or part.name in wanted]
        repairs[FAILED] += sum(bool(part.failed) for part in parts)
        unplaced: list[Unplaced] = []
        unread = [line for part in parts for line in part.unread]
        lines = len(unread) + sum(part.read for part in parts)
        for part in sorted(parts, key=lambda part: (number.get(part.name, len(number)), part.name)):
            brackets = part.style.brackets if part.style else None
            text = KeyText(key, number[part.name], brackets=brackets) if part.name in number else None
            with repaired_in(part.name, repairs, made):
                if part.style and text is None:
                    add_alone(builder, part.name, part.text, part.style, repairs)
                    continue
                if part.style and text is not None:
                    repairs[ESCAPED] += sum(1 for _ in ENTITY.finditer(part.text)) if "&" in part.text else 0
                    score_added = options.added_mentions == "score"
                    what = INVENTED if score_added else LEFT_OUT[INVENTED]
                    marks, losses, sums = marked(part.text, part.style), Counter[str](), Counter[str]()
                    placed = placed_marks(text, marks, part.style, losses, sums, score_added=score_added)
                    if not marks.marks and 2 * (sums["missing"] + sums["added"]) > sums["words"]:  # no text of the key
                        losses, sums = (
                            Counter({UNREAD if part.text.strip() and not says_nothing(part.text) else WITHOUT: 1}),
                            Counter[str](),
                        )
                        placed = placed_strings(text, (), options.quotes, losses, sums, [])
                    repairs.update(losses)
                    totals.update(sums)
                else:
                    what = SPURIOUS
                    placed = placed_strings(text, part.entities, options.quotes, repairs, totals, unread)
            unplaced += (Unplaced(what, part.name, entity, string) for entity, string in placed.unplaced)
            if text is None:
                builder.document(part.name, placed.added)
            else:
                text.begin(builder, part.name, placed.added)
            for mention in placed.mentions:
                builder.mention(*mention)
        _check(totals, source, key.source)
        note = self.unread_note(source, unread, lines)
        words, doubt = [], ""
        if totals["strings"] or not totals["words"]:
            words.append(f"quotes-{options.quotes}")
        if totals["doubtful"]:
            strings = counted(totals["strings"], "string")
            words[0] += f"-but-{totals['doubtful'] / totals['strings']:.2%}-ambiguous"
            doubt = f"{source}: {totals['doubtful']} of its {strings} could stand in several places, {DECIDED}"
        unaligned = (totals["missing"] + totals["added"]) / max(totals["words"], 1)
        if totals["words"]:
            words.append(f"aligned-but-{unaligned:.2%}" if unaligned else "same")
        files = files_of_documents(blocks, key.doc_ids)
        compared = "-and-".join(words)
        answers = {
            part.name: DocumentAnswer(part.raw, part.failed, made.get(part.name, Counter()) + Counter(part.repairs))
            for part in parts
        }
        return Grounded(
            builder.corpus(), unaligned, +repairs, compared, totals["spurious"], doubt, unplaced, answers, files, note
        )

    def _of_sample(self, source: str, sample: float | None) -> Sequence[AnswerBlock]:
        """The texts of one of several samples of each document.

        Raises
        ------
        MismatchError
            If there are several, and none is named.
        """
        epochs = sorted({block.epoch for block in self.blocks if block.epoch is not None})
        of_name: dict[str, set[int | None]] = {}
        for block in self.blocks:
            of_name.setdefault(block.name, set()).add(block.epoch)
        name = next((name for name, several in of_name.items() if len(several) > 1), None)
        if name is None:
            return self.blocks
        if sample is None:
            sample = epochs[0]
        if not sample:
            problem = f"{counted(len(of_name[name]), 'sample')} of {shortened(name)}"
            raise MismatchError(f"{source}: found {problem}; expected one: --sample {epochs[0]}, or a file for each")
        if sample not in epochs:
            raise OptionError(f"{source} has no sample {sample:g}; expected one of {listed(list(map(str, epochs)))}")
        return [block for block in self.blocks if block.epoch == sample]

    def unread_note(self, source: str, unread: Sequence[str], number: int) -> str:
        """How many of the lines or strings were not read, as a warning; empty if all were.

        Raises
        ------
        FormatError
            If they are more than a fifth.
        """
        if not unread:
            return ""
        lines = self.text.split("\n")
        place = next((n for n, line in enumerate(lines, 1) if unread[0] in line), None)
        first = f"the first{f' in line {place}' * (place is not None)}: {shortened(unread[0])}"
        problem = f"{len(unread)} of {number} lines or strings of the answer are not read, {first}"
        if len(unread) > MOST_UNREAD * number:
            raise FormatError(source, None, f"{problem}; expected {PROMPT}")
        return f"{source}: {problem}"


PROMPT = 'lists such as [[["Anna", 1], ["her", 1]]] or marks, as the prompts of `referee prompts KEY` ask for'


def _check(totals: Counter[str], source: str, key: str) -> None:
    """Raise MismatchError if an answer is about another text."""
    if totals["invented"] > totals["marks"] - totals["invented"]:
        raise MismatchError(
            f"{source} is another text than {key}, or has marks of another kind: {totals['invented']} of its "
            f"{totals['marks']} mentions stand on words that are not there"
        )
    if totals["units"] and totals["foreign"] > (1 - LEAST) * totals["units"]:
        share = 1 - totals["foreign"] / totals["units"]
        raise MismatchError(f"{source} is another text than {key}: {share:.2%} of its words are words of the key")
    if totals["strings"] and totals["spurious"] >= totals["strings"]:
        raise MismatchError(f"{source}: none of its {counted(totals['strings'], 'string')} is in the text of {key}")


def add_alone(builder: CorpusBuilder, name: str, text: str, style: Style, repairs: Counter[str]) -> None:
    """Add a document without a key: its units are its tokens."""
    marked_text = marked(text, style)
    mentions = [mention for mention in mentions_of(marked_text, style, repairs) if mention.start < mention.end]
    starts = sentence_starts(marked_text.units, marked_text.lines, [(mention.start, mention.end) for mention in mentions])
    builder.document(name, marked_text.units, starts)
    for mention in mentions:
        builder.mention(mention.start, mention.end, mention.entity)
