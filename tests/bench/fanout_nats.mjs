#!/usr/bin/env node
// A peer of `jointcast bench fanout`: nats-server (Debian's package) sends every client that
// subscribed by WebSocket what is published HZ times a second, BYTES a message. This process
// publishes; nats-server is the one that counts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, bytes, hz] = process.argv.slice(2).map(Number);

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function connected(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => setTimeout(() => resolve(connected(port)), 50));
  });
}

const folder = mkdtempSync(join(tmpdir(), 'fanout-nats-'));
const [plain, web] = [await freePort(), await freePort()];
writeFileSync(join(folder, 'conf'), `listen: "127.0.0.1:${plain}"
max_connections: 65536
websocket { listen: "127.0.0.1:${web}", no_tls: true, compression: false }
`);
const server = spawn('nats-server', ['-c', join(folder, 'conf')], { stdio: 'ignore' });

server.on('error', (error) => {
  console.error(`nats-server: ${error.message}`);
  process.exit(1);
});
process.on('SIGTERM', () => {
  server.kill();
  rmSync(folder, { recursive: true });
  process.exit(0);
});

const publisher = await connected(plain);
(await connected(web)).destroy();
publisher.on('data', (data) => {
  if (data.includes('PING'))
    publisher.write('PONG\r\n');
});
publisher.write('CONNECT {"verbose":false}\r\n');
const message = `PUB f ${bytes}\r\n${'Z'.repeat(bytes)}\r\n`;
setInterval(() => publisher.write(message), 1000 / hz);

const delivered = `MSG f 1 ${bytes}\r\n`.length + bytes + 2;
console.log(JSON.stringify({ port: web, process: server.pid,
  message: delivered + (delivered < 126 ? 2 : 4),
  greeting: 'CONNECT {"verbose":false}\r\nSUB f 1\r\n' }));
