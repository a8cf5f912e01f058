// Tests `jointcast inspect` and `jointcast lint` with props: glTF files without a humanoid that have
// virtual transforms. Expected places are worked out by hand.
import assert from 'node:assert/strict';
import test from 'node:test';
import { toGlb } from '../e2e/support/glb.mjs';
import { scratch, write } from './files.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('prop');
const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-6, `${a}, not ${b}`));

/* A chair 1 m to the front, turned by a quarter about Y: its +X leads along -Z, its +Z along +X. The
 * cushion is 0.45 up and 0.1 along its +X, and twice as wide. */
const SIT = { name: 'sit', parent: 1, translation: [0.05, 0, 0.1], tags: ['seating', 'front row'] };
const HANDLE = { name: 'handle', parent: 1, translation: [0, 0.5, 0], respectParentScale: false };
const ENTRANCE = { name: 'entrance', translation: [0, 0, 3] };
const makeChair = (virtualTransforms, more = {}) => ({ asset: { version: '2.0' },
	nodes: [{ name: 'chair', rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], translation: [0, 0, 1], children: [1] },
		{ name: 'cushion', translation: [0.1, 0.45, 0], scale: [2, 1, 1] }, { name: 'lamp' }],
	extensionsUsed: ['KHR_virtual_transform'],
	extensions: { KHR_virtual_transform: { virtualTransforms } }, ...more });
const file = (name, content) => write(folder, name,
	name.endsWith('.glb') ? toGlb(content) : JSON.stringify(content));
const all = [SIT, HANDLE, ENTRANCE];
const chair = file('chair.gltf', makeChair(all));

test('inspect describes nodes and virtual transforms of a prop', () => {
	for (const path of [chair, file('chair.glb', makeChair(all))]) {
		const { skeletons, motions, props, cut } = runJson(jointcast, 'inspect', path);
		assert.deepEqual([skeletons, motions, cut], [[], [], false]);
		const [prop] = props;
		assert.deepEqual([props.length, prop.index, prop.format, prop.lint], [1, 0, 'gltf', []]);
		assert.match(prop.reason, /^no humanoid: /);
		assert.deepEqual(prop.nodes.map(({ node, name, parent }) => [node, name, parent]),
			[[0, 'chair', null], [1, 'cushion', 0], [2, 'lamp', null]]);
		near(prop.nodes[1].worldPosition, [0, 0.45, 0.9]);
		const [sit, handle, entrance] = prop.virtualTransforms;
		assert.deepEqual([sit.index, sit.name, sit.parent, sit.tags], [0, 'sit', 1, ['seating', 'front row']]);
		assert.deepEqual([handle.parent, handle.tags, entrance.parent], [1, [], null]);
		const flags = (v) => [v.respectParentPosition, v.respectParentRotation, v.respectParentScale];
		assert.deepEqual([sit, handle].map(flags), [[true, true, true], [true, true, false]]);
		// 2 x 0.05 along -Z, 0.1 along +X.
		near(sit.translation, [0.1, 0.45, 0.8]);
		near(sit.rotation, [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
		near(sit.scale, [2, 1, 1]);
		near([...handle.translation, ...handle.scale], [0, 0.95, 0.9, 1, 1, 1]);
		near(entrance.translation, [0, 0, 3]);
	}
});

test('inspect prints a prop as text', () => {
	const { status, stdout } = run(jointcast, 'inspect', chair);
	assert.equal(status, 0);
	for (const line of [/^prop 0: gltf ''$/m, /^ {2}reason +no humanoid: /m,
		/^ {2}node +1 'cushion' on node 0 'chair', position 0 0\.45 0\.9$/m, /^ {2}node +2 'lamp', position 0 0 0$/m,
		/^ {2}virtual +0 'sit' on node 1 'cushion', tags 'seating' 'front row'\n +position 0\.1 0\.45 0\.8, rotation 0 0\.7071 0 0\.7071, scale 2 1 1$/m,
		/^ {2}virtual +1 'handle' on node 1 'cushion', without the scale of its parent$/m,
		/^ {2}virtual +2 'entrance'\n +position 0 0 3, /m]) {
		assert.match(stdout, line);
	}
});

test('an animation of a prop is no motion of a body', () => {
	const data = Buffer.from(Float32Array.of(0, 1, 0, 0, 0, 0, 1, 0).buffer);
	const path = file('moving.gltf', makeChair(all, {
		buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
		bufferViews: [{ buffer: 0, byteLength: 8 }, { buffer: 0, byteOffset: 8, byteLength: 24 }],
		accessors: [{ bufferView: 0, componentType: 5126, type: 'SCALAR', count: 2, min: [0], max: [1] },
			{ bufferView: 1, componentType: 5126, type: 'VEC3', count: 2 }],
		animations: [{ samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 2, path: 'translation' } }] }] }));
	const { skeletons, motions, props } = runJson(jointcast, 'inspect', path);
	assert.deepEqual([skeletons, motions, props.length], [[], [], 1]);
	assert.equal(runJson(jointcast, 'lint', path).usable, true);
});

test('a prop without virtual transforms that can be used is refused with what it lacks', () => {
	for (const [name, content, wanted] of [
		['bare.gltf', makeChair([]), /no humanoid: 2 joints.*missing: hips.*; a prop needs KHR_virtual_transform\n$/],
		['wrong.gltf', makeChair([{ parent: 7 }]), /a prop needs KHR_virtual_transform\n$/],
		['empty.gltf', { asset: { version: '2.0' } }, /no humanoid: a glTF file without any nodes; a prop needs KHR_virtual_transform\n$/]]) {
		const path = file(name, content);
		for (const command of ['inspect', 'lint']) {
			const result = run(jointcast, command, path);
			assert.equal(failure(result, 1, path), '');
			assert.match(result.stderr, wanted);
		}
		const { status, stdout } = run(jointcast, 'lint', path, '--json');
		const { usable, findings: [{ code, text }] } = JSON.parse(stdout);
		assert.deepEqual([status, usable, code], [1, false, 'no-humanoid']);
		assert.match(text, /; a prop needs KHR_virtual_transform$/);
	}
	const listed = file('listed.gltf', { asset: { version: '2.0' }, nodes: [{}],
		extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [] } } });
	assert.match(run(jointcast, 'lint', listed).stderr, /both hands, EXT_skeleton_humanoid\.humanoidSkeletons\n$/);
	const second = `${chair}#1`;
	assert.match(run(jointcast, 'lint', second).stderr, /no humanoid/);
	assert.equal(run(jointcast, 'lint', second).status, 1);
});

test('lint lists what is wrong with the virtual transforms of a prop', () => {
	const clean = runJson(jointcast, 'lint', chair);
	assert.deepEqual([clean.usable, clean.hipsHeight, clean.rest, clean.bones, clean.findings], [true, null, null, {}, []]);
	assert.match(clean.prop, /^no humanoid: /);
	const faulty = file('faulty.gltf', makeChair([...Array(16).fill(SIT), { parent: 0 },
		{ name: 'far', parent: 7 }, { name: 'bent', parent: 0, rotation: [0, 0, 0, 3] }]));
	const { findings } = runJson(jointcast, 'lint', faulty);
	assert.deepEqual(findings.map(({ severity, code }) => [severity, code]), [
		['warning', 'virtual-transform'], ['warning', 'virtual-transform'],
		['warning', 'virtual-transforms-many'], ['note', 'virtual-transform-unnamed']]);
	assert.match(findings[0].text, /left out: .*virtualTransforms\[17\]/);
	assert.match(findings[1].text, /virtualTransforms\[18\]: its rotation is not a unit quaternion/);
	assert.match(findings[3].text, /^1 of 17 /);
	for (const { remedy } of findings) {
		assert.notEqual(remedy, '');
	}
	const { status, stdout } = run(jointcast, 'lint', faulty);
	assert.equal(status, 0);
	assert.match(stdout, /^prop 0: gltf ''\n {2}reason +no humanoid: .*\n {2}virtuals +17\n\nwarnings\n/m);
	assert.doesNotMatch(stdout, /bones, in degrees|hips [\d.]+ m/);
});

test('lint --fix leaves a prop alone', () => {
	const out = `${folder}/fixed.glb`;
	const { status, stderr } = run(jointcast, 'lint', chair, '--fix', out);
	assert.equal(status, 1);
	assert.match(stderr, /chair\.gltf: --fix changes the rest pose of bones, and a prop has none\n$/);
	assert.equal(run(jointcast, 'inspect', out).status, 3);
});
