// The public interface of the package.

export { BONES, BONE_PARENTS, BONE_SECTIONS, JOINTS } from './tables.js';
export { ProtocolError } from './error.js';
export { Bundle, Payload, SEQUENCES, SHAPE, decodeBundle, decodePayload, readSections } from './bundle.js';
export { CHAIN_BYTES, ChainDecoder, PRECISIONS, PRECISION_DEGREES, PRECISION_METRES, PRECISION_VALUES, VALUES_MAX, VIRTUALS_MAX } from './chain.js';
export { ChainEncoder } from './chain-encoder.js';
export { StreamDecoder } from './stream.js';
export { Clock } from './clock.js';
export { Sample, Timeline } from './timeline.js';
export { Skeleton } from './skeleton.js';
export { Figure } from './figure.js';
export { splitSpine } from './spine.js';
export { evaluateVirtualTransform } from './virtual-transform.js';
export { Body } from './body.js';
export { ABSENT, BodyFrame, ESTIMATED, PoseFrame, TRACKED, decodeBodyFrame, decodePose, encodeBodyFrame, encodePose } from './body-frame.js';
export { Publication } from './publication.js';
export { describeFile, describeGltf, describeScene, describeVrm, readGltfFigure } from './describe.js';
export { splitGltf } from './gltf.js';
export { Replay, Replays } from './replay.js';
export { Moderation } from './moderation.js';
export { Client, connect } from './client.js';
export { Fitting } from './fitting.js';
export { buildObjects, placeObject, poseObjects, viewpointOf } from './objects.js';
export { VrmWearer } from './vrm.js';
export { GltfWearer } from './gltf-wearer.js';
export { XrBodyReader } from './xr-body.js';
export { immersiveMode } from './xr-mode.js';
export { BodyPublisher, nativeProfile, publishBody } from './publish.js';
