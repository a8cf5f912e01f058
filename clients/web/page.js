// Start of both pages: the address of the daemon, and the stage or an error message.

import { Theme } from './controls/theme.js';
import { Stage } from './stage.js';
import { fillPage, text } from './texts.js';

/** The daemon that served this page. */
export function address() {
  const url = new URL('.', location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** Shows in place of the page why it cannot work, and what to do. */
function fail(what, advice) {
  const card = Object.assign(document.createElement('div'), { className: 'fatal', role: 'alert' });
  card.append(...[['h2', what], ['p', advice]].map(([tag, textContent]) =>
    Object.assign(document.createElement(tag), { textContent })));
  for (const other of document.body.children)
    other.inert = true;
  document.body.append(card);
  new Theme(null, () => {});
}

/** Text of an error of the client, with its remedy. */
export const explain = ({ message, remedy }) => (remedy ? text('error.remedy', { message, remedy }) : message);

/** Fills in the texts and creates a stage on a canvas; on failure shows the reason and returns null. */
export function openStage(canvas, transparent = false) {
  fillPage();
  try {
    return new Stage(canvas, new URLSearchParams(location.search).has('sharp'), transparent);
  } catch {
    fail(text('page.webgl'), text('page.webgl.advice'));
    return null;
  }
}
