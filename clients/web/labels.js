// Name labels as page elements, sharp at any size: of the chosen body and of those nearest to the
// camera. A label beside its body has a line to it.

import { Vector3 } from 'three';
import { placeLabels } from './placement.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Labels of bodies: most at a time, and pixels a metre from which on a body is near. */
const NEAR = { most: 12, least: 32 };

export class Labels {
  #layer;
  #places;
  #most;
  #least;
  #lines = document.createElementNS(SVG, 'svg');
  #labels = new Map();
  #chosen = null;
  #point = new Vector3();
  visible = true;

  /**
   * @param {HTMLElement} layer
   * @param {import('./controls/places.js').ControlPlaces} places that labels leave free
   * @param {{ most: number, least: number }} near which labels there are
   */
  constructor(layer, places, { most, least } = NEAR) {
    this.#layer = layer;
    this.#places = places;
    this.#most = most;
    this.#least = least;
    layer.append(this.#lines);
  }

  set(id, name, color) {
    const label = this.#labels.get(id) ?? this.#add(id);
    label.width = 0; // to be measured
    label.element.querySelector('span').textContent = name;
    label.element.style.setProperty('--body', color);
    label.line.style.setProperty('--body', color);
  }

  #add(id) {
    const element = document.createElement('div');
    const name = document.createElement('span');
    element.className = 'label';
    name.dir = 'auto';
    element.append(name);
    this.#layer.append(element);
    const line = document.createElementNS(SVG, 'line');
    this.#lines.append(line);
    const label = { id, element, line, shown: true, x: 0, y: 0, away: 0, width: 0, height: 0, last: 0 };
    this.#labels.set(id, label);
    return label;
  }

  mark(id) {
    this.#chosen = id;
    for (const [other, { element }] of this.#labels)
      element.classList.toggle('chosen', other === id);
  }

  stale(id, stale) {
    this.#labels.get(id)?.element.classList.toggle('stale', stale);
  }

  remove(id) {
    const label = this.#labels.get(id);
    label?.element.remove();
    label?.line.remove();
    this.#labels.delete(id);
  }

  /** Places the labels of a picture; `figures` maps ids to figures. */
  update(figures, camera, width, height) {
    const wanted = this.visible ? this.#wanted(figures, camera, width, height) : [];
    const places = placeLabels(wanted, this.#places.read(), { width, height });
    for (const label of this.#labels.values())
      this.#show(label, places[wanted.indexOf(label)] ?? null);
  }

  /** The labels to place, the most important first: the chosen one, then the nearest. */
  #wanted(figures, camera, width, height) {
    const near = [];
    const pixels = height / (2 * Math.tan((camera.fov * Math.PI) / 360)); // a metre, one metre away
    for (const label of this.#labels.values()) {
      const figure = figures.get(label.id);
      if (!figure)
        continue;
      const point = figure.crown(this.#point);
      const away = label.id === this.#chosen ? 0 : camera.position.distanceTo(point);
      point.project(camera);
      label.x = (0.5 + 0.5 * point.x) * width;
      label.y = (0.5 - 0.5 * point.y) * height;
      label.away = away;
      const isNear = away === 0 || pixels * (figure.size ?? 1) >= this.#least * away;
      if (isNear && point.z < 1 && Math.abs(point.x) < 1 && Math.abs(point.y) < 1.1)
        near.push(label);
    }
    near.sort((a, b) => a.away - b.away).splice(this.#most);
    near.forEach((label) => this.#measure(label));
    return near;
  }

  #measure(label) {
    if (label.width > 0)
      return;
    label.element.style.display = '';
    label.shown = true;
    label.width = label.element.offsetWidth;
    label.height = label.element.offsetHeight;
  }

  #show(label, place) {
    const shown = place !== null;
    if (shown !== label.shown) {
      label.element.style.display = shown ? '' : 'none';
      label.shown = shown;
    }
    label.line.style.display = shown && place.step > 0 ? '' : 'none';
    label.last = place?.step ?? 0;
    if (!shown)
      return;
    label.element.style.transform = `translate(${place.left}px, ${place.top}px)`;
    if (place.step > 0)
      this.#lead(label, place);
  }

  /** The line from the body to the nearest point of its label. */
  #lead({ line, x, y }, { left, right, bottom }) {
    const ends = { x1: x, y1: y, x2: Math.min(Math.max(x, left + 8), right - 8), y2: bottom };
    for (const [name, value] of Object.entries(ends))
      line.setAttribute(name, value.toFixed(1));
  }
}
