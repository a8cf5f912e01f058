// A glTF document with EXT_skeleton_humanoid whose rest pose is worked out by hand: two skins, a
// turned node between bones that no skin has, nodes that do not stand in the bind pose.

const s = Math.SQRT1_2;
const Z90 = [0, 0, s, s], Y90 = [0, s, 0, s];

/** Inverse bind matrices of joints that are not turned. */
const moved = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1];
/** A joint at (0, 1.2, 0), turned by a quarter about Y: x to -z, z to x. */
const SPINE_INVERSE = [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -1.2, 0, 1];

/** {json, binary}: a new document; the binary chunk has the inverse bind matrices of two skins. */
export function makeExt() {
  const binary = new Uint8Array(Float32Array.from([moved(0, 1, 0), SPINE_INVERSE, moved(0.2, 1.4, 0), moved(-0.2, 1.4, 0)].flat()).buffer);
  // A posed node: no field of it is that of the bind pose.
  const posed = (name, more = {}) => ({ name, translation: [0.3, 0.4, 0.5], rotation: [0.5, 0.5, 0.5, 0.5], ...more });
  const json = {
    asset: { version: '2.0' },
    nodes: [
      { name: 'armature', children: [1] },
      posed('pelvis', { translation: [0, 1, 0], children: [2] }),
      { name: 'between', translation: [0, 0.1, 0], rotation: Z90, children: [3] },
      posed('spine', { children: [4, 5] }),
      posed('arm.L', { children: [6] }),
      posed('arm.R'),
      { name: 'socket', translation: [0.1, 0, 0] },
      { name: 'unneeded' },
    ],
    skins: [{ joints: [1, 3], inverseBindMatrices: 0 }, { joints: [4, 5], inverseBindMatrices: 1 }],
    accessors: [0, 1].map((bufferView) => ({ bufferView, componentType: 5126, count: 2, type: 'MAT4' })),
    bufferViews: [0, 1].map((i) => ({ buffer: 0, byteOffset: 128 * i, byteLength: 128 })),
    buffers: [{ byteLength: 256 }],
    extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [{ rootNode: 0,
      humanoidBones: { hips: 1, spine: 3, leftUpperArm: 4, rightUpperArm: 5 } }] } },
  };
  return { json, binary };
}

/** The nodes of its descriptor. */
export const REST = [
  { name: 'armature', translation: [0, 0, 0], rotation: [0, 0, 0, 1], parent: -1 },
  { name: 'pelvis', translation: [0, 1, 0], rotation: [0, 0, 0, 1], parent: 0 },
  { name: 'between', translation: [0, 0.1, 0], rotation: Z90, parent: 1 },
  // From (0, 1.1, 0), turned by a quarter about Z: up is -x there, so +y of the world is +x.
  { name: 'spine', translation: [0.1, 0, 0], rotation: [0.5, 0.5, -0.5, 0.5], parent: 2 },
  { name: 'arm.L', translation: [0, 0.2, 0.2], rotation: [0, -s, 0, s], parent: 3 },
  { name: 'arm.R', translation: [0, 0.2, -0.2], rotation: [0, -s, 0, s], parent: 3 },
];
