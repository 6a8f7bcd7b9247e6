"""The data of a page, against the types that its scripts are checked with."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from referee.corpus.corpus import Corpus
from referee.inspector.document import document
from referee.inspector.inspection import Inspection
from referee.inspector.overview import overview
from referee.inspector.response import ScoredResponse
from tests.support.paths import EXAMPLES

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
TYPES = ROOT / "src" / "referee" / "inspector" / "assets" / "payload.d.ts"
OPTIONS = ("--noEmit", "--strict", "--target", "es2023", "--module", "esnext", "--allowImportingTsExtensions", "--types", "")


def annotated(words: list[str]) -> Corpus:
    """Entity types, mention types, and a discontinuous mention."""
    builder = CorpusBuilder()
    builder.document("d", words, [0])
    builder.mention(0, 1, "a", "person", mention_type="name")
    builder.mention(0, 3, "b", "person", spans=[(0, 1), (2, 3)])
    return builder.corpus()


def pages() -> list[Inspection]:
    return [
        inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines"),
        inspect(annotated(["Ann", "and", "Tom"]), annotated(["A", "nn", "and", "Tom"]), tokens="align"),
        inspect({"d": [["a", "b"]], "e": [["c"]]}, {"d": [["a"], ["b"]]}, {"e": [["c"]]}),
        inspect([["a"]], [["a"]], metrics=["vi"]),
    ]


@pytest.mark.filterwarnings("ignore::referee.exceptions.RefereeWarning")
@pytest.mark.skipif(not TSC.exists(), reason="typescript is absent: npm install")
def test_records_have_the_types_that_the_scripts_expect(tmp_path: Path) -> None:
    lines = [f'import type {{ DocumentData, Overview }} from "{TYPES}";']
    for inspection in pages():
        responses = [ScoredResponse(e) for e in inspection.evaluations]
        names = list(dict.fromkeys(name for e in inspection.evaluations for name in e.documents))
        lines.append(f"export const overview{len(lines)}: Overview = {json.dumps(overview(responses, names))};")
        lines += [
            f"export const document{n}: DocumentData = {json.dumps(document(responses, name))};"
            for n, name in enumerate(names, start=len(lines))
        ]
    (tmp_path / "records.ts").write_text("\n".join(lines))
    done = subprocess.run([TSC, *OPTIONS, tmp_path / "records.ts"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == ""
    assert done.returncode == 0
