"""The help: the first screen of the command, and the help of a verb.

The help of a verb has its examples first, and leaves out the options that few people need: those that are added by way of
`rare`. ``--help-all`` shows them, too.
"""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter, _SubParsersAction
from collections.abc import Collection, Iterable
from typing import Any, NoReturn, Protocol

from referee.basics.exceptions import counted, shortened, terminal_width
from referee.basics.options.choices import format_named
from referee.cli.verbs import GROUPS, SOUGHT, VERBS, under

EXAMPLES = (
    "referee score key.conll response.conll",
    "referee inspect key.conll response.conll --open",
)
"""Those of the first screen."""

FEW = 6
"""Options that the usage shows, at most."""


class TakesOptions(Protocol):
    """What takes options: a parser, a group of it, or either by way of `rare`."""

    def add_argument(self, *names: str, **settings: Any) -> Action:
        """Add an option."""


class _Rare:
    """Marks what is added by way of it."""

    def __init__(self, group: TakesOptions) -> None:
        self.group = group

    def add_argument(self, *names: str, **settings: Any) -> Action:
        """Add an option, as the group does."""
        action = self.group.add_argument(*names, **settings)
        action.rare = True  # type: ignore[attr-defined]
        return action


def rare(group: TakesOptions) -> TakesOptions:
    """A group for options that few people need: only --help-all shows those that are added by way of it."""
    return _Rare(group)


def is_rare(action: Action) -> bool:
    """Whether few people need an option."""
    return "rare" in vars(action)


def first_screen() -> str:
    """The help of the command: its verbs in groups, on one screen."""
    width = max(len(verb) for verb in VERBS if " " not in verb)
    lines = ["usage: referee VERB [OPTION ...]", ""]
    lines += ["Evaluate coreference, mention detection and entity resolution.", "", "examples:"]
    lines += [f"  {example}" for example in EXAMPLES] + [""]
    for group, verbs in GROUPS.items():
        lines.append(f"{group}:")
        lines += [f"  {verb:{width}}  {summary}" for verb, summary in verbs.items() if " " not in verb]
    lines += ["", "referee VERB --help: examples and options of a verb"]
    lines.append("exit status: 0 done, 1 below the limit, 2 mistake in the input, 3 engine failure")
    return "\n".join(lines) + "\n"


def add_format(group: TakesOptions, option: str, formats: Collection[str], text: str, **settings: Any) -> None:
    """Add an option that names one of the formats, in any case."""
    group.add_argument(option, type=format_named, choices=formats, metavar="FORMAT", help=text, **settings)


class Help(HelpFormatter):
    """Help as wide as the terminal; argparse would import `shutil` to ask for the width of a terminal that shows no help."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_width(sys.stdout) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Fill each paragraph by itself; one with indented lines, such as examples, stays as it is."""
        paragraphs = text.split("\n\n")
        return "\n\n".join(p if "\n " in p else super(Help, self)._fill_text(p, width, indent) for p in paragraphs)

    def _format_action_invocation(self, action: Action) -> str:
        """Show the values of an option once, and not for each of its spellings."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"

    def _format_usage(self, usage: str | None, actions: Iterable[Action], groups: Any, prefix: str | None) -> str:
        """Show many options as [OPTION ...]: they follow below."""
        options = [action for action in actions if action.option_strings]
        if len(options) > FEW:
            self._prog += " [OPTION ...]"
            actions = [action for action in actions if not action.option_strings]
        return super()._format_usage(usage, actions, groups, prefix)


class _HelpAll(Action):
    """Print the help with all options."""

    def __call__(self, parser: ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, CommandParser)
        parser._print_message(parser.format_help(everything=True), sys.stdout)
        parser.exit()


class CommandParser(ArgumentParser):
    """The parser of the command, or of a verb: reports a mistake in one line, and shows the usual options first."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=Help, allow_abbrev=False, **settings)

    def add_help_all(self) -> None:
        """Add --help-all, if there are options that the help leaves out."""
        if any(map(is_rare, self._actions)):
            self.add_argument("--help-all", action=_HelpAll, nargs=0, dest=SUPPRESS, default=SUPPRESS, help=SUPPRESS)

    def format_help(self, everything: bool = False) -> str:
        """The usage, what the verb does, examples, and options."""
        if self.prog == "referee":
            return first_screen()
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        formatter.add_text(self.epilog)  # the examples
        positional, general, *groups = self._action_groups
        for group in (positional, *groups, general):
            formatter.start_section("arguments" if group is positional else group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(a for a in group._group_actions if a.dest != "help" and (everything or not is_rare(a)))
            formatter.end_section()
        if verbs := under(self.prog.removeprefix("referee ")):
            width = max(map(len, verbs))
            listed = [f"  {verb:{width}}  {summary}" for verb, summary in verbs.items()]
            formatter.add_text("\n".join(["more verbs:", *listed]))
        hidden = sum(map(is_rare, self._actions))
        if hidden and not everything:
            formatter.add_text(f"--help-all: {counted(hidden, 'more option')}")
        return formatter.format_help()

    def _check_value(self, action: Action, value: Any) -> None:
        """Of a verb of `phrases`, or a value, that there is not, say which is meant."""
        if action.choices is None or value in action.choices:
            return
        from referee.cli.suggestions import VALUES, close, no_format  # of mistakes only

        if hint := VALUES.get((action.dest, value)):
            self.error(f"found {value!r} for --{action.dest}; {hint}")
        if isinstance(action, _SubParsersAction):
            if os.path.exists(value):
                self.error(f"found a file in the place of a verb; did you mean {self.prog} score {shortened(value)} ...?")
            sought = SOUGHT.get(value.lower(), "")
            meant = sought if sought in action.choices else close(value, action.choices)
            self.error(f"no verb {value!r}; " + (f"did you mean {meant}?" if meant else f"known: {', '.join(action.choices)}"))
        if "webanno" in action.choices:  # formats
            self.error(f"argument {action.option_strings[0]}: {no_format(value, action.choices)}")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """Print the mistake and the command that shows the help, and exit with 2."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print, as argparse does, but where it would hide that a disk is full."""
        print(message, end="", file=file or sys.stderr, flush=True)
