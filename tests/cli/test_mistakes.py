"""A mistake in a call is told in one line, with what would do, and leaves nothing behind: the rows of `cases/mistakes.txt`."""

import re
import shlex
import shutil
from importlib.util import find_spec

import numpy as np
import pytest

from tests.cli.test_compare import NAMES, clusters
from tests.support.cases import cases
from tests.support.command import referee
from tests.support.partitions import random_documents
from tests.support.paths import EXAMPLES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The examples, and random annotations of twelve documents."""
    path = tmp_path_factory.mktemp("calls")
    for file in EXAMPLES.iterdir():
        shutil.copy(file, path)
    for seed, name in enumerate(("key", *"abcdef", "ann", "bob", "eve")):
        documents = random_documents(np.random.default_rng(seed), len(NAMES), 18)
        (path / f"{name}.jsonlines").write_text(clusters([key for key, _ in documents]))
    (path / "meta.tsv").write_text("document\tsplit\n" + "".join(f"{name}\tdev\n" for name in NAMES))
    return path


@pytest.mark.parametrize("case", cases("mistakes"), ids=str)
def test_a_mistake_is_told_in_one_line(case, folder):
    arguments = shlex.split(" ".join([case.section, *case.lines]))
    if any(argument.endswith(".svg") for argument in arguments) and find_spec("matplotlib") is None:
        pytest.skip("matplotlib is absent")
    bad = [folder / argument for argument in arguments if argument.startswith("bad.")]
    for file in bad:
        file.write_text("".join(f"{line}\n" for line in case.content))
    before = sorted(folder.iterdir())
    done = referee(*arguments, cwd=folder)
    assert (done.status, done.out, len(done.errors)) == (2, "", 1), done
    assert re.match(r"referee( [\w.-]+)*: error: ", done.err)
    for words in case.expected:
        assert words in f"{done.err[:-1]}$"
        assert not words.startswith("referee: error:") or words == done.err[:-1]
    assert sorted(folder.iterdir()) == before
    for file in bad:
        file.unlink()
