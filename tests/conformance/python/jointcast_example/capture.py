"""Encodes and decodes captures: body frames and poses of a publisher (PUBLISHING.md, Captures)."""

import math
from dataclasses import dataclass, field

from .tables import BONES, JOINT_PARENT, JOINTS
from .wire import SQRT2, Damaged, Reader, single, smallest_three

BODY_FRAME, POSE = 0x31, 0x41
CUT, REST, ALL_KNOWN, SOME_ESTIMATED = 1, 2, 4, 8
MOST_BYTES, MOST_VALUES, MOST_WIDTH = 4096, 1024, 26
MOST_UNITS = 10_000_000  # 1000 m or hips heights, in 1/10000


@dataclass
class Item:
    """A joint of a body frame, or a bone of a pose, which has no position."""
    rotation: list
    position: list | None = None
    state: str = "tracked"  # or "estimated"


@dataclass
class Capture:
    kind: int                                  # BODY_FRAME or POSE
    time: int                                  # microseconds of server time
    items: dict                                # name: Item; unknown joints and bones are absent
    hips: list = field(default_factory=lambda: [0.0, 0.0, 0.0])  # of a pose, in hips heights
    values: list = field(default_factory=list)  # of the channels of the publication
    cut: bool = False
    rest: bool = False
    confidence: float = 1.0                    # of a body frame


def names_of(kind):
    return JOINTS if kind == BODY_FRAME else BONES


class _BitReader:
    """Reads fields of bits, least significant bit first."""

    def __init__(self, data):
        self.bits = int.from_bytes(data, "little")
        self.left = 8 * len(data)

    def take(self, count):
        if count > self.left:
            raise Damaged("truncated")
        value = self.bits & (1 << count) - 1
        self.bits >>= count
        self.left -= count
        return value

    def signed(self, count):
        value = self.take(count)
        return value - (1 << count) if count and value >> count - 1 else value

    def end(self):
        if self.left >= 8 or self.bits:
            raise Damaged("invalid", "bytes left over or padding that is set")


class _BitWriter:
    def __init__(self):
        self.bits = 0
        self.count = 0

    def put(self, value, count):
        self.bits |= (value & (1 << count) - 1) << self.count
        self.count += count

    def bytes(self):
        return self.bits.to_bytes((self.count + 7) // 8, "little")


def _round(x):
    """The nearest whole number, halves away from zero."""
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


def _base(name, known):
    """The joint from which the position of `name` counts, or None: from the origin."""
    parent = JOINT_PARENT.get(name)
    while parent is not None:
        if parent in known:
            return parent
        parent = JOINT_PARENT[parent]
    return None


def decode_capture(data, kind):
    """Decodes a capture of the published `kind`."""
    if len(data) > MOST_BYTES:
        raise Damaged("limit", "a capture of too many bytes")
    reader = Reader(data)
    if reader.u8() != kind:
        raise Damaged("unsupported", "another kind or version")
    flags = reader.u8()
    if flags >> 4 or (kind == POSE and flags & REST):
        raise Damaged("invalid", "flags")
    time = int.from_bytes(reader.take(6), "little")
    confidence = single(reader.u8() / 255) if kind == BODY_FRAME else 1.0
    names = names_of(kind)
    known = range(len(names)) if flags & ALL_KNOWN else reader.mask(len(names))
    estimated = reader.mask(len(names)) if flags & SOME_ESTIMATED else []
    if not set(estimated) <= set(known):
        raise Damaged("invalid", "an item that is estimated and not known")
    count = reader.u16()
    if count > MOST_VALUES:
        raise Damaged("limit", "too many values")
    bits = _BitReader(reader.rest())
    items, hips = {}, [0.0, 0.0, 0.0]
    if kind == POSE:
        hips = _metres(_take_position(bits, [0, 0, 0]))
    units = {}
    for index in known:
        name = names[index]
        position = None
        if kind == BODY_FRAME:
            base = _base(name, units)
            units[name] = _take_position(bits, units[base] if base else [0, 0, 0])
            position = _metres(units[name])
        turned = kind == BODY_FRAME or bits.take(1)
        rotation = _take_rotation(bits) if turned else [0.0, 0.0, 0.0, 1.0]
        items[name] = Item(rotation, position, "estimated" if index in estimated else "tracked")
    values = [single(bits.signed(16) / 16384) if bits.take(1) else 0.0 for _ in range(count)]
    bits.end()
    return Capture(kind, time, items, hips, values, bool(flags & CUT), bool(flags & REST), confidence)


def _metres(units):
    return [single(n / 10000) for n in units]


def _take_position(bits, base):
    width = bits.take(5)
    if width > MOST_WIDTH:
        raise Damaged("invalid", "a position of too many bits")
    position = [b + bits.signed(width) for b in base]
    if max(abs(n) for n in position) > MOST_UNITS:
        raise Damaged("invalid", "a position out of range")
    return position


def _take_rotation(bits):
    stored = [bits.take(16) for _ in range(3)]
    return smallest_three(bits.take(2), stored, 32768)


def encode_capture(capture):
    names = names_of(capture.kind)
    known = [index for index, name in enumerate(names) if name in capture.items]
    estimated = [index for index in known if capture.items[names[index]].state == "estimated"]
    everything = len(known) == len(names)
    flags = (CUT * capture.cut | REST * capture.rest | ALL_KNOWN * everything
             | SOME_ESTIMATED * bool(estimated))
    head = bytes([capture.kind, flags]) + capture.time.to_bytes(6, "little")
    if capture.kind == BODY_FRAME:
        head += bytes([_round(capture.confidence * 255)])
    for wanted, indices in ((not everything, known), (bool(estimated), estimated)):
        if wanted:
            head += sum(1 << index for index in indices).to_bytes((len(names) + 7) // 8, "little")
    head += len(capture.values).to_bytes(2, "little")
    bits = _BitWriter()
    units = {}
    if capture.kind == POSE:
        _put_position(bits, _units(capture.hips), [0, 0, 0])
    for index in known:
        item = capture.items[names[index]]
        if capture.kind == BODY_FRAME:
            base = _base(names[index], units)
            units[names[index]] = _units(item.position)
            _put_position(bits, units[names[index]], units[base] if base else [0, 0, 0])
        _put_rotation(bits, item.rotation, optional=capture.kind == POSE)
    for value in capture.values:
        number = max(-32768, min(_round(value * 16384), 32767))
        bits.put(number != 0, 1)
        if number:
            bits.put(number, 16)
    return head + bits.bytes()


def _units(position):
    return [_round(x * 10000) for x in position]


def _put_position(bits, position, base):
    way = [p - b for p, b in zip(position, base)]
    width = 0
    while not all(-(1 << width) >> 1 <= d < max(1, 1 << width >> 1) for d in way):
        width += 1
    bits.put(width, 5)
    for d in way:
        bits.put(d, width)


def _put_rotation(bits, rotation, optional):
    length = math.sqrt(sum(c * c for c in rotation))
    index = max(range(4), key=lambda c: abs(rotation[c]))
    sign = -1.0 if rotation[index] < 0.0 else 1.0
    stored = [_round(sign * rotation[c] / length * SQRT2 * 32767) + 32768 for c in range(4) if c != index]
    if optional:
        turned = index != 3 or stored != [32768] * 3
        bits.put(turned, 1)
        if not turned:
            return
    for number in stored:
        bits.put(number, 16)
    bits.put(index, 2)
