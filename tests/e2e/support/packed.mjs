// The npm package as a user gets it: packed, and installed into a folder of its own; and a server for
// such a folder.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { BUILD } from './daemon.mjs';

const PACKAGE = path.join(BUILD, 'share/jointcast/web/js');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Packs the package that the build made; returns the archive. */
export function pack(folder) {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', PACKAGE, '--json', '--ignore-scripts'],
    { cwd: folder, encoding: 'utf8' }));
  return path.join(folder, filename);
}

/** Serves a folder on a free port until the test ends; returns its address. */
export async function serve(t, folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = path.normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    response.setHeader('content-type', TYPES[path.extname(name)] ?? 'application/octet-stream');
    createReadStream(path.join(folder, name)).on('error', () => response.writeHead(404).end()).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/`;
}
