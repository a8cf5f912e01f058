// A person in a WebXR session as a body of a space: what each frame knows is read, timed
// by the server's clock and sent, or left out where the line is behind. Nothing is sent
// before this is made, so make it when the person has agreed, and close it when no more.

import { ABSENT, BodyFrame } from './body-frame.js';
import { Emitter } from './emitter.js';
import { angle } from './quat.js';
import { JOINTS } from './tables.js';
import { XrBodyReader } from './xr-body.js';

/** Bytes that may wait in the socket: some frames. Behind them only the newest counts. */
const BUFFERED_MAX = 8192;
/** A reference space that moved shows by a head that jumps: metres, radians. */
const JUMP_METRES = 0.25;
const JUMP_RADIANS = 0.35;

const HEAD = JOINTS.indexOf('head');

/** WebXR looks ahead along -Z, the bodies of a space along +Z: half a turn about +Y. */
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

/** How the joints' axes lie in this browser: Meta's has its runtime's own (BODY-FRAMES.md). */
export function nativeProfile(userAgent = globalThis.navigator?.userAgent ?? '') {
  return /OculusBrowser/.test(userAgent) ? 'meta' : 'webxr-spec';
}

/**
 * Publishes the body of the person in the headset. Then, each frame:
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

  /** How many joints the last frame had. */
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
   * @param {XRReferenceSpace | null} space whose floor is y = 0: `local-floor`
   * @returns {boolean} whether something was sent
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
   * A body that something else than WebXR tracks, in the axes of `profile`; its time is now.
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

  /** The body stands still, and is known to; nothing is sent. */
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

  // A session of its own is a stay of its own: its end is the body's.
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
      this.#sentTime = -1; // a line that comes back may be another server's
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
      return false; // a coarse clock: this moment was sent
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

  // Apps that walk by moving the space do it in small steps: those are motion.
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
