// The precision that a space permits to its subscribers: for each role and coding, after a
// reload, a new token and a change of the view, in rewinds and replays.
//
// usage: daemon_precision.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../clients/js/index.js';
import { Client } from './support/client.mjs';
import { start } from './support/daemon.mjs';
import { secret, token } from './support/token.mjs';
import { until } from './support/until.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-precision-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, 'key'), secret);
assert.equal(spawnSync(process.argv[3], ['convert', 'demo:walk', path.join(folder, 'lobby.mcap')]).status, 0);

const ROLES = 'watch_fine = {"role:moderate"} watch_standard = {"role:watch"}';
const configure = (rules) => writeFileSync(path.join(folder, 'conf'), `
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${folder}/key" } }
limits { rewind_seconds = 10 }
space "lobby" { watch = {"anyone"} ${rules} }
space "attic" { watch = {"anyone"} }
source "walk" { uri = "demo:walk" }
recording { folder = "${folder}" }
`);
configure(ROLES);
const daemon = await start('--config', path.join(folder, 'conf'));
after(async () => assert.equal(await daemon.stop(), 0));

async function reload(rules) {
	const before = daemon.log.length;
	configure(rules);
	daemon.child.kill('SIGHUP');
	await until('the reload', () => /configuration was read again/.test(daemon.log.slice(before)));
}

const tokens = {
	guest: undefined,
	watcher: token({ sub: 'wendy', roles: ['watch'] }),
	moderator: token({ sub: 'mia', roles: ['watch', 'moderate', 'record'] }),
};

// Units of the lattices of proto/SMALL-PACKETS.md, "Precisions".
const UNITS = { fine: 0.00023410975632, standard: 0.00097554363632, coarse: 0.003902244885 };
// In coding 3 a lattice for each bone.
const { model } = JSON.parse(readFileSync(new URL('../../proto/chain-table.json', import.meta.url), 'utf8'));
const DROPS = { fine: 0, standard: 33, coarse: 65 };
function unitOf(coding, precision, bone) {
	const { level, finer = 0 } = model.bones[BONES[bone]];
	const number = Object.keys(DROPS).indexOf(precision);
	return coding === 3 ? UNITS.fine * 2 ** ((level + DROPS[precision] - number * finer) / 16) : UNITS[precision];
}

/** The angle in degrees from a point of a rotation to the nearest place of a lattice. */
function pointDistance([x, y, z, w], unit) {
	const point = [x, y, z].map((v) => v / (1 + w) / unit);
	const [even, odd] = [0, 1].map((r) => point.map((v) => 2 * Math.round((v - r) / 2) + r));
	const away = (place) => Math.hypot(...place.map((v, i) => v - point[i]));
	const near = (away(even) < away(odd) ? even : odd).map((v) => v * unit);
	const s = near.reduce((sum, v) => sum + v * v, 0);
	const place = [...near.map((v) => (2 * v) / (1 + s)), (1 - s) / (1 + s)];
	return 4 * Math.asin(Math.hypot(...[x, y, z, w].map((v, i) => v - place[i])) / 2) * (180 / Math.PI);
}

/** The same, of both points of the rotation: places reach to 240 degrees. */
const distance = (q, unit) => Math.min(...[1, -1].map((sign) => q.map((v) => sign * v))
	.filter(([, , , w]) => w > -0.51).map((point) => pointDistance(point, unit)));

/** Whether the newest rotations of the bodies all lie on the lattice of a precision. */
function liesOn(client, precision) {
	const { timeline } = [...client.bodies.values()][0];
	const { rotations } = timeline.at(timeline.newest);
	let worst = 0;
	for (let i = 0; i < rotations.length; i += 4)
		worst = Math.max(worst, distance(rotations.subarray(i, i + 4), unitOf(client.coding, precision, i / 4)));
	return worst < 0.012; // 0.0086 degrees of coding 1, 0.06 / 2 of the next finer lattice is more
}

/** The precision of packets, by the coarsest lattice on which all rotations lie. */
const precisionOf = (client) => ['coarse', 'standard', 'fine'].find((name) => liesOn(client, name)) ?? 'exact';

function open(t, who, options = {}) {
	const client = connect(daemon.url, { WebSocket, token: tokens[who], precision: 'fine', skeleton: 'humanoid', ...options });
	t.after(() => client.close());
	client.coding = options.codings?.[0] ?? 3;
	client.granted = [];
	client.packets = 0;
	client.on('subscribed', (message) => client.granted.push(message.precision));
	client.on('bundle', ({ count }) => (client.packets += count));
	client.on('error', (error) => assert.fail(error));
	return client;
}

/** Resolves once twenty packets after now have come; returns their precisions. */
async function precisions(client) {
	const seen = new Set();
	const look = () => client.bodies.size > 0 && client.packets > 0 && seen.add(precisionOf(client));
	const from = client.packets;
	client.on('bundle', look);
	await until('twenty packets', () => client.packets > from + 20);
	client.off('bundle', look);
	return [...seen];
}

for (const codings of [[3], [2], [1]]) {
	test(`each role receives its precision, coding ${codings}`, async (t) => {
		for (const [who, expected] of [['guest', 'coarse'], ['watcher', 'standard'], ['moderator', codings[0] > 1 ? 'fine' : 'exact']]) {
			const client = open(t, who, { codings });
			assert.deepEqual(await precisions(client), [expected], who);
			const limited = ['coarse', 'standard'].includes(expected);
			assert.deepEqual(client.granted, limited ? [expected] : [], who);
			const room = client.welcome.rooms.find(({ name }) => name === 'lobby');
			assert.equal(room.precision, limited ? expected : undefined, who);
			assert.equal(client.welcome.rooms.find(({ name }) => name === 'attic').precision, undefined);
			client.close();
		}
	});

	test(`a reload limits present subscribers and frees them again, coding ${codings}`, async (t) => {
		for (const more of [{}, { viewpoints: [{ position: [0, 1, 1] }] }]) {
			await reload('');
			const client = open(t, 'guest', { codings, ...more });
			const full = codings[0] > 1 ? 'fine' : 'exact';
			assert.deepEqual(await precisions(client), [full]);
			await reload(ROLES);
			await until('the limit', () => client.granted.length === 1);
			assert.deepEqual(client.granted, ['coarse']);
			assert.deepEqual(await precisions(client), ['coarse']);
			// Neither new viewpoints, nor new priorities, nor a new subscription lifts it.
			client.setPriority([...client.bodies.values()]);
			client.setViewpoints([{ position: [0, 1.5, 0.5] }]);
			assert.deepEqual(await precisions(client), ['coarse']);
			client.setPriority([]);
			client.setViewpoints([]);
			client.subscribe({ precision: 'standard' });
			assert.deepEqual(await precisions(client), ['coarse']);
			client.subscribe({ precision: 'fine' });
			await reload('');
			await until('the full precision', () => client.granted.at(-1) !== 'coarse');
			assert.deepEqual(await precisions(client), [full]);
			client.close();
		}
		await reload(ROLES);
	});
}

test('a token raises the precision at once', async (t) => {
	const client = open(t, 'guest');
	assert.deepEqual(await precisions(client), ['coarse']);
	client.renew(tokens.watcher);
	await until('the new limit', () => client.granted.at(-1) === 'standard');
	await precisions(client);
	assert.deepEqual(await precisions(client), ['standard']);
});

test('beyond the limit of streams the packets are no finer', async (t) => {
	await reload(`${ROLES} streams = 1`);
	const clients = Array.from({ length: 3 }, (_, i) => open(t, 'guest', { sections: [['body'], ['hips', 'body'], ['body', 'hands']][i], bodies: [1] }));
	for (const client of clients)
		assert.deepEqual(await precisions(client), ['coarse']);
	await reload(ROLES);
});

/** The rotation whose matrix has those columns: its largest number from the diagonal, the others by it (Shepperd 1978). */
function rotationOf([x, y, z]) {
	const squares = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]];
	const [xy, xz, yz] = [x[1] + y[0], x[2] + z[0], y[2] + z[1]];
	const [wx, wy, wz] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
	const most = squares.indexOf(Math.max(...squares));
	const row = [[squares[0], xy, xz, wx], [xy, squares[1], yz, wy], [xz, yz, squares[2], wz], [wx, wy, wz, squares[3]]][most];
	return row.map((v) => v / (2 * Math.sqrt(squares[most])) * (row[3] < 0 ? -1 : 1));
}

// All that a limited client receives is made from rounded motion: a skeleton that it has registered
// is no lever that shows the rest.
for (const codings of [[2], [1]]) {
	test(`a skeleton of ten kilometres magnifies nothing, coding ${codings}`, async (t) => {
		const LENGTH = 1e4;
		const client = open(t, 'guest', { codings });
		await until('a roster', () => client.state === 'live');
		const { hash } = await client.registerSkeleton(`long ${codings}`, {
			nodes: [{ name: 'h', translation: [0, LENGTH, 0] }, { name: 's', parent: 0, translation: [0, LENGTH / 4, 0] }],
			bones: { hips: 0, spine: 1 },
			virtualTransforms: [0, 1, 2].map((axis) => ({ name: `far ${axis}`, parent: 0,
				translation: [0, 1, 2].map((i) => (i === axis ? LENGTH : 0)) })),
		});
		client.subscribe({ skeleton: hash, virtual: codings[0] === 2 ? [0, 1, 2] : undefined });
		const poses = new Map();
		client.on('bundle', () => {
			const [{ packed, timeline }] = client.bodies.values();
			const sample = packed?.hash === hash && timeline.at(timeline.newest);
			if (sample)
				poses.set(String(sample.hips), Array.from({ length: sample.virtualCount },
					(_, i) => Array.from(sample.virtualPositions.slice(3 * i, 3 * i + 3))).concat([Array.from(sample.hips)]));
		});
		await until('ten places', () => poses.size > 10);
		for (const pose of poses.values()) {
			const hips = pose.pop();
			// The hips stand at multiples of 8 mm of a figure whose hips are 1 m high.
			for (const v of hips)
				assert.ok(Math.abs(v / LENGTH - 0.008 * Math.round(v / LENGTH / 0.008)) < 1e-5, `hips ${v}`);
			// Three remote points tell the rotation of the hips: a place of the lattice.
			const columns = pose.map((place) => place.map((v, i) => (v - hips[i] - (i === 1 ? LENGTH : 0)) / LENGTH));
			if (codings[0] === 2)
				assert.ok(distance(rotationOf(columns), UNITS.coarse) < 1e-3, `rotation ${rotationOf(columns)}`);
		}
	});
}

async function ask(line, message) {
	line.send({ type: 'replay', ...message });
	return line.take(({ type, answers }) => type === 'error' || (type === 'replaying' && answers !== undefined));
}

test('a recording of a space with limits plays there only', async () => {
	const line = await Client.greeted(daemon, { token: tokens.moderator });
	const open = (space) => ask(line, { space, action: 'open', file: 'lobby.mcap', paused: true });
	assert.equal((await open('attic')).code, 'not-allowed');
	const opened = await open('lobby');
	assert.equal(opened.answers, 'open');
	await ask(line, { space: 'lobby', action: 'close', id: opened.opened });
	await reload('');
	const free = await open('attic');
	assert.equal(free.answers, 'open');
	await ask(line, { space: 'attic', action: 'close', id: free.opened });
	await reload(ROLES);
	line.end();
});

test('a rewind has the precision of its space', async () => {
	const line = await Client.greeted(daemon, { codings: [2] });
	let past;
	await until('the rewind buffer', async () => {
		({ past } = await ask(line, { space: 'lobby', action: 'rewind' }));
		return past;
	});
	line.send({ type: 'join', space: past }, { type: 'subscribe', space: past, precision: 'fine' });
	const { precision } = await line.find('subscribed', ({ space }) => space === past);
	assert.equal(precision, 'coarse');
	line.end();
});
