// Waits for events and times.

import assert from 'node:assert/strict';

const EVERY_MS = 25; // fewer than the messages that a client may send

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks until the answer is true, and resolves with it. How long that may take is generous:
 * what is waited for is an event, and the machine may be busy.
 *
 * @param {string | (() => string)} what is waited for
 * @param {() => unknown} ask may be asynchronous
 */
export async function until(what, ask, ms = 30000) {
	for (const end = Date.now() + ms; Date.now() < end;) {
		const answer = await ask();
		if (answer)
			return answer;
		await sleep(EVERY_MS);
	}
	assert.fail(`still not after ${ms / 1000} s: ${typeof what === 'function' ? what() : what}`);
}
