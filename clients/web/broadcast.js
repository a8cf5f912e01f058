// The viewer as a source of pictures for another program, such as OBS: parameters of its address
// hide controls and background, follow a body, and dress bodies.

import { AvatarFile, reasonOf } from 'jointcast/three';
import { text } from './texts.js';

const HASH = /^[0-9a-f]{64}$/;

/** The parameters of the address of the page. */
export function readBroadcast(query) {
  return { avatar: query.get('avatar') || null, follow: query.get('follow') || null,
    clean: query.has('clean'), transparent: query.has('transparent') };
}

/** Hides controls and background, as the parameters ask. */
export function clear({ clean, transparent }) {
  const { dataset } = document.documentElement;
  if (clean)
    dataset.clean = '';
  if (transparent)
    dataset.transparent = '';
}

/** An avatar for a crowd: the hash of one of the daemon, or a file on the origin of the page. */
async function open(avatar) {
  if (HASH.test(avatar))
    return avatar;
  const url = new URL(avatar, location.href);
  if (url.origin !== location.origin)
    throw new Error(text('avatar.foreign', { url: url.href }));
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(text('avatar.unloaded', { url: url.href, status: response.status }));
  return AvatarFile.open(await response.blob());
}

/** Keeps the wishes of the address for bodies that come and go. */
export class Broadcast {
  #wishes;
  #actions;
  /** Of all bodies, promised. @type {Promise<string | AvatarFile> | null} */
  #avatar = null;

  /**
   * @param {object} wishes of readBroadcast
   * @param {object} actions focus(id), wear(id, avatar), note(message)
   */
  constructor(wishes, actions) {
    this.#wishes = wishes;
    this.#actions = actions;
  }

  /** Whether a body is the one to follow. */
  #isFollowed({ name, display }) {
    return [name, display].includes(this.#wishes.follow);
  }

  /** Opens the avatar, again after a failure and after the last body that wore it has left. */
  async #open(avatar) {
    const opened = this.#avatar ??= open(avatar);
    try {
      const file = await opened;
      if (!file.isDisposed)
        return file;
    } catch (error) {
      this.#forget(opened);
      throw error;
    }
    this.#forget(opened);
    return this.#open(avatar);
  }

  #forget(opened) {
    if (this.#avatar === opened)
      this.#avatar = null;
  }

  /** A body is visible for the first time since it entered. */
  async appeared(body) {
    const { avatar, follow } = this.#wishes;
    if (this.#isFollowed(body))
      this.#actions.focus(body.id);
    if (!avatar || (follow && !this.#isFollowed(body)))
      return;
    try {
      await this.#actions.wear(body.id, await this.#open(avatar));
    } catch (error) {
      this.#actions.note(text('avatar.failed', { name: body.name, reason: reasonOf(error) }));
    }
  }
}
