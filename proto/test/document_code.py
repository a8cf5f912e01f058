"""Runs the Python code of the documents, as it stands there, on the golden vectors and conversations.

usage: document_code.py
"""

import asyncio
import json
import math
import pathlib
import re
import unittest

import websockets

PROTO = pathlib.Path(__file__).resolve().parent.parent
JOINTS = json.loads((PROTO / "joints.json").read_text())["bones"]
BONES = [bone["name"] for bone in JOINTS]
PARENTS = [BONES.index(bone["parent"]) if bone["parent"] else -1 for bone in JOINTS]


def code(document, **given):
    """The names that the code blocks of a document define, beginning with those that are given."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (PROTO / f"{document}.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks, document
    names = dict(given)
    exec(compile("\n".join(blocks), f"{document}.md", "exec"), names)
    return names


def golden(name):
    return json.loads((PROTO / "golden" / name).read_text())


READER = code("BUNDLES")
Damaged = READER["Damaged"]


class Bundles(unittest.TestCase):
    def test_every_bundle_decodes_exactly(self):
        for vector in golden("bundles.json"):
            with self.subTest(vector["name"]):
                before = tuple(vector["before"].values()) if "before" in vector else None
                packets = []
                space, tick = READER["read_bundle"](bytes.fromhex(vector["hex"]), before, packets)
                self.assertEqual({"space": space, "tick": tick}, vector["head"])
                self.assertEqual([self.as_vector(packet) for packet in packets], vector["packets"])

    @staticmethod
    def as_vector(packet):
        found = {"body": packet["id"], "incarnation": packet["incarnation"], "sequence": packet["sequence"],
                 "cut": packet["cut"], "needsState": not packet["complete"],
                 "shape": 4 if packet["shape"] == 0 and not packet["complete"] else packet["shape"],
                 "ageUs": 100 * packet["age"], "relayUs": 100 * packet["relay"],
                 "rotations": {BONES[i]: rotation for i, rotation in packet["rotations"].items()}}
        if "states" in packet:
            found["states"] = {BONES[i]: state for i, state in packet["states"].items()}
        return found | {name: packet[name] for name in ("hips", "placement") if name in packet}

    def test_every_broken_bundle_is_refused_for_its_reason(self):
        for vector in golden("broken.json"):
            with self.subTest(vector["name"]):
                packets = []
                try:
                    READER["read_bundle"](bytes.fromhex(vector["hex"]), None, packets)
                    damage = packets[-1]
                except Damaged as error:
                    damage = error
                self.assertIsInstance(damage, Damaged)
                self.assertEqual(damage.args, (vector["error"],))


    def test_every_message_splits_into_its_bundles(self):
        for vector in golden("pairs.json"):
            with self.subTest(vector["name"]):
                try:
                    found = {"bundles": [part.hex() for part in READER["split"](bytes.fromhex(vector["hex"]))]}
                except Damaged as damage:
                    found = {"error": damage.args[0]}
                self.assertEqual(found, {key: vector[key] for key in found})


CHAINS = code("SMALL-PACKETS", Damaged=Damaged, BONES=BONES, PARENTS=PARENTS, TABLE=json.loads((PROTO / "chain-table.json").read_text()))
SECTIONS = {"body": 1, "face": 2, "hands": 3, "hips": 4, "channels": 7, "virtual": 8}


class Chains(unittest.TestCase):
    def test_every_chain_keeps_the_state_and_shows_the_pose(self):
        for vector in golden("chains.json") + golden("model-chains.json"):
            with self.subTest(vector["name"]):
                section, items, before = SECTIONS[vector["section"]], None, None
                for step in vector["steps"]:
                    if step["do"] == "rejoin":
                        joined = CHAINS["read_rejoin"](section, bytes.fromhex(step["hex"]), vector.get("coding", 2))
                        self.assert_state(joined, before, vector)
                        items = items or joined
                        continue
                    if step["do"] == "frame":
                        CHAINS["read_frame"](items, bytes.fromhex(step["hex"]))
                    elif step["do"] == "hold":
                        CHAINS["hold"](items)
                    if step["do"] != "start":  # the rejoin section after it makes the chain
                        self.assert_state(items, step, vector)
                    before = step

    def assert_state(self, items, step, vector):
        is_model = vector.get("coding") == 3
        self.assertEqual([self.numbers(item, is_model) for item in items], step["state"])
        shown = [[READER["single"](x) for x in item.shown()] for item in items]
        expected = step["shown"]
        if isinstance(expected, dict):
            expected = list(expected.values())
        self.assertEqual(self.flat(shown), self.flat(expected), vector["name"])

    @staticmethod
    def numbers(item, is_model):
        if not is_model:
            return item.p + item.s + item.m
        return item.p + getattr(item, "v", [16 * s for s in item.s]) + item.m + getattr(item, "o", [0, 0, 0])

    def flat(self, numbers):
        if isinstance(numbers, dict):
            numbers = list(numbers.values())
        return [x for one in numbers for x in self.flat(one)] if isinstance(numbers, list) else [numbers]

    def test_every_broken_section_is_refused_for_its_reason(self):
        for vector in golden("broken-chains.json"):
            with self.subTest(vector["name"]):
                section, data = SECTIONS[vector["section"]], bytes.fromhex(vector["hex"])
                with self.assertRaises(Damaged) as caught:
                    if vector["do"] == "rejoin":
                        CHAINS["read_rejoin"](section, data)
                    else:
                        CHAINS["read_frame"](CHAINS["read_rejoin"](section, bytes.fromhex(vector["after"])), data)
                self.assertEqual(caught.exception.args, (vector["error"],))


POSE = code("CORE", BONES=BONES, **{name: READER[name] for name in ("Damaged", "read_bundle")})
SKELETONS = code("SKELETONS", **POSE)


class Conversations(unittest.TestCase):
    def test_every_bundle_of_the_recorded_conversations_poses_the_figure(self):
        conversations = golden("conversation.json")
        self.assertEqual([conversation["codings"] for conversation in conversations], [[1], [2, 1], [3, 2, 1]])
        for conversation in conversations:
            with self.subTest(conversation["name"]):
                self.descriptor, self.placement, self.items, self.roster = None, None, {}, None
                self.before, self.posed = None, 0
                for message in conversation["messages"]:
                    if "hex" in message:
                        self.bundle(message)
                    elif message["from"] == "server":
                        self.control(message["message"])
                self.assertGreater(self.posed, 15)

    def control(self, message):
        if message["type"] == "skeleton":
            self.descriptor = message["descriptor"]
        elif message["type"] == "roster":
            self.roster = message if "bodies" in message else self.roster
            for body in message.get("bodies", []):
                self.placement = body["placement"]

    def bundle(self, message):
        packets = []
        self.before = READER["read_bundle"](bytes.fromhex(message["hex"]), self.before, packets)
        nominal = self.roster["tickTime"] + self.before[1] * 1000000 // self.roster["tickHz"]
        self.assertEqual(len(packets), len(message["poses"]))
        for packet, expected in zip(packets, message["poses"]):
            self.placement = packet.get("placement", self.placement)
            self.assertEqual(nominal - 100 * packet["age"], expected["time"])
            found = POSE["pose"](self.descriptor, *self.read(packet), self.placement)
            for name, bone in expected["bones"].items():
                for a, b in zip(found[self.descriptor["bones"][name]], bone["position"], strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-4)
            self.posed += 1

    def read(self, packet):
        """Local rotations, and the displacement of the hips."""
        if packet["complete"] and not packet["chains"]:
            return POSE["local_rotations"](self.descriptor, packet["rotations"]), packet.get("hips", [0, 0, 0])
        if packet["complete"]:
            self.items = {section: CHAINS["read_rejoin"](section, data, coding)
                          for section, (coding, data) in packet["chains"].items()}
            self.masks = {section: int.from_bytes(data[1:4], "little") for section, (_, data) in packet["chains"].items()}
        else:
            for section, items in self.items.items():
                if section in packet["chains"]:
                    CHAINS["read_frame"](items, packet["chains"][section][1])
                else:
                    CHAINS["hold"](items)
        bones = [i for i in range(22) if self.masks[1] >> i & 1]
        rotations = {bone: item.shown() for bone, item in zip(bones, self.items[1])}
        hips = self.items[4][0].shown() if 4 in self.items else [0, 0, 0]
        return SKELETONS["local_rotations_of_N"](self.descriptor, rotations), hips


class Clients(unittest.TestCase):
    def test_the_client_shows_the_recorded_conversation(self):
        conversation = golden("conversation.json")[0]["messages"]
        shown, asked = [], []

        async def serve(socket):
            for message in conversation:
                if message.get("message", {}).get("type") == "leave":
                    await socket.wait_closed()
                elif message["from"] == "client":
                    asked.append(json.loads(await socket.recv())["type"])
                    self.assertEqual(asked[-1], message["message"]["type"])
                else:
                    await socket.send(bytes.fromhex(message["hex"]) if "hex" in message else json.dumps(message["message"]))

        async def watch():
            async with websockets.serve(serve, "127.0.0.1", 0, subprotocols=["jointcast.v1"]) as server:
                port = server.sockets[0].getsockname()[1]
                client = asyncio.ensure_future(POSE["Client"]("lobby", lambda *found: shown.append(found)).run(f"ws://127.0.0.1:{port}/"))
                while len(shown) < len(expected) and not client.done():
                    await asyncio.sleep(0.01)
                client.cancel()
                return client

        expected = [pose for message in conversation for pose in message.get("poses", [])]
        descriptor = next(message["message"]["descriptor"] for message in conversation
                          if message.get("message", {}).get("type") == "skeleton")
        asyncio.run(asyncio.wait_for(watch(), 60))
        for (name, capture, points), pose in zip(shown, expected):
            self.assertEqual((name, capture), ("walker", pose["time"]))
            for bone, node in descriptor["bones"].items():
                for a, b in zip(points[node], pose["bones"][bone]["position"], strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-4)


class Playback(unittest.TestCase):
    TURNS = {"head": 360, "hips": None, "x": None, "yaw": 2 * math.pi}
    BOUNDS = {"head": 0.01, "hips": 1e-4, "x": 1e-4, "yaw": 1e-4}
    PLAYBACK = code("PLAYBACK")

    def blend(self, p, q, f, name):
        way, turn = q[name] - p[name], self.TURNS[name]
        return p[name] + f * (way - turn * round(way / turn) if turn else way)

    def test_every_golden_timeline_is_shown(self):
        for vector in golden("timeline.json")["timelines"]:
            with self.subTest(vector["name"]):
                timeline = self.PLAYBACK["Timeline"](vector["extrapolation"])
                for event in vector["events"]:
                    if "packet" in event:
                        packet = event["packet"]
                        timeline.receive(packet["capture"], packet, packet["incarnation"], packet["cut"])
                    elif "still" in event:
                        timeline.still(event["still"])
                    else:
                        p, q, f, state = timeline.show(event["show"] - vector["delay"])
                        self.assertEqual(state, event["state"])
                        for name, turn in self.TURNS.items():
                            off = self.blend(p, q, f, name) - event[name]
                            self.assertLess(abs(off - turn * round(off / turn) if turn else off), self.BOUNDS[name])

    def test_every_golden_clock_has_the_server_time(self):
        for vector in golden("timeline.json")["clocks"]:
            with self.subTest(vector["name"]):
                clock = self.PLAYBACK["Clock"]()
                for event in vector["events"]:
                    if "exchange" in event:
                        clock.exchange(**event["exchange"])
                    else:
                        self.assertAlmostEqual(clock.server_time(event["ask"]), event["server"], delta=2)


if __name__ == "__main__":
    unittest.main()
