// Do server and client judge avatars alike? The library in C and checkAvatar of clients/js refuse each
// hostile file and count the same facts in others, also in files with random damage: what the server
// serves, a client shows. The client may take damaged files that the server refuses, such as text with
// lone surrogates.
//
// usage: avatars_agree.mjs SERVER [DAMAGED]      SERVER: avatar_server.c; DAMAGED: number of such files
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { checkAvatar } from '../../../clients/js/index.js';
import { hostile, servable } from '../../e2e/support/avatar_files.mjs';
import { sample } from '../../e2e/support/daemon.mjs';

const [server, damaged = '400'] = process.argv.slice(2);
const COUNTS = ['bytes', 'values', 'nodes', 'joints', 'primitives', 'triangles', 'vertices', 'geometry', 'materials',
	'textures', 'images', 'pixels', 'side', 'springs', 'extent'];
const PERMISSIONS = ['unstated', 'onlyAuthor', 'licensed', 'everyone'];

/** The line of the server for each file. */
function askServer(files) {
	const script = files.flatMap((bytes) => {
		const head = Buffer.alloc(4);
		head.writeUInt32LE(bytes.length);
		return [head, bytes];
	});
	const { status, stdout, stderr } = spawnSync(server, [], { input: Buffer.concat(script), encoding: 'utf8', maxBuffer: 1 << 28 });
	assert.equal(status, 0, stderr);
	const lines = stdout.split('\n').slice(0, -1);
	assert.equal(lines.length, files.length);
	return lines;
}

/** The line of the client, in the form of the server. */
function askClient(bytes) {
	let facts;
	try {
		facts = checkAvatar(bytes);
	} catch ({ message }) {
		return `error ${message}`;
	}
	return ['ok', ...COUNTS.map((name) => facts[name]), PERMISSIONS.indexOf(facts.permission), Number(facts.mayRedistribute)].join(' ');
}

/** Compares two lines: all equal, but the extent, whose rounding may differ. */
function assertAgree(client, server, what) {
	const at = COUNTS.indexOf('extent') + 1;
	const without = (line) => line.split(' ').filter((_, i) => i !== at).join(' ');
	const [ours, theirs] = [client, server].map((line) => Number(line.split(' ')[at]));
	assert.equal(without(client), without(server), what);
	assert.ok(Math.abs(ours - theirs) <= 1 + theirs / 1e5, `${what}: ${ours} mm, not ${theirs} mm`);
}

/** A generator of numbers from 0 to below `end` (xorshift32). */
function dice(seed) {
	let state = seed;
	return (end) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % end;
	};
}

/** A copy with one to three changes: a digit of the JSON, a bit of it, or a bit anywhere. */
function damage(bytes, roll) {
	const copy = Buffer.from(bytes);
	const isBinary = copy.toString('latin1', 0, 4) === 'glTF';
	const [from, to] = isBinary ? [20, 20 + copy.readUInt32LE(12)] : [0, copy.length];
	for (let i = roll(3); i >= 0; i--) {
		const kind = roll(4);
		let at = kind === 3 ? roll(copy.length) : from + roll(to - from);
		while (kind < 2 && at < to && (copy[at] < 0x30 || copy[at] > 0x39))
			at++;
		if (at < copy.length)
			copy[at] = kind < 2 && at < to ? 0x30 + roll(10) : copy[at] ^ (1 << roll(8));
	}
	return copy;
}

const golden = JSON.parse(readFileSync(new URL('../../../proto/golden/avatars.json', import.meta.url)))
	.filter(({ error }) => error !== 'hash').map(({ base64, ...vector }) => ({ ...vector, bytes: Buffer.from(base64, 'base64') }));
const good = { ...servable(), ...Object.fromEntries(['gltf/RobotExpressive.glb', 'vrm/vrm0_godette.vrm', 'vrm/vrm1_debug_robot.vrm']
	.filter((name) => sample(name)).map((name) => [name, readFileSync(sample(name))])) };
const bad = hostile();
const lines = askServer([...Object.values(good), ...Object.values(bad).map(([bytes]) => bytes)]);

Object.entries(good).forEach(([what, bytes], i) => test(`both count the same in ${what}`, () => {
	assert.match(lines[i], /^ok /);
	assertAgree(askClient(bytes), lines[i], what);
}));

Object.entries(bad).forEach(([what, [bytes, pattern]], i) => test(`both refuse ${what}`, () => {
	const line = lines[Object.keys(good).length + i];
	assert.match(line, /^error /);
	assert.match(line, pattern);
	assert.match(askClient(bytes), /^error /);
}));

askServer(golden.map(({ bytes }) => bytes)).forEach((line, i) => test(`the server judges as the golden vector states: ${golden[i].name}`, () => {
	const { facts } = golden[i];
	if (!facts)
		return assert.match(line, /^error /);
	assertAgree([...line.split(' ').slice(0, 1), ...COUNTS.map((name) => facts[name]), ...line.split(' ').slice(1 + COUNTS.length)].join(' '), line, golden[i].name);
}));

test('the client takes each damaged file that the server takes, and counts the same', () => {
	const roll = dice(20261123);
	const models = Object.values(servable());
	const files = Array.from({ length: Number(damaged) }, () => damage(models[roll(models.length)], roll));
	const taken = askServer(files).flatMap((line, i) => (line.startsWith('ok ') ? [[line, files[i], i]] : []));
	assert.ok(taken.length > files.length / 10, `the server takes ${taken.length} of ${files.length}`);
	for (const [line, bytes, i] of taken)
		assertAgree(askClient(bytes), line, `damaged file ${i}`);
});
