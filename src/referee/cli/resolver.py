"""Make the models of `referee resolve`, and look at them.

Examples
--------
referee resolver fit train.conllu -o model.json
referee resolver tune train.conllu --objective lea -o numbers.toml
referee resolver ablate dev.conllu --model numbers.toml
referee resolver show model.json --table pronouns
referee resolver fit --help
"""

from __future__ import annotations

from argparse import ArgumentParser

from referee.cli.main import add_verb

VERBS = {
    "fit": "fit tables to annotated text",
    "tune": "tune the numbers of the rules",
    "ablate": "show what each rule or table is worth",
    "show": "say what a model has learnt",
}
"""The sub-verbs: a module of `referee.cli.resolver_verbs` each."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the sub-verbs and their arguments."""
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for verb, summary in VERBS.items():
        add_verb(verbs, verb, summary, f"referee.cli.resolver_verbs.{verb}")
