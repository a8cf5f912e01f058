"""Runs the Python code of BUNDLES.md and SMALL-PACKETS.md, as it stands there, on the golden vectors.

usage: document_code.py
"""

import json
import pathlib
import re
import unittest

PROTO = pathlib.Path(__file__).resolve().parent.parent
BONES = [bone["name"] for bone in json.loads((PROTO / "joints.json").read_text())["bones"]]


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


CHAINS = code("SMALL-PACKETS", Damaged=Damaged, BONES=BONES, TABLE=json.loads((PROTO / "chain-table.json").read_text()))
SECTIONS = {"body": 1, "face": 2, "hands": 3, "hips": 4, "channels": 7, "virtual": 8}


class Chains(unittest.TestCase):
    def test_every_chain_keeps_the_state_and_shows_the_pose(self):
        for vector in golden("chains.json"):
            with self.subTest(vector["name"]):
                section, items, before = SECTIONS[vector["section"]], None, None
                for step in vector["steps"]:
                    if step["do"] == "rejoin":
                        joined = CHAINS["read_rejoin"](section, bytes.fromhex(step["hex"]))
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
        self.assertEqual([item.p + item.s + item.m for item in items], step["state"])
        shown = [[READER["single"](x) for x in item.shown()] for item in items]
        expected = step["shown"]
        if isinstance(expected, dict):
            expected = list(expected.values())
        self.assertEqual(self.flat(shown), self.flat(expected), vector["name"])

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


if __name__ == "__main__":
    unittest.main()
