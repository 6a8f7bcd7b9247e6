"""Fit a model: what makes a phrase, learnt from one corpus, and for G, C, S and Z how much to believe it, from a second.

TRAIN and SECOND are tags in columns (word, part of speech, IOB), trees in the brackets of the Penn Treebank (a file, or a
folder of .mrg files), or any other format of phrases. Models: 0, 1, XK, G, C, S(G), S(C), Z(G), Z(C); S and Z are S(G), Z(G).

examples:
  referee phrases fit --model XK train.txt -o xk.json
  referee phrases fit --model C first.txt --second second.txt -o c.json
  referee phrases fit --model "S(C)" first.txt --second second.txt --tagger hmm -o s.json
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from referee.exceptions import OptionError
from referee.files import output
from referee.phrases.chunks.chunking import MODES
from referee.phrases.formats.registry import FORMATS
from referee.phrases.models.corpora import read_corpus
from referee.phrases.models.files import save
from referee.phrases.models.registry import FROM_ONE, fit
from referee.phrases.models.tagger import HMM


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("train", metavar="TRAIN", help="the corpus that rules and proportions are learnt from")
    parser.add_argument("-m", "--model", metavar="NAME", required=True, help="0, 1, XK, G, C, or S or Z of one of the latter")
    parser.add_argument("--second", metavar="SECOND", help="the corpus that tells how good the rules are")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write the model to a file")
    add_reading(parser)


def add_reading(parser: ArgumentParser) -> None:
    """What fit and reproduce have in common."""
    parser.add_argument(
        "--tagger", choices=("corpus", "hmm"), default="corpus",
        help="whose tags: the corpora's, or probabilities of an HMM trained on TRAIN (default: corpus)",
    )  # fmt: skip
    parser.add_argument("--format", choices=FORMATS, help="format of the corpora (default: told from the content)")
    parser.add_argument("--trees", choices=MODES, default="abney", help="how trees become chunks (default: abney)")


def run(args: Namespace) -> int:
    if args.model in FROM_ONE and (args.second or args.tagger == "hmm"):
        option = "--second" if args.second else "--tagger"
        raise OptionError(f"model {args.model} learns from one corpus and looks at no tags; expected no {option}")
    progress("reading")
    train = read_corpus(args.train, mode=args.trees, format=args.format)
    second = read_corpus(args.second, mode=args.trees, format=args.format) if args.second else None
    progress("fitting")
    tagger = HMM.train(train.sentences, source=train.source) if args.tagger == "hmm" else None
    model = fit(args.model, train, second, tagger=tagger)
    progress()
    with output(args.output) as out:
        save(model, out)
    return 0


def progress(text: str = "") -> None:
    """What is being done, on standard error, if that is a terminal; nothing clears the line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
