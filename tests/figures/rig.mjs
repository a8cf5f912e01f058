// Builds the nodes of a figure and moves them. README.md describes the numbered steps.
import { about, add, identity, inverse, minus, product, scaled, times, turn } from './arithmetic.mjs';
import { body, part } from './body.mjs';

// Options of a figure; maps are keyed by bone name.
const plain = {
	without: [], // bones that it lacks
	facing: identity, // its model space in canonical space
	bind: () => identity, // K^-1: how far its bind pose is off the T-pose
	rest: () => identity, // W: how the axes of a bone lie in the T-pose
	above: () => [], // nodes between a bone and the one below: { name, q, t, s }
	roots: [], // nodes above the hips, by name
	place: ({ at }) => at, // of a joint in the T-pose
	size: 1,
};

export function makeRig(change) {
	return { ...plain, ...change };
}

const has = (rig, name) => !rig.without.includes(name);

export function bonesOf(rig) {
	return body.filter(({ name }) => has(rig, name)).map(({ name }) => name);
}

export function mappedParent(rig, name) {
	let parent = part[name].parent;
	while (parent && !has(rig, parent)) {
		parent = part[parent].parent;
	}
	return parent;
}

// World of a node below a parent's: rotation q, position p, uniform scale s.
const below = (parent, { t = [0, 0, 0], q = identity, s = 1 }) => ({
	q: times(parent.q, q),
	p: add(parent.p, scaled(turn(parent.q, t), parent.s)),
	s: parent.s * s,
});
const local = (parent, { q, p }) => ({
	q: times(inverse(parent.q), q),
	t: scaled(turn(inverse(parent.q), minus(p, parent.p)), 1 / parent.s),
	s: 1,
});
const origin = { q: identity, p: [0, 0, 0], s: 1 };

// Step 1: world of each bone in the bind pose, canonical axes turned to facing.
function bindWorlds(rig) {
	const worlds = {};
	for (const name of bonesOf(rig)) {
		const parent = mappedParent(rig, name);
		const at = scaled(rig.place(part[name]), rig.size);
		const offset = parent ? minus(at, scaled(rig.place(part[parent]), rig.size)) : at;
		const p = parent ? add(worlds[parent].p, turn(rig.bind(parent), offset)) : at;
		worlds[name] = { q: times(rig.bind(name), rig.rest(name)), p };
	}
	return Object.fromEntries(Object.entries(worlds).map(([name, { q, p }]) =>
		[name, { q: times(rig.facing, q), p: turn(rig.facing, p) }]));
}

// Step 2: nodes with local transforms, parents first; bones maps to their indices.
export function makeNodes(rig) {
	const binds = bindWorlds(rig);
	const nodes = [];
	const worlds = [];
	const bones = {};
	const put = (name, parent, transform) => {
		nodes.push({ name, parent, ...transform });
		worlds.push(below(parent < 0 ? origin : worlds[parent], transform));
		return nodes.length - 1;
	};
	let root = -1;
	rig.roots.forEach(({ name, ...transform }) => {
		root = put(name, root, { t: [0, 0, 0], q: identity, s: 1, ...transform });
	});
	for (const name of bonesOf(rig)) {
		let parent = mappedParent(rig, name) ? bones[mappedParent(rig, name)] : root;
		rig.above(name).forEach(({ name: between, ...transform }) => {
			parent = put(between, parent, { t: [0, 0, 0], q: identity, s: 1, ...transform });
		});
		bones[name] = put(name, parent, local(parent < 0 ? origin : worlds[parent], binds[name]));
	}
	return { nodes, bones, worlds };
}

// Steps 3 to 6: by bone, the local rotation and translation of its node and where
// it stands, with the body turned by `turned` and the hips gone `way` heights.
// `point` is where the hips are measured; their joint if it is absent.
export function poseNodes(rig, { nodes, bones }, { turned, way }, height, point) {
	const names = new Map(Object.entries(bones).map(([name, node]) => [node, name]));
	const worlds = [];
	const posed = {};
	nodes.forEach((node, index) => {
		const parent = node.parent < 0 ? origin : worlds[node.parent];
		const name = names.get(index);
		worlds[index] = below(parent, node);
		if (!name) {
			return;
		}
		worlds[index].q = product(rig.facing, turned[name], rig.rest(name));
		if (name === 'hips') {
			// The hips stand where their turn about the point of that height leaves them.
			const stand = scaled(rig.place(part.hips), rig.size);
			const arm = point ? add(stand, scaled(point, -1)) : [0, 0, 0];
			const foot = add(stand, scaled(arm, -1));
			worlds[index].p = turn(rig.facing, add(add(foot, turn(turned.hips, arm)), scaled(way, height)));
		}
		const { q, t } = local(parent, worlds[index]);
		posed[name] = { rotation: q, translation: t, worldPosition: worlds[index].p };
	});
	return posed;
}

// The reference pose of EXT_skeleton_humanoid: +Y along the bone, +X the axis
// about which a muscle bends it. Left and middle; to mirror across x = 0, a
// direction changes its x, an axis of rotation its y and z.
const h = Math.SQRT1_2;
const references = [
	[/Shoulder/, [1, 0, 0], [0, 0, 1]], // raises: +X towards +Y
	[/UpperArm/, [1, 0, 0], [0, 0, -1]], // lowers: +X towards -Y
	[/LowerArm/, [1, 0, 0], [0, -1, 0]], // to the front: +X towards +Z
	[/UpperLeg/, [0, -1, 0], [-1, 0, 0]], // to the front: -Y towards +Z
	[/LowerLeg/, [0, -1, 0], [1, 0, 0]], // back: -Y towards -Z
	[/Foot/, [0, 0, 1], [-1, 0, 0]], // up: +Z towards +Y
	[/Toes/, [0, 0, 1], [1, 0, 0]], // down: +Z towards -Y
	[/Thumb/, [h, 0, h], [0, 1, 0]], // to the palm: towards +X - Z
	[/Hand|Middle/, [1, 0, 0], [0, 0, -1]], // down: +X towards -Y
	[/./, [0, 1, 0], [1, 0, 0]], // trunk and head forward: +Y towards +Z
];

export function referenceAxes(name) {
	const [, along, bend] = references.find(([pattern]) => pattern.test(name));
	const right = name.startsWith('right');
	return { y: right ? [-along[0], along[1], along[2]] : along,
		x: right ? [bend[0], -bend[1], -bend[2]] : bend };
}

// Rotations of no particular kind, by name.
export function anyRotation(name, salt) {
	const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, salt);
	return about([Math.sin(seed), Math.cos(2 * seed), Math.sin(3 * seed)], 30 + (seed % 120));
}
