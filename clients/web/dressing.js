// Avatars that the visitor drops on the page: a body wears the file, and the server moves it on the
// skeleton of the file. The mesh stays in the page.

import { AvatarFile, reasonOf } from 'jointcast/three';
import { Fitted, nameAfter } from './fitted.js';

export class Dressing {
  #client;
  #crowd;
  #join;
  /** The last choice for each member; an earlier one that is read more slowly no longer counts. @type {WeakMap<object, object>} */
  #chosen = new WeakMap();

  /**
   * @param {import('jointcast').Client} client
   * @param {import('jointcast/three').Crowd} crowd
   * @param {(view: object) => import('jointcast').Client} join opens another connection to the space
   */
  constructor(client, crowd, join) {
    this.#client = client;
    this.#crowd = crowd;
    this.#join = join;
  }

  /**
   * Shows a file on a body.
   *
   * @param {import('jointcast/three').Member} member
   * @param {File} file
   * @returns {Promise<import('jointcast/three').Avatar | null>} null: another choice came meanwhile
   * @throws {Error} with a message of one line for people
   */
  async wear(member, file) {
    const choice = {};
    this.#chosen.set(member, choice);
    const isLast = () => this.#chosen.get(member) === choice;
    try {
      const opened = await AvatarFile.open(file);
      // A figure that does not name its bones: the server recognises them in its nodes.
      const descriptor = opened.hasHumanoid ? null
        : (await this.#client.recognizeSkeleton(nameAfter(file.name), opened.reduced())).descriptor;
      if (!isLast())
        return null;
      await this.#crowd.wear(member.id, opened, { descriptor });
      return member.avatar;
    } catch (error) {
      if (!isLast())
        return null;
      throw new Error(`${file.name}: ${reasonOf(error)}`);
    }
  }

  /** Takes the avatar of a body off; files that are being read no longer count. */
  unwear(member) {
    this.#chosen.delete(member);
    this.#crowd.unwear(member.id);
  }

  /** Requests the body on the avatar's skeleton. @throws {Error} if the server refuses: the page retargets */
  async fit(member, file) {
    const { avatar } = member;
    const { hash } = await this.#client.registerSkeleton(nameAfter(file.name), avatar.descriptor);
    if (member.avatar === avatar)
      this.#crowd.fit(member, new Fitted(this.#join, member.id, hash));
  }
}
