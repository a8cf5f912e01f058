// A client that looks around and moves its body over a slow line: all that clients/js sends is
// within what the daemon takes, and motion continues.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import WebSocket from 'ws';
import { connect } from '../../../clients/js/index.js';
import { startDaemon } from '../support/daemon.mjs';
import { relay } from '../support/relay.mjs';
import { until } from '../support/until.mjs';

const SENT = 40; // acknowledgements: at least four seconds

for (const roundTrip of [20, 120, 300]) {
  test(`30 viewpoints, 30 places and 10 acknowledgements a second over ${roundTrip} ms`, { timeout: 120000 }, async (t) => {
    const daemon = await startDaemon(t, '--source', 'demo:walk?name=walker');
    const slow = await relay(t, daemon.url, { delay: () => roundTrip / 2 * (1 + 0.4 * Math.random()) });
    const client = connect(slow.url, { WebSocket });
    t.after(() => client.close());
    const faults = [];
    client.on('error', (error) => faults.push(error.message));
    client.on('state', ({ state, code }) => state === 'waiting' && faults.push(`closed with ${code}`));
    const body = client.publish({ name: 'Ada', kind: 'poses' });
    await until('the published body', () => faults.length > 0 || body.body);
    let moves = 0;
    const moving = setInterval(() => {
      const angle = ++moves / 30;
      client.setViewpoints([{ position: [Math.cos(angle), 1.6, Math.sin(angle)], yaw: angle }]);
      body.place({ position: [Math.cos(angle), 0, Math.sin(angle)], yaw: angle });
    }, 1000 / 30);
    t.after(() => clearInterval(moving));
    await until('enough acknowledgements', () => faults.length > 0 || slow.said('ack').length >= SENT, 60000);
    const { bundles } = client.traffic;
    await until('more motion', () => faults.length > 0 || client.traffic.bundles > bundles + 10);
    assert.deepEqual(faults, []);
    assert.deepEqual(slow.heard('error'), []);
    assert.ok(slow.said('viewpoint').length > 10 && slow.said('place').length > 10);
    assert.equal(client.traffic.damaged, 0);
    const ticks = slow.said('ack').map(({ tick }) => tick);
    assert.ok(ticks.at(-1) - ticks[0] >= 4 * (ticks.length - 1), 'six ticks lie between two, fewer on a busy machine');
  });
}
