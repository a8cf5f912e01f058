// Bodies that are there and stand still: poses with the hips where they are at rest and
// nothing else (PROTOCOL.md, section 12).
import WebSocket from 'ws';

/** Publishes those bodies to the lobby until `end` of what it resolves to is called. */
export async function publish(url, ...bodies) {
	const ws = new WebSocket(url, 'jointcast.v1');
	let published = 0;
	let offset = 0;
	const ready = new Promise((resolve) => ws.on('message', (data, binary) => {
		const message = binary ? {} : JSON.parse(data);
		if (message.type === 'welcome')
			offset = message.time - performance.now() * 1000;
		published += message.type === 'published';
		if (published === bodies.length)
			resolve();
	}));
	await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
	ws.send(JSON.stringify({ type: 'hello' }));
	bodies.forEach((body, publication) => ws.send(JSON.stringify(
		{ type: 'publish', space: 'lobby', publication, kind: 'poses', ...body })));
	await ready;
	const timer = setInterval(() => bodies.forEach((_, publication) => {
		const capture = Buffer.alloc(18);
		capture[0] = 0x41;
		capture.writeUIntLE(Math.floor(performance.now() * 1000 + offset), 2, 6);
		capture[8] = 1;
		ws.send(Buffer.concat([Buffer.from([0x21, publication]), capture]));
	}), 10);
	return { ws, end() {
		clearInterval(timer);
		ws.close();
	} };
}
