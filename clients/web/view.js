// The camera: orbits with the pointer or the keys, frames everybody at the
// start, glides to a body on demand and then goes along with it.

import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const GLIDE_SECONDS = 0.9;
const FOV = 32;

function ease(t) {
	return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

export class View {
	#controls;
	#calm = window.matchMedia('(prefers-reduced-motion: reduce)');
	#glide = null;
	#followed = null;
	#step = new Vector3();
	#at = new Vector3();

	constructor(canvas) {
		this.camera = new PerspectiveCamera(FOV, 1, 0.05, 200);
		this.camera.position.set(2, 2, 8);
		this.#controls = new OrbitControls(this.camera, canvas);
		this.#controls.enableDamping = true;
		this.#controls.dampingFactor = 0.08;
		this.#controls.minDistance = 0.4;
		this.#controls.maxDistance = 60;
		this.#controls.maxPolarAngle = Math.PI / 2 - 0.015;
		this.#controls.target.set(0, 1, 0);
		this.#controls.zoomToCursor = false;
		/** Whether someone has moved the camera: from then on it is not framed unasked. */
		this.touched = false;
		this.#controls.addEventListener('start', () => {
			this.touched = true;
			this.#glide = null;
		});
	}

	get target() {
		return this.#controls.target;
	}

	/** Distance at which a box of this half width and half height fills most of the screen. */
	#distance(halfWidth, halfHeight) {
		const tan = Math.tan((this.camera.fov * Math.PI) / 360);
		return Math.max(halfHeight / tan, halfWidth / (tan * this.camera.aspect)) * 1.12;
	}

	/**
	 * Turns to where all `points` are seen. `direction` is where the camera comes
	 * from, seen from the middle; without it the present one stays.
	 */
	frame(points, { direction = null, margin = 0.5, glide = true } = {}) {
		const low = new Vector3(Infinity, Infinity, Infinity);
		const high = low.clone().negate();
		for (const point of points) {
			low.min(point);
			high.max(point);
		}
		if (!(low.x <= high.x))
			return;
		const target = low.clone().add(high).multiplyScalar(0.5);
		const from = direction?.clone() ?? this.camera.position.clone().sub(this.#controls.target);
		from.normalize();
		// The least distance from which each point, seen in perspective, is on the screen.
		const right = new Vector3(from.z, 0, -from.x).normalize();
		const up = new Vector3().crossVectors(from, right);
		const tan = Math.tan((this.camera.fov * Math.PI) / 360);
		let distance = 1;
		for (const point of points) {
			const offset = point.clone().sub(target);
			const across = (Math.abs(offset.dot(right)) + margin) / (tan * this.camera.aspect);
			const tall = (Math.abs(offset.dot(up)) + margin) / tan;
			distance = Math.max(distance, offset.dot(from) + Math.max(across, tall));
		}
		this.#followed = null;
		this.#moveTo(target.clone().addScaledVector(from, distance), target, glide);
	}

	/** Glides up to a figure and goes along with it until the camera is framed anew. */
	focus(figure) {
		const target = figure.centre(new Vector3());
		const from = this.camera.position.clone().sub(this.#controls.target).normalize();
		const distance = this.#distance(0.75 * figure.size, 1.12 * figure.size);
		this.touched = true;
		this.#moveTo(target.clone().addScaledVector(from, distance), target, true);
		this.#followed = { figure, at: target.clone() };
	}

	/** Gives up going along with a figure that is gone. */
	forget(figure) {
		if (this.#followed?.figure === figure)
			this.#followed = null;
	}

	/** Orbit by angles, in radians, and zoom by a factor: what the keys do. */
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
			.addScaledVector(offset, Math.min(60, Math.max(0.4, distance)));
	}

	#moveTo(position, target, glide) {
		position.y = Math.max(position.y, 0.2);
		if (!glide || this.#calm.matches) {
			this.camera.position.copy(position);
			this.#controls.target.copy(target);
			this.#glide = null;
			return;
		}
		this.#glide = { t: 0, position, target, fromPosition: this.camera.position.clone(),
			fromTarget: this.#controls.target.clone() };
	}

	update(seconds) {
		if (this.#followed) {
			const { figure, at } = this.#followed;
			figure.centre(this.#at);
			this.#step.subVectors(this.#at, at);
			// Steps are ignored, so that the camera does not bounce along.
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
		this.#controls.update();
	}
}
