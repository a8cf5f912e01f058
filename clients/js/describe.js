// Makes skeleton descriptors (proto/SKELETONS.md, "Skeleton descriptors") of files, of avatars loaded by
// three-vrm, and of three.js scenes. The descriptors contain no mesh.

import { bindPose } from './bind-pose.js';
import { ProtocolError } from './error.js';
import { checkBones, findHumanoid } from './gltf-humanoid.js';
import { GltfDocument, readLocal, splitGltf } from './gltf.js';
import { objectsOfNodes } from './objects.js';
import { BONES } from './tables.js';
import { collectVirtualTransforms } from './virtual-transform.js';

const NAME_BYTES = 255;
const BACKWARD = [0, 1, 0, 0]; // a VRM 0.x faces -Z

const invalid = (what) => new ProtocolError('invalid', what);

/** Shortens a name to the limit of a descriptor: 255 bytes. */
function shortName(name) {
  return typeof name === 'string' && new TextEncoder().encode(name).length <= NAME_BYTES ? name : '';
}

/**
 * Numbers the nodes that bones and virtual transforms depend on, parents first.
 *
 * @template T
 * @param {Map<string, T>} bones node of each
 * @param {{parent: T | -1}[]} virtuals -1: no parent
 * @param {(node: T) => T | null} parentOf
 * @param {(node: T) => object} describe name, translation, rotation, scale
 */
function collect(bones, virtuals, parentOf, describe) {
  const numbers = new Map();
  const nodes = [];
  const add = (node) => {
    const path = [];
    for (let at = node; at !== null && !numbers.has(at); at = parentOf(at)) {
      if (path.includes(at)) {
        throw invalid('a node that is its own ancestor');
      }
      path.push(at);
    }
    for (const at of path.reverse()) {
      const parent = parentOf(at);
      numbers.set(at, nodes.length);
      nodes.push({ ...describe(at), parent: parent === null ? -1 : numbers.get(parent) });
    }
    return numbers.get(node);
  };
  const numbered = Object.fromEntries([...bones].map(([bone, node]) => [bone, add(node)]));
  const virtualTransforms = virtuals.map((virtual) =>
    ({ ...virtual, parent: virtual.parent === -1 ? -1 : add(virtual.parent) }));
  return { parts: { bones: numbered, nodes, ...(virtualTransforms.length > 0 && { virtualTransforms }) },
    sources: [...numbers.keys()] };
}

/**
 * Reads a humanoid of a glTF document: the one that EXT_skeleton_humanoid or VRM defines, or the
 * bones in `options`. The rest pose is the bind pose of the skins; in VRM, that of the nodes.
 *
 * @param {object} gltf JSON of the document
 * @param {object} [options] index of one of several humanoids; bones: node index by name; name,
 *   facing, floor; binary: the binary chunk of a .glb; buffers(uri): bytes of another file
 * @returns {{descriptor: object, nodes: number[], rest: object[]}} nodes: index in the document of
 *   each node of the descriptor; rest: translation, rotation and scale of each node of the document
 * @throws {ProtocolError} if the document defines no such humanoid
 */
export function readGltfFigure(gltf, { index = 0, bones, binary, buffers, ...figure } = {}) {
  const document = new GltfDocument(gltf, { binary, buffers });
  const humanoid = bones ? { isBound: true, bones: new Map(Object.entries(bones).filter(([bone]) => BONES.includes(bone))) }
    : findHumanoid(document, index);
  checkBones(document, humanoid.bones);
  const { nodes } = document;
  const rest = humanoid.isBound ? bindPose(document, humanoid.bones) : nodes.map(({ local }) => local);
  const virtuals = collectVirtualTransforms(gltf).filter(humanoid.owns ?? (() => true));
  const { name, format, facing, floor } = { ...humanoid, ...figure };
  const { parts, sources } = collect(humanoid.bones, virtuals,
    (node) => (nodes[node].parent < 0 ? null : nodes[node].parent),
    (node) => ({ name: shortName(nodes[node].name), ...rest[node] }));
  return { descriptor: { name: shortName(name), format, facing, floor, ...parts }, nodes: sources, rest };
}

/** Makes the descriptor of a humanoid of a glTF document; parameters as of readGltfFigure. */
export function describeGltf(gltf, options) {
  return readGltfFigure(gltf, options).descriptor;
}

/**
 * Makes the descriptor of a file: .vrm, .glb or .gltf.
 *
 * @param {ArrayBuffer | Uint8Array} file
 * @param {object} [options] as of describeGltf
 */
export function describeFile(file, options) {
  const { json, binary } = splitGltf(file);
  return describeGltf(json, { binary, ...options });
}

const vector = ({ x, y, z }) => [x, y, z];
const quaternion = ({ x, y, z, w }) => [x, y, z, w];

/**
 * Makes the descriptor of three.js objects in their current pose, which should be the rest pose.
 *
 * @param {object} root of the figure; its own placement is ignored
 * @param {Record<string, object>} bones object of each
 * @param {object} [figure] name, facing, floor; virtualTransforms with an object as `parent`
 */
export function describeScene(root, bones, figure = {}) {
  const { rest = new Map(), virtualTransforms = [], ...rests } = figure;
  const known = new Map(Object.entries(bones).filter(([bone, node]) => BONES.includes(bone) && node));
  const attached = virtualTransforms.map((virtual) => ({ ...virtual, parent: virtual.parent ?? -1 }));
  return { ...rests, name: shortName(figure.name),
    ...collect(known, attached, ({ parent }) => (!parent || parent === root ? null : parent), (node) => ({
      name: shortName(node.name), translation: vector(node.position),
      rotation: quaternion(node.quaternion), scale: vector(node.scale), ...rest.get(node),
    })).parts };
}

/** The virtual transforms of a loaded file that have an object as parent, or none. */
function loadedVirtuals({ parser }, objects) {
  return collectVirtualTransforms(parser?.json ?? {})
    .filter(({ parent }) => parent < 0 || objects[parent])
    .map((virtual) => ({ ...virtual, parent: objects[virtual.parent] ?? null }));
}

/**
 * Makes the descriptor of a VRM that three-vrm loaded, in any pose.
 *
 * @param {object} vrm of @pixiv/three-vrm, 0.x or 1.0
 * @param {object} [gltf] what GLTFLoader returned; its virtual transforms are kept
 */
export function describeVrm(vrm, gltf = {}) {
  const isOld = vrm.meta?.metaVersion === '0';
  const objects = objectsOfNodes(gltf);
  const bones = {};
  const rest = new Map();
  objects.forEach((object, i) => rest.set(object, readLocal(gltf.parser.json.nodes[i], `nodes[${i}]`)));
  for (const bone of BONES) {
    const node = vrm.humanoid.getRawBoneNode(bone);
    const { position, rotation } = vrm.humanoid.rawRestPose[bone] ?? {};
    if (node) {
      bones[bone] = node;
      rest.set(node, { ...(position && { translation: [...position] }), ...(rotation && { rotation: [...rotation] }) });
    }
  }
  return describeScene(vrm.scene, bones, { name: vrm.meta?.name ?? vrm.meta?.title, rest, floor: 0,
    virtualTransforms: loadedVirtuals(gltf, objects),
    ...(isOld ? { format: 'vrm-0.x', facing: BACKWARD } : { format: 'vrm-1.0' }) });
}
