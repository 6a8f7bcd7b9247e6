"""Fit a parser to a treebank: sentences, words, tags, features, lemmas and trees.

TRAIN is CoNLL-U with trees of Universal Dependencies, and with the texts of its sentences (# text), from which sentences and
words are learnt. The same files give the same model, byte for byte, on any machine. 200,000 words take some minutes.

Examples
--------
referee parse fit fr_sequoia-ud-train.conllu --language fr -o fr.model
referee parse fit ewt.conllu gum.conllu --features gum.conllu --language en -o en.model
referee parse texte.txt --model fr.model -o texte.conllu
referee resolve texte.txt --parser fr.model --model rules
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.exceptions import OptionError


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("train", metavar="TRAIN", nargs="+", help="treebanks in CoNLL-U")
    parser.add_argument(
        "--features", metavar="FILE", nargs="+", help="the treebanks whose FEATS are learnt, if those of all do not agree"
    )
    parser.add_argument("--language", metavar="CODE", required=True, help="the language, such as en or fr")
    parser.add_argument("--name", metavar="NAME", help="what signatures call the model (default: the language)")
    parser.add_argument("--licence", metavar="TEXT", default="", help="the licence of the model, which is written into it")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="write the model to a file")


def run(args: Namespace) -> int:
    """Fit, and write."""
    if args.output == "-":
        raise OptionError("a model is no text; expected the name of a file: -o FILE")
    if "-" in [*args.train, *(args.features or ())]:
        raise OptionError("treebanks are read more than once; expected files, not -")
    options = {"features": args.features, "language": args.language, "licence": args.licence, "name": args.name or ""}
    referee.parsing.save(referee.parsing.fit(args.train, **options), args.output)
    return 0
