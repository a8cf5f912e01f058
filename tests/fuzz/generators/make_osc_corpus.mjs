// Makes the corpus of fuzz_osc: packets that VMC programs send, and packets that
// are wrong in one way each. Usage: node make_osc_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../fuzz_osc.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

const text = (value) => {
	const bytes = Buffer.from(value);
	return Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);
};
const int = (value) => {
	const bytes = Buffer.alloc(4);
	bytes.writeInt32BE(value);
	return bytes;
};
const float = (value) => {
	const bytes = Buffer.alloc(4);
	bytes.writeFloatBE(value);
	return bytes;
};
const double = (value) => {
	const bytes = Buffer.alloc(8);
	bytes.writeDoubleBE(value);
	return bytes;
};
const message = (address, tags, ...values) => Buffer.concat([text(address), text(`,${tags}`),
	...[...tags].map((tag, i) =>
		({ s: text, i: int, f: float, d: double, T: () => Buffer.alloc(0), F: () => Buffer.alloc(0) })[tag](
			values[i]))]);
const bundle = (...elements) => Buffer.concat([text('#bundle'), int(0), int(1),
	...elements.flatMap((element) => [int(element.length), element])]);
const place = (address, name, p = [0, 0, 0], q = [0, 0, 0, 1]) =>
	message(address, 'sfffffff', name, ...p, ...q);
const bone = (...args) => place('/VMC/Ext/Bone/Pos', ...args);
const packets = (...list) => Buffer.concat(list.flatMap((packet) =>
	[Buffer.from([packet.length >> 8, packet.length & 255]), packet]));

const frame = bundle(
	message('/VMC/Ext/OK', 'iiii', 1, 3, 0, 1),
	message('/VMC/Ext/T', 'f', 1.5),
	message('/VMC/Ext/Root/Pos', 'sfffffffffffff', 'root', 1, 0, 2, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0),
	bundle(bone('Hips', [0, 0.96, 0]), bone('LeftUpperLeg', [-0.1, -0.04, 0]),
		bone('LeftLowerLeg', [0, -0.42, 0]), bone('LeftFoot', [0, -0.42, 0]),
		bone('LeftToes', [0, -0.065, 0.13])),
	bone('LeftThumbProximal', [0, 0, 0], [0, 0, -0.7071068, 0.7071068]));
const files = {
	frame: packets(frame, frame),
	halves: packets(bone('Spine'), bone('Neck'), bone('Spine'), bone('Neck'), bone('Spine')),
	blend: packets(bundle(message('/VMC/Ext/Blend/Val', 'sf', 'Joy', 0.5),
		message('/VMC/Ext/Blend/Val', 'sf', 'tongueOut', 1.5),
		message('/VMC/Ext/Blend/Apply', ''))),
	devices: packets(bundle(place('/VMC/Ext/Hmd/Pos', 'LHR-1'), place('/VMC/Ext/Con/Pos', 'L'),
		place('/VMC/Ext/Tra/Pos/Local', 'T', [1, 2, 3]))),
	trackers: packets(bundle(...['head', '1', '8'].flatMap((name, i) => [
		message(`/tracking/trackers/${name}/position`, 'fff', i, 1.5, -i),
		message(`/tracking/trackers/${name}/rotation`, 'fff', 10, 200 * i, -30)])),
	message('/tracking/trackers/1/position', 'idf', 0, 1, 2)),
	trackers_wrong: packets(message('/tracking/trackers/9/position', 'fff', 0, 1, 2),
		message('/tracking/trackers/head', 'fff', 0, 1, 2),
		message('/tracking/trackers/1/rotation', 'fff', NaN, 1e30, 2),
		message('/tracking/trackers/2/position', 'ffs', 1, 1, '2')),
	true_false: packets(message('/a', 'TiF', 0, 7)),
	not_finite: packets(bone('Head', [NaN, 0, 0]), bone('Head', [0, 0, 0], [0, Infinity, 0, 1]),
		bone('Head', [0, 0, 0], [0, 0, 0, 0]), bone('Hips', [3e38, 0, 0])),
	int32: packets(message('/VMC/Ext/Bone/Pos', 'siiiiiii', 'Head', 0, 0, 0, 0, 0, 0, 1),
		message('/VMC/Ext/T', 'i', 1), message('/VMC/Ext/Blend/Val', 'si', 'Joy', 1)),
	float64: packets(message('/VMC/Ext/Bone/Pos', 'sdddfdid', 'Head', 0.1, 0, 1e300, 0, 0, 0, 1),
		message('/VMC/Ext/Bone/Pos', 'sdddfdid', 'Neck', 0.1, 0, 2, 0, -0.6, 0, 0.8),
		message('/VMC/Ext/OK', 'd', NaN), message('/VMC/Ext/Blend/Val', 'sd', 'Joy', 1e300)),
	float64_truncated: packets(Buffer.concat([text('/VMC/Ext/T'), text(',d'), int(1)])),
	wrong_types: packets(message('/VMC/Ext/Bone/Pos', 'sffffffs', 'Head', 0, 0, 0, 0, 0, 0, '1'),
		message('/VMC/Ext/T', 's', '1'), message('/VMC/Ext/OK', 's', 'yes')),
	no_tags: packets(text('/VMC/Ext/Blend/Apply')),
	unknown_type: packets(Buffer.concat([text('/a'), text(',ib'), int(1), int(3), text('abc')])),
	nested: packets([...Array(9)].reduce((inner) => bundle(inner), message('/a', ''))),
	element_past_its_bundle: packets(Buffer.concat([bundle(), int(8), text('/a')])),
	negative_size: packets(Buffer.concat([bundle(), int(-4), text('/a')])),
	padding: packets(Buffer.from('/a\0x,\0\0\0')),
	no_end: packets(Buffer.from('/abc')),
	no_end_of_tags: packets(Buffer.from('/a\0\0,iii')),
	truncated: packets(frame.subarray(0, 100)),
	empty: packets(Buffer.alloc(0)),
};
for (const [name, bytes] of Object.entries(files))
	writeFileSync(new URL(name, folder), bytes);
