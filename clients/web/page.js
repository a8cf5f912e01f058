// What both pages begin with: whom they connect to, and a stage or the reason for none.

import { Stage } from './stage.js';

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

/** A stage on a canvas, or null after the page said why not. */
export function openStage(canvas) {
  try {
    return new Stage(canvas, new URLSearchParams(location.search).has('sharp'));
  } catch {
    fail('This page needs WebGL 2, which this browser does not offer or has switched off.');
    return null;
  }
}
