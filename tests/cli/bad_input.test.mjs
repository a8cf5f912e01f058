// Damaged scenes and glTF files. Each is refused with a message that names the error and its place,
// or read without the unusable part, which a finding names.
import assert from 'node:assert/strict';
import test from 'node:test';
import { scratch, write } from './files.mjs';
import { failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('bad_input');

function refused(name, content, sentence, ...command) {
	const path = write(folder, name, content);
	const result = run(jointcast, ...(command.length ? command : ['inspect', '@']).map((word) =>
		(word === '@' ? path : word)));
	assert.equal(failure(result, 1, path), '', name);
	assert.equal(result.stderr, `jointcast: ${path}: ${sentence}\n`, name);
}

// The findings of the first skeleton of a file that is read despite its errors.
function findings(name, content) {
	const path = write(folder, name, content);
	return runJson(jointcast, 'inspect', path).skeletons[0].lint.map(({ text }) => text);
}

const vrml = (...lines) => ['#VRML V2.0 utf8', ...lines, ''].join('\n');
const x3d = (...lines) => ['#X3D V3.3 utf8', 'PROFILE Immersive', ...lines, ''].join('\n');
const humanoid = (children) => `DEF h HAnimHumanoid { name "h" version "2.0" skeleton [ DEF root `
	+ `HAnimJoint { name "humanoid_root" center 0 1 0 children [ ${children} ] } ] }`;
const spine = 'DEF spine HAnimJoint { name "vl5" center 0 1.1 0 }';

test('refuses a prototype that contains itself', () => {
	refused('proto.wrl', vrml('PROTO A [ ] { Group { children A { } } }', 'A { }'),
		"prototype 'A' contains itself, line 2");
	refused('proto.x3d', '<X3D version="3.3"><Scene><ProtoDeclare name="A"><ProtoBody>\n'
		+ '<ProtoInstance name="A"/></ProtoBody></ProtoDeclare></Scene></X3D>',
	"prototype 'A' contains itself, line 2");
});

// A prototype that is not declared yet is an unknown node, so two prototypes cannot contain each
// other. Thirty prototypes that each contain the previous one twice would be a billion nodes.
test('limits prototypes that contain each other or grow exponentially', () => {
	const none = 'the scene has no Humanoid or HAnimHumanoid';
	refused('mutual.wrl', vrml('PROTO A [ ] { B { } }', 'PROTO B [ ] { A { } }', 'A { }'), none);
	const doubled = Array.from({ length: 30 }, (_, i) =>
		`PROTO P${i + 1} [ ] { Group { children [ P${i} { } P${i} { } ] } }`);
	const path = write(folder, 'doubled.wrl', vrml('PROTO P0 [ ] { Group { } }', ...doubled, 'P30 { }'));
	const { status, stderr } = run(jointcast, 'inspect', path);
	assert.equal(status, 1);
	assert.match(stderr, /^jointcast: [^\n]*\n$/);
});

test('refuses USE before its DEF', () => {
	refused('before.x3dv', x3d(humanoid(`USE spine ${spine}`)),
		"USE of 'spine', which is not defined before, line 3");
	refused('before.wrl', vrml('USE nothing'), "USE of 'nothing', which is not defined before, line 2");
	refused('before.x3d', '<X3D version="3.3"><Scene>\n<Group USE="g"/></Scene></X3D>',
		"USE of 'g', which is not defined before, line 2");
});

test('refuses a node that is its own child', () => {
	refused('self.x3dv', x3d('DEF g Group { children [ USE g ] }', humanoid(spine)),
		"node 'g' contains itself, line 3");
	refused('joint.x3dv', x3d(humanoid('DEF a HAnimJoint { name "vl5" children [ USE a ] }')),
		"node 'a' contains itself, line 3");
});

test('ignores routes without a target and lists them', () => {
	const clock = 'DEF clock TimeSensor { cycleInterval 1 }';
	const said = findings('routes.x3dv', x3d(humanoid(spine), clock,
		'ROUTE clock.fraction_changed TO nobody.set_fraction',
		'ROUTE nothing.value_changed TO spine.set_rotation'));
	assert.ok(said.includes("line 5: ROUTE names 'nobody', which is not defined before: left out"));
	assert.ok(said.includes("line 6: ROUTE names 'nothing', which is not defined before: left out"));
});

// Two bones, and an animation of the upper one with its own buffer.
const numbers = (...values) => Buffer.from(Float32Array.from(values).buffer);
const dataUri = (bytes) => `data:application/octet-stream;base64,${bytes.toString('base64')}`;
const half = Math.SQRT1_2;
const keys = numbers(0, 1, 0, 0, 0, 1, 0, half, 0, half);

function gltf(change = {}) {
	return {
		asset: { version: '2.0' },
		extensionsUsed: ['EXT_skeleton_humanoid'],
		nodes: [{ name: 'hips', translation: [0, 1, 0], children: [1] },
			{ name: 'spine', translation: [0, 0.2, 0] }],
		extensions: { EXT_skeleton_humanoid: { humanoidSkeletons: [
			{ rootNode: 0, humanoidBones: { hips: 0, spine: 1 } }] } },
		animations: [{ samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0,
			target: { path: 'rotation', extensions: { EXT_skeleton_humanoid: {
				humanoidBoneName: 'spine' } } } }] }],
		accessors: [{ bufferView: 0, componentType: 5126, type: 'SCALAR', count: 2 },
			{ bufferView: 1, componentType: 5126, type: 'VEC4', count: 2 }],
		bufferViews: [{ buffer: 0, byteLength: 8 }, { buffer: 0, byteOffset: 8, byteLength: 32 }],
		buffers: [{ byteLength: keys.length, uri: dataUri(keys) }],
		...change,
	};
}

// The document with one changed object.
const changed = (list, index, change) => gltf({ [list]: gltf()[list].map((item, i) =>
	(i === index ? { ...item, ...change } : item)) });
const unplayable = (name, document, sentence) => refused(name, JSON.stringify(document), sentence,
	'retarget', '@', 'humanoid');

// Rotation of the spine at the end: a quarter turn about Y if the keys are read.
function lastTurn(name, document) {
	const path = write(folder, name, JSON.stringify(document));
	return runJson(jointcast, 'retarget', path, 'humanoid', '--times', '1')
		.frames[0].bones.spine.normalized;
}

function assertQuarterTurn(actual) {
	[0, half, 0, half].forEach((v, i) =>
		assert.ok(Math.abs(actual[i] - v) < 1e-6, JSON.stringify(actual)));
}

test('refuses accessors beyond their buffer', () => {
	unplayable('view.gltf', changed('accessors', 1, { count: 3 }),
		'ends past its buffer view, accessors[1]');
	unplayable('offset.gltf', changed('accessors', 1, { byteOffset: 4294967295 }),
		'ends past its buffer view, accessors[1]');
	unplayable('buffer.gltf', changed('bufferViews', 1, { byteLength: 64 }),
		'ends past buffers[0]: 8 + 64 of 40 bytes, bufferViews[1]');
	unplayable('nowhere.gltf', changed('accessors', 1, { bufferView: 9 }),
		'there is no buffer view 9, accessors[1]');
	// The file can be used without the inverse bind matrices of the skin.
	const path = JSON.stringify(gltf({ skins: [{ joints: [0, 1], inverseBindMatrices: 2 }],
		accessors: [...gltf().accessors, { bufferView: 1, componentType: 5126, type: 'MAT4', count: 2 }] }));
	assert.ok(findings('matrices.gltf', path).includes('skins[0]: its inverse bind matrices cannot '
		+ 'be used: accessors[2]: ends past its buffer view'));
});

test('reads sparse accessors and refuses indices out of range', () => {
	const bytes = Buffer.concat([numbers(0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, half, 0, half),
		Buffer.from(Uint16Array.of(1, 0).buffer), Buffer.from(Uint16Array.of(7, 0).buffer)]);
	const sparse = (change) => {
		const document = changed('accessors', 1, { sparse: { count: 1,
			indices: { bufferView: 3, componentType: 5123 }, values: { bufferView: 2 }, ...change } });
		return { ...document, buffers: [{ byteLength: bytes.length, uri: dataUri(bytes) }],
			bufferViews: [...document.bufferViews, { buffer: 0, byteOffset: 40, byteLength: 16 },
				{ buffer: 0, byteOffset: 56, byteLength: 2 }, { buffer: 0, byteOffset: 60, byteLength: 2 }] };
	};
	assertQuarterTurn(lastTurn('sparse.gltf', sparse({})));
	unplayable('sparse_index.gltf', sparse({ indices: { bufferView: 4, componentType: 5123 } }),
		'index 7 is out of range: the accessor has 2 elements, accessors[1].sparse');
	unplayable('sparse_count.gltf', sparse({ count: 99 }),
		'99 is not between 1 and 2, accessors[1].sparse.count');
});

test('reads data URIs and refuses damaged ones', () => {
	assertQuarterTurn(lastTurn('good.gltf', gltf()));
	const buffer = (uri) => gltf({ buffers: [{ byteLength: 40, uri }] });
	unplayable('base64.gltf', buffer('data:application/octet-stream;base64,%%%%'),
		'buffers[0] is missing: its base64 is damaged, accessors[0]');
	unplayable('plain.gltf', buffer('data:,hello'),
		'buffers[0] is missing: its data: URI is not base64, accessors[0]');
	unplayable('short.gltf', buffer(dataUri(keys.subarray(0, 20))),
		'ends past buffers[0]: 8 + 32 of 20 bytes, bufferViews[1]');
});

// glTF allows rotations as 16-bit integers: v / 32767.
test('reads quantised rotations', () => {
	const shorts = Int16Array.of(0, 0, 0, 32767, 0, Math.round(half * 32767), 0, Math.round(half * 32767));
	const bytes = Buffer.concat([numbers(0, 1), Buffer.from(shorts.buffer)]);
	const document = { ...changed('accessors', 1, { componentType: 5122, normalized: true }),
		bufferViews: [{ buffer: 0, byteLength: 8 }, { buffer: 0, byteOffset: 8, byteLength: 16 }],
		buffers: [{ byteLength: bytes.length, uri: dataUri(bytes) }] };
	const turn = lastTurn('quantised.gltf', document);
	[0, half, 0, half].forEach((v, i) => assert.ok(Math.abs(turn[i] - v) < 1e-4));
	unplayable('integers.gltf', changed('accessors', 1, { componentType: 5121, normalized: true }),
		'key 0 is not a rotation, animations[0].samplers[0]');
});

const compression = (stride, count) => ({ extensions: { EXT_meshopt_compression:
	{ buffer: 0, byteLength: 8, byteStride: stride, mode: 'ATTRIBUTES', count } } });

test('reads skeletons of files with compressed or quantised meshes', () => {
	const document = gltf({
		extensionsRequired: ['KHR_draco_mesh_compression', 'EXT_meshopt_compression',
			'KHR_mesh_quantization', 'KHR_texture_basisu'],
		meshes: [{ primitives: [{ attributes: { POSITION: 2 }, extensions: {
			KHR_draco_mesh_compression: { bufferView: 2, attributes: { POSITION: 0 } } } }] }],
		accessors: [...gltf().accessors,
			{ bufferView: 2, componentType: 5122, normalized: true, type: 'VEC3', count: 1 }],
		bufferViews: [...gltf().bufferViews, { buffer: 0, byteLength: 8, ...compression(8, 1) }],
	});
	assertQuarterTurn(lastTurn('mesh.gltf', document));
	const said = findings('mesh.gltf', JSON.stringify(document)).join();
	assert.ok(!said.includes('meshopt'));
	assert.match(said, /1 of 1 parts of meshes are compressed with Draco/);
});

test('reports compressed keys and matrices as unreadable', () => {
	const required = ['EXT_meshopt_compression'];
	unplayable('keys.gltf', { ...changed('bufferViews', 1, compression(16, 2)),
		extensionsRequired: required },
	'buffer view is compressed with meshopt, which is not supported, accessors[1]');
	const said = findings('binds.gltf', JSON.stringify(gltf({ extensionsRequired: required,
		skins: [{ joints: [0, 1], inverseBindMatrices: 2 }],
		accessors: [...gltf().accessors, { bufferView: 2, componentType: 5126, type: 'MAT4', count: 2 }],
		bufferViews: [...gltf().bufferViews, { buffer: 0, byteLength: 128, ...compression(64, 2) }] })));
	assert.ok(said.includes('skins[0]: its inverse bind matrices cannot be used: accessors[2]: '
		+ 'buffer view is compressed with meshopt, which is not supported'));
});

test('refuses a file that requires an unknown extension', () => {
	refused('required.gltf', JSON.stringify(gltf({ extensionsRequired: ['EXT_nobody_knows'] })),
		"requires extension 'EXT_nobody_knows', which is not supported, extensionsRequired[0]");
});

// A damaged clip does not affect the skeleton or other clips.
test('inspect lists unusable items with the reason', () => {
	const good = gltf();
	const broken = { ...good.animations[0], samplers: [{ input: 0, output: 7 }] };
	const path = write(folder, 'clips.gltf', JSON.stringify(
		gltf({ animations: [broken, good.animations[0], broken] })));
	const { skeletons, motions } = runJson(jointcast, 'inspect', path);
	assert.deepEqual(skeletons.map(({ error }) => error), [undefined]);
	assert.deepEqual(motions.map(({ index, error }) => [index, typeof error]),
		[[0, 'string'], [1, 'undefined'], [2, 'string']]);
	const { stdout } = run(jointcast, 'inspect', path);
	assert.ok(stdout.includes(`\nmotion 2: cannot be used: ${motions[2].error}, ${motions[2].where}\n`));
	// If the file contains nothing else, this is the reason of the refusal.
	const { nodes, ...clip } = gltf({ animations: [broken], extensions: {} });
	refused('clip.gltf', JSON.stringify(clip), `${motions[0].error}, ${motions[0].where}`);
});
