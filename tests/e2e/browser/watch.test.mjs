// `jointcast watch` reports bodies that `jointcast play` adds and removes.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { JOINTCAST, startDaemon } from '../support/daemon.mjs';
import { relay } from '../support/relay.mjs';
import { until } from '../support/until.mjs';

/** The running tool and its output so far. */
function start(t, ...args) {
  const child = spawn(JOINTCAST, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const tool = { child, stdout: '', stderr: '' };
  child.stdout.on('data', (text) => { tool.stdout += text; });
  child.stderr.on('data', (text) => { tool.stderr += text; });
  tool.ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  tool.until = async (what, ask) => {
    for (let i = 0; i < 1500; i++) {
      const found = ask(tool);
      if (found)
        return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return assert.fail(`still not ${what}: ${tool.stdout}${tool.stderr}`);
  };
  return tool;
}

/** Whole lines of JSON. */
const reports = ({ stdout }) => stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line));

test('bodies are reported as they enter, move and leave', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk?name=walker');
  const json = start(t, 'watch', daemon.url, '--json');
  const text = start(t, 'watch', daemon.url);
  await text.until('the roster', ({ stdout }) => /^\+ +1 'walker'$/m.test(stdout));
  const player = start(t, 'play', 'demo:wave', '--to', daemon.url, '--loop', '--name', 'a\u0301b');
  const both = await json.until('both bodies in motion', (tool) => reports(tool).find(({ bodies }) =>
    bodies.length === 2 && bodies.every(({ packetsPerSecond }) => packetsPerSecond > 5)));
  assert.deepEqual(both.bodies.map(({ id, name, state }) => ({ id, name, state })),
    [{ id: 1, name: 'walker', state: 'live' }, { id: 2, name: 'a\u0301b', state: 'live' }]);
  assert.equal(both.space, 'lobby');
  assert.equal(both.tickHz, 60);
  for (const { ageMs, bytesPerSecond, packetsPerSecond } of both.bodies) {
    assert.ok(ageMs > -5 && ageMs < 5000, `${ageMs} ms`);
    assert.ok(bytesPerSecond > 2 * packetsPerSecond && bytesPerSecond < both.bytesPerSecond);
  }
  player.child.kill('SIGINT');
  assert.equal(await player.ended, 0);
  await text.until('that it left', ({ stdout }) => /^- +2 'a\u0301b'$/m.test(stdout));
  await text.until('a line of the walker', ({ stdout }) => /^ +1 +live {5,7}\d+\.\d\/s +\d+ B\/s +-?\d+\.\d ms +'walker'$/m.test(stdout));
  for (const tool of [json, text]) {
    tool.child.kill('SIGINT');
    assert.equal(await tool.ended, 0, tool.stderr);
    assert.equal(tool.stderr, '');
  }
});

test('an unrequested complete roster reports no body twice', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t, '--source', 'demo:walk?name=walker');
  const between = await relay(t, daemon.url);
  const text = start(t, 'watch', between.url);
  const player = start(t, 'play', 'demo:wave', '--to', daemon.url, '--loop', '--name', 'b');
  await text.until('both', ({ stdout }) => /^\+ +1 'walker'$/m.test(stdout) && /^\+ +2 'b'$/m.test(stdout));
  const complete = () => between.heard('roster').filter(({ bodies }) => bodies).length;
  for (let i = 1; i <= 3; i++) {
    between.join();
    await until('the roster', () => complete() === 1 + i);
  }
  player.child.kill('SIGINT');
  await text.until('that it left', ({ stdout }) => /^- +2 'b'$/m.test(stdout));
  assert.deepEqual(text.stdout.match(/^[+-] .*$/gm).map((line) => line.replace(/ +/g, ' ')),
    ["+ 1 'walker'", "+ 2 'b'", "- 2 'b'"]);
});

/** A server that knows nothing of WebSockets. */
async function somethingElse(t) {
  const server = createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `ws://127.0.0.1:${server.address().port}`;
}

test('failures are reported in one line', { timeout: 300000 }, async (t) => {
  const daemon = await startDaemon(t);
  for (const [code, pattern, ...args] of [
    [3, /refused: no space of that name/, daemon.url, '--space', 'cellar'],
    [3, /127\.0\.0\.1:1: cannot connect: nothing listens there$/m, 'ws://127.0.0.1:1'],
    [3, /cannot connect: unknown host name$/m, 'ws://daemon.invalid:80'],
    [3, /cannot connect: not a jointcastd/, await somethingElse(t)],
    [2, /takes one URL/, 'a:1', 'b:2'],
  ]) {
    const tool = start(t, 'watch', ...args);
    assert.equal(await tool.ended, code, tool.stderr);
    assert.match(tool.stderr, pattern);
    assert.equal(tool.stderr.trim().split('\n').length, 1, tool.stderr);
  }
});

/** The screen of a terminal of this size after these bytes; it knows only the control
 * sequences that the report uses. */
function show(bytes, rows, columns) {
  const screen = [''];
  let row = 0;
  let wraps = true;
  for (const [token, up, erase, wrap] of bytes.matchAll(/\x1b\[(\d+)A|\x1b\[(J)|\x1b\[\?7([lh])|[^]/g)) {
    if (up) {
      row = Math.max(row - Number(up), Math.max(screen.length - rows, 0));
    } else if (erase) {
      screen.length = row + 1;
      screen[row] = '';
    } else if (wrap) {
      wraps = wrap === 'h';
    } else if (token === '\n') {
      screen[++row] ??= '';
    } else if (token !== '\r' && (screen[row].length < columns || wraps)) {
      if (screen[row].length === columns)
        screen[++row] ??= '';
      screen[row] += token;
    }
  }
  return screen.slice(-rows);
}

test('on a terminal the report stays in its place, however small that is', { timeout: 300000 }, async (t) => {
  if (spawnSync('script', ['-qec', 'true', '/dev/null']).status !== 0) {
    t.skip('there are no pseudo-terminals here');
    return;
  }
  const names = ['a'.repeat(63), 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const daemon = await startDaemon(t, ...names.flatMap((name) => ['--source', `demo:walk?name=${name}`]));
  const child = spawn('script', ['-qec', `stty rows 8 cols 52 -echo; exec "$TOOL" watch ${daemon.url}`, '/dev/null'],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, TOOL: JOINTCAST } });
  t.after(() => child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (text) => { stdout += text; });
  const reports = () => stdout.split('8 bodies').length - 1;
  while (reports() < 4)
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.stdin.end('\x03');
  assert.deepEqual(await once(child, 'close'), [0, null]);
  // The last report whole, the cursor below it.
  const end = stdout.lastIndexOf('\x1b[?7h');
  const screen = show(stdout.slice(0, end), 8, 52);
  assert.equal(screen.length, 8);
  assert.match(screen[0], /^8 bodies, /);
  for (const [i, name] of names.slice(0, 5).entries())
    assert.match(screen[i + 1], new RegExp(`^ +${i + 1} +live .* '${name[0]}`));
  assert.equal(screen[1].length, 52, 'a long line ends at the edge');
  assert.equal(screen[6], '  and 3 more');
  assert.equal(screen[7], '');
});
