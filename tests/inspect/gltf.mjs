// Reads glTF, GLB, VRM and VRM animations: the nodes, their positions at rest and in every animation
// by forward kinematics, and the bones that an extension names.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identity, inverse, moved, place, product, scaled, times, turned } from './affine.mjs';
import { slerp } from '../figures/arithmetic.mjs';

const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const readers = { 5120: ['readInt8', 1, 127], 5121: ['readUInt8', 1, 255],
	5122: ['readInt16LE', 2, 32767], 5123: ['readUInt16LE', 2, 65535],
	5125: ['readUInt32LE', 4, 1], 5126: ['readFloatLE', 4, 1] };

function readContainer(path) {
	const bytes = readFileSync(path);
	if (bytes.toString('latin1', 0, 4) !== 'glTF') {
		return { document: JSON.parse(bytes.toString()), binary: null };
	}
	const size = bytes.readUInt32LE(12);
	return { document: JSON.parse(bytes.toString('utf8', 20, 20 + size)), binary: bytes.subarray(28 + size) };
}

function bufferOf({ document, binary }, path, index) {
	const { uri } = document.buffers[index];
	if (uri === undefined) {
		return binary;
	}
	return uri.startsWith('data:') ? Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')
		: readFileSync(join(dirname(path), decodeURIComponent(uri)));
}

// The elements of an accessor, each an array of numbers. Sparse accessors do not occur in motions
// that these tests read.
function elementsOf(file, path, index) {
	const { bufferView, byteOffset = 0, componentType, count, type, normalized, sparse }
		= file.document.accessors[index];
	if (sparse || bufferView === undefined) {
		throw new Error(`accessor ${index} is sparse`);
	}
	const view = file.document.bufferViews[bufferView];
	const bytes = bufferOf(file, path, view.buffer);
	const [read, size, largest] = readers[componentType];
	const stride = view.byteStride ?? widths[type] * size;
	const start = (view.byteOffset ?? 0) + byteOffset;
	return Array.from({ length: count }, (_, i) => Array.from({ length: widths[type] }, (_, k) => {
		const value = bytes[read](start + i * stride + k * size);
		return normalized ? Math.max(-1, value / largest) : value;
	}));
}

const normal = (q) => {
	const size = Math.hypot(...q) || 1;
	return q.map((v) => v / size);
};

// The value of a sampler at a time.
function valueAt({ keys, values, interpolation }, isTurn, t) {
	const cubic = interpolation === 'CUBICSPLINE';
	const valueOf = (i) => values[cubic ? 3 * i + 1 : i];
	let next = keys.findIndex((key) => key > t);
	if (next === 0) {
		return valueOf(0);
	}
	if (next < 0) {
		return valueOf(keys.length - 1);
	}
	const [a, b] = [next - 1, next];
	const span = keys[b] - keys[a];
	const share = (t - keys[a]) / span;
	if (interpolation === 'STEP') {
		return valueOf(a);
	}
	if (cubic) {
		const [s2, s3] = [share ** 2, share ** 3];
		const mixed = valueOf(a).map((v, k) => (2 * s3 - 3 * s2 + 1) * v
			+ span * (s3 - 2 * s2 + share) * values[3 * a + 2][k]
			+ (3 * s2 - 2 * s3) * valueOf(b)[k] + span * (s3 - s2) * values[3 * b][k]);
		return isTurn ? normal(mixed) : mixed;
	}
	return isTurn ? slerp(valueOf(a), valueOf(b), share)
		: valueOf(a).map((v, k) => v + share * (valueOf(b)[k] - v));
}

function localOf({ matrix: m, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] },
	change) {
	if (m && !change) {
		return [m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]];
	}
	return product(moved(change?.translation ?? translation), turned(change?.rotation ?? rotation),
		scaled(change?.scale ?? scale));
}

// VRM 0.x numbers the joints of a thumb like those of other fingers.
const thumbs = { ThumbProximal: 'ThumbMetacarpal', ThumbIntermediate: 'ThumbProximal' };

function namedBones({ extensions = {} }) {
	const { VRMC_vrm: one, VRMC_vrm_animation: animation, VRM: zero, EXT_skeleton_humanoid: ext } = extensions;
	if (ext?.humanoidSkeletons?.length) {
		return ext.humanoidSkeletons[0].humanoidBones;
	}
	const current = one?.humanoid ?? animation?.humanoid;
	if (current) {
		return Object.fromEntries(Object.entries(current.humanBones).map(([bone, { node }]) => [bone, node]));
	}
	return zero && Object.fromEntries(zero.humanoid.humanBones.filter(({ node }) => node >= 0)
		.map(({ bone, node }) => [bone.replace(/Thumb(Proximal|Intermediate)$/, (name) => thumbs[name]), node]));
}

function formatOf({ extensions = {} }) {
	if (extensions.VRMC_vrm_animation) {
		return 'VRMA';
	}
	if (extensions.EXT_skeleton_humanoid?.humanoidSkeletons?.length) {
		return 'EXT';
	}
	return extensions.VRMC_vrm ? 'VRM 1.0' : extensions.VRM ? 'VRM 0.x' : 'glTF';
}

function readClip(file, path, { name = '', channels, samplers }, index) {
	const tracks = channels.filter(({ target }) => target.node !== undefined
		&& ['translation', 'rotation', 'scale'].includes(target.path)).map(({ target, sampler }) => ({
		...target, keys: elementsOf(file, path, samplers[sampler].input).map(([t]) => t),
		values: elementsOf(file, path, samplers[sampler].output),
		interpolation: samplers[sampler].interpolation ?? 'LINEAR' }));
	const end = Math.max(0, ...tracks.map(({ keys }) => keys[keys.length - 1]));
	const count = Math.max(1, Math.round(end * 30) + 1);
	const instants = Array.from({ length: count }, (_, i) => (count > 1 ? (end * i) / (count - 1) : 0));
	const changesAt = (t) => {
		const changes = new Map();
		for (const { node, path: what, ...track } of tracks) {
			changes.set(node, { ...changes.get(node), [what]: valueAt(track, what === 'rotation', t) });
		}
		return changes;
	};
	return { name, index, times: instants, changesAt, tracks: tracks.length };
}

export function readGltf(path) {
	const file = readContainer(path);
	const { nodes = [], animations = [], extensions = {}, extensionsRequired = [] } = file.document;
	const missing = extensionsRequired.find((name) => /^VRM/.test(name) && !(name in extensions));
	if (missing) {
		throw new Error(`the file requires ${missing} and lacks it`);
	}
	const joints = nodes.map(({ name = '' }) => ({ name, parent: -1 }));
	nodes.forEach(({ children = [] }, i) => children.forEach((child) => {
		joints[child].parent = i;
	}));
	const mapsAt = (changes) => {
		const worlds = [];
		const worldOf = (i) => {
			worlds[i] ??= times(joints[i].parent < 0 ? identity : worldOf(joints[i].parent),
				localOf(nodes[i], changes?.get(i)));
			return worlds[i];
		};
		return nodes.map((_, i) => worldOf(i));
	};
	// EXT_skeleton_humanoid takes the rest from the skin, if there is one.
	const restMaps = () => {
		const maps = mapsAt();
		const skin = formatOf(file.document) === 'EXT' ? file.document.skins?.[0] : undefined;
		if (skin?.inverseBindMatrices !== undefined) {
			elementsOf(file, path, skin.inverseBindMatrices).forEach((matrix, k) => {
				maps[skin.joints[k]] = inverse(localOf({ matrix }));
			});
		}
		return maps;
	};
	const clips = animations.map((animation, i) => readClip(file, path, animation, i))
		.map(({ changesAt, ...clip }) => ({ ...clip, maps: (i) => mapsAt(changesAt(clip.times[i])),
			pose: (i) => mapsAt(changesAt(clip.times[i])).map(place) }));
	return { format: formatOf(file.document), isUpKnown: true, joints, rest: () => restMaps().map(place), restMaps,
		posed: (changes) => mapsAt(changes).map(place),
		bones: namedBones(file.document), clips };
}
