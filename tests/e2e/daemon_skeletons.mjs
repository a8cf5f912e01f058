// Tests skeletons of clients, over HTTP and in messages: registration from every format, use,
// removal, and survival of a killed daemon.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { BONES, PoseFrame, TRACKED, connect, describeFile } from '../../clients/js/index.js';
import { scratch, start } from './support/daemon.mjs';
import { makeExt, makeVrm, nodeOf, TABLE } from './support/fixtures.mjs';
import { now, secret, sign } from './support/token.mjs';
import { until } from './support/until.mjs';
import { exchange } from './support/websocket_bytes.mjs';

const folder = scratch();

const MIB = 1 << 20;
const state = (name) => path.join(folder, name);
const open = await start('--state', state('open'), '--source', 'demo:walk');
after(async () => assert.equal(await open.stop(), 0));

/** An HTTP client of one subject. */
const api = (daemon, token) => async (method, name, body, more = {}) => {
	const answer = await fetch(`http://127.0.0.1:${daemon.port}/skeletons${name}`, { method, body,
		headers: { ...(token && { authorization: `Bearer ${token}` }), ...more } });
	const text = await answer.text();
	return { status: answer.status, text, headers: answer.headers,
		json: text.startsWith('{') ? JSON.parse(text) : null };
};
const ask = api(open);

const clients = new Set();
after(() => clients.forEach((client) => client.close()));

function join(daemon, options = {}) {
	const client = connect(daemon.url, { WebSocket, space: 'lobby', ...options });
	clients.add(client);
	return client;
}

/** The positions of bones at rest, in a figure whose nodes have no rotations. */
function placesOf({ nodes, bones }) {
	const placeOf = (i) => (i < 0 ? [0, 0, 0] : placeOf(nodes[i].parent ?? -1)
		.map((x, k) => x + (nodes[i].translation?.[k] ?? 0)));
	return Object.fromEntries(Object.entries(bones).map(([bone, node]) => [bone, placeOf(node)]));
}

function assertPlaces(descriptor, expected) {
	const places = placesOf(descriptor);
	assert.deepEqual(Object.keys(places).sort(), Object.keys(expected).sort());
	for (const [bone, place] of Object.entries(expected))
		place.forEach((x, k) => assert.ok(Math.abs(x - places[bone][k]) < 1e-5, `${bone}: ${places[bone]}, not ${place}`));
}

const figure = (height) => ({ nodes: [{ name: 'h', translation: [0, height, 0] },
	{ name: 's', parent: 0, translation: [0, 0.25, 0] }], bones: { hips: 0, spine: 1 } });
const text = (height) => JSON.stringify(figure(height));

// ---- files ---------------------------------------------------------------------------

const JOINTS = { hips: [0, 1, 0], leftUpperLeg: [0.1, 0.95, 0], leftLowerLeg: [0.1, 0.5, 0], leftFoot: [0.1, 0.08, 0],
	rightUpperLeg: [-0.1, 0.95, 0], rightLowerLeg: [-0.1, 0.5, 0], rightFoot: [-0.1, 0.08, 0] };
const OF_HANIM = { hips: 'humanoid_root', leftUpperLeg: 'l_hip', leftLowerLeg: 'l_knee', leftFoot: 'l_ankle',
	rightUpperLeg: 'r_hip', rightLowerLeg: 'r_knee', rightFoot: 'r_ankle' };
const xml = (bone, ...below) =>
	`<HAnimJoint DEF='${OF_HANIM[bone]}' name='${OF_HANIM[bone]}' center='${JOINTS[bone].join(' ')}'>${below.join('')}</HAnimJoint>`;
const classic = (bone, ...below) => `DEF ${OF_HANIM[bone]} HAnimJoint { name "${OF_HANIM[bone]}" center ${
	JOINTS[bone].join(' ')} children [ ${below.join(' ')} ] }`;
const hanim = (write) => write('hips', ...['left', 'right'].map((side) => write(`${side}UpperLeg`,
	write(`${side}LowerLeg`, write(`${side}Foot`)))));
const x3d = `<?xml version='1.0'?><X3D profile='Full' version='4.0'><Scene><HAnimHumanoid DEF='h' name='h' version='1.0'>${
	hanim(xml).replace('<HAnimJoint', "<HAnimJoint containerField='skeleton'")}</HAnimHumanoid></Scene></X3D>`;
const x3dv = `#X3D V3.3 utf8\nPROFILE Full\nDEF h HAnimHumanoid { name "h" version "1.0" skeleton [ ${hanim(classic)} ] }\n`;

/** The JSON of a GLB without its buffers, meshes and skins. */
function gltfOf(glb) {
	const json = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)));
	return { ...json, buffers: undefined, bufferViews: undefined, accessors: undefined, meshes: undefined, skins: undefined,
		nodes: json.nodes.map(({ mesh, skin, ...node }) => node) };
}

/** Adds a chunk of an unknown type to a GLB, so that it has `length` bytes. */
function stretch(glb, length) {
	const more = Buffer.alloc(length - glb.length);
	more.writeUInt32LE(more.length - 8, 0);
	more.write('JUNK', 4, 'latin1');
	const whole = Buffer.concat([glb, more]);
	whole.writeUInt32LE(length, 8);
	return whole;
}

const BODY = TABLE.filter(({ section }) => section === 'body');
const scaled = (sign) => Object.fromEntries(BODY.map(({ name, rest: [x, y, z] }) => [name, [sign * 0.9 * x, 0.9 * y, sign * 0.9 * z]]));
const vrm1 = makeVrm(1);

for (const [name, bytes, places] of [
	['a VRM 1.0', vrm1, scaled(1)],
	['a VRM 0.x', makeVrm(0), scaled(-1)],
	['a .gltf', JSON.stringify(gltfOf(vrm1)), scaled(1)],
	['a .glb of 32 MiB', stretch(vrm1, 32 * MIB), scaled(1)],
	['H-Anim as XML', x3d, JOINTS],
	['H-Anim as classic VRML', x3dv, JOINTS],
	['a descriptor', JSON.stringify(describeFile(vrm1)), scaled(1)],
	['a descriptor of 8 MiB', text(1).padEnd(8 * MIB), { hips: [0, 1, 0], spine: [0, 1.25, 0] }],
]) {
	test(`${name} is registered, and its bones are where the file has them`, async () => {
		const put = await ask('PUT', `/${encodeURIComponent(name)}`, bytes);
		assert.equal(put.status, 201, put.text);
		assert.deepEqual({ ...put.json, lint: null, hash: null },
			{ type: 'registered', name, hash: null, stored: true, lint: null });
		const got = await ask('GET', `/${encodeURIComponent(name)}`);
		assert.equal(got.headers.get('content-type'), 'application/json');
		assertPlaces(got.json, places);
		assert.equal(crypto.createHash('sha256').update(got.text).digest('hex'), put.json.hash);
		assert.equal((await ask('DELETE', `/${encodeURIComponent(name)}`)).status, 200);
		assert.equal((await ask('GET', `/${encodeURIComponent(name)}`)).status, 404);
	});
}

test('limits and segments of H-Anim are part of the descriptor', async () => {
	const bytes = `#VRML V2.0 utf8\nHAnimHumanoid { name "h" skeleton [ HAnimJoint { name "HumanoidRoot" center 0 1 0 children [
		HAnimJoint { name "l_knee" center 0.1 0.5 0 llimit [ 0 0 0 ] ulimit [ 2 0 0 ] stiffness [ 0 1 1 ] children [
		HAnimSegment { name "l_calf" mass 3.5 centerOfMass 0.1 0.25 0 } ] } ] } ] }\n`;
	const put = await ask('PUT', '/limited', bytes);
	assert.equal(put.status, 201, put.text);
	const { text: sent, json } = await ask('GET', '/limited');
	const node = json.bones.leftLowerLeg;
	assert.deepEqual(json.limits, [{ node, lower: [0, 0, 0], upper: [2, 0, 0], orientation: [0, 0, 0, 1], stiffness: [0, 1, 1] }]);
	assert.deepEqual(json.segments, [{ name: 'l_calf', node, mass: 3.5, centerOfMass: [0, -0.25, 0] }]);
	const again = await ask('PUT', '/again', sent);
	assert.equal(again.json.hash, put.json.hash);
	for (const name of ['limited', 'again'])
		assert.equal((await ask('DELETE', `/${name}`)).status, 200);
});

for (const [name, bytes, said] of [
	['nothing', '', /./],
	['text of more than 8 MiB', text(1).padEnd(8 * MIB + 1), /^text larger than 8 MiB: send a \.glb/],
	['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), /^gzip is not unpacked here/],
	['a mesh without bones', JSON.stringify({ asset: { version: '2.0' }, nodes: [{ name: 'chair' }] }), /no humanoid/],
	['a .glb that was cut off', vrm1.subarray(0, 900), /./],
]) {
	test(`${name} is refused in one line that gives the reason`, async () => {
		const { status, text: line } = await ask('PUT', '/bad', bytes);
		assert.equal(status, 400);
		assert.match(line, said);
		assert.match(line, /^[^\n]+\n$/);
		assert.equal((await ask('GET', '/bad')).status, 404);
	});
}

test('more than 32 MiB is refused before it is sent, and so is a body of unknown length', async () => {
	const head = (length) => `PUT /skeletons/x HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`;
	assert.equal((await exchange(open.port, head(`Content-Length: ${32 * MIB + 1}`))).status, 413);
	assert.equal((await exchange(open.port, head('Transfer-Encoding: chunked'))).status, 411);
	assert.equal((await exchange(open.port, head('X: y'))).status, 411);
});

test('equal skeletons of different files and names are registered once', async () => {
	const first = await ask('PUT', '/one', JSON.stringify(describeFile(vrm1)));
	const again = await ask('PUT', '/one', vrm1);
	const other = await ask('PUT', '/other', JSON.stringify(gltfOf(vrm1)));
	assert.deepEqual([first.status, again.status, other.status], [201, 200, 201]);
	assert.equal(new Set([first, again, other].map(({ json }) => json.hash)).size, 1);
	const client = join(open);
	const told = await client.registerSkeleton('third', describeFile(vrm1));
	assert.equal(told.hash, first.json.hash);
	const list = (await ask('GET', '')).json;
	assert.equal(list.type, 'wardrobe');
	assert.deepEqual(list.skeletons.map(({ name }) => name), ['one', 'other', 'third']);
	assert.deepEqual(await client.registeredSkeletons(), list.skeletons);
	for (const { name } of list.skeletons)
		await client.unregisterSkeleton(name);
	assert.deepEqual((await ask('GET', '')).json.skeletons, []);
	client.close();
});

// EXT_skeleton_humanoid, "Animation remapping"; KHR_virtual_transform, "Properties".
test('a posed file is the same skeleton to the server and to describeFile, with its points', async () => {
	const points = [{ name: 'grip', parent: nodeOf('rightHand'), translation: [-0.1, 0, 0.02], rotation: [0, 0.6, 0, 0.8],
		scale: [1, 2, 0.5], respectParentScale: false, tags: ['weapon_socket', 'left'] }, { name: 'seat', tags: ['seating'] },
	{ name: 'lost', parent: 999 }, { name: 'turned', rotation: [1, 1, 1, 1] }];
	const file = makeExt({ degrees: 60, virtualTransforms: points });
	assert.equal((await ask('PUT', '/posed', file)).status, 201);
	const kept = (await ask('GET', '/posed')).json;
	const described = describeFile(file);
	assert.equal(described.format, kept.format);
	const nameAt = ({ nodes }, i) => (i < 0 ? null : nodes[i].name); // both number nodes in their own order
	const bonesOf = (figure) => Object.fromEntries(Object.entries(figure.bones).map(([bone, i]) => [bone, nameAt(figure, i)]).sort());
	assert.deepEqual(bonesOf(described), bonesOf(kept));
	const near = (mine, its, what) => mine.forEach((x, k) =>
		assert.ok(Math.abs(x - its[k]) < 1e-5, `${what}: ${mine}, not ${its}`));
	const compare = (mine, its) => {
		assert.deepEqual([mine.name, nameAt(described, mine.parent)], [its.name, nameAt(kept, its.parent)]);
		['translation', 'rotation', 'scale'].forEach((part) => near(mine[part], its[part], `${mine.name} ${part}`));
	};
	assert.equal(described.nodes.length, kept.nodes.length);
	described.nodes.forEach((node) => compare(node, kept.nodes.find(({ name }) => name === node.name)));
	assert.deepEqual(described.virtualTransforms.map(({ name }) => name), ['grip', 'seat']);
	described.virtualTransforms.forEach((virtual, i) => {
		compare(virtual, kept.virtualTransforms[i]);
		for (const field of ['respectParentPosition', 'respectParentRotation', 'respectParentScale', 'tags'])
			assert.deepEqual(virtual[field], kept.virtualTransforms[i][field]);
	});
});

test('of a file with several figures the one that is named is registered', async () => {
	const two = x3d.replace('</Scene>', `<HAnimHumanoid DEF='g' name='g' version='1.0'>${
		hanim((bone, ...below) => xml(bone, ...below).replace(`center='${JOINTS[bone].join(' ')}'`,
			`center='${JOINTS[bone].map((x) => 2 * x).join(' ')}'`)).replaceAll("DEF='", "DEF='g_")
			.replace('<HAnimJoint', "<HAnimJoint containerField='skeleton'")}</HAnimHumanoid></Scene>`);
	assert.equal((await ask('PUT', '/second?index=1', two)).status, 201);
	assertPlaces((await ask('GET', '/second')).json,
		Object.fromEntries(Object.entries(JOINTS).map(([bone, place]) => [bone, place.map((x) => 2 * x)])));
	assert.equal((await ask('PUT', '/third?index=2', two)).status, 400);
	for (const query of ['?index=', '?index=x', '?index=-1', '?index=0&index=1', '?name=x', '?'])
		assert.equal((await ask('PUT', `/third${query}`, two)).status, query === '?' ? 201 : 400, query);
	await ask('DELETE', '/second');
	await ask('DELETE', '/third');
});

test('the answer contains the findings', async () => {
	const { json: { lint } } = await ask('PUT', '/odd', text(1));
	const missing = lint.find(({ code }) => code === 'missing-bones');
	assert.equal(missing.severity, 'warning');
	assert.match(missing.text, /head/);
	await ask('DELETE', '/odd');
});

test('names are 1 to 63 bytes of text', async () => {
	for (const name of ['Ä b', '..', '%', 'x'.repeat(63), 'a\\b"c', '@local', 'x.jsonl']) {
		const at = `/${encodeURIComponent(name).replaceAll('.', '%2e')}`;
		assert.equal((await exchange(open.port, `PUT /skeletons${at} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${
			text(1).length}\r\n\r\n${text(1)}`)).status, 201, name);
		assert.ok((await ask('GET', '')).json.skeletons.some((skeleton) => skeleton.name === name), name);
		assert.equal((await exchange(open.port, `DELETE /skeletons${at} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).status, 200);
	}
	for (const name of ['', 'x'.repeat(64), '%00', '%0a', '%7f', 'a%2fb', 'a/b', '%ff', '%', '%4', '%zz'])
		assert.equal((await ask('PUT', `/${name}`, text(1))).status, 400, name);
});

// ---- pages of others -------------------------------------------------------------------

test('pages of other origins neither read nor write, and get no CORS permission', async () => {
	const foreign = (method, body) => ask(method, '/page', body, { origin: 'https://evil.example' });
	assert.equal((await foreign('PUT', text(1))).status, 403);
	assert.equal((await foreign('GET')).status, 403);
	assert.equal((await foreign('DELETE')).status, 403);
	const preflight = await exchange(open.port, 'OPTIONS /skeletons/page HTTP/1.1\r\nHost: localhost\r\n'
		+ 'Origin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n\r\n');
	assert.ok(preflight.status >= 400);
	assert.ok(![...preflight.headers.keys()].some((name) => name.startsWith('access-control')));
	const rebound = await exchange(open.port, 'GET /skeletons HTTP/1.1\r\nHost: evil.example\r\n\r\n');
	assert.equal(rebound.status, 403);
	assert.equal((await ask('GET', '/page')).status, 404);
});

test('a page of the daemon itself registers', async () => {
	const origin = { origin: `http://127.0.0.1:${open.port}` };
	assert.equal((await ask('PUT', '/page', text(1), origin)).status, 201);
	assert.equal((await ask('DELETE', '/page', undefined, origin)).status, 200);
});

// ---- worn ------------------------------------------------------------------------------

test('a subscriber has all bodies on the skeleton that it registered, from the next bundle on', async () => {
	const client = join(open);
	const { hash } = await client.registerSkeleton('mine', describeFile(vrm1));
	client.subscribe({ skeleton: hash });
	const [body] = await until('packets for it', () => {
		const bodies = [...client.bodies.values()];
		return bodies[0]?.skeleton?.hash === hash && bodies[0].sample() && bodies;
	});
	// Its hips stand as high as that figure's: 0.9 of the built-in one's.
	const { rest } = BODY.find(({ name }) => name === 'hips');
	assert.ok(Math.abs(body.skeleton.hipsHeight - 0.9 * rest[1]) < 1e-5);
	assert.notEqual(body.skeletonHash, hash);
	client.close();
	await until('it is worn no longer', async () => (await ask('GET', '')).json.skeletons.every(({ worn }) => !worn));
	await ask('DELETE', '/mine');
});

/** Sends poses until it is stopped. */
function pose(client, publication) {
	const timer = setInterval(() => {
		const frame = Object.assign(new PoseFrame(), { time: Math.floor(client.clock.at(client.now())),
			states: new Uint8Array(BONES.length).fill(TRACKED) });
		frame.hips[1] = 0.05 * Math.sin(frame.time / 2e5);
		publication.send(frame);
	}, 16);
	after(() => clearInterval(timer));
	return () => clearInterval(timer);
}

test('others see a body on the skeleton of its publisher, also after its registration ends', async () => {
	const owner = join(open, { space: 'lobby' });
	const eye = join(open);
	const { hash } = await owner.registerSkeleton('avatar', describeFile(vrm1));
	const publication = owner.publish({ name: 'Ada', kind: 'poses', skeleton: hash });
	const stop = pose(owner, publication);
	const seen = () => [...eye.bodies.values()].find(({ name }) => name === 'Ada');
	const packets = async () => {
		const { bytes } = seen();
		await until('packets of it', () => seen()?.bytes > bytes);
	};
	await until('it is seen', () => seen()?.sample());
	assert.equal(seen().skeletonHash, hash);
	assert.equal((await ask('GET', '')).json.skeletons.find(({ name }) => name === 'avatar').worn, true);

	await owner.unregisterSkeleton('avatar');
	await packets();
	assert.equal(seen().skeletonHash, hash);
	// A new client gets the descriptor, too.
	const late = join(open);
	await until('who came late sees it', () => [...late.bodies.values()].find((body) => body.skeletonHash === hash && body.sample()));
	// But it can no longer be chosen.
	const refused = new Promise((resolve) => owner.on('error', resolve));
	const second = owner.publish({ name: 'Bob', kind: 'poses', skeleton: hash });
	assert.equal((await refused).code, 'unknown-skeleton');
	assert.equal(second.state, 'refused');
	stop();
	publication.close();
	await until('it left', () => !seen());
	[owner, eye, late].forEach((client) => client.close());
});

test('a new skeleton under a name does not replace the former one on bodies that use it', async () => {
	const client = join(open);
	const { hash } = await client.registerSkeleton('avatar', figure(1));
	const publication = client.publish({ name: 'Ada', kind: 'poses', skeleton: hash });
	const stop = pose(client, publication);
	await until('it is there', () => publication.body?.sample());
	assert.notEqual((await client.registerSkeleton('avatar', figure(1.5))).hash, hash);
	assert.equal(publication.body.skeletonHash, hash);
	stop();
	client.close();
	await ask('DELETE', '/avatar');
});

// ---- whose they are ----------------------------------------------------------------------

test('with keys, a name belongs to its subject, and no other subject uses its skeleton', async (t) => {
	const token = (sub, more = {}) => sign({ alg: 'HS256', kid: 'k' }, { sub, aud: 'world', spaces: ['lobby'],
		bodies: ['Ada', 'Bob'], exp: now() + 600, roles: ['watch', 'publish'], ...more }, secret);
	fs.writeFileSync(path.join(folder, 'key'), secret);
	fs.writeFileSync(path.join(folder, 'conf'), `auth { audience = "world" key "k" { algorithm = "HS256" file = "${
		path.join(folder, 'key')}" } }\nsource "walker" { uri = "demo:walk" }\n`);
	const daemon = await start('--config', path.join(folder, 'conf'), '--state', state('keys'));
	t.after(async () => assert.equal(await daemon.stop(), 0));
	const ada = api(daemon, token('ada'));
	const bob = api(daemon, token('bob'));

	for (const [why, bearer] of [['no-token', undefined], ['malformed', 'x'], ['expired', token('ada', { exp: 1000 })],
		['wrong-audience', token('ada', { aud: 'chat' })], ['bad-signature', token('ada').replace(/.$/, (c) => (c === 'A' ? 'B' : 'A'))]]) {
		for (const method of ['GET', 'PUT', 'DELETE']) {
			const refused = await api(daemon, bearer)(method, '/avatar', method === 'PUT' ? text(1) : undefined);
			assert.equal(refused.status, 401, why);
			assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
			if (why !== 'bad-signature')
				assert.equal(refused.text, `${why}\n`);
		}
	}
	// The body of a refused request is not awaited.
	assert.equal((await exchange(daemon.port, 'PUT /skeletons/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n')).status, 401);
	assert.equal((await api(daemon, token('eve', { roles: ['moderate'] }))('PUT', '/avatar', text(1))).status, 403);

	const { json: { hash } } = await ada('PUT', '/avatar', vrm1);
	assert.deepEqual((await bob('GET', '')).json.skeletons, []);
	assert.equal((await bob('GET', '/avatar')).status, 404);
	assert.equal((await bob('DELETE', '/avatar')).status, 404);
	assert.equal((await bob('PUT', '/avatar', text(1))).status, 201);
	assert.equal((await ada('GET', '')).json.skeletons[0].hash, hash);

	// Bob may display the skeleton, but neither use nor request it.
	const wearer = join(daemon, { token: token('ada') });
	const other = join(daemon, { token: token('bob') });
	const publication = wearer.publish({ name: 'Ada', kind: 'poses', skeleton: hash });
	pose(wearer, publication);
	await until('bob sees it', () => [...other.bodies.values()].find((body) => body.skeletonHash === hash && body.sample()));
	const refusals = [];
	other.on('error', ({ code }) => refusals.push(code));
	const stolen = other.publish({ name: 'Bob', kind: 'poses', skeleton: hash });
	await until('he is refused', () => stolen.state === 'refused');
	other.subscribe({ skeleton: hash });
	await until('and again', () => refusals.length === 2);
	assert.deepEqual(refusals, ['unknown-skeleton', 'unknown-skeleton']);
	wearer.close();
	other.close();
	assert.doesNotMatch(daemon.log, /eyJ/, 'a token is in the log');
});

// ---- what outlives it ----------------------------------------------------------------------

test('a skeleton reported as stored is complete and usable after kill -9', async (t) => {
	const options = ['--state', state('killed'), '--source', 'demo:walk'];
	const stored = new Map();
	let daemon = await start(...options);
	t.after(() => daemon.stop());
	for (let round = 0; round < 4; round++) {
		const client = join(daemon);
		const kill = 3 + 2 * round; // answers before the daemon is killed, with more under way
		for (let i = 0; i < 12; i++) {
			const name = `s${(5 * round + i) % 20}`;
			client.registerSkeleton(name, figure(1 + round + i / 32)).then(({ hash, stored: isStored }) => {
				assert.ok(isStored);
				stored.set(name, hash);
				if (--client.left === 0)
					daemon.child.kill('SIGKILL');
			}, () => {});
		}
		client.left = kill;
		assert.equal(await daemon.exited, 'SIGKILL');
		client.close();
		daemon = await start(...options);
		const list = (await api(daemon)('GET', '')).json.skeletons;
		const there = new Map(list.map(({ name, hash }) => [name, hash]));
		assert.deepEqual([...stored.keys()].filter((name) => !there.has(name)), []);
		// The daemon may have stored one skeleton without having sent the answer.
		assert.ok([...stored].filter(([name, hash]) => there.get(name) !== hash).length <= 1);
		assert.ok(there.size <= stored.size + 1);
		assert.doesNotMatch(daemon.log, /set aside/);
		there.forEach((hash, name) => stored.set(name, hash));
	}
	const client = join(daemon);
	const [[, hash]] = stored;
	client.subscribe({ skeleton: hash });
	await until('it is worn', () => [...client.bodies.values()].some((body) => body.skeleton?.hash === hash && body.sample()));
	client.close();
});

test('without a state directory the answer states that nothing is stored', async (t) => {
	const daemon = await start();
	t.after(async () => assert.equal(await daemon.stop(), 0));
	assert.equal((await api(daemon)('PUT', '/x', text(1))).json.stored, false);
});

test('keeps 256 skeletons of a subject and removes the least recently used', async (t) => {
	const options = ['--state', state('full')];
	let daemon = await start(...options);
	t.after(() => daemon.stop());
	for (let i = 0; i < 258; i += 6)
		await Promise.all(Array.from({ length: 6 }, (_, k) => api(daemon)('PUT', `/n${i + k}`, text(1 + (i + k) / 1024))));
	const names = async () => (await api(daemon)('GET', '')).json.skeletons.map(({ name }) => name);
	const before = await names();
	assert.equal(before.length, 256);
	assert.ok(['n0', 'n1', 'n2', 'n3', 'n4', 'n5'].filter((name) => !before.includes(name)).length === 2);
	assert.equal(fs.readdirSync(path.join(state('full'), 'skeletons', '@local')).length, 256);
	assert.equal(await daemon.stop(), 0);
	daemon = await start(...options);
	assert.deepEqual(await names(), before);
});
