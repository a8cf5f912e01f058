// The viewer before a daemon that has a key: asks, says so when a token is no good, and
// lets in who has one.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openViewer, scratch, startDaemon } from './support.mjs';
import { until } from './until.mjs';

test('a viewer without a token is asked for one, and sees the bodies with it', { timeout: 60000 }, async (t) => {
  const folder = scratch(t);
  const secret = crypto.randomBytes(32);
  writeFileSync(path.join(folder, 'key'), secret);
  writeFileSync(path.join(folder, 'conf'), `auth { key "k" { algorithm = "HS256" file = "${folder}/key" } }
source "walker" { uri = "demo:walk" }
`);
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', kid: 'k' })}.${part({ sub: 'ada', aud: 'jointcast', spaces: '*',
    exp: Math.floor(Date.now() / 1000) + 600 })}`;
  const token = `${signed}.${crypto.createHmac('sha256', secret).update(signed).digest('base64url')}`;

  const { page } = await startDaemon(t, '--config', path.join(folder, 'conf'));
  const { viewer, bodies } = await openViewer(t, page);
  const asks = () => viewer.evaluate(() => document.getElementById('door').open);
  const enter = async (text) => {
    await until('the page asks for a token', asks);
    await viewer.fill('#door input', text);
    await viewer.keyboard.press('Enter');
    assert.equal(await asks(), false);
  };
  await enter('nonsense');
  await enter(token);
  await bodies(1);
  assert.equal(await asks(), false);
});
