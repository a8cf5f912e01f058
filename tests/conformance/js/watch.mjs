// Watches a space with clients/js and prints each packet's pose as a line of JSON.
//
// usage: watch.mjs URL

import { createRequire } from 'node:module';
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

const client = connect(process.argv[2], { WebSocket });
client.on('error', (error) => console.error(`${error.code}: ${error.message}`));
client.on('bundle', (bundle) => {
	for (let i = 0; i < bundle.count; i++) {
		const body = client.bodies.get(bundle.body[i]);
		const sample = body?.skeleton && body.timeline.at(body.timeline.newest);
		if (sample && body.tick === bundle.tick)
			console.log(JSON.stringify({ time: body.timeline.newest, body: body.id, name: body.name, bones: bonesOf(body.skeleton, sample) }));
	}
});
