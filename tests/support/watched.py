"""Read files of all formats, good and damaged, and print what Python does meanwhile that it must not do.

``python -m tests.support.watched 10`` reads ten damaged files of each format.
"""

import io
import sys
import tempfile
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random

import referee.answers
import referee.formats
import referee.tabular
from referee.basics.exceptions import FormatError, RefereeError
from referee.inputs.reading import read
from referee.inputs.registry import FORMATS, load_format
from referee.inputs.validating import validate
from tests.support.mutations import mutated, opened
from tests.support.samples import MADE, samples

WRITES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate", "shutil.")
RUNS = ("exec", "compile", "subprocess.", "os.exec", "os.system", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile")
OTHERS = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "pickle.", "marshal.load", "ctypes.", "webbrowser.")

seen = []
now = []
"""The format that is read now."""


def hook(event, args):
    if not now or (event in ("exec", "compile", "open", "marshal.loads") and _imported(event, args)):
        return
    writes = event == "open" and set(str(args[1] or "r")) & set("wax+")
    elsewhere = event == "open" and not str(args[0]).startswith(tempfile.gettempdir())
    if writes or elsewhere or event.startswith((*WRITES, *RUNS, *OTHERS)):
        seen.append((now[0], event, str(args)[:100]))


def _imported(event, args):
    """Whether the event is part of the import of an installed module."""
    if event == "marshal.loads":
        return "importlib" in sys._getframe(2).f_code.co_filename
    name = getattr(args[0], "co_filename", args[1] if event == "compile" else args[0])
    return str(name).endswith((".py", ".pyc", ".so")) and Path(str(name)).exists()


def use(sample, name, folder, watched):
    """Read a sample with and without its format, its words too, validate it, and write it."""
    try:
        source = opened(sample, folder)
    except FormatError:  # it is no text
        return
    now.extend([name] * watched)
    with suppress(RefereeError):
        read(source)
    with suppress(RefereeError):
        validate(source, format=name)
    with suppress(RefereeError):
        corpus = read(source, format=name)
        if corpus.text is not None:
            len(corpus.text.words)
        if load_format(name).write:
            load_format(name).write(corpus, io.StringIO())
    now.clear()


def main():
    warnings.simplefilter("ignore")
    for package in (referee.formats, referee.answers, referee.tabular):
        for found in walk_packages(package.__path__, package.__name__ + "."):
            import_module(found.name)
    sys.addaudithook(hook)
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in FORMATS:
            if name in MADE:  # as safe as their libraries
                continue
            for sample in samples(name):  # what is compiled once, such as patterns and named tuples, is compiled
                use(sample, name, Path(folder), watched=False)
            for number in range(int(sys.argv[1])):
                use(mutated(name, Random(f"{name} {number}")), name, Path(folder), watched=True)
                count += 1
    now.append("test")
    Path("/dev/null").write_text("")  # the hook itself works
    now.clear()
    assert seen.pop()[:2] == ("test", "open")
    print(count, seen)


if __name__ == "__main__":
    main()
