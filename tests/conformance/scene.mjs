// The space that the runner shows: one body that wears the figure of the golden conversation. Its bytes come from the writers of proto/golden.

import { readFileSync } from 'node:fs';
import { Chain } from '../../proto/golden/chain-writer.mjs';
import { begin, frame, makePacket, section } from '../../proto/golden/packet-writer.mjs';
import { Failure, require } from './session.mjs';

export const golden = (name) => JSON.parse(readFileSync(new URL(`../../proto/golden/${name}`, import.meta.url), 'utf8'));
export const CONVERSATIONS = golden('conversation.json');
const find = (type) => CONVERSATIONS[0].messages.map(({ message }) => message).find((message) => message?.type === type);
export const ROSTER = find('roster');
export const SKELETON = find('skeleton');
export const BODY = ROSTER.bodies[0];
export const FIRST_TICK = 300;
const HIPS_HEIGHT = 0.96; // of the figure
const MOST_AWAY = 0.001; // metres
const MOST_TURNED = 0.0002; // of a quaternion; 0.02 degrees

/** The nominal time of a tick. */
export const timeOf = (tick) => ROSTER.tickTime + Math.floor(tick * 1e6 / ROSTER.tickHz);

/** Where the hips are in the space, for a placement and a displacement. */
export function hipsAt({ position, yaw }, [x, y, z] = [0, 0, 0]) {
	const [sine, cosine] = [Math.sin(yaw), Math.cos(yaw)];
	return [position[0] + cosine * x + sine * z, position[1] + HIPS_HEIGHT + y, position[2] - sine * x + cosine * z];
}

const show = (position) => `[${position.map((v) => v.toFixed(4)).join(', ')}]`;

/** Throws unless the bone of the line is at the position, within a millimetre. */
export function requirePosition(line, position, bone = 'hips') {
	const found = line.bones?.[bone]?.position;
	require(found, `expected the bone '${bone}' with a position in the line of body ${line.body} at time ${line.time}`);
	const away = Math.hypot(...found.map((v, i) => v - position[i]));
	require(away <= MOST_AWAY, `expected ${bone} of body ${line.body} at ${show(position)} at time ${line.time}, found ${show(found)}`);
}

/** Throws unless the line has the pose: positions of all bones, and rotations where it has some. */
export function requirePose(line, pose) {
	for (const [bone, { rotation, position }] of Object.entries(pose.bones)) {
		requirePosition(line, position, bone);
		const found = line.bones[bone].rotation;
		if (!found)
			continue;
		const away = (sign) => Math.hypot(...found.map((v, i) => v - sign * rotation[i]));
		require(Math.min(away(1), away(-1)) < MOST_TURNED,
			`expected the rotation ${rotation} of ${bone} at time ${line.time}, found ${found}`);
	}
}

/** The chain of the hips of a body, and the packets that step it. */
export class HipsStream {
	#sequence = 0;

	constructor(body, hips = [0, 0, 0], incarnation = 0, coding = 2) {
		this.body = body;
		this.coding = coding;
		this.incarnation = incarnation;
		this.chain = new Chain('hips', 'standard', [], { translation: hips }, coding);
	}

	#packet(more, shape, payload, last) {
		return frame({ body: this.body, sequence: this.#sequence, shape, more: more | (this.incarnation << 5) }, payload, last);
	}

	/** A packet with K. */
	rejoin(last = true) {
		return this.#packet(8, 0, section(4, this.coding, this.chain.rejoin()), last);
	}

	/** A packet without K that moves the hips there. */
	step(hips, last = true) {
		this.#sequence = (this.#sequence + 1) % 16;
		const bytes = this.chain.frame({ translation: hips }, false);
		return this.#packet(0, 0, bytes.length ? [8, ...bytes] : [], last);
	}
}

/** The conversation of a check with a client that watches. */
export class Scene {
	#before = null; // space and tick of the bundle before

	constructor(session, { space = ROSTER.id } = {}) {
		this.session = session;
		this.space = space;
		this.tick = FIRST_TICK;
	}

	send(message) {
		this.session.current.send(message);
	}

	/** Takes the client from hello to the first bundle; the messages may be changed. */
	async open({ roster = ROSTER, skeleton = SKELETON, connection = 1 } = {}) {
		await this.session.connection(connection);
		await this.session.receive('hello');
		await this.session.receive('join');
		this.send(roster);
		await this.session.receive('subscribe');
		if (skeleton)
			this.send(skeleton);
	}

	/** Sends a bundle of packets at the next tick, or at another one; returns its time. */
	cast(packets, tick = this.tick) {
		const head = { space: this.space, tick };
		const short = this.#before?.space === head.space && (tick - this.#before.tick + 2 ** 32) % 2 ** 32 <= 127;
		this.session.current.cast([...begin(head, short), ...packets.flat()]);
		this.#before = head;
		this.tick = (tick + 1) % 2 ** 32;
		return timeOf(tick);
	}

	/** Sends a bundle with one packet of coding 1 for each input, and returns its time. */
	show(...inputs) {
		return this.cast(inputs.map((input, i) => makePacket({ body: BODY.id, ...input }).bytes(i === inputs.length - 1)));
	}

	/** Shows a body with displaced hips and requires the line with it; `placement`: where it then is. */
	async requireShown(body = BODY.id, placement = BODY.placement, hips = [0.1, 0.05, -0.2]) {
		const time = this.show({ body, hips });
		requirePosition(await this.session.frame(body, time), hipsAt(placement, hips));
		return time;
	}

	/** Requires two lines, one after the other: a client that ends may still show the first. */
	async requireGoesOn() {
		await this.requireShown();
		await this.requireShown();
	}

	/** Throws if there is a line of the body at that time or later. */
	requireNoFrame(body, time) {
		const line = this.session.frames.find((found) => found.body === body && found.time >= time - 100);
		if (line)
			throw new Failure(`expected no line of body ${body} from time ${time} on, found one at ${line.time}`);
	}
}
