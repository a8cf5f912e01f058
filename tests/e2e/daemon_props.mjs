// Props of spaces: a chair whose seat a person takes. Expected places are worked out by hand.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import WebSocket from 'ws';
import { connect } from '../../clients/js/index.js';
import { Client } from './support/client.mjs';
import { run, start } from './support/daemon.mjs';
import { until } from './support/until.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'jointcast-props-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name, content) => {
	writeFileSync(path.join(folder, name), content);
	return path.join(folder, name);
};

/* A chair turned by a quarter about Y: its +X leads along -Z, its +Z along +X. The seat is 0.45 up
 * and 0.1 along its +X, on a cushion that is twice as wide. */
const turn = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
const makeChair = (virtualTransforms) => JSON.stringify({ asset: { version: '2.0' },
	nodes: [{ name: 'chair', rotation: turn, children: [1, 2] },
		{ name: 'cushion', translation: [0.1, 0.45, 0], scale: [2, 1, 1] }, { name: 'lamp' }],
	extensionsUsed: ['KHR_virtual_transform'], extensions: { KHR_virtual_transform: { virtualTransforms } } });
const SIT = { name: 'sit', parent: 1, translation: [0.05, 0, 0.1], tags: ['seating'] };
const HANDLE = { name: 'handle', parent: 1, translation: [0, 0.5, 0], respectParentScale: false };
const chair = file('chair.gltf', makeChair([SIT, HANDLE]));
const stool = file('stool.gltf', makeChair([{ ...SIT, name: undefined }]));

const configure = (sections) => file('conf', sections);
const one = `prop "chair" { file = "${chair}" place = "1 0 2 90" }\n`;
const daemon = await start('--config', configure(`${one} prop "stool \u00e9" { file = "${stool}" space = "attic" place = "0 1.5 0" }\n`));
after(async () => assert.equal(await daemon.stop(), 0));

const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-5, `${a}, not ${b}`));

async function open(t, space) {
	const client = connect(daemon.url, { WebSocket, space });
	t.after(() => client.close());
	client.on('error', (error) => assert.fail(error));
	await until('the props', () => client.props.size > 0);
	return client;
}

test('a client evaluates the seats and handles of a chair in its space', async (t) => {
	const { props } = await open(t, 'lobby');
	assert.deepEqual([...props.keys()], ['chair']);
	const prop = props.get('chair');
	assert.equal(prop.placement.yaw.toFixed(4), '1.5708');
	assert.deepEqual(prop.skeleton.nodeNames, ['chair', 'cushion']);
	// In the file the seat is at (0.1, 0.45, -0.2): 2 x 0.05 + 0.1 along -Z, 0.1 along +X. The
	// placement turns that by another quarter: -Z to -X, +X to -Z; the chair then faces -Z.
	const seat = prop.virtualTransform(0);
	near(seat.translation, [1 - 0.2, 0.45, 2 - 0.1]);
	near(seat.rotation.map(Math.abs), [0, 1, 0, 0]);
	near(seat.scale, [2, 1, 1]);
	const handle = prop.virtualTransform(1);
	near(handle.translation, [1 - 0.1, 0.95, 2]);
	near(handle.scale, [1, 1, 1]);
	// A person faces -Z, so that the placement is 0.42 m further along -Z.
	const place = prop.seat(0);
	near(place.position, [0.8, 0, 1.9 - 0.42]);
	assert.ok(Math.abs(Math.abs(place.yaw) - Math.PI) < 1e-5 && Math.abs(place.seat.height - 0.45) < 1e-5);
});

test('a person sits down on the chair, and all see it', async (t) => {
	const client = await open(t, 'lobby');
	const publication = client.publish({ name: 'Ada', kind: 'poses' });
	await until('the body', () => publication.body && [...client.bodies.values()].some(({ name }) => name === 'Ada'));
	publication.place({ ...client.props.get('chair').seat(0), teleport: true });
	const other = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' });
	const isSeated = ({ bodies, changed }) => (bodies ?? changed ?? []).some(({ name, seat, placement }) => name === 'Ada' &&
		Math.abs((seat?.height ?? 0) - 0.45) < 1e-5 && Math.abs(placement.position[2] - 1.48) < 1e-5);
	await other.find('roster', isSeated);
	other.end();
});

test('a space on another floor has its own props', async (t) => {
	const { props } = await open(t, 'attic');
	const prop = props.get('stool \u00e9');
	near(prop.virtualTransform(0).translation, [0.1, 1.5 + 0.45, -0.2]);
	near([prop.seat(0).seat.height, prop.seat(0).position[1]], [0.45, 1.5]);
	assert.match(daemon.log, /prop 'stool \u00e9': 1 of 1 virtual transforms have no name/);
});

async function reload(sections, wanted = /configuration was read again/) {
	const before = daemon.log.length;
	configure(sections);
	daemon.child.kill('SIGHUP');
	await until(`${wanted}`, () => wanted.test(daemon.log.slice(before)));
}

test('a reload moves, adds and removes props, and reads changed files', async () => {
	const line = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' });
	const next = () => line.next('props');
	assert.deepEqual((await next()).props.map(({ placement }) => placement.position), [[1, 0, 2]]);
	await reload(`prop "chair" { file = "${chair}" place = "5 0 2" }\nprop "stool" { file = "${stool}" }\n`);
	assert.deepEqual((await next()).props.map(({ name, placement }) => [name, placement.position[0]]), [['chair', 5], ['stool', 0]]);
	file('stool.gltf', makeChair([HANDLE]));
	await reload(`prop "chair" { file = "${chair}" place = "5 0 2" }\nprop "stool" { file = "${stool}" }\n`);
	assert.equal((await next()).props[1].descriptor.virtualTransforms[0].name, 'handle');
	// The same configuration sends nothing.
	await reload(`prop "chair" { file = "${chair}" place = "5 0 2" }\nprop "stool" { file = "${stool}" }\n`);
	// A file without virtual transforms changes nothing.
	file('stool.gltf', makeChair([]));
	await reload(one + `prop "stool" { file = "${stool}" }\n`, /stays as it was: [^\n]*stool\.gltf[^\n]*virtual transform/);
	await reload('');
	assert.deepEqual((await next()).props, []);
	// A client that joins later receives the empty list, and one where there were never props none.
	const late = await Client.greeted(daemon, {}, { type: 'join', space: 'lobby' });
	assert.deepEqual((await late.find('props')).props, []);
	late.end();
	await reload(one);
	assert.equal((await next()).props.length, 1);
	line.end();
});

test('wrong props are refused with their line', async () => {
	const check = async (section) => run('--check-config', '--config', configure(section));
	for (const [section, message] of [
		[`prop "chair" {}`, /has no 'file'/],
		[`prop "" { file = "a" }`, /a name has 1 to 63 bytes/],
		[`prop "chair" { file = "a" space = "two words" }`, /not a name for a space/],
		...['1 2', 'a b c', '1 2 3 4 5', '1 2 99999', '1 2 nan', '1 2 3 400'].map((place) =>
			[`prop "chair" { file = "a"\nplace = "${place}" }`, /a place is 'X Y Z' or 'X Y Z YAW'.*line 2/])]) {
		const { code, stderr } = await check(section);
		assert.equal(code, 1, stderr);
		assert.match(stderr, message);
	}
	const { code, stderr } = await run('--listen', '127.0.0.1:0', '--config', configure(`prop "chair" { file = "${folder}/none.glb" }`));
	assert.notEqual(code, 0);
	assert.match(stderr, /none\.glb/);
});
