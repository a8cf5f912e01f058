// Loads commands.js with the first command, or with the first message that only it understands. Calls
// wait for it and keep their order.

import { ConnectError } from '../error.js';
/**
 * @import { Commands } from './commands.js'
 * @import { Invitations } from '../invitation.js'
 * @import { Line } from './line.js'
 * @import { Session } from './session.js'
 * @import { Moderation } from '../moderation.js'
 * @import { Replays } from '../replay.js'
 */

/** Methods that send commands, by object of the client. */
export const METHODS = {
  replays: 'recordings open play pause seek setSpeed setLoop setRange close rewind playFile',
  moderation: 'hide show mute unmute kick ban unban block unblock list limit close',
  invitations: 'create list revoke',
};

/** @typedef {typeof import('./commands.js')} CommandsModule */

/** The module, once a client of this page has loaded it. @type {CommandsModule | null} */
let module = null;

/** Loads the module; with it at hand, commands are sent at once. @returns {Promise<CommandsModule>} */
export async function loadCommands() {
  module = await import('./commands.js').catch((cause) => {
    throw new ConnectError('unreachable', 'a module of jointcast cannot be loaded', 'Check the network.', { cause });
  });
  return /** @type {CommandsModule} */ (module);
}

/** The commands of one client. */
export class CommandsLoader {
  /** Makes the commands in the present state of the connection. @type {(module: CommandsModule) => Commands} */
  #make;
  /** @type {Commands | null} */
  #commands = null;
  #isLoading = false;
  /** Calls that wait for the module. @type {{ use: (commands: Commands) => void, fail: (error: unknown) => void }[]} */
  #waiting = [];
  /** Messages `replaying` that wait for the module. @type {any[]} */
  #unread = [];

  /**
   * @param {string} space
   * @param {Line} line
   * @param {Session} session
   * @param {() => void} changed called after a change of the replays
   */
  constructor(space, line, session, changed) {
    this.#make = ({ Commands }) => {
      const commands = new Commands(space, line, () => session.welcome?.limits?.message ?? Infinity, changed);
      if (session.state === 'closed') {
        commands.end();
      } else if (session.isOpen) {
        commands.greet(() => {});
      }
      return commands;
    };
    /** @type {Replays} */
    this.replays = this.#facade('replays');
    Object.defineProperty(this.replays, 'list', { get: () => this.#commands?.replays.list ?? [] });
    this.replays.get = (id) => this.#commands?.replays.get(id);
    /** @type {Moderation} */
    this.moderation = this.#facade('moderation');
    /** @type {Invitations} */
    this.invitations = this.#facade('invitations');
  }

  /** @param {keyof typeof METHODS} name @returns {any} an object with these methods */
  #facade(name) {
    return Object.fromEntries(METHODS[name].split(' ').map((method) => [method,
      (/** @type {any[]} */ ...values) => this.call((commands) => /** @type {any} */ (commands[name])[method](...values))]));
  }

  /** The commands; null before their module is at hand. */
  get commands() {
    return this.#commands;
  }

  /**
   * Calls `use` with the commands, at once if their module is at hand.
   *
   * @template T
   * @param {(commands: Commands) => T | Promise<T>} use
   * @returns {Promise<T>}
   */
  call(use) {
    return new Promise((resolve, reject) => {
      this.#load();
      const take = (/** @type {Commands} */ commands) => resolve(use(commands));
      if (this.#commands) {
        take(this.#commands);
      } else {
        this.#waiting.push({ use: take, fail: reject });
      }
    });
  }

  /** A new connection has begun. @param {() => void} ready continues it, now or after the answers to greetings */
  greet(ready) {
    if (this.#commands) {
      this.#commands.greet(ready);
    } else {
      ready();
    }
  }

  /** The connection is lost: requests in progress fail. */
  drop() {
    this.#commands?.drop();
    this.#unread = [];
  }

  /**
   * Takes a message `replaying`. Most spaces have no replays: the first one loads the module, and
   * later messages wait with it.
   *
   * @param {any} message
   * @param {(error: Error) => void} failed the module cannot be loaded, or a message that waited is damaged
   */
  replaying(message, failed) {
    if (this.#commands) {
      this.#commands.answered(message);
    } else if ((this.#unread.length > 0 || message.replays?.length > 0) && this.#unread.push(message) === 1) {
      this.call((commands) => this.#unread.splice(0).forEach((one) => commands.answered(one))).catch((error) => {
        this.#unread = [];
        failed(error);
      });
    }
  }

  #load() {
    if (this.#commands || this.#isLoading) {
      return;
    }
    if (module) {
      this.#commands = this.#make(module);
      return;
    }
    this.#isLoading = true;
    loadCommands().then((loaded) => {
      const commands = this.#commands = this.#make(loaded);
      // A promise each: an exception of a listener does not concern the others.
      this.#waiting.splice(0).forEach(async ({ use }) => use(commands));
    }, (error) => {
      this.#isLoading = false;
      this.#waiting.splice(0).forEach(({ fail }) => fail(error));
    });
  }
}
