// Makes the corpus of fuzz_replay: recordings of a few ticks and operations on them. Checksums
// of chunks are 0, which means absent, so that mutations are read.
// Usage: node make_replay_corpus.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { MAGIC, array, bytes, chunk, close, number, record, text, u16, u32, u64 } from './mcap.mjs';

const folder = new URL('../fuzz_replay.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });

// As in fuzz_replay.c.
const [POOL, LOOP, PAUSED, RENAMED, OUTFIT, PART, GOES_ON] = [1, 2, 4, 8, 16, 32, 64];
const [TICK, LATE_TICK, SEEK, SEEK_NEAR, PAUSE, SPEED, LOOPS, RANGE] = [0, 1, 2, 3, 4, 5, 6, 7];

const golden = JSON.parse(readFileSync(new URL('../../../proto/golden/captures.json', import.meta.url), 'utf8'))
	.map(({ hex, expected }) => ({ kind: expected.kind, bytes: [...Buffer.from(hex, 'hex')] }))
	.filter(({ bytes: { length } }) => length < 700);
const ofKind = (kind) => golden.filter((capture) => capture.kind === kind).map((capture) => capture.bytes);
const frames = ofKind('body-frame');
const poses = ofKind('pose');

const header = record(1, text(''), text('corpus'));
const define = (id, schema, encoding, topic) => [...record(3, u16(id), text(schema), text(''), array([])),
	...record(4, u16(id), u16(id), text(topic), text(encoding), array([]))];
const definitions = (space = 'lobby', first = 1) => [...define(first, 'jointcast.Roster', 'json', `/${space}/roster`),
	...define(first + 1, 'jointcast.Captures', 'jointcast', `/${space}/captures`),
	...define(first + 2, 'jointcast.Event', 'json', `/${space}/event`),
	...define(first + 3, 'jointcast.Skeleton', 'json', `/${space}/skeleton`)];
const at = (tick) => BigInt(Math.floor(tick * 1e6 / 60)) * 1000n;
const said = (channel, tick, object) => record(5, u16(channel), u32(0), u64(at(tick)), u64(at(tick)),
	bytes(JSON.stringify({ time: Number(at(tick) / 1000n), ...object })));
const roster = (tick, bodies, channel = 1) => said(channel, tick, { bodies });
// A capture has its time from the third byte on: 48 bits of microseconds.
const stamp = (capture, tick) => [...capture.slice(0, 2), ...number(at(tick) / 1000n, 6), ...capture.slice(8)];
const captures = (tick, list, channel = 2) => record(5, u16(channel), u32(tick), u64(at(tick)), u64(at(tick)), 1, u32(tick),
	...list.map(([id, capture]) => [...u32(id), ...u16(capture.length), ...stamp(capture, tick)]));
const session = (...records) => close([...MAGIC, ...header, ...records.flat()]);

const calibration = { profile: 'meta', pose: 't', height: 1.7, joints: { hips: { rotation: [0, 0, 0, 1], translation: [0, 0.1, 0] } } };
const ada = { id: 1, name: 'Ada', recorded: 'raw', kind: 'body-frames', profile: 'meta', height: 1.7, display: 'Countess',
	smooth: { minCutoff: 1, beta: 0.5 }, meta: { team: 'red' } };
const grace = { id: 2, name: 'Grace', recorded: 'anonymous', kind: 'poses', channels: ['expression/happy', 'lookAt'],
	placement: { position: [1, 0, 2], yaw: 1 }, seat: { height: 0.4 } };
const shy = { id: 3, name: 'shy', recorded: 'nothing' };
const every = (from, count, ids, channel = 2) => Array.from({ length: count }, (_, n) =>
	captures(from + n, ids.map((id) => {
		const list = id === 1 ? frames : poses;
		return [id, list[(from + n) % list.length]];
	}), channel)).flat();

const recordings = {
	one: session(definitions(), roster(60, [ada]), every(60, 8, [1])),
	two: session(definitions(), roster(60, [ada, grace, shy]), every(60, 8, [1, 2])),
	changes: session(definitions(), roster(60, [ada]), every(60, 3, [1]), roster(63, [{ ...ada, profile: 'pico', calibration, meta: {} }, grace]),
		every(63, 3, [1, 2]), said(3, 65, { event: 'marker', text: 'a bow' }), roster(66, [{ ...grace, name: 'Ada', channels: ['x'] }]), every(66, 3, [2]),
		roster(69, [])),
	'other-source': session(definitions(), roster(60, [ada]), every(60, 2, [1]), roster(62, [{ ...ada, kind: 'poses' }]), every(62, 2, [1]),
		roster(64, [{ ...ada, height: 1.5 }]), roster(65, [{ ...ada, skeleton: 'b' }]), roster(66, [{ ...ada, calibration }]), roster(67, [ada])),
	chunks: session(chunk([...definitions(), ...roster(60, [ada]), ...every(60, 4, [1])], { start: at(60), end: at(63), crc: 0 }),
		chunk(every(80, 4, [1]), { start: at(80), end: at(83), crc: 0 }), chunk(every(200, 4, [1]), { start: at(200), end: at(203), crc: 0 })),
	spaces: session(definitions('a', 1), definitions('b', 5), roster(60, [ada], 1), roster(62, [ada, grace], 5), every(60, 4, [1]), every(62, 4, [1, 2], 6)),
	skeleton: session(definitions(), said(4, 60, { hash: 'a', descriptor: { nodes: [{}], bones: { hips: 0 } } }),
		roster(60, [{ ...ada, skeleton: 'a' }, { ...grace, skeleton: 'b' }]), every(60, 4, [1])),
	'many-markers': session(definitions(), roster(60, [ada]), Array.from({ length: 20 }, (_, n) => said(3, 60 + n, { event: n % 3 ? 'marker' : 'x', text: `${n}` }))),
	'same-name': session(definitions(), roster(60, [ada, { ...ada, id: 4 }, { ...ada, id: 5, name: '' }]), every(60, 2, [1, 4, 5])),
	'same-id': session(definitions(), roster(60, [ada, { ...grace, id: 1 }]), every(60, 2, [1])),
	'long-names': session(definitions(), roster(60, [{ ...ada, name: 'ä'.repeat(31), display: 'ö'.repeat(60) }, { ...grace, name: `x${'ä'.repeat(60)}` }])),
	'many-bodies': session(definitions(), roster(60, Array.from({ length: 66 }, (_, n) => ({ id: n + 1, name: `${n}`, recorded: 'raw' })))),
	'long-time': session(definitions(), roster(0, [ada]), captures(600000000, [[1, frames[0]]])),
	'no-epoch': session(definitions(), record(5, u16(1), u32(0), u64(2n ** 63n), u64(0), bytes(JSON.stringify({ bodies: [ada] })))),
	backwards: session(definitions(), roster(66, [ada]), every(63, 2, [1]), every(60, 2, [1])),
	nobody: session(definitions(), roster(60, [])),
	torn: [...MAGIC, ...header, ...definitions(), ...roster(60, [ada]), ...every(60, 8, [1])],
	broken: session(definitions(), roster(60, [ada]), record(5, u16(2), u32(1), u64(at(61)), u64(at(61)), 1, u32(1), u32(1), u16(65535), 1, 2)),
	empty: [],
};
const plays = [[TICK, 15]];
const commands = {
	plain: [0, plays],
	pool: [POOL, [[TICK, 15], [SEEK, 128], [TICK, 3], [LATE_TICK, 200], [SEEK_NEAR, 0], [TICK, 3]]],
	loop: [LOOP | RENAMED, [[TICK, 15], [SPEED, 255], [TICK, 15], [LATE_TICK, 255], [TICK, 2]]],
	part: [PART, [[TICK, 15], [RANGE, 0x3c], [TICK, 8], [RANGE, 0xc3]]],
	all: [PAUSED | OUTFIT | GOES_ON, [[TICK, 2], [PAUSE, 0], [TICK, 3], [SEEK, 255], [TICK, 3], [PAUSE, 0], [TICK, 8], [LOOPS, 1], [TICK, 3],
		[PAUSE, 1], [SEEK, 100], [TICK, 3], [SPEED, 0], [PAUSE, 0], [TICK, 3], [LOOPS, 0], [SEEK_NEAR, 5], [TICK, 3]]],
	'pool-loop': [POOL | LOOP, [[TICK, 15], [SPEED, 255], [LATE_TICK, 60], [TICK, 9], [LATE_TICK, 255], [TICK, 9]]],
};

const write = (name, [switches, list], content) => writeFileSync(new URL(name, folder),
	Buffer.from([list.length, switches, ...list.flat(), ...content]));
for (const [name, content] of Object.entries(recordings))
	write(name, commands.plain, content);
for (const [name, some] of Object.entries(commands)) {
	if (name !== 'plain') {
		write(`changes-${name}`, some, recordings.changes);
		write(`chunks-${name}`, some, recordings.chunks);
	}
}
write('skeleton-outfit', [OUTFIT, plays], recordings.skeleton);
write('spaces-pool', commands.pool, recordings.spaces);
