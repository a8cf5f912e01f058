// Tests that bench fanout connects the requested clients; it does not test speed.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { binary, start } from './support/daemon.mjs';
import { until } from './support/until.mjs';

const tool = process.argv[3];
const bench = (...options) => spawnSync(tool, ['bench', 'fanout', '--daemon', binary, '--rounds', '1',
	'--seconds', '1', '--json', ...options], { encoding: 'utf8' });

function measure(...options) {
	const { status, stdout, stderr } = bench(...options);
	assert.equal(status, 0, stderr);
	const figures = JSON.parse(stdout);
	assert.equal(figures.disconnected, 0);
	assert.ok(figures.deliveries > 0 && figures.cpu_us_per_delivery > 0, stdout);
	return figures;
}

test('a distant viewpoint gets fewer packets than a view without one', () => {
	const crowd = ['--subscribers', '8', '--bodies', '8', '--seconds', '4'];
	const all = measure(...crowd);
	const some = measure(...crowd, '--viewpoints');
	assert.equal(some.viewpoints, true);
	// 0.4 on a quiet machine; with fewer ticks the first packets, which are complete, count more.
	const bytes = ({ message_bytes: size, deliveries }) => size * deliveries;
	assert.ok(bytes(some) < 0.9 * bytes(all), `${bytes(some)} and ${bytes(all)} bytes`);
});

test('a skeleton per subscriber needs a stream per body and subscriber', () => {
	const figures = measure('--subscribers', '4', '--bodies', '6', '--hz', '30', '--own-skeletons');
	assert.equal(figures.own_skeletons, true);
	// 4 times 6 streams and 4 skeletons, none of them shared: at 10 kB and a few.
	assert.ok(figures.memory_bytes_per_connection > 6 * 8000, `${figures.memory_bytes_per_connection} bytes`);
});

// Where most ticks are missed, the first packets, which are complete, decide the mean.
function measureMostTicks(...options) {
	for (let times = 0; times < 20; times++) {
		const figures = measure(...options);
		if (figures.deliveries > 0.9 * 60 * figures.seconds * figures.subscribers)
			return figures;
	}
	return assert.fail('the machine has no second for 60 ticks');
}

test('messages are larger where every second view is fine', () => {
	const one = measureMostTicks('--subscribers', '4', '--bodies', '4');
	const two = measureMostTicks('--subscribers', '4', '--bodies', '4', '--views', '2', '--credit');
	assert.equal(two.views, 2);
	// 1.17 times with all ticks.
	assert.ok(two.message_bytes > 1.1 * one.message_bytes, `${two.message_bytes} and ${one.message_bytes} bytes`);
});

test('measures a daemon that runs already, and the cost of its process', async () => {
	const daemon = await start('--source', 'demo:walk?space=stage');
	const there = (...options) => JSON.parse(spawnSync(tool, ['bench', 'fanout', '--port', String(daemon.port), '--space', 'stage',
		'--subscribers', '20', '--rounds', '1', '--seconds', '1', '--json', ...options], { encoding: 'utf8' }).stdout);
	const known = there('--process', String(daemon.child.pid));
	assert.equal(known.disconnected, 0);
	assert.ok(known.deliveries > 0 && known.cpu_us_per_delivery > 0 && known.cpu_share < 2, JSON.stringify(known));
	const unknown = there();
	assert.ok(unknown.deliveries > 0 && unknown.floor_us_per_send > 0);
	assert.ok(!('cpu_us_per_delivery' in unknown) && !('memory_bytes_per_connection' in unknown), JSON.stringify(unknown));
	assert.equal(processorsOf(daemon.child.pid), processorsOf(process.pid));
	assert.ok(there('--process', String(daemon.child.pid), '--apart').deliveries > 0);
	assert.equal(processorsOf(daemon.child.pid), first);
	assert.equal(await daemon.stop(), 0);
});

/** The processors that a process may use, such as '0-3' or '1'. */
const processorsOf = (pid) => /^Cpus_allowed_list:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
const first = /^\d+/.exec(processorsOf(process.pid))[0];
const last = /\d+$/.exec(processorsOf(process.pid))[0];

test('the daemon runs on the first processor, its subscribers on the last', async () => {
	const child = spawn(tool, ['bench', 'fanout', '--daemon', binary, '--rounds', '1', '--seconds', '1'], { stdio: 'ignore' });
	const ended = new Promise((resolve) => child.on('exit', resolve));
	await until('both are on their processors', () => {
		const [daemon] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean);
		return daemon && processorsOf(daemon) === first && processorsOf(child.pid) === last;
	});
	assert.equal(await ended, 0);
});

test('rejects options that cannot be measured', () => {
	for (const options of [['--hz', '7'], ['--views', '5'], ['--subscribers', '0'], ['--stalled', '1'],
		['--process', '1'], ['--apart'], ['--port', '0'], ['--port', '1'], ['--port', '9', '--process', 'x']])
		assert.equal(bench(...options).status, 2, options.join(' '));
});
