type Numbers = ArrayLike<number>;
type Writable = { [index: number]: number };

/** out = a · b: b first, then a, as with matrices. Offsets i, j, k; `out` may be an input. */
export declare function multiply<T extends Writable>(a: Numbers, i: number, b: Numbers, j: number, out: T, k: number): T;
/** out = the inverse of the unit quaternion a. */
export declare function conjugate<T extends Writable>(a: Numbers, i: number, out: T, k: number): T;
/** out = a / |a|; zero becomes identity. */
export declare function normalize<T extends Writable>(a: Numbers, i: number, out: T, k: number): T;
/** out = the rotation of a column-major 4x4 matrix without scale. */
export declare function fromMatrix<T extends Writable>(m: Numbers, i: number, out: T, k: number): T;
/** out = the vector v rotated by q. */
export declare function rotate<T extends Writable>(q: Numbers, i: number, v: Numbers, j: number, out: T, k: number): T;
/** out = the short way from a (t = 0) to b (t = 1) at even speed; t beyond 1 carries on. */
export declare function slerp<T extends Writable>(a: Numbers, i: number, b: Numbers, j: number, t: number, out: T, k: number): T;
/** Angle between two orientations, radians. */
export declare function angle(a: Numbers, i: number, b: Numbers, j: number): number;
export {};
