"""Decodes every golden vector of proto/golden and compares bit by bit.

usage: golden_test.py
"""

import json
import math
import unittest

from jointcast_example.bundle import Head, decode_bundle
from jointcast_example.capture import BODY_FRAME, POSE, Capture, Item, decode_capture, encode_capture
from jointcast_example.chain import Chain
from jointcast_example.clock import Clock
from jointcast_example.connection import Client
from jointcast_example.playback import Pose, Timeline
from jointcast_example.pose_line import line_of
from jointcast_example.rotation import about_y, matrix
from jointcast_example.skeleton import virtual_transform
from jointcast_example.space import Space
from jointcast_example.tables import PROTO
from jointcast_example.wire import Damaged
from vectors import SECTIONS, packet_of


def golden(name):
    return json.loads((PROTO / "golden" / name).read_text())


class Bundles(unittest.TestCase):
    def test_every_bundle_decodes_exactly(self):
        for vector in golden("bundles.json"):
            with self.subTest(vector["name"]):
                before = Head(**vector["before"]) if "before" in vector else None
                bundle = decode_bundle(bytes.fromhex(vector["hex"]), before)
                self.assertIsNone(bundle.damage)
                self.assertEqual(bundle.head, Head(**vector["head"]))
                self.assertEqual([packet_of(packet) for packet in bundle.packets], vector["packets"])

    def test_every_broken_bundle_is_refused_for_its_reason(self):
        for vector in golden("broken.json"):
            with self.subTest(vector["name"]):
                try:
                    damage = decode_bundle(bytes.fromhex(vector["hex"])).damage
                except Damaged as error:
                    damage = error
                self.assertEqual(damage and damage.kind, vector["error"])


class Chains(unittest.TestCase):
    def test_every_chain_keeps_the_state_and_shows_the_pose(self):
        for vector in golden("chains.json") + golden("model-chains.json"):
            with self.subTest(vector["name"]):
                chain, before = None, None
                for step in vector["steps"]:
                    if step["do"] == "rejoin":
                        joined = Chain(SECTIONS[vector["section"]], bytes.fromhex(step["hex"]), vector.get("coding", 2))
                        self.assertEqual(self.state(joined), before["state"])
                        self.assertEqual(joined.shown(), before["shown"])
                        chain = chain or joined
                        continue
                    if step["do"] == "frame":
                        chain.frame(bytes.fromhex(step["hex"]))
                    elif step["do"] == "hold":
                        chain.hold()
                    if step["do"] != "start":  # the rejoin section after it makes the chain
                        self.assertEqual(self.state(chain), step["state"])
                        self.assertEqual(chain.shown(), step["shown"])
                    before = step

    @staticmethod
    def state(chain):
        """The numbers of each item: in coding 2 place, step and miss."""
        if chain.coding == 3:
            return [item.place + item.pace + item.miss + item.rounding for item in chain.items]
        return [item.place + [v // 16 for v in item.pace] + item.miss for item in chain.items]

    def test_every_broken_section_is_refused_for_its_reason(self):
        for vector in golden("broken-chains.json"):
            with self.subTest(vector["name"]):
                section, data = SECTIONS[vector["section"]], bytes.fromhex(vector["hex"])
                with self.assertRaises(Damaged) as caught:
                    if vector["do"] == "rejoin":
                        Chain(section, data)
                    else:
                        Chain(section, bytes.fromhex(vector["after"])).frame(data)
                self.assertEqual(caught.exception.kind, vector["error"])


class Captures(unittest.TestCase):
    KINDS = {"body-frame": BODY_FRAME, "pose": POSE}

    def capture(self, vector):
        items = {name: Item(**item) for name, item in vector["items"].items()}
        return Capture(**(vector | {"kind": self.KINDS[vector["kind"]], "items": items}))

    def test_every_capture_decodes_exactly(self):
        for vector in golden("captures.json"):
            with self.subTest(vector["name"]):
                expected = self.capture(vector["expected"])
                self.assertEqual(decode_capture(bytes.fromhex(vector["hex"]), expected.kind), expected)

    def test_every_capture_encodes_to_the_same_bytes(self):
        for vector in golden("captures.json"):
            if "input" in vector:
                with self.subTest(vector["name"]):
                    self.assertEqual(encode_capture(self.capture(vector["input"])).hex(), vector["hex"])

    def test_every_broken_capture_is_refused_for_its_reason(self):
        for vector in golden("broken-captures.json"):
            with self.subTest(vector["name"]):
                with self.assertRaises(Damaged) as caught:
                    decode_capture(bytes.fromhex(vector["hex"]), self.KINDS[vector["kind"]])
                self.assertEqual(caught.exception.kind, vector["error"])


class VirtualTransforms(unittest.TestCase):
    def test_every_virtual_transform_is_where_the_table_states(self):
        for vector in golden("virtual-transforms.json"):
            with self.subTest(vector["name"]):
                parent = vector["parent"]
                if parent:
                    part = [[c * s for c, s in zip(row, parent["scale"])] for row in matrix(parent["rotation"])]
                    parent = (part, parent["translation"])
                found = virtual_transform(vector["transform"], parent)
                for numbers, name in zip(found, ("translation", "rotation", "scale")):
                    expected = vector["expected"][name]
                    if name == "rotation" and sum(a * b for a, b in zip(numbers, expected)) < 0:
                        expected = [-c for c in expected]
                    for a, b in zip(numbers, expected, strict=True):
                        self.assertAlmostEqual(a, b, places=9)


class Conversations(unittest.TestCase):
    def test_every_bundle_of_the_conversations_leads_to_its_poses(self):
        for conversation in golden("conversation.json"):
            with self.subTest(conversation["name"]):
                for frames, poses in self.frames(conversation):
                    self.assertEqual(len(frames), len(poses))
                    for frame, pose in zip(frames, poses):
                        self.compare(frame, pose)

    @staticmethod
    def frames(conversation):
        """What a client makes of each bundle, and the poses that the vector expects."""
        frames, before = [], None
        space = Space("lobby", lambda body, time: frames.append(
            line_of(body, time, space.skeletons[body.skeleton])))
        handlers = {"roster": space.on_roster, "skeleton": space.on_skeleton}
        for message in conversation["messages"]:
            if "hex" in message:
                bundle = decode_bundle(bytes.fromhex(message["hex"]), before)
                before = bundle.head
                frames.clear()
                space.on_bundle(bundle)
                yield frames, message["poses"]
            elif message["from"] == "server":
                handlers.get(message["message"]["type"], lambda message: None)(message["message"])

    def compare(self, frame, pose):
        self.assertEqual((frame["time"], frame["body"]), (pose["time"], pose["body"]))
        self.assertEqual(frame["bones"].keys(), pose["bones"].keys())
        for name, bone in pose["bones"].items():
            self.assertLess(math.dist(frame["bones"][name]["position"], bone["position"]), 2e-5, name)
            turn = frame["bones"][name]["rotation"]
            opposite = [-c for c in turn]  # the same rotation
            self.assertLess(min(math.dist(q, bone["rotation"]) for q in (turn, opposite)), 5e-6, name)


class Discarded(unittest.TestCase):
    def test_every_stream_waits_after_bundles_that_are_discarded(self):
        for vector in golden("discarded.json"):
            client = Client("ws://127.0.0.1/")
            entry = {"id": vector["body"], "skeleton": "", "placement": {"position": [0, 0, 0], "yaw": 0}}
            client.space.on_roster({"id": vector["space"], "epoch": "", "revision": 1, "tickHz": 60, "tickTime": 0,
                                    "bodies": [entry]})
            body = client.space.bodies[vector["body"]]
            for step in vector["steps"]:
                with self.subTest(vector["name"], step=step):
                    damaged = client.damaged
                    client._on_binary(bytes.fromhex(step["hex"]))
                    self.assertEqual(client.damaged - damaged, 1 if "error" in step else 0)
                    self.assertEqual((body.waiting, body.hips), (step["waits"], step["hips"]))


class Playback(unittest.TestCase):
    def test_every_timeline_shows_the_poses(self):
        for vector in golden("timeline.json")["timelines"]:
            timeline = Timeline(vector["extrapolation"])
            for event in vector["events"]:
                with self.subTest(vector["name"], event=event):
                    if "packet" in event:
                        packet = event["packet"]
                        pose = Pose({"head": about_y(math.radians(packet["head"]))}, [0, packet["hips"], 0],
                                    [packet["x"], 0, 0], packet["yaw"])
                        timeline.receive(packet["capture"], pose, packet["incarnation"], packet["cut"])
                    elif "still" in event:
                        timeline.still(event["still"])
                    else:
                        self.compare(timeline.pose(event["show"] - vector["delay"]), event)

    def compare(self, shown, event):
        pose, state = shown
        _, y, _, w = pose.rotations["head"]
        self.assertEqual(state, event["state"])
        self.assertAlmostEqual(math.remainder(math.degrees(2 * math.atan2(y, w)) - event["head"], 360), 0, delta=0.01)
        self.assertAlmostEqual(pose.hips[1], event["hips"], delta=0.0001)
        self.assertAlmostEqual(pose.position[0], event["x"], delta=0.0001)
        self.assertAlmostEqual(math.remainder(pose.yaw - event["yaw"], 2 * math.pi), 0, delta=0.0001)

    def test_every_clock_has_the_server_time(self):
        for vector in golden("timeline.json")["clocks"]:
            clock = Clock()
            for event in vector["events"]:
                with self.subTest(vector["name"], event=event):
                    if "exchange" in event:
                        clock.exchange(**event["exchange"])
                    else:
                        self.assertAlmostEqual(clock.server(event["ask"]), event["server"], delta=2)


if __name__ == "__main__":
    unittest.main()
