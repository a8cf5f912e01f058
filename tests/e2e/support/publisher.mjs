// The publishing page in a browser, with an emulated headset, and what subscribers receive from it.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import WebSocket from 'ws';
import { connect } from '../../../clients/js/index.js';
import { openViewer } from './browser.mjs';
import { JOINTCAST, scratch } from './daemon.mjs';
import { emulateHeadset, readBodyFrames } from './emulated_xr.mjs';
import { until } from './until.mjs';

/** Frames of a built-in motion in a profile's axes, as file and as read. */
export function bodyFrames(t, name, profile) {
  const file = path.join(scratch(t), `${name}.jsonl`);
  execFileSync(JOINTCAST, ['convert', `demo:${name}`, file, '--profile', profile],
    { stdio: 'ignore' });
  return { file, ...readBodyFrames(file) };
}

/** The page, and everything that it sends up. */
export async function openPublisher(t, daemon,
  { motion, rename, modes, headset = true, open = true, ...options } = {}) {
  const sent = { control: [], captures: [] };
  const page = await openViewer(t, daemon.page, { query: 'publish.html', ...options,
    prepare: async (browser) => {
      browser.on('websocket', (socket) => socket.on('framesent', ({ payload }) => {
        if (typeof payload === 'string')
          sent.control.push(JSON.parse(payload));
        else
          sent.captures.push(payload);
      }));
      if (headset)
        await emulateHeadset(browser, motion ?? null, rename, modes);
    } });
  const { viewer } = page;
  if (open)
    await until('the page is connected', () => viewer.evaluate(
      () => document.getElementById('dot').dataset.state === 'open'));
  return { ...page, sent,
    says: (type) => sent.control.filter((message) => message.type === type),
    text: (id) => viewer.evaluate((of) => document.getElementById(of).textContent, id),
    state: () => viewer.evaluate(() => window.jointcast.publisher?.state ?? null) };
}

/** A subscriber with a log of bodies that entered and left. */
export function subscribe(t, daemon) {
  const client = connect(daemon.url, { WebSocket, precision: 'local' });
  const log = [];
  for (const event of ['enter', 'leave'])
    client.on(event, ({ name }) => log.push(`${event} ${name}`));
  t.after(() => client.close());
  return { client, log, body: () => [...client.bodies.values()][0] };
}
