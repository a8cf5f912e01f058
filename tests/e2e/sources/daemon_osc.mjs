// OSC trackers from outside: a person calibrated by `jointcast calibrate`, two daemons of which one
// moves a body of the other, what the status names, and the list of senders.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import test from 'node:test';
import WebSocket from 'ws';
import { BONES, connect } from '../../../clients/js/index.js';
import { run, start } from '../support/daemon.mjs';
import { bundle, message } from '../support/osc.mjs';
import { until } from '../support/until.mjs';

const jointcast = process.argv[3];
const port = (daemon) => Number(/osc-trackers 127\.0\.0\.1:(\d+): waiting/.exec(daemon.log)[1]);

function opens(t) {
	const socket = createSocket('udp4');
	t.after(() => socket.close());
	return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket)));
}

/** The built-in figure in the T-pose (proto/joints.json), in Unity's axes; elbows and feet. */
const WORN = {
	head: [[0, 1.56, 0.01], [0, 0, 0]],
	1: [[0, 0.98, 0.1], [0, 90, 0]],
	2: [[-0.09, 0.12, 0.02], [10, 0, 20]],
	3: [[0.09, 0.12, 0.02], [-10, 5, 0]],
};

const packet = (worn) => bundle(...Object.entries(worn).flatMap(([name, [place, angles]]) => [
	message(`/tracking/trackers/${name}/position`, 'fff', ...place),
	message(`/tracking/trackers/${name}/rotation`, 'fff', ...angles)]));

/** Sends sixty packets a second; `worn` may change. */
function repeat(t, socket, to, worn) {
	const timer = setInterval(() => socket.send(packet(worn), to, '127.0.0.1'), 16);
	t.after(() => clearInterval(timer));
	return () => clearInterval(timer);
}

async function sourceOf(daemon) {
	const { spaces: [space] } = await (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json();
	return (space.bodies[0] ?? space.waiting[0]).source;
}

function calibrate(daemon, ...parameters) {
	const child = spawn(jointcast, ['calibrate', `http://127.0.0.1:${daemon.port}`, '--height', '1.75',
		'--countdown', '0', ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
	let out = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (bytes) => (out += bytes));
	return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

test('a standing person is calibrated, and the trackers find their parts by place', async (t) => {
	const daemon = await start('--source', 'osc-trackers:0?name=Ada&height=1.75');
	t.after(() => daemon.stop());
	const worn = structuredClone(WORN);
	const socket = await opens(t);
	repeat(t, socket, port(daemon), worn);
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	t.after(() => client.close());
	const body = await until('a body enters', () => [...client.bodies.values()][0]);
	await until('the status asks for a calibration', async () =>
		/head and 3 trackers: trackers are not calibrated/.test((await sourceOf(daemon)).detail));
	const { code, out } = await calibrate(daemon, '--body', 'Ada');
	assert.equal(code, 0, out);

	// A quarter turn to the right, of the person and all that is worn.
	for (const [place, angles] of Object.values(worn)) {
		[place[0], place[2]] = [place[2], -place[0]];
		angles[1] += 90;
	}
	const hips = 4 * BONES.indexOf('hips');
	await until('the hips turn to the right', () => {
		const [, y, , w] = body.sample()?.rotations?.subarray(hips, hips + 4) ?? [];
		return Math.abs(2 * Math.atan(y / w) * 180 / Math.PI + 90) < 3;
	});
	const source = await sourceOf(daemon);
	assert.match(source.detail, /^port \d+, head and 3 trackers$/);
	assert.equal(source.fault, undefined);
	assert.deepEqual(source.senders.map(({ name }) => name), [`127.0.0.1:${socket.address().port}`]);
});

test('a body of trackers takes the face of a phone', async (t) => {
	const daemon = await start('--source', 'osc-trackers:0?name=Ada&height=1.75&tracker=1:waist',
		'--source', 'facemotion3d:0?body=Ada');
	t.after(() => daemon.stop());
	const socket = await opens(t);
	repeat(t, socket, port(daemon), { head: WORN.head, 1: WORN[1] });
	const { spaces: [space] } = await (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json();
	const phone = space.waiting.find(({ source }) => source.kind === 'facemotion3d');
	const timer = setInterval(() => socket.send('jawOpen&50|eyeBlinkRight&100|',
		Number(/port (\d+)/.exec(phone.source.detail)[1]), '127.0.0.1'), 16);
	t.after(() => clearInterval(timer));
	const client = connect(daemon.url, { WebSocket });
	t.after(() => client.close());
	const value = (name) => {
		const body = [...client.bodies.values()].find((each) => each.name === 'Ada');
		const sample = body?.sample();
		return sample && body.channel(name, sample);
	};
	await until('the face reaches the body', () => Math.abs(value('expression/jawOpen') - 0.5) < 0.05 &&
		value('expression/blinkRight') > 0.9 && value('expression/blinkLeft') < 0.05);
});

test('the status names another sender, messages without use and a wrong scale', async (t) => {
	const daemon = await start('--source', 'osc-trackers:0?name=Ada');
	t.after(() => daemon.stop());
	const worn = structuredClone(WORN);
	for (const [place] of Object.values(worn))
		place.forEach((value, i) => (place[i] = 100 * value));
	const [first, second] = [await opens(t), await opens(t)];
	repeat(t, first, port(daemon), worn);
	first.send(message('/avatar/change', 's', 'abc'), port(daemon), '127.0.0.1');
	await until('the first sender has the body', async () => (await sourceOf(daemon)).frames > 10);
	repeat(t, second, port(daemon), WORN);
	const source = await until('a fault', async () => {
		const found = await sourceOf(daemon);
		return found.fault && found.senders?.length === 2 && /another sender/.test(found.detail) && found;
	});
	assert.match(source.fault, /^wrong scale/);
	assert.deepEqual(source.ignoredAddresses, ['/avatar/change']);
	assert.match(source.ignoredReason, /one sender owns the body/);
});

test('a body passes through two daemons as six trackers', async (t) => {
	const roles = ['waist', 'left_foot', 'right_foot', 'left_wrist', 'right_wrist'];
	const second = await start('--source', `osc-trackers:0?name=Bob&height=1.75&${
		roles.map((role, i) => `tracker=${i + 1}:${role}`).join('&')}`);
	t.after(() => second.stop());
	const first = await start('--source', 'demo:wave?name=Bob',
		'--osc-out', `127.0.0.1:${port(second)}?trackers=${roles}`);
	t.after(() => first.stop());
	const client = connect(second.url, { WebSocket, codings: [1] });
	t.after(() => client.close());
	const body = await until('the body arrives', () => [...client.bodies.values()][0]);
	// The demo lifts an arm above the shoulder.
	const arm = 4 * BONES.indexOf('rightUpperArm');
	const seen = [];
	await until('the arm moves', () => {
		const rotation = body.sample()?.rotations?.slice(arm, arm + 4);
		if (rotation)
			seen.push(rotation);
		return seen.some((a) => Math.abs(a.reduce((sum, x, i) => sum + x * seen[0][i], 0)) < Math.cos(0.3));
	});
	assert.match((await sourceOf(second)).detail, /head and 5 trackers$/);
});

test('senders are listed, and wrong targets and sources are refused', async (t) => {
	const socket = await opens(t);
	repeat(t, socket, 39540, WORN);
	const { code, stdout } = await run('--list-senders');
	assert.equal(code, 0);
	// Another program of this machine may have the port.
	assert.match(stdout, /39540 .*(127\.0\.0\.1:\d+ +\d+\/s +VMC +\/tracking\/trackers\/|in use)/);
	for (const [option, value, why] of [
		['--source', 'osc-trackers:0.0.0.0:9010', /allow=remote/],
		['--source', 'osc-trackers:0?peer=nobody', /peer is an address/],
		['--source', 'osc-trackers:0?tracker=1:nose', /tracker is/],
		['--osc-out', '192.0.2.1', /allow=remote/],
		['--list-senders=all', '', /the value is remote/]]) {
		const wrong = await run(option, ...(value ? [value] : []));
		assert.notEqual(wrong.code, 0, `${option} ${value}`);
		assert.match(wrong.stderr, why);
	}
});
