"""The outputs of `oxomp report`."""

from __future__ import annotations

import os
import subprocess
from typing import Union

from . import paths
from .error import Error

Recording = Union[str, "os.PathLike[str]"]
"""A recording: a file `run.oxp`, or the folder that holds one or several."""


def text(recording: Recording) -> str:
    """The summary that `oxomp report` prints."""
    return _report(recording)


def page(recording: Recording) -> str:
    """The page of `oxomp report --html`: an HTML document that needs no other file."""
    return _report(recording, "--html=-")


def document(recording: Recording) -> str:
    """The document of `oxomp report --json`, as text."""
    return _report(recording, "--json=-")


def _report(recording: Recording, *options: str) -> str:
    """Standard output of the command; its messages are an Error if it fails."""
    words = [os.fspath(paths.command()), "report", *options, "--", os.fspath(recording)]
    try:
        ended = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as reason:
        raise Error(f"cannot start {words[0]}: {reason.strerror}") from reason
    if ended.returncode != 0:
        messages = ended.stderr.decode(errors="replace").strip()
        raise Error(messages or f"oxomp report ended with status {ended.returncode}")
    return ended.stdout.decode()
