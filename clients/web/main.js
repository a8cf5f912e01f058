// Starts the viewer.

import { PRECISIONS, connect } from 'jointcast';
import { clear, readBroadcast } from './broadcast.js';
import { openDoor } from './door.js';
import { Inviter } from './invitation/dialog.js';
import { address, openStage } from './page.js';
import { Viewer } from './viewer.js';

const canvas = document.getElementById('view');
const wishes = readBroadcast(new URLSearchParams(location.search));
clear(wishes);
const stage = openStage(canvas, wishes.transparent);
if (stage) {
  const door = await openDoor(address());
  const query = new URLSearchParams(location.search);
  const space = query.get('space') || 'lobby';
  // At a lower precision standing feet tremble by some millimetres, visible in close view.
  const precision = PRECISIONS.find((name) => name === query.get('precision')) ?? 'fine';
  const join = (view) => connect(address(), { space, client: 'viewer',
    precision: document.getElementById('precision').value || precision, token: () => door.token(space), ...view });
  const client = join({ precision });
  client.on('error', ({ code, message, reason }) => {
    if (code === 'refused')
      door.shut(message, reason);
  });
  new Inviter(document.getElementById('invite'), client);
  /** Interface for the console and for tests, see README.md. */
  window.jointcast = new Viewer(canvas, stage, client, precision, join, wishes);
}
