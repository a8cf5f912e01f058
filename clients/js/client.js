// The client of a space: sends hello, join, subscribe and acknowledgements, maintains the
// roster and the clock, and repeats the exchange after each reconnection.

import { Clock } from './clock.js';
import { CommandsLoader } from './connection/commands-loader.js';
import { Line } from './connection/line.js';
import { Motion } from './connection/motion.js';
import { Presence } from './connection/presence.js';
import { Props } from './connection/props.js';
import { Emitter } from './emitter.js';
import { ProtocolError, refusalOf } from './error.js';
import { Publications } from './publication.js';
import { Roster } from './connection/roster.js';
import { SUBPROTOCOL, Session } from './connection/session.js';
import { View } from './connection/view.js';
/**
 * @import { AvatarAllowance, Avatars, UploadOptions, UploadedAvatar } from './avatar/avatars.js'
 * @import { Body } from './body.js'
 * @import { Descriptor } from './descriptor.js'
 * @import { ClientEvents } from './connection/events.js'
 * @import { LineOptions } from './connection/line.js'
 * @import { Invitations } from './invitation.js'
 * @import { Moderation } from './moderation.js'
 * @import { Publication, PlaceOptions, PublishOptions } from './publication.js'
 * @import { Registered, RegisteredSkeleton } from './registration.js'
 * @import { Replays } from './replay.js'
 * @import { SessionOptions } from './connection/session.js'
 * @import { Skeleton } from './skeleton.js'
 * @import { WaitingSource } from './connection/roster.js'
 * @import { ViewOptions, Viewpoint } from './connection/view.js'
 */

/**
 * Options of `connect`.
 *
 * @typedef {SessionOptions & LineOptions & ViewOptions} ConnectOptions
 */

/**
 * Connects to a space of a jointcast daemon.
 *
 * @param {string | URL} url ws: or wss: address of the daemon; in current browsers also https:, or
 *   relative to the page
 * @param {ConnectOptions} [options]
 * @returns {Client}
 */
export function connect(url, options) {
  return new Client(url, options);
}

/**
 * A client of one space; reconnects by itself when the connection drops.
 *
 * @extends {Emitter<ClientEvents>}
 */
export class Client extends Emitter {
  #line;
  #session;
  #view;
  #roster;
  #motion;
  #presence;
  #props;
  #publications;
  #refusals = 0; // of the space, on this connection
  #commands;
  /** What to do with a message, by its type. @type {Map<unknown, (message: any) => unknown>} */
  #handlers;

  /**
   * @param {string | URL} url
   * @param {ConnectOptions} [options]
   */
  constructor(url, options = {}) {
    super();
    const { space = 'lobby', credit = true } = options;
    this.#line = new Line(String(url), SUBPROTOCOL, options, {
      connecting: () => this.#session.become('connecting'),
      prepare: (ready) => this.#session.prepare(ready),
      open: (token) => this.#greet(token),
      message: (data) => this.#receive(data),
      dropped: () => this.#drop(),
      waiting: (detail) => this.#session.become('waiting', detail),
      error: (error) => this.emit('error', error),
      failed: () => this.close(),
    });
    this.#view = new View(space, options, this.#line);
    /** Name of the space. @readonly */
    this.space = space;
    /** The server's clock. @readonly */
    this.clock = new Clock();
    this.#session = new Session(options, this.#line, (change) => this.emit('state', change));
    this.#roster = new Roster(this.clock);
    this.#motion = new Motion(space, this.#line, this.#roster, credit,
      (bundle) => {
        this.clock.heard(this.#line.heardAt, this.#roster.timeOf(bundle.tick));
        this.emit('bundle', bundle);
      }, (body) => this.#presence.present(body));
    this.#presence = new Presence(this.bodies, this.#view, (event, value) => this.emit(event, value));
    this.#props = new Props((list) => this.emit('props', list), (error) => this.#reject(error));
    this.#publications = new Publications(this.#line, this.bodies,
      (publication) => this.emit('unpublished', publication));
    this.#commands = new CommandsLoader(space, this.#line, this.#session, () => this.emit('replays', this.replays));
    this.#handlers = this.#makeHandlers();
  }

  /** The server's last `welcome`, null before the first. */
  get welcome() {
    return this.#session.welcome;
  }

  /** State of the connection. */
  get state() {
    return this.#session.state;
  }

  /** Things of the space without bones, such as chairs, by name. */
  get props() {
    return this.#props.list;
  }

  /** Totals received so far: messages and bytes of motion, packets in them, damaged packets. */
  get traffic() {
    return this.#motion.traffic;
  }

  /** Bodies in the space by id, including those whose skeleton has not arrived yet. @returns {Map<number, Body>} */
  get bodies() {
    return this.#roster.bodies;
  }

  /** Skeletons that the server described, by hash. @returns {Map<string, Skeleton>} */
  get skeletons() {
    return this.#presence.skeletons;
  }

  /** Whether the server records the space. @returns {boolean} */
  get recording() {
    return this.#roster.recording;
  }

  /** Sources of the server without a body, and why they deliver no motion. @returns {readonly WaitingSource[]} */
  get waiting() {
    return this.#roster.waiting;
  }

  /** The rights of this client to upload avatars; null if the server has no avatars. @returns {AvatarAllowance | null} */
  get avatars() {
    const { upload, bytes } = this.welcome?.avatars ?? {};
    return typeof upload === 'boolean' && typeof bytes === 'number' ? { upload, bytes } : null;
  }

  /** Replays of the space, and the commands for them. @returns {Replays} */
  get replays() {
    return this.#commands.replays;
  }

  /** Moderation of the space; requires the role `moderate`. @returns {Moderation} */
  get moderation() {
    return this.#commands.moderation;
  }

  /** Invitations to the space; requires the role `moderate` or `administer`. @returns {Invitations} */
  get invitations() {
    return this.#commands.invitations;
  }

  /** The local time that `clock` maps to server time, milliseconds. @returns {number} */
  now() {
    return this.#line.now();
  }

  /**
   * Adds a body of this client to the space, now or as soon as there is a connection, and again
   * after each reconnect. For people in WebXR sessions see `publishBody`.
   *
   * @param {PublishOptions} options
   * @returns {Publication}
   */
  publish(options) {
    return this.#publications.open({ space: this.space, ...options });
  }

  /**
   * Registers a skeleton for this client; `publish` and `subscribe` accept its hash. The client
   * registers it again after a reconnection.
   *
   * @param {string} name 1 to 63 bytes; replaces the skeleton of that name
   * @param {Descriptor} descriptor of describeVrm, describeFile, describeScene or your own
   * @returns {Promise<Registered>} rejects with a ProtocolError; its code is `bad-skeleton` if the
   *   descriptor is not a usable skeleton
   */
  registerSkeleton(name, descriptor) {
    return this.#commands.call(({ registrations }) => registrations.ask({ type: 'skeleton', name, descriptor }));
  }

  /** Removes a skeleton; bodies on it keep it. @param {string} name @returns {Promise<void>} */
  async unregisterSkeleton(name) {
    await this.#commands.call(({ registrations }) => registrations.ask({ type: 'unregister', name }));
  }

  /**
   * The registered skeletons of this subject, of all its connections.
   *
   * @returns {Promise<RegisteredSkeleton[]>} this client's skeletons: name, hash, bytes, worn
   */
  registeredSkeletons() {
    return this.#commands.call(({ registrations }) => registrations.list());
  }

  /**
   * Fetches the file of an avatar that a body of the space wears, or an own one. Checks the size
   * and, in secure pages, the hash; `checkAvatar` examines the content.
   *
   * @param {string} hash
   * @returns {Promise<ArrayBuffer>} rejects with a ProtocolError, `unknown` if no body wears it
   */
  async fetchAvatar(hash) {
    const worn = [...this.bodies.values()].find(({ avatar }) => avatar?.hash === hash)?.avatar;
    return (await this.#loadAvatars()).load(hash, worn?.bytes);
  }

  /** Most clients show no avatars: their module is loaded on demand. @returns {Promise<Avatars>} */
  async #loadAvatars() {
    const { Avatars } = await import('./avatar/avatars.js');
    return new Avatars(() => this.#line.environment);
  }

  /**
   * Uploads an avatar of this client: .glb, .vrm, or .gltf with all its data inside. The server
   * sends it unchanged to everyone who may watch a body that wears it.
   *
   * @param {ArrayBuffer | Uint8Array} bytes
   * @param {UploadOptions} options what the person declares
   * @returns {Promise<UploadedAvatar>} rejects with a ProtocolError with the reason of the server
   */
  async uploadAvatar(bytes, options) {
    return (await this.#loadAvatars()).upload(bytes, options);
  }

  /** Removes an avatar of this client from the server and from all bodies. @param {string} hash @returns {Promise<void>} */
  async removeAvatar(hash) {
    return (await this.#loadAvatars()).remove(hash);
  }

  /**
   * Registers the skeleton of a file, and returns the descriptor that the server made of it: of a glTF
   * figure that does not name its bones, by the names and the structure of its nodes (`reduceGltf`).
   *
   * @param {string} name as of registerSkeleton
   * @param {ArrayBuffer | Uint8Array} file
   * @returns {Promise<{ hash: string, descriptor: Descriptor }>} rejects with a ProtocolError: why the
   *   file is not a usable skeleton
   */
  recognizeSkeleton(name, file) {
    return this.#commands.call((commands) => commands.recognizeSkeleton(name, file));
  }

  /**
   * Changes the options of the subscription; omitted options stay unchanged.
   *
   * @param {ViewOptions} options
   */
  subscribe(options) {
    this.#view.change(options);
    if (this.#session.isOpen) {
      this.#view.subscribe();
    }
  }

  /**
   * Sets the viewpoints: the server sends bodies near and in view in more detail. May be called for
   * every picture; an empty list removes the viewpoints.
   *
   * @param {Viewpoint[]} viewpoints at most four
   */
  setViewpoints(viewpoints) {
    this.#view.look(viewpoints);
  }

  /**
   * Sets the preferred bodies, for example a speaker; replaces earlier ones. The server sends them
   * in more detail and omits them last when the budget is too small.
   *
   * @param {Iterable<Body>} bodies at most 64
   */
  setPriority(bodies) {
    this.#view.favour([...bodies].map(({ id }) => id));
  }

  /**
   * Ignores the publisher of a body, or stops that: neither side receives motion of the other.
   *
   * @param {Body} body
   * @param {boolean} [ignore]
   */
  ignore(body, ignore = true) {
    this.#view.ignore(body.id, ignore);
  }

  /**
   * Places a body elsewhere; needs the role `moderate`. For own bodies: Publication.place.
   *
   * @param {Body} body
   * @param {PlaceOptions} placement
   */
  place(body, placement) {
    this.#line.send({ type: 'place', space: this.space, body: body.id, ...placement });
  }

  /**
   * Puts a body on stage (preferred for all subscribers) or ends that; needs the role `moderate`.
   *
   * @param {Body} body
   * @param {boolean} [stage]
   */
  stage(body, stage = true) {
    this.#line.send({ type: 'stage', space: this.space, body: body.id, stage });
  }

  /**
   * Sends a new token of the same subject before the current one expires.
   *
   * @param {string} token
   */
  renew(token) {
    this.#line.token = token;
    this.#line.send({ type: 'token', token });
  }

  /** Ends the connection; the client does not reconnect. */
  close() {
    if (this.state === 'closed') {
      return;
    }
    this.#line.end();
    this.#publications.end();
    this.#commands.commands?.end();
    this.#props.end();
    this.#session.become('closed');
  }

  /** @param {string | undefined} token */
  #greet(token) {
    this.#motion.greet();
    this.clock.reset();
    this.#session.greet(token);
    this.#view.reset();
    this.#presence.reset();
    this.#props.reset();
    this.#refusals = 0;
    this.#join();
    this.#commands.greet(() => {
      this.#view.subscribe();
      this.#publications.greet();
    });
    this.#session.begin();
  }

  #join() {
    this.#line.send({ type: 'join', space: this.space });
  }

  // Requests in progress fail.
  #drop() {
    this.#publications.drop();
    this.#commands.drop();
  }

  /** @param {string | ArrayBuffer} data */
  #receive(data) {
    try {
      if (typeof data === 'string') {
        this.#control(JSON.parse(data));
      } else {
        this.#motion.receive(new Uint8Array(data));
      }
    } catch (error) {
      if (!(error instanceof ProtocolError) && !(error instanceof SyntaxError)) {
        throw error;
      }
      this.#reject(error);
    }
  }

  /** Reports a damaged message. @param {Error} error */
  #reject(error) {
    this.traffic.damaged++;
    this.emit('error', error);
  }

  /** @param {any} message */
  #control(message) {
    if (Object(message) !== message) {
      throw new ProtocolError('invalid', 'a control message is not an object');
    }
    this.#handlers.get(message.type)?.(message); // others are from a later version
  }

  #makeHandlers() {
    const answer = (/** @type {any} */ message) => this.#commands.commands?.answered(message);
    /** @type {Record<string, (message: any) => unknown>} */
    const handlers = {
      welcome: (message) => this.#welcomed(message),
      roster: (message) => this.#enrol(message),
      skeleton: (message) => this.#presence.dress(message),
      worn: (message) => this.#presence.wear(message),
      subscribed: ({ space, precision, virtual, ticks = 1, delay = 0 }) =>
        this.#presence.grant({ space, precision, virtual, ticks, delay }) &&
        this.emit('subscribed', { precision, virtual, ticks, delay }),
      props: (message) => message.space === this.space && this.#props.furnish(message),
      pong: ({ t, time }) => this.clock.add(t, this.#line.heardAt, time),
      published: (message) => this.#publications.published(message),
      amended: (message) => this.#publications.amended(message),
      unpublished: (message) => this.#publications.unpublished(message),
      registered: answer,
      unregistered: answer,
      wardrobe: answer,
      administered: answer,
      sanctions: answer,
      replaying: (message) => this.#commands.replaying(message, (error) => this.#reject(error)),
      // An action on this client names no target.
      moderated: (message) => (message.concerned === undefined ? this.#obey(message) : answer(message)),
      renewed: ({ expires }) => this.emit('renewed', { expires }),
      error: (message) => this.#refused(message),
      going_away: ({ retryAfter }) => this.#line.returnAfter(Number.isFinite(retryAfter) ? Math.max(0, retryAfter) : null),
    };
    return new Map(Object.entries(handlers));
  }

  /** @param {any} message an `error` */
  #refused(message) {
    if (message.ref === 'publish') {
      this.#publications.refused(message);
    }
    if (!this.#commands.commands?.refused(message)) {
      this.#fail(message);
    }
  }

  /** @param {any} message an `error` */
  #fail(message) {
    // `subscribe` is sent together with `join`, which has the error that names the spaces.
    if (message.code === 'unknown-space' && (message.ref === 'subscribe' || (message.ref === 'join' && this.#awaitSpace()))) {
      return;
    }
    this.emit('error', refusalOf(message, this.space, this.welcome?.spaces ?? []));
    // A retry does not help against a ban, or against a bad token without a source of new ones.
    if ((message.code === 'refused' && !this.#line.fetchesTokens) ||
      (message.code === 'banned' && message.ref === 'join')) {
      this.close();
    }
  }

  /** Joins again: the space may come, at an edge with its origin. Returns whether that is known. */
  #awaitSpace() {
    this.#line.again('join', this.#refusals, () => {
      this.#join();
      this.#view.subscribe();
    });
    return this.#refusals++ > 0;
  }

  /** A moderator acted on this client; a kick or a ban ends the connection. @param {any} message */
  #obey({ space, action, body, until, reason }) {
    this.emit('moderated', { space, action, body, until, reason });
    if (space === this.space && ['kick', 'ban', 'close'].includes(action)) {
      this.close();
    }
  }

  /** @param {any} message */
  #welcomed(message) {
    const error = this.#session.welcomed(message);
    if (error) {
      this.emit('error', error);
      this.close();
    } else {
      this.emit('welcome', message);
    }
  }

  /** @param {any} message */
  #enrol(message) {
    if (message.space !== this.space) {
      return;
    }
    const { recording, waiting } = this;
    const { id } = this.#roster;
    const changes = this.#roster.apply(message);
    if (!changes) {
      this.#join(); // a change is missing: request the whole roster
      return;
    }
    if (this.#roster.id !== id) {
      this.#motion.recount();
    }
    changes.left.forEach((body) => this.#presence.forget(body));
    [...changes.joined, ...changes.changed].forEach((body) => this.#presence.present(body));
    if (this.state === 'connected') {
      this.#view.remind(this.bodies);
      this.#session.become('live');
    }
    this.emit('roster', { bodies: this.bodies, ...changes });
    if (this.recording !== recording) {
      this.emit('recording', { recording: this.recording });
    }
    if (JSON.stringify(this.waiting) !== JSON.stringify(waiting)) {
      this.emit('waiting', this.waiting);
    }
  }
}
