// The figures of all bodies on the stage: colours, meshes and avatars, updated from the
// client.

import { Color, Vector3 } from 'three';
import { Figure } from './figure.js';
import { SkeletonMesh } from './skeleton-mesh.js';
/**
 * @import { Object3D, Ray } from 'three'
 * @import { Body, PresentBody } from '../body.js'
 * @import { Skeleton } from '../skeleton.js'
 * @import { Sample } from '../timeline.js'
 * @import { Avatar } from './avatar.js'
 */

/**
 * The motion of a body on the skeleton of its avatar, from the server.
 *
 * @typedef {{ readonly body: PresentBody | null, close(): void, subscribe(view: object): void }} FittedBody
 */

/** Neighbours differ in hue and lightness; all are legible on the dark floor. */
const PALETTE = ['#ff7f6a', '#35c4ae', '#f6b743', '#8e9dff', '#f08abb', '#a4cf57', '#58b6ee',
  '#bf88f2'];

/** A body with its figure and avatar. */
class Member {
  /** @param {PresentBody} body @param {Figure} figure @param {string} color */
  constructor(body, figure, color) {
    this.body = body;
    this.figure = figure;
    this.color = color;
    /** Hash of the skeleton of the figure. */
    this.hash = body.skeleton.hash;
    /** @type {Avatar | null} */
    this.avatar = null;
    /** Source of the avatar's motion. @type {FittedBody | null} */
    this.fitted = null;
    /** True after the first sample; before it the figure is hidden. */
    this.seen = false;
    /**
     * The sample that the figure or its avatar shows, and the skeleton of its rotations.
     *
     * @type {{ skeleton: Skeleton, sample: Sample } | null}
     */
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

/** The figures of all bodies. */
export class Figures {
  #scene;
  /** @type {Map<string, { mesh: SkeletonMesh, wearers: number }>} */
  #meshes = new Map(); // by skeleton hash
  /** @type {Map<number, Member>} */
  #members = new Map();
  /** @type {Map<number, Figure>} */
  #figures = new Map();
  #point = new Vector3();

  /** @param {Object3D} scene */
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

  /** @param {number} id */
  #colorFor(id) {
    const taken = new Set([...this.#members.values()].map(({ color }) => color));
    return PALETTE.find((color) => !taken.has(color)) ?? PALETTE[id % PALETTE.length];
  }

  /** Adds the figure of a body. @param {PresentBody} body */
  enter(body) {
    const { hash } = body.skeleton;
    let entry = this.#meshes.get(hash);
    if (!entry)
      this.#meshes.set(hash, entry = { mesh: new SkeletonMesh(body.skeleton), wearers: 0 });
    entry.wearers++;
    const color = this.#colorFor(body.id);
    const figure = new Figure(entry.mesh, new Color(color));
    const member = new Member(body, figure, color);
    figure.setSeat(body.seat);
    figure.group.visible = false;
    this.#scene.add(figure.group);
    this.#members.set(body.id, member);
    return member;
  }

  /**
   * Removes the figure of a body.
   *
   * @param {Body} body
   * @returns {Member | undefined} the removed member
   */
  leave(body) {
    const member = this.#members.get(body.id);
    if (!member)
      return undefined;
    this.undress(member);
    member.figure.dispose();
    this.#members.delete(body.id);
    this.#figures.delete(body.id);
    const entry = this.#meshes.get(member.hash);
    if (entry && --entry.wearers === 0) {
      entry.mesh.dispose();
      this.#meshes.delete(member.hash);
    }
    return member;
  }

  /** Shows `avatar` in place of the mannequin; takes ownership of it. @param {Member} member @param {Avatar} avatar */
  dress(member, avatar) {
    this.undress(member);
    member.avatar = avatar;
    member.figure.mesh.visible = false;
    this.#scene.add(avatar.group);
  }

  /** Moves the avatar with the motion of `fitted`; takes ownership of it. @param {Member} member @param {FittedBody} fitted */
  fit(member, fitted) {
    member.fitted = fitted;
  }

  /** Removes the avatar of a member. @param {Member} member */
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

  /** Updates all figures to `now` (local milliseconds). @param {number} now @param {number} seconds */
  update(now, seconds) {
    for (const member of this.#members.values()) {
      const sample = member.body.sample(now);
      if (!sample)
        continue;
      member.figure.wear(sample);
      // The same capture time from both connections, although their delays differ.
      const fitted = member.fitted?.body;
      const fittedSample = fitted?.timeline.at(sample.time);
      const [shown, body] = fitted && fittedSample ? [fittedSample, fitted] : [sample, member.body];
      member.avatar?.wear(shown, seconds, body);
      member.motion = { skeleton: body.skeleton, sample: shown };
      if (!member.seen) {
        member.seen = true;
        member.figure.group.visible = true;
        this.#figures.set(member.id, member.figure);
      }
    }
  }

  /**
   * Returns the member that a ray touches, or passes within `reach` metres; null if none.
   *
   * @param {Ray} ray
   */
  pick(ray, reach = 0) {
    /** @type {Member | null} */
    let best = null;
    let bestDistance = Infinity;
    for (const [id, figure] of this.#figures)
      for (const point of figure.points.values()) {
        const along = this.#point.subVectors(point, ray.origin).dot(ray.direction);
        const apart = Math.sqrt(ray.distanceSqToPoint(point));
        if (along > 0 && apart < 0.16 * figure.size + reach && along + 8 * apart < bestDistance) {
          best = this.#members.get(id) ?? null;
          bestDistance = along + 8 * apart;
        }
      }
    return best;
  }

  /**
   * Writes the corners of the bounding box of all figures, from floor to crown; false if none.
   *
   * @param {Vector3} low
   * @param {Vector3} high
   */
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
