// Runs `jointcast bench fanout` for the scripts about fan-out, with real-time priority where
// the system permits it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const isFirst = spawnSync('chrt', ['-r', '20', 'true']).status === 0;

/** The program to measure, which has its daemon beside it or in its build folder. */
export function findProgram(name = `${root}build/release/clients/cli/jointcast`) {
	if (!fs.existsSync(name)) {
		console.error(`${name} is not built (cmake --preset release; cmake --build --preset release)`);
		process.exit(1);
	}
	const built = name.replace(/clients\/cli\/jointcast$/, 'daemon/jointcastd');
	return { jointcast: name, daemon: fs.existsSync(built) && built !== name ? ['--daemon', built] : [] };
}

/** The command of a run; options as on the command line, by name: true for those without a value, a
 * list for those that may stand there again. */
function commandOf({ jointcast, daemon }, options) {
	const words = Object.entries(options).filter(([, value]) => value !== false)
		.flatMap(([name, value]) => [value].flat().flatMap((each) => [`--${name}`, ...each === true ? [] : [String(each)]]));
	const command = [jointcast, 'bench', 'fanout', ...daemon, '--json', ...words];
	return isFirst ? ['chrt', '-r', '20', ...command] : command;
}

export function run(bench, options) {
	const [program, ...rest] = commandOf(bench, options);
	const { status, stdout } = spawnSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
	if (status !== 0)
		process.exit(status ?? 1); // it printed the reason
	return JSON.parse(stdout);
}

/** Begins a run: its process, and a promise of its figures. */
export function begin(bench, options) {
	const [program, ...rest] = commandOf(bench, options);
	const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
	let text = '';
	child.stdout.on('data', (bytes) => (text += bytes));
	const figures = new Promise((resolve, reject) => child.on('close', (status) =>
		(status === 0 ? resolve(JSON.parse(text)) : reject(new Error(`bench fanout: exit ${status}`)))));
	return { child, figures };
}

/** Other servers of WebSockets, those that are here. */
export const peers = [
	...fs.existsSync(`${root}tests/e2e/node_modules/ws`) ? ['ws'] : [],
	...spawnSync('nats-server', ['--version']).status === 0 ? ['nats'] : [],
].map((name) => `${root}tests/bench/fanout_${name}.mjs`);

export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length >> 1;
	return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
