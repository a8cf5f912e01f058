// Makes random messages of the protocol: with valid fields, or damaged.
import { BodyFrame, PoseFrame, TRACKED, captureMessage, encodeBodyFrame, encodePose } from '../../../clients/js/body-frame.js';

/** Chances that are the same for the same seed (mulberry32). */
export class Dice {
	constructor(seed) {
		this.state = seed >>> 0;
	}

	unit() {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let x = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
		return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
	}

	below(n) {
		return Math.floor(this.unit() * n);
	}

	of(list) {
		return list[this.below(list.length)];
	}

	chance(p) {
		return this.unit() < p;
	}

	/** So many entries, fewer than `most`. */
	many(most, entry) {
		return Array.from({ length: this.below(most) }, (_, i) => entry(i));
	}
}

export const SPACES = ['lobby', 'attic', 'open', 'cellar', 'shed', 'nowhere/'];
const ROLES = ['watch', 'publish', 'record', 'moderate', 'administer'];
export const PEOPLE = 40; // subjects s0, s1 …

export function claims(dice, i) {
	return { sub: `s${i % PEOPLE}`, roles: dice.chance(0.4) ? ROLES : ROLES.filter((role) => role === 'watch' || dice.chance(0.6)) };
}

const position = (dice) => [0, 0, 0].map(() => (dice.below(2000) - 1000) / 100);
const viewpoint = (dice) => ({ position: position(dice), ...(dice.chance(0.5) ? { yaw: dice.unit() * 6 } : { direction: [1, 0, dice.unit()] }),
	...(dice.chance(0.3) ? { fov: 0.2 + dice.unit() * 3 } : {}) });
const meta = (dice) => Object.fromEntries(dice.many(17, (i) => [`k${i}`, dice.of(['text'.repeat(dice.below(9)), dice.below(99), true])]));
const ids = (dice, self) => dice.many(64, () => dice.of([...self.bodies, dice.below(300)]));
const body = (dice, self) => (self.bodies.size > 0 && dice.chance(0.95) ? dice.of([...self.bodies]) : dice.below(300));

/** A descriptor of a figure with so many bones of the spine. */
export function descriptor(dice) {
	const nodes = [{ name: 'hips', translation: [0, 0.5 + dice.unit(), 0] }];
	const bones = { hips: 0 };
	for (const name of ['spine', 'chest', 'neck', 'head'].slice(0, dice.below(5))) {
		nodes.push({ name, parent: nodes.length - 1, translation: [0, 0.05 + dice.unit() / 5, 0] });
		bones[name] = nodes.length - 1;
	}
	for (let i = dice.below(60); i > 0; i--)
		nodes.push({ name: `n${i}`, parent: dice.below(nodes.length), translation: position(dice) });
	return { nodes, bones };
}

const publication = (dice, self) => (self.publications.size > 0 && dice.chance(0.95) ? dice.of([...self.publications.keys()]) : dice.below(9));

const makers = {
	hello: (dice, self) => ({ codings: dice.of([[1], [2, 1], [2], [14, 2, 1]]), credit: dice.chance(0.4), token: self.token() }),
	token: (dice, self) => ({ token: self.token() }),
	join: () => ({}),
	leave: () => ({}),
	subscribe: (dice, self) => ({
		...(dice.chance(0.4) ? { viewpoints: dice.many(5, () => viewpoint(dice)) } : {}),
		...(dice.chance(0.2) ? { bodies: ids(dice, self) } : {}), ...(dice.chance(0.2) ? { ignore: ids(dice, self) } : {}),
		...(dice.chance(0.3) ? { skeleton: dice.of(['own', 'humanoid', ...self.hashes]) } : {}),
		...(dice.chance(0.5) ? { precision: dice.of(['fine', 'standard', 'coarse']), rate: dice.of([1, 2, 4]) } : {}),
		...(dice.chance(0.3) ? { sections: ['body', 'face', 'hands', 'hips', 'channels', 'virtual'].filter((_, i) => i === 0 || dice.chance(0.5)) } : {}),
		...(dice.chance(0.3) ? { budget: 1 + dice.below(100000) } : {}), ...(dice.chance(0.2) ? { priority: ids(dice, self) } : {}) }),
	viewpoint: (dice, self) => ({ viewpoints: dice.many(5, () => viewpoint(dice)), ...(dice.chance(0.3) ? { priority: ids(dice, self) } : {}) }),
	ignore: (dice, self) => ({ body: body(dice, self), ignore: dice.chance(0.7) }),
	unsubscribe: () => ({}),
	keyframe: () => ({}),
	ack: (dice, self) => ({ tick: dice.chance(0.9) ? self.tick : dice.below(1e6) }),
	publish: (dice, self) => ({ publication: dice.below(9), name: `${dice.of(['Ada', 'Bob', 'Eve', 'Zoë'])} ${dice.below(20)}`,
		kind: dice.of(['poses', 'body-frames']), mayRecord: dice.of([true, false, 'raw']), mayRebroadcast: dice.chance(0.5),
		...(dice.chance(0.3) ? { channels: dice.many(40, (i) => `expression/${i}${'x'.repeat(dice.below(200))}`) } : {}),
		...(dice.chance(0.3) ? { display: `D${dice.below(99)}`, meta: meta(dice) } : {}),
		...(dice.chance(0.3) ? { placement: { position: position(dice), yaw: dice.unit() } } : {}),
		...(dice.chance(0.2) ? { height: 1 + dice.unit(), smooth: true } : {}),
		...(dice.chance(0.2) && self.hashes.length > 0 ? { skeleton: dice.of(self.hashes) } : {}) }),
	consent: (dice, self) => ({ publication: publication(dice, self), mayRecord: dice.of([true, false, 'raw']), mayRebroadcast: dice.chance(0.5) }),
	amend: (dice, self) => ({ publication: publication(dice, self), display: `D${dice.below(99)}`, meta: meta(dice) }),
	place: (dice, self) => ({ body: self.claims.roles.includes('moderate') ? body(dice, self) : dice.of([...self.own.values()]), position: position(dice), yaw: dice.unit() * 6, teleport: dice.chance(0.3),
		...(dice.chance(0.2) ? { seat: { height: 0.2 + dice.unit() } } : {}) }),
	stage: (dice, self) => ({ body: body(dice, self), stage: dice.chance(0.5) }),
	unpublish: (dice, self) => ({ publication: publication(dice, self) }),
	calibrate: (dice, self) => ({ body: body(dice, self), ...(dice.chance(0.2) ? { undo: true }
		: { height: 1 + dice.unit(), pose: dice.of(['t', 'i']), countdown: dice.below(4) }) }),
	skeleton: (dice) => ({ name: `figure ${dice.below(9)}`, descriptor: descriptor(dice) }),
	unregister: (dice) => ({ name: `figure ${dice.below(9)}` }),
	skeletons: () => ({}),
	record: (dice) => dice.of([{ action: 'start', name: 'chaos', kind: dice.of(['anonymous', 'raw']) }, { action: 'stop' },
		{ action: 'marker', label: 'a mark' }, { action: 'state' }]),
	replay: (dice, self) => dice.of([{ action: 'list' }, { action: 'state' }, { action: 'rewind', seconds: 1 + dice.below(20) },
		{ action: 'open', file: dice.of([...self.files, 'none.mcap']), speed: 0.1 + dice.unit() * 9, loop: dice.chance(0.5), prefix: dice.of(['', 'again ']) },
		...['play', 'pause', 'close', 'close'].map((action) => ({ action, id: self.replay })),
		{ action: 'seek', id: self.replay, time: dice.unit() * 5 }, { action: 'speed', id: self.replay, speed: 0.5 },
		{ action: 'loop', id: self.replay, loop: true }, { action: 'range', id: self.replay, from: 0, until: dice.unit() }]),
	moderate: (dice, self) => ({ action: dice.of(['hide', 'show', 'mute', 'unmute', 'kick', 'ban', 'unban', 'list', 'unban', 'show']),
		...dice.of([{ body: body(dice, self) }, { subject: `s${dice.below(PEOPLE)}` }, { name: `Ada ${dice.below(20)}` },
			{ address: `127.0.1.${1 + dice.below(30)}` }]), ...(dice.chance(0.9) ? { seconds: 1 + dice.below(4) } : {}), reason: 'chaos' }),
	administer: (dice) => (dice.chance(0.9) ? { action: 'limit', bodies: 1 + dice.below(64), subscribers: 20 + dice.below(1000) } : { action: 'close' }),
	ping: (dice) => ({ t: dice.below(1e6) }),
};
const TYPES = Object.keys(makers);
// Frequent messages of real clients are frequent here.
const OFTEN = ['join', 'subscribe', 'publish', 'ack', 'viewpoint', 'place', 'consent', 'ping'];
const ROLE_OF = { publish: 'publish', calibrate: 'publish', record: 'record', replay: 'record', moderate: 'moderate', stage: 'moderate',
	administer: 'administer' };
const OF_JOINED = ['leave', 'subscribe', 'viewpoint', 'unsubscribe', 'keyframe', 'ack'];
const OF_PUBLICATION = ['consent', 'amend', 'unpublish', 'place'];

/** Mostly valid values: too many errors would end the connection. */
function chooseType(dice, self) {
	for (;;) {
		const type = dice.chance(0.4) ? dice.of(OFTEN) : dice.of(TYPES);
		const isSensible = (!ROLE_OF[type] || self.claims.roles.includes(ROLE_OF[type])) &&
			(!OF_PUBLICATION.includes(type) || self.publications.size > 0) && (!OF_JOINED.includes(type) || self.isJoined);
		if (isSensible || dice.chance(0.02))
			return type;
	}
}

export function valid(dice, self, type = chooseType(dice, self)) {
	const space = dice.chance(0.95) ? self.space : dice.of(SPACES);

	if (space === self.space && (type === 'join' || type === 'leave'))
		self.isJoined = type === 'join';
	return { type, space, ...makers[type](dice, self) };
}

/** A value that is rarely valid for a field. */
function nonsense(dice) {
	return dice.of([null, true, -1, 0.5, 1e308, 2 ** 32, 4294967297, 9007199254740993, '', 'x'.repeat(dice.below(70000)), '\u202e', '../../etc/passwd', [], {},
		[[[[1]]]], { a: { b: {} } }, Array(300).fill(0), `lobby~${dice.below(9)}`]);
}

/** The text of a message that is wrong somewhere. */
export function spoil(dice, message) {
	const keys = Object.keys(message);
	const key = dice.of(keys);
	const text = JSON.stringify(message);

	switch (dice.below(6)) {
	case 0: {
		const { [key]: _, ...rest } = message;
		return JSON.stringify(rest);
	}
	case 1:
		return text.slice(0, dice.below(text.length));
	case 2:
		return `${'['.repeat(dice.below(40))}${text}`;
	default:
		return JSON.stringify({ ...message, [key]: nonsense(dice) });
	}
}

/** A capture of the publication, or bytes that are none. */
export function capture(dice, number, kind, now) {
	if (dice.chance(0.05))
		return Buffer.from(dice.many(200, () => dice.below(256)));
	const frame = kind === 'poses' ? new PoseFrame() : new BodyFrame();
	for (let i = 0; i < frame.states.length; i++) {
		frame.states[i] = dice.chance(0.8) ? TRACKED : 0;
		frame.rotations[4 * i + 3] = 1;
		if (kind !== 'poses')
			frame.positions.set([i / 100, 1 + i / 200, dice.unit() / 10], 3 * i);
	}
	frame.time = now;
	frame.cut = dice.chance(0.02);
	const bytes = Buffer.from(captureMessage(number, kind === 'poses' ? encodePose(frame) : encodeBodyFrame(frame)));
	if (dice.chance(0.03))
		bytes[dice.below(bytes.length)] ^= 1 << dice.below(8);
	return bytes;
}

/** Frames that no client may send. */
export function damage(dice) {
	return dice.of([Buffer.from([0x81, 0x05, 1, 2, 3]), Buffer.from([0x8b, 0x80, 0, 0, 0, 0]), Buffer.from([0xc1, 0x80, 0, 0, 0, 0]),
		Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]), Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x7f, 0, 0, 0, 0, 0, 0]),
		Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8])]);
}
