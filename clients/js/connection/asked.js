// The request that a message of the server answers: answers and errors repeat its field `request`.

/**
 * Finds the request that a message answers, by the field `request`. A server that does not know
 * the field answers in order: then it is the first one, if that fits.
 *
 * @template {{ request: string }} T
 * @param {T[]} asked requests without an answer
 * @param {{ request?: unknown }} message an answer or an error
 * @param {(one: T) => boolean} [fits]
 * @returns {T | undefined}
 */
export function findAsked(asked, { request }, fits = () => true) {
  return request === undefined ? asked.slice(0, 1).find(fits) : asked.find((one) => one.request === request);
}

/**
 * The same; removes the request.
 *
 * @template {{ request: string }} T
 * @param {T[]} asked
 * @param {{ request?: unknown }} message
 * @param {(one: T) => boolean} [fits]
 * @returns {T | undefined}
 */
export function takeAsked(asked, message, fits) {
  const found = findAsked(asked, message, fits);
  if (found) {
    asked.splice(asked.indexOf(found), 1);
  }
  return found;
}
