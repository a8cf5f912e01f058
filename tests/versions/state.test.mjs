// Starts the daemon on state of an older version, which has no version numbers, and of a newer one,
// which has members that this version does not know.
//
// usage: state.test.mjs JOINTCASTD
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { run, scratch, writer } from '../e2e/support/daemon.mjs';
import { World, figure } from '../e2e/support/kept_state.mjs';

const daemon = process.argv[2];

const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const ban = (subject, more) => ({ space: 'lobby', kind: 'ban', who: `subject ${subject}`, by: 'subject mia', reason: subject, since: 1700000000, ...more });
const mount = (more) => ({ profile: 'meta', pose: 't', height: 1.75, joints: { hips: { rotation: [0, 0, 0, 1], translation: [0, 0, 0], ...more } }, ...more });

/** Writes the state directory as a version does that adds `head` to each file, `more` to each entry. */
function write(world, head, more) {
	const put = (name, text) => {
		fs.mkdirSync(path.dirname(world.file(name)), { recursive: true });
		fs.writeFileSync(world.file(name), text);
	};
	put('sanctions.json', JSON.stringify({ jointcast: 'sanctions', ...head, sanctions: [ban('old', more), ban('other', more)] }));
	world.bans.set('old', 'old').set('other', 'other');
	for (const [name, height] of [['first', 1.5], ['second', 1.75]]) {
		const text = figure(height, more);
		const hash = createHash('sha256').update(text).digest('hex');
		put(`skeletons/ada/${name}.jsonl`, `${JSON.stringify({ jointcast: 'skeleton', ...head, subject: 'ada', name, hash })}\n${text}\n`);
		world.skeletons.set(name, height);
	}
	put('calibration/walker.json', JSON.stringify({ jointcast: 'calibration', ...head, current: mount(more) }));
}

test('an upgrade finds the state of a version without version numbers, and adds them', async (t) => {
	const world = new World(scratch(t));
	write(world, {}, {});
	await world.start(daemon);
	await world.check();
	await world.live();
	await world.stop();
	assert.equal(read(world.file('sanctions.json')).version, 1);
	await world.start(daemon);
	await world.check();
	await world.stop();
});

test('a downgrade loses nothing of the newer version, also where it writes', async (t) => {
	const world = new World(scratch(t));
	const more = { appeal: { by: ['mia'], at: 0.1 } };
	write(world, { version: 1, tool: 'jointcastd 1.9' }, more);
	const before = ['skeletons/ada/second.jsonl', 'calibration/walker.json'].map((name) => [name, fs.readFileSync(world.file(name), 'utf8')]);
	await world.start(daemon);
	await world.check();
	await world.live();
	await world.change('other', 'first', 2.5);
	await world.check();
	await world.stop();
	const { tool, sanctions } = read(world.file('sanctions.json'));
	assert.equal(tool, 'jointcastd 1.9');
	const entry = (who) => sanctions.find((sanction) => sanction.who === who);
	assert.deepEqual(entry('subject old').appeal, more.appeal);
	assert.equal(entry('subject eve-1').appeal, undefined);
	for (const [name, text] of before)
		assert.equal(fs.readFileSync(world.file(name), 'utf8'), text, name);
	await world.start(daemon);
	await world.check();
	await world.stop();
});

test('invitations of a newer version hold, and keep what it added when they are used', async (t) => {
	const world = new World(scratch(t));
	const invitation = (id, secret, rest) => ({ id, space: 'lobby', role: 'watch', note: '', by: 'mia', key: 'shared', expires: 4102444800,
		uses: 2, used: 0, revoked: false, hash: createHash('sha256').update(secret).digest('hex'), waiting: { room: 3 }, ...rest });
	const entries = [invitation('0123456789abcdef', 'open'), invitation('fedcba9876543210', 'closed', { revoked: true })];
	const redeem = async (secret) => (await fetch(new URL('invitations/redeem', world.http),
		{ method: 'POST', body: JSON.stringify({ invitation: secret }) })).status;

	fs.mkdirSync(world.state);
	fs.writeFileSync(world.file('invitations.json'), JSON.stringify({ jointcast: 'invitations', version: 1, tool: 'jointcastd 1.9', invitations: entries }));
	await world.start(daemon);
	assert.deepEqual([await redeem('open'), await redeem('closed')], [200, 410]);
	await world.stop();
	assert.deepEqual(read(world.file('invitations.json')), { jointcast: 'invitations', version: 1, tool: 'jointcastd 1.9',
		invitations: [{ ...entries[0], used: 1 }, entries[1]] });
	await world.start(daemon);
	assert.deepEqual([await redeem('open'), await redeem('open'), await redeem('closed')], [200, 410, 410]);
	await world.stop();
});

test('files of a higher version are left as they are; sanctions of one end the start', async (t) => {
	const world = new World(scratch(t));
	write(world, { version: 2 }, {});
	world.skeletons.clear();
	const ended = await run('--config', world.config, '--listen', '127.0.0.1:0');
	assert.equal(ended.code, 1);
	assert.match(ended.stderr, /^[^\n]*the file has version 2, which a newer jointcastd wrote; this one reads version 1, [^\n]*sanctions\.json\n$/);

	fs.rmSync(world.file('sanctions.json'));
	world.bans.clear();
	const names = ['skeletons/ada/first.jsonl', 'skeletons/ada/second.jsonl', 'calibration/walker.json'];
	const before = names.map((name) => fs.readFileSync(world.file(name), 'utf8'));
	await world.start(daemon);
	await world.check();
	await world.live();
	await world.check();
	await world.stop(/skeleton '[^']*' is not loaded: the file has version 2, which a newer jointcastd wrote/);
	assert.deepEqual(names.map((name) => fs.readFileSync(world.file(name), 'utf8')), before);
});

test('a key of a newer version is one line with its file and place', async (t) => {
	const config = writer(scratch(t))('jointcastd.conf', 'server {\n\tstate = "/tmp"\n\tquic_listen = "127.0.0.1:1"\n}\n');
	for (const options of [[], ['--check-config']]) {
		const { code, stderr } = await run('--config', config, ...options);
		assert.equal(code, 1);
		assert.match(stderr, /^jointcastd: no such key: 'quic_listen'[^\n]*, line 3 of '[^\n]*jointcastd\.conf'\n$/);
	}
});
