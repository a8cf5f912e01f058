// Reads the bodies of recordings (proto/RECORDING.md): the container with npm @mcap/core, captures as
// PUBLISHING.md describes them, bones by forward kinematics on the table of proto/joints.json.
import { readFileSync } from 'node:fs';
import { captures, json, readMessages } from '../e2e/support/mcap_messages.mjs';
import { by, cross, moved, place, times, turned } from './affine.mjs';
import { add } from '../figures/arithmetic.mjs';

const table = JSON.parse(readFileSync(new URL('../../proto/joints.json', import.meta.url)));
const root2 = Math.SQRT2;

// Reads bits, the least significant first.
class Bits {
	constructor(bytes, at) {
		this.bytes = bytes;
		this.bit = at * 8;
	}

	next(count) {
		let value = 0;
		for (let i = 0; i < count; i++, this.bit++) {
			value += ((this.bytes[this.bit >> 3] >> (this.bit & 7)) & 1) * 2 ** i;
		}
		return value;
	}

	position() {
		const width = this.next(5);
		return [0, 1, 2].map(() => {
			const value = this.next(width);
			return (width && value >= 2 ** (width - 1) ? value - 2 ** width : value) / 10000;
		});
	}

	rotation() {
		const three = [0, 1, 2].map(() => (this.next(16) - 32768) / (32767 * root2));
		const left = this.next(2);
		const last = Math.sqrt(Math.max(0, 1 - three.reduce((sum, v) => sum + v * v, 0)));
		return [...three.slice(0, left), last, ...three.slice(left)];
	}
}

// The fields of a capture: its items by their index.
function decode(bytes) {
	const isPose = bytes[0] === 0x41;
	const [count, width] = isPose ? [table.bones.length, 7] : [table.joints.length, 11];
	let at = isPose ? 8 : 9;
	const mask = (present) => {
		const from = at;
		at += present ? width : 0;
		return (i) => !present || ((bytes[from + (i >> 3)] >> (i & 7)) & 1) === 1;
	};
	const known = mask(!(bytes[1] & 4));
	mask(bytes[1] & 8);
	const bits = new Bits(bytes, at + 2);
	const hips = isPose ? bits.position() : null;
	const items = Array.from({ length: count }, (_, i) => {
		if (!known(i)) {
			return null;
		}
		return isPose ? { turn: bits.next(1) ? bits.rotation() : [0, 0, 0, 1] }
			: { step: bits.position(), turn: bits.rotation() };
	});
	return { isPose, isRest: (bytes[1] & 2) !== 0, seconds: bytes.readUIntLE(2, 6) / 1e6, hips, items };
}

// Positions and turns of the bones in the T-pose's proportions.
function posed({ hips, items }) {
	const maps = [];
	table.bones.forEach(({ parent, rest }, i) => {
		const above = table.bones.findIndex(({ name }) => name === parent);
		const from = above < 0 ? rest : rest.map((v, k) => v - table.bones[above].rest[k]);
		const height = table.bones[0].rest[1];
		const local = times(moved(above < 0 ? add(from, hips.map((v) => v * height)) : from),
			turned(items[i]?.turn ?? [0, 0, 0, 1]));
		maps.push(above < 0 ? local : times(maps[above], local));
	});
	return maps;
}

// Where the joints are that the bones of a body frame begin at. Positions in captures are steps from
// the nearest known joint above.
function placed({ items }) {
	const places = [];
	const above = (i) => {
		const parent = table.joints.findIndex(({ name }) => name === table.joints[i].parent);
		return parent < 0 || parent >= i ? undefined : places[parent] ?? above(parent);
	};
	items.forEach((item, i) => {
		places[i] = item && add(above(i) ?? [0, 0, 0], item.step);
	});
	return places;
}

// The map whose +Z and +Y lie along these directions.
function axesOf(z, y) {
	const x = cross(y, z);
	return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0];
}

// The first body of a recording as a file of joints.
export async function readRecording(path) {
	const messages = await readMessages(path);
	const [roster] = json(messages, 'roster');
	const { id } = roster.bodies[0];
	const all = captures(messages).filter(({ body }) => body === id).map(({ bytes }) => decode(bytes))
		.filter(({ isRest }) => !isRest);
	const joints = all[0].isPose ? table.bones.map(({ name }) => ({ name, parent: -1 }))
		: table.joints.map(({ name, bone }) => ({ name, bone, parent: -1 }));
	const bones = all[0].isPose
		? Object.fromEntries(joints.flatMap(({ name }, i) => (all[0].items[i] ? [[name, i]] : [])))
		: Object.fromEntries(joints.flatMap(({ bone }, i) => (bone && all[0].items[i] ? [[bone, i]] : [])));
	const pose = (i) => (all[i].isPose ? posed(all[i]).map(place) : placed(all[i]));
	// The turn of a joint of a body frame: from its axes in the T-pose to those that it has.
	const maps = (i) => (all[i].isPose ? posed(all[i])
		: all[i].items.map((item) => turned(item?.turn ?? [0, 0, 0, 1])));
	const restMaps = () => (all[0].isPose ? table.bones.map(() => turned([0, 0, 0, 1]))
		: table.joints.map(({ tPose: { bone, up } }) => axesOf(by(bone, -1), up)));
	return { format: all[0].isPose ? 'poses' : 'body frames', isUpKnown: true, joints, bones,
		restMaps, clips: [{ name: '', index: 0, pose, maps,
			times: all.map(({ seconds }) => seconds - all[0].seconds) }] };
}

