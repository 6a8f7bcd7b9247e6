"""List every error in files, or in the files of folders, with line numbers. The exit status is 1 if there is an error.

examples:
  referee validate response.conll
  referee validate predictions/*.jsonlines
  referee validate predictions
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import numpy as np

from referee.corpus.views import Mention
from referee.formats.reading import read, validate
from referee.formats.registry import FORMATS
from referee.matching.repeated_mentions import repeated
from referee.messages import one_line, shortened


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, a folder, or - for standard input")
    parser.add_argument("--format", choices=FORMATS, metavar="FORMAT", help="format of the files (default: detected)")


def run(args: Namespace) -> int:
    count = 0
    for path in args.files:
        faults = [str(fault) for fault in validate(path, format=args.format)] or _repeated(path, args.format)
        count += len(faults)
        for fault in faults:
            print(one_line(fault))
        if not faults:
            print(f"{one_line(path)}: no fault")
    return 1 if count else 0


def _repeated(path: str, format: str | None) -> list[str]:
    """Mentions that a file without other faults lists twice: scoring has a policy for them, but they are seldom meant."""
    if path == "-":
        return []
    corpus = read(path, format=format)
    faults = []
    for m in np.flatnonzero(repeated(corpus)).tolist():
        mention, before = Mention(corpus, m), Mention(corpus, m - 1)
        what = repr(shortened(mention.text)) if corpus.items is not None else f"tokens {mention.start} to {mention.end}"
        labels = dict.fromkeys(shortened(m.entity.id) for m in (before, mention))
        where = corpus.doc_ids[corpus.document[m]]
        entities = f"entities {' and '.join(labels)}" if len(labels) > 1 else f"entity {''.join(labels)}"
        faults.append(f"{path}: document {where!r}: {what} is listed twice, in {entities}; expected each mention once")
    return faults
