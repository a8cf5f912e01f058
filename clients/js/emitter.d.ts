/** Events, the same in browsers and Node. */
export declare class Emitter<Events> {
  /** Calls `listener` at each event of that name. Returns this object. */
  on<K extends keyof Events>(name: K, listener: (detail: Events[K]) => void): this;
  /** Removes a listener. Returns this object. */
  off<K extends keyof Events>(name: K, listener: (detail: Events[K]) => void): this;
  protected emit<K extends keyof Events>(name: K, detail: Events[K]): void;
}
