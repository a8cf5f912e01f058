// Three conversations in which a message to a client ends its session while the daemon is
// in the middle of something else. Each is a few kilobytes; none asks for more than any
// client may.
import { SocketClient } from '../support/socket_client.mjs';
import { until } from '../support/until.mjs';
import { exchange } from '../support/websocket_bytes.mjs';

const QUEUED = 128; // control messages that wait for one client, at most

/** Names of channels of about so many bytes in all. */
export const channels = (bytes) => Array.from({ length: Math.ceil(bytes / 250) },
	(_, i) => `expression/${i}-`.padEnd(Math.min(240, bytes), 'x'));

const publish = (space, publication, name, more) =>
	({ type: 'publish', space, publication, name, kind: 'poses', ...more });

/** Bundles that sockets of the space did not take. */
async function dropped(admin, space) {
	const { body } = await exchange(admin, 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n');
	return JSON.parse(body).spaces.find(({ name }) => name === space).dropped;
}

async function consents(wire, count) {
	const messages = Array.from({ length: count }, (_, i) => ({ type: 'consent', publication: 0, mayRecord: i % 2 === 0 }));
	wire.say(...messages);
	await wire.settled();
}

/**
 * Two subscribers stop reading until the queue of each is full. The next roster change ends
 * the first; since that one ignored the second, the second is then sent a `worn`, which ends
 * it too: while the change goes from one view to the next.
 */
export async function endTwoAtOnce({ port, admin }, { space = 'lobby', localAddress } = {}) {
	const wires = [];
	const enter = async (...messages) => {
		// Of coding 1, whose bundles are large.
		wires.push(await SocketClient.greeted(port, { localAddress, hello: { codings: [1] } }, ...messages));
		return wires.at(-1);
	};
	const watch = [{ type: 'join', space }, { type: 'subscribe', space }];
	const first = await enter(...watch, publish(space, 0, 'first'));
	const second = await enter(...watch, publish(space, 0, 'second'));
	const { body } = await second.get('published');
	// The newest subscriber comes first.
	first.say({ type: 'ignore', space, body }, { type: 'unsubscribe', space }, { type: 'subscribe', space });
	await first.settled();
	const changers = [];
	for (let i = 0; i < 2; i++) {
		const changer = await enter(publish(space, 0, `changer ${i}`));
		await changer.get('published');
		changers.push(changer);
	}
	await second.settled();
	first.pause();
	second.pause();
	// Motion fills the socket buffers of both clients.
	const before = await dropped(admin, space);
	await until('full sockets', async () => await dropped(admin, space) > before + 240, 60000);
	for (const changer of changers)
		await consents(changer, QUEUED / changers.length);
	changers[0].say({ type: 'unpublish', publication: 0 });
	return wires;
}

/**
 * A publisher whose bodies are muted fills its own queue but for one message, and publishes
 * again: the roster change that shows the body fits, the one that mutes it does not.
 */
export async function endWhilePublishing(port, { space = 'lobby', localAddress = '127.0.1.250', short = 0 } = {}) {
	const large = await SocketClient.greeted(port, {});
	for (let i = 0; i < 8; i++)
		large.say(publish(space, i, `large ${i}`, { channels: channels(50000) }));
	await large.until('answers', () => large.all('published').length + large.all('error').length === 8);
	large.say({ type: 'moderate', space, action: 'mute', address: localAddress });
	await large.get('moderated');
	const wire = await SocketClient.greeted(port, { localAddress }, publish(space, 0, 'muted'));
	await wire.get('published');
	await wire.settled();
	wire.pause();
	// Each consent has two answers: one to the publisher, one to all members of the space.
	wire.say({ type: 'join', space },
		...Array.from({ length: QUEUED / 2 - 1 }, (_, i) => ({ type: 'consent', publication: 0, mayRecord: i % 2 === 0 })),
		...Array.from({ length: short }, (_, i) => ({ type: 'ping', t: i })),
		publish(space, 1, 'muted too'));
	return [large, wire];
}

/** A calibration counts down in a space that is closed meanwhile. */
export async function closeDuringCalibration(port, { space = 'cellar', localAddress } = {}) {
	const wire = await SocketClient.greeted(port, { localAddress }, { ...publish(space, 0, 'Ada'), kind: 'body-frames', height: 1.7 });
	const { body } = await wire.get('published');
	wire.say({ type: 'calibrate', space, body, height: 1.7, countdown: 60 });
	await wire.get('calibration');
	wire.say({ type: 'administer', space, action: 'close' });
	await wire.get('administered');
	return [wire];
}
