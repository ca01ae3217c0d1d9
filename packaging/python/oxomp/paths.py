"""Where the files of oxomp lie."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def lib_dir() -> Path:
    """The folder of the libraries, for LD_LIBRARY_PATH and for linkers."""
    return _HERE / "lib"


def include_dir() -> Path:
    """The folder of omp.h, omp-tools.h and ompt.h."""
    return _HERE / "include"


def command() -> Path:
    """The program `oxomp`."""
    return _HERE / "bin" / "oxomp"
