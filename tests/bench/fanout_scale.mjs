// How the cost of fan-out grows with subscribers, bodies and streams, as a table and as the
// picture in the README. For a release build:
// node tests/bench/fanout_scale.mjs [JOINTCAST [SECONDS [ROUNDS]]]   measures, writes both files
// node tests/bench/fanout_scale.mjs --draw                           draws what was measured
import fs from 'node:fs';
import { findProgram, isFirst, median, run } from './fanout_run.mjs';

const here = (name) => new URL(name, import.meta.url);
const DATA = here('fanout_scale.json');
const PICTURE = here('fanout_scale.svg');

const SWEEPS = [
	{ title: 'subscribers', note: '10 bodies', x: [100, 200, 400, 600, 800, 1000], series: [
		{ name: 'from places of their own', options: (n) => ({ subscribers: n, bodies: 10, viewpoints: true }) },
		{ name: 'one view', options: (n) => ({ subscribers: n, bodies: 10 }) }] },
	{ title: 'bodies', note: '50 subscribers', x: [1, 8, 16, 32, 48, 64], series: [
		{ name: 'from places of their own', options: (n) => ({ subscribers: 50, bodies: n, viewpoints: true }) },
		{ name: 'one view', options: (n) => ({ subscribers: 50, bodies: n }) }] },
	{ title: 'streams', note: '10 bodies, each subscriber its own skeleton',
		x: [100, 200, 400, 600, 800, 1000], series: [
			{ name: 'on skeletons of their own', options: (n) => ({ subscribers: n / 10, bodies: 10, 'own-skeletons': true }) }] },
];

/** y = a + b x by least squares, with the share of the variance that it explains. */
function fit(x, y) {
	const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
	const [mx, my] = [mean(x), mean(y)];
	const dot = (a, ma, b, mb) => a.reduce((sum, value, i) => sum + (value - ma) * (b[i] - mb), 0);
	const b = dot(x, mx, y, my) / dot(x, mx, x, mx);
	const a = my - b * mx;
	const off = y.reduce((sum, value, i) => sum + (value - a - b * x[i]) ** 2, 0);
	return { a, b, r2: 1 - off / dot(y, my, y, my) };
}

/** Rounds go through all points in turn, so that a busy moment falls on one of each. */
function measure([name, seconds = 4, rounds = 3]) {
	const program = findProgram(name);
	const sweeps = SWEEPS.map(({ title, note, x, series }) => ({ title, note, x,
		series: series.map((one) => ({ name: one.name, rounds: x.map(() => []), missed: 0 })) }));
	for (let round = 0; round < rounds; round++) {
		for (const [s, { x, series }] of SWEEPS.entries()) {
			for (const [i, { options }] of series.entries()) {
				for (const [k, n] of x.entries()) {
					const { cpu_share, missed_ticks } = run(program, { ...options(n), hz: 30, seconds, rounds: 1 });
					sweeps[s].series[i].rounds[k].push(cpu_share * 100);
					sweeps[s].series[i].missed += missed_ticks;
				}
			}
		}
	}
	for (const { x, series } of sweeps) {
		for (const one of series) {
			one.y = one.rounds.map((shares) => Number(median(shares).toFixed(2)));
			one.fit = fit(x, one.y);
			delete one.rounds;
		}
	}
	return { hz: 30, seconds: Number(seconds), rounds: Number(rounds), first: isFirst, sweeps };
}

const number = (value) => Number(value.toFixed(2));

function print({ sweeps }) {
	for (const { title, note, x, series } of sweeps) {
		console.log(`| ${title} (${note}) | ${x.join(' | ')} | line | r² |`);
		console.log(`|---|${x.map(() => '---|').join('')}---|---|`);
		for (const { name, y, fit: { a, b, r2 } } of series)
			console.log(`| ${name} | ${y.map((share) => `${share.toFixed(1)} %`).join(' | ')} | ${a.toFixed(1)} + ${
				(b * 100).toFixed(2)} for 100 | ${r2.toFixed(4)} |`);
	}
}

const WIDE = 300;
const HIGH = 190;
const LEFT = 44;
const TOP = 46;
const COLOURS = ['#c2410c', '#1d4ed8'];

function drawPanel({ title, note, x, series }, at) {
	const far = x.at(-1);
	const greatest = Math.max(...series.flatMap(({ y }) => y));
	const step = [1, 2, 5, 10, 20].find((each) => each * 5 >= greatest) ?? 50;
	const most = Math.ceil(greatest / step) * step;
	const px = (value) => number(LEFT + (value / far) * (WIDE - LEFT - 16));
	const py = (value) => number(TOP + HIGH - (value / most) * HIGH);
	const lines = [];
	for (let share = 0; share <= most; share += step)
		lines.push(`<line x1="${LEFT}" x2="${WIDE - 16}" y1="${py(share)}" y2="${py(share)}" class="grid"/>`,
			`<text x="${LEFT - 6}" y="${py(share) + 4}" class="right">${share} %</text>`);
	for (const value of x.filter((each, i) => i === 0 ? each > far / 8 : true))
		lines.push(`<text x="${px(value)}" y="${TOP + HIGH + 16}" class="middle">${value}</text>`);
	lines.push(`<text x="${LEFT}" y="18" class="title">${title}</text>`, `<text x="${LEFT}" y="34">${note}</text>`);
	for (const [i, { name, y, fit: { a, b } }] of series.entries()) {
		const colour = COLOURS[series.length > 1 ? i : 0];
		lines.push(`<line x1="${px(0)}" y1="${py(Math.max(a, 0))}" x2="${px(far)}" y2="${py(a + b * far)}" stroke="${colour}" stroke-opacity="0.45"/>`,
			...y.map((share, k) => `<circle cx="${px(x[k])}" cy="${py(share)}" r="3" fill="${colour}"/>`),
			`<text x="${LEFT + 8}" y="${TOP + 14 + 15 * i}" fill="${colour}">${name}</text>`);
	}
	return `<g transform="translate(${at * WIDE} 0)">\n${lines.join('\n')}\n</g>`;
}

function draw({ sweeps, hz }) {
	const [width, height] = [WIDE * sweeps.length, TOP + HIGH + 46];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Processor time of one core, at ${hz} bundles a second, by subscribers, bodies and streams</title>
<style>text{font:11px system-ui,sans-serif;fill:#444}text[fill="${COLOURS[0]}"]{fill:${COLOURS[0]}}text[fill="${COLOURS[1]}"]{fill:${COLOURS[1]}}.title{font-weight:600;font-size:13px;fill:#111}.right{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#ddd}</style>
<rect width="100%" height="100%" fill="#fff"/>
${sweeps.map((sweep, i) => drawPanel(sweep, i)).join('\n')}
<text x="${LEFT}" y="${height - 8}">processor time of one core at ${hz} bundles a second to each subscriber; lines by least squares</text>
</svg>
`;
}

if (process.argv[2] !== '--draw')
	fs.writeFileSync(DATA, `${JSON.stringify(measure(process.argv.slice(2)), null, '\t')}\n`);
const measured = JSON.parse(fs.readFileSync(DATA, 'utf8'));
print(measured);
fs.writeFileSync(PICTURE, draw(measured));
