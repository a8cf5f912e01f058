// The page of clients/examples draws a body of the right height, on a server of its own.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { openViewer } from '../support/browser.mjs';
import { ROOT, startDaemon } from '../support/daemon.mjs';
import { TABLE } from '../support/fixtures.mjs';
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
});
