// Makes the corpus of fuzz_state: the files of a state directory as the daemon writes them, and
// what is wrong in one way each. Usage: node make_state_corpus.mjs
import { mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../fuzz_state.corpus/', import.meta.url);
mkdirSync(folder, { recursive: true });
const write = (kind, name, content) => writeFileSync(new URL(`${name}.json`, folder),
	Buffer.concat([Buffer.from(kind), Buffer.from(typeof content === 'string' || content instanceof Uint8Array
		? content : JSON.stringify(content))]));

// Sanctions.
const ban = { space: 'lobby', kind: 'ban', who: 'subject ada', by: 'subject bob', reason: 'noise', since: 1700000000,
	until: 1800000000 };
const list = (...sanctions) => ({ jointcast: 'sanctions', sanctions });
const sanctions = {
	none: list(), one: list(ban), 'for-ever': list({ ...ban, until: undefined }),
	kinds: list(...['hide', 'mute', 'ban', 'block'].map((kind) => ({ ...ban, kind }))),
	twice: list(ban, ban), ended: list({ ...ban, until: 1 }), before: list({ ...ban, since: -1, until: -5 }),
	spaces: list(...['z', 'a', 'm'].map((space) => ({ ...ban, space }))), 'ends-last': list({ ...ban, until: 9223372036854775000n.toString() }),
	many: list(...Array.from({ length: 17 }, (_, i) => ({ ...ban, who: `address 192.0.2.${i}` }))),
	'too-many-of-a-space': { jointcast: 'sanctions', sanctions: Array.from({ length: 513 }, (_, i) =>
		({ ...ban, who: `${i}`, by: '', reason: '' })) },
	'other-format': { ...list(), jointcast: 'calibration' }, 'no-format': { sanctions: [] }, 'no-list': { jointcast: 'sanctions' },
	'object-list': { jointcast: 'sanctions', sanctions: {} }, 'number-entry': list(7), 'unknown-kind': list({ ...ban, kind: 'kick' }),
	'number-kind': list({ ...ban, kind: 1 }), 'text-since': list({ ...ban, since: 'now' }), 'real-until': list({ ...ban, until: 1.5 }),
	'long-space': list({ ...ban, space: 'x'.repeat(64) }), 'long-who': list({ ...ban, who: 'x'.repeat(72) }),
	'long-reason': list({ ...ban, reason: 'x'.repeat(256) }), 'no-by': list({ ...ban, by: undefined }),
	'nul-in-who': '{"jointcast":"sanctions","sanctions":[{"who":"a\\u0000b"}]}', 'no-json': '{', array: '[]',
	'large-number': '{"jointcast":"sanctions","sanctions":[{"since":99999999999999999999}]}',
};
for (const [name, content] of Object.entries(sanctions))
	write('s', `sanctions-${name}`, content);

// Calibrations.
const mount = { rotation: [0.5, -0.5, 0.5, 0.5], translation: [0.125, -0.0625, 0.25] };
const calibration = { profile: 'pico', pose: 'i', height: 1.7, joints: { 'hips': mount, 'right-foot-ankle': mount } };
const record = (current, before) => ({ jointcast: 'calibration', current, before });
const calibrations = {
	one: record(calibration), both: record(calibration, { ...calibration, profile: 'meta', pose: 't' }), 'before-none': record(calibration, null),
	'none-now': record(null, calibration), nothing: record(null), 'no-current': { jointcast: 'calibration' },
	'no-joints': record({ ...calibration, joints: {} }), 'other-format': { jointcast: 'sanctions' }, 'array-current': record([]),
	'bad-before': record(calibration, 7), 'unknown-joint': record({ ...calibration, joints: { tail: mount } }),
	'null-mount': record({ ...calibration, joints: { hips: null } }), 'short-rotation': record({ ...calibration, joints: { hips: { ...mount, rotation: [0, 0, 1] } } }),
	'no-rotation': record({ ...calibration, joints: { hips: { ...mount, rotation: [0, 0, 0, 0] } } }),
	'missing-rotation': record({ ...calibration, joints: { hips: { translation: [0, 0, 0] } } }),
	'far': record({ ...calibration, joints: { hips: { ...mount, translation: [9, 0, 0] } } }),
	'text-translation': record({ ...calibration, joints: { hips: { ...mount, translation: ['a', 0, 0] } } }),
	'unknown-profile': record({ ...calibration, profile: 'x' }), 'number-profile': record({ ...calibration, profile: 1 }),
	'unknown-pose': record({ ...calibration, pose: 'x' }), 'number-pose': record({ ...calibration, pose: 1 }), 'tall': record({ ...calibration, height: 9 }),
	trackers: record({ ...calibration, trackers: { 'LHR-1': 'waist', 'Tracker': 'left_foot' } }), 'array-trackers': record({ ...calibration, trackers: [] }),
	'unknown-role': record({ ...calibration, trackers: { 'LHR-1': 'tail' } }), 'same-role': record({ ...calibration, trackers: { a: 'left_foot', b: 'left_ankle' } }),
	'text-height': record({ ...calibration, height: '1' }), 'array-joints': record({ ...calibration, joints: [] }),
	'huge-height': '{"jointcast":"calibration","current":{"profile":"pico","pose":"t","height":1e999,"joints":{}}}', empty: '',
};
for (const [name, content] of Object.entries(calibrations))
	write('c', `calibration-${name}`, content);

// Registered skeletons: a header, and the descriptor that its hash is of.
const limbs = [
	['hips', -1, [0, 1, 0]], ['spine', 0, [0, 0.2, 0]], ['head', 1, [0, 0.4, 0]],
	['leftUpperArm', 1, [0.2, 0.3, 0]], ['leftLowerArm', 3, [0.3, 0, 0]], ['leftHand', 4, [0.3, 0, 0]],
	['rightUpperArm', 1, [-0.2, 0.3, 0]], ['rightLowerArm', 6, [-0.3, 0, 0]], ['rightHand', 7, [-0.3, 0, 0]],
	['leftUpperLeg', 0, [0.1, -0.1, 0]], ['leftLowerLeg', 9, [0, -0.4, 0]], ['leftFoot', 10, [0, -0.4, 0]],
	['rightUpperLeg', 0, [-0.1, -0.1, 0]], ['rightLowerLeg', 12, [0, -0.4, 0]], ['rightFoot', 13, [0, -0.4, 0]],
];
const figure = JSON.stringify({ nodes: limbs.map(([name, parent, translation]) => ({ name, parent, translation })),
	bones: Object.fromEntries(limbs.map(([name], i) => [name, i])) });
const file = (header, descriptor = figure) => `${typeof header === 'string' ? header
	: JSON.stringify({ jointcast: 'skeleton', subject: '', name: 'x', hash: '@', ...header })}\n${descriptor}\n`;
const skeletons = {
	'in-its-place': file({}), elsewhere: file({ subject: 'ada', name: '../../Ä' }), 'longest-names': file({ subject: 'Ä'.repeat(31), name: 'x'.repeat(63) }),
	'other-hash': file({ hash: 'sha256:0' }), 'no-hash': file({ hash: undefined }), 'other-format': file({ jointcast: 'x' }), 'no-name': file({ name: '' }),
	'number-name': file({ name: 7 }), 'long-name': file({ name: 'x'.repeat(64) }), 'long-subject': file({ subject: 'x'.repeat(64) }),
	'no-descriptor': file({}, ''), 'bad-descriptor': file({}, '{"nodes":[]}'), 'no-line': '{"jointcast":"skeleton"}', 'long-header': `${' '.repeat(1024)}\n${figure}`,
	'no-json': file('{'), 'array-header': file('[]'), torn: file({}).slice(0, 400),
};
for (const [name, content] of Object.entries(skeletons))
	write('k', `skeleton-${name}`, content);

// Uploaded avatars: the same with the statements of their owner.
const avatar = (header, descriptor = figure) => file({ jointcast: 'avatar', hash: 'a'.repeat(64), bytes: 100, index: 0, binary: true,
	rights: 'author', licence: 'CC0-1.0', skeleton: '@', name: undefined, ...header }, descriptor);
const avatars = {
	whole: avatar({}), owned: avatar({ subject: 'ada', rights: 'licensed', index: 3, binary: false }), 'longest-texts': avatar({ subject: 'Ä'.repeat(31), licence: 'Ä'.repeat(31) }),
	'no-hash': avatar({ hash: undefined }), 'short-hash': avatar({ hash: 'a' }), 'path-hash': avatar({ hash: '../'.repeat(21) + 'a' }), 'no-bytes': avatar({ bytes: 0 }),
	'negative-bytes': avatar({ bytes: -1 }), 'many-bytes': avatar({ bytes: 2 ** 40 }), 'real-index': avatar({ index: 0.5 }), 'great-index': avatar({ index: 1e6 }),
	'other-rights': avatar({ rights: 'mine' }), 'no-licence': avatar({ licence: '' }), 'long-licence': avatar({ licence: 'x'.repeat(64) }),
	'other-skeleton': avatar({ skeleton: 'b'.repeat(64) }), 'no-skeleton': avatar({ skeleton: undefined }), 'other-format': avatar({ jointcast: 'skeleton' }),
	'later-version': avatar({ version: 2 }), 'no-descriptor': avatar({}, ''), torn: avatar({}).slice(0, 300),
};
for (const [name, content] of Object.entries(avatars))
	write('a', `avatar-${name}`, content);
write('x', 'unknown', '');
