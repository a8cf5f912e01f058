// Places for labels: near their points, inside the picture, over no other label and no control.

/** Pixels between two labels, and from a point to its label. */
const GAP = 3;
const STEM = 6;
/** Steps up and to the sides, in heights and in half widths of a label, that are tried in order. */
const STEPS = [[0, 0], [0, 1], [-1, 0.5], [1, 0.5], [0, 2], [-1.2, 1.5], [1.2, 1.5], [0, 3], [-1.4, 2.5], [1.4, 2.5],
  [0, 4], [-2, 0], [2, 0], [-2.2, 3], [2.2, 3], [0, 5], [0, 6], [-2.2, 5], [2.2, 5]];

const apart = (a, b) => a.right + GAP <= b.left || b.right + GAP <= a.left
  || a.bottom + GAP <= b.top || b.bottom + GAP <= a.top;

function boxOf({ x, y, width, height }, [aside, up]) {
  const left = Math.round(x + (aside - 1) * width / 2);
  const bottom = Math.round(y - STEM - up * (height + GAP));
  return { left, right: left + width, top: bottom - height, bottom };
}

/**
 * Places labels in order of importance; a label without a free place near its point gets none.
 *
 * @param {{ x: number, y: number, width: number, height: number, last?: number }[]} labels point
 *   above which each belongs, size, and the number of its last step, tried first
 * @param {{ left: number, right: number, top: number, bottom: number }[]} obstacles
 * @param {{ width: number, height: number }} picture
 * @returns {({ left: number, right: number, top: number, bottom: number, step: number } | null)[]}
 */
export function placeLabels(labels, obstacles, { width, height }) {
  const taken = [...obstacles];
  return labels.map((label) => {
    for (const step of label.last ? [label.last, ...STEPS.keys()] : STEPS.keys()) {
      const box = boxOf(label, STEPS[step]);
      const isInside = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
      if (isInside && taken.every((other) => apart(box, other))) {
        taken.push(box);
        return { ...box, step };
      }
    }
    return null;
  });
}
