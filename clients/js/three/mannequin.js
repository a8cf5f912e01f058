// Builds a mannequin for a skeleton: capsules along the bones with human proportions, a loft
// for the trunk, a head with a visor that shows its direction. Works with any skeleton:
// missing bones are omitted or bridged. Shapes are built in the T-pose of canonical space.

import { Vector3 } from 'three';
import { SolidWriter } from './solids.js';
/**
 * @import { BufferGeometry } from 'three'
 * @import { Ring, Skin } from './solids.js'
 */

/**
 * A skeleton in the T-pose of canonical space.
 *
 * @typedef {object} Rest
 * @property {Vector3[]} positions Of its nodes.
 * @property {number[][]} children Of its nodes.
 * @property {Map<string, number>} bones Bone name to node, in the order of the skin.
 * @property {number} hipsHeight Metres.
 */

/** @typedef {'left' | 'right'} Side */

const UP = new Vector3(0, 1, 0);
const FORWARD = new Vector3(0, 0, 1);

// Measures of the built-in skeleton, the reference for all girths below.
const HIPS_HEIGHT = 0.945;
const HEAD_HEIGHT = 1.56;

// Factors for the body's colour. Left is slightly warmer and lighter than right.
const BODY = [1, 1, 1];
/** @type {Record<Side, number[]>} */
const SIDE = { left: [1.2, 1.15, 1.05], right: [0.72, 0.77, 0.88] };
const JOINT = [0.26, 0.28, 0.33];
const VISOR = [0.025, 0.03, 0.045];

const TRUNK = ['hips', 'spine', 'chest', 'upperChest', 'neck'];

/**
 * Bone, possible end bones, girth at both ends, default length.
 *
 * @type {[string, string[], number, number, number][]}
 */
const LIMBS = [
  ['Shoulder', ['UpperArm', 'LowerArm', 'Hand'], 0.052, 0.054, 0.14],
  ['UpperArm', ['LowerArm', 'Hand'], 0.05, 0.038, 0.28],
  ['LowerArm', ['Hand'], 0.04, 0.027, 0.25],
  ['UpperLeg', ['LowerLeg', 'Foot'], 0.084, 0.055, 0.42],
  ['LowerLeg', ['Foot', 'Toes'], 0.056, 0.036, 0.42],
];
/** Bone, radius. @type {[string, number][]} */
const BALLS = [['UpperArm', 0.0595], ['LowerArm', 0.0455], ['Hand', 0.032], ['LowerLeg', 0.0635],
  ['Foot', 0.0425]];

/** Finger, its bones, radius. @type {[string, string[], number][]} */
const FINGERS = [
  ['Thumb', ['Metacarpal', 'Proximal', 'Distal'], 0.0125],
  ['Index', ['Proximal', 'Intermediate', 'Distal'], 0.0095],
  ['Middle', ['Proximal', 'Intermediate', 'Distal'], 0.01],
  ['Ring', ['Proximal', 'Intermediate', 'Distal'], 0.0093],
  ['Little', ['Proximal', 'Intermediate', 'Distal'], 0.0082],
];

// Half widths and half depths along the trunk: 0 at the hips, 1 at the neck.
const TRUNK_WIDTH = [[-0.26, 0], [-0.235, 0.05], [-0.15, 0.125], [0, 0.165], [0.12, 0.153],
  [0.3, 0.128], [0.5, 0.137], [0.72, 0.16], [0.86, 0.15], [0.96, 0.105], [1.02, 0.056], [1.04, 0]];
const TRUNK_DEPTH = [[-0.26, 0], [-0.235, 0.04], [-0.15, 0.09], [0, 0.112], [0.12, 0.106],
  [0.3, 0.092], [0.5, 0.1], [0.72, 0.114], [0.86, 0.1], [0.96, 0.074], [1.02, 0.048], [1.04, 0]];
const WAIST = 0.13;

// Half width and height of a foot from heel (0) to tip (1).
const FOOT_WIDTH = [[0, 0], [0.04, 0.022], [0.14, 0.035], [0.35, 0.034], [0.6, 0.042],
  [0.78, 0.047], [0.92, 0.036], [0.98, 0.018], [1, 0]];
const FOOT_HEIGHT = [[0, 0], [0.04, 0.045], [0.14, 0.08], [0.35, 0.088], [0.6, 0.06],
  [0.78, 0.044], [0.92, 0.032], [0.98, 0.018], [1, 0]];

/** Cubic Hermite through [x, y] pairs. @param {number[][]} keys @param {number} x */
function curve(keys, x) {
  let i = 0;
  while (i < keys.length - 2 && x > keys[i + 1][0])
    i++;
  const slope = (/** @type {number} */ j) => {
    const before = keys[Math.max(j - 1, 0)];
    const after = keys[Math.min(j + 1, keys.length - 1)];
    return (after[1] - before[1]) / (after[0] - before[0]);
  };
  const [x0, y0] = keys[i];
  const [x1, y1] = keys[i + 1];
  const h = x1 - x0;
  const t = Math.max(0, Math.min(1, (x - x0) / h));
  const u = 1 - t;
  return Math.max(0, y0 * (1 + 2 * t) * u * u + slope(i) * h * t * u * u
    + y1 * t * t * (3 - 2 * t) - slope(i + 1) * h * t * t * u);
}

/**
 * A ring of points about `centre`, right-handed about e1 × e2, squared off by `power`.
 *
 * @param {Vector3} centre
 * @param {Vector3} e1
 * @param {Vector3} e2
 * @param {number} r1
 * @param {number} r2
 * @param {number} count
 */
function ring(centre, e1, e2, r1, r2, count, power = 2) {
  const points = [];
  for (let i = 0; i < count; i++) {
    const c = Math.cos((i / count) * 2 * Math.PI);
    const s = Math.sin((i / count) * 2 * Math.PI);
    points.push(centre.clone()
      .addScaledVector(e1, r1 * Math.sign(c) * Math.abs(c) ** (2 / power))
      .addScaledVector(e2, r2 * Math.sign(s) * Math.abs(s) ** (2 / power)));
  }
  return points;
}

class Mannequin {
  /** @param {Rest} rest @param {number} detail */
  constructor(rest, detail) {
    this.rest = rest;
    this.isCoarse = detail < 1;
    this.order = [...rest.bones.keys()];
    this.boneNodes = new Set(rest.bones.values());
    this.out = new SolidWriter(detail);
    const points = [...rest.bones.values()].map((node) => rest.positions[node]);
    this.floor = points.reduce((low, p) => Math.min(low, p.y), Infinity);
    const head = this.at('head');
    const tall = head && this.at('hips') ? (head.y - this.floor) / (HEAD_HEIGHT - 0.015) : 0;
    const measured = rest.hipsHeight / HIPS_HEIGHT;
    // A figure without legs has no floor as reference.
    this.size = tall > 0.5 * measured && tall < 2 * measured ? tall : measured;
    // Toe joints are slightly above the sole, and a model stands on y = 0.
    if (this.floor > -0.01 * this.size && this.floor < 0.13 * this.size)
      this.floor = 0;
    else
      this.floor -= 0.015 * this.size;
  }

  /** Position of a bone; undefined without it. @param {string | null} bone */
  at(bone) {
    return this.rest.positions[this.node(bone)];
  }

  /** @param {string | null} bone */
  node(bone) {
    return this.rest.bones.get(bone ?? '') ?? -1;
  }

  /** Index in the skin of the first of these bones that exists. @param {(string | null)[]} bones */
  skin(...bones) {
    return this.order.indexOf(bones.find((bone) => this.node(bone) >= 0) ?? '');
  }

  /** The farthest descendant of `bone` that is not a bone: a node that only marks a tip. @param {string} bone */
  leaf(bone) {
    const from = this.at(bone);
    /** @type {Vector3 | null} */
    let best = null;
    const pending = [...this.rest.children[this.node(bone)]];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (this.boneNodes.has(node))
        continue;
      const point = this.rest.positions[node];
      if (!best || point.distanceTo(from) > best.distanceTo(from))
        best = point;
      pending.push(...this.rest.children[node]);
    }
    return best && best.distanceTo(from) > 0.01 * this.size ? best : null;
  }

  /**
   * End of a bone: the next existing bone, else a tip, else an extension of its parent.
   *
   * @param {string} bone
   * @param {string[]} next
   * @param {number} length
   * @param {Vector3} direction
   */
  end(bone, next, length, direction) {
    for (const name of next)
      if (this.at(name))
        return this.at(name);
    const from = this.at(bone);
    const tip = this.leaf(bone);
    if (tip && tip.distanceTo(from) < 3 * length * this.size)
      return tip;
    return from.clone().addScaledVector(direction, length * this.size);
  }

  build() {
    this.trunk();
    this.head();
    for (const side of /** @type {Side[]} */ (['left', 'right'])) {
      this.limbs(side);
      this.hand(side);
      this.foot(side);
    }
    return this.out.geometry();
  }

  trunk() {
    const hips = this.at('hips');
    if (!hips)
      return;
    const s = this.size;
    /** @type {{ point: Vector3, bone: string | null }[]} */
    const joints = TRUNK.filter((bone) => this.at(bone))
      .map((bone) => ({ point: this.at(bone), bone }));
    let last = joints[joints.length - 1].point;
    if (!this.at('neck')) {
      const top = this.at('head') ?? last.clone().addScaledVector(UP, 0.2 * s);
      joints.push({ point: last = top.clone().lerp(last, 0.2), bone: null });
    }
    const length = Math.max(last.distanceTo(hips), 0.1 * s);
    const lengths = joints.map(({ point }) => (point.y - hips.y) / length);
    const hipWidth = Math.min(1.3, Math.max(0.75,
      (Math.abs(this.at('leftUpperLeg')?.x ?? 0.09 * s) / s + 0.075) / 0.165));
    const chestWidth = Math.min(1.3, Math.max(0.7,
      Math.abs(this.at('leftUpperArm')?.x ?? 0.175 * s) / s / 0.175));
    const place = (/** @type {number} */ t) => {
      let i = 0;
      while (i < joints.length - 2 && t > lengths[i + 1])
        i++;
      const f = (t - lengths[i]) / Math.max(lengths[i + 1] - lengths[i], 1e-4);
      const centre = joints[i].point.clone().lerp(joints[i + 1].point, Math.min(f, 1.2));
      if (f < 0)
        centre.copy(hips).addScaledVector(UP, t * length);
      // Weights change from one bone to the next around the joint between them.
      const blend = 0.4;
      const own = this.skin(joints[i].bone);
      /** @type {Skin} */
      let skin = own;
      if (f < blend && i > 0)
        skin = [this.skin(joints[i - 1].bone), own, 0.5 + 0.5 * (f / blend)];
      else if (f > 1 - blend && i + 1 < joints.length - 1)
        skin = [own, this.skin(joints[i + 1].bone), 0.5 * (1 - (1 - f) / blend)];
      return { centre, skin };
    };
    /** @type {Ring[]} */
    const rings = [];
    const add = (/** @type {number} */ t, /** @type {number[]} */ color) => {
      const { centre, skin } = place(t);
      const wide = hipWidth + (chestWidth - hipWidth) * Math.min(1, Math.max(0, t / 0.7));
      rings.push({ skin, color, points: ring(centre, FORWARD, new Vector3(1, 0, 0),
        curve(TRUNK_DEPTH, t) * s + 1e-5, curve(TRUNK_WIDTH, t) * s * wide + 1e-5, this.out.count(24, 8), 2.35) });
    };
    const from = TRUNK_WIDTH[0][0];
    const to = TRUNK_WIDTH[TRUNK_WIDTH.length - 1][0];
    const steps = this.out.count(28, 10);
    for (let i = 0; i <= steps; i++) {
      // Rings are closer together at both ends, where the shape curves inwards.
      const t = from + (to - from) * (0.5 - 0.5 * Math.cos((i / steps) * Math.PI));
      if (t >= WAIST && rings[rings.length - 1].color === JOINT) {
        add(WAIST, JOINT);
        add(WAIST, BODY);
      }
      add(t, t < WAIST ? JOINT : BODY);
    }
    this.out.surface(rings);
  }

  head() {
    const head = this.at('head');
    if (!head)
      return;
    const s = this.size;
    const neck = this.at('neck') ?? head.clone().addScaledVector(UP, -0.09 * s);
    this.out.roundCone(neck.clone().addScaledVector(UP, -0.02 * s),
      head.clone().addScaledVector(UP, 0.03 * s), 0.056 * s, 0.049 * s,
      { skin: this.skin('neck', 'head'), color: JOINT });
    const eyes = this.at('leftEye') && this.at('rightEye')
      ? this.at('leftEye').clone().lerp(this.at('rightEye'), 0.5) : null;
    const top = this.leaf('head');
    const measure = eyes ? (eyes.y - head.y) / 0.07 : top ? (top.y - head.y) / 0.22 : s;
    const h = s * Math.min(1.9, Math.max(0.8, measure / s));
    const centre = head.clone().add(new Vector3(0, 0.1 * h, 0.018 * h));
    const radii = new Vector3(0.092 * h, 0.128 * h, 0.11 * h);
    const skin = this.skin('head');
    // Narrower towards the chin, which protrudes slightly.
    const shape = (/** @type {Vector3} */ d) => {
      const low = Math.max(0, -d.y);
      return d.set(d.x * (1 - 0.28 * low * low), d.y, d.z * (1 - 0.16 * low) + 0.1 * low * low);
    };
    this.out.ellipsoid(centre, radii, { skin, color: BODY, shape });
    this.visor(centre, radii, shape, skin);
  }

  /**
   * A dark lens over the eyes that protrudes from the face, with its rim inside.
   *
   * @param {Vector3} centre
   * @param {Vector3} radii
   * @param {(direction: Vector3) => Vector3} shape
   * @param {number} skin
   */
  visor(centre, radii, shape, skin) {
    /** @type {Ring[]} */
    const rings = [];
    const rows = this.out.count(8, 3);
    const columns = this.out.count(16, 6);
    for (let i = 0; i <= rows; i++) {
      const v = 2 * (i / rows) - 1;
      const points = [];
      for (let j = 0; j <= columns; j++) {
        const u = 2 * (j / columns) - 1;
        const edge = 1 - Math.max(Math.abs(u), Math.abs(v)) ** 4;
        const theta = -0.13 + 0.3 * v * (1 - 0.22 * u * u);
        const phi = 1.12 * u;
        points.push(shape(new Vector3(Math.cos(theta) * Math.sin(phi), Math.sin(theta),
          Math.cos(theta) * Math.cos(phi))).multiplyScalar(0.975 + 0.06 * Math.sqrt(edge))
          .multiply(radii).add(centre));
      }
      rings.push({ points, skin });
    }
    this.out.surface(rings, { color: VISOR, closed: false });
  }

  /** @param {Side} side */
  limbs(side) {
    const s = this.size;
    const outward = new Vector3(side === 'left' ? 1 : -1, 0, 0);
    for (const [part, next, from, to, length] of LIMBS) {
      const bone = side + part;
      const start = this.at(bone);
      if (!start)
        continue;
      const leg = part.endsWith('Leg');
      const end = this.end(bone, next.map((name) => side + name), length,
        leg ? UP.clone().negate() : outward);
      const most = 0.45 * Math.max(start.distanceTo(end), 0.05 * s);
      this.out.roundCone(start, end, Math.min(from * s, most), Math.min(to * s, most),
        { skin: this.skin(bone), color: part === 'Shoulder' ? BODY : SIDE[side] });
    }
    const arm = this.at(`${side}UpperArm`);
    if (arm && !this.at(`${side}Shoulder`) && this.at('hips'))
      this.out.roundCone(arm.clone().setX(0.3 * arm.x), arm, 0.052 * s, 0.054 * s,
        { skin: this.skin('upperChest', 'chest', 'spine', 'hips'), color: BODY });
    for (const [part, radius] of BALLS) {
      const at = this.at(side + part);
      if (at)
        this.out.roundCone(at, at, radius * s, radius * s,
          { skin: this.skin(side + part), color: JOINT, around: 18, caps: 6 });
    }
  }

  /** @param {Side} side */
  hand(side) {
    const bone = `${side}Hand`;
    const wrist = this.at(bone);
    if (!wrist)
      return;
    const s = this.size;
    const outward = new Vector3(side === 'left' ? 1 : -1, 0, 0);
    const forearm = this.at(`${side}LowerArm`);
    const along = forearm ? wrist.clone().sub(forearm).normalize() : outward;
    const color = SIDE[side];
    const knuckles = (this.isCoarse ? [] : ['Index', 'Middle', 'Ring', 'Little'])
      .map((name) => this.at(`${side}${name}Proximal`)).filter((point) => point);
    if (knuckles.length === 0) {
      const tip = this.end(bone, [], 0.16, along);
      const length = tip.distanceTo(wrist);
      tip.lerp(wrist, 0.2);
      this.out.roundCone(wrist, tip, Math.min(0.03 * s, 0.4 * length),
        Math.min(0.04 * s, 0.4 * length),
        { skin: this.skin(bone), color, side: FORWARD, flat: 0.5 });
    } else {
      const middle = knuckles.reduce((sum, p) => sum.add(p), new Vector3())
        .divideScalar(knuckles.length);
      const width = knuckles.length > 1 ? 0.5 * knuckles[0].distanceTo(knuckles[knuckles.length - 1]) : 0.02 * s;
      const across = knuckles.length > 1
        ? knuckles[0].clone().sub(knuckles[knuckles.length - 1]).normalize() : FORWARD;
      const radius = Math.min(width + 0.011 * s, 0.6 * middle.distanceTo(wrist));
      this.out.roundCone(wrist.clone().lerp(middle, 0.18),
        middle.clone().addScaledVector(along, -0.7 * radius), 0.72 * radius, radius,
        { skin: this.skin(bone), color, side: across, flat: 0.42 });
    }
    for (const [finger, parts, radius] of this.isCoarse ? [] : FINGERS)
      this.finger(side, finger, parts, radius, along);
  }

  /**
   * @param {Side} side
   * @param {string} finger
   * @param {string[]} parts
   * @param {number} girth
   * @param {Vector3} along
   */
  finger(side, finger, parts, girth, along) {
    const s = this.size;
    const bones = parts.map((part) => `${side}${finger}${part}`).filter((bone) => this.at(bone));
    let direction = along;
    let length = 0.025;
    bones.forEach((bone, i) => {
      const start = this.at(bone);
      const end = this.end(bone, bones.slice(i + 1, i + 2), 0.85 * length, direction);
      const span = Math.max(start.distanceTo(end), 0.004 * s);
      const radius = Math.min(girth * s * (1 - 0.1 * i), 0.9 * span);
      this.out.roundCone(start, end, radius, 0.88 * radius,
        { skin: this.skin(bone), color: SIDE[side], around: 7, caps: 2 });
      direction = end.clone().sub(start).normalize();
      length = span / s;
    });
  }

  /** @param {Side} side */
  foot(side) {
    const ankle = this.at(`${side}Foot`);
    if (!ankle)
      return;
    const s = this.size;
    const toes = this.at(`${side}Toes`);
    const ahead = toes ?? this.leaf(`${side}Foot`) ?? ankle.clone().add(FORWARD);
    const forward = ahead.clone().sub(ankle).setY(0);
    if (forward.lengthSq() < 1e-6 * s * s)
      forward.copy(FORWARD);
    forward.normalize();
    const across = new Vector3().crossVectors(UP, forward);
    const ball = toes ? Math.max(toes.clone().sub(ankle).dot(forward), 0.04 * s) : 0.135 * s;
    const heel = -0.062 * s;
    const tip = ball + 0.082 * s;
    const foot = this.skin(`${side}Foot`);
    const front = this.skin(`${side}Toes`, `${side}Foot`);
    /** @type {Ring[]} */
    const rings = [];
    const steps = this.out.count(14, 7);
    for (let i = 0; i <= steps; i++) {
      const t = 0.5 - 0.5 * Math.cos((i / steps) * Math.PI);
      const d = heel + (tip - heel) * t;
      const height = Math.min(curve(FOOT_HEIGHT, t) * s,
        1.05 * Math.max(ankle.y - this.floor, 0.03 * s));
      const centre = ankle.clone().addScaledVector(forward, d)
        .setY(this.floor + Math.max(0.5 * height, t === 0 || t === 1 ? 0.015 * s : 0));
      const bend = Math.min(1, Math.max(0, 0.5 + (d - ball) / (0.04 * s)));
      rings.push({ skin: [foot, front, bend], points: ring(centre, across, UP,
        curve(FOOT_WIDTH, t) * s + 1e-5, 0.5 * height + 1e-5, this.out.count(14, 6), 2.6) });
    }
    this.out.surface(rings, { color: SIDE[side] });
  }
}

/**
 * Builds the mannequin as a skinned geometry in the T-pose of canonical space.
 *
 * @param {Rest} rest a skeleton in that pose
 * @param {number} [detail] share of the vertices; below 1 without fingers
 * @returns {{geometry: BufferGeometry, size: number}} size: relative to an adult
 */
export function makeMannequin(rest, detail = 1) {
  const mannequin = new Mannequin(rest, detail);
  return { geometry: mannequin.build(), size: mannequin.size };
}
