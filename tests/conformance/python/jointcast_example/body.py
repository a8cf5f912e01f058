"""The state of one body in a view: what its packets have shown so far."""

from .bundle import OF_STREAM
from .chain import Chain
from .rotation import IDENTITY
from .tables import CHANNELS, HIPS, SECTION_BONES
from .wire import Damaged


class Body:
    """A body of the roster, with its stream.

    `waiting`: there is no state of chains; the pose stays until the next packet with K.
    `lost`: there are packets that need this state.
    """

    def __init__(self, entry):
        self.entry = entry
        self.skeleton = entry["skeleton"]  # hash of the one that its packets are for; None: no packets
        self.placement = entry["placement"]
        self.placed_by_packets = False
        self.waiting, self.lost = True, False
        self.relative = {}        # R of bones, of packets of coding 1
        self.normalised = None    # N of bones, of chains; None with coding 1
        self.hips = [0.0, 0.0, 0.0]
        self.channels = []
        self.states = {}
        self.pace = 1
        self.cut = False
        self._chains = {}
        self._follows = None      # incarnation and sequence of the packet before

    def update(self, entry):
        """Takes over a changed entry of the roster. Placements of packets count for the motion."""
        if entry["skeleton"] != self.entry["skeleton"]:
            self.skeleton = entry["skeleton"]
        self.entry = entry
        if not self.placed_by_packets:
            self.placement = entry["placement"]

    def discard(self):
        """A bundle was lost: sequence cannot show a gap of 16 packets, so the stream waits."""
        if not self.waiting:
            self._lose()

    def _lose(self):
        self.waiting = self.lost = True

    def apply(self, packet):
        """Takes over a packet. Returns whether it changed the pose or the placement."""
        self.cut = packet.cut
        if packet.placement:
            self.placement = packet.placement
            self.placed_by_packets = True
        if packet.complete:
            self._join(packet)
        else:
            incarnation, sequence = self._follows or (None, 0)
            if self.waiting or packet.incarnation != incarnation or packet.sequence != (sequence + 1) % 16:
                self._lose()
            else:
                self._step(packet)
        self._follows = packet.incarnation, packet.sequence
        if packet.states is not None:
            self.states = packet.states
        return not self.waiting or packet.placement is not None

    def _join(self, packet):
        try:
            codings = {coding for coding, _ in packet.chains.values()}
            if len(codings) > 1 or OF_STREAM in codings:
                raise Damaged("invalid", "chains of two codings, or of none")
            self._chains = {section: Chain(section, data, coding)
                            for section, (coding, data) in packet.chains.items()}
        except Damaged:
            self._lose()
            return
        self.waiting = self.lost = False
        self.pace = packet.pace or 1
        self.relative = packet.rotations
        self.hips = packet.hips or [0.0, 0.0, 0.0]
        self.normalised = {} if self._chains else None
        self.channels = []
        if packet.states is None and not self._chains:
            self.states = {}
        for section in self._chains:
            self._show(section)

    def _step(self, packet):
        try:
            for section, (coding, _) in packet.chains.items():
                chain = self._chains.get(section)
                if chain is None or coding not in (OF_STREAM, chain.coding):
                    raise Damaged("invalid", "a step of a chain that the stream does not have")
            for section, chain in self._chains.items():
                if section in packet.chains:
                    chain.frame(packet.chains[section][1])
                    self._show(section)
                else:
                    chain.hold()
        except Damaged:
            self._lose()

    def _show(self, section):
        shown = self._chains[section].shown()
        if section in SECTION_BONES:
            self.normalised.update(shown)
        elif section == HIPS:
            self.hips = shown["translation"]
        elif section == CHANNELS:
            self.channels = [value for three in shown.values() for value in three]

    def rotations(self, skeleton):
        """N of each bone of the skeleton."""
        if self.normalised is None:
            return skeleton.normalised(self.relative)
        return {name: self.normalised.get(name, IDENTITY) for name in skeleton.bones}
