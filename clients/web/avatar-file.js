// Reads an avatar from a file of the visitor: a VRM, or glTF with EXT_skeleton_humanoid. The mesh
// never leaves the page.

import { LoadingManager } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { readGltfFigure, splitGltf } from 'jointcast';
import { GltfAvatar, VrmAvatar } from './avatar.js';

const FILE_BYTES = 256 * 1024 * 1024;

/** Unsupported compressions: their decoders are larger than the rest of the page. */
const UNREAD = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_texture_basisu'];

/** Checks a document before the loader, for clearer messages. */
function inspect(json) {
  const { VRMC_vrm: v1, VRM: v0, EXT_skeleton_humanoid: ext } = json.extensions ?? {};
  if (!v1 && !v0 && !ext)
    throw new Error('it is a glTF, but has no humanoid: neither VRM nor EXT_skeleton_humanoid');
  const packed = UNREAD.find((extension) => json.extensionsRequired?.includes?.(extension)) ??
    // The loader refuses each file that mentions Draco, even if Draco is not required.
    json.extensionsUsed?.find?.((extension) => extension === UNREAD[0]);
  if (packed)
    throw new Error(`it needs ${packed}, which this page does not support`);
  // VRM 1.0 lists bones by name, VRM 0.x as an array of {bone, node}.
  const bones = Object.entries((v1 ?? v0)?.humanoid?.humanBones ?? {});
  const [name, bone] = bones.find(([, entry]) => !json.nodes?.[entry?.node]) ?? [];
  if (name !== undefined)
    throw new Error(`its bone '${bone?.bone ?? name}' is not a node of the file`);
}

/** Shortens an error to one line. */
function reason(error) {
  const text = String(error?.message ?? error).split('\n')[0].replace(/^THREE\.\w+: ?/, '');
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

function makeLoader() {
  const manager = new LoadingManager();
  manager.setURLModifier((url) => {
    if (!/^(blob|data):/.test(url))
      throw new Error('it refers to other files');
    return url;
  });
  const loader = new GLTFLoader(manager);
  loader.register((parser) => new VRMLoaderPlugin(parser));
  return loader;
}

/** Three-vrm moves a VRM, with its springs and expressions, also if the file has both extensions. */
async function load(buffer) {
  const { json, binary } = splitGltf(buffer);
  inspect(json);
  const isVrm = json.extensions.VRMC_vrm || json.extensions.VRM;
  const figure = isVrm ? null : readGltfFigure(json, { binary });
  const gltf = await makeLoader().parseAsync(buffer, '');
  if (figure)
    return new GltfAvatar(gltf, figure, json.extensions.EXT_skeleton_humanoid.humanoidSkeletons?.length ?? 1);
  if (!gltf.userData.vrm?.humanoid?.getNormalizedBoneNode('hips'))
    throw new Error('its humanoid has no hips');
  return new VrmAvatar(gltf);
}

/**
 * Reads a VRM 0.x or 1.0, or the first humanoid of EXT_skeleton_humanoid.
 * @param {File} file
 * @throws {Error} with a message of one line for people
 */
export async function readAvatar(file) {
  if (file.size > FILE_BYTES)
    throw new Error(`${file.name}: larger than ${FILE_BYTES >> 20} MB`);
  try {
    return await load(await file.arrayBuffer());
  } catch (error) {
    throw new Error(`${file.name}: ${reason(error)}`);
  }
}
