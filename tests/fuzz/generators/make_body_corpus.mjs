#!/usr/bin/env node
// Seeds of fuzz_body_frames that no one writes by hand: bent arms in each profile,
// right and wrong ones, SlimeVR's bones, and raw frames with what trackers deliver when they fail.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROFILES } from '../../../clients/js/tables.js';
import { move, solarxr } from '../../openxr/slimevr.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../fuzz_body_frames.corpus');
mkdirSync(folder, { recursive: true });

const places = {
	hips: [0, 0.96, 0], 'spine-lower': [0, 1.05, 0], chest: [0, 1.3, 0], neck: [0, 1.47, 0],
	'left-shoulder': [0.03, 1.42, 0], 'right-shoulder': [-0.03, 1.42, 0],
	'left-arm-upper': [0.17, 1.42, 0], 'left-arm-lower': [0.45, 1.42, 0],
	'left-hand-wrist': [0.45, 1.42, 0.25], 'left-upper-leg': [0.09, 0.92, 0],
	'right-upper-leg': [-0.09, 0.92, 0], 'left-lower-leg': [0.09, 0.5, 0.1],
	'left-foot-ankle': [0.09, 0.1, 0],
};
const names = Object.keys(places);
const joint = (name, i) => [...places[name], 0, i % 2 ? 0.7071068 : 0, 0, i % 2 ? 0.7071068 : 1, 1 + (i % 2)];
for (const profile of Object.keys(PROFILES)) {
	const frame = (t) => JSON.stringify({ t, joints: names.map(joint) });
	const header = JSON.stringify({ jointcast: 'body-frames', profile, joints: names });
	writeFileSync(join(folder, `profile_${profile}.jsonl`), `${header}\n${frame(0)}\n${frame(0.1)}\n`);
}

// SlimeVR's bones: of trackers, of controllers with and without trackers on the arms.
for (const [name, feed] of Object.entries({ trackers: {}, controllers: { controllers: true },
	bare: { controllers: true, bare: true } })) {
	const [header, ...frames] = solarxr(move, [0.1, 6, 10], feed);
	const { rest, ...shown } = JSON.parse(header);
	writeFileSync(join(folder, `slimevr_${name}.jsonl`),
		`${[JSON.stringify({ ...shown, profile: 'meta', rest: feed.bare ? rest : undefined }),
			...frames].join('\n')}\n`);
}

// Profile, then frames of 83 joints: state and seven floats, little-endian.
const jointCount = 83;
function raw(profile, frames) {
	const bytes = Buffer.alloc(1 + frames.length * jointCount * 29);
	bytes[0] = profile;
	frames.forEach((values, f) => {
		for (let j = 0; j < jointCount; j++) {
			const at = 1 + (f * jointCount + j) * 29;
			bytes[at] = 2;
			values(j).forEach((value, k) => bytes.writeFloatLE(value, at + 1 + 4 * k));
		}
	});
	return bytes;
}
const good = (j) => [Math.cos(j) * 0.3, 1 + Math.sin(j) * 0.3, j * 0.01, 0, 0, 0, 1];
const bad = (j) => [[NaN, 1, 0, 0, 0, 0, 1], [1e30, Infinity, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0, 0],
	[0, 1, 0, 3e38, 3e38, 3e38, 3e38], [5000, 0, 0, 0, 0, 0, 1], good(j + 40), [0, 1, 0, 0, 0, 0, 1]][j % 7];
const same = () => [0, 1, 0, 0, 0, 0, 1];
writeFileSync(join(folder, 'raw_good_bad.bin'), raw(1, [good, bad, good]));
writeFileSync(join(folder, 'raw_one_place.bin'), raw(2, [same]));
