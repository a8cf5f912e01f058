// A person before a webcam as a body: landmarks of a picture → joints, and the camera with the program that finds
// landmarks, the package jointcast-webcam.

export { LandmarkBody } from './landmark-body.js';
