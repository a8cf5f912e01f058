// A daemon with a key and invitations, a moderator of it, and the QR code that a page shows.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import jsQR from 'jsqr';
import WebSocket from 'ws';
import { connect } from '../../../clients/js/index.js';
import { scratch, startDaemon, writer } from './daemon.mjs';
import { mia } from './invitation_requests.mjs';
import { secret, token } from './token.mjs';
import { until } from './until.mjs';

/** Starts a daemon that requires tokens and keeps a state; `more` is appended to its configuration. */
export function startInviting(t, more = '') {
  const folder = scratch(t);
  const key = writer(folder)('key', secret);
  const configuration = path.join(folder, 'daemon.conf');
  writeFileSync(configuration, `server { state = "${path.join(folder, 'state')}" }
auth { audience = "world" key "shared" { algorithm = "HS256" file = "${key}" } }
${more}
`);
  return startDaemon(t, '--config', configuration);
}

/** The token of a moderator with both roles of guests. */
export const moderatorToken = () => token(mia);

/** A connected moderator of a space. */
export async function moderate(t, daemon, space = 'lobby') {
  const client = connect(daemon.url, { WebSocket, space, token: moderatorToken() });
  t.after(() => client.close());
  await until('the moderator has joined', () => client.state === 'live');
  return client;
}

/** The content of the QR code that an element of a page shows, read from its picture. */
export async function readQr(page, selector) {
  const picture = await page.locator(selector).screenshot();
  const { base64, width, height } = await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let binary = '';
    for (const byte of data)
      binary += String.fromCharCode(byte);
    return { base64: btoa(binary), width: image.width, height: image.height };
  }, picture.toString('base64'));
  return jsQR(Uint8ClampedArray.from(Buffer.from(base64, 'base64')), width, height)?.data;
}
