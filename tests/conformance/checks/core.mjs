// The checks of level Core: from hello to a body that moves.

import { frame, makePacket, section } from '../../../proto/golden/packet-writer.mjs';
import { BODY, CONVERSATIONS, ROSTER, SKELETON, Scene, hipsAt, requirePose, requirePosition } from '../scene.mjs';
import { require, sleep } from '../session.mjs';

const OTHER = { ...BODY, id: 4, name: 'sitter', placement: { position: [-2, 0, 1], yaw: 0 } };
const change = (revision, fields) => ({ type: 'roster', space: 'lobby', revision, ...fields });

/** A check that opens a scene and goes on with it. */
const inScene = (id, run) => ({ id, level: 'Core', command: 'watch', async run(session) {
	const scene = new Scene(session);
	await session.start();
	await scene.open();
	await run(scene, session);
	session.requireConnected();
} });

const connect = { id: 'core-connect', level: 'Core', command: 'watch', async run(session) {
	await session.start({ selects: false });
	const connection = await session.connection();
	require(connection.offered.includes('jointcast.v1'), `expected the subprotocol jointcast.v1, found '${connection.offered}'`);
	await session.until('the client to end a connection without the subprotocol', () => connection.closed);
} };

const hello = { id: 'core-hello', level: 'Core', command: 'watch', async run(session) {
	session.answersHello = false;
	await session.start();
	const connection = await session.connection();
	const { text } = await session.until('a message within 10 s', () => connection.messages[0], 10000);
	require(text?.type === 'hello', `expected 'hello' first, found '${text?.type ?? 'binary'}'`);
} };

const join = inScene('core-join', async (scene, session) => {
	const [first] = session.received('join'), [second] = session.received('subscribe');
	require(first.at <= second.at, "expected 'join' before 'subscribe'");
	await scene.requireShown();
});

const unknownType = inScene('core-unknown-type', async (scene) => {
	scene.send({ type: 'weather', space: 'lobby', bodies: [], clouds: { of: ['rain'] } });
	scene.send({ type: 'constructor' });
	await scene.requireGoesOn();
});

const unknownField = { id: 'core-unknown-field', level: 'Core', command: 'watch', async run(session) {
	const strange = { future: { of: [1, null, 'x'] }, next: false };
	session.welcome = strange;
	const scene = new Scene(session);
	await session.start();
	await scene.open({
		roster: { ...ROSTER, ...strange, bodies: [{ ...BODY, ...strange, placement: { ...BODY.placement, ...strange } }] },
		skeleton: { ...SKELETON, ...strange, descriptor: { ...SKELETON.descriptor, ...strange,
			nodes: SKELETON.descriptor.nodes.map((node) => ({ ...node, ...strange })) } },
	});
	await scene.requireShown();
	scene.send(change(5, strange)); // nothing in it is known, and the next change still follows
	scene.send(change(6, { joined: [{ ...OTHER, ...strange }] }));
	await scene.requireShown(OTHER.id, OTHER.placement);
	require(session.received('join').length === 1, "expected no further 'join' after a change with unknown fields alone");
	session.requireConnected();
} };

const rosterChange = inScene('core-roster-change', async (scene) => {
	scene.send(change(5, { joined: [OTHER] }));
	await scene.requireShown(OTHER.id, OTHER.placement);
	const moved = { ...OTHER, placement: { position: [3, 0, 3], yaw: 1 } };
	scene.send(change(6, { changed: [moved], left: [BODY.id] }));
	const time = scene.show({ body: BODY.id });
	await scene.requireShown(OTHER.id, moved.placement);
	scene.requireNoFrame(BODY.id, time);
});

const rosterOld = inScene('core-roster-old', async (scene) => {
	scene.send(change(4, { left: [BODY.id] }));
	scene.send(change(3, { left: [BODY.id] }));
	await scene.requireShown();
});

const rosterGap = inScene('core-roster-gap', async (scene, session) => {
	scene.send(change(7, { joined: [] }));
	await session.until("another 'join' after a missing revision", () => session.received('join')[1]);
	scene.send({ ...ROSTER, revision: 8, bodies: [BODY, OTHER] });
	await scene.requireShown(OTHER.id, OTHER.placement);
});

const rosterComplete = inScene('core-roster-complete', async (scene) => {
	await scene.requireShown();
	scene.send({ ...ROSTER, revision: 9, bodies: [OTHER] });
	const time = scene.show({ body: BODY.id });
	await scene.requireShown(OTHER.id, OTHER.placement);
	scene.requireNoFrame(BODY.id, time);
});

const epoch = inScene('core-epoch', async (scene, session) => {
	const here = { position: [5, 0, 5], yaw: 0 };
	const first = scene.show({ placement: { position: [1, 0, 1], yaw: 1 } });
	await session.frame(BODY.id, first);
	scene.send({ ...ROSTER, epoch: 'another', id: 2, revision: 1, bodies: [{ ...BODY, placement: here }] });
	scene.space = 2;
	await scene.requireShown(BODY.id, here);
});

const skeletonOnce = inScene('core-skeleton-once', async (scene) => {
	scene.send(change(5, { joined: [OTHER], left: [BODY.id] }));
	await scene.requireShown(OTHER.id, OTHER.placement);
});

const damaged = inScene('core-damaged', async (scene, session) => {
	const good = makePacket({ body: BODY.id, hips: [0, 0.1, 0] }).bytes(false);
	const damaged = frame({ body: 9, more: 8 }, [0x11, 4, 0, 0, 0], true);
	const time = scene.cast([good, damaged]);
	requirePosition(await session.frame(BODY.id, time), hipsAt(BODY.placement, [0, 0.1, 0]));
	scene.cast([[0xc0, 8]]);
	await scene.requireGoesOn();
});

const shortHead = inScene('core-short-head', async (scene, session) => {
	scene.show({});
	scene.tick = 2 ** 32 - 2; // too far for a short head
	scene.cast([frame({ body: BODY.id, more: 8 }, [0x11], true)]);
	await scene.requireShown();
	const hips = [0, 0.2, 0];
	const time = scene.show({ hips });
	requirePosition(await session.frame(BODY.id, time), hipsAt(BODY.placement, hips));
});

const unknownKind = inScene('core-unknown-kind', async (scene, session) => {
	scene.show({});
	session.current.cast([0x12, 1, 2, 3]);
	session.current.cast([0x31, 0x99, 0x99]);
	await scene.requireGoesOn();
});

const unknownSection = inScene('core-unknown-section', async (scene, session) => {
	const strange = [...section(9, 1, [1, 2, 3]), ...section(1, 13, [255, 255]), ...section(15, 15, []), ...section(4, 1, [20, 0, 0])];
	const time = scene.cast([frame({ body: BODY.id, more: 8 }, strange, true)]);
	requirePosition(await session.frame(BODY.id, time), hipsAt(BODY.placement, [0.01, 0, 0]));
});

const unknownBody = inScene('core-unknown-body', async (scene, session) => {
	const hips = [0, -0.1, 0];
	const time = scene.show({ body: 77, hips: [1, 1, 1] }, { hips });
	requirePosition(await session.frame(BODY.id, time), hipsAt(BODY.placement, hips));
});

const rest = inScene('core-rest', async (scene, session) => {
	const pose = CONVERSATIONS[0].messages.find(({ poses }) => poses?.length);
	const half = Math.SQRT1_2;
	const turned = scene.show({ rotations: { leftUpperArm: [half, 0, 0, half], spine: [half, 0, 0, half] }, hips: [0.5, 0.5, 0.5] });
	await session.frame(BODY.id, turned);
	const line = await session.frame(BODY.id, scene.show({}));
	requirePosition(line, hipsAt(BODY.placement));
	// The spine and the head depend on the spine alone, which the first bundle of the conversation leaves at rest.
	for (const bone of ['spine', 'head'])
		requirePosition(line, pose.poses[0].bones[bone].position.map((v, i) =>
			v - pose.poses[0].bones.hips.position[i] + hipsAt(BODY.placement)[i]), bone);
});

const placement = inScene('core-placement', async (scene, session) => {
	await scene.requireShown();
	const there = { position: [7, 0.5, -3], yaw: 0 };
	const time = scene.show({ placement: there });
	requirePosition(await session.frame(BODY.id, time), hipsAt(there));
	scene.send(change(5, { changed: [{ ...BODY, placement: { position: [9, 9, 9], yaw: 1 } }] }));
	await scene.requireShown(BODY.id, there);
});

/** Plays a recorded conversation as the server, and requires its poses. */
export const replay = (id, level, { messages }) => ({ id, level, command: 'watch', async run(session) {
	const scene = new Scene(session);
	const texts = messages.filter(({ from, message }) => from === 'server' && message).map(({ message }) => message);
	session.welcome = { codings: texts[0].codings };
	await session.start();
	await scene.open({ roster: texts.find(({ type }) => type === 'roster'), skeleton: texts.find(({ type }) => type === 'skeleton') });
	for (const { hex, poses } of messages.filter(({ hex }) => hex)) {
		session.current.cast(Buffer.from(hex, 'hex'));
		for (const pose of poses)
			requirePose(await session.frame(pose.body, pose.time), pose);
	}
	session.requireConnected();
} });

const error = inScene('core-error', async (scene) => {
	scene.send({ type: 'error', code: 'too-many', message: 'a limit is reached', ref: 'keyframe' });
	scene.send({ type: 'error', code: 'moon-phase', message: 'a code of a later version' });
	await scene.requireGoesOn();
});

// The bounds of the waits are 0.5, 1, 2 ... s: seven waits within this time happen once in half a million.
const CLOSING_MS = 2000;
const MOST_CONNECTIONS = 7;
const reconnect = { id: 'core-reconnect', level: 'Core', command: 'watch', async run(session) {
	await session.start();
	const connection = await session.connection();
	const { text } = await session.until('a first message', () => connection.messages[0]);
	require(text?.type === 'hello', `expected 'hello' first, found '${text?.type ?? 'binary'}'`);
	connection.close(1001);
	session.closesAll = true;
	await sleep(CLOSING_MS); // counts attempts
	session.closesAll = false;
	const count = session.connections.length;
	require(count <= MOST_CONNECTIONS, `expected back-off, found ${count} connections in ${CLOSING_MS} ms`);
	await session.until('another connection after a close', () => session.connections[count], 16000 + session.patience);
	const scene = new Scene(session);
	await scene.open({ connection: count + 1 });
	require(session.current.messages[0].text?.type === 'hello', "expected 'hello' first after a reconnection");
	await scene.requireShown();
} };

const cycle = { name: 'cycle', nodes: [{ name: 'a', parent: 1 }, { name: 'b', parent: 0 }], bones: { hips: 0 } };
const HOSTILE = [
	'', '{', '[]', '7', 'null', '"roster"', '{"type":5}', '{"type":"__proto__"}', `${'['.repeat(5000)}${']'.repeat(5000)}`,
	...[
		{ type: 'roster' }, { type: 'roster', space: 'lobby', revision: 5, joined: 7, left: 'x', changed: {} },
		{ type: 'roster', space: 'lobby', revision: 5, joined: [null, 3, { id: 'x' }, { id: -1 }] },
		{ ...SKELETON, hash: 'd'.repeat(64), descriptor: cycle }, { ...SKELETON, hash: 'e'.repeat(64), descriptor: null },
		{ ...SKELETON, hash: 'f'.repeat(64), descriptor: { nodes: [{ parent: 99 }], bones: { hips: 1e9, head: -5 } } },
		{ type: 'worn', space: 'lobby', bodies: [{ id: 77 }, null] }, { type: 'pong' }, { type: 'pong', t: 'x', time: null },
		{ type: 'error' }, { type: 'welcome', protocol: 'jointcast.v1', time: 'x', limits: 3 }, { type: 'published', publication: 'x' },
	].map((message) => JSON.stringify(message)),
];

/** A client may end the connection to a server that breaks the protocol, and then comes back. */
const hostile = { id: 'core-hostile', level: 'Core', command: 'watch', async run(session) {
	const scene = new Scene(session);
	await session.start();
	await scene.open();
	for (const text of HOSTILE)
		session.current.sendText(text);
	for (const bytes of [[], [0x11], Array(65537).fill(0x11), [0x11, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, ...Array(3000).fill(0xff)]])
		session.current.cast(bytes);
	scene.tick += 1000; // after damage the runner does not rely on a short head
	const time = scene.show({});
	await session.until('another connection, or a line after messages that break the protocol', () =>
		session.connections.length > 1 || session.frames.some((frame) => frame.time === time), 8000 + session.patience);
	const again = new Scene(session);
	if (session.connections.length > 1)
		await again.open({ connection: session.connections.length });
	again.tick = scene.tick + 1000;
	await again.requireShown();
} };

const GOING_MS = 800;
const goingAway = { id: 'core-going-away', level: 'Core', command: 'watch', async run(session) {
	const scene = new Scene(session);
	await session.start();
	await scene.open();
	const sent = performance.now();
	scene.send({ type: 'going_away', retryAfter: GOING_MS });
	session.current.close(1001);
	await session.until('another connection', () => session.connections[1], GOING_MS + 2000 + session.patience);
	const waited = performance.now() - sent;
	require(waited >= GOING_MS, `expected no connection within ${GOING_MS} ms, found one after ${Math.round(waited)} ms`);
} };

export const CORE = [connect, hello, join, unknownType, unknownField, rosterChange, rosterOld, rosterGap, rosterComplete,
	epoch, skeletonOnce, damaged, shortHead, unknownKind, unknownSection, unknownBody, rest, placement,
	replay('core-pose', 'Core', CONVERSATIONS[0]), error, hostile, reconnect, goingAway];
