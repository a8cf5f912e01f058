// Makes skeleton descriptors (proto/SKELETONS.md, "Skeleton descriptors") of files, of avatars loaded by
// three-vrm, and of three.js scenes. The descriptors contain no mesh.

import { bindPose } from './gltf/bind-pose.js';
import { ProtocolError } from './error.js';
import { checkBones, findHumanoid } from './gltf/gltf-humanoid.js';
import { GltfDocument, readLocal, splitGltf } from './gltf.js';
import { objectsOfNodes } from './objects.js';
import { BONES } from './tables.js';
import { collectVirtualTransforms } from './virtual-transform.js';
/**
 * @import { Descriptor, DescriptorNode, DescriptorVirtualTransform } from './descriptor.js'
 * @import { GltfNode } from './gltf.js'
 * @import { Humanoid } from './gltf/gltf-humanoid.js'
 * @import { Quaternion, Vector } from './quat.js'
 * @import { Transform } from './virtual-transform.js'
 */

/**
 * Properties of a figure besides its nodes.
 *
 * @typedef {object} FigureOptions
 * @property {string} [name]
 * @property {[number, number, number, number]} [facing] Turns canonical space into the figure's:
 *   [0, 1, 0, 0] for one that faces -Z.
 * @property {number} [floor] Level of the ground, metres along canonical up.
 */

/**
 * The fields of three.js objects that are read here.
 *
 * @typedef {object} SceneNode
 * @property {string} [name]
 * @property {SceneNode | null} parent
 * @property {{ x: number; y: number; z: number }} position
 * @property {{ x: number; y: number; z: number; w: number }} quaternion
 * @property {{ x: number; y: number; z: number }} scale
 */

/**
 * Which humanoid of a file, and where its other parts are.
 *
 * @typedef {object} FileOptions
 * @property {number} [index] One of several humanoids of EXT_skeleton_humanoid, from 0.
 * @property {{ [bone: string]: number }} [bones] Node index by bone, for files that do not identify
 *   their bones.
 * @property {Uint8Array | null} [binary] The binary chunk of a .glb; `describeFile` finds it in the
 *   file.
 * @property {(uri: string) => Uint8Array | ArrayBuffer | undefined} [buffers] Returns the bytes of
 *   another file for the URI of a buffer.
 */

/**
 * Options for files.
 *
 * @typedef {FigureOptions & FileOptions} DescribeOptions
 */

/**
 * A virtual transform with an object in place of the index of the parent; null: a root.
 *
 * @typedef {Omit<DescriptorVirtualTransform, 'parent'> & { parent?: SceneNode | null }} SceneVirtualTransform
 */

/**
 * Parts of a scene besides its nodes.
 *
 * @typedef {object} SceneParts
 * @property {SceneVirtualTransform[]} [virtualTransforms]
 */

/**
 * A humanoid of a glTF document.
 *
 * @typedef {object} GltfFigure
 * @property {Descriptor} descriptor
 * @property {number[]} nodes Index in the document of each node of the descriptor.
 * @property {Transform[]} rest Local rest transform of each node of the document.
 */

const NAME_BYTES = 255;
/** @type {Quaternion} */
const BACKWARD = [0, 1, 0, 0]; // a VRM 0.x faces -Z

/** @param {string} what */
const invalid = (what) => new ProtocolError('invalid', what);

/** Shortens a name to the limit of a descriptor: 255 bytes. @param {unknown} name */
function shortName(name) {
  return typeof name === 'string' && new TextEncoder().encode(name).length <= NAME_BYTES ? name : '';
}

/**
 * Numbers the nodes that bones and virtual transforms depend on, parents first.
 *
 * @template T
 * @param {Map<string, T>} bones node of each
 * @param {{ parent: T | -1 }[]} virtuals -1: no parent
 * @param {(node: T) => T | null} parentOf
 * @param {(node: T) => DescriptorNode} describe
 * @returns {{ parts: Pick<Descriptor, 'bones' | 'nodes' | 'virtualTransforms'>, sources: T[] }}
 */
function collect(bones, virtuals, parentOf, describe) {
  /** @type {Map<T, number>} */
  const numbers = new Map();
  /** @type {DescriptorNode[]} */
  const nodes = [];
  /** @param {T} node */
  const add = (node) => {
    /** @type {T[]} */
    const path = [];
    for (let at = /** @type {T | null} */ (node); at !== null && !numbers.has(at); at = parentOf(at)) {
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
    return numbers.get(node) ?? -1;
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
 * @param {DescribeOptions} [options] index of one of several humanoids; bones: node index by name;
 *   name, facing, floor; binary: the binary chunk of a .glb; buffers(uri): bytes of another file
 * @returns {GltfFigure} nodes: index in the document of each node of the descriptor; rest:
 *   translation, rotation and scale of each node of the document
 * @throws {ProtocolError} if the document defines no such humanoid
 */
export function readGltfFigure(gltf, { index = 0, bones, binary, buffers, ...figure } = {}) {
  const document = new GltfDocument(gltf, { binary, buffers });
  /** @type {Partial<Humanoid> & Pick<Humanoid, 'bones'>} */
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

/**
 * Describes a glTF document from its JSON: the humanoid that EXT_skeleton_humanoid, VRM 1.0 or VRM
 * 0.x defines (the first of these that is present), or `bones`. The rest pose is the bind pose of
 * the skins; in VRM, that of the nodes. Virtual transforms are kept.
 *
 * @param {object} gltf
 * @param {DescribeOptions} [options]
 * @returns {Descriptor}
 */
export function describeGltf(gltf, options) {
  return readGltfFigure(gltf, options).descriptor;
}

/**
 * Describes a .vrm, .glb or .gltf file; throws ProtocolError for anything else.
 *
 * @param {ArrayBuffer | Uint8Array} file
 * @param {DescribeOptions} [options] as of describeGltf
 * @returns {Descriptor}
 */
export function describeFile(file, options) {
  const { json, binary } = splitGltf(file);
  return describeGltf(json, { binary, ...options });
}

/** @type {(vector: { x: number, y: number, z: number }) => Vector} */
const vector = ({ x, y, z }) => [x, y, z];
/** @type {(rotation: { x: number, y: number, z: number, w: number }) => Quaternion} */
const quaternion = ({ x, y, z, w }) => [x, y, z, w];

/**
 * Rest transforms of nodes that stand in another pose, and the format.
 *
 * @typedef {{ rest?: Map<SceneNode, Partial<Transform>>, format?: string }} RestOfScene
 */

/**
 * Makes the descriptor of three.js objects in their current pose, which should be the rest pose.
 *
 * @param {SceneNode} root of the figure; its own placement is ignored
 * @param {{ [bone: string]: SceneNode }} bones object of each
 * @param {FigureOptions & SceneParts} [figure]
 * @returns {Descriptor}
 */
export function describeScene(root, bones, figure = {}) {
  return describeObjects(root, bones, figure);
}

/**
 * @param {SceneNode} root
 * @param {{ [bone: string]: SceneNode }} bones
 * @param {FigureOptions & SceneParts & RestOfScene} figure
 * @returns {Descriptor}
 */
function describeObjects(root, bones, { rest, virtualTransforms = [], ...figure }) {
  const known = new Map(Object.entries(bones).filter(([bone, node]) => BONES.includes(bone) && node));
  const attached = virtualTransforms.map((virtual) =>
    ({ ...virtual, parent: virtual.parent ?? /** @type {const} */ (-1) }));
  /** @param {SceneNode} node */
  const parentOf = ({ parent }) => (!parent || parent === root ? null : parent);
  return { ...figure, name: shortName(figure.name),
    ...collect(known, attached, parentOf, (node) => ({
      name: shortName(node.name), translation: vector(node.position),
      rotation: quaternion(node.quaternion), scale: vector(node.scale), ...rest?.get(node),
    })).parts };
}

/**
 * The virtual transforms of a loaded file that have an object as parent, or none.
 *
 * @param {any} gltf
 * @param {any[]} objects
 * @returns {SceneVirtualTransform[]}
 */
function loadedVirtuals({ parser }, objects) {
  return collectVirtualTransforms(parser?.json ?? {})
    .filter(({ parent }) => parent < 0 || objects[parent])
    .map((virtual) => ({ ...virtual, parent: objects[virtual.parent] ?? null }));
}

/**
 * Makes the descriptor of a VRM that three-vrm loaded, in any pose.
 *
 * @param {object} vrm of three-vrm, 0.x or 1.0
 * @param {object} [gltf] what GLTFLoader returned; its virtual transforms are kept
 * @returns {Descriptor}
 */
export function describeVrm(vrm, gltf = {}) {
  const { meta, humanoid, scene } = /** @type {any} */ (vrm);
  const { parser } = /** @type {any} */ (gltf);
  const isOld = meta?.metaVersion === '0';
  const objects = objectsOfNodes(gltf);
  /** @type {{ [bone: string]: SceneNode }} */
  const bones = {};
  const rest = new Map();
  objects.forEach((object, i) => rest.set(object, readLocal(parser.json.nodes[i], `nodes[${i}]`)));
  for (const bone of BONES) {
    const node = humanoid.getRawBoneNode(bone);
    const { position, rotation } = humanoid.rawRestPose[bone] ?? {};
    if (node) {
      bones[bone] = node;
      rest.set(node, { ...(position && { translation: [...position] }), ...(rotation && { rotation: [...rotation] }) });
    }
  }
  return describeObjects(scene, bones, { name: meta?.name ?? meta?.title, rest, floor: 0,
    virtualTransforms: loadedVirtuals(gltf, objects),
    ...(isOld ? { format: 'vrm-0.x', facing: BACKWARD } : { format: 'vrm-1.0' }) });
}
