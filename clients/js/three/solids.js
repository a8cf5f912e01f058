// Writes the solids of a figure into one skinned geometry, so that a body needs a single draw
// call and bodies with the same skeleton share the geometry.

import { BufferAttribute, BufferGeometry, Vector3 } from 'three';

/**
 * A skin assigns a vertex to bones: [bone, bone, weight of the second]. A plain number is one bone.
 *
 * @typedef {number | [number, number, number]} Skin
 */

/** A ring of points of a surface. @typedef {{ points: Vector3[], skin: Skin, color?: number[] }} Ring */

const UP = new Vector3(0, 1, 0);
const AROUND = 18;

/**
 * Two unit vectors perpendicular to `axis`, the first as close to `side` as possible.
 *
 * @param {Vector3} axis
 * @param {Vector3} side
 */
function across(axis, side) {
  const x = side.clone().addScaledVector(axis, -side.dot(axis));
  if (x.lengthSq() < 1e-6)
    x.set(axis.z, axis.x, axis.y).addScaledVector(axis, -x.dot(axis));
  x.normalize();
  return [x, new Vector3().crossVectors(axis, x)];
}

/** Writes solids into one skinned geometry. */
export class SolidWriter {
  #detail;
  /** @type {number[]} */
  #positions = [];
  /** @type {number[]} */
  #normals = [];
  /** @type {number[]} */
  #colors = [];
  /** @type {number[]} */
  #bones = [];
  /** @type {number[]} */
  #weights = [];
  /** @type {number[]} */
  #index = [];

  /** @param {number} [detail] share of the vertices around each solid, 0 to 1 */
  constructor(detail = 1) {
    this.#detail = detail;
  }

  /** A number of vertices at this detail; `least` keeps a shape closed. @param {number} number @param {number} least */
  count(number, least) {
    return Math.max(least, Math.round(number * this.#detail));
  }

  /**
   * @param {Vector3} position
   * @param {Vector3} normal
   * @param {number[]} color
   * @param {Skin} skin
   */
  #vertex(position, normal, color, skin) {
    this.#positions.push(position.x, position.y, position.z);
    this.#normals.push(normal.x, normal.y, normal.z);
    this.#colors.push(color[0], color[1], color[2]);
    if (typeof skin === 'number') {
      this.#bones.push(skin, 0, 0, 0);
      this.#weights.push(1, 0, 0, 0);
    } else {
      this.#bones.push(skin[0], skin[1], 0, 0);
      this.#weights.push(1 - skin[2], skin[2], 0, 0);
    }
    return this.#positions.length / 3 - 1;
  }

  /**
   * Triangles between consecutive rows of `columns` vertices that begin at `first`.
   *
   * @param {number} first
   * @param {number} rows
   * @param {number} columns
   * @param {boolean} closed
   */
  #weave(first, rows, columns, closed) {
    const quads = closed ? columns : columns - 1;
    for (let row = 0; row + 1 < rows; row++)
      for (let column = 0; column < quads; column++) {
        const next = (column + 1) % columns;
        const a = first + row * columns + column;
        const b = first + row * columns + next;
        this.#index.push(a, b, a + columns, b, b + columns, a + columns);
      }
  }

  /**
   * A capsule with different ends: spheres of radius ra at a and rb at b and their common
   * tangent cone. `flat` flattens it across `side`.
   *
   * @param {Vector3} a
   * @param {Vector3} b
   * @param {number} ra
   * @param {number} rb
   * @param {{ skin: Skin, color: number[], side?: Vector3, flat?: number, around?: number,
   *   caps?: number }} style
   */
  roundCone(a, b, ra, rb, { skin, color, side = UP, flat = 1, around: wanted = AROUND, caps: most = 3 }) {
    const around = this.count(wanted, 5);
    const caps = this.count(most, 1);
    const axis = new Vector3().subVectors(b, a);
    const length = axis.length();
    if (length < 1e-5)
      axis.copy(UP);
    else
      axis.divideScalar(length);
    // If one sphere is inside the other there is no tangent cone; limit the radii.
    const slope = Math.max(-0.95, Math.min(0.95, (ra - rb) / Math.max(length, 1e-5)));
    const tangent = Math.asin(slope);
    const [x, z] = across(axis, side);
    const first = this.#positions.length / 3;
    const position = new Vector3();
    const normal = new Vector3();
    const row = (/** @type {Vector3} */ centre, /** @type {number} */ radius, /** @type {number} */ angle) => {
      const out = Math.cos(angle);
      const along = Math.sin(angle);
      for (let i = 0; i < around; i++) {
        const turn = (i / around) * 2 * Math.PI;
        const c = Math.cos(turn) * out;
        const s = Math.sin(turn) * out;
        position.copy(centre).addScaledVector(axis, radius * along)
          .addScaledVector(x, radius * c).addScaledVector(z, radius * flat * s);
        normal.set(0, 0, 0).addScaledVector(axis, along).addScaledVector(x, c)
          .addScaledVector(z, s / flat).normalize();
        this.#vertex(position, normal, color, skin);
      }
    };
    for (let i = 0; i <= caps; i++)
      row(a, ra, -Math.PI / 2 + (tangent + Math.PI / 2) * (i / caps));
    for (let i = 0; i <= caps; i++)
      row(b, rb, tangent + (Math.PI / 2 - tangent) * (i / caps));
    this.#weave(first, 2 * (caps + 1), around, true);
  }

  /**
   * An ellipsoid with its axes along x, y, z; `shape` may change each unit direction.
   *
   * @param {Vector3} centre
   * @param {Vector3} radii
   * @param {{ skin: Skin, color: number[], shape?: (direction: Vector3) => Vector3 }} style
   */
  ellipsoid(centre, radii, { skin, color, shape = (d) => d }) {
    const around = this.count(22, 6);
    const rows = this.count(14, 4);
    /** @type {Ring[]} */
    const rings = [];
    for (let i = 0; i <= rows; i++) {
      const theta = Math.PI * (i / rows) - Math.PI / 2;
      const ring = [];
      for (let j = 0; j < around; j++) {
        const phi = (j / around) * 2 * Math.PI;
        ring.push(shape(new Vector3(Math.cos(theta) * Math.sin(phi), Math.sin(theta),
          Math.cos(theta) * Math.cos(phi))).multiply(radii).add(centre));
      }
      rings.push({ points: ring, skin });
    }
    this.surface(rings, { color });
  }

  /**
   * A smooth closed surface over rings with equal numbers of points, counter-clockwise as seen
   * against the direction of the sequence of rings. The first and last ring should be
   * (almost) points. A ring may have its own colour; `closed: false` leaves each ring open,
   * for a patch.
   *
   * @param {Ring[]} rings
   * @param {{ color?: number[], closed?: boolean }} [style]
   */
  surface(rings, { color = [1, 1, 1], closed = true } = {}) {
    const columns = rings[0].points.length;
    const along = new Vector3();
    const around = new Vector3();
    const normal = new Vector3();
    const first = this.#positions.length / 3;
    const last = rings.length - 1;
    const pole = [0, last].map((i) => rings[i].points.reduce(
      (widest, p) => Math.max(widest, p.distanceTo(rings[i].points[0])), 0) < 1e-3);
    rings.forEach(({ points, skin, color: own = color }, i) => {
      const above = rings[Math.min(i + 1, last)].points;
      const below = rings[Math.max(i - 1, 0)].points;
      points.forEach((point, j) => {
        const next = closed ? (j + 1) % columns : Math.min(j + 1, columns - 1);
        const before = closed ? (j + columns - 1) % columns : Math.max(j - 1, 0);
        // At a pole the ring has no direction; use the direction of its neighbour.
        const ring = i === 0 && pole[0] ? above : i === last && pole[1] ? below : points;
        along.subVectors(above[j], below[j]);
        around.subVectors(ring[next], ring[before]);
        normal.crossVectors(around, along).normalize();
        this.#vertex(point, normal, own, skin);
      });
    });
    this.#weave(first, rings.length, columns, closed);
  }

  /** The finished geometry, for a SkinnedMesh. */
  geometry() {
    const geometry = new BufferGeometry();
    const set = (/** @type {string} */ name, /** @type {Float32Array | Uint16Array} */ array, /** @type {number} */ size) =>
      geometry.setAttribute(name, new BufferAttribute(array, size));
    set('position', new Float32Array(this.#positions), 3);
    set('normal', new Float32Array(this.#normals), 3);
    set('color', new Float32Array(this.#colors), 3);
    set('skinIndex', new Uint16Array(this.#bones), 4);
    set('skinWeight', new Float32Array(this.#weights), 4);
    geometry.setIndex(this.#index);
    return geometry;
  }
}
