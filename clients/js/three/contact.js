// Draws contact shadows, soft dark patches under feet and hips. The shadow of the key light
// falls beside a foot; a figure without contact shadows seems to float.

import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Matrix4, PlaneGeometry,
  ShaderMaterial } from 'three';
/**
 * @import { Object3D, Vector3 } from 'three'
 */

const MOST = 320;
/**
 * Bone, radius of its patch, height at which the patch disappears, darkness.
 *
 * @type {[string, number, number, number][]}
 */
const PATCHES = [
  ['leftFoot', 0.17, 0.32, 0.55], ['rightFoot', 0.17, 0.32, 0.55],
  ['leftToes', 0.14, 0.22, 0.5], ['rightToes', 0.14, 0.22, 0.5],
  ['hips', 0.62, 2.1, 0.5],
];

/** Contact shadows of all figures, one draw call. */
export class ContactShadows {
  #mesh;
  #darkness;
  #matrix = new Matrix4();

  /** @param {Object3D} parent of the patches */
  constructor(parent) {
    const geometry = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
    this.#darkness = new InstancedBufferAttribute(new Float32Array(MOST), 1);
    this.#darkness.setUsage(DynamicDrawUsage);
    geometry.setAttribute('darkness', this.#darkness);
    this.#mesh = new InstancedMesh(geometry, new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      vertexShader: `
        attribute float darkness;
        varying float dark;
        varying vec2 at;
        void main() {
          dark = darkness;
          at = position.xz;
          gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: `
        varying float dark;
        varying vec2 at;
        void main() {
          float fall = max(0.0, 1.0 - dot(at, at));
          gl_FragColor = vec4(0.0, 0.0, 0.0, dark * fall * fall);
        }`,
    }), MOST);
    this.#mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.#mesh.frustumCulled = false;
    this.#mesh.renderOrder = -1;
    this.#mesh.count = 0;
    parent.add(this.#mesh);
  }

  /**
   * Places the patches under `figures`, after their update.
   *
   * @param {Iterable<{ points: ReadonlyMap<string, Vector3>, size: number }>} figures
   */
  update(figures) {
    let count = 0;
    for (const figure of figures)
      for (const [bone, radius, reach, dark] of PATCHES) {
        const point = figure.points.get(bone);
        if (!point || count === MOST)
          continue;
        const near = 1 - Math.max(0, point.y) / (reach * figure.size);
        if (near <= 0)
          continue;
        const r = radius * figure.size;
        this.#matrix.makeScale(r, 1, r).setPosition(point.x, 0.003, point.z);
        this.#mesh.setMatrixAt(count, this.#matrix);
        this.#darkness.array[count++] = dark * near;
      }
    this.#mesh.count = count;
    this.#mesh.instanceMatrix.needsUpdate = true;
    this.#darkness.needsUpdate = true;
  }

  /** Removes the patches. */
  dispose() {
    this.#mesh.removeFromParent();
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
    this.#mesh.dispose();
  }
}
