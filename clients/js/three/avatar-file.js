// Reads an avatar: a VRM, or glTF with EXT_skeleton_humanoid.

import { LoadingManager } from 'three';
import { readGltfFigure } from '../describe.js';
import { splitGltf } from '../gltf.js';
import { GltfAvatar } from './gltf-avatar.js';
/**
 * @import { Avatar } from './avatar.js'
 */

const FILE_BYTES = 256 * 1024 * 1024;

/** Unsupported compressions: their decoders are larger than the rest of a page. */
const UNREAD = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_texture_basisu'];

/** Checks a document before the loader, for clearer messages. @param {any} json */
function inspect(json) {
  const { VRMC_vrm: v1, VRM: v0, EXT_skeleton_humanoid: ext } = json.extensions ?? {};
  if (!v1 && !v0 && !ext) {
    throw new Error('it is a glTF, but has no humanoid: neither VRM nor EXT_skeleton_humanoid');
  }
  const packed = UNREAD.find((extension) => json.extensionsRequired?.includes?.(extension)) ??
    // The loader refuses each file that mentions Draco, even if Draco is not required.
    json.extensionsUsed?.find?.((/** @type {unknown} */ extension) => extension === UNREAD[0]);
  if (packed) {
    throw new Error(`it needs ${packed}, which this page does not support`);
  }
  // VRM 1.0 lists bones by name, VRM 0.x as an array of {bone, node}.
  /** @type {[string, any][]} */
  const bones = Object.entries((v1 ?? v0)?.humanoid?.humanBones ?? {});
  const stray = bones.find(([, entry]) => !json.nodes?.[entry?.node]);
  if (stray) {
    throw new Error(`its bone '${stray[1]?.bone ?? stray[0]}' is not a node of the file`);
  }
}

/** Shortens an error to one line. @param {any} error */
function reason(error) {
  const text = String(error?.message ?? error).split('\n')[0].replace(/^THREE\.\w+: ?/, '');
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

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

/**
 * Three-vrm moves a VRM, with its springs and expressions, also if the file has both extensions.
 *
 * @param {ArrayBuffer} buffer
 * @returns {Promise<Avatar>}
 */
async function load(buffer) {
  const { json, binary } = splitGltf(buffer);
  inspect(json);
  const loader = await makeLoader();
  if (json.extensions.VRMC_vrm || json.extensions.VRM) {
    const { VrmAvatar, readVrms } = await import('./vrm-avatar.js');
    readVrms(loader);
    return new VrmAvatar(await loader.parseAsync(buffer, ''));
  }
  const figure = readGltfFigure(json, { binary });
  return new GltfAvatar(await loader.parseAsync(buffer, ''), figure,
    json.extensions.EXT_skeleton_humanoid.humanoidSkeletons?.length ?? 1);
}

/**
 * Reads a VRM 0.x or 1.0, or the first humanoid of EXT_skeleton_humanoid. The mesh stays in the page.
 *
 * @param {File} file
 * @returns {Promise<Avatar>}
 * @throws {Error} with a message of one line for people
 */
export async function readAvatar(file) {
  if (file.size > FILE_BYTES) {
    throw new Error(`${file.name}: larger than ${FILE_BYTES >> 20} MB`);
  }
  try {
    return await load(await file.arrayBuffer());
  } catch (error) {
    throw new Error(`${file.name}: ${reason(error)}`);
  }
}
