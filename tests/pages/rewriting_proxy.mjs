// A proxy that replaces the name of the host, as an incomplete configuration does, and delivers
// files alone: the daemon sees a WebSocket of another origin, and refuses it.

import http from 'node:http';
import net from 'node:net';

/** Starts it in front of a port of this machine; returns its address, and ends it with the test `t`. */
export async function startProxy(t, port) {
  const host = `127.0.0.1:${port}`;
  const server = http.createServer((request, response) => {
    const { origin, ...headers } = request.headers;
    const onward = http.request({ port, host: '127.0.0.1', path: request.url, method: request.method,
      headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request, socket) => {
    const onward = net.connect(port, '127.0.0.1', () => {
      const lines = Object.entries({ ...request.headers, host }).map(([name, value]) => `${name}: ${value}\r\n`);
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [socket, onward])
      each.on('error', () => [socket, onward].forEach((other) => other.destroy()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return `http://a.localhost:${server.address().port}/`;
}
