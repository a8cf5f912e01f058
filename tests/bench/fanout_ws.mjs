#!/usr/bin/env node
// A peer of `jointcast bench fanout`: npm `ws` sends every client one message of BYTES, HZ
// times a second, once COUNT of them are there. It comes from tests/e2e.
import { createRequire } from 'node:module';

const { WebSocketServer } = createRequire(new URL('../e2e/package.json', import.meta.url))('ws');
const [count, bytes, hz] = process.argv.slice(2).map(Number);
const message = Buffer.alloc(bytes, 0x5a);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 512,
  handleProtocols: (protocols) => [...protocols][0] });

server.on('connection', (socket) => {
  socket.on('error', () => {});
  if (server.clients.size === count) {
    setInterval(() => {
      for (const client of server.clients)
        client.send(message);
    }, 1000 / hz);
  }
});
server.on('listening', () => console.log(JSON.stringify({ port: server.address().port,
  message: bytes + (bytes < 126 ? 2 : 4) })));
