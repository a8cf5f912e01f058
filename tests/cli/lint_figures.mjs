// Makes stick figures as VRM 1.0 documents, each with one problem. All nodes have identity rotations,
// so the expected angles follow from the positions of the joints.
const middle = { hips: [0, 0.9, 0], spine: [0, 1, 0], chest: [0, 1.15, 0], neck: [0, 1.4, 0],
	head: [0, 1.5, 0] };
const left = { Shoulder: [0.05, 1.36, 0], UpperArm: [0.18, 1.36, 0], LowerArm: [0.46, 1.36, 0],
	Hand: [0.72, 1.36, 0], ThumbMetacarpal: [0.74, 1.36, 0.03], ThumbProximal: [0.77, 1.36, 0.06],
	ThumbDistal: [0.8, 1.36, 0.09], MiddleProximal: [0.81, 1.36, 0],
	MiddleIntermediate: [0.85, 1.36, 0], MiddleDistal: [0.88, 1.36, 0],
	UpperLeg: [0.1, 0.88, 0], LowerLeg: [0.1, 0.48, 0], Foot: [0.1, 0.08, 0], Toes: [0.1, 0.02, 0.12] };
const parents = { spine: 'hips', chest: 'spine', neck: 'chest', head: 'neck' };
const leftParents = { Shoulder: 'chest', UpperArm: 'Shoulder', LowerArm: 'UpperArm', Hand: 'LowerArm',
	ThumbMetacarpal: 'Hand', ThumbProximal: 'ThumbMetacarpal', ThumbDistal: 'ThumbProximal',
	MiddleProximal: 'Hand', MiddleIntermediate: 'MiddleProximal', MiddleDistal: 'MiddleIntermediate',
	IndexProximal: 'Hand', LittleProximal: 'Hand',
	UpperLeg: 'hips', LowerLeg: 'UpperLeg', Foot: 'LowerLeg', Toes: 'Foot' };

// Position of each bone of the figure, and parents, also of bones that a change may add.
function body() {
	const at = structuredClone(middle);
	const above = { ...parents };
	for (const [side, sign] of [['left', 1], ['right', -1]]) {
		for (const [bone, [x, y, z]] of Object.entries(left)) {
			at[side + bone] = [sign * x, y, z];
		}
		for (const [bone, parent] of Object.entries(leftParents)) {
			above[side + bone] = parent in middle ? parent : side + parent;
		}
	}
	return { at, above };
}

const radians = (degrees) => (degrees * Math.PI) / 180;

// Rotates the joints of `which` about an axis through a point.
export function turn(at, which, [cx, cy, cz], axis, degrees) {
	const [c, s] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
	for (const bone of Object.keys(at).filter((name) => which.test(name))) {
		const [x, y, z] = [at[bone][0] - cx, at[bone][1] - cy, at[bone][2] - cz];
		const turned = { x: [x, c * y - s * z, s * y + c * z], y: [c * x + s * z, y, c * z - s * x],
			z: [c * x - s * y, s * x + c * y, z] }[axis];
		at[bone] = [turned[0] + cx, turned[1] + cy, turned[2] + cz];
	}
}

// change(at) moves joints, edit(document, nodes) changes the document. Bones of `without` are left
// out of the map, their nodes stay.
export function figure({ change, edit, without = [], scale = 1 } = {}) {
	const { at, above } = body();
	change?.(at);
	const names = Object.keys(at);
	const document = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [],
		extensionsUsed: ['VRMC_vrm'], extensions: { VRMC_vrm: { specVersion: '1.0',
			meta: { name: 'stick', authors: ['tests'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
			humanoid: { humanBones: {} } } } };
	names.forEach((bone, node) => {
		const origin = above[bone] ? at[above[bone]] : [0, 0, 0];
		const children = names.flatMap((name, i) => (above[name] === bone ? [i] : []));
		document.nodes.push({ name: `J_${bone}`,
			translation: at[bone].map((v, i) => scale * (v - origin[i])),
			...(children.length && { children }) });
		if (!without.includes(bone)) {
			document.extensions.VRMC_vrm.humanoid.humanBones[bone] = { node };
		}
	});
	edit?.(document, Object.fromEntries(names.map((bone, node) => [bone, node])));
	return document;
}
