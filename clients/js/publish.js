// Publishes the person in a WebXR session as a body of a space: reads each frame, sets its
// time by the server's clock and sends it, or drops it when too many bytes wait in the
// socket. Create a publisher when the person gives consent, and close it when the person
// withdraws consent.

import { ABSENT, BodyFrame } from './body-frame.js';
import { Emitter } from './emitter.js';
import { angle } from './quat.js';
import { JOINTS } from './tables.js';
import { XrBodyReader } from './xr-body.js';
/**
 * @import { Body } from './body.js'
 * @import { Client } from './client.js'
 * @import { ProtocolError } from './error.js'
 * @import { Publication } from './publication.js'
 * @import { XrBodyKind, XrFrameLike } from './xr-body.js'
 */

/**
 * Options of `publishBody`.
 *
 * @typedef {object} PublishBodyOptions
 * @property {string} name Name of the body in the space.
 * @property {'webxr-spec' | 'meta' | 'pico' | 'htc' | 'slimevr'} [profile] Convention of the
 *   joints' axes in `frame.body`; default: that of the browser (nativeProfile).
 * @property {boolean | 'raw'} [mayRecord] The person permits recordings: of poses, or 'raw',
 *   with the lengths of bones; default false.
 * @property {boolean} [mayRebroadcast] The person permits that the motion is passed on; default false.
 * @property {number} [height] Height of the standing person, metres; default: measured from the
 *   frames.
 * @property {boolean} [smooth] Whether the server smooths the motion; default false.
 * @property {string} [skeleton] Hash of the skeleton that the body wears; default `humanoid`.
 */

/**
 * idle: no session; waiting: for the connection, the server's clock or its permission; live;
 * untracked: the session tracks no joint; paused; hidden: the headset shows another app or is not
 * worn; refused: the server refused the publication; closed: ended permanently.
 *
 * @typedef {'idle' | 'waiting' | 'live' | 'untracked' | 'paused' | 'hidden' | 'refused' | 'closed'}
 *   PublisherState
 */

/** Bytes that may wait in the socket: a few frames. Above the limit frames are dropped. */
const BUFFERED_MAX = 8192;
/** A jump of the head beyond this shows that the reference space moved: metres, radians. */
const JUMP_METRES = 0.25;
const JUMP_RADIANS = 0.35;

const HEAD = JOINTS.indexOf('head');

/**
 * Turns by 180 degrees about +Y: forward is -Z in WebXR, +Z for the bodies of a space.
 *
 * @param {BodyFrame} frame
 */
function turnAbout({ states, positions: p, rotations: q }) {
  for (let joint = 0; joint < states.length; joint++) {
    const x = q[4 * joint];
    const y = q[4 * joint + 1];
    p[3 * joint] = -p[3 * joint];
    p[3 * joint + 2] = -p[3 * joint + 2];
    q[4 * joint] = q[4 * joint + 2];
    q[4 * joint + 1] = q[4 * joint + 3];
    q[4 * joint + 2] = -x;
    q[4 * joint + 3] = -y;
  }
}

/**
 * The profile of the joint axes in this browser; Meta's browser uses its own (BODY-FRAMES.md).
 *
 * @param {string} [userAgent]
 * @returns {'meta' | 'webxr-spec'}
 */
export function nativeProfile(userAgent = globalThis.navigator?.userAgent ?? '') {
  return /OculusBrowser/.test(userAgent) ? 'meta' : 'webxr-spec';
}

/**
 * Publishes the body of the person in the headset. Call in each animation frame:
 * `publisher.frame(renderer.xr.getSession(), frame, renderer.xr.getReferenceSpace())`.
 *
 * @param {Client} client
 * @param {PublishBodyOptions} options
 * @returns {BodyPublisher}
 */
export function publishBody(client, options) {
  return new BodyPublisher(client, options);
}

/**
 * A person in a WebXR session as a body of a space.
 *
 * @extends {Emitter<{ state: { state: PublisherState } }>}
 */
export class BodyPublisher extends Emitter {
  #client;
  #options;
  #reader;
  #frame = new BodyFrame();
  /** @type {Publication | null} */
  #publication = null;
  /** The XRSession of the last frame. @type {any} */
  #session = null;
  /** The XRReferenceSpace of the last frame. @type {any} */
  #space = null;
  #moved = false; // the reference space, since the last frame
  #head = { known: false, position: new Float64Array(3), rotation: new Float64Array(4) };
  #paused = false;
  #closed = false;
  #sentTime = -1;
  /** @type {PublisherState} */
  #state = 'idle';
  /** @type {XrBodyKind | null} */
  #kind = null;
  #joints = 0;

  /**
   * @param {Client} client
   * @param {PublishBodyOptions} options
   */
  constructor(client, { profile = nativeProfile(), ...options }) {
    super();
    this.#client = client;
    this.#options = { ...options, profile, kind: /** @type {const} */ ('body-frames') };
    this.#reader = new XrBodyReader(profile);
    /**
     * Totals sent so far: frames, their bytes, and frames left out because the connection was
     * behind.
     *
     * @type {{ frames: number; bytes: number; dropped: number }}
     * @readonly
     */
    this.traffic = { frames: 0, bytes: 0, dropped: 0 };
  }

  /** Convention of the joint axes. @returns {string} */
  get profile() {
    return this.#reader.profile;
  }

  /** The present state. @returns {PublisherState} */
  get state() {
    return this.#state;
  }

  /**
   * The kind of tracking in the last frame: `body`, `hands`, `devices`; null for all others.
   *
   * @returns {XrBodyKind | null}
   */
  get kind() {
    return this.#kind;
  }

  /** Number of joints in the last frame. @returns {number} */
  get joints() {
    return this.#joints;
  }

  /**
   * The body as subscribers receive it, for a mirror; null before it exists.
   *
   * @returns {Body | null}
   */
  get body() {
    return this.#publication?.body ?? null;
  }

  /**
   * Sends one frame of an XRSession: call it in every animation frame, also outside of sessions.
   * The -Z axis of `space`, straight ahead, becomes the direction of the body's placement.
   *
   * @param {any} session an XRSession, or null
   * @param {XrFrameLike | null | undefined} xrFrame
   * @param {any} space an XRReferenceSpace with its floor at y = 0: `local-floor`
   * @returns {boolean} whether a frame was sent
   */
  frame(session, xrFrame, space) {
    if (this.#closed || !session || !xrFrame || !space) {
      return false;
    }
    this.#attend(session);
    this.#stand(space);
    if (!this.#ready(session.visibilityState !== 'hidden')) {
      return false;
    }
    const frame = this.#frame;
    const known = this.#reader.read(xrFrame, space, frame);
    this.#kind = this.#reader.kind;
    this.#joints = this.#reader.joints;
    if (!known) {
      this.#become('untracked');
      return false;
    }
    turnAbout(frame);
    frame.cut = this.#moved && this.#jumped(frame);
    return this.#send(frame);
  }

  /**
   * Sends a body from another tracking system, in the axes of `profile`, facing +Z; its time is now.
   *
   * @param {BodyFrame} frame
   * @returns {boolean} whether it was sent
   * @throws {ProtocolError} for an invalid body frame
   */
  send(frame) {
    if (this.#closed || !this.#ready(true)) {
      return false;
    }
    this.#kind = null;
    this.#joints = frame.states.reduce((sum, state) => sum + (state === ABSENT ? 0 : 1), 0);
    return this.#send(frame);
  }

  /** Stops sending; the body stays in the space and stands still. */
  pause() {
    this.#paused = true;
    this.#become(this.#closed ? 'closed' : 'paused');
  }

  /** Ends `pause`. */
  resume() {
    this.#paused = false;
    this.#become(this.#closed ? 'closed' : this.#publication ? 'waiting' : 'idle');
  }

  /** Removes the body from the space; the publication ends. */
  close() {
    this.#closed = true;
    this.#leave();
    this.#become('closed');
  }

  /** @param {PublisherState} state */
  #become(state) {
    if (state !== this.#state) {
      this.#state = state;
      this.emit('state', { state });
    }
  }

  /** Each session has its own body, which leaves at the end of the session. @param {any} session */
  #attend(session) {
    if (session === this.#session) {
      return;
    }
    this.#leave();
    this.#session = session;
    /** @param {() => void} handle */
    const current = (handle) => () => {
      if (session === this.#session && !this.#closed) {
        handle();
      }
    };
    session.addEventListener('end', current(() => {
      this.#leave();
      this.#become('idle');
    }), { once: true });
    session.addEventListener('visibilitychange', current(() => {
      if (session.visibilityState === 'hidden') {
        this.#become('hidden');
      }
    }));
  }

  /** @param {any} space */
  #stand(space) {
    if (space === this.#space) {
      return;
    }
    this.#space = space;
    this.#moved = true;
    space.addEventListener?.('reset', () => {
      this.#moved ||= space === this.#space;
    });
  }

  #leave() {
    this.#publication?.close();
    this.#publication = null;
    this.#session = null;
    this.#space = null;
    this.#head.known = false;
    this.#sentTime = -1;
  }

  /** @param {boolean} visible */
  #ready(visible) {
    const client = this.#client;
    if (this.#paused || !visible) {
      this.#become(this.#paused ? 'paused' : 'hidden');
      return false;
    }
    this.#publication ??= client.publish(this.#options);
    if (this.#publication.state !== 'open' || !client.clock.synchronized) {
      this.#sentTime = -1; // a reconnection may lead to another server
      this.#become(this.#publication.state === 'refused' ? 'refused' : 'waiting');
      return false;
    }
    if (this.#publication.buffered > BUFFERED_MAX) {
      this.traffic.dropped++;
      return false;
    }
    return true;
  }

  /** @param {BodyFrame} frame */
  #send(frame) {
    const time = this.#client.clock.at(this.#client.now());
    if (!(time > this.#sentTime)) {
      return false; // with a coarse clock, a frame of this time was sent already
    }
    this.#sentTime = frame.time = time;
    const bytes = this.#publication?.send(frame) ?? 0;
    this.traffic.frames++;
    this.traffic.bytes += bytes;
    this.#moved = false;
    this.#remember(frame);
    this.#become('live');
    return true;
  }

  /** @param {BodyFrame} frame */
  #remember({ states, positions, rotations }) {
    const head = this.#head;
    head.known = states[HEAD] !== ABSENT;
    for (let c = 0; c < 3; c++) {
      head.position[c] = positions[3 * HEAD + c];
    }
    for (let c = 0; c < 4; c++) {
      head.rotation[c] = rotations[4 * HEAD + c];
    }
  }

  /**
   * Small steps of the reference space (walking in an app) count as motion, not as a jump.
   *
   * @param {BodyFrame} frame
   */
  #jumped({ states, positions, rotations }) {
    const head = this.#head;
    if (!head.known || states[HEAD] === ABSENT) {
      return true;
    }
    const away = Math.hypot(positions[3 * HEAD] - head.position[0],
      positions[3 * HEAD + 1] - head.position[1], positions[3 * HEAD + 2] - head.position[2]);
    return away > JUMP_METRES || angle(rotations, 4 * HEAD, head.rotation, 0) > JUMP_RADIANS;
  }
}
