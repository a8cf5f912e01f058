"""Writes the joint positions of bodies as a table (CSV), for R, pandas or a spreadsheet, one row per
frame: time in seconds, name, then x, y and z of each bone in metres. Bodies without consent to
recording are left out.

usage: table.py [URL] >motion.csv     Ctrl-C ends it
"""
import csv
import json
import subprocess
import sys


def rows(lines):
    """The rows of the table, the heading first."""
    bones = None
    for line in lines:
        pose = json.loads(line)
        if not pose["mayRecord"]:
            continue
        if bones is None:
            bones = list(pose["bones"])
            yield ["time", "name"] + [f"{bone}.{axis}" for bone in bones for axis in "xyz"]
        yield [pose["time"] / 1e6, pose["name"]] + [
            number for bone in bones for number in pose["bones"][bone]["position"]]


def main():
    command = ["jointcast", "watch", "--poses"] + sys.argv[1:]
    watch = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        csv.writer(sys.stdout).writerows(rows(watch.stdout))
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    finally:
        watch.terminate()


if __name__ == "__main__":
    main()
