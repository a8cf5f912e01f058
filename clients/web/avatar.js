// Reads a VRM from a file of the visitor and moves it with the motion of a body, through
// three-vrm's normalised bones. The mesh never leaves the page.

import { Group, LoadingManager, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';
import { BONES, VrmWearer } from 'jointcast';

const FILE_BYTES = 256 * 1024 * 1024;
const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;

/** Unsupported compressions: their decoders are larger than the rest of the page. */
const UNREAD = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_texture_basisu'];

/** Checks the file before the loader, for clearer messages; returns the fault, or null. */
function inspect(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== GLB_MAGIC)
    return 'it is not a VRM (no GLB header)';
  if (view.getUint32(4, true) !== 2)
    return `GLB version ${view.getUint32(4, true)} is not supported, only 2`;
  if (view.getUint32(8, true) > buffer.byteLength)
    return 'the file is truncated';
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK || length > buffer.byteLength - 20)
    return 'its first chunk is not JSON';
  let json;
  try {
    json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  } catch {
    return 'its JSON is damaged';
  }
  const { VRMC_vrm: v1, VRM: v0 } = json?.extensions ?? {};
  if (!v1 && !v0)
    return 'it is a glTF, but has no VRM humanoid';
  const packed = UNREAD.find((extension) => json.extensionsRequired?.includes?.(extension)) ??
    // The loader refuses each file that mentions Draco, even if Draco is not required.
    json.extensionsUsed?.find?.((extension) => extension === UNREAD[0]);
  if (packed)
    return `it needs ${packed}, which this page does not support`;
  // VRM 1.0 lists bones by name, VRM 0.x as an array of {bone, node}.
  const bones = Object.entries((v1 ?? v0).humanoid?.humanBones ?? {});
  const [name, bone] = bones.find(([, entry]) => !json.nodes?.[entry?.node]) ?? [];
  if (name !== undefined)
    return `its bone '${bone?.bone ?? name}' is not a node of the file`;
  return null;
}

/** Shortens the loader's error to one line. */
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

/**
 * Reads a VRM 0.x or 1.0.
 * @param {File} file
 * @throws {Error} with a message of one line for people
 */
export async function readVrm(file) {
  if (file.size > FILE_BYTES)
    throw new Error(`${file.name}: larger than ${FILE_BYTES >> 20} MB`);
  const buffer = await file.arrayBuffer();
  const wrong = inspect(buffer);
  if (wrong)
    throw new Error(`${file.name}: ${wrong}`);
  let vrm;
  try {
    ({ vrm } = (await makeLoader().parseAsync(buffer, '')).userData);
  } catch (error) {
    throw new Error(`${file.name}: ${reason(error)}`);
  }
  if (!vrm?.humanoid?.getNormalizedBoneNode('hips'))
    throw new Error(`${file.name}: its humanoid has no hips`);
  return vrm;
}

export class Avatar {
  #vrm;
  #wearer = null;
  #skeleton = null; // of the wearer
  #points = new Map();
  #fresh = true;

  /** @param {object} vrm ownership is transferred */
  constructor(vrm) {
    this.#vrm = vrm;
    VRMUtils.rotateVRM0(vrm);
    this.group = new Group();
    this.group.add(vrm.scene);
    vrm.scene.traverse((part) => {
      if (!part.isMesh)
        return;
      part.castShadow = true;
      part.receiveShadow = true;
      part.frustumCulled = false;
    });
    for (const bone of BONES)
      if (vrm.humanoid.getRawBoneNode(bone))
        this.#points.set(bone, new Vector3());
  }

  /** Applies a body's sample; `seconds` since the last call move the spring bones. */
  wear(sample, seconds, body) {
    if (body.skeleton !== this.#skeleton) {
      this.#skeleton = body.skeleton;
      this.#wearer = new VrmWearer(this.#vrm, body.skeleton);
    }
    this.#wearer.wear(sample);
    this.#wearer.express(body, sample);
    this.group.position.fromArray(sample.position);
    this.group.rotation.y = sample.yaw;
    if (this.#fresh) {
      // Hair and cloth start at the position of the body, not at the origin.
      this.#vrm.update(0);
      this.group.updateMatrixWorld(true);
      this.#vrm.springBoneManager?.reset();
      this.#fresh = false;
    }
    this.#vrm.update(Math.min(seconds, 0.1));
    this.group.updateMatrixWorld(true);
  }

  /** Maps the names of the avatar's bones to their positions in the space. */
  get points() {
    for (const [bone, point] of this.#points)
      point.setFromMatrixPosition(this.#vrm.humanoid.getRawBoneNode(bone).matrixWorld);
    return this.#points;
  }

  dispose() {
    this.group.removeFromParent();
    VRMUtils.deepDispose(this.#vrm.scene);
  }
}
