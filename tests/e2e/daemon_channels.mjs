// Motion beside bones, from end to end: blend shapes of a VMC program and virtual transforms
// of a skeleton reach the client library, and expressions of a body are sent to VMC.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import WebSocket from 'ws';
import { Figure, PRECISION_VALUES, connect } from '../../clients/js/index.js';
import { rotate } from '../../clients/js/quat.js';
import { scratch, start } from './support/daemon.mjs';
import { until } from './support/until.mjs';

/* OSC 1.0, as much as is needed */

const text = (value) => Buffer.from(value + '\0'.repeat(4 - (Buffer.byteLength(value) % 4)));

function number(kind, value) {
	const bytes = Buffer.alloc(4);
	kind === 'i' ? bytes.writeInt32BE(value) : bytes.writeFloatBE(value);
	return bytes;
}

const message = (address, tags = '', ...values) => Buffer.concat([text(address), text(`,${tags}`),
	...values.map((value, i) => (tags[i] === 's' ? text(value) : number(tags[i], value)))]);

function subscribe(t, daemon, options) {
	const client = connect(daemon.url, { WebSocket, ...options });
	t.after(() => client.close());
	client.on('error', (error) => assert.fail(error));
	return client;
}

function opens(t, ...address) {
	const socket = createSocket('udp4');
	t.after(() => socket.close());
	return new Promise((resolve) => socket.bind(...address, () => resolve(socket)));
}

test('blend shapes of a VMC program reach web clients and another VMC program', async (t) => {
	const heard = new Map();
	const listener = await opens(t, 0, '127.0.0.1');
	listener.on('message', (packet) => {
		// A message has its length before it and its value behind the name.
		for (let at = packet.indexOf('/VMC/Ext/Blend/Val'); at >= 0; at = packet.indexOf('/VMC/Ext/Blend/Val', at + 1)) {
			const name = packet.toString('utf8', at + 24, packet.indexOf(0, at + 24));
			heard.set(name, packet.readFloatBE(at + 24 + 4 * Math.floor(name.length / 4 + 1)));
		}
	});
	const daemon = await start('--source', 'vmc:0?name=Ada', '--vmc-out', `127.0.0.1:${listener.address().port}?hz=30`);
	t.after(() => daemon.stop());
	const client = subscribe(t, daemon, { precision: 'fine' });
	const mute = subscribe(t, daemon, { sections: ['body', 'hips'] });
	const socket = await opens(t, 0);
	const port = Number(/vmc 127\.0\.0\.1:(\d+): waiting for a body/.exec(daemon.log)[1]);
	let shapes = { Joy: 0.25 };
	const timer = setInterval(() => {
		for (const packet of [message('/VMC/Ext/OK', 'i', 1),
			message('/VMC/Ext/Bone/Pos', 'sfffffff', 'Hips', 0, 0, 0, 0, 0, 0, 1),
			message('/VMC/Ext/Bone/Pos', 'sfffffff', 'Head', 0, 0, 0, 0, 0, 0, 1),
			...Object.entries(shapes).map(([name, value]) => message('/VMC/Ext/Blend/Val', 'sf', name, value)),
			message('/VMC/Ext/Blend/Apply')])
			socket.send(packet, port, '127.0.0.1');
	}, 16);
	t.after(() => clearInterval(timer));

	const body = await until('a body enters', () => [...client.bodies.values()][0]);
	const value = (name) => {
		const sample = body.sample();
		return sample && body.channel(name, sample);
	};
	const near = (a, b) => Math.abs(a - b) <= PRECISION_VALUES[0] + 1e-6;
	await until('a smile', () => body.channels.length === 1 && near(value('expression/happy'), 0.25));
	assert.equal(value('expression/aa'), undefined);
	shapes = { Joy: 0.5, A: 1, tongueOut: 0.125 };
	await until('an open mouth', () => body.channels.length === 3 && near(value('expression/happy'), 0.5)
		&& near(value('expression/aa'), 1) && near(value('expression/tongueOut'), 0.125));
	await until('the other program hears it', () => near(heard.get('Joy'), 0.5) && near(heard.get('A'), 1)
		&& near(heard.get('tongueOut'), 0.125));
	const [silent] = mute.bodies.values();
	await until('a packet', () => silent.sample());
	assert.equal(silent.channel('expression/happy', silent.sample()), 0, 'it did not ask for channels');
});

/** T with scale, from its parts, of a point that rides on a node. */
function ride(figure, node, { translation, rotation }) {
	const m = figure.worlds.subarray(16 * node, 16 * node + 16);
	const at = [0, 1, 2].map((i) => m[i] * translation[0] + m[4 + i] * translation[1] + m[8 + i] * translation[2] + m[12 + i]);
	// Two axes determine the third.
	const axes = [[1, 0, 0], [0, 1, 0]].map((axis) => {
		const v = rotate(rotation, 0, axis, 0, [0, 0, 0], 0);
		return [0, 1, 2].map((i) => m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2]);
	});
	return { at, axes };
}

test('subscribers that ask for virtual transforms receive those of the skeleton', async (t) => {
	const folder = scratch(t);
	const plain = await start('--source', 'demo:walk');
	const known = connect(plain.url, { WebSocket });
	const { descriptor } = await until('the built-in skeleton', () => [...known.skeletons.values()][0]);
	known.close();
	await plain.stop();
	const half = Math.SQRT1_2;
	const virtualTransforms = [
		{ name: 'grip', parent: descriptor.bones.rightHand, translation: [0.05, 0.02, -0.01], rotation: [0, half, 0, half] },
		{ name: 'hat', parent: descriptor.bones.head, translation: [0, 0.2, 0], rotation: [0.6, 0, 0, 0.8] },
	];
	const file = path.join(folder, 'riding.json');
	writeFileSync(file, JSON.stringify({ ...descriptor, virtualTransforms }));

	const daemon = await start('--source', 'demo:wave', '--skeleton', file);
	t.after(() => daemon.stop());
	const asking = subscribe(t, daemon, { precision: 'fine', sections: ['body', 'hands', 'face', 'hips', 'virtual'] });
	const other = subscribe(t, daemon, { precision: 'fine' });
	let compared = 0;
	asking.on('bundle', ({ count }) => {
		const [body] = asking.bodies.values();
		if (count === 0 || !body?.stream.isFollowing)
			return;
		const sample = body.timeline.at(body.timeline.newest);
		const figure = new Figure(body.skeleton).pose(sample);
		assert.equal(sample.virtualCount, 2);
		virtualTransforms.forEach((transform, i) => {
			const { at, axes } = ride(figure, transform.parent, transform);
			const position = sample.virtualPositions.subarray(3 * i, 3 * i + 3);
			const rotation = sample.virtualRotations.subarray(4 * i, 4 * i + 4);
			// Bones are up to 0.06 degrees off each, which adds up along the arm.
			assert.ok(Math.hypot(...at.map((v, c) => v - position[c])) < 0.004, 'position');
			axes.forEach((axis, k) => {
				const turned = rotate(rotation, 0, [[1, 0, 0], [0, 1, 0]][k], 0, [0, 0, 0], 0);
				assert.ok(Math.hypot(...axis.map((v, c) => v - turned[c])) < 0.01, 'rotation');
			});
		});
		compared++;
	});
	await until('sixty packets', () => compared > 60);
	const [body] = other.bodies.values();
	await until('a packet', () => body.sample());
	assert.equal(body.sample().virtualCount, 0, 'it did not ask');
});
