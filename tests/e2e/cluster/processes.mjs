// The tests' own means for clusters: processes by name, and a client of NATS.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Cluster } from '../support/cluster.mjs';

test('nats-server delivers to the client of the tests, and answers requests', async (t) => {
	const cluster = await Cluster.start(t);
	const [one, other] = [await cluster.tap(), await cluster.tap()];
	const received = [];
	const end = one.subscribe('jc.*.f.>', ({ subject, bytes }) => received.push([subject, bytes.toString('hex')]));
	one.subscribe('jc.lobby.c', ({ reply, bytes }) => one.publish(reply, Buffer.concat([bytes, Buffer.from('\r\nMSG')])));
	await one.settled();
	other.publish('jc.lobby.f.2-fine', Buffer.from([0, 13, 10, 255]));
	other.publish('jc.lobby.s', 'not subscribed');
	assert.equal((await other.request('jc.lobby.c', 'state')).bytes.toString(), 'state\r\nMSG');
	assert.deepEqual(received, [['jc.lobby.f.2-fine', '000d0aff']]);
	end();
	other.publish('jc.lobby.f.2-fine', 'again');
	await other.settled();
	await one.settled();
	assert.equal(received.length, 1);
	assert.equal((await cluster.figures('varz')).in_msgs, 5);
	[one, other].forEach((client) => client.close());
});

test('a process is killed, frozen and started again on the same port', async (t) => {
	const cluster = await Cluster.start(t);
	await cluster.alone('alone', ['--source', 'demo:walk']);
	const { port } = await cluster.ready('alone');
	const client = await cluster.watch('alone');
	cluster.freeze('alone');
	cluster.thaw('alone');
	await client.settled();
	await cluster.kill('alone');
	await client.closed;
	assert.ok(!cluster.runs('alone'));
	assert.equal((await cluster.restart('alone')).port, port);
	(await cluster.watch('alone')).end();
	const url = cluster.nats;
	await cluster.restart('nats');
	assert.equal(cluster.nats, url);
	assert.equal((await cluster.figures('varz')).max_payload, 1048576);
});
