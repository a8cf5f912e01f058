/** The server's clock, measured by pings; slewed, so that it never jumps or runs backwards. */
export declare class Clock {
  /** True after the first answer to a ping. */
  readonly synchronized: boolean;
  /** Round trip of the exchange in use, milliseconds; the clock is off by half of it at most. */
  readonly roundTrip: number;
  /** Takes in one exchange: local milliseconds, local milliseconds, server microseconds. */
  add(sent: number, received: number, serverTime: number): void;
  /** Server time, microseconds, at a local time (milliseconds) that does not go backwards. */
  at(now: number): number;
  /** Forgets everything. */
  reset(): void;
}
