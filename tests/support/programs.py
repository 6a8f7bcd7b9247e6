"""The programs that `referee as` stands for: the real ones where they are found, and what they printed for our own files.

The folder REFEREE_PROGRAMS (by default ../shared/programs) has a folder for each repository:
reference-coreference-scorers, and so on. ``python -m tests.support.programs PROGRAM`` stores what the real program prints.
"""

import contextlib
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from referee.compat.programs import PROGRAMS
from tests.support.conll_pairs import write_pair
from tests.support.corefud_pairs import corefud_pair
from tests.support.paths import ROOT, SHARED
from tests.support.ua_pairs import Kind, ua_pair

FOLDER = Path(os.environ.get("REFEREE_PROGRAMS", SHARED / "programs"))
CORRECTED = {"#evaluate(args)": "evaluate(args)", "reader == CoNLLReader": "reader = CoNLLReader"}
"""What keeps the Universal Anaphora scorer 2.0 from printing scores."""
STORED = ROOT / "tests" / "compat" / "programs" / "stored"


@dataclass(frozen=True)
class Case:
    """A call: arguments, the files that they name, and standard input; later, what the program printed."""

    arguments: Sequence[str]
    files: Mapping[str, str]
    stdin: str = ""
    printed: str = ""


Cases = Callable[[int], Case]
"""seed -> a call"""


def scorer_pl(seed):
    """One document with a listing, or several and totals, because the order of documents is random."""
    documents = 1 if seed % 2 else 3
    metric = ("all", "muc", "bcub", "ceafm", "ceafe", "blanc")[seed // 2 % 6]
    files = _pair(seed, documents, repeated=seed % 4 == 1)
    name = [] if documents == 1 else ["(doc1); part 000"] if seed % 8 == 2 else ["none"]
    return Case([metric, *files, *name], files)


def conlleval(seed):
    """Random tags in three columns, well-formed or not, sometimes as LaTeX, raw, or with tabs."""
    chance = random.Random(seed)
    delimiter = "\t" if seed % 3 == 1 else " "
    prefixes = "OBI" if seed % 4 else "OBIES"
    raw = seed % 7 == 3
    lines = []
    for _ in range(chance.randint(1, 60)):
        tags = [_tag(chance, prefixes, raw)] * 2
        tags[1] = _tag(chance, prefixes, raw) if chance.random() < 0.4 else tags[1]
        lines.append(delimiter.join(["word", *tags]) if chance.random() < 0.9 else "")
    options = [*(["-d", "\\t"] if seed % 3 == 1 else []), *(["-r"] if raw else []), *(["-l"] if seed % 5 == 2 else [])]
    return Case(options, {}, "\n".join([*lines, ""]))


def conlleval_py(seed):
    """As `conlleval`, without options, and with a chunk in the key."""
    return Case([], {}, "word B-NP B-NP\n\n" + conlleval(seed * 3 * 7).stdin)


def coval(seed):
    """Some or all metrics, with singletons or without."""
    files = _pair(seed, 1 + seed % 3, repeated=seed % 4 == 1)
    metrics = [[], ["all"], ["muc", "lea"], ["ceafe", "bcub", "muc"], ["mentions"]][seed % 5]
    return Case([*files, *metrics, *(["remove_singletons"] if seed % 3 == 2 else [])], files)


def corefud(seed):
    """Zeros, repeated mentions and several heads a span, by each kind of matching."""
    options = [
        [], ["-s"], ["-x"], ["-a", "partial"], ["-a", "exact", "-s"], ["-z", "linear"],
        ["-m", "muc", "bcub", "ceafe"], ["-s", "-m", "lea", "zero"], ["-s", "-a", "partial", "-z", "linear"],
    ]  # fmt: skip
    files = corefud_pair(seed, 1 + seed % 3, zeros=seed % 2 == 0, repeated=seed % 4 >= 2)
    return Case([*files, *options[seed % 9]], files)


def ua(seed):
    """All layers, by each kind of matching; BLANC only without split antecedents."""
    options, kind = UA_OPTIONS[seed % len(UA_OPTIONS)]
    files = ua_pair(seed, 1 + seed % 3, kind)
    return Case([*files, *options.split()], files)


def ua_1(seed):
    """All layers; LEA and BLANC only without split antecedents."""
    options, kind = UA_1_OPTIONS[seed % len(UA_1_OPTIONS)]
    files = ua_pair(seed, 1 + seed % 3, kind, missing=True)
    return Case([*files, *options.split()], files)


UA_OPTIONS = [
    ("", Kind(zeros=True)),
    ("-s", Kind(zeros=True, discontinuous=True)),
    ("-s -m muc bcub ceafe ceafm blanc lea", Kind(discontinuous=True)),
    ("-s -l -m muc bcub ceafe ceafm lea", Kind(split=True, repeated=False)),
    ("-s -z -m conll", Kind(zeros=True)),
    ("-s -m non-referring muc bridging", Kind(zeros=True)),
    ("-m bridging -s", Kind(discontinuous=True)),
    ("-m non-referring bridging", Kind()),
    ("-d -m muc bcub ceafe ceafm lea", Kind(split=True, repeated=False)),
    ("--only-split-antecedent -m muc bcub ceafe ceafm blanc lea", Kind(split=True, repeated=False)),
    ("-a partial-corefud -s -m conll", Kind(minimum=True)),
    ("-a partial-craft -s", Kind(discontinuous=True)),
    ("-d -s -m muc bridging non-referring", Kind(split=True, repeated=False, zeros=True)),
]
"""Options of the Universal Anaphora scorer 2.0, and what files have."""

UA_1_OPTIONS = [
    ("", Kind()),
    ("remove_singletons remove_split_antecedents", Kind(zeros=True)),
    ("muc bcub ceafe ceafm keep_bridging", Kind(split=True, repeated=False)),
    ("keep_non_referrings keep_bridging remove_split_antecedent", Kind(zeros=True, discontinuous=True)),
    ("MIN keep_bridgings keep_non_referring", Kind(minimum=True, repeated=False)),
    ("evaluate_discourse_deixis muc bcub ceafe", Kind(split=True, repeated=False)),
    ("only_split_antecedent keep_bridging", Kind(split=True, repeated=False)),
    ("min muc ceafe ceafm", Kind(split=True, repeated=False, minimum=True)),
    ("only_split_antecedents min ceafm", Kind(split=True, repeated=False, minimum=True)),
]
"""Options of version 1, and what files have."""


def _tag(chance, prefixes, raw):
    prefix, category = chance.choice(prefixes), chance.choice(("NP", "VP", "A-B"))
    return "O" if prefix == "O" else category if raw else f"{prefix}-{category}"


def _pair(seed, documents, *, repeated):
    with tempfile.TemporaryDirectory() as folder:
        paths = write_pair(seed, Path(folder), documents, repeated=repeated)
        texts = {Path(path).name: Path(path).read_text(encoding="utf-8") for path in paths}
    if seed % 10 in (3, 6):  # a side without annotation, or its first document
        emptied = [*texts][seed // 10 % 2]
        first, mark, rest = texts[emptied].partition("#end document")
        texts[emptied] = _emptied(first) + mark + (_emptied(rest) if seed % 10 == 3 else rest)
    return texts


def _emptied(text):
    """The text without annotation."""
    return re.sub(r"\t[^\t\n]+$", "\t-", text, flags=re.MULTILINE)


REAL = {
    "scorer.pl": (["perl", f"{FOLDER}/reference-coreference-scorers/scorer.pl"], scorer_pl),
    "corefud-scorer": ([sys.executable, f"{FOLDER}/corefud-scorer/corefud-scorer.py"], corefud),
    "ua-scorer": ([sys.executable, f"{FOLDER}/corefud-scorer/ua-scorer.py"], ua),
    "ua-scorer-1": ([sys.executable, f"{FOLDER}/universal-anaphora-scorer/ua-scorer.py"], ua_1),
    "coval": ([sys.executable, f"{FOLDER}/coval/scorer.py"], coval),
    "conlleval": (["perl", f"{FOLDER}/seqeval/tests/conlleval.pl"], conlleval),
    "conlleval --python": ([sys.executable, f"{FOLDER}/conlleval/conlleval.py"], conlleval_py),
}
"""Program -> how it is started, and calls."""


def real(program, case, folder):
    """What the real program prints."""
    command = REAL[program][0]
    if not Path(command[-1]).is_file():
        pytest.skip(f"needs {command[-1]}: name its folder as REFEREE_PROGRAMS")
    if command[0] == sys.executable:
        return _imported(command[1], case, folder)
    return _run([*command, *case.arguments], case, folder)


def _imported(script, case, folder):
    """What a script in Python prints, without a new process."""
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    arguments = [str(folder / a) if a in case.files else a for a in case.arguments]
    source = Path(script).read_text(encoding="utf-8")
    for wrong, right in CORRECTED.items():
        source = source.replace(wrong, right)
    out, argv, path, stdin, modules = io.StringIO(), sys.argv, sys.path, sys.stdin, dict(sys.modules)
    sys.argv, sys.path, sys.stdin = [script, *arguments], [str(Path(script).parent), *path], io.StringIO(case.stdin)
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(source, script, "exec"), {"__name__": "__main__"})
    finally:
        sys.argv, sys.path, sys.stdin = argv, path, stdin
        for name in {"coval", "scorer", *(m for m in sys.modules if m.startswith(("coval.", "scorer.")))} - set(modules):
            sys.modules.pop(name, None)  # two programs have a package coval
    return out.getvalue()


def ours(program, case, folder, monkeypatch):
    """What `referee as` prints, or why it does not."""
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    name, *options = program.split()
    arguments = [str(folder / a) if a in case.files else a for a in case.arguments]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(case.stdin.encode())))
    return PROGRAMS.load(name)([*options, *arguments]).text


def _run(command, case, folder):
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return subprocess.run(command, cwd=folder, input=case.stdin, capture_output=True, text=True, check=False).stdout


def stored(program):
    """Calls, and what the real program printed."""
    return [Case(**case) for case in json.loads(gzip.decompress(_file(program).read_bytes()))]


def _file(program):
    return STORED / f"{program.replace(' --', '-')}.json.gz"


def main(program, number=40):
    """Store what the real program prints."""
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(number):
            case = REAL[program][1](seed)
            cases.append({**asdict(case), "printed": real(program, case, Path(folder))})
    STORED.mkdir(exist_ok=True)
    (STORED / f"{program.replace(' --', '-')}.json.gz").write_bytes(
        gzip.compress(json.dumps(cases, indent=1).encode(), mtime=0)
    )


if __name__ == "__main__":
    main(sys.argv[1])
