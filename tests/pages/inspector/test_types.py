"""The data of a page, against the types that its scripts are checked with."""

import base64
import gzip
import re
import subprocess

import pytest

from referee import inspect
from referee.corpus.builder import CorpusBuilder
from tests.support.annotators import of_annotators
from tests.support.paths import EXAMPLES, ROOT

TSC = ROOT / "node_modules" / ".bin" / "tsc"
TYPES = ROOT / "src" / "referee" / "pages" / "inspector" / "assets" / "payload.d.ts"
OPTIONS = ("--noEmit", "--strict", "--target", "es2023", "--module", "esnext", "--allowImportingTsExtensions", "--types", "")


def annotated(words):
    """Entity types, mention types, and a discontinuous mention."""
    builder = CorpusBuilder()
    builder.document("d", words, [0])
    builder.mention(0, 1, "a", "person", mention_type="name")
    builder.mention(0, 3, "b", "person", spans=[(0, 1), (2, 3)])
    return builder.corpus()


def pages():
    return [
        inspect(EXAMPLES / "key.conll", EXAMPLES / "response.conll", EXAMPLES / "second.jsonlines"),
        inspect(annotated(["Ann", "and", "Tom"]), annotated(["A", "nn", "and", "Tom"]), tokens="align"),
        inspect({"d": [["a", "b"]], "e": [["c"]]}, {"d": [["a"], ["b"]]}, {"e": [["c"]]}),
        inspect([["a"]], [["a"]], metrics=["vi"]),
    ]


def alone():
    """Bridging, split antecedents, a zero, non-referring: all that one annotation may have."""
    builder = CorpusBuilder()
    builder.document("d", ["Ann", "met", "Tom", ".", "They", "saw", "the", "house", "and", "_", "the", "door", "."], [0, 4])
    builder.empty_node(9, 1, 1)
    ann, tom = (builder.mention(n, n + 1, name, "person", head=n) for n, name in ((0, "a"), (2, "t")))
    builder.mention(4, 5, "they")
    house = builder.mention(6, 8, "h", "place", head=7)
    builder.mention(9, 10, "they")
    builder.bridge(builder.mention(10, 12, "door", head=11), house, "part")
    assert (ann, tom) == (0, 1)
    for element in (0, 1):
        builder.split_antecedent(2, element)
    return inspect(builder.corpus())


def with_records(folder):
    (folder / "records.csv").write_text("id,name\na,Ann\nb,\n")
    sides = [["a", "b"]], [["a"], ["b"]]
    options = {"records": folder / "records.csv"}
    return [inspect(*sides, **options), inspect(sides[0], **options), of_annotators(*sides, sides[0], names=("a", "b", "c"))]


TYPE = {"overview": "Overview", "documents": "DocumentData[]", "errors": "CorpusErrors"}


@pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")
@pytest.mark.skipif(not TSC.exists(), reason="typescript is absent: npm install")
def test_records_have_the_types_that_the_scripts_expect(tmp_path):
    lines = [f'import type {{ {", ".join(kind.strip("[]") for kind in TYPE.values())} }} from "{TYPES}";']
    for inspection in [*pages(), alone(), *with_records(tmp_path)]:
        for name, packed in re.findall(r'<script type="text/plain" id="([a-z]+)[-0-9]*">([^<]*)<', inspection.html()):
            record = gzip.decompress(base64.b64decode(packed)).decode()
            lines.append(f"export const record{len(lines)}: {TYPE[name]} = {record};")
    (tmp_path / "records.ts").write_text("\n".join(lines))
    done = subprocess.run([TSC, *OPTIONS, tmp_path / "records.ts"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == ""
    assert done.returncode == 0
