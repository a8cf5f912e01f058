// Starts the viewer.

import { PRECISIONS, connect } from 'jointcast';
import { Door } from './door.js';
import { address, openStage } from './page.js';
import { Viewer } from './viewer.js';

const canvas = document.getElementById('view');
const query = new URLSearchParams(location.search);
const stage = openStage(canvas);
if (stage) {
  // At a lower precision standing feet tremble by some millimetres, visible in close view.
  const precision = PRECISIONS.find((name) => name === query.get('precision')) ?? 'fine';
  const door = new Door(document.getElementById('door'));
  const join = (view) => connect(address(), { space: query.get('space') || 'lobby', client: 'viewer',
    precision: document.getElementById('precision').value || precision, token: () => door.token(), ...view });
  const client = join({ precision });
  client.on('error', ({ code }) => {
    if (code === 'refused')
      door.shut();
  });
  /** Interface for the console and for tests, see README.md. */
  window.jointcast = new Viewer(canvas, stage, client, precision, join);
}
