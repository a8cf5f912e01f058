// Tests `jointcast lint` with figures that have known problems, and --fix, which must remove them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bvh, descriptor, glb, scratch, vrm, write } from './files.mjs';
import { figure, turn } from './lint_figures.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('lint');
const put = (name, options) => write(folder, name, glb(figure(options)));
const lint = (path, ...more) => runJson(jointcast, 'lint', path, ...more);
const find = ({ findings }, code) => findings.filter((finding) => finding.code === code);
const codes = ({ findings }, severity) =>
	findings.filter((finding) => finding.severity === severity).map(({ code }) => code);
const near = (actual, expected, by = 0.05) =>
	assert.ok(Math.abs(actual - expected) <= by, `${actual}, not ${expected}`);
const arm = /^(left|right)(LowerArm|Hand|Thumb|Middle)/;

test('a figure in the T-pose has no warning and correct measurements', () => {
	const report = lint(put('good.vrm'));
	assert.deepEqual(codes(report, 'warning'), []);
	assert.equal(report.usable, true);
	assert.equal(report.format, 'vrm-1.0');
	assert.equal(report.rest.kind, 'T-pose');
	near(report.rest.armDegrees, 0);
	near(report.rest.turnDegrees, 0);
	near(report.rest.headHeight, 1.48, 1e-4); // head 1.5 over the toes at 0.02
	near(report.bones.leftUpperArm.length, 0.28, 1e-5);
	near(report.bones.leftUpperArm.restDegrees, 0);
	near(report.bones.leftUpperArm.axisDegrees, 90); // +Y is up, the bone leads to +X
	assert.equal(report.bones.head.restDegrees, null);
	assert.equal(report.bones.head.name, 'J_head');
	// VRM does not require it, so this is a note.
	assert.equal(find(report, 'bone-axes')[0].severity, 'note');
});

// The bytes of a PNG of 40 x 30 pixels up to its data.
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000280000001e08020000000000000000000000494441540000', 'hex');
const pngUri = `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(2)]).toString('base64')}`;
const avatarLine = (path) => /^  avatar +(.*)$/m.exec(run(jointcast, 'lint', path).stdout)?.[1];

test('states whether a file can be served as an avatar, at what cost and by what right', () => {
	const own = put('avatar.vrm', { edit: (document) => {
		document.images = [{ uri: pngUri }];
	} });
	const { avatar } = lint(own);
	assert.equal(avatar.servable, true);
	assert.equal(avatar.bytes, readFileSync(own).length);
	assert.equal(avatar.pixels, 1200);
	assert.equal(avatar.author, 'tests');
	assert.deepEqual(avatar.rights, ['author']); // VRM 1.0 permits the author alone by default
	assert.equal(avatarLine(own), 'can be served: 0 triangles, 0 draw calls, 1200 pixels, '
		+ `${Math.ceil(avatar.bytes / 1000)} kB; rights author`);

	const free = put('free.vrm', { edit: (document) => {
		Object.assign(document.extensions.VRMC_vrm.meta, { avatarPermission: 'everyone', allowRedistribution: true });
	} });
	assert.deepEqual(lint(free).avatar.rights, ['author', 'licensed', 'public']);

	const spying = put('spying.vrm', { edit: (document) => {
		document.images = [{ uri: 'https://a.example/a.png' }];
	} });
	assert.deepEqual(lint(spying).avatar, { servable: false, code: 'unsupported', where: 'images[0].uri',
		text: 'refers to another file; an avatar holds all its data' });
	assert.match(avatarLine(spying), /^cannot be served: images\[0\]\.uri: refers to another file/);
});

test('a figure that is no glTF is no avatar', () => {
	const path = write(folder, 'no_avatar.bvh', bvh);
	assert.equal(lint(path).avatar, null);
	assert.equal(avatarLine(path), undefined);
});

test('reports an A-pose with the angle of every bone', () => {
	const lower = (at) => {
		turn(at, new RegExp(arm.source.replace('(left|right)', 'left')), at.leftUpperArm, 'z', -40);
		turn(at, new RegExp(arm.source.replace('(left|right)', 'right')), at.rightUpperArm, 'z', 40);
	};
	const report = lint(put('a_pose.vrm', { change: lower }));
	assert.equal(report.rest.kind, 'A-pose');
	near(report.rest.armDegrees, 40);
	near(report.bones.leftUpperArm.restDegrees, 40);
	near(report.bones.rightLowerArm.restDegrees, 40);
	assert.equal(find(report, 'rest-arms')[0].severity, 'warning');
	assert.match(find(report, 'rest-arms')[0].text, /UpperArm.*40\.0 degrees|LowerArm.*40\.0 degrees/);
	assert.ok(find(report, 'rest-arms')[0].remedy.length > 0);
});

test('classifies hanging arms as I-pose and one raised arm as other', () => {
	const hang = (at) => {
		turn(at, /^left(LowerArm|Hand|Thumb|Middle)/, at.leftUpperArm, 'z', -85);
		turn(at, /^right(LowerArm|Hand|Thumb|Middle)/, at.rightUpperArm, 'z', 85);
	};
	const wave = (at) => turn(at, /^left(LowerArm|Hand|Thumb|Middle)/, at.leftUpperArm, 'z', 80);
	assert.equal(lint(put('i_pose.vrm', { change: hang })).rest.kind, 'I-pose');
	assert.equal(lint(put('wave.vrm', { change: wave })).rest.kind, 'other');
});

test('distinguishes toes that point outward and thumbs that point forward', () => {
	const report = lint(put('feet.vrm', { change: (at) => {
		turn(at, /^leftToes/, at.leftFoot, 'y', 30);
		turn(at, /^rightThumb(Proximal|Distal)/, at.rightThumbMetacarpal, 'y', -45 + 90);
	} }));
	const [feet] = find(report, 'rest-feet');
	assert.equal(feet.bone, 'leftFoot');
	assert.equal(feet.name, 'J_leftFoot');
	assert.match(feet.text, /30\.0 degrees/);
	assert.equal(find(report, 'rest-thumbs')[0].bone.slice(0, 10), 'rightThumb');
	assert.deepEqual(codes(report, 'warning').sort(), ['rest-feet', 'rest-thumbs']);
});

// Knuckles of the index and little finger, and the right hand rolled with its palm to the front.
test('reports a palm that does not face the ground', () => {
	const knuckles = (at) => {
		for (const [side, sign] of [['left', 1], ['right', -1]]) {
			at[`${side}IndexProximal`] = [sign * 0.81, 1.36, 0.02];
			at[`${side}LittleProximal`] = [sign * 0.8, 1.36, -0.04];
		}
	};
	const report = lint(put('knuckles.vrm', { change: knuckles }));
	assert.deepEqual(codes(report, 'warning'), []);
	const rolled = lint(put('rolled.vrm', { change: (at) => {
		knuckles(at);
		turn(at, /^right(Index|Little)/, at.rightHand, 'x', 80);
	} }));
	const [palm, ...others] = find(rolled, 'rest-palms');
	assert.deepEqual(others, []);
	assert.equal(palm.bone, 'rightHand');
	assert.match(palm.text, /turned by 80\.0 degrees/);
	assert.deepEqual(codes(rolled, 'warning'), ['rest-palms']);
});

test('reports a figure that is turned, leans, or has exchanged sides', () => {
	const turned = lint(put('turned.vrm', { change: (at) => turn(at, /./, [0, 0, 0], 'y', 90) }));
	near(find(turned, 'facing').length, 1);
	near(turned.rest.turnDegrees, 90);
	const tilted = lint(put('tilted.vrm', { change: (at) => turn(at, /./, [0, 0, 0], 'x', 25) }));
	assert.match(find(tilted, 'tilted')[0].text, /25\.0 degrees/);
	const swapped = lint(put('swapped.vrm', { change: (at) => {
		for (const bone of Object.keys(at)) {
			at[bone][0] *= -1;
		}
	} }));
	assert.equal(find(swapped, 'left-right').length, 1);
	assert.equal(find(swapped, 'facing').length, 0);
});

test('reports the facing of a figure without an extension against that of glTF', () => {
	const half = Math.SQRT1_2;
	const plain = (name, rotation) => lint(put(name, { edit: (document, nodes) => {
		delete document.extensions;
		delete document.extensionsUsed;
		Object.entries(nodes).forEach(([bone, node]) => { document.nodes[node].name = bone; });
		document.scenes[0].nodes = [document.nodes.push({ name: 'Armature', rotation, children: [0] }) - 1];
	} }));
	const front = plain('front.glb', [0, 0, 0, 1]);
	assert.equal(front.format, 'gltf');
	assert.deepEqual([...find(front, 'facing'), ...find(front, 'tilted')], []);
	const back = plain('back.glb', [0, 1, 0, 0]);
	near(Math.abs(back.rest.turnDegrees), 180);
	assert.equal(find(back, 'facing').length, 1);
	assert.deepEqual(find(back, 'tilted'), []);
	const lying = plain('lying.glb', [-half, 0, 0, half]); // the head to -Z, the face up
	near(lying.rest.tiltDegrees, 90);
	assert.equal(find(lying, 'tilted').length, 1);
	assert.deepEqual(find(lying, 'facing'), []);
	const fixed = join(folder, 'back_fixed.glb');
	assert.equal(run(jointcast, 'lint', join(folder, 'back.glb'), '--fix', fixed).status, 0);
	near(lint(fixed).rest.turnDegrees, 0);
});

test('reports size and ground in metres', () => {
	const huge = lint(put('huge.vrm', { scale: 100 }));
	assert.match(find(huge, 'size')[0].text, /148 m/);
	assert.equal(find(huge, 'size')[0].severity, 'warning');
	const raised = lint(put('raised.vrm', { change: (at) =>
		Object.values(at).forEach((position) => { position[1] += 0.5; }) }));
	assert.match(find(raised, 'ground')[0].text, /0\.52 m over y = 0/);
});

test('reports missing bones with the consequences', () => {
	const report = lint(put('handless.vrm', { without: ['rightHand', 'leftToes'] }));
	assert.match(find(report, 'missing-bones')[0].text, /rightHand$/);
	const lost = find(report, 'missing-feature').map(({ text }) => text);
	assert.ok(lost.some((text) => /right arm.*rightHand/.test(text)));
	assert.ok(lost.some((text) => /left foot.*leftToes/.test(text)));
	assert.ok(!lost.some((text) => /left arm/.test(text)));
});

test('reports scales on bones and their parents by node', () => {
	const uneven = lint(put('uneven.vrm', { edit: ({ nodes }, index) => {
		nodes[index.spine].scale = [1, 2, 1];
	} }));
	assert.equal(find(uneven, 'uneven-scale')[0].name, 'J_spine');
	const mirrored = lint(put('mirrored.vrm', { edit: ({ nodes }, index) => {
		nodes[index.leftUpperArm].scale = [-1, 1, 1];
	} }));
	assert.equal(find(mirrored, 'mirrored')[0].node, mirrored.bones.leftUpperArm.node);
});

// A twist joint beside the forearm, one between the bones of the arm, and invalid constraints.
function constrain(document, index) {
	const extension = (constraint) => ({ VRMC_node_constraint: { specVersion: '1.0', constraint } });
	const add = (parent, name, constraint) => {
		document.nodes.push({ name, extensions: extension(constraint) });
		(document.nodes[parent].children ??= []).push(document.nodes.length - 1);
		return document.nodes.length - 1;
	};
	add(index.leftLowerArm, 'twist', { roll: { source: index.leftHand, rollAxis: 'X', weight: 0.5 } });
	const sleeve = add(index.leftUpperArm, 'sleeve', { aim: { source: index.leftHand,
		aimAxis: 'PositiveX' } });
	add(index.leftUpperArm, 'copy', { rotation: { source: sleeve } });
	document.nodes[index.rightLowerArm].extensions =
		extension({ rotation: { source: index.leftLowerArm } });
	for (const [name, constraint] of [
		['two kinds', { roll: { source: 0, rollAxis: 'X' }, rotation: { source: 0 } }],
		['no such axis', { roll: { source: 0, rollAxis: 'W' } }],
		['too heavy', { rotation: { source: 0, weight: 1.5 } }],
		['nobody', { rotation: { source: 9999 } }],
		['no source', { rotation: {} }],
	]) {
		add(index.hips, name, constraint);
	}
	const one = add(index.hips, 'one', { rotation: { source: 0 } });
	const other = add(index.hips, 'other', { rotation: { source: one } });
	document.nodes[one].extensions.VRMC_node_constraint.constraint.rotation.source = other;
	document.extensionsUsed.push('VRMC_node_constraint');
}

test('lists node constraints with their sources and ignores invalid ones', () => {
	const path = put('constrained.vrm', { edit: constrain });
	const report = lint(path);
	assert.deepEqual(report.constraints.map(({ name, kind, sourceName, axis, weight }) =>
		[name, kind, sourceName, axis, weight]), [
		['J_rightLowerArm', 'rotation', 'J_leftLowerArm', null, 1],
		['twist', 'roll', 'J_leftHand', 'X', 0.5],
		['sleeve', 'aim', 'J_leftHand', 'PositiveX', 1],
		['copy', 'rotation', 'sleeve', null, 1],
	]);
	assert.deepEqual(find(report, 'constraint-fault').map(({ name }) => name),
		['two kinds', 'no such axis', 'too heavy', 'nobody', 'no source', 'one', 'other']);
	assert.equal(find(report, 'constrained-bone')[0].bone, 'rightLowerArm');
	assert.match(find(report, 'constraints')[0].text, /^3 nodes/);
	assert.deepEqual(runJson(jointcast, 'inspect', path).skeletons[0].constraints, report.constraints);
	assert.match(run(jointcast, 'inspect', path).stdout,
		/^ {2}constraint +roll X 0\.5 {2}node \d+ 'twist' after node \d+ 'J_leftHand'$/m);
});

test('warns of a constraint on a parent of a bone', () => {
	const report = lint(put('between.vrm', { edit: (document, index) => {
		const { nodes } = document;
		const between = nodes.push({ name: 'between', children: [index.leftHand], extensions: {
			VRMC_node_constraint: { specVersion: '1.0',
				constraint: { roll: { source: index.leftHand, rollAxis: 'X' } } } } }) - 1;
		nodes[index.leftLowerArm].children = [between];
	} }));
	assert.equal(find(report, 'constraint-above-bone')[0].bone, 'leftHand');
});

test('an unusable file is one line of error, and JSON on request', () => {
	const path = write(folder, 'broken.vrm', glb(figure({ edit: ({ extensions }) => {
		extensions.VRMC_vrm.humanoid.humanBones.hips.node = 999;
	} })));
	assert.equal(failure(run(jointcast, 'lint', path), 1, path), '');
	const { status, stdout, stderr } = run(jointcast, 'lint', path, '--json');
	const report = JSON.parse(stdout);
	assert.equal(status, 1);
	assert.match(stderr, /^jointcast: [^\n]*\n$/);
	assert.equal(report.usable, false);
	assert.equal(report.findings[0].severity, 'error');
	assert.match(report.findings[0].where, /humanBones/);
	// "MUST NOT be between": chest above spine.
	const upside = put('between_bones.vrm', { edit: ({ extensions }, index) => {
		const bones = extensions.VRMC_vrm.humanoid.humanBones;
		[bones.spine, bones.chest] = [{ node: index.chest }, { node: index.spine }];
	} });
	assert.equal(failure(run(jointcast, 'lint', upside), 1, upside), '');
	assert.equal(run(jointcast, 'lint', join(folder, 'nowhere.vrm')).status, 3);
});

test('checks every format', () => {
	assert.equal(lint('humanoid').rest.kind, 'T-pose');
	assert.equal(lint(write(folder, 'walk.bvh', bvh)).format, 'bvh');
	// Its one arm leads to (0.3, 0, 0): (0, -0.1, 0) and (0, -0.2, 0), turned by 90 degrees.
	assert.equal(lint(write(folder, 'skeleton.json', JSON.stringify(descriptor))).rest.kind, 'T-pose');
	assert.equal(lint(write(folder, 'few.vrm', glb(vrm()))).rest.kind, 'unknown');
	const motion = run(jointcast, 'lint', 'demo:walk');
	assert.equal(motion.status, 1);
});

test('the text groups findings, lists every bone, and has no colour outside a terminal', () => {
	const { stdout } = run(jointcast, 'lint', put('good.vrm'));
	assert.match(stdout, /^skeleton 0: vrm-1\.0 'stick'$/m);
	assert.match(stdout, /^ {2}rest +T-pose, arms 0\.0 degrees below level$/m);
	assert.match(stdout, /^notes$/m);
	assert.match(stdout, /^ {2}leftUpperArm +0\.280 +0\.0 +0\.0 +90\.0 +\d+\.\d {2}\d+ 'J_leftUpperArm'$/m);
	assert.doesNotMatch(stdout, /\u001b|[ \t]$/m);
});

// The findings of the file that --fix has written.
const documentOf = (path) => {
	const file = readFileSync(path);
	return JSON.parse(/\.(glb|vrm)$/.test(path)
		? file.subarray(20, 20 + file.readUInt32LE(12)) : file);
};

test('--fix removes all findings about rest, axes and facing, in every format', () => {
	const path = put('crooked.vrm', { change: (at) => {
		turn(at, /^left(LowerArm|Hand|Thumb|Middle)/, at.leftUpperArm, 'z', -50);
		turn(at, /^right(LowerArm|Hand|Thumb|Middle)/, at.rightUpperArm, 'z', 50);
		turn(at, /^leftToes/, at.leftFoot, 'y', 40);
		turn(at, /./, [0, 0, 0], 'y', 60);
	} });
	for (const name of ['fixed.glb', 'fixed.gltf', 'fixed.json']) {
		const out = join(folder, name);
		const { status, stderr } = run(jointcast, 'lint', path, '--fix', out);
		assert.equal(status, 0, stderr);
		assert.match(stderr, /turned by 60\.0 degrees/);
		assert.match(stderr, /bones were straightened/);
		const report = lint(out);
		assert.deepEqual(codes(report, 'warning'), [], name);
		assert.equal(find(report, 'bone-axes').length, 0);
		near(report.rest.armDegrees, 0);
		near(report.bones.leftUpperArm.length, 0.28, 1e-4);
	}
	const { extensions, nodes, skins, asset } = documentOf(join(folder, 'fixed.glb'));
	const [{ rootNode, humanoidBones }] = extensions.EXT_skeleton_humanoid.humanoidSkeletons;
	assert.ok(rootNode < nodes.length);
	assert.equal(Object.keys(humanoidBones).length, 33);
	assert.ok(Object.values(humanoidBones).every((node) => skins[0].joints.includes(node)));
	assert.equal(extensions.VRMC_vrm.meta.authors[0], 'tests');
	assert.equal(asset.generator, 'jointcast lint --fix');
});

test('--fix keeps what refers to the joints of a VRM', () => {
	const path = put('person.vrm', { edit: (document, index) => {
		document.extensions.VRMC_vrm.lookAt = { offsetFromHeadBone: [0.01, 0.06, 0.03] };
		document.extensions.VRMC_springBone = { specVersion: '1.0', colliders: [
			{ node: index.leftUpperArm, shape: { sphere: { offset: [0.1, 0.02, 0.03], radius: 0.05 } } }] };
		document.extensionsUsed.push('VRMC_springBone');
	} });
	const out = join(folder, 'person.fixed.vrm');
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', out);
	assert.equal(status, 0, stderr);
	const { extensions } = documentOf(out);
	// The reference axes of the head are the figure's; those of the upper arm are not.
	extensions.VRMC_vrm.lookAt.offsetFromHeadBone.forEach((v, i) => near(v, [0.01, 0.06, 0.03][i], 1e-6));
	const [{ shape: { sphere } }] = extensions.VRMC_springBone.colliders;
	const { bones } = runJson(jointcast, 'retarget', 'demo:idle', out, '--times', '0').skeleton;
	const [x, y, z, w] = bones.leftUpperArm.restWorldRotation;
	const [a, b, c] = sphere.offset;
	const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
	[0.1, 0.02, 0.03].forEach((v, i) => near([a, b, c][i] + w * t[i]
		+ [y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]][i], v, 1e-6));
	assert.equal(sphere.radius, 0.05);
});

// The parents of each node.
function parentsOf({ nodes }) {
	const parents = nodes.map(() => []);
	nodes.forEach(({ children = [] }, node) => children.forEach((child) => parents[child].push(node)));
	return parents;
}

test('--fix keeps a constraint at the bone that it turns, and visibility, but moves a light', () => {
	const path = put('driven.vrm', { edit: (document, index) => {
		document.nodes[index.leftToes].extensions = {
			VRMC_node_constraint: { specVersion: '1.0', constraint: { aim: { source: index.leftHand, aimAxis: 'PositiveX' } } },
			KHR_node_visibility: { visible: false }, KHR_lights_punctual: { light: 0 } };
		document.extensions.KHR_lights_punctual = { lights: [{ type: 'point' }] };
		document.extensionsUsed.push('VRMC_node_constraint', 'KHR_lights_punctual', 'KHR_node_visibility');
	} });
	const out = join(folder, 'driven.fixed.vrm');
	assert.equal(run(jointcast, 'lint', path, '--fix', out).status, 0);
	const { nodes } = documentOf(out);
	const toes = nodes.findIndex(({ name }) => name === 'J_leftToes');
	assert.deepEqual(Object.keys(nodes[toes].extensions), ['VRMC_node_constraint', 'KHR_node_visibility']);
	const lamp = nodes.findIndex(({ extensions }) => extensions?.KHR_lights_punctual);
	assert.deepEqual([Object.keys(nodes[lamp].extensions), nodes[toes].children], [['KHR_lights_punctual'], [lamp]]);
});

test('--fix puts a new root above the nodes that constraints need', () => {
	const path = put('roots.vrm', { edit: (document, index) => {
		const { nodes, scenes } = document;
		nodes[index.hips].children = nodes[index.hips].children.filter((child) => child !== index.leftUpperLeg);
		nodes[index.leftUpperLeg].translation = [0.1, 0.88, 0];
		scenes[0].nodes.push(index.leftUpperLeg);
		for (const [bone, source] of [['hips', 'leftHand'], ['leftUpperLeg', 'rightHand']]) {
			nodes[index[bone]].extensions = { VRMC_node_constraint: { specVersion: '1.0', constraint: { rotation: { source: index[source] } } } };
		}
		document.extensionsUsed.push('VRMC_node_constraint');
	} });
	const out = join(folder, 'roots.fixed.vrm');
	assert.equal(run(jointcast, 'lint', path, '--fix', out).status, 0);
	const document = documentOf(out);
	const parents = parentsOf(document);
	assert.ok(parents.every((list) => list.length <= 1), JSON.stringify(parents));
	const roots = parents.flatMap((list, node) => (list.length ? [] : [node]));
	assert.deepEqual(document.scenes, [{ nodes: roots }]);
	assert.equal(document.extensions.EXT_skeleton_humanoid.humanoidSkeletons[0].rootNode, roots[0]);
	assert.equal(run(jointcast, 'inspect', out).status, 0);
});

test('--fix reports channels that point to nodes', () => {
	const path = put('pointer.vrm', { edit: (document, index) => {
		document.animations = [{ samplers: [{ input: 0, output: 0 }], channels: [{ sampler: 0, target: { path: 'pointer',
			extensions: { KHR_animation_pointer: { pointer: `/nodes/${index.head}/rotation` } } } }] }];
		document.accessors = [{ componentType: 5126, type: 'SCALAR', count: 1, min: [0], max: [0] }];
		document.extensionsUsed.push('KHR_animation_pointer');
	} });
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', join(folder, 'pointer.fixed.vrm'));
	assert.equal(status, 0);
	assert.match(stderr, /: 1 channels of KHR_animation_pointer move nodes and are those of the old rest\n/);
});

test('--fix keeps the place of a light at a node with a skinned mesh', () => {
	const path = put('lamp.vrm', { edit: (document) => {
		const numbers = Buffer.from(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, ...Array(3).fill([1, 0, 0, 0]).flat()]).buffer);
		document.buffers = [{ byteLength: numbers.length, uri: `data:application/octet-stream;base64,${numbers.toString('base64')}` }];
		document.bufferViews = [[0, 36], [36, 48], [0, 12]].map(([byteOffset, byteLength]) => ({ buffer: 0, byteOffset, byteLength }));
		document.accessors = [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 3, min: [0, 0, 0], max: [1, 1, 0] },
			{ bufferView: 1, componentType: 5126, type: 'VEC4', count: 3 }, { componentType: 5121, type: 'VEC4', count: 3 }];
		document.meshes = [{ primitives: [{ attributes: { POSITION: 0, WEIGHTS_0: 1, JOINTS_0: 2 } }] }];
		document.skins = [{ joints: document.nodes.map((_, node) => node) }];
		document.scenes[0].nodes.push(document.nodes.length);
		document.nodes.push({ name: 'body', mesh: 0, skin: 0, translation: [1, 2, 3], extensions: { KHR_lights_punctual: { light: 0 } } });
		document.extensions.KHR_lights_punctual = { lights: [{ type: 'point' }] };
		document.extensionsUsed.push('KHR_lights_punctual');
	} });
	const out = join(folder, 'lamp.fixed.vrm');
	assert.equal(run(jointcast, 'lint', path, '--fix', out).status, 0);
	assert.deepEqual(documentOf(out).nodes.find(({ name }) => name === 'body').translation, [1, 2, 3]);
});

test('--fix keeps a VRM 0.x facing -Z, with nodes without rotation and without another extension', () => {
	const path = put('old.vrm', { change: (at) => turn(at, /./, [0, 0, 0], 'y', 180), edit: (document, index) => {
		const humanBones = Object.entries(document.extensions.VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) =>
			({ bone: bone.replace('ThumbProximal', 'ThumbIntermediate').replace('ThumbMetacarpal', 'ThumbProximal'), node }));
		document.extensions = { VRM: { meta: { title: 'old' }, humanoid: { humanBones },
			firstPerson: { firstPersonBone: index.head, firstPersonBoneOffset: { x: 0.01, y: 0.06, z: 0.03 } } } };
		document.extensionsUsed = ['VRM'];
		document.nodes[index.leftUpperArm].rotation = [0, 0, 0.6, 0.8];
	} });
	const out = join(folder, 'old.fixed.vrm');
	assert.equal(run(jointcast, 'lint', path, '--fix', out).status, 0);
	const { extensions, nodes } = documentOf(out);
	assert.deepEqual(Object.keys(extensions), ['VRM']);
	assert.equal(extensions.VRM.meta.title, 'old');
	assert.ok(nodes.every(({ rotation, scale }) => !rotation && !scale));
	const [before, after] = [path, out].map((file) => runJson(jointcast, 'inspect', file).skeletons[0].facing);
	assert.deepEqual(after, before);
});

test('--fix reports the front of a figure that it turned', () => {
	const aside = (at) => turn(at, /./, [0, 0, 0], 'y', 90);
	const old = (document) => {
		const humanBones = Object.entries(document.extensions.VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) => ({ bone, node }));
		document.extensions = { VRM: { humanoid: { humanBones } } };
		document.extensionsUsed = ['VRM'];
	};
	for (const [name, edit, front] of [['aside', undefined, '+Z'], ['aside_old', old, '-Z']]) {
		const { stderr } = run(jointcast, 'lint', put(`${name}.vrm`, { change: aside, edit }), '--fix', join(folder, `${name}.fixed.vrm`));
		assert.ok(stderr.includes(`turned by 90.0 degrees to stand upright and face ${front}\n`), stderr);
	}
});

test('--fix writes the bones of a map into the VRM', () => {
	const map = write(folder, 'bones.txt', 'hips = J_hips\nspine = J_spine\nleftUpperArm = J_leftUpperArm\nleftHand = J_leftHand\n');
	const out = join(folder, 'mapped.vrm');
	assert.equal(run(jointcast, 'lint', put('map.vrm'), '--bones', map, '--fix', out).status, 0);
	const { extensions, nodes } = documentOf(out);
	assert.deepEqual(Object.entries(extensions.VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) => [bone, nodes[node].name]),
		['hips', 'spine', 'leftUpperArm', 'leftHand'].map((bone) => [bone, `J_${bone}`]));
});

test('--fix writes .vrm only from a VRM file', () => {
	const out = join(folder, 'none.vrm');
	const { status, stderr } = run(jointcast, 'lint', 'humanoid', '--fix', out);
	assert.equal(status, 1);
	assert.match(stderr, /^jointcast: humanoid: the input is no VRM file[^\n]*\n$/);
	assert.ok(!existsSync(out));
});

test('--fix lists losses and keeps virtual transforms in place', () => {
	const path = put('kept.vrm', { edit: (document, index) => {
		constrain(document, index);
		document.extensions.VRMC_springBone = { specVersion: '1.0' };
		document.extensionsUsed.push('VRMC_springBone', 'KHR_virtual_transform');
		document.extensions.KHR_virtual_transform = { virtualTransforms: [
			{ name: 'grip', parent: index.leftHand, translation: [0.1, 0.02, 0], tags: ['tool'] }] };
	} });
	const out = join(folder, 'kept.glb');
	const { status, stderr } = run(jointcast, 'lint', path, '--fix', out);
	assert.equal(status, 0);
	assert.match(stderr, /VRMC_node_constraint of \d+ nodes is left out: it is invalid/);
	const used = documentOf(out).extensionsUsed;
	assert.deepEqual(used.sort(), ['EXT_skeleton_humanoid', 'KHR_virtual_transform', 'VRMC_node_constraint',
		'VRMC_springBone', 'VRMC_vrm']);
	const [before, after] = [path, out].map((file) =>
		runJson(jointcast, 'retarget', 'demo:wave', file, '--times', '0.5').frames[0]
			.virtualTransforms[0]);
	assert.equal(after.name, 'grip');
	before.translation.forEach((value, i) => near(after.translation[i], value, 1e-5));
	before.rotation.forEach((value, i) => near(after.rotation[i] * Math.sign(
		after.rotation[3] * before.rotation[3]), value, 1e-5));
});

test('--fix reports a part of the file that cannot be written, under the name of the file', () => {
	for (const [name, bufferView, what] of [['null', null, 'a part of the file is of the wrong type'],
		['far', { buffer: 7, byteLength: 4 }, 'a buffer does not exist, bufferViews']]) {
		const path = put(`${name}.glb`, { edit: (document) => {
			document.bufferViews = [bufferView];
			document.buffers = [{ byteLength: 3, uri: 'data:application/octet-stream;base64,AAAA' }];
		} });
		const { status, stderr } = run(jointcast, 'lint', path, '--fix', join(folder, 'part.fixed.glb'));
		assert.deepEqual([status, stderr], [1, `jointcast: ${path}: ${what}\n`]);
	}
});

test('--fix refuses its input as output and formats without a skeleton', () => {
	const path = put('same.glb');
	const before = readFileSync(path);
	assert.equal(run(jointcast, 'lint', path, '--fix', path).status, 2);
	assert.ok(readFileSync(path).equals(before));
	assert.equal(run(jointcast, 'lint', path, '--fix', join(folder, 'same.bvh')).status, 2);
	assert.ok(!existsSync(join(folder, 'same.bvh')));
});

test('--fix writes a file with joints only for a skeleton from another format', () => {
	const out = join(folder, 'joints.glb');
	assert.equal(run(jointcast, 'lint', write(folder, 'walk.bvh', bvh), '--fix', out).status, 0);
	const report = lint(out);
	assert.equal(report.format, 'gltf-ext');
	assert.deepEqual(codes(report, 'warning'), []);
	near(report.bones.leftUpperArm.length, 0.3, 1e-4); // 30 cm in the BVH file
});
