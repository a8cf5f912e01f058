// The avatar files in use: each is fetched and checked once, however many bodies wear it.

import { AvatarFile } from './avatar-file.js';
/**
 * @import { Avatar } from './avatar.js'
 * @import { AvatarChoice } from './avatar-file.js'
 */

/** @typedef {{ key: string | AvatarFile, users: number, pixels: number, file: Promise<AvatarFile> }} Entry */

/** Decoded pixels of all files: half a gigabyte of textures, more with their smaller copies. */
const PIXELS = 128 * 1024 * 1024;

/** There is no room for the textures of another avatar at present. */
export class NoRoom extends Error {
  /** @param {number} pixels of the avatar */
  constructor(pixels) {
    super('the avatars here have more textures than this page shows');
    this.pixels = pixels;
  }
}

/** The avatar files in use. */
export class Wardrobe {
  #fetch;
  /** @type {Map<string | AvatarFile, Entry>} */
  #entries = new Map();
  /** @type {Map<Avatar, Entry>} */
  #worn = new Map();

  /** @param {(hash: string) => Promise<ArrayBuffer>} fetch */
  constructor(fetch) {
    this.#fetch = fetch;
    /** Avatars that are being fetched and read. */
    this.pending = 0;
  }

  /** Decoded pixels for which there is room. */
  get room() {
    return [...this.#entries.values()].reduce((room, { pixels }) => room - pixels, PIXELS);
  }

  /** Whether a file is open or being opened. @param {string} key */
  has(key) {
    return this.#entries.has(key);
  }

  /**
   * Makes an avatar of a file.
   *
   * @param {string | AvatarFile} key hash of the file on the server, or a file of the page; ownership
   *   of that one is transferred
   * @param {AvatarChoice} choice
   * @returns {Promise<Avatar>} for `giveBack`; rejects with an Error of one line, NoRoom among them
   */
  async take(key, choice) {
    const entry = this.#entries.get(key) ?? this.#open(key);
    entry.users++;
    this.pending++;
    try {
      const avatar = await (await entry.file).create(choice);
      this.#worn.set(avatar, entry);
      return avatar;
    } catch (error) {
      this.#release(entry);
      throw error;
    } finally {
      this.pending--;
    }
  }

  /** Removes an avatar, and with the last of its file the file. @param {Avatar} avatar */
  giveBack(avatar) {
    const entry = this.#worn.get(avatar);
    this.#worn.delete(avatar);
    avatar.dispose();
    if (entry) {
      this.#release(entry);
    }
  }

  /** @param {string | AvatarFile} key @returns {Entry} */
  #open(key) {
    /** @type {Entry} */
    const entry = { key, users: 0, pixels: 0, file: typeof key === 'string'
      ? this.#fetch(key).then((bytes) => new AvatarFile(bytes)) : Promise.resolve(key) };
    this.#entries.set(key, entry);
    entry.file = entry.file.then((file) => {
      const { pixels } = file.facts;
      if (typeof key === 'string' && pixels > this.room) {
        throw new NoRoom(pixels);
      }
      entry.pixels = pixels;
      return file;
    });
    return entry;
  }

  /** @param {Entry} entry */
  #release(entry) {
    if (--entry.users === 0) {
      this.#entries.delete(entry.key);
      entry.file.then((file) => file.dispose(), () => {});
    }
  }
}
