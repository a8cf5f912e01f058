// Landmarks of a person in a picture, as MediaPipe's holistic model gives them: their indices, and what one
// picture yields.

/**
 * A point: world landmarks in metres from the middle of the hips, image landmarks in parts of the
 * picture's width and height; x to the right, y down, z away from the camera.
 *
 * @typedef {{ readonly x: number, readonly y: number, readonly z: number, readonly visibility?: number }} Landmark
 */

/**
 * The landmarks of one picture that is not mirrored. `left` and `right` are the person's.
 *
 * @typedef {object} Landmarks
 * @property {readonly Landmark[] | null} [world] 33 points in metres; null: nobody was found.
 * @property {readonly Landmark[] | null} [image] The same points in the picture.
 * @property {readonly Landmark[] | null} [left] 21 points of the left hand in the picture.
 * @property {readonly Landmark[] | null} [right] 21 points of the right hand in the picture.
 * @property {number} [aspect] Width of the picture by its height; 4 / 3.
 */

/** Number of landmarks of a body. */
export const BODY_LANDMARKS = 33;
/** Number of landmarks of a hand. */
export const HAND_LANDMARKS = 21;

export const NOSE = 0;
/**
 * Indices of the landmarks of one side of the body.
 *
 * @typedef {object} Side
 * @property {'left' | 'right'} name
 * @property {number} sign of x in the T-pose
 * @property {number} eye outer corner
 * @property {number} ear
 * @property {number} shoulder
 * @property {number} elbow
 * @property {number} wrist
 * @property {number} little knuckle
 * @property {number} index knuckle
 * @property {number} thumb
 * @property {number} hip
 * @property {number} knee
 * @property {number} ankle
 * @property {number} heel
 * @property {number} toe
 */
/** @type {Readonly<Side>} */
export const LEFT = Object.freeze({ name: /** @type {const} */ ('left'), sign: 1, eye: 3, ear: 7, shoulder: 11,
  elbow: 13, wrist: 15, little: 17, index: 19, thumb: 21, hip: 23, knee: 25, ankle: 27, heel: 29, toe: 31 });
/** @type {Readonly<Side>} */
export const RIGHT = Object.freeze({ name: /** @type {const} */ ('right'), sign: -1, eye: 6, ear: 8, shoulder: 12,
  elbow: 14, wrist: 16, little: 18, index: 20, thumb: 22, hip: 24, knee: 26, ankle: 28, heel: 30, toe: 32 });
/** Both sides. */
export const SIDES = Object.freeze([LEFT, RIGHT]);
