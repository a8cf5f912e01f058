// The props of the space: a translucent box in place of each, because the daemon sends no meshes.

import { Box3, BoxGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { Figure, placeObject } from 'jointcast';

/** Colour of the boxes and of the labels. */
const COLOR = '#9aa4b5';
const FACES = new MeshBasicMaterial({ color: COLOR, transparent: true, opacity: 0.16, depthWrite: false });
const EDGES = new LineBasicMaterial({ color: COLOR, transparent: true, opacity: 0.7 });
/** Space between a node or a virtual transform and the sides of the box, metres. */
const PADDING = 0.04;

/** Writes the corners of the box around the nodes and the virtual transforms on them, in the prop. */
function measure(skeleton, low, high) {
  const figure = new Figure(skeleton);
  const point = new Vector3();
  const include = (place) => {
    low.min(point.fromArray(place));
    high.max(point);
  };
  low.setScalar(Infinity);
  high.setScalar(-Infinity);
  skeleton.nodeNames.forEach((_, node) => include(figure.position(node, [])));
  skeleton.virtualTransforms.forEach(({ parent }, i) => {
    if (parent >= 0)
      include(figure.virtualTransform(i).translation);
  });
  low.subScalar(PADDING);
  high.addScalar(PADDING);
}

/** One prop, with the properties of a member (figures.js) that virtual transforms need. */
class Standing {
  #box = new Group();
  #low = new Vector3();
  #high = new Vector3();

  constructor(id, prop, scene) {
    this.id = id;
    this.prop = prop;
    this.color = COLOR;
    /** Scale of axes: that of an adult. */
    this.size = 1;
    /** It has a placement and no rotations: it stays at rest. */
    this.motion = { skeleton: prop.skeleton, sample: prop.placement };
    measure(prop.skeleton, this.#low, this.#high);
    const geometry = new BoxGeometry(...this.#high.clone().sub(this.#low).toArray());
    geometry.translate(...this.#low.clone().add(this.#high).multiplyScalar(0.5).toArray());
    this.#box.add(new Mesh(geometry, FACES), new LineSegments(new EdgesGeometry(geometry), EDGES));
    placeObject(prop.skeleton, prop.placement, this.#box);
    this.#box.updateMatrixWorld(true);
    /** In the space. */
    this.bounds = new Box3().setFromObject(this.#box);
    scene.add(this.#box);
  }

  get skeleton() {
    return this.prop.skeleton;
  }

  /** Writes the place of the label: the middle of the upper side. */
  crown(out) {
    return out.addVectors(this.#low, this.#high).multiplyScalar(0.5).setY(this.#high.y)
      .applyMatrix4(this.#box.matrixWorld);
  }

  dispose() {
    this.#box.children.forEach(({ geometry }) => geometry.dispose());
    this.#box.removeFromParent();
  }
}

export class Props {
  #scene;
  #labels;
  #shown = null;
  #members = new Map();

  /** @param {object} scene @param {import('./labels.js').Labels} labels */
  constructor(scene, labels) {
    this.#scene = scene;
    this.#labels = labels;
  }

  /** By an id that no body has. */
  get members() {
    return this.#members;
  }

  /** Replaces all props; @param {ReadonlyMap<string, import('jointcast').Prop>} props of the client. */
  show(props) {
    if (props === this.#shown)
      return;
    this.#shown = props;
    for (const [id, member] of this.#members) {
      member.dispose();
      this.#labels.remove(id);
    }
    this.#members = new Map([...props.values()].map((prop, i) => {
      const id = `prop ${i}`;
      this.#labels.set(id, prop.name, COLOR);
      return [id, new Standing(id, prop, this.#scene)];
    }));
  }

  /** Extends a box by the props within `reach` metres of it; an empty one by all props. */
  extend(box, reach) {
    const near = box.clone().expandByScalar(reach);
    for (const { bounds } of this.#members.values())
      if (near.isEmpty() || near.intersectsBox(bounds))
        box.union(bounds);
  }
}
