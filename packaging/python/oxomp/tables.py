"""Tables: lists of rows, with columns for data frames."""

from __future__ import annotations

from typing import (
    Any,
    Dict,
    Generic,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

from . import arrow, jupyter
from .columns import Column
from .error import needed
from .interchange import DataFrame

Row = TypeVar("Row")

_PANDAS = {"int64": "Int64", "float64": "float64", "string": "string", "bool": "boolean"}
"""The types of pandas for columns in which values may be missing."""


class Table(Generic[Row]):
    """A list of the document, as a table.

    The rows are those of the document, with its types: `table[0]`, `for row in table`. The columns
    are for programs that read data frames: pandas, pyarrow, polars and others read a table by
    itself (`pyarrow.table(table)`), by Arrow's C stream or the dataframe interchange protocol.
    Numbers are 64-bit integers or floating-point numbers, times are in nanoseconds, and what was
    not measured is missing.
    """

    def __init__(self, name: str, rows: Sequence[Row], columns: Tuple[Column, ...]) -> None:
        self.name = name
        """Its name, as the attribute of the run."""
        self.columns = columns
        """The columns, what a row is about first, then by name."""
        self._rows = rows

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    @overload
    def __getitem__(self, position: int) -> Row: ...
    @overload
    def __getitem__(self, position: slice) -> Table[Row]: ...
    def __getitem__(self, position: Union[int, slice]) -> Union[Row, Table[Row]]:
        """A row by its position, or a table of some rows."""
        if isinstance(position, slice):
            return Table(self.name, self._rows[position], self.columns)
        return self._rows[position]

    def __repr__(self) -> str:
        rows = jupyter.count(len(self))
        return f"<oxomp.Table {self.name}: {rows}, {len(self.columns)} columns>"

    def column(self, name: str) -> List[Any]:
        """The values of the column of this name, in the order of the rows; None is missing.

        Raises KeyError if there is no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column.values(self._mappings())
        raise KeyError(name)

    @property
    def units(self) -> Dict[str, Optional[str]]:
        """The unit of each column by its name: `ns`, `byte` or None."""
        return {column.name: column.unit for column in self.columns}

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of `len(self)` rows and `len(self.columns)` columns.

        Integers, texts and truth values in columns that may lack some have pandas' types with
        missing values. `frame.attrs["units"]` has the units.

        Raises MissingPackage without pandas.
        """
        pandas = needed("pandas", "pandas", "Table.to_pandas")
        series = {
            column.name: pandas.Series(
                column.values(self._mappings()),
                dtype=_PANDAS[column.type] if column.nullable else column.type,
            )
            for column in self.columns
        }
        frame = pandas.DataFrame(series)
        frame.attrs["units"] = self.units
        return frame

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`; the metadata of its fields have `unit` and `meaning`.

        Raises MissingPackage without pyarrow.
        """
        return needed("pyarrow", "pyarrow", "Table.to_arrow").table(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's C stream of one batch, as a PyCapsule."""
        return arrow.stream(self.columns, self._mappings())

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> DataFrame:
        """The table in the dataframe interchange protocol."""
        if not allow_copy:
            raise RuntimeError("the rows of a table have to be copied into columns")
        return DataFrame(self.columns, self._mappings())

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        return jupyter.table(self.name, self.columns, self._mappings())

    def _mappings(self) -> Sequence[Mapping[str, Any]]:
        """The rows, which are dictionaries."""
        return cast("Sequence[Mapping[str, Any]]", self._rows)


def rows(document: Mapping[str, Any], *path: str) -> Any:
    """The list at the keys of `path`; empty where a part of the document is None."""
    found: Any = document
    for key in path:
        if found is None:
            return []
        found = found[key]
    return found
