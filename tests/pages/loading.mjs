// What a page loads until it shows a body, and how long that takes over a slow line: requests, bytes as
// they are sent, milliseconds from the navigation until the page has started and until the first picture
// with a body. The median of some visits with an empty cache, and of visits that follow them.
//
// usage: JC_BUILD=FOLDER node loading.mjs

import path from 'node:path';
import { launch } from '../e2e/support/browser.mjs';
import { BUILD, start } from '../e2e/support/daemon.mjs';

const LINE = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const RUNS = 5;

const daemon = await start('--web', path.join(BUILD, 'share/jointcast/web'), '--source', 'demo:idle');
const browser = await launch();

/** Resolves with the time of the page after the first picture that follows `isShown`. */
async function shown(page, isShown) {
  await page.waitForFunction(isShown);
  return page.evaluate(() => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))));
}

const PAGES = {
  viewer: { file: '', show: (page) => shown(page, () => window.jointcast?.bodies().length > 0) },
  publish: { file: 'publish.html', show: async (page) => {
    await page.waitForSelector('#dot[data-state="open"]');
    await page.check('#may-show');
    await page.click('#demo');
    return shown(page, () => window.jointcast?.reflection());
  } },
};

/** One visit with an empty cache, or with the cache of the visit before. */
async function visit(context, { file, show }) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const seen = { requests: 0, bytes: 0 };
  session.on('Network.requestWillBeSent', ({ request }) => (seen.requests += request.url.startsWith('http')));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (seen.bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await page.goto(`http://127.0.0.1:${daemon.port}/${file}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.jointcast);
  seen.started = await page.evaluate(() => performance.now());
  seen.drawn = await show(page);
  await page.close();
  return seen;
}

const middle = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

console.log('| page | cache | requests | kB | ms until it has started | ms until a body is drawn |\n|---|---|---|---|---|---|');
for (const [name, page] of Object.entries(PAGES)) {
  const visits = { empty: [], filled: [] };
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
    context.setDefaultTimeout(120000); // a busy machine
    visits.empty.push(await visit(context, page));
    visits.filled.push(await visit(context, page));
    await context.close();
  }
  for (const [cache, all] of Object.entries(visits)) {
    const [requests, bytes, started, drawn] = ['requests', 'bytes', 'started', 'drawn'].map((key) => middle(all.map((seen) => seen[key])));
    console.log(`| ${name} | ${cache} | ${requests} | ${Math.round(bytes / 1000)} | ${Math.round(started)} | ${Math.round(drawn)} |`);
  }
}
await browser.close();
await daemon.stop();
