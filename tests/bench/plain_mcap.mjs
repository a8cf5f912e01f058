// Writes frames without a codec, for comparison: float32 in MCAP with chunks of about a second,
// compressed with zstd at its default level by npm @mcap/core. Needs the packages of
// tests/oracle.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../oracle/package.json', import.meta.url));
const { McapWriter } = require('@mcap/core');
const zstd = require('@foxglove/wasm-zstd');

/**
 * Bytes of a file of such frames.
 *
 * @param {{ t: number, values: Float32Array }[]} frames t in seconds
 * @param {number} hz how often one comes
 */
export async function plainBytes(frames, hz) {
	await zstd.isLoaded;
	let size = 0n;
	const writer = new McapWriter({
		writable: { async write(bytes) { size += BigInt(bytes.byteLength); }, position: () => size },
		chunkSize: Math.round(hz * (frames[0].values.byteLength + 31)),
		compressChunk: (chunk) => ({ compression: 'zstd', compressedData: zstd.compress(chunk, 3) }),
	});
	await writer.start({ profile: '', library: '' });
	const channelId = await writer.registerChannel({ schemaId: 0, topic: '/frames',
		messageEncoding: 'float32', metadata: new Map() });
	for (const [sequence, { t, values }] of frames.entries()) {
		const logTime = BigInt(Math.round(t * 1e9));
		await writer.addMessage({ channelId, sequence, logTime, publishTime: logTime,
			data: new Uint8Array(values.buffer) });
	}
	await writer.end();
	return Number(size);
}

/** The rows of a table of poses, the numbers alone: `jointcast convert … x.csv`. */
export const readTable = (text) => text.trim().split('\n').slice(2).map((line) => {
	const [t, ...values] = line.split(',').map(Number);
	return { t, values: Float32Array.from(values) };
});
