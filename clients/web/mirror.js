// The mirror: one body of the space as subscribers receive it, left and right exchanged,
// facing the viewer, as a mannequin or as the person's avatar. On the page, the camera is at the
// position of the person; in a headset, the mirror stands in front of the person.

import { Color, Group, PerspectiveCamera, Vector3 } from 'three';
import { BONES } from 'jointcast';
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

/** An avatar at rest in place of a body, so that its springs and its size are visible. */
const restOf = ({ skeleton }) => ({
  body: { skeleton, channels: [] },
  pose: { rotations: Float64Array.from({ length: 4 * BONES.length }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    hips: [0, 0, 0], position: [0, 0, 0], yaw: 0 },
});

export class Mirror {
  #stage;
  #glass = new Group();
  #contact;
  #camera = new PerspectiveCamera(FOV, 1, 0.05, 200);
  #body = null;
  #since = 0;
  #skeletonMesh = null;
  #figure = null;
  #avatar = null;
  #rest = null; // pose of an avatar without a body
  #reflected = []; // the figure after its first sample
  #middle = new Vector3(); // of the person, without the mirror
  #motion = { rotations: null, hips: null, values: null, position: [0, 0, 0], yaw: 0 };

  /** @param {import('./stage.js').Stage} stage */
  constructor(stage) {
    this.#stage = stage;
    this.#contact = new ContactShadows(stage.scene);
    stage.scene.add(this.#glass);
    /** The sign for the person in the headset. */
    this.sign = new Sign(stage.scene);
    this.sign.mesh.position.set(0, SIGN_HEIGHT, -AHEAD);
    stage.light(new Vector3(), 3);
  }

  /** Maps bone names to positions on the stage in the last picture; null if it shows neither body nor avatar. */
  get points() {
    return (this.#avatar ?? this.#reflected[0])?.points ?? null;
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
    this.#figure.mesh.visible = !this.#avatar;
    this.#glass.add(this.#figure.group);
  }

  /**
   * Shows an avatar in place of the mannequin, at rest while there is no body.
   *
   * @param {import('jointcast/three').Avatar | null} avatar ownership is transferred
   */
  wear(avatar) {
    this.#avatar?.dispose();
    this.#avatar = avatar;
    this.#rest = avatar && restOf(avatar);
    if (this.#figure)
      this.#figure.mesh.visible = !avatar;
    if (avatar)
      this.#glass.add(avatar.group);
  }

  /** Draws one picture, `seconds` after the previous one. */
  draw(now, seconds) {
    const worn = this.#stage.renderer.xr.isPresenting;
    const sample = this.#body?.sample(now);
    this.sign.mesh.visible = worn;
    // Springs and their colliders follow the person, not the reflection.
    this.#hang(1, 0, 0);
    if (sample && sample.time >= this.#since)
      this.#pose(sample, seconds);
    else if (this.#reflected.length === 0)
      this.#stayAtRest(seconds);
    this.#hang(-1, this.#middle.x, (worn ? -AHEAD : 0) - this.#middle.z);
    this.#reflected.forEach((figure) => figure.place(this.#motion.position, this.#motion.yaw));
    this.#contact.update(this.#reflected);
    if (!worn)
      this.#stand();
    this.#stage.render(this.#camera);
  }

  /** Places the glass; `side`: -1 exchanges left and right. */
  #hang(side, x, z) {
    this.#glass.scale.x = side;
    this.#glass.position.set(x, 0, z);
    this.#glass.updateMatrixWorld(true);
  }

  #pose({ rotations, hips, values }, seconds) {
    const figure = this.#figure;
    const motion = this.#motion;
    const first = this.#reflected.length === 0;
    motion.rotations = rotations;
    motion.hips = hips;
    motion.values = values;
    if (first) {
      // The initial direction of view leads to the mirror.
      motion.yaw = 0;
      figure.wear(motion);
      motion.yaw = -this.#heading(figure.points);
      figure.group.visible = true;
      this.#reflected = [figure];
    }
    figure.wear(motion);
    this.#avatar?.wear(motion, seconds, this.#body);
    // The camera follows a walking person.
    const middle = figure.points.get('hips');
    const near = first ? 1 : 1 - Math.exp(-seconds / FOLLOW_SECONDS);
    this.#middle.x += near * (middle.x - this.#middle.x);
    this.#middle.z += near * (middle.z - this.#middle.z);
  }

  #stayAtRest(seconds) {
    this.#middle.set(0, 0, 0);
    if (this.#avatar)
      this.#avatar.wear(this.#rest.pose, seconds, this.#rest.body);
  }

  /** Forward direction of the figure before mirroring, radians from +Z to +X. */
  #heading(points) {
    const left = points.get('leftUpperLeg');
    const right = points.get('rightUpperLeg');
    return left && right ? Math.atan2(right.z - left.z, left.x - right.x) : 0;
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
