"""Runs the client whose code is in CORE.md and BUNDLES.md: prints a line of JSON for each packet, as
tests/conformance/run.mjs expects from a client that watches.

usage: document_client.py URL
"""

import asyncio
import json
import sys

from document_code import BONES, READER, code

CORE = code("CORE", BONES=BONES, Damaged=READER["Damaged"], read_bundle=READER["read_bundle"])


def show(name, capture, points):
    body = next(body for body in client.bodies.values() if body["name"] == name)
    nodes = client.skeletons[body["skeleton"]]["bones"]
    print(json.dumps({"time": capture, "body": body["id"],
                      "bones": {bone: {"position": points[node]} for bone, node in nodes.items()}}), flush=True)


client = CORE["Client"]("lobby", show)
asyncio.run(client.run(sys.argv[1]))
