// Publishes with clients/js a body whose head is turned 30 degrees to its left and whose left arm is
// lowered by 60 degrees. The body leaves when the standard input ends.
//
// usage: publish.mjs URL

import { createRequire } from 'node:module';
import { BONES, PoseFrame, TRACKED, connect } from '../../../clients/js/index.js';

const WebSocket = createRequire(new URL('../../e2e/', import.meta.url))('ws');
const LEAVING_MS = 1000; // until the server has the message

const client = connect(process.argv[2], { WebSocket });
client.on('error', (error) => console.error(`${error.code}: ${error.message}`));
const publication = client.publish({ name: 'Ada', kind: 'poses' });
const frame = new PoseFrame();
const turn = (bone, x, y, z, degrees) => {
	const half = degrees * Math.PI / 360;
	const at = BONES.indexOf(bone);
	frame.states[at] = TRACKED;
	frame.rotations.set([x * Math.sin(half), y * Math.sin(half), z * Math.sin(half), Math.cos(half)], 4 * at);
};
turn('hips', 0, 0, 0, 0);
turn('head', 0, 1, 0, 30);
turn('leftUpperArm', 0, 0, 1, -60);

setInterval(() => {
	if (!client.clock.synchronized || publication.buffered > 0)
		return;
	frame.time = client.clock.at(performance.now());
	publication.send(frame);
}, 1000 / 60);
process.stdin.resume().on('end', () => {
	publication.close();
	setTimeout(() => process.exit(), LEAVING_MS);
});
