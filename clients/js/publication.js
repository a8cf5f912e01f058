// The bodies that a client publishes (proto/PUBLISHING.md, "Publications"): requests, sends and removes
// them, and requests them again after each reconnection.

import { captureMessage, encodeBodyFrame, encodePose } from './body-frame.js';

const NUMBERS = 256;

/** One body that a client publishes. */
export class Publication {
  #link;
  #encode;

  /**
   * @param {object} link of the connection: sendBytes(bytes), buffered(), bodies(), leave(publication)
   * @param {object} options of `publish`, without its number
   */
  constructor(link, options) {
    this.#link = link;
    this.#encode = options.kind === 'poses' ? encodePose : encodeBodyFrame;
    this.options = options;
    /** Number on the connection; -1 otherwise. */
    this.number = -1;
    /** @type {'asking' | 'open' | 'refused' | 'closed'} */
    this.state = 'asking';
    /** Id of its body in the space; -1 otherwise. */
    this.bodyId = -1;
    /** Name in the space; differs from the requested name if that was taken. */
    this.name = options.name;
  }

  /** The body as subscribers receive it; null until the roster lists it, and without a subscription. */
  get body() {
    return this.#link.bodies().get(this.bodyId) ?? null;
  }

  /** Bytes that wait in the socket; while there are many, send only the newest frame. */
  get buffered() {
    return this.#link.buffered();
  }

  /**
   * Sends a body frame or a pose, according to `kind`; only while the publication is open.
   *
   * @param {import('./body-frame.js').BodyFrame | import('./body-frame.js').PoseFrame} frame
   * @returns {number} bytes; 0 if the publication is not open
   * @throws {import('./error.js').ProtocolError} for an invalid body frame or pose
   */
  send(frame) {
    if (this.state !== 'open') {
      return 0;
    }
    const message = captureMessage(this.number, this.#encode(frame));
    this.#link.sendBytes(message);
    return message.length;
  }

  /**
   * Changes the description of the body; omitted fields stay unchanged.
   *
   * @param {object} options display and meta, as of `publish`
   */
  amend({ display, meta }) {
    this.#change({ display, meta }, () => ({ type: 'amend', publication: this.number, display, meta }));
  }

  /** Sets the consent of the person: mayRecord and mayRebroadcast, default false. */
  consent({ mayRecord = false, mayRebroadcast = false }) {
    this.#change({ mayRecord, mayRebroadcast },
      () => ({ type: 'consent', publication: this.number, mayRecord, mayRebroadcast }));
  }

  /**
   * Moves the body to another placement; with `teleport` without a transition.
   *
   * @param {object} placement position, yaw, seat, teleport; see publication.d.ts
   */
  place({ position, yaw, seat, teleport }) {
    this.#change({ placement: { position, yaw, seat } }, () =>
      ({ type: 'place', space: this.options.space, body: this.bodyId, position, yaw, seat, teleport }));
  }

  // Applies after reconnections too. While `publish` is unanswered, the message waits.
  #change(options, message) {
    const said = Object.entries(options).filter(([, value]) => value !== undefined);
    this.options = { ...this.options, ...Object.fromEntries(said) };
    if (this.state === 'open') {
      this.#link.send(message());
    } else if (this.state === 'asking' && this.number >= 0) {
      this.#link.later(this, message);
    }
  }

  /** Removes the body from the space; the publication ends. */
  close() {
    if (this.state !== 'closed') {
      this.state = 'closed';
      this.bodyId = -1;
      this.#link.leave(this);
    }
  }
}

/** All publications of one connection. */
export class Publications {
  #send;
  #link;
  #known = new Set(); // requested by the user
  #taken = new Map(); // by number, until the server releases it
  #asked = []; // without an answer; answers come in the order of the requests
  #later = []; // messages that wait for these answers
  #isGreeted = false;

  /**
   * @param {(message: object) => void} send sends a control message
   * @param {object} link sendBytes(bytes), buffered(), bodies(), closed(publication): the server
   *   removed it
   */
  constructor(send, link) {
    this.#send = send;
    this.#link = { ...link, send, leave: (publication) => this.#leave(publication),
      later: (publication, message) => this.#later.push({ publication, message }) };
  }

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
    for (const publication of this.#known) {
      publication.state = 'asking';
      publication.number = publication.bodyId = -1;
    }
  }

  /** The client is closed. */
  end() {
    for (const publication of this.#known) {
      publication.state = 'closed';
    }
    this.#known.clear();
  }

  #ask(publication) {
    let number = 0;
    while (this.#taken.has(number)) {
      number++;
    }
    if (number === NUMBERS) {
      publication.state = 'refused';
      return;
    }
    publication.number = number;
    this.#taken.set(number, publication);
    this.#asked.push(publication);
    this.#send({ type: 'publish', publication: number, ...publication.options });
  }

  #leave(publication) {
    this.#known.delete(publication);
    // The server may still refuse an unanswered request; then there is nothing to remove.
    if (this.#taken.has(publication.number) && !this.#asked.includes(publication)) {
      this.#send({ type: 'unpublish', publication: publication.number });
    }
  }

  /** Handles a `published` message. */
  published({ publication: number, body, name }) {
    const publication = this.#taken.get(number);
    if (publication === undefined || publication !== this.#asked[0]) {
      return;
    }
    this.#asked.shift();
    if (publication.state === 'closed') {
      this.#leave(publication);
      return;
    }
    publication.state = 'open';
    publication.bodyId = body;
    publication.name = typeof name === 'string' ? name : publication.options.name;
    const isOf = (change) => change.publication === publication;
    this.#later.filter(isOf).forEach(({ message }) => this.#send(message()));
    this.#later = this.#later.filter((change) => !isOf(change));
  }

  /** Handles an `unpublished` message. */
  unpublished({ publication: number }) {
    const publication = this.#taken.get(number);
    this.#taken.delete(number);
    // Not requested: the server gave its place to another body, or revoked the permission.
    if (publication?.state === 'open') {
      publication.state = 'closed';
      publication.bodyId = -1;
      this.#known.delete(publication);
      this.#link.closed?.(publication);
    }
  }

  /** Handles an `error` that answers a `publish`. */
  refused() {
    const publication = this.#asked.shift();
    if (!publication) {
      return;
    }
    this.#taken.delete(publication.number);
    if (publication.state !== 'closed') {
      publication.state = 'refused';
    }
  }
}
