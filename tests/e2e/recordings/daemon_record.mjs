// Recordings of a daemon: complete after it stops, repaired after it was killed, readable
// alone after every split, and without bodies that have not given consent.
//
// usage: daemon_record.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { run, scratch, start } from '../support/daemon.mjs';
import { publish } from '../support/still_bodies.mjs';
import { sleep, until } from '../support/until.mjs';

const jointcast = process.argv[3];

const files = (folder, ending) => readdirSync(folder).filter((name) => name.endsWith(ending)).sort()
	.map((name) => path.join(folder, name));

function json(...parameters) {
	const { status, stdout, stderr } = spawnSync(jointcast, [...parameters, '--json'],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });
	assert.equal(status, 0, stderr);
	return JSON.parse(stdout);
}

/** Once a recording of the folder has so many bytes. */
async function grown(folder, bytes) {
	const size = () => files(folder, '.part').reduce((sum, file) => sum + statSync(file).size, 0);
	while (size() < bytes)
		await sleep(20);
}

test('a recording is complete when the daemon stops', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave?space=hall',
		'--record', folder, '--record', `${folder}?space=hall`);
	await grown(folder, 40000);
	assert.equal(await daemon.stop(), 0);
	assert.deepEqual(files(folder, '.part'), []);
	const [hall, lobby, ...others] = files(folder, '.mcap');
	assert.deepEqual(others, []);
	for (const [file, name] of [[hall, 'wave'], [lobby, 'walk']]) {
		const { motions } = json('inspect', file);
		assert.deepEqual(motions.map((motion) => [motion.name, motion.kind]), [[name, 'poses']]);
		assert.ok(motions[0].frames > 10);
		const out = path.join(folder, 'again');
		const report = json('recover', file, '-o', out);
		assert.deepEqual([report.closed, report.damages], [true, 0]);
	}
});

// The recording holds the demo's own poses.
test('a recording holds the motion within the bound of captures', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--source', 'demo:wave?loop=1', '--record', folder);
	await grown(folder, 30000);
	assert.equal(await daemon.stop(), 0);
	const [file] = files(folder, '.mcap');
	const { duration } = json('inspect', file).motions[0];
	const { duration: loop } = json('inspect', 'demo:wave').motions[0];
	const times = (from, to, step) => Array.from({ length: Math.round((to - from) / step) + 1 },
		(_, i) => from + i * step);
	const look = (motion, list) => json('retarget', motion, 'humanoid', '--loop', '--times', list.join()).frames;
	const degrees = (a, b) => Math.max(...Object.keys(a.bones).map((name) => {
		const [p, q] = [a.bones[name].normalized, b.bones[name].normalized];
		const chord = (sign) => Math.hypot(...p.map((v, i) => v - sign * q[i]));
		return (4 * Math.asin(Math.min(1, Math.min(chord(1), chord(-1)) / 2)) * 180) / Math.PI;
	}));
	// Ticks fall on sixtieths of a second of the motion: on which it began is found
	// by trying.
	const seen = look(file, times(0, 30 / 60, 1 / 60));
	const all = look('demo:wave', times(0, loop + 1, 1 / 60));
	const begins = all.slice(0, -30).map((_, first) => degrees(seen[0], all[first]));
	const first = begins.indexOf(Math.min(...begins));
	// A late tick on a busy machine leaves a gap in the recording.
	const off = seen.slice(0, Math.floor(duration * 60)).map((frame, i) => degrees(frame, all[first + i]));
	assert.ok(off.filter((value) => value < 0.02).length > off.length / 2, off.join());
	assert.ok(Math.max(...off) < 10, off.join());
});

test('a killed daemon loses at most half a second and repairs the recording at the next start', async (t) => {
	const folder = scratch(t);
	for (let round = 0; round < 3; round++) {
		const daemon = await start('--source', 'demo:walk', '--record', folder);
		await grown(folder, 12000 + 7000 * round);
		assert.equal(await daemon.stop('SIGKILL'), 'SIGKILL');
		assert.equal(files(folder, '.part').length, 1);
		const next = await start('--record', folder, '--source', 'demo:sit?space=other');
		while (!next.log.includes(' kept, '))
			await sleep(10);
		assert.match(next.log, /was not complete: repaired, \d+\.\d{3} s kept, .*\d+\.\d{3} s lost/);
		assert.equal(await next.stop(), 0);
		for (const file of files(folder, '.mcap'))
			json('recover', file, '-o', path.join(folder, 'again'));
	}
	const walks = files(folder, '.mcap').map((file) =>
		spawnSync(jointcast, ['inspect', file, '--json'], { encoding: 'utf8' }))
		.filter(({ status, stdout }) => status === 0 && stdout.includes('walk'));
	assert.equal(walks.length, 3);
});

test('repair writes no file outside the folder, and a pipe delays nothing', async (t) => {
	const folder = scratch(t);
	const first = await start('--source', 'demo:walk', '--record', folder);
	await grown(folder, 12000);
	assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
	const torn = path.basename(files(folder, '.part')[0], '.part');
	const outside = path.join(scratch(t), 'outside');
	writeFileSync(outside, 'as it was');
	symlinkSync(outside, path.join(folder, `${torn}.mend`));
	assert.equal(spawnSync('mkfifo', [path.join(folder, 'a pipe.mcap.part')]).status, 0);
	const next = await start('--record', folder, '--source', 'demo:sit?space=other');
	await until('both are looked at', () => next.log.includes(' kept, ') && next.log.includes('a pipe'));
	assert.equal(await next.stop(), 0);
	assert.equal(readFileSync(outside, 'utf8'), 'as it was');
	assert.ok(lstatSync(path.join(folder, torn)).isFile());
	assert.equal(json('inspect', path.join(folder, torn)).motions.length, 1);
});

test('motion without consent is not recorded', async (t) => {
	const folder = scratch(t);
	const daemon = await start('--record', folder);
	const people = await publish(daemon.url, { name: 'shy' }, { name: 'agreed', mayRecord: true },
		{ name: 'refused', mayRecord: false });
	await grown(folder, 6000);
	people.end();
	assert.equal(await daemon.stop(), 0);
	const { motions } = json('inspect', files(folder, '.mcap')[0]);
	assert.deepEqual(motions.map(({ name }) => name), ['agreed']);
	assert.ok(motions[0].frames > 5);
});

test('refuses an unreadable folder and invalid options', async (t) => {
	const folder = scratch(t);
	const file = path.join(folder, 'file');
	writeFileSync(file, '');
	for (const target of [path.join(folder, 'nowhere', 'at', 'all'), file, `${folder}?split_seconds=1`, `${folder}?hz=5`, '?space=a']) {
		const { code, stderr } = await run('--listen', '127.0.0.1:0', '--source', 'demo:walk', '--record', target);
		assert.equal(code, 1, `${target}: ${stderr}`);
		assert.match(stderr, /^jointcastd: /);
	}
	assert.ok(!existsSync(path.join(folder, 'nowhere')));
});

test('a missing folder is created, private to its owner', async (t) => {
	const folder = path.join(scratch(t), 'recordings');
	const daemon = await start('--source', 'demo:walk', '--record', folder);
	await grown(folder, 10000);
	assert.equal(statSync(folder).mode & 0o777, 0o700);
	assert.equal(await daemon.stop(), 0);
	assert.equal(files(folder, '.mcap').length, 1);
});
