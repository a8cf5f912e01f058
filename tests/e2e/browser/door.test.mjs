// The viewer on a daemon with a key: it asks for a token, reports an invalid one, and connects
// with a valid one. When the daemon ends, the page says what to do.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openViewer } from '../support/browser.mjs';
import { scratch, startDaemon } from '../support/daemon.mjs';
import { now, secret, sign } from '../support/token.mjs';
import { until } from '../support/until.mjs';

test('the page requests a token and shows the bodies with it', { timeout: 300000 }, async (t) => {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'key'), secret);
  writeFileSync(path.join(folder, 'conf'), `auth { key "k" { algorithm = "HS256" file = "${folder}/key" } }
source "walker" { uri = "demo:walk" }
`);
  const token = sign({ alg: 'HS256', kid: 'k' }, { sub: 'ada', aud: 'jointcast', spaces: '*', exp: now() + 600 }, secret);

  const { page, stop } = await startDaemon(t, '--config', path.join(folder, 'conf'));
  const { viewer, bodies } = await openViewer(t, page);
  const asks = () => viewer.evaluate(() => document.getElementById('door').open);
  const enter = async (text) => {
    await until('the page asks for a token', asks);
    await viewer.fill('#door-token', text);
    await viewer.keyboard.press('Enter');
    assert.equal(await asks(), false);
  };
  await enter('nonsense');
  await until('the page says that the token is refused', () => viewer.evaluate(() => /malformed/.test(document.getElementById('door-reason').textContent)));
  await enter(token);
  await bodies(1);
  assert.equal(await asks(), false);

  await stop();
  await until('the page says what to do', () => viewer.evaluate(() =>
    /Check that jointcastd runs|check the network and that jointcastd runs/.test(document.getElementById('situation').textContent)));
});
