"""What notebooks show."""

from __future__ import annotations

from html import escape
from typing import Any, Mapping, Sequence

from .columns import Column

_MOST_ROWS = 60


def run(summary: str, page: str) -> str:
    """The summary as text, and the page for browsers below it, in a frame of its own.

    The page is a whole document with scripts: the frame keeps them away from the notebook.
    """
    return (
        f"<pre>{escape(summary)}</pre>\n"
        '<iframe sandbox="allow-scripts" style="width: 100%; height: 48em; border: 1px solid #ccc"'
        f' srcdoc="{escape(page, quote=True)}"></iframe>'
    )


def table(name: str, columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> str:
    """An HTML table of the first 60 rows, with the units below the names."""
    heads = "".join(
        f'<th title="{escape(column.meaning, quote=True)}">{escape(column.name)}'
        f"{f'<br>({escape(column.unit)})' if column.unit else ''}</th>"
        for column in columns
    )
    shown = rows[:_MOST_ROWS]
    lines = "\n".join(
        "<tr>" + "".join(_cell(column.value(row)) for column in columns) + "</tr>" for row in shown
    )
    more = len(rows) - len(shown)
    said = f"{escape(name)}: {count(len(rows))}" + (f", {more} of them not shown" if more else "")
    return (
        f"<table>\n<caption>{said}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{lines}\n</tbody>\n</table>"
    )


def count(rows: int) -> str:
    """A number of rows in words."""
    return "1 row" if rows == 1 else f"{rows} rows"


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, bool):
        return f"<td>{'true' if value else 'false'}</td>"
    if isinstance(value, (int, float)):
        return f'<td style="text-align: right">{value}</td>'
    return f"<td>{escape(str(value))}</td>"
