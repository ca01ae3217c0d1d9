"""The dataframe interchange protocol, which pandas, polars and others read.

<https://data-apis.org/dataframe-protocol/latest/API.html>
"""

from __future__ import annotations

from array import array
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from .buffers import Buffers, buffers
from .columns import Column

Type = Tuple[int, int, str, str]
"""A type of the protocol: kind, bits, Arrow's format, and the order of bytes."""

_TYPES: Dict[str, Type] = {
    "int64": (0, 64, "l", "="),
    "float64": (2, 64, "g", "="),
    "bool": (20, 8, "b", "="),
    "string": (21, 8, "u", "="),
}
_BYTES: Type = (1, 8, "C", "=")
_OFFSETS: Type = (0, 32, "i", "=")
_BITS: Type = (20, 1, "b", "=")
_NOT_NULLABLE = (0, None)
_BITMASK_WITH_0_FOR_MISSING = (3, 0)


class Buffer:
    """Contiguous memory of the processor."""

    def __init__(self, data: array[Any]) -> None:
        self._data = data

    @property
    def bufsize(self) -> int:
        """Its size in bytes."""
        return len(self._data) * self._data.itemsize

    @property
    def ptr(self) -> int:
        """Its address."""
        return self._data.buffer_info()[0]

    def __dlpack__(self) -> Any:
        raise NotImplementedError("__dlpack__")

    def __dlpack_device__(self) -> Tuple[int, Optional[int]]:
        """The processor's memory."""
        return (1, None)


class InterchangeColumn:
    """A column, in one chunk."""

    def __init__(self, column: Column, values: Sequence[Any]) -> None:
        self._column = column
        self._buffers = _with_bytes(buffers(column.type, values), column.type, values)

    def size(self) -> int:
        """The number of rows."""
        return self._buffers.length

    @property
    def offset(self) -> int:
        """The position of the first row in the buffers."""
        return 0

    @property
    def dtype(self) -> Type:
        """The type of the values."""
        return _TYPES[self._column.type]

    @property
    def describe_categorical(self) -> Any:
        """Raises TypeError: no column is categorical."""
        raise TypeError("the column is not categorical")

    @property
    def describe_null(self) -> Tuple[int, Any]:
        """How missing values are marked: by a mask with a bit for each row, if at all."""
        return _NOT_NULLABLE if self._buffers.validity is None else _BITMASK_WITH_0_FOR_MISSING

    @property
    def null_count(self) -> int:
        """The number of missing values."""
        return self._buffers.nulls

    @property
    def metadata(self) -> Dict[str, Any]:
        """The unit and the meaning."""
        return {"unit": self._column.unit, "meaning": self._column.meaning}

    def num_chunks(self) -> int:
        """One."""
        return 1

    def get_chunks(self, n_chunks: Optional[int] = None) -> Iterable[InterchangeColumn]:
        """The column itself."""
        return [self]

    def get_buffers(self) -> Dict[str, Optional[Tuple[Buffer, Type]]]:
        """The buffers of the values, of the mask and of the texts' offsets."""
        own = self._buffers
        is_text = own.offsets is not None
        return {
            "data": (Buffer(own.data), _BYTES if is_text else self.dtype),
            "validity": None if own.validity is None else (Buffer(own.validity), _BITS),
            "offsets": None if own.offsets is None else (Buffer(own.offsets), _OFFSETS),
        }


class DataFrame:
    """A table, in one chunk."""

    version = 0

    def __init__(self, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> None:
        self._columns = columns
        self._rows = rows

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> DataFrame:
        return self

    @property
    def metadata(self) -> Dict[str, Any]:
        """Nothing: columns have metadata."""
        return {}

    def num_columns(self) -> int:
        """The number of columns."""
        return len(self._columns)

    def num_rows(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def num_chunks(self) -> int:
        """One."""
        return 1

    def column_names(self) -> List[str]:
        """The names of the columns."""
        return [column.name for column in self._columns]

    def get_column(self, i: int) -> InterchangeColumn:
        """The column at a position."""
        return InterchangeColumn(self._columns[i], self._columns[i].values(self._rows))

    def get_column_by_name(self, name: str) -> InterchangeColumn:
        """The column of a name."""
        return self.get_column(self.column_names().index(name))

    def get_columns(self) -> List[InterchangeColumn]:
        """All columns."""
        return [self.get_column(position) for position in range(self.num_columns())]

    def select_columns(self, indices: Sequence[int]) -> DataFrame:
        """A table of the columns at these positions."""
        return DataFrame([self._columns[position] for position in indices], self._rows)

    def select_columns_by_name(self, names: Sequence[str]) -> DataFrame:
        """A table of the columns of these names."""
        return self.select_columns([self.column_names().index(name) for name in names])

    def get_chunks(self, n_chunks: Optional[int] = None) -> Iterable[DataFrame]:
        """The table itself."""
        return [self]


def _with_bytes(made: Buffers, kind: str, values: Sequence[Any]) -> Buffers:
    """The buffers; those of truth values with a byte for each instead of a bit."""
    if kind != "bool":
        return made
    return made._replace(data=array("B", [int(bool(value)) for value in values] or [0]))
