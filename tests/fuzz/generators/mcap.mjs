// MCAP records and files, byte by byte, for tests that want to know each.
import { crc32 } from './crc32.mjs';

export const number = (value, bytes) =>
	Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
export const u16 = (value) => number(value, 2);
export const u32 = (value) => number(value, 4);
export const u64 = (value) => number(value, 8);
export const bytes = (text) => [...new TextEncoder().encode(text)];
export const text = (value) => [...u32(bytes(value).length), ...bytes(value)];
export const array = (content) => [...u32(content.length), ...content];
export const record = (opcode, ...fields) =>
	[opcode, ...u64(fields.flat().length), ...fields.flat()];
export const MAGIC = [0x89, ...bytes('MCAP0\r\n')];

// Of records that are compressed already, where they are.
export const chunk = (records, { compression = '', size = records.length, start = 1, end = 9,
	crc = crc32(records), packed = records } = {}) =>
	record(6, u64(start), u64(end), u64(size), u32(crc), text(compression), u64(packed.length), packed);

// Data end, summary and footer after the data of a file.
export function close(data, makeSummary = () => []) {
	const dataEnd = record(15, u32(crc32(data)));
	const start = data.length + dataEnd.length;
	const summary = makeSummary();
	const footer = [2, ...u64(20), ...u64(summary.length ? start : 0), ...u64(0)];
	return [...data, ...dataEnd, ...summary, ...footer, ...u32(crc32([...summary, ...footer])), ...MAGIC];
}
