"""Runs one command and prints `wall_s user_s system_s peak exit_code`; `measure.py` starts it as a process of its own.

usage: python -I -S launcher.py OUTPUT ERRORS COMMAND [ARGUMENT ...]

A process of its own, because the kernel starts the peak memory of a child at the size of the process that started it, even
with vfork and even if the child runs another program at once. What starts the measured command must therefore be small:
no import here besides three modules that a bare interpreter holds anyway. Its own size, about 9 MB, is the smallest peak
that can be seen.
"""

import os
import sys
import time


def main() -> None:
    output, errors, *command = sys.argv[1:]
    files = [
        (os.POSIX_SPAWN_OPEN, number, name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for number, name in ((1, output), (2, errors))
    ]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    print(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status))


main()
