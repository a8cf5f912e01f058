// Reads a WebXR frame into a body frame: the body if the device tracks one, otherwise hands,
// otherwise head and controllers. Joints are identified by name, not by index. Untracked
// joints are absent; none are invented.

import { ABSENT, ESTIMATED, TRACKED } from './body-frame.js';
import { JOINTS, JOINT_ALIASES, PROFILES } from './tables.js';
import { fromMatrix, multiply, rotate } from './quat.js';
/** @import { BodyFrame } from './body-frame.js' */

/**
 * A joint in the axes of the device or space that carries it: metres and [x, y, z, w].
 *
 * @typedef {{ readonly position: readonly number[], readonly rotation: readonly number[] }} JointOffset
 */

/**
 * The part of an XRFrame that is used. `body` is the maplike of the draft.
 *
 * @typedef {object} XrFrameLike
 * @property {any} session
 * @property {Iterable<[string, any]> | null} [body]
 * @property {(space: any, base: any) => any} getPose
 * @property {(base: any) => any} getViewerPose
 * @property {((joint: any, base: any) => any) | undefined} [getJointPose]
 * @property {((spaces: any, base: any, out: Float32Array) => boolean) | undefined} [fillPoses]
 */

/**
 * The source of a joint: a tracked body, hands, head and controllers.
 *
 * @typedef {'body' | 'hands' | 'devices'} XrBodyKind
 */

const INDEX = new Map(JOINTS.map((name, joint) => [name, joint]));
Object.entries(JOINT_ALIASES).forEach(([other, name]) => INDEX.set(other, JOINTS.indexOf(name)));

/** Tolerance for the length of a rotation. */
const UNIT = 0.01;
/** Positions farther from the origin are invalid, metres. */
const DISTANCE_MAX = 1000;

const HEAD = JOINTS.indexOf('head');
const WRISTS = { left: JOINTS.indexOf('left-hand-wrist'), right: JOINTS.indexOf('right-hand-wrist') };

/** @type {(side: string) => side is 'left' | 'right'} */
const isSide = (side) => side in WRISTS;

/**
 * Offset of the head joint in the axes of the viewer, for an adult of 1.75 m, metres. The viewer's
 * pose is between the eyes and looks along -Z. The head joint is at the top of the neck, with -Z up
 * and +Y to the front.
 *
 * @type {JointOffset}
 */
export const HEAD_IN_VIEWER = Object.freeze({
  position: [0, -0.07, 0.075], rotation: [0, Math.SQRT1_2, -Math.SQRT1_2, 0],
});

/**
 * Offset of the wrist joint in the axes of a controller's grip. The grip is in the palm: its -Z
 * points from the little finger to the thumb, its +Y to the wrist, its X out of the left palm and
 * into the right one. The wrist joint has +Z to the elbow and +Y out of the back of the hand. Both
 * offsets equal those of the daemon's OpenXR source.
 *
 * @type {Readonly<Record<'left' | 'right', JointOffset>>}
 */
export const WRIST_IN_GRIP = Object.freeze({
  left: { position: [-0.03, 0.08, 0], rotation: [-0.5, 0.5, 0.5, 0.5] },
  right: { position: [0.03, 0.08, 0], rotation: [-0.5, -0.5, -0.5, 0.5] },
});

/**
 * Joint for a name of the Hand Input module such as `index-finger-tip`; undefined if unknown.
 *
 * @param {string} side
 * @param {string} name
 */
function handJoint(side, name) {
  return INDEX.get(`${side}-hand-${name.replace('-finger', '').replace('pinky', 'little')}`);
}

/** @type {Record<string, number[]>} */
const AXES = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

/** Rotation with the axes of a profile as columns. @param {string} axes such as `-Z+Y` */
function axesOf([alongSign, along, upSign, up]) {
  const a = AXES[along].map((x) => (alongSign === '-' ? -x : x));
  const b = AXES[up].map((x) => (upSign === '-' ? -x : x));
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return fromMatrix([...a, 0, ...b, 0, ...c, 0], 0, new Float64Array(4), 0);
}

/**
 * Rotations from the draft's axes to a profile's, four numbers a joint; right-hand factors.
 *
 * @param {string} profile
 */
function turnsTo(profile) {
  const turns = new Float64Array(4 * JOINTS.length);
  for (let joint = 0; joint < JOINTS.length; joint++) {
    const from = axesOf(PROFILES['webxr-spec'][joint]);
    const to = axesOf(PROFILES[profile][joint]);
    multiply(from, 0, [-to[0], -to[1], -to[2], to[3]], 0, turns, 4 * joint);
  }
  return turns;
}

/** The spaces of a body or a hand, stored because they do not change during a session. */
class SpaceGroup {
  /**
   * @param {Iterable<[string, any]>} source
   * @param {boolean} isHand
   * @param {(name: string) => number | undefined} jointOf
   */
  constructor(source, isHand, jointOf) {
    this.source = source;
    this.isHand = isHand;
    /** @type {any[]} */
    this.spaces = [];
    /** @type {number[]} */
    this.joints = [];
    for (const [name, space] of source) {
      const joint = jointOf(name);
      if (joint !== undefined && space && !this.joints.includes(joint)) {
        this.spaces.push(space);
        this.joints.push(joint);
      }
    }
    this.matrices = new Float32Array(16 * this.spaces.length);
  }

  /**
   * @param {number} i
   * @param {XrFrameLike} frame
   * @param {any} space
   */
  poseOf(i, frame, space) {
    return this.isHand && frame.getJointPose
      ? frame.getJointPose(this.spaces[i], space) : frame.getPose(this.spaces[i], space);
  }
}

const position = new Float64Array(3);
const rotation = new Float64Array(4);

/** Reads the frames of successive XRSessions, without allocation for each frame. */
export class XrBodyReader {
  #turns;
  /** @type {SpaceGroup | null} */
  #body = null;
  /** @type {Record<'left' | 'right', SpaceGroup | null>} */
  #hands = { left: null, right: null };
  /** @type {XrBodyKind | null} */
  #kind = null;
  #joints = 0;

  /** @param {string} profile of the joint axes, in `frame.body` and in the result */
  constructor(profile) {
    if (!Object.hasOwn(PROFILES, profile)) {
      throw new TypeError(`unknown joint-frame profile '${profile}'`);
    }
    /** Convention of the joint axes. @readonly */
    this.profile = profile;
    this.#turns = turnsTo(profile);
  }

  /** The kind of tracking in the last frame; null without tracking. */
  get kind() {
    return this.#kind;
  }

  /** Number of joints in the last frame. */
  get joints() {
    return this.#joints;
  }

  /**
   * Reads a frame: first the body, then missing joints from the hands, then wrists from the
   * controllers and the head from the viewer.
   *
   * @param {XrFrameLike} frame active frame
   * @param {any} space with its floor at y = 0
   * @param {BodyFrame} out only its joints are written
   * @returns {boolean} whether there is any joint
   */
  read(frame, space, out) {
    out.states.fill(ABSENT);
    this.#kind = null;
    this.#joints = 0;
    if (frame.body) {
      if (this.#body?.source !== frame.body) {
        this.#body = new SpaceGroup(frame.body, false, (name) => INDEX.get(name));
      }
      this.#readGroup(this.#body, frame, space, out);
      this.#kind = this.joints > 0 ? 'body' : null;
    }
    this.#readHands(frame, space, out);
    this.#readDevices(frame, space, out);
    return this.joints > 0;
  }

  /** @param {XrFrameLike} frame @param {any} space @param {BodyFrame} out */
  #readHands(frame, space, out) {
    const sources = frame.session.inputSources ?? [];
    const before = this.joints;
    for (let i = 0; i < sources.length; i++) {
      const { hand, handedness: side } = sources[i];
      if (!hand || !isSide(side)) {
        continue;
      }
      let group = this.#hands[side];
      if (!group || group.source !== hand) {
        group = this.#hands[side] = new SpaceGroup(hand, true, (name) => handJoint(side, name));
      }
      this.#readGroup(group, frame, space, out);
    }
    if (this.joints > before) {
      this.#kind ??= 'hands';
    }
  }

  /** @param {XrFrameLike} frame @param {any} space @param {BodyFrame} out */
  #readDevices(frame, space, out) {
    const sources = frame.session.inputSources ?? [];
    const before = this.joints;
    for (let i = 0; i < sources.length; i++) {
      const { gripSpace, handedness: side } = sources[i];
      if (gripSpace && isSide(side) && out.states[WRISTS[side]] === ABSENT) {
        this.#putDevice(frame.getPose(gripSpace, space), WRIST_IN_GRIP[side], WRISTS[side], out);
      }
    }
    if (out.states[HEAD] === ABSENT) {
      this.#putDevice(frame.getViewerPose(space), HEAD_IN_VIEWER, HEAD, out);
    }
    if (this.joints > before) {
      this.#kind ??= 'devices';
    }
  }

  /**
   * @param {any} pose an XRPose
   * @param {JointOffset} offset
   * @param {number} joint
   * @param {BodyFrame} out
   */
  #putDevice(pose, offset, joint, out) {
    if (!pose) {
      return;
    }
    const { position: p, orientation: q } = pose.transform;
    rotation[0] = q.x;
    rotation[1] = q.y;
    rotation[2] = q.z;
    rotation[3] = q.w;
    rotate(rotation, 0, offset.position, 0, position, 0);
    position[0] += p.x;
    position[1] += p.y;
    position[2] += p.z;
    multiply(rotation, 0, offset.rotation, 0, rotation, 0);
    this.#put(joint, pose.emulatedPosition, true, out);
  }

  /**
   * @param {SpaceGroup} group
   * @param {XrFrameLike} frame
   * @param {any} space
   * @param {BodyFrame} out
   */
  #readGroup(group, frame, space, out) {
    if (typeof frame.fillPoses === 'function' && group.spaces.length > 0) {
      this.#readAll(group, frame, space, out);
      return;
    }
    for (let i = 0; i < group.spaces.length; i++) {
      const joint = group.joints[i];
      const pose = out.states[joint] === ABSENT ? group.poseOf(i, frame, space) : null;
      if (pose) {
        const { position: p, orientation: q } = pose.transform;
        position[0] = p.x;
        position[1] = p.y;
        position[2] = p.z;
        rotation[0] = q.x;
        rotation[1] = q.y;
        rotation[2] = q.z;
        rotation[3] = q.w;
        this.#put(joint, pose.emulatedPosition, group.isHand, out);
      }
    }
  }

  /**
   * Matrices have no flag for emulated positions: the flag of the first joint applies to all.
   *
   * @param {SpaceGroup} group
   * @param {XrFrameLike} frame
   * @param {any} space
   * @param {BodyFrame} out
   */
  #readAll(group, frame, space, out) {
    const { matrices: m, joints } = group;
    m.fill(NaN); // NaN remains where there is no pose
    frame.fillPoses?.(group.spaces, space, m);
    const emulated = group.poseOf(0, frame, space)?.emulatedPosition ?? false;
    for (let i = 0; i < joints.length; i++) {
      if (out.states[joints[i]] !== ABSENT || !(m[16 * i + 15] > 0)) {
        continue;
      }
      position[0] = m[16 * i + 12];
      position[1] = m[16 * i + 13];
      position[2] = m[16 * i + 14];
      fromMatrix(m, 16 * i, rotation, 0);
      this.#put(joints[i], emulated, group.isHand, out);
    }
  }

  /**
   * Stores `position` and `rotation` as a joint.
   *
   * @param {number} joint
   * @param {boolean} emulated
   * @param {boolean} turned whether they are in the draft's axes
   * @param {BodyFrame} out
   */
  #put(joint, emulated, turned, out) {
    if (turned) {
      multiply(rotation, 0, this.#turns, 4 * joint, rotation, 0);
    }
    const length = Math.hypot(rotation[0], rotation[1], rotation[2], rotation[3]);
    const farthest = Math.max(Math.abs(position[0]), Math.abs(position[1]),
      Math.abs(position[2]));
    if (!(Math.abs(length - 1) < UNIT && farthest <= DISTANCE_MAX)) {
      return; // no pose, or an impossible one
    }
    for (let c = 0; c < 3; c++) {
      out.positions[3 * joint + c] = position[c];
    }
    for (let c = 0; c < 4; c++) {
      out.rotations[4 * joint + c] = rotation[c] / length;
    }
    out.states[joint] = emulated ? ESTIMATED : TRACKED;
    this.#joints++;
  }
}
