"""Arrow's C stream interface, without pyarrow.

A consumer takes the stream out of a PyCapsule, asks it for a schema and for batches, and releases
each of them by the function that it holds. What they point to stays in `_KEPT` until then.
<https://arrow.apache.org/docs/format/CStreamInterface.html>
"""

from __future__ import annotations

import ctypes
import struct
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from itertools import count
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from .buffers import Buffers, buffers
from .columns import Column

_FORMATS = {"int64": b"l", "float64": b"g", "string": b"u", "bool": b"b"}
_NULLABLE = 2
_CAPSULE = b"arrow_array_stream"


class _Schema(ctypes.Structure):
    """struct ArrowSchema"""


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", c_void_p),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class _Array(ctypes.Structure):
    """struct ArrowArray"""


_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", c_void_p),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class _Stream(ctypes.Structure):
    """struct ArrowArrayStream"""

    _fields_ = [
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class _Source:
    """What a stream gives: the columns with their values, as one batch."""

    def __init__(self, columns: Sequence[Column], batch: List[Buffers], length: int) -> None:
        self.columns = columns
        self.batch = batch
        self.length = length
        self.is_over = False


_KEPT: Dict[int, Any] = {}
"""What structures of consumers point to, by the number in their `private_data`."""

_NUMBERS = count(1)


def _keep(what: Any) -> int:
    number = next(_NUMBERS)
    _KEPT[number] = what
    return number


def stream(columns: Tuple[Column, ...], rows: Sequence[Mapping[str, Any]]) -> object:
    """A PyCapsule with a stream of one batch: a struct that has the columns as children."""
    batch = [buffers(column.type, column.values(rows)) for column in columns]
    made = _Stream(
        get_schema=_address(_get_schema),
        get_next=_address(_get_next),
        get_last_error=_address(_get_last_error),
        release=_address(_release_stream),
        private_data=_keep(_Source(columns, batch, len(rows))),
    )
    address = ctypes.addressof(made)
    _STREAMS[address] = made
    return _new_capsule(address, _CAPSULE, _address(_drop_capsule))


_STREAMS: Dict[int, _Stream] = {}
"""The streams in capsules that still exist, by address."""


def _fill_schema(to: _Schema, form: bytes, column: Tuple[bytes, bytes, int], children: Any) -> None:
    name, metadata, flags = column
    to.format, to.name, to.metadata, to.flags = form, name, metadata or None, flags
    pointers = (POINTER(_Schema) * len(children))(*map(ctypes.pointer, children))
    to.n_children, to.children, to.dictionary = len(children), pointers, None
    to.release = _address(_release_schema)
    to.private_data = _keep((form, name, metadata, children, pointers))


def _fill_array(to: _Array, length: int, nulls: int, parts: List[Any], children: Any) -> None:
    addresses = [None if part is None else part.buffer_info()[0] for part in parts]
    table = (c_void_p * len(parts))(*addresses)
    to.length, to.null_count, to.offset = length, nulls, 0
    to.n_buffers, to.buffers = len(parts), table
    pointers = (POINTER(_Array) * len(children))(*map(ctypes.pointer, children))
    to.n_children, to.children, to.dictionary = len(children), pointers, None
    to.release = _address(_release_array)
    to.private_data = _keep((parts, table, children, pointers))


def _metadata(column: Column) -> bytes:
    """The unit and the meaning of a column: the number of pairs, then lengths and bytes."""
    pairs = {"meaning": column.meaning, "unit": column.unit}
    texts = [
        text.encode() for pair in pairs.items() if pair[1] for text in pair if text is not None
    ]
    written = (struct.pack("=i", len(text)) + text for text in texts)
    return struct.pack("=i", len(texts) // 2) + b"".join(written)


def _schema_of(address: int, to: Any) -> int:
    source: _Source = _KEPT[_Stream.from_address(address).private_data]
    children = []
    for column in source.columns:
        child = _Schema()
        facts = column.name.encode(), _metadata(column), _NULLABLE if column.nullable else 0
        _fill_schema(child, _FORMATS[column.type], facts, [])
        children.append(child)
    _fill_schema(to.contents, b"+s", (b"", b"", 0), children)
    return 0


def _next_of(address: int, to: Any) -> int:
    source: _Source = _KEPT[_Stream.from_address(address).private_data]
    if source.is_over:
        # A batch without a release function is the end.
        to.contents.release = None
        return 0
    source.is_over = True
    children = []
    for column in source.batch:
        child = _Array()
        parts = [column.validity, column.data]
        if column.offsets is not None:
            parts.insert(1, column.offsets)
        _fill_array(child, column.length, column.nulls, parts, [])
        children.append(child)
    _fill_array(to.contents, source.length, 0, [None], children)
    return 0


def _release(to: Any) -> None:
    """Releases a schema or an array, and its children that nobody has taken out of it."""
    it = to.contents
    for position in range(it.n_children):
        child = it.children[position]
        if child.contents.release:
            _release(child)
    it.release = None
    _KEPT.pop(it.private_data, None)


def _end_stream(address: int) -> None:
    made = _Stream.from_address(address)
    made.release = None
    _KEPT.pop(made.private_data, None)


def _end_capsule(capsule: int) -> None:
    address = _capsule_pointer(capsule, _CAPSULE)
    if _Stream.from_address(address).release:
        _end_stream(address)
    _STREAMS.pop(address, None)


_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_capsule_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_get_schema = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(_Schema))(_schema_of)
_get_next = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(_Array))(_next_of)
_get_last_error = ctypes.CFUNCTYPE(c_void_p, c_void_p)(lambda stream: None)
_release_stream = ctypes.CFUNCTYPE(None, c_void_p)(_end_stream)
_release_schema = ctypes.CFUNCTYPE(None, POINTER(_Schema))(_release)
_release_array = ctypes.CFUNCTYPE(None, POINTER(_Array))(_release)
_drop_capsule = ctypes.PYFUNCTYPE(None, c_void_p)(_end_capsule)


def _address(function: Any) -> Any:
    """The address of a function for C."""
    return ctypes.cast(function, c_void_p).value


_immortal = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))
# Consumers release batches, and capsules their names, as late as at the end of the interpreter.
for _lasting in (
    _CAPSULE,
    _get_schema,
    _get_next,
    _get_last_error,
    _release_stream,
    _release_schema,
    _release_array,
    _drop_capsule,
):
    _immortal(_lasting)
