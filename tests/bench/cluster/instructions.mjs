// Counts the instructions of an edge and of a single daemon by callgrind, all threads and libraries,
// without the kernel's: of a tick, and of each delivery in it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { scratch } from '../../e2e/support/daemon.mjs';
import { sleep, until } from '../../e2e/support/until.mjs';
import { LIMITS, WALK, serves, subscribe } from './rows.mjs';

const COUNTS = [50, 250]; // subscribers
const DELIVERS = 'jc_session_send_binary'; // called once for each delivery

/** Instructions and deliveries of the process since the last call. */
function take({ child }, file) {
	const dumps = () => fs.readdirSync(path.dirname(file)).filter((name) => name.startsWith(`${path.basename(file)}.`));
	const before = new Set(dumps());
	execFileSync('callgrind_control', ['--dump', String(child.pid)], { stdio: 'ignore' });
	const [name] = dumps().filter((each) => !before.has(each));
	const text = fs.readFileSync(path.join(path.dirname(file), name), 'utf8');
	// Functions have numbers, and a name where the number stands first.
	const [, id] = new RegExp(`\\((\\d+)\\) ${DELIVERS}$`, 'm').exec(text);
	const calls = [...text.matchAll(new RegExp(`^cfn=\\(${id}\\).*\\ncalls=(\\d+)`, 'gm'))];
	return { instructions: Number(/^(?:totals|summary): (\d+)/m.exec(text)[1]),
		deliveries: calls.reduce((sum, [, count]) => sum + Number(count), 0) };
}

/** Instructions of a tick with so many subscribers. */
async function measure(cluster, name, { file, count, seconds }) {
	const process = cluster.processes.get(name);
	const lobby = async () => (await cluster.status(name)).spaces.find((space) => space.name === 'lobby');
	const clients = [];
	for (let i = 0; i < count; i++)
		clients.push(await subscribe(process.port, 'lobby', () => {}));
	const begun = (await lobby()).delivered;
	await until('all receive', async () => (await lobby()).delivered - begun > 10 * count, 60000);
	take(process, file);
	await sleep(seconds * 1000);
	const { instructions: all, deliveries } = take(process, file);
	clients.forEach((client) => client.end());
	await until('all have left', async () => (await lobby()).subscribers === 0, 60000);
	return all / (deliveries / count);
}

export async function instructions(cluster, { seconds }) {
	const folder = scratch();
	const file = (name) => path.join(folder, `${name}.out`);
	const through = (name) => ['valgrind', '--quiet', '--tool=callgrind', `--callgrind-out-file=${file(name)}`];
	const figures = {};
	await cluster.origin('origin', WALK(1), { config: LIMITS });
	await cluster.edge('edge', [], { config: LIMITS, through: through('edge') });
	await cluster.alone('single', WALK(1), LIMITS, through('single'));
	for (const name of ['edge', 'single']) {
		await serves(cluster.processes.get(name).port, 'lobby');
		const [few, many] = [await measure(cluster, name, { file: file(name), count: COUNTS[0], seconds }),
			await measure(cluster, name, { file: file(name), count: COUNTS[1], seconds })];
		const delivery = (many - few) / (COUNTS[1] - COUNTS[0]);
		figures[name] = { of_a_tick: Math.round(few - delivery * COUNTS[0]), of_a_delivery: Math.round(delivery) };
	}
	return figures;
}
