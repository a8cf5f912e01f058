// Clients of clients/js that keep every packet that they decode, also over lines that lose some.

import WebSocket from 'ws';
import { connect } from '../../../clients/js/index.js';

/** npm's WebSocket between whose halves and the client a test can stand. */
export function between({ receives = () => true, sends = (message, pass) => pass() }) {
  return class extends WebSocket {
    set onmessage(handle) {
      super.onmessage = (event) => (receives(event.data) ? handle(event) : undefined);
    }

    send(data) {
      sends(JSON.parse(data), () => super.send(data));
    }
  };
}

/** A client that writes down how the only body stands at each bundle that has a packet of it: exactly retargeted. */
export function listen(url, options) {
  const client = connect(url, { WebSocket, contacts: false, ...options });
  const heard = { client, packets: [], errors: [], ticks: [], asked: 0 };
  client.on('error', (error) => heard.errors.push(error));
  client.on('bundle', ({ tick, count }) => {
    const [body] = client.bodies.values();
    heard.ticks.push(tick);
    if (count === 0 || !body?.stream.synchronized)
      return;
    const { rotations, hips, states, time } = body.timeline.at(body.timeline.newest);
    heard.packets.push({ tick, rotations: rotations.slice(), hips: hips.slice(),
      states: states.slice(), capture: time / 1e6 });
  });
  return heard;
}
