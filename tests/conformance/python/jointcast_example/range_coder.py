"""Reads numbers from the range-coded bytes of a chain (SMALL-PACKETS.md, Range coder)."""

from .tables import CHAIN_TABLE
from .wire import Damaged

WHOLE = 1 << 15     # a number lies in an interval of 0 ... WHOLE
MOST = 4_000_000    # the greatest value of a number with an expectation
TAIL = CHAIN_TABLE["tail"]


def log16(x):
    """16 times the binary logarithm of x > 0, with straight lines between powers of two."""
    octave = x.bit_length() - 1
    return 16 * octave + (16 * x >> octave) % 16


class RangeReader:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self.range = 0xFFFFFFFF
        self.code = 0
        for _ in range(4):
            self.code = self.code << 8 | self._next_byte()

    def _next_byte(self):
        byte = self.data[self.at] if self.at < len(self.data) else 0
        self.at += 1
        return byte

    def _look(self):
        """Where in 0 ... WHOLE - 1 the next number lies."""
        return min(self.code // (self.range >> 15), WHOLE - 1)

    def _take(self, start, length):
        unit = self.range >> 15
        self.code -= start * unit
        self.range = length * unit
        while self.range < 1 << 24:
            self.range <<= 8
            self.code = (self.code << 8 | self._next_byte()) & 0xFFFFFFFF

    def choice(self, border):
        """0 if the next number lies below `border`, otherwise 1."""
        if self._look() < border:
            self._take(0, border)
            return 0
        self._take(border, WHOLE - border)
        return 1

    def bits(self, count):
        """A number of 0 to 15 bits."""
        if count == 0:
            return 0
        number = self._look() >> 15 - count
        self._take(number << 15 - count, 1 << 15 - count)
        return number

    def _gamma(self):
        """A number of at least 1 in the Elias gamma code."""
        count = 0
        while self.bits(1):
            count += 1
            if count > 23:
                raise Damaged("invalid", "ones without end")
        number = 1
        for _ in range(count):
            number = number << 1 | self.bits(1)
        return number

    def expected(self, e, g, w=1, r=0):
        """A number that is expected at `e` / 256, with a mean distance of 2 ** (g / 16) / 64.

        Values are `w` apart and leave the remainder `r`.
        """
        nearest = w * (e - 256 * r + 128 * w >> 7 + w) + r
        octave = g >> 4
        j = max(0, octave - 5 - w)
        half = (1 << j) // 2
        first = 256 * nearest - e - 128 * w - 256 * w * half >> j
        slope = 65536 // (16 + g % 16)

        def border(i):
            if i == 0 or i == 31:
                return 0 if i == 0 else WHOLE
            at = first + 256 * w * (i - 15)
            distance = abs(at) * slope >> 6 + octave - j
            n = distance >> 4
            if n >= 256:
                beyond = TAIL[256]
            else:
                beyond = TAIL[n] - ((TAIL[n] - TAIL[n + 1]) * (distance % 16) >> 4)
            below = beyond if at < 0 else WHOLE - beyond
            return (32675 * below >> 15) + 3 * i

        # Most numbers lie near the expectation, so the search begins at group 15.
        look = self._look()
        group = 15
        low, high = border(15), border(16)
        while look < low:
            group -= 1
            low, high = border(group), low
        while look >= high:
            group += 1
            low, high = high, border(group + 1)
        self._take(low, high - low)
        if group == 0:
            group -= self._gamma() - 1
        elif group == 30:
            group += self._gamma() - 1
        value = nearest + w * ((group - 15 << j) + self.bits(j) - half)
        if abs(value) > MOST:
            raise Damaged("invalid", "a number out of range")
        return value

    def end(self):
        if self.at < len(self.data):
            raise Damaged("invalid", "bytes left over in a chain")
