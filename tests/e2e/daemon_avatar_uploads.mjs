// Tests avatars that clients upload: rights, quotas, owners, removal, expiry, blocking, restarts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from './support/client.mjs';
import { run, scratch, start, writer } from './support/daemon.mjs';
import { makeExt, makeVrm } from './support/fixtures.mjs';
import { toGlb } from './support/glb.mjs';
import { secret, token as makeToken } from './support/token.mjs';

process.setMaxListeners(20); // one for each daemon
const folder = scratch();
const file = writer(folder);
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
const token = (sub, claims) => makeToken({ sub, ...claims });
const keys = `auth { audience = "world" key "shared" { algorithm = "HS256" file = "${file('key', secret)}" } }\n`;
const open = (daemon, name, settings = '') => start('--config',
	file(`${name}.conf`, `${daemon}avatars { upload = "true" ${settings} }\n`), '--state', path.join(folder, name));
const figure = makeVrm(1, 0.8);
const other = makeExt({ scale: 0.85, degrees: 0 });
let daemon = await open(keys, 'state', `quota_bytes = ${figure.length + other.length + 100} max_bytes = 20000`);
after(async () => assert.equal(await daemon.stop(), 0));

async function request(target, { as = 'ada', claims, method = 'GET', body, to = daemon } = {}) {
	const answer = await fetch(`http://127.0.0.1:${to.port}/avatars${target}`, { method, body,
		headers: as ? { authorization: `Bearer ${token(as, claims)}` } : {} });
	const bytes = Buffer.from(await answer.arrayBuffer());
	return { status: answer.status, bytes, json: () => JSON.parse(bytes), text: String(bytes).trimEnd() };
}
const put = (body, { query = 'rights=author&licence=CC-BY-4.0', ...options } = {}) =>
	request(`?${query}`, { method: 'PUT', body, ...options });
const get = (body, options) => request(`/${hashOf(body)}`, options);
const remove = (body, options) => request(`/${hashOf(body)}`, { method: 'DELETE', ...options });
const list = async (options) => (await request('', options)).json().avatars;
const records = (state = 'state') => (existsSync(path.join(folder, state, 'avatars')) ? readdirSync(path.join(folder, state, 'avatars'), { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(name)) : []);

/** The VRM with other fields in its meta. */
function withMeta(version, meta) {
	const vrm = makeVrm(version, 0.8);
	const json = JSON.parse(vrm.subarray(20, 20 + vrm.readUInt32LE(12)));
	Object.assign((json.extensions.VRMC_vrm ?? json.extensions.VRM).meta, meta);
	return toGlb(json, vrm.subarray(28 + vrm.readUInt32LE(12)));
}

/** A publisher of a body that moves, which wears an avatar. */
async function wearing(bytes, { as = 'ada', to = daemon, space = 'lobby', publication = 0 } = {}) {
	const client = await Client.greeted(to, { token: token(as) }, { type: 'join', space },
		{ type: 'publish', space, publication, name: as, kind: 'poses', avatar: hashOf(bytes) });
	client.body = (await client.find('published')).body;
	client.capture(publication);
	await client.find('roster', ({ joined, changed }) => [...joined ?? [], ...changed ?? []].some(({ id, waiting }) => id === client.body && !waiting));
	return client;
}
const bare = (client) => client.find('roster', ({ changed }) => changed?.some(({ id, avatar }) => id === client.body && !avatar));

test('an upload needs a state directory', async () => {
	const { code, stderr } = await run('--config', file('stateless.conf', 'avatars { upload = "true" }\n'), '--check-config');
	assert.equal(code, 1);
	assert.match(stderr, /uploads of avatars need a state directory/);
});

test('welcome states what a client may upload', async () => {
	for (const [claims, upload] of [[{}, true], [{ roles: ['watch'] }, false]]) {
		const client = await Client.greeted(daemon, { token: token('ada', claims) });
		assert.deepEqual(client.welcome.avatars, { upload, bytes: 20000 });
		client.ws.close();
	}
});

test('an upload is answered with its hash, its skeleton and its end, a second one the same', async () => {
	const before = Math.floor(Date.now() / 1000);
	const first = await put(figure);
	const { expires, ...said } = first.json();
	assert.equal(first.status, 201);
	assert.deepEqual([said.hash, said.bytes], [hashOf(figure), figure.length]);
	assert.ok(expires >= before + 30 * 86400 && expires <= before + 30 * 86400 + 60, String(expires - before));
	assert.equal((await put(figure)).status, 200);
	// The skeleton is the one that registering the file gives.
	const registered = await fetch(`http://127.0.0.1:${daemon.port}/skeletons/figure`,
		{ method: 'PUT', body: figure, headers: { authorization: `Bearer ${token('ada')}` } });
	assert.equal((await registered.json()).hash, said.skeleton);
	assert.deepEqual(await list(), [{ ...said, expires: (await list())[0].expires, index: 0, rights: 'author', licence: 'CC-BY-4.0' }]);
	assert.deepEqual(await list({ as: 'bob' }), []);
});

test('the statements of an upload can be changed', async () => {
	assert.equal((await put(figure, { query: 'rights=licensed&licence=by+her%20for%20me%C3%A4' })).status, 422); // only its author
	const permitted = withMeta(1, { avatarPermission: 'onlySeparatelyLicensedPerson' });
	assert.equal((await put(permitted, { as: 'eve' })).status, 201);
	assert.equal((await put(permitted, { as: 'eve', query: 'rights=licensed&licence=by+her%20for%20me%C3%A4' })).status, 200);
	assert.deepEqual((await list({ as: 'eve' })).map(({ rights, licence }) => [rights, licence]), [['licensed', 'by her for meä']]);
	assert.equal((await remove(permitted, { as: 'eve' })).status, 200);
});

test('the owner and those who watch a body that wears it get the file, others do not', async () => {
	assert.ok((await get(figure)).bytes.equals(figure));
	assert.equal((await get(figure, { as: 'bob' })).status, 404);
	const bob = await Client.greeted(daemon, { token: token('bob') }, { type: 'publish', space: 'lobby', publication: 0, name: 'bob', kind: 'poses', avatar: hashOf(figure) });
	assert.equal((await bob.find('error')).code, 'unknown-avatar');
	const ada = await wearing(figure);
	assert.ok((await get(figure, { as: 'bob' })).bytes.equals(figure));
	const { bodies } = await Client.connect(daemon, { token: token('bob') }, { type: 'join', space: 'lobby' }).then((client) => client.find('roster'));
	assert.deepEqual(bodies[0].avatar, { hash: hashOf(figure), bytes: figure.length, index: 0 });
	ada.ws.close();
	bob.ws.close();
});

for (const [what, bytes, options, status, said] of [
	['no rights', figure, { query: 'licence=x' }, 400, /rights and licence are missing/],
	['no licence', figure, { query: 'rights=author' }, 400, /rights and licence are missing/],
	['other rights', figure, { query: 'rights=mine&licence=x' }, 400, /the options are/],
	['rights twice', figure, { query: 'rights=author&rights=public&licence=x' }, 400, /the options are/],
	['an empty licence', figure, { query: 'rights=author&licence=' }, 400, /the options are/],
	['a long licence', figure, { query: `rights=author&licence=${'x'.repeat(64)}` }, 400, /the options are/],
	['a licence of two lines', figure, { query: 'rights=author&licence=a%0ab' }, 400, /the options are/],
	['a licence that is not UTF-8', figure, { query: 'rights=author&licence=%ff' }, 400, /the options are/],
	['a cut escape', figure, { query: 'rights=author&licence=a%4' }, 400, /the options are/],
	['another option', figure, { query: 'rights=author&licence=x&path=../x' }, 400, /the options are/],
	['a role that only watches', figure, { claims: { roles: ['watch'] } }, 403, /role/],
	['no token', figure, { as: null }, 401, /no-token/],
	['a file beyond max_bytes', Buffer.alloc(20001), {}, 413, /larger/],
	['nothing', Buffer.alloc(0), {}, 422, /./],
	['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), {}, 422, /./],
	['a program', Buffer.from('<!doctype html><script>1</script>'), {}, 422, /./],
	['a cut file', figure.subarray(0, -4), {}, 422, /./],
	['another humanoid than there is', figure, { query: 'rights=author&licence=x&index=7' }, 422, /./],
	['an address in the file', withMeta(1, { x: { uri: 'https://evil.example/pixel' } }), {}, 422, /uri/i],
	['"public", which its author does not permit', figure, { query: 'rights=public&licence=x' }, 422, /permits only its author/],
	['"licensed", which its author does not permit', withMeta(0, { allowedUserName: 'OnlyAuthor' }), { query: 'rights=licensed&licence=x' }, 422, /permits only its author/],
	['"public", which prohibits redistribution', withMeta(0, { allowedUserName: 'Everyone', licenseName: 'Redistribution_Prohibited' }), { query: 'rights=public&licence=x' }, 422, /redistribution/],
]) {
	test(`${what}: refused with ${status}`, async () => {
		const answer = await put(bytes, { as: 'mallory', ...options });
		assert.deepEqual([answer.status, answer.text.includes('\n')], [status, false]);
		assert.match(answer.text, said);
		assert.deepEqual(await list({ as: 'mallory' }), []);
	});
}

test('what the author permits to everyone is accepted as public', async () => {
	for (const permitted of [withMeta(1, { avatarPermission: 'everyone', allowRedistribution: true }), withMeta(0, { allowedUserName: 'Everyone', licenseName: 'CC0' })]) {
		assert.equal((await put(permitted, { as: 'eve', query: 'rights=public&licence=CC0-1.0' })).status, 201);
		assert.equal((await remove(permitted, { as: 'eve' })).status, 200);
	}
});

test('a subject has a quota, and room again after a removal', async () => {
	assert.equal((await put(other)).status, 201);
	const third = makeVrm(1, 0.75);
	const refused = await put(third);
	assert.deepEqual([refused.status, refused.text], [507, 'your avatars take too much room: remove one']);
	assert.equal((await put(third, { as: 'eve' })).status, 201);
	assert.equal((await remove(third, { as: 'eve' })).status, 200);
	assert.equal((await remove(other)).status, 200);
	assert.equal((await put(third)).status, 201);
	assert.equal((await remove(third)).status, 200);
});

test('all clients together have a quota', async () => {
	const small = await open(keys, 'small', `total_bytes = ${figure.length + 100}`);
	assert.equal((await put(figure, { to: small })).status, 201);
	assert.equal((await put(other, { to: small, as: 'bob' })).status, 507);
	assert.equal(await small.stop(), 0);
});

test('removal takes an avatar off all bodies, and off the disk', async () => {
	assert.equal((await put(other)).status, 201);
	const ada = await wearing(other);
	const { skeleton } = (await ada.find('roster', ({ joined }) => joined?.some(({ avatar }) => avatar))).joined[0];
	assert.equal((await remove(other, { as: 'bob' })).status, 404);
	assert.equal((await get(other, { as: 'bob' })).status, 200);
	assert.deepEqual((await remove(other)).json(), { removed: true });
	assert.equal((await bare(ada)).changed[0].skeleton, skeleton);
	assert.equal((await get(other)).status, 404);
	assert.equal((await remove(other)).status, 404);
	assert.equal(records().filter((name) => name.includes(hashOf(other))).length, 0);
	ada.ws.close();
});

test('a file of two owners stays until the last one removes it', async () => {
	assert.equal((await put(figure, { as: 'bob' })).status, 201);
	assert.equal((await remove(figure)).status, 200);
	assert.equal((await get(figure)).status, 404);
	assert.ok((await get(figure, { as: 'bob' })).bytes.equals(figure));
	assert.equal((await put(figure)).status, 201);
	assert.equal((await remove(figure, { as: 'bob' })).status, 200);
	assert.ok((await get(figure)).bytes.equals(figure));
});

test('an administrator removes the avatars of all owners', async () => {
	assert.equal((await put(other)).status, 201);
	assert.equal((await put(other, { as: 'bob' })).status, 201);
	const admin = { as: 'root', claims: { roles: ['administer'], spaces: ['lobby'] } };
	assert.equal((await remove(other, admin)).status, 404); // nobody wears it in the lobby
	const ada = await wearing(other);
	assert.equal((await remove(other, admin)).status, 200);
	await bare(ada);
	assert.equal((await get(other)).status, 404);
	assert.equal((await get(other, { as: 'bob' })).status, 404);
	ada.ws.close();
});

test('a moderator blocks an avatar, which survives a restart, and lifts the block', async () => {
	const moderator = () => Client.greeted(daemon, { token: token('mod', { roles: ['moderate', 'watch'] }) });
	const order = async (client, message) => {
		client.send({ type: 'moderate', space: 'lobby', ...message });
		return client.next('moderated', ({ action }) => action === message.action);
	};
	let ada = await wearing(figure);
	let mod = await moderator();
	const answer = await order(mod, { action: 'block', body: ada.body, reason: 'too tall' });
	assert.deepEqual([answer.avatar, answer.concerned, answer.stored], [hashOf(figure), 1, true]);
	assert.equal((await ada.find('moderated')).reason, 'too tall');
	await bare(ada);
	for (const as of ['ada', 'bob'])
		assert.equal((await get(figure, { as })).status, 404, as);
	const refused = await put(figure, { as: 'bob' });
	assert.deepEqual([refused.status, refused.text], [403, 'a moderator has blocked this avatar']);
	ada.send({ type: 'amend', publication: 0, avatar: hashOf(figure) });
	assert.equal((await ada.find('error')).code, 'not-allowed');
	for (const client of [ada, mod])
		client.ws.close();
	assert.equal(await daemon.stop(), 0);
	daemon = await start('--config', path.join(folder, 'state.conf'), '--state', path.join(folder, 'state'));
	mod = await moderator();
	mod.send({ type: 'moderate', space: 'lobby', action: 'list' });
	const { sanctions } = await mod.find('sanctions');
	assert.deepEqual(sanctions.map(({ kind, avatar, reason }) => [kind, avatar, reason]), [['block', hashOf(figure), 'too tall']]);
	ada = await Client.greeted(daemon, { token: token('ada') }, { type: 'publish', space: 'lobby', publication: 0, name: 'ada', kind: 'poses', avatar: hashOf(figure) });
	assert.equal((await ada.find('error')).code, 'not-allowed');
	for (const wrong of [{ action: 'hide', avatar: hashOf(figure) }, { action: 'block', subject: 'ada' }, { action: 'block', name: 'ada' }, { action: 'block', avatar: 'x' }]) {
		mod.send({ type: 'moderate', space: 'lobby', ...wrong });
		assert.equal((await mod.next('error')).code, 'bad-field');
	}
	await order(mod, { action: 'unblock', avatar: hashOf(figure) });
	const again = await wearing(figure);
	assert.ok((await get(figure, { as: 'bob' })).bytes.equals(figure));
	// A body that wears it when it is blocked wears it again when the block is lifted.
	await order(mod, { action: 'block', avatar: hashOf(figure) });
	await bare(again);
	const from = again.messages.length;
	await order(mod, { action: 'unblock', body: again.body });
	await again.until('it wears the avatar again', () => again.messages.slice(from).some(({ changed }) => changed?.some(({ avatar }) => avatar)));
	for (const client of [ada, mod, again])
		client.ws.close();
});

test('avatars survive a restart; those that nobody wore for keep_days do not', async () => {
	assert.equal((await put(other)).status, 201);
	assert.equal(await daemon.stop(), 0);
	const record = path.join(folder, 'state/avatars/ada', `${hashOf(other)}.jsonl`);
	utimesSync(record, Date.now() / 1000 - 31 * 86400, Date.now() / 1000 - 31 * 86400);
	writeFileSync(path.join(folder, 'state/avatars/@files', 'f'.repeat(64)), 'left by a crash');
	daemon = await start('--config', path.join(folder, 'state.conf'), '--state', path.join(folder, 'state'));
	assert.ok((await get(figure)).bytes.equals(figure));
	await Client.greeted(daemon, { token: token('x') }).then((client) => client.ws.close());
	assert.deepEqual((await list()).map(({ hash }) => hash), [hashOf(figure)]);
	assert.match(daemon.log, /was not worn for 30 days: removed/);
	assert.equal(await daemon.stop(), 0);
	assert.deepEqual(records().sort(), [`@files/${hashOf(figure)}`, `ada/${hashOf(figure)}.jsonl`]);
	daemon = await start('--config', path.join(folder, 'state.conf'), '--state', path.join(folder, 'state'));
});

test('a damaged record is set aside, and so is one without its file', async () => {
	assert.equal((await put(other)).status, 201);
	assert.equal(await daemon.stop(), 0);
	const record = path.join(folder, 'state/avatars/ada', `${hashOf(figure)}.jsonl`);
	writeFileSync(record, readFileSync(record, 'utf8').replace('"rights":"author"', '"rights":"none"'));
	rmSync(path.join(folder, 'state/avatars/@files', hashOf(other)));
	daemon = await start('--config', path.join(folder, 'state.conf'), '--state', path.join(folder, 'state'));
	assert.deepEqual(await list(), []);
	assert.match(daemon.log, new RegExp(`${hashOf(figure)}\\.jsonl' is set aside: not an avatar`));
	assert.match(daemon.log, new RegExp(`${hashOf(other)}\\.jsonl' is set aside: its file is missing`));
	assert.equal((await put(figure)).status, 201);
});

test('the file of a record that a newer version wrote stays for that version', async () => {
	const record = path.join(folder, 'state/avatars/ada', `${hashOf(figure)}.jsonl`);
	const restart = async () => {
		assert.equal(await daemon.stop(), 0);
		daemon = await start('--config', path.join(folder, 'state.conf'), '--state', path.join(folder, 'state'));
	};
	const text = readFileSync(record, 'utf8');
	const newer = text.replace('"version":1', '"version":2');
	assert.notEqual(newer, text);
	writeFileSync(record, newer);
	await restart();
	assert.match(daemon.log, /is not loaded: the file has version 2/);
	assert.deepEqual(await list(), []);
	// Neither a start nor the removal by another owner removes it.
	assert.equal((await put(figure, { as: 'bob' })).status, 201);
	assert.equal((await remove(figure, { as: 'bob' })).status, 200);
	assert.equal(readFileSync(record, 'utf8'), newer);
	writeFileSync(record, text);
	await restart();
	assert.ok((await get(figure)).bytes.equals(figure));
});

test('status and metrics count avatars and refused uploads', async () => {
	const counted = await start('--config', file('counted.conf', `${keys}skeleton "s" { file = "${file('s.glb', other)}" serve = "true" }
		avatars { upload = "true" }\n`), '--state', path.join(folder, 'counted'));
	assert.equal((await put(figure, { to: counted })).status, 201);
	assert.equal((await put(figure, { to: counted, as: 'bob' })).status, 201);
	assert.equal((await put(Buffer.from('x'), { to: counted })).status, 422);
	assert.equal((await put(figure, { to: counted, query: '' })).status, 400);
	const ask = async (target) => (await fetch(`http://127.0.0.1:${counted.admin}${target}`)).text();
	assert.deepEqual(JSON.parse(await ask('/status')).avatars, { served: 3, uploaded: 2, bytes: 2 * figure.length, refused: 2 });
	const metrics = await ask('/metrics');
	for (const [name, value] of [['avatars', 3], ['avatars_uploaded', 2], ['avatars_uploaded_bytes', 2 * figure.length], ['avatar_uploads_refused_total', 2]])
		assert.match(metrics, new RegExp(`^jointcast_${name} ${value}$`, 'm'));
	const tool = spawnSync(process.argv[3], ['status', `http://127.0.0.1:${counted.admin}`], { encoding: 'utf8' });
	assert.match(tool.stdout, /\n {2}avatars {6}3 served, 2 uploaded \([\d.]+ kB\), 2 uploads refused\n/);
	assert.equal(await counted.stop(), 0);
});

test('uploads and removals at the same time leave table and disk equal', async () => {
	let busy = await open(keys, 'busy');
	const owners = ['ada', 'bob', 'eve'];
	const files = [figure, other, makeVrm(0, 0.7)];
	const orders = Array.from({ length: 60 }, (_, i) => [i % 4 < 2 ? put : remove, files[(i * 7) % 3], owners[(i * 5 + (i >> 3)) % 3]]);
	const answers = await Promise.all(orders.map(([order, bytes, as]) => order(bytes, { as, to: busy })));
	for (const { status } of answers)
		assert.ok([200, 201, 404].includes(status), String(status));
	const held = async () => Object.fromEntries(await Promise.all(owners.map(async (as) => [as, (await list({ as, to: busy })).map(({ hash }) => hash).sort()])));
	const before = await held();
	const expected = owners.flatMap((as) => before[as].map((hash) => `${as}/${hash}.jsonl`));
	expected.push(...new Set(Object.values(before).flat().map((hash) => `@files/${hash}`)));
	assert.deepEqual(records('busy').sort(), expected.sort());
	for (const as of owners)
		for (const bytes of files)
			assert.equal((await get(bytes, { as, to: busy })).status, before[as].includes(hashOf(bytes)) ? 200 : 404);
	assert.equal(await busy.stop(), 0);
	busy = await start('--config', path.join(folder, 'busy.conf'), '--state', path.join(folder, 'busy'));
	assert.deepEqual(await held(), before);
	assert.equal(await busy.stop(), 0);
	assert.doesNotMatch(busy.log, /set aside/);
});

test('uploads are off by default, and a server without keys has one owner', async () => {
	const closed = await start('--state', path.join(folder, 'closed'));
	const answer = await put(figure, { as: null, to: closed });
	assert.deepEqual([answer.status, answer.text], [403, 'the operator does not let clients upload avatars']);
	assert.equal(await closed.stop(), 0);
	const local = await open('', 'local');
	assert.equal((await put(figure, { as: null, to: local })).status, 201);
	assert.deepEqual((await list({ as: null, to: local })).map(({ hash }) => hash), [hashOf(figure)]);
	const page = await fetch(`http://127.0.0.1:${local.port}/avatars?rights=author&licence=x`, { method: 'PUT', body: figure, headers: { origin: 'http://localhost:5173' } }).catch(() => ({ status: 403 }));
	assert.equal(page.status, 403);
	assert.equal(await local.stop(), 0);
});
