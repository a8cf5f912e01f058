// npm @mcap/core and our own MCAP code read each other's files: what it writes,
// with and without chunks, compression and indexes, `jointcast recover` reads and
// writes anew; @mcap/core reads that, all CRCs checked, and finds the same
// records.
//
// usage: mcap_agrees.mjs JOINTCAST FOLDER
import { McapIndexedReader, McapStreamReader, McapWriter } from '@mcap/core';
import zstd from '@foxglove/wasm-zstd';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from './random.mjs';

const [jointcast, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await zstd.isLoaded;

const decompressHandlers = { zstd: (bytes, size) => zstd.decompress(bytes, Number(size)) };
const compressors = {
	zstd: (chunk) => ({ compression: 'zstd', compressedData: zstd.compress(chunk) }),
	none: (chunk) => ({ compression: '', compressedData: chunk }),
};

const bytesOf = (random, length) => Uint8Array.from({ length }, () => 256 * random());

async function writePeer(variant) {
	const random = makeRandom(variant.seed);
	const parts = [];
	let size = 0n;
	const writer = new McapWriter({
		writable: {
			async write(buffer) {
				parts.push(Uint8Array.from(buffer));
				size += BigInt(buffer.byteLength);
			},
			position: () => size,
		},
		chunkSize: 4000,
		...variant.options,
	});
	await writer.start({ profile: 'peer', library: 'mcap_agrees' });
	const channels = [];
	for (let i = 0; i < 5; i++) {
		const schemaId = i === 0 ? 0 : await writer.registerSchema({
			name: `schema ${i}`, encoding: 'jsonschema', data: bytesOf(random, 40 * i) });
		channels.push(await writer.registerChannel({ schemaId, topic: `/topic/${i}`,
			messageEncoding: 'raw', metadata: new Map([['number', `${i}`], ['ünïcode', '✓']]) }));
	}
	for (let sequence = 0; sequence < 500; sequence++) {
		// Not in order, and far beyond what a double holds exactly.
		const logTime = 1_700_000_000_000_000_000n + BigInt(sequence) * 1_000_001n +
			BigInt(Math.floor(5e6 * random()));
		await writer.addMessage({ channelId: channels[Math.floor(5 * random())], sequence,
			logTime, publishTime: logTime - 5n, data: bytesOf(random, Math.floor(300 * random())) });
	}
	await writer.addAttachment({ logTime: 1n, createTime: 2n, name: 'notes.txt',
		mediaType: 'text/plain', data: bytesOf(random, 1234) });
	await writer.addMetadata({ name: 'facts', metadata: new Map([['a', 'b'], ['c', '']]) });
	await writer.end();
	return Buffer.concat(parts);
}

// What a file says, however it is arranged.
function content(bytes) {
	const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
	reader.append(bytes);
	const found = { Schema: new Map(), Channel: new Map(), Message: [], Attachment: [], Metadata: [] };
	for (let record; (record = reader.nextRecord());) {
		if (found[record.type] instanceof Map) {
			found[record.type].set(record.id, record);
		} else {
			found[record.type]?.push(record);
		}
	}
	assert.ok(reader.done(), 'the file is read to its end');
	return found;
}

async function indexed(bytes) {
	const reader = await McapIndexedReader.Initialize({ decompressHandlers, readable: {
		size: async () => BigInt(bytes.length),
		read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)),
	} });
	const messages = [];
	for await (const message of reader.readMessages({ validateCrcs: true })) {
		messages.push(message);
	}
	return { reader, messages };
}

const variants = [
	{ name: 'zstd', options: { compressChunk: compressors.zstd } },
	{ name: 'uncompressed', options: { compressChunk: compressors.none } },
	{ name: 'unchunked', options: { useChunks: false } },
	{ name: 'bare', options: { compressChunk: compressors.zstd, useStatistics: false,
		useSummaryOffsets: false, repeatSchemas: false, repeatChannels: false,
		useAttachmentIndex: false, useMetadataIndex: false, useMessageIndex: false,
		useChunkIndex: false } },
];

for (const [seed, variant] of variants.entries()) {
	const theirs = join(folder, `${variant.name}.mcap`);
	const ours = join(folder, `${variant.name}.ours.mcap`);
	const bytes = await writePeer({ ...variant, seed: seed + 1 });
	writeFileSync(theirs, bytes);
	const { status, stdout, stderr } = spawnSync(jointcast,
		['recover', theirs, '-o', ours, '--json'], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	const report = JSON.parse(stdout);
	assert.deepEqual([report.closed, report.messages, report.damages, report.attachments],
		[true, 500, 0, 2]);

	const written = readFileSync(ours);
	const [before, after] = [content(bytes), content(written)];
	assert.deepEqual(after, before, `${variant.name}: the same records`);
	const { reader, messages } = await indexed(written);
	assert.equal(reader.statistics.messageCount, 500n);
	assert.equal(reader.statistics.schemaCount, 4);
	assert.equal(reader.statistics.channelCount, 5);
	assert.equal(reader.statistics.attachmentCount, 1);
	assert.equal(reader.statistics.metadataCount, 1);
	assert.equal(reader.statistics.chunkCount, reader.chunkIndexes.length);
	assert.equal(messages.length, 500);
	const inOrder = [...before.Message].sort((a, b) => Number(a.logTime - b.logTime));
	assert.deepEqual(messages.map((m) => m.sequence), inOrder.map((m) => m.sequence));
	for await (const attachment of reader.readAttachments({ validateCrcs: true })) {
		assert.equal(attachment.data.length, 1234);
	}
	console.log(`${variant.name}: ${messages.length} messages in ${reader.chunkIndexes.length} chunks, ` +
		`${bytes.length} bytes theirs, ${written.length} ours`);
}
