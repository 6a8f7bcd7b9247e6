"""The directive `command-line`: the reference of the command, generated from its parsers."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from referee.cli.main import parser


class CommandLine(SphinxDirective):
    """A section for each verb, with its usage, description, options and examples."""

    def run(self) -> list[nodes.Node]:
        """Make the sections."""
        return [section(self, command) for command in verbs(parser())]


def verbs(command: ArgumentParser) -> Iterator[ArgumentParser]:
    """The parsers of all verbs, and of their verbs."""
    groups = [action for action in command._actions if isinstance(action, _SubParsersAction)]
    for group in groups:
        for verb in group.choices.values():
            yield verb
            yield from verbs(verb)


def section(directive: SphinxDirective, command: ArgumentParser) -> nodes.section:
    """The section of a verb."""
    words = command.prog.replace("[OPTION ...]", "").split()
    name = "-".join(words)
    found = nodes.section("", nodes.title("", " ".join(words[1:])), ids=[name], names=[name])
    directive.state.document.note_explicit_target(found)
    found += nodes.literal_block("", " ".join(command.format_usage().removeprefix("usage: ").split()), language="text")
    found += [nodes.paragraph("", paragraph) for paragraph in (command.description or "").split("\n\n") if paragraph.strip()]
    for group in command._action_groups:
        shown = [
            a for a in group._group_actions if a.help != SUPPRESS and not isinstance(a, _SubParsersAction) and a.dest != "help"
        ]
        if shown:
            found += nodes.rubric("", str(group.title).capitalize())
            found += nodes.definition_list("", *(item(command, action) for action in shown))
    if command.epilog:
        heading, _, lines = command.epilog.partition("\n")
        found += nodes.rubric("", heading.rstrip(":").capitalize())
        found += nodes.literal_block("", "\n".join(line.removeprefix("  ") for line in lines.splitlines()), language="text")
    return found


def item(command: ArgumentParser, action: Action) -> nodes.definition_list_item:
    """An option or argument, and its help."""
    invocation = command._get_formatter()._format_action_invocation(action)
    text = command._get_formatter()._expand_help(action) if action.help else ""
    return nodes.definition_list_item(
        "", nodes.term("", "", nodes.literal("", invocation)), nodes.definition("", nodes.paragraph("", text))
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True}
