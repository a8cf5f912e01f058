// A headset that is not there: npm iwer emulates session, viewer, controllers and hands.
// It knows no body tracking, so `frame.body` is our own emulation on top, with the joints
// of body-frame files, in iwer's own spaces.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const IWER = createRequire(import.meta.url).resolve('iwer/build/iwer.min.js');

/** Reads a file of body frames (proto/BODY-FRAMES.md). */
export function readBodyFrames(file) {
  const [header, ...frames] = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  return { header, frames };
}

// Runs in the page, before anything of it.
function install({ names, frames, modes }) {
  const { P_DEVICE, P_SPACE, XRDevice, XRFrame, XRSpace, metaQuest3 } = window.IWER;
  const features = frames ? ['body-tracking'] : [];
  const device = new XRDevice({ ...metaQuest3, ...(modes && { supportedSessionModes: modes }),
    supportedFeatures: [...metaQuest3.supportedFeatures, ...features] });
  device.installRuntime({ forceInstall: true });
  const spaces = names.map(() => {
    const space = new XRSpace(device[P_DEVICE].globalSpace);
    space[P_SPACE].emulated = false;
    return space;
  });
  // Backwards, with one more joint than the draft has: code that reads by index fails.
  const body = new Map([...names.map((name, i) => [name, spaces[i]])].reverse());
  body.set('root', new XRSpace(device[P_DEVICE].globalSpace));
  Object.defineProperty(XRFrame.prototype, 'body', { get() {
    return this.session.enabledFeatures.includes('body-tracking') ? body : null;
  } });

  function show({ joints }) {
    joints.forEach(([x, y, z, qx, qy, qz, qw], i) => {
      spaces[i][P_SPACE].offsetMatrix.set([
        1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + qz * qw), 2 * (qx * qz - qy * qw), 0,
        2 * (qx * qy - qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz + qx * qw), 0,
        2 * (qx * qz + qy * qw), 2 * (qy * qz - qx * qw), 1 - 2 * (qx * qx + qy * qy), 0,
        x, y, z, 1]);
    });
  }

  /** Functions with which tests control the headset. */
  window.headset = {
    device,
    /** Plays from one frame to another as fast as they were captured, and stays there. */
    play: (from, to) => new Promise((resolve) => {
      const began = performance.now();
      const next = () => {
        const t = frames[from].t + (performance.now() - began) / 1000;
        let i = from;
        while (i < to && frames[i + 1].t <= t)
          i++;
        show(frames[i]);
        if (i < to)
          requestAnimationFrame(next);
        else
          resolve();
      };
      next();
    }),
  };
  if (frames)
    show(frames[0]);
}

/**
 * Puts the headset into a page that has loaded nothing yet; there it is `window.headset`.
 *
 * @param {import('playwright-core').Page} page
 * @param {{header: object, frames: object[]} | null} motion of the body; null where the
 *   device tracks none
 * @param {(name: string) => string} rename joints, to another spelling
 * @param {string[]} [modes] that the device supports, if not all
 */
export async function emulateHeadset(page, motion, rename = (name) => name, modes = undefined) {
  await page.addInitScript({ path: IWER });
  await page.addInitScript(install, { names: motion?.header.joints.map(rename) ?? [],
    frames: motion?.frames ?? null, modes });
}
