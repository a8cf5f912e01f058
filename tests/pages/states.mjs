// The states of the pages, each with the way to it: for the test of their accessibility and for
// the pictures that people look at.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { redeemInvitation } from '../../clients/js/index.js';
import { avatarFile } from '../e2e/support/avatar_files.mjs';
import { scratch, startDaemon } from '../e2e/support/daemon.mjs';
import { moderate, moderatorToken, startInviting } from '../e2e/support/invitations.mjs';
import { now, secret, sign } from '../e2e/support/token.mjs';
import { startProxy } from './rewriting_proxy.mjs';

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 }, landscape: { width: 844, height: 390 } };
/** Each state is tested in the dark theme at a desk and in the light theme on a phone. */
export const THEMES = { desktop: 'dark', phone: 'light', landscape: 'light' };

const DEMOS = ['walk', 'wave', 'sit'].flatMap((name) => ['--source', `demo:${name}`]);
/** Names as people have them; two are written from right to left. */
const NAMES = ['Ada', 'עדה כהן', 'محمد', 'Grace-Hopper-with-a-long-name', 'Zoë', '小林', 'Ola', 'Ngũgĩ', 'Ivo', 'Bea', 'Kai', 'Lin'];
const crowd = (count) => Array.from({ length: count }, (_, i) => {
  const name = `${NAMES[i % NAMES.length]}${i < NAMES.length ? '' : ` ${i}`}`;
  return ['--source', `demo:${['walk', 'wave', 'sit', 'idle'][i % 4]}?name=${name}`];
}).flat();

/** A daemon with a key; `token` makes a token for it. */
async function guarded(t) {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'key'), secret);
  writeFileSync(path.join(folder, 'conf'), `auth { key "k" { algorithm = "HS256" file = "${folder}/key" } }
source "walker" { uri = "demo:walk" }
`);
  return startDaemon(t, '--config', path.join(folder, 'conf'));
}

const tokenUntil = (exp) => sign({ alg: 'HS256', kid: 'k' }, { sub: 'ada', aud: 'jointcast', spaces: '*', exp }, secret);

async function enter(page, words) {
  await page.waitForSelector('#door[open]');
  await page.fill('#door-token', words);
  await page.keyboard.press('Enter');
}

const bodies = (count) => (page) => page.waitForFunction((least) => window.jointcast?.bodies().length >= least, count);
const situation = (name) => (page) => page.waitForSelector(`#situation[data-situation="${name}"]`);
const press = (id) => async (page) => {
  if (await page.locator(`#${id}`).isVisible())
    await page.click(`#${id}`);
  else {
    await page.click('#menu');
    await page.click(`#${id}`);
  }
};

/** A daemon that accepts avatars; the address of its publishing page. */
async function publishing(t) {
  const folder = scratch(t);
  writeFileSync(path.join(folder, 'conf'), 'avatars { upload = "true" }\n');
  const daemon = await startDaemon(t, '--config', path.join(folder, 'conf'), '--state', path.join(folder, 'state'));
  return `${daemon.page}publish.html`;
}

const connected = (page) => page.waitForSelector('#dot[data-state="open"]');
/** The visitor chooses an avatar: the mirror shows it. */
async function dress(page) {
  await connected(page);
  await page.setInputFiles('#avatar-file', { name: 'my-avatar.vrm', mimeType: 'model/gltf-binary', buffer: process.env.JC_AVATAR ? readFileSync(process.env.JC_AVATAR) : avatarFile() });
  await page.waitForSelector('#avatar-share:enabled');
}

/** A publishing page with an invitation that another guest has used up. */
async function usedLink(t) {
  const daemon = await startInviting(t);
  const { invitations } = await moderate(t, daemon);
  const { invitation } = await invitations.create({ role: 'publish', expires: 600, uses: 1 });
  await redeemInvitation(daemon.url, { invitation });
  return `${daemon.page}publish.html#invite=${invitation}`;
}

/**
 * By name: `open` starts what the state needs and returns the address of the page; `reach` leads
 * the page to it; `each` does so again for each size; `prepare` precedes the page; `heading`
 * is what the page says, `room` what its header says.
 */
export const STATES = {
  empty: { open: async (t) => (await startDaemon(t)).page, reach: situation('empty'), heading: 'Nobody is here yet' },
  waiting: { open: async (t) => (await startDaemon(t, '--source', 'vmc:0?name=Ada')).page, reach: situation('waiting'),
    heading: 'No motion arrives yet', says: 'no motion arrives' },
  'unknown-space': { open: async (t) => `${(await startDaemon(t, '--source', 'demo:idle')).page}?space=cellar`,
    reach: situation('unknown-space'), heading: 'There is no space cellar', says: 'lobby', room: 'in no space' },
  'token-asked': { open: async (t) => (await guarded(t)).page, reach: (page) => page.waitForSelector('#door[data-reason="no-token"][open]'),
    dialog: 'Enter the token' },
  'token-wrong': { open: async (t) => (await guarded(t)).page, reach: async (page) => {
    await enter(page, 'nonsense');
    await page.waitForSelector('#door[data-reason="malformed"][open]');
  }, dialog: 'The daemon refused the token' },
  'token-expired': { open: async (t) => (await guarded(t)).page, reach: async (page) => {
    await enter(page, tokenUntil(now() - 600));
    await page.waitForSelector('#door[data-reason="expired"][open]');
  }, dialog: 'The token has expired' },
  // The browser does not send the origin with a question to the same server, so the reason stays hidden.
  proxy: { open: async (t) => startProxy(t, (await startDaemon(t, '--source', 'demo:idle')).port),
    reach: situation('no-websocket'), heading: 'The server is no daemon, or a proxy stops the connection', says: 'Host' },
  'origin-refused': { open: async (t) => startProxy(t, (await startDaemon(t, '--source', 'demo:idle')).port),
    prepare: (page) => page.route('**/healthz', (route) => route.fulfill({ status: 403, body: 'this Origin may not connect' })),
    reach: situation('origin-refused'), heading: 'The daemon does not admit this page', says: 'origins = {"http://a.localhost:' },
  'daemon-gone': { open: async (t, state) => {
    state.daemon = await startDaemon(t, '--source', 'demo:idle');
    return state.daemon.page;
  }, reach: async (page, state) => {
    await bodies(1)(page);
    await state.daemon.stop();
    await page.waitForSelector('#situation:is([data-situation="lost"], [data-situation="unreachable"], [data-situation="connection-refused"])');
  } },
  closed: { open: async (t) => (await startDaemon(t)).page, reach: async (page) => {
    await situation('empty')(page);
    await page.evaluate(() => window.jointcast.client.close());
    await situation('closed')(page);
  }, heading: 'Not connected', says: 'Reload' },
  'no-webgl': { open: async (t) => (await startDaemon(t)).page, prepare: (page) => page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  }), reach: (page) => page.waitForFunction(() => document.querySelector('.fatal'), null, { polling: 200 }) },
  bodies: { open: async (t) => (await startDaemon(t, ...DEMOS)).page, reach: bodies(3) },
  names: { open: async (t) => (await startDaemon(t, ...crowd(12))).page, reach: bodies(12), each: async (page) => {
    if (await page.locator('#list').isVisible())
      await page.click('#list');
  } },
  menu: { open: async (t) => (await startDaemon(t)).page, reach: situation('empty'), each: async (page) => {
    if (await page.locator('#menu').isVisible())
      await page.click('#menu');
  } },
  keys: { open: async (t) => (await startDaemon(t)).page, reach: situation('empty'), each: press('help') },
  invite: { open: async (t) => (await startInviting(t)).page, reach: async (page) => {
    await enter(page, moderatorToken());
    await connected(page);
  }, each: async (page) => {
    await press('invite')(page);
    await page.fill('#invite-note', 'friends');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.getElementById('invite-url').value);
  } },
  publish: { open: publishing, reach: connected },
  'publish-avatar': { open: publishing, reach: dress },
  'publish-live': { open: publishing, reach: async (page) => {
    await dress(page);
    await page.check('#may-show');
    await page.click('#demo');
    await page.waitForFunction(() => window.jointcast.publisher?.state === 'live');
  } },
  'publish-webcam': { open: publishing, reach: async (page) => {
    await connected(page);
    await page.check('#may-show');
  }, each: async (page) => {
    await page.click('#webcam');
    await page.waitForSelector('#webcam-setup[open]');
  } },
  // The program never arrives: the preview waits for it.
  'publish-webcam-on': { open: publishing, prepare: (page) => page.route('**/webcam/worker.js', () => {}), reach: async (page) => {
    await connected(page);
    await page.check('#may-show');
    await page.click('#webcam');
    await page.click('#webcam-begin');
    await page.waitForSelector('#camera:not([hidden])');
  } },
  'publish-sharing': { open: publishing, reach: dress, each: async (page) => {
    await page.click('#avatar-share');
    await page.waitForSelector('#sharing[open]');
  } },
  'publish-code': { open: async (t) => `${(await guarded(t)).page}publish.html`, reach: async (page) => {
    await page.waitForSelector('#door[data-reason="no-token"][open]');
    await page.click('#door-other');
  }, dialog: 'I have a token' },
  'publish-used-link': { open: usedLink, reach: (page) => page.waitForSelector('#door[open]'), dialog: 'used up' },
  clean: { open: async (t) => `${(await startDaemon(t, '--source', 'demo:wave')).page}?clean&transparent&follow=wave`, reach: bodies(1) },
};

/** More pictures, which take longer. */
export const LONGER = {
  crowd: { open: async (t) => (await startDaemon(t, ...crowd(60))).page, reach: bodies(60), each: STATES.names.each },
  'right-to-left': { ...STATES.names, reach: async (page) => {
    await bodies(12)(page);
    await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
  } },
  'publish-right-to-left': { ...STATES['publish-avatar'], reach: async (page) => {
    await dress(page);
    await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
  } },
};

/** Opens the page of a state; resolves when it is there. */
export async function reach(t, browser, state) {
  const context = await browser.newContext({ viewport: SIZES.desktop, colorScheme: THEMES.desktop });
  t.after(() => context.close());
  context.setDefaultTimeout(120000); // a busy machine
  const page = await context.newPage();
  await state.prepare?.(page);
  const facts = {};
  await page.goto(await state.open(t, facts));
  await state.reach(page, facts);
  return page;
}

/** Gives the page a size with a theme, and the state again, where a control of that size leads to it. */
export async function resize(page, state, size, theme = THEMES[size]) {
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme: theme });
  if (state.each) {
    await page.keyboard.press('Escape');
    await state.each(page);
  }
}
