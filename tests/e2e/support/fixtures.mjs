// Files that the tests make themselves: a small VRM of either version and a BVH
// of the CMU family. All shapes and motions are formulas written here.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './daemon.mjs';
import { toGlb } from './glb.mjs';

export const { bones: TABLE } = JSON.parse(readFileSync(path.join(ROOT, 'proto/joints.json'), 'utf8'));
const BODY = TABLE.filter(({ section }) => section === 'body');

/** A box about each joint, skinned to it alone: positions, joint indices, triangles. */
function boxes(joints, half) {
  const positions = [];
  const skin = [];
  const triangles = [];
  const faces = [[0, 2, 1, 1, 2, 3], [4, 5, 6, 5, 7, 6], [0, 1, 4, 1, 5, 4], [2, 6, 3, 3, 6, 7],
    [0, 4, 2, 2, 4, 6], [1, 3, 5, 3, 7, 5]].flat();
  joints.forEach(([x, y, z], joint) => {
    const first = positions.length / 3;
    for (let corner = 0; corner < 8; corner++) {
      positions.push(x + (corner & 1 ? half : -half), y + (corner & 2 ? half : -half),
        z + (corner & 4 ? half : -half));
      skin.push(joint, 0, 0, 0);
    }
    triangles.push(...faces.map((i) => first + i));
  });
  return { positions, skin, triangles };
}

/** Positions of the body bones of the built-in skeleton, `scale` times its measures. */
function stand(scale, turn = 1) {
  return BODY.map(({ rest: [x, y, z] }) => [turn * x * scale, y * scale, turn * z * scale]);
}

/**
 * A .glb of boxes about joints at these positions, bound there without rotation. `pose`: fields
 * of a node that differ from the bind pose, by its bone.
 */
function skinned(world, half, extensions, { pose = () => ({}) } = {}) {
  const indexOf = (name) => BODY.findIndex((bone) => bone.name === name);
  const nodes = BODY.map(({ name, parent }, i) => {
    const from = parent ? world[indexOf(parent)] : [0, 0, 0];
    const children = BODY.flatMap((bone, j) => (bone.parent === name ? [j] : []));
    return { name: `J_${name}`, translation: world[i].map((x, k) => x - from[k]),
      ...(children.length ? { children } : {}), ...pose(name) };
  });
  const { positions, skin, triangles } = boxes(world, half);
  const vertices = positions.length / 3;
  const parts = [
    Buffer.from(new Float32Array(positions).buffer),
    Buffer.from(new Uint16Array(skin).buffer),
    Buffer.from(new Float32Array(skin.map((_, i) => (i % 4 ? 0 : 1))).buffer),
    Buffer.from(new Uint16Array(triangles).buffer),
    Buffer.from(new Float32Array(world.flatMap(([x, y, z]) =>
      [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1])).buffer),
  ];
  const bounds = [0, 1, 2].map((k) => positions.filter((_, i) => i % 3 === k));
  const kinds = [[5126, vertices, 'VEC3', { min: bounds.map((v) => Math.min(...v)),
    max: bounds.map((v) => Math.max(...v)) }], [5123, vertices, 'VEC4'], [5126, vertices, 'VEC4'],
  [5123, triangles.length, 'SCALAR'], [5126, BODY.length, 'MAT4']];
  let at = 0;
  const bufferViews = parts.map((part) => {
    const view = { buffer: 0, byteOffset: at, byteLength: part.length };
    at += part.length;
    return view;
  });
  return toGlb({
    asset: { version: '2.0', generator: 'jointcast tests' },
    extensionsUsed: Object.keys(extensions),
    extensions,
    scene: 0,
    scenes: [{ nodes: [0, BODY.length] }],
    nodes: [...nodes, { name: 'Body', mesh: 0, skin: 0 }],
    skins: [{ joints: BODY.map((_, i) => i), inverseBindMatrices: 4 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, indices: 3,
      material: 0 }] }],
    materials: [{ name: 'plain', pbrMetallicRoughness: { baseColorFactor: [0.9, 0.9, 0.9, 1] } }],
    accessors: kinds.map(([componentType, count, type, bounded], bufferView) =>
      ({ bufferView, componentType, count, type, ...bounded })),
    bufferViews,
    buffers: [{ byteLength: at }],
  }, Buffer.concat(parts));
}

/**
 * A VRM whose body bones stand in a T-pose with identity rotations, `scale` times
 * the built-in skeleton's measures. Version 0 faces -Z, as VRM 0.x does.
 */
export function makeVrm(version, scale = 0.9, virtualTransforms = []) {
  const humanBones = BODY.map(({ name }, node) => [name, { node }]);
  const meta = { 0: { title: 'fixture', author: 'jointcast', version: '1' },
    1: { name: 'fixture', authors: ['jointcast'], licenseUrl: 'https://vrm.dev/licenses/1.0/' } };
  const extensions = {
    0: { VRM: { specVersion: '0.0', meta: meta[0],
      humanoid: { humanBones: humanBones.map(([bone, { node }]) => ({ bone, node })) },
      materialProperties: [], firstPerson: {}, blendShapeMaster: { blendShapeGroups: [] },
      secondaryAnimation: { boneGroups: [], colliderGroups: [] } } },
    1: { VRMC_vrm: { specVersion: '1.0', meta: meta[1],
      humanoid: { humanBones: Object.fromEntries(humanBones) } } },
  }[version];
  return skinned(stand(scale, version === 0 ? -1 : 1), 0.05 * scale,
    { ...extensions, ...(virtualTransforms.length > 0 && { KHR_virtual_transform: { virtualTransforms } }) });
}

/** Index of a bone's node in these files. */
export const nodeOf = (bone) => BODY.findIndex(({ name }) => name === bone);

/**
 * A .glb with EXT_skeleton_humanoid, bound in a T-pose, whose nodes are posed: each is turned by
 * `degrees` about X, except the hips.
 */
export function makeExt({ scale = 0.9, degrees = 60, virtualTransforms = [] } = {}) {
  const half = (degrees * Math.PI) / 360;
  const rotation = [Math.sin(half), 0, 0, Math.cos(half)];
  const extensions = {
    EXT_skeleton_humanoid: { humanoidSkeletons: [{ rootNode: 0,
      humanoidBones: Object.fromEntries(BODY.map(({ name }, node) => [name, node])) }] },
    ...(virtualTransforms.length > 0 && { KHR_virtual_transform: { virtualTransforms } }),
  };
  return skinned(stand(scale), 0.05 * scale, extensions,
    { pose: (name) => (name === 'hips' ? {} : { rotation }) });
}

const VERTEBRAE = [['vl', 5], ['vt', 12], ['vc', 7]].flatMap(([part, count]) =>
  Array.from({ length: count }, (_, i) => `${part}${count - i}`));
/** Joints of each side: name, parent, center of the left one. */
const LIMBS = [
  ['sternoclavicular', 'vt1', [0.03, 1.42, 0]], ['shoulder', 'sternoclavicular', [0.18, 1.42, -0.02]],
  ['elbow', 'shoulder', [0.19, 1.13, -0.02]], ['wrist', 'elbow', [0.2, 0.87, 0]],
  ['hip', 'sacroiliac', [0.09, 0.92, 0]], ['knee', 'hip', [0.1, 0.5, 0]], ['ankle', 'knee', [0.1, 0.09, -0.03]],
  ['midtarsal', 'ankle', [0.1, 0.02, 0.08]],
];

/** An H-Anim 1.0 figure in VRML97 with all 24 vertebrae, of segments from 1.5 to 3 cm. */
export function makeHanim() {
  const joints = new Map([['HumanoidRoot', [null, [0, 0.95, 0]]], ['sacroiliac', ['HumanoidRoot', [0, 0.94, 0]]]]);
  let high = 1;
  VERTEBRAE.forEach((name, i) => {
    joints.set(name, [VERTEBRAE[i - 1] ?? 'HumanoidRoot', [0, high, -0.01 * Math.sin(i / 4)]]);
    high += 0.015 + 0.005 * (i % 4);
  });
  joints.set('skullbase', ['vc1', [0, high, 0.01]]);
  for (const [side, sign] of [['l', 1], ['r', -1]])
    for (const [name, parent, [x, y, z]] of LIMBS)
      joints.set(`${side}_${name}`, [joints.has(parent) ? parent : `${side}_${parent}`, [sign * x, y, z]]);
  const write = (name) => `DEF hanim_${name} Joint { name "${name}" center ${joints.get(name)[1].join(' ')} children [ ${
    [...joints].filter(([, [parent]]) => parent === name).map(([child]) => write(child)).join(' ')} ] }`;
  return `#VRML V2.0 utf8
PROTO Joint [ exposedField SFString name "" exposedField SFVec3f translation 0 0 0 exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f center 0 0 0 exposedField MFNode children [] ]
{ Transform { translation IS translation rotation IS rotation center IS center children IS children } }
PROTO Humanoid [ exposedField SFString version "1.0" exposedField SFString name "" exposedField MFNode joints [] ] { Group {} }
${write('HumanoidRoot')}
DEF Humanoid Humanoid { name "figure" joints [ ${[...joints.keys()].map((name) => `USE hanim_${name}`).join(' ')} ] }
`;
}

const JOINTS = [
  // name, parent, offset in inches as CMU writes them
  ['Hips', null, [0, 37, 0]],
  ['LowerBack', 'Hips', [0, 2, 0]],
  ['Spine', 'LowerBack', [0, 5, -0.2]],
  ['Spine1', 'Spine', [0, 5, 0]],
  ['Neck', 'Spine1', [0, 7, 0.2]],
  ['Head', 'Neck', [0, 4, 0.5]],
  ['LeftShoulder', 'Spine1', [1.2, 5, 0]],
  ['LeftArm', 'LeftShoulder', [5.8, 0, 0]],
  ['LeftForeArm', 'LeftArm', [11, 0, 0]],
  ['LeftHand', 'LeftForeArm', [10, 0, 0]],
  ['RightShoulder', 'Spine1', [-1.2, 5, 0]],
  ['RightArm', 'RightShoulder', [-5.8, 0, 0]],
  ['RightForeArm', 'RightArm', [-11, 0, 0]],
  ['RightHand', 'RightForeArm', [-10, 0, 0]],
  ['LeftUpLeg', 'Hips', [3.6, -1.5, 0]],
  ['LeftLeg', 'LeftUpLeg', [0, -16.5, 0]],
  ['LeftFoot', 'LeftLeg', [0, -16.5, -1.2]],
  ['LeftToeBase', 'LeftFoot', [0, -2.3, 5.2]],
  ['RightUpLeg', 'Hips', [-3.6, -1.5, 0]],
  ['RightLeg', 'RightUpLeg', [0, -16.5, 0]],
  ['RightFoot', 'RightLeg', [0, -16.5, -1.2]],
  ['RightToeBase', 'RightFoot', [0, -2.3, 5.2]],
];

const FINGERS = ['Left', 'Right'].flatMap((side) => ['Thumb', 'Index', 'Middle', 'Ring', 'Pinky'].flatMap((finger, i) =>
  [1, 2, 3].map((n) => [`${side}Hand${finger}${n}`, n === 1 ? `${side}Hand` : `${side}Hand${finger}${n - 1}`,
    [(side === 'Left' ? 1 : -1) * (n === 1 ? 3 : 1.2), 0, n === 1 ? 1.5 - 0.7 * i : 0]])));

/**
 * A BVH in which every joint turns about all axes, no two alike, and no moment is like another.
 * `hands`: with fingers.
 */
export function makeBvh({ frames = 240, frameTime = 1 / 120, hands = false } = {}) {
  const joints = hands ? [...JOINTS, ...FINGERS] : JOINTS;
  const lines = ['HIERARCHY'];
  const write = (name, offset, depth) => {
    const tab = '\t'.repeat(depth);
    const children = joints.filter(([, parent]) => parent === name);
    lines.push(`${tab}${depth ? 'JOINT' : 'ROOT'} ${name}`, `${tab}{`,
      `${tab}\tOFFSET ${(depth ? offset : [0, 0, 0]).join(' ')}`,
      depth ? `${tab}\tCHANNELS 3 Zrotation Yrotation Xrotation`
        : `${tab}\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation`);
    for (const [child, , childOffset] of children)
      write(child, childOffset, depth + 1);
    if (children.length === 0)
      lines.push(`${tab}\tEnd Site`, `${tab}\t{`,
        `${tab}\t\tOFFSET ${offset.map((x) => x / 2).join(' ')}`, `${tab}\t}`);
    lines.push(`${tab}}`);
  };
  write('Hips', JOINTS[0][2], 0);
  // Depth first, as the hierarchy is written.
  const order = lines.flatMap((line) => /(?:ROOT|JOINT) (\w+)/.exec(line)?.[1] ?? []);
  lines.push('MOTION', `Frames: ${frames}`, `Frame Time: ${frameTime}`);
  for (let f = 0; f < frames; f++) {
    const phase = (f / frames) * 2 * Math.PI;
    const values = [2 * Math.sin(phase), 37 + Math.cos(2 * phase), 40 * (f / frames)];
    order.forEach((_, j) => {
      for (let axis = 0; axis < 3; axis++)
        values.push((4 + ((3 * j + axis) % 5) * 4)
          * Math.sin(phase * (1 + (j % 3)) + j + 2 * axis));
    });
    lines.push(values.map((v) => v.toFixed(5)).join(' '));
  }
  return `${lines.join('\n')}\n`;
}
