// The page of clients/examples draws a body of the right height, on a server of its own. On that
// page, clients/js states why there is no connection.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { openViewer } from '../support/browser.mjs';
import { ROOT, scratch, startDaemon } from '../support/daemon.mjs';
import { TABLE } from '../support/fixtures.mjs';
import { secret } from '../support/token.mjs';
import { until } from '../support/until.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves the folder clients, as the comment of the page describes. */
async function serve(t) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    response.setHeader('content-type', TYPES[path.extname(pathname)] ?? 'text/plain');
    createReadStream(path.join(ROOT, 'clients', path.normalize(pathname)))
      .on('error', () => response.writeHead(404).end()).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

test('the page draws a stick figure as high as the built-in skeleton', { timeout: 60000 }, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:idle?name=ada');
  const site = await serve(t);
  const { viewer, done, shoot } = await openViewer(t, site, { width: 600, height: 600,
    query: `/examples/js/stick-figures.html?url=${encodeURIComponent(daemon.url)}` });
  // Rows of the canvas with a line or a letter.
  const rows = () => viewer.evaluate(() => {
    const { width, height } = document.querySelector('canvas');
    const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
    return Array.from({ length: height }, (_, y) => y).filter((y) => Array.from({ length: width }, (_, x) => x)
      .some((x) => data[4 * (y * width + x) + 3] > 100));
  });
  await until('a figure', async () => (await rows()).length > 100);
  const drawn = await rows();
  const heights = TABLE.map(({ rest: [, y] }) => y);
  const metres = Math.max(...heights) - Math.min(...heights);
  assert.ok(Math.abs(drawn.length - metres * 200) < 8, `${drawn.length} rows, expected ${metres * 200}`);
  await shoot('stick-figures');
  done();

  // A daemon with keys admits no page but its own and those that it names.
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'key'), secret);
  writeFileSync(path.join(folder, 'conf'), `auth { key "k" { algorithm = "HS256" file = "${folder}/key" } }\n`);
  const guarded = await startDaemon(t, '--config', path.join(folder, 'conf'));
  const errorOf = (url) => viewer.evaluate((address) => new Promise((resolve) => {
    import('/js/index.js').then(({ connect }) => {
      const client = connect(address).on('error', ({ code, remedy }) => {
        client.close();
        resolve({ code, remedy });
      });
    });
  }), url);
  const origin = await errorOf(guarded.url);
  assert.equal(origin.code, 'origin-refused');
  assert.ok(origin.remedy.includes(`server { origins = {"${site}"} }`), origin.remedy);
  const gone = await errorOf('ws://127.0.0.1:9'); // discard: no service of today
  assert.equal(gone.code, 'unreachable');
  assert.match(gone.remedy, /http:\/\/127\.0\.0\.1:9\/healthz/);
});
