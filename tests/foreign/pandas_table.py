"""Reads tables of poses with pandas, without options, and compares them with retarget --json.

usage: pandas_table.py JOINTCAST FOLDER
"""
import json
import pathlib
import subprocess
import sys

import pandas

jointcast, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([jointcast, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def compare(motion):
    path = folder / "pandas.csv"
    run("convert", motion, path, "--positions", "--fps", 25, "--from", 0.5, "--until", 1.5)
    table = pandas.read_csv(path)
    assert all(pandas.api.types.is_numeric_dtype(kind) for kind in table.dtypes), table.dtypes
    assert len(table) == 26 and table.time.iloc[-1] == 1.0
    times = ",".join(str(0.5 + t) for t in table.time)
    worst = 0.0
    frames = json.loads(run("retarget", motion, "humanoid", "--times", times, "--json"))["frames"]
    for row, frame in zip(table.itertuples(index=False), frames):
        cells = dict(zip(table.columns, row))
        for bone, values in frame["bones"].items():
            if values["state"] == "absent":
                assert f"{bone}.px" not in cells
                continue
            worst = max(worst, *(abs(cells[f"{bone}.p{axis}"] - v) for axis, v in zip("xyz", values["worldPosition"])))
    assert worst < 1e-6, worst
    # What pandas writes, convert reads.
    back = folder / "written.csv"
    table[table.columns[::-1]].to_csv(back, index=False)
    motion_again = json.loads(run("retarget", back, "humanoid", "--times", "0,0.5,1", "--json"))["frames"]
    first = json.loads(run("retarget", path, "humanoid", "--times", "0,0.5,1", "--json"))["frames"]
    for a, b in zip(motion_again, first):
        for bone, values in a["bones"].items():
            assert all(abs(x - y) < 1e-6 for x, y in zip(values["worldPosition"], b["bones"][bone]["worldPosition"]))
    print(f"{motion}: {table.shape[0]} rows, {table.shape[1]} columns, positions within {worst:.1e} m")


for name in sys.argv[3:] or ["demo:walk", "demo:wave", "demo:sit", "demo:idle"]:
    compare(name)
