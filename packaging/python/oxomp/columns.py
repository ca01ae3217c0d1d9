"""The columns of tables: names, types, units, and the values of a row."""

from __future__ import annotations

from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple


class Column(NamedTuple):
    """A column of a table. Objects in a row are columns with a prefix: `place_line`, `gain_ns`.

    Lists in a row are no columns: the rows themselves have them.
    """

    name: str
    """Its name: the names of `path`, joined by underscores."""

    type: str
    """The type of its values: `int64`, `float64`, `string` or `bool`."""

    nullable: bool
    """Whether a value may be None: what was not measured, or is not known."""

    unit: Optional[str]
    """`ns` for nanoseconds, `byte` for bytes; None for counts, parts, numbers and names."""

    path: Tuple[str, ...]
    """Where a row has the value: the keys, from the outermost to the innermost."""

    meaning: str
    """What the schema says of it."""

    def value(self, row: Mapping[str, Any]) -> Any:
        """Its value in a row; None if an object that holds it is None."""
        value: Any = row
        for key in self.path:
            if value is None:
                return None
            value = value.get(key)
        return value

    def values(self, rows: Sequence[Mapping[str, Any]]) -> List[Any]:
        """Its values in all rows, in their order."""
        return [self.value(row) for row in rows]
