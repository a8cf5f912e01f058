// Invitations in browsers: one guest publishes with an avatar through a link and another sees it move; a
// moderator's dialog makes links, QR codes and pairing codes and revokes them. Secrets leave no trace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { avatarFile } from '../support/avatar_files.mjs';
import { openViewer } from '../support/browser.mjs';
import { moderate, moderatorToken, readQr, startInviting } from '../support/invitations.mjs';
import { until } from '../support/until.mjs';

const LIMIT = { timeout: 300000 };
const SMALL = { width: 390, height: 480, calm: true };

/** Both wait across navigations; a page may take half a minute to start on a busy machine. */
const PATIENCE = { timeout: 90000 };
const joins = (page) => page.waitForFunction(() => document.getElementById('dot')?.dataset.state === 'open', null, PATIENCE);
const asks = async (page, reason) => {
  await page.waitForFunction(() => document.getElementById('door')?.open && document.getElementById('door-reason').textContent, null, PATIENCE);
  await until(() => `the door says why: ${reason}`, async () => (await page.textContent('#door-reason')).includes(reason));
};

/** A page that follows a link, and everything in which the secret could remain. */
async function follow(t, daemon, query, secret, browser) {
  const trace = { requests: [], console: [], frames: [] };
  const opened = await openViewer(t, daemon.page, { query, browser, ...SMALL, prepare: async (page) => {
    page.on('request', (request) => trace.requests.push(request.url(), request.headers()));
    page.on('console', (message) => trace.console.push(message.text()));
    page.on('websocket', (socket) => {
      trace.requests.push(socket.url());
      socket.on('framesent', ({ payload }) => trace.frames.push(String(payload)));
    });
    // The first files of the page do not arrive before the secret has left the address.
    await page.route(/\/(style\.css|main\.js|publish\.js)$/, async (route) => {
      await until('the secret has left the address', () => page.evaluate(
        (start) => location.href.startsWith(start) && !location.href.includes('#'), daemon.page));
      await route.continue();
    });
  } });
  const { viewer } = opened;
  await joins(viewer);
  await viewer.unrouteAll();
  /** Checks that the secret is nowhere. */
  const assertNoTrace = async () => {
    const page = await viewer.evaluate(() => ({ address: location.href, state: history.state, title: document.title,
      markup: document.documentElement.outerHTML, session: { ...sessionStorage }, local: { ...localStorage },
      cookies: document.cookie, stats: window.jointcast.stats ?? null, left: window.takeInvitation() }));
    assert.equal(JSON.stringify(page).includes(secret), false, 'in the page');
    assert.deepEqual(page.local, {});
    assert.equal(JSON.stringify(trace).includes(secret), false, 'in a request, a message or the console');
  };
  return { ...opened, assertNoTrace };
}

test('a guest publishes as itself through a link, and a guest with another link sees it move', LIMIT, async (t) => {
  const daemon = await startInviting(t, 'avatars { upload = "true" }');
  const { invitations } = await moderate(t, daemon);
  const publish = await invitations.create({ role: 'publish', expires: 600, note: 'dancer' });
  const watch = await invitations.create({ role: 'watch', expires: 600 });

  const guest = await follow(t, daemon, `publish.html#invite=${publish.invitation}`, publish.invitation);
  assert.equal(guest.viewer.url(), `${daemon.page}publish.html`);
  await guest.viewer.setInputFiles('#avatar-file', { name: 'own.vrm', mimeType: 'model/gltf-binary', buffer: avatarFile() });
  await guest.viewer.click('#avatar-share');
  await guest.viewer.check('#sharing input[value="author"]');
  await guest.viewer.fill('#sharing input[name="licence"]', 'CC-BY-4.0');
  await guest.viewer.click('#sharing-send');
  await guest.viewer.waitForSelector('#avatar-withdraw', { state: 'visible' });
  await guest.viewer.check('#may-show');
  await guest.viewer.click('#demo');

  const friend = await follow(t, daemon, `#invite=${watch.invitation}`, watch.invitation, guest.browser);
  assert.equal(friend.viewer.url(), daemon.page);
  await friend.bodies(1);
  const hand = async () => Object.values(await friend.positions())[0].avatar?.leftHand;
  const before = await until('the avatar is visible', hand);
  await until('the hand has moved', async () => {
    const now = await hand();
    return Math.hypot(...now.map((x, i) => x - before[i])) > 0.05;
  });
  const [used] = (await invitations.list()).filter(({ id }) => id === publish.id);
  assert.deepEqual([used.used, used.uses, used.note], [1, 1, 'dancer']);
  await guest.assertNoTrace();
  await friend.assertNoTrace();

  // The way back leads to the page without the secret, which joins with the token of the tab.
  await friend.viewer.goto('about:blank');
  await friend.viewer.goBack();
  assert.equal(friend.viewer.url(), daemon.page);
  await joins(friend.viewer);

  await invitations.revoke(watch.id);
  await asks(friend.viewer, 'revoked');
  assert.equal(await friend.viewer.evaluate(() => JSON.stringify({ ...sessionStorage }).includes('"token"')), false);

  // The used link again, pasted into the address of the open page: its own token stays.
  await guest.viewer.evaluate((hash) => { location.hash = hash; }, `invite=${publish.invitation}`);
  await asks(guest.viewer, 'used up');
  assert.equal(guest.viewer.url(), `${daemon.page}publish.html`);
  await guest.viewer.waitForFunction(() => window.jointcast);
  await guest.assertNoTrace();
  await guest.viewer.click('#door-without');
  await joins(guest.viewer);
});

test('a moderator makes a link with a QR code and a pairing code, and revokes', LIMIT, async (t) => {
  const daemon = await startInviting(t, 'space "studio" { }');
  const { viewer, browser, shoot, done } = await openViewer(t, daemon.page, { query: '?space=studio', width: 900, height: 600, calm: true });
  const contentOf = (id) => viewer.evaluate((of) => document.getElementById(of).textContent, id);
  await viewer.fill('#door-token', moderatorToken());
  await viewer.keyboard.press('Enter');
  await viewer.waitForSelector('#invite', { state: 'visible' });
  await viewer.focus('#invite');
  await viewer.keyboard.press('Enter');
  assert.equal(await viewer.evaluate(() => document.activeElement.id), 'invite-role');
  await viewer.selectOption('#invite-role', 'publish');
  await viewer.fill('#invite-uses', '2');
  await viewer.fill('#invite-note', 'Ünïcode <b>');
  await viewer.keyboard.press('Enter');
  const link = await until('there is a link', () => viewer.inputValue('#invite-url'));
  assert.match(link, new RegExp(`^${daemon.page}publish\\.html\\?space=studio#invite=[\\w-]{22}$`));
  assert.equal(await until('the code is drawn', () => readQr(viewer, '#invite-qr')), link);
  await until('it is in the list', async () => (await contentOf('invite-list')).includes('Ünïcode <b>'));
  await shoot('invite');

  await viewer.click('#invite-code');
  const code = await until('there is a pairing code', () => contentOf('invite-said'));
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{2}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  assert.equal(await viewer.inputValue('#invite-url'), '', 'the link is no longer shown');

  const { viewer: guest } = await openViewer(t, daemon.page, { query: 'publish.html', browser, ...SMALL });
  await guest.click('#door-other');
  const { width, height } = await guest.locator('#door-enter').boundingBox();
  assert.ok(width >= 200 && height >= 60, 'a target for the pointer of a headset');
  await guest.fill('#door-code', 'AB-CDEF');
  await guest.keyboard.press('Enter');
  await asks(guest, '10 characters');
  await guest.fill('#door-code', code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l'));
  await guest.keyboard.press('Enter');
  await guest.waitForURL(/publish\.html\?space=studio$/);
  await joins(guest);
  await until('the moderator sees that the code was used', async () => /used/.test(await contentOf('invite-left')));

  // The end of the token, as a reload finds it.
  await guest.evaluate(() => {
    const [key] = Object.keys(sessionStorage);
    const stored = JSON.parse(sessionStorage[key]);
    stored.kept.expires = 1;
    sessionStorage[key] = JSON.stringify(stored);
  });
  await guest.reload();
  await asks(guest, 'expired');

  await viewer.locator('#invite-list li', { hasText: '0 of 2' }).locator('button').click();
  await until('it is revoked', async () => /revoked/.test(await contentOf('invite-list')));
  await viewer.keyboard.press('Escape');
  assert.equal(await viewer.evaluate(() => document.activeElement.id), 'invite');
  const left = await viewer.evaluate(() => document.documentElement.outerHTML + document.getElementById('invite-url').value);
  assert.equal(left.includes(code) || left.includes('#invite='), false, 'a secret stays in the page');
  done();
});
