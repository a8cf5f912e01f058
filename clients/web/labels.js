// Name labels, as page elements: crisp at any size, and read by screen readers.

import { Vector3 } from 'three';

export class Labels {
  #layer;
  #labels = new Map();
  #point = new Vector3();
  visible = true;

  constructor(layer) {
    this.#layer = layer;
  }

  set(id, name, color) {
    const label = this.#labels.get(id) ?? this.#add(id);
    label.element.querySelector('span').textContent = name;
    label.element.style.setProperty('--body', color);
  }

  #add(id) {
    const element = document.createElement('div');
    element.className = 'label';
    element.append(document.createElement('span'));
    this.#layer.append(element);
    const label = { element, shown: true };
    this.#labels.set(id, label);
    return label;
  }

  mark(id) {
    for (const [other, { element }] of this.#labels)
      element.classList.toggle('chosen', other === id);
  }

  stale(id, stale) {
    this.#labels.get(id)?.element.classList.toggle('stale', stale);
  }

  remove(id) {
    this.#labels.get(id)?.element.remove();
    this.#labels.delete(id);
  }

  /** Moves each label over its figure; `figures` maps body ids to figures. */
  update(figures, camera, width, height) {
    for (const [id, label] of this.#labels) {
      const figure = figures.get(id);
      const point = figure?.crown(this.#point).project(camera);
      const shown = this.visible && point !== undefined && point.z < 1
        && Math.abs(point.x) < 1.1 && Math.abs(point.y) < 1.2;
      if (shown !== label.shown) {
        label.element.style.display = shown ? '' : 'none';
        label.shown = shown;
      }
      if (!shown)
        continue;
      const x = Math.round((0.5 + 0.5 * point.x) * width);
      const y = Math.round((0.5 - 0.5 * point.y) * height);
      label.element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -100%)`;
    }
  }
}
