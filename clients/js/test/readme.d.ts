// Objects of the page that the code in the README files uses.

import type { Client, PresentBody, Publication } from 'jointcast';
import type { X3dLike } from 'jointcast/x3d';
import type { Object3D, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

declare global {
  const X3D: X3dLike;
  const agreeButton: HTMLButtonElement;
  const body: PresentBody;
  const browser: { currentScene: object };
  const bytes: ArrayBuffer;
  const camera: PerspectiveCamera;
  const client: Client;
  const delta: number;
  const file: File;
  const loader: GLTFLoader;
  const publication: Publication;
  const renderer: WebGLRenderer;
  const scene: Scene;
  const sword: Object3D;
  const url: string;
  const video: HTMLVideoElement;
}
