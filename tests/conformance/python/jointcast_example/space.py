"""A space as a client sees it: its roster, its skeletons and the motion of its bodies."""

from .body import Body
from .skeleton import Skeleton


class Space:
    """`on_frame(body, time)` is called for each packet, with the server time of its capture."""

    def __init__(self, name, on_frame):
        self.name = name
        self.on_frame = on_frame
        self.skeletons = {}  # hash: Skeleton
        self.bodies = {}     # id: Body
        self.worn = {}       # id: hash or None; entries may come before the roster names the body
        self.id = None       # names the present epoch in bundles
        self.epoch = None
        self.revision = None
        self.tick_hz = self.tick_time = 0
        self.tick = None     # the newest one

    def on_roster(self, roster):
        """Takes over a roster or a change of it; returns whether a revision is missing."""
        if "bodies" in roster:
            self._replace(roster)
        elif self.revision is None or roster["revision"] > self.revision + 1:
            return True
        elif roster["revision"] == self.revision + 1:
            self.revision += 1
            for body in roster.get("left", []):
                self._leave(body)
            for entry in roster.get("joined", []) + roster.get("changed", []):
                self._enter(entry)
        return False

    def _replace(self, roster):
        if roster["epoch"] != self.epoch:
            self.bodies.clear()
            self.worn.clear()
            self.tick = None
        self.id, self.epoch, self.revision = roster["id"], roster["epoch"], roster["revision"]
        self.tick_hz, self.tick_time = roster["tickHz"], roster["tickTime"]
        present = {entry["id"] for entry in roster["bodies"]}
        for body in set(self.bodies) - present:
            self._leave(body)
        for entry in roster["bodies"]:
            self._enter(entry)

    def _leave(self, body):
        self.bodies.pop(body, None)
        self.worn.pop(body, None)

    def _enter(self, entry):
        if entry["id"] in self.bodies:
            self.bodies[entry["id"]].update(entry)
        else:
            self.bodies[entry["id"]] = Body(entry)
        if entry["id"] in self.worn:
            self.bodies[entry["id"]].skeleton = self.worn[entry["id"]]

    def on_skeleton(self, message):
        self.skeletons.setdefault(message["hash"], Skeleton(message["descriptor"]))

    def on_worn(self, message):
        for entry in message["bodies"]:
            self.worn[entry["id"]] = entry["skeleton"]
            if entry["id"] in self.bodies:
                self.bodies[entry["id"]].skeleton = entry["skeleton"]

    def nominal_time(self, tick):
        return self.tick_time + tick * 1_000_000 // self.tick_hz

    def on_bundle(self, bundle):
        """Takes over the packets of a decoded bundle."""
        self.tick = bundle.head.tick
        time = self.nominal_time(self.tick)
        for packet in bundle.packets:
            body = self.bodies.get(packet.body)
            if body and body.apply(packet) and body.skeleton in self.skeletons:
                self.on_frame(body, time - packet.age_us)
        if bundle.damage:
            self.discard(except_for={packet.body for packet in bundle.packets})

    def discard(self, except_for=frozenset()):
        """A bundle, or its end, is lost: any stream may have lost a packet."""
        for number, body in self.bodies.items():
            if number not in except_for:
                body.discard()

    def lost(self):
        """Whether the state of a stream is lost, so that the client has to send `keyframe`."""
        return any(body.lost for body in self.bodies.values())
