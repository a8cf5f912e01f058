/** A defect that an artist should repair. */
export interface Finding {
  severity: 'warning' | 'note';
  code: string;
  bone?: string;
  text: string;
}

/** A skeleton that can be worn. */
export interface Registered {
  name: string;
  /** For `publish` and `subscribe`. */
  hash: string;
  /** It outlives the server. */
  stored: boolean;
  lint: Finding[];
}

/** One of those that there are. */
export interface RegisteredSkeleton {
  name: string;
  hash: string;
  /** Of its descriptor. */
  bytes: number;
  worn: boolean;
}
