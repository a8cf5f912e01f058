// The visitor's own avatar: read by the page, registered with the server by its descriptor, and sent to
// the viewers only after the visitor's consent.

import { checkAvatar } from 'jointcast';
import { AvatarFile, reasonOf } from 'jointcast/three';
import { nameAfter } from './fitted.js';

const MEGABYTE = 1e6;

/** Why a server takes no such file; null if it does. Files of the page may be larger. */
function refusalOf(bytes) {
  try {
    checkAvatar(bytes);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The only avatar of a file: what both share is freed with it. */
function own(file, avatar) {
  const dispose = avatar.dispose.bind(avatar);
  avatar.dispose = () => {
    dispose();
    file.dispose();
  };
  return avatar;
}

export class OwnAvatar {
  #client = null;
  #file = null;
  #facts = null;
  #refusal = null; // why no server takes the file
  #descriptor = null;
  #registration = null; // {client, options}: of the descriptor, promised
  #shared = null; // {hash, expires}: the file on the server
  #state = 'none';
  #changed;

  /** @param {() => void} changed called after each change of `view` */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The values for `Wardrobe.show`. */
  get view() {
    return { state: this.#state, file: this.#file?.name, expires: this.#shared?.expires ?? null,
      ...this.#obstacle() };
  }

  get file() {
    return this.#file;
  }

  /** The contents of the file, with its terms of use. @returns {import('jointcast').AvatarFacts} */
  get facts() {
    return this.#facts;
  }

  /** Options of a publication that wears it; empty until the server knows its skeleton. */
  get options() {
    if (this.#shared)
      return { avatar: this.#shared.hash };
    return this.#registration?.client === this.#client ? this.#registration.options : {};
  }

  /** A connection replaces the former one: another server may know nothing of the avatar. */
  set client(client) {
    this.#client = client;
    this.#changed();
  }

  /** Why the file cannot be sent to the viewers. */
  #obstacle() {
    const permitted = this.#client?.avatars;
    if (!this.#client?.welcome)
      return { obstacle: 'connection' };
    if (!permitted?.upload)
      return { obstacle: 'refused' };
    if (this.#file?.size > permitted.bytes)
      return { obstacle: 'size', values: { size: (this.#file.size / MEGABYTE).toFixed(1),
        most: (permitted.bytes / MEGABYTE).toFixed(1) } };
    return this.#refusal ? { obstacle: 'caps', values: { reason: this.#refusal } } : { obstacle: null };
  }

  #become(state) {
    this.#state = state;
    this.#changed();
  }

  /**
   * Reads a file in place of the former one, which is withdrawn.
   *
   * @param {File} file
   * @returns {Promise<import('jointcast/three').Avatar>} owned by the caller
   * @throws {Error} with a message of one line for people; the former avatar is kept
   */
  async read(file) {
    const before = this.#state;
    this.#become('reading');
    try {
      const opened = await AvatarFile.open(file);
      const { descriptor, registration } = await this.#recognize(opened, file);
      const avatar = own(opened, await opened.create({ descriptor }));
      const refusal = refusalOf(await file.arrayBuffer());
      await this.withdraw();
      this.#file = file;
      this.#facts = opened.facts;
      this.#refusal = refusal;
      this.#descriptor = avatar.descriptor;
      this.#registration = registration;
      this.#become('local');
      return avatar;
    } catch (error) {
      this.#become(before);
      throw new Error(`${file.name}: ${reasonOf(error)}`);
    }
  }

  /** A figure that does not name its bones: the server recognises them in its nodes. */
  async #recognize(opened, file) {
    const client = this.#client;
    if (opened.hasHumanoid)
      return { descriptor: null, registration: null };
    const { hash, descriptor } = await client.recognizeSkeleton(nameAfter(file.name), opened.reduced());
    return { descriptor, registration: { client, options: { skeleton: hash } } };
  }

  /** Takes it off; the server deletes the file. */
  async remove() {
    const withdrawn = this.withdraw();
    this.#file = this.#facts = this.#descriptor = this.#registration = null;
    this.#become('none');
    await withdrawn;
  }

  /** Registers its skeleton: its bones without its mesh, so that bodies arrive on exactly it. */
  async register() {
    const client = this.#client;
    if (!this.#descriptor || this.#shared || this.#registration?.client === client)
      return;
    const descriptor = this.#descriptor;
    const { hash } = await client.registerSkeleton(nameAfter(this.#file.name), descriptor);
    if (client === this.#client && descriptor === this.#descriptor)
      this.#registration = { client, options: { skeleton: hash } };
  }

  /**
   * Sends the file to the server. All clients that may watch the body may load it there.
   *
   * @param {{rights: string, licence: string}} declared by the visitor
   */
  async share(declared) {
    const file = this.#file;
    this.#become('sending');
    try {
      const { hash, expires } = await this.#client.uploadAvatar(await file.arrayBuffer(), declared);
      this.#shared = { hash, expires: new Date(1000 * expires) };
    } finally {
      if (this.#state === 'sending')
        this.#become(this.#shared ? 'shared' : 'local');
    }
  }

  /** The server has removed the file: it expired, or a moderator blocked it. */
  lose() {
    this.#shared = null;
    if (this.#state === 'shared')
      this.#become('local');
  }

  /** The server deletes the file; the avatar stays in the page. */
  async withdraw() {
    const shared = this.#shared;
    this.#shared = null;
    if (this.#state === 'shared')
      this.#become('local');
    if (shared)
      await this.#client.removeAvatar(shared.hash);
  }
}
