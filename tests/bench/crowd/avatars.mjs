// Avatars for crowd.mjs: VRM 1.0 files of people of different size and colour, each with the mesh of the
// mannequin, a texture of noise and springs on the head.

import { deflateSync } from 'node:zlib';
import { Skeleton } from '../../../clients/js/index.js';
import { SkeletonMesh } from '../../../clients/js/three/index.js';
import { toGlb } from '../../e2e/support/glb.mjs';

const SPRINGS = 8;
const TABLE = new Uint32Array(256).map((_, n) => {
	let c = n;
	for (let k = 0; k < 8; k++)
		c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
	return c;
});

function pngChunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const out = Buffer.alloc(body.length + 8);
	out.writeUInt32BE(data.length);
	body.copy(out, 4);
	out.writeUInt32BE(~body.reduce((c, byte) => TABLE[(c ^ byte) & 255] ^ (c >>> 8), 0xffffffff) >>> 0, body.length + 4);
	return out;
}

/** A PNG of coloured noise, which compresses badly, as photographs do. */
function texture(side, colour, random) {
	const rows = Buffer.alloc(side * (3 * side + 1));
	for (let y = 0; y < side; y++)
		for (let x = 0; x < 3 * side; x++)
			rows[y * (3 * side + 1) + 1 + x] = Math.min(255, colour[x % 3] * (200 + 55 * random()));
	const head = Buffer.alloc(13);
	head.writeUInt32BE(side, 0);
	head.writeUInt32BE(side, 4);
	head.set([8, 2, 0, 0, 0], 8);
	return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), pngChunk('IHDR', head), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))]);
}

/** The nodes of a skeleton in the T-pose: translations between its joints, no rotations. */
function nodesOf(skeleton, size) {
	const at = (i) => [0, 1, 2].map((k) => size * skeleton.tPosePositions[3 * i + k]);
	return Array.from(skeleton.parents, (parent, i) => ({ name: skeleton.nodeNames[i] || `node ${i}`,
		translation: parent < 0 ? at(i) : at(i).map((x, k) => x - at(parent)[k]),
		...(skeleton.parents.includes(i) && { children: [...skeleton.parents.keys()].filter((child) => skeleton.parents[child] === i) }) }));
}

/** One file: `size` times the skeleton of the descriptor. */
export function makeAvatar(descriptor, { size, colour, side = 512, random }) {
	const skeleton = new Skeleton('', descriptor);
	const { geometry, bones } = new SkeletonMesh(skeleton);
	const nodes = nodesOf(skeleton, size);
	const { position, normal, skinIndex, skinWeight } = geometry.attributes;
	const uv = new Float32Array(2 * position.count).map(() => random());
	const binds = new Float32Array(bones.flatMap(([, node]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
		...[0, 1, 2].map((k) => -size * skeleton.tPosePositions[3 * node + k]), 1]));
	const points = position.array.map((x) => size * x);
	const bound = (pick) => [0, 1, 2].map((k) => points.filter((_, i) => i % 3 === k).reduce((a, b) => pick(a, b)));
	const parts = [[points, 'VEC3', 5126, { min: bound(Math.min), max: bound(Math.max) }], [normal.array, 'VEC3', 5126], [uv, 'VEC2', 5126],
		[skinIndex.array, 'VEC4', 5123], [skinWeight.array, 'VEC4', 5126], [Uint32Array.from(geometry.index.array), 'SCALAR', 5125], [binds, 'MAT4', 5126]];
	const head = skeleton.bones[descriptor.bones.head === undefined ? 0 : skeleton.boneOfNode[descriptor.bones.head]];
	const hair = Array.from({ length: SPRINGS }, (_, i) => nodes.push({ name: `hair ${i}`, translation: i ? [0, -0.03 * size, -0.01 * size] : [0, 0.15 * size, -0.1 * size] }) - 1);
	hair.slice(0, -1).forEach((node, i) => { nodes[node].children = [hair[i + 1]]; });
	(nodes[head].children ??= []).push(hair[0]);
	nodes.push({ name: 'Body', mesh: 0, skin: 0 });
	const image = texture(side, colour, random);
	const buffers = [...parts.map(([array]) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)), image];
	let offset = 0;
	const bufferViews = buffers.map((part) => {
		const view = { buffer: 0, byteOffset: offset, byteLength: part.length };
		offset += part.length + (-part.length & 3);
		return view;
	});
	const sizes = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
	return toGlb({ asset: { version: '2.0', generator: 'jointcast tests' }, scene: 0,
		scenes: [{ nodes: [...skeleton.parents.keys()].filter((i) => skeleton.parents[i] < 0).concat(nodes.length - 1) }], nodes,
		skins: [{ joints: bones.map(([, node]) => node), inverseBindMatrices: 6 }],
		meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2, JOINTS_0: 3, WEIGHTS_0: 4 }, indices: 5, material: 0 }] }],
		materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0, roughnessFactor: 0.8 } }],
		textures: [{ source: 0 }], images: [{ bufferView: 7, mimeType: 'image/png' }],
		accessors: parts.map(([array, type, componentType, bounds], bufferView) => ({ bufferView, componentType, type, count: array.length / sizes[type], ...bounds })),
		bufferViews, buffers: [{ byteLength: offset }], extensionsUsed: ['VRMC_vrm', 'VRMC_springBone'],
		extensions: {
			VRMC_vrm: { specVersion: '1.0', meta: { name: 'crowd', authors: ['jointcast'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
				humanoid: { humanBones: Object.fromEntries(bones.map(([name, node]) => [name, { node }])) } },
			VRMC_springBone: { specVersion: '1.0', springs: [{ name: 'hair', joints: hair.map((node) => ({ node, stiffness: 1, gravityPower: 0.2, dragForce: 0.4 })) }] },
		} }, Buffer.concat(buffers.map((part) => Buffer.concat([part, Buffer.alloc(-part.length & 3)]))));
}
