// All bodies of a space in a scene of three.js: each is its avatar, or a mannequin while the avatar
// loads, where it fails, and where a body has no avatar.

import { Color, Object3D, Vector3 } from 'three';
import { AvatarFile, reasonOf } from './avatar-file.js';
import { ContactShadows } from './contact.js';
import { LEVELS, chooseLevels } from './detail.js';
import { Figure } from './figure.js';
import { Member } from './member.js';
import { Patience, isBusy } from './patience.js';
import { SkeletonMesh } from './skeleton-mesh.js';
import { NoRoom, Wardrobe } from './wardrobe.js';
/**
 * @import { Camera, Object3DEventMap, Ray } from 'three'
 * @import { Body, PresentBody } from '../body.js'
 * @import { Client } from '../client.js'
 * @import { WornAvatar } from '../avatar/avatars.js'
 * @import { Avatar } from './avatar.js'
 * @import { AvatarChoice } from './avatar-file.js'
 * @import { Reach } from './detail.js'
 * @import { FittedBody } from './member.js'
 */

/**
 * Options of a crowd.
 *
 * @typedef {object} CrowdOptions
 * @property {boolean} [avatars] Show the avatars of the roster; true.
 * @property {boolean} [shadows] The nearest bodies cast shadows; true.
 * @property {boolean} [contact] Dark patches below feet and hips; true.
 * @property {Reach} [whole] How many bodies are whole, with springs, expressions and shadow, and up to
 *   which distance; 12 within 12 metres.
 * @property {Reach} [plain] How many bodies show their avatar, and up to which distance: those beyond
 *   are simple mannequins; 32 within 30 metres.
 */

/**
 * Events of a crowd. enter: a body has its figure; leave: the figure is removed; dress: an avatar has
 * taken the place of the mannequin; undress: the mannequin is back; failure: the avatar cannot be shown,
 * `member.reason` has the reason.
 *
 * @typedef {{ [K in 'enter' | 'leave' | 'dress' | 'undress' | 'failure']: { member: Member } }} CrowdEvents
 */

/** Neighbours differ in hue and lightness; all are legible on a dark floor. */
const PALETTE = ['#ff7f6a', '#35c4ae', '#f6b743', '#8e9dff', '#f08abb', '#a4cf57', '#58b6ee',
  '#bf88f2'];
const WHOLE = { most: 12, metres: 12 };
const PLAIN = { most: 32, metres: 30 };
/** Avatars that are read at the same time. */
const PENDING = 2;

/**
 * All bodies of a client's space, for a scene: `scene.add(crowd)`, and `crowd.update(camera)` for each
 * picture.
 *
 * @extends {Object3D<Object3DEventMap & CrowdEvents>}
 */
export class Crowd extends Object3D {
  #client;
  #whole = WHOLE;
  #plain = PLAIN;
  #shadows = true;
  #avatars;
  /** By skeleton hash. @type {Map<string, { mesh: SkeletonMesh, wearers: number }>} */
  #meshes = new Map();
  /** @type {Map<number, Member>} */
  #members = new Map();
  /** @type {Map<number, Figure>} */
  #visible = new Map();
  #wardrobe;
  #patience = new Patience();
  /** @type {ContactShadows | null} */
  #contact;
  #before = NaN;
  #point = new Vector3();
  /** @type {(() => void)[]} */
  #listeners;

  /**
   * @param {Client} client
   * @param {CrowdOptions} [options]
   */
  constructor(client, { avatars = true, contact = true, ...levels } = {}) {
    super();
    this.#client = client;
    this.#avatars = avatars;
    this.setLevels(levels);
    this.#wardrobe = new Wardrobe((hash) => client.fetchAvatar(hash));
    this.#contact = contact ? new ContactShadows(this) : null;
    /** @type {(name: 'enter' | 'leave' | 'change' | 'state', listener: (event: any) => void) => () => void} */
    const on = (name, listener) => {
      client.on(name, listener);
      return () => client.off(name, listener);
    };
    this.#listeners = [on('enter', (body) => this.#enter(body)), on('leave', (body) => this.#leave(body)),
      on('change', (body) => this.#change(body)), on('state', ({ state }) => state === 'live' && this.#retry())];
    for (const body of client.bodies.values()) {
      if (body.skeleton && !body.hidden && !body.waiting) {
        this.#enter(/** @type {PresentBody} */ (body));
      }
    }
  }

  /** The bodies with their figures and avatars, by body id. @returns {ReadonlyMap<number, Member>} */
  get members() {
    return this.#members;
  }

  /**
   * Changes the levels of detail from the next picture on; omitted options have their default.
   *
   * @param {Pick<CrowdOptions, 'shadows' | 'whole' | 'plain'>} [options]
   */
  setLevels({ shadows = true, whole = WHOLE, plain = PLAIN } = {}) {
    this.#shadows = shadows;
    this.#whole = whole;
    this.#plain = plain;
  }

  /**
   * Moves all bodies to the current time, loads avatars and chooses levels of detail.
   *
   * @param {Camera} [camera] its matrixWorld is current; without a camera all bodies are whole
   * @param {number} [now] milliseconds of performance.now()
   */
  update(camera, now = performance.now()) {
    const seconds = Number.isNaN(this.#before) ? 0 : Math.min(Math.max(0, now - this.#before) / 1000, 0.25);
    this.#before = now;
    this.#chooseLevels(camera);
    for (const member of this.#members.values()) {
      if (member.move(now, seconds) && !member.seen) {
        member.seen = true;
        member.figure.group.visible = true;
        this.#visible.set(member.id, member.figure);
      }
    }
    this.#load();
    this.#contact?.update(this.#visible.values());
  }

  /**
   * Shows an avatar on a body in place of that of the roster, until `unwear` or until the body leaves.
   *
   * @param {number} id of the body
   * @param {string | ArrayBuffer | Blob | AvatarFile} avatar hash of an avatar of the server, or a file;
   *   the file stays in the page
   * @param {AvatarChoice} [choice]
   * @returns {Promise<Member>} rejects with an Error of one line, also if another call for the body came
   *   meanwhile; the body then keeps what it wears
   */
  async wear(id, avatar, choice = {}) {
    const member = this.#members.get(id);
    if (!member) {
      throw new Error('there is no such body');
    }
    const turn = ++member.choices;
    const key = typeof avatar === 'string' || avatar instanceof AvatarFile ? avatar
      : await AvatarFile.open(avatar instanceof Blob ? avatar : new Blob([avatar]));
    const made = await this.#wardrobe.take(key, choice);
    if (this.#members.get(id) !== member || member.choices !== turn) {
      this.#wardrobe.giveBack(made);
      throw new Error(member.choices === turn ? `${member.body.name} has left the space` : 'another avatar was chosen meanwhile');
    }
    member.isChosen = true;
    member.wanted = null;
    this.#dress(member, made);
    return member;
  }

  /**
   * Takes the avatar of a body off: a chosen one, and then that of the roster is shown again, or that of
   * the roster.
   *
   * @param {number} id of the body
   */
  unwear(id) {
    const member = this.#members.get(id);
    if (!member) {
      return;
    }
    member.choices++;
    const wasChosen = member.isChosen && member.avatar;
    this.#undress(member);
    member.wanted = null;
    member.isChosen = !wasChosen;
    if (wasChosen) {
      this.#want(member, member.body.avatar);
    }
  }

  /** Moves the avatar of a member with other motion of its body; takes ownership of it. @param {Member} member @param {FittedBody} fitted */
  fit(member, fitted) {
    member.fitted = fitted;
  }

  /** All sources of motion for avatars. @returns {FittedBody[]} */
  get fitted() {
    return [...this.#members.values()].flatMap(({ fitted }) => fitted ?? []);
  }

  /** Removes all figures and ends the connection to the client, which stays open. */
  dispose() {
    this.#listeners.splice(0).forEach((off) => off());
    [...this.#members.values()].forEach(({ body }) => this.#leave(body));
    this.#contact?.dispose();
    this.removeFromParent();
  }

  /** @param {number} id */
  #colorFor(id) {
    const taken = new Set([...this.#members.values()].map(({ color }) => color));
    return PALETTE.find((color) => !taken.has(color)) ?? PALETTE[id % PALETTE.length];
  }

  /** @param {PresentBody} body */
  #enter(body) {
    const { hash } = body.skeleton;
    let entry = this.#meshes.get(hash);
    if (!entry) {
      this.#meshes.set(hash, entry = { mesh: new SkeletonMesh(body.skeleton), wearers: 0 });
    }
    entry.wearers++;
    const color = this.#colorFor(body.id);
    const figure = new Figure(entry.mesh, new Color(color));
    const member = new Member(body, figure, color);
    figure.setSeat(body.seat);
    figure.group.visible = false;
    this.add(figure.group);
    this.#members.set(body.id, member);
    this.#want(member, body.avatar);
    this.dispatchEvent({ type: 'enter', member });
  }

  /** @param {Body} body */
  #leave(body) {
    const member = this.#members.get(body.id);
    if (!member) {
      return;
    }
    this.#undress(member);
    member.wanted = null;
    member.figure.dispose();
    this.#members.delete(body.id);
    this.#visible.delete(body.id);
    const entry = this.#meshes.get(member.hash);
    if (entry && --entry.wearers === 0) {
      entry.mesh.dispose();
      this.#meshes.delete(member.hash);
    }
    this.dispatchEvent({ type: 'leave', member });
  }

  /** @param {PresentBody} body */
  #change(body) {
    const member = this.#members.get(body.id);
    if (!member) {
      return;
    }
    member.figure.setSeat(body.seat);
    if (!member.isChosen) {
      this.#want(member, body.avatar);
    }
  }

  /** The avatar of the roster has changed, or not. @param {Member} member @param {Readonly<WornAvatar> | null} avatar */
  #want(member, avatar) {
    const { wanted } = member;
    if (!this.#avatars || (wanted?.hash === avatar?.hash && wanted?.index === avatar?.index)) {
      return;
    }
    this.#undress(member);
    member.wanted = avatar;
    member.reason = '';
    member.tries = member.lacking = 0;
  }

  /** @param {Member} member @param {Avatar} avatar */
  #dress(member, avatar) {
    this.#undress(member);
    member.reason = '';
    member.avatar = avatar;
    this.add(avatar.group);
    member.show(this.#shadows);
    if (member.seen) {
      member.move(this.#before, 0);
    }
    this.dispatchEvent({ type: 'dress', member });
  }

  /** @param {Member} member */
  #undress(member) {
    member.fitted?.close();
    member.fitted = null;
    const { avatar } = member;
    if (avatar) {
      member.avatar = null;
      this.#wardrobe.giveBack(avatar);
      member.show(this.#shadows);
      this.dispatchEvent({ type: 'undress', member });
    }
  }

  /** @param {Camera | undefined} camera */
  #chooseLevels(camera) {
    const seen = [...this.#members.values()].filter(({ seen: isSeen }) => isSeen);
    if (camera) {
      const at = new Vector3().setFromMatrixPosition(camera.matrixWorld);
      seen.forEach((member) => { member.distance = at.distanceTo(member.figure.centre(this.#point)); });
      chooseLevels(seen, this.#whole, this.#plain);
    } else {
      seen.forEach((member) => { member.level = LEVELS.whole; });
    }
    seen.forEach((member) => member.show(this.#shadows));
  }

  /** Begins to load the nearest avatars, those that were refused after the others; frees those that are far behind the others. */
  #load() {
    this.#readmit();
    const waiting = [...this.#members.values()].filter((member) => member.wanted && !member.avatar &&
      !member.isLoading && !member.reason && member.level < LEVELS.figure)
      .sort((a, b) => a.tries - b.tries || a.distance - b.distance);
    for (const member of waiting.slice(0, this.#patience.isOver(this.#before) ? Math.max(0, PENDING - this.#wardrobe.pending) : 0)) {
      this.#fetch(member);
    }
    const kept = [...this.#members.values()].filter(({ avatar, isChosen }) => avatar && !isChosen);
    if (kept.length > 2 * this.#plain.most) {
      kept.sort((a, b) => b.distance - a.distance).slice(0, kept.length - 2 * this.#plain.most)
        .filter(({ level }) => level === LEVELS.figure).forEach((member) => this.#undress(member));
    }
  }

  /** There is a connection again: avatars that failed without one, or at a busy server, are fetched. */
  #retry() {
    for (const member of this.#members.values()) {
      if (member.isUnreached) {
        member.isUnreached = false;
        member.reason = '';
        member.tries = 0;
      }
    }
  }

  /** Avatars for which there was no room are fetched when there is room, the nearest first. */
  #readmit() {
    const lacking = [...this.#members.values()].filter((member) => member.lacking > 0 && member.level < LEVELS.figure);
    let room = lacking.length > 0 && this.#wardrobe.pending === 0 ? this.#wardrobe.room : 0;
    for (const member of lacking.sort((a, b) => a.distance - b.distance)) {
      const needed = this.#wardrobe.has(member.wanted?.hash ?? '') ? 0 : member.lacking;
      if (needed <= room) {
        room -= needed;
        member.lacking = 0;
        member.reason = '';
      }
    }
  }

  /** @param {Member} member */
  async #fetch(member) {
    const { wanted, body } = member;
    if (!wanted) {
      return;
    }
    member.isLoading = true;
    try {
      const avatar = await this.#wardrobe.take(wanted.hash, { index: wanted.index,
        descriptor: this.#client.skeletons.get(body.skeletonHash)?.descriptor ?? null });
      this.#patience.succeeded();
      if (member.wanted === wanted) {
        this.#dress(member, avatar);
      } else { // it left, or wears another one
        this.#wardrobe.giveBack(avatar);
      }
    } catch (error) {
      if (!this.#patience.failed(error, ++member.tries) && member.wanted === wanted) {
        member.reason = reasonOf(error);
        member.isUnreached = isBusy(error) || /** @type {any} */ (error)?.code === 'unreachable';
        member.lacking = error instanceof NoRoom ? error.pixels : 0;
        this.dispatchEvent({ type: 'failure', member });
      }
    } finally {
      member.isLoading = false;
    }
  }

  /**
   * Returns the member that a ray touches, or passes within `reach` metres; null if none.
   *
   * @param {Ray} ray
   * @param {number} [reach]
   * @returns {Member | null}
   */
  pick(ray, reach = 0) {
    /** @type {Member | null} */
    let best = null;
    let bestDistance = Infinity;
    for (const [id, figure] of this.#visible) {
      for (const point of figure.points.values()) {
        const along = this.#point.subVectors(point, ray.origin).dot(ray.direction);
        const apart = Math.sqrt(ray.distanceSqToPoint(point));
        if (along > 0 && apart < 0.16 * figure.size + reach && along + 8 * apart < bestDistance) {
          best = this.#members.get(id) ?? null;
          bestDistance = along + 8 * apart;
        }
      }
    }
    return best;
  }

  /**
   * Writes the corners of the bounding box of all bodies, from floor to crown; false if none.
   *
   * @param {Vector3} low
   * @param {Vector3} high
   */
  bounds(low, high) {
    low.setScalar(Infinity);
    high.setScalar(-Infinity);
    for (const member of this.#members.values()) {
      if (!member.seen) {
        continue;
      }
      for (const point of member.points.values()) {
        low.min(point);
        high.max(point);
      }
      high.max(member.crown(this.#point));
      low.y = Math.min(low.y, member.figure.group.position.y);
    }
    return this.#visible.size > 0;
  }
}
