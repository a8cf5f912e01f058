// Conversations for fuzz_control: one a file, a message a line, captures last.
// usage: node tests/fuzz/make_control_corpus.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BodyFrame, PoseFrame, TRACKED, captureMessage, encodeBodyFrame, encodePose } from '../../clients/js/body-frame.js';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'fuzz_control.corpus');
const hello = { type: 'hello', codings: [2, 1], credit: true };
const join = { type: 'join', space: 'lobby' };
const subscribe = { type: 'subscribe', space: 'lobby' };
const publish = { type: 'publish', space: 'lobby', publication: 0, name: 'Ada', kind: 'poses', mayRecord: true };
const zeros = '0'.repeat(64);
const skeleton = { type: 'skeleton', name: 'own', descriptor: {
	nodes: [{ name: 'hips', translation: [0, 1, 0] }, { name: 'spine', parent: 0, translation: [0, 0.1, 0] }],
	bones: { hips: 0, spine: 1 } } };
const pose = Object.assign(new PoseFrame(), { time: 1000, states: new Uint8Array(55).fill(TRACKED) });
const body = Object.assign(new BodyFrame(), { time: 1000, confidence: 1 });

const conversations = {
	shortest: [hello, join, subscribe, subscribe, { type: 'keyframe', space: 'lobby' }],
	early: [join, subscribe],
	views: [hello, join, { ...subscribe, bodies: [1, 2], ignore: [3], skeleton: 'humanoid', precision: 'coarse', rate: 2,
		sections: ['body', 'hips'], budget: 20000, viewpoints: [{ position: [0, 1.6, 0], yaw: 1, fov: 1.5 }] },
	{ type: 'viewpoint', space: 'lobby', viewpoints: [{ position: [1, 1, 1], direction: [0, 0, 1] }] },
	{ type: 'viewpoint', space: 'lobby', viewpoints: [] }, { ...subscribe, skeleton: zeros },
	{ type: 'unsubscribe', space: 'lobby' }, { type: 'leave', space: 'lobby' }],
	publishing: [hello, join, subscribe, publish, { type: 'ignore', space: 'lobby', body: 1, ignore: false },
		{ type: 'place', space: 'lobby', body: 1, position: [1, 0, 1], yaw: 1, seat: { height: 0.5 }, teleport: true },
		{ type: 'amend', publication: 0, display: 'A', meta: { a: 1, b: 'c', d: true } },
		{ type: 'consent', publication: 0, mayRecord: 'raw' }, { type: 'unpublish', publication: 0 }],
	placed: [hello, join, { ...publish, display: 'A', meta: { a: 1 }, placement: { position: [1, 0, 1], yaw: 1, seat: null } }, publish,
		{ ...publish, publication: 1 }],
	ordering: [hello, join, publish, ...['hide', 'show', 'mute', 'unmute', 'kick', 'ban'].map((action) =>
		({ type: 'moderate', space: 'lobby', action, body: 1, reason: 'x' })),
		{ type: 'moderate', space: 'lobby', action: 'ban', subject: 'eve', seconds: 60 },
		{ type: 'moderate', space: 'lobby', action: 'ban', address: '2001:db8::1' },
		{ type: 'moderate', space: 'lobby', action: 'hide', name: 'Ada' },
		{ type: 'moderate', space: 'lobby', action: 'list' }, { type: 'moderate', space: 'lobby', action: 'unban', subject: 'eve' }],
	administering: [hello, join, publish, { type: 'administer', space: 'lobby', action: 'limit', bodies: 1, subscribers: 1 },
		{ type: 'administer', space: 'lobby', action: 'close' }, join],
	captures: [hello, publish, captureMessage(0, encodePose(pose))],
	frames: [hello, { ...publish, kind: 'body-frames', profile: 'meta', height: 1.7, smooth: true },
		captureMessage(0, encodeBodyFrame(body))],
	channels: [hello, join, { ...subscribe, sections: ['channels'] },
		{ ...publish, channels: ['lookAt', 'expression/happy'] }],
	skeletons: [hello, skeleton, { type: 'skeletons' }, { type: 'unregister', name: 'own' }, { type: 'unregister', name: 'none' }],
	calibrating: [hello, { ...publish, kind: 'body-frames' },
		{ type: 'calibrate', space: 'lobby', body: 1, height: 1.75, pose: 'i', countdown: 0 },
		{ type: 'calibrate', space: 'lobby', body: 1, undo: true }],
	recording: [hello, ...['start', 'marker', 'state', 'stop'].map((action) => ({ type: 'record', space: 'lobby', action, label: 'x' }))],
	replaying: [hello, join, { type: 'replay', space: 'lobby', action: 'open', file: 'x.mcap', from: 1, until: 2, loop: true, speed: 2 },
		...['play', 'pause', 'seek', 'speed', 'loop', 'range', 'close', 'state'].map((action) =>
			({ type: 'replay', space: 'lobby', action, id: 1, time: 1, speed: 1 }))],
	moderating: [hello, publish, ...['hide', 'show', 'mute', 'unmute', 'list', 'unban', 'kick'].map((action) =>
		({ type: 'moderate', space: 'lobby', action, body: 1, seconds: 60, reason: 'x' }))],
	banning: [hello, join, publish, { type: 'moderate', space: 'lobby', action: 'ban', address: '127.0.0.1', seconds: 60 }, join,
		{ type: 'moderate', space: 'lobby', action: 'unban', address: '127.0.0.1' }, join],
	consenting: [hello, join, publish, { type: 'consent', publication: 0, mayRecord: 'raw', mayRebroadcast: true }],
	opening: [hello, { type: 'join', space: 'attic' }, { type: 'subscribe', space: 'attic' }, { type: 'leave', space: 'attic' }],
	acknowledging: [hello, join, subscribe, { type: 'ack', space: 'lobby', tick: 1 }, { type: 'ack', space: 'lobby', tick: 4294967295 }],
	clock: [hello, { type: 'ping', t: 1.5 }, { type: 'ping', t: 1e300 }, { type: 'token', token: 'a.b.c' }],
	wrong: [hello, '[]', '{', { type: 7 }, { type: 'nothing' }, { type: 'join', space: '\ud800' }, { type: 'hello', codings: [7] }],
};

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder);
for (const [name, messages] of Object.entries(conversations)) {
	const parts = messages.map((message) => (message instanceof Uint8Array ? Buffer.from(message)
		: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))));
	fs.writeFileSync(path.join(folder, name), Buffer.concat(parts.flatMap((part, i) => (i ? [Buffer.from('\n'), part] : [part]))));
}
