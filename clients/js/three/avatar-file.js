// An avatar file: VRM, glTF with EXT_skeleton_humanoid, or another glTF figure whose bones a server has
// recognised. Each avatar of a file is an instance of its own; geometries and textures are shared.

import { AnimationClip, Camera, Light, LoadingManager, Mesh } from 'three';
import { AVATAR_CAPS, checkAvatar } from '../avatar/check.js';
import { matchFigure, reduceGltf } from '../avatar/match.js';
import { readGltfFigure } from '../describe.js';
import { splitGltf } from '../gltf.js';
import { disposeDeeply } from './avatar.js';
import { GltfAvatar } from './gltf-avatar.js';
/**
 * @import { BufferGeometry, Object3D } from 'three'
 * @import { GLTF } from 'three/addons/loaders/GLTFLoader.js'
 * @import { AvatarCaps } from '../avatar/avatar-reader.js'
 * @import { AvatarFacts } from '../avatar/check.js'
 * @import { Descriptor } from '../descriptor.js'
 * @import { Avatar } from './avatar.js'
 */

/**
 * Which avatar of a file.
 *
 * @typedef {object} AvatarChoice
 * @property {number} [index] One of several humanoids of EXT_skeleton_humanoid, from 0.
 * @property {Descriptor | null} [descriptor] Of the file's skeleton, from a server; for files that do
 *   not name their bones.
 */

/** A file of the visitor may be larger than those that a server sends. */
export const LOCAL_CAPS = Object.freeze(/** @type {AvatarCaps} */ (
  Object.fromEntries(Object.entries(AVATAR_CAPS).map(([name, cap]) => [name, 8 * cap]))));

/** Shortens an error to one line. @param {any} error */
export function reasonOf(error) {
  const text = String(error?.message ?? error).split('\n')[0].replace(/^THREE\.\w+: ?/, '');
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

/** The URL modifier is the second defence: `checkAvatar` refuses such files. */
async function makeLoader() {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const manager = new LoadingManager();
  manager.setURLModifier((url) => {
    if (!/^(blob|data):/.test(url)) {
      throw new Error('it refers to other files');
    }
    return url;
  });
  return new GLTFLoader(manager);
}

/** Lights and cameras of a file do not belong to a body. @param {Object3D} scene */
function leaveOut(scene) {
  /** @type {Object3D[]} */
  const others = [];
  scene.traverse((part) => {
    if (part instanceof Light || part instanceof Camera) {
      others.push(part);
    }
  });
  others.forEach((part) => part.removeFromParent());
}

/** Checks what three-vrm would accept silently. @param {any} json @param {string} version */
function checkBones(json, version) {
  // VRM 1.0 lists bones by name, VRM 0.x as an array of {bone, node}.
  /** @type {[string, any][]} */
  const bones = Object.entries(json.extensions[version]?.humanoid?.humanBones ?? {});
  const stray = bones.find(([, entry]) => !json.nodes?.[entry?.node]);
  if (stray) {
    throw new Error(`its bone '${stray[1]?.bone ?? stray[0]}' is not a node of the file`);
  }
}

/** An avatar file that passed the check. */
export class AvatarFile {
  #bytes;
  #json;
  #binary;
  /** Caches of GLTFLoader's parser: all instances use the same geometries and textures. */
  #caches = { primitiveCache: {}, textureCache: {}, sourceCache: {} };
  /** Groups of each geometry after the first parse; three-vrm adds those of outlines at each. @type {Map<BufferGeometry, BufferGeometry['groups']>} */
  #groups = new Map();
  /** @type {Promise<unknown>} */
  #busy = Promise.resolve();
  /** The first instance; it holds the shared resources. @type {Object3D | null} */
  #first = null;
  #isDisposed = false;

  /**
   * @param {ArrayBuffer} bytes .glb, .vrm or .gltf
   * @param {Readonly<AvatarCaps>} [caps]
   * @throws {Error} with one line: what is wrong with the file
   */
  constructor(bytes, caps = AVATAR_CAPS) {
    this.#bytes = bytes;
    /** Contents of the file. @type {AvatarFacts} @readonly */
    this.facts = checkAvatar(bytes, caps);
    const { json, binary } = splitGltf(bytes);
    this.#json = json;
    this.#binary = binary;
    const { VRMC_vrm: v1, VRM: v0 } = json.extensions ?? {};
    /** Name of the VRM extension in the file; '' without one. */
    this.version = v1 ? 'VRMC_vrm' : v0 ? 'VRM' : '';
    if (this.version) {
      checkBones(json, this.version);
    }
  }

  /**
   * Reads a file of the visitor.
   *
   * @param {Blob} file
   * @throws {Error} as the constructor
   */
  static async open(file) {
    if (file.size > LOCAL_CAPS.bytes) {
      throw new Error(`larger than ${LOCAL_CAPS.bytes >> 20} MB`);
    }
    return new AvatarFile(await file.arrayBuffer(), LOCAL_CAPS);
  }

  /** Whether `dispose` was called: no more avatars can be made. */
  get isDisposed() {
    return this.#isDisposed;
  }

  /** Whether the file names its bones, so that no descriptor is needed. */
  get hasHumanoid() {
    return Boolean(this.version || this.#json.extensions?.EXT_skeleton_humanoid);
  }

  /** Nodes and skins of the file, for `Client.recognizeSkeleton`. */
  reduced() {
    return reduceGltf(this.#json, this.#binary);
  }

  /**
   * Makes an avatar.
   *
   * @param {AvatarChoice} [choice]
   * @returns {Promise<Avatar>} rejects with an Error of one line
   */
  create(choice = {}) {
    // One after the other: the parser's caches are complete after the first.
    const made = this.#busy.then(() => this.#make(choice));
    this.#busy = made.catch(() => {});
    return made.catch((error) => {
      throw new Error(reasonOf(error), { cause: error });
    });
  }

  /** @param {AvatarChoice} choice @returns {Promise<Avatar>} */
  async #make({ index = 0, descriptor = null }) {
    if (this.#isDisposed) {
      throw new Error('the avatar is no longer needed');
    }
    if (this.version) {
      const { VrmAvatar, readVrms } = await import('./vrm-avatar.js');
      return new VrmAvatar(await this.#parse(readVrms));
    }
    const humanoid = this.#json.extensions?.EXT_skeleton_humanoid;
    const figure = humanoid ? readGltfFigure(this.#json, { binary: this.#binary, index })
      : matchFigure(this.#json, descriptor);
    return new GltfAvatar(await this.#parse(), figure, humanoid?.humanoidSkeletons?.length ?? 1);
  }

  /**
   * @param {(loader: import('three/addons/loaders/GLTFLoader.js').GLTFLoader) => void} [prepare]
   * @returns {Promise<GLTF>}
   */
  async #parse(prepare) {
    const loader = await makeLoader();
    prepare?.(loader);
    loader.register((parser) => {
      Object.assign(parser, this.#caches);
      // Animations of a file do not belong to a body.
      return { name: 'JOINTCAST_shared', loadAnimation: async () => new AnimationClip('', 0, []) };
    });
    const gltf = await loader.parseAsync(this.#bytes, '');
    leaveOut(gltf.scene);
    const isFirst = this.#first === null;
    this.#first ??= gltf.scene;
    gltf.scene.traverse((part) => {
      if (!(part instanceof Mesh)) {
        return;
      }
      const { geometry } = part;
      if (isFirst) {
        this.#groups.set(geometry, geometry.groups.map((/** @type {any} */ group) => ({ ...group })));
      } else {
        geometry.groups = (this.#groups.get(geometry) ?? []).map((group) => ({ ...group }));
      }
    });
    return gltf;
  }

  /** Frees the shared resources; no avatar of the file may be in use. */
  dispose() {
    this.#isDisposed = true;
    if (this.#first) {
      disposeDeeply(this.#first);
    }
  }
}

/**
 * Reads one avatar from a file of the visitor: a VRM 0.x or 1.0, or the first humanoid of
 * EXT_skeleton_humanoid. The mesh stays in the page.
 *
 * @param {File} file
 * @returns {Promise<Avatar>}
 * @throws {Error} with a message of one line for people
 */
export async function readAvatar(file) {
  try {
    const opened = await AvatarFile.open(file);
    const avatar = await opened.create();
    const dispose = avatar.dispose.bind(avatar);
    avatar.dispose = () => {
      dispose();
      opened.dispose();
    };
    return avatar;
  } catch (error) {
    throw new Error(`${file.name}: ${reasonOf(error)}`);
  }
}
