// GLB, the binary container of glTF 2.0 (section 4.4).

function chunk(type, bytes, filler) {
	const padding = Buffer.alloc(-bytes.length & 3, filler);
	const head = Buffer.alloc(8);
	head.writeUInt32LE(bytes.length + padding.length, 0);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, bytes, padding]);
}

/** A GLB of a document (an object, or JSON text) and, unless it is empty, a binary chunk. */
export function toGlb(document, binary = Buffer.alloc(0)) {
	const json = typeof document === 'string' ? document : JSON.stringify(document);
	const chunks = [chunk('JSON', Buffer.from(json), ' ')];
	if (binary.length > 0)
		chunks.push(chunk('BIN\0', binary, 0));
	const body = Buffer.concat(chunks);
	const head = Buffer.alloc(12);
	head.write('glTF', 0, 'latin1');
	head.writeUInt32LE(2, 4);
	head.writeUInt32LE(12 + body.length, 8);
	return Buffer.concat([head, body]);
}
