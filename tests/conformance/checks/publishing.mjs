// The checks of level Publishing: a body of the client, from `publish` to `unpublished`.

import { joints } from './pose_capture.mjs';
import { require, sleep } from '../session.mjs';

const LATE_MS = 300; // by which the server delays an answer
const CAPTURES = 10;
const MOST_OFF_US = 5e6; // a clock that is not the server's is off by more

const captures = (session) => session.current.messages.filter(({ binary }) => binary);
const published = ({ publication, space, name }) => ({ type: 'published', publication, space, body: 5, name });

/** Starts the client, and answers its `publish` after what `before` does. */
async function open(session, before = () => {}) {
	await session.start();
	await session.connection();
	const request = await session.receive('publish');
	await before(request);
	session.current.send(published(request));
	return request;
}

const enough = (session, count = CAPTURES) =>
	session.until(`${count} captures`, () => captures(session).length >= count && captures(session));

const whenPublished = { id: 'publish-published', level: 'Publishing', command: 'publish', async run(session) {
	const { publication } = await open(session, async () => {
		await sleep(LATE_MS); // proves that nothing comes
		require(captures(session).length === 0, "expected no capture before 'published'");
	});
	const [first] = await enough(session);
	require(first.binary[0] === 0x21 && first.binary[1] === publication,
		`expected captures that begin with 21 and publication ${publication}, found ${first.binary.subarray(0, 2).toString('hex')}`);
	session.process.stdin.end();
	const { at, ...request } = await session.receive('unpublish');
	require(request.publication === publication, `expected 'unpublish' of publication ${publication}, found ${request.publication}`);
	await sleep(LATE_MS); // proves that nothing more comes
	require(captures(session).every((capture) => capture.at <= at), "expected no capture after 'unpublish'");
	session.current.send({ type: 'unpublished', publication });
} };

const clock = { id: 'publish-clock', level: 'Publishing', command: 'publish', async run(session) {
	session.answersPing = false;
	await open(session);
	const ping = await session.receive('ping');
	await sleep(LATE_MS); // proves that nothing comes
	require(captures(session).length === 0, "expected no capture before the first 'pong'");
	session.answersPing = true;
	session.received('ping').forEach((late) => late.t !== ping.t && session.pong(session.current, late));
	// The last ping has waited least; its answer is the best that the client has so far.
	session.pong(session.current, session.received('ping').at(-1));
	const found = await enough(session);
	const times = found.map(({ binary }) => binary.readUIntLE(4, 6));
	require(times.every((time, i) => i === 0 || time > times[i - 1]), `expected times that increase, found ${times.slice(0, 5)}`);
	const arrival = (capture) => session.clock + capture.at * 1000;
	const off = found.map((capture, i) => times[i] - arrival(capture));
	require(off.every((us) => Math.abs(us) < MOST_OFF_US),
		`expected capture times in server time, found one that is ${Math.round(Math.max(...off.map(Math.abs)) / 1000)} ms from its arrival`);
} };

const consent = { id: 'publish-consent', level: 'Publishing', command: 'publish', async run(session) {
	const { mayRecord = false, mayRebroadcast = false } = await open(session);
	require(mayRecord === false && mayRebroadcast === false, 'expected no consent without a decision of the person');
	await enough(session);
	require(session.received('consent').length === 0, "expected no 'consent' without a decision of the person");
} };

const again = { id: 'publish-again', level: 'Publishing', command: 'publish', async run(session) {
	await open(session);
	await enough(session);
	session.current.close(1001);
	await session.until('another connection', () => session.connections[1], 2000 + session.patience);
	const request = await session.receive('publish');
	session.current.send(published(request));
	await enough(session);
} };

const pose = { id: 'publish-pose', level: 'Publishing', command: 'publish', async run(session) {
	const { kind } = await open(session);
	require(kind === 'poses', `expected the kind 'poses', found '${kind}'`);
	const [{ binary }] = await enough(session);
	const found = joints(binary.subarray(2));
	const radians = (degrees) => degrees * Math.PI / 180;
	for (const [bone, expected] of [['head', [0, Math.sin(radians(15)), 0, Math.cos(radians(15))]],
		['leftUpperArm', [0, 0, Math.sin(radians(-30)), Math.cos(radians(-30))]]]) {
		const alike = Math.abs((found[bone] ?? [0, 0, 0, 1]).reduce((sum, v, i) => sum + v * expected[i], 0));
		require(alike > Math.cos(radians(0.25)), `expected the rotation ${expected.map((v) => v.toFixed(4))} of ${bone}, found ${found[bone]}`);
	}
} };

export const PUBLISHING = [whenPublished, clock, consent, again, pose];
