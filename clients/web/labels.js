// Name labels as page elements, sharp at any size. Where bodies are close together, a label
// moves up until it covers no other.

import { Vector3 } from 'three';

/** Pixels between two labels, and speed of their movement. */
const GAP = 2;
const EASE_SECONDS = 0.12;

export class Labels {
  #layer;
  #placed = [];
  #labels = new Map();
  #point = new Vector3();
  visible = true;

  constructor(layer) {
    this.#layer = layer;
  }

  set(id, name, color) {
    const label = this.#labels.get(id) ?? this.#add(id);
    label.width = 0; // to be measured
    label.element.querySelector('span').textContent = name;
    label.element.style.setProperty('--body', color);
  }

  #add(id) {
    const element = document.createElement('div');
    element.className = 'label';
    element.append(document.createElement('span'));
    this.#layer.append(element);
    const label = { element, shown: true, x: 0, bottom: 0, width: 0, height: 0, lift: 0 };
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
  update(figures, camera, width, height, seconds) {
    const ease = 1 - Math.exp(-seconds / EASE_SECONDS);
    this.#placed.length = 0;
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
      if (label.width === 0) {
        label.width = label.element.offsetWidth;
        label.height = label.element.offsetHeight;
      }
      label.x = Math.round((0.5 + 0.5 * point.x) * width);
      label.bottom = (0.5 - 0.5 * point.y) * height;
      label.lift += ease * (this.#liftOf(label) - label.lift);
      const y = Math.round(label.bottom - label.lift);
      label.element.style.transform = `translate(${label.x}px, ${y}px) translate(-50%, -100%)`;
    }
  }

  /** Distance that a label moves up to cover none of the placed labels. */
  #liftOf(label) {
    const placed = this.#placed;
    let bottom = label.bottom;
    // In order from the lowest label, so that each label is checked only once.
    let i = 0;
    while (i < placed.length) {
      const other = placed[i];
      const beside = Math.abs(label.x - other.x) >= (label.width + other.width) / 2 + GAP;
      const apart = bottom <= other.top - GAP || bottom - label.height >= other.bottom + GAP;
      if (!beside && !apart)
        bottom = other.top - GAP;
      i++;
    }
    const place = { x: label.x, width: label.width, bottom, top: bottom - label.height };
    placed.splice(placed.findLastIndex((other) => other.bottom > bottom) + 1, 0, place);
    return label.bottom - bottom;
  }
}
