r"""Output of Stanza, as JSON or CoNLL-U: words with the coreference chains to which they belong.

::

    [[{"id": 1, "text": "Ann", "coref_chains": [{"index": 0, "representative_text": "Ann", "is_start": true, "is_end": true,
       "is_representative": true}]}, {"id": 2, "text": "waved", "coref_chains": []}]]

    1	Ann	_	_	_	_	_	_	_	coref_chains=unit-repr-id0
    2	waved	_	_	_	_	_	_	_	_

The JSON is that of ``print(doc)``: a list of sentences, which are lists of words. It is one document without a name; with one
on each line there are several. CoNLL-U is that of `CoNLL.write_doc2conll`: ``# newdoc id = …`` and ``# doc_id = …`` begin
documents.

A chain is on every word of its mentions, with `is_start` on the first and `is_end` on the last (``unit``, ``start``,
``middle``, ``end``); older versions have it in a second ``ner=``. Mentions of one chain that nest or cross are told apart by
the order in which a word lists them, which is that of their beginnings. Chains are called by their index. JSON in which no
word has `coref_chains`, not even empty ones, comes from a pipeline without the processor `coref`, and is an error.

Tokens are words: of a multi-word token (``"id": [1, 2]``, ``1-2``) its words. A zero is an empty node with an id of two
numbers, ``"id": [2, 1]`` or ``2.1``: the word before it and a number that tells it from others; Stanza makes these for
languages with dropped pronouns. Dependencies are not read.

References
----------
`stanza/models/common/doc.py` and `stanza/models/coref/coref_chain.py`, since Stanza 1.7.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from referee.basics.exceptions import counted, shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.layers import BEFORE
from referee.formats.shared.documents import begin
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import Report, integers, shown, values
from referee.formats.shared.source import OnError, Source

CHAIN = re.compile(r"(unit|start|middle|end)-(?:repr-)?id(\d+)")
CHAINS = re.compile(r"coref_chains=(.*)|ner=((?:unit|start|middle|end)-(?:repr-)?id\d.*)")
NAME = re.compile(r"#\s*(?:doc_id|newdoc id)\s*=\s*(.*)")


class InChain(NamedTuple):
    """That a word is part of a mention of a chain."""

    chain: str
    start: bool
    end: bool


Token: TypeAlias = tuple[int, int, str, list[InChain]]
"""The number of a word in its sentence, from 1; 0, or behind it the number of an empty node after the word; text; marks."""


def sniff(head: str) -> bool:
    """A list of lists of objects, of which the first has an id; or chains in the last column of CoNLL-U."""
    if re.match(r"\s*\[\s*\[\s*\{", head):
        return bool(re.match(r'\s*\[\s*\[\s*\{\s*"id"\s*:', head))
    return bool(
        re.search(
            r"^\d[\d.]*\t(?:[^\t\n]*\t){8}(?:[^\t\n]*\|)?(?:coref_chains|ner)=(?:unit|start)-(?:repr-)?id\d", head, re.MULTILINE
        )
    )


def read(source: Source, on_error: OnError) -> Corpus:
    """Read JSON or CoNLL-U."""
    builder = CorpusBuilder(source.name)
    if source.head.lstrip()[:1] in (b"[", b"{"):
        for line, value in values(source, on_error):
            if value is not None:
                _read_json(value, builder, partial(on_error, line))
    else:
        _read_conllu(source, builder, on_error)
    return builder.corpus()


def add(name: str, sentences: Iterable[Sequence[Token]], builder: CorpusBuilder, report: Report) -> None:
    """Add a document to the builder."""
    tokens: list[str] = []
    marks: list[list[InChain]] = []
    starts: list[int] = []
    empty: dict[int, tuple[int, int]] = {}
    for number, sentence in enumerate(sentences):
        starts.append(len(tokens))
        for word, node, text, its_marks in sorted(sentence, key=lambda token: token[:2]):
            if node:
                empty[len(tokens)] = node if word else node + BEFORE, number
            tokens.append(text)
            marks.append(its_marks)
    if not begin(builder, lambda _, problem: report(problem), name, tokens, sorted({*starts} - {len(tokens)})):
        return
    for node, (minor, number) in empty.items():
        builder.empty_node(node, minor, number)
    for start, end, chain in _mentions(marks, set(empty), set(starts), report):
        builder.mention(start, end, chain)


def _mentions(marks: list[list[InChain]], nodes: set[int], starts: set[int], report: Report) -> Iterator[tuple[int, int, str]]:
    """Start, end and chain of the mentions that the marks make; none of a sentence may be open at its end."""
    running: dict[str, list[int]] = {}  # where the open mentions of a chain start, in the order in which words list them

    def unfinished(chains: Iterable[str], token: int) -> None:
        for chain in chains:
            problem = f"chain {shortened(chain)}: a mention is open before token {token} and goes on nowhere"
            report(f"{problem}; expected a word with its end")

    for token, its_marks in enumerate(marks):
        by_chain = defaultdict(list)
        for mark in its_marks:
            by_chain[mark.chain].append(mark)
        if token in starts:
            unfinished(running, token)
            running = {}
        if token in nodes:  # an empty node is only in mentions that are itself
            for chain, of_chain in by_chain.items():
                yield from ((token, token + 1, chain) for mark in of_chain if mark.start and mark.end)
            continue
        unfinished((chain for chain in running if chain not in by_chain), token)
        still: dict[str, list[int]] = {}
        for chain, of_chain in by_chain.items():
            begun = running.get(chain, [])
            going_on = [mark for mark in of_chain if not mark.start]
            if len(going_on) != len(begun):
                problem = f"{len(going_on)} of its mentions go on at token {token}"
                report(f"chain {shortened(chain)}: {problem}; expected {len(begun)}, as many as are open")
            pairs = [*zip(begun, going_on, strict=False), *((token, mark) for mark in of_chain if mark.start)]
            yield from ((start, token + 1, chain) for start, mark in pairs if mark.end)
            if left := [start for start, mark in pairs if not mark.end]:
                still[chain] = left
        running = still
    unfinished(running, len(marks))


def _read_json(value: object, builder: CorpusBuilder, report: Report) -> None:
    if not (isinstance(value, list) and all(isinstance(s, list) and all(isinstance(w, dict) for w in s) for s in value)):
        report(f"found {shown(value)}; expected a document as a list of lists of words")
        return
    add("", [_sentence(words, report) for words in value], builder, report)
    if any(value) and not any("coref_chains" in word for words in value for word in words):
        report("found no `coref_chains` in any word; expected coreference: run Stanza with the processor coref")


def _sentence(entries: list[dict[str, Any]], report: Report) -> list[Token]:
    sentence: list[Token] = []
    for entry in entries:
        id_, text = entry.get("id"), entry.get("text")
        if not isinstance(text, str):
            report(f"the text of a word is {shown(text)}; expected a string")
            text = "_"
        pair = integers(id_, 2)
        if type(id_) is int or integers(id_, 1):
            sentence.append((_words(sentence) + 1, 0, text, list(_marks(entry.get("coref_chains"), report))))
        elif pair is None:
            report(f"the id of the word {shown(text)} is {shown(id_)}; expected a number, or two")
        elif 0 <= pair[0] <= _words(sentence):
            _add_empty(sentence, pair[0], pair[1], text, list(_marks(entry.get("coref_chains"), report)), report)
        # else it is a multi-word token, whose words follow
    return sentence


def _words(sentence: Sequence[Token]) -> int:
    """The number of words so far."""
    return next((word for word, node, *_ in reversed(sentence) if not node), 0)


def _add_empty(sentence: list[Token], before: int, number: int, text: str, marks: list[InChain], report: Report) -> None:
    if 0 < number < BEFORE:
        sentence.append((before, number, text, marks))
    else:
        report(f"found the empty node {before}.{number}; expected a second number from 1 to {BEFORE - 1}")


def _marks(chains: object, report: Report) -> Iterator[InChain]:
    for chain in chains if isinstance(chains, list) else []:
        if isinstance(chain, dict) and type(chain.get("index")) is int:
            yield InChain(str(chain["index"]), chain.get("is_start") is True, chain.get("is_end") is True)
        else:
            report(f"found {shown(chain)} in `coref_chains`; expected an object with the `index` of a chain")
    if not isinstance(chains, list | None):
        report(f"`coref_chains` is {shown(chains)}; expected a list")


def _read_conllu(source: Source, builder: CorpusBuilder, on_error: OnError) -> None:
    name, first = "", 1
    sentences: list[list[Token]] = [[]]

    def finish() -> None:
        if name or sentences[0]:
            add(name, sentences, builder, partial(on_error, first))

    for number, line in source.lines(on_error):
        named = NAME.fullmatch(line)
        if named and named[1].strip() != name:
            finish()
            name, first, sentences = named[1].strip(), number, [[]]
        elif not line.strip():
            sentences.append([])
        elif not line.startswith("#"):
            _read_line(line, sentences[-1], partial(on_error, number))
    finish()


def _read_line(line: str, sentence: list[Token], report: Report) -> None:
    columns = line.split("\t")
    if len(columns) != 10:
        report(f"has {counted(len(columns), 'column')}; expected the 10 of CoNLL-U, separated by tabs")
        return
    id_, text, misc = columns[0], columns[1], columns[9]
    chains = next((match[1] or match[2] or "" for match in map(CHAINS.fullmatch, misc.split("|")) if match), "")
    marks = []
    for chain in filter(None, chains.split(",")):
        if mark := CHAIN.fullmatch(chain):
            marks.append(InChain(mark[2], mark[1] in ("unit", "start"), mark[1] in ("unit", "end")))
        else:
            report(f"found {shortened(chain)!r} in `coref_chains`; expected unit, start, middle or end, and the id: start-id0")
    if id_.isdecimal():
        sentence.append((_words(sentence) + 1, 0, text, marks))
    elif pair := re.fullmatch(r"(\d{1,9})\.(\d{1,9})", id_):
        if int(pair[1]) > _words(sentence):
            report(f"found the empty node {id_} behind word {_words(sentence)}; expected its word before it")
        else:
            _add_empty(sentence, int(pair[1]), int(pair[2]), text, marks, report)
    elif not re.fullmatch(r"\d+-\d+", id_):
        report(f"found the id {shortened(id_)!r}; expected a number, 1-2 or 1.1")


FORMAT = Format("stanza", __doc__, ("spans", "words", "empty nodes"), sniff, read)
