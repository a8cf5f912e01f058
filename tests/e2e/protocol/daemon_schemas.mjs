// The schemas of proto/schema and the daemon agree: from a valid message of each type and the bounds
// in its schema this test makes messages at and just beyond each bound, and of other types. The
// daemon must answer bad-field (bad-skeleton for a descriptor) exactly where the schema refuses.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after } from 'node:test';
import { Client } from '../support/client.mjs';
import { scratch, start } from '../support/daemon.mjs';
import { fits } from '../support/schema.mjs';

const folder = scratch();
const config = path.join(folder, 'jointcastd.conf');
writeFileSync(config, `limits { rewind_seconds = 10 connections_per_address = 256
	control_percent = 100 control_percent_per_address = 100 control_percent_per_client = 100 }
`);
const daemon = await start('--config', config, '--source', 'demo:walk');
after(async () => assert.equal(await daemon.stop(), 0));

const REFUSALS = ['bad-message', 'bad-field', 'bad-skeleton'];
const UNANSWERED = ['ack', 'viewpoint'];
const BATCH = 8; // fewer errors than close a connection, fewer registrations than a second permits
const CONCURRENT = 4;
const read = (file) => JSON.parse(readFileSync(new URL(`../../../proto/schema/${file}`, import.meta.url)));

/** Follows $ref: "FILE#/PATH", "FILE" or "#/PATH". */
function resolve(schema, file) {
	if (!schema?.$ref)
		return [schema, file];
	const [name, pointer = ''] = schema.$ref.split('#');
	const root = read(name || file);
	return resolve(pointer.split('/').slice(1).reduce((at, key) => at[key], root), name || file);
}

const OTHERS = [null, true, 7, 'other', [], {}];
const ABSENT = Symbol('absent');

function* ofNumber({ type, minimum, maximum, exclusiveMinimum }) {
	const step = (bound) => (type === 'integer' ? 1 : 1e-3 * Math.max(1, Math.abs(bound)));
	for (const [bound, direction] of [[minimum, -1], [maximum, 1], [exclusiveMinimum, -1]])
		if (bound !== undefined)
			yield* [bound, bound + direction * step(bound), bound - direction * step(bound)];
	yield* type === 'integer' ? [1.5, 2] : [1.5];
}

function* ofText({ minLength = 0, maxLength }) {
	for (const length of [minLength - 1, minLength, maxLength, maxLength + 1])
		if (length >= 0)
			yield 'x'.repeat(length);
	yield* ['a b', 'a\nb', 'a\u0007b', 'a\u007f', 'a/b', 'a~b', 'F'.repeat(64), 'f'.repeat(64)];
}

function* ofArray(schema, value, file) {
	const { minItems = 0, maxItems, items } = schema;
	const [inner] = resolve(items, file);
	const item = (i) => (schema.uniqueItems && !inner.enum ? `${value[0]}${i}` : value[0]);
	for (const length of [minItems - 1, minItems, maxItems, maxItems + 1])
		if (length >= 0)
			yield Array.from({ length }, (_, i) => item(i));
	yield [value[0], value[0]];
	for (const mutant of of(items, value[0], file))
		if (mutant !== ABSENT)
			yield [mutant, ...value.slice(1)];
}

function* ofObject(schema, value, file) {
	const { properties = {}, additionalProperties, propertyNames, maxProperties } = schema;
	yield { ...value, later: { than: 'this' } };
	for (const key of Object.keys(value)) {
		const inner = properties[key] ?? additionalProperties;
		if (!inner || key === 'type' && inner.const)
			continue;
		for (const mutant of of(inner, value[key], file)) {
			const copy = { ...value, [key]: mutant };
			if (mutant === ABSENT)
				delete copy[key];
			yield copy;
		}
	}
	const [[, first] = []] = Object.entries(value);
	for (const count of maxProperties ? [maxProperties, maxProperties + 1] : [])
		yield Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, first]));
	for (const name of propertyNames ? ofText(resolve(propertyNames, file)[0]) : [])
		yield { ...value, [name]: first };
}

/** Values in place of one that fits the schema. */
function* of(reference, value, from) {
	const [schema, file] = resolve(reference, from);
	yield ABSENT;
	yield* OTHERS;
	for (const branch of schema.anyOf ?? schema.oneOf ?? [])
		yield* of(branch, value, file);
	yield* schema.enum ?? [];
	if (['integer', 'number'].includes(schema.type))
		yield* ofNumber(schema);
	if (schema.type === 'string')
		yield* ofText(schema);
	if (schema.type === 'array' && Array.isArray(value))
		yield* ofArray(schema, value, file);
	if (schema.type === 'object' && value?.constructor === Object)
		yield* ofObject(schema, value, file);
}

const lobby = (type, rest) => ({ type, space: 'lobby', ...rest });
const joined = [lobby('join')];
const subscribed = [...joined, lobby('subscribe')];
const published = [lobby('publish', { publication: 3, name: 'Ada', kind: 'poses' })];
const hash = 'f'.repeat(64);
const stand = { position: [1, 0, 1], yaw: 1, seat: { height: 0.5 } };
const viewpoint = { position: [1, 1, 1], direction: [1, 1, 1], fov: 1 };
const descriptor = { name: 'figure', format: 'builtin', hipsHeight: 1, floor: 0, facing: [0, 0, 0, 1],
	nodes: [{ name: 'hips', parent: -1, translation: [0, 1, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] },
		{ name: 'spine', parent: 0, translation: [0, 0.1, 0] }],
	bones: { hips: 0, spine: 1 }, corrections: { hips: [0, 0, 0, 1] }, offsets: { hips: [0, 0, 0, 1] },
	virtualTransforms: [{ name: 'grip', parent: 0, translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1],
		respectParentPosition: true, respectParentRotation: true, respectParentScale: true, tags: ['a'] }],
	limits: [{ node: 0, lower: [-1, -1, -1], upper: [1, 1, 1], orientation: [0, 0, 0, 1], stiffness: [0, 0, 0] }],
	segments: [{ name: 'pelvis', node: 0, mass: 10, centerOfMass: [0, 0, 0], momentsOfInertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }] };

/** Valid messages with all their fields, after those that they need. */
const messages = [
	[{ type: 'hello', codings: [1, 2], credit: true, client: 'test', token: 'a.b.c' }],
	[{ type: 'token', token: 'a.b.c' }],
	[lobby('join')], [lobby('leave'), joined], [lobby('unsubscribe'), joined], [lobby('keyframe'), joined],
	[lobby('subscribe', { precision: 'fine', rate: 2, sections: ['body', 'hips'], virtual: [3, 'tag'], bodies: [1], ignore: [2], skeleton: 'own',
		budget: 20000, viewpoints: [viewpoint], priority: [1] }), joined],
	[lobby('viewpoint', { viewpoints: [viewpoint, { position: [0, 0, 0], yaw: 1 }], priority: [1] }), subscribed],
	[lobby('viewpoint', { viewpoints: [{ position: [0, 0, 0], yaw: 1 }] }), subscribed],
	[lobby('ack', { tick: 0 }), subscribed],
	[lobby('ignore', { body: 1, ignore: true }), joined],
	[lobby('publish', { publication: 1, name: 'Eve', kind: 'body-frames', profile: 'meta', height: 1.7, smooth: true, skeleton: hash,
		channels: ['lookAt', 'jaw'], display: 'E', meta: { a: 'b' }, placement: stand, mayRecord: 'raw', mayRebroadcast: true })],
	[{ type: 'consent', publication: 3, mayRecord: true, mayRebroadcast: true }, published],
	[{ type: 'unpublish', publication: 3 }, published],
	[{ type: 'amend', publication: 3, display: 'A', meta: { a: 1, b: true } }, published],
	[{ type: 'amend', publication: 3, avatar: hash }, published], [{ type: 'amend', publication: 3, avatar: null }, published],
	[lobby('place', { body: 1, ...stand, teleport: true })],
	[lobby('stage', { body: 1, stage: true })],
	[lobby('calibrate', { body: 1, pose: 't', height: 1.7, countdown: 3 })],
	[lobby('calibrate', { body: 1, undo: true })],
	[{ type: 'skeleton', name: 'own', descriptor }],
	[{ type: 'skeletons' }], [{ type: 'unregister', name: 'own' }],
	[lobby('record', { action: 'start', name: 'take', kind: 'raw' })], [lobby('record', { action: 'marker', label: 'here' })],
	[lobby('replay', { action: 'open', file: 'x.mcap', from: 1, until: 2, speed: 2, loop: true, paused: true, skeleton: hash, prefix: 'p',
		names: { Ada: 'Eve' } })],
	...[{ action: 'play' }, { action: 'seek', time: 1 }, { action: 'speed', speed: 1 }, { action: 'loop', loop: true },
		{ action: 'range', from: 1, until: 2 }].map((fields) => [lobby('replay', { id: 5, ...fields })]),
	[lobby('replay', { action: 'rewind', seconds: 5 })],
	[lobby('moderate', { action: 'hide', body: 1, seconds: 5, reason: 'why' })],
	...[{ subject: 'eve' }, { address: '127.0.0.9' }].map((target) => [lobby('moderate', { action: 'ban', ...target })]),
	[lobby('moderate', { action: 'block', avatar: hash, seconds: 5 })], [lobby('moderate', { action: 'mute', name: 'eve' })], [lobby('moderate', { action: 'list' })],
	[lobby('administer', { action: 'limit', bodies: 64, subscribers: 16384 })],
	[{ type: 'ping', t: 1 }],
];

/** Whether indices of a descriptor that fits its schema exist, and rotations are unit. */
function isConsistent({ facing, floor, nodes, bones, corrections, offsets, virtualTransforms = [], limits = [], segments = [] }) {
	const rotations = [facing, ...[corrections, offsets].flatMap((each) => Object.values(each ?? {})),
		...[...nodes, ...virtualTransforms].map(({ rotation }) => rotation), ...limits.map(({ orientation }) => orientation)];
	const indices = [...Object.values(bones), ...[...nodes, ...virtualTransforms].map(({ parent = -1 }) => parent),
		...[...limits, ...segments].map(({ node }) => node)];
	const own = Object.values(bones);
	return rotations.every((q) => q === undefined || Math.abs(Math.hypot(...q) - 1) < 1e-3) &&
		indices.every((index) => index < nodes.length) && nodes.every(({ parent = -1 }, i) => parent < i) &&
		Math.abs(1 - (floor ?? 0)) <= 1e6 && new Set(own).size === own.length && limits.every(({ lower = [], upper = [] }) => lower.every((x, i) => x <= upper[i]));
}

/** What a schema cannot state: the daemon refuses these beyond it. */
const BEYOND = [
	// The tick must be one that was sent, the address one of IP, the figure consistent.
	({ type }) => type === 'ack',
	({ type, address }) => type === 'moderate' && typeof address === 'string',
	({ type, action, name }) => type === 'moderate' && name !== undefined && !['hide', 'show', 'mute', 'unmute', 'list'].includes(action),
	({ type, action, seconds }) => type === 'moderate' && seconds !== undefined && ['kick', 'show', 'unmute', 'unban', 'unblock'].includes(action),
	({ type, virtual }) => type === 'subscribe' && virtual?.join?.('\n').length > 255,
	({ type, descriptor: own }) => type === 'skeleton' && !isConsistent(own),
	({ type, from, until }) => type === 'replay' && from > until,
	({ type, viewpoints }) => ['viewpoint', 'subscribe'].includes(type) && viewpoints?.some?.((each) => each?.direction && Math.hypot(...each.direction) < 1e-6),
];

/** Sends the messages after what they need; resolves with whether the daemon refuses each. */
async function ask(mutants, before = []) {
	const first = mutants[0].type === 'hello' ? [] : [{ type: 'hello', codings: [2] }];
	const client = await Client.open(daemon, ...first, ...before,
		...mutants.flatMap((message, i) => [{ ...message, request: i }, { type: 'ping', t: 0, request: `after ${i}` }]));
	const answer = (request) => client.messages.findIndex((message) => message.request === request);
	const isAnswered = (message, i) => answer(`after ${i}`) >= 0 && (UNANSWERED.includes(message.type) || answer(i) >= 0);
	await client.until('the answers', () => mutants.every(isAnswered));
	client.end();
	return mutants.map(({ type }, i) => (UNANSWERED.includes(type)
		? client.messages.slice(Math.max(0, answer(`after ${i - 1}`)), answer(`after ${i}`)).filter(({ ref }) => ref === type)
		: [client.messages[answer(i)]]).some(({ code }) => REFUSALS.includes(code)));
}

for (const [message, before] of messages) {
	test(`${message.type} ${message.action ?? ''}: the daemon refuses what the schema refuses`, async () => {
		const file = `${message.type}.schema.json`;
		const mutants = new Map([message, ...ofObject(read(file), message, file)].map((each) => [JSON.stringify(each), each]));
		const todo = [...mutants].filter(([text]) => text.length < 60000).map(([, mutant]) => mutant);
		const batches = [];
		while (todo.length > 0)
			batches.push(todo.splice(0, message.type === 'publish' ? 1 : BATCH));
		const wrong = [];
		await Promise.all(Array.from({ length: CONCURRENT }, async () => {
			for (let batch = batches.pop(); batch; batch = batches.pop()) {
				const refused = await ask(batch, before);
				batch.forEach((mutant, i) => {
					const problem = fits(mutant);
					if (refused[i] !== (problem !== null) && !(refused[i] && BEYOND.some((is) => is(mutant))))
						wrong.push(`${refused[i] ? 'only the daemon refuses' : `only the schema refuses (${problem})`} ${JSON.stringify(mutant).slice(-700)}`);
				});
			}
		}));
		assert.equal(fits(message), null);
		assert.deepEqual(wrong, []);
	});
}
