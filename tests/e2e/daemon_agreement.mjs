// Compares the tool, the daemon and clients/js on the same figures: rest poses, rotations and
// positions of bones, limits, masses, and virtual transforms. Closed formulas give the expected
// values (support/seed_figures.mjs). All agree within 1e-5; packets are within the bound of their
// precision.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import {
	BONES, BONE_PARENTS, Figure, PRECISION_DEGREES, PRECISION_METRES, Payload, Skeleton, connect, describeFile,
} from '../../clients/js/index.js';
import { Fitting } from '../../clients/js/fitting.js';
import { runJson } from '../cli/tool.mjs';
import { about, add, inverse, product, turn } from '../figures/arithmetic.mjs';
import { scratch, startDaemon } from './support/daemon.mjs';
import { TABLE } from './support/fixtures.mjs';
import { compose, matrixTimes, partsOf } from './support/matrices.mjs';
import {
	FLAGS, HANIM, JOINTS_1_0, OFFSET, centreOfMassOf, limitsOf, makeExt, makeHanim, massOf,
} from './support/seed_figures.mjs';
import { until } from './support/until.mjs';

const jointcast = process.argv[3];
const ALLOWED = 1e-5; // metres, of scale, and of the chord between unit quaternions
const NOT_CARRIED = 15; // virtual transforms beyond these are in no packet
const IDENTITY = [0, 0, 0, 1];

/** N of each bone: up to 40 degrees about any axis. */
const NORMALIZED = Object.fromEntries(BONES.map((bone, i) =>
	[bone, about([Math.sin(i + 1), Math.cos(2 * i), Math.sin(3 * i)], 40 * Math.cos(i))]));
/** The built-in figure, whose rest has no rotations, so that R is N. */
const BUILT_IN = new Skeleton('', { nodes: TABLE.map(({ name, parent, rest }) => ({ name,
	parent: TABLE.findIndex((bone) => bone.name === parent),
	translation: rest.map((x, k) => x - (TABLE.find((bone) => bone.name === parent)?.rest[k] ?? 0)) })),
bones: Object.fromEntries(TABLE.map(({ name }, i) => [name, i])) });

const distance = (a, b) => Math.hypot(...[...a].map((x, i) => x - b[i]));
const chord = (a, b) => Math.min(distance(a, b), distance(a, [...b].map((x) => -x)));
const slice = (array, from, count) => Array.from(array.subarray(from, from + count));

function near(what, actual, expected, measure = distance, allowed = ALLOWED) {
	const off = measure(actual, expected);
	assert.ok(off <= allowed, `${what} is ${[...actual]}, not ${[...expected]}: ${off}`);
}

/** A table of two equal poses: a motion that stands still. */
function writePose(folder) {
	const file = path.join(folder, 'pose.csv');
	const columns = ['time', 'hips.x', 'hips.y', 'hips.z', ...BONES.flatMap((bone) => ['x', 'y', 'z', 'w'].map((c) => `${bone}.q${c}`))];
	const row = (t) => [t, 0, 0, 0, ...BONES.flatMap((bone) => NORMALIZED[bone])].join();
	writeFileSync(file, `# jointcast poses\n${columns.join()}\n${row(0)}\n${row(1)}\n`);
	return file;
}

// ---- what is expected -----------------------------------------------------------------------

/** N with the rotations of the bones that are missing above, top first. */
function folded(bones, bone) {
	const parts = [NORMALIZED[bone]];
	for (let above = BONE_PARENTS[BONES.indexOf(bone)]; above >= 0 && bones[BONES[above]] === undefined; above = BONE_PARENTS[above])
		parts.unshift(NORMALIZED[BONES[above]]);
	return product(...parts);
}

/** World matrices of nodes [t, q, s] with a parent; R by node. */
function worldsOf(nodes, relative = new Map()) {
	const worlds = [];
	nodes.forEach(({ parent, bind: [t, q, s] }, i) => {
		const own = compose(t, product(q, relative.get(i) ?? IDENTITY), s);
		worlds.push(parent < 0 ? own : matrixTimes(worlds[parent], own));
	});
	return worlds;
}

/** R = W⁻¹ N W of each bone of an EXT figure, W being its rotation as bound. */
function expectRelative({ bones }, rest) {
	return Object.fromEntries(Object.entries(bones).map(([bone, node]) => {
		const { q } = partsOf(rest[node]);
		return [bone, product(inverse(q), folded(bones, bone), q)];
	}));
}

/** OFFSET below a parent of which some parts are respected; the quarter turn about Y exchanges X and Z. */
function expectVirtual(parent, [position, rotation, scale]) {
	if (!parent)
		return OFFSET;
	const { t, q, s } = partsOf(parent);
	const R = rotation ? q : IDENTITY;
	const S = scale ? s : [1, 1, 1];
	const [x, y, z] = position && rotation && scale ? [S[2], S[1], S[0]] : S;
	return { translation: add(position ? t : [0, 0, 0], turn(R, OFFSET.translation.map((v, k) => S[k] * v))),
		rotation: product(R, OFFSET.rotation), scale: OFFSET.scale.map((v, k) => [x, y, z][k] * v) };
}

// ---- the three ------------------------------------------------------------------------------

/** Bones of a descriptor rest where they are bound. */
function compareRest(what, descriptor, { bones }, rest) {
	assert.deepEqual(Object.keys(descriptor.bones).sort(), Object.keys(bones).sort());
	const worlds = restOf(descriptor);
	for (const [bone, node] of Object.entries(bones)) {
		const world = worlds.get(descriptor.nodes[descriptor.bones[bone]].name);
		near(`${what}: ${bone}`, world.slice(12, 15), rest[node].slice(12, 15));
		near(`${what}: ${bone}`, partsOf(world).q, partsOf(rest[node]).q, chord);
	}
}

/** World rest matrices of a descriptor, by name of the node. */
function restOf({ nodes }) {
	const worlds = new Map();
	const worldOf = (i) => {
		const { parent = -1, translation: t = [0, 0, 0], rotation: q = IDENTITY, scale: s = [1, 1, 1] } = nodes[i];
		return parent < 0 ? compose(t, q, s) : matrixTimes(worldOf(parent), compose(t, q, s));
	};
	nodes.forEach(({ name }, i) => worlds.set(name, worldOf(i)));
	return worlds;
}

/** The pose on a skeleton as clients/js computes it from N. */
function poseInJavaScript(descriptor) {
	const skeleton = new Skeleton('', descriptor);
	const payload = new Payload();
	BONES.forEach((bone, i) => payload.rotations.set(NORMALIZED[bone], 4 * i));
	new Fitting(BUILT_IN, skeleton).apply(payload);
	return { skeleton, payload, figure: new Figure(skeleton).pose(payload) };
}

function comparePosed(what, { skeleton, payload, figure }, frame) {
	for (const [bone, { normalized, worldPosition, worldRotation }] of Object.entries(frame.bones)) {
		const index = BONES.indexOf(bone);
		near(`${what}: N of ${bone}`, skeleton.normalizedRotation(index, payload.rotations, []), normalized, chord);
		near(`${what}: place of ${bone}`, figure.position(skeleton.bones[index], []), worldPosition);
		near(`${what}: rotation of ${bone}`, partsOf(slice(figure.worlds, 16 * skeleton.bones[index], 16)).q, worldRotation, chord);
	}
	for (const { name, rotation } of Object.values(frame.nodes))
		near(`${what}: node ${name}`, slice(figure.rotations, 4 * skeleton.findNode(name), 4), rotation, chord);
}

/** A daemon with the pose as its only body; registers files and reads what subscribers receive. */
async function openDaemon(t, pose) {
	const daemon = await startDaemon(t, '--source', `file:${pose}?loop=1`);
	const at = (name, query = '') => `http://127.0.0.1:${daemon.port}/skeletons/${encodeURIComponent(name)}${query}`;
	return {
		async register(name, body, index = 0) {
			const answer = await fetch(at(name, `?index=${index}`), { method: 'PUT', body });
			assert.equal(answer.status, 201, await answer.clone().text());
			const { hash } = await answer.json();
			return { hash, descriptor: await (await fetch(at(name))).json() };
		},
		async sample(skeleton) {
			const client = connect(daemon.url, { WebSocket, skeleton, precision: 'local', sections: ['body', 'face', 'hands', 'hips', 'virtual'] });
			const body = () => [...client.bodies.values()].find(({ skeleton: worn }) => worn?.hash === skeleton);
			try {
				await until('a body on the skeleton', () => body()?.stream.isFollowing && body().sample());
				return body().timeline.at(body().timeline.newest);
			} finally {
				client.close();
			}
		},
	};
}

/** Limits and segments of H-Anim by name of their joint, of the tool or of a descriptor. */
function compareBody(what, limits, segments, nameOf) {
	for (const each of limits) {
		const { lower, upper } = limitsOf(nameOf(each));
		near(`${what}: lower limit of ${nameOf(each)}`, each.lower, lower);
		near(`${what}: upper limit of ${nameOf(each)}`, each.upper, upper);
	}
	for (const each of segments) {
		const joint = JOINTS_1_0.find(({ segment }) => segment === each.name);
		assert.equal(nameOf(each), joint.name);
		assert.ok(Math.abs(each.mass - massOf(joint.name)) <= ALLOWED);
		near(`${what}: centre of mass of ${each.name}`, add(joint.center, each.centerOfMass), centreOfMassOf(joint.name));
	}
	return [limits.length, segments.length];
}

function compareStream(what, { skeleton }, sample, frame) {
	for (const [bone, { normalized }] of Object.entries(frame.bones)) {
		const received = skeleton.normalizedRotation(BONES.indexOf(bone), sample.rotations, []);
		near(`${what}: N of ${bone} in packets`, received, normalized, chord, PRECISION_DEGREES[0] * Math.PI / 360 + ALLOWED);
	}
}

// ---- the figures ----------------------------------------------------------------------------

test('limits of all joints and masses of all segments are in inspect and in the descriptor', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'two.wrl');
	writeFileSync(file, makeHanim());
	const { skeletons: [{ limits, segments }] } = runJson(jointcast, 'inspect', file);
	assert.deepEqual(compareBody('inspect', limits, segments, ({ nodeName, name }) => nodeName ?? name),
		[JOINTS_1_0.length, JOINTS_1_0.length - 1]);
	const { descriptor } = await (await openDaemon(t, writePose(folder))).register('Ada', makeHanim());
	assert.deepEqual(compareBody('descriptor', descriptor.limits, descriptor.segments, ({ node }) => descriptor.nodes[node].name),
		[JOINTS_1_0.length, JOINTS_1_0.length - 1]);
});

test('of H-Anim all joints of 1.0 rest at their centers, in the tool, the daemon and clients/js', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'two.wrl');
	writeFileSync(file, makeHanim());
	const pose = writePose(folder);
	const daemon = await openDaemon(t, pose);
	const { skeletons } = runJson(jointcast, 'inspect', file);
	assert.deepEqual(skeletons.map(({ name }) => name), HANIM.map(({ name }) => name));
	for (const [index, { name, keeps, size }] of HANIM.entries()) {
		const centers = new Map(JOINTS_1_0.filter((joint) => keeps(joint.name)).map((joint) => [joint.name, joint.center.map((x) => size * x)]));
		const { skeleton, frames: [frame] } = runJson(jointcast, 'retarget', pose, file, '--times', '0', '--skeleton-index', index);
		for (const { name: joint, restWorldPosition, restWorldRotation } of Object.values(skeleton.bones)) {
			near(`${name}: ${joint}`, restWorldPosition, centers.get(joint));
			near(`${name}: ${joint}`, restWorldRotation, IDENTITY, chord);
		}
		const { hash, descriptor } = await daemon.register(name, makeHanim(), index);
		const rest = restOf(descriptor);
		// A descriptor may leave out joints below which there is no bone.
		assert.deepEqual([...centers.keys()].filter((joint) => !rest.has(joint) && !joint.endsWith('_metatarsal')), []);
		for (const [joint, center] of [...centers].filter(([known]) => rest.has(known)))
			near(`${name}: ${joint} in the descriptor`, rest.get(joint).slice(12, 15), center);
		assert.deepEqual(Object.fromEntries(Object.entries(descriptor.bones).map(([bone, node]) => [bone, descriptor.nodes[node].name])),
			Object.fromEntries(Object.entries(skeletons[index].bones).map(([bone, { name: joint }]) => [bone, joint])));
		const posed = poseInJavaScript(descriptor);
		assert.ok(Math.abs(posed.skeleton.hipsHeight - skeleton.hipsHeight) <= ALLOWED);
		comparePosed(name, posed, frame);
		compareStream(name, posed, await daemon.sample(hash), frame);
	}
});

test('of EXT_skeleton_humanoid bones rest as they are bound and turn by W⁻¹ N W, in all three', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'two.glb');
	const { bytes, nodes, figures } = makeExt();
	writeFileSync(file, bytes);
	const pose = writePose(folder);
	const daemon = await openDaemon(t, pose);
	const rest = worldsOf(nodes);
	for (const [index, figure] of figures.entries()) {
		const { skeleton, frames: [frame] } = runJson(jointcast, 'retarget', pose, file, '--times', '0', '--skeleton-index', index);
		const relative = expectRelative(figure, rest);
		const worlds = worldsOf(nodes, new Map(Object.entries(figure.bones).map(([bone, node]) => [node, relative[bone]])));
		assert.deepEqual(Object.keys(skeleton.bones).sort(), Object.keys(figure.bones).sort());
		for (const [bone, node] of Object.entries(figure.bones)) {
			near(`${bone} at rest`, skeleton.bones[bone].restWorldPosition, rest[node].slice(12, 15));
			near(`${bone} at rest`, skeleton.bones[bone].restWorldRotation, partsOf(rest[node]).q, chord);
			near(`R of ${bone}`, frame.bones[bone].relative, relative[bone], chord);
			near(`${bone} posed`, frame.bones[bone].worldPosition, worlds[node].slice(12, 15));
		}
		const { hash, descriptor } = await daemon.register(`figure ${index}`, bytes, index);
		const posed = poseInJavaScript(descriptor);
		for (const [what, each] of [['registered', descriptor], ['described', describeFile(bytes, { index })]]) {
			compareRest(`figure ${index}, ${what}`, each, figure, rest);
			comparePosed(`figure ${index}, ${what}`, poseInJavaScript(each), frame);
		}
		compareStream(`figure ${index}`, posed, await daemon.sample(hash), frame);
	}
});

test('virtual transforms with each combination of flags, below a posed parent of uneven scale, are equal in all three', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'two.glb');
	const { bytes, nodes, figures: [figure], virtuals } = makeExt();
	writeFileSync(file, bytes);
	const pose = writePose(folder);
	const daemon = await openDaemon(t, pose);
	const relative = expectRelative(figure, worldsOf(nodes));
	const worlds = worldsOf(nodes, new Map(Object.entries(figure.bones).map(([bone, node]) => [node, relative[bone]])));
	const expected = virtuals.map(({ parent }, i) => expectVirtual(worlds[parent], FLAGS[i % FLAGS.length]));
	const { frames: [{ virtualTransforms }] } = runJson(jointcast, 'retarget', pose, file, '--times', '0');
	const { hash, descriptor } = await daemon.register('sockets', bytes);
	const sample = await daemon.sample(hash);
	const posed = [descriptor, describeFile(bytes)].map((each) => poseInJavaScript(each));

	assert.equal(virtualTransforms.length, virtuals.length);
	assert.equal(descriptor.virtualTransforms.length, virtuals.length);
	assert.ok(sample.virtualCount >= NOT_CARRIED);
	expected.forEach(({ translation, rotation, scale }, i) => {
		const { name, tags, parent, ...flags } = virtuals[i];
		const told = virtualTransforms[i];
		assert.deepEqual([told.name, told.tags], [name, tags]);
		near(`${name}: place`, told.translation, translation);
		near(`${name}: rotation`, told.rotation, rotation, chord);
		near(`${name}: scale`, told.scale, scale);
		for (const { skeleton, figure: each } of posed) {
			const mine = each.virtualTransform(i);
			assert.deepEqual([skeleton.virtualTransforms[i].name, skeleton.virtualTransforms[i].tags], [name, tags]);
			near(`${name}: place in clients/js`, mine.translation, translation);
			near(`${name}: rotation in clients/js`, mine.rotation, rotation, chord);
			near(`${name}: scale in clients/js`, mine.scale, scale);
		}
		const registered = { respectParentPosition: true, respectParentRotation: true, respectParentScale: true, ...descriptor.virtualTransforms[i] };
		assert.deepEqual([registered.name, registered.tags, descriptor.nodes[registered.parent]?.name], [name, tags, nodes[parent]?.name]);
		for (const flag of ['Position', 'Rotation', 'Scale'])
			assert.equal(registered[`respectParent${flag}`], flags[`respectParent${flag}`]);
		if (i < sample.virtualCount) {
			near(`${name}: place in packets`, slice(sample.virtualPositions, 3 * i, 3), translation, distance, Math.sqrt(3) * PRECISION_METRES[0] + ALLOWED);
			near(`${name}: rotation in packets`, slice(sample.virtualRotations, 4 * i, 4), rotation, chord, PRECISION_DEGREES[0] * Math.PI / 360 + ALLOWED);
		}
	});
});
