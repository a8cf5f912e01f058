// Bodies that stand still: poses with the hips at rest and nothing else (proto/PUBLISHING.md, "Captures").

import { Client } from './client.mjs';

/** Publishes the bodies to the lobby until end() of the result is called. */
export async function publish(url, ...bodies) {
	const client = await Client.greeted({ url }, {}, ...bodies.map((body, publication) => (
		{ type: 'publish', space: 'lobby', publication, kind: 'poses', ...body })));
	await client.until('the publications', () => client.all('published').length === bodies.length);
	const timer = setInterval(() => bodies.forEach((_, publication) => {
		const capture = Buffer.alloc(18);
		capture[0] = 0x41;
		capture.writeUIntLE(client.now(), 2, 6);
		capture[8] = 1;
		client.ws.send(Buffer.concat([Buffer.from([0x21, publication]), capture]));
	}), 10);
	return { ws: client.ws, end() {
		clearInterval(timer);
		client.ws.close();
	} };
}
