"""A shared task like CRAC: a key of 22 files and five systems, made of the CorefUD kit, whose numbers of documents are known.

Eleven files have documents of `gum-by`, and eleven those of `gum-by-zeros`, which have the same names. The systems are the two
responses of the kit, two that have every other document of each, and one that lacks three files. Documents are left out in
which the program settles a tie by the order of its solver, or contradicts its own matching of zeros; see
`tests.golden.test_corefud`.
"""

import gzip
import json
import re
from functools import cache

from tests.support.corefud_kit import KIT

FOLDERS = {"gum-by": ("gumby", "en_gum{:02}"), "gum-by-zeros": ("zeros", "es_zeros{:02}")}
"""Folder of the kit -> how its files begin, and what the datasets made of it are called."""

OTHERWISE = {
    "gum-by": """academic_epistemic academic_huh academic_implicature court_equality court_fire court_property interview_dungeon
        interview_herrick interview_messina""",
    "gum-by-zeros": """court_carpet court_equality court_fire court_negligence court_prince interview_chomsky interview_daly
        interview_gaming news_imprisoned
        interview_dungeon interview_messina interview_onion interview_peres news_defector news_election news_hackers
        news_homeopathic""",
}

NUMBER = 11
ENDING = "-corefud-test"
LACKING = {"en_gum03" + ENDING, "es_zeros00" + ENDING, "es_zeros07" + ENDING}

SYSTEMS = {
    "first": lambda _: "sys1",
    "second": lambda _: "sys2",
    "even": lambda n: ("sys1", "sys2")[n % 2],
    "odd": lambda n: ("sys2", "sys1")[n % 2],
    "partial": lambda _: "sys1",
}
"""System -> whose response to the document of a number it has."""


def documents(folder, side):
    """Name -> the lines of each document of a file of the kit."""
    text = gzip.decompress((KIT / folder / f"{FOLDERS[folder][0]}.{side}.conllu.gz").read_bytes()).decode()
    parts = re.split(r"(?m)^(?=# newdoc)", text)[1:]
    left_out = {f"GUM_{name}" for name in OTHERWISE[folder].split()}
    named = {re.match(r"# newdoc id = (\S+)", part)[1]: part for part in parts}
    head = re.search(r"# global\.Entity.*\n", parts[0])[0]
    return {name: part.replace(head, "").replace("\n", f"\n{head}", 1) for name, part in named.items() if name not in left_out}


def datasets(folder):
    """Dataset -> the numbers of its documents."""
    number, name = len(documents(folder, "key")), FOLDERS[folder][1]
    return {name.format(n) + ENDING: range(n, number, NUMBER) for n in range(NUMBER)}


def write(path):
    """Write the key and the systems, a folder each, and return their paths, the key first."""
    for folder in FOLDERS:
        sides = {side: list(documents(folder, side).values()) for side in ("key", "sys1", "sys2")}
        for dataset, numbers in datasets(folder).items():
            for system, whose in {"key": lambda _: "key", **SYSTEMS}.items():
                if system == "partial" and dataset in LACKING:
                    continue
                target = path / system / f"{dataset}.conllu"
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("".join(sides[whose(n)][n] for n in numbers))
    return [path / system for system in ("key", *SYSTEMS)]


@cache
def _per_document(folder):
    return json.loads(gzip.decompress((KIT / folder / "expected.per_doc.json.gz").read_bytes()))


CONLL = ("muc", "bcub", "ceafe")


def expected(match="head", singletons=False, zeros="dependent", metrics=CONLL):
    """System -> dataset -> the mean F1, of the counts that the CorefUD scorer 1.2 has for each document."""
    cells = {system: {} for system in SYSTEMS}
    for folder, (begin, _) in FOLDERS.items():
        options = {"match": match, "singletons": singletons, "zeros": zeros}
        of_side = {
            side: next(
                case["docs"]
                for case in _per_document(folder)
                if case["options"] == options and case["response"] == f"{begin}.{side}.conllu"
            )
            for side in ("sys1", "sys2")
        }
        names = list(documents(folder, "key"))
        for dataset, numbers in datasets(folder).items():
            for system, whose in SYSTEMS.items():
                lacks = system == "partial" and dataset in LACKING
                cells[system][dataset] = 0.0 if lacks else _mean([(of_side[whose(n)], names[n]) for n in numbers], metrics)
    return cells


def _mean(rows, metrics):
    f = []
    for metric in metrics:
        a, b, c, d = (sum(docs[metric][name][place] for docs, name in rows) for place in range(4))
        f.append(0.0 if not a * c else 2 * (a / b) * (c / d) / (a / b + c / d))
    return sum(f) / len(metrics)
