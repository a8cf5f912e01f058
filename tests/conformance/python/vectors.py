#!/usr/bin/python3
"""Decodes golden vectors for the runner: reads one JSON object per line, prints one per line.

usage: vectors.py

README.md of the folder above describes the objects.
"""

import json
import math
import sys

from jointcast_example.bundle import Head, decode_bundle
from jointcast_example.capture import BODY_FRAME, POSE, decode_capture
from jointcast_example.chain import Chain
from jointcast_example.clock import Clock
from jointcast_example.playback import Pose, Timeline
from jointcast_example.rotation import about_y, matrix
from jointcast_example.skeleton import virtual_transform
from jointcast_example.tables import BODY, CHANNELS, FACE, HANDS, HIPS, VIRTUAL
from jointcast_example.wire import Damaged

SECTIONS = {"body": BODY, "face": FACE, "hands": HANDS, "hips": HIPS, "channels": CHANNELS, "virtual": VIRTUAL}
KINDS = {"body-frame": BODY_FRAME, "pose": POSE}


def bundle(vector):
    before = Head(**vector["before"]) if vector.get("before") else None
    found = decode_bundle(bytes.fromhex(vector["hex"]), before)
    if found.damage:
        raise found.damage
    return {"head": vars(found.head), "packets": [packet_of(packet) for packet in found.packets]}


def packet_of(packet):
    found = {"body": packet.body, "incarnation": packet.incarnation, "sequence": packet.sequence,
             "cut": packet.cut, "needsState": not packet.complete,
             "shape": 4 if packet.shape == 0 and not packet.complete else packet.shape,
             "ageUs": packet.age_us, "relayUs": packet.relay_us, "rotations": packet.rotations}
    optional = {"hips": packet.hips, "placement": packet.placement, "states": packet.states}
    return found | {name: value for name, value in optional.items() if value is not None}


def chain(vector):
    section, state, shown = SECTIONS[vector["section"]], None, []
    for step in vector["steps"]:
        data = bytes.fromhex(step.get("hex", ""))
        if step["do"] == "rejoin":
            state = Chain(section, data, vector.get("coding", 2))
        elif step["do"] == "frame":
            state.frame(data)
        else:
            state.hold()
        shown.append(state.shown())
    return {"shown": shown}


def capture(vector):
    found = decode_capture(bytes.fromhex(vector["hex"]), KINDS[vector["kind"]])
    items = {name: {key: value for key, value in vars(item).items() if value is not None}
             for name, item in found.items.items()}
    decoded = {"kind": vector["kind"], "time": found.time, "cut": found.cut, "rest": found.rest,
               "confidence": found.confidence, "values": found.values, "items": items}
    return decoded | ({"hips": found.hips} if found.kind == POSE else {})


def transform(vector):
    parent = vector["parent"]
    if parent:
        part = [[c * s for c, s in zip(row, parent["scale"])] for row in matrix(parent["rotation"])]
        parent = (part, parent["translation"])
    return dict(zip(("translation", "rotation", "scale"), virtual_transform(vector["transform"], parent)))


def timeline(vector):
    played, shows = Timeline(vector["extrapolation"]), []
    for event in vector["events"]:
        if "packet" in event:
            packet = event["packet"]
            pose = Pose({"head": about_y(math.radians(packet["head"]))}, [0, packet["hips"], 0],
                        [packet["x"], 0, 0], packet["yaw"])
            played.receive(packet["capture"], pose, packet["incarnation"], packet["cut"])
        elif "still" in event:
            played.still(event["still"])
        else:
            pose, state = played.pose(event["show"] - vector["delay"])
            _, y, _, w = pose.rotations["head"]
            shows.append({"state": state, "head": math.degrees(2 * math.atan2(y, w)), "hips": pose.hips[1],
                          "x": pose.position[0], "yaw": pose.yaw})
    return {"shows": shows}


def clock(vector):
    kept, servers = Clock(), []
    for event in vector["events"]:
        if "exchange" in event:
            kept.exchange(**event["exchange"])
        else:
            servers.append(kept.server(event["ask"]))
    return {"servers": servers}


DECODERS = {"bundle": bundle, "chain": chain, "capture": capture, "virtual-transform": transform,
            "timeline": timeline, "clock": clock}


def main():
    for line in sys.stdin:
        vector = json.loads(line)
        try:
            answer = DECODERS[vector["vector"]](vector)
        except Damaged as damage:
            answer = {"error": damage.kind}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
