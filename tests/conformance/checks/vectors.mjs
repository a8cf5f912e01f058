// The checks of golden vectors, which a command of the client decodes.

import { isDeepStrictEqual } from 'node:util';
import { golden } from '../scene.mjs';
import { require } from '../session.mjs';

/** A number that is negative zero as zero, in all of a value. */
const plain = (value) => (value === 0 ? 0 : Array.isArray(value) ? value.map(plain)
	: value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, plain(of)])) : value);

const isSame = (expected) => (found) => isDeepStrictEqual(plain(found), plain(expected));

/** Whether all numbers are near the expected ones; a rotation may have the opposite sign. */
function isNear(expected) {
	const near = (a, b, sign = 1) => a?.length === b.length && a.every((v, i) => Math.abs(v - sign * b[i]) < 1e-6);
	return ({ translation, rotation, scale }) => near(translation, expected.translation) && near(scale, expected.scale)
		&& (near(rotation, expected.rotation) || near(rotation, expected.rotation, -1));
}

/** A check of { name, ask, expected, holds }: what the command reads, and what it has to answer. */
const check = (id, level, cases) => ({ id, level, command: 'vectors', async run(session) {
	await session.start();
	for (const { name, ask, expected, holds = isSame(expected) } of cases) {
		session.process.stdin.write(`${JSON.stringify(ask)}\n`);
		const answer = await session.until(`an answer to the vector '${name}'`, () => session.frames.shift());
		require(holds(answer), `expected ${JSON.stringify(expected).slice(0, 300)} for the vector '${name}', found ${JSON.stringify(answer).slice(0, 300)}`);
	}
} });

const bundles = golden('bundles.json').map(({ name, hex, before, head, packets }) =>
	({ name, ask: { vector: 'bundle', hex, before }, expected: { head, packets } }));
const brokenBundles = golden('broken.json').map(({ name, hex, error }) => ({ name, ask: { vector: 'bundle', hex }, expected: { error } }));

/** The steps from the first rejoin section on, with what the chain shows after each. */
function chainCase({ name, section, steps, coding }) {
	const first = steps.findIndex((step) => step.do === 'rejoin');
	const done = steps.slice(first).map((step, i, all) => ({ ...step,
		shown: step.shown ?? [...steps.slice(0, first), ...all.slice(0, i)].findLast(({ shown }) => shown).shown }));
	return { name, ask: { vector: 'chain', section, coding, steps: done.map(({ do: what, hex }) => ({ do: what, hex })) },
		expected: { shown: done.map(({ shown }) => shown) } };
}
const brokenChains = golden('broken-chains.json').map(({ name, section, after, hex, error, ...step }) =>
	({ name, ask: { vector: 'chain', section, steps: [...(after ? [{ do: 'rejoin', hex: after }] : []), { do: step.do, hex }] }, expected: { error } }));

const captures = [
	...golden('captures.json').map(({ name, hex, expected }) => ({ name, ask: { vector: 'capture', kind: expected.kind, hex }, expected })),
	...golden('broken-captures.json').map(({ name, kind, hex, error }) => ({ name, ask: { vector: 'capture', kind, hex }, expected: { error } })),
];
const transforms = golden('virtual-transforms.json').map(({ name, parent, transform, expected }) =>
	({ name, ask: { vector: 'virtual-transform', parent, transform }, expected, holds: isNear(expected) }));

/** Whether two numbers are the same angle, modulo a full turn. */
const isAngle = (a, b, turn, most) => Math.abs((a - b) - turn * Math.round((a - b) / turn)) <= most;
const isShown = (found, { state, head, hips, x, yaw }) => found?.state === state && isAngle(found.head, head, 360, 0.01)
	&& Math.abs(found.hips - hips) <= 0.0001 && Math.abs(found.x - x) <= 0.0001 && isAngle(found.yaw, yaw, 2 * Math.PI, 0.0001);

/** Whether a file is refused, or its facts are the expected ones; extents may be rounded. */
const isJudged = ({ facts }) => ({ facts: found, error }) => (facts
	? found && Object.entries(facts).every(([name, value]) => Math.abs(found[name] - value) <= (name === 'extent' ? 1 : 0))
	: !found && typeof error === 'string');
const avatarCase = ({ name, base64, hash, facts, error }) =>
	({ name, ask: { vector: 'avatar', hash, base64 }, expected: facts ? { facts } : { error }, holds: isJudged({ facts }) });
const avatars = golden('avatars.json');

const { timelines, clocks } = golden('timeline.json');
const playback = [
	...timelines.map(({ name, extrapolation, delay, events }) => {
		const expected = events.filter((event) => 'show' in event);
		return { name, expected, ask: { vector: 'timeline', extrapolation, delay,
			events: events.map((event) => ('show' in event ? { show: event.show } : event)) },
		holds: ({ shows }) => shows?.length === expected.length && shows.every((found, i) => isShown(found, expected[i])) };
	}),
	...clocks.map(({ name, events }) => {
		const expected = events.filter((event) => 'ask' in event).map(({ server }) => server);
		return { name, expected, ask: { vector: 'clock', events: events.map((event) => ('ask' in event ? { ask: event.ask } : event)) },
			holds: ({ servers }) => servers?.length === expected.length && servers.every((found, i) => Math.abs(found - expected[i]) <= 2) };
	}),
];

export const VECTORS = [
	check('core-bundles', 'Core', bundles),
	check('core-broken', 'Core', brokenBundles),
	check('small-chains', 'Small packets', golden('chains.json').map(chainCase)),
	check('small-broken', 'Small packets', brokenChains),
	check('model-chains', 'Model space', golden('model-chains.json').map((vector) => chainCase({ ...vector, coding: 3 }))),
	check('play-golden', 'Playback', playback),
	check('publish-captures', 'Publishing', captures),
	check('skeleton-virtual', 'Skeletons', transforms),
	check('avatar-files', 'Avatars', avatars.filter(({ error }) => error !== 'hash').map(avatarCase)),
	check('avatar-hash', 'Avatars', avatars.filter(({ error }) => error === 'hash').map(avatarCase)),
];
