// Where the controls stand over the picture, and the part that they leave free. Does not use three.js.

/** Period in which the places of the controls are read. */
const PERIOD_MS = 400;
const CONTROLS = 'header, .toggle, #tools, #bodies, #readout, #situation, #replays';
/** Those that the visitor has opened for a moment, and the text in place of bodies. */
const PASSING = '#situation, .open';
/** Pixels between a control and the free part. */
const GAP = 8;
/** The least share of width and height that is left to the free part. */
const LEAST = 0.4;

/** Reads the places of the controls now and then: reading them makes the browser lay out the page. */
export class ControlPlaces {
  #all = [];
  #readAt = -Infinity;

  /** Boxes of all visible controls, pixels. @returns {{ left: number, right: number, top: number, bottom: number, isPassing: boolean }[]} */
  read() {
    const now = performance.now();
    if (now - this.#readAt > PERIOD_MS) {
      this.#readAt = now;
      this.#all = [...document.querySelectorAll(CONTROLS)].map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left, right, top, bottom, isPassing: element.matches(PASSING) };
      }).filter(({ left, right }) => right > left);
    }
    return this.#all;
  }
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The largest box of that shape in the middle of an area. */
function fit({ left, right, top, bottom }, aspect) {
  const height = Math.min(bottom - top, (right - left) / aspect);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return { left: x - aspect * height / 2, right: x + aspect * height / 2, top: y - height / 2, bottom: y + height / 2 };
}

/**
 * The part of the picture in whose middle a box of that shape is large and covered by no control; all of it
 * where none would cover the box.
 *
 * @param {{ left: number, right: number, top: number, bottom: number }[]} controls
 * @param {{ width: number, height: number }} picture
 * @param {number} aspect width of the box by its height
 */
export function freePart(controls, { width, height }, aspect) {
  let free = { left: 0, right: width, top: 0, bottom: height };
  for (let i = 0; i < controls.length; i++) {
    const box = fit(free, aspect);
    const hit = controls.find((control) => overlap(control, box));
    if (!hit)
      break;
    // A large box, and little of the picture given away: a body need not stand far aside.
    const worth = ({ left, right, top, bottom }) => Math.min((right - left) / aspect, bottom - top) * Math.sqrt((right - left) * (bottom - top));
    const cuts = [{ ...free, left: hit.right + GAP }, { ...free, right: hit.left - GAP },
      { ...free, top: hit.bottom + GAP }, { ...free, bottom: hit.top - GAP }]
      .filter(({ left, right, top, bottom }) => right - left >= LEAST * width && bottom - top >= LEAST * height)
      .sort((a, b) => worth(b) - worth(a));
    if (cuts.length === 0)
      break;
    [free] = cuts;
  }
  return free;
}
