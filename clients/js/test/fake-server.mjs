// A server, a line and a clock that the test drives, and a client on them.
import { connect, loadModelChains } from '../index.js';

// With it at hand, a client greets as soon as the socket is open. A test may let it fail.
await loadModelChains().catch(() => {});

/** A clock that the test advances. */
export class World {
  time = 1000;
  #timers = [];
  #next = 1;
  sockets = [];
  random = () => 0.5;

  options(more = {}) {
    const world = this;
    class FakeWebSocket {
      constructor(url, protocol) {
        Object.assign(this, { url, protocol, readyState: 0, sent: [], requests: [], sentAt: [], closed: null });
        world.sockets.push(this);
      }
      send(text) {
        // The requests stand in a list of their own: most tests are about the messages.
        const { request, ...message } = JSON.parse(text);
        this.sent.push(message);
        this.requests.push(...(request === undefined ? [] : [request]));
        this.sentAt.push(world.time);
      }
      close(code) {
        this.readyState = 3;
        this.closed = code ?? null;
      }
    }
    return { WebSocket: FakeWebSocket, fetch: null, now: () => this.time, random: () => this.random(),
      setTimeout: (run, ms) => {
        this.#timers.push({ id: this.#next, at: this.time + ms, run });
        return this.#next++;
      },
      clearTimeout: (id) => {
        this.#timers = this.#timers.filter((timer) => timer.id !== id);
      }, ...more };
  }

  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.id - b.id)[0];
      if (!due) {
        break;
      }
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.time = Math.max(this.time, due.at);
      due.run();
    }
    this.time = end;
  }

  get pending() {
    return this.#timers.length;
  }

  get socket() {
    return this.sockets.at(-1);
  }

  open() {
    this.socket.readyState = 1;
    this.socket.onopen({});
  }

  say(message) {
    this.socket.onmessage({ data: JSON.stringify(message) });
  }

  cast(bytes) {
    this.socket.onmessage({ data: Uint8Array.from(bytes).buffer });
  }

  drop(code = 1006) {
    this.socket.readyState = 3;
    this.socket.onclose({ code, reason: '' });
  }

  sent(type) {
    return this.socket.sent.filter((message) => message.type === type);
  }

  /** The times at which the client sent messages of the type. */
  sentAt(type) {
    return this.socket.sentAt.filter((_, i) => this.socket.sent[i].type === type);
  }
}

export const WELCOME = { type: 'welcome', protocol: 'jointcast.v1', server: 'test', time: 0, wall: 0, codings: [], spaces: ['lobby'], limits: { message: 65536 } };
export const SKELETON = { type: 'skeleton', hash: 'aa', descriptor: { nodes: [{ name: 'hips', translation: [0, 1, 0] }], bones: { hips: 0 } } };
export const body = (id, more = {}) => ({ id, name: `body ${id}`, skeleton: 'aa', incarnation: 0,
  placement: { position: [id, 0, 0], yaw: 0 }, state: 'live', ...more });
export const roster = (more = {}) => ({ type: 'roster', space: 'lobby', id: 9, epoch: 'e1', revision: 4,
  tickHz: 60, tickTime: 0, bodies: [body(1), body(2)], ...more });

/** A live client with a log of its events. */
export function live(options) {
  const world = new World();
  const client = connect('ws://test', world.options(options));
  const log = [];
  for (const name of ['enter', 'leave', 'change']) {
    client.on(name, ({ id }) => log.push(`${name} ${id}`));
  }
  client.on('state', ({ state }) => log.push(state));
  client.on('error', (error) => log.push(error));
  world.pass(0);
  world.open();
  world.say(WELCOME);
  world.say(SKELETON);
  world.say(roster());
  return { world, client, log };
}

/** A bundle of space 9: one packet of a body, at rest but for its sequence. */
export const bundle = (tick, id, sequence) => [0x11, 9, tick & 0x7f | 0x80, tick >> 7, 0xc0 | (sequence & 15), 8, id];
