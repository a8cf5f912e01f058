"""Plays the motion of a body a little later than it arrives (PLAYBACK.md)."""

import math
from dataclasses import dataclass, field

from .rotation import IDENTITY, between, mix, normalised

MOST_ENTRIES = 64
BREAK_US = 1_000_000  # no motion between captures further apart


@dataclass
class Pose:
    rotations: dict = field(default_factory=dict)  # name of a bone: [x, y, z, w]; others are at rest
    hips: list = field(default_factory=lambda: [0.0, 0.0, 0.0])
    position: list = field(default_factory=lambda: [0.0, 0.0, 0.0])
    yaw: float = 0.0


def blend(p, q, f):
    """The pose at f of the way from p to q; beyond q where f is above 1."""
    names = p.rotations.keys() | q.rotations.keys()
    turn = math.remainder(q.yaw - p.yaw, 2 * math.pi)
    return Pose({name: normalised(between(p.rotations.get(name, IDENTITY), q.rotations.get(name, IDENTITY), f))
                 for name in names},
                mix(p.hips, q.hips, f), mix(p.position, q.position, f), p.yaw + f * turn)


@dataclass
class Entry:
    capture: int
    pose: Pose
    cut: bool
    repeats: bool  # the body stood still until then


def joined(a, b):
    return not b.cut and b.capture - a.capture <= BREAK_US


class Timeline:
    """The recent poses of a body. `extrapolation`: microseconds, 0 to 50000."""

    def __init__(self, extrapolation=0):
        self.extrapolation = extrapolation
        self.entries = []
        self.incarnation = None

    def clear(self):
        """The skeleton of the packets changes."""
        self.entries.clear()

    def receive(self, capture, pose, incarnation, cut):
        if self.entries and self.entries[-1].repeats and capture <= self.entries[-1].capture:
            self.entries.pop()  # a packet is more exact than a repetition
        if not self.entries or incarnation != self.incarnation or capture < self.entries[-1].capture - BREAK_US:
            self.entries.clear()  # the motion starts anew
        elif capture <= self.entries[-1].capture:
            return
        self.incarnation = incarnation
        self.entries = [*self.entries[1 - MOST_ENTRIES:], Entry(capture, pose, cut, False)]

    def still(self, until):
        """The body stood still until that time."""
        if not self.entries or until <= self.entries[-1].capture:
            return
        last = self.entries[-1]
        if last.repeats:
            last.capture = until
        else:
            self.entries.append(Entry(until, last.pose, False, True))

    def pose(self, t):
        """The pose at a time of the server's clock, and interpolated, extrapolated or held; or None."""
        if not self.entries:
            return None
        if t < self.entries[0].capture:
            return self.entries[0].pose, "held"
        index = max(i for i, entry in enumerate(self.entries) if entry.capture <= t)
        a = self.entries[index]
        if index + 1 < len(self.entries):
            b = self.entries[index + 1]
            if not joined(a, b):
                return a.pose, "held"
            return blend(a.pose, b.pose, (t - a.capture) / (b.capture - a.capture)), "interpolated"
        if index == 0 or not joined(self.entries[index - 1], a):
            return a.pose, "held"
        before = self.entries[index - 1]
        span = a.capture - before.capture
        past = min(t - a.capture, self.extrapolation, 2 * span)
        if past == 0:
            return a.pose, "held"
        state = "extrapolated" if past == t - a.capture else "held"
        return blend(before.pose, a.pose, 1 + past / span), state
