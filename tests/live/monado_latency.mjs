// Measures the time from a sample of stock Monado (head, controllers and hands) to the socket, and
// the cost of the source; see tests/bench/openxr/run.sh. Started by `./monado --latency SECONDS`.
import assert from 'node:assert/strict';
import { look, report } from '../bench/openxr/window.mjs';
import { until } from '../e2e/support/until.mjs';
import { argument, conclude, startDaemon, startService, subscribe } from './service.mjs';

const WINDOWS = 3;

/** Head and hands move, so that each sample differs. */
function pose(t) {
	const hand = (x) => ({ position: [x, 1.05 + 0.2 * Math.sin(3 * t), -0.3], orientation: [0, 0, 0, 1] });
	return { head: { position: [0, 1.62 + 0.02 * Math.sin(t), 0], orientation: [0, 0, 0, 1] },
		left: hand(-0.25), right: hand(0.25) };
}

async function watch(uri) {
	const daemon = await startDaemon(uri);
	await until(`the body is live, ${uri}`, daemon.isLive);
	const client = await subscribe(daemon);
	const seen = await look(daemon, client, Number(argument));
	client.close();
	assert.equal(await daemon.stop(), 0, daemon.log);
	return seen;
}

async function main() {
	const monado = await startService(pose);
	const seen = { tracked: [], generated: [] };
	for (let i = 0; i < WINDOWS; i++) {
		seen.generated.push(await watch('demo:walk'));
		seen.tracked.push(await watch('openxr:'));
	}
	await monado.kill();
	assert.ok(report('monado', seen.tracked, seen.generated), 'a goal is missed');
}

conclude('monado_latency', main);
