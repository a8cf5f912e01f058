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

const runJson = (program, ...parameters) => {
	const { status, stdout, stderr } = spawnSync(program, [...parameters, '--json'],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });
	assert.equal(status, 0, stderr);
	return JSON.parse(stdout);
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

// The content of a file, independent of its arrangement.
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

// A recording of ours, read by @mcap/core: one message a frame, JSON that parses
// against its own schema's required fields, a schema for every channel.
const walk = join(folder, 'walk.mcap');
assert.equal(spawnSync(jointcast, ['convert', 'demo:walk', walk]).status, 0);
const recorded = await indexed(readFileSync(walk));
const topics = new Map([...recorded.reader.channelsById.values()].map((c) => [c.topic, c]));
assert.deepEqual([...topics.keys()].sort(),
	['/lobby/captures', '/lobby/roster', '/lobby/scene', '/lobby/session', '/lobby/skeleton', '/lobby/transforms']);
assert.equal(recorded.reader.header.profile, 'jointcast');
const info = runJson(jointcast, 'inspect', walk).motions[0];
const of = (topic) => recorded.messages.filter((m) => m.channelId === topics.get(topic).id);
assert.equal(of('/lobby/captures').length, info.frames);
assert.equal(Number(recorded.reader.statistics.messageCount), recorded.messages.length);
for (const [topic, channel] of topics) {
	const schema = recorded.reader.schemasById.get(channel.schemaId);
	if (channel.messageEncoding !== 'json') {
		continue;
	}
	const { required } = JSON.parse(new TextDecoder().decode(schema.data));
	for (const message of of(topic)) {
		const value = JSON.parse(new TextDecoder().decode(message.data));
		required?.forEach((key) => assert.ok(key in value, `${topic}: ${key}`));
	}
}
console.log(`walk: ${recorded.messages.length} messages of ours`);

// The same bodies twice, put together by @mcap/core: what it writes we replay.
const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const parts = [];
let size = 0n;
const writer = new McapWriter({ writable: {
	async write(buffer) {
		parts.push(Uint8Array.from(buffer));
		size += BigInt(buffer.byteLength);
	},
	position: () => size,
}, chunkSize: 20000, compressChunk: compressors.zstd });
await writer.start({ profile: 'jointcast', library: 'mcap_agrees' });
const define = async (name, encoding, topic) => writer.registerChannel({
	schemaId: await writer.registerSchema({ name, encoding: 'text', data: new Uint8Array(0) }),
	topic, messageEncoding: encoding, metadata: new Map() });
const roster = await define('jointcast.Roster', 'json', '/stage/roster');
const captures = await define('jointcast.Captures', 'jointcast', '/stage/captures');
await writer.addMessage({ channelId: roster, sequence: 0, logTime: 0n, publishTime: 0n, data: json({
	time: 0, bodies: [{ id: 1, name: 'Ada', recorded: 'raw', kind: 'poses' },
		{ id: 9, name: 'Grace', recorded: 'raw', kind: 'poses' },
		{ id: 10, name: 'shy', recorded: 'nothing' }] }) });
for (const [sequence, { data, logTime }] of of('/lobby/captures').entries()) {
	const capture = data.subarray(5 + 6);
	const second = Uint8Array.from(data.subarray(5));
	second[0] = 9;
	// Grace comes half-way.
	const both = sequence * 2 < info.frames ? data : Uint8Array.from([...data, ...second]);
	assert.equal(new DataView(data.buffer, data.byteOffset).getUint16(9, true), capture.length);
	await writer.addMessage({ channelId: captures, sequence, logTime, publishTime: logTime, data: both });
}
await writer.end();
const stage = join(folder, 'stage.mcap');
writeFileSync(stage, Buffer.concat(parts));
const bodies = runJson(jointcast, 'inspect', stage).motions;
assert.deepEqual(bodies.map((body) => [body.name, body.frames]),
	[['Ada', info.frames], ['Grace', Math.floor(info.frames / 2)]]);
const times = ['--times', '0,1.5,3'];
assert.deepEqual(runJson(jointcast, 'retarget', stage, 'humanoid', ...times).frames,
	runJson(jointcast, 'retarget', walk, 'humanoid', ...times).frames);
console.log(`stage: ${bodies.length} bodies of theirs`);
