"""Find the entities of a text with trees: which mentions refer to the same thing.

INPUT is CoNLL-U with HEAD and DEPREL. Mentions are those of the input if it has some, else they are found in the trees; of
annotation only the spans are looked at. The output has every line, column and comment of the input, and new entities in the
attribute Entity (CorefUD); the ending of the file may ask for another format.

The default model was fitted to English (GUM, genres under CC BY). For another language fit one with `referee resolver fit`,
or use `--model rules`, which knows codes of Universal Dependencies only.

Examples
--------
referee resolve text.conllu -o out.conllu
referee resolve text.conllu --model rules --quantifier mean -o out.conllu
referee resolve text.conllu --mentions mine.jsonlines -o out.conll
referee resolve text.conllu -o out.conllu --explain why.tsv
referee resolve text.conllu -o out.conllu --mentions tree --candidates mentions.jsonl
referee resolve key.conllu --strategy pronouns-together -o together.conllu
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.exceptions import OptionError
from referee.basics.files import output
from referee.options.choices import FORMATS, QUANTIFIERS, STRATEGIES


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("input", metavar="INPUT", help="a file in CoNLL-U, or - for standard input")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write the entities to a file")
    parser.add_argument(
        "--to", choices=FORMATS, metavar="FORMAT", help="format of the output (default: from its ending, or corefud)"
    )
    parser.add_argument(
        "-m", "--model", metavar="MODEL", default="tables", help="tables, rules, rules-mean, or a file (default: tables)"
    )
    parser.add_argument("--mentions", metavar="key|tree|FILE", help="those of the input, of the trees, or of another file")
    parser.add_argument(
        "--quantifier", choices=QUANTIFIERS, help="how the mentions of an MR count (default: that of the model)"
    )
    parser.add_argument("--window", type=int, metavar="NUMBER", help="how many earlier mentions are compared (default: 300)")
    parser.add_argument("--memory", type=int, metavar="NUMBER", help="how many MRs are remembered (default: all)")
    parser.add_argument(
        "--one-gender", choices=("yes", "no"), help="whether no entity has both he and she (default: as the model says)"
    )
    parser.add_argument(
        "--singletons", choices=("keep", "drop"), default="keep", help="entities with one mention (default: keep)"
    )
    parser.add_argument(
        "--synonyms", metavar="FILE", help="heads that are compared as equal: a set a line, commas between words"
    )
    parser.add_argument("--strategy", choices=STRATEGIES, metavar="NAME", help=f"a baseline instead: {', '.join(STRATEGIES)}")
    parser.add_argument("--candidates", metavar="FILE", help="write mentions with probabilities, for `phrases score`")
    parser.add_argument("--explain", metavar="FILE", help="write why, one row a decision (TSV)")


def run(args: Namespace) -> int:
    """Resolve, and write."""
    from referee.resolver.resolving import resolution

    if args.explain and args.strategy:
        raise OptionError("--explain says why a model decides; expected no --strategy")
    if [args.input, args.mentions, args.synonyms].count("-") > 1 or [args.output, args.explain].count("-") > 1:
        raise OptionError("- can be read, and written, only once; expected a file for one of them")
    found = resolution(
        args.input,
        args.model,
        mentions=args.mentions,
        quantifier=args.quantifier,
        window=args.window,
        memory=args.memory,
        one_gender={"yes": True, "no": False}.get(args.one_gender),
        strategy=args.strategy,
        synonyms=args.synonyms,
        singletons=args.singletons,
        explain=bool(args.explain),
    )
    if args.explain and found.explanation:
        with output(args.explain) as out:
            found.explanation.write(out)
    if args.candidates:
        from referee.phrases.formats.writing import write  # a plain run does not need it, and it is slow to import
        from referee.resolver.candidates import mention_candidates
        from referee.resolver.files import load

        detector = load(args.model).detector or load().detector
        assert detector is not None
        write(mention_candidates(found.given.syntax, found.given.corpus, detector), args.candidates)
    found.write(args.output, format=args.to)
    return 0
