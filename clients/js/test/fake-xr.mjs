// As much of WebXR as reading a body takes, of our own: spaces with a pose or none, bodies,
// hands, controllers, a viewer. No browser is involved.
import { JOINTS } from '../tables.js';

/** Unit quaternion about an axis. */
export function turn(x, y, z, radians) {
  const s = Math.sin(radians / 2) / Math.hypot(x, y, z);
  return [x * s, y * s, z * s, Math.cos(radians / 2)];
}

/** Column-major matrix of a pose, written out from the textbook. */
export function matrixOf([px, py, pz], [x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
    px, py, pz, 1];
}

/** A space that knows where it is: what `frame.getPose` reads; null where nothing is tracked. */
export const space = (position, rotation = [0, 0, 0, 1], emulatedPosition = false) =>
  ({ at: { position, rotation, emulatedPosition } });

/** A pose of each joint that is its own: no two are alike. */
export const positionOf = (joint) => [0.01 * joint - 0.4, 1.5 - 0.015 * joint, 0.003 * joint];
export const rotationOf = (joint) => turn(1, 0.1 * joint, -1 + 0.03 * joint, -3 + 0.07 * joint);

/** The draft's XRBody: 83 names, each with the pose above, as a maplike. */
export const wholeBody = (rename = (name) => name) =>
  new Map(JOINTS.map((name, joint) => [rename(name), space(positionOf(joint), rotationOf(joint))]));

export const HAND_NAMES = ['wrist', ...['thumb', 'index-finger', 'middle-finger', 'ring-finger',
  'pinky-finger'].flatMap((finger) => ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate',
  'phalanx-distal', 'tip'].filter((part) => finger !== 'thumb' || part !== 'phalanx-intermediate')
  .map((part) => `${finger}-${part}`))];

/** navigator.xr of a browser that supports some modes and rejects the test of others. */
export class FakeSystem {
  asked = [];

  constructor(modes, refused = []) {
    Object.assign(this, { modes, refused });
  }

  async isSessionSupported(mode) {
    this.asked.push(mode);
    if (this.refused.includes(mode)) {
      throw new DOMException('not allowed', 'SecurityError');
    }
    return this.modes.includes(mode);
  }
}

export class FakeSession extends EventTarget {
  inputSources = [];
  visibilityState = 'visible';

  become(visibilityState) {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event('visibilitychange'));
  }

  end() {
    this.dispatchEvent(new Event('end'));
  }
}

export class FakeFrame {
  calls = { getPose: 0, fillPoses: 0 };

  constructor(session, { body = null, viewer = null, bulk = true } = {}) {
    Object.assign(this, { session, body, viewer });
    if (!bulk) {
      this.fillPoses = undefined;
    }
  }

  getPose({ at }) {
    this.calls.getPose++;
    if (!at) {
      return null;
    }
    const [x, y, z] = at.position;
    const [qx, qy, qz, qw] = at.rotation;
    return { emulatedPosition: at.emulatedPosition,
      transform: { position: { x, y, z, w: 1 }, orientation: { x: qx, y: qy, z: qz, w: qw } } };
  }

  getJointPose(joint) {
    return this.getPose(joint);
  }

  getViewerPose() {
    return this.viewer ? this.getPose(this.viewer) : null;
  }

  fillPoses(spaces, base, out) {
    this.calls.fillPoses++;
    spaces.forEach(({ at }, i) => {
      out.set(at ? matrixOf(at.position, at.rotation) : new Float32Array(16).fill(NaN), 16 * i);
    });
    return spaces.every(({ at }) => at);
  }
}
