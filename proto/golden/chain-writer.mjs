// Writes chains for golden vectors, from the text of SMALL-PACKETS.md alone: in whole numbers of any
// size, slow and simple, and with doubles only in the chart, as the text has them. So the vectors do
// not depend on the coders that they test.
import { readFileSync } from 'node:fs';

const load = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
export const { bones: BONES } = load('../joints.json');
export const TABLE = load('../chain-table.json');

const MODEL = TABLE.model;

export const PRECISIONS = {
  fine: { number: 0, u: 0.00023410975632, h: 0.001, metres: 0.0005, k: 0.002, values: 500n, beta: 6.852292641e-8, usual: 267n, drop: 0n, far: 64, steady: 8 },
  standard: { number: 1, u: 0.00097554363632, h: 0.002, metres: 0.001, k: 0.005, values: 200n, beta: 1.18984469e-6, usual: 64n, drop: 33n, far: 64, steady: 50 },
  coarse: { number: 2, u: 0.003902244885, h: 0.008, metres: 0.004, k: 0.02, values: 50n, beta: 1.903820138e-5, usual: 16n, drop: 65n, far: 96, steady: 310 },
};

/** The scale of a bone in coding 3: lattice, bound, and what the places of its rejoin section depend on. */
function levelOf(bone, { number, drop }) {
  const { level: ofLattice, bound = ofLattice, finer = 0 } = MODEL.bones[bone];
  const unitOf = (level) => Array.from({ length: level }).reduce((u) => u * 1.0442737824274138, PRECISIONS.fine.u);
  const level = ofLattice - finer * number + Number(drop);
  const [u, b] = [level, bound + Number(drop)].map(unitOf);
  return { u, beta: 1.25025004 * b * b, usual: BigInt(Math.round(1 / (16 * u))), drop: BigInt(level),
    hasSpare: bound + Number(drop) > level };
}

// ---- whole numbers ---------------------------------------------------------

const abs = (x) => (x < 0n ? -x : x);
const min = (x, y) => (x < y ? x : y);
const max = (x, y) => (x > y ? x : y);
const clamp = (x, a, b) => max(a, min(x, b));
const modulo = (x, n) => ((x % n) + n) % n;
export const THREE = [0, 1, 2];
const others = (c) => [(c + 1) % 3, (c + 2) % 3];

function log16(x) {
  const o = BigInt(x.toString(2).length - 1);
  return 16n * o + (((16n * x) / (1n << o)) % 16n);
}

/** A table's number. */
const from = (list, index) => BigInt(list[Number(index)]);

// ---- the range coder -------------------------------------------------------

/** The number that the bytes are, as an interval that narrows. */
class Writer {
  constructor() {
    this.low = 0n;
    this.range = (1n << 32n) - 1n;
    this.length = 4;
  }

  interval(start, size) {
    if (size <= 0n || start < 0n || start + size > 32768n) throw new Error('no such interval');
    const unit = this.range / 32768n;
    this.low += start * unit;
    this.range = size * unit;
    while (this.range < 1n << 24n) {
      this.range *= 256n;
      this.low *= 256n;
      this.length += 1;
    }
  }

  bits(value, count) {
    if (count > 0n) this.interval(value << (15n - count), 1n << (15n - count));
  }

  bytes() {
    let number = this.low;
    for (let n = 31n; n >= 0n; n--) {
      const step = 1n << n;
      const least = ((this.low + step - 1n) / step) * step;
      if (least < this.low + this.range) {
        number = least;
        break;
      }
    }
    const bytes = Array.from({ length: this.length }, (_, i) => Number((number >> BigInt(8 * (this.length - 1 - i))) & 255n));
    while (bytes.length > 1 && bytes.at(-1) === 0) bytes.pop();
    return bytes;
  }
}

// ---- a number with an expectation ------------------------------------------

function expectation(e, g, w, r) {
  const o = g >> 4n;
  const q = w * ((e - 256n * r + 128n * w) >> (7n + w)) + r;
  const j = max(0n, o - 5n - w);
  const first = (256n * q - e - 128n * w - 256n * w * ((1n << j) / 2n)) >> j;
  const border = (i) => {
    if (i <= 0n) return 0n;
    if (i >= 31n) return 32768n;
    const at = first + 256n * w * (i - 15n);
    const distance = (abs(at) * (65536n / (16n + modulo(g, 16n)))) >> (6n + o - j);
    const n = distance >> 4n;
    const beyond = n >= 256n
      ? from(TABLE.tail, 256n)
      : from(TABLE.tail, n) - (((from(TABLE.tail, n) - from(TABLE.tail, n + 1n)) * (distance % 16n)) >> 4n);
    const below = at < 0n ? beyond : 32768n - beyond;
    return ((32675n * below) >> 15n) + 3n * i;
  };
  /** Group, how far outward (0: not in an open group), and place in the group. */
  const parse = (value) => {
    if (modulo(value - q, w) !== 0n) throw new Error(`${value} cannot be`);
    const index = (value - q) / w + (1n << j) / 2n;
    const where = index >> j;
    const group = clamp(where, -15n, 15n) + 15n;
    const outward = group === 0n || group === 30n ? abs(where) - 14n : 0n;
    return { start: border(group), size: border(group + 1n) - border(group), outward, rest: modulo(index, 1n << j) };
  };
  return {
    write(value, writer, longest = 23n) {
      const { start, size, outward, rest } = parse(value);
      writer.interval(start, size);
      if (outward > 0n) {
        const binary = outward.toString(2);
        if (BigInt(binary.length - 1) > longest) throw new Error(`${value} is too far`);
        for (const _ of binary.slice(1)) writer.bits(1n, 1n);
        writer.bits(0n, 1n);
        for (const digit of binary.slice(1)) writer.bits(BigInt(digit), 1n);
      }
      writer.bits(rest, j);
    },
    cost(value) {
      const { size, outward } = parse(value);
      return 16n * (15n + j) - log16(size) + (outward > 0n ? 2n * log16(outward) + 16n : 0n);
    },
  };
}

// ---- the chart -------------------------------------------------------------

export const square = (v) => v[0] * v[0] + v[1] * v[1] + v[2] * v[2];

/** Where a rotation ought to be in the lattice, near a place or the origin. */
function pointOf([x, y, z, w], place, { u }) {
  const l = Math.sqrt(x * x + y * y + z * z + w * w);
  const points = [1, -1]
    .filter((sigma) => 3 * (l + sigma * w) >= l - sigma * w)
    .map((sigma) => [x, y, z].map((v) => (sigma * v) / ((l + sigma * w) * u)));
  const distance = (v) => square(v.map((at, c) => at - Number(place[c])));
  return points.reduce((best, v) => (distance(v) < distance(best) ? v : best));
}

function isWithin(v, place, { u, beta }) {
  const b = place.map(Number);
  const away = v.map((at, c) => at - b[c]);
  return square(away) * (u * u) <= beta * (1 + square(v) * (u * u)) * (1 + square(b) * (u * u));
}

/** The product of two quaternions, summed from left to right. */
function times([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function rotationOf(place, { u }) {
  const [x, y, z] = place.map((p) => Number(p) * u);
  const s = x * x + y * y + z * z;
  const t = 1 + s;
  return [(2 * x) / t, (2 * y) / t, (2 * z) / t, (1 - s) / t].map(Math.fround);
}

/** Halves away from zero. */
function nearest(x) {
  const whole = Math.floor(Math.abs(x));
  const up = Math.abs(x) - whole >= 0.5 ? whole + 1 : whole;
  return BigInt(x < 0 ? -up : up);
}

// ---- feet --------------------------------------------------------------------

const REST = Object.fromEntries(BONES.map(({ name, rest }) => [name, rest.map(Math.fround)]));
const PARENT = Object.fromEntries(BONES.map(({ name, parent }) => [name, parent]));
/** A bone of a leg and the one that begins where it ends. */
const NEXT = Object.fromEntries(['left', 'right'].flatMap((side) => ['UpperLeg', 'LowerLeg', 'Foot', 'Toes']
  .map((bone) => side + bone).flatMap((bone, i, leg) => (i < 3 ? [[bone, leg[i + 1]]] : []))));
const LEGS = ['hips', ...Object.keys(NEXT)];

function turned([x, y, z, w], [a, b, c]) {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + (w * t[0] + (y * t[2] - z * t[1])), b + (w * t[1] + (z * t[0] - x * t[2])), c + (w * t[2] + (x * t[1] - y * t[0]))];
}

/** Hips and joints of the legs, x and z, as in the motion and as shown, while a frame is written. */
class Feet {
  constructor([x, , z] = [0, 0, 0], { h, metres, steady }) {
    this.h = h;
    this.metres = metres;
    this.steady = steady;
    this.turns = {};
    this.exact = { hips: [x, z] };
    this.shown = { hips: [x, z].map((at) => Math.fround(Number(nearest(at / h)) * h)) };
  }

  /** Where `to` begins if `bone` has the rotation q. */
  reach(bone, to, q, [x, z]) {
    const way = turned(q, REST[to].map((at, c) => at - REST[bone][c]));
    if (bone === 'hips') return [x + way[0], z + way[2]];
    const [a, b, c, w] = this.turns[PARENT[bone]];
    const along = (axis) => {
      const [i, j, k] = turned([-a, -b, -c, w], axis);
      return (i * way[0] + j * way[1]) + k * way[2];
    };
    return [x + along([1, 0, 0]), z + along([0, 0, 1])];
  }

  spread(bone, q, joints) {
    for (const to of bone === 'hips' ? ['leftUpperLeg', 'rightUpperLeg'] : [NEXT[bone]]) {
      joints[to] = this.reach(bone, to, q, joints[bone]);
    }
  }

  pass(bone, wanted, shown) {
    this.spread(bone, wanted, this.exact);
    this.spread(bone, shown, this.shown);
    this.turns[bone] = bone === 'hips' ? shown : times(this.turns[PARENT[bone]], shown);
  }

  /** The step that the joint at the end of a bone should make; undefined where errors of it are not visible. */
  stepOf(bone, wanted, before) {
    if (!before || bone === 'hips') return undefined;
    const exact = this.reach(bone, NEXT[bone], wanted, this.exact[bone]);
    const step = exact.map((at, c) => at - before.exact[NEXT[bone]][c]);
    const far = step[0] * step[0] + step[1] * step[1];
    if (far > 0.02 * 0.02) return undefined;
    const share = Math.max(0, 1 - this.metres / Math.sqrt(far));
    return step.map((way) => way * share);
  }

  costOf(bone, wanted, shown, before) {
    const step = this.stepOf(bone, wanted, before);
    if (!step) return 0n;
    const to = NEXT[bone];
    const wrong = this.reach(bone, to, shown, this.shown[bone]).map((at, c) => (at - before.shown[to][c]) - step[c]);
    const steady = to.endsWith('LowerLeg') ? 0.5 * this.steady : this.steady;
    return BigInt(Math.floor((steady * (wrong[0] * wrong[0] + wrong[1] * wrong[1])) / (this.h * this.h)));
  }
}

// ---- a chain ---------------------------------------------------------------

/** A pace in quarter units a frame. */
const quarters = (pace) => pace.map((v) => (v + 2n) >> 2n);

/** The expectation of the next frame, from an item's state. */
function expect({ p, pace, m, rounding }, X, Y, predictor) {
  const weight = (i) => BigInt(predictor.weights[i]);
  const s = quarters(pace);
  const S = s.reduce((sum, v) => sum + v * v, 0n);
  const over = log16((S >> 4n) + 1n) / 2n + 96n - log16((m[0] + m[1] + m[2]) / 3n + BigInt(predictor.doubt));
  const repeat = from(predictor.momentum, clamp((over + 24n) >> 3n, 0n, 15n));
  const e = THREE.map((c) => 256n * p[c] + 16n * rounding[c] + ((repeat * pace[c]) >> 4n));
  const worse = ((log16(384n + X) - log16(384n + Y)) * BigInt(predictor.surprise)) / 4n;
  const miss = THREE.map((c) => clamp((64n * weight(0) + weight(1) * m[c] + 16n * weight(2) * abs(s[c])) >> 8n, 0n, 6399n) + 1n);
  const scale = miss.map((v) => clamp(log16(v) + worse, 0n, 304n));
  return { S, s, e, miss, scale };
}

function evenOf({ e, scale }) {
  let sum = 0n;
  for (const c of THREE) {
    const row = scale[c] >> 2n;
    if (row >= 40n) continue;
    let t = modulo(e[c], 512n);
    if (t > 256n) t = 512n - t;
    const n = (t + 16n) >> 5n;
    sum += n <= 4n ? from(TABLE.coset[Number(row)], n) : -from(TABLE.coset[Number(row)], 8n - n);
  }
  const even = from(TABLE.odds, min(abs(sum), 127n));
  return sum < 0n ? 32768n - even : even;
}

/** The coordinates of a place one after the other: expectations and misses. */
function walk({ S, s, e, scale }, P, w, r) {
  const x = [];
  const off = [];
  const expectations = [];
  for (const c of THREE) {
    let A = 0n;
    for (let i = 0; i < c; i++) A += s[i] * clamp(256n * P[i] - e[i], -65535n, 65535n);
    const E = e[c] + (218n * s[c] * A) / (256n * (S + 128n));
    off.push(256n * P[c] - E);
    expectations.push(expectation(E, scale[c], w, r));
    x.push(min(abs(256n * P[c] - E) >> 2n, 6400n));
  }
  return { x, off, expectations };
}

/** The part of a miss that was probably no motion: the rounding of the frame before. */
const rounded = (miss, off) => (clamp(off, -512n, 512n) * from(MODEL.pass, min(log16(miss) >> 3n, 19n))) >> 8n;

/** The state of an item that went to the place P; x: its misses, off: the same with their signs, 1/256. */
function moved(item, P, { x, off }, { miss }, predictor, precision) {
  const steps = THREE.map((c) => P[c] - item.p[c]);
  const m = THREE.map((c) => item.m[c] + ((BigInt(predictor.missRate) * (x[c] - item.m[c])) >> 6n));
  if (steps.some((v) => abs(v) > 1023n)) return { p: P, pace: REST_PACE, m, rounding: REST_PACE };
  const rounding = THREE.map((c) => (2048n - rounded(miss[c], off[c]) * BigInt(predictor.rounding)) >> 12n);
  const pace = THREE.map((c) => {
    const step = 16n * steps[c] + rounding[c] - item.rounding[c];
    return item.pace[c] + ((from(predictor.paceRates, precision) * (step - item.pace[c]) + 128n) >> 8n);
  });
  return { p: P, pace, m, rounding };
}

const REST_PACE = [0n, 0n, 0n];
const settledIndex = (m) => clamp((log16((m[0] + m[1] + m[2]) / 3n + 1n) - 48n) >> 5n, 0n, 4n);
const settledMiss = (n) => 16n * 4n ** n;

/** Sections whose items are counted: their names, v0, v1 … or r0, t0, r1, t1 …, and whether it is a point. */
const COUNTED = { channels: ['v'], virtual: ['r', 't'] };

export class Chain {
  constructor(section, precision, names, motion, coding = 2) {
    this.section = section;
    this.coding = coding;
    this.members = BONES.filter((bone) => bone.section === section).map((bone) => bone.name);
    this.names = section === 'hips' ? ['translation']
      : COUNTED[section] ? names : this.members.filter((name) => names.includes(name));
    this.isGrid = this.names.map((name) => section === 'hips' || section === 'channels' || name[0] === 't');
    this.precision = PRECISIONS[precision];
    this.isLinked = coding === 3 && section === 'body';
    this.isHand = coding === 3 && section === 'hands';
    const hasLevels = coding === 3 && ['body', 'face', 'hands'].includes(section);
    this.scales = this.names.map((name) => (hasLevels ? levelOf(name, this.precision) : this.precision));
    this.hasFractions = hasLevels;
    this.predictor = (hasLevels ? MODEL : TABLE).predictor;
    this.costPerBound = hasLevels ? this.precision.far : 0;
    this.h = section === 'channels' ? this.precision.k : this.precision.h;
    this.watchesFeet = this.isLinked && LEGS.every((bone) => this.names.includes(bone));
    const errors = this.begin(motion);
    this.items = this.names.map((name, i) => {
      const v = this.aim(i, motion[name], [0n, 0n, 0n], errors);
      const lattice = (r) => v.map((at) => 2n * nearest((at - r) / 2) + BigInt(r));
      const away = (p) => square(v.map((at, c) => at - Number(p[c])));
      const [even, odd] = [lattice(0), lattice(1)];
      const p = this.isGrid[i] ? v.map(nearest) : away(odd) < away(even) ? odd : even;
      this.correct(i, motion[name], p, errors);
      return { p, pace: REST_PACE, m: [64n, 64n, 64n], rounding: REST_PACE };
    });
    this.feetBefore = this.feet;
  }

  /** The errors of no bone yet. */
  begin(motion) {
    this.feet = this.watchesFeet ? new Feet(motion.translation, this.precision) : undefined;
    return {};
  }

  /** The nearest ancestor of a bone with an entry in `known`, or none. */
  ancestor(i, known) {
    const above = (name) => BONES.find((bone) => bone.name === name).parent;
    let name = above(this.names[i]);
    while (name && !known[name]) name = above(name);
    return name;
  }

  /** The finger bone in `known` whose miss a finger bone repeats, or none. */
  leader(i, known) {
    const joint = this.members.indexOf(this.names[i]) % 15;
    const name = joint > 3 ? this.members[this.members.indexOf(this.names[i]) - (joint > 5 ? 3 : 1)] : undefined;
    return known[name] && name;
  }

  /** A rotation as it is encoded, after the errors of the bones above it. */
  wanted(i, value, errors) {
    const above = this.isLinked && this.ancestor(i, errors);
    return above ? times(errors[above], value) : value;
  }

  /** Whether the bone moves a foot that is watched. */
  moves(i) {
    return this.feet && LEGS.includes(this.names[i]);
  }

  aim(i, value, place, errors) {
    return this.isGrid[i] ? value.map((at) => at / this.h) : pointOf(this.wanted(i, value, errors), place, this.scales[i]);
  }

  /** Notes the error that a place leaves. */
  correct(i, value, place, errors) {
    if (!this.isLinked) return;
    const shown = rotationOf(place, this.scales[i]);
    const [x, y, z, w] = shown;
    const wanted = this.wanted(i, value, errors);
    if (this.moves(i)) this.feet.pass(this.names[i], wanted, shown);
    errors[this.names[i]] = times([-x, -y, -z, w], wanted);
  }

  isGood(i, v, place) {
    return this.isGrid[i]
      ? v.every((at, c) => Math.abs(at - Number(place[c])) <= 0.5)
      : isWithin(v, place, this.scales[i]);
  }

  /**
   * The places within the bound that a writer looks at: of each half the two about the target in each
   * coordinate, or four of a bone that moves a foot and has a lattice finer than its bound demands.
   */
  placesAbout(i, v, value, errors) {
    if (this.isGrid[i]) return [v.map(nearest)];
    const all = [];
    const isWide = this.scales[i].hasSpare && this.moves(i)
      && this.feet.stepOf(this.names[i], this.wanted(i, value, errors), this.feetBefore);
    for (const r of [0, 1]) {
      for (let n = 0; n < 64; n++) {
        const steps = THREE.map((c) => ((n >> (2 * c)) & 3) - 1);
        if (!isWide && steps.some((step) => step < 0 || step > 1)) continue;
        const place = v.map((at, c) => BigInt(2 * (Math.floor((at - r) / 2) + steps[c]) + r));
        if (this.isGood(i, v, place)) all.push(place);
      }
    }
    return all;
  }

  hold() {
    this.items = this.items.map((item) => {
      const guess = expect(item, 0n, 0n, this.predictor);
      const off = THREE.map((c) => 256n * item.p[c] - guess.e[c]);
      return this.moved(item, item.p, { x: off.map((v) => min(abs(v) >> 2n, 6400n)), off }, guess);
    });
  }

  moved(item, P, way, guess) {
    return moved(item, P, way, guess, this.predictor, this.precision.number);
  }

  settle() {
    for (const item of this.items) {
      item.m = item.m.fill(settledMiss(settledIndex(item.m)));
      item.pace = item.rounding = REST_PACE;
    }
  }

  /** One item on its way: writes it, gives what it was. */
  code(i, guess, P, writer) {
    const w = this.isGrid[i] ? 1n : 2n;
    const r = this.isGrid[i] ? 0n : modulo(P[0], 2n);
    if (!this.isGrid[i]) {
      const even = evenOf(guess);
      writer.interval(r ? even : 0n, r ? 32768n - even : even);
    }
    const way = walk(guess, P, w, r);
    way.expectations.forEach((number, c) => number.write(P[c], writer));
    return way;
  }

  costOf(guess, P) {
    const r = modulo(P[0], 2n);
    const even = evenOf(guess);
    return walk(guess, P, 2n, r).expectations
      .reduce((sum, number, c) => sum + number.cost(P[c]), -log16(r ? 32768n - even : even));
  }

  /** What the distance of a place from the target adds to its cost. */
  costOfDistance(i, v, place) {
    const { u, beta } = this.scales[i];
    const b = place.map(Number);
    const away = v.map((at, c) => at - b[c]);
    return BigInt(Math.floor(this.costPerBound
      * ((square(away) * (u * u)) / (beta * (1 + square(v) * (u * u)) * (1 + square(b) * (u * u))))));
  }

  /** What a place adds to its cost because a foot moves otherwise than in the motion. */
  costOfFeet(i, value, place, errors) {
    if (!this.moves(i)) return 0n;
    return this.feet.costOf(this.names[i], this.wanted(i, value, errors), rotationOf(place, this.scales[i]), this.feetBefore);
  }

  choose(i, guess, value, errors) {
    let best = null;
    const v = this.aim(i, value, this.items[i].p, errors);
    for (const P of this.placesAbout(i, v, value, errors)) {
      const cost = this.isGrid[i] ? 0n
        : this.costOf(guess, P) + this.costOfDistance(i, v, P) + this.costOfFeet(i, value, P, errors);
      if (!best || cost < best.cost) best = { P, cost };
    }
    return best.P;
  }

  /** Whether every item may stay where it is. */
  mayHold(motion) {
    const errors = this.begin(motion);
    return this.items.every(({ p }, i) => {
      const value = motion[this.names[i]];
      const isGood = this.isGood(i, this.aim(i, value, p, errors), p);
      this.correct(i, value, p, errors);
      return isGood;
    });
  }

  /** An item's expectation after what the bones before it pass on. */
  expect(i, X, Y, passed) {
    const guess = expect(this.items[i], X, Y, this.predictor);
    const above = this.isLinked && this.ancestor(i, passed);
    if (above) {
      const [own, parent] = [this.names[i], PARENT[this.names[i]]].map((bone) => levelOf(bone, this.precision).u);
      const ratio = BigInt(Math.round((256 * parent) / own));
      guess.e = guess.e.map((e, c) => e - ((ratio * passed[above][c]) >> 8n));
    }
    const leader = this.isHand && this.leader(i, passed);
    if (leader) guess.e = guess.e.map((e, c) => e - passed[leader][c]);
    return guess;
  }

  /** What a bone passes on of its misses. */
  passOn(miss, off) {
    return THREE.map((c) => (this.isHand ? (-BigInt(MODEL.curl) * clamp(off[c], -65535n, 65535n)) >> 8n : rounded(miss[c], off[c])));
  }

  /** The bytes of a frame; none when it holds. `force`: places instead of motion. */
  frame(motion, settle, force = null) {
    if (!force && !settle && this.mayHold(motion)) {
      this.hold();
      this.feetBefore = this.feet;
      return [];
    }
    const writer = new Writer();
    const errors = force ? {} : this.begin(motion);
    const passed = {};
    let X = 0n;
    let Y = 0n;
    writer.interval(settle ? 32512n : 0n, settle ? 256n : 32512n);
    this.items = this.items.map((item, i) => {
      const value = motion?.[this.names[i]];
      const guess = this.expect(i, X, Y, passed);
      const P = force ?? this.choose(i, guess, value, errors);
      const way = this.code(i, guess, P, writer);
      if (!force) this.correct(i, value, P, errors);
      passed[this.names[i]] = this.passOn(guess.miss, way.off);
      X += way.x[0] + way.x[1] + way.x[2];
      Y += guess.miss[0] + guess.miss[1] + guess.miss[2];
      return this.moved(item, P, way, guess);
    });
    this.feetBefore = this.feet;
    if (settle) this.settle();
    return writer.bytes();
  }

  head() {
    const { table } = this.coding === 3 ? MODEL : TABLE;
    let mask = 0n;
    if (COUNTED[this.section]) {
      return [4 * table + this.precision.number, this.names.length / COUNTED[this.section].length];
    }
    this.members.forEach((name, i) => { if (this.names.includes(name)) mask |= 1n << BigInt(i); });
    const bytes = Array.from({ length: Math.ceil(this.members.length / 8) }, (_, i) => Number((mask >> BigInt(8 * i)) & 255n));
    return [4 * table + this.precision.number, ...bytes];
  }

  isSettled() {
    return this.items.every(({ pace, m, rounding }) => m.every((v) => v === settledMiss(settledIndex(m))) &&
      [...pace, ...rounding].every((v) => v === 0n));
  }

  /** `n` stands for the misses of a settled state, for one that cannot be. */
  rejoin(settled = this.isSettled(), n = null) {
    const writer = new Writer();
    let before = 1n;
    writer.bits(settled ? 1n : 0n, 1n);
    this.items.forEach(({ p, pace, m, rounding }, i) => {
      const usual = TABLE.priors[this.names[i]];
      const r = this.isGrid[i] ? 0n : modulo(p[0], 2n);
      if (!this.isGrid[i]) writer.bits(r, 1n);
      for (const c of THREE) {
        const place = this.isGrid[i] ? expectation(0n, this.section === 'channels' ? 128n : 208n, 1n, 0n)
          : this.section === 'virtual' ? expectation(0n, 256n - this.precision.drop, 2n, r)
          : expectation(from(usual.place, c) * this.scales[i].usual, max(0n, from(usual.scale, c) - this.scales[i].drop), 2n, r);
        place.write(p[c], writer, 99n);
      }
      if (settled) {
        const index = n ?? settledIndex(m);
        expectation(256n * before, 80n, 1n, 0n).write(index, writer);
        before = index;
      }
      for (const c of settled ? [] : THREE) writer.bits(m[c], 13n);
      for (const c of settled ? [] : THREE) {
        const [a, b] = others(c);
        const g = log16(m[c] + ((m[a] + m[b]) >> 2n) + 1n) + BigInt(TABLE.priorStep);
        expectation(0n, g, 1n, 0n).write(pace[c] >> 4n, writer);
        if (this.hasFractions) {
          writer.bits(modulo(pace[c], 16n), 4n);
          writer.bits(rounding[c] + 16n, 5n);
        }
      }
    });
    return [...this.head(), ...writer.bytes()];
  }

  state() {
    return this.items.map(({ p, pace, m, rounding }) => (this.coding === 3 ? [...p, ...pace, ...m, ...rounding]
      : [...p, ...pace.map((v) => v >> 4n), ...m]).map(Number));
  }

  shown() {
    return Object.fromEntries(this.items.map(({ p }, i) => [this.names[i],
      this.isGrid[i] ? p.map((v) => Math.fround(Number(v) * this.h)) : rotationOf(p, this.scales[i])]));
  }
}
