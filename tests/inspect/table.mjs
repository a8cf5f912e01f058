// Writes the table of INSPECT.md: every motion and figure of the given folders, read by the tests' own
// forward kinematics and by `jointcast`.
//
// usage: node table.mjs JOINTCAST FOLDER|FILE… > table.md
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { judgeFile } from './judgement.mjs';

const known = ['.bvh', '.vrm', '.vrma', '.glb', '.gltf', '.wrl', '.x3d', '.x3dv', '.mcap', '.fbx', '.json',
	'.jsonl', '.handpose', '.bin'];
const [jointcast, ...places] = process.argv.slice(2);

function filesOf(place) {
	if (!existsSync(place)) {
		throw new Error(`${place}: no such folder`);
	}
	return statSync(place).isDirectory()
		? readdirSync(place).sort().flatMap((name) => filesOf(join(place, name)))
		: known.includes(extname(place).toLowerCase()) ? [place] : [];
}

const fixed = (value, digits, unit = '') => (Number.isFinite(value) ? value.toFixed(digits) + unit : '');
const percent = (value) => (Number.isFinite(value) ? `${Math.round(100 * value)}` : '');
const span = (values, write) => {
	const shown = values.filter(Number.isFinite);
	const [low, high] = [Math.min(...shown), Math.max(...shown)].map(write);
	return shown.length ? (low === high ? low : `${low} to ${high}`) : '';
};

// The same remark of many clips is one.
function grouped(lines) {
	const groups = new Map();
	for (const line of lines) {
		const [, clip, what] = line.match(/^(?:(.*?): )?(.*)$/);
		const kind = what.replace(/-?\d[\d.]*( (%|cm|m|degrees))?/g, '…');
		groups.set(kind, [...(groups.get(kind) ?? []), { clip, what }]);
	}
	return [...groups.values()].map(([{ clip, what }, ...more]) => (more.length
		? `${what} (${clip} and ${more.length} more clips)` : clip ? `${clip}: ${what}` : what)).join('; ');
}

function verdictOf({ refused, isBody, defects, remarks, problem }) {
	if (defects.length) {
		return `**${grouped(defects).replace(/\|/g, '/')}**`;
	}
	if (refused) {
		return `refused: ${refused.replace(/\|/g, '/')}`;
	}
	if (!isBody) {
		return `read; no whole body to compare${problem ? `: ${problem}` : ''}`;
	}
	return ['agrees', grouped(remarks)].filter(Boolean).join('; ').replace(/\|/g, '/');
}

function row(path, judged) {
	const { format, bones, fingers, ownFingers, unit, stature, clips } = judged;
	const shown = clips.filter(({ output }) => output);
	const all = (pick) => shown.map(pick);
	const elbows = shown.flatMap(({ bends }) => ['leftLowerArm', 'rightLowerArm'].map((joint) => bends[joint]));
	const [bent, wrong] = ['bent', 'wrong'].map((what) => elbows.reduce((sum, each) => sum + each[what], 0));
	return [join(basename(dirname(path)), basename(path)), format, [...new Set(clips.map(({ up }) => up))].join(' '),
		unit ? String(Number(unit.toFixed(4))) : '', fixed(stature?.height, 2),
		judged.refused ? '' : bones, judged.refused && !ownFingers ? '' : `${fingers} of ${ownFingers}`,
		clips.length || '', clips.reduce((sum, { own }) => sum + own.frames, 0) || '',
		span(all(({ output }) => output.upright), percent),
		span(all(({ output }) => 100 * output.floor), (v) => v.toFixed(0)),
		span(all(({ output }) => output.feet), (v) => v.toFixed(0)),
		span(all(({ output }) => output.pitch), (v) => v.toFixed(0)), span(all(({ output }) => output.knees), percent),
		bent ? percent(1 - wrong / bent) : '', span(all(({ output }) => output.left), percent),
		shown.length ? fixed(Math.max(...all(({ worst }) => worst.mean)), 2) : '',
		fixed(judged.figure?.worst.angle, 2), verdictOf(judged)].join(' | ');
}

const head = ['file', 'format', 'up', 'm per unit', 'height', 'bones', 'fingers', 'clips', 'frames', 'upright %',
	'floor cm', 'feet °', 'pitch °', 'knees %', 'elbows %', 'left %', 'limbs °', 'worn °', 'verdict'];
console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}`);
let [files, wrong] = [0, 0];
for (const path of places.flatMap(filesOf)) {
	const judged = await judgeFile(jointcast, path);
	files++;
	wrong += judged.defects.length ? 1 : 0;
	console.log(`| ${row(path, judged)} |`);
}
console.error(`${files} files, ${wrong} of them with differences`);
