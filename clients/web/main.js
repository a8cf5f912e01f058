// Starts the viewer, or says why it cannot.

import { PRECISIONS, connect } from 'jointcast';
import { Door } from './door.js';
import { Stage } from './stage.js';
import { Viewer } from './viewer.js';

/** The daemon that served this page. */
function address() {
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

function makeStage(canvas, sharp) {
  try {
    return new Stage(canvas, sharp);
  } catch {
    fail('This page needs WebGL 2, which this browser does not offer or has switched off.');
    return null;
  }
}

const canvas = document.getElementById('view');
const query = new URLSearchParams(location.search);
const stage = makeStage(canvas, query.has('sharp'));
if (stage) {
  // Seen from near, feet that stand would tremble by some millimetres at a lower precision.
  const precision = PRECISIONS.find((name) => name === query.get('precision')) ?? 'fine';
  const door = new Door(document.getElementById('door'));
  const join = (view) => connect(address(), { space: query.get('space') || 'lobby', client: 'viewer',
    precision: document.getElementById('precision').value || precision, token: () => door.token(), ...view });
  const client = join({ precision });
  client.on('error', ({ code }) => {
    if (code === 'refused')
      door.shut();
  });
  /** For the console and for tests: README.md. */
  window.jointcast = new Viewer(canvas, stage, client, precision, join);
}
