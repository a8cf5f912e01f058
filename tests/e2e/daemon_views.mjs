// Private views through npm's ws: bodies, skeletons and levels of detail received, and the
// messages about them.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { Bundle, decodeBundle } from '../../clients/js/index.js';
import { Client } from './support/client.mjs';
import { start } from './support/daemon.mjs';
import { checkMessage } from './support/schema.mjs';

const crowd = Array.from({ length: 6 }, (_, i) => ['--source', `demo:walk?space=crowd&name=walker${i}`]);
const daemon = await start('--source', 'demo:walk', '--source', 'demo:wave', '--source', 'demo:sit',
	...crowd.flat());
after(async () => assert.equal(await daemon.stop(), 0));

/** A client that keeps bundles among its messages: {type: 'bundle', ids, keys, bytes, tick}. */
class Viewer extends Client {
	#bundle = new Bundle();

	static async enter(...messages) {
		const viewer = await Viewer.connect(daemon, { codings: [2, 1] }, { type: 'join', space: 'lobby' }, ...messages);
		await viewer.find('roster');
		return viewer;
	}

	onBinary(data) {
		const { count, body, needsState, tick } = decodeBundle(data, this.#bundle);
		const packets = Array.from({ length: count }, (_, i) => i);
		this.messages.push({ type: 'bundle', tick, bytes: data.length, ids: packets.map((i) => body[i]),
			keys: packets.filter((i) => !needsState[i]).map((i) => body[i]) });
	}

	send(...messages) {
		messages.filter(({ type }) => ['subscribe', 'viewpoint', 'ignore', 'stage'].includes(type)).forEach(checkMessage);
		super.send(...messages);
	}

	/** The first message of the type, from that index. */
	find(type, from = 0) {
		return this.until(type, () => this.all(type, from)[0]);
	}

	/** So many bundles after now; returns them. */
	async nextBundles(count) {
		const from = this.messages.length;
		await this.until(`${count} bundles`, () => this.all('bundle', from).length >= count);
		return this.all('bundle', from);
	}
}

const subscribe = (more) => ({ type: 'subscribe', space: 'lobby', ...more });
const union = (bundles) => [...new Set(bundles.flatMap(({ ids }) => ids))].sort();

test('a late subscriber gets roster, skeletons and keyframes of all bodies at once', async () => {
	for (const view of [{}, { ignore: [77] }, { viewpoints: [{ position: [0, 0, 3] }] }, { skeleton: 'humanoid' }]) {
		const client = await Viewer.enter(subscribe(view));
		const first = await client.find('bundle');
		const types = client.messages.slice(0, client.messages.indexOf(first)).map(({ type }) => type);
		// The client repeated no request and received no unneeded message.
		assert.deepEqual(types.filter((type) => type !== 'worn'), ['welcome', 'roster', 'skeleton']);
		assert.deepEqual(first.keys.sort(), [1, 2, 3], JSON.stringify(view));
		client.end();
	}
});

test('motion begins with the tick after the request', async () => {
	const eye = await Viewer.enter(subscribe({}));
	await eye.find('bundle');
	// Requested between two bundles of another client: at most one tick is missing.
	for (const view of [{}, { bodies: [1] }]) {
		const client = await Viewer.enter();
		const { tick } = (await eye.nextBundles(1))[0];
		client.send(subscribe(view));
		const first = await client.find('bundle');
		assert.ok(first.tick - tick <= 6, `${first.tick} after ${tick}`); // a busy machine
		client.end();
	}
	eye.end();
});

test('only named bodies are sent, and the others are reported as left out', async () => {
	const client = await Viewer.enter(subscribe({ bodies: [1, 3, 99] }));
	const worn = await client.find('worn');
	assert.deepEqual(worn.bodies, [{ id: 2, skeleton: null }]);
	assert.deepEqual(union(await client.nextBundles(10)), [1, 3]);
	const from = client.messages.length;
	client.send(subscribe({ ignore: [1] }));
	const { bodies } = await client.find('worn', from);
	const { skeleton } = client.all('roster')[0].bodies[1];
	assert.deepEqual(bodies.sort((a, b) => a.id - b.id), [{ id: 1, skeleton: null }, { id: 2, skeleton }]);
	const later = client.messages.indexOf(client.all('worn', from)[0]);
	await client.nextBundles(10);
	assert.deepEqual(union(client.all('bundle', later)), [2, 3]);
	client.send(subscribe());
	await client.until('the first again', () => client.all('worn', later + 1)
		.some((message) => message.bodies.some((body) => body.id === 1 && body.skeleton === skeleton)));
	await client.nextBundles(5);
	assert.deepEqual(union(await client.nextBundles(10)), [1, 2, 3]);
	assert.equal(client.all('error').length, 0);
	client.end();
});

test('with viewpoints, distant bodies are sent less often, and a new viewpoint acts at once', async () => {
	const client = await Viewer.enter(subscribe({ viewpoints: [{ position: [0, 1.6, 500], yaw: Math.PI }] }));
	await client.nextBundles(5);
	const far = await client.nextBundles(10);
	assert.ok(far.every(({ tick }) => tick % 4 === 0));
	client.send({ type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [0, 1.6, 1] }] });
	await client.nextBundles(10);
	const near = await client.nextBundles(20);
	assert.ok(near.some(({ tick }) => tick % 2 === 1));
	const aTick = (bundles) => bundles.slice(1).reduce((sum, { bytes }) => sum + bytes, 0) /
		(bundles.at(-1).tick - bundles[0].tick);
	assert.ok(aTick(near) > 2 * aTick(far), `${aTick(near)} bytes a tick, ${aTick(far)} from afar`);
	// More often than thirty times a second is no error.
	for (let i = 0; i < 45; i++)
		client.send({ type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [i, 1.6, 1] }] });
	client.send({ type: 'viewpoint', space: 'lobby', viewpoints: [] });
	await client.nextBundles(5);
	assert.equal(client.all('error').length, 0);
	client.ws.send('{"type":"viewpoint","space":"lobby"}');
	assert.equal((await client.find('error')).code, 'bad-field');
	client.end();
});

/** Waits for 30 bundles in which one body, sent every other tick, stands out over one of every fourth. A busy machine skips ticks. */
async function oftener(client, one, other) {
	let counts;
	for (let tries = 0; tries < 10; tries++) {
		const ids = (await client.nextBundles(30)).flatMap((bundle) => bundle.ids);
		counts = [one, other].map((id) => ids.filter((each) => each === id).length);
		if (counts[0] > 1.5 * counts[1])
			return;
	}
	assert.fail(`${counts.join(' and ')} packets of ${one} and ${other}`);
}

test('bodies with priority are sent more often than others as far away', async () => {
	const client = await Viewer.enter(subscribe({ viewpoints: [{ position: [0, 1.6, 40] }], priority: [2, 99] }));
	await oftener(client, 2, 1);
	client.send({ type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [0, 1.6, 40] }], priority: [1] });
	await oftener(client, 1, 2);
	client.end();
});

test('the roster marks bodies on stage, and distant viewers get them more often', async () => {
	const client = await Viewer.enter(subscribe({ viewpoints: [{ position: [0, 1.6, 40] }] }));
	const told = (stage) => client.until('the roster', () => client.all('roster').some(({ changed }) =>
		changed?.some((body) => body.id === 3 && (body.stage ?? false) === stage)));
	client.send({ type: 'stage', space: 'lobby', body: 3 });
	await told(true);
	await oftener(client, 3, 1);
	const late = await Viewer.enter();
	assert.deepEqual(late.all('roster')[0].bodies.map(({ stage }) => stage ?? false), [false, false, true]);
	late.end();
	client.send({ type: 'stage', space: 'lobby', body: 3, stage: false });
	await told(false);
	for (const [fields, code] of [[{ body: 99 }, 'unknown-body'], [{ body: 3, stage: 1 }, 'bad-field']]) {
		const before = client.messages.length;
		client.ws.send(JSON.stringify({ type: 'stage', space: 'lobby', ...fields }));
		assert.equal((await client.find('error', before)).code, code);
	}
	client.end();
});

test('a budget that is too small leaves bodies out and reports it', async () => {
	// Far less than six walkers take at their coarsest, more than one does.
	const client = await Viewer.enter({ type: 'join', space: 'crowd' },
		subscribe({ space: 'crowd', budget: 700 }));
	await client.until('somebody to be left out', () => client.all('worn').length > 0);
	assert.ok(client.all('worn')[0].bodies.every(({ skeleton }) => skeleton === null));
	// Counted by ticks, of which there are sixty a second; the first of them have rejoin packets.
	const ticks = (from) => client.all('bundle', from).map(({ tick }) => tick);
	await client.until('what it began with', () => ticks(0).at(-1) - ticks(0)[0] > 90);
	const from = client.messages.length;
	await client.until('two seconds', () => ticks(from).at(-1) - ticks(from)[0] > 120);
	const seconds = (ticks(from).at(-1) - ticks(from)[0]) / 60;
	const bytes = client.all('bundle', from).slice(1).reduce((sum, bundle) => sum + bundle.bytes, 0);
	assert.ok(bytes > 0 && bytes / seconds <= 700, `${bytes / seconds} bytes a second`);
	client.end();
});

test('an ignored publisher does not receive the bodies of the ignoring one either', async () => {
	const people = await Promise.all([1, 2, 3].map(() => Viewer.enter(subscribe())));
	const ids = [];
	for (const [i, person] of people.entries()) {
		person.send({ type: 'publish', space: 'lobby', publication: 0, name: `person ${i}`, kind: 'poses' });
		ids.push((await person.find('published')).body);
		person.capture(0);
	}
	const [a, b, c] = people;
	// Only members of a space can ignore bodies there.
	const outside = await Viewer.enter();
	outside.send({ type: 'ignore', space: 'crowd', body: 1 });
	assert.equal((await outside.find('error')).code, 'not-joined');
	outside.end();
	const sees = async (client, id) => union(await client.nextBundles(40)).includes(id); // alive twice a second
	assert.ok(await sees(a, ids[1]));
	a.send({ type: 'ignore', space: 'lobby', body: ids[1] });
	const hidden = (client, id) => client.until('worn', () => client.all('worn').some(
		({ bodies }) => bodies.some((body) => body.id === id && body.skeleton === null)));
	await hidden(a, ids[1]);
	await hidden(b, ids[0]);
	const [ofA, ofB, ofC] = await Promise.all([a, b, c].map((client) => client.nextBundles(40)));
	assert.ok(!union(ofA).includes(ids[1]) && union(ofA).includes(ids[2]));
	assert.ok(!union(ofB).includes(ids[0]) && union(ofB).includes(ids[2]));
	assert.deepEqual(ids.filter((id) => union(ofC).includes(id)), ids);
	// It ends with the connection of the requester.
	b.send({ type: 'publish', space: 'lobby', publication: 1, name: 'another', kind: 'poses' });
	const other = await b.until('another', () => b.all('published')[1]?.body);
	await hidden(a, other);
	const from = b.messages.length;
	a.end();
	await b.until('the end of it', () => b.all('roster', from).some(({ left }) => left?.includes(ids[0])));
	b.send({ type: 'ignore', space: 'lobby', body: ids[2] });
	await hidden(b, ids[2]);
	await hidden(c, other);
	b.send({ type: 'ignore', space: 'lobby', body: ids[2], ignore: false });
	await c.until('the end of that', () => c.all('worn').at(-1).bodies.every(({ skeleton }) => skeleton !== null));
	for (const [id, code] of [[1, 'unsupported'], [999, 'unknown-body'], ['x', 'bad-field']]) {
		const before = c.messages.length;
		c.ws.send(JSON.stringify({ type: 'ignore', space: 'lobby', body: id }));
		assert.equal((await c.find('error', before)).code, code);
	}
	b.end();
	c.end();
});

test('refuses each invalid subscription option', async () => {
	const client = await Viewer.enter();
	const wrong = [{ bodies: 3 }, { bodies: [-1] }, { bodies: Array(65).fill(1) }, { ignore: ['a'] },
		{ skeleton: 7 }, { skeleton: '' }, { budget: 0 }, { budget: 1.5 }, { priority: [-1] }, { priority: 3 },
		{ viewpoints: [{}] }, { viewpoints: [{ position: [0, 0, 1e9] }] },
		{ viewpoints: [{ position: [0, 0, 0], direction: [0, 0, 0] }] },
		{ viewpoints: [{ position: [0, 0, 0], fov: 0 }] }, { viewpoints: Array(5).fill({ position: [0, 0, 0] }) }];
	for (const [i, wish] of wrong.entries()) {
		client.ws.send(JSON.stringify(subscribe(wish)));
		await client.until(`error ${i}`, () => client.all('error').length === i + 1);
		assert.equal(client.all('error')[i].code, 'bad-field', JSON.stringify(wish));
	}
	client.send(subscribe({ skeleton: 'f'.repeat(64) }));
	await client.find('error', ({ code }) => code === 'unknown-skeleton');
	assert.equal(client.all('bundle').length, 0);
	client.send(subscribe({ unheardOf: true })); // unknown fields are ignored
	await client.find('bundle');
	client.end();
});
