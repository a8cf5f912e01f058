// Contacts on a figure of short legs: what roster and messages say about them, that feet stand,
// and which streams stay exact. Exact are the rotations of the built-in skeleton, because neither
// figure has rotations at rest.
//
// usage: daemon_contacts.mjs JOINTCASTD JOINTCAST
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { BONES, Bundle, Figure, Payload, Skeleton, StreamDecoder, decodeBundle } from '../../../clients/js/index.js';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { TABLE } from '../support/fixtures.mjs';
import { makeShortLegs } from '../support/short_legs.mjs';

const folder = scratch();
const figure = path.join(folder, 'short.json');
const config = path.join(folder, 'jointcastd.conf');
writeFileSync(figure, JSON.stringify(makeShortLegs()));
writeFileSync(config, 'space "exact" { contacts = false }\n');
const daemon = await start('--config', config, '--skeleton', figure, '--source', 'demo:walk',
	'--source', 'demo:walk?space=exact');
after(async () => assert.equal(await daemon.stop(), 0));

const BUILT_IN = new Skeleton('', { nodes: TABLE.map(({ name, parent, rest }) => ({ name,
	parent: TABLE.findIndex((bone) => bone.name === parent),
	translation: rest.map((x, k) => x - (TABLE.find((bone) => bone.name === parent)?.rest[k] ?? 0)) })),
bones: Object.fromEntries(TABLE.map(({ name }, i) => [name, i])) });
const SHORT = new Skeleton('', makeShortLegs());

/** A subscriber that keeps the poses of the only body, by tick. */
class Viewer extends Client {
	poses = new Map();
	#bundle = new Bundle();
	#stream = new StreamDecoder();

	static async watch(space, view = {}, codings = [1]) {
		const viewer = await Viewer.greeted(daemon, { codings }, { type: 'join', space });
		viewer.send({ type: 'subscribe', space, request: 'view', ...view });
		viewer.answer = await viewer.find('subscribed');
		return viewer;
	}

	onBinary(data) {
		const { tick, count, needsState, shape, sequence, incarnation, start: from, end } = decodeBundle(data, this.#bundle);
		for (let i = 0; i < count; i++) {
			const payload = new Payload();
			const head = { needsState: needsState[i] === 1, shape: shape[i], sequence: sequence[i], incarnation: incarnation[i] };
			if (this.#stream.decode(data, from[i], end[i], head, null, payload))
				this.poses.set(tick, payload);
		}
	}
}

/** Viewers, and the ticks of which all of them have the pose, once there are so many. */
async function together(viewers, count) {
	const shared = () => [...viewers[0].poses.keys()].filter((tick) => viewers.every(({ poses }) => poses.has(tick)));
	await viewers.at(-1).until(`${count} ticks that all have`, () => shared().length >= count, 60000);
	const ticks = shared();
	viewers.forEach((viewer) => viewer.end());
	return ticks;
}

const sameRotations = (a, b) => a.rotations.every((x, i) => x === b.rotations[i]);

/** Metres that the balls of the feet slide along the ground while those of the source stand, of the
 * source and of each figure. */
function slides(source, figures, ticks) {
	const ballsOf = (skeleton, payload) => {
		const posed = new Figure(skeleton).pose(payload);
		return ['leftToes', 'rightToes'].map((bone) => posed.position(skeleton.bones[BONES.indexOf(bone)], []));
	};
	const way = ([x, , z], [a, , b]) => Math.hypot(x - a, z - b);
	const sums = [0, ...figures.map(() => 0)];
	let steps = 0;
	for (const tick of ticks.filter((each) => ticks.includes(each - 1))) {
		const [before, now] = [tick - 1, tick].map((each) => [ballsOf(BUILT_IN, source.poses.get(each)),
			...figures.map(({ poses }) => ballsOf(SHORT, poses.get(each)))]);
		for (const side of [0, 1]) {
			if (now[0][side][1] < 0.025 && way(now[0][side], before[0][side]) < 0.001) {
				steps++;
				now.forEach((balls, i) => (sums[i] += way(balls[side], before[i][side])));
			}
		}
	}
	return { steps, means: sums.map((sum) => sum / steps) };
}

test('the roster names bodies whose contacts are kept, and the answer says whether they are', async () => {
	const kept = await Viewer.watch('lobby');
	assert.deepEqual((await kept.find('roster')).bodies.map(({ contacts }) => contacts), [true]);
	assert.equal(kept.answer.contacts, true);
	const exact = await Viewer.watch('exact');
	assert.deepEqual((await exact.find('roster')).bodies.map(({ contacts }) => contacts), [undefined]);
	assert.equal(exact.answer.contacts, undefined);
	const local = await Viewer.watch('lobby', { precision: 'local' }, [2]);
	assert.equal(local.answer.contacts, undefined);
	kept.send({ type: 'subscribe', space: 'lobby', contacts: 'on' });
	const { code, message } = await kept.find('error');
	assert.equal(code, 'bad-field');
	assert.match(message, /contacts must be true or false/);
	[kept, exact, local].forEach((viewer) => viewer.end());
});

test('feet stand with contacts and slide without', async (t) => {
	const source = await Viewer.watch('lobby', { skeleton: 'humanoid' });
	const kept = await Viewer.watch('lobby');
	const exact = await Viewer.watch('lobby', { contacts: false });
	const ticks = await together([source, kept, exact], 150);
	const { steps, means } = slides(source, [kept, exact], ticks);

	t.diagnostic(`${steps} steps; ${means.map((mean) => (1000 * mean).toFixed(3)).join(', ')} mm a tick`);
	assert.ok(steps > 30, `${steps} steps of a standing foot`);
	const [own, standing, sliding] = means;
	assert.ok(standing < own + 0.0002 && sliding > 2 * own, `${means} m`);
	assert.ok(ticks.some((tick) => !sameRotations(kept.poses.get(tick), source.poses.get(tick))));
});

test('streams on the built-in skeleton and without contacts are exact, in every space', async () => {
	for (const [space, view] of [['lobby', { contacts: false }], ['exact', {}], ['exact', { contacts: false }]]) {
		const source = await Viewer.watch(space, { skeleton: 'humanoid', contacts: true });
		const exact = await Viewer.watch(space, view);
		for (const tick of await together([source, exact], 20))
			assert.ok(sameRotations(source.poses.get(tick), exact.poses.get(tick)), `${space}, ${JSON.stringify(view)}`);
	}
});

test('a client switches contacts on where the space has none, and off and on again', async () => {
	const exact = await Viewer.watch('exact');
	const asked = await Viewer.watch('exact', { contacts: true });
	assert.equal(asked.answer.contacts, true);
	const differs = (tick) => exact.poses.has(tick) && !sameRotations(exact.poses.get(tick), asked.poses.get(tick));
	const any = (from, is) => [...asked.poses.keys()].some((tick) => tick > from && is(tick));
	const last = () => Math.max(...asked.poses.keys());

	await asked.until('a pose with contacts', () => any(0, differs));
	asked.send({ type: 'subscribe', space: 'exact', contacts: false });
	await asked.settled();
	const off = last();
	await asked.until('exact poses', () => [...asked.poses.keys()].filter((tick) => tick > off + 1 && exact.poses.has(tick)).length > 30);
	assert.ok(!any(off + 1, differs), 'a stream without contacts has some');
	asked.send({ type: 'subscribe', space: 'exact', contacts: true });
	await asked.settled();
	const on = last();
	await asked.until('a pose with contacts again', () => any(on, differs));
	[exact, asked].forEach((viewer) => viewer.end());
});
