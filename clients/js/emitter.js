// A minimal event emitter for browsers and Node.

/**
 * Events, the same in browsers and Node.
 *
 * @template Events
 */
export class Emitter {
  #listeners = new Map();

  /**
   * Calls `listener` at each event of that name. Returns this object.
   *
   * @template {keyof Events} K
   * @param {K} name
   * @param {(detail: Events[K]) => void} listener
   * @returns {this}
   */
  on(name, listener) {
    if (!this.#listeners.has(name)) {
      this.#listeners.set(name, new Set());
    }
    this.#listeners.get(name).add(listener);
    return this;
  }

  /**
   * Removes a listener. Returns this object.
   *
   * @template {keyof Events} K
   * @param {K} name
   * @param {(detail: Events[K]) => void} listener
   * @returns {this}
   */
  off(name, listener) {
    this.#listeners.get(name)?.delete(listener);
    return this;
  }

  /**
   * @template {keyof Events} K
   * @param {K} name
   * @param {Events[K]} detail
   * @protected
   */
  emit(name, detail) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      listener(detail);
    }
  }
}
