// Sends SlimeVR's bones of a moving body to the SolarXR device of a real Monado, and compares the
// rotations that a subscriber of the daemon receives with those of the body, in degrees.
// Started by `./monado --body ROOT` (service.mjs has the arguments).
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { BONES } from '../../clients/js/index.js';
import { sleep, until } from '../e2e/support/until.mjs';
import { angle, newest } from '../openxr/mock.mjs';
import { SECONDS, STRAIGHT, bonesOf, move } from '../openxr/slimevr.mjs';
import { NotShown, RUN, conclude, startDaemon, startService, subscribe } from './service.mjs';
import { serveBones } from './solarxr_peer.mjs';

/** The body moves in steps, and stands still at every so many steps. */
const STEP = 1 / 30;
const STEPS = 8;
/** Samples in a row, newer than the pose, that are equal: a busy runtime delivers late. */
const EQUAL = 5;
const EQUAL_WITHIN = 1e-3;

/** Ways in which SlimeVR's bones come and are read. */
const WAYS = [
	{ name: 'auto', uri: 'openxr:' },
	{ name: 'slimevr', uri: 'openxr:?profile=slimevr' },
	{ name: 'controllers', uri: 'openxr:', feed: { controllers: true } },
	{ name: 'other sizes', uri: 'openxr:', feed: { size: STRAIGHT } },
];
/** Bones in rows of the table, and the most degrees: on average and at 99 %. */
const ROWS = [
	['hips', /^hips$/], ['spine', /^spine$/], ['chest', /^(c|upperC)hest$/], ['neck', /^neck$/],
	['head', /^head$/], ['shoulders', /Shoulder$/], ['upper arms', /UpperArm$/],
	['lower arms', /LowerArm$/], ['hands', /Hand$/], ['thighs', /UpperLeg$/],
	['shins', /LowerLeg$/], ['feet', /Foot$/],
].map(([name, bones]) => ({ name, bones, limits: name === 'feet' ? [2, 4] : [1, 2] }));

/** Mean and 99th percentile. */
function summary(values) {
	const sorted = [...values].sort((a, b) => a - b);
	return { mean: sorted.reduce((sum, x) => sum + x, 0) / sorted.length,
		most: sorted[Math.ceil(0.99 * sorted.length) - 1] };
}

/** The rotations that a subscriber receives of a body that stands still from a server time on. */
async function standing(client, from) {
	let last = [];
	let time = from;
	let equal = 0;
	await until('the body stands still', () => {
		const { newest: now } = client.body.timeline;
		if (!(now > time))
			return false;
		const { rotations } = newest(client);
		const isEqual = last.length > 0
			&& last.every((value, i) => Math.abs(value - rotations[i]) < EQUAL_WITHIN);
		equal = isEqual ? equal + 1 : 0;
		time = now;
		last = [...rotations];
		return equal >= EQUAL;
	});
	return last;
}

/** Moves the body by show(time) and compares the poses in which it stands; degrees by row. */
async function compare(client, show) {
	const degrees = ROWS.map(() => []);
	for (let step = 1; step * STEP < SECONDS; step++) {
		show(step * STEP);
		await sleep(1000 * STEP);
		if (step % STEPS !== 0)
			continue;
		const rotations = await standing(client, client.clock.at(client.now()));
		const wanted = move(step * STEP);
		for (const [row, { bones }] of ROWS.entries())
			degrees[row].push(...BONES.flatMap((bone, i) => (bones.test(bone)
				? [angle(wanted[bone], rotations.slice(4 * i, 4 * i + 4))] : [])));
	}
	return degrees.map(summary);
}

function print(results) {
	const cell = (text) => text.padStart(16);
	console.log(`${'degrees'.padEnd(12)}${results.map(({ name }) => cell(name)).join('')}`);
	console.log(`${''.padEnd(12)}${results.map(() => cell('mean, 99 %')).join('')}`);
	for (const [i, { name }] of ROWS.entries())
		console.log(name.padEnd(12) + results.map(({ rows }) =>
			cell(`${rows[i].mean.toFixed(2)}, ${rows[i].most.toFixed(2)}`)).join(''));
}

async function main() {
	const shown = { time: 0, feed: {} };
	mkdirSync(RUN, { recursive: true, mode: 0o700 });
	const peer = await serveBones(`${RUN}/SlimeVRRpc`, () => bonesOf(move(shown.time), move(0), shown.feed));
	// Controllers are off, since they deliver hands of their own.
	const monado = await startService(() =>
		({ head: { position: [0, 1.6, 0], orientation: [0, 1, 0, 0] } }));
	await until('the service asks for bones', () => peer.clients() > 0).catch(() => {
		throw new NotShown('the service has not asked for bones: it has no device of solarxr');
	});

	const results = [];
	for (const { name, uri, feed = {} } of WAYS) {
		Object.assign(shown, { time: 0, feed });
		const daemon = await startDaemon(uri);
		await until(`the body is live, ${name}`, daemon.isLive);
		const { detail } = await daemon.source();
		console.log(`monado_body: ${name}: ${detail}`);
		assert.match(detail, /meta body, 84 joints/);
		const client = await subscribe(daemon);
		await sleep(2000); // until the client knows the server's clock
		results.push({ name, rows: await compare(client, (time) => (shown.time = time)) });
		client.close();
		assert.equal(await daemon.stop(), 0, daemon.log);
	}
	print(results);
	await monado.kill();
	peer.stop();
	for (const { name, rows } of results)
		for (const [i, row] of ROWS.entries())
			assert.ok(rows[i].mean <= row.limits[0] && rows[i].most <= row.limits[1],
				`${name}: ${row.name} are more than ${row.limits.join(' or, at 99 %, ')} degrees off`);
}

conclude('monado_body', main);
