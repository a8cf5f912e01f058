/** Most bytes of a section. */
export declare const CHAIN_BYTES: number;

/** Names of the precisions, by their number in a rejoin section. */
export declare const PRECISIONS: readonly Precision[];
/** The most that a decoded rotation is off, degrees, by precision. */
export declare const PRECISION_DEGREES: readonly number[];
/** The most that a coordinate of the hips is off, metres, by precision. */
export declare const PRECISION_METRES: readonly number[];
/** The most that a value of a channel is off, by precision. */
export declare const PRECISION_VALUES: readonly number[];
/** Most values of a body's channels, most of its virtual transforms. */
export declare const VALUES_MAX: number;
export declare const VIRTUALS_MAX: number;

export type ChainSection = 'body' | 'face' | 'hands' | 'hips' | 'channels' | 'virtual';
export type Precision = 'fine' | 'standard' | 'coarse';

/** The state of a chain. Follows the sections of one stream. */
export declare class ChainDecoder {
  constructor(section: ChainSection);
  readonly section: ChainSection;
  /** There is a state: sections can be followed, rotations be read. */
  readonly started: boolean;
  /** Index into PRECISIONS. */
  readonly precision: number;
  /** How many items: bones; one of the hips; one for three values; two for a virtual transform. */
  readonly count: number;
  /** The subject of each item: indices into BONES, of triples of values, of virtual transforms. */
  readonly bones: Uint8Array;
  /** Nine numbers a bone: its place on the lattice, its last step, its misses. */
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
  /** Follows a packet that left the section out. */
  hold(): void;
  /**
   * Writes the whole state, so that whoever reads it goes on with the chain as
   * everybody does. Returns how many bytes of `out` it is; throws RangeError when
   * they do not fit.
   */
  writeRejoin(out: Uint8Array): number;
  /** N of the chain's bones into `out`, four numbers a bone, or rotations of virtual transforms. */
  rotations<T extends Float32Array | number[]>(out: T): T;
  /** The hips' translation, those of virtual transforms, metres, or values into `out`. */
  points<T extends Float32Array | number[]>(out: T): T;
}
