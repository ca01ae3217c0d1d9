"""Reads a recording with the module `oxomp`, and its tables with pandas, pyarrow, polars (where it
is there) and Hatchet. Compares all of them with the document that the command writes, and prints
some sums.

    read_python.py RECORDING
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.environ["OXOMP_PYTHON"])

import oxomp  # noqa: E402
import pandas  # noqa: E402
import pyarrow  # noqa: E402

try:
    import polars
except ImportError:
    polars = None

OTHER_NAMES = {
    "calls": ["calls", "nodes"],
    "changes": ["advice", "changes"],
    "environment": ["run", "environment"],
    "hot_code": ["sampled", "code"],
    "hot_serial": ["sampled", "serial"],
    "repeated_transfers": ["offload", "repeated"],
    "target_constructs": ["offload", "constructs"],
    "transfers": ["offload", "transfers"],
}


def rows_of(document, name):
    path = OTHER_NAMES.get(name) or ([name] if name in document else name.split("_", 1))
    for key in path:
        document = (document or {}).get(key, [])
    return document


def flat(value, prefix=""):
    """The values of a row by the names of columns, without lists."""
    found = {}
    for key, inner in value.items():
        if isinstance(inner, dict):
            found.update(flat(inner, f"{prefix}{key}_"))
        elif not isinstance(inner, list):
            found[prefix + key] = inner
    return found


def listed(series):
    return [None if pandas.isna(value) else value for value in series]


def sampled_roots(run):
    """The samples at the roots of Hatchet's graph, whose sums are those of the call paths."""
    if not run.calls:
        return 0
    graph = run.graph_frame()
    frame = graph.dataframe
    assert len(graph.graph) == len(run.calls) == len(frame)
    own = sum(row["own"] for row in run.calls)
    assert frame["samples"].sum() == own
    assert abs(frame["time"].sum() - own * run["calls"]["period_ns"] / 1e9) < 1e-6
    by_place = frame.groupby(["name", "file", "line"], dropna=False)["samples"].sum()
    wanted = {}
    for row in run.calls:
        place = row["function"], row["file"], row["line"]
        wanted[place] = wanted.get(place, 0) + row["own"]
    assert len(by_place) == len(wanted) and sorted(by_place) == sorted(wanted.values())
    assert graph.tree()
    return int(sum(frame.loc[root, "samples (inc)"] for root in graph.graph.roots))


def main():
    recording = sys.argv[1]
    words = [os.environ["OXOMP_BIN"], "report", "--json=-", recording]
    document = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
    run = oxomp.read(recording)
    document.setdefault("offload", None)
    assert run == document
    assert run["run"]["threads"] == document["run"]["threads"]
    assert json.loads(json.dumps(run)) == document

    for name in run.table_names:
        table, rows = getattr(run, name), rows_of(document, name)
        assert list(table) == rows and len(table) == len(rows), name
        values = [flat(row) for row in rows]
        for row in values:
            missing = set(row) - {column.name for column in table.columns}
            # An object that is null is no column: its values are.
            assert all(row[key] is None for key in missing), (name, missing)
        frames = {
            "to_pandas": table.to_pandas(),
            "interchange": pandas.api.interchange.from_dataframe(table),
        }
        arrow = table.to_arrow()
        arrow.validate(full=True)
        assert arrow.equals(pyarrow.table(table))
        for column in table.columns:
            wanted = [row.get(column.name) for row in values]
            assert table.column(column.name) == wanted, (name, column.name)
            assert arrow.column(column.name).to_pylist() == wanted, (name, column.name)
            for kind, frame in frames.items():
                assert listed(frame[column.name]) == wanted, (name, column.name, kind)
            assert column.name.endswith("_ns") == (column.unit == "ns"), column
            assert column.nullable or None not in wanted, column
            if polars is not None:
                assert polars.DataFrame(table)[column.name].to_list() == wanted, column

    page = run._repr_html_()
    assert page.startswith("<pre>oxomp ") and page.count("<iframe") == 1, page[:200]
    # The page is text in an attribute: none of its own marks are marks of the notebook.
    frame_text = page[page.index("srcdoc=") :]
    assert "<" not in frame_text[: frame_text.rindex("></iframe>")]
    assert run.regions._repr_html_().count("<tr>") == min(len(run.regions), 60) + 1

    print(
        json.dumps(
            {
                "calls": int(run.regions.to_pandas()["calls"].sum()),
                "samples": sampled_roots(run),
                "tasks": len(run.tasks),
                "target_constructs": len(run.target_constructs),
            }
        )
    )


main()
