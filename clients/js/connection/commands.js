// The commands of a client that most pages do not send: about skeletons of its own, replays, moderation
// and invitations. commands-loader.js loads this module with the first of them.

import { Invitations } from '../invitation.js';
import { Moderation } from '../moderation.js';
import { Registrations, recognizeSkeleton } from '../registration.js';
import { Replays } from '../replay.js';
/** @import { Line } from './line.js' */

/** The commands of one client. */
export class Commands {
  #line;

  /**
   * @param {string} space
   * @param {Line} line
   * @param {() => number} most bytes of a message
   * @param {() => void} changed called after a change of the replays
   */
  constructor(space, line, most, changed) {
    const link = {
      send: (/** @type {object} */ message) => line.send(message),
      now: () => line.now(),
      environment: () => line.environment,
    };
    /** @type {(what: string) => (ms: number, run: () => void) => void} */
    const after = (what) => (ms, run) => line.after(what, ms, run);
    this.#line = line;
    this.registrations = new Registrations({ ...link, after: after('registration'), most });
    this.replays = new Replays(space, { ...link, after: after('replay') }, changed);
    this.moderation = new Moderation(space, link.send);
    this.invitations = new Invitations(space, link.environment);
  }

  /** @param {string} name @param {ArrayBuffer | Uint8Array} file */
  recognizeSkeleton(name, file) {
    return recognizeSkeleton(this.#line.environment, name, file);
  }

  /**
   * The server accepted the connection.
   *
   * @param {() => void} ready called when all skeletons are registered again
   */
  greet(ready) {
    this.registrations.greet(ready);
    this.replays.greet();
    this.moderation.greet();
  }

  /** The connection is lost: requests in progress fail. */
  drop() {
    this.registrations.drop();
    this.replays.drop();
    this.moderation.drop();
  }

  /** The client is closed. */
  end() {
    this.registrations.end();
    this.replays.end();
    this.moderation.drop();
  }

  /**
   * Handles an answer, or the state of the replays.
   *
   * @param {any} message
   */
  answered(message) {
    switch (message.type) {
    case 'registered':
    case 'unregistered':
      this.registrations.answered(message);
      break;
    case 'wardrobe':
      this.registrations.listed(message);
      break;
    case 'replaying':
      this.replays.told(message);
      break;
    default:
      this.moderation.answered(message);
      break;
    }
  }

  /**
   * Handles an `error`; returns whether it answers a request of these.
   *
   * @param {any} error
   */
  refused(error) {
    return this.registrations.refused(error) || this.replays.refused(error) || this.moderation.refused(error);
  }
}
