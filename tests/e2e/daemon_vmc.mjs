// The gateway between VMC and the web: datagrams of the tests' own OSC writer and reader on one
// side, the client library on npm's ws on the other.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import WebSocket from 'ws';
import { BONES, Figure, connect } from '../../clients/js/index.js';
import { run, scratch, start } from './support/daemon.mjs';
import { bundle, int, message, parse } from './support/osc.mjs';
import { isHeld, steady } from './support/steady.mjs';
import { sleep, until } from './support/until.mjs';

const DEGREES = 180 / Math.PI;
/** Degrees that a rotation on the web may be off (proto/BUNDLES.md, "Smallest three"), with room. */
const WIRE_ERROR = 0.02;

/* VMC */

const bone = (name, [x, y, z] = [0, 0, 0], angle = 0, position = [0, 0, 0]) => {
	const sine = Math.sin(angle / DEGREES / 2);
	return message('/VMC/Ext/Bone/Pos', 'sfffffff', name, ...position,
		x * sine, y * sine, z * sine, Math.cos(angle / DEGREES / 2));
};

/** An avatar with hips 0.9 over its toes, in Unity's axes: x to its right. */
const still = [bone('LeftUpperLeg', undefined, 0, [-0.1, 0, 0]),
	bone('LeftLowerLeg', undefined, 0, [0, -0.43, 0]), bone('LeftFoot', undefined, 0, [0, -0.4, 0]),
	bone('LeftToes', undefined, 0, [0, -0.07, 0.12])];

/** Where the built-in proportions have the hips of that avatar, metres. */
const HIPS = (0.9 * 0.96) / 0.945;

/**
 * Left arm raised, right arm forward, right knee up with the shin hanging down,
 * head turned to the left, a step to the right and a bend of the knees.
 */
const asymmetric = () => bundle(message('/VMC/Ext/OK', 'i', 1), message('/VMC/Ext/T', 'f', 1),
	message('/VMC/Ext/Root/Pos', 'sfffffff', 'root', 0.45, 0, 0, 0, 0, 0, 1),
	...still,
	bone('Hips', undefined, 0, [0, HIPS - 0.09, 0]),
	bone('LeftUpperArm', [0, 0, 1], -90),
	bone('RightUpperArm', [0, 1, 0], -90),
	bone('RightUpperLeg', [1, 0, 0], -90),
	bone('RightLowerLeg', [1, 0, 0], 90),
	bone('Head', [0, 1, 0], -90));

const vmcPort = (daemon) => Number(/vmc 127\.0\.0\.1:(\d+): waiting for a body/.exec(daemon.log)[1]);

function subscribe(t, daemon) {
	const client = connect(daemon.url, { WebSocket, codings: [1] });
	t.after(() => client.close());
	return client;
}

function opens(t, ...address) {
	const socket = createSocket('udp4');
	t.after(() => socket.close());
	return new Promise((resolve) => socket.bind(...address, () => resolve(socket)));
}

/** Sends a packet sixty times a second until stop() is called. */
function repeat(t, socket, port, packet) {
	const timer = setInterval(() => socket.send(packet, port, '127.0.0.1'), 16);
	t.after(() => clearInterval(timer));
	return () => clearInterval(timer);
}

test('a body of a VMC program has the same pose on the web', async (t) => {
	const daemon = await start('--source', 'vmc:0?name=Ada');
	t.after(() => daemon.stop());
	const client = subscribe(t, daemon);
	await until('nobody is there', () => client.waiting.length === 1);
	assert.deepEqual(client.waiting, [{ name: 'Ada', source: 'vmc', reason: 'no motion arrives' }]);
	assert.equal(client.bodies.size, 0);

	const socket = await opens(t, 0);
	const stop = repeat(t, socket, vmcPort(daemon), asymmetric());
	const body = await until('a body enters', () => [...client.bodies.values()][0]);
	assert.equal(body.name, 'Ada');
	await until('nobody waits', () => client.waiting.length === 0);
	await until('the body is live', () => body.state === 'live' && body.timeline.received > 10);

	await sleep(200);
	const figure = new Figure(body.skeleton).pose(body.sample());
	const at = (name) => figure.position(body.skeleton.bones[BONES.indexOf(name)], []);
	const direction = (from, to) => {
		const [a, b] = [at(from), at(to)];
		const way = b.map((x, i) => x - a[i]);
		return way.map((x) => x / Math.hypot(...way));
	};
	const near = (got, wanted) => assert.ok(
		Math.hypot(...got.map((x, i) => x - wanted[i])) < 0.01, `${got} is not ${wanted}`);

	// Here a body faces +Z with its left at +X.
	near(direction('leftUpperArm', 'leftHand'), [0, 1, 0]);
	near(direction('rightUpperArm', 'rightHand'), [0, 0, 1]);
	near(direction('rightUpperLeg', 'rightLowerLeg'), [0, 0, 1]);
	assert.ok(at('rightFoot')[1] < at('rightLowerLeg')[1] - 0.3, 'the shin does not hang');
	assert.ok(at('leftFoot')[1] < at('rightFoot')[1] - 0.3, 'the left leg does not stand');
	assert.ok(at('leftEye')[0] > at('head')[0] + 0.05, 'the head does not look left');
	// Half a hips height to the right, a tenth of it down: of this skeleton's.
	near(at('hips'), [-0.5 * 0.945, 0.96 - 0.0945, 0]);

	stop();
	await until('the body is stale again', () => body.state === 'stale');
	repeat(t, socket, vmcPort(daemon), asymmetric());
	await until('the body is back', () => body.state === 'live');
});

/** Capture times in microseconds and rotations of a body by that name, one for each packet. */
function record(client, name) {
	const packets = [];
	client.on('bundle', () => {
		const body = [...client.bodies.values()].find((one) => one.name === name);
		const time = body?.timeline.newest;
		if (body?.state !== 'live' || !(time >= 0))
			return;
		const slot = body.timeline.at(time);
		if (isHeld(slot) && packets.length > 0)
			packets.at(-1).isHeld = true;
		else if (time !== packets.at(-1)?.time)
			packets.push({ time, rotations: slot.rotations.slice() });
	});
	return packets;
}

/** Degrees between two rotations, four numbers each. */
function angle(a, b) {
	const off = (sign) => Math.hypot(...a.map((x, i) => x - sign * b[i]));
	return 4 * Math.asin(Math.min(off(1), off(-1)) / 2) * DEGREES;
}

/** Largest angle of a bone; rotation(bone, i) of the one, packets of the other. */
const distance = (rotation, web) => Math.max(...BONES.map((bone, i) =>
	angle(rotation(bone, i), web.subarray(4 * i, 4 * i + 4))));

/** Microseconds by which a busy daemon may delay a pose more, or less, than usual. */
const JITTER = 250000;

/**
 * For each pose { time, rotation }, the largest angle to the packet that is nearest to it. A pose is
 * left out if a tick is missing near the time of its packet: a busy daemon may have skipped the packet
 * of that pose, and the motion returns to similar ones. The times of poses are those of another clock.
 */
function distances(poses, packets, hz) {
	const found = poses.map(({ time, rotation }) => {
		const angles = packets.map(({ rotations }) => distance(rotation, rotations));
		const angle = Math.min(...angles);
		return { time, angle, shift: packets[angles.indexOf(angle)].time - time };
	});
	const usual = found.map(({ shift }) => shift).sort((x, y) => x - y)[found.length >> 1];
	const isMissing = (from, to) => packets[0].time > from || packets.at(-1).time < to || packets.some(({ time }, i) =>
		i > 0 && time > from && packets[i - 1].time < to && time - packets[i - 1].time > 1.5 * 1e6 / hz);
	return found.filter(({ time }) => !isMissing(time + usual - JITTER, time + usual + JITTER)).map(({ angle }) => angle);
}

const BUSY_MS = 200000; // until a busy daemon has sent enough ticks in a row

/**
 * The largest angle between poses and packets, of at least `least` poses that have packets around
 * them: compares as many periods as that takes. Each period begins with empty lists; `take` returns
 * its poses when it is over.
 */
async function compare({ packets, others, take, least, hz = 60 }) {
	const compared = [];
	await until(() => `${least} poses with packets around them, there are ${compared.length}`, async () => {
		packets.length = others.length = 0;
		const poses = await until('a period of packets', () => packets.length > 2 * hz && take(), BUSY_MS);
		assert.ok(poses.some(({ rotation }) => distance(rotation, packets[0].rotations) > 1),
			'nothing moves: this compares nothing');
		compared.push(...distances(poses, packets, hz));
		return compared.length >= least;
	}, BUSY_MS);
	return Math.max(...compared);
}

test('a VMC program and a web client receive the same pose', async (t) => {
	const socket = await opens(t, 0, '127.0.0.1');
	const frames = [];
	let bones = new Map();
	socket.on('message', (packet) => {
		assert.ok(packet.length <= 1400);
		for (const { address, values } of parse(packet)) {
			if (address === '/VMC/Ext/Bone/Pos')
				bones.set(values[0], values.slice(1));
			if (address === '/VMC/Ext/T') {
				frames.push({ time: values[0], bones });
				bones = new Map();
			}
		}
	});
	const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave?name=Bob',
		'--vmc-out', `127.0.0.1:${socket.address().port}?body=Bob&hz=30`);
	t.after(() => daemon.stop());
	const packets = record(subscribe(t, daemon), 'Bob');
	// Unity's axes are the mirror image; its thumbs are named one joint up.
	const name = (bone) => bone.replace('ThumbProximal', 'ThumbIntermediate')
		.replace('ThumbMetacarpal', 'ThumbProximal').replace(/^./, (c) => c.toUpperCase());
	const off = await compare({ packets, others: frames, least: 10, take() {
		if (frames.length < 50) // the first ones may be older than the first packet
			return null;
		const recent = frames.slice(-32, -2);
		// One that comes late is near to the next, but none comes early.
		const apart = (recent.at(-1).time - recent[0].time) / 29;
		assert.ok(apart > 0.03, `frames are ${apart} s apart, at 30 Hz`);
		return recent.map((frame) => ({ time: frame.time * 1e6, rotation(bone) {
			assert.equal(frame.bones.size, 55);
			const [, , , x, y, z, w] = frame.bones.get(name(bone));
			return [x, -y, -z, w];
		} }));
	} });

	t.diagnostic(`at most ${off.toFixed(5)} degrees apart`);
	assert.ok(off < WIRE_ERROR, `${off} degrees apart`);
});

test('a body tracker and a face tracker on one port make one body', async (t) => {
	const daemon = await start('--source', 'vmc:0?name=Ada');
	t.after(() => daemon.stop());
	const client = subscribe(t, daemon);
	const watcher = connect(daemon.url, { WebSocket, precision: 'fine' });
	t.after(() => watcher.close());
	const [body, face] = [await opens(t, 0), await opens(t, 0)];
	// Another head, a lost tracker, and numbers of other types.
	const sine = Math.sin(Math.PI / 6);
	repeat(t, face, vmcPort(daemon), bundle(message('/VMC/Ext/OK', 'i', 0),
		message('/VMC/Ext/Bone/Pos', 'siiiidid', 'Head', 0, 0, 0, 0, sine, 0, Math.cos(Math.PI / 6)),
		message('/VMC/Ext/Blend/Val', 'si', 'Surprised', 1), message('/VMC/Ext/Blend/Apply', '')));
	const shown = await until('a body enters', () => [...client.bodies.values()][0]);
	await until('the face is there', () => shown.state === 'live');
	const stop = repeat(t, body, vmcPort(daemon), asymmetric());
	const head = 4 * BONES.indexOf('head');
	/** Degrees between the head and a turn to its left. */
	const off = ({ rotations }, degrees) => angle([...rotations.subarray(head, head + 4)],
		[0, Math.sin(degrees / DEGREES / 2), 0, Math.cos(degrees / DEGREES / 2)]);
	const packets = record(client, 'Ada');

	await until('the body moves the head', () => packets.length > 0 && off(packets.at(-1), 90) < 0.1);
	packets.length = 0;
	await until('a second of packets', () => packets.length > 60);
	const most = Math.max(...packets.map((packet) => off(packet, 90)));
	t.diagnostic(`the head is at most ${most.toFixed(4)} degrees from that of the body tracker`);
	assert.ok(most < 0.1, `the head is ${most} degrees away`);
	const [watched] = watcher.bodies.values();
	await until('the surprise', () => watched.channel('expression/surprised', watched.sample()) > 0.99);
	const { spaces: [{ bodies: [{ source }] }] } = await (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json();
	assert.match(source.detail, /^port \d+, 2 senders$/);
	assert.equal(source.ignored, 0);
	stop();
	await until('the face tracker moves the head', () => off(packets.at(-1), -60) < 0.1);
});

const CHAIN_HZ = 20; // a busy machine runs two daemons

/** Two daemons, of which the first moves a body of the second, and the web packets of both. */
async function chain(t, { near = [], out = '', far = [], into = '' } = {}) {
	const slow = path.join(scratch(t), 'conf');
	writeFileSync(slow, `spaces { hz = ${CHAIN_HZ} }\n`);
	const second = await start('--config', slow, '--source', `vmc:0?name=Bob${into}`, ...far);
	t.after(() => second.stop());
	const first = await start('--config', slow, '--source', 'demo:wave?name=Bob', ...near,
		'--vmc-out', `127.0.0.1:${vmcPort(second)}?body=Bob${out}`);
	t.after(() => first.stop());
	const [packets, others] = [first, second].map((daemon) => record(subscribe(t, daemon), 'Bob'));
	// The poses of the last half second may not have arrived yet.
	return compare({ packets, others, least: 20, hz: CHAIN_HZ, take() {
		const poses = others.length > 2 * CHAIN_HZ ? steady(others, 1e6 / CHAIN_HZ) : [];
		return poses.length > 1.5 * CHAIN_HZ && poses.slice(-CHAIN_HZ * 3 / 2, -CHAIN_HZ / 2).map(({ time, rotations: web }) =>
			({ time, rotation: (_, i) => [...web.subarray(4 * i, 4 * i + 4)] }));
	} });
}

test('a stream passes through two daemons', async (t) => {
	const off = await chain(t);

	t.diagnostic(`at most ${off.toFixed(5)} degrees apart`);
	assert.ok(off < 2 * WIRE_ERROR, `${off} degrees apart`);
});

/** A VRM 1.0 avatar of which every node rests turned, as JSON. */
function makeAvatar() {
	const { bones } = JSON.parse(readFileSync(
		new URL('../../proto/joints.json', import.meta.url)));
	const body = bones.filter(({ section }) => section === 'body');
	const multiply = ([a, b, c, d], [x, y, z, w]) => [d * x + w * a + b * z - c * y,
		d * y + w * b + c * x - a * z, d * z + w * c + a * y - b * x,
		d * w - a * x - b * y - c * z];
	const inverse = ([x, y, z, w]) => [-x, -y, -z, w];
	const rotate = (q, [x, y, z]) =>
		multiply(multiply(q, [x, y, z, 0]), inverse(q)).slice(0, 3);
	const unit = (q) => q.map((x) => x / Math.hypot(...q));
	const turned = body.map((_, i) =>
		unit([Math.sin(3 * i), Math.cos(5 * i), Math.sin(7 * i + 1), Math.cos(2 * i)]));
	const index = (name) => body.findIndex((bone) => bone.name === name);
	const nodes = body.map(({ name, parent, rest }, i) => {
		const above = parent ? inverse(turned[index(parent)]) : [0, 0, 0, 1];
		const from = parent ? body[index(parent)].rest : [0, 0, 0];
		const children = body.flatMap((bone, k) => (bone.parent === name ? [k] : []));
		return { name, translation: rotate(above, rest.map((x, k) => x - from[k])),
			rotation: unit(multiply(above, turned[i])),
			...(children.length ? { children } : {}) };
	});
	return JSON.stringify({ asset: { version: '2.0' }, extensionsUsed: ['VRMC_vrm'],
		scene: 0, scenes: [{ nodes: [0] }], nodes,
		extensions: { VRMC_vrm: { specVersion: '1.0',
			meta: { name: 'turned', authors: ['jointcast'],
				licenseUrl: 'https://vrm.dev/licenses/1.0/' },
			humanoid: { humanBones: Object.fromEntries(
				body.map(({ name }, node) => [name, { node }])) } } } });
}

test('sends original nodes of a VRM 1.0 avatar with its file', async (t) => {
	const folder = scratch(t);
	const avatar = path.join(folder, 'avatar.gltf');
	writeFileSync(avatar, makeAvatar());
	const worn = { near: ['--skeleton', avatar], far: ['--skeleton', avatar] };

	const known = await chain(t, { ...worn, out: '&bones=original', into: `&avatar=${avatar}` });
	t.diagnostic(`at most ${known.toFixed(5)} degrees apart`);
	assert.ok(known < 2 * WIRE_ERROR, `${known} degrees apart`);
	const unknown = await chain(t, { ...worn, out: '&bones=original' });
	assert.ok(unknown > 30, 'its rest does not matter: this shows nothing');
});

test('counts invalid packets, and the body continues', async (t) => {
	const daemon = await start('--source', 'vmc:0');
	const socket = await opens(t, 0);
	const port = vmcPort(daemon);
	const client = subscribe(t, daemon);
	const good = asymmetric();
	const bad = [good.subarray(0, good.length - 7), Buffer.from('hello'), Buffer.alloc(65000, '/'),
		bone('Head', [NaN, 0, 0], 90), Buffer.concat([good, int(2 ** 31 - 1)])];
	for (let i = 0; i < 10000; i++) {
		socket.send(bad[i % bad.length], port, '127.0.0.1');
		if (i % 100 === 0)
			await sleep(1);
	}
	const stop = repeat(t, socket, port, good);
	const body = await until('a body enters', () => [...client.bodies.values()][0]);
	assert.match(body.name, /^VMC:\d+$/);
	await until('the body is live', () => body.state === 'live');
	stop();
	client.close();
	assert.equal(await daemon.stop(), 0);
	const [, refused, invalid] = /(\d+) refused; \d+ messages, 0 ignored, (\d+) invalid/
		.exec(daemon.log);
	assert.ok(refused > 0 && invalid > 0, daemon.log);
	// One line for all of them, and not one each.
	assert.ok(daemon.log.match(/packets refused/g).length <= 3, daemon.log);
});

test('other machines are admitted only with allow=remote', async () => {
	for (const options of [['--source', 'vmc:0.0.0.0:0'], ['--vmc-out', '192.0.2.1:39539']]) {
		const { code, stderr } = await run(...options);
		assert.equal(code, 1);
		assert.match(stderr, /^jointcastd: error: .*'\?allow=remote'\n$/);
	}
	const daemon = await start('--source', 'vmc:0.0.0.0:0?allow=remote');
	assert.match(daemon.log, /warning: vmc 0\.0\.0\.0:\d+: any program that reaches this port can move the body/);
	assert.equal(await daemon.stop(), 0);
});

test('only targets without a body get a warning', async () => {
	const warning = /warning: vmc-out [^\n]*has no body/;
	for (const [body, isWarned] of [['?body=Ada', false], ['', false], ['?body=Eve', true]]) {
		const daemon = await start('--source', 'vmc:0?name=Ada', '--vmc-out', `127.0.0.1:39539${body}`);
		assert.equal(warning.test(daemon.log), isWarned, daemon.log);
		assert.equal(await daemon.stop(), 0);
	}
	const daemon = await start('--vmc-out', '127.0.0.1:39539');
	assert.match(daemon.log, warning);
	assert.equal(await daemon.stop(), 0);
});

test('the body of a silent sender leaves, and enters again with the sender', async (t) => {
	const config = path.join(scratch(t), 'jointcastd.conf');
	writeFileSync(config, 'spaces { leave_after = 2 }\n');
	const daemon = await start('--config', config, '--admin', '127.0.0.1:0', '--source', 'vmc:0?name=Ada');
	t.after(() => daemon.stop());
	const client = subscribe(t, daemon);
	const seen = [];
	client.on('roster', ({ joined, left }) =>
		seen.push(...left.map(({ id }) => `left ${id}`), ...joined.map(({ name, id }) => `${name} ${id}`)));
	const socket = await opens(t, 0);
	const stop = repeat(t, socket, vmcPort(daemon), asymmetric());
	const first = await until('a body enters', () => [...client.bodies.values()][0]);
	stop();
	const says = (list, remedy) => until(`the source is in "${list}" and says "${remedy}"`, async () => {
		const [space] = (await (await fetch(`http://127.0.0.1:${daemon.admin}/status`)).json()).spaces;
		return space[list]?.[0]?.source.detail === `port ${vmcPort(daemon)}${remedy}`;
	});
	await says('bodies', ': nothing arrives: start the sender again');
	await until('the body leaves', () => client.bodies.size === 0);
	await says('waiting', ': nothing arrives: start the sender again');
	assert.equal(first.state, 'stale');
	const stopSpeaking = repeat(t, socket, vmcPort(daemon), message('/VMC/Ext/OK', 'i', 1));
	await says('waiting', ': no body in the packets: send the bones');
	stopSpeaking();
	repeat(t, socket, vmcPort(daemon), asymmetric());
	const second = await until('a body enters again', () => [...client.bodies.values()][0]);
	assert.deepEqual(seen, [`Ada ${first.id}`, `left ${first.id}`, `Ada ${second.id}`]);
	assert.notEqual(second.id, first.id);
});
