// Conversations for fuzz_control, one a file, and the words of them for its dictionary. None
// of them alone is one that ever made a daemon crash: those are for the fuzzer to find.
// usage: node tests/fuzz/generators/make_control_corpus.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BodyFrame, PoseFrame, TRACKED, captureMessage, encodeBodyFrame, encodePose } from '../../../clients/js/body-frame.js';
import { secret, sign } from '../../e2e/support/token.mjs';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(here, 'fuzz_control.corpus');

/** A token of the key in crowd.h. */
const token = (claims) => sign({ alg: 'HS256', kid: 'k', typ: 'JWT' }, { aud: 'jointcast', exp: 1900000000, ...claims },
	'an uninteresting secret of 32 B.');

const everything = { spaces: '*', bodies: '*' };
const mia = token({ sub: 'mia', roles: ['watch', 'publish', 'record', 'moderate', 'administer'], ...everything });
const max = token({ sub: 'max', roles: ['watch', 'moderate'], ...everything });
const ada = token({ sub: 'ada', roles: ['watch', 'publish'], spaces: ['lobby', 'hall'], bodies: ['Ada'] });
const brief = token({ sub: 'ada', roles: ['watch'], exp: 1800000001, ...everything });

const hello = { type: 'hello', codings: [2, 1], credit: true };
const join = { type: 'join', space: 'lobby' };
const subscribe = { type: 'subscribe', space: 'lobby' };
const publish = { type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses', mayRecord: true };
const consent = { type: 'consent', publication: 0, mayRecord: true };
const refuse = { type: 'consent', publication: 0 };
const calibrate = { type: 'calibrate', space: 'lobby', body: 1, height: 1.75, pose: 'i', countdown: 3 };
const moderate = { type: 'moderate', space: 'lobby', action: 'mute', body: 1, reason: 'x' };
const administer = { type: 'administer', space: 'lobby', action: 'close' };
const replay = { type: 'replay', space: 'lobby', action: 'rewind', seconds: 2 };
const zeros = '0'.repeat(64);
const skeleton = { type: 'skeleton', name: 'own', descriptor: {
	nodes: [{ name: 'hips', translation: [0, 1, 0] }, { name: 'spine', parent: 0, translation: [0, 0.1, 0] }],
	bones: { hips: 0, spine: 1 } } };
const pose = Object.assign(new PoseFrame(), { time: 1000, states: new Uint8Array(55).fill(TRACKED) });
const body = Object.assign(new BodyFrame(), { time: 1000, confidence: 1 });

/** Steps of a session: objects and captures are sent, other texts are verbs or no JSON. */
const of = (session, ...steps) => steps.map((step) => `${session} ${
	step instanceof Uint8Array ? `#${Buffer.from(step).toString('hex')}`
	: typeof step === 'string' ? step : JSON.stringify(step)}`);
/** Steps that are repeated together. */
const times = (count, ...steps) => steps.flat().map((step) => `*${count} ${step}`);
/** A session that watches the lobby. */
const watch = (session) => of(session, hello, join, subscribe);

const conversations = {
	// One session.
	shortest: of(0, hello, join, subscribe, subscribe, { type: 'keyframe', space: 'lobby' }),
	early: ['0 connect', ...of(0, join, subscribe, captureMessage(0, encodePose(pose)))],
	virtual: of(0, hello, join, { ...subscribe, virtual: [3, 'seating', 255] }, { ...subscribe, virtual: ['ui'], rate: 4 },
		{ ...subscribe, virtual: [] }, { ...subscribe, sections: ['virtual'] }),
	views: of(0, hello, join, { ...subscribe, bodies: [1, 2], ignore: [3], skeleton: 'humanoid', precision: 'coarse', rate: 2,
		sections: ['body', 'hips'], budget: 20000, viewpoints: [{ position: [0, 1.6, 0], yaw: 1, fov: 1.5 }] },
	{ type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [1, 1, 1], direction: [0, 0, 1] }] },
	{ type: 'viewpoint', space: 'lobby', viewpoints: [] }, { ...subscribe, skeleton: zeros },
	{ type: 'unsubscribe', space: 'lobby' }, { type: 'leave', space: 'lobby' }),
	publishing: [...of(0, hello, join, subscribe, publish), 'tick', ...of(0, { type: 'ignore', space: 'lobby', body: 1, ignore: false },
		{ type: 'place', space: 'lobby', body: 1, position: [1, 0, 1], yaw: 1, seat: { height: 0.5 }, teleport: true },
		{ type: 'amend', publication: 0, display: 'A', meta: { a: 1, b: 'c', d: true } },
		{ type: 'consent', publication: 0, mayRecord: 'raw' }), 'wait 300', ...of(0, { type: 'unpublish', publication: 0 }), 'tick'],
	placed: of(0, hello, join, { ...publish, display: 'A', meta: { a: 1 }, placement: { position: [1, 0, 1], yaw: 1, seat: null } },
		publish, { ...publish, publication: 1 }),
	avatar: [...of(0, hello, join, subscribe, { ...publish, avatar: 'a'.repeat(64) }), 'tick', ...of(0, { type: 'amend', publication: 0, avatar: null }), 'tick',
		...of(0, { type: 'unpublish', publication: 0 }, publish), 'tick', ...of(0, { type: 'amend', publication: 0, avatar: 'a'.repeat(64), display: 'A' }), 'tick',
		...of(0, { type: 'moderate', space: 'lobby', action: 'block', avatar: 'a'.repeat(64) }), 'tick', ...of(0, { type: 'moderate', space: 'lobby', action: 'list' },
			{ type: 'amend', publication: 0, avatar: 'a'.repeat(64) }, { type: 'moderate', space: 'lobby', action: 'unblock', avatar: 'a'.repeat(64) },
			{ type: 'amend', publication: 0, avatar: 'b'.repeat(64) }), 'wait 300', ...of(0, { type: 'unpublish', publication: 0 }), 'tick'],
	ordering: of(0, hello, join, publish, ...['hide', 'show', 'mute', 'unmute', 'kick', 'ban', 'block', 'unblock'].map((action) => ({ ...moderate, action })),
		{ type: 'moderate', space: 'lobby', action: 'ban', subject: 'eve', seconds: 60 },
		{ type: 'moderate', space: 'lobby', action: 'ban', address: '2001:db8::1' },
		{ type: 'moderate', space: 'lobby', action: 'hide', name: 'Ada' },
		{ type: 'moderate', space: 'lobby', action: 'list' }, { type: 'moderate', space: 'lobby', action: 'unban', subject: 'eve' }),
	administering: of(0, hello, join, publish, { ...administer, action: 'limit', bodies: 1, subscribers: 1 }, administer, join),
	requests: [...of(0, { ...hello, request: 1 }, { ...join, request: 'j' }, { ...subscribe, virtual: [3], request: 3.5 }, { ...subscribe, request: 2 ** 53 },
		{ ...publish, kind: 'body-frames', request: '' }, { ...calibrate, request: 'c' }, { ...skeleton, request: 5 }, { type: 'unregister', name: 'own', request: 6 },
		{ type: 'place', space: 'lobby', body: 1, position: [1, 0, 1], yaw: 1, request: 'x'.repeat(33) },
		{ type: 'keyframe', space: 'lobby', request: -7 }, { type: 'ack', space: 'lobby', tick: 1, request: [] }, { type: 'token', token: 'a', request: null },
		{ ...moderate, request: 8 }, { type: 'nothing', request: 9 }, { request: 10 }), 'wait 4000', ...of(0, { type: 'leave', space: 'lobby', request: 11 })],
	'requests-behind': [...of(0, hello), '0 stall', ...times(90, of(0, { type: 'ping', t: 1, request: 'p' })), ...of(0, { ...join, request: 1 },
		{ ...join, request: 2 }, { ...moderate, body: undefined, name: 'Eve', request: 3 }), 'wait 600', '0 resume', 'wait 300'],
	'requests-late': ['remember', ...watch(0), ...of(1, hello, publish), 'wait 300', ...of(1, captureMessage(0, encodePose(pose))), 'wait 300',
		...of(0, { ...replay, request: 'r' }, { ...replay, action: 'list', request: 1 }, { ...replay, action: 'open', file: 'x.mcap', request: 2 }, { ...skeleton, request: 3 }),
		'0 hangup', 'wait 500'],
	captures: [...of(0, hello, publish), 'tick', ...of(0, captureMessage(0, encodePose(pose))), 'tick'],
	frames: [...watch(1), ...of(0, hello, { ...publish, kind: 'body-frames', profile: 'meta', height: 1.7, smooth: true },
		captureMessage(0, encodeBodyFrame(body))), 'wait 100'],
	channels: of(0, hello, join, { ...subscribe, sections: ['channels'] }, { ...publish, channels: ['lookAt', 'expression/happy'] }),
	skeletons: [...of(0, hello, skeleton, { type: 'skeletons' }), 'tick', ...of(0, { type: 'skeletons' }, { type: 'unregister', name: 'own' },
		{ type: 'unregister', name: 'none' })],
	calibrating: [...of(0, hello, { ...publish, kind: 'body-frames' }, calibrate), 'wait 1000',
		...of(0, { type: 'calibrate', space: 'lobby', body: 1, undo: true }, { type: 'unpublish', publication: 0 }), 'wait 500'],
	recording: of(0, hello, ...['start', 'marker', 'state', 'stop'].map((action) => ({ type: 'record', space: 'lobby', action, label: 'x' }))),
	replaying: of(0, hello, join, { ...replay, action: 'open', file: 'x.mcap', from: 1, until: 2, loop: true, speed: 2 },
		...['play', 'pause', 'seek', 'speed', 'loop', 'range', 'close', 'state'].map((action) =>
			({ type: 'replay', space: 'lobby', action, id: 1, time: 1, speed: 1 }))),
	moderating: of(0, hello, publish, ...['hide', 'show', 'mute', 'unmute', 'list', 'unban', 'kick'].map((action) =>
		({ ...moderate, action, seconds: 60 }))),
	banning: of(0, hello, join, publish, { type: 'moderate', space: 'lobby', action: 'ban', address: '127.0.0.1', seconds: 60 }, join,
		{ type: 'moderate', space: 'lobby', action: 'unban', address: '127.0.0.1' }, join),
	consenting: of(0, hello, join, publish, { ...consent, mayRecord: 'raw', mayRebroadcast: true }),
	opening: [...of(0, hello, { type: 'join', space: 'attic' }, { type: 'subscribe', space: 'attic' }, { type: 'leave', space: 'attic' }),
		'wait 3000', ...of(0, { type: 'join', space: 'attic' })],
	acknowledging: of(0, hello, join, subscribe, { type: 'ack', space: 'lobby', tick: 1 }, { type: 'ack', space: 'lobby', tick: 4294967295 }),
	clock: of(0, hello, { type: 'ping', t: 1.5 }, { type: 'ping', t: 1e300 }, { type: 'token', token: 'a.b.c' }, 'ping', 'close'),
	wrong: of(0, hello, '[]', '{', { type: 7 }, { type: 'nothing' }, { type: 'join', space: '\ud800' }, { type: 'hello', codings: [7] }),

	// Several.
	meeting: [...watch(0), ...watch(1), ...of(0, publish), ...of(1, { ...publish, name: 'Bob' }), 'wait 100', '0 hangup', 'tick',
		...of(1, { type: 'leave', space: 'lobby' })],
	crowded: [...watch(3), ...of(0, hello, publish, { ...publish, publication: 1, name: 'Eve', kind: 'body-frames' },
		{ ...publish, publication: 2, name: 'Ada' }), 'wait 50', ...of(0, { type: 'unpublish', publication: 1 }), 'tick', '0 hangup', 'wait 50'],
	ignoring: [...watch(0), ...watch(1), ...of(1, { ...publish, name: 'Bob' }), ...of(0, publish, { type: 'ignore', space: 'lobby', body: 1 }),
		'wait 100', '0 hangup', 'tick'],
	sparing: [...watch(1), ...of(1, { ...publish, name: 'Bob' }), ...of(0, hello, join, publish, { type: 'ignore', space: 'lobby', body: 1 },
		subscribe), ...of(2, hello, publish), 'wait 100', ...of(2, { type: 'unpublish', publication: 0 }), 'wait 100',
		...of(0, { type: 'ignore', space: 'lobby', body: 1, ignore: false }), 'tick'],
	toggling: [...watch(0), ...of(2, hello, publish), ...times(20, of(2, consent, refuse), 'wait 40'), ...of(2, { type: 'unpublish', publication: 0 }),
		'tick'],
	stalling: [...watch(0), '0 stall', ...of(1, hello, publish), ...times(30, of(1, consent, refuse), 'wait 40'), '0 resume', 'wait 300'],
	slow: [...watch(0), '0 stall', ...times(90, of(0, { type: 'ping', t: 1 })), 'wait 2500', '0 hangup'],
	slower: [...watch(0), ...watch(1), '0 stall', '1 stall', ...of(2, hello, publish), 'wait 500', ...of(2, { type: 'amend', publication: 0,
		display: 'A' }), 'wait 300', '1 resume', 'wait 100'],
	full: [...watch(0), ...watch(1), ...of(2, hello, publish), 'wait 1000', '0 stall', '1 stall', ...times(64, of(2, consent, refuse), 'wait 40'),
		...of(2, consent), 'wait 300', '0 resume', '1 hangup', 'wait 300'],
	bursting: [...of(0, hello, join, publish), 'tick', ...times(20, of(0, consent, refuse)), 'wait 600', ...times(40, of(0, { type: 'ping', t: 1 }))],
	brimming: [...of(1, hello, { type: 'moderate', space: 'lobby', action: 'mute', name: 'Bob' }), ...of(0, hello, publish, join), 'wait 3000',
		'0 stall', ...times(64, of(0, { ...moderate, action: 'hide' })), ...of(0, { type: 'ping', t: 1 }), 'wait 600', '0 resume', 'wait 300',
		...of(0, { ...moderate, action: 'show' })],
	again: [...of(0, hello, publish), 'tick', ...of(0, { ...publish, publication: 1 }), ...of(1, hello, publish), 'wait 300'],
	choosing: [...of(0, hello, publish, join, { ...subscribe, bodies: [1] }), 'wait 600', ...of(1, hello, { ...publish, name: 'Eve' }), 'wait 600',
		...of(0, { ...subscribe, ignore: [2] }), 'wait 300', '1 hangup', 'wait 300'],
	muting: [...of(0, hello, join, publish), ...of(1, hello, moderate), 'tick', ...of(0, captureMessage(0, encodePose(pose))), '0 hangup', 'tick',
		...of(2, hello, publish), ...of(1, { ...moderate, action: 'unmute', body: undefined, name: 'Ada' })],
	silencing: [...of(1, hello, { type: 'moderate', space: 'lobby', action: 'mute', name: 'Eve' }), ...of(0, hello, join),
		'tick', ...of(0, { ...publish, name: 'Eve' }, { ...publish, publication: 1 }), 'tick', ...of(1, { type: 'moderate', space: 'lobby',
			action: 'unmute', name: 'Eve' }), 'wait 300'],
	kicking: [...watch(0), ...of(0, publish), ...watch(1), 'tick', ...of(1, { ...moderate, action: 'kick' }), 'tick',
		...of(0, join, publish), ...of(1, { ...moderate, action: 'ban', body: 2, seconds: 1 }), 'wait 1500', ...of(0, join)],
	hiding: [...watch(0), ...of(1, hello, publish), ...of(0, { ...moderate, action: 'hide' }), 'wait 300', ...of(0, { ...moderate, action: 'show' },
		{ type: 'stage', space: 'lobby', body: 1 }), 'wait 300', ...of(0, { type: 'stage', space: 'lobby', body: 1, stage: false })],
	closing: [...of(0, hello, { type: 'join', space: 'attic' }, { ...publish, space: 'attic' }), ...of(1, hello), 'tick',
		...of(1, { ...administer, space: 'attic' }), 'wait 600'],
	attic: [...of(0, hello, { ...publish, space: 'attic', kind: 'body-frames' }, { ...calibrate, space: 'attic' }),
		...of(1, hello, { type: 'join', space: 'attic' }), 'wait 600',
		...of(0, { type: 'unpublish', publication: 0 }), ...of(1, { type: 'leave', space: 'attic' }), 'wait 3000'],
	leaving: [...of(0, hello, { ...publish, kind: 'body-frames' }, calibrate), '1 connect', 'sweep', '0 hangup', 'sweep'],
	measuring: [...of(0, hello, { ...publish, kind: 'body-frames' }, captureMessage(0, encodeBodyFrame(body)), { ...calibrate, countdown: 0 }),
		'wait 2000'],
	rewinding: ['remember', ...watch(0), ...of(1, hello, publish), 'wait 300', ...of(1, captureMessage(0, encodePose(pose))), 'wait 300',
		...of(0, replay), 'wait 300', ...of(0, { type: 'join', space: 'lobby~3' }, { type: 'subscribe', space: 'lobby~3' },
			{ type: 'replay', space: 'lobby~3', action: 'play', id: 1 }), 'wait 500', ...of(1, refuse), 'wait 500'],
	locked: ['keys', ...of(0, hello, join, publish, moderate, { type: 'join', space: 'hall' }, { type: 'join', space: 'attic' })],
	tokens: ['keys', ...of(0, { ...hello, token: mia }, { type: 'join', space: 'hall' }), ...of(1, { ...hello, token: ada },
		{ ...publish, space: 'hall' }, { ...publish, name: 'Eve', space: 'hall' }), ...of(2, { ...hello, token: max }, join),
	'tick', ...of(2, moderate), ...of(0, { ...moderate, space: 'hall', action: 'hide' }, { ...administer, space: 'hall', action: 'limit', bodies: 1 })],
	renewing: ['keys', ...of(0, { ...hello, token: brief }, join, subscribe, { type: 'token', token: ada }, { type: 'token', token: mia })],
	expiring: ['keys', ...of(0, { ...hello, token: brief }, join), 'wait 40000'],
	revoking: [...watch(0), ...of(0, publish), 'keys', 'sweep', ...of(1, { ...hello, token: mia }, join), 'revoke', 'sweep', 'nokeys', 'sweep'],
	reloading: [...watch(0), ...of(1, hello, { type: 'join', space: 'attic' }, publish, { ...administer, action: 'limit', bodies: 2 }), 'reload', 'wait 300'],
	// Regression: a closed session waited for another turn and then disconnected.
	waiting: [...times(32, of(1, { type: 'skeletons' }, { type: 'ping', t: 1 }), of(0, { type: 'ping', t: 1 })), '0 hangup',
		...times(120, of(3, join)), ...of(1, subscribe), '1 hangup', 'wait 600'],
	silent: ['0 connect', ...watch(1), 'wait 30000', '1 ping', 'wait 70000'],
	together: [...of(2, hello, publish), ...of(3, hello, join, { ...moderate, action: 'ban', address: '127.0.0.3' },
		{ ...moderate, action: 'ban', body: undefined, address: '127.0.0.2' }), ...of(1, hello, join, publish)],
};

/** Names of fields and texts that stand in messages. */
function words(value, found) {
	if (typeof value === 'string')
		found.add(value);
	else if (value && typeof value === 'object')
		for (const [key, entry] of Object.entries(value)) {
			if (!Array.isArray(value))
				found.add(key);
			words(entry, found);
		}
	return found;
}

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder);
for (const [name, steps] of Object.entries(conversations))
	fs.writeFileSync(path.join(folder, name), `${steps.join('\n')}\n`);

const found = new Set();
for (const step of Object.values(conversations).flat()) {
	const json = step.indexOf('{');
	try {
		if (json >= 0)
			words(JSON.parse(step.slice(json)), found);
	} catch {
		// One of those that are wrong.
	}
}
const entries = [...found].filter((word) => /^[\w~.:-]+$/.test(word) && word !== zeros).sort().map((word) => `"\\"${word}\\""`);
const plain = ['wait ', 'tick', 'sweep', 'nokeys', 'keys', 'revoke', 'reload', 'remember', 'connect', 'hangup', 'close', 'ping', 'stall',
	'resume', 'true', 'false', 'null'].map((word) => `"${word}"`);
fs.writeFileSync(path.join(here, 'fuzz_control.dict'),
	`# Made by make_control_corpus.mjs: the words of the messages and of the steps.\n${[...entries, ...plain].join('\n')}\n`);
