"""Times `referee resolve` and `referee resolver fit` as processes: CPU seconds, tokens a second and memory.

    python benchmarks/resolver.py TRAIN TEST

Both are CoNLL-U with trees and Entity, compressed or not. The training text is also resolved as one document, as long as a
book.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from referee.formats.shared.source import Source

REFEREE = [sys.executable, "-m", "referee"]


def one_document(text: str) -> str:
    """All documents as one, without their entities: mentions are found in the trees."""
    lines = [line for line in text.split("\n") if not line.startswith(("# newdoc", "# global.Entity"))]
    return "# newdoc id = book\n" + re.sub(r"\tEntity=\S*", "\t_", "\n".join(lines))


def tokens(text: str) -> int:
    return len(re.findall(r"^[0-9]+(?:\.[0-9]+)?\t", text, re.MULTILINE))


def timed(name: str, count: int, *arguments: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*REFEREE, *arguments], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{name:34} {count:8,} tokens  {seconds:6.2f} CPU s  {count / seconds:8,.0f} tokens/s  {after.ru_maxrss // 1024:5} MB"
    )


def main() -> None:
    train, test = sys.argv[1:]
    of_train, of_test = (Source(path).raw().decode() for path in (train, test))
    with tempfile.TemporaryDirectory() as folder:
        book, out, model = (str(Path(folder) / name) for name in ("book.conllu", "out.conllu", "model.json"))
        Path(book).write_text(one_document(of_train), encoding="utf-8")
        for name in ("tables", "rules"):
            timed(f"resolve, {name}, gold mentions", tokens(of_test), "resolve", test, "-m", name, "-o", out)
            timed(f"resolve, {name}, from trees", tokens(of_test), "resolve", test, "-m", name, "--mentions", "tree", "-o", out)
        timed("resolve, tables, one long document", tokens(of_train), "resolve", book, "-o", out)
        timed("fit", tokens(of_train), "resolver", "fit", train, "-o", model)


if __name__ == "__main__":
    main()
