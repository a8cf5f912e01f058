#!/usr/bin/env node
// What sixty bodies with twelve different avatars cost a page, beside sixty mannequins: draw calls, bytes,
// milliseconds of a picture with the software renderer of the browser.
//
//   node tests/bench/crowd/crowd.mjs JOINTCASTD [--bodies 60] [--files 12] [--pictures 15] [--shots FOLDER] [--sweep] [FILE…]
//
// --sweep: the same of other levels of detail, named WHOLE/METRES-PLAIN/METRES.
// JOINTCASTD: daemon of a build folder with the web pages. FILE: avatars in place of those that the program makes.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals: [program, ...given] } = parseArgs({ allowPositionals: true, options: {
	bodies: { type: 'string', default: '60' },
	files: { type: 'string', default: '12' },
	pictures: { type: 'string', default: '15' },
	shots: { type: 'string' },
	sweep: { type: 'boolean', default: false },
} });
if (!program) {
	console.error('usage: node tests/bench/crowd/crowd.mjs JOINTCASTD [--bodies 60] [--files 12] [--pictures 15] [--shots FOLDER] [--sweep] [FILE…]');
	process.exit(2);
}
process.env.JC_BUILD = path.resolve(program, '../..');
const { JOINTCAST, start } = await import('../../e2e/support/daemon.mjs');
const { until } = await import('../../e2e/support/until.mjs');
const { chromium } = await import('../../e2e/node_modules/playwright-core/index.mjs');
const { makeAvatar } = await import('./avatars.mjs');

const SWEPT = ['0/0-0/0', '4/6-12/15', '6/8-20/20', '12/12-20/20', '6/8-32/30', '12/12-32/30', '24/20-32/30', '12/12-48/40', '12/12-60/60', '60/60-60/60'];
const HERE = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const folder = mkdtempSync(path.join(os.tmpdir(), 'jointcast-crowd-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Park and Miller's generator, so that each run has the same files. */
function generator(seed) {
	let state = seed;
	return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function makeFiles() {
	if (given.length > 0)
		return given.map((file) => path.resolve(file));
	const descriptor = JSON.parse(execFileSync(JOINTCAST, ['inspect', 'humanoid', '--descriptor']));
	return Array.from({ length: Number(values.files) }, (_, i) => {
		const random = generator(i + 1);
		const file = path.join(folder, `${i}.vrm`);
		writeFileSync(file, makeAvatar(descriptor, { size: 0.85 + 0.025 * i, colour: [random(), random(), random()].map((x) => 0.3 + 0.7 * x), random }));
		return file;
	});
}

/** The web root with the page of this program. */
function makeWeb() {
	const web = path.join(folder, 'web');
	cpSync(path.join(process.env.JC_BUILD, 'share/jointcast/web'), web, { recursive: true });
	const [map] = /<script type="importmap">[\s\S]*?<\/script>/.exec(readFileSync(path.join(web, 'examples/three.html'), 'utf8'));
	cpSync(path.join(HERE, 'page.js'), path.join(web, 'examples/crowd_page.js'));
	cpSync(path.join(HERE, '../../../clients/web/stage.js'), path.join(web, 'examples/stage.js'));
	writeFileSync(path.join(web, 'examples/crowd.html'), `<!doctype html><meta charset="utf-8"><title>crowd</title>${map}
<link rel="stylesheet" href="../style.css"><canvas id="view" style="position:fixed;inset:0;width:100%;height:100%"></canvas><script type="module" src="crowd_page.js"></script>`);
	return web;
}

const files = makeFiles();
const config = path.join(folder, 'jointcastd.conf');
writeFileSync(config, [...files.map((file, i) => `skeleton "s${i}" { file = "${file}" serve = "true" }\n`),
	...Array.from({ length: Number(values.bodies) }, (_, i) => `source "b${i}" { uri = "demo:walk?name=b${i}" skeleton = "s${i % files.length}" }\n`)].join(''));
const daemon = await start('--web', makeWeb(), '--config', config);

/** Milliseconds of processor time of the browser's processes so far; other work on the machine changes it little. */
function processorTime() {
	const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
		try {
			const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'));
			const fields = rest.split(' ');
			return [{ pid: Number(pid), parent: Number(fields[1]), ticks: /chrom/.test(name) ? Number(fields[11]) + Number(fields[12]) : 0 }];
		} catch {
			return []; // it has ended
		}
	});
	const sum = (pid) => all.filter(({ parent }) => parent === pid).reduce((ms, child) => ms + 10 * child.ticks + sum(child.pid), 0);
	return sum(process.pid);
}

async function run(browser, mode) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
	const faults = [];
	page.on('pageerror', (error) => faults.push(error.message));
	page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
	await page.goto(`http://127.0.0.1:${daemon.port}/examples/crowd.html?mode=${mode}`);
	await until('the page', () => page.evaluate(() => Boolean(window.crowd)), 60000);
	await until('all bodies', () => page.evaluate(() => {
		window.crowd.update();
		return window.crowd.count();
	}).then((count) => count >= Number(values.bodies)), 120000);
	const began = performance.now();
	await page.evaluate(() => window.crowd.arrange());
	await until('all avatars', () => page.evaluate(() => {
		window.crowd.update();
		return window.crowd.state().pending === 0;
	}), 120000);
	const loaded = performance.now() - began;
	const before = processorTime();
	const { times, ...rest } = await page.evaluate((count) => window.crowd.measure(count), Number(values.pictures));
	const processor = (processorTime() - before) / Number(values.pictures);
	const state = await page.evaluate(() => window.crowd.state());
	if (values.shots) {
		mkdirSync(values.shots, { recursive: true });
		await page.screenshot({ path: path.join(values.shots, `crowd_${mode}.png`) });
	}
	await page.close();
	return { mode, ...state, ...rest, update: median(times.map(([update]) => update)), picture: median(times.map(([, picture]) => picture)), processor, loaded, faults };
}

const browser = await chromium.launch({ executablePath: process.env.JC_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-quic',
	'--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
console.log('| | avatars shown | levels | draw calls | triangles | textures | files | MB | ready s | update ms | picture ms | processor ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|');
for (const mode of values.sweep ? SWEPT : ['mannequins', 'mannequins-levels', 'avatars', 'levels']) {
	const r = await run(browser, mode);
	console.log(`| ${mode} | ${r.shown} | ${r.levels.join('/')} | ${r.calls} | ${(r.triangles / 1e6).toFixed(2)} M | ${r.textures} | ${r.requests} | ${(r.bytes / 1e6).toFixed(1)} | ${(r.loaded / 1000).toFixed(1)} | ${r.update.toFixed(1)} | ${r.picture.toFixed(0)} | ${r.processor.toFixed(0)} |`);
	for (const fault of new Set([...r.failed, ...r.faults]))
		console.error(`${mode}: ${fault}`);
}
await browser.close();
await daemon.stop();
