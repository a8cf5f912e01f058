// Follows `roster` messages and keeps the bodies of a space.

import assert from 'node:assert/strict';

/**
 * Takes in rosters in their order. Each change has to follow the message before by one
 * revision and has to fit what is known; a complete roster may come at any time.
 *
 * @param {object[]} rosters `roster` messages of one space, the first of them complete
 * @returns {Map<number, object>} entries by id, in the order in which the bodies entered
 */
export function follow(rosters) {
	let known = new Map();
	let last;
	for (const { bodies, revision, joined = [], left = [], changed = [] } of rosters) {
		if (bodies) {
			assert.ok(last === undefined || revision >= last, `revision ${revision} after ${last}`);
			known = new Map(bodies.map((body) => [body.id, body]));
		} else {
			assert.equal(revision, last + 1);
			left.forEach((id) => known.delete(id)); // a complete roster may lack it already
			joined.forEach((body) => assert.ok(!known.has(body.id), `${body.id} joined twice`));
			changed.forEach((body) => assert.ok(known.has(body.id), `${body.id} changed and was not there`));
			[...joined, ...changed].forEach((body) => known.set(body.id, body));
		}
		last = revision;
	}
	return known;
}
