// The checks of the levels Small packets and Model space: chains, their gaps, and acknowledgement.

import { Chain } from '../../../proto/golden/chain-writer.mjs';
import { frame, section } from '../../../proto/golden/packet-writer.mjs';
import { BODY, CONVERSATIONS, HipsStream, ROSTER, Scene, hipsAt, requirePosition, timeOf } from '../scene.mjs';
import { require, sleep } from '../session.mjs';
import { replay } from './core.mjs';

const HOME = BODY.placement;
const MOVED = [0.1, 0.02, 0]; // displacements of the hips
const FURTHER = [0.15, 0.04, 0.03];
const AWAY = [0.124, 0.03, 0.016]; // near enough to be decoded with a wrong state too
const BACK = [-0.1, 0, 0.1];

const inScene = (id, run, first = ROSTER, { level, coding } = { level: 'Small packets', coding: 2 }) => ({ id, level, command: 'watch', async run(session) {
	const scene = new Scene(session);
	await session.start();
	await scene.open({ roster: first });
	const { codings, credit } = session.received('hello')[0];
	require(codings?.includes(coding), `expected coding ${coding} in 'hello', found ${JSON.stringify(codings)}`);
	await run(scene, session, credit);
	session.requireConnected();
} });

const requireHips = async (session, time, hips) => requirePosition(await session.frame(BODY.id, time), hipsAt(HOME, hips));

/** Throws if a line from that time on has the hips elsewhere than at one of the positions. */
function requireKept(session, time, ...positions) {
	for (const line of session.frames.filter((line) => line.body === BODY.id && line.time >= time - 100)) {
		const [x, , z] = line.bones.hips.position;
		require(positions.some((hips) => Math.hypot(x - hipsAt(HOME, hips)[0], z - hipsAt(HOME, hips)[2]) < 0.001),
			`expected the pose from before the gap at time ${line.time}, found hips at ${line.bones.hips.position}`);
	}
}

/** Loses a packet of the stream: the client waits, and goes on with the next packet with K. */
async function loseAndRejoin(scene, session, stream, lose) {
	await requireHips(session, scene.cast([stream.rejoin()]), [0, 0, 0]);
	await requireHips(session, scene.cast([stream.step(MOVED)]), MOVED);
	const lost = timeOf(scene.tick);
	const following = lose(stream);
	scene.cast([following.step(AWAY)]);
	scene.cast([following.step(FURTHER)]);
	await session.until("'keyframe' from a client whose stream waits", () => session.received('keyframe').length > 0);
	const back = scene.cast([following.rejoin()]);
	await requireHips(session, back, FURTHER);
	await requireHips(session, scene.cast([following.step(BACK)]), BACK);
	session.frames = session.frames.filter(({ time }) => time < back - 100);
	requireKept(session, lost, MOVED);
}

const loseTwice = (coding) => async (scene, session) => {
	await loseAndRejoin(scene, session, new HipsStream(BODY.id, [0, 0, 0], 0, coding), (stream) => {
		stream.step(FURTHER); // is never sent
		return stream;
	});
	await loseAndRejoin(scene, session, new HipsStream(BODY.id, [0, 0, 0], 2, coding), () => {
		const restarted = new HipsStream(BODY.id, BACK, 3, coding);
		restarted.step(MOVED); // has the sequence of the packet before
		return restarted;
	});
};
const MODEL_SPACE = { level: 'Model space', coding: 3 };
const gap = inScene('small-gap', loseTwice(2));
const modelGap = inScene('model-gap', loseTwice(3), ROSTER, MODEL_SPACE);

const modelSwitch = inScene('model-switch', async (scene, session) => {
	let incarnation = 0;
	for (const [coding, hips] of [[3, MOVED], [2, FURTHER], [3, BACK]]) {
		const stream = new HipsStream(BODY.id, hips, incarnation++, coding);
		await requireHips(session, scene.cast([stream.rejoin()]), hips);
		await requireHips(session, scene.cast([stream.step(AWAY)]), AWAY);
	}
}, ROSTER, MODEL_SPACE);

const discard = inScene('small-discard', async (scene, session) => {
	await loseAndRejoin(scene, session, new HipsStream(BODY.id), (stream) => {
		// Sixteen packets are lost with one damaged bundle: the sequence has no gap.
		for (let n = 0; n < 16; n++)
			stream.step([0.1 + n / 100, 0, 0]);
		scene.cast([[0xc0, 8]]);
		return stream;
	});
});

const KEYFRAME_MS = 1300;
const keyframe = inScene('small-keyframe', async (scene, session) => {
	const stream = new HipsStream(BODY.id);
	await requireHips(session, scene.cast([stream.rejoin()]), [0, 0, 0]);
	stream.step(MOVED);
	scene.cast([stream.step(FURTHER)]);
	await session.receive('keyframe');
	const began = performance.now();
	const passed = () => performance.now() - began;
	for (let n = 0; passed() < KEYFRAME_MS || (session.received('keyframe').length < 2 && passed() < session.patience); n++) {
		scene.cast([stream.step([(n % 100) / 100, 0, 0])]);
		await sleep(50);
	}
	const count = session.received('keyframe').length;
	const most = 2 + Math.floor((performance.now() - began) / 500);
	require(count >= 2, `expected 'keyframe' again while the stream waits, found ${count} in ${Math.round(passed())} ms`);
	require(count <= most, `expected at most two 'keyframe' a second, found ${count} in ${Math.round(passed())} ms`);
});

const rejoin = inScene('small-rejoin', async (scene, session) => {
	const stream = new HipsStream(BODY.id);
	await requireHips(session, scene.cast([stream.rejoin()]), [0, 0, 0]);
	await requireHips(session, scene.cast([stream.step(MOVED)]), MOVED);
	await requireHips(session, scene.cast([stream.rejoin()]), MOVED); // of the same sequence
	await requireHips(session, scene.cast([stream.step(FURTHER)]), FURTHER);
	const another = new HipsStream(BODY.id, BACK, 5); // another level of detail, as after a move between streams
	await requireHips(session, scene.cast([another.rejoin()]), BACK);
	await requireHips(session, scene.cast([another.step(MOVED)]), MOVED);
});

const roster = inScene('small-roster', async (scene, session) => {
	const stream = new HipsStream(BODY.id);
	await requireHips(session, scene.cast([stream.rejoin()]), [0, 0, 0]);
	scene.send({ ...ROSTER, revision: ROSTER.revision + 5 });
	await requireHips(session, scene.cast([stream.step(MOVED)]), MOVED);
	await requireHips(session, scene.cast([stream.step(FURTHER)]), FURTHER);
});

const hold = inScene('small-hold', async (scene, session) => {
	const hips = new Chain('hips', 'standard', [], { translation: [0, 0, 0] });
	const arm = new Chain('body', 'standard', ['leftLowerArm'], { leftLowerArm: [0, 0, 0, 1] });
	const cast = (sequence, more, payload, shape = 0) => scene.cast([frame({ body: BODY.id, sequence, more, shape }, payload, true)]);
	cast(0, 8, [...section(1, 2, arm.rejoin()), ...section(4, 2, hips.rejoin())]);
	const turned = (n) => [0, Math.sin(n / 10), 0, Math.cos(n / 10)];
	for (let n = 1; n <= 4; n++) { // the hips hold: no section 4
		hips.hold();
		cast(n, 0, arm.frame({ leftLowerArm: turned(n) }, false), 1);
	}
	hips.hold();
	arm.hold();
	cast(5, 0, []);
	for (let n = 1; n <= 6; n++) {
		const to = [0.006 * n, 0.004 * n, -0.002 * n];
		arm.hold();
		await requireHips(session, cast(5 + n, 0, [8, ...hips.frame({ translation: to }, false)]), to);
	}
});

const ACK_MS = 1200;
const LEAST_ACKS = 4; // a busy machine may send fewer than one in 100 ms
const ack = inScene('small-ack', async (scene, session, credit) => {
	require(credit === true, "expected 'credit' in 'hello'");
	const stream = new HipsStream(BODY.id);
	// Bundles that are 400 ms old when they arrive, as over a long line.
	const oldTick = () => Math.floor((session.now() - 400_000 - ROSTER.tickTime) * 60 / 1e6);
	scene.cast([stream.rejoin()], oldTick());
	const began = performance.now();
	let newest;
	const passed = () => performance.now() - began;
	for (let n = 0; passed() < ACK_MS || (session.received('ack').length < LEAST_ACKS && passed() < session.patience); n++) {
		newest = Math.max(oldTick(), scene.tick);
		scene.cast([stream.step([(n % 100) / 100, 0, 0])], newest);
		await sleep(17);
	}
	const duration = passed();
	await session.until(`'ack' of the last bundle, of tick ${newest}`, () => session.received('ack').at(-1)?.tick === newest);
	await sleep(300); // proves that nothing more comes
	const acks = session.received('ack');
	require(acks.length >= LEAST_ACKS, `expected an 'ack' every 100 ms, found ${acks.length} in ${Math.round(duration)} ms`);
	require(acks.length <= Math.ceil(duration / 100) + 3,
		`expected an 'ack' every 100 ms and one after the last bundle, found ${acks.length} in ${Math.round(duration)} ms`);
	require(acks.every(({ tick }, i) => i === 0 || tick >= acks[i - 1].tick), "expected ticks of 'ack' in ascending order");
}, { ...ROSTER, tickHz: 60 });

export const SMALL_PACKETS = [replay('small-pose', 'Small packets', CONVERSATIONS[1]), gap, keyframe, discard, rejoin, roster, hold, ack,
	replay('model-pose', MODEL_SPACE.level, CONVERSATIONS[2]), modelGap, modelSwitch];
