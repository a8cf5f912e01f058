// Bone maps: a file whose joints have names that mean nothing gives, with a map, the output of the
// original byte for byte; templates are maps themselves; mistakes are one line with file and line.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import test from 'node:test';
import { toGlb } from '../e2e/support/glb.mjs';
import { bvh, scratch, write } from './files.mjs';
import { dataFiles, failure, jointcast, run, runJson } from './tool.mjs';

const folder = scratch('bone_map');
const own = write(folder, 'own.bvh', bvh);

function ok(...parameters) {
	const { status, stdout, stderr } = run(jointcast, ...parameters);
	assert.equal(status, 0, `${parameters.join(' ')}: ${stderr}`);
	return stdout;
}

const template = (path) => ok('inspect', path, '--bones-template');
const mapped = (map) => [...map.matchAll(/^(\w+) = (.*)$/gm)].map(([, bone, joint]) => [bone, joint]);
// Joints without a bone, as comments: two blanks for each level, the name, the number.
const others = (map) => [...map.matchAll(/^# {3,}(\S.*) #\d+$/gm)].map(([, name]) => name);

// Each joint gets a name without a meaning, with characters that mean something in maps.
function makeNames(plain) {
	const names = new Map();
	return (name) => {
		if (!names.has(name))
			names.set(name, plain ? `q${names.size}z` : `q${names.size}#=z`);
		return names.get(name);
	};
}

const rename = {
	bvh: (file, name) => Buffer.from(file.toString('latin1')
		.replace(/((?:ROOT|JOINT)[ \t]+)([^\r\n{]*[^\s{])/g, (_, word, joint) => word + name(joint)), 'latin1'),
	glb(file, name) {
		const length = file.readUInt32LE(12);
		const json = JSON.parse(file.subarray(20, 20 + length));
		json.nodes.forEach((node) => node.name && (node.name = name(node.name)));
		return toGlb(json, file.subarray(28 + length));
	},
	// In written scenes the names of joints are also the ends of DEFs.
	scene(file, name, joints) {
		const longest = [...joints].sort((a, b) => b.length - a.length).join('|');
		return file.toString().replace(new RegExp(`(?<=['"\\s_])(?:${longest})(?=['"\\s._])`, 'g'), name);
	},
};

// Writes the file with other names, and the map of its bones.
function disguise(path) {
	const kind = { '.bvh': 'bvh', '.wrl': 'scene', '.x3d': 'scene', '.x3dv': 'scene' }[extname(path)] ?? 'glb';
	const map = template(path);
	const name = makeNames(kind === 'scene');
	const joints = [...mapped(map).map(([, joint]) => joint), ...others(map)];
	const other = `${folder}/other-${basename(path)}`;
	writeFileSync(other, rename[kind](readFileSync(path), name, joints));
	return { other, map: write(folder, `${basename(path)}.txt`,
		map.replace(/^(\w+ = )(.*)$/gm, (_, bone, joint) => bone + (/^#\d+$/.test(joint) ? joint : name(joint)))) };
}

function assertSameMotion(path, formats) {
	const { other, map } = disguise(path);
	for (const ending of formats) {
		const [expected, got] = ['expected', 'got'].map((name) => `${folder}/${name}${ending}`);
		ok('convert', path, expected);
		ok('convert', other, got, '--bones', map);
		assert.ok(readFileSync(got).equals(readFileSync(expected)), `${basename(path)} as ${ending}`);
	}
	return { other, map };
}

function assertSameSkeleton(path) {
	const { other, map } = disguise(path);
	// Names of nodes are those of each file.
	const nameless = (text) => text.replace(/"name":"[^"]*"/g, '');
	const parameters = ['--times', '0.3,0.8', '--json'];
	assert.equal(nameless(ok('retarget', 'demo:walk', other, '--skeleton-bones', map, ...parameters)),
		nameless(ok('retarget', 'demo:walk', path, ...parameters)), basename(path));
}

test('other names and a map give the same motion, byte for byte', () => {
	const { other, map } = assertSameMotion(own, ['.csv', '.glb', '.wrl', '.mcap']);
	assert.equal(runJson(jointcast, 'inspect', other, '--bones', map).motions[0].family, 'bone map');
	for (const ending of ['.glb', '.vrma', '.wrl', '.x3d', '.x3dv']) {
		const path = `${folder}/walk${ending}`;
		ok('convert', 'demo:walk', path, '--until', '0.4');
		assertSameMotion(path, ['.csv']);
	}
});

test('other names and a map give the same skeleton', () => {
	const vertebrae = `${folder}/walk.wrl`;
	for (const path of [`${folder}/walk.glb`, vertebrae])
		assertSameSkeleton(path);
});

test('the same for public files', (t) => {
	const files = [...dataFiles('bvh', '.bvh'), ...dataFiles('gltf', '.glb'), ...dataFiles('vrm', '.vrm')]
		.filter((path) => statSync(path).size < 1 << 17 && run(jointcast, 'inspect', path).status === 0);
	if (files.length === 0)
		return t.skip('the public data is not there');
	for (const path of files) {
		const { skeletons, motions } = runJson(jointcast, 'inspect', path);
		if (motions.some(({ error }) => !error))
			assertSameMotion(path, ['.csv']);
		if (skeletons.some(({ error }) => !error))
			assertSameSkeleton(path);
	}
});

test('a template is a map with the bones that it shows', () => {
	const text = template(own);
	const map = write(folder, 'own.txt', text);
	assert.deepEqual(mapped(text).slice(0, 3), [['hips', 'Hips'], ['spine', 'Spine'], ['neck', 'Neck']]);
	assert.match(text, /^# {3}leftShoulder =$/m);
	assert.deepEqual(runJson(jointcast, 'inspect', own, '--bones', map).motions[0].bones,
		runJson(jointcast, 'inspect', own).motions[0].bones);
	assert.equal(ok('inspect', own, '--bones', map, '--bones-template'), text);
});

test('a template of unrecognised joints lists them with their numbers', () => {
	const tail = write(folder, 'tail.bvh', ['HIERARCHY', 'ROOT a', '{', 'OFFSET 0 0 0', 'CHANNELS 3 Zrotation Xrotation Yrotation',
		...[1, 2].flatMap(() => ['JOINT b', '{', 'OFFSET 0 1 0', 'CHANNELS 0', 'End Site', '{', 'OFFSET 0 1 0', '}', '}']),
		'}', 'MOTION', 'Frames: 1', 'Frame Time: 1', '0 0 0', ''].join('\n'));
	const text = template(tail);
	assert.deepEqual(mapped(text), []);
	assert.match(text, /\n# {3}a #0\n# {5}b #1\n# {5}b #2\n$/);
	const map = write(folder, 'tail.txt', `${text}hips = a\nspine = #2\n`);
	assert.deepEqual(runJson(jointcast, 'inspect', tail, '--bones', map).motions[0].bones, ['hips', 'spine']);
});

test('a map replaces the bones that a file lists', () => {
	const glb = `${folder}/walk.glb`;
	const map = write(folder, 'fewer.txt', mapped(template(glb)).filter(([bone]) => !/Thumb|Index|jaw/.test(bone))
		.map(([bone, joint]) => `${bone} = ${joint}`).join('\n'));
	const [all, fewer] = [[], ['--bones', map]].map((options) =>
		Object.keys(runJson(jointcast, 'inspect', glb, ...options).skeletons[0].bones));
	assert.deepEqual(fewer, all.filter((bone) => !/Thumb|Index|jaw/.test(bone)));
	// A corrected file needs no map.
	const fixed = `${folder}/fixed.glb`;
	ok('lint', glb, '--bones', map, '--fix', fixed);
	assert.deepEqual(Object.keys(runJson(jointcast, 'inspect', fixed).skeletons[0].bones), fewer);
	const descriptor = JSON.parse(ok('inspect', glb, '--bones', map, '--descriptor'));
	assert.deepEqual(Object.keys(descriptor.bones).sort(), [...fewer].sort());
});

test('mistakes are one line with the file and the line', () => {
	const path = `${folder}/wrong.txt`;
	const good = 'hips = Hips\n';
	const cases = [
		[`${good}leftUperArm = LeftArm`, /^jointcast: [^\n]*wrong\.txt:2: 'leftUperArm' is not a bone; nearest: 'leftUpperArm'/],
		[`${good}\nspine`, /wrong\.txt:3: 'spine' is not BONE = JOINT\n$/],
		[`${good}hips = Spine`, /wrong\.txt:2: 'hips' already has a joint in line 1\n$/],
		[`${good}leftHand = LeftHnad`, /own\.bvh: no joint is named 'LeftHnad'; nearest: 'LeftHand', [^\n]*wrong\.txt:2\n$/],
		[`${good}jaw = Hips`, /own\.bvh: the joint of 'jaw' is already that of 'hips' in line 1, [^\n]*:2\n$/],
		[`hips = Spine\nspine = Hips`, /own\.bvh: the joint of 'hips' hangs below that of 'spine', [^\n]*:1\n$/],
		['spine = Spine', /own\.bvh: the map has no 'hips', [^\n]*wrong\.txt\n$/],
		[`${good}vl4 = Neck`, /own\.bvh: a vertebra of H-Anim, but the file has no H-Anim figure, [^\n]*:2\n$/],
	];
	for (const [text, line] of cases) {
		writeFileSync(path, text);
		const result = run(jointcast, 'convert', own, `${folder}/out.csv`, '--bones', path);
		assert.equal(result.status, 1, text);
		assert.match(result.stderr, line);
		assert.equal(result.stderr.split('\n').length, 2, result.stderr);
	}
	writeFileSync(path, good);
	ok('convert', own, `${folder}/own.jsonl`);
	ok('convert', own, `${folder}/own.mcap`);
	for (const file of ['own.jsonl', 'own.mcap'].map((name) => `${folder}/${name}`))
		for (const command of [['inspect', file], ['retarget', file, 'humanoid']])
			assert.equal(failure(run(jointcast, ...command, '--bones', path), 1, file), '');
	for (const command of [['inspect', 'demo:walk'], ['lint', 'humanoid'], ['inspect', 'humanoid', '--descriptor']])
		assert.equal(failure(run(jointcast, ...command, '--bones', path), 1, command[1]), '');
	assert.equal(failure(run(jointcast, 'inspect', own, '--bones', `${folder}/none.txt`), 3, `${folder}/none.txt`), '');
	assert.equal(run(jointcast, 'inspect', own, '--json', '--bones-template').status, 2);
});

test('the daemon reads maps of sources and skeletons', () => {
	const good = write(folder, 'good.txt', template(own));
	const wrong = write(folder, 'wrong.txt', 'hips = Hips\nleftHand = LeftHnad\n');
	const glb = `${folder}/walk.glb`;
	const skeletonMap = write(folder, 'skeleton.txt', template(glb));
	const large = write(folder, 'large.txt', '#'.repeat((64 << 10) + 1));
	const check = (source, bones) => run(process.env.JOINTCASTD, '--check-config', '--config', write(folder, 'daemon.conf',
		`skeleton "a" { file = "${glb}" bones = "${bones}" }\nsource "b" { uri = "${source}" skeleton = "a" }\n`));
	const accepted = check(`file:${own}?bones=${good}&loop=0`, skeletonMap);
	assert.equal(accepted.status, 0, accepted.stderr);
	for (const [source, bones, complaint] of [
		[`file:${own}?bones=${wrong}`, skeletonMap, /no joint is named 'LeftHnad'; nearest: 'LeftHand', [^\n]*wrong\.txt:2/],
		[`file:${own}?bones=${good}`, wrong, /no joint is named 'Hips'[^\n]*wrong\.txt:1/],
		[`file:${own}?bones=${folder}/none.txt`, skeletonMap, /: bone map: cannot be opened: [^\n]*none\.txt$/m],
		[`file:${own}?bones=${good}`, `${folder}/none.txt`, /: bone map: cannot be opened: [^\n]*none\.txt$/m],
		[`file:${own}?bones=${good}`, large, /: bone map: larger than 64 KiB, [^\n]*large\.txt$/m],
		[`file:${folder}/own.mcap?bones=${good}`, skeletonMap, /no joints to which a bone map could apply/],
		[`demo:walk?bones=${good}`, skeletonMap, /no such option: 'bones'/],
	]) {
		const { status, stderr } = check(source, bones);
		assert.equal(status, 1, `${source}: ${stderr}`);
		assert.match(stderr, complaint);
	}
});
