// Sanctions on a failing disk: a sanction acts at once, its answer states whether it is stored,
// and a failed write is repeated.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from './support/client.mjs';
import { scratch, start, writer } from './support/daemon.mjs';
import { secret, token } from './support/token.mjs';
import { until } from './support/until.mjs';
import { exchange } from './support/websocket_bytes.mjs';

const key = writer(scratch())('key', secret);

/** A state directory and a configuration with it, for several runs. */
function world({ has_state = true } = {}) {
	const folder = scratch();
	const state = path.join(folder, 'state');
	const config = writer(folder)('jointcastd.conf', `
${has_state ? `server { state = "${state}" }` : ''}
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }
spaces { watch = {"role:watch"} }
source "walker" { uri = "demo:walk" }
`);
	return { state, start: () => start('--config', config) };
}

const enter = (daemon, claims, ...messages) => Client.greeted(daemon, { token: token(claims) }, ...messages);

const mods = { sub: 'mia', roles: ['watch', 'moderate'] };
const moderate = (action, rest) => ({ type: 'moderate', space: 'lobby', action, ...rest });
const join = { type: 'join', space: 'lobby' };
const publish = { type: 'publish', space: 'lobby', publication: 0, name: 'Eve', kind: 'poses' };
const get = (daemon, target) => exchange(daemon.admin, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`, undefined, 30000);
const failing = async (daemon) => /^jointcast_sanctions_failing (\d)$/m.exec((await get(daemon, '/metrics')).body)[1];
const lines = (daemon, pattern) => daemon.log.split('\n').filter((line) => pattern.test(line));

/** RLIMIT_FSIZE: the disk takes no byte of a file, as when it is full. It holds for root too. */
const limitFiles = (daemon, bytes) => execFileSync('prlimit', ['--pid', String(daemon.child.pid), `--fsize=${bytes}:`]);

async function isBanned(daemon) {
	const eve = await enter(daemon, { sub: 'eve' }, join);
	const answer = await eve.until('a message', () => eve.messages.find(({ type }) => type === 'error' || type === 'roster'), 30000);
	eve.end();
	return answer.code === 'banned';
}

test('on a full disk a ban acts, is reported as not stored, and is written when there is room', async () => {
	const place = world();
	let daemon = await place.start();
	const eve = await enter(daemon, { sub: 'eve' }, join, publish);
	const { body } = await eve.find('published');
	const mia = await enter(daemon, mods);

	limitFiles(daemon, 0);
	mia.send(moderate('ban', { body }));
	const ban = await mia.next('moderated');
	assert.deepEqual([ban.subject, ban.concerned, ban.stored], ['eve', 1, false]);
	await eve.find('unpublished');
	assert.equal(await isBanned(daemon), true);
	const { status, body: text } = await get(daemon, '/readyz');
	assert.equal(status, 503);
	assert.match(text, /^sanctions: the newest are not on the disk: cannot be written: [^\n]*sanctions\.json\n$/m);
	assert.equal(await failing(daemon), '1');
	mia.send(moderate('mute', { subject: 'bob' }));
	assert.equal((await mia.next('moderated')).stored, false, 'nor is the next one');

	limitFiles(daemon, 'unlimited');
	await until('ready again', async () => (await get(daemon, '/readyz')).body === 'ready\n');
	assert.equal(await failing(daemon), '0');
	assert.equal(lines(daemon, /sanctions would end with this run/).length, 1, 'one line, however often it was tried');
	assert.equal(lines(daemon, /the sanctions are on the disk again/).length, 1);
	mia.send(moderate('mute', { subject: 'ada' }));
	assert.equal((await mia.next('moderated')).stored, true);
	mia.end();
	eve.end();

	await daemon.stop('SIGKILL'); // nothing can be written now
	daemon = await place.start();
	assert.equal(await isBanned(daemon), true, 'after a restart');
	assert.equal(await daemon.stop(), 0);
});

test('a ban that could not be stored is written when the daemon ends', async () => {
	const place = world();
	let daemon = await place.start();
	const mia = await enter(daemon, mods);
	limitFiles(daemon, 0);
	mia.send(moderate('ban', { subject: 'eve' }));
	assert.equal((await mia.next('moderated')).stored, false);
	mia.end();
	limitFiles(daemon, 'unlimited');
	assert.equal(await daemon.stop(), 0);
	daemon = await place.start();
	assert.equal(await isBanned(daemon), true);
	limitFiles(daemon, 0);
	const again = await enter(daemon, mods, moderate('unban', { subject: 'eve' }));
	assert.equal((await again.next('moderated')).stored, false);
	again.end();
	assert.equal(await daemon.stop(), 0, 'a disk that stays full does not hold up the end');
	assert.equal(lines(daemon, /error: the newest sanctions are lost: /).length, 1);
	daemon = await place.start();
	assert.equal(await isBanned(daemon), true, 'it was lifted, but not on the disk, and the answer was right');
	assert.equal(await daemon.stop(), 0);
});

/** The write waits until the end of the pipe is read, and then fails: a pipe cannot be synced. */
function hangDisk({ state }) {
	const pipe = path.join(state, 'sanctions.json.new');
	execFileSync('mkfifo', [pipe]);
	return () => fs.readFileSync(pipe);
}

test('a slow disk: the ban acts before the write, the answers to its moderator wait in their order, those to others do not', async () => {
	const place = world();
	const daemon = await place.start();
	const release = hangDisk(place);
	const eve = await enter(daemon, { sub: 'eve' }, join, publish);
	const { body } = await eve.find('published');
	const mia = await enter(daemon, mods);
	const gone = await enter(daemon, { ...mods, sub: 'max' });
	const kim = await enter(daemon, { ...mods, sub: 'kim' });
	const isAnswer = ({ type, ref }) => type === 'moderated' || type === 'sanctions' || ref === 'moderate';

	mia.send(moderate('ban', { body }), moderate('kick', { subject: 'eve' }), moderate('exile', { subject: 'eve' }),
		moderate('list'), moderate('kick', { subject: 'a' }), moderate('mute', { subject: 'bob' }));
	mia.send({ type: 'moderate', space: 'cellar', action: 'list' });
	await eve.find('moderated', ({ action }) => action === 'ban');
	await eve.find('unpublished');
	assert.equal(await isBanned(daemon), true);
	await mia.settled();
	assert.deepEqual(mia.messages.filter(isAnswer), [], 'the answers wait');
	kim.send(moderate('list'));
	assert.deepEqual((await kim.next('sanctions')).sanctions.map(({ kind }) => kind), ['mute', 'ban'], 'another moderator is answered at once');
	assert.equal((await get(daemon, '/readyz')).status, 200, 'nothing has failed yet');
	// Its session has ended when the answer arrives.
	gone.send(moderate('mute', { subject: 'ada' }));
	await gone.settled();
	gone.end();
	await until('the end of a session', async () => /^jointcast_connections 3$/m.test((await get(daemon, '/metrics')).body));

	assert.match(String(release()), /subject eve/);
	await mia.until('a message', () => mia.messages.filter(isAnswer).length === 7, 30000);
	assert.deepEqual(mia.messages.filter(isAnswer).map(({ type, action, code, stored }) => [type, action ?? code, stored]), [
		['moderated', 'ban', false], ['moderated', 'kick', undefined], ['error', 'bad-field', undefined],
		['sanctions', undefined, undefined], ['moderated', 'kick', undefined], ['moderated', 'mute', true],
		['error', 'unknown-space', undefined],
	]);
	await until('ready', async () => (await get(daemon, '/readyz')).status === 200);
	mia.end();
	eve.end();
	kim.end();
	assert.equal(await daemon.stop(), 0);
});

test('without a state directory no order is stored, and the server is ready all the same', async () => {
	const daemon = await world({ has_state: false }).start();
	const mia = await enter(daemon, mods, moderate('ban', { subject: 'eve' }));
	assert.equal((await mia.next('moderated')).stored, false);
	assert.equal((await get(daemon, '/readyz')).status, 200, 'no file is missing');
	assert.equal(await isBanned(daemon), true);
	mia.end();
	assert.equal(await daemon.stop(), 0);
});

const entry = (kind, rest) => ({ space: 'lobby', kind, who: 'subject eve', by: 'subject mia', reason: '', since: 100, ...rest });
const file = (place, version, ...sanctions) => {
	fs.mkdirSync(place.state, { recursive: true });
	fs.writeFileSync(path.join(place.state, 'sanctions.json'), JSON.stringify({ jointcast: 'sanctions', version, sanctions }));
};
const read = (place) => JSON.parse(fs.readFileSync(path.join(place.state, 'sanctions.json'), 'utf8'));

test('sanctions of a kind of a newer version stay in the file, and the log has their number', async () => {
	const place = world();
	const newer = [entry('slow-down', { factor: 0.5 }), { kind: 'exile', of: ['lobby', 'attic'] }];
	file(place, 1, newer[0], entry('ban'), newer[1]);
	for (let run = 0; run < 2; run++) {
		const daemon = await place.start();
		assert.equal(lines(daemon, /sanctions\.json' has 2 sanctions of a kind that a newer jointcastd wrote: not in force; the file keeps them/).length, 1);
		assert.equal(await isBanned(daemon), true, 'the ban beside them holds');
		const mia = await enter(daemon, mods, moderate('mute', { subject: `bob-${run}` }));
		assert.equal((await mia.next('moderated')).stored, true);
		mia.end();
		assert.equal(await daemon.stop(), 0);
		const { sanctions } = read(place);
		assert.deepEqual(sanctions.filter(({ kind }) => !['ban', 'mute'].includes(kind)), newer);
		assert.deepEqual(sanctions.filter(({ kind }) => kind === 'mute').map(({ who }) => who).sort(),
			Array.from({ length: run + 1 }, (_, i) => `subject bob-${i}`));
	}
});

test('a file of a higher version that is put in place of the own one stays, and the daemon is not ready until it is gone', async () => {
	const place = world();
	const daemon = await place.start();
	const mia = await enter(daemon, mods);
	file(place, 2, entry('ban', { who: 'subject ada' }));
	const higher = read(place);

	mia.send(moderate('ban', { subject: 'eve' }));
	assert.equal((await mia.next('moderated')).stored, false);
	assert.equal(await isBanned(daemon), true, 'the ban holds for this run');
	const { status, body } = await get(daemon, '/readyz');
	assert.equal(status, 503);
	assert.match(body, /^sanctions: the newest are not on the disk: the file has version 2, which a newer jointcastd wrote/m);
	assert.deepEqual(read(place), higher);
	fs.rmSync(path.join(place.state, 'sanctions.json'));
	await until('ready again', async () => (await get(daemon, '/readyz')).body === 'ready\n');
	assert.deepEqual(read(place).sanctions.map(({ kind, who }) => [kind, who]), [['ban', 'subject eve']]);
	mia.end();
	assert.equal(await daemon.stop(), 0);
});
