// Measures what a link costs a guest: two browsers follow invitations, one publishes the demo body,
// with an avatar of its own if a file is given, the other watches. Prints a table of bytes and times.
//
// usage: JC_BUILD=FOLDER node tests/bench/invitation.mjs FOLDER/daemon/jointcastd [AVATAR RIGHTS LICENCE]
// RIGHTS: author, licensed or public (proto/AVATARS.md)

import { performance } from 'node:perf_hooks';
import { openViewer } from '../e2e/support/browser.mjs';
import { moderate, startInviting } from '../e2e/support/invitations.mjs';
import { until, sleep } from '../e2e/support/until.mjs';

const STEADY_MS = 10000;
const [, , , avatar, rights, licence] = process.argv;

const ended = [];
/** In place of a test: what is opened is closed at the end, the last first. */
const bench = { after: (end) => ended.unshift(end) };

/** Bytes of a page by kind, as the browser counts them, and the times of what it shows. */
async function open(daemon, query, marks) {
  const traffic = { files: 0, requests: 0, down: 0, up: 0 };
  const opened = await openViewer(bench, daemon.page, { query, width: 640, height: 480, prepare: async (page) => {
    const session = await page.context().newCDPSession(page);
    const size = ({ response: { opcode, payloadData } }) => (opcode === 2 ? Buffer.from(payloadData, 'base64') : Buffer.from(payloadData)).length;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      traffic.files += encodedDataLength;
      traffic.requests++;
    });
    session.on('Network.webSocketFrameReceived', (frame) => { traffic.down += size(frame); });
    session.on('Network.webSocketFrameSent', (frame) => { traffic.up += size(frame); });
    await session.send('Network.enable');
    // Milliseconds from the opening of the link until each condition holds in a picture of the page.
    await page.addInitScript((conditions) => {
      window.marks = {};
      const look = () => {
        for (const [name, condition] of conditions)
          window.marks[name] ??= (0, eval)(condition) ? performance.now() : undefined;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, marks);
  }, context: { bypassCSP: true } });
  return { ...opened, traffic,
    mark: (name) => until(`${name} on the page`, () => opened.viewer.evaluate((of) => window.marks[of], name), 120000) };
}

/** Whether the left hand of the body, with its avatar if there is one, has moved by 5 cm since the first look. */
const MOVED = `(() => {
  const [body] = window.jointcast?.bodies() ?? [];
  const hand = ${avatar ? 'body?.avatar?.leftHand' : 'body?.positions.leftHand'};
  window.seenHand ??= hand;
  return hand && Math.hypot(...hand.map((x, i) => x - window.seenHand[i])) > 0.05;
})()`;
const JOINED = ['joined', "window.jointcast?.client?.state === 'live'"];
const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
const seconds = (ms) => (ms / 1000).toFixed(2);

const daemon = await startInviting(bench, avatar ? 'avatars { upload = "true" }' : '');
const { invitations } = await moderate(bench, daemon);
const links = {};
for (const role of ['publish', 'watch'])
  links[role] = `#invite=${(await invitations.create({ role, expires: 3600 })).invitation}`;

const guest = await open(daemon, `publish.html${links.publish}`,
  [JOINED, ['published', "window.jointcast?.publisher?.state === 'live'"]]);
const rows = [['the publishing page has joined', await guest.mark('joined'), { ...guest.traffic }]];
if (avatar) {
  const began = performance.now();
  const before = { ...guest.traffic };
  await guest.viewer.setInputFiles('#avatar-file', avatar);
  await guest.viewer.click('#avatar-share');
  await guest.viewer.check(`#sharing input[value="${rights}"]`);
  await guest.viewer.fill('#sharing input[name="licence"]', licence);
  await guest.viewer.click('#sharing-send');
  await guest.viewer.waitForSelector('#avatar-withdraw', { state: 'visible' });
  rows.push(['the avatar is read and sent, from its choice', performance.now() - began,
    { ...guest.traffic, files: guest.traffic.files - before.files }]);
}
await guest.viewer.check('#may-show');
const pressed = performance.now();
await guest.viewer.click('#demo');
await guest.mark('published');
rows.push(['the demo body is published, from the press of its button', performance.now() - pressed, { ...guest.traffic }]);

const friend = await open(daemon, links.watch, [JOINED, ['visible', 'window.jointcast?.bodies().length > 0'],
  ['worn', 'window.jointcast?.bodies().some(({ avatar }) => avatar)'], ['moved', MOVED]]);
for (const [name, mark] of [['the watching page has joined', 'joined'], ['the body is visible', 'visible'],
  ...avatar ? [['its avatar is visible', 'worn']] : [], ['its hand has moved by 5 cm', 'moved']])
  rows.push([name, await friend.mark(mark), { ...friend.traffic }]);

const at = [guest, friend].map(({ traffic }) => ({ ...traffic }));
const began = performance.now();
await sleep(STEADY_MS);
const past = (performance.now() - began) / 1000;

console.log('| | seconds | kB of files, requests | kB of the WebSocket, down and up |\n|---|---|---|---|');
for (const [name, ms, { files, requests, down, up }] of rows)
  console.log(`| ${name} | ${seconds(ms)} | ${kilobytes(files)}, ${requests} | ${kilobytes(down)}, ${kilobytes(up)} |`);
[['publishing', guest], ['watching', friend]].forEach(([name, { traffic }], i) => console.log(`| ${name}, a second | | | ${
  kilobytes((traffic.down - at[i].down) / past)}, ${kilobytes((traffic.up - at[i].up) / past)} |`));
for (const end of ended)
  await end();
