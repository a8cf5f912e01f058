// The statistics in the corner, updated twice a second.

import { text } from '../texts.js';

const PERIOD_MS = 500;

function write(id, value) {
  const element = document.getElementById(id);
  if (element.textContent !== value)
    element.textContent = value;
}

const number = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : text('unknown'));

export class Readout {
  #client;
  #at = 0;
  #frames = 0;
  #bundles = 0;
  #bytes = 0;
  #received = 0;
  #lost = 0;

  /**
   * The statistics: bodies, bundles a second, bytes of a body frame (payload of its packet),
   * milliseconds from capture to screen, per cent of packets lost, pictures a second. NaN
   * where unknown.
   */
  stats = { bodies: 0, hz: NaN, bytesPerBodyFrame: NaN, latencyMs: NaN, lossPercent: NaN,
    fps: NaN };

  /** @param {import('jointcast').Client} client */
  constructor(client) {
    this.#client = client;
  }

  /** Called for each picture, with the bodies of the space by id. */
  update(now, bodies) {
    this.#frames++;
    const elapsed = now - this.#at;
    if (elapsed < PERIOD_MS)
      return;
    this.#measure(now, elapsed / 1000, bodies);
    const { stats } = this;
    write('stat-bodies', String(stats.bodies));
    write('stat-hz', number(stats.hz));
    write('stat-bytes', number(stats.bytesPerBodyFrame));
    write('stat-latency', number(stats.latencyMs));
    write('stat-loss', number(stats.lossPercent, stats.lossPercent > 0 ? 1 : 0));
    write('stat-fps', number(stats.fps));
  }

  #measure(now, seconds, bodies) {
    const { traffic } = this.#client;
    let received = 0;
    let lost = 0;
    let bytes = 0;
    let latency = 0;
    let known = 0;
    for (const body of bodies.values()) {
      received += body.timeline.received;
      lost += body.timeline.lost;
      bytes += body.bytes;
      const late = body.latency(now);
      if (Number.isFinite(late) && body.state === 'live' && this.#client.state === 'live') {
        latency += late;
        known++;
      }
    }
    // Sums decrease when a body leaves; the values of that period are unknown.
    const packets = received - this.#received;
    const missed = Math.max(0, lost - this.#lost);
    Object.assign(this.stats, {
      bodies: bodies.size,
      hz: (traffic.bundles - this.#bundles) / seconds,
      bytesPerBodyFrame: packets > 0 ? (bytes - this.#bytes) / packets : NaN,
      latencyMs: known ? latency / known : NaN,
      lossPercent: packets > 0 ? (100 * missed) / (packets + missed) : NaN,
      fps: this.#frames / seconds,
    });
    this.#at = now;
    this.#frames = 0;
    this.#bundles = traffic.bundles;
    this.#received = received;
    this.#lost = lost;
    this.#bytes = bytes;
  }
}
