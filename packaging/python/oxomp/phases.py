"""Phases of a program, which `oxomp profile` shows apart."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])

_BEGIN = 0x6F78
_END = 0x6F79

_RUNTIME = re.compile(rb"\S*/lib(?:omp|iomp5|gomp)[.-][^/\s]*so[^/\s]*$", re.MULTILINE)


class _Control:
    """omp_control_tool of the OpenMP runtime in this process, once there is one."""

    def __init__(self) -> None:
        self._found: Callable[[int, int, bytes | None], int] | None = None
        self._calls = 0

    def __call__(self, command: int, name: bytes | None) -> int:
        if self._found is None:
            self._calls += 1
            # The runtime comes with a module that is imported later: less and less often.
            if self._calls & (self._calls - 1) == 0:
                self._found = _control_tool()
            if self._found is None:
                return -2
        return self._found(command, 0, name)


def _control_tool() -> Callable[[int, int, bytes | None], int] | None:
    for library in _libraries():
        function = getattr(library, "omp_control_tool", None)
        if function is not None:
            function.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p]
            function.restype = ctypes.c_int
            start = getattr(library, "omp_get_max_threads", None)
            if start is not None:
                # Some runtimes know their tool only once another routine has started them.
                start()
            return function  # type: ignore[no-any-return]
    return None


def _libraries() -> list[ctypes.CDLL]:
    """Those of the process itself, and its OpenMP runtimes."""
    paths: set[bytes] = set()
    try:
        with open("/proc/self/maps", "rb") as maps:
            paths.update(_RUNTIME.findall(maps.read()))
        # They are loaded already: this opens none anew.
        return [ctypes.CDLL(None)] + [ctypes.CDLL(path.decode()) for path in sorted(paths)]
    except (OSError, UnicodeDecodeError):
        return []


_control = _Control()


class region:  # noqa: N801 - read as a statement: with oxomp.region("load"):
    """A phase of the program: a part of the run that the report shows apart.

    With `with oxomp.region("solve"):` the block is the phase `solve`; as `@oxomp.region("solve")`,
    each call of a function. A phase inside another is a part of it, `step/solve`. The report has a
    table of all phases, and `oxomp report --phase solve` shows one alone.

    Without `oxomp profile` nothing happens. Phases belong to the process: mark them in one thread,
    outside of code that OpenMP executes in parallel.
    """

    def __init__(self, name: str) -> None:
        if not name.strip():
            raise ValueError("a region needs a name")
        self.name = name
        self._bytes = name.encode("utf-8", "replace").replace(b"\0", b"?")

    def __enter__(self) -> region:
        _control(_BEGIN, self._bytes)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _control(_END, None)

    def __call__(self, function: _Function) -> _Function:
        @functools.wraps(function)
        def within(*arguments: object, **named: object) -> object:
            with self:
                return function(*arguments, **named)

        return within  # type: ignore[return-value]
