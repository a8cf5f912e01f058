// The bytes of glTF documents.

const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

// Numbers as accessors, each with a view of its own, in one buffer.
export class Buffers {
	parts = [];
	accessors = [];

	add(type, values, isInput = false) {
		const numbers = Float32Array.from(values.flat());
		this.accessors.push({ bufferView: this.parts.length, componentType: 5126, type,
			count: numbers.length / sizes[type],
			...(isInput ? { min: [numbers[0]], max: [numbers.at(-1)] } : {}) });
		this.parts.push(Buffer.from(numbers.buffer));
		return this.accessors.length - 1;
	}

	bytes() {
		return Buffer.concat(this.parts);
	}

	members(uri) {
		let byteOffset = 0;
		const bufferViews = this.parts.map(({ length }) => {
			byteOffset += length;
			return { buffer: 0, byteOffset: byteOffset - length, byteLength: length };
		});
		return { accessors: this.accessors, bufferViews,
			buffers: [{ byteLength: byteOffset, ...(uri ? { uri } : {}) }] };
	}

	dataUri() {
		return `data:application/octet-stream;base64,${this.bytes().toString('base64')}`;
	}
}

const same = (values, usual) => values.every((v, i) => v === usual[i]);

export function gltfNodes(nodes) {
	return nodes.map(({ name, t, q, s }, index) => {
		const children = nodes.flatMap(({ parent }, child) => (parent === index ? [child] : []));
		return { name,
			...(same(t, [0, 0, 0]) ? {} : { translation: t }),
			...(same(q, [0, 0, 0, 1]) ? {} : { rotation: q }),
			...(s === 1 ? {} : { scale: [s, s, s] }),
			...(children.length ? { children } : {}) };
	});
}

export function documentOf(nodes, rest) {
	const roots = nodes.flatMap(({ parent }, index) => (parent < 0 ? [index] : []));
	return { asset: { version: '2.0', generator: 'tests/figures' },
		...(nodes.length ? { scene: 0, scenes: [{ nodes: roots }], nodes: gltfNodes(nodes) } : {}),
		...rest };
}

// Numbers short enough to read; 1e-9 is far below what a float holds of them.
export function toText(document) {
	const text = JSON.stringify(document, (key, value) =>
		(typeof value === 'number' ? Number(value.toFixed(9)) + 0 : value), '\t');
	const flat = text.replace(/\[\s+(-?[\d.e+-]+(?:,\s+-?[\d.e+-]+)*)\s+\]/g,
		(_, numbers) => `[${numbers.replace(/,\s+/g, ', ')}]`);
	return `${flat}\n`;
}
