// Tests the drafts of glTF's KHR_character family: `lint` reads and checks them, `lint --fix --draft`
// writes them. Expected values follow from the texts of the drafts and from the figures here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { glb, scratch, write } from './files.mjs';
import { figure, turn } from './lint_figures.mjs';
import { jointcast, run, runJson } from './tool.mjs';

const vrmRoles = 'https://github.com/vrm-c/vrm-specification/blob/70ae16e93abd6da727fdf641b67aa41010c6d933/specification/VRMC_vrm-1.0/humanoid.md';
const hanimRoles = 'https://www.web3d.org/documents/specifications/19774/V2.0/Architecture/concepts.html';
const folder = scratch('draft');

// A buffer of floats with an accessor for each list of values.
function addNumbers(document, lists) {
	const types = { 1: 'SCALAR', 3: 'VEC3', 4: 'VEC4' };
	document.bufferViews = [];
	document.accessors = lists.map(({ values, width }) => {
		const byteOffset = document.bufferViews.reduce((sum, { byteLength }) => sum + byteLength, 0);
		document.bufferViews.push({ buffer: 0, byteOffset, byteLength: 4 * values.length });
		return { bufferView: document.bufferViews.length - 1, componentType: 5126, type: types[width],
			count: values.length / width, ...(width === 1 && { min: [Math.min(...values)], max: [Math.max(...values)] }) };
	});
	const bytes = Buffer.from(Float32Array.from(lists.flatMap(({ values }) => values)).buffer);
	document.buffers = [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }];
}

const quarter = (axis, degrees) => {
	const half = (degrees * Math.PI) / 360;
	return [axis === 'x' ? Math.sin(half) : 0, axis === 'y' ? Math.sin(half) : 0, axis === 'z' ? Math.sin(half) : 0, Math.cos(half)];
};

// A figure in an A-pose whose names say nothing, with a T-pose as reference pose; VRM's extension is
// replaced by the drafts.
function character(edit = () => {}) {
	const hang = (at) => {
		turn(at, /^left(LowerArm|Hand|Thumb|Middle)/, at.leftUpperArm, 'z', -40);
		turn(at, /^right(LowerArm|Hand|Thumb|Middle)/, at.rightUpperArm, 'z', 40);
	};
	return figure({ change: hang, edit: (document, index) => {
		document.nodes.forEach((node, i) => {
			node.name = `part ${i}`;
		});
		document.extensionsUsed = ['KHR_character', 'KHR_character_skeleton_mapping', 'KHR_character_reference_pose'];
		document.extensions = { KHR_character: { rootNode: 0 }, KHR_character_skeleton_mapping: { skeletalRigMappings: {
			[vrmRoles]: Object.fromEntries(Object.entries(index).map(([bone, node]) => [bone, { node, name: `part ${node}` }])) } } };
		addNumbers(document, [{ values: [0.5], width: 1 }, { values: quarter('z', 40), width: 4 }, { values: quarter('z', -40), width: 4 },
			{ values: [0, 1], width: 1 }, { values: [0, 0, 0, 1, ...quarter('x', 20)], width: 4 }]);
		document.animations = [{ extensions: { KHR_character_reference_pose: {} },
			channels: [['leftUpperArm', 0], ['rightUpperArm', 1]].map(([bone, sampler]) => ({ sampler, target: { node: index[bone], path: 'rotation' } })),
			samplers: [{ input: 0, output: 1 }, { input: 0, output: 2, interpolation: 'STEP' }] }];
		edit(document, index);
	} });
}

const put = (name, edit) => write(folder, name, glb(character(edit)));
const all = (path) => runJson(jointcast, 'lint', path).findings.filter(({ code }) => code.startsWith('khr-'));
const findings = (path) => all(path).filter(({ code, severity }) => code !== 'khr-character' || severity !== 'note');

// The direction of the left arm in the T-pose that a tool poses, in the file's space.
function armOf(path) {
	const { bones } = runJson(jointcast, 'retarget', write(folder, 'still.csv', 'time,hips.x,hips.y,hips.z,leftHand.qx,leftHand.qy,leftHand.qz,leftHand.qw\n0,0,1,0,0,0,0,1\n1,0,1,0,0,0,0,1\n'),
		path, '--times', '0').frames[0];
	const [a, b] = [bones.leftUpperArm.worldPosition, bones.leftHand.worldPosition];
	return b.map((v, i) => v - a[i]);
}

test('bones by roles of VRM, and the T-pose of the reference pose', () => {
	const path = put('character.glb');
	assert.deepEqual(findings(path), []);
	const { skeletons: [skeleton] } = runJson(jointcast, 'inspect', path);
	assert.equal(skeleton.family, 'KHR_character');
	const [x, y, z] = armOf(path);
	assert.ok(Math.abs(x - 0.54) < 1e-5 && Math.abs(y) < 1e-5 && Math.abs(z) < 1e-5, `${[x, y, z]}`);
});

test('bones by roles of H-Anim where the VRM set is missing', () => {
	const names = { hips: 'humanoid_root', spine: 'vl5', head: 'skullbase', leftUpperArm: 'l_shoulder', leftLowerArm: 'l_elbow',
		leftHand: 'l_radiocarpal', rightUpperArm: 'r_shoulder', rightLowerArm: 'r_elbow', rightHand: 'r_radiocarpal',
		leftUpperLeg: 'l_hip', leftLowerLeg: 'l_knee', leftFoot: 'l_talocrural', rightUpperLeg: 'r_hip', rightLowerLeg: 'r_knee', rightFoot: 'r_talocrural' };
	const path = put('hanim.glb', (document, index) => {
		document.extensions.KHR_character_skeleton_mapping.skeletalRigMappings = { [hanimRoles]:
			Object.fromEntries(Object.entries(names).map(([bone, joint]) => [joint, { node: index[bone] }])) };
	});
	assert.deepEqual(findings(path), []);
	assert.ok(Math.abs(armOf(path)[0] - 0.54) < 1e-5);
});

// What the texts forbid, and the finding that says so.
const faults = [
	['no-root', /rootNode is no node/, ({ extensions }) => { extensions.KHR_character.rootNode = 999; }],
	['unlisted', /extensionsUsed does not list KHR_character_skeleton_mapping/, ({ extensionsUsed }) => { extensionsUsed.splice(1, 1); }],
	['no-character', /requires KHR_character at the root/, ({ extensions }) => { delete extensions.KHR_character; }],
	['set-name', /'vrmHumanoid' is no absolute URI/, ({ extensions: { KHR_character_skeleton_mapping: { skeletalRigMappings: sets } } }) => { sets.vrmHumanoid = { hips: { node: 0 } }; }],
	['set-unknown', /are not understood/, ({ extensions: { KHR_character_skeleton_mapping: { skeletalRigMappings: sets } } }) => { sets['urn:other:1'] = { hips: { node: 0 } }; }],
	['set-empty', /maps no role/, ({ extensions: { KHR_character_skeleton_mapping: { skeletalRigMappings: sets } } }) => { sets['urn:other:1'] = {}; }],
	['node', /'chest' names no node/, ({ extensions: { KHR_character_skeleton_mapping: { skeletalRigMappings: sets } } }) => { sets[vrmRoles].chest.node = 999; }],
	['name', /'chest' has the name 'other', its node 'part 2'/, ({ extensions: { KHR_character_skeleton_mapping: { skeletalRigMappings: sets } } }) => { sets[vrmRoles].chest.name = 'other'; }],
	['role', /'tail' is no role/, ({ extensions: { KHR_character_skeleton_mapping: { skeletalRigMappings: sets } } }) => { sets[vrmRoles].tail = { node: 0 }; }],
	['pose-type', /poseType is no name/, ({ animations }) => { animations[0].extensions.KHR_character_reference_pose.poseType = ''; }],
	['pose-empty', /has no channel/, ({ animations }) => { animations[0].channels = []; }],
	['pose-keys', /exactly one key/, ({ animations }) => { animations[0].samplers[0] = { input: 3, output: 4 }; }],
	['pose-cubic', /'CUBICSPLINE' is not LINEAR or STEP/, ({ animations }) => { animations[0].samplers[0].interpolation = 'CUBICSPLINE'; }],
	['pose-path', /no valid translation, rotation or scale/, ({ animations }) => { animations[0].channels[0].target.path = 'weights'; }],
	['look-at', /hint of node 3 is no text/, ({ nodes, extensionsUsed }) => {
		nodes[3].extensions = { KHR_node_lookat_target: { hint: '' } };
		extensionsUsed.push('KHR_node_lookat_target');
	}],
];

for (const [name, message, edit] of faults) {
	test(`reports a fault: ${name}`, () => {
		const list = findings(put(`${name}.glb`, edit));
		assert.ok(list.some(({ text }) => message.test(text)), JSON.stringify(list));
	});
}

// An expression that turns the head, and its faults.
function addExpression(document, index, change = () => {}) {
	const animation = { channels: [{ sampler: 0, target: { node: index.head, path: 'rotation' } }], samplers: [{ input: 3, output: 4 }] };
	const expression = { expression: 'nod', animation: 1, extensions: { KHR_character_expression_joint: { channels: [0] } } };
	document.animations.push(animation);
	document.extensions.KHR_character_expression = { expressions: [expression] };
	document.extensionsUsed.push('KHR_character_expression', 'KHR_character_expression_joint');
	change(expression, animation, document);
}

const expressionFaults = [
	['none', null, () => {}],
	['label', /it has no name/, (expression) => { delete expression.expression; }],
	['animation', /does not exist/, (expression) => { expression.animation = 9; }],
	['one-key', /two rising times/, (expression, animation) => { animation.samplers[0] = { input: 0, output: 1 }; }],
	['begin', /does not begin as in the file/, (expression, animation, { nodes }) => { nodes[animation.channels[0].target.node].rotation = [0, 1, 0, 0]; }],
	['list', /lists channel 0, which does not exist/, (expression) => { expression.extensions.KHR_character_expression_joint.channels = [4]; }],
	['twice', /listed twice/, (expression) => { expression.extensions.KHR_character_expression_joint.channels = [0, 0]; }],
	['type', /_morphtarget lists a channel of 'rotation'/, (expression) => { expression.extensions = { KHR_character_expression_morphtarget: { channels: [0] } }; }],
	['target', /no property to animate/, (expression, animation) => { delete animation.channels[0].target.node; }],
];

for (const [name, message, change] of expressionFaults) {
	test(`checks expressions: ${name}`, () => {
		const list = findings(put(`expression-${name}.glb`, (document, index) => addExpression(document, index, change)));
		assert.equal(list.length, message ? 1 : 0, JSON.stringify(list));
		if (message) {
			assert.match(list[0].text, message);
		}
	});
}

test('lists expressions and targets', () => {
	const path = put('content.glb', (document, index) => {
		addExpression(document, index);
		document.nodes[3].extensions = { KHR_node_lookat_target: { hint: 'eyes' } };
		document.extensionsUsed.push('KHR_node_lookat_target');
	});
	assert.deepEqual(all(path).map(({ severity, text }) => [severity, text]),
		[['note', "targets to look at (1): 'eyes'"], ['note', "expressions (1): 'nod'"]]);
});

test('--draft writes the family beside EXT_skeleton_humanoid, without findings', () => {
	const out = join(folder, 'written.gltf');
	const { status, stderr } = run(jointcast, 'lint', put('a-pose.glb'), '--fix', out, '--draft');
	assert.equal(status, 0, stderr);
	assert.deepEqual(findings(out), []);
	const { extensions, extensionsUsed, nodes, animations } = JSON.parse(readFileSync(out, 'utf8'));
	assert.ok(['KHR_character', 'KHR_character_skeleton_mapping', 'KHR_character_reference_pose', 'EXT_skeleton_humanoid']
		.every((name) => extensionsUsed.includes(name)));
	const { skeletalRigMappings: sets } = extensions.KHR_character_skeleton_mapping;
	assert.deepEqual(Object.keys(sets), [vrmRoles, hanimRoles]);
	assert.deepEqual(sets[hanimRoles].l_elbow, sets[vrmRoles].leftLowerArm);
	assert.equal(sets[vrmRoles].head.name, nodes[sets[vrmRoles].head.node].name);
	const poses = animations.filter((animation) => animation.extensions?.KHR_character_reference_pose);
	assert.deepEqual(poses.map(({ extensions: { KHR_character_reference_pose: { poseType } } }) => poseType), ['TPose']);
});

test('--fix starts expressions at the new rest, also of bones whose T-pose differs', () => {
	const path = put('expressions.glb', (document, index) => {
		addExpression(document, index);
		document.animations[1].channels.push({ sampler: 0, target: { node: index.leftUpperArm, path: 'rotation' } });
		document.extensions.KHR_character_expression.expressions[0].extensions.KHR_character_expression_joint.channels.push(1);
	});
	const out = join(folder, 'expressions.gltf');
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', out);
	assert.equal(status, 0, stderr);
	assert.deepEqual(findings(out), []);
	assert.equal(JSON.parse(readFileSync(out, 'utf8')).animations[1].channels.length, 2);
});

// A VRM 0.x with `count` nodes that show a mesh, a group of shapes, and another expression.
function shapes(count) {
	return figure({ edit: (document, index) => {
		const humanBones = Object.entries(document.extensions.VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) => ({ bone, node }));
		document.extensions = { VRM: { humanoid: { humanBones }, firstPerson: { firstPersonBoneOffset: { x: 0, y: 0.06, z: 0.02 } },
			blendShapeMaster: { blendShapeGroups: [{ presetName: 'joy', binds: [{ mesh: 0, index: 0, weight: 100 }] }] } } };
		document.extensionsUsed = ['VRM'];
		addNumbers(document, [{ values: [0, 1], width: 1 }, { values: [0, 0, 0, 1, ...quarter('x', 20)], width: 4 },
			{ values: [0, 0, 0], width: 3 }]);
		Object.assign(document.accessors[2], { min: [0, 0, 0], max: [0, 0, 0] });
		document.meshes = [{ primitives: [{ mode: 0, attributes: { POSITION: 2 }, targets: [{ POSITION: 2 }] }] }];
		for (let i = 0; i < count; i++) {
			document.scenes[0].nodes.push(document.nodes.length);
			document.nodes.push({ mesh: 0 });
		}
		document.animations = [{ channels: [{ sampler: 0, target: { node: index.head, path: 'rotation' } }], samplers: [{ input: 0, output: 1 }] }];
		document.extensions.KHR_character = { rootNode: 0 };
		document.extensions.KHR_character_expression = { expressions: [{ expression: 'nod', animation: 0 }] };
		document.extensionsUsed.push('KHR_character', 'KHR_character_expression');
	} });
}

test('a second --draft replaces what the first wrote, and other expressions stay', () => {
	const [once, twice] = [join(folder, 'once.gltf'), join(folder, 'twice.gltf')];
	assert.equal(run(jointcast, 'lint', write(folder, 'shapes.glb', glb(shapes(2))), '--fix', once, '--draft').status, 0);
	assert.equal(run(jointcast, 'lint', once, '--fix', twice, '--draft').status, 0);
	const [first, second] = [once, twice].map((path) => JSON.parse(readFileSync(path, 'utf8')));
	assert.deepEqual(first.extensions.KHR_character_expression.expressions.map(({ expression, animation }) => [expression, animation]),
		[['nod', 0], ['happy', 1]]);
	assert.deepEqual(first.animations.map(({ name }) => name), [undefined, 'happy', 'TPose']);
	assert.deepEqual(second.extensions, first.extensions);
	assert.deepEqual(second.animations.map(({ name, channels, extensions }) => [name, channels, extensions]),
		first.animations.map(({ name, channels, extensions }) => [name, channels, extensions]));
	assert.deepEqual(second.nodes.map(({ name }) => name), first.nodes.map(({ name }) => name));
});

test('--draft writes no target that is too far away to be read', () => {
	const far = figure({ edit: ({ extensions: { VRMC_vrm } }) => {
		VRMC_vrm.lookAt = { offsetFromHeadBone: [0, 0, 1e9] };
	} });
	const out = join(folder, 'far.gltf');
	assert.equal(run(jointcast, 'lint', write(folder, 'far.glb', glb(far)), '--fix', out, '--draft').status, 0);
	assert.equal(run(jointcast, 'inspect', out).status, 0);
});

test('--draft reports expressions of more meshes than are written', () => {
	const { status, stderr } = run(jointcast, 'lint', write(folder, 'many.glb', glb(shapes(70))), '--fix', join(folder, 'many.gltf'), '--draft');
	assert.equal(status, 0);
	assert.match(stderr, /weights of 1 expressions are not in KHR_character_expression: beyond 64 meshes/);
});

test('--draft needs --fix with glTF as output', () => {
	const path = put('misuse.glb');
	assert.equal(run(jointcast, 'lint', path, '--draft').status, 2);
	assert.equal(run(jointcast, 'lint', path, '--fix', join(folder, 'x.json'), '--draft').status, 2);
});
