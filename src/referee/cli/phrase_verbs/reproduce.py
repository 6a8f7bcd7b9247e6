"""Reproduce the table of Abney (1993) on a corpus: fit every model, and score it on other sentences.

Give three corpora: TRAIN, from which rules are learnt; SECOND, from which their reliability is learnt; and TEST. If you give
two, the halves of the first are TRAIN and SECOND. A single corpus is split as --split says. Formats are those of
`referee phrases fit`.

Examples
--------
referee phrases reproduce train.txt test.txt
referee phrases reproduce treebank/combined --split 1706,659
referee phrases reproduce train.txt second.txt test.txt --tagger hmm --report csv
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

import referee
from referee.basics import progress
from referee.basics.exceptions import OptionError
from referee.cli import report_options
from referee.cli.phrase_verbs.fit import add_reading


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "corpora", metavar="CORPUS", nargs="+", help="train, second and test; or train and test; or one to split"
    )
    parser.add_argument(
        "--split", metavar="A,B", help="split one corpus: A sentences to train, B for the second, the rest to test"
    )
    report_options.add_arguments(parser)
    add_reading(parser)


def run(args: Namespace) -> int:
    """Fit and score every model, and write the table."""
    from referee.phrases.models.reproduction import reproduce
    from referee.phrases.models.tagger import HMM

    progress.step("reading")
    train, second, test = _corpora(args)
    progress.step("training the tagger")
    tagger = HMM.train(train.sentences, source=train.source) if args.tagger == "hmm" else None
    table = reproduce(train, second, test, tagger=tagger)
    report_options.write(replace(table, settings={"tags": args.tagger, "trees": args.trees}), args)
    return 0


def _corpora(args: Namespace) -> list[referee.phrases.Chunks]:
    """The three corpora."""
    from referee.phrases.models.corpora import read_corpus, split

    paths = args.corpora
    if len(paths) > 3 or paths.count("-") > 1:
        raise OptionError(f"found {len(paths)} corpora; expected one, two or three, and one from standard input at most")
    if (len(paths) == 1) != bool(args.split):
        raise OptionError("--split is for a single corpus; found it with several, or one without it: give --split A,B")
    corpora = [read_corpus(path, trees=args.trees, format=args.format) for path in paths]
    if args.split:
        return split(corpora[0], _sizes(args.split))
    if len(corpora) == 2:
        return [*split(corpora[0], [len(corpora[0].sentences) // 2]), corpora[1]]
    return corpora


def _sizes(text: str) -> list[int]:
    """The two numbers of --split."""
    sizes = text.split(",")
    if len(sizes) != 2 or not all(size.strip().isdecimal() and len(size) < 10 for size in sizes):
        raise OptionError(f"--split takes two numbers of sentences, as in 1706,659; found {text!r}")
    return [int(size) for size in sizes]
