// Reads recordings with npm @mcap/core, an independent implementation, which checks all CRCs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../oracle/package.json', import.meta.url));
const { McapIndexedReader, McapStreamReader } = require('@mcap/core');
const zstd = require('@foxglove/wasm-zstd');

const decompressHandlers = { zstd: (bytes, size) => zstd.decompress(bytes, Number(size)) };

/** The messages of a file in the order in which they stand: { topic, time, data }. */
export async function readMessages(path) {
	await zstd.isLoaded;
	const bytes = readFileSync(path);
	const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
	const channels = new Map();
	const messages = [];
	let statistics;
	reader.append(bytes);
	for (let record; (record = reader.nextRecord());) {
		if (record.type === 'Channel')
			channels.set(record.id, record);
		if (record.type === 'Statistics')
			statistics = record;
		if (record.type === 'Message')
			messages.push({ topic: channels.get(record.channelId).topic.split('/').at(-1),
				time: record.logTime, data: Buffer.from(record.data) });
	}
	assert.ok(reader.done());
	assert.equal(Number(statistics.messageCount), messages.length);
	// The index finds as many.
	const indexed = await McapIndexedReader.Initialize({ decompressHandlers, readable: {
		size: async () => BigInt(bytes.length),
		read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)) } });
	let count = 0;
	for await (const message of indexed.readMessages()) {
		assert.ok(message.data.length > 0);
		count++;
	}
	assert.equal(count, messages.length);
	return messages;
}

export const json = (messages, topic) => messages.filter((message) => message.topic === topic)
	.map(({ time, data }) => ({ time, ...JSON.parse(data) }));

/** Captures of a file, one after another: { tick, body, bytes } (proto/RECORDING.md). */
export function captures(messages) {
	const all = [];
	for (const { data } of messages.filter(({ topic }) => topic === 'captures')) {
		assert.equal(data[0], 1);
		const tick = data.readUInt32LE(1);
		for (let at = 5; at < data.length;) {
			const length = data.readUInt16LE(at + 4);
			all.push({ tick, body: data.readUInt32LE(at), bytes: data.subarray(at + 6, at + 6 + length) });
			at += 6 + length;
		}
	}
	return all;
}

/** Packets of a file: { tick, stream, rejoins, packet, rejoin }. */
export function packets(messages) {
	const all = [];
	for (const { data } of messages.filter(({ topic }) => topic === 'packets')) {
		assert.equal(data[0], 1);
		const tick = data.readUInt32LE(1);
		for (let at = 5; at < data.length;) {
			const [length, rejoin] = [data.readUInt16LE(at + 5), data.readUInt16LE(at + 7)];
			const begin = at + 9;
			all.push({ tick, stream: data.readUInt32LE(at), rejoins: (data[at + 4] & 1) === 1,
				packet: data.subarray(begin, begin + length),
				rejoin: data.subarray(begin + length, begin + length + rejoin) });
			at = begin + length + rejoin;
		}
	}
	return all;
}
