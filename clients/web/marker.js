// The ring on the floor under the chosen body.

import { Mesh, MeshBasicMaterial, RingGeometry, Vector3 } from 'three';

export class Marker {
  #ring;
  #point = new Vector3();

  constructor(scene) {
    this.#ring = new Mesh(new RingGeometry(0.93, 1, 72).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({ transparent: true, opacity: 0.85, depthWrite: false,
        toneMapped: false }));
    this.#ring.visible = false;
    scene.add(this.#ring);
  }

  /** Moves to the figure of a member; null hides the ring. */
  update(member) {
    this.#ring.visible = Boolean(member?.seen);
    if (!this.#ring.visible)
      return;
    const { figure } = member;
    figure.centre(this.#point);
    this.#ring.position.set(this.#point.x, 0.005, this.#point.z);
    this.#ring.scale.setScalar(0.42 * figure.size);
    this.#ring.material.color.set(member.color);
  }
}
