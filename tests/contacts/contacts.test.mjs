// Judges `jointcast retarget --contacts on`: inverse kinematics makes motions in which feet stand and
// hands touch at known instants; each is put on figures of very different proportions.
//
// JC_CASES=PATTERN judges only cases whose names match it; JC_TABLE=1 prints all values.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { jointcast, runJson } from '../cli/tool.mjs';
import { targets, writeVrm } from './figures.mjs';
import { judgements } from './judgements.mjs';
import { placesOf } from './kinematics.mjs';
import { posesOf, writeVrma } from './source_file.mjs';
import { motions as steps } from './steps.mjs';
import { motions as touches } from './touches.mjs';

const scratch = process.env.JOINTCAST_SCRATCH ?? mkdtempSync(join(tmpdir(), 'contacts'));
mkdirSync(scratch, { recursive: true });
const figures = targets().map((figure) => {
	const path = join(scratch, `${figure.name}.vrm`);
	writeFileSync(path, writeVrm(figure, figure.name));
	return { ...figure, path };
});
const motions = [...steps, ...touches];

function retarget(motion, figure, contacts) {
	const { frames } = runJson(jointcast, 'retarget', motion, figure.path, '--contacts', contacts);
	return frames.map((frame) => ({ frame, places: placesOf(figure, frame) }));
}

test('there are 200 cases or more', () => assert.ok(motions.length * figures.length >= 200));

for (const motion of motions) {
	const wanted = figures.filter(({ name }) => new RegExp(process.env.JC_CASES ?? '').test(`${motion.name} ${name}`));
	if (wanted.length === 0) {
		continue;
	}
	const poses = posesOf(motion);
	const path = join(scratch, `${motion.name}.vrma`);
	writeFileSync(path, writeVrma(poses));
	for (const figure of wanted) {
		test(`${motion.name} on ${figure.name}`, () => {
			const trial = { motion, figure, poses, on: retarget(path, figure, 'on'), off: retarget(path, figure, 'off') };
			assert.equal(trial.on.length, poses.length);
			const failures = [];
			for (const [name, judge] of Object.entries(judgements)) {
				const { value, limit, what, ...more } = judge(trial);
				const line = `${name}: ${what} ${value.toFixed(4)}, at most ${limit} ${JSON.stringify(more)}`;
				if (process.env.JC_TABLE) {
					console.log(`${motion.name}\t${figure.name}\t${name}\t${value}\t${limit}\t${what}`);
				}
				if (value > limit) {
					failures.push(line);
				}
			}
			assert.deepEqual(failures, []);
		});
	}
}
