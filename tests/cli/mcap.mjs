// Makes a recording with known offsets.
import { MAGIC, chunk, close, record, text, u16, u32, u64 } from '../fuzz/generators/mcap.mjs';

// A channel, then two uncompressed chunks of ten messages, 0.1 s apart. `chunks` has their offsets
// and the end of the data.
export function smallMcap() {
	let bytes = [...MAGIC, ...record(1, text(''), text('test')),
		...record(4, u16(1), u16(0), text('/t'), text('json'), u32(0))];
	const time = (i) => 1e9 + i * 1e8;
	const chunks = [];
	for (const first of [0, 10]) {
		const records = Array.from({ length: 10 }, (_, i) => first + i).flatMap((i) =>
			record(5, u16(1), u32(i), u64(time(i)), u64(0), [123, 125]));
		const begin = bytes.length;
		bytes = bytes.concat(chunk(records, { start: time(first), end: time(first + 9) }));
		chunks.push({ begin, end: bytes.length });
	}
	chunks.dataEnd = bytes.length + 13;
	return { bytes: Uint8Array.from(close(bytes)), chunks };
}
