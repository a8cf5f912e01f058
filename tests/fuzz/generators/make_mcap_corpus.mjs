// Makes the corpora of fuzz_mcap and fuzz_recording: small MCAP files, whole and wrong in one way each,
// put together here byte by byte. Usage: node make_mcap_corpus.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from './crc32.mjs';
import { MAGIC, array, bytes, chunk as plainChunk, close as closeFile, number, record, text, u16, u32, u64 }
	from './mcap.mjs';

const folder = new URL('../fuzz_mcap.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

const header = record(1, text('p'), text('corpus'));
const schema = record(3, u16(1), text('S'), text('jsonschema'), array(bytes('{}')));
const channel = record(4, u16(1), u16(1), text('/t'), text('json'), array([...text('k'), ...text('v')]));
const message = (time, sequence = time) =>
	record(5, u16(1), u32(sequence), u64(time), u64(time), bytes(`{"t":${time}}`));
const attachmentFields = [...u64(1), ...u64(2), ...text('a'), ...text('text/plain'), ...u64(3), 1, 2, 3];
const attachment = record(9, attachmentFields, u32(crc32(attachmentFields)));
const metadata = record(12, text('m'), array([...text('k'), ...text('')]));

// A zstd frame of one run of zeros.
const bomb = (size) => [0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...u32(size),
	...number((Math.min(size, 0x1ffff) << 3) | 3, 3), 0];
// zstd of at most 255 bytes, as one raw block.
const zstd = (content) => [0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length,
	...number((content.length << 3) | 1, 3), ...content];
const chunk = (records, { compression = 'zstd', ...options } = {}) => plainChunk(records, { compression,
	packed: compression === 'zstd' ? zstd(records) : records, ...options });

const close = (data, { statistics } = {}) => closeFile(data, () => (statistics
	? [...schema, ...channel, ...record(11, u64(statistics), u16(1), u32(1), u32(0), u32(0), u32(0),
		u64(1), u64(9), array([...u16(1), ...u64(statistics)]))] : []));

const begin = [...MAGIC, ...header];
const loose = [...begin, ...schema, ...channel, ...message(1), ...message(3), ...message(2)];
const two = [...message(1), ...message(4)];
const packed = [...begin, ...chunk([...schema, ...channel, ...two])];
const index = record(7, u16(1), array([...u64(1), ...u64(0), ...u64(4), ...u64(44)]));

const cases = {
	'whole-empty': close(begin),
	'whole-loose': close(loose),
	'whole-with-statistics': close(loose, { statistics: 3 }),
	'whole-chunk-zstd': close([...packed, ...index]),
	'whole-chunk-plain': close([...begin, ...chunk([...schema, ...channel, ...two], { compression: '' })]),
	'whole-overlapping-chunks': close([...packed, ...chunk([...message(2), ...message(3)]), ...chunk(message(9))]),
	'whole-attachment-and-metadata': close([...begin, ...attachment, ...metadata]),
	'whole-unknown-record': close([...begin, ...record(0x80, bytes('private')), ...schema, ...channel]),
	'whole-extra-bytes': close([...begin, ...record(3, schema.slice(9), bytes('more'))]),
	'torn-chunk': packed.slice(0, -10),
	'torn-index': [...packed, ...index.slice(0, 12)],
	'torn-before-the-end': packed,
	'torn-frame': [...packed, 6, 1, 2],
	'hole-then-chunk': [...packed, ...new Array(50).fill(0), ...chunk(message(7))],
	'whole-maps': close([...begin, ...channel, ...record(12, text('m'), array([...text('k'), ...text('v'), ...text('l'), ...text('')])), ...attachment,
		...chunk([...schema, ...channel, ...two]), ...index], { statistics: 2 }),
	'broken-plain-chunk-of-two-sizes': close([...begin, ...chunk([...schema, ...channel, ...two], { compression: '', size: 9 })]),
	'broken-index-of-the-summary': closeFile(packed, () => [...schema, ...channel,
		...record(8, u64(1), u64(4), u64(begin.length), u64(99), array([]), u64(0), text('zstd'), u64(9), u64(9))]),
	'torn-large': [...packed, ...new Array(9000).fill(6), ...chunk(message(7)), 6, ...u64(70000)],
	'broken-chunk-crc': close([...begin, ...chunk([...schema, ...channel, ...two], { crc: 1 }), ...attachment]),
	'broken-chunk-size': close([...packed, ...chunk(two, { size: 7 })]),
	'broken-chunk-bomb': close([...packed, ...chunk(two, { size: 1 << 24, packed: bomb(1 << 24), crc: 0 })]),
	'broken-chunk-too-large': close([...packed, ...chunk(two, { size: 2 ** 40 })]),
	'broken-chunk-lz4': close([...packed, ...chunk(two, { compression: 'lz4' })]),
	'broken-chunk-in-chunk': close([...packed, ...chunk(chunk(two))]),
	'broken-chunk-cut-record': close([...packed, ...chunk(two.slice(0, -3))]),
	'broken-attachment-crc': close([...begin, ...record(9, attachmentFields, u32(1))]),
	'broken-message-without-channel': close([...begin, ...message(1)]),
	'broken-length': [...begin, 4, ...u64(2n ** 64n - 1n), 0],
	'broken-header': [...MAGIC, ...record(1, u32(2 ** 32 - 1))],
	'broken-opcode-0': close([...begin, ...record(0)]),
	'broken-second-header': close([...begin, ...header]),
	'broken-early-end': [...begin, ...record(15, u32(0)), ...packed],
	'broken-summary-start': [...begin, ...record(15, u32(0)), ...record(2, u64(5), u64(0), u32(0)), ...MAGIC],
	'broken-summary-in-footer': [...begin, ...record(15, u32(0)), ...record(2, u64(begin.length + 40), u64(0), u32(1)), ...MAGIC],
	'broken-time-of-chunk': close([...begin, ...chunk([...schema, ...channel, ...message(10)])]),
	'broken-swallowed-chunk': [...begin, ...schema, ...channel, ...record(7, u16(1), array([]), chunk(two))],
};

for (const [name, content] of Object.entries(cases)) {
	writeFileSync(new URL(name, folder), Uint8Array.from(content));
}

// Recordings: the golden captures as what two bodies did, and what is wrong in each way.
const recordings = new URL('../fuzz_recording.corpus/', import.meta.url);
mkdirSync(recordings, { recursive: true });
const golden = (file) => JSON.parse(readFileSync(new URL(`../../../proto/golden/${file}.json`, import.meta.url), 'utf8'))
	.map(({ hex }) => (hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16)))
	.filter((capture) => capture.length < 1000);

const define = (id, schemaName, encoding, topic) => [...record(3, u16(id), text(schemaName), text(''), array([])),
	...record(4, u16(id), u16(id), text(topic), text(encoding), array([]))];
const rosterOf = (...bodies) => record(5, u16(1), u32(0), u64(1), u64(1), bytes(JSON.stringify({ time: 0, bodies })));
const tick = (n, ...captures) => record(5, u16(2), u32(n), u64(n), u64(n), 1, u32(n),
	...captures.map(([id, capture]) => [...u32(id), ...u16(capture.length), ...capture]));
const definitions = [...define(1, 'jointcast.Roster', 'json', '/lobby/roster'),
	...define(2, 'jointcast.Captures', 'jointcast', '/lobby/captures')];
const both = rosterOf({ id: 1, name: 'Ada', recorded: 'raw', kind: 'body-frames', profile: 'meta', height: 1.7 },
	{ id: 2, name: 'Grace', recorded: 'anonymous', kind: 'poses', channels: ['expression/happy', 'lookAt'],
		placement: { position: [1, 0, 2], yaw: 1 }, seat: { height: 0.4 } }, { id: 3, name: 'shy', recorded: 'nothing' });
const session = (...messages) => Uint8Array.from(closeFile([...begin, ...definitions, ...messages.flat()]));
const later = (capture, n) => capture.map((byte, i) => (i === 2 ? n & 255 : i === 3 ? n >> 8 : byte));
const every = golden('captures').map((capture, n) => tick(n + 1, [1, later(capture, n)], [2, later(capture, n)]));

// Everything else that a recording can have of two bodies.
const said = (channelId, object) => record(5, u16(channelId), u32(0), u64(1), u64(1), bytes(JSON.stringify(object)));
const stream = (number, body) => ({ stream: number, body, skeleton: 'a', coding: 2, precision: 'fine', rate: 1,
	sections: ['body'], since: 1 });
const everything = [...define(3, 'jointcast.Streams', 'json', '/lobby/streams'),
	...define(4, 'jointcast.Packets', 'jointcast', '/lobby/packets'),
	...define(5, 'foxglove.FrameTransforms', 'json', '/lobby/transforms'),
	...define(6, 'jointcast.Event', 'json', '/lobby/event'), ...define(7, 'jointcast.Skeleton', 'json', '/lobby/skeleton'),
	...said(7, { time: 0, hash: 'a', descriptor: {} }), ...said(3, { time: 0, table: 1, streams: [stream(7, 1), stream(8, 2)] }),
	...record(5, u16(4), u32(0), u64(1), u64(1), 1, u32(1), u32(7), 0, u16(3), u16(0), 1, 2, 3, u32(8), 1, u16(1), u16(2), 4, 5, 6),
	...said(5, { transforms: [{ parent_frame_id: 'lobby', child_frame_id: 'lobby/1' }, { child_frame_id: 'lobby/2/hips' }] }),
	...said(6, { time: 0, event: 'marker', text: 'Ada' }), ...said(6, { time: 0, event: 'x', text: '', body: 1 })];

// Chunks that the summary lists, of which the last is damaged: they are passed over.
const rest = [...Buffer.from(JSON.parse(readFileSync(new URL('../../../proto/golden/captures.json', import.meta.url), 'utf8'))
	.find(({ expected }) => expected.rest).hex, 'hex')];
const indexed = (...chunks) => {
	const data = [...begin];
	const indices = chunks.map(({ records, start, ...options }) => {
		const offset = data.length;
		const made = chunk(records, { compression: '', start, end: start, ...options });
		data.push(...made);
		return record(8, u64(start), u64(start), u64(offset), u64(made.length), array([1, 2].flatMap((channelId) => [...u16(channelId), ...u64(0)])), u64(0), text(''), u64(records.length), u64(records.length));
	});
	return Uint8Array.from(closeFile(data, () => [...definitions, ...indices.flat(), ...record(11, u64(3), u16(2), u32(2), u32(0), u32(0),
		u32(chunks.length), u64(1), u64(2), array([]))]));
};

for (const [name, content] of Object.entries({
	'whole-indexed': indexed({ records: [...definitions, ...both], start: 1 }, { records: every[0], start: 1 }, { records: every[1], start: 2 }),
	'broken-indexed': indexed({ records: [...definitions, ...both], start: 1 }, { records: every[0], start: 1 }, { records: every[1], start: 2, crc: 1 }),
	'broken-indexed-roster': indexed({ records: definitions, start: 1 }, { records: both, start: 1, crc: 1 }, { records: every[1], start: 2 }),
	'broken-indexed-rosters': indexed({ records: [...definitions, ...both, ...rosterOf({ id: 'x' })], start: 1 }, { records: every[1], start: 2 }),
	'whole-rests': session(both, tick(1, [1, rest]), tick(2, [1, later(golden('captures')[0], 2)]), tick(3, [1, later(rest, 3)])),
	'broken-captures-and-good': session(both, tick(1, [1, golden('captures')[0]], [1, [0x31, 0, 1]]), tick(2, [1, [9, 9, 9]])),
	'whole-everything': session(both, everything, every[0]),
	'broken-packets': session(both, everything, record(5, u16(4), u32(0), u64(1), u64(1), 1, u32(1), u32(7), 0, u16(9), u16(9), 1)),
	'whole-captures': session(both, ...every.slice(0, 24)),
	'whole-one-body': session(rosterOf({ id: 2, name: '', recorded: 'raw' }), ...every.slice(-8)),
	'whole-roster-twice': session(both, both, every[0]),
	'whole-nobody': session(rosterOf()),
	'broken-captures': session(both, ...golden('broken-captures').slice(0, 30).map((capture, n) => tick(n + 1, [1, capture], [2, capture]))),
	'broken-version': session(both, record(5, u16(2), u32(1), u64(2), u64(2), 2, u32(1))),
	'broken-length': session(both, record(5, u16(2), u32(1), u64(2), u64(2), 1, u32(1), u32(1), u16(65535), 1, 2)),
	'broken-roster': session(rosterOf({ id: -1, name: 5 })),
	'broken-profile': session(rosterOf({ id: 1, name: 'Ada', recorded: 'raw', profile: 'nobody' })),
	'broken-channels': session(rosterOf({ id: 1, name: 'Ada', recorded: 'raw', channels: [1] })),
	'broken-json': session(record(5, u16(1), u32(0), u64(1), u64(1), bytes('{'))),
	'whole-session': session(define(3, 'jointcast.Session', 'json', '/session'), define(4, 'jointcast.Clock', 'json', '/clock'),
		said(3, { time: 1, library: 'l', space: 'lobby', epoch: '1', tickHz: 60, part: 2 }), said(3, { time: 2 }), said(4, { time: 1, unix: 5 }), both, every[0]),
	'broken-session': session(define(3, 'jointcast.Session', 'json', '/session'), said(3, { tickHz: 'x' }), both),
	'whole-channels-change': session(both, rosterOf({ id: 2, name: 'Grace', recorded: 'raw', kind: 'poses', channels: ['expression/happy', 'jaw'] }), every[15]),
	'whole-skeleton-twice': session(define(7, 'jointcast.Skeleton', 'json', '/lobby/skeleton'), said(7, { time: 0, hash: 'a', descriptor: { nodes: [{}], bones: { hips: 0 } } }),
		said(7, { time: 0, hash: 'a', descriptor: {} }), said(7, { time: 0, hash: 1 }), rosterOf({ id: 1, name: 'Ada', recorded: 'raw', skeleton: 'a' }), every[0]),
	'whole-rest-again': session(both, ...every.filter((_, n) => n > 10 && n < 15), ...every.filter((_, n) => n > 10 && n < 15)),
	'whole-times-of-ages': session(both, every[0], record(5, u16(2), u32(1), u64(2n ** 64n - 1n), u64(0), 1, u32(1))),
	'broken-chunk-in-recording': Uint8Array.from(closeFile([...begin, ...definitions, ...both, ...chunk(every[0]), ...chunk(every[1], { crc: 1 })])),
	'broken-other-profile': Uint8Array.from(closeFile([...MAGIC, ...record(1, text('ros2'), text('x'))])),
	'content-captures': Uint8Array.from(every[0].slice(31)),
	'content-packets': Uint8Array.from([1, ...u32(7), ...u32(3), 1, ...u16(2), ...u16(1), 9, 8, 7, ...u32(4), 0, ...u16(0), ...u16(0)]),
	'content-torn': Uint8Array.from([1, ...u32(7), ...u32(3), 1, ...u16(2), ...u16(1), 9]),
	'content-version': Uint8Array.from([2, ...u32(7)]),
})) {
	writeFileSync(new URL(name, recordings), content);
}
