"""The sampled call paths for Hatchet, which compares call trees.

<https://hatchet.readthedocs.io>
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, List

from .document import Calls
from .error import Error, needed


def graph_frame(calls: Calls) -> Any:
    """The call paths as a `hatchet.GraphFrame`; `Run.graph_frame` describes the columns."""
    package = needed("hatchet", "llnl-hatchet", "Run.graph_frame")
    if not calls["nodes"]:
        raise Error("the run was not sampled: it has no call paths")
    # Hatchet itself needs pandas.
    pandas, frames, graphs, parts = map(
        import_module, ["pandas", "hatchet.frame", "hatchet.graph", "hatchet.node"]
    )

    nodes: List[Any] = []
    roots: List[Any] = []
    rows = []
    seconds = calls["period_ns"] / 1e9
    for row in calls["nodes"]:
        # A frame with the same function, file and line is the same place of the program.
        place = {"name": row["function"], "file": row["file"] or "", "line": row["line"] or 0}
        node = parts.Node(frames.Frame(place, type="function"))
        nodes.append(node)
        if row["caller"] is None:
            roots.append(node)
        else:
            caller = nodes[row["caller"]]
            caller.add_child(node)
            node.add_parent(caller)
        rows.append(
            {
                "node": node,
                "name": row["function"],
                "time": row["own"] * seconds,
                "time (inc)": row["total"] * seconds,
                "samples": row["own"],
                "samples (inc)": row["total"],
                "file": row["file"],
                "line": row["line"],
                "module": row["module"],
                "region": row["region"],
            }
        )
    graph = graphs.Graph(roots)
    graph.enumerate_traverse()
    data = pandas.DataFrame(rows).astype({"line": "Int64"}).set_index("node").sort_index()
    return package.GraphFrame(
        graph, data, ["time", "samples"], ["time (inc)", "samples (inc)"], default_metric="time"
    )
