"""The clock of the server, by ping and pong (PLAYBACK.md, Clock)."""

import time

MOST_EXCHANGES = 16
JUMP_US = 1_000_000  # a greater error of the offset is corrected at once


class Clock:
    """All times are microseconds."""

    def __init__(self):
        self.exchanges = []  # (received, trip, offset)
        self.offset = None   # server time minus local time; None before the first exchange
        self.target = 0.0
        self.slewed = 0

    @staticmethod
    def local():
        """A local time that never runs backwards."""
        return time.monotonic_ns() // 1000

    def exchange(self, sent, received, server):
        """Takes a pong: the local times of ping and pong, and its server time."""
        if received < sent:
            return
        exchange = (received, received - sent, server - (sent + received) / 2)
        self.exchanges = [*self.exchanges[1 - MOST_EXCHANGES:], exchange]
        self._slew(received)
        self.target = min(self.exchanges, key=lambda one: one[1] / 2 + (received - one[0]) / 10000)[2]
        if self.offset is None or abs(self.target - self.offset) > JUMP_US:
            self.offset = self.target

    def _slew(self, now):
        """Moves the offset towards its target, by at most a hundredth of the time that has passed."""
        if self.offset is not None:
            most = max(0, now - self.slewed) / 100
            self.offset += max(-most, min(self.target - self.offset, most))
        self.slewed = max(now, self.slewed)

    def server(self, now=None):
        """Server time now, or at a local time; None before the first pong."""
        now = self.local() if now is None else now
        self._slew(now)
        return None if self.offset is None else int(now + self.offset)
