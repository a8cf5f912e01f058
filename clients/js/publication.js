// The bodies that a client publishes (proto/PUBLISHING.md, "Publications"): requests, sends and removes
// them, and requests them again after each reconnection.

import { captureMessage } from './connection/capture-message.js';
import { takeAsked } from './connection/asked.js';
/**
 * @import { Body } from './body.js'
 * @import { BodyFrame, PoseFrame } from './body-frame.js'
 * @import { Line } from './connection/line.js'
 */

/**
 * Description of a body that a client publishes (proto/PUBLISHING.md, `publish`).
 *
 * @typedef {object} PublishOptions
 * @property {string} name 1 to 63 bytes.
 * @property {'body-frames' | 'poses'} kind
 * @property {'webxr-spec' | 'meta' | 'pico' | 'htc' | 'slimevr'} [profile] Convention of the
 *   joints' axes in body frames; default 'webxr-spec'.
 * @property {number} [height] With body frames: height of the standing person, 0.5 to 3 metres;
 *   default: measured from the frames.
 * @property {boolean} [smooth] Whether the server smooths the motion; default false.
 * @property {string} [skeleton] Hash of the skeleton that the body wears; default `humanoid`.
 * @property {string} [avatar] Hash of the avatar that the body wears, an own one or one of the server's
 *   configuration; its skeleton becomes that of the avatar.
 * @property {string[]} [channels] Names of the channels whose values frames contain; default none.
 * @property {boolean | 'raw'} [mayRecord] The person permits recordings: of poses, or 'raw',
 *   with the lengths of bones; default false.
 * @property {boolean} [mayRebroadcast] The person permits that the motion is passed on; default false.
 * @property {string} [display] Text shown to people in place of the name, 1 to 63 bytes.
 * @property {Record<string, string | number | boolean>} [meta] Data for programs: at most 16 keys
 *   and 1024 bytes.
 * @property {Placement} [placement] Place of the body; default: a free place.
 */

/**
 * The place of a body in its space.
 *
 * @typedef {object} Placement
 * @property {[number, number, number]} position Metres, each from -10000 to 10000.
 * @property {number} yaw Radians about +Y.
 * @property {{ height: number } | null} [seat] Height in metres of the seat that it uses; null: none.
 */

/**
 * Another placement of a body.
 *
 * @typedef {object} PlaceOptions
 * @property {[number, number, number]} position Metres, each from -10000 to 10000.
 * @property {number} yaw Radians about +Y.
 * @property {{ height: number } | null} [seat] Height in metres of the seat that it uses; null: none.
 * @property {boolean} [teleport] A jump, however short: subscribers do not interpolate it.
 */

/** The part of a connection that is used. @typedef {Pick<Line, 'send' | 'sendBytes' | 'buffered' | 'after'>} PublicationLine */

/**
 * The part of its client that a publication uses.
 *
 * @typedef {object} PublicationLink
 * @property {PublicationLine} line
 * @property {ReadonlyMap<number, Body>} bodies of the space
 * @property {(publication: Publication) => void} leave
 * @property {(publication: Publication, message: () => object) => void} later
 */

/**
 * A publication for the module that updates it.
 *
 * @typedef {{ -readonly [K in keyof Publication]: Publication[K] }} MutablePublication
 */

const AGAIN_MS = 2000; // after a request that failed
const NUMBERS = 256;

/** One body that a client publishes; requested again after each reconnection. */
export class Publication {
  #link;

  /**
   * `Client.publish` makes publications.
   *
   * @param {PublicationLink} link
   * @param {PublishOptions & { space: string }} options
   * @internal
   */
  constructor(link, options) {
    this.#link = link;
    /** The options in force. @type {PublishOptions & { space: string }} @readonly */
    this.options = options;
    /** Repeated by the answer to `publish`; '' before. @internal */
    this.request = '';
    /** Number on the connection; -1 otherwise. @internal */
    this.number = -1;
    /**
     * asking: waits for the connection, the answer or an origin; refused: see the client's `error`; closed: by
     * close(), or by the server (see the client's event `unpublished`).
     *
     * @type {'asking' | 'open' | 'refused' | 'closed'}
     * @readonly
     */
    this.state = 'asking';
    /** Id of its body in the space; -1 otherwise. @readonly */
    this.bodyId = -1;
    /** Whether it was open once: then its space exists. @internal */
    this.wasOpen = false;
    /**
     * Name in the space; differs from the requested name if that was taken.
     *
     * @type {string}
     * @readonly
     */
    this.name = options.name;
  }

  /**
   * The body as subscribers receive it; null until the roster lists it, and without a subscription.
   *
   * @returns {Body | null}
   */
  get body() {
    return this.#link.bodies.get(this.bodyId) ?? null;
  }

  /**
   * Bytes that wait in the socket; while there are many, send only the newest frame.
   *
   * @returns {number}
   */
  get buffered() {
    return this.#link.line.buffered;
  }

  /**
   * Sends a body frame or a pose, according to `kind`. Its `time` is the server's:
   * `client.clock.at(client.now())`.
   *
   * @param {BodyFrame | PoseFrame} frame
   * @returns {number} bytes; 0 if the publication is not open
   * @throws {ProtocolError} for an invalid body frame or pose
   */
  send(frame) {
    if (this.state !== 'open') {
      return 0;
    }
    const message = captureMessage(this.number, frame.encode());
    this.#link.line.sendBytes(message);
    return message.length;
  }

  /**
   * Changes the description of the body; omitted fields stay unchanged.
   *
   * @param {{ display?: string, meta?: Record<string, string | number | boolean>,
   *   avatar?: string | null }} options as of `publish`; avatar: null takes it off
   */
  amend({ display, meta, avatar }) {
    const { skeleton, ...others } = this.options;
    if (avatar) {
      /** @type {MutablePublication} */ (this).options = others; // the avatar has its own skeleton
    }
    this.#change({ display, meta, avatar }, () =>
      ({ type: 'amend', publication: this.number, display, meta, avatar }));
  }

  /**
   * Replaces the consent of the person; an absent field withdraws that consent.
   *
   * @param {{ mayRecord?: boolean | 'raw', mayRebroadcast?: boolean }} options
   */
  consent({ mayRecord = false, mayRebroadcast = false }) {
    this.#change({ mayRecord, mayRebroadcast },
      () => ({ type: 'consent', publication: this.number, mayRecord, mayRebroadcast }));
  }

  /**
   * Moves the body to another placement; with `teleport` without a transition.
   *
   * @param {PlaceOptions} placement
   */
  place({ position, yaw, seat, teleport }) {
    this.#change({ placement: { position, yaw, seat } }, () =>
      ({ type: 'place', space: this.options.space, body: this.bodyId, position, yaw, seat, teleport }));
  }

  /**
   * Applies after reconnections too. While `publish` is unanswered, the message waits.
   *
   * @param {object} options
   * @param {() => object} message
   */
  #change(options, message) {
    const said = Object.entries(options).filter(([, value]) => value !== undefined);
    /** @type {MutablePublication} */ (this).options = { ...this.options, ...Object.fromEntries(said) };
    if (this.state === 'open') {
      this.#link.line.send(message());
    } else if (this.state === 'asking' && this.number >= 0) {
      this.#link.later(this, message);
    }
  }

  /** Removes the body from the space; the publication ends. */
  close() {
    if (this.state !== 'closed') {
      /** @type {MutablePublication} */
      const self = this;
      self.state = 'closed';
      self.bodyId = -1;
      this.#link.leave(this);
    }
  }
}

/** @type {(publications: Iterable<Publication>) => Iterable<MutablePublication>} */
const mutable = (publications) => publications;

/** All publications of one connection. */
export class Publications {
  #line;
  #closed;
  #link;
  /** Requested by the user. @type {Set<Publication>} */
  #known = new Set();
  /** By number, until the server releases it. @type {Map<number, Publication>} */
  #taken = new Map();
  /** Without an answer. @type {Publication[]} */
  #asked = [];
  #count = 0;
  /** Messages that wait for these answers. @type {{ publication: Publication, message: () => object }[]} */
  #later = [];
  #isGreeted = false;

  /**
   * @param {PublicationLine} line
   * @param {ReadonlyMap<number, Body>} bodies of the space
   * @param {(publication: Publication) => void} closed called when the server removed it
   */
  constructor(line, bodies, closed) {
    this.#line = line;
    this.#closed = closed;
    this.#link = /** @type {PublicationLink} */ ({ line, bodies, leave: (publication) => this.#leave(publication),
      later: (publication, message) => this.#later.push({ publication, message }) });
  }

  /** @param {PublishOptions & { space: string }} options */
  open(options) {
    const publication = new Publication(this.#link, options);
    this.#known.add(publication);
    if (this.#isGreeted) {
      this.#ask(publication);
    }
    return publication;
  }

  /** The server accepted the connection: requests all publications. */
  greet() {
    this.#isGreeted = true;
    this.#known.forEach((publication) => this.#ask(publication));
  }

  /** The connection is lost, and the server removed all bodies. */
  drop() {
    this.#isGreeted = false;
    this.#taken.clear();
    this.#asked.length = this.#later.length = 0;
    for (const publication of mutable(this.#known)) {
      publication.state = 'asking';
      publication.number = publication.bodyId = -1;
    }
  }

  /** The client is closed. */
  end() {
    for (const publication of mutable(this.#known)) {
      publication.state = 'closed';
    }
    this.#known.clear();
  }

  /** @param {Publication} publication */
  #ask(publication) {
    let number = 0;
    while (this.#taken.has(number)) {
      number++;
    }
    if (number === NUMBERS) {
      /** @type {MutablePublication} */ (publication).state = 'refused';
      return;
    }
    publication.number = number;
    this.#taken.set(number, publication);
    this.#asked.push(publication);
    publication.request = `publish ${++this.#count}`;
    const { avatar, ...options } = publication.options;
    this.#line.send({ type: 'publish', publication: number, ...options, ...(avatar && { avatar }), request: publication.request });
  }

  /** @param {Publication} publication */
  #leave(publication) {
    this.#known.delete(publication);
    // The server may still refuse an unanswered request; then there is nothing to remove. The number of
    // a refused publication may be another one's by now.
    if (this.#taken.get(publication.number) === publication && !this.#asked.includes(publication)) {
      this.#line.send({ type: 'unpublish', publication: publication.number });
    }
  }

  /**
   * Handles a `published` message.
   *
   * @param {any} message
   */
  published(message) {
    const { publication: number, body, name } = message;
    const publication = takeAsked(this.#asked, message, (asked) => asked.number === number);
    if (publication === undefined) {
      return;
    }
    if (publication.state === 'closed') {
      this.#leave(publication);
      return;
    }
    /** @type {MutablePublication} */
    const opened = publication;
    opened.state = 'open';
    opened.wasOpen = true;
    opened.bodyId = body;
    opened.name = typeof name === 'string' ? name : publication.options.name;
    /** @param {{ publication: Publication }} change */
    const isOf = (change) => change.publication === publication;
    this.#later.filter(isOf).forEach(({ message }) => this.#line.send(message()));
    this.#later = this.#later.filter((change) => !isOf(change));
  }

  /**
   * Handles an `amended` message: a body whose avatar has another skeleton has another id.
   *
   * @param {any} message
   */
  amended({ publication: number, body }) {
    const publication = this.#taken.get(number);
    if (publication?.state === 'open' && Number.isInteger(body)) {
      /** @type {MutablePublication} */ (publication).bodyId = body;
    }
  }

  /**
   * Handles an `unpublished` message.
   *
   * @param {any} message
   */
  unpublished({ publication: number }) {
    const publication = this.#taken.get(number);
    this.#taken.delete(number);
    // Not requested: the server gave its place to another body, or revoked the permission.
    if (publication?.state === 'open') {
      /** @type {MutablePublication} */
      const closed = publication;
      closed.state = 'closed';
      closed.bodyId = -1;
      this.#known.delete(publication);
      this.#closed(publication);
    }
  }

  /**
   * Handles an `error` that answers a `publish`.
   *
   * @param {any} error
   */
  refused(error) {
    const publication = takeAsked(this.#asked, error);
    if (!publication) {
      return;
    }
    this.#taken.delete(publication.number);
    if (publication.state === 'closed') {
      return;
    }
    if (error.code === 'failed' || (error.code === 'unknown-space' && publication.wasOpen)) {
      this.#askLater(publication);
    } else {
      /** @type {MutablePublication} */ (publication).state = 'refused';
    }
  }

  /** The origin of a space is away. @param {Publication} publication */
  #askLater(publication) {
    /** @type {MutablePublication} */ (publication).number = -1;
    this.#later = this.#later.filter((change) => change.publication !== publication);
    this.#line.after(publication.request, AGAIN_MS, () => {
      if (this.#known.has(publication)) {
        this.#ask(publication);
      }
    });
  }
}
