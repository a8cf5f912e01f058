// Publishes the person in a WebXR session as a body of a space: reads each frame, sets its
// time by the server's clock and sends it, or drops it when too many bytes wait in the
// socket. Create a publisher when the person gives consent, and close it when the person
// withdraws consent.

import { ABSENT, BodyFrame } from './body-frame.js';
import { Emitter } from './emitter.js';
import { angle } from './quat.js';
import { JOINTS } from './tables.js';
import { XrBodyReader } from './xr-body.js';

/** Bytes that may wait in the socket: a few frames. Above the limit frames are dropped. */
const BUFFERED_MAX = 8192;
/** A jump of the head beyond this shows that the reference space moved: metres, radians. */
const JUMP_METRES = 0.25;
const JUMP_RADIANS = 0.35;

const HEAD = JOINTS.indexOf('head');

/** Turns by 180 degrees about +Y: forward is -Z in WebXR, +Z for the bodies of a space. */
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

/** The profile of the joint axes in this browser; Meta's browser uses its own (BODY-FRAMES.md). */
export function nativeProfile(userAgent = globalThis.navigator?.userAgent ?? '') {
  return /OculusBrowser/.test(userAgent) ? 'meta' : 'webxr-spec';
}

/**
 * Publishes the body of the person in the headset. Call in each animation frame:
 * `publisher.frame(renderer.xr.getSession(), frame, renderer.xr.getReferenceSpace())`.
 *
 * @param {import('./client.js').Client} client
 * @param {object} [options] see publish.d.ts
 * @returns {BodyPublisher}
 */
export function publishBody(client, options) {
  return new BodyPublisher(client, options);
}

export class BodyPublisher extends Emitter {
  #client;
  #options;
  #reader;
  #frame = new BodyFrame();
  #publication = null;
  #session = null;
  #space = null;
  #moved = false; // the reference space, since the last frame
  #head = { known: false, position: new Float64Array(3), rotation: new Float64Array(4) };
  #paused = false;
  #closed = false;
  #sentTime = -1;
  #state = 'idle';
  #kind = null;
  #joints = 0;

  constructor(client, { profile = nativeProfile(), ...options } = {}) {
    super();
    this.#client = client;
    this.#options = { ...options, profile, kind: 'body-frames' };
    this.#reader = new XrBodyReader(profile);
    /** Totals sent so far: frames, their bytes, and frames left out. */
    this.traffic = { frames: 0, bytes: 0, dropped: 0 };
  }

  get profile() {
    return this.#reader.profile;
  }

  /** @returns {import('./publish.js').PublisherState} see publish.d.ts */
  get state() {
    return this.#state;
  }

  /** The kind of tracking in the last frame: `body`, `hands`, `devices`; null for all others. */
  get kind() {
    return this.#kind;
  }

  /** Number of joints in the last frame. */
  get joints() {
    return this.#joints;
  }

  /** The body as subscribers receive it, for a mirror; null before it exists. */
  get body() {
    return this.#publication?.body ?? null;
  }

  /**
   * One frame of an XRSession. Call it in every animation frame, also outside of sessions.
   *
   * @param {XRSession | null} session
   * @param {XRFrame | null} xrFrame
   * @param {XRReferenceSpace | null} space with its floor at y = 0: `local-floor`
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
   * Sends a body from another tracking system, in the axes of `profile`; its time is now.
   *
   * @param {BodyFrame} frame
   * @returns {boolean} whether it was sent
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

  #become(state) {
    if (state !== this.#state) {
      this.#state = state;
      this.emit('state', { state });
    }
  }

  // Each session has its own body, which leaves at the end of the session.
  #attend(session) {
    if (session === this.#session) {
      return;
    }
    this.#leave();
    this.#session = session;
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

  #send(frame) {
    const time = this.#client.clock.at(this.#client.now());
    if (!(time > this.#sentTime)) {
      return false; // with a coarse clock, a frame of this time was sent already
    }
    this.#sentTime = frame.time = time;
    const bytes = this.#publication.send(frame);
    this.traffic.frames++;
    this.traffic.bytes += bytes;
    this.#moved = false;
    this.#remember(frame);
    this.#become('live');
    return true;
  }

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

  // Small steps of the reference space (walking in an app) count as motion, not as a jump.
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
