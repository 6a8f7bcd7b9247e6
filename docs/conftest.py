"""What the examples of pages stand on: an empty folder that has `examples`, and short ways to write texts with annotation."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee import read, score
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.views import Mention
from referee.formats.shared.source import Source
from referee.inputs.load import read_corpus

collect_ignore = ["reference"]  # made of docstrings, whose examples are tried where they stand

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def text(words: str, *mentions: Any) -> Corpus:
    """A text with mentions: the entity, the span and, if it is not the first word, the head. `∅2:x` is an empty node."""
    builder, tokens, number = CorpusBuilder(), words.split(), 0
    builder.document("d", [token.partition("∅")[0] for token in tokens])
    for place, token in enumerate(tokens):
        number = number + 1 if token.startswith("∅") else 0
        if number:
            builder.empty_node(place, number, 0, token[1:])
    for entity, start, end, *head in mentions:
        builder.mention(start, end, entity, head=head[0] if head else start)
    return builder.corpus()


def pairs(key: Corpus, response: Corpus, **options: Any) -> None:
    """Print which mentions of the key have which counterparts."""
    found = score(key, response, metrics=["mentions"], **options).matching
    for k, r in sorted(zip(found.key_mention.tolist(), found.response_mention.tolist(), strict=True)):
        print(Mention(found.key, k).text, "=", Mention(found.response, r).text)


def muc(text: str) -> Corpus:
    """A text of MUC, with COREF and MIN."""
    return read(Source("x", f"<DOC><DOCID>d</DOCID><TXT>{text}</TXT></DOC>".encode()), format="muc")


def scores(key: Corpus, response: Corpus, *metrics: str, **options: Any) -> None:
    """Print recall, precision and F1 with the profile of the CorefUD scorer."""
    found = score(key, response, profile="corefud-1.2", singletons="keep", metrics=metrics, **options)
    for m in metrics:
        print(m, *(round(x, 3) for x in (found[m].recall, found[m].precision, found[m].f1)))


def conll(name: str) -> Corpus:
    """A CoNLL file of three words, NAME and she; NAME and she are one entity."""
    rows = f"d\t0\t0\t{name}\t(0)\nd\t0\t1\tand\t-\nd\t0\t2\tshe\t(0)\n"
    return read(Source(name, f"#begin document (d); part 000\n{rows}\n#end document\n".encode()), format="conll")


def both(key: Any, response: Any, metric: str, side: str = "value") -> None:
    """Print a score with the default and with the profile of the CoNLL scorer."""
    for profile in "default", "conll-8.01":
        print(profile, getattr(score(key, response, profile=profile)[metric], side))


def entities(value: Any) -> dict[str, list[list[Any]]]:
    """What a value means: document -> its entities, with names or spans of mentions."""
    key = read_corpus(value)
    names = key.items or list(zip(key.start.tolist(), key.end.tolist(), strict=True))
    found: dict[str, dict[int, list[Any]]] = {}
    for name, document, entity in zip(names, key.document, key.entity.tolist(), strict=True):
        found.setdefault(key.doc_ids[document], {}).setdefault(entity, []).append(name)
    return {document: list(of_entity.values()) for document, of_entity in found.items()}


def refused(*values: Any) -> None:
    """Print why values are not scored."""
    try:
        score(*values)
    except ValueError as error:
        print(error)


PAPERS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")


def show(key: Any, *responses: Any, metrics: Sequence[str] = PAPERS) -> None:
    """Print the values of metrics, a line for each response."""
    for response in responses:
        found = score(key, response)
        print("  ".join(f"{name} {100 * found[name].value:5.1f}" for name in metrics))


def ask(prompt: str) -> str:
    """A model that answers with the text, and marks nothing but the first word."""
    first, *others = prompt.rpartition("Text:\n")[2].removesuffix("\n\nAnswer:\n").split(" ")
    return " ".join([f"[{first}](#1)", *others])


HELPERS = {
    "answers.md": (ask,),
    "how-scores-disagree.md": (show,),
    "matching.md": (text, pairs, muc),
    "profiles.md": (text, scores, conll, both),
    "scores.md": (conll,),
    "values.md": (entities, refused),
}
"""Page -> what its examples are written with."""

ANSWERS = "e1\tTRUE\tTRUE\ne2\tFALSE\tFALSE\ne3\tTRUE\tFALSE\n"

FILES = {
    "formats.md": {
        "both.jsonlines": '{"doc_key": "d", "sentences": [["Anna", "sings"]], "clusters": [[[0, 0]]], '
        '"predicted_clusters": []}\n',
    },
    "gap.md": {
        "key.tsv": "ID\tPronoun\tA-coref\tB-coref\n"
        "e1\ther\tTRUE\tFALSE\ne2\tshe\tFALSE\tTRUE\ne3\this\tTRUE\tFALSE\ne4\the\tFALSE\tFALSE\n",
        "response.tsv": f"{ANSWERS}e4\tFALSE\tFALSE\n",
        "without_e4.tsv": ANSWERS,
    },
    "profiles.md": {"empty.conllu": ""},
    "syntactic_links.md": {
        "key.txt": "A-B B-C",
        "response.txt": "A-C",
        "star.txt": "A-B B-C B-D",
        "row.txt": "A-B B-C C-D",
        "halves.txt": "A-B C-D",
    },
    "vilain.md": {"key.txt": "A-B B-C B-D", "response.txt": "A-B C-D"},
}
"""Page -> the files that it shows, and its examples read."""

NEEDED = {"counts.md": "pyarrow", "tables.md": "pyarrow"}
"""Page -> the package that its examples need."""

QUIET = ("entity-resolution.md", "formats.md", "gap.md", "matching.md", "profiles.md", "scores.md")
"""Pages whose examples warn on purpose."""


@pytest.fixture(autouse=True)
def reader(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Someone who tries the examples of a page in a folder of their own."""
    page = request.path.name
    if page in NEEDED:
        pytest.importorskip(NEEDED[page])
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    for name, content in FILES.get(page, {}).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names = request.getfixturevalue("doctest_namespace")
    names |= {helper.__name__: helper for helper in HELPERS.get(page, ())}
    with warnings.catch_warnings():
        if page in QUIET:
            warnings.simplefilter("ignore")
        yield
    for helper in HELPERS.get(page, ()):
        del names[helper.__name__]
