// Measures the time from an OpenXR sample to the socket, and the cost of an OpenXR source. The
// daemon polls a mock runtime 90 times a second, which answers with a walking body at the time of
// the poll. Windows of this daemon alternate with those of a daemon that generates the same walk.
//
// usage: node tests/bench/openxr/latency.mjs BUILD [SECONDS [WINDOWS]]      BUILD: a release build
import path from 'node:path';

const [, , build, seconds = '20', windows = '3'] = process.argv;
if (!build) {
	console.error('usage: node tests/bench/openxr/latency.mjs BUILD [SECONDS [WINDOWS]]');
	process.exit(2);
}
// Arguments that the helpers of the tests read (tests/openxr/mock.mjs).
process.argv[2] = path.resolve(build, 'daemon/jointcastd');
process.argv[3] = path.resolve(build, 'tests/openxr/runtime.json');
process.argv[4] = path.resolve(build, 'clients/cli/jointcast');
const { LIVE, begin, subscribe, under, Mock } = await import('../../openxr/mock.mjs');
const { look, report } = await import('./window.mjs');

/** Runs with an object in place of a test, with which the helpers register their clean-up. */
async function tidily(run) {
	const tidying = [];
	const result = await run({ after: (tidy) => tidying.unshift(tidy) });
	for (const tidy of tidying)
		await tidy();
	return result;
}

const tracked = (t) => begin(t, { script: ['set rate 1000'] })
	.then(async ({ daemon }) => {
		await daemon.is('live', LIVE);
		return look(daemon, await subscribe(t, daemon), Number(seconds));
	});
const generated = async (t) => {
	const daemon = await under(t, await Mock.begin(t), { source: 'demo:walk' });
	return look(daemon, await subscribe(t, daemon), Number(seconds));
};

const seen = { tracked: [], generated: [] };
for (let i = 0; i < Number(windows); i++) {
	seen.generated.push(await tidily(generated));
	seen.tracked.push(await tidily(tracked));
}
process.exit(report('mock', seen.tracked, seen.generated) ? 0 : 1);
