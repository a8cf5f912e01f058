// Shows virtual transforms of bodies and props: small axes with the name, where the figure, its avatar
// or the prop has them. Evaluated by the page, so that they cost nothing on the wire.

import { BoxGeometry, BufferAttribute, Color, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { Figure, Fitting, placeObject } from 'jointcast';
import { Labels } from './labels.js';

/** Length and width of the axes, metres, adult. */
const LENGTH = 0.14;
const WIDTH = 0.007;
/** Colours of the axes x, y, z. */
const COLORS = ['#ff5a52', '#7ee04b', '#4d8dff'];
/** All virtual transforms, whatever their tags. */
const ALL = '*';

/** Three bars from the origin along +X, +Y and +Z. */
function makeAxes() {
  return mergeGeometries(COLORS.map((name, axis) => {
    const sizes = [0, 1, 2].map((i) => (i === axis ? LENGTH : WIDTH));
    const bar = new BoxGeometry(...sizes);
    bar.translate(...sizes.map((_, i) => (i === axis ? LENGTH / 2 : 0)));
    const { count } = bar.attributes.position;
    const { r, g, b } = new Color(name);
    bar.setAttribute('color', new BufferAttribute(Float32Array.from({ length: 3 * count }, (_, i) => [r, g, b][i % 3]), 3));
    return bar;
  }));
}

const AXES = makeAxes();
/** Visible through the body. */
const MATERIAL = new MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, toneMapped: false });

/** The virtual transforms of one body or prop. */
class Points {
  #figure;
  #fitting = null;
  #group = new Group();
  #axes = [];

  /** @param {import('jointcast').Skeleton} skeleton that is shown */
  constructor(scene, skeleton, size) {
    this.#figure = new Figure(skeleton);
    for (const { name } of skeleton.virtualTransforms) {
      const axes = new Mesh(AXES, MATERIAL);
      axes.name = name;
      axes.scale.setScalar(size);
      axes.renderOrder = 20;
      this.#axes.push(axes);
      this.#group.add(axes);
    }
    scene.add(this.#group);
  }

  get skeleton() {
    return this.#figure.skeleton;
  }

  /** Applies a sample of a skeleton. A sample without rotations, of a prop, changes the placement alone. */
  pose({ skeleton, sample }) {
    const own = this.skeleton;
    if (skeleton !== own && this.#fitting?.from !== skeleton)
      this.#fitting = Object.assign(new Fitting(skeleton, own), { from: skeleton });
    if (sample.rotations)
      this.#figure.pose(skeleton === own ? sample : this.#fitting.fit(sample));
    placeObject(own, sample, this.#group);
    this.#axes.forEach((axes, i) => {
      const { translation, rotation } = this.#figure.virtualTransform(i);
      axes.position.fromArray(translation);
      axes.quaternion.fromArray(rotation);
    });
    this.#group.updateMatrixWorld(true);
  }

  /** Shows those with a tag. */
  choose(tag) {
    this.skeleton.virtualTransforms.forEach(({ tags }, i) => {
      this.#axes[i].visible = tag === ALL || tags.includes(tag);
    });
  }

  /** The visible axes with the index of each. */
  get visible() {
    return [...this.#axes.entries()].filter(([, { visible }]) => visible);
  }

  dispose() {
    this.#group.removeFromParent();
  }
}

export class VirtualTransforms {
  #scene;
  #labels;
  #points = new Map(); // by id of a body or prop
  #anchors = new Map(); // by label
  #tag = '';

  /**
   * @param {object} scene
   * @param {HTMLElement} layer of the labels
   * @param {import('./controls/places.js').ControlPlaces} places
   */
  constructor(scene, layer, places) {
    this.#scene = scene;
    this.#labels = new Labels(layer, places, { most: 60, least: 0 });
  }

  /** The tags of all figures and props; null where none has virtual transforms. */
  static tags(members) {
    const all = [...members].flatMap(({ skeleton }) => skeleton.virtualTransforms);
    const tags = new Set(all.flatMap((virtual) => virtual.tags));
    return all.length > 0 ? [...tags].filter((tag) => tag !== '' && tag !== ALL).sort() : null;
  }

  /** @param {string} tag ALL, or empty for none */
  set tag(tag) {
    this.#tag = tag;
    [...this.#points.keys()].forEach((id) => this.#remove(id));
  }

  #remove(id) {
    this.#points.get(id)?.dispose();
    this.#points.delete(id);
    for (const key of this.#anchors.keys())
      if (key.startsWith(`${id}/`)) {
        this.#labels.remove(key);
        this.#anchors.delete(key);
      }
  }

  #add(member) {
    const points = new Points(this.#scene, member.skeleton, member.size);
    points.choose(this.#tag);
    this.#points.set(member.id, points);
    for (const [i, axes] of points.visible) {
      const key = `${member.id}/${i}`;
      const above = 1.15 * LENGTH * member.size;
      this.#anchors.set(key, { crown: (out) => out.setFromMatrixPosition(axes.matrixWorld).setY(out.y + above) });
      this.#labels.set(key, axes.name || `#${i}`, member.color);
    }
    return points;
  }

  /** Moves all axes and labels; bodies and props by id. */
  update(bodies, props, camera, width, height, seconds) {
    for (const [id, points] of this.#points)
      if ((bodies.get(id) ?? props.get(id))?.skeleton !== points.skeleton)
        this.#remove(id);
    for (const member of this.#tag === '' ? [] : [...bodies.values(), ...props.values()])
      if (member.motion && member.skeleton.virtualTransforms.length > 0)
        (this.#points.get(member.id) ?? this.#add(member)).pose(member.motion);
    this.#labels.update(this.#anchors, camera, width, height);
  }

  /** Positions in the space by name of the visible ones of a body or prop. */
  positions(id) {
    return Object.fromEntries((this.#points.get(id)?.visible ?? []).map(([, axes]) =>
      [axes.name, new Vector3().setFromMatrixPosition(axes.matrixWorld).toArray()]));
  }
}
