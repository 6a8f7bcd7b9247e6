"""The page: markup, style, script and data in one file.

Scripts and styles are files of `assets`. Data stand in the page as gzip in base 64, so that no annotation is ever part of the
markup. The page may run its own script and no other, and load nothing: see `reports.shell`.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache, partial
from importlib.resources import files

from referee.basics import progress
from referee.basics.system_names import name_of
from referee.corpus import Corpus
from referee.formats.conll import replacing
from referee.pages.inspector.alone import document_alone, overview_alone
from referee.pages.inspector.annotators import Annotators, agreement_overview, together_overview
from referee.pages.inspector.bundle import bundle, modules
from referee.pages.inspector.document import document
from referee.pages.inspector.json_columns import CorpusColumns
from referee.pages.inspector.overview import corpus_errors, overview
from referee.pages.inspector.packing import Piece, Record, Shared, between, gzipped, joined, written
from referee.pages.inspector.pane import SideOfDocument
from referee.pages.inspector.reasons import Reasons
from referee.pages.inspector.record_table import Records
from referee.pages.inspector.response import ScoredResponse
from referee.reports.shell import digest, page, style_of, text

MAIN = "main.js"
"""The script that opens the page. It imports all others."""

TOGETHER = 1 << 16
"""Characters of data of documents that are compressed together: small ones that are like one another become smaller."""

STYLES = ("page", "text", "panel", "overview", "records", "edit", "forced_colours")
"""In this order, after what all pages share; a later rule wins."""

BODY = """\
<div id="app"{board}><p class="loading" role="status">Opening…</p></div>
<noscript><p>This page needs JavaScript, which this browser does not run.</p></noscript>"""


def page_of(
    responses: Sequence[ScoredResponse],
    records: Records | None = None,
    annotators: Annotators | None = None,
    corrects: Record | None = None,
    shared: Shared | None = None,
    board: str = "",
) -> str:
    """Make the page of one response, or of several to the same key, whose errors and costs are kept for other pages.

    Parameters
    ----------
    responses : sequence of ScoredResponse
        One or more.
    records : Records or None
        What is known of records.
    annotators : Annotators or None
        Who made the key and each response, if all are annotators.
    corrects : dict or None
        What the page says of the key, if it can correct it; see `correctable`.
    shared : Shared or None
        For several pages with the same key: what they have in common.
    board : str
        The headline of the leaderboard that the page belongs to, and links back to; empty for none.

    Returns
    -------
    str
        HTML. The same responses give the same page.
    """
    if annotators is None:
        title = [*(response.evaluation.name for response in responses), name_of(responses[0].evaluation.key.source)]
        return _html(title, _side_by_side(responses, "", records, {"annotators": [], **(corrects or {})}, shared), board)
    about: Record = {"annotators": annotators.names}
    agreement = agreement_overview(annotators.agreement, documents_of(responses), annotators.names)
    data = []
    for first, beside in enumerate((responses, *([*map(ScoredResponse, pairs)] for pairs in annotators.pairs))):
        together = together_overview(annotators.agreement, documents_of(beside), first, len(beside))
        of_all = {} if first else {"agreement": agreement}
        place = f"first-{first}-" * bool(first)
        can_correct = (annotators.corrects[first - 1] if first else corrects) or {}
        data += _side_by_side(beside, place, records, {**about, **of_all, **can_correct, "together": together})
    return _html(annotators.names, data)


def documents_of(responses: Sequence[ScoredResponse]) -> list[str]:
    """The names of the documents that any of them has."""
    return list(dict.fromkeys(name for response in responses for name in response.evaluation.documents))


def _side_by_side(
    responses: Sequence[ScoredResponse],
    place: str,
    records: Records | None,
    about: Record,
    shared: Shared | None = None,
) -> list[str]:
    """The data of responses beside one key, and more about them. The names of the data begin with `place`."""
    names = documents_of(responses)
    first = responses[0].evaluation
    columns = _about_records(records, "texts" not in (first.key.kind, first.response.kind))
    compressed = joined if shared else gzipped
    shared = shared or Shared()
    documents = (document(responses, name, records, shared) for name in progress.tracked(names, "writing the page"))
    # What was scored without regard to its words is shown even if they are badly encoded.
    lenient = all(response.evaluation.options.tokens in ("warn", "ignore") for response in responses)
    with replacing() if lenient else nullcontext():
        data = [_data(f"{place}overview", gzipped([written({**overview(responses, names), **columns, **about})]))]
        for n, response in enumerate(responses if len(names) > 1 else ()):
            errors = shared.once(response, names, partial(_errors, response, names))
            data.append(_data(f"{place}errors-{n}", compressed([errors])))
        return data + [_data(f"{place}documents-{n}", compressed(pieces)) for n, pieces in _together(documents)]


def _about_records(records: Records | None, of_table: bool) -> Record:
    """What the page has of records: whether there are any, and their attributes."""
    return {"records": of_table or records is not None, "record_columns": [] if records is None else records.columns}


def _together(documents: Iterable[Sequence[Piece]]) -> Iterator[tuple[int, Sequence[Piece]]]:
    """Lists of neighbouring documents, each with the number of the first one."""
    first, pieces, size = 0, [between("[")], 0
    for n, of_document in enumerate(documents, start=1):
        size += sum(len(piece.text) for piece in of_document)
        pieces += [*of_document, between("," if size < TOGETHER else "]")]
        if size >= TOGETHER:
            yield first, pieces
            first, pieces, size = n, [between("[")], 0
    if size:
        yield first, [*pieces[:-1], between("]")]


def _errors(response: ScoredResponse, names: Sequence[str]) -> Piece:
    return written(corpus_errors(response, names))


def page_alone(
    corpus: Corpus, records: Records | None = None, reasons: Reasons | None = None, corrects: Record | None = None
) -> str:
    """Make the page of one annotation, without a response; with the reasons of a resolver, if it made it."""
    about: Record = {**_about_records(records, corpus.kind != "texts"), "annotators": [], **(corrects or {})}
    data = [_data("overview", gzipped([written({**overview_alone(corpus), **about})]))]
    columns = CorpusColumns(corpus)
    numbers = progress.tracked(range(len(corpus.doc_ids)), "writing the page")
    documents = ([document_alone(SideOfDocument(columns, n), records, reasons)] for n in numbers)
    data += [_data(f"documents-{n}", gzipped(pieces)) for n, pieces in _together(documents)]
    return _html([name_of(corpus.source)], data)


def _html(title: Sequence[str], data: Sequence[str], board: str = "") -> str:
    body = BODY.format(board=f' data-board="{text(board)}"' if board else "")
    return page(" · ".join(title), "\n".join((body, *data)), style=_style(), script=_script())


def digests() -> tuple[str, str]:
    """Return the digests of script and style, as a security policy names them: for pages that show this one inside."""
    return digest(_script()), digest(_style())


@cache
def _script() -> str:
    return "\n" + bundle(modules(files(__package__) / "assets", MAIN)) + "\n"


@cache
def _style() -> str:
    folder = files(__package__) / "assets" / "styles"
    return style_of(*(folder / f"{name}.css" for name in STYLES))


def _data(name: str, compressed: bytes) -> str:
    return f'<script type="text/plain" id="{name}">{base64.b64encode(compressed).decode()}</script>'
