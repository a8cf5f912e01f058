/** Most bytes of a section. */
export declare const CHAIN_BYTES: number;

/** Names of the precisions, by number in a rejoin section. */
export declare const PRECISIONS: readonly Precision[];
/** The most that a decoded rotation is off, degrees, by precision. */
export declare const PRECISION_DEGREES: readonly number[];
/** The most that a coordinate of the hips is off, metres, by precision. */
export declare const PRECISION_METRES: readonly number[];
/** The most that a value of a channel is off, by precision. */
export declare const PRECISION_VALUES: readonly number[];
/** Maximum number of channel values and of virtual transforms of a body. */
export declare const VALUES_MAX: number;
export declare const VIRTUALS_MAX: number;

export type ChainSection = 'body' | 'face' | 'hands' | 'hips' | 'channels' | 'virtual';
export type Precision = 'fine' | 'standard' | 'coarse';

/** The state of a chain, updated by the sections of one stream. */
export declare class ChainDecoder {
  constructor(section: ChainSection);
  readonly section: ChainSection;
  /** True if there is a state: sections can be decoded and rotations read. */
  readonly started: boolean;
  /** Index into PRECISIONS. */
  readonly precision: number;
  /** Number of items: one per bone, one for the hips, one per three values, two per virtual transform. */
  readonly count: number;
  /** Subject of each item: index into BONES, of a triple of values, or of a virtual transform. */
  readonly bones: Uint8Array;
  /** Nine numbers an item: its place on the lattice, its last step, its misses. */
  readonly state: Int32Array;
  /**
   * Reads the whole state from bytes start … end - 1.
   * Throws ProtocolError, after which the chain waits for another.
   */
  readRejoin(bytes: Uint8Array, start?: number, end?: number): void;
  /**
   * Follows one section, bytes start … end - 1.
   * Throws ProtocolError, after which the chain waits for a rejoin section.
   */
  decode(bytes: Uint8Array, start?: number, end?: number): void;
  /** Advances the chain for a packet without this section. */
  hold(): void;
  /**
   * Writes the whole state as a rejoin section; a decoder can start with it. Returns the number
   * of bytes in `out`. Throws RangeError when `out` is too small.
   */
  writeRejoin(out: Uint8Array): number;
  /** N of the chain's bones into `out`, four numbers a bone, or rotations of virtual transforms. */
  rotations<T extends Float32Array | number[]>(out: T): T;
  /** The hips' translation, those of virtual transforms, metres, or values into `out`. */
  points<T extends Float32Array | number[]>(out: T): T;
}
