"""Columns in memory, laid out as Arrow has them."""

from __future__ import annotations

from array import array
from typing import Any, List, NamedTuple, Optional, Sequence


class Buffers(NamedTuple):
    """The values of a column of `length` rows."""

    length: int
    nulls: int
    """How many values are missing."""

    validity: Optional[array[int]]
    """A bit for each row, the lowest of a byte first, 1 if it has a value; None if all have."""

    offsets: Optional[array[int]]
    """Of texts: where each begins in `data`, and where the last one ends, as 32-bit integers."""

    data: Any
    """64-bit integers, floating-point numbers, bits, or the bytes of the texts in UTF-8."""


def buffers(kind: str, values: Sequence[Any]) -> Buffers:
    """The buffers of a column's values; `kind` is its type."""
    nulls = sum(value is None for value in values)
    validity = bits([value is not None for value in values]) if nulls else None
    offsets: Optional[array[int]] = None
    if kind == "string":
        offsets, data = _texts(values)
    elif kind == "bool":
        data = bits([bool(value) for value in values])
    else:
        code = "q" if kind == "int64" else "d"
        data = array(code, [0 if value is None else value for value in values])
    return Buffers(len(values), nulls, validity, offsets, _padded(data))


def bits(values: Sequence[bool]) -> array[int]:
    """A bit for each value, the lowest of a byte first."""
    # An element more than needed if there is none: a buffer has an address.
    data = array("B", bytes(len(values) // 8 + 1))
    for position, value in enumerate(values):
        data[position // 8] |= value << position % 8
    return data


def _texts(values: Sequence[Any]) -> tuple[array[int], array[int]]:
    texts: List[bytes] = [b"" if value is None else value.encode() for value in values]
    offsets, end = array("i", [0]), 0
    for text in texts:
        end += len(text)
        offsets.append(end)
    return offsets, array("B", b"".join(texts))


def _padded(data: Any) -> Any:
    """`data`, with an element if it has none: a buffer has an address."""
    if not data:
        data.append(0)
    return data
