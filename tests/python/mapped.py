"""Which OpenMP runtimes the process has in its memory."""

import os
import sys


def print_runtimes():
    """Prints a line `runtime PATH` per library to standard error, which nobody compares."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if ".so" in line}
    names = ("libgomp", "libomp", "libiomp")
    for path in sorted(path for path in paths if os.path.basename(path).startswith(names)):
        print("runtime", path, file=sys.stderr)
