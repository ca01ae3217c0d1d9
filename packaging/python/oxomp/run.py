"""The recording of one process."""

from __future__ import annotations

from typing import Any, cast

from . import hatchet, jupyter, report
from .document import Summary
from .error import Error
from .run_tables import RunTables


class Run(RunTables):
    """A recorded process: the document of `oxomp report --json`, and its lists as tables.

    It is a dictionary: `run["run"]["threads"]`, `run["verdict"]["text"]`. `document.py` has the
    types, with the meaning and the unit of each value. Each list of rows is also an attribute
    with columns for data frames: `run.regions`, `run.threads`, `run.calls`.
    """

    def __init__(self, document: Summary, recording: report.Recording) -> None:
        super().__init__(document)
        self.recording = recording
        """The path of the recording, as it was given to `oxomp.read`."""

    @property
    def document(self) -> Summary:
        """The whole document, with its types for checkers."""
        return cast(Summary, self)

    def text(self) -> str:
        """The summary as `oxomp report` prints it. Reads the recording again."""
        return report.text(self.recording)

    def page(self) -> str:
        """The page of `oxomp report --html`, an HTML document. Reads the recording again."""
        return report.page(self.recording)

    def graph_frame(self) -> Any:
        """The sampled call paths as a `hatchet.GraphFrame`, a node for each row of `calls`.

        The columns: `time` and `time (inc)`, processor time in seconds of the frame itself and
        with those that it called, all threads together; `samples` and `samples (inc)`, the counts
        from which these are estimated; `name`, `file`, `line` and `module` of the code, and
        `region`, whether it is the body of a parallel construct.

        Raises MissingPackage without Hatchet, and Error if the run was not sampled.
        """
        return hatchet.graph_frame(self.document["calls"])

    def __repr__(self) -> str:
        facts = self.document["run"]
        name = facts["executable"].rsplit("/", 1)[-1]
        seconds = facts["wall_ns"] / 1e9
        return f"<oxomp.Run of {name}: {facts['threads']} threads, {seconds:.3f} s>"

    def _repr_html_(self) -> str | None:
        """The summary and the page in a notebook; None if the recording is gone."""
        try:
            return jupyter.run(self.text(), self.page())
        except Error:
            return None
