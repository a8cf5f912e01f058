// Watches a space with clients/js and prints each packet's pose as a line of JSON.
//
// usage: watch.mjs [--wander] [--quiet] URL
//
// --wander publishes a body and moves it and the viewpoint along a circle, 30 times a second;
// --quiet prints no poses.

import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { BONES, Figure, connect } from '../../../clients/js/index.js';

const WebSocket = createRequire(new URL('../../e2e/', import.meta.url))('ws');

/** The positions of the joints in the space, by name. */
function bonesOf(skeleton, { rotations, hips, position, yaw }) {
	const figure = new Figure(skeleton).pose({ rotations, hips });
	const [x, y, z, w] = skeleton.facing;
	return Object.fromEntries(BONES.map((name, i) => [name, skeleton.bones[i]]).filter(([, node]) => node >= 0).map(([name, node]) => {
		const model = figure.position(node, [0, 0, 0]);
		const canonical = turned([-x, -y, -z, w], model);
		const placed = turned([0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)], canonical);
		return [name, { position: placed.map((v, c) => v + position[c]) }];
	}));
}

function turned([x, y, z, w], [a, b, c]) {
	const [i, j, k] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
	return [a + w * i + y * k - z * j, b + w * j + z * i - x * k, c + w * k + x * j - y * i];
}

const { values, positionals: [url] } = parseArgs({ allowPositionals: true,
	options: { wander: { type: 'boolean' }, quiet: { type: 'boolean' } } });
const client = connect(url, { WebSocket });
client.on('error', (error) => console.error(`${error.code}: ${error.message}`));
client.on('bundle', (bundle) => {
	for (let i = 0; i < bundle.count && !values.quiet; i++) {
		const body = client.bodies.get(bundle.body[i]);
		const sample = body?.skeleton && body.timeline.at(body.timeline.newest);
		if (sample && body.tick === bundle.tick)
			console.log(JSON.stringify({ time: body.timeline.newest, body: body.id, name: body.name, bones: bonesOf(body.skeleton, sample) }));
	}
});

if (values.wander) {
	const publication = client.publish({ name: 'wanderer', kind: 'poses' });
	let angle = 0;
	setInterval(() => {
		angle += 1 / 30;
		const [x, z] = [2 * Math.cos(angle), 2 * Math.sin(angle)];
		client.setViewpoints([{ position: [x, 1.6, z], yaw: angle }]);
		publication.place({ position: [x, 0, z], yaw: angle });
	}, 1000 / 30);
}
