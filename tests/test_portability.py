"""Nothing needs POSIX: calls that Windows lacks have a fallback, and texts an encoding and line ends of their own.

Windows and macOS are not at hand. This finds what would fail there as far as it can be read from the source.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

MODULES = {"crypt", "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
"""Modules that Windows does not have."""

NAMES = {
    "os": {
        "chown", "ctermid", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getloadavg",
        "getpgid", "getpgrp", "getpriority", "getsid", "getuid", "killpg", "lchown", "lockf", "mkfifo", "mknod",
        "nice", "openpty",
        "O_NOCTTY", "O_NONBLOCK", "O_SYNC", "pipe2", "posix_fadvise", "posix_fallocate", "posix_spawn", "pread", "pwrite",
        "sched_getaffinity", "sched_setaffinity", "sendfile", "setgid", "setpgid", "setsid", "setuid", "statvfs", "sysconf",
        "tcgetpgrp", "ttyname", "uname", "wait", "wait3", "wait4", "WEXITSTATUS", "WIFEXITED",
    },
    "signal": {
        "alarm", "getitimer", "ITIMER_REAL", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "SIGALRM", "SIGCHLD",
        "SIGHUP", "SIGKILL", "siginterrupt", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGUSR2", "sigwait",
    },
    "time": {"clock_gettime", "tzset"},
    "socket": {"AF_UNIX"},
}  # fmt: skip
"""Names of other modules that Windows does not have."""

PLACES = ("/dev/", "/etc/", "/proc/", "/sys/", "/tmp/", "/usr/", "/var/")

KNOWN = {
    "basics/options/engines.py": "the memory of Linux; elsewhere 8 GB are assumed, which --memory changes",
    "cli/as_program.py": "the first line of a script, which Windows does not read: a .bat is written for it",
}
"""Files that name a place of POSIX, and what happens elsewhere."""


def nodes_of(source):
    return [*ast.walk(ast.parse(source))]


def guards(function):
    """The modules of which a function asks whether they have a name."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    asked = [call.args[0] for call in calls if call.func.id in ("hasattr", "getattr") and call.args]
    return {thing.id for thing in asked if isinstance(thing, ast.Name)}


def unguarded(nodes):
    """Names that Windows does not have, where nobody asks for them."""
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in NAMES.get(node.value.id, ()):
            around = [f for f in functions if f.lineno <= node.lineno <= (f.end_lineno or f.lineno)]
            if not any(node.value.id in guards(function) for function in around):
                yield f"{node.lineno}: {node.value.id}.{node.attr}"
        elif isinstance(node, ast.Import):
            yield from (f"{node.lineno}: import {alias.name}" for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            missing = MODULES & {node.module} or {alias.name for alias in node.names} & NAMES.get(node.module, set())
            if missing:
                yield f"{node.lineno}: from {node.module}: {', '.join(sorted(missing))}"


def without_encoding(nodes):
    """Texts that are read or written in the encoding, or with the line ends, of the system."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = (
            node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        )
        given = {keyword.arg for keyword in node.keywords}
        if called in ("read_text", "write_text", "TextIOWrapper") and "encoding" not in given:
            yield f"{node.lineno}: {called} without encoding"
        if called == "open" and isinstance(node.func, ast.Name):
            modes = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
            mode = next((str(m.value) for m in modes if isinstance(m, ast.Constant)), "?" if modes else "r")
            if "b" not in mode and mode != "?" and "encoding" not in given:
                yield f"{node.lineno}: open without encoding"
            if "w" in mode and "b" not in mode and "newline" not in given and "devnull" not in ast.unparse(node):
                yield f"{node.lineno}: open for writing without newline"


def places(nodes):
    """Places of POSIX in the code, outside of docstrings."""
    texts = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield from (f"{node.lineno}: {place}" for place in PLACES if place in node.value)


OPENS = {
    "open", "Path", "Source", "Files", "listdir", "scandir", "makedirs", "mkdir", "remove", "replace", "stat", "isdir",
    "isfile", "exists", "output", "written_whole", "read", "getsize", "realpath", "rmtree", "mkdtemp",
}  # fmt: skip
"""Functions that take a path."""

PARTS = {"split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix", "startswith", "endswith"}
"""Methods that take texts apart."""

PATHS = ("path", "folder", "file", "directory")
"""In names of what is a path. That of an entry of an archive has / everywhere."""


def has_slash(node):
    """Whether a text is put together with a separator of POSIX, or of Windows."""
    joined = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add))
    texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return joined and any("/" in text or "\\" in text for text in texts) and not any("://" in text for text in texts)


def separators(nodes):
    """Paths that are put together, or taken apart, with a separator that not all systems have."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called in OPENS and any(has_slash(argument) for argument in node.args):
            yield f"{node.lineno}: {called} of a path put together with a separator"
        given = [a.value for a in node.args[:1] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if called in PARTS and isinstance(node.func, ast.Attribute) and given and {"/", "\\"} & set(given[0]):
            taken = node.func.value
            of = taken.id if isinstance(taken, ast.Name) else getattr(taken, "attr", "")
            if any(word in of.lower() for word in PATHS):
                yield f"{node.lineno}: {of}.{called}({given[0]!r})"


LINTS = (unguarded, without_encoding, separators, places)


@cache
def faults():
    """What each lint finds in which file; each file is parsed once."""
    found = {lint.__name__: [] for lint in LINTS}
    for path in FILES:
        nodes = nodes_of(path.read_text(encoding="utf-8"))
        for lint in LINTS:
            found[lint.__name__] += [(path.relative_to(ROOT).as_posix(), fault) for fault in lint(nodes)]
    return found


@pytest.mark.parametrize("lint", [lint.__name__ for lint in LINTS if lint is not places])
def test_calls_that_windows_lacks_have_a_fallback_texts_an_encoding_and_paths_no_separator(lint):
    assert not faults()[lint], "\n".join(f"{file}:{fault}" for file, fault in faults()[lint])


def test_places_of_posix_are_in_the_known_files_and_are_still_there():
    unknown = [f"{file}:{fault}" for file, fault in faults()["places"] if file not in KNOWN]
    assert not unknown, "\n".join(unknown)
    assert {file for file, _ in faults()["places"]} == set(KNOWN)


BAD = {
    "import os\nos.fork()": ["2: os.fork"],
    "import fcntl": ["1: import fcntl"],
    "from os import fork": ["1: from os: fork"],
    "import signal\ndef f():\n    signal.alarm(1)": ["3: signal.alarm"],
    "import signal\ndef f():\n    if hasattr(signal, 'alarm'):\n        signal.alarm(1)": [],
    "open('x')": ["1: open without encoding"],
    "open('x', 'w', encoding='utf-8')": ["1: open for writing without newline"],
    "open('x', 'rb')": [],
    "path.read_text()": ["1: read_text without encoding"],
}


SEPARATED = {
    "open(f'{folder}/x', 'rb')": ["1: open of a path put together with a separator"],
    "os.remove(folder + '/' + name)": ["1: remove of a path put together with a separator"],
    "Path(f'{folder}\\\\{name}')": ["1: Path of a path put together with a separator"],
    "path.rpartition('/')": ["1: path.rpartition('/')"],
    "args.file.split('/')": ["1: file.split('/')"],
    "os.path.join(folder, 'x')": [],
    "open(f'https://x/{name}')": [],
    "document.split('/')": [],
}


@pytest.mark.parametrize("source", SEPARATED)
def test_the_lint_finds_separators(source):
    assert [*separators(nodes_of(source))] == SEPARATED[source]


@pytest.mark.parametrize("source", BAD)
def test_the_lint_finds_what_it_should(source):
    nodes = nodes_of(source)
    assert [*unguarded(nodes), *without_encoding(nodes)] == BAD[source]
    assert [*places(nodes_of("x = '/dev/null'"))] == ["1: /dev/"]
