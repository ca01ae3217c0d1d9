"""The command `oxomp`."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from . import command


def main() -> NoReturn:
    """Becomes the program, with the arguments of this one."""
    program = os.fspath(command())
    # Python ignores it, and a program would inherit that.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execv(program, ["oxomp", *sys.argv[1:]])


if __name__ == "__main__":
    main()
