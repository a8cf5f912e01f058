"""Reads and writes the numbers that bundles and captures are made of."""

import math
import struct

SQRT2 = 1.4142135623730951


class Damaged(Exception):
    """A message that breaks the protocol. `kind` is truncated, invalid, limit or unsupported."""

    def __init__(self, kind, where=""):
        super().__init__(f"{kind}: {where}" if where else kind)
        self.kind = kind


def single(value):
    """The double `value`, rounded to single precision."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Reader:
    """Reads bytes from the front; raises Damaged("truncated") at the end."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def left(self):
        return len(self.data) - self.at

    def take(self, count):
        if count > self.left():
            raise Damaged("truncated")
        self.at += count
        return self.data[self.at - count:self.at]

    def rest(self):
        return self.take(self.left())

    def u8(self):
        return self.take(1)[0]

    def u16(self):
        return int.from_bytes(self.take(2), "little")

    def varint(self):
        """An unsigned number of at most 32 bits, in its shortest form."""
        value = 0
        for index in range(5):
            byte = self.u8()
            value |= (byte & 0x7F) << (7 * index)
            if not byte & 0x80:
                if index > 0 and byte == 0:
                    raise Damaged("invalid", "a varint that could be shorter")
                if value > 0xFFFFFFFF:
                    raise Damaged("invalid", "a varint of more than 32 bits")
                return value
        raise Damaged("invalid", "a varint of more than five bytes")

    def svarint(self):
        """A signed number: 0, -1, 1, -2 ... are written as 0, 1, 2, 3 ..."""
        value = self.varint()
        return -(value + 1 >> 1) if value & 1 else value >> 1

    def mask(self, items):
        """The indices of the bits that are set in a mask for so many items."""
        bits = int.from_bytes(self.take((items + 7) // 8), "little")
        if bits >> items:
            raise Damaged("invalid", "padding bits of a mask")
        return [index for index in range(items) if bits >> index & 1]

    def end(self):
        if self.left():
            raise Damaged("invalid", "bytes left over")


def smallest_three(index, stored, middle):
    """The rotation of three stored components (BUNDLES.md and PUBLISHING.md).

    `index` is the place of the largest component, which is not stored;
    `middle` is the stored number of 0, and `middle` - 1 that of 1/sqrt 2.
    """
    scale = (middle - 1) * SQRT2
    a, b, c = ((number - middle) / scale for number in stored)
    square = ((1.0 - a * a) - b * b) - c * c
    if square < 0.0:
        raise Damaged("invalid", "three components that are no rotation")
    components = [a, b, c]
    components.insert(index, math.sqrt(square))
    return [single(component) for component in components]
