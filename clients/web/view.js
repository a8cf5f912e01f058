// The camera: keeps all bodies in the part of the picture without controls until the visitor moves it, orbits with the pointer or
// the keys, glides to a chosen body and follows it.

import { PerspectiveCamera, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { freePart } from './controls/places.js';

const GLIDE_SECONDS = 0.9;
const FOV = 32;
/** Distance from which the longest rows of a crowd are in view, metres. */
const FARTHEST = 150;
/** Metres left free around the outermost joints. */
const MARGIN = 0.45;
/** Speed at which the framed box shrinks, and speed of the camera. */
const SHRINK_SECONDS = 20;
const EASE_SECONDS = 0.9;

function ease(t) {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

export class View {
  #canvas;
  #controls;
  /** Places of the controls over the picture. */
  #places = [];
  /** The middle of the picture to that of the free part, pixels: wanted, and at present. */
  #aside = new Vector2();
  #shift = new Vector2();
  #calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  #glide = null;
  #followed = null;
  #step = new Vector3();
  #at = new Vector3();
  #direction;
  #low = new Vector3(Infinity, Infinity, Infinity);
  #high = new Vector3(-Infinity, -Infinity, -Infinity);

  /** `direction`: initial direction from the bodies to the camera. */
  constructor(canvas, direction) {
    this.#canvas = canvas;
    this.#direction = direction;
    this.camera = new PerspectiveCamera(FOV, 1, 0.05, 2 * FARTHEST);
    this.camera.position.set(2, 2, 8);
    this.#controls = new OrbitControls(this.camera, canvas);
    this.#controls.enableDamping = true;
    this.#controls.dampingFactor = 0.08;
    this.#controls.minDistance = 0.4;
    this.#controls.maxDistance = FARTHEST;
    this.#controls.maxPolarAngle = Math.PI / 2 - 0.015;
    this.#controls.target.set(0, 1, 0);
    this.#controls.zoomToCursor = false;
    /** True after the visitor moved the camera; it then no longer moves by itself. */
    this.touched = false;
    this.#controls.addEventListener('start', () => {
      this.touched = true;
      this.#glide = null;
    });
  }

  get target() {
    return this.#controls.target;
  }

  /** @param {{ left: number, right: number, top: number, bottom: number }[]} places of the controls over the picture */
  avoid(places) {
    this.#places = places;
  }

  get #picture() {
    return { width: Math.max(1, this.#canvas.clientWidth), height: Math.max(1, this.#canvas.clientHeight) };
  }

  /** Tangents of half the angles of view of the free part for a box of that shape, which becomes the middle. */
  #reach(aspect) {
    const { width, height } = this.#picture;
    const { left, right, top, bottom } = freePart(this.#places, { width, height }, aspect);
    this.#aside.set(left + right - width, top + bottom - height).multiplyScalar(0.5);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    return { across: tan * this.camera.aspect * (right - left) / width, tall: tan * (bottom - top) / height };
  }

  /** Distance at which a box of this half width and half height fills most of the free part. */
  #distance(halfWidth, halfHeight) {
    const { across, tall } = this.#reach(halfWidth / halfHeight);
    return Math.max(halfHeight / tall, halfWidth / across) * 1.12;
  }

  /** Camera position in `direction` from which the whole box is visible. */
  #vantage(direction) {
    const target = this.#low.clone().add(this.#high).multiplyScalar(0.5);
    const from = direction.clone().normalize();
    const right = new Vector3(from.z, 0, -from.x).normalize();
    const up = new Vector3().crossVectors(from, right);
    const corners = Array.from({ length: 8 }, (_, corner) => {
      const offset = new Vector3(corner & 1 ? this.#high.x : this.#low.x,
        corner & 2 ? this.#high.y : this.#low.y,
        corner & 4 ? this.#high.z : this.#low.z).sub(target);
      return { across: Math.abs(offset.dot(right)) + MARGIN, tall: Math.abs(offset.dot(up)) + 0.6 * MARGIN, ahead: offset.dot(from) };
    });
    const most = (name) => Math.max(...corners.map((corner) => corner[name]));
    const reach = this.#reach(most('across') / most('tall'));
    // The smallest distance at which each corner is in the free part, in perspective.
    const distance = Math.max(1, ...corners.map(({ across, tall, ahead }) =>
      ahead + Math.max(across / reach.across, tall / reach.tall)));
    return { target, position: target.clone().addScaledVector(from, distance) };
  }

  /**
   * Updates the bounding box of all bodies. The framed box grows at once and shrinks slowly,
   * so that the camera does not sway with a body that walks to and fro. Until the visitor
   * moves the camera, it keeps the whole box in view.
   */
  watch(low, high, seconds) {
    const first = this.#low.x > this.#high.x;
    const k = 1 - Math.exp(-seconds / SHRINK_SECONDS);
    if (first) {
      this.#low.copy(low);
      this.#high.copy(high);
    }
    this.#low.lerp(low, k).min(low);
    this.#high.lerp(high, k).max(high);
    if (this.touched)
      return;
    const { target, position } = this.#vantage(this.#direction);
    if (first) {
      this.#moveTo(position, target, false);
    } else if (!this.#glide && !this.#calm.matches) {
      const near = 1 - Math.exp(-seconds / EASE_SECONDS);
      this.camera.position.lerp(position, near);
      this.#controls.target.lerp(target, near);
    }
  }

  /** Shows all bodies and keeps them in view, from `direction` or from the current one. */
  frame(direction = null, glide = true) {
    if (this.#low.x > this.#high.x)
      return;
    this.#direction = direction ?? this.camera.position.clone().sub(this.#controls.target);
    const { target, position } = this.#vantage(this.#direction);
    this.touched = false;
    this.#followed = null;
    this.#moveTo(position, target, glide);
  }

  /** Glides to a body of the crowd and follows it until the next `frame`. */
  focus(member) {
    const target = member.centre(new Vector3());
    const from = this.camera.position.clone().sub(this.#controls.target).normalize();
    const above = member.crown(new Vector3()).y - target.y;
    const distance = this.#distance(0.75 * member.size, Math.max(1.12 * member.size, above));
    this.touched = true;
    this.#moveTo(target.clone().addScaledVector(from, distance), target, true);
    this.#followed = { member, at: target.clone() };
  }

  /** A body has another avatar: if the camera follows the body, it goes where the avatar is in view. */
  refit(member) {
    if (this.#followed?.member === member)
      this.focus(member);
  }

  /** Stops following a removed body. */
  forget(member) {
    if (this.#followed?.member === member)
      this.#followed = null;
  }

  /** Orbits by angles, in radians, and zooms by a factor, for the keys. */
  turn(azimuth, polar, zoom = 1) {
    const offset = this.#step.subVectors(this.camera.position, this.#controls.target);
    const distance = offset.length() * zoom;
    const elevation = Math.asin(offset.y / offset.length()) + polar;
    const heading = Math.atan2(offset.x, offset.z) + azimuth;
    const up = Math.min(1.5, Math.max(0.02, elevation));
    offset.set(Math.sin(heading) * Math.cos(up), Math.sin(up), Math.cos(heading) * Math.cos(up));
    this.touched = true;
    this.#glide = null;
    this.camera.position.copy(this.#controls.target)
      .addScaledVector(offset, Math.min(FARTHEST, Math.max(0.4, distance)));
  }

  #moveTo(position, target, glide) {
    position.y = Math.max(position.y, 0.2);
    if (!glide || this.#calm.matches) {
      this.camera.position.copy(position);
      this.#controls.target.copy(target);
      this.#shift.copy(this.#aside);
      this.#glide = null;
      return;
    }
    this.#glide = { t: 0, position, target, fromPosition: this.camera.position.clone(),
      fromTarget: this.#controls.target.clone() };
  }

  update(seconds) {
    if (this.#followed) {
      const { member, at } = this.#followed;
      member.centre(this.#at);
      this.#step.subVectors(this.#at, at);
      // Ignores the vertical motion of steps, so that the camera does not bounce.
      this.#step.y *= 0.25;
      this.#step.multiplyScalar(1 - Math.exp(-6 * seconds));
      at.add(this.#step);
      for (const point of [this.camera.position, this.#controls.target,
        this.#glide?.position, this.#glide?.target])
        point?.add(this.#step);
    }
    if (this.#glide) {
      const glide = this.#glide;
      glide.t = Math.min(1, glide.t + seconds / GLIDE_SECONDS);
      const k = ease(glide.t);
      this.camera.position.lerpVectors(glide.fromPosition, glide.position, k);
      this.#controls.target.lerpVectors(glide.fromTarget, glide.target, k);
      if (glide.t === 1)
        this.#glide = null;
    }
    this.#shift.lerp(this.#aside, this.#calm.matches ? 1 : 1 - Math.exp(-seconds / EASE_SECONDS));
    const { width, height } = this.#picture;
    this.camera.setViewOffset(width, height, -this.#shift.x, -this.#shift.y, width, height);
    this.#controls.update();
  }
}
