"""The recordings of several processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

from . import jupyter, report
from .error import Error
from .job_document import JobSummary
from .job_tables import JobTables


class Job(JobTables):
    """The processes of one run side by side: the ranks of a job, or a program and its children.

    It is the document that `oxomp report --json` writes of a folder with several recordings, as a
    dictionary: `job["between"]`; `job_document.py` has the types. Its lists are tables, too:
    `job.processes`, `job.regions`.
    """

    def __init__(self, document: JobSummary, recording: report.Recording) -> None:
        super().__init__(document)
        self.recording = recording
        """The folder of the recordings, as it was given to `oxomp.read`."""

    @property
    def document(self) -> JobSummary:
        """The whole document, with its types for checkers."""
        return cast(JobSummary, self)

    def files(self) -> list[Path]:
        """The recording of each process, for `oxomp.read`, in the order of `processes`.

        Leaves out a process whose file's name is not known.
        """
        folder = Path(os.fsdecode(self.recording))
        names = (process["recording"] for process in self.document["processes"])
        return [folder / name for name in names if name is not None]

    def text(self) -> str:
        """The summary as `oxomp report` prints it. Reads the recordings again."""
        return report.text(self.recording)

    def page(self) -> str:
        """The page that compares the processes, an HTML document. Reads the recordings again."""
        return report.page(self.recording)

    def __repr__(self) -> str:
        seconds = self.document["wall_ns"] / 1e9
        return f"<oxomp.Job: {len(self.document['processes'])} processes, {seconds:.3f} s>"

    def _repr_html_(self) -> str | None:
        """The summary and the page in a notebook; None if the recordings are gone."""
        try:
            return jupyter.run(self.text(), self.page())
        except Error:
            return None
