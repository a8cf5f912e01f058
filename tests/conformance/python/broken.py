#!/usr/bin/python3
"""Runs the client of this folder with one defect, so that a test can prove that the runner finds it.

usage: broken.py --list          prints {defect: {"check": id, "command": name of a program}} as JSON
       broken.py DEFECT [URL]    runs the program with the defect
"""

import asyncio
import json
import sys

import publish
import vectors
import watch
from jointcast_example import (body, bundle, capture, chain, clock, connection, playback, rotation, skeleton,
                               space, wire)

DEFECTS = {}


def defect(check, command="watch"):
    """Registers a function that puts a defect into the modules of the client."""
    def register(function):
        DEFECTS[function.__name__.replace("_", "-")] = (function, check, command)
        return function
    return register


def around(owner, name):
    """Replaces a function by a wrapper, which gets the original one as its first argument."""
    def replace(wrapper):
        original = getattr(owner, name)
        setattr(owner, name, lambda *arguments: wrapper(original, *arguments))
    return replace


def nothing(*_, **__):
    return None


@defect("core-connect")
def takes_any_subprotocol():
    connection.SUBPROTOCOL = type("Any", (str,), {"__ne__": lambda self, other: False})("jointcast.v1")


@defect("core-connect")
def offers_no_subprotocol():
    connection.SUBPROTOCOL = "another.v1"


@defect("core-unknown-type")
def closes_on_unknown_messages():
    close_on(lambda message: message["type"] in ("weather", "constructor"))


@defect("core-error")
def closes_on_errors():
    close_on(lambda message: message["type"] == "error")


def close_on(matches):
    @around(connection.Client, "_on_text")
    async def on_text(original, client, text):
        if matches(json.loads(text)):
            raise OSError("refused")
        await original(client, text)


@defect("core-unknown-field")
def refuses_unknown_fields():
    @around(space.Space, "_enter")
    def enter(original, self, entry):
        if "future" not in entry:
            original(self, entry)


@defect("core-roster-change")
def ignores_left():
    @around(space.Space, "on_roster")
    def on_roster(original, self, roster):
        return original(self, roster if "bodies" in roster else roster | {"left": []})


@defect("core-roster-old")
def applies_old_changes():
    @around(space.Space, "on_roster")
    def on_roster(original, self, roster):
        return original(self, roster if "bodies" in roster else roster | {"revision": self.revision + 1})


@defect("core-roster-gap")
def ignores_missing_revisions():
    applies_old_changes()


@defect("core-roster-complete")
def keeps_bodies_of_the_roster_before():
    space.Space._leave = nothing


@defect("core-epoch")
def ignores_epochs():
    @around(space.Space, "_replace")
    def replace(original, self, roster):
        self.epoch = roster["epoch"]
        original(self, roster)


@defect("core-skeleton-once")
def forgets_skeletons_with_their_bodies():
    @around(space.Space, "_leave")
    def leave(original, self, number):
        original(self, number)
        self.skeletons.clear()


@defect("core-damaged")
def drops_damaged_bundles_whole():
    @around(connection, "decode_bundle")
    def decode(original, *arguments):
        found = original(*arguments)
        if found.damage:
            found.packets.clear()
        return found


@defect("core-short-head")
def forgets_heads_of_damaged_bundles():
    @around(connection, "decode_bundle")
    def decode(original, *arguments):
        found = original(*arguments)
        if found.damage:
            raise found.damage
        return found


@defect("core-unknown-kind")
def closes_on_unknown_binary_messages():
    @around(connection.Client, "_on_binary")
    def on_binary(original, client, message):
        if message[0] not in (0x11, *range(0x80, 0x100)):
            raise OSError("refused")
        original(client, message)


@defect("core-unknown-section")
def refuses_unknown_sections():
    @around(bundle, "_decode_section")
    def decode(original, packet, section, coding, data):
        if section > 10:
            raise wire.Damaged("invalid", "an unknown section")
        original(packet, section, coding, data)


@defect("core-unknown-body")
def stops_at_unknown_bodies():
    @around(space.Space, "on_bundle")
    def on_bundle(original, self, found):
        if all(packet.body in self.bodies for packet in found.packets):
            original(self, found)


@defect("core-rest")
def keeps_bones_that_a_packet_leaves_out():
    @around(body.Body, "_join")
    def join(original, self, packet):
        packet.rotations = self.relative | packet.rotations
        original(self, packet)


@defect("core-placement")
def prefers_the_placement_of_the_roster():
    @around(body.Body, "update")
    def update(original, self, entry):
        self.placed_by_packets = False
        original(self, entry)


@defect("core-pose")
def turns_the_wrong_way():
    @around(skeleton, "matrix")
    def matrix(original, q):
        return rotation.transposed(original(q))


@defect("core-pose")
def is_left_handed():
    @around(skeleton.Skeleton, "positions")
    def positions(original, *arguments):
        return {name: [-x, y, z] for name, (x, y, z) in original(*arguments).items()}


@defect("core-pose")
def ignores_the_facing():
    @around(connection.Client, "_on_skeleton")
    async def on_skeleton(original, client, message):
        message["descriptor"]["facing"] = rotation.IDENTITY
        await original(client, message)


@defect("core-hostile")
def trusts_the_server():
    @around(connection.Client, "_on_text")
    async def on_text(original, client, text):
        json.loads(text)["type"].upper()
        await original(client, text)


@defect("core-reconnect")
def comes_back_at_once():
    connection.BACK_OFF_SECONDS = connection.MOST_BACK_OFF_SECONDS = 0.0


@defect("core-going-away")
def ignores_the_time_to_stay_away():
    async def on_going_away(client, message):
        client._retry_after = 0.1
    connection.Client._on_going_away = on_going_away


@defect("small-pose")
def ignores_corrections():
    @around(connection.Client, "_on_skeleton")
    async def on_skeleton(original, client, message):
        message["descriptor"]["corrections"] = {}
        await original(client, message)


@defect("small-gap")
def ignores_gaps():
    @around(body.Body, "apply")
    def apply(original, self, packet):
        if not packet.complete and self._follows:
            packet.incarnation, packet.sequence = self._follows[0], (self._follows[1] + 1) % 16
        return original(self, packet)


@defect("small-discard")
def keeps_streams_after_damage():
    space.Space.discard = nothing


@defect("small-keyframe")
def never_requests_a_rejoin():
    space.Space.lost = nothing


@defect("small-keyframe")
def requests_rejoins_all_the_time():
    connection.KEYFRAME_SECONDS = 0.05


@defect("small-rejoin")
def takes_only_the_first_rejoin():
    @around(body.Body, "apply")
    def apply(original, self, packet):
        return original(self, packet) if self.waiting or not packet.complete else False


@defect("small-roster")
def forgets_streams_at_a_roster():
    @around(space.Space, "_replace")
    def replace(original, self, roster):
        self.bodies.clear()
        original(self, roster)


@defect("small-hold")
def does_not_hold():
    chain.Chain.hold = nothing


@defect("small-ack")
def acknowledges_too_often():
    connection.ACK_SECONDS = 0.02


@defect("small-ack")
def never_acknowledges():
    connection.ACK_SECONDS = 1000.0


@defect("view-worn")
def ignores_worn():
    space.Space.on_worn = nothing


@defect("skeleton-spine")
def bends_one_vertebra():
    skeleton.Skeleton._distribute_spine = nothing


@defect("core-bundles", "vectors")
def does_not_round_to_single():
    wire.single = bundle.single = float


@defect("core-broken", "vectors")
def takes_long_varints():
    @around(wire.Reader, "varint")
    def varint(original, self):
        value, shift = 0, 0
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value


@defect("small-chains", "vectors")
def divides_downward():
    chain.divide = lambda x, y: x // y


@defect("small-broken", "vectors")
def takes_places_out_of_range():
    chain.Chain._check = lambda self, item, coordinate: coordinate


@defect("model-chains", "vectors")
def passes_nothing_on():
    chain.Chain._turned_back = lambda *_: [0, 0, 0]


@defect("model-chains", "vectors")
def forgets_roundings():
    chain.MODEL_PREDICTOR["rounding"] = 0


@defect("model-chains", "vectors")
def knows_only_parents():
    chain.BONE_PARENT = {name: parent if parent in ("hips", "leftUpperArm") else None
                         for name, parent in chain.BONE_PARENT.items()}


@defect("model-chains", "vectors")
def forgets_levels_in_rejoins():
    @around(chain.Chain, "_rejoin_place")
    def rejoin_place(original, self, numbers, item):
        drop, item.drop = item.drop, chain.SCALE_DROP[self.precision]
        original(self, numbers, item)
        item.drop = drop


@defect("model-pose")
def takes_coding_3_for_coding_2():
    @around(chain.Chain, "__init__")
    def init(original, self, section, data, coding):
        original(self, section, data, 2)


@defect("model-gap")
def ignores_gaps_in_coding_3():
    ignores_gaps()


@defect("model-switch")
def keeps_the_first_coding():
    first = []

    @around(body.Body, "_join")
    def join(original, self, packet):
        first.extend(coding for coding, _ in packet.chains.values())
        if all(coding == first[0] for coding, _ in packet.chains.values()):
            original(self, packet)


@defect("publish-captures", "vectors")
def measures_positions_from_the_origin():
    capture._base = nothing


@defect("play-golden", "vectors")
def moves_across_cuts():
    playback.joined = lambda a, b: b.capture - a.capture <= playback.BREAK_US


@defect("play-golden", "vectors")
def takes_the_newest_exchange():
    clock.min = lambda *values, key=None: values[0][-1] if key else min(*values)


@defect("skeleton-virtual", "vectors")
def respects_all_parents():
    @around(vectors, "virtual_transform")
    def transform(original, item, parent):
        respected = {f"respectParent{name}": True for name in ("Position", "Rotation", "Scale")}
        return original(item | respected, parent)


@defect("publish-published", "publish")
def sends_before_it_is_published():
    @around(connection.Publication, "ready")
    def ready(original, self):
        self.body = self.body or 1
        return self.client.welcome is not None and original(self)


@defect("publish-clock", "publish")
def sends_before_the_clock_is_known():
    connection.Clock = lambda: type("Local", (), {
        "offset": 0, "local": staticmethod(clock_of), "server": staticmethod(clock_of), "exchange": nothing})()


def clock_of():
    return int(asyncio.get_running_loop().time() * 1e6)


@defect("publish-consent", "publish")
def consents_without_a_person():
    @around(connection.Client, "publish")
    async def publish_with_consent(original, client, name):
        publication = await original(client, name)
        publication.request["mayRecord"] = True
        return publication


@defect("publish-again", "publish")
def publishes_once():
    @around(connection.Client, "_on_published")
    async def on_published(original, client, message):
        await original(client, message)
        client.publications[message["publication"]].request = {"type": "ping", "t": 0}


@defect("publish-pose", "publish")
def mirrors_the_pose():
    publish.HEAD_LEFT = rotation.inverse(publish.HEAD_LEFT)


def main():
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: {"check": check, "command": command}
                          for name, (_, check, command) in DEFECTS.items()}))
        return
    function, _, command = DEFECTS[sys.argv.pop(1)]
    function()
    {"watch": watch, "publish": publish, "vectors": vectors}[command].main()


if __name__ == "__main__":
    main()
