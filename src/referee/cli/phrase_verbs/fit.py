"""Fit a model of phrases: XK and 1 to one corpus; G, C, S and Z to two, the second to learn how reliable the rules are.

TRAIN and SECOND are tags in columns (word, part of speech, IOB), trees in the brackets of the Penn Treebank (a file, or a
folder of .mrg files), trees of Universal Dependencies (CoNLL-U, with `--format dependencies`), or any other format of
phrases. The models are 0, 1, XK, G, C, S(G), S(C), Z(G), Z(C). S and Z mean S(G) and Z(G).

Examples
--------
referee phrases fit --model XK train.txt -o xk.json
referee phrases fit --model C first.txt --second second.txt -o c.json
referee phrases fit --model "S(C)" first.txt --second second.txt --tagger hmm -o s.json
referee phrases fit --model "S(C)" first.conllu --second second.conllu --format dependencies -o s.json
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics import progress
from referee.basics.exceptions import OptionError
from referee.basics.files import output
from referee.basics.options.choices import PHRASE_FORMATS, TREE_CHUNKS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("train", metavar="TRAIN", help="the corpus from which rules and proportions are learnt")
    parser.add_argument("-m", "--model", metavar="NAME", required=True, help="the model, such as XK, C or S(C)")
    parser.add_argument("--second", metavar="SECOND", help="the corpus from which the reliability of the rules is learnt")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write the model to a file")
    add_reading(parser)


def add_reading(parser: ArgumentParser) -> None:
    """Add the options of fit and reproduce that say how corpora are read."""
    parser.add_argument(
        "--tagger",
        choices=("corpus", "hmm"),
        default="corpus",
        help="the source of tags: the corpora, or an HMM trained on TRAIN, with probabilities (default: corpus)",
    )
    parser.add_argument("--format", choices=PHRASE_FORMATS, metavar="FORMAT", help="format of the corpora (default: detected)")
    parser.add_argument("--trees", choices=TREE_CHUNKS, default="abney", help="how trees become chunks (default: abney)")


def run(args: Namespace) -> int:
    """Fit the model and write it."""
    from referee.phrases.models.by_name import FROM_ONE, fit
    from referee.phrases.models.corpora import read_corpus
    from referee.phrases.models.files import save
    from referee.phrases.models.tagger import HMM

    if args.model in FROM_ONE and (args.second or args.tagger == "hmm"):
        option = "--second" if args.second else "--tagger"
        raise OptionError(f"model {args.model} is fitted to one corpus and does not use tags; expected no {option}")
    progress.step("reading")
    train = read_corpus(args.train, trees=args.trees, format=args.format)
    second = read_corpus(args.second, trees=args.trees, format=args.format) if args.second else None
    progress.step("fitting")
    tagger = HMM.train(train.sentences, source=train.source) if args.tagger == "hmm" else None
    model = fit(args.model, train, second, tagger=tagger)
    with output(args.output) as out:
        save(model, out)
    return 0
