// Plays recorded or computed arrivals of packets, and measures how late and how even playback is.
// All times are milliseconds.

/** A buffer that adapts: a timeline. */
export function adaptiveBuffer(timeline) {
  return {
    take({ call = 'commit', arrival, capture, sequence = 0, incarnation = 0, cut = false, rejoined = false }) {
      if (call === 'hold') {
        timeline.hold(1000 * capture);
      } else {
        timeline.commit(1000 * capture, sequence, incarnation, cut, arrival, rejoined);
      }
    },
    show: (now) => timeline.sample(now).time / 1000,
    newest: () => timeline.newest / 1000,
  };
}

const EXTRAPOLATION = 1000 / 30; // of two packets at 60 Hz, as Timeline does

/** A buffer whose delay does not change. */
export function fixedBuffer(delay) {
  let newest = -Infinity;
  return {
    take({ capture }) {
      newest = Math.max(newest, capture);
    },
    show: (now) => Math.min(now - delay, newest + EXTRAPOLATION),
    newest: () => newest,
  };
}

/**
 * Shows a picture at each multiple of `frame`. A picture is late if the newest packet is older than
 * the time to show. Its delay is its time minus the capture time of the pose in it, the newest one
 * if it is late.
 *
 * @param {{arrival: number, capture: number}[]} calls in the order of arrival
 * @param {{settle?: number, frame?: number}} [options] settle: the time left out at the beginning
 * @returns {{late: number, delay: number, slowest: number, fastest: number}} share of late
 *   pictures; mean delay; speed of playback between pictures, `slowest` of those that are not late
 */
export function play(calls, buffer, { settle = 5000, frame = 1000 / 91.3 } = {}) {
  const begin = calls[0].arrival;
  const end = calls.at(-1).arrival;
  let [next, pictures, late, delay, before] = [0, 0, 0, 0, NaN];
  let [slowest, fastest] = [Infinity, 0];
  for (let now = begin + 0.1; now < end; now += frame) {
    while (calls[next].arrival <= now) {
      buffer.take(calls[next++]);
    }
    const shown = buffer.show(now);
    const isLate = shown >= buffer.newest();
    if (now - begin > settle) {
      pictures++;
      late += isLate ? 1 : 0;
      delay += now - Math.min(shown, buffer.newest());
      fastest = Math.max(fastest, (shown - before) / frame);
      slowest = isLate ? slowest : Math.min(slowest, (shown - before) / frame);
    }
    before = shown;
  }
  return { late: late / pictures, delay: delay / pictures, slowest, fastest };
}

/** Plays the calls with the fixed buffer that has this mean delay. */
export function playFixed(calls, delay, options) {
  let [low, high] = [0, delay];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (play(calls, fixedBuffer(middle), options).delay < delay) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return play(calls, fixedBuffer(high), options);
}
