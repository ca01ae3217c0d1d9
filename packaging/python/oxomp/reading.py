"""Reading recordings."""

from __future__ import annotations

import json
import os
import warnings
from typing import Union, cast

from . import report
from .document import Summary
from .error import Error, RecordingWarning
from .job import Job
from .job_document import JobSummary
from .run import Run


def read(recording: report.Recording) -> Union[Run, Job]:
    """Reads a recording of `oxomp profile`: a `run.oxp`, or the folder of a run.

    The result is the document of `oxomp report --json`: a Run, or a Job for a folder with the
    recordings of several processes. `read_run` and `read_job` are for programs that know which.

    Raises Error, with the command's words, for anything else. Warns with RecordingWarning if parts
    of the recording are missing or damaged.
    """
    document = json.loads(report.document(recording))
    is_job = document.get("document") == "job"
    amiss = document["warnings"] if is_job else document["quality"]["damaged"]
    if amiss:
        text = f"{os.fsdecode(recording)}: {'; '.join(amiss)}"
        warnings.warn(text, RecordingWarning, stacklevel=2)
    if is_job:
        return Job(cast(JobSummary, document), recording)
    # The document of a program without target constructs leaves it out.
    document.setdefault("offload", None)
    return Run(cast(Summary, document), recording)


def read_run(recording: report.Recording) -> Run:
    """Reads the recording of one process. Raises Error for those of several."""
    found = read(recording)
    if isinstance(found, Run):
        return found
    names = ", ".join(path.name for path in found.files())
    raise Error(f"{os.fsdecode(recording)}: recordings of several processes; name one of {names}")


def read_job(folder: report.Recording) -> Job:
    """Reads a folder with the recordings of several processes. Raises Error if it has only one."""
    found = read(folder)
    if isinstance(found, Job):
        return found
    raise Error(f"{os.fsdecode(folder)}: the recording of one process")
