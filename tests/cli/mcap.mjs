// MCAP files of the tests' own making, byte by byte.
import { crc32 } from '../fuzz/crc32.mjs';

const number = (value, bytes) =>
	Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
const u16 = (value) => number(value, 2);
const u32 = (value) => number(value, 4);
const u64 = (value) => number(value, 8);
const text = (value) => [...u32(Buffer.byteLength(value)), ...Buffer.from(value)];
const record = (opcode, ...fields) => [opcode, ...u64(fields.flat().length), ...fields.flat()];
const MAGIC = [0x89, ...Buffer.from('MCAP0\r\n')];

const chunk = (records, start, end) => record(6, u64(start), u64(end), u64(records.length),
	u32(crc32(records)), text(''), u64(records.length), records);

// A channel, then two uncompressed chunks of ten messages, 0.1 s apart. chunks says
// where they are, and where the data ends.
export function smallMcap() {
	let bytes = [...MAGIC, ...record(1, text(''), text('test')),
		...record(4, u16(1), u16(0), text('/t'), text('json'), u32(0))];
	const time = (i) => 1e9 + i * 1e8;
	const chunks = [];
	for (const first of [0, 10]) {
		const records = Array.from({ length: 10 }, (_, i) => first + i).flatMap((i) =>
			record(5, u16(1), u32(i), u64(time(i)), u64(0), [123, 125]));
		const begin = bytes.length;
		bytes = bytes.concat(chunk(records, time(first), time(first + 9)));
		chunks.push({ begin, end: bytes.length });
	}
	bytes = bytes.concat(record(15, u32(crc32(bytes))));
	chunks.dataEnd = bytes.length;
	const footer = [2, ...u64(20), ...u64(0), ...u64(0)];
	return { bytes: Uint8Array.from([...bytes, ...footer, ...u32(crc32(footer)), ...MAGIC]), chunks };
}
