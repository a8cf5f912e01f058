// The connection to a space: says hello, joins, subscribes, acknowledges, keeps
// the roster and the clock, and comes back by itself when the line drops.

import { Bundle, decodeBundle } from './bundle.js';
import { Clock } from './clock.js';
import { Emitter } from './emitter.js';
import { ProtocolError } from './error.js';
import { Fitting } from './fitting.js';
import { Publications } from './publication.js';
import { Registrations } from './registration.js';
import { Roster } from './roster.js';
import { Skeleton } from './skeleton.js';
import { View } from './view.js';

const SUBPROTOCOL = 'jointcast.v1';
const CODINGS = [2, 1];
const KEYFRAME_MS = 500; // between two requests
const ACK_MS = 200;
const BEHIND_MS = 100; // a bundle older than this: the server waits for our acknowledgement
const BEHIND_ACK_MS = 20;
const PING_MS = 2000;
const FIRST_PINGS = 5; // in quick succession, to know the clock soon
const FIRST_PING_MS = 200;
const SILENCE_MS = 10000; // a server answers pings; past this the line is dead
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 30000;
const STEADY_MS = 10000; // a connection that lasted this long starts the back-off anew
const SKELETONS_MAX = 256;
const OPEN = 1;

/**
 * Connects to a space of a jointcast daemon.
 *
 * @param {string | URL} url ws: or wss: address of the daemon
 * @param {object} [options] see client.d.ts
 * @returns {Client}
 */
export function connect(url, options) {
  return new Client(url, options);
}

/** A field that should be text; whatever else it is, it is not turned into any. */
const text = (value) => (typeof value === 'string' ? value : '');

export class Client extends Emitter {
  #url;
  #name;
  #credit;
  #codings;
  #token;
  #view;
  #environment;
  #socket = null;
  #reconnects = 0;
  #returnMs = null; // when a server that went away wants us back
  #openedAt = 0;
  #heardAt = 0;
  #timers = new Map(); // by what they are for
  #roster;
  #bundle = new Bundle();
  #quiet = false; // the last bundle had no packet
  #head = { needsState: false, shape: 0, sequence: 0, incarnation: 0 };
  #publications;
  #registrations;
  #entered = new Map(); // bodies that were announced, with the skeleton they had
  #newestTick = -1;
  #ackedTick = -1;
  #ackedAt = -Infinity;
  #askedAt = -Infinity;

  constructor(url, options = {}) {
    super();
    const { space = 'lobby', client = 'jointcast.js', credit = true, codings = CODINGS } = options;
    this.#url = String(url);
    this.#name = client;
    this.#credit = credit;
    this.#codings = codings;
    this.#token = options.token;
    this.#view = new View(space, options, {
      send: (message) => this.#send(message),
      after: (ms, run) => this.#after('viewpoint', ms, run),
    });
    this.#environment = {
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
      now: options.now ?? (() => performance.now()),
      random: options.random ?? Math.random,
      setTimeout: options.setTimeout ?? ((f, ms) => setTimeout(f, ms)),
      clearTimeout: options.clearTimeout ?? ((id) => clearTimeout(id)),
    };
    if (!this.#environment.WebSocket) {
      throw new TypeError('no WebSocket here: pass one as options.WebSocket');
    }
    this.space = space;
    /** @type {'connecting' | 'connected' | 'live' | 'waiting' | 'closed'} */
    this.state = 'connecting';
    this.clock = new Clock();
    this.#roster = new Roster(this.clock);
    this.#publications = new Publications((message) => this.#send(message), {
      cast: (bytes) => this.#socket.send(bytes),
      buffered: () => this.#socket?.bufferedAmount ?? 0,
      bodies: () => this.bodies,
    });
    this.#registrations = new Registrations({
      say: (message) => this.#send(message),
      after: (ms, run) => this.#after('registration', ms, run),
      now: () => this.#environment.now(),
    });
    /** @type {Map<string, Skeleton>} by hash */
    this.skeletons = new Map();
    /** The server's last `welcome`, null before the first. */
    this.welcome = null;
    /** What has arrived so far: messages and bytes of motion, packets in them, damaged ones. */
    this.traffic = { bundles: 0, bytes: 0, packets: 0, damaged: 0 };
    // Not at once, so that the caller's listeners hear of everything.
    this.#after('connect', 0, () => this.#open());
  }

  /** Bodies in the space by id, those whose skeleton is still on its way too. */
  get bodies() {
    return this.#roster.bodies;
  }

  /** Whether the server records the space. */
  get recording() {
    return this.#roster.recording;
  }

  /** The local time that `clock` maps to the server's, milliseconds. */
  now() {
    return this.#environment.now();
  }

  /**
   * A body of this client's own enters the space, now or as soon as there is a line.
   *
   * @param {object} options see publication.d.ts
   * @returns {import('./publication.js').Publication}
   */
  publish(options) {
    return this.#publications.open({ space: this.space, ...options });
  }

  /**
   * Registers a skeleton of one's own, so that bodies can wear it: `publish` and
   * `subscribe` take its hash.
   *
   * @param {string} name 1 to 63 bytes; one of that name makes room
   * @param {object} descriptor of describeVrm, describeFile, describeScene or your own
   * @returns {Promise<object>} name, hash, stored, lint; rejects with a ProtocolError
   */
  registerSkeleton(name, descriptor) {
    return this.#registrations.ask({ type: 'skeleton', name, descriptor });
  }

  /** Gives a skeleton up; who wears it goes on wearing it. */
  async unregisterSkeleton(name) {
    await this.#registrations.ask({ type: 'unregister', name });
  }

  /** @returns {Promise<object[]>} one's own: name, hash, bytes, worn */
  registeredSkeletons() {
    return this.#registrations.list();
  }

  /**
   * Asks for other streams, from now on; what is not named stays as it is.
   *
   * @param {object} options see client.d.ts, ViewOptions
   */
  subscribe(options) {
    this.#view.change(options);
    if (this.state === 'connected' || this.state === 'live') {
      this.#view.subscribe();
    }
  }

  /**
   * Where is looked from, so that what is near and in view comes in more detail than
   * what is not. May be called for every picture; an empty list looks from nowhere.
   *
   * @param {object[]} viewpoints see client.d.ts, Viewpoint; at most four
   */
  setViewpoints(viewpoints) {
    this.#view.look(viewpoints);
  }

  /**
   * Ignores whoever publishes a body, or no longer: neither gets motion of the other.
   *
   * @param {import('./body.js').Body} body
   */
  ignore(body, ignore = true) {
    this.#view.ignore(body.id, ignore);
  }

  /** Shows another token for the same subject before the one in use ends. */
  renew(token) {
    this.#send({ type: 'token', token });
  }

  /** Ends the connection for good. */
  close() {
    if (this.state === 'closed') {
      return;
    }
    this.#drop(1000);
    this.#registrations.end();
    this.#become('closed');
  }

  #become(state, detail = {}) {
    this.state = state;
    this.emit('state', { state, ...detail });
  }

  #after(what, ms, then) {
    this.#environment.clearTimeout(this.#timers.get(what));
    this.#timers.set(what, this.#environment.setTimeout(() => {
      this.#timers.delete(what);
      then();
    }, ms));
  }

  #open() {
    let socket;
    this.#become('connecting');
    try {
      socket = new this.#environment.WebSocket(this.#url, SUBPROTOCOL);
    } catch (error) {
      this.emit('error', error); // an address that no retry mends
      this.close();
      return;
    }
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    // Events of a socket that was given up are nobody's business.
    const current = (handle) => (event) => {
      if (socket === this.#socket) {
        handle(event);
      }
    };
    socket.onopen = current(() => this.#show(current));
    socket.onmessage = current(({ data }) => this.#receive(data));
    socket.onerror = current(() => this.emit('error', new Error(`no connection to ${this.#url}`)));
    socket.onclose = current(({ code, reason }) => this.#retry(code, reason));
    this.#heardAt = this.#environment.now();
    this.#openedAt = Infinity;
    this.#after('silence', SILENCE_MS, () => this.#listen());
  }

  // A token may have to be fetched first; a function is asked anew for each connection.
  #show(current) {
    if (typeof this.#token !== 'function') {
      this.#greet(this.#token);
      return;
    }
    Promise.resolve().then(this.#token).then(current((token) => this.#greet(token)),
      current((error) => {
        this.emit('error', error);
        this.#retry(1006, 'no token');
      }));
  }

  #greet(token) {
    this.#openedAt = this.#heardAt = this.#environment.now();
    this.#newestTick = this.#ackedTick = -1;
    this.#askedAt = -Infinity;
    this.#quiet = false;
    this.#bundle.reset();
    this.bodies.forEach((body) => body.stream.reset());
    this.clock.reset();
    this.#send({ type: 'hello', codings: this.#codings, credit: this.#credit, client: this.#name,
      token });
    this.#view.reset();
    this.#join();
    this.#view.subscribe();
    this.#publications.greet();
    this.#registrations.greet();
    this.#become('connected');
    this.#ping(FIRST_PINGS);
  }

  #join() {
    this.#send({ type: 'join', space: this.space });
  }

  #send(message) {
    if (this.#socket?.readyState === OPEN) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  #drop(code) {
    const socket = this.#socket;
    this.#socket = null;
    this.#publications.drop();
    this.#registrations.drop();
    for (const timer of this.#timers.values()) {
      this.#environment.clearTimeout(timer);
    }
    this.#timers.clear();
    socket?.close(code);
  }

  // Full jitter: anywhere up to a bound that doubles, so that the clients of a
  // server that restarts do not come back all at once.
  #retry(code, reason) {
    const now = this.#environment.now();
    if (now - this.#openedAt >= STEADY_MS) {
      this.#reconnects = 0;
    }
    const bound = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** this.#reconnects++);
    const delay = this.#returnMs ?? this.#environment.random() * bound;
    this.#returnMs = null;
    this.#drop();
    this.#after('connect', delay, () => this.#open());
    this.#become('waiting', { delay, code, reason });
  }

  #listen() {
    const silent = this.#environment.now() - this.#heardAt;
    if (silent >= SILENCE_MS) {
      this.#retry(1006, 'silence');
    } else {
      this.#after('silence', SILENCE_MS - silent, () => this.#listen());
    }
  }

  #ping(quick) {
    this.#send({ type: 'ping', t: this.#environment.now() });
    this.#after('ping', quick > 0 ? FIRST_PING_MS : PING_MS, () => this.#ping(quick - 1));
  }

  #receive(data) {
    this.#heardAt = this.#environment.now();
    try {
      if (typeof data === 'string') {
        this.#control(JSON.parse(data));
      } else {
        this.#motion(new Uint8Array(data));
      }
    } catch (error) {
      if (!(error instanceof ProtocolError) && !(error instanceof SyntaxError)) {
        throw error;
      }
      this.traffic.damaged++;
      this.emit('error', error);
    }
  }

  #control(message) {
    if (typeof message !== 'object' || message === null) {
      throw new ProtocolError('invalid', 'a control message is not an object');
    }
    switch (message.type) {
    case 'welcome':
      this.#welcomed(message);
      break;
    case 'roster':
      this.#enrol(message);
      break;
    case 'skeleton':
      this.#dress(message);
      break;
    case 'worn':
      this.#wear(message);
      break;
    case 'pong':
      this.clock.add(message.t, this.#heardAt, message.time);
      break;
    case 'published':
      this.#publications.published(message);
      break;
    case 'unpublished':
      this.#publications.unpublished(message);
      break;
    case 'registered':
    case 'unregistered':
      this.#registrations.answered(message);
      break;
    case 'wardrobe':
      this.#registrations.listed(message);
      break;
    case 'error':
      if (message.ref === 'publish') {
        this.#publications.refused();
      }
      if (!this.#registrations.refused(message)) {
        this.#fail(message);
      }
      break;
    case 'going_away':
      this.#returnMs = Number.isFinite(message.retryAfter) ? Math.max(0, message.retryAfter) : null;
      break;
    default: // of a later version
      break;
    }
  }

  #fail(message) {
    this.emit('error', new ProtocolError(text(message.code), text(message.message)));
    // No retry mends a token, unless another can be had.
    if (message.code === 'refused' && typeof this.#token !== 'function') {
      this.close();
    }
  }

  #welcomed(message) {
    if (message.protocol !== SUBPROTOCOL) {
      this.emit('error', new ProtocolError('unsupported',
        `the server speaks '${text(message.protocol)}', not '${SUBPROTOCOL}'`));
      this.close();
      return;
    }
    this.welcome = message;
    this.emit('welcome', message);
  }

  #enrol(message) {
    if (message.space !== this.space) {
      return;
    }
    const { recording } = this;
    const changes = this.#roster.apply(message);
    if (!changes) {
      this.#join(); // a change went missing: the whole roster, please
      return;
    }
    changes.left.forEach((body) => {
      this.#view.forget(body.id);
      this.#leave(body);
    });
    for (const body of [...changes.joined, ...changes.changed]) {
      this.#present(body);
    }
    if (this.state === 'connected') {
      this.#view.remind(this.bodies);
      this.#become('live');
    }
    this.emit('roster', { bodies: this.bodies, ...changes });
    if (this.recording !== recording) {
      this.emit('recording', { recording: this.recording });
    }
  }

  #dress({ hash, descriptor }) {
    if (typeof hash !== 'string') {
      throw new ProtocolError('invalid', 'a skeleton has no hash');
    }
    if (!this.skeletons.has(hash)) {
      const skeleton = new Skeleton(hash, descriptor);
      this.#forgetSkeletons();
      this.skeletons.set(hash, skeleton);
      this.emit('skeleton', skeleton);
    }
    for (const body of this.bodies.values()) {
      if (!body.skeleton && this.#view.wornBy(body) === hash) {
        this.#present(body);
      }
    }
  }

  #wear(message) {
    for (const id of this.#view.tell(message)) {
      const body = this.bodies.get(id);
      if (body) {
        this.#present(body);
      }
    }
  }

  #forgetSkeletons() {
    if (this.skeletons.size < SKELETONS_MAX) {
      return;
    }
    const worn = new Set([...this.bodies.values()].flatMap((body) =>
      [body.skeletonHash, this.#view.wornBy(body), body.skeleton?.hash]));
    for (const hash of this.skeletons.keys()) {
      if (!worn.has(hash) && hash !== this.#view.skeleton) {
        this.skeletons.delete(hash);
      }
    }
  }

  // Announces a body once its skeleton is there; another skeleton is another figure.
  #present(body) {
    const packed = this.skeletons.get(this.#view.wornBy(body)) ?? null;
    // The server may have had no room for what was asked for: that is put on here.
    const skeleton = packed && (this.skeletons.get(this.#view.skeleton) ?? packed);
    const shown = this.#entered.get(body);
    body.sent = this.#view.sends(body);
    if (packed !== body.packed || skeleton !== body.skeleton) {
      body.timeline.clear();
      body.packed = packed;
      body.fitting = packed === skeleton ? null : new Fitting(packed, skeleton);
    }
    if (shown && shown === skeleton) {
      this.emit('change', body);
      return;
    }
    this.#leave(body);
    body.skeleton = skeleton;
    if (skeleton) {
      this.#entered.set(body, skeleton);
      this.emit('enter', body);
    }
  }

  #leave(body) {
    if (this.#entered.delete(body)) {
      this.emit('leave', body);
    }
  }

  #motion(message) {
    const bundle = decodeBundle(message, this.#bundle);
    if (bundle.space !== this.#roster.id) {
      return; // an epoch that has ended
    }
    const time = this.#roster.timeOf(bundle.tick);
    this.traffic.bundles++;
    this.traffic.bytes += message.length;
    for (let i = 0; i < bundle.count; i++) {
      const body = this.bodies.get(bundle.body[i]);
      if (body) {
        this.#move(body, message, bundle, i, time - bundle.age[i]);
      }
    }
    // Whom the bundle leaves out stands still, if its stream could have been in it.
    for (const body of this.bodies.values()) {
      if (body.tick !== bundle.tick && body.sent && body.stream.isFollowing &&
        bundle.tick % body.stream.pace === 0) {
        body.timeline.hold(time - body.age);
      }
    }
    this.#quiet = bundle.count === 0;
    this.#acknowledge(bundle.tick, time);
    this.emit('bundle', bundle);
  }

  #move(body, message, bundle, i, capture) {
    const { timeline, stream } = body;
    const head = this.#head;
    head.needsState = bundle.needsState[i] === 1;
    head.shape = bundle.shape[i];
    head.sequence = bundle.sequence[i];
    head.incarnation = bundle.incarnation[i];
    body.tick = bundle.tick;
    body.age = bundle.age[i];
    // The server fell silent because all stood still, and nothing was missed since.
    if (this.#quiet && stream.isFollowing && stream.isNext(head.sequence, head.incarnation)) {
      timeline.hold(capture - (stream.pace * 1e6) / this.#roster.tickHz);
    }
    try {
      if (!stream.decode(message, bundle.start[i], bundle.end[i], head, body.packed,
        timeline.slot())) {
        this.#askKeyframe();
        return;
      }
    } catch (error) {
      this.#askKeyframe();
      throw error;
    }
    body.fitting?.apply(timeline.slot());
    timeline.commit(capture, bundle.sequence[i], bundle.incarnation[i], bundle.cut[i] === 1,
      this.#heardAt, !head.needsState && stream.isFollowing);
    body.bytes += bundle.end[i] - bundle.start[i];
    this.traffic.packets++;
  }

  #askKeyframe() {
    if (this.#heardAt - this.#askedAt >= KEYFRAME_MS) {
      this.#askedAt = this.#heardAt;
      this.#send({ type: 'keyframe', space: this.space });
    }
  }

  // Five times a second, more often while behind, and once more when bundles stop because
  // the credit is spent.
  #acknowledge(tick, time) {
    this.#newestTick = Math.max(tick, this.#newestTick);
    const behind = this.clock.synchronized &&
      this.clock.at(this.#heardAt) - time > BEHIND_MS * 1000;
    if (this.#credit && (behind || !this.#timers.has('ack'))) {
      const wait = this.#ackedAt + (behind ? BEHIND_ACK_MS : ACK_MS) - this.#heardAt;
      this.#after('ack', Math.max(wait, 0), () => this.#sendAck());
    }
  }

  #sendAck() {
    if (this.#newestTick !== this.#ackedTick) {
      this.#ackedTick = this.#newestTick;
      this.#ackedAt = this.#environment.now();
      this.#send({ type: 'ack', space: this.space, tick: this.#newestTick });
    }
  }
}
