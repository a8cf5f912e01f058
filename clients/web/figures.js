// The figures of all bodies on the stage: colours, meshes and avatars, updated from the
// client.

import { Color, Vector3 } from 'three';
import { Figure } from './figure.js';
import { SkeletonMesh } from './skeleton-mesh.js';

/** Neighbours differ in hue and lightness; all are legible on the dark floor. */
const PALETTE = ['#ff7f6a', '#35c4ae', '#f6b743', '#8e9dff', '#f08abb', '#a4cf57', '#58b6ee',
  '#bf88f2'];

/** A body with its figure and avatar. */
class Member {
  constructor(body, figure, color) {
    this.body = body;
    this.figure = figure;
    this.color = color;
    this.avatar = null;
    /** @type {import('./fitted.js').Fitted | null} source of the avatar's motion */
    this.fitted = null;
    /** True after the first sample; before it the figure is hidden. */
    this.seen = false;
    /** The sample that the figure or its avatar shows, and the skeleton of its rotations. */
    this.motion = null;
  }

  get id() {
    return this.body.id;
  }

  /** The skeleton that is shown: that of the avatar, or of the mannequin. */
  get skeleton() {
    return this.avatar?.skeleton ?? this.body.skeleton;
  }

  get size() {
    return this.figure.size;
  }
}

export class Figures {
  #scene;
  #meshes = new Map(); // by skeleton hash: {mesh, wearers}
  #members = new Map();
  #figures = new Map();
  #point = new Vector3();

  constructor(scene) {
    this.#scene = scene;
  }

  /** By body id. */
  get members() {
    return this.#members;
  }

  /** Visible figures by body id. */
  get visible() {
    return this.#figures;
  }

  #colorFor(id) {
    const taken = new Set([...this.#members.values()].map(({ color }) => color));
    return PALETTE.find((color) => !taken.has(color)) ?? PALETTE[id % PALETTE.length];
  }

  /** @param {import('jointcast').Body} body with a known skeleton */
  enter(body) {
    const { hash } = body.skeleton;
    let entry = this.#meshes.get(hash);
    if (!entry)
      this.#meshes.set(hash, entry = { mesh: new SkeletonMesh(body.skeleton), wearers: 0 });
    entry.wearers++;
    const color = this.#colorFor(body.id);
    const figure = new Figure(entry.mesh, new Color(color));
    const member = new Member(body, figure, color);
    member.hash = hash;
    figure.setSeat(body.seat);
    figure.group.visible = false;
    this.#scene.add(figure.group);
    this.#members.set(body.id, member);
    return member;
  }

  /** @returns {Member | undefined} the removed member */
  leave(body) {
    const member = this.#members.get(body.id);
    if (!member)
      return undefined;
    this.undress(member);
    member.figure.dispose();
    this.#members.delete(body.id);
    this.#figures.delete(body.id);
    const entry = this.#meshes.get(member.hash);
    if (--entry.wearers === 0) {
      entry.mesh.dispose();
      this.#meshes.delete(member.hash);
    }
    return member;
  }

  /** Shows `avatar` in place of the mannequin; takes ownership of it. */
  dress(member, avatar) {
    this.undress(member);
    member.avatar = avatar;
    member.figure.mesh.visible = false;
    this.#scene.add(avatar.group);
  }

  /** Moves the avatar with the motion of `fitted`; takes ownership of it. */
  fit(member, fitted) {
    member.fitted = fitted;
  }

  undress(member) {
    member.fitted?.close();
    member.fitted = null;
    member.avatar?.dispose();
    member.avatar = null;
    member.figure.mesh.visible = true;
  }

  /** All connections for avatars. */
  fitted() {
    return [...this.#members.values()].flatMap(({ fitted }) => fitted ?? []);
  }

  /** Updates all figures to `now` (local milliseconds). */
  update(now, seconds) {
    for (const member of this.#members.values()) {
      const sample = member.body.sample(now);
      if (!sample)
        continue;
      member.figure.wear(sample);
      // The same capture time from both connections, although their delays differ.
      const fitted = member.fitted?.body;
      const fittedSample = fitted?.timeline.at(sample.time);
      if (fittedSample)
        member.avatar.wear(fittedSample, seconds, fitted);
      else
        member.avatar?.wear(sample, seconds, member.body);
      member.motion = fittedSample ? { skeleton: fitted.skeleton, sample: fittedSample }
        : { skeleton: member.body.skeleton, sample };
      if (!member.seen) {
        member.seen = true;
        member.figure.group.visible = true;
        this.#figures.set(member.id, member.figure);
      }
    }
  }

  /** Returns the member that a ray touches, or passes within `reach` metres; null if none. */
  pick(ray, reach = 0) {
    let best = null;
    let bestDistance = Infinity;
    for (const [id, figure] of this.#figures)
      for (const point of figure.points.values()) {
        const along = this.#point.subVectors(point, ray.origin).dot(ray.direction);
        const apart = Math.sqrt(ray.distanceSqToPoint(point));
        if (along > 0 && apart < 0.16 * figure.size + reach && along + 8 * apart < bestDistance) {
          best = this.#members.get(id);
          bestDistance = along + 8 * apart;
        }
      }
    return best;
  }

  /** Writes the corners of the bounding box of all figures, from floor to crown; false if none. */
  bounds(low, high) {
    low.setScalar(Infinity);
    high.setScalar(-Infinity);
    for (const figure of this.#figures.values()) {
      for (const point of figure.points.values()) {
        low.min(point);
        high.max(point);
      }
      high.max(figure.crown(this.#point));
      low.y = Math.min(low.y, figure.group.position.y);
    }
    return this.#figures.size > 0;
  }
}
