// Measures the time from the return of the service to the first located joints, by the clock of the
// mock. Counts seconds, so it runs alone and tolerates one delay of the machine.
import assert from 'node:assert/strict';
import test from 'node:test';
import { begin, ERROR, LIVE, sleep } from './mock.mjs';
import { until } from '../e2e/support/until.mjs';

const MOST_SECONDS = 2;
const KILLS = 3;

for (const [name, code] of [['RUNTIME_UNAVAILABLE', ERROR.RUNTIME_UNAVAILABLE],
	['RUNTIME_FAILURE', ERROR.RUNTIME_FAILURE]])
	test(`joints come within ${MOST_SECONDS} s of the runtime's return, ${name} before`, async (t) => {
		const { mock, daemon } = await begin(t);
		const seconds = [];
		for (let i = 0; i < KILLS; i++) {
			await daemon.is('live', LIVE);
			await mock.tell(`down ${code}`);
			// Long enough for any back-off to have grown.
			await sleep(2200 + 170 * i);
			await mock.tell('up');
			const report = await until('joints are located', async () => {
				const now = await mock.ask();
				return now.located && now;
			});
			seconds.push((report.located - report.up) / 1e9);
		}
		t.diagnostic(`after ${seconds.map((s) => s.toFixed(2)).join(', ')} s`);
		const late = seconds.filter((s) => s > MOST_SECONDS).length;
		assert.ok(late <= 1, `after ${seconds.join(', ')} s`);
	});
