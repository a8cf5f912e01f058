// A minimal event emitter for browsers and Node.

export class Emitter {
  #listeners = new Map();

  /** Calls `listener` at each event of that name. Returns this object. */
  on(name, listener) {
    if (!this.#listeners.has(name)) {
      this.#listeners.set(name, new Set());
    }
    this.#listeners.get(name).add(listener);
    return this;
  }

  /** Removes a listener. Returns this object. */
  off(name, listener) {
    this.#listeners.get(name)?.delete(listener);
    return this;
  }

  /** @protected */
  emit(name, detail) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      listener(detail);
    }
  }
}
