// H-Anim files that the tool writes, against the text of the 1.0 specification: the nesting of
// joints, their segments, and the directions of the viewpoints.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { about, add, scaled, turn } from '../figures/arithmetic.mjs';
import { JOINTS_1_0 } from '../e2e/support/seed_figures.mjs';
import { scratch } from './files.mjs';
import { jointcast, run } from './tool.mjs';

const folder = scratch('hanim');

// The nodes of a VRML97 text that have a DEF, with type, the DEFs above, and their simple fields.
function nodesOf(text) {
	const found = new Map();
	const above = [];
	for (const line of text.split('\n')) {
		const opening = /(?:DEF (\S+) )?(\w+) \{$/.exec(line);
		if (opening) {
			const [, def, type] = opening;
			above.push({ def, type, parents: above.map((each) => each.def).filter(Boolean), fields: {} });
			if (def)
				found.set(def, above.at(-1));
		} else if (line.trim() === '}') {
			above.pop();
		} else if (above.length > 0) {
			const [, field, value] = /^ *(\w+) ?(.*)$/.exec(line) ?? [];
			above.at(-1).fields[field] = value;
		}
	}
	return found;
}

const numbers = (text) => text.split(' ').map(Number);

const out = join(folder, 'wave.wrl');
assert.equal(run(jointcast, 'convert', 'demo:wave', out).status, 0);
const written = readFileSync(out, 'utf8');
const nodes = nodesOf(written.slice(written.indexOf('DEF Viewpoints')));

test('written joints and segments have the names and the nesting of the complete hierarchy', () => {
	const isKnown = new Map(JOINTS_1_0.map((joint) => [joint.name, joint]));
	const joints = [...nodes.values()].filter(({ type }) => type === 'Joint');
	assert.ok(joints.length > 50);
	for (const { def, parents, fields } of joints) {
		const name = def.replace('hanim_', '');
		assert.equal(fields.name, `"${name}"`);
		if (/eyeball|temporomandibular/.test(name))
			continue; // of later versions
		// The nearest joint above in the text of which the file has one.
		let above = isKnown.get(name).parent;
		while (above && !nodes.has(`hanim_${above}`))
			above = isKnown.get(above).parent;
		assert.equal(parents.at(-1), above ? `hanim_${above}` : undefined, name);
		const { segment } = isKnown.get(name);
		if (segment)
			assert.deepEqual([nodes.get(`hanim_${segment}`)?.type, nodes.get(`hanim_${segment}`)?.parents.at(-1)], ['Segment', def], segment);
	}
});

// The default Viewpoint looks along -Z.
function assertLooks(def, direction) {
	const [x, y, z, angle] = numbers(nodes.get(def).fields.orientation);
	const seen = turn(about([x, y, z], (angle * 180) / Math.PI), [0, 0, -1]);
	const length = Math.hypot(...direction);
	assert.ok(seen.every((v, i) => Math.abs(v - direction[i] / length) < 1e-6), `${def} looks along ${seen}`);
}

test('the four views of a written figure face as the text demands, and all of it is in sight', () => {
	const [center, size] = ['bboxCenter', 'bboxSize'].map((field) => numbers(nodes.get('Humanoid').fields[field]));
	const corners = Array.from({ length: 8 }, (_, i) => center.map((v, k) => v + (i & (1 << k) ? 0.5 : -0.5) * size[k]));
	for (const [def, direction] of [['FrontView', [0, 0, -1]], ['SideView', [-1, 0, 0]], ['TopView', [0, -1, 0]],
		['InclinedView', [-1, -1, -1]]]) {
		assertLooks(def, direction);
		assert.deepEqual(nodes.get(def).parents, ['Viewpoints']);
		const axis = scaled(direction, 1 / Math.hypot(...direction));
		const from = numbers(nodes.get(def).fields.position);
		for (const corner of corners) {
			const way = add(corner, scaled(from, -1));
			const along = way.reduce((sum, v, k) => sum + v * axis[k], 0);
			// Within the 45 degrees that a Viewpoint shows.
			assert.ok(along > 0 && Math.acos(along / Math.hypot(...way)) < Math.PI / 8, `${def} does not see ${corner}`);
		}
	}
});

test('the views of eyes and face are at the head of a written figure', () => {
	const places = Object.fromEntries(['LeftEye', 'RightEye', 'Cyclopean', 'Face'].map((view) =>
		[view, numbers(nodes.get(`hanim_${view}View`).fields.position)]));
	for (const def of ['hanim_LeftEyeView', 'hanim_RightEyeView', 'hanim_CyclopeanView', 'hanim_FaceView', 'hanim_FaceLeft', 'hanim_FaceRight'])
		assert.equal(nodes.get(def).parents.at(-1), 'hanim_skullbase');
	for (const view of ['LeftEye', 'RightEye', 'Cyclopean'])
		assertLooks(`hanim_${view}View`, [0, 0, 1]);
	assertLooks('hanim_FaceView', [0, 0, -1]);
	assertLooks('hanim_FaceLeft', [-1, 0, -1]);
	assertLooks('hanim_FaceRight', [1, 0, -1]);
	assert.deepEqual(places.Cyclopean, [(places.LeftEye[0] + places.RightEye[0]) / 2, places.LeftEye[1], places.LeftEye[2]]);
	assert.deepEqual(places.RightEye.slice(1), places.LeftEye.slice(1));
	assert.ok(places.LeftEye[0] > 0 && places.Face[2] > places.LeftEye[2]);
});
