"""The manual page has every verb and option, and is a page that `man` reads."""

import shutil
import subprocess

import pytest

from referee.cli.main import parser
from referee.cli.manual import manual, options, verbs
from referee.cli.verbs import VERBS
from tests.support.command import referee

PAGE = manual(parser())


def test_the_page_has_every_verb_and_every_option():
    assert referee("completion", "man") == (0, PAGE, "")
    for verb in VERBS:
        assert f".SH REFEREE {verb.upper()}" in PAGE
    named = [name for verb in verbs(parser()) for _, arguments in options(verb) for name, _ in arguments]
    assert len(named) > 200
    assert [name for name in named if name.replace("-", r"\-") not in PAGE] == []


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is absent")
def test_the_page_is_read_without_warnings():
    done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", "-z"], input=PAGE.encode(), capture_output=True, check=True)
    assert done.stderr == b""
