"""What the module `oxomp` says where it cannot read, as a list.

    refuse_python.py TEXT FOLDER RECORDING
"""

import json
import os
import shutil
import sys
import warnings

sys.path.insert(0, os.environ["OXOMP_PYTHON"])

import oxomp  # noqa: E402
import oxomp.paths  # noqa: E402


def said(action):
    try:
        action()
    except oxomp.Error as error:
        return str(error)
    return "no error"


def main():
    text, folder, recording = sys.argv[1:]
    empty, job = os.path.join(folder, "empty"), os.path.join(folder, "two")
    os.mkdir(empty)
    os.mkdir(job)
    for name in ["1.oxp", "2.oxp"]:
        shutil.copy(recording, os.path.join(job, name))
    texts = [said(lambda: oxomp.read(path)) for path in [os.path.join(folder, "x"), text, empty]]
    texts.append(said(lambda: oxomp.read_run(job)))

    damaged = os.path.join(folder, "damaged.oxp")
    with open(recording, "rb") as file:
        content = bytearray(file.read())
    middle = len(content) // 2
    for position in range(middle, middle + min(3000, middle // 2)):
        content[position] ^= 0x5A
    with open(damaged, "wb") as file:
        file.write(content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read = oxomp.read(damaged)
    assert [warning.category for warning in caught] == [oxomp.RecordingWarning]
    assert caught[0].filename == __file__

    command = oxomp.paths.command
    oxomp.paths.command = lambda: "/nowhere/oxomp"
    texts.append(said(lambda: oxomp.read(recording)))
    assert read._repr_html_() is None
    oxomp.paths.command = command

    for module in ["pandas", "pyarrow", "hatchet"]:
        # Python refuses to import a module that is None.
        sys.modules[module] = None
    regions = read.regions
    texts += [said(action) for action in (regions.to_pandas, regions.to_arrow, read.graph_frame)]
    texts.append(str(caught[0].message))
    print(json.dumps(texts))


main()
