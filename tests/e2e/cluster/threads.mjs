// The threads of libnats and the loop of an origin and of an edge, with clients: for the thread
// sanitizer, whose reports end a process with another code than 0. Messages go both ways, come in a
// burst, and are lost with NATS; the processes end in order.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from '../support/client.mjs';
import { Cluster } from '../support/cluster.mjs';
import { sleep, until } from '../support/until.mjs';

test('threads of libnats pass messages to loops that serve clients', async (t) => {
	const cluster = await Cluster.start(t);
	const spaces = ['lobby', 'attic', 'cellar'];
	await cluster.origin('stage', spaces.flatMap((space) => ['--source', `demo:walk?name=ada&space=${space}`]));
	await cluster.edge('edge');
	const watchers = await Promise.all(spaces.map((space) => cluster.watch('edge', { space, hello: { codings: [1, 2] } })));
	const moves = () => Promise.all(watchers.map((watcher) => {
		const from = watcher.bundles.length;
		return watcher.until('motion', () => watcher.bundles.length > from + 20);
	}));
	await moves();

	// A person who publishes through the edge: messages of the edge, and requests with answers.
	const bo = await Client.greeted(cluster.processes.get('edge'), {});
	bo.send({ type: 'publish', space: 'lobby', publication: 0, name: 'Bo', kind: 'poses' });
	await bo.find('published');
	const motion = setInterval(() => bo.isClosed || bo.capture(0), 20);
	t.after(() => clearInterval(motion));
	const here = (client) => client.all('roster').some(({ bodies = [], joined = [] }) => [...bodies, ...joined].some(({ name }) => name === 'Bo'));
	await watchers[0].until('the body', () => here(watchers[0]));

	// What comes while a process stands still arrives at once, on the other thread.
	for (const name of ['edge', 'stage']) {
		cluster.freeze(name);
		await sleep(700); // so that messages wait
		cluster.thaw(name);
		await moves();
	}
	await cluster.kill('nats');
	await cluster.restart('nats');
	await moves();
	await until('both have connected again', async () => (await Promise.all(['stage', 'edge'].map((name) => cluster.status(name))))
		.every((status) => status.cluster.nats.reconnects > 0));
	// The session of the person outlasted NATS, or the edge has published the body again.
	for (let i = 0; i < 14 && bo.all('amended').length === 0; i++) {
		bo.send({ type: 'amend', publication: 0, display: 'Bo' });
		await sleep(1000); // fewer errors than close a connection, if the origin does not know the body yet
	}
	assert.notEqual(bo.all('amended').length, 0);

	[...watchers, bo].forEach((client) => client.end());
	for (const name of ['edge', 'stage']) {
		await cluster.stop(name);
		assert.doesNotMatch(cluster.processes.get(name).log, /ThreadSanitizer/);
	}
});
