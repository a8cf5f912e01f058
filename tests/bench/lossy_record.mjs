// Records when packets arrive: what the client calls on the timeline of a body, with the time of
// each call. lossy_play.mjs plays it again.
//
// usage: node lossy_record.mjs URL SECONDS FILE
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { createRequire } from 'node:module';
import { connect } from '../../clients/js/index.js';

const WebSocket = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
const SETTLE_MS = 2000; // the connection opens its window
const PATIENCE_MS = 60000; // until a body enters
const [, , url, seconds, file] = process.argv;
const client = connect(url, { WebSocket });
const lines = [];
let from = Infinity;
const giveUp = setTimeout(() => {
	console.error(`${file}: no body entered`);
	process.exit(1);
}, PATIENCE_MS);

/** Writes the calls down, in microseconds. */
function listen(timeline) {
	const { commit, hold } = timeline;
	const note = (...words) => performance.now() >= from && lines.push(words.join(' '));
	timeline.commit = (capture, sequence, incarnation, cut, arrival, rejoined) => {
		note('commit', Math.round(arrival * 1000), capture, sequence, incarnation, Number(cut), Number(rejoined));
		commit.call(timeline, capture, sequence, incarnation, cut, arrival, rejoined);
	};
	timeline.hold = (capture) => {
		note('hold', Math.round(performance.now() * 1000), capture);
		hold.call(timeline, capture);
	};
}

client.on('enter', (body) => {
	listen(body.timeline);
	from = performance.now() + SETTLE_MS;
	clearTimeout(giveUp);
	setTimeout(() => {
		const { traffic, clock } = client;
		lines.unshift(`# ${JSON.stringify({ traffic, roundTrip: clock.roundTrip })}`);
		writeFileSync(file, `${lines.join('\n')}\n`);
		process.exit(0);
	}, SETTLE_MS + 1000 * seconds);
});
client.on('error', (error) => console.error(`${file}: ${error.message}`));
