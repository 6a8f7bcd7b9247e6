"""Fit tables, and a detector of mentions, to annotated text: CoNLL-U with trees and Entity (CorefUD).

By default no words but pronouns and determiners are in the model. Those tables that look at more are named by --with:
`referee resolve fit --list` lists all.

Examples
--------
referee resolve fit train.conllu -o model.json
referee resolve fit train.conllu more.conllu --with pronhead,headpron -o model.json
referee resolve fit train.conllu --without tree,roles --quantifier mean -o model.json
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.exceptions import OptionError, check_name
from referee.basics.options.choices import EPOCHS, QUANTIFIERS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("train", metavar="TRAIN", nargs="*", help="annotated text")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write the model to a file")
    parser.add_argument(
        "--quantifier", choices=QUANTIFIERS, default="any", help="how the mentions of an MR count (default: any)"
    )
    parser.add_argument(
        "--epochs", type=int, default=EPOCHS, metavar="NUMBER", help=f"passes over the text (default: {EPOCHS})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="NUMBER", help="of the order of the documents (default: 0)")
    parser.add_argument("--with", dest="more", default="", metavar="TABLE,...", help="more tables, or all")
    parser.add_argument("--without", default="", metavar="TABLE,...", help="leave out tables")
    parser.add_argument(
        "--one-gender", choices=("yes", "no"), help="whether no entity has both he and she (default: as in the text)"
    )
    parser.add_argument("--synonyms", metavar="FILE", help="fit a table of synonyms, too: a set a line, commas between words")
    parser.add_argument("--lexicon", metavar="english|none|FILE", help="for the table kind (default: english for English)")
    parser.add_argument("--list", action="store_true", help="list the tables")


def run(args: Namespace) -> int:
    """Fit the model and write it."""
    from referee.resolver.tables import DEFAULT, TABLES

    if args.list:
        for name, table in TABLES.items():
            print(f"{name:12} {table.kind:7} {'default' if name in DEFAULT else '':8} {table.words}")
        return 0
    if not args.train:
        raise OptionError("expected a file to learn from, or --list")
    if "synonym" in _names(args.more if args.more != "all" else "") and not args.synonyms:
        raise OptionError("the table synonym is fitted to pairs of synonyms; expected --synonyms FILE")
    names = [*DEFAULT, *(TABLES if args.more == "all" else _names(args.more))]
    how = {name: getattr(args, name) for name in ("quantifier", "epochs", "seed", "synonyms", "lexicon")}
    how |= {"tables": [name for name in names if name not in _names(args.without)]}
    one_gender = {"yes": True, "no": False}.get(args.one_gender)
    referee.resolver.save(referee.resolver.fit(args.train, one_gender=one_gender, **how), args.output)
    return 0


def _names(text: str) -> list[str]:
    """Names of tables, with commas between them."""
    from referee.resolver.tables import TABLES

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        check_name("table", name, TABLES)
    return names
