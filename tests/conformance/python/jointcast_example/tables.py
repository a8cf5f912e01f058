"""The tables that a client needs: bones, joints and the numbers of chains.

They come from proto/joints.json and proto/chain-table.json. A client in
another place copies the two files.
"""

import json
from pathlib import Path

PROTO = Path(__file__).resolve().parents[4] / "proto"

_joints = json.loads((PROTO / "joints.json").read_text())
CHAIN_TABLE = json.loads((PROTO / "chain-table.json").read_text())
MODEL_TABLE = CHAIN_TABLE["model"]  # what coding 3 adds

# Names of the 55 bones in the order of the protocol, and the parent of each.
BONES = [bone["name"] for bone in _joints["bones"]]
BONE_PARENT = {bone["name"]: bone["parent"] for bone in _joints["bones"]}

# Names of the 83 joints of a body frame in their order, and the parent of each.
JOINTS = [joint["name"] for joint in _joints["joints"]]
JOINT_PARENT = {joint["name"]: joint["parent"] for joint in _joints["joints"]}

# The numbers of sections (BUNDLES.md).
BODY, FACE, HANDS, HIPS, PLACEMENT, STATES, CHANNELS, VIRTUAL = range(1, 9)
PACE = 10

# The bones of the three sections of rotations.
SECTION_BONES = {BODY: BONES[0:22], FACE: BONES[22:25], HANDS: BONES[25:55]}
