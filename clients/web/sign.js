// The sign above the mirror for the person in the headset, who cannot see the page: the state
// of publishing, and how to stop it.

import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace } from 'three';

const WIDTH = 1024;
const HEIGHT = 256;
const METRES = 1.3;
const FONT = '"Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export class Sign {
  #context;
  #texture;
  #shown = '';

  /** @param {import('three').Object3D} parent of the sign */
  constructor(parent) {
    const canvas = document.createElement('canvas');
    canvas.width = WIDTH;
    canvas.height = HEIGHT;
    this.#context = canvas.getContext('2d');
    this.#texture = new CanvasTexture(canvas);
    this.#texture.colorSpace = SRGBColorSpace;
    this.mesh = new Mesh(new PlaneGeometry(METRES, (METRES * HEIGHT) / WIDTH),
      new MeshBasicMaterial({ map: this.#texture, transparent: true, toneMapped: false }));
    this.mesh.visible = false;
    parent.add(this.mesh);
  }

  /** `live`: whether subscribers receive the body. */
  show(title, detail, live) {
    const shown = [title, detail, live].join('\n');
    if (shown === this.#shown)
      return;
    this.#shown = shown;
    const c = this.#context;
    c.clearRect(0, 0, WIDTH, HEIGHT);
    c.fillStyle = 'rgb(15 20 30 / 86%)';
    c.beginPath();
    c.roundRect(2, 2, WIDTH - 4, HEIGHT - 4, 48);
    c.fill();
    c.fillStyle = live ? '#38c9b4' : '#f5b94a';
    c.beginPath();
    c.arc(74, 92, 18, 0, 2 * Math.PI);
    c.fill();
    c.fillStyle = '#eaf0fa';
    c.font = `600 60px ${FONT}`;
    c.fillText(title, 116, 112, WIDTH - 160);
    c.fillStyle = '#a9b6cc';
    c.font = `40px ${FONT}`;
    c.fillText(detail, 56, 196, WIDTH - 112);
    this.#texture.needsUpdate = true;
  }
}
