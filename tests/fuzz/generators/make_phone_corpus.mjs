// Makes the corpus of fuzz_phone: packets of a suit, texts of phones, and some that are wrong in one
// way each. Usage: node make_phone_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../datagrams/fuzz_phone.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

const field = (name, ...values) => {
	const value = Buffer.concat(values);
	const head = Buffer.alloc(8);
	head.writeUInt32LE(value.length);
	head.write(name, 4);
	return Buffer.concat([head, value]);
};
const number = (size, method, value) => {
	const bytes = Buffer.alloc(size);
	bytes[method](value);
	return bytes;
};
const u16 = (value) => number(2, 'writeUInt16LE', value & 0xffff);
const u32 = (value) => number(4, 'writeUInt32LE', value);
const f32 = (value) => number(4, 'writeFloatLE', value);
const tran = (q, p) => field('tran', ...[...q, ...p].map(f32));
const head = (version = 1, type = 'sony motion format') =>
	field('head', field('ftyp', Buffer.from(type)), field('vrsn', Buffer.from([version])));
const sndf = field('sndf', field('ipad', Buffer.alloc(8)), field('rcvp', u16(12351)));

// Parent and position of each joint.
const REST = [[-1, 0, 0.92, 0], ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((parent) => [parent, 0, 0.06, 0]),
	...[1, -1].flatMap((side) => [[7, 0.02], [0, 0.14], [0, 0.28], [0, 0.24]].map(([parent, x], i) =>
		[i ? (side > 0 ? 10 : 14) + i : parent, side * x, 0, 0])),
	...[1, -1].flatMap((side) => [[0.09, -0.04, 0], [0, -0.39, 0], [0, -0.4, 0], [0, -0.07, 0.13]].map(([x, y, z], i) =>
		[i ? (side > 0 ? 18 : 22) + i : 0, side * x, y, z]))];
const joint = (name, i, q = [0, 0, 0, 1], parent = REST[i % 27][0]) =>
	field(name, field('bnid', u16(i)), ...(name === 'bndt' ? [field('pbid', u16(parent))] : []), tran(q, REST[i % 27].slice(1)));
const all = (name) => REST.map((_, i) => joint(name, i));
const skeleton = (bones = all('bndt'), start = head()) => Buffer.concat([start, sndf, field('skdf', field('bons', ...bones))]);
const frame = (index, bones = all('btdt'), start = head()) => Buffer.concat([start, sndf,
	field('fram', field('fnum', u32(index)), field('time', f32(index / 60)), field('uttm', Buffer.alloc(8)), field('btrs', ...bones))]);
const packets = (...list) => Buffer.concat(list.flatMap((packet) =>
	[Buffer.from([packet.length >> 8, packet.length & 255]), packet]));
const bent = REST.map((_, i) => joint('btdt', i, [Math.sin(i / 30), 0, 0, Math.cos(i / 30)]));
const replaced = (list, i, item) => list.map((old, k) => (k === i ? item : old));

const cases = {
	'frames': packets(skeleton(), frame(1), frame(2, bent), frame(4), frame(3), frame(1e6), frame(1)),
	'frame-first': packets(frame(1), skeleton(), frame(2)),
	'changed-skeleton': packets(skeleton(), frame(1), skeleton(replaced(all('bndt'), 12, joint('bndt', 12, [0, 0, 0.6, 0.8]))), frame(2)),
	'lying': packets(skeleton(replaced(all('bndt'), 0, joint('bndt', 0, [0.7071068, 0, 0, 0.7071068])))),
	'version': packets(skeleton(undefined, head(2))),
	'type': packets(skeleton(undefined, head(1, 'other motion formt'))),
	'missing-joint': packets(skeleton(all('bndt').slice(1))),
	'double-joint': packets(skeleton([...all('bndt'), joint('bndt', 3)])),
	'unknown-joint': packets(skeleton(replaced(all('bndt'), 3, joint('bndt', 27)))),
	'circle': packets(skeleton(replaced(all('bndt'), 3, joint('bndt', 3, undefined, 9)))),
	'no-rotation': packets(skeleton(), frame(1, replaced(all('btdt'), 5, joint('btdt', 5, [0, 0, 0, 0])))),
	'nan': packets(skeleton(), frame(1, replaced(all('btdt'), 5, joint('btdt', 5, [NaN, 0, 0, 1])))),
	'cut-off': packets(skeleton().subarray(0, 700)),
	'long-field': packets(Buffer.concat([u32(0xffffffff), Buffer.from('head')])),
	'face-1': Buffer.from('mouthSmile_R-0|eyeBlink_L-7|jawOpen-12|=head#-21.4,-6.03,-6.6,-0.03,-0.1,-0.65|rightEye#6,2.4,0.2|leftEye#6,-1.6,-0.1|'),
	'face-2': Buffer.from('trackingStatus&1|mouthSmile_R&0|eyeBlink_L&-7|=head#-21.4,-6.03,-6.6,-0.03,-0.1,-0.65|rightEye#6,2.4,0.2|leftEye#6,-1.6,-0.1|'),
	'face-3d': Buffer.from('eyeBlinkLeft&29|FM_SAD&0|jawOpen&4|=head#-22.1,0.4,-4.8,-0.03,-0.04,-0.4|rightEye#12.7,5.5,1.2|leftEye#12.8,1.2,0.2|'),
	'face-tcp': Buffer.from('jawOpen-12|=head#1,2,3,4,5,6|rightEye#1,2,3|leftEye#1,2,3|___iFacialMocap'),
	'face-number': Buffer.from('jawOpen&1e99|tongueOut&nan|'),
	'face-angles': Buffer.from('jawOpen&1|=head#1,2|'),
	'face-names': Buffer.from('&1|a b&2|'),
	'face-many': Buffer.from('a&1|'.repeat(300)),
};
for (const [name, bytes] of Object.entries(cases)) writeFileSync(new URL(name, folder), bytes);
