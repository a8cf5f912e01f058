// Takes pictures of all states of the pages at three sizes in both themes, for people to look at.
//
// The environment variable JC_AVATAR names the file that the publishing page wears.
//
// usage: JC_BUILD=BUILD shoot.mjs BUILD/daemon/jointcastd OUT [STATE…]

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { CAMERA, launch } from '../e2e/support/browser.mjs';
import { LONGER, SIZES, STATES, reach, resize } from './states.mjs';

const [out = 'pictures', ...wanted] = process.argv.slice(3);
mkdirSync(out, { recursive: true });
const browser = await launch(CAMERA);
after(() => browser.close());

for (const [name, state] of Object.entries({ ...STATES, ...LONGER }))
  test(name, { skip: wanted.length > 0 && !wanted.includes(name), timeout: 300000 }, async (t) => {
    const page = await reach(t, browser, state);
    for (const [size, theme] of Object.keys(SIZES).flatMap((each) => [[each, 'dark'], [each, 'light']])) {
      await resize(page, state, size, theme);
      await page.waitForTimeout(1500); // the camera arrives
      await page.screenshot({ path: path.join(out, `${name}_${size}_${theme}.png`), omitBackground: name === 'clean' });
    }
  });
