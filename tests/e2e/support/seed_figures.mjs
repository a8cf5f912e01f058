// Figures for the comparison with the four specifications: a scene with the complete joint list
// of H-Anim 1.0, and a glTF file with EXT_skeleton_humanoid and KHR_virtual_transform. Their rest
// poses are formulas written here, in doubles, without any code under test.

import { about, product } from '../../figures/arithmetic.mjs';
import { TABLE } from './fixtures.mjs';
import { toGlb } from './glb.mjs';
import { compose, inverted, matrixTimes, partsOf } from './matrices.mjs';

// ---- H-Anim --------------------------------------------------------------------------------

// "The Joint Hierarchy" of the 1.0 text: joint and segment, children indented.
const side = (s) => `
  ${s}_hip ${s}_thigh
    ${s}_knee ${s}_calf
      ${s}_ankle ${s}_hindfoot
        ${s}_subtalar ${s}_midproximal
          ${s}_midtarsal ${s}_middistal
            ${s}_metatarsal ${s}_forefoot`;
const hand = (s) => `
  ${s}_sternoclavicular ${s}_clavicle
    ${s}_acromioclavicular ${s}_scapula
      ${s}_shoulder ${s}_upperarm
        ${s}_elbow ${s}_forearm
          ${s}_wrist ${s}_hand
            ${s}_thumb1 ${s}_thumb_metacarpal
              ${s}_thumb2 ${s}_thumb_proximal
                ${s}_thumb3 ${s}_thumb_distal${['index', 'middle', 'ring', 'pinky'].map((finger) => `
            ${s}_${finger}1 ${s}_${finger}_proximal
              ${s}_${finger}2 ${s}_${finger}_middle
                ${s}_${finger}3 ${s}_${finger}_distal`).join('')}`;
const VERTEBRAE = ['vl5', 'vl4', 'vl3', 'vl2', 'vl1', ...Array.from({ length: 12 }, (_, i) => `vt${12 - i}`),
	...Array.from({ length: 7 }, (_, i) => `vc${7 - i}`)];
/** The vertebrae of the 1.0 text that have priority in an incomplete spine. */
export const PRIORITY = ['vl5', 'vl3', 'vl1', 'vt10', 'vt6', 'vc7', 'vc4', 'vc2'];

function parseTree(text, top) {
	const above = [top];
	return text.split('\n').filter(Boolean).map((line) => {
		const [, space, name, segment] = /^( *)(\S+) (\S+)$/.exec(line);
		above[space.length / 2] = name;
		return { name, segment, parent: above[space.length / 2 - 1] };
	});
}

/** All joints of the 1.0 text, parents first: name, parent, segment, center in metres. */
export const JOINTS_1_0 = [{ name: 'HumanoidRoot', parent: null },
	{ name: 'sacroiliac', parent: 'HumanoidRoot', segment: 'pelvis' },
	...parseTree(side('l') + side('r'), 'sacroiliac'),
	...VERTEBRAE.map((name, i) => ({ name, parent: i === 0 ? 'HumanoidRoot' : VERTEBRAE[i - 1], segment: name.slice(1) })),
	{ name: 'skullbase', parent: 'vc1', segment: 'skull' },
	...parseTree(hand('l') + hand('r'), 'vt1')].map((joint) => ({ ...joint, center: centerOf(joint.name) }));

function centerOf(name) {
	const vertebra = VERTEBRAE.indexOf(name);
	const whole = { HumanoidRoot: [0, 0.95, 0], sacroiliac: [0, 0.94, 0.01], skullbase: [0, 1.6, 0.01] };
	if (vertebra >= 0)
		return [0, 1 + 0.024 * vertebra, -0.02 + 0.001 * (vertebra % 5)];
	if (whole[name])
		return whole[name];
	const [, s, part, number] = /^([lr])_([a-z]+?)(\d?)$/.exec(name);
	const single = { hip: [0.09, 0.92, 0], knee: [0.095, 0.5, 0.005], ankle: [0.1, 0.08, -0.03],
		subtalar: [0.1, 0.05, -0.02], midtarsal: [0.1, 0.04, 0.03], metatarsal: [0.1, 0.02, 0.1],
		sternoclavicular: [0.03, 1.42, 0], acromioclavicular: [0.08, 1.44, -0.01], shoulder: [0.18, 1.41, -0.02],
		elbow: [0.2, 1.12, -0.03], wrist: [0.21, 0.86, 0] }[part];
	const finger = { thumb: [0.2, 0.87, 0.005], index: [0.215, 0.8, 0.025], middle: [0.215, 0.8, 0],
		ring: [0.213, 0.8, -0.02], pinky: [0.21, 0.805, -0.04] }[part];
	const [x, y, z] = single ?? [finger[0], finger[1] - 0.03 * number, finger[2] + (part === 'thumb' ? 0.016 * number : 0)];
	return [s === 'l' ? x : -x, y, z];
}

/** The limits of a joint, radians about X, Y and Z. */
export const limitsOf = (name) => {
	const i = JOINTS_1_0.findIndex((joint) => joint.name === name);
	return { upper: [0.5 + i / 100, 0.25, 1], lower: [-0.25, -0.5 - i / 100, -1] };
};
/** The mass of a segment, kg, and its centre. */
export const massOf = (name) => 0.5 + JOINTS_1_0.findIndex((joint) => joint.name === name) / 100;
export const centreOfMassOf = (name) => centerOf(name).map((x) => x + 0.01);

const PROTOS = `PROTO Joint [ exposedField SFString name "" exposedField SFVec3f translation 0 0 0
 exposedField SFRotation rotation 0 0 1 0 exposedField SFVec3f scale 1 1 1
 exposedField SFRotation scaleOrientation 0 0 1 0 exposedField SFVec3f center 0 0 0
 exposedField MFNode children [ ] exposedField MFFloat ulimit [ 0 0 0 ] exposedField MFFloat llimit [ 0 0 0 ] ] {
 Transform { translation IS translation rotation IS rotation scale IS scale
 scaleOrientation IS scaleOrientation center IS center children IS children } }
PROTO Segment [ exposedField SFString name "" exposedField SFFloat mass 0
 exposedField SFVec3f centerOfMass 0 0 0 field SFVec3f bboxCenter 0 0 0 field SFVec3f bboxSize -1 -1 -1
 exposedField MFNode children [ ] ] { Group { children IS children } }
PROTO Humanoid [ exposedField SFString version "1.0" exposedField SFString name "" exposedField MFString info [ ]
 exposedField MFNode joints [ ] exposedField MFNode segments [ ]
 field SFVec3f bboxCenter 0 0 0 field SFVec3f bboxSize -1 -1 -1 ] { WorldInfo { } }
`;

/** A figure without the joints that `keeps` refuses; their children move up. */
function writeTree({ prefix, keeps, size, isDetailed }, parent) {
	return JOINTS_1_0.filter((joint) => joint.parent === parent).map(({ name, segment, center }) => {
		const below = writeTree({ prefix, keeps, size, isDetailed }, name);
		if (!keeps(name))
			return below;
		const { upper, lower } = limitsOf(name);
		const own = segment && isDetailed ? `DEF ${prefix}${segment} Segment { name "${segment}" mass ${massOf(name)}
 centerOfMass ${centreOfMassOf(name).join(' ')} }\n` : '';
		return `DEF ${prefix}${name} Joint { name "${name}" center ${center.map((x) => size * x).join(' ')}
 ${isDetailed ? `ulimit [ ${upper.join(' ')} ] llimit [ ${lower.join(' ')} ] ` : ''}children [\n${own}${below}] }\n`;
	}).join('');
}

/** Two humanoids in one VRML97 file: all joints with limits and masses; and few vertebrae, half as large. */
export const HANIM = [{ name: 'Ada', prefix: 'hanim_', keeps: () => true, size: 1, isDetailed: true },
	{ name: 'Bo', prefix: 'bo_', keeps: (name) => !/^v[lt]/.test(name) || PRIORITY.includes(name), size: 0.5 }];
export const HANIM_INFO = ['authorName=A. Author', 'copyright=2026 nobody'];

export function makeHanim() {
	const used = ({ prefix, keeps }) => JOINTS_1_0.filter(({ name }) => keeps(name)).map(({ name }) => `USE ${prefix}${name}`).join(' ');
	const humanoids = HANIM.map((figure) => `DEF ${figure.name} Humanoid { name "${figure.name}"
 info [ ${HANIM_INFO.map((text) => `"${text}"`).join(' ')} ] joints [ ${used(figure)} ] }`);
	return `#VRML V2.0 utf8\n${PROTOS}${HANIM.map((figure) => writeTree(figure, null)).join('')}${humanoids.join('\n')}
DEF HumanoidGroup Group { children [ ${HANIM.map(({ name }) => `USE ${name}`).join(' ')} ] }\n`;
}

// ---- glTF ----------------------------------------------------------------------------------

const quarterY = about([0, 1, 0], 90);
/** Any rotation, a different one for each number. */
const rotationOf = (i) => product(about([1, 0.3, 0.2], 37 * i), about([0.1, 1, -0.4], 61 * i + 20));
const NODES_BETWEEN = ['spine', 'head', 'leftLowerArm', 'rightHand'];
const LEFT_OUT = /^(chest|upperChest|leftShoulder)$|Toes|Eye|jaw|Thumb|Index|Middle|Ring|Little/;

/** Every combination of the flags: position, rotation, scale. */
export const FLAGS = Array.from({ length: 8 }, (_, i) => [1, 2, 4].map((bit) => (i & bit) !== 0));
/** The offset of all virtual transforms. A quarter turn keeps their products free of shear. */
export const OFFSET = { translation: [0.1, 0.2, -0.05], rotation: quarterY, scale: [1, 1, 2] };

function virtualsOf(parents) {
	return parents.flatMap(({ what, node }) => FLAGS.map(([position, rotation, scale], i) => ({
		name: `${what} ${i}`, ...(node !== undefined && { parent: node }), ...OFFSET, respectParentPosition: position,
		respectParentRotation: rotation, respectParentScale: scale, tags: [what, 'socket'] })));
}

/** Adds one figure to a document: bind world matrices, local transforms of the bind pose, bones. */
function addFigure(document, { prefix, keeps, size, away }) {
	const figure = { bones: {}, nodes: [] };
	const add = (parent, { bind, ...json }, more = {}) => {
		const node = document.nodes.push(json) - 1;
		const world = parent < 0 ? compose(...bind) : matrixTimes(document.worlds[parent], compose(...bind));
		document.worlds.push(world);
		document.locals.push({ parent, bind, ...more });
		figure.nodes.push(node);
		if (parent >= 0)
			(document.nodes[parent].children ??= []).push(node);
		return node;
	};
	const local = (t, q, s = [1, 1, 1]) => ({ bind: [t, q, s], translation: t, rotation: q, scale: s });
	const root = add(-1, { name: `${prefix}armature`, ...local([away, 0, 0], about([1, 0, 0], -90), [size, size, size]) });
	TABLE.filter(({ name }) => keeps(name)).forEach(({ name, parent, rest }, i) => {
		let above = parent;
		while (above && figure.bones[above] === undefined)
			above = TABLE.find((bone) => bone.name === above).parent;
		let node = above ? figure.bones[above] : root;
		if (NODES_BETWEEN.includes(name))
			node = add(node, { name: `${prefix}between ${name}`, ...local([0.01, 0.02, 0], rotationOf(i + 100)) });
		// The bind pose: the place of the table, any rotation, the scale of the armature.
		const world = compose([rest[0] * size + away, rest[1] * size, rest[2] * size], rotationOf(i), [size, size, size]);
		const { t, q } = partsOf(matrixTimes(inverted(document.worlds[node]), world));
		figure.bones[name] = add(node, { name: `${prefix}${name}`, bind: [t, q, [1, 1, 1]],
			rotation: rotationOf(i + 7), translation: [0.3, 0, 0.1 * i] }, { bone: name, isJoint: true });
	});
	figure.root = root;
	figure.socket = add(figure.bones.rightHand, { name: `${prefix}socket`,
		...local([0.02, 0.03, 0.04], about([0, 0, 1], 90), [2, 1, 0.5]) });
	return figure;
}

/**
 * Two humanoids in one .glb: bones in three skins, a node twice, bound otherwise than the nodes
 * stand, nodes between bones; of the second many bones are missing.
 * @returns {{bytes: Buffer, nodes, figures, virtuals}} nodes: name, parent, bind [t, q, s], bone
 */
export function makeExt() {
	const document = { nodes: [], worlds: [], locals: [] };
	const figures = [addFigure(document, { prefix: 'a ', keeps: () => true, size: 1, away: 0 }),
		addFigure(document, { prefix: 'b ', keeps: (name) => !LEFT_OUT.test(name), size: 0.5, away: 2 })];
	const joints = document.locals.flatMap(({ isJoint }, node) => (isJoint ? [node] : []));
	const third = Math.ceil(joints.length / 3);
	const groups = [joints.slice(0, third + 1), joints.slice(third, 2 * third), joints.slice(2 * third)];
	const matrices = groups.map((group) => Buffer.from(new Float32Array(group.flatMap((node) => inverted(document.worlds[node]))).buffer));
	let at = 0;
	const bufferViews = matrices.map(({ length: byteLength }) => ({ buffer: 0, byteOffset: (at += byteLength) - byteLength, byteLength }));
	const virtuals = virtualsOf([{ what: 'socket', node: figures[0].socket }, { what: 'head', node: figures[0].bones.head },
		{ what: 'root' }]);
	const bytes = toGlb({ asset: { version: '2.0' }, extensionsUsed: ['EXT_skeleton_humanoid', 'KHR_virtual_transform'],
		scene: 0, scenes: [{ nodes: figures.map(({ root }) => root) }], nodes: document.nodes,
		skins: groups.map((group, inverseBindMatrices) => ({ joints: group, inverseBindMatrices })),
		accessors: groups.map(({ length: count }, bufferView) => ({ bufferView, componentType: 5126, count, type: 'MAT4' })),
		bufferViews, buffers: [{ byteLength: at }],
		extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: figures.map(({ root, bones }) => ({ rootNode: root, humanoidBones: bones })) },
			KHR_virtual_transform: { virtualTransforms: virtuals } } }, Buffer.concat(matrices));
	const nodes = document.nodes.map(({ name }, i) => ({ name, ...document.locals[i] }));
	return { bytes, nodes, figures, virtuals };
}
