// OSC 1.0: a writer and a reader of packets that share no code with the daemon.
import assert from 'node:assert/strict';

const text = (value) => Buffer.from(value + '\0'.repeat(4 - (Buffer.byteLength(value) % 4)));
const word = (write) => {
	const bytes = Buffer.alloc(4);
	write(bytes);
	return bytes;
};
export const int = (value) => word((bytes) => bytes.writeInt32BE(value));
const double = (value) => {
	const bytes = Buffer.alloc(8);
	bytes.writeDoubleBE(value);
	return bytes;
};
const float = (value) => word((bytes) => bytes.writeFloatBE(value));

export const message = (address, tags, ...values) => Buffer.concat([text(address), text(`,${tags}`),
	...values.map((value, i) => ({ s: text, i: int, f: float, d: double })[tags[i]](value))]);

export const bundle = (...elements) => Buffer.concat([text('#bundle'), int(0), int(1),
	...elements.flatMap((element) => [int(element.length), element])]);

/** Messages of a packet: address and values. */
export function parse(packet) {
	let at = 0;
	const string = () => {
		const end = packet.indexOf(0, at);
		const value = packet.toString('utf8', at, end);
		at = end + 4 - ((end - at) % 4);
		return value;
	};
	const address = string();
	if (address === '#bundle') {
		const found = [];
		for (at += 8; at < packet.length;) {
			const size = packet.readInt32BE(at);
			found.push(...parse(packet.subarray(at + 4, at + 4 + size)));
			at += 4 + size;
		}
		return found;
	}
	const values = [...string().slice(1)].map((tag) => {
		if (tag === 's')
			return string();
		at += 4;
		return tag === 'i' ? packet.readInt32BE(at - 4) : packet.readFloatBE(at - 4);
	});
	assert.equal(at, packet.length);
	return [{ address, values }];
}
