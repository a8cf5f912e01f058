// Start of both pages: the address of the daemon, and the stage or an error message.

import { Stage } from './stage.js';
import { fillPage, text } from './texts.js';

/** The daemon that served this page. */
export function address() {
  const url = new URL('.', location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

function fail(message) {
  const p = document.createElement('p');
  p.className = 'fatal';
  p.setAttribute('role', 'alert');
  p.textContent = message;
  document.body.append(p);
}

/** Text of an error of the client, with its remedy. */
export const explain = ({ message, remedy }) => (remedy ? text('error.remedy', { message, remedy }) : message);

/** Fills in the texts and creates a stage on a canvas; on failure shows the reason and returns null. */
export function openStage(canvas) {
  fillPage();
  try {
    return new Stage(canvas, new URLSearchParams(location.search).has('sharp'));
  } catch {
    fail(text('page.webgl'));
    return null;
  }
}
