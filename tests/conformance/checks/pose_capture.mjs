// Reads the rotations of a pose capture, as PUBLISHING.md describes it.

import { readFileSync } from 'node:fs';

const BONES = JSON.parse(readFileSync(new URL('../../../proto/joints.json', import.meta.url), 'utf8')).bones.map(({ name }) => name);
const MASK_BYTES = 7;

/** The rotation N of each known bone, by name. */
export function joints(bytes) {
	if (bytes[0] !== 0x41)
		return {};
	let at = 8;
	let known = (1n << 55n) - 1n;
	if (!(bytes[1] & 4)) {
		known = little(bytes.subarray(at, at + MASK_BYTES));
		at += MASK_BYTES;
	}
	at += (bytes[1] & 8 ? MASK_BYTES : 0) + 2;
	let bits = little(bytes.subarray(at));
	const take = (count) => {
		const value = Number(bits & ((1n << BigInt(count)) - 1n));
		bits >>= BigInt(count);
		return value;
	};
	const width = take(5);
	[0, 1, 2].forEach(() => take(width));
	return Object.fromEntries(BONES.filter((_, i) => (known >> BigInt(i)) & 1n).map((name) => [name, take(1) ? rotation(take) : [0, 0, 0, 1]]));
}

const little = (bytes) => [...bytes].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

function rotation(take) {
	const three = [0, 1, 2].map(() => (take(16) - 32768) / (32767 * Math.SQRT2));
	three.splice(take(2), 0, Math.sqrt(1 - three.reduce((sum, v) => sum + v * v, 0)));
	return three;
}
