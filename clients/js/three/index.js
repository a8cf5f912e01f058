// The bodies of a space as objects of three.js: the public interface of jointcast/three.

export { AvatarFile, readAvatar, reasonOf } from './avatar-file.js';
export { ContactShadows } from './contact.js';
export { Crowd } from './crowd.js';
export { LEVELS } from './detail.js';
export { Figure } from './figure.js';
export { Member } from './member.js';
export { SkeletonMesh } from './skeleton-mesh.js';

/**
 * @typedef {import('./avatar.js').Avatar} Avatar
 * @typedef {import('./avatar-file.js').AvatarChoice} AvatarChoice
 * @typedef {import('./crowd.js').CrowdEvents} CrowdEvents
 * @typedef {import('./crowd.js').CrowdOptions} CrowdOptions
 * @typedef {import('./member.js').FittedBody} FittedBody
 * @typedef {import('./detail.js').Reach} Reach
 */
