// The goals of kept contacts, with the stage off and on and with three-vrm: a row for each motion and
// figure, then medians and the worst. `jointcast measure` gives the first four values of both; those of
// three-vrm come from the same definitions in measures.mjs, with the motion on the built-in
// figure in place of its own.
//
// usage: table.mjs JOINTCAST SCRATCH SECONDS MOTION… -- FIGURE…
import { basename } from 'node:path';
import { degreesBetween, runJson } from '../../cli/tool.mjs';
import { elsewhere, hipsPath, mean, measure, pairErrors } from './measures.mjs';
import { describe, readSource } from './source.mjs';

const rate = 30;
const floorOf = ({ skeleton }) => (/^vrm/.test(skeleton.format) ? 0 : undefined);

function retarget(jointcast, motion, figure, times, contacts, ...options) {
	const out = runJson(jointcast, 'retarget', motion, figure, '--times', times.join(), '--contacts', contacts, ...options);
	const rest = Object.fromEntries(Object.entries(out.skeleton.bones)
		.map(([bone, { restWorldPosition }]) => [bone, restWorldPosition]));
	return { figure: describe(rest, out.skeleton.hipsHeight, floorOf(out)), stride: out.contacts?.stride ?? 1,
		frames: out.frames.map(({ bones }) => Object.fromEntries(Object.entries(bones)
			.map(([bone, { worldPosition }]) => [bone, worldPosition]))),
		rotations: out.frames.map(({ bones }) => Object.fromEntries(Object.entries(bones)
			.map(([bone, { rotation }]) => [bone, rotation]))) };
}

function detected(jointcast, motion, figure, contacts) {
	const m = runJson(jointcast, 'measure', motion, figure, '--fps', String(rate), '--contacts', contacts);
	return { skate: m.footSkateCm.worn / m.footSkateCm.source, penetration: m.penetrationMostMm.worn, f1: m.contacts.f1,
		jerk: m.jerkRatio, sourcePenetration: m.penetrationMostMm.source };
}

async function compare(jointcast, source, motion, figure) {
	const [off, on] = ['off', 'on'].map((each) => retarget(jointcast, motion, figure, source.times, each));
	const scaled = retarget(jointcast, motion, figure, source.times, 'off', '--hips-scale', String(on.stride));
	const rows = Object.entries({ off, on }).map(([name, target]) => ({ with: name,
		...detected(jointcast, motion, figure, name), pairs: pairErrors(source, target),
		...(name === 'on' ? { elsewhere: elsewhere(source, off, on, degreesBetween), hips: hipsPath(scaled, on) } : {}) }));
	if (/\.vrm$/i.test(figure)) {
		const { playWithThreeVrm } = await import('../../oracle/vrma_player.mjs');
		const frames = await playWithThreeVrm(figure, source.path, source.times);
		const target = { figure: off.figure, frames };
		rows.push({ with: 'three-vrm', ...measure(retarget(jointcast, motion, 'humanoid', source.times, 'off'), target, source.seconds),
			pairs: pairErrors(source, target) });
	}
	return rows.map((row) => ({ motion: basename(motion), figure: basename(figure), ...row }));
}

const finite = (values) => values.filter((v) => Number.isFinite(v)).sort((a, b) => a - b);
const median = (values) => finite(values)[Math.floor(finite(values).length / 2)];
const show = (value, digits, width) => (Number.isFinite(value) ? value.toFixed(digits) : '-').padStart(width);
const all = (pairs) => Object.values(pairs).flat();

function line(names, { skate, penetration, f1, jerk, pairs, elsewhere: other, hips }) {
	return [names[0].slice(0, 22).padEnd(22), names[1].slice(0, 26).padEnd(26), names[2].padEnd(10), show(skate, 2, 6),
		show(penetration, 1, 7), show(f1, 3, 6), show(jerk, 2, 6), show(mean(pairs), 2, 6), show(Math.max(...pairs), 2, 6),
		String(pairs.length).padStart(6), show(other, 4, 8), show(hips, 2, 6)].join(' ');
}

function summary(rows, name) {
	const value = (key) => rows.map((row) => row[key]);
	const pairs = rows.flatMap((row) => all(row.pairs));
	const most = (key) => Math.max(...finite(value(key)));
	console.log(line(['median', `${rows.length} rows`, name], { ...Object.fromEntries(['skate', 'penetration', 'f1', 'jerk',
		'elsewhere', 'hips'].map((key) => [key, median(value(key))])), pairs }));
	console.log(line(['worst', '', name], { skate: most('skate'), penetration: most('penetration'),
		f1: Math.min(...finite(value('f1'))), jerk: most('jerk'), elsewhere: most('elsewhere'), hips: most('hips'), pairs }));
	for (const kind of Object.keys(rows[0].pairs)) {
		const errors = rows.flatMap((row) => row.pairs[kind]);
		console.log(`${kind.padEnd(22)} ${''.padEnd(26)} ${name.padEnd(10)} mean ${show(mean(errors), 2, 0)}, at most ${
			show(Math.max(...errors), 2, 0)}, ${show(errors.filter((v) => v > 2).length / errors.length * 100, 1, 0)} % above 2, ${errors.length} frames`);
	}
}

async function main([jointcast, scratch, seconds, ...paths]) {
	const divider = paths.indexOf('--');
	const rows = [];
	console.log('motion'.padEnd(22), 'figure'.padEnd(26), 'stage'.padEnd(10), ' skate', 'depth mm', '  F1', ' jerk',
		'pair %', '  most', 'frames', 'elsewhere', 'hips %');
	for (const motion of paths.slice(0, divider)) {
		const source = await readSource(jointcast, motion, scratch, Number(seconds), rate);
		for (const figure of paths.slice(divider + 1)) {
			const found = await compare(jointcast, source, motion, figure);
			found.forEach((row) => console.log(line([row.motion, row.figure, row.with], { ...row, pairs: all(row.pairs) })));
			rows.push(...found);
		}
	}
	for (const figure of paths.slice(divider + 1).map((path) => basename(path))) {
		console.log(`\n${figure}`);
		['off', 'on', 'three-vrm'].map((name) => [rows.filter((row) => row.with === name && row.figure === figure), name])
			.filter(([found]) => found.length).forEach(([found, name]) => summary(found, name));
	}
	console.log('\nall figures');
	['off', 'on'].forEach((name) => summary(rows.filter((row) => row.with === name), name));
	const vrms = new Set(rows.filter((row) => row.with === 'three-vrm').map(({ figure }) => figure));
	if (vrms.size) {
		console.log('\nVRMs');
		['off', 'on', 'three-vrm'].forEach((name) =>
			summary(rows.filter((row) => row.with === name && vrms.has(row.figure)), name));
	}
}

await main(process.argv.slice(2));
