"""The clock of the server, by ping and pong."""

import time


class Clock:
    def __init__(self):
        self.offset = None           # server time minus local time, microseconds
        self.shortest = float("inf")  # the round trip that gave the offset

    @staticmethod
    def local():
        """Microseconds of a clock that never runs backwards."""
        return time.monotonic_ns() // 1000

    def on_pong(self, pong):
        """Takes a pong whose `t` is the local time of its ping; the shortest round trip is the best."""
        now = self.local()
        trip = now - pong["t"]
        if trip <= self.shortest:
            self.shortest = trip
            self.offset = pong["time"] - (now + pong["t"]) // 2

    def server(self):
        """Server time now, or None before the first pong."""
        return None if self.offset is None else self.local() + self.offset
