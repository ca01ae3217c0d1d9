"""oxomp: an OpenMP runtime with a profiler.

The command is `oxomp`, also `python -m oxomp`: `oxomp profile python train.py` shows where the
time of the OpenMP code in a Python program goes. This module says where the libraries are, and
reads recordings.
"""

from __future__ import annotations

import json
import os
import subprocess
from importlib.metadata import version as _version
from pathlib import Path
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from .document import Summary

__all__ = ["OxompError", "__version__", "command", "include_dir", "lib_dir", "read"]

__version__ = _version("oxomp")

_HERE = Path(__file__).resolve().parent


class OxompError(Exception):
    """The command `oxomp` failed; the text is what it said."""


def lib_dir() -> Path:
    """The folder of the libraries, for LD_LIBRARY_PATH and for linkers."""
    return _HERE / "lib"


def include_dir() -> Path:
    """The folder of omp.h, omp-tools.h and ompt.h."""
    return _HERE / "include"


def command() -> Path:
    """The program `oxomp`."""
    return _HERE / "bin" / "oxomp"


def read(recording: Union[str, "os.PathLike[str]"]) -> Summary:
    """Reads a recording of `oxomp profile`: a `run.oxp`, or the folder that holds one.

    The result is the document of `oxomp report --json`, as dictionaries and lists. `document.py`
    has its types, with the meaning and the unit of each value.

    Raises OxompError if it is no recording, or one of several processes: name one of its files
    then.
    """
    words = [os.fspath(command()), "report", "--json=-", "--", os.fspath(recording)]
    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        raise OxompError(ended.stderr.decode(errors="replace").strip())
    document = json.loads(ended.stdout)
    if "run" not in document:
        files = sorted(file.name for file in Path(os.fsdecode(recording)).glob("*.oxp"))
        raise OxompError(
            f"{os.fsdecode(recording)}: recordings of several processes; "
            f"name one of {', '.join(files)}"
        )
    # The document of a program without target constructs leaves it out.
    document.setdefault("offload", None)
    summary: Summary = document
    return summary
