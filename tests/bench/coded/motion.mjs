// Motions as `jointcast bench codec --dump` writes them: packets of one stream, followed by the JavaScript
// decoder, beside the samples that were encoded; and the joints of the built-in figure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bundle, decodeBundle, readSections } from '../../../clients/js/bundle.js';
import { ChainDecoder, loadModelChains } from '../../../clients/js/chain.js';
import { BONES, BONE_PARENTS } from '../../../clients/js/tables.js';

await loadModelChains();

const root = fileURLToPath(new URL('../../..', import.meta.url));
const SECTIONS = [null, 'body', 'face', 'hands', 'hips'];
export const SAMPLE = 4 * BONES.length + 3; // numbers of one: rotations, hips translation

// Arithmetic on quaternions in arrays, in double precision.
export function unit(values, at) {
	const [x, y, z, w] = values.subarray(at, at + 4);
	const length = Math.sqrt(x * x + y * y + z * z + w * w);
	return [x / length, y / length, z / length, w / length];
}

export function angle(a, b) {
	const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
	const chord = Math.sqrt(a.reduce((sum, value, i) => sum + (value - sign * b[i]) ** 2, 0));
	return (4 * Math.asin(chord / 2) * 180) / Math.PI;
}

function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
	return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
}

function rotate(q, [x, y, z]) {
	const [rx, ry, rz] = multiply(multiply(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]]);
	return [rx, ry, rz];
}

export const rests = JSON.parse(readFileSync(join(root, 'proto', 'joints.json'), 'utf8')).bones
	.map(({ rest }) => rest.map(Math.fround));

// Joints of the built-in figure, from its hips joint: places, and rotations in model space.
export function pose(rotations) {
	const worlds = [], places = [];
	for (let bone = 0; bone < BONES.length; bone++) {
		const parent = BONE_PARENTS[bone];
		const own = unit(rotations, 4 * bone);
		if (parent < 0) {
			worlds.push(own);
			places.push([0, 0, 0]);
			continue;
		}
		const way = rotate(worlds[parent], rests[bone].map((v, i) => v - rests[parent][i]));
		worlds.push(multiply(worlds[parent], own));
		places.push(way.map((v, i) => v + places[parent][i]));
	}
	return { worlds, places };
}

// The packets of one stream, followed by decoders of their own.
export class Stream {
	constructor(folder, entry) {
		const file = readFileSync(join(folder, entry.packets));
		Object.assign(this, entry);
		this.messages = [];
		for (let at = 0; at < file.length;) {
			const length = file.readUInt32LE(at);
			this.messages.push(new Uint8Array(file.subarray(at + 4, at + 4 + length)));
			at += 4 + length;
		}
		const samples = readFileSync(join(folder, entry.samples));
		this.samples = new Float32Array(samples.buffer.slice(samples.byteOffset,
			samples.byteOffset + samples.length));
		this.bundle = new Bundle();
		this.rewind();
	}

	// The first packet has the state of every section.
	rewind() {
		this.decoders = SECTIONS.map(() => null);
		this.walk(this.messages[0], (section, start, end, coding) => {
			this.decoders[section] = new ChainDecoder(SECTIONS[section]);
			this.decoders[section].readRejoin(this.messages[0], start, end, coding);
		});
	}

	// Calls back for each chain in the message; false for a body without one.
	walk(message, take) {
		if (message.length === 0 || decodeBundle(message, this.bundle).count === 0) {
			return false;
		}
		const { start, end, shape } = this.bundle;
		readSections(message, start[0], end[0], shape[0], (section, coding, from, to) => {
			if (coding !== 1) {
				take(section, from, to, coding);
			}
		});
		return true;
	}

	follow(message) {
		let seen = 0;
		const told = this.walk(message, (section, start, end) => {
			this.decoders[section].decode(message, start, end);
			seen |= 1 << section;
		});
		for (let section = 1; told && section < SECTIONS.length; section++) {
			if (!(seen >> section & 1)) {
				this.decoders[section]?.hold();
			}
		}
	}

	rotations(out) {
		for (const decoder of this.decoders) {
			decoder?.rotations(out);
		}
	}

	// Of the hips, metres.
	translation(out) {
		this.decoders[SECTIONS.indexOf('hips')].points(out);
	}
}
