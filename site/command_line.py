"""The directive `command-line`: the reference of the command, generated from its parsers."""

from __future__ import annotations

from argparse import ArgumentParser

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from referee.cli.main import parser
from referee.cli.manual import options, usage, verbs, words


class CommandLine(SphinxDirective):
    """A section for each verb, with its usage, description, options and examples."""

    def run(self) -> list[nodes.Node]:
        """Make the sections."""
        return [self.section(command) for command in verbs(parser())]

    def section(self, command: ArgumentParser) -> nodes.section:
        """The section of a verb."""
        name = words(command)
        made = nodes.section("", nodes.title("", name), ids=[name.replace(" ", "-")], names=[name])
        self.state.document.note_explicit_target(made)
        made += nodes.literal_block("", usage(command), language="text")
        made += [paragraph(text) for text in (command.description or "").split("\n\n") if text.strip()]
        for title, arguments in options(command):
            made += nodes.rubric("", title.capitalize())
            made += nodes.definition_list("", *(item(*argument) for argument in arguments))
        if command.epilog:
            heading, *lines = command.epilog.splitlines()
            made += nodes.rubric("", heading.rstrip(":").capitalize())
            made += nodes.literal_block("", "\n".join(line.removeprefix("  ") for line in lines), language="text")
        return made


def item(name: str, text: str) -> nodes.definition_list_item:
    """An option or argument, and its help."""
    term = nodes.term("", "", nodes.literal("", name))
    return nodes.definition_list_item("", term, nodes.definition("", paragraph(text)))


def paragraph(text: str) -> nodes.paragraph:
    """Text with code between backquotes."""
    pieces = enumerate(text.split("`"))
    return nodes.paragraph("", "", *(nodes.literal("", piece) if number % 2 else nodes.Text(piece) for number, piece in pieces))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True}
