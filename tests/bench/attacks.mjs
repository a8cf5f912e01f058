#!/usr/bin/env node
// What one client, one address and fifty addresses can take from a daemon and from those who
// are there: attacks by control messages, each beside an honest client that pings and honest
// watchers. Attackers are 127.0.1.1 to 127.0.1.50, honest clients 127.0.0.1.
//
//   node tests/bench/attacks.mjs JOINTCASTD [--seconds 4] [--pace N] [--only TEXT] [--from TEXT]
//                                [--json FILE]
//
// --pace: so many messages a second from each connection, for a server that disconnects who
// sends more; without it all that the sockets take. --only: attacks whose title has that text.
// --from: those that come from there, as the table says it.
// The table goes to standard output. As root the daemon and the honest clients come before
// other work of the machine (chrt), without it the latencies are those of the machine too.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { sleep } from '../e2e/support/until.mjs';
import { attacks } from './attacks/list.mjs';
import { Flood, Handshakes, SCOPES } from './attacks/flood.mjs';
import { HEAD, line } from './attacks/table.mjs';
import { bindAttackers, BOUND, FIRST, Scene } from './attacks/scene.mjs';

const ROW_MS = 90000; // preparation included

const { values, positionals: [program] } = parseArgs({ allowPositionals: true, options: {
	seconds: { type: 'string', default: '4' },
	pace: { type: 'string', default: '0' },
	only: { type: 'string', default: '' },
	from: { type: 'string', default: '' },
	json: { type: 'string' },
} });
const SECONDS = Number(values.seconds);
const PACE = Number(values.pace);

if (!program || !(SECONDS > 0) || !(PACE >= 0)) {
	console.error('usage: node tests/bench/attacks.mjs JOINTCASTD [--seconds 4] [--pace N] [--only TEXT] [--from TEXT] [--json FILE]');
	process.exit(2);
}

/** Share of a processor while nothing is attacked. */
async function idleShare(scene) {
	const before = scene.processor();
	const began = performance.now();
	await sleep(1500);
	return (scene.processor() - before) / (performance.now() - began) * 1000;
}

/** The attack itself; resolves with what it sent. */
async function strike(context, attack, scope) {
	const { scene, isOver } = context;
	if (attack.again) {
		const end = performance.now() + Math.max(SECONDS, 8) * 1000;
		for (context.round = 0; performance.now() < end && !isOver(); context.round++) {
			context.wires.push(...await attack.again(context).catch(() => []));
			for (let i = 0; i < 20 && !isOver(); i++)
				await sleep(50);
		}
		return { wires: context.wires };
	}
	if (attack.custom)
		return attack.custom(context);
	if (attack.isIdle) {
		await sleep(SECONDS * 1000);
		return { bytes: 0 };
	}
	await context.crowd.run(SECONDS, isOver);
	return { bytes: context.crowd.sent(), lost: context.crowd.lost };
}

async function measure(attack, scopeName) {
	const scope = SCOPES[scopeName];
	const scene = await Scene.open(program, attack.config ?? '', attack.options ?? ['--source', 'demo:walk']);
	const context = { scene, port: scene.port, wires: [], seconds: SECONDS, isOver: () => scene.died !== undefined };
	const row = { attack: attack.title, from: attack.custom || attack.again ? '' : scope.title };
	try {
		row.prepared = await attack.prepare(context);
		await scene.beginProbe('lobby');
		await sleep(500);
		const idle = await idleShare(scene);
		const start = scene.resident();
		if (!attack.again && !attack.custom && !attack.isIdle) {
			context.crowd = attack.isHandshakes ? new Handshakes(scene.port, scope) : new Flood(scene.port, scope, attack, PACE);
			await context.crowd.connect();
		}
		const connected = scene.resident();
		const missed = await scene.missedTicks();
		scene.forgetPeak();
		await scene.ask('mark');
		const began = performance.now();
		const before = scene.processor();
		let cost = 0;
		const watch = setInterval(() => {
			try {
				cost = Math.max(cost, scene.processor() - before);
				row.peak = scene.peak();
			} catch {
				// It is dead.
			}
		}, 50);
		const result = await strike(context, attack, scope);
		if (scene.died === undefined) {
			cost = scene.processor() - before;
			row.peak = scene.peak();
		}
		const lasted = ((scene.diedAt ?? performance.now()) - began) / 1000;
		row.disconnectedAttackers = result.lost;
		context.crowd?.end();
		await sleep(500);
		clearInterval(watch);
		Object.assign(row, result, { wires: undefined, seconds: lasted, idle, cost,
			bytes: result.bytes ?? result.wires.reduce((sum, { socket }) => sum + socket.bytesWritten, 0),
			share: attack.stops ? null : cost / lasted - idle, start, connected, died: scene.died });
		row.answers = scene.died === undefined && await scene.answers();
		row.missedTicks = row.answers ? await scene.missedTicks() - missed : null;
		Object.assign(row, { honest: await scene.ask('report') });
	} catch (error) {
		row.failed = error.message.slice(0, 200);
		row.died = scene.died;
	} finally {
		context.crowd?.end();
		context.wires.forEach((wire) => wire.end());
		await scene.close();
	}
	return row;
}

process.setMaxListeners(0); // each daemon has one
for (const signal of ['SIGINT', 'SIGTERM'])
	process.on(signal, () => process.exit(1));
bindAttackers();
process.on('unhandledRejection', () => {}); // of attackers that are cut off
console.log(`${SECONDS} s each, ${PACE ? `${PACE} messages a second from each connection` : 'at full speed'}; ${BOUND ? 'daemon and attackers on a processor each'
	: 'all on the same processors'}, ${FIRST ? 'daemon and honest clients before other work' : 'among other work'}\n\n${HEAD}`);
const rows = [];
for (const attack of attacks) {
	for (const scope of attack.scopes) {
		if (!attack.title.includes(values.only) || !SCOPES[scope].title.includes(values.from))
			continue;
		const late = sleep(ROW_MS).then(() => ({ attack: attack.title, from: SCOPES[scope].title, failed: 'it took too long' }));
		rows.push(await Promise.race([measure(attack, scope), late]));
		console.log(line(rows.at(-1)));
		if (values.json)
			fs.writeFileSync(values.json, JSON.stringify({ seconds: SECONDS, pace: PACE, bound: BOUND, first: FIRST, rows }, null, 1));
	}
}
process.exit(0);
