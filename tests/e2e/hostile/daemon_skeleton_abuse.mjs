// Attacks with uploaded skeletons: each ends in one line that gives the reason, while a
// bystander receives its bundles; no file is left behind, and the memory is released.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import zlib from 'node:zlib';
import WebSocket from 'ws';
import { connect } from '../../../clients/js/index.js';
import { scratch, start } from '../support/daemon.mjs';
import { toGlb } from '../support/glb.mjs';
import { follow } from '../support/roster.mjs';
import { sleep, until } from '../support/until.mjs';
import { closeCode, exchange, frames, open, Raw, text } from '../support/websocket_bytes.mjs';

// Freed memory that the sanitizer keeps does not count.
process.env.ASAN_OPTIONS = [process.env.ASAN_OPTIONS, 'quarantine_size_mb=1', 'thread_local_quarantine_size_kb=64']
	.filter(Boolean).join(':');

const MIB = 1 << 20;
const folder = scratch();
// A server that must receive no request.
let asked = 0;
const bait = net.createServer((socket) => {
	asked++;
	socket.destroy();
});
await new Promise((resolve) => bait.listen(0, '127.0.0.1', resolve));
const bait_url = `http://127.0.0.1:${bait.address().port}/x`;
fs.writeFileSync(path.join(folder, 'secret.bin'), 'the secret of the house');
const daemon = await start('--state', path.join(folder, 'state'), '--source', 'demo:walk');
const eye = connect(daemon.url, { WebSocket, space: 'lobby' });
const complaints = [];
eye.on('error', (error) => complaints.push(error));
eye.on('state', ({ state }) => state === 'waiting' && complaints.push(state));

const resident = (of = daemon) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${of.child.pid}/status`, 'utf8'))[1]);
const descriptors = () => fs.readdirSync(`/proc/${daemon.child.pid}/fd`).length;
let floor;
const sanitized = /lib[a-z]+san\.so/.test(fs.readFileSync(`/proc/${daemon.child.pid}/maps`, 'utf8'));

const url = `http://127.0.0.1:${daemon.port}/skeletons`;
const put = async (name, body, headers = {}) => {
	const answer = await fetch(`${url}/${name}`, { method: 'PUT', body, headers });
	return { status: answer.status, text: await answer.text() };
};
const registered = async () => (await (await fetch(url)).json()).skeletons;
const remove = (name) => fetch(`${url}/${encodeURIComponent(name)}`, { method: 'DELETE' }).then((answer) => answer.text());

/** Removes all skeletons after all earlier requests are done. */
async function clear() {
	await remove('nothing');
	for (const { name } of await registered())
		await remove(name);
	assert.deepEqual(await registered(), []);
}

const figure = (height = 1) => JSON.stringify({ nodes: [{ translation: [0, height, 0] }], bones: { hips: 0 } });

before(async () => {
	await until('bundles', () => eye.traffic.bundles > 5);
	// One of each first, so that one-time allocations do not count.
	assert.equal((await put('first', figure())).status, 201);
	await remove('first');
	const little = resident();
	// By every thread of the pool.
	for (let i = 0; i < 4; i++)
		await put('first', i % 2 ? bombs['a million virtual transforms'] : Buffer.alloc(32 * MIB));
	floor = { little, resident: resident(), descriptors: descriptors() };
});

afterEach(async () => {
	const { bundles } = eye.traffic;
	await until('more bundles', () => eye.traffic.bundles > bundles + 5);
	assert.deepEqual(complaints, []);
});

after(async () => {
	eye.close();
	bait.close();
	assert.equal(await daemon.stop(), 0);
});

// ---- decompression bombs ---------------------------------------------------------------

const asset = '"asset":{"version":"2.0"}';
const vrm = (bones) => `"extensions":{"VRMC_vrm":{"specVersion":"1.0","humanoid":{"humanBones":${bones}}}}`;
const hips = vrm('{"hips":{"node":0}}');
const doubling = (count, write) => Array.from({ length: count }, (_, i) => write(i)).join('');
const x3d = (head, body) => `<?xml version="1.0"?>${head}<X3D version="4.0"><Scene>${body}</Scene></X3D>`;
const hanim = "<HAnimHumanoid name='h' version='1.0'><HAnimJoint containerField='skeleton' name='humanoid_root' center='0 1 0'/></HAnimHumanoid>";
const x3dv = '#X3D V3.3 utf8\n';
const joint = 'HAnimJoint { name "humanoid_root" center 0 1 0 }';

const bombs = {
	'nothing but brackets': '['.repeat(4 * MIB),
	'objects in objects': '{"a":'.repeat(MIB),
	'a figure below a million brackets': `{"extras":${'['.repeat(MIB)}${']'.repeat(MIB)},${figure().slice(1)}`,
	'a million nodes': `{"nodes":[${Array(1e6).fill('{}').join()}],"bones":{"hips":999999}}`,
	'a chain of 8,000 nodes': `{"nodes":[${Array.from({ length: 8000 }, (_, i) => `{"parent":${i - 1}}`).join()}],"bones":{"hips":7999}}`,
	'eight thousand nodes in a circle': `{"nodes":[${Array.from({ length: 8000 }, (_, i) => `{"parent":${(i + 1) % 8000}}`).join()}],"bones":{"hips":0}}`,
	'a node that is its own parent': '{"nodes":[{"parent":0}],"bones":{"hips":0}}',
	'a parent that wraps': '{"nodes":[{"parent":4294967295}],"bones":{"hips":0}}',
	'a bone at a place that wraps': '{"nodes":[{}],"bones":{"hips":4294967296}}',
	'a number beyond a double': '{"nodes":[{"translation":[1e999,0,0]}],"bones":{"hips":0}}',
	'a number beyond all places': '{"nodes":[{"translation":[1e300,0,0]}],"bones":{"hips":0}}',
	'a number of 8 million digits': `{"nodes":[{"translation":[${'1'.repeat(8 * MIB - 99)},0,0]}],"bones":{"hips":0}}`,
	'NaN': '{"nodes":[{"translation":[NaN,0,0]}],"bones":{"hips":0}}',
	'scales that multiply to nothing that is': `{"nodes":[${Array.from({ length: 40 }, (_, i) =>
		`{"parent":${i - 1},"scale":[100000,100000,100000],"translation":[1,1,1]}`).join()}],"bones":{"hips":39}}`,
	'one node for two bones': '{"nodes":[{}],"bones":{"hips":0,"spine":0}}',
	'a name of 8 MiB': `{"name":"${'x'.repeat(8 * MIB - 99)}",${figure().slice(1)}`,
	'a million virtual transforms': `{"virtualTransforms":[${Array(5e5).fill('{"parent":0}').join()}],${figure().slice(1)}`,
	'a million keys': `{${Array.from({ length: 5e5 }, (_, i) => `"${i}":0`).join()}}`,
	'a million nodes of glTF': toGlb(`{${asset},"nodes":[${Array(1e6).fill('{}').join()}],${hips}}`),
	'a circle of glTF': `{${asset},"nodes":[{"children":[1]},{"children":[0]}],${hips}}`,
	'a child of everybody': `{${asset},"nodes":[${Array(5000).fill('{"children":[5000]}').join()},{}],${hips}}`,
	'a GLB that says it is 4 GiB': (() => {
		const bytes = toGlb(`{${asset},"nodes":[{}],${hips}}`);
		bytes.writeUInt32LE(0xffffffff, 8);
		return bytes;
	})(),
	'a chunk that says it is 4 GiB': (() => {
		const bytes = toGlb(`{${asset},"nodes":[{}],${hips}}`);
		bytes.writeUInt32LE(0xfffffffc, 12);
		return bytes;
	})(),
	'gzip of 32 MiB of nothing': zlib.gzipSync(Buffer.alloc(32 * MIB)),
	'gzip of a figure': zlib.gzipSync(figure()),
	'a zip': Buffer.from('504b0304140000000800', 'hex'),
	'32 MiB of nothing': Buffer.alloc(32 * MIB),
	'laughs, a thousand million': x3d(`<!DOCTYPE X3D [<!ENTITY a "ha">${'abcdefghi'.split('').map((name, i) =>
		`<!ENTITY ${'bcdefghij'[i]} "${`&${name};`.repeat(10)}">`).join('')}]>`, "<HAnimHumanoid name='&j;'/>"),
	'elements in elements': x3d('', '<Transform>'.repeat(5e5)),
	'half a million joints': x3d('', hanim.replace('/></HAnimHumanoid>', `>${"<HAnimJoint name='x'/>".repeat(3e5)}</HAnimJoint></HAnimHumanoid>`)),
	'prototypes that double': `${x3dv}${doubling(30, (i) => `PROTO P${i} [] { Group { children [ ${i ? `P${i - 1} {} P${i - 1} {}` : 'Group {}'} ] } }\n`)}P29 {}\nHAnimHumanoid { name "h" skeleton [ HAnimJoint { name "x" } ] }`,
	'a joint in itself': `${x3dv}HAnimHumanoid { skeleton [ DEF j HAnimJoint { name "humanoid_root" children [ USE j ] } ] }`,
	'groups that share and double': `${x3dv}${doubling(40, (i) => `DEF G${i} Group { children [ ${i ? `USE G${i - 1} USE G${i - 1}` : 'Group {}'} ] }\n`)}`,
};

for (const [name, bytes] of Object.entries(bombs)) {
	test(`${name}: refused in one line`, async () => {
		const { status, text: line } = await put('bomb', bytes);
		assert.equal(status, 400, line);
		assert.match(line, /^[^\n]{3,}\n$/);
		assert.deepEqual(await registered(), []);
	});
}

test('releases the bytes of a file', { skip: sanitized && 'the sanitizer keeps what was freed' }, async () => {
	assert.equal((await put('bomb', bombs['32 MiB of nothing'])).status, 400);
	const grown = () => resident() - floor.little;
	await until(() => `${grown()} kB more`, () => grown() <= 12 << 10);
});

test('one of duplicate keys counts, and the figure is valid', async () => {
	const { status } = await put('twice', '{"nodes":[{}],"nodes":[{"translation":[0,1,0]}],"bones":{"hips":0,"hips":0}}');
	assert.equal(status, 201);
	const { nodes } = await (await fetch(`${url}/twice`)).json();
	assert.equal(nodes.length, 1);
	await remove('twice');
});

test('ignores accessors of four thousand million elements', async () => {
	const { status, text: answer } = await put('wild', toGlb(`{${asset},"nodes":[{"translation":[0,1,0]}],${hips},"skins":[{"joints":[0],"inverseBindMatrices":0}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":4294967295,"type":"MAT4"}],
		"bufferViews":[{"buffer":0,"byteLength":64}],"buffers":[{"byteLength":64}]}`, Buffer.alloc(64)));
	assert.equal(status, 201);
	assert.ok(JSON.parse(answer).lint.some(({ code }) => code === 'inverse-bind'));
	await remove('wild');
});

// ---- files that refer to other files -------------------------------------------------------

test('opens and fetches no file that an upload names', async () => {
	const secret = path.join(folder, 'secret.bin');
	const skinned = (uri) => `{${asset},"nodes":[{"translation":[0,1,0]}],${hips},"skins":[{"joints":[0],"inverseBindMatrices":0}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"MAT4"}],
		"bufferViews":[{"buffer":0,"byteLength":64}],"buffers":[{"byteLength":64,"uri":${JSON.stringify(uri)}}]}`;
	for (const uri of [secret, `file://${secret}`, `../../../../../..${secret}`, bait_url, '//127.0.0.1/x', 'secret.bin'])
		assert.ok(!(await put('named', skinned(uri))).text.includes('secret of the house'));
	for (const [head, body] of [
		[`<!DOCTYPE X3D [<!ENTITY a SYSTEM "file://${secret}">]>`, hanim.replace("name='h'", "name='&a;'")],
		[`<!DOCTYPE X3D [<!ENTITY a SYSTEM "file://${secret}">]>`, `&a;${hanim}`],
		[`<!DOCTYPE X3D SYSTEM "${bait_url}">`, hanim],
		[`<!DOCTYPE X3D [<!ENTITY % p SYSTEM "${bait_url}"> %p;]>`, hanim],
		['', `<Inline url='"${bait_url}" "file://${secret}"'/>${hanim}`],
	])
		await put('named', x3d(head, body));
	await put('named', `${x3dv}EXTERNPROTO E [] "${bait_url}"\nInline { url "${bait_url}" }\nHAnimHumanoid { skeleton [ ${joint} ] }`);
	const kept = await (await fetch(`${url}/named`)).text();
	assert.ok(!kept.includes('secret of the house'));
	await remove('named');
	assert.equal(asked, 0);
});

test('names are not used as paths', async () => {
	for (const name of ['..', '../x', '../../../../tmp/x', '@local', '.', 'x.jsonl.new']) {
		const raw = await exchange(daemon.port, `PUT /skeletons/${name.replaceAll('.', '%2e').replaceAll('/', '%2f')
		} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${figure().length}\r\n\r\n${figure()}`);
		assert.equal(raw.status, name.includes('/') ? 400 : 201, name);
	}
	assert.deepEqual(fs.readdirSync(path.join(folder, 'state')), ['skeletons']);
	assert.deepEqual(fs.readdirSync(path.join(folder, 'state', 'skeletons')), ['@local']);
	for (const { name } of await registered()) {
		const raw = await exchange(daemon.port, `DELETE /skeletons/${encodeURIComponent(name).replaceAll('.', '%2e')} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
		assert.equal(raw.status, 200, name);
	}
	assert.deepEqual(await registered(), []);
});

// ---- malformed request bodies ------------------------------------------------------------------

const head = (length, more = '') => `PUT /skeletons/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n${more}\r\n`;

test('refuses an invalid length', async () => {
	for (const length of ['-1', '1e3', '0x10', '+5', '5, 5', '99999999999999999999', ''])
		assert.ok([400, 413].includes((await exchange(daemon.port, head(length))).status), length);
	assert.equal((await exchange(daemon.port, `${head(5, 'Content-Length: 6\r\n')}123456`)).status, 400);
	assert.equal((await exchange(daemon.port, `${head(5, 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n`)).status >= 400, true);
});

test('ignores bytes after a request body', async () => {
	const { status } = await exchange(daemon.port, `${head(figure().length)}${figure()}DELETE /skeletons/x HTTP/1.1\r\n\r\n`);
	assert.equal(status, 400);
	assert.deepEqual(await registered(), []);
});

test('request bodies that end at any byte release everything', async () => {
	const whole = Buffer.from(head(20000) + figure().padEnd(20000));
	for (let cut = 10; cut < whole.length; cut += 487) {
		const raw = new Raw(daemon.port);
		raw.send(whole.subarray(0, cut));
		await sleep(2);
		cut % 2 ? raw.socket.resetAndDestroy() : raw.socket.destroy();
	}
	assert.deepEqual(await registered(), []);
});

test('the memory of interrupted uploads is released each time', { skip: sanitized && 'the sanitizer keeps what was freed' }, async () => {
	const other = await start();
	const little = resident(other);
	const grown = () => resident(other) - little;
	for (let i = 0; i < 3; i++) {
		const raw = new Raw(other.port);
		raw.send(head(32 * MIB), Buffer.alloc(15 * MIB, ' '));
		await until(() => `${grown()} kB came`, () => grown() > 14 << 10);
		raw.socket.destroy();
		await until(() => `${grown()} kB more`, () => grown() <= 4 << 10);
	}
	assert.equal(await other.stop(), 0);
});

test('a closed connection is not waited for', async () => {
	for (let i = 0; i < 30; i++) {
		const raw = new Raw(daemon.port);
		raw.send(head(figure(1 + i).length), figure(1 + i));
		await new Promise((resolve) => raw.socket.once('connect', resolve));
		raw.socket.resetAndDestroy();
	}
	await clear();
});

test('announced uploads that never arrive do not block others', async () => {
	const raws = Array.from({ length: 20 }, () => new Raw(daemon.port));
	raws.forEach((raw) => raw.send(head(32 * MIB)));
	await until('they are all there', () => raws.every(({ socket }) => !socket.connecting));
	assert.equal((await put('x', figure())).status, 201);
	raws.forEach((raw) => raw.socket.destroy());
	await remove('x');
});

test('limits the request bodies of one address until they end, without effect on others', async () => {
	const raws = Array.from({ length: 3 }, () => new Raw(daemon.port));
	raws.forEach((raw) => raw.send(head(32 * MIB), Buffer.alloc(15 * MIB, ' ')));
	const refused = () => raws.filter(({ bytes }) => /^HTTP\/1\.1 503 [^]*too many bodies/.test(bytes)).length;
	await until('one is refused', () => refused() === 1);
	const other = new Raw(daemon.port, undefined, '127.0.0.2');
	other.send(head(figure().length), figure());
	await other.until(() => other.bytes.includes('\r\n\r\n'));
	assert.match(other.bytes.toString(), /^HTTP\/1\.1 201 /);
	assert.equal(refused(), 1);
	raws.forEach((raw) => raw.socket.destroy());
	await until('there is room', async () => (await put('x', figure().padEnd(4 * MIB))).status !== 503);
	await clear();
});

test('large uploads do not delay small ones', async () => {
	const bomb = bombs['a million virtual transforms'];
	const { bundles } = eye.traffic;
	const many = Promise.all(Array.from({ length: 12 }, () => put('bomb', bomb).then(({ status }) => status)));
	const little = put('little', figure());
	await until('bundles meanwhile', () => eye.traffic.bundles > bundles + 10);
	const statuses = await many;
	assert.ok(statuses.every((status) => [400, 429, 503].includes(status)), statuses.join());
	assert.ok(statuses.includes(429));
	assert.equal((await little).status, 201);
	await remove('little');
});

// ---- messages -----------------------------------------------------------------------------

/** Sends arbitrary messages and returns the answers. */
async function speak(...messages) {
	const raw = await open(daemon.port);
	raw.send(text({ type: 'hello' }), ...messages.map((message) => text(message)));
	const all = () => frames(raw.bytes).filter(({ opcode }) => opcode === 1).map(({ payload }) => JSON.parse(payload.toString()));
	return { raw, all, errors: () => all().filter(({ type }) => type === 'error').map(({ code }) => code),
		settled: () => {
			raw.send(text({ type: 'ping', t: 0.5 }));
			return raw.until(() => all().some(({ type }) => type === 'pong'));
		} };
}

for (const [name, message, code] of [
	['a descriptor that is text', { type: 'skeleton', name: 'a', descriptor: figure() }, 'bad-field'],
	['a descriptor that is a list', { type: 'skeleton', name: 'a', descriptor: [] }, 'bad-field'],
	['none', { type: 'skeleton', name: 'a' }, 'bad-field'],
	['a name that is none', { type: 'skeleton', name: '', descriptor: {} }, 'bad-field'],
	['a name that is too long', { type: 'skeleton', name: 'x'.repeat(64), descriptor: {} }, 'bad-field'],
	['a name with a control', { type: 'skeleton', name: 'a\u001b', descriptor: {} }, 'bad-field'],
	['a name that is a number', { type: 'unregister', name: 7 }, 'bad-field'],
	['what nobody has', { type: 'unregister', name: 'nothing' }, 'unknown-skeleton'],
	['a descriptor of nothing', { type: 'skeleton', name: 'a', descriptor: {} }, 'bad-skeleton'],
	['a circle', { type: 'skeleton', name: 'a', descriptor: { nodes: [{ parent: 1 }, { parent: 0 }], bones: { hips: 0 } } }, 'bad-skeleton'],
	['ten thousand nodes', { type: 'skeleton', name: 'a', descriptor: { nodes: Array(10000).fill({}), bones: { hips: 0 } } }, 'bad-skeleton'],
	['depth', `{"type":"skeleton","name":"a","descriptor":${'[{"a":'.repeat(20)}0${'}]'.repeat(20)}}`, 'bad-message'],
	['a hash that is nobody\'s', { type: 'publish', space: 'lobby', publication: 0, name: 'x', kind: 'poses', skeleton: 'f'.repeat(64) }, 'unknown-skeleton'],
]) {
	test(`${name}: ${code}`, async () => {
		const { raw, errors } = await speak(message);
		await raw.until(() => errors().length > 0);
		assert.deepEqual(errors(), [code]);
		raw.socket.destroy();
	});
}

test('a message above 64 KiB closes the connection with 1009', async () => {
	const { raw } = await speak(`{"type":"skeleton","name":"a","descriptor":{"nodes":[${Array(30000).fill('{}').join()}]}}`);
	assert.equal(await closeCode(raw), 1009);
	raw.socket.destroy();
});

test('limits repeated registrations, then closes the connection', async () => {
	const { raw, errors, all } = await speak(...Array.from({ length: 60 },
		(_, i) => ({ type: 'skeleton', name: `n${i}`, descriptor: JSON.parse(figure(1 + i / 64)) })));
	assert.equal(await closeCode(raw), 1008);
	assert.ok(errors().every((code) => code === 'too-many'));
	assert.ok(all().filter(({ type }) => type === 'registered').length <= 16 + 8);
	raw.socket.destroy();
	await clear();
});

test('a client that leaves while its skeletons are read gets no answer', async () => {
	for (let i = 0; i < 20; i++) {
		const { raw } = await speak({ type: 'skeleton', name: 'left', descriptor: JSON.parse(figure(1 + i)) });
		i % 2 ? raw.socket.resetAndDestroy() : raw.socket.destroy();
	}
	await clear();
});

test('repeated registration of a used name leaves one skeleton', async () => {
	const client = connect(daemon.url, { WebSocket, space: 'lobby' });
	client.on('error', () => {});
	for (let i = 0; i < 12; i++) {
		const { hash } = await client.registerSkeleton('mine', JSON.parse(figure(1 + i / 16)));
		client.subscribe({ skeleton: hash });
	}
	await until('the last is worn', () => [...client.bodies.values()].some(({ skeleton }) => skeleton?.hipsHeight > 1.6));
	assert.deepEqual((await registered()).map(({ name }) => name), ['mine']);
	client.close();
	await remove('mine');
});

// A descriptor of more than 200 kB, 24 of which are more than one may have.
const large = (i) => JSON.stringify({ name: `${i}`, nodes: [{ translation: [0, 1, 0] }], bones: { hips: 0 },
	virtualTransforms: Array.from({ length: 250 }, (_, k) => ({ parent: 0, name: 'v'.repeat(200) + k,
		tags: ['t', 'u', 'w'].map((letter) => letter.repeat(200)) })) });

test('skeletons queue once for all clients that stop reading, and reach each that reads again', async () => {
	const hashes = [];
	for (let i = 0; i < 14; i++) {
		const { status, text: line } = await put(`l${i}`, large(i));
		assert.equal(status, 201, line);
		hashes.push(JSON.parse(line).hash);
	}
	const stopped = await Promise.all(Array.from({ length: 40 }, () => speak({ type: 'join', space: 'lobby' })));
	await Promise.all(stopped.map(({ raw, all }) => raw.until(() => all().some(({ type }) => type === 'roster'))));
	stopped.forEach(({ raw }) => raw.socket.pause());
	const before = resident();
	const publishers = await Promise.all([0, 1].map((n) => speak(...hashes.filter((_, i) => i % 2 === n)
		.map((skeleton, publication) => ({ type: 'publish', space: 'lobby', publication, name: 'x', kind: 'poses', skeleton })))));
	for (const { raw, all } of publishers)
		await raw.until(() => all().filter(({ type }) => type === 'published').length === 7);
	// A client that reads has received all of them, so the others were sent them too.
	const wearing = (all) => [...follow(all().filter(({ type }) => type === 'roster')).values()]
		.filter(({ skeleton }) => hashes.includes(skeleton)).length;
	const reader = await speak({ type: 'join', space: 'lobby' });
	await reader.raw.until(() => wearing(reader.all) === 14, 20000);
	assert.ok(resident() - before < 64 << 10, `${resident() - before} kB for 40 who do not read`);
	const [{ raw, all }, ...others] = stopped;
	others.forEach((other) => other.raw.socket.destroy());
	raw.socket.resume();
	await raw.until(() => wearing(all) === 14, 20000);
	const came = all().filter(({ type }) => type === 'skeleton').map(({ hash }) => hash);
	assert.deepEqual(came.filter((hash) => hashes.includes(hash)).sort(), [...hashes].sort());
	[raw, reader.raw, ...publishers.map((publisher) => publisher.raw)].forEach(({ socket }) => socket.destroy());
	await clear();
});

test('quotas hold: used skeletons stay, unused ones make room, and nothing else is written', async () => {
	const client = connect(daemon.url, { WebSocket, space: 'lobby' });
	client.on('error', () => {});
	const { hash } = await client.registerSkeleton('worn', JSON.parse(figure(1.3)));
	client.subscribe({ skeleton: hash });
	await until('it is worn', () => [...client.bodies.values()].some(({ skeleton }) => skeleton?.hash === hash));
	const { status, text: line } = await put('l0', large(0));
	assert.equal(status, 201, line);
	const { bytes } = (await registered()).find(({ name }) => name === 'l0');
	assert.ok(bytes > 2e5, bytes);
	for (let i = 1; i < 24; i++)
		assert.equal((await put(`l${i}`, large(i))).status, 201);
	const left = await registered();
	assert.ok(left.some(({ name }) => name === 'worn') && left.some(({ name }) => name === 'l23'));
	assert.ok(!left.some(({ name }) => name === 'l0'));
	assert.ok(left.reduce((sum, one) => sum + one.bytes, 0) <= 4 * MIB);
	const files = fs.readdirSync(path.join(folder, 'state', 'skeletons', '@local'));
	assert.equal(files.length, left.length);
	client.close();
	await clear();
});

test('memory and descriptors return to their initial values', async () => {
	const grown = () => resident() - floor.resident;
	await until(() => `${grown()} kB more, ${descriptors()} descriptors, ${floor.descriptors} at first`,
		() => descriptors() <= floor.descriptors && grown() <= 48 << 10);
	assert.equal(asked, 0);
	assert.doesNotMatch(daemon.log, /secret of the house/);
});
