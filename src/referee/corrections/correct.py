"""`correct`: a key and files of corrections, to a `Corrected` key."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.basics.exceptions import MismatchError, OptionError, counted, listed, warn
from referee.basics.files import ending_of
from referee.basics.names import check_call
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.corpus.addresses import addresses_of, digests
from referee.corpus.lossy import without
from referee.corrections.building import built
from referee.corrections.drafting import Draft
from referee.corrections.file import Change, Corrections, read_corrections
from referee.corrections.merging import Contradiction, Outcome, merge
from referee.corrections.trees import with_heads
from referee.formats.shared.source import Source
from referee.inputs.load import read_corpus
from referee.inputs.registry import load_format
from referee.inputs.writing import named_by_ending, write
from referee.reports.listing import Column, Listing
from referee.reports.result import Result

ENDING = ".corrections.json"
"""What a page calls a file of corrections, behind the name of the key."""


@dataclass(frozen=True, eq=False, repr=False)
class Corrected(Result):
    """A key with corrections.

    Parameters
    ----------
    corpus : Corpus
        The key as it becomes.
    path : str
        The key.
    files : sequence of Corrections
    contradictions : sequence of Contradiction
        Where files say what cannot all be. The key cannot be written then.
    passed : sequence of (file, document, change)
        What the key had already.
    unfit : sequence of (file, document, change)
        What no longer fits a key that has changed since.
    dropped : Counter
        What it no longer says, as what it was about is gone.
    """

    corpus: Corpus
    path: str
    files: Sequence[Corrections]
    contradictions: Sequence[Contradiction]
    passed: Sequence[tuple[str, str, Change]]
    unfit: Sequence[tuple[str, str, Change]]
    dropped: Counter[str]

    def __repr__(self) -> str:
        return f"<{self.corpus!r} with {counted(self._number, 'change')}>"

    @property
    def _number(self) -> int:
        return sum(len(document.changes) for file in self.files for document in file.documents.values())

    def listing(self) -> Listing:
        """A row for each change."""
        states = {id(change): "already made" for _, _, change in self.passed}
        states |= {id(change): "no longer fits" for _, _, change in self.unfit}
        rows = [
            [name, file.by or file.source, change.described(), states.get(id(change), "")]
            for file in self.files
            for name, document in file.documents.items()
            for change in document.changes
        ]
        done = sorted({name for file in self.files for name, document in file.documents.items() if document.done})
        notes = [f"{counted(len(rows), 'change')} of {counted(len({row[0] for row in rows}), 'document')}"]
        notes += [f"done: {listed(done)}"] if done else []
        notes += [f"{c.document}: {c.what}: {described(c)}" for c in self.contradictions]
        columns = [Column("document"), Column("by"), Column("change"), Column("note")]
        return Listing(columns, rows, notes=notes)

    def to_dict(self) -> dict[str, object]:
        """The changes, and where they contradict each other."""
        contradictions = [
            {"document": c.document, "of": c.what, "versions": [{"file": file, "becomes": what} for file, what in c.versions]}
            for c in self.contradictions
        ]
        return {**self.listing().to_dict(), "contradictions": contradictions, "dropped": dict(+self.dropped)}

    def write(self, path: str | os.PathLike[str], *, format: str | None = None, lossy: bool = False) -> None:
        """Write the key: into its own file, in which only coreference changes; or in another format, as `convert` does.

        Parameters
        ----------
        path : path
            A new file, or a folder for a key that is one; `-` is standard output.
        format : str or None
            As in `referee.write`; None for that of the key, unless the ending names another one.
        lossy : bool
            As in `referee.write`.

        Raises
        ------
        MismatchError
            If files contradict each other.
        FormatError, OptionError
            As `referee.write`.
        """
        if self.contradictions:
            several = "; ".join(f"{c.document}: {c.what}: {described(c)}" for c in self.contradictions[:2])
            more = len(self.contradictions) - 2
            also = f"; and {more} more, which --list shows" if more > 0 else ""
            raise MismatchError(
                f"{counted(len(self.contradictions), 'contradiction')}: {several}{also}; expected one version of each"
            )
        target = os.fspath(path)
        record = load_format(self.corpus.format.partition(":")[0])
        named = None if ending_of(target) == record.document_ending else named_by_ending(target)
        if record.rewriting and (format or named or record.name) == record.name:
            corpus = without(self.corpus, self.corpus.features - {*record.holds})  # the file says it in its own way
            write(corpus, target, format=corpus.format, lossy=lossy, like=self.path)
        else:
            write(self.corpus, target, format=format or (None if named else record.name), lossy=lossy)
        if dropped := +self.dropped:
            what = listed([f"{name} ({number})" for name, number in dropped.items()])
            warn(f"{self.path}: left out {what}, as the mentions are gone that it was about")


def described(contradiction: Contradiction) -> str:
    """The versions of a contradiction."""
    return ", but ".join(f"{what} in {file}" for file, what in contradiction.versions)


@check_call()
def correct(
    key: str | os.PathLike[str],
    *corrections: str | os.PathLike[str],
    key_format: str | None = None,
    rebase: bool = False,
) -> Corrected:
    """Put corrections into a key.

    Parameters
    ----------
    key : path
        The file or folder of which a page was made.
    *corrections : path
        Files that the page saved. Those of several people are put together.
    key_format : str or None
        The format of the key; None to detect it.
    rebase : bool
        Make corrections of a key whose mentions have changed since. Its words must be the same. What it has already is passed
        over, and a correction that no longer fits is an error.

    Returns
    -------
    Corrected
        ``.corpus`` is the key with all corrections, ``.write(path)`` writes it.

    Raises
    ------
    FormatError
        If a file is no file of corrections, or a correction does not fit the key.
    MismatchError
        If corrections are of another key.
    OptionError
        If the key is no file of texts.
    """
    path = os.fspath(key)
    if path == "-" or not corrections:
        problem = "found - as the key" if path == "-" else "found no file of corrections"
        raise OptionError(f"{problem}; expected referee correct KEY CORRECTIONS... -o NEW, all of them files")
    if path.endswith(ENDING) and not os.path.isdir(path):
        order = "referee correct KEY CORRECTIONS... -o NEW"
        raise OptionError(f"found the corrections {path} as KEY; expected the key first: {order}")
    corpus = read_corpus(os.fspath(path), ReadOptions(format=key_format))
    if corpus.kind != "texts" or corpus.items is not None or corpus.text is None:
        raise OptionError(
            f"{corpus.source} has {'no words' if corpus.kind == 'texts' else 'records'}; expected a key with words"
        )
    files = [read_corrections(Source(os.fspath(file))) for file in corrections]
    digest = digests(corpus)
    for file in files:
        _check(file, corpus, digest, rebase=rebase)
    outcomes: dict[int, Outcome] = {}
    contradictions: list[Contradiction] = []
    passed: list[tuple[str, str, Change]] = []
    unfit: list[tuple[str, str, Change]] = []
    problems: list[str] = []
    for document, name in enumerate(corpus.doc_ids):
        changing = [file for file in files if name in file.documents and file.documents[name].changes]
        if changing:
            drafts = [_draft(corpus, document, file.source) for file in (*changing[:1], *changing)]
            for file, draft in zip(changing, drafts[1:], strict=True):
                draft.take(file.documents[name].changes, again=rebase)
                passed += [(file.source, name, change) for change in draft.passed]
                unfit += [(file.source, name, change) for change, _ in draft.unfit]
                problems += [f"{file.source}: {problem}" for _, problem in draft.unfit]
            outcomes[document], others = merge(drafts[0], drafts[1:])
            contradictions += others
    if unfit:
        warn(f"left out {counted(len(unfit), 'change')} that no longer fit {corpus.source}: {problems[0]}; --list shows all")
    result = built(corpus, outcomes)
    return Corrected(with_heads(result.corpus, path, outcomes), path, files, contradictions, passed, unfit, result.dropped)


def _draft(corpus: Corpus, document: int, source: str) -> Draft:
    """A document of the key."""
    here = range(*corpus.mentions_in(document, document + 1).indices(len(corpus.document)))
    entity = {m: corpus.entity_ids[int(corpus.entity[m])] for m in here}
    return Draft(source, corpus.doc_ids[document], addresses_of(corpus, document), {m: corpus.spans(m) for m in here}, entity)


def _check(file: Corrections, corpus: Corpus, digest: str, *, rebase: bool) -> None:
    """MismatchError if corrections are not of this key."""
    if missing := [name for name in file.documents if name not in corpus.doc_ids]:
        problem = f"corrects {listed([repr(name) for name in missing])}, which {corpus.source} does not have"
        raise MismatchError(f"{file.source}: {problem}; expected corrections of this key")
    if file.digest == digest:
        return
    if file.digest.partition("-")[0] != digest.partition("-")[0]:
        problem = f"corrects {file.key} with other words or documents than {corpus.source} has"
        raise MismatchError(f"{file.source}: {problem}; expected the key of which the page was made")
    if not rebase:
        problem = f"corrects {file.key} as it was before mentions or entities changed in {corpus.source}"
        raise MismatchError(f"{file.source}: {problem}; expected the key of which the page was made, or --rebase")
