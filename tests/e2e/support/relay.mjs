// Forwards messages between a client and its daemon, with a delay if wanted, and can request a
// complete roster in the client's name, which the client then does not expect.
import { once } from 'node:events';
import WebSocket, { WebSocketServer } from 'ws';

/** A function that runs what it receives after delay() milliseconds each, in the same order. */
function line(delay) {
	const waiting = [];
	let last = 0;
	return (run) => {
		last = Math.max(last, performance.now() + delay());
		waiting.push(run);
		setTimeout(() => waiting.shift()(), last - performance.now());
	};
}

/**
 * Resolves with its url, join(), and the messages of the client and of the daemon so far by type:
 * said(type), heard(type). `bundles` counts those of the daemon, `closes` has the codes with which
 * it closed. `delay`: returns the milliseconds by which one message is late, in both directions.
 */
export async function relay(t, url, { space = 'lobby', delay = () => 0 } = {}) {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
	t.after(() => {
		server.clients.forEach((client) => client.terminate());
		server.close();
	});
	const said = [];
	const heard = [];
	const counts = { bundles: 0, closes: [] };
	let daemon;
	server.on('connection', (client) => {
		const early = [];
		const down = line(delay);
		const up = line(delay);
		daemon = new WebSocket(url, 'jointcast.v1');
		daemon.on('open', () => early.splice(0).forEach(([data, binary]) => daemon.send(data, { binary })));
		daemon.on('message', (data, isBinary) => {
			if (isBinary)
				counts.bundles++;
			else
				heard.push(JSON.parse(data));
			down(() => client.send(data, { binary: isBinary }));
		});
		daemon.on('error', () => client.terminate()); // the daemon has ended
		daemon.on('close', (code) => {
			counts.closes.push(code);
			client.close();
		});
		client.on('close', () => daemon.close());
		client.on('message', (data, binary) => {
			if (!binary)
				said.push(JSON.parse(data));
			up(() => {
				if (daemon.readyState === WebSocket.OPEN)
					daemon.send(data, { binary });
				else
					early.push([data, binary]);
			});
		});
	});
	await once(server, 'listening');
	const find = (list, type) => list.filter((message) => message.type === type);
	return {
		get bundles() {
			return counts.bundles;
		},
		closes: counts.closes,
		url: `ws://127.0.0.1:${server.address().port}/`,
		said: (type) => find(said, type),
		heard: (type) => find(heard, type),
		join: () => daemon.send(JSON.stringify({ type: 'join', space })),
	};
}
