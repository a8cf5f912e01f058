// A person before a webcam as a body: the camera with the program that finds landmarks (the package
// jointcast-webcam), and the joints of landmarks.

export { LandmarkBody } from './landmark-body.js';
export { Webcam } from './webcam.js';

/**
 * The options of `LandmarkBody`.
 *
 * @typedef {import('./landmark-body.js').LandmarkBodyOptions} LandmarkBodyOptions
 */
/**
 * One landmark.
 *
 * @typedef {import('./landmarks.js').Landmark} Landmark
 */
/**
 * The landmarks of one picture.
 *
 * @typedef {import('./landmarks.js').Landmarks} Landmarks
 */
/**
 * Reason for which a webcam does not work.
 *
 * @typedef {import('./webcam.js').WebcamFailure} WebcamFailure
 */
/**
 * The options of `Webcam`.
 *
 * @typedef {import('./webcam.js').WebcamOptions} WebcamOptions
 */
/**
 * State of a webcam.
 *
 * @typedef {import('./webcam.js').WebcamState} WebcamState
 */
