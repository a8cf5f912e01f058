"""Decodes bundles: heads, packets and all sections of coding 1 (BUNDLES.md).

Sections of codings 2 and 3 are returned as bytes; chain.py decodes them.
"""

from dataclasses import dataclass, field

from .tables import (BODY, BONES, CHANNELS, FACE, HANDS, HIPS, PACE, PLACEMENT, SECTION_BONES, STATES,
                     VIRTUAL)
from .wire import Damaged, Reader, single, smallest_three

MOST_BUNDLE, MOST_PACKETS, MOST_PACKET = 65536, 512, 1024
MOST_AGE, MOST_RELAY = 21474836, 42949672  # in 100 microseconds
CHAINS = {BODY, FACE, HANDS, HIPS, CHANNELS, VIRTUAL}
CHAIN_CODINGS = (2, 3)
OF_STREAM = None  # the coding of a section without a head: that of the stream
# Bits of the two bytes of flags.
EXTENDED, LAST = 0x80, 0x40
COMPLETE, AGE, RELAY, CUT = 8, 4, 2, 1


@dataclass
class Head:
    """The space and tick of a bundle."""
    space: int
    tick: int


@dataclass
class Packet:
    """One body at one tick. Rotations of coding 1 are R, relative to the rest of the skeleton."""
    body: int
    incarnation: int
    sequence: int
    cut: bool
    complete: bool
    shape: int
    age_us: int = 0
    relay_us: int = 0
    rotations: dict = field(default_factory=dict)  # name of a bone: [x, y, z, w]
    hips: list | None = None                       # metres
    placement: dict | None = None                  # position, yaw
    states: dict | None = None                     # name of a bone: "tracked" or "estimated"
    pace: int | None = None
    chains: dict = field(default_factory=dict)     # number of a section: its coding and its bytes


@dataclass
class Bundle:
    """A bundle. `damage`: the first damaged packet's error; the packets before it are good."""
    head: Head
    packets: list
    damage: Damaged | None = None


def decode_bundle(message, before=None):
    """Decodes a binary message; `before` is the head of the bundle before it on the connection.

    Raises Damaged where even the head is unusable.
    """
    if len(message) > MOST_BUNDLE:
        raise Damaged("limit", "a bundle of too many bytes")
    reader = Reader(message)
    bundle = Bundle(_decode_head(reader, before), [])
    try:
        last = False
        while reader.left() and not last:
            if len(bundle.packets) == MOST_PACKETS:
                raise Damaged("limit", "too many packets")
            packet, last = _decode_packet(reader)
            bundle.packets.append(packet)
    except Damaged as damage:
        bundle.damage = damage
    return bundle


def _decode_head(reader, before):
    first = reader.u8()
    if first & 0x80:
        if before is None:
            raise Damaged("invalid", "a short head with no bundle before it")
        # The first later tick with these low seven bits: 1 to 128 ticks later.
        later = (first - before.tick - 1 & 0x7F) + 1
        return Head(before.space, before.tick + later & 0xFFFFFFFF)
    if first != 0x11:
        raise Damaged("unsupported", "another kind or version")
    space = reader.varint()
    return Head(space, reader.varint())


def _decode_packet(reader):
    flags = reader.u8()
    more = reader.u8() if flags & EXTENDED else 0
    packet = Packet(body=reader.varint(), incarnation=more >> 5, sequence=flags & 15, cut=bool(more & CUT),
                    complete=bool(more & COMPLETE), shape=flags >> 4 & 3)
    size = reader.left() if flags & LAST else reader.varint()
    if size > MOST_PACKET:
        raise Damaged("limit", "a packet of too many bytes")
    content = Reader(reader.take(size))
    if more & AGE:
        age = content.svarint()
        if abs(age) > MOST_AGE:
            raise Damaged("limit", "an age")
        packet.age_us = 100 * age
    if more & RELAY:
        relay = content.varint()
        if relay > MOST_RELAY:
            raise Damaged("limit", "a relay age")
        packet.relay_us = 100 * relay
    seen = set()
    for section, coding, data in _sections(packet, content):
        if section in seen:
            raise Damaged("invalid", "a section twice")
        seen.add(section)
        _decode_section(packet, section, coding, data)
    return packet, bool(flags & LAST)


def _sections(packet, content):
    """Yields the sections of a packet as (number, coding, bytes), by its shape."""
    if packet.shape == 0:
        mask = 0
        if not packet.complete and content.left():
            mask = content.u8()
        numbers = [bit + 1 for bit in range(8) if mask >> bit & 1]
        for number in numbers:
            size = content.left() if number == numbers[-1] else content.varint()
            yield number, 1 if number in (PLACEMENT, STATES) else OF_STREAM, content.take(size)
        while content.left():
            kind = content.u8()
            yield kind >> 4, kind & 15, content.take(content.varint())
        return
    if packet.shape != 1:
        size = 1 if packet.shape == 2 else content.varint()
        yield HIPS, OF_STREAM, content.take(size)
    yield BODY, OF_STREAM, content.rest()


def _decode_section(packet, section, coding, data):
    reader = Reader(data)
    if section in CHAINS and (coding is OF_STREAM or coding in CHAIN_CODINGS):
        packet.chains[section] = coding, data
        return
    if coding != 1:
        return
    if section in SECTION_BONES:
        packet.rotations.update(_decode_rotations(reader, SECTION_BONES[section]))
    elif section == HIPS:
        packet.hips = _decode_millimetres(reader)
    elif section == PLACEMENT:
        position = _decode_millimetres(reader)
        packet.placement = {"position": position, "yaw": single(reader.u16() * (6.283185307179586 / 65536))}
    elif section == STATES:
        packet.states = _decode_states(reader)
    elif section == PACE:
        packet.pace = reader.u8()
        if packet.pace == 0:
            raise Damaged("invalid", "a pace of 0")
    else:
        return
    reader.end()


def _decode_rotations(reader, bones):
    rotations = {}
    for index in reader.mask(len(bones)):
        bits = int.from_bytes(reader.take(6), "little")
        if bits >> 47:
            raise Damaged("invalid", "bit 47 of a rotation")
        stored = [bits >> shift & 0x7FFF for shift in (0, 15, 30)]
        rotations[bones[index]] = smallest_three(bits >> 45, stored, 16384)
    return rotations


def _decode_millimetres(reader):
    return [single(reader.svarint() / 1000) for _ in range(3)]


def _decode_states(reader):
    known = reader.mask(len(BONES))
    estimated = set(reader.mask(len(BONES)))
    if not estimated <= set(known):
        raise Damaged("invalid", "a bone that is estimated and not known")
    return {BONES[index]: "estimated" if index in estimated else "tracked" for index in known}
