// Makes the corpus of fuzz_stream: streams as the JavaScript encoder writes them,
// and packets that are wrong in one way each. Usage: node make_stream_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { BONES, ChainEncoder } from '../../../clients/js/index.js';

const folder = new URL('../fuzz_stream.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

const SECTIONS = { body: 1, face: 2, hands: 3, hips: 4, channels: 7, virtual: 8 };

const sized = (bytes) => [
	...(bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]), ...bytes];

function content(write) {
	const out = new Uint8Array(700);
	return [...out.subarray(0, write(out))];
}

const section = (name, write) => [(SECTIONS[name] << 4) | 2, ...sized(content(write))];

/** How a body moves: every bone to and fro, each at its own pace. */
function motion(name, tick) {
	if (name === 'hips')
		return [Math.sin(tick / 9), 0.1 * Math.cos(tick / 5), tick / 100];
	if (name === 'channels')
		return Float32Array.from({ length: 90 }, (_, i) => Math.sin(tick / 7 + i));
	if (name === 'virtual')
		return Float32Array.from({ length: 15 }, (_, i) => i).reduce((all, i) => [...all, i, tick / 50, 0,
			0, Math.sin(tick / 30 + i), 0, Math.cos(tick / 30 + i)], []);
	return Float32Array.from(BONES.flatMap((_, bone) => {
		const half = 0.4 * Math.sin(tick / (5 + (bone % 7)) + bone);
		const q = [0, 0, 0, Math.cos(half)];
		q[bone % 3] = Math.sin(half);
		return q;
	}));
}

const packet = (flags, sequence, bytes) =>
	[flags, sequence & 255, bytes.length & 255, bytes.length >> 8, ...bytes];
const states = (known, estimated) => [0x61, 14, ...known, ...estimated];
const ALL = [255, 255, 255, 255, 255, 255, 127];
const SOME = [1, 0, 0, 0, 255, 0, 0];
const placement = [0x51, 7, 0xb8, 0x17, 0, 0x9f, 0x1f, 0, 0x40];

/** Packets that need state, in each possible shape in turn. */
function step(tick, steps) {
	const named = steps.map(([id]) => id).join();
	if (tick % 3 === 0)
		return packet(1, tick, [0, ...steps.flatMap(([id, bytes]) => [(id << 4) | 2, ...sized(bytes)])]);
	if (tick % 3 === 1 && named === '1')
		return packet(1 | (1 << 1), tick, steps[0][1]);
	if (tick % 3 === 1 && named === '1,4')
		return steps[1][1].length === 1 ? packet(1 | (2 << 1), tick, [...steps[1][1], ...steps[0][1]])
			: packet(1 | (3 << 1), tick, [...sized(steps[1][1]), ...steps[0][1]]);
	return packet(1, tick, [steps.reduce((mask, [id]) => mask | (1 << (id - 1)), 0),
		...steps.flatMap(([, bytes], i) => (i < steps.length - 1 ? sized(bytes) : bytes))]);
}

function stream(precision, names, ticks) {
	const chains = names.map((name) => [name, new ChainEncoder(name)]);
	for (const [name, chain] of chains)
		chain.start(precision, motion(name, 0), name === 'channels' ? [0, 1, 2, 3] : name === 'virtual' ? [0, 1] : undefined);
	const rejoin = () => chains.flatMap(([name, chain]) => section(name, (out) => chain.writeRejoin(out)));
	const packets = [packet(0, 0, [...rejoin(), ...states(ALL, SOME)])];
	for (let tick = 1; tick < ticks; tick++) {
		const settle = tick % 8 === 7;
		const steps = chains.map(([name, chain]) =>
			[SECTIONS[name], content((out) => chain.encode(motion(name, tick), settle, out))])
			.filter(([, bytes]) => bytes.length > 0);
		packets.push(step(tick, steps));
		if (settle)
			packets.push(packet(0, tick, [...rejoin(), ...states(ALL, SOME), ...placement]));
	}
	return packets;
}

const names = ['body', 'face', 'hands', 'hips'];
const fine = stream('fine', names, 12);
const standard = stream('standard', names, 20);
const files = {
	fine, standard,
	coarse: stream('coarse', names, 12),
	'body-and-hips': stream('standard', ['body', 'hips'], 20),
	'channels-and-virtual-transforms': stream('fine', ['hips', 'channels', 'virtual'], 30),
	face: stream('fine', ['face'], 30),
	'a-hole': standard.filter((_, i) => i !== 5),
	'another-incarnation': standard.map(([flags, ...rest], i) => [flags | (i > 4 ? 0x20 : 0), ...rest]),
	'a-chain-that-never-began': [stream('fine', ['hips'], 1)[0], ...stream('fine', ['body'], 3).slice(1)],
	'empty-packets': [fine[0], packet(1, 1, []), packet(1, 2, []), packet(0, 3, []), packet(1, 4, [])],
	'states-of-bones-that-are-not': [packet(0, 0, states([0, 0, 0, 0, 0, 0, 128], SOME))],
	'estimated-but-not-known': [packet(0, 0, states(SOME, ALL))],
	'a-section-twice': [packet(0, 0, [...placement, ...placement])],
	'placement-far-away': [packet(0, 0, [0x51, 9, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0])],
	'a-section-that-ends': [packet(0, 0, [0x12, 40, 1, 2, 3])],
};
for (const [name, packets] of Object.entries(files))
	writeFileSync(new URL(`${name}.bin`, folder), Uint8Array.from(packets.flat()));
