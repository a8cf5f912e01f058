// Contacts of live bodies: six trackers, and head with hands, through a daemon, with trackers that
// come and go. The daemon replays what trackers delivered, at the recorded times, through all that a
// live body passes, so that a busy machine changes nothing. Two subscribers receive the same ticks on a figure of short legs, with contacts and
// without; the script reports the largest step of hands and feet from tick to tick, how much the
// largest change of a step is (a jump), and how old the packets of both are.
//
// usage: node live.mjs JOINTCASTD [MOTION…]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BONES, Figure, connect } from '../../../clients/js/index.js';
import { JOINTCAST, scratch, start } from '../../e2e/support/daemon.mjs';
import { makeShortLegs } from '../../e2e/support/short_legs.mjs';
import { until } from '../../e2e/support/until.mjs';

const WebSocket = createRequire(new URL('../../e2e/package.json', import.meta.url))('ws');
const motions = process.argv.length > 3 ? process.argv.slice(3) : ['demo:walk', 'demo:wave', 'demo:sit'];
const { joints } = JSON.parse(readFileSync(new URL('../../../proto/joints.json', import.meta.url)));
const hands = joints.map(({ name }) => name).filter((name) => /hand|palm|wrist/.test(name));
const SETS = {
	'six trackers': ['head', 'left-hand-wrist', 'right-hand-wrist', 'hips', 'left-foot-ankle', 'right-foot-ankle'],
	'head with hands': ['head', ...hands],
};
const ENDS = ['leftHand', 'rightHand', 'leftFoot', 'rightFoot', 'leftToes', 'rightToes'];
const HZ = 60;
const BEGINNING = 30; // ticks in which a body that has entered goes to its first pose

/** The motion as these trackers see it; `gaps`: now and then some are lost, and all of them. */
function reduce(motion, kept, gaps, file) {
	execFileSync(JOINTCAST, ['convert', motion, file, '--fps', '60', '--drop',
		joints.map(({ name }) => name).filter((name) => !kept.includes(name)).join()], { stdio: 'ignore' });
	const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
	const header = JSON.parse(head);
	const lost = (t, joint) => {
		const phase = t % 4;
		return (phase > 1 && phase < 1.7 && /left-(foot|hand)/.test(joint)) || (phase > 2.2 && phase < 2.5 && /right/.test(joint));
	};
	const frames = lines.map((line) => JSON.parse(line)).filter(({ t }) => !gaps || t % 4 < 3 || t % 4 > 3.7)
		.map((frame) => (gaps ? { ...frame, joints: frame.joints.map((joint, i) => (lost(frame.t, header.joints[i]) ? null : joint)) } : frame));
	writeFileSync(file, [head, ...frames.map((frame) => JSON.stringify(frame))].join('\n'));
	return frames.at(-1).t;
}

function listen(daemon, view) {
	const client = connect(daemon.url, { WebSocket, codings: [1], ...view });
	const heard = { client, ticks: new Map() };
	client.on('bundle', (bundle) => {
		for (let i = 0; i < bundle.count; i++) {
			const body = client.bodies.get(bundle.body[i]);
			const sample = body?.timeline.at(body.timeline.newest);
			if (!sample || !body.skeleton)
				continue;
			const figure = new Figure(body.skeleton).pose(sample);
			heard.ticks.set(bundle.tick, { cut: bundle.cut[i], age: bundle.age[i],
				places: ENDS.map((bone) => figure.position(body.skeleton.bones[BONES.indexOf(bone)], [])) });
		}
	});
	return heard;
}

const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

/** Millimetres: largest step, largest change of a step, and its 99.9th percentile. */
function judge(ticks, shared) {
	const steps = [], changes = [];
	for (const tick of shared) {
		const [a, b, c] = [tick - 2, tick - 1, tick].map((each) => ticks.get(each));
		if (!shared.has(tick - 1) || !shared.has(tick - 2) || b.cut || c.cut)
			continue;
		ENDS.forEach((_, i) => {
			steps.push(distance(c.places[i], b.places[i]));
			changes.push(distance(c.places[i].map((x, k) => x - b.places[i][k]), b.places[i].map((x, k) => x - a.places[i][k])));
		});
	}
	const at = (list, share) => 1000 * list.sort((x, y) => x - y)[Math.min(list.length - 1, Math.floor(share * list.length))];
	return [at(steps, 1), at(changes, 1), at(changes, 0.999)];
}

/** Millimetres: the largest step of the way from where an end is without contacts to where it is with
 * them, among ticks in which the end moves by less than 5 mm without: a jump that only contacts make. */
function judgeAdded(kept, exact, shared) {
	let most = 0;
	for (const tick of shared) {
		const [a, b, c, d] = [kept.get(tick - 1), kept.get(tick), exact.get(tick - 1), exact.get(tick)];
		if (!shared.has(tick - 1) || b.cut || d.cut)
			continue;
		ENDS.forEach((_, i) => {
			if (distance(c.places[i], d.places[i]) < 0.005)
				most = Math.max(most, distance(a.places[i], b.places[i]));
		});
	}
	return 1000 * most;
}

async function play(motion, set, gaps) {
	const folder = scratch();
	const file = path.join(folder, 'seen.jsonl');
	const recording = path.join(folder, 'seen.mcap');
	const duration = Math.min(reduce(motion, SETS[set], gaps, file), 12);
	execFileSync(JOINTCAST, ['convert', file, recording], { stdio: 'ignore' });
	const daemon = await start('--source', `replay:${recording}?loop`);
	const registrar = connect(daemon.url, { WebSocket });
	await until('a roster', () => registrar.state === 'live');
	const { hash } = await registrar.registerSkeleton('short', makeShortLegs());
	const [kept, exact] = [true, false].map((contacts) => listen(daemon, { skeleton: hash, contacts }));
	const both = () => [...kept.ticks.keys()].filter((tick) => exact.ticks.has(tick));
	await until('the motion', () => both().length > duration * HZ, 120000);
	[registrar, kept.client, exact.client].forEach((client) => client.close());
	await daemon.stop();
	const first = both()[0];
	const shared = new Set(both().filter((tick) => tick > first + BEGINNING));
	const late = [...shared].filter((tick) => kept.ticks.get(tick).age !== exact.ticks.get(tick).age).length;
	return { ticks: shared.size, on: judge(kept.ticks, shared), off: judge(exact.ticks, shared), late,
		added: judgeAdded(kept.ticks, exact.ticks, shared) };
}

console.log('mm a tick of 1/60 s'.padEnd(54), 'largest step'.padStart(15), 'largest change'.padStart(17), '99.9 %'.padStart(15), 'of slow'.padStart(8), ' ticks, of other age');
for (const motion of motions) {
	for (const set of Object.keys(SETS)) {
		for (const gaps of [false, true]) {
			const { ticks, on, off, late, added } = await play(motion, set, gaps);
			const pairs = on.map((value, i) => `${off[i].toFixed(1)} ${value.toFixed(1)}`.padStart(15));
			console.log(`${path.basename(motion).slice(0, 26).padEnd(27)}${set.padEnd(16)}${(gaps ? 'with gaps' : '').padEnd(11)}`, ...pairs,
				added.toFixed(1).padStart(8), `${ticks}, ${late}`.padStart(10));
		}
	}
}
console.log(`each pair: without and with contacts; ${HZ} ticks a second`);
process.exit(0);
