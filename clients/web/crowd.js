// The bodies of the space as they stand on the stage: their figures, colours,
// outfits and avatars, in step with the client.

import { Color, Vector3 } from 'three';
import { Figure } from './figure.js';
import { Outfit } from './outfit.js';

/** Apart in hue and lightness from their neighbours, and legible on the dark floor. */
const PALETTE = ['#ff7f6a', '#35c4ae', '#f6b743', '#8e9dff', '#f08abb', '#a4cf57', '#58b6ee',
  '#bf88f2'];

/** A body on the page. */
class Member {
  constructor(body, figure, color) {
    this.body = body;
    this.figure = figure;
    this.color = color;
    this.avatar = null;
    /** @type {import('./fitted.js').Fitted | null} what the avatar goes by, once it comes */
    this.fitted = null;
    /** A sample was worn: before, nobody knows what the body looks like. */
    this.seen = false;
  }

  get id() {
    return this.body.id;
  }
}

export class Crowd {
  #scene;
  #outfits = new Map(); // by skeleton hash: {outfit, wearers}
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

  /** Figures that are to be seen, by body id. */
  get figures() {
    return this.#figures;
  }

  #colorFor(id) {
    const taken = new Set([...this.#members.values()].map(({ color }) => color));
    return PALETTE.find((color) => !taken.has(color)) ?? PALETTE[id % PALETTE.length];
  }

  /** @param {import('jointcast').Body} body whose skeleton is there */
  enter(body) {
    const { hash } = body.skeleton;
    let entry = this.#outfits.get(hash);
    if (!entry)
      this.#outfits.set(hash, entry = { outfit: new Outfit(body.skeleton), wearers: 0 });
    entry.wearers++;
    const color = this.#colorFor(body.id);
    const figure = new Figure(entry.outfit, new Color(color));
    const member = new Member(body, figure, color);
    member.hash = hash;
    figure.setSeat(body.seat);
    figure.group.visible = false;
    this.#scene.add(figure.group);
    this.#members.set(body.id, member);
    return member;
  }

  /** @returns {Member | undefined} who left */
  leave(body) {
    const member = this.#members.get(body.id);
    if (!member)
      return undefined;
    this.undress(member);
    member.figure.dispose();
    this.#members.delete(body.id);
    this.#figures.delete(body.id);
    const entry = this.#outfits.get(member.hash);
    if (--entry.wearers === 0) {
      entry.outfit.dispose();
      this.#outfits.delete(member.hash);
    }
    return member;
  }

  /** The member wears `avatar`, owned from here on, in place of the mannequin. */
  dress(member, avatar) {
    this.undress(member);
    member.avatar = avatar;
    member.figure.mesh.visible = false;
    this.#scene.add(avatar.group);
  }

  /** What the member wears goes by another line, owned from here on. */
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

  /** The lines that avatars go by. */
  fitted() {
    return [...this.#members.values()].flatMap(({ fitted }) => fitted ?? []);
  }

  /** Moves everybody to where they are at `now` (local milliseconds). */
  update(now, seconds) {
    for (const member of this.#members.values()) {
      const sample = member.body.sample(now);
      if (!sample)
        continue;
      member.figure.wear(sample);
      // The same moment on both lines, whatever each waits for.
      const fitted = member.fitted?.body;
      const fittedSample = fitted?.timeline.at(sample.time);
      if (fittedSample)
        member.avatar.wear(fittedSample, seconds, fitted);
      else
        member.avatar?.wear(sample, seconds, member.body);
      if (!member.seen) {
        member.seen = true;
        member.figure.group.visible = true;
        this.#figures.set(member.id, member.figure);
      }
    }
  }

  /** The member next to a ray among those that it touches or, with `reach`, comes that near to. */
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

  /** Writes the corners of the box that holds everybody, crown and floor too; false if none. */
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
