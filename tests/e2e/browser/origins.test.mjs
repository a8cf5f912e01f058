// Pages of other servers in a real browser, which writes their origins itself: a page of this
// machine watches without configuration; one of a name below localhost, and one without an origin,
// get no connection.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { openViewer } from '../support/browser.mjs';
import { startDaemon } from '../support/daemon.mjs';

/** The page of a development server. It counts the bundles that it receives. */
const page = (url) => `<!doctype html><title>page</title><script type="module">
window.result = new Promise((resolve) => {
  const socket = new WebSocket('${url}', 'jointcast.v1');
  let bundles = 0;
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    for (const message of [{ type: 'hello' }, { type: 'join', space: 'lobby' }, { type: 'subscribe', space: 'lobby' }])
      socket.send(JSON.stringify(message));
  };
  socket.onmessage = ({ data }) => typeof data !== 'string' && ++bundles === 5 && resolve('watches');
  socket.onclose = () => resolve('refused');
}).then((text) => (parent.postMessage(text, '*'), text));
</script>`;

test('a page of a server on this machine watches; others are refused', async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk');
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/frame'
      ? `<script>window.result = new Promise((resolve) => onmessage = ({ data }) => resolve(data))</script><iframe sandbox="allow-scripts" src="/"></iframe>`
      : page(daemon.url));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address();
  const { viewer } = await openViewer(t, `http://localhost:${port}/`);
  const result = async (url) => {
    await viewer.goto(url);
    return viewer.evaluate(() => window.result);
  };
  for (const [url, expected] of [
    [`http://localhost:${port}/`, 'watches'],
    [`http://127.0.0.1:${port}/`, 'watches'],
    [`http://a.localhost:${port}/`, 'refused'],
    [`http://localhost:${port}/frame`, 'refused'],
  ])
    assert.equal(await result(url), expected, url);
});
