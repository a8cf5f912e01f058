// All checks of the runner, and how one is performed.

import { CORE } from './checks/core.mjs';
import { OTHERS } from './checks/others.mjs';
import { PUBLISHING } from './checks/publishing.mjs';
import { SMALL_PACKETS } from './checks/small_packets.mjs';
import { VECTORS } from './checks/vectors.mjs';
import { Failure, Session } from './session.mjs';

const AT_A_TIME = 4;

/** { id, level, command: "watch", "publish" or "vectors", run(session) } */
export const CHECKS = [...CORE, ...SMALL_PACKETS, ...PUBLISHING, ...OTHERS, ...VECTORS];

/** Performs a check with a command of the client; resolves with the reason for its failure, or null. */
export async function perform(check, command, patience) {
	const session = new Session(command, patience);
	try {
		await check.run(session);
		return null;
	} catch (error) {
		if (error instanceof Failure)
			return error.message;
		throw error;
	} finally {
		session.end();
	}
}

/** Runs functions, some at a time; resolves with their results in order. */
export async function performAll(functions, atATime = AT_A_TIME) {
	const results = [];
	const queue = functions.entries();
	const work = async () => {
		for (const [i, run] of queue)
			results[i] = await run();
	};
	await Promise.all(Array.from({ length: atATime }, work));
	return results;
}
