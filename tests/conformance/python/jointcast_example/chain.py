"""Decodes chains, codings 2 and 3 of a section (SMALL-PACKETS.md, Chains).

A chain keeps the same whole numbers as the writer; each frame moves them on.
"""

from functools import cache

from .range_coder import RangeReader, log16
from .tables import BODY, BONE_PARENT, CHAIN_TABLE, CHANNELS, HANDS, HIPS, MODEL_TABLE, SECTION_BONES, VIRTUAL
from .wire import Damaged, Reader, single

MOST_SECTION = 600
PRECISIONS = ("fine", "standard", "coarse")
LATTICE_UNIT = (0.00023410975632, 0.00097554363632, 0.003902244885)  # u
POINT_UNIT = (0.001, 0.002, 0.008)                                   # h, metres
VALUE_UNIT = (0.002, 0.005, 0.02)                                    # k
USUAL_UNIT = (267, 64, 16)
SCALE_DROP = (0, 33, 65)                                             # d
MOST_ROTATION, MOST_POINT, MOST_VALUE = 30_000, 4_000_000, (500, 200, 50)
MOST_STEP, MOST_MISS = 1023, 6400

MOST_FRACTION = 2                                                    # by which roundings lengthen a pace

PREDICTOR, MODEL_PREDICTOR = CHAIN_TABLE["predictor"], MODEL_TABLE["predictor"]
COSET, ODDS = CHAIN_TABLE["coset"], CHAIN_TABLE["odds"]
PRIORS, PRIOR_STEP = CHAIN_TABLE["priors"], CHAIN_TABLE["priorStep"]
LEVELS, PASS = MODEL_TABLE["bones"], MODEL_TABLE["pass"]  # of coding 3
LEVEL_RATIO = 1.0442737824274138


def clamp(x, low, high):
    return max(low, min(x, high))


def divide(x, y):
    """x / y for y > 0, rounded toward zero."""
    return x // y if x >= 0 else -(-x // y)


@cache
def level_unit(level):
    """The unit of the lattice of a level; each product is rounded to double precision."""
    return level_unit(level - 1) * LEVEL_RATIO if level else LATTICE_UNIT[0]


class Item:
    """What a chain knows of one bone, point or three values."""

    def __init__(self, name, rotation, precision, level=None):
        self.name = name
        self.predictor = PREDICTOR if level is None else MODEL_PREDICTOR
        self.pace_rate = self.predictor["paceRates"][precision]
        self.fractions = level is not None  # whether its pace may be less than a unit a frame
        self.rotation = rotation  # whether its places are those of rotations
        self.unit, self.usual, self.drop = LATTICE_UNIT[precision], USUAL_UNIT[precision], SCALE_DROP[precision]
        if level is not None:     # of a bone of coding 3
            self.drop, self.unit = level, level_unit(level)
            self.usual = int(1 / (16 * self.unit) + 0.5)
        self.place = [0, 0, 0]
        self.pace = [0, 0, 0]      # 1/16 a frame; in coding 2 that of the last frame
        self.miss = [64, 64, 64]   # 1/64
        self.rounding = [0, 0, 0]  # 1/16, from the place to where the bone probably is; 0 in coding 2

    def quarters(self):
        """The pace in 1/4 a frame."""
        return [v + 2 >> 2 for v in self.pace]

    def expect(self):
        """Where the next place is expected, in 1/256, by the place and the pace."""
        square = sum(v * v for v in self.quarters()) >> 4
        over = log16(square + 1) // 2 + 96 - log16(sum(self.miss) // 3 + self.predictor["doubt"])
        momentum = self.predictor["momentum"][clamp(over + 24 >> 3, 0, 15)]
        return [256 * p + 16 * r + (momentum * v >> 4) for p, r, v in zip(self.place, self.rounding, self.pace)]

    def expect_misses(self):
        """How far each coordinate is expected to be from there, in 1/64."""
        one, miss, pace = self.predictor["weights"]
        return [clamp(64 * one + m * miss + 16 * abs(v) * pace >> 8, 0, MOST_MISS - 1) + 1
                for m, v in zip(self.miss, self.quarters())]

    def learn(self, place, misses, off):
        """Moves the state on to a place, `off` beyond its expectation, in 1/256. Returns how much of
        that was probably no motion but the rounding of the frame before, and the distances in 1/64."""
        steps = [new - old for new, old in zip(place, self.place)]
        distances = [min(abs(one) >> 2, MOST_MISS) for one in off]
        rounded = [PASS[min(log16(miss) >> 3, 19)] * clamp(one, -512, 512) >> 8 for miss, one in zip(misses, off)]
        self.place = place
        self.miss = [m + (self.predictor["missRate"] * (x - m) >> 6) for m, x in zip(self.miss, distances)]
        if max(abs(s) for s in steps) > MOST_STEP:
            self.rest()
            return rounded, distances
        for c in range(3):
            now = 2048 - rounded[c] * self.predictor["rounding"] >> 12
            moved = 16 * steps[c] + now - self.rounding[c]
            self.pace[c] += (moved - self.pace[c]) * self.pace_rate + 128 >> 8
            self.rounding[c] = now
        return rounded, distances

    def rest(self):
        self.pace, self.rounding = [0, 0, 0], [0, 0, 0]

    def settle(self):
        n = clamp(log16(sum(self.miss) // 3 + 1) - 48 >> 5, 0, 4)
        self.miss = [16 * 4 ** n] * 3
        self.rest()


class Chain:
    """One section of one stream. `Chain(section, bytes, coding)` reads a rejoin section."""

    def __init__(self, section, data, coding=2):
        if len(data) > MOST_SECTION:
            raise Damaged("limit", "a chain of too many bytes")
        reader = Reader(data)
        head = reader.u8()
        if head >> 2 != (MODEL_TABLE if coding == 3 else CHAIN_TABLE)["table"]:
            raise Damaged("unsupported", "another table")
        self.section, self.coding = section, coding
        self.precision = head & 3
        if self.precision == 3:
            raise Damaged("invalid", "precision 3")
        self.items = [Item(name, rotation, self.precision, self._level(name))
                      for name, rotation in self._names(reader)]
        self._linked = coding == 3 and section in (BODY, HANDS)
        self._ratios = {item.name: self._ratio(item) for item in self.items} if coding == 3 and section == BODY else {}
        if not reader.left():
            raise Damaged("truncated", "a rejoin section with nothing after its head")
        numbers = RangeReader(reader.rest())
        settled = numbers.bits(1)
        n = 1
        for item in self.items:
            self._rejoin_place(numbers, item)
            if settled:
                n = numbers.expected(256 * n, 80)
                if not 0 <= n <= 4:
                    raise Damaged("invalid", "a settled miss")
                item.miss = [16 * 4 ** n] * 3
            else:
                self._rejoin_motion(numbers, item)
        numbers.end()

    def _names(self, reader):
        """The items that the head of a rejoin section announces: (name, whether a rotation)."""
        if self.section in SECTION_BONES:
            bones = SECTION_BONES[self.section]
            return [(bones[index], True) for index in reader.mask(len(bones))]
        if self.section == HIPS:
            return [("translation", False)]
        count = reader.u8()
        if count > (30 if self.section == CHANNELS else 15):
            raise Damaged("invalid", "more items than there can be")
        if self.section == CHANNELS:
            return [(f"v{index}", False) for index in range(count)]
        return [pair for index in range(count) for pair in ((f"r{index}", True), (f"t{index}", False))]

    def _level(self, name):
        """The level of a bone of coding 3; None for all else."""
        if self.coding != 3 or self.section not in SECTION_BONES:
            return None
        return SCALE_DROP[self.precision] + LEVELS[name]["level"] - self.precision * LEVELS[name].get("finer", 0)

    def _ratio(self, item):
        """The unit of the bone above over that of a bone of the body, in 1/256."""
        above = BONE_PARENT[item.name]
        return int(256 * level_unit(self._level(above)) / item.unit + 0.5) if above else 0

    def _most(self, item):
        """The greatest coordinate of a place."""
        if item.rotation:
            return MOST_ROTATION
        return MOST_VALUE[self.precision] if self.section == CHANNELS else MOST_POINT

    def _check(self, item, coordinate):
        if abs(coordinate) > self._most(item):
            raise Damaged("invalid", "a place out of range")
        return coordinate

    def _rejoin_place(self, numbers, item):
        w, r = (2, numbers.bits(1)) if item.rotation else (1, 0)
        usual, scale = [0, 0, 0], [128 if self.section == CHANNELS else 208] * 3
        if self.section in SECTION_BONES:
            prior = PRIORS[item.name]
            usual = [place * item.usual for place in prior["place"]]
            scale = [max(0, s - item.drop) for s in prior["scale"]]
        elif item.rotation:
            scale = [256 - item.drop] * 3
        item.place = [self._check(item, numbers.expected(usual[c], scale[c], w, r)) for c in range(3)]

    @staticmethod
    def _rejoin_motion(numbers, item):
        item.miss = [numbers.bits(13) for _ in range(3)]
        if max(item.miss) > MOST_MISS:
            raise Damaged("invalid", "a miss that is too great")
        for c in range(3):
            others = sum(item.miss) - item.miss[c]
            pace = numbers.expected(0, log16(item.miss[c] + (others >> 2) + 1) + PRIOR_STEP)
            if abs(pace) > MOST_STEP + (MOST_FRACTION if item.fractions else 0):
                raise Damaged("invalid", "a pace that is too fast")
            item.pace[c] = 16 * pace
            if item.fractions:
                item.pace[c] += numbers.bits(4)
                item.rounding[c] = numbers.bits(5) - 16

    def frame(self, data):
        """Moves the state on by one frame."""
        if len(data) > MOST_SECTION:
            raise Damaged("limit", "a chain of too many bytes")
        numbers = RangeReader(data)
        settles = numbers.choice(32512)
        surprise = [0, 0]  # X and Y: the sums of distances, as they were and as they were expected
        passed = {}  # name of a bone: how far its children are expected to turn back
        for item in self.items:
            self._frame_item(numbers, item, surprise, passed)
        numbers.end()
        if settles:
            for item in self.items:
                item.settle()

    def _turned_back(self, item, passed):
        """How far a bone of coding 3 turns back, in its own 1/256.

        Bones of the body undo the rounding of their nearest ancestor in the chain; fingers curl together.
        """
        if not self._linked:
            return [0, 0, 0]
        if self.section == HANDS:
            return passed.get(self._leader(item.name), [0, 0, 0])
        ancestor = BONE_PARENT[item.name]
        while ancestor and ancestor not in passed:
            ancestor = BONE_PARENT[ancestor]
        return [self._ratios[item.name] * one >> 8 for one in passed[ancestor]] if ancestor else [0, 0, 0]

    @staticmethod
    def _leader(name):
        """The finger bone whose miss a finger bone repeats, or None."""
        bones = SECTION_BONES[HANDS]
        at = bones.index(name)
        if at % 15 <= 3:  # of a thumb, and the first of an index finger
            return None
        return bones[at - 1] if at % 15 <= 5 else bones[at - 3]

    def _frame_item(self, numbers, item, surprise, passed):
        expected = [e - back for e, back in zip(item.expect(), self._turned_back(item, passed))]
        pace = item.quarters()
        square = sum(v * v for v in pace)
        worse = divide((log16(384 + surprise[0]) - log16(384 + surprise[1])) * item.predictor["surprise"], 4)
        misses = item.expect_misses()
        scales = [clamp(log16(miss) + worse, 0, 304) for miss in misses]
        w, r = (2, self._parity(numbers, expected, scales)) if item.rotation else (1, 0)
        place, off = [], []
        along = 0  # A: how far the coordinates before went beyond their expectation, along the pace
        for c in range(3):
            e = expected[c] + divide(218 * pace[c] * along, 256 * (square + 128))
            place.append(self._check(item, numbers.expected(e, scales[c], w, r)))
            along += pace[c] * clamp(256 * place[c] - expected[c], -65535, 65535)
            off.append(256 * place[c] - e)
        rounded, distances = item.learn(place, misses, off)
        surprise[0] += sum(distances)
        surprise[1] += sum(misses)
        if self._linked:  # what the bone passes on to those after it
            passed[item.name] = rounded if self.section == BODY else [
                -MODEL_TABLE["curl"] * clamp(one, -65535, 65535) >> 8 for one in off]

    @staticmethod
    def _parity(numbers, expected, scales):
        """Reads whether the coordinates of a rotation's place are odd."""
        total = 0
        for e, scale in zip(expected, scales):
            row = scale >> 2
            t = e % 512
            n = (min(t, 512 - t) + 16) >> 5
            if row < 40:
                total += COSET[row][n] if n <= 4 else -COSET[row][8 - n]
        odds = ODDS[min(abs(total), 127)]
        return numbers.choice(odds if total >= 0 else 32768 - odds)

    def hold(self):
        """Moves the state on by one packet that has no section for this chain."""
        for item in self.items:
            off = [256 * p - e for p, e in zip(item.place, item.expect())]
            item.learn(item.place, item.expect_misses(), off)

    def shown(self):
        """What the chain shows: for each item its name and a rotation or three numbers."""
        return {item.name: self._shown(item) for item in self.items}

    def _shown(self, item):
        if item.rotation:
            x, y, z = (p * item.unit for p in item.place)
            s = (x * x + y * y) + z * z
            t = 1.0 + s
            return [single(2.0 * x / t), single(2.0 * y / t), single(2.0 * z / t), single((1.0 - s) / t)]
        unit = VALUE_UNIT if self.section == CHANNELS else POINT_UNIT
        return [single(p * unit[self.precision]) for p in item.place]
