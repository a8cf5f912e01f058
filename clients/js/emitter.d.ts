/** Events, the same in browsers and Node. */
export declare class Emitter<Events> {
  /** Calls `listener` at each event of that name. Chains. */
  on<K extends keyof Events>(name: K, listener: (detail: Events[K]) => void): this;
  /** Takes a listener away. Chains. */
  off<K extends keyof Events>(name: K, listener: (detail: Events[K]) => void): this;
  protected emit<K extends keyof Events>(name: K, detail: Events[K]): void;
}
