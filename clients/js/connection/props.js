// The props of a space. Most spaces have none: their module is loaded with the first message.

/** @import { Prop } from '../prop.js' */

/** The things of a space without bones, as the last message `props` lists them. */
export class Props {
  #changed;
  #failed;
  #connections = 0;
  /** @type {ReadonlyMap<string, Prop>} */
  #list = new Map();

  /**
   * @param {(list: ReadonlyMap<string, Prop>) => void} changed
   * @param {(error: Error) => void} failed a message is damaged, or the module cannot be loaded
   */
  constructor(changed, failed) {
    this.#changed = changed;
    this.#failed = failed;
  }

  /** By name. */
  get list() {
    return this.#list;
  }

  /** Empties the list for a new connection. */
  reset() {
    this.end();
    this.#list = new Map();
  }

  /** Messages that wait for the module no longer count. */
  end() {
    this.#connections++;
  }

  /**
   * Handles a `props` message.
   *
   * @param {any} message
   */
  async furnish(message) {
    const connections = this.#connections;
    const list = await import('../prop.js').then(({ readProps }) => readProps(message))
      .catch((error) => this.#failed(error));
    if (list && connections === this.#connections) {
      this.#list = list;
      this.#changed(list);
    }
  }
}
