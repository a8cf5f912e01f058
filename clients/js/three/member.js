// A body of a crowd with its figure and its avatar.

import { LEVELS } from './detail.js';
/**
 * @import { Vector3 } from 'three'
 * @import { WornAvatar } from '../avatar/avatars.js'
 * @import { PresentBody } from '../body.js'
 * @import { Skeleton } from '../skeleton.js'
 * @import { Sample } from '../timeline.js'
 * @import { Avatar } from './avatar.js'
 * @import { Figure } from './figure.js'
 */

/**
 * The motion of a body on the skeleton of its avatar, from the server.
 *
 * @typedef {{ readonly body: PresentBody | null, close(): void, subscribe(view: object): void }} FittedBody
 */

/** A body of a crowd. */
export class Member {
  /** @param {PresentBody} body @param {Figure} figure @param {string} color */
  constructor(body, figure, color) {
    /** The body. @readonly */
    this.body = body;
    /** Its mannequin, which moves also while an avatar takes its place. @readonly */
    this.figure = figure;
    /** Colour of the mannequin, #rrggbb. @readonly */
    this.color = color;
    /** Hash of the skeleton of the figure. @readonly */
    this.hash = body.skeleton.hash;
    /** The avatar in place of the mannequin; null while no avatar is loaded. @type {Avatar | null} */
    this.avatar = null;
    /** The avatar of the roster that the body shows as soon as it is near. @type {Readonly<WornAvatar> | null} */
    this.wanted = null;
    /** Why the body shows its mannequin in place of the avatar: one line; '' for no reason. */
    this.reason = '';
    /** The reason is that the server did not answer, or was busy. */
    this.isUnreached = false;
    /** Requests for the wanted avatar that a busy server refused. */
    this.tries = 0;
    /** Decoded pixels of the wanted avatar, for which there was no room; 0: another reason, or none. */
    this.lacking = 0;
    /** `Crowd.wear` or `Crowd.unwear` has decided on the avatar, not the roster. */
    this.isChosen = false;
    /** How often `Crowd.wear` and `Crowd.unwear` were called: only the last call counts. */
    this.choices = 0;
    /** The avatar is being fetched and read. */
    this.isLoading = false;
    /** Source of the avatar's motion; null: the body. @type {FittedBody | null} */
    this.fitted = null;
    /** True after the first sample; before it the figure is hidden. */
    this.seen = false;
    /** Metres from the camera. */
    this.distance = Infinity;
    /** Level of detail: one of LEVELS. @type {number} */
    this.level = LEVELS.figure;
    /**
     * The sample that the figure or its avatar shows, and the skeleton of its rotations.
     *
     * @type {{ skeleton: Skeleton, sample: Sample } | null}
     */
    this.motion = null;
  }

  /** Id of the body. */
  get id() {
    return this.body.id;
  }

  /** The skeleton that is shown: that of the avatar, or of the mannequin. */
  get skeleton() {
    return this.avatar?.skeleton ?? this.body.skeleton;
  }

  /** Size relative to an adult. */
  get size() {
    return this.figure.size;
  }

  /** Positions of the bones of the avatar, or of the mannequin that is shown. @returns {ReadonlyMap<string, Vector3>} */
  get points() {
    return (this.avatar?.group.visible ? this.avatar : this.figure).points;
  }

  /** The middle of the body, for cameras. @param {Vector3} out */
  centre(out) {
    return this.figure.centre(out);
  }

  /** A point above the head and what it carries, for cameras and labels. @param {Vector3} out */
  crown(out) {
    const { avatar } = this;
    const head = avatar?.group.visible ? avatar.points.get('head') : null;
    return avatar && head ? out.copy(head).setY(head.y + Math.max(avatar.headroom, 0.1 * this.size))
      : this.figure.crown(out);
  }

  /**
   * Applies the motion at a local time; returns whether there is any.
   *
   * @param {number} now milliseconds
   * @param {number} seconds since the last picture
   */
  move(now, seconds) {
    const sample = this.body.sample(now);
    if (!sample) {
      return false;
    }
    this.figure.wear(sample);
    // The same capture time from both connections, although their delays differ.
    const fitted = this.fitted?.body;
    const fittedSample = fitted?.timeline.at(sample.time);
    const [shown, body] = fitted && fittedSample ? [fittedSample, fitted] : [sample, this.body];
    if (this.avatar?.group.visible) {
      this.avatar.wear(shown, seconds, body, this.level === LEVELS.whole);
    }
    this.motion = { skeleton: body.skeleton, sample: shown };
    return true;
  }

  /** Shows the parts of the level of detail. @param {boolean} shadows */
  show(shadows) {
    const isFigure = this.level === LEVELS.figure;
    const casts = shadows && this.level === LEVELS.whole;
    this.figure.isCoarse = isFigure;
    this.figure.mesh.castShadow = casts;
    this.figure.mesh.visible = !this.avatar || isFigure;
    if (this.avatar) {
      this.avatar.group.visible = !isFigure;
      this.avatar.shadow = casts;
    }
  }
}
