"""Trees as CoNLL-U: the place of each word in the text goes to `TokenRange`, as UDPipe has it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.parsing.words import ParsedText, PlacedWords


def conllu(parsed: ParsedText) -> str:
    r"""Write words, tags and trees as CoNLL-U.

    MISC has `SpaceAfter=No` where no white space follows, and `TokenRange=first:after`, characters in the text of the document.
    A token of several words, such as French *du*, has a row of its own.

    Examples
    --------
    >>> import referee
    >>> print(referee.parsing.conllu(referee.parse("Ann left.\n")).rstrip())
    # generator = referee parse | parser:english ...
    # newdoc id = text
    # newpar
    # sent_id = text-1
    # text = Ann left.
    1	Ann	Ann	PROPN	NNP	Number=Sing	2	nsubj	_	TokenRange=0:3
    2	left	leave	VERB	VBD	...	0	root	_	SpaceAfter=No|TokenRange=4:8
    3	.	.	PUNCT	.	_	2	punct	_	TokenRange=8:9
    """
    return "".join(f"{line}\n" for line in _lines(parsed))


def _lines(parsed: ParsedText) -> Iterator[str]:
    words = parsed.words
    starts, ends, heads = words.start.tolist(), words.end.tolist(), parsed.head.tolist()
    documents, paragraphs = words.document.tolist(), words.paragraph.tolist()
    named = -1
    if parsed.model:
        yield f"# generator = referee parse | {parsed.model}"
    for number, (first, after) in enumerate(pairwise(words.first.tolist())):
        document = documents[number]
        for empty in range(named + 1, document + 1):
            yield f"# newdoc id = {words.doc_ids[empty]}"
        if document != named:
            named, within = document, 0
        within += 1
        if paragraphs[number]:
            yield "# newpar"
        yield f"# sent_id = {words.doc_ids[document]}-{within}"
        if words.speaker[number]:
            yield f"# speaker = {words.speaker[number]}"
        tokens = _tokens(words, words.texts[document], starts, ends, range(first, after))
        yield f"# text = {''.join(form + ' ' * spaced for _, _, form, spaced in tokens).rstrip()}"
        for a, b, form, spaced in tokens:
            place = f"TokenRange={starts[a]}:{ends[a]}"
            misc = place if spaced else f"SpaceAfter=No|{place}"
            if b > a + 1:
                yield f"{a - first + 1}-{b - first}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}"
            for n in range(a, b):
                row = (words.form[n], parsed.lemma[n], parsed.upos[n], parsed.xpos[n], parsed.feats[n])
                last = "_" if b > a + 1 else misc
                yield f"{n - first + 1}\t" + "\t".join(row) + f"\t{heads[n]}\t{parsed.deprel[n]}\t_\t{last}"
        yield ""
    for empty in range(named + 1, len(words.doc_ids)):
        yield f"# newdoc id = {words.doc_ids[empty]}"


def _tokens(
    words: PlacedWords, text: str, starts: list[int], ends: list[int], sentence: range
) -> list[tuple[int, int, str, bool]]:
    """The tokens of a sentence: first word, word behind the last one, form, whether white space or the end follows."""
    edges = [n for n in sentence if n == sentence.start or starts[n] != starts[n - 1] or ends[n] != ends[n - 1]]
    rows = []
    for a, b in pairwise([*edges, sentence.stop]):
        form = words.form[a] if b == a + 1 else text[starts[a] : ends[a]]
        gap = text[ends[b - 1] : starts[b]] if b < len(starts) and starts[b] >= ends[b - 1] else " "
        rows.append((a, b, form, any(map(str.isspace, gap))))
    return rows
