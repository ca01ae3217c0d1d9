"""oxomp: an OpenMP runtime with a profiler.

The command is `oxomp`, also `python -m oxomp`: `oxomp profile python train.py` shows where the
time of the OpenMP code in a Python program goes. This module says where the libraries are, marks
phases of a program, and reads recordings:

    with oxomp.region("train"):
        model.fit(data, target)

    run = oxomp.read("oxomp-python-1")
    print(run["verdict"]["text"])
    run.regions.to_pandas()
"""

from __future__ import annotations

from importlib.metadata import version as _version

from .columns import Column
from .error import Error, MissingPackage, RecordingWarning
from .job import Job
from .paths import command, include_dir, lib_dir
from .phases import region
from .reading import read, read_job, read_run
from .run import Run
from .tables import Table

OxompError = Error
"""The name of Error in version 0.1."""

__all__ = [
    "Column",
    "Error",
    "Job",
    "MissingPackage",
    "OxompError",
    "RecordingWarning",
    "Run",
    "Table",
    "__version__",
    "command",
    "include_dir",
    "lib_dir",
    "read",
    "read_job",
    "read_run",
    "region",
]

__version__ = _version("oxomp")
