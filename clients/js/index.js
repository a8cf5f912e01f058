// The public interface of the package.

export { BONES, BONE_PARENTS, BONE_SECTIONS, JOINTS } from './tables.js';
export { ConnectError, ProtocolError } from './error.js';
export {
  Bundle, Payload, SEQUENCES, SHAPE, decodeBundle, decodePayload, readSections, splitBundles,
} from './bundle.js';
export { CHAIN_BYTES, ChainDecoder, loadModelChains, PRECISIONS, PRECISION_DEGREES, PRECISION_METRES, PRECISION_VALUES, VALUES_MAX, VIRTUALS_MAX } from './chain.js';
export { ChainEncoder, writeRejoin } from './chain-encoder.js';
export { StreamDecoder } from './stream.js';
export { AVATAR_CAPS, checkAvatar } from './avatar/check.js';
export { reduceGltf } from './avatar/match.js';
export { Clock } from './clock.js';
export { Sample, Timeline } from './timeline.js';
export { Skeleton } from './skeleton.js';
export { Figure, evaluateVirtualTransform } from './figure.js';
export { splitSpine } from './spine.js';
export { Body } from './body.js';
export { Prop } from './prop.js';
export { ABSENT, BodyFrame, ESTIMATED, PoseFrame, TRACKED, decodeBodyFrame, decodePose, encodeBodyFrame, encodePose } from './body-frame.js';
export { Publication } from './publication.js';
export { describeFile, describeGltf, describeScene, describeVrm, readGltfFigure } from './describe.js';
export { splitGltf } from './gltf.js';
export { Replay, Replays } from './replay.js';
export { Moderation } from './moderation.js';
export { Invitations, readPairingCode, redeemInvitation } from './invitation.js';
export { Client, connect } from './client.js';
export { Fitting } from './fitting.js';
export { buildObjects, placeObject, poseObjects, viewpointOf } from './objects.js';
export { VrmWearer } from './vrm.js';
export { GltfWearer } from './gltf-wearer.js';
export { XrBodyReader } from './xr-body.js';
export { immersiveMode } from './xr-mode.js';
export { BodyPublisher, nativeProfile, publishBody } from './publish.js';

/**
 * @typedef {import('./moderation.js').Administered} Administered
 * @typedef {import('./avatar/avatars.js').AvatarAllowance} AvatarAllowance
 * @typedef {import('./avatar/avatar-reader.js').AvatarCaps} AvatarCaps
 * @typedef {import('./avatar/check.js').AvatarFacts} AvatarFacts
 * @typedef {import('./tables.js').BoneName} BoneName
 * @typedef {import('./chain.js').ChainSection} ChainSection
 * @typedef {import('./connection/events.js').ClientEvents} ClientEvents
 * @typedef {import('./error.js').ConnectCode} ConnectCode
 * @typedef {import('./client.js').ConnectOptions} ConnectOptions
 * @typedef {import('./connection/events.js').ConnectionState} ConnectionState
 * @typedef {import('./describe.js').DescribeOptions} DescribeOptions
 * @typedef {import('./descriptor.js').Descriptor} Descriptor
 * @typedef {import('./descriptor.js').DescriptorLimit} DescriptorLimit
 * @typedef {import('./descriptor.js').DescriptorNode} DescriptorNode
 * @typedef {import('./descriptor.js').DescriptorSegment} DescriptorSegment
 * @typedef {import('./descriptor.js').DescriptorVirtualTransform} DescriptorVirtualTransform
 * @typedef {import('./describe.js').FigureOptions} FigureOptions
 * @typedef {import('./registration.js').Finding} Finding
 * @typedef {import('./describe.js').GltfFigure} GltfFigure
 * @typedef {import('./invitation.js').Invitation} Invitation
 * @typedef {import('./invitation.js').InvitationOptions} InvitationOptions
 * @typedef {import('./invitation.js').ListedInvitation} ListedInvitation
 * @typedef {import('./moderation.js').Moderated} Moderated
 * @typedef {import('./moderation.js').ModerationOptions} ModerationOptions
 * @typedef {import('./moderation.js').ModerationTarget} ModerationTarget
 * @typedef {import('./moderation.js').AvatarTarget} AvatarTarget
 * @typedef {import('./objects.js').ObjectLike} ObjectLike
 * @typedef {import('./publication.js').PlaceOptions} PlaceOptions
 * @typedef {import('./publication.js').Placement} Placement
 * @typedef {import('./chain.js').Precision} Precision
 * @typedef {import('./body.js').PresentBody} PresentBody
 * @typedef {import('./publish.js').PublishBodyOptions} PublishBodyOptions
 * @typedef {import('./publication.js').PublishOptions} PublishOptions
 * @typedef {import('./publish.js').PublisherState} PublisherState
 * @typedef {import('./replay.js').Recording} Recording
 * @typedef {import('./registration.js').Registered} Registered
 * @typedef {import('./registration.js').RegisteredSkeleton} RegisteredSkeleton
 * @typedef {import('./replay.js').ReplayMarker} ReplayMarker
 * @typedef {import('./replay.js').ReplayOptions} ReplayOptions
 * @typedef {import('./connection/events.js').Room} Room
 * @typedef {import('./moderation.js').Sanction} Sanction
 * @typedef {import('./describe.js').SceneNode} SceneNode
 * @typedef {import('./skeleton.js').SpineChain} SpineChain
 * @typedef {import('./connection/view.js').StreamVariant} StreamVariant
 * @typedef {import('./invitation.js').Ticket} Ticket
 * @typedef {import('./virtual-transform.js').Transform} Transform
 * @typedef {import('./connection/view.js').ViewOptions} ViewOptions
 * @typedef {import('./connection/view.js').Viewpoint} Viewpoint
 * @typedef {import('./vrm.js').VrmLike} VrmLike
 * @typedef {import('./connection/line.js').WebSocketLike} WebSocketLike
 * @typedef {import('./avatar/avatars.js').UploadOptions} UploadOptions
 * @typedef {import('./avatar/avatars.js').UploadedAvatar} UploadedAvatar
 * @typedef {import('./connection/roster.js').WaitingSource} WaitingSource
 * @typedef {import('./connection/events.js').Welcome} Welcome
 * @typedef {import('./avatar/avatars.js').WornAvatar} WornAvatar
 * @typedef {import('./xr-body.js').XrBodyKind} XrBodyKind
 * @typedef {import('./xr-body.js').XrFrameLike} XrFrameLike
 */
