"""`resolve`: from a file with trees to entities."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, tally
from referee.basics.exceptions import FormatError, OptionError, check_name, counted, listed, shortened, warn
from referee.basics.files import check_ending, ending_of, output
from referee.basics.names import check_call
from referee.corpus.columns import MENTION_TYPES, Spans
from referee.corpus.corpus import FEATURES, Corpus
from referee.corpus.editing import fragment_columns, join
from referee.corpus.lossy import without
from referee.formats.corefud.reading import MENTION_TYPE
from referee.formats.corefud.rewriting import text_of_rows
from referee.formats.corefud.writing import clashing
from referee.formats.shared.changes import Changes
from referee.inputs.holding import holding
from referee.inputs.registry import load_format
from referee.inputs.writing import format_of, format_of_ending, write as write_corpus
from referee.parsing.texts import TextInput
from referee.parsing.words import ParsedText
from referee.resolver.constraints import Task, task_of
from referee.resolver.entity_types import check_types, titles_of, types_of
from referee.resolver.explain import Explanation
from referee.resolver.files import Model, check_switch, load
from referee.resolver.inputs import text_of, trees_of
from referee.resolver.kinds import with_kinds
from referee.resolver.lexicon import KindLexicon, lexicon_for
from referee.resolver.memory import QUANTIFIERS, decode
from referee.resolver.people import People, Quotations, people_of, quotes_of
from referee.resolver.pruning import can_prune, decode_pruned
from referee.resolver.relations import Relations
from referee.resolver.rules import Rules
from referee.resolver.strategies import STRATEGIES
from referee.resolver.synonyms import Synonyms, WordSets, synonyms_of
from referee.resolver.syntax import Syntax, things_are_he_or_she
from referee.resolver.tables import TableJudge, Tables
from referee.resolver.text import Input, MentionSelection, mentions_for, read_input

if TYPE_CHECKING:
    from referee.parsing.model import ParserModel

GENERATOR = "# generator = referee resolve"
HEADER = re.compile(r"^# global\.Entity = .*?(?=\r?$)", re.MULTILINE)
SINGLETONS = ("keep", "drop")
DERIVED = frozenset(("heads", "mention types"))
"""What is known of mentions by the trees alone, and left out of formats other than CorefUD."""


class WholeLabel(NamedTuple):
    """The entities of all mentions of a text.

    Parameters
    ----------
    label : int64, shape (mentions,)
        The first mention of the entity of each.
    kind : int64, shape (mentions,)
        Numbers of `referee.resolver.kinds.KINDS`.
    written : int64
        The mentions that were not left out.
    """

    label: Ints
    kind: Ints
    written: Ints


@dataclass(frozen=True)
class Resolution:
    """A text with the entities that were found.

    Parameters
    ----------
    input : Input
    selection : MentionSelection
        The mentions.
    label : int64, shape (mentions,)
        The first mention of the entity of each.
    signature : str
    explanation : Explanation or None
    parsed : ParsedText or None
        The text with its trees, if it was plain text.
    task : Task or None
        What was known before any decision; None of strategies.
    whole : WholeLabel or None
        The entities of all mentions, with those that were left out.
    has_types : bool
        Whether the annotation has the types.
    """

    @cached_property
    def ids(self) -> Mapping[int, str]:
        """The id of the entity of each mention that was not left out, by its number among all."""
        assert self.whole is not None
        _, number = np.unique(self.whole.label[self.whole.written], return_inverse=True)
        return {m: f"e{n + 1}" for m, n in zip(self.whole.written.tolist(), number.reshape(-1).tolist(), strict=True)}

    @cached_property
    def types(self) -> Mapping[str, str]:
        """The type of each entity by its id."""
        assert self.whole is not None
        types = types_of(self.whole.kind, self.whole.label)
        return {self.ids[first]: name for first, name in types.items() if first in self.ids}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """What entities are called, by their ids, that no name or noun mentions."""
        assert self.whole is not None
        titles = titles_of(self.task, self.whole.kind, self.whole.label, self.input.syntax.speakers) if self.task else {}
        return {self.ids[first]: title for first, title in titles.items() if first in self.ids}

    def people(self) -> People:
        """The entities as people see them: names, types, how often and how they are mentioned.

        Returns
        -------
        People
            A row for each entity, as `referee resolve --show people` shows them.

        Examples
        --------
        >>> for person in resolution("Ann met Bob in Paris. She saw him.").people().people:
        ...     print(person.entity, person.name, person.type, person.mentions)
        e1 Ann person 2
        e2 Bob person 2
        e3 Paris place 1
        """
        titles, types, speakers = self.titles, self.types, self.speaker_ids()
        return people_of(self.corpus, self.signature, titles=titles, types_by_id=types, speakers=speakers)

    def quotations(self) -> Quotations:
        """Who says what.

        Returns
        -------
        Quotations
            A row for each quotation, as `referee resolve --speakers` writes them; none where nothing was quoted, without a
            lexicon, or where lines have labels of speakers.

        Examples
        --------
        >>> for quote in resolution("“I am late,” said Ann to Bob.").quotations().quotes:
        ...     print(quote.name, quote.text, quote.rule)
        Ann I am late, verb of speech after it
        """
        quotations = self.task.speakers.quotations if self.task else ()
        names = {person.entity: person.name for person in self.people().people}
        return quotes_of(self.corpus, self.signature, quotations, ids=self.ids, names=names)

    def speaker_ids(self) -> list[str]:
        """The id of who says each quotation of which this is known."""
        quotations = self.task.speakers.quotations if self.task else ()
        return [self.ids[q.speaker] for q in quotations if q.speaker in self.ids]

    input: Input
    selection: MentionSelection
    label: Ints
    signature: str
    explanation: Explanation | None
    parsed: ParsedText | None = None
    task: Task | None = None
    whole: WholeLabel | None = None
    has_types: bool = False

    @cached_property
    def corpus(self) -> Corpus:
        """The entities as a corpus, to be scored or written."""
        corpus = corpus_of(self.input.syntax, self.selection, self.label)
        if self.has_types:
            corpus = replace(corpus, entity_types=[self.types[name] for name in corpus.entity_ids])
        return replace(corpus, text=self.input.corpus.text, empty_nodes=self.input.corpus.empty_nodes)

    def write(self, path: str | os.PathLike[str], *, format: str | None = None) -> None:
        """Write the entities.

        Parameters
        ----------
        path : path
            `-` is standard output. CorefUD keeps every line, column and comment of the input.
        format : str or None
            One of `FORMATS` that are written; None to take it from the ending, CorefUD if that says nothing.
        """
        target = os.fspath(path)
        ending = ending_of(target)
        of_ending = format_of_ending(ending)
        if format is None and of_ending is None:
            formats = "the ending of a format, such as .conllu, .conll or .jsonlines"
            check_ending(target, "annotation", f"--page {target}" if ending in (".html", ".htm") else formats, ())
        name = format or (of_ending or "corefud")
        if name != "corefud":
            self._write_as(format or format_of(target, self.corpus), target)
            return
        self._check_sentences()
        corpus = self.input.corpus
        changes = Changes(corpus.select(np.zeros(len(corpus.document), dtype=bool)), self.corpus)
        text = text_of_rows(self.input.rows, changes, lambda _line, _problem: None)
        generator = f"{GENERATOR} | {self.signature}"
        with output(target) as out:
            out.write(HEADER.sub(lambda header: f"{header[0]}\n{generator}", text, count=1))

    def _write_as(self, name: str, target: str) -> None:
        """Write another format than CorefUD, without what only the trees say."""
        whole = self.corpus
        derived = sorted(whole.features & DERIVED)
        corpus = without(whole, derived)
        record = load_format(name.partition(":")[0])
        if "entity types" in corpus.features - set(record.writable):
            corpus = without(corpus, ["entity types"])
        if record.write and (excess := [f for f in FEATURES if f in corpus.features - set(record.writable)]):
            others = ", ".join(holding(corpus.features))
            ending = ending_of(target)
            as_what = f", the format of {ending}," if ending in record.endings else ""
            raise OptionError(f"{target}: {name}{as_what} cannot hold {listed(excess)}; expected a format that can: {others}")
        write_corpus(corpus, target, format=name)

    def _check_sentences(self) -> None:
        """FormatError if a mention is not within one sentence, as CorefUD has it."""
        m, sentence = self.selection.mentions, self.input.syntax.sentence
        for n in np.flatnonzero(sentence[m.start] != sentence[m.end - 1])[:1].tolist():
            first, after = (int(edge[n] - self.input.syntax.first[m.document[n]]) for edge in (m.start, m.end))
            problem = f"the mention {first}-{after} is not within one sentence, as CorefUD has it: write jsonlines"
            document = shortened(self.input.syntax.doc_ids[int(m.document[n])])
            raise FormatError(self.input.syntax.source, None, f"document {document!r} cannot be written: {problem}")


def resolution(
    source: object,
    model: str | os.PathLike[str] | Model = "tables",
    *,
    mentions: object = None,
    quantifier: str | None = None,
    window: int | None = None,
    memory: int | None = None,
    one_gender: bool | None = None,
    strategy: str | None = None,
    singletons: str = "keep",
    synonyms: WordSets | Synonyms | None = None,
    lexicon: str | os.PathLike[str] | KindLexicon | None = None,
    quotations: bool = True,
    parser: str | os.PathLike[str] | ParserModel = "english",
    types: str | Sequence[str] | None = None,
    encoding: str | None = None,
    explain: bool = False,
) -> Resolution:
    """Resolve a text, and keep what is known of it: who the entities are, who says what, and why.

    Parameters are those of `referee.resolve`; `explain` keeps the reasons of each decision.

    Returns
    -------
    Resolution
        `corpus` is what `referee.resolve` returns; `people` and `quotations` list entities and quotations, and `write` writes
        annotation.

    Examples
    --------
    >>> print(resolution("“I am late,” said Ann to Bob.").people().people[0].name)
    Ann
    """
    check_name("value of singletons", singletons, SINGLETONS)
    if strategy is not None:
        check_name("strategy", strategy, STRATEGIES)
    if strategy is not None and synonyms is not None:
        raise OptionError("a strategy compares no synonyms; expected no strategy, or no synonyms")
    check_switch("quotations", quotations)
    wanted_types = check_types(types)
    if wanted_types is not None and (strategy is not None or lexicon == "none"):
        raise OptionError("the types of entities follow from a lexicon; expected no strategy and a lexicon, or no types")
    dictionary = synonyms_of(synonyms)
    loaded = _with(load(model), quantifier, window, memory, one_gender)

    def parsed(texts: list[TextInput]) -> ParsedText:
        from referee.parsing.parse import parse_texts  # files with trees need no parser

        return parse_texts(texts, parser, encoding)

    trees = trees_of(source, parsed)
    if parser != "english" and (trees.parsed is None or trees.parsed is source):
        problem = f"found the parser {shortened(str(parser))} for {trees.source.name}, which has trees"
        raise OptionError(f"{problem}; expected plain text, or no --parser (parser= in Python)")
    text = read_input(trees.source, annotated=mentions is None or (isinstance(mentions, str) and mentions == "key"))
    if trees.parsed is not None:
        text = text._replace(corpus=replace(text.corpus, text=text_of(trees.parsed.words)))
    if one_gender is None and isinstance(loaded.decoder, Rules) and things_are_he_or_she(text.syntax):
        loaded = _with(loaded, one_gender=False)
    detector = loaded.detector or (load().detector if mentions == "tree" or not len(text.corpus.document) else None)
    selection, origin = mentions_for(text, mentions, detector)
    explanation = None
    if strategy is not None:
        relations = Relations(selection.mentions, loaded.decoder.window, dictionary)
        task, words = None, None
        label = STRATEGIES[strategy].label(relations, selection.entity)
        model_fields = [f"strategy:{strategy}"]
    else:
        words = lexicon_for(text.syntax, lexicon)
        decoder = loaded.decoder if words or isinstance(loaded.decoder, Rules) else loaded.decoder.without("kind")
        selection = selection._replace(mentions=with_kinds(text.syntax, selection.mentions, words))
        task = task_of(text.syntax, selection.mentions, words, one_gender=loaded.decoder.one_gender, quotations=quotations)
        relations = Relations(task.mentions, loaded.decoder.window, dictionary)
        judge = decoder.judge(relations)
        if isinstance(judge, TableJudge) and judge.unknown_pronouns > 0.5:
            problem = f"{judge.unknown_pronouns:.0%} of the pronouns are unknown to the model {loaded.name}"
            warn(f"{text.syntax.source}: {problem}; expected a model of the same language: fit one, or take --model rules")
        if explain:
            explanation = Explanation(text.syntax, text.rows.form, selection.mentions, task, relations, judge)
            label = decode(task.mentions.document, relations.blocks, judge, task.constraints, explanation.watch)
        elif isinstance(judge, TableJudge) and can_prune(judge):
            label = decode_pruned(relations, judge, task.constraints)
        else:
            label = decode(task.mentions.document, relations.blocks, judge, task.constraints)
        label = task.whole(label)
        if explanation:
            explanation.label = label
        model_fields = [
            f"model:{loaded.kind} {loaded.digest[:8]}",
            f"quantifier:{loaded.decoder.quantifier}",
            f"window:{loaded.decoder.window}",
            f"one-gender:{'yes' if loaded.decoder.one_gender else 'no'}",
            *([f"synonyms:{dictionary.digest[:8]}"] if dictionary else []),
            f"lexicon:{words.name} {words.digest[:8]}" if words else "lexicon:none",
            *([f"quotations:{'yes' if quotations else 'no'}"] if words else []),
        ]
    label = _without_crossings(selection, label, text.syntax.source)
    kind, is_kept = selection.mentions.kind, np.ones(len(label), dtype=bool)
    if singletons == "drop":
        is_kept &= tally(label, minlength=len(label))[label] > 1
    if wanted_types is not None:
        types_by_first = types_of(kind, label)
        is_kept &= np.array([types_by_first[entity] in wanted_types for entity in label.tolist()], dtype=bool)
    whole = WholeLabel(label, kind, np.flatnonzero(is_kept))
    if not is_kept.all():
        selection, label = _some(selection, label, whole.written)
    if wanted_types is not None:
        model_fields.append(f"types:{'all' if '' in wanted_types else '+'.join(sorted(wanted_types))}")
    if trees.parsed is not None:
        model_fields.append(trees.parsed.model)
    signature = " | ".join([*model_fields, f"mentions:{origin}", f"singletons:{'kept' if singletons == 'keep' else 'dropped'}"])
    return Resolution(
        text, selection, label, signature, explanation, trees.parsed, task, whole, wanted_types is not None
    )  # fmt: skip


@check_call()
def resolve(
    source: object,
    model: str | os.PathLike[str] | Model = "tables",
    *,
    mentions: object = None,
    quantifier: str | None = None,
    window: int | None = None,
    memory: int | None = None,
    one_gender: bool | None = None,
    strategy: str | None = None,
    singletons: str = "keep",
    synonyms: WordSets | Synonyms | None = None,
    lexicon: str | os.PathLike[str] | KindLexicon | None = None,
    quotations: bool = True,
    parser: str | os.PathLike[str] | ParserModel = "english",
    types: str | Sequence[str] | None = None,
    encoding: str | None = None,
    output: str | os.PathLike[str] | None = None,
    to: str | None = None,
) -> Corpus:
    """Find the entities of a text.

    Parameters
    ----------
    source : str, path, Parsed, document, list or mapping
        A text, or a file with plain text, or a folder of such files, which are parsed first; a file in CoNLL-U with HEAD and
        DEPREL, or a folder of them; what `referee.parse` returned; what a pipeline of spaCy or Stanza returned, with trees of
        Universal Dependencies, or of ClearNLP as spaCy's models of English make them. Several in a list, or with their names
        in a mapping. A string is a text if it has a line break, or a space and is not the name of a file.
    model : str, path or Model
        "tables" (fitted to English), "rules", "rules-mean", a file, or what `referee.resolver.fit` returns.
    mentions : str, path, Corpus or None
        "key" for those of the source, "tree" for those found in the trees, or other annotation of the same words; None for
        those of the source if it has any. Only their spans are looked at.
    quantifier : str or None
        How the compatibility with an MR follows from that with its mentions: any, mean, all, last or first. None for that of
        the model.
    window : int or None
        How many earlier mentions are compared.
    memory : int or None
        How many MRs are remembered; 0 for all.
    one_gender : bool or None
        Whether no entity has pronouns of two genders, such as he and she. None for what the model says; with rules, False where
        most nouns are masculine or feminine, as then things are he and she, too.
    strategy : str or None
        A baseline instead of the model; one of `referee.resolver.strategies.STRATEGIES`.
    singletons : str
        "keep" or "drop": what becomes of entities with one mention.
    synonyms : path, sets of words, or None
        Heads that are compared as if they were equal: a file as `referee.resolver.synonyms` has it, or sets of words.
    lexicon : str, path, KindLexicon or None
        What words say of what they name: "english", "none", or a file as `referee.resolver.lexicon` has it. None for the
        English one if the text is English.
    quotations : bool
        Whether it is found out who says what is quoted; only with a lexicon.
    parser : str, path or ParserModel
        For plain text: "english", "chunks", or a model of ``referee parse fit``, as in `referee.parse`.
    types : str, sequence of str or None
        Only entities of these types, which the annotation gets, too: of person, animal, place, group, time, thing; or "all".
    encoding : str or None
        That of plain texts, such as "cp1252"; None for UTF-8.
    output : path or None
        Where to write them, too; in CorefUD with everything else that the source has.
    to : str or None
        The format of `output`; None to take it from the ending.

    Returns
    -------
    Corpus
        To be scored like any other.

    Raises
    ------
    FormatError
        If the source has no trees, or others; or if the model is none.
    MismatchError
        If the mentions are of other words.
    """
    resolved = resolution(
        source, model, mentions=mentions, quantifier=quantifier, window=window, memory=memory, one_gender=one_gender,
        strategy=strategy, singletons=singletons, synonyms=synonyms, lexicon=lexicon, quotations=quotations, parser=parser,
        types=types, encoding=encoding,
    )  # fmt: skip
    if output is not None:
        resolved.write(output, format=to)
    return resolved.corpus


def corpus_of(syntax: Syntax, mentions: MentionSelection, label: Ints) -> Corpus:
    """Mentions and their entities as a corpus without words; `label` has the first mention of the entity of each."""
    m = mentions.mentions
    base = syntax.first[m.document]
    ids, entity = np.unique(label, return_inverse=True)
    spans = {n: join((t, t + 1) for t in (tokens - base[n]).tolist()) for n, tokens in mentions.fragments.items()}
    fragments, fragment_lists = fragment_columns(spans, len(base))
    return Corpus(
        syntax.doc_ids,
        document=m.document,
        start=m.start - base,
        end=m.end - base,
        entity=entity.reshape(-1),
        entity_ids=[f"e{n}" for n in range(1, len(ids) + 1)],
        source=syntax.source,
        format="corefud",
        head=m.head - base,
        mention_types=_mention_types(syntax, m.head),
        fragments=fragments,
        fragment_lists=fragment_lists,
    ).in_reading_order()


def _mention_types(syntax: Syntax, head: Ints) -> Ints:
    """The mention types that follow from the heads, as in CorefUD."""
    types = [MENTION_TYPES.index(MENTION_TYPE.get(text, "other")) for text in syntax.upos.texts]
    codes: Ints = np.array([*types, 0], dtype=np.int8)
    return codes[np.where(syntax.is_node[head], -1, syntax.upos.code[head])]


def _with(
    model: Model,
    quantifier: str | None = None,
    window: int | None = None,
    memory: int | None = None,
    one_gender: bool | None = None,
) -> Model:
    """The model with other settings."""
    decoder = model.decoder
    if one_gender is not None:
        check_switch("one_gender", one_gender)
        decoder = replace(decoder, one_gender=one_gender)
    if quantifier is not None:
        check_name("quantifier", quantifier, QUANTIFIERS)
        decoder = replace(decoder, quantifier=quantifier)
    if window is not None:
        if window < 1:
            raise OptionError(f"found the window {window}; expected 1 or more")
        decoder = replace(decoder, window=window)
    if memory is not None:
        if memory < 0:
            raise OptionError(f"found a memory of {memory}; expected 0 for all, or more")
        if isinstance(decoder, Tables):
            decoder = replace(decoder, memory=memory)
        else:
            numbers: Mapping[str, float] = {**decoder.numbers, "memory": memory or 10**9}
            decoder = replace(decoder, numbers=numbers)
    return model._replace(decoder=decoder)


def _without_crossings(mentions: MentionSelection, label: Ints, source: str) -> Ints:
    """The labels, where brackets can tell the mentions of an entity apart: the later of two gets an entity of its own."""
    m = mentions.mentions
    order = np.lexsort((np.arange(len(label)), label))
    same = label[order[1:]] == label[order[:-1]]
    before, behind = order[:-1][same], order[1:][same]
    near = (m.start[behind] < m.end[before]) & (m.sentence[behind] == m.sentence[before])
    suspects = np.unique(label[before[near]]).tolist()
    label, moved = label.copy(), 0
    for entity in suspects:
        members = np.flatnonzero(label == entity).tolist()
        parts = {n: _parts(mentions, n) for n in members}
        while crossing := clashing(parts):
            later = max(crossing)
            members.remove(later)
            del parts[later]
            label[later] = later
            moved += 1
        if members and members[0] != entity:
            label[members] = members[0]
    if moved:
        crossed = f"{counted(moved, 'mention')} that crossed another of the same entity, or interleaved with it,"
        warn(f"{source}: {crossed} got an entity of its own")
    return label


def _parts(mentions: MentionSelection, n: int) -> Spans:
    """The spans of a mention."""
    if n in mentions.fragments:
        return join((t, t + 1) for t in mentions.fragments[n].tolist())
    return ((int(mentions.mentions.start[n]), int(mentions.mentions.end[n])),)


def _some(mentions: MentionSelection, label: Ints, rows: Ints) -> tuple[MentionSelection, Ints]:
    """All mentions of some entities."""
    place = np.full(len(label), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    fragments = {int(place[n]): tokens for n, tokens in mentions.fragments.items() if place[n] >= 0}
    return MentionSelection(mentions.mentions.rows(rows), fragments, None), place[label[rows]]
