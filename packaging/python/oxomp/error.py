"""What goes wrong in this module."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Error(Exception):
    """The command `oxomp` failed, or is not there; the text is the reason."""


class MissingPackage(Error, ImportError):
    """A package that a method needs is not installed; the text names it."""


class RecordingWarning(UserWarning):
    """A recording is damaged; the text is what the command says of it."""


def needed(module: str, package: str, purpose: str) -> Any:
    """Imports `module` of the package that PyPI has under the name `package`.

    Raises MissingPackage, with the purpose in its text, if it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as reason:
        raise MissingPackage(
            f"{purpose} needs {package}: pip install {package} ({reason})"
        ) from reason
