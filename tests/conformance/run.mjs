#!/usr/bin/env node
// Tests a client of jointcast.v1 against the checklist of proto/PROTOCOL.md: plays the server, and
// compares what the client sends and shows with the protocol. README.md describes the commands.
//
// usage: run.mjs [--watch COMMAND] [--publish COMMAND] [--vectors COMMAND] [--levels LEVEL,…]
//                [--only CHECK,…] [--patience MS] [--list]
//
// Prints a line per check. Exit status: 0 all claimed checks pass, 1 one fails, 2 wrong usage.

import { parseArgs } from 'node:util';
import { CHECKS, perform, performAll } from './checklist.mjs';

function options() {
	try {
		const { values } = parseArgs({ options: {
			watch: { type: 'string' }, publish: { type: 'string' }, vectors: { type: 'string' }, levels: { type: 'string' },
			only: { type: 'string' }, patience: { type: 'string', default: '30000' }, list: { type: 'boolean' },
		} });
		return values;
	} catch (error) {
		console.error(`run.mjs: ${error.message}`);
		process.exit(2);
	}
}

/** The checks that the command line claims: those of its levels that its commands can show. */
function claimed({ levels, only, ...commands }) {
	const wanted = levels?.split(',').map((level) => level.trim().toLowerCase());
	const unknown = (only?.split(',') ?? []).find((id) => !CHECKS.some((check) => check.id === id));
	const absent = wanted?.find((level) => !CHECKS.some((check) => check.level.toLowerCase() === level));
	if (unknown || absent) {
		console.error(`run.mjs: there is no ${unknown ? `check '${unknown}'` : `level '${absent}'`}; --list prints all`);
		process.exit(2);
	}
	return (check) => Boolean(commands[check.command]) && (!wanted || wanted.includes(check.level.toLowerCase()))
		&& (!only || only.split(',').includes(check.id));
}

async function main() {
	const values = options();
	if (values.list) {
		CHECKS.forEach(({ id, level, command }) => console.log(`${id.padEnd(24)} ${level.padEnd(14)} --${command}`));
		return 0;
	}
	const isClaimed = claimed(values);
	const chosen = CHECKS.filter(isClaimed);
	if (chosen.length === 0) {
		console.error('run.mjs: nothing to check; name a command of the client (--watch, --publish or --vectors)');
		return 2;
	}
	const patience = Number(values.patience);
	const found = await performAll(chosen.map((check) => () => perform(check, values[check.command], patience)));
	const results = new Map(chosen.map(({ id }, i) => [id, found[i]]));
	const shown = values.only ? CHECKS.filter(isClaimed) : CHECKS;
	for (const { id, level } of shown) {
		const result = results.get(id); // undefined: not claimed, null: no failure
		const word = result === undefined ? 'not claimed' : result === null ? 'pass' : 'FAIL';
		console.log(`${id.padEnd(24)} ${level.padEnd(14)} ${word}${result ? `: ${result}` : ''}`);
	}
	return found.some((result) => result !== null) ? 1 : 0;
}

process.exit(await main());
