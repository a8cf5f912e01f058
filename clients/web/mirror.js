// The mirror: one body of the space as subscribers receive it, left and right exchanged,
// facing the viewer. On the page, the camera is at the position of the person; in a headset,
// the mirror stands in front of the person.

import { Color, Group, PerspectiveCamera, Vector3 } from 'three';
import { ContactShadows, Figure, SkeletonMesh } from 'jointcast/three';
import { Sign } from './sign.js';

const COLOR = new Color('#35c4ae');
const FOV = 30;
/** Metres: middle of the picture, and the size that must fit into it. */
const LOOK_HEIGHT = 0.9;
const HALF_HEIGHT = 1.2;
const HALF_WIDTH = 1.05;
/** In a headset: distance from the person's initial position. */
const AHEAD = 2.2;
/** Metres: height of the sign above the mirror. */
const SIGN_HEIGHT = 2.3;
/** Speed at which the camera follows a walking person. */
const FOLLOW_SECONDS = 0.2;

export class Mirror {
  #stage;
  #glass = new Group();
  #contact;
  #camera = new PerspectiveCamera(FOV, 1, 0.05, 200);
  #body = null;
  #since = 0;
  #skeletonMesh = null;
  #figure = null;
  #reflected = []; // the figure after its first sample
  #front = 0;
  #middle = new Vector3();
  #pose = { rotations: null, hips: null, position: [0, 0, 0], yaw: 0 };

  /** @param {import('./stage.js').Stage} stage */
  constructor(stage) {
    this.#stage = stage;
    this.#glass.scale.x = -1;
    this.#contact = new ContactShadows(stage.scene);
    stage.scene.add(this.#glass);
    /** The sign for the person in the headset. */
    this.sign = new Sign(stage.scene);
    this.sign.mesh.position.set(0, SIGN_HEIGHT, -AHEAD);
    stage.light(new Vector3(), 3);
  }

  /** Maps bone names to positions on the stage in the last picture; null without a figure. */
  get points() {
    return this.#reflected[0]?.points ?? null;
  }

  /**
   * @param {import('jointcast').Body | null} body with a known skeleton; null clears the mirror
   * @param {number} since server time, microseconds; earlier motion is not shown
   */
  show(body, since = 0) {
    this.#figure?.dispose();
    this.#skeletonMesh?.dispose();
    this.#skeletonMesh = this.#figure = null;
    this.#reflected = [];
    this.#body = body;
    this.#since = since;
    if (!body)
      return;
    this.#skeletonMesh = new SkeletonMesh(body.skeleton);
    this.#figure = new Figure(this.#skeletonMesh, COLOR);
    this.#figure.group.visible = false;
    this.#glass.add(this.#figure.group);
  }

  /** Draws one picture, `seconds` after the previous one. */
  draw(now, seconds) {
    const worn = this.#stage.renderer.xr.isPresenting;
    const sample = this.#body?.sample(now);
    this.#glass.position.z = worn ? -AHEAD : 0;
    this.#glass.updateMatrixWorld();
    this.sign.mesh.visible = worn;
    if (sample && sample.time >= this.#since)
      this.#reflect(sample, seconds);
    this.#contact.update(this.#reflected);
    if (!worn)
      this.#stand();
    this.#stage.render(this.#camera);
  }

  #reflect(sample, seconds) {
    const figure = this.#figure;
    const pose = this.#pose;
    const first = this.#reflected.length === 0;
    pose.rotations = sample.rotations;
    pose.hips = sample.hips;
    if (first) {
      // The initial direction of view leads to the mirror.
      pose.yaw = 0;
      figure.wear(pose);
      this.#front = this.#heading(figure.points);
      figure.group.visible = true;
      this.#reflected = [figure];
    }
    pose.yaw = -this.#front;
    pose.position[0] = pose.position[2] = 0;
    figure.wear(pose);
    // The camera follows a walking person.
    const hips = figure.points.get('hips');
    const near = first ? 1 : 1 - Math.exp(-seconds / FOLLOW_SECONDS);
    this.#middle.x += near * (-hips.x - this.#middle.x);
    this.#middle.z += near * (hips.z - this.#glass.position.z - this.#middle.z);
    pose.position[0] = -this.#middle.x;
    pose.position[2] = -this.#middle.z;
    figure.place(pose.position, pose.yaw);
  }

  /** Forward direction of the figure before mirroring, radians from +Z to +X. */
  #heading(points) {
    const left = points.get('leftUpperLeg');
    const right = points.get('rightUpperLeg');
    return left && right ? Math.atan2(right.z - left.z, right.x - left.x) : 0;
  }

  // A headset session changes the camera, so all its parameters are set again.
  #stand() {
    const camera = this.#camera;
    const { clientWidth, clientHeight } = this.#stage.renderer.domElement;
    this.#stage.fit(camera);
    camera.fov = FOV;
    camera.aspect = Math.max(1, clientWidth) / Math.max(1, clientHeight);
    camera.updateProjectionMatrix();
    const tan = Math.tan((FOV * Math.PI) / 360);
    const away = Math.max(HALF_HEIGHT / tan, HALF_WIDTH / (tan * camera.aspect));
    camera.position.set(0, LOOK_HEIGHT + 0.25, away);
    camera.lookAt(0, LOOK_HEIGHT, 0);
  }
}
