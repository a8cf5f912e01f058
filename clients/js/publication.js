// Bodies of a client's own (PROTOCOL.md, section 12): asked for, again on every line that
// comes back, sent, and taken away.

import { captureMessage, encodeBodyFrame, encodePose } from './body-frame.js';

const NUMBERS = 256;

/** One body that a client publishes. */
export class Publication {
  #link;
  #encode;

  /**
   * @param {object} link of the connection: cast(bytes), buffered(), bodies(), leave(publication)
   * @param {object} options of `publish`, but for its number
   */
  constructor(link, options) {
    this.#link = link;
    this.#encode = options.kind === 'poses' ? encodePose : encodeBodyFrame;
    this.options = options;
    /** Names it on the connection; -1 while it has none. */
    this.number = -1;
    /** @type {'asking' | 'open' | 'refused' | 'closed'} */
    this.state = 'asking';
    /** Id of its body in the space; -1 while it is not there. */
    this.bodyId = -1;
    /** The name that it has there: another than was asked for, where that was taken. */
    this.name = options.name;
  }

  /** What subscribers get of it; null until the roster names it, and without a subscription. */
  get body() {
    return this.#link.bodies().get(this.bodyId) ?? null;
  }

  /** Bytes of the connection that still wait to be sent: behind them only the newest counts. */
  get buffered() {
    return this.#link.buffered();
  }

  /**
   * Sends a body frame or a pose, whichever was announced; only while it is open.
   *
   * @param {import('./body-frame.js').BodyFrame | import('./body-frame.js').PoseFrame} frame
   * @returns {number} bytes; 0 when it is not open
   * @throws {import('./error.js').ProtocolError} for what is no body frame or pose
   */
  send(frame) {
    if (this.state !== 'open') {
      return 0;
    }
    const message = captureMessage(this.number, this.#encode(frame));
    this.#link.cast(message);
    return message.length;
  }

  /**
   * Says something else of the body; what is not named stays as it is.
   *
   * @param {object} options display and meta, as of `publish`
   */
  amend({ display, meta }) {
    this.#change({ display, meta }, () => ({ type: 'amend', publication: this.number, display, meta }));
  }

  /** What the person agrees to from now on: mayRecord and mayRebroadcast, default nothing. */
  consent({ mayRecord = false, mayRebroadcast = false }) {
    this.#change({ mayRecord, mayRebroadcast },
      () => ({ type: 'consent', publication: this.number, mayRecord, mayRebroadcast }));
  }

  /**
   * The body stands elsewhere: goes there, or with `teleport` jumps.
   *
   * @param {object} placement position, yaw, seat, teleport; see publication.d.ts
   */
  place({ position, yaw, seat, teleport }) {
    this.#change({ placement: { position, yaw, seat } }, () =>
      ({ type: 'place', space: this.options.space, body: this.bodyId, position, yaw, seat, teleport }));
  }

  // On every line to come too; what was asked before is told once it is answered.
  #change(options, message) {
    const said = Object.entries(options).filter(([, value]) => value !== undefined);
    this.options = { ...this.options, ...Object.fromEntries(said) };
    if (this.state === 'open') {
      this.#link.say(message());
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

/** All those of one connection. */
export class Publications {
  #say;
  #link;
  #known = new Set(); // that are wished for
  #taken = new Map(); // by number, until the server gave it free
  #asked = []; // without an answer yet; answers come in the order of the questions
  #later = []; // what is said of those, once they are answered
  #isGreeted = false;

  /**
   * @param {(message: object) => void} say sends a control message
   * @param {object} link cast(bytes), buffered(), bodies(), closed(publication): the server
   *   took it away
   */
  constructor(say, link) {
    this.#say = say;
    this.#link = { ...link, say, leave: (publication) => this.#leave(publication),
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

  /** The server was greeted: all that are wished for, please. */
  greet() {
    this.#isGreeted = true;
    this.#known.forEach((publication) => this.#ask(publication));
  }

  /** The line is gone, and with it all bodies. */
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
    this.#say({ type: 'publish', publication: number, ...publication.options });
  }

  #leave(publication) {
    this.#known.delete(publication);
    // One that was not answered yet may be refused: then there is nothing to take away.
    if (this.#taken.has(publication.number) && !this.#asked.includes(publication)) {
      this.#say({ type: 'unpublish', publication: publication.number });
    }
  }

  /** Takes in a `published`. */
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
    this.#later.filter(isOf).forEach(({ message }) => this.#say(message()));
    this.#later = this.#later.filter((change) => !isOf(change));
  }

  /** Takes in an `unpublished`. */
  unpublished({ publication: number }) {
    const publication = this.#taken.get(number);
    this.#taken.delete(number);
    // Not asked for: somebody else has its place, or it is not allowed any more.
    if (publication?.state === 'open') {
      publication.state = 'closed';
      publication.bodyId = -1;
      this.#known.delete(publication);
      this.#link.closed?.(publication);
    }
  }

  /** Takes in an `error` that answers a `publish`. */
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
