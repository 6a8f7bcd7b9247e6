"""The manual page of the command, from its parsers."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

from referee.basics.version import VERSION

HEAD = rf""".TH REFEREE 1 "" "Referee {VERSION}" "User commands"
.SH NAME
referee \- score coreference, mention detection and entity resolution
.SH SYNOPSIS
\fBreferee\fR \fIVERB\fR [\fIOPTION\fR ...]
.SH DESCRIPTION
Results go to standard output, everything else to standard error.
\fBreferee\fR \fIVERB\fR \fB\-\-help\-all\fR has the same text as this page."""

STATUS = r""".SH EXIT STATUS
0 done; 1 the answer is no, as of a score below its limit; 2 a mistake in the input or the call;
3 a failure of the engine for large tables."""


def verbs(command: ArgumentParser) -> Iterator[ArgumentParser]:
    """The parsers of all verbs, and of their verbs."""
    for group in command._actions:
        if isinstance(group, _SubParsersAction):
            for verb in group.choices.values():
                yield verb
                yield from verbs(verb)


def words(command: ArgumentParser) -> str:
    """The name of a verb, as people type it."""
    return command.prog.replace(" [OPTION ...]", "")


def usage(command: ArgumentParser) -> str:
    """The usage in one line."""
    return " ".join(command.format_usage().removeprefix("usage: ").split())


def options(command: ArgumentParser) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The groups of arguments: a title, and each argument with its help."""
    formatter = command._get_formatter()
    for group in command._action_groups:
        visible = [action for action in group._group_actions if _is_shown(action)]
        if visible:
            helps = [formatter._expand_help(action) if action.help else "" for action in visible]
            names = [formatter._format_action_invocation(action) for action in visible]
            yield str(group.title), list(zip(names, helps, strict=True))


def _is_shown(action: Action) -> bool:
    return action.help != SUPPRESS and action.dest != "help" and not isinstance(action, _SubParsersAction)


def manual(command: ArgumentParser) -> str:
    """The manual page, in the language of ``man``."""
    lines = [HEAD]
    for verb in verbs(command):
        lines += [f".SH {_roff(words(verb)).upper()}", f".B {_roff(usage(verb))}", ".PP", *_paragraphs(verb.description)]
        for title, arguments in options(verb):
            lines.append(f".SS {_roff(title)}")
            for name, text in arguments:
                lines += [".TP", f".B {_roff(name)}", _roff(text)]
        if verb.epilog:
            lines += [".SS examples", ".nf", *(_roff(line) for line in verb.epilog.splitlines()[1:]), ".fi"]
    lines.append(STATUS)
    return "\n".join(lines) + "\n"


def _paragraphs(text: str | None) -> Iterator[str]:
    for paragraph in (text or "").split("\n\n"):
        yield _roff(" ".join(paragraph.split()))
        yield ".PP"


def _roff(text: str) -> str:
    """A text without what ``man`` takes for its own: backslashes, hyphens that break, a stop at the beginning of a line."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text
