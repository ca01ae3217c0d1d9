"""Reads a folder with the recordings of several processes with the module `oxomp`.

    job_python.py FOLDER
"""

import json
import os
import sys
import warnings

sys.path.insert(0, os.environ["OXOMP_PYTHON"])

import oxomp  # noqa: E402


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        job = oxomp.read(sys.argv[1])
    assert isinstance(job, oxomp.Job)
    for name in job.table_names:
        table = getattr(job, name)
        frame, arrow = table.to_pandas(), table.to_arrow()
        assert frame.shape == (len(table), len(table.columns)) == arrow.shape, name
    processes = job.processes.to_pandas()
    print(
        json.dumps(
            {
                "walls": [int(wall) for wall in processes["wall_ns"]],
                "files": [path.name for path in job.files()],
                "calls": int(job.regions.to_pandas()["calls"].sum()),
            }
        )
    )


main()
