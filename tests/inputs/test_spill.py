"""Folders for what does not fit into memory: whose program was killed, they are removed by the next one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee.basics import spill
from referee.basics.exceptions import EngineError
from referee.basics.files import temporary

PROGRAM = """
import sys
from referee.basics.spill import new_folder
print(new_folder(sys.argv[1]), flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and signals of POSIX")


def started(parent):
    """A program with a folder there."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(parent)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    return program, Path(program.stdout.readline().strip())


def ended(program, number=signal.SIGTERM):
    with program:
        program.send_signal(number)


def age(folder):
    """Make a folder two minutes older."""
    os.utime(folder, (folder.stat().st_atime, folder.stat().st_mtime - 120))


def test_what_a_killed_program_left_is_removed_by_the_next_one(tmp_path):
    killed, left = started(tmp_path)
    (left / "rows").write_bytes(b"x" * 1000)
    ended(killed, signal.SIGKILL)
    alive, used = started(tmp_path)
    try:
        assert left.exists()  # it may be so new that its program has not locked it
        age(left)
        age(used)
        mine = Path(spill.new_folder(str(tmp_path)))
        assert sorted(tmp_path.iterdir()) == sorted([used, mine])
        spill.remove_folder(str(mine))
        assert list(tmp_path.iterdir()) == [used]
        assert not temporary
    finally:
        ended(alive)


def test_what_others_made_stays(tmp_path):
    names = ["referee-0123456789abcdef.txt", "referee-notes", "referee-0123456789ABCDEF", "rows"]
    for name in names:
        (tmp_path / name).mkdir()
        age(tmp_path / name)
    file = tmp_path / "referee-0123456789abcdef"
    file.write_text("a file of this name", encoding="utf-8")
    os.utime(file, (0, 0))
    (target := tmp_path / "elsewhere").mkdir()
    (tmp_path / "referee-fedcba9876543210").symlink_to(target)
    before = set(tmp_path.iterdir())
    spill.remove_folder(spill.new_folder(str(tmp_path)))
    assert set(tmp_path.iterdir()) == before


def test_a_folder_without_a_lock_stays_for_a_while(tmp_path):
    folder = tmp_path / "referee-0123456789abcdef"
    folder.mkdir()
    spill.remove_folder(spill.new_folder(str(tmp_path)))
    assert folder.exists()
    age(folder)
    spill.remove_folder(spill.new_folder(str(tmp_path)))
    assert not folder.exists()


def test_locks_are_closed(tmp_path):
    def count():
        return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

    before = count()
    for _ in range(3):
        spill.remove_folder(spill.new_folder(str(tmp_path)))
    assert count() == before


def test_a_folder_that_cannot_be_written(tmp_path):
    with pytest.raises(EngineError, match=r"no folder can be made in the spill folder .*absent: no such file.*use --spill"):
        spill.new_folder(str(tmp_path / "absent"))
    assert not temporary
