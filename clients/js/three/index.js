// The figures of bodies as objects of three.js: the public interface of jointcast/three.

export { ContactShadows } from './contact.js';
export { Figure } from './figure.js';
export { Figures } from './figures.js';
export { SkeletonMesh } from './skeleton-mesh.js';
export { readAvatar } from './avatar-file.js';
