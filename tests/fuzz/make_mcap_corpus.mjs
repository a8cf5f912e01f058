// Makes the corpus of fuzz_mcap: small MCAP files, whole and wrong in one way each,
// put together here byte by byte. Usage: node make_mcap_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { crc32 } from './crc32.mjs';

const folder = new URL('fuzz_mcap.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

const number = (value, bytes) =>
	Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
const u16 = (value) => number(value, 2);
const u32 = (value) => number(value, 4);
const u64 = (value) => number(value, 8);
const bytes = (text) => [...new TextEncoder().encode(text)];
const text = (value) => [...u32(bytes(value).length), ...bytes(value)];
const array = (content) => [...u32(content.length), ...content];
const record = (opcode, ...fields) => [opcode, ...u64(fields.flat().length), ...fields.flat()];

const MAGIC = [0x89, ...bytes('MCAP0\r\n')];
const header = record(1, text('p'), text('corpus'));
const schema = record(3, u16(1), text('S'), text('jsonschema'), array(bytes('{}')));
const channel = record(4, u16(1), u16(1), text('/t'), text('json'), array([...text('k'), ...text('v')]));
const message = (time, sequence = time) =>
	record(5, u16(1), u32(sequence), u64(time), u64(time), bytes(`{"t":${time}}`));
const attachmentFields = [...u64(1), ...u64(2), ...text('a'), ...text('text/plain'), ...u64(3), 1, 2, 3];
const attachment = record(9, attachmentFields, u32(crc32(attachmentFields)));
const metadata = record(12, text('m'), array([...text('k'), ...text('')]));

// A zstd frame of one raw block, or of one run of a byte.
const zstd = (content) => [0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length,
	...number((content.length << 3) | 1, 3), ...content];
const bomb = (size) => [0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...u32(size),
	...number((Math.min(size, 0x1ffff) << 3) | 3, 3), 0];

const chunk = (records, { compression = 'zstd', size = records.length, start = 1, end = 9,
	crc = crc32(records), packed = compression === 'zstd' ? zstd(records) : records } = {}) =>
	record(6, u64(start), u64(end), u64(size), u32(crc), text(compression), u64(packed.length), packed);

function close(data, { statistics } = {}) {
	const dataEnd = record(15, u32(crc32(data)));
	const start = data.length + dataEnd.length;
	const summary = statistics ? [...schema, ...channel, ...record(11, u64(statistics), u16(1), u32(1),
		u32(0), u32(0), u32(0), u64(1), u64(9), array([...u16(1), ...u64(statistics)]))] : [];
	const footer = [2, ...u64(20), ...u64(summary.length ? start : 0), ...u64(0)];
	return [...data, ...dataEnd, ...summary, ...footer, ...u32(crc32([...summary, ...footer])), ...MAGIC];
}

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
	'broken-time-of-chunk': close([...begin, ...chunk([...schema, ...channel, ...message(10)])]),
	'broken-swallowed-chunk': [...begin, ...schema, ...channel, ...record(7, u16(1), array([]), chunk(two))],
};

for (const [name, content] of Object.entries(cases)) {
	writeFileSync(new URL(name, folder), Uint8Array.from(content));
}
