// A camera of this device and the worker that finds landmarks in its pictures. No picture leaves the page: frames go
// to the worker and are gone.

import { Emitter } from '../emitter.js';
/** @import { Landmarks } from './landmarks.js' */

/**
 * starting: asks for the camera and loads the program; looking; failed, see the event; stopped.
 *
 * @typedef {'starting' | 'looking' | 'failed' | 'stopped'} WebcamState
 */

/**
 * insecure: browsers permit cameras only on secure pages; denied: the person or the server's policy refused; absent:
 * there is no camera; busy: another program uses it; lost: it was unplugged; wasm, webgl: the browser has no
 * WebAssembly with SIMD or no WebGL 2 in workers; files: the server has not all files of jointcast-webcam; model: the
 * program failed.
 *
 * @typedef {'insecure' | 'denied' | 'absent' | 'busy' | 'lost' | 'wasm' | 'webgl' | 'files' | 'model'} WebcamFailure
 */

/**
 * Options of `Webcam`.
 *
 * @typedef {object} WebcamOptions
 * @property {HTMLVideoElement} video Shows the pictures; style it with `transform: scaleX(-1)` for a mirror.
 * @property {string | URL} folder Address of the files of jointcast-webcam, on the server of the page.
 * @property {'full' | 'lite'} [model] Lite is faster and less exact; default full.
 * @property {MediaTrackConstraints} [constraints] Of the camera; default 640 by 480 at 30 pictures a second.
 */

/** Share of the newest value in rate and delay. */
const GAIN = 0.15;
/** @type {Readonly<Record<string, WebcamFailure>>} */
const FAILURES = { NotAllowedError: 'denied', SecurityError: 'denied', NotFoundError: 'absent', OverconstrainedError: 'absent',
  NotReadableError: 'busy', AbortError: 'busy' };

/**
 * Landmarks from a webcam.
 *
 * @extends {Emitter<{ state: { state: WebcamState }, landmarks: Landmarks, failed: { code: WebcamFailure } }>}
 */
export class Webcam extends Emitter {
  #options;
  /** @type {WebcamState} */
  #state = 'stopped';
  /** @type {Worker | null} */
  #worker = null;
  /** @type {MediaStream | null} */
  #stream = null;
  #count = 0;
  #takenAt = 0;
  #foundAt = 0;
  #wasTakenAt = -1; // time of the picture in the video
  /** Milliseconds from a picture to its landmarks, and between two landmarks. */
  #delay = NaN;
  #period = NaN;

  /** @param {WebcamOptions} options */
  constructor(options) {
    super();
    this.#options = options;
  }

  /** The present state. @returns {WebcamState} */
  get state() {
    return this.#state;
  }

  /** Landmarks a second; NaN before the second picture. @returns {number} */
  get rate() {
    return 1000 / this.#period;
  }

  /** Milliseconds from a picture to its landmarks; NaN before the first. @returns {number} */
  get delay() {
    return this.#delay;
  }

  /**
   * Asks for the camera, then loads the worker. Emits `failed` with the reason if that is impossible.
   *
   * @returns {Promise<boolean>} whether it starts
   */
  async start() {
    this.stop();
    this.#become('starting');
    const { video, folder, model = 'full', constraints = { width: 640, height: 480, frameRate: 30 } } = this.#options;
    if (!globalThis.isSecureContext || !navigator.mediaDevices) {
      return this.#fail('insecure');
    }
    const stream = await navigator.mediaDevices.getUserMedia({ video: constraints, audio: false })
      .catch((error) => FAILURES[error.name] ?? 'absent');
    if (typeof stream === 'string') {
      return this.#state === 'starting' && this.#fail(stream);
    }
    if (this.#state !== 'starting' || this.#stream) {
      stream.getTracks().forEach((/** @type {MediaStreamTrack} */ track) => track.stop());
      return false; // stopped while the browser asked
    }
    this.#stream = stream;
    stream.getVideoTracks()[0].addEventListener('ended', () => this.#stream === stream && this.#fail('lost'));
    video.srcObject = stream;
    video.muted = true;
    video.playsInline = true;
    await video.play().catch(() => {});
    if (this.#stream !== stream) {
      return false;
    }
    const worker = new Worker(new URL('worker.js', new URL(folder, location.href)));
    this.#worker = worker;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) {
        this.#fail(this.#state === 'starting' ? 'files' : 'model');
      }
    };
    worker.postMessage({ type: 'start', model });
    return true;
  }

  /** Stops the camera and ends the worker. */
  stop() {
    this.#release();
    this.#become('stopped');
  }

  #release() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#stream = null;
    this.#options.video.srcObject = null;
    this.#delay = this.#period = NaN;
    this.#foundAt = 0;
    this.#wasTakenAt = -1;
  }

  /** @param {WebcamState} state */
  #become(state) {
    if (state !== this.#state) {
      this.#state = state;
      this.emit('state', { state });
    }
  }

  /** @param {WebcamFailure} code */
  #fail(code) {
    this.#release();
    this.#become('failed');
    this.emit('failed', { code });
    return false;
  }

  /** @param {any} data */
  #hear(data) {
    if (data.type === 'failed') {
      this.#fail(data.code);
      return;
    }
    if (data.type === 'ready') {
      this.#become('looking');
    } else if (data.id === this.#count) {
      this.#time();
      const { videoWidth, videoHeight } = this.#options.video;
      const { world, image, left, right } = data;
      this.emit('landmarks', { world, image, left, right, aspect: videoWidth / videoHeight || 4 / 3 });
    }
    this.#next();
  }

  #time() {
    const now = performance.now();
    const delay = now - this.#takenAt;
    this.#delay = Number.isNaN(this.#delay) ? delay : this.#delay + GAIN * (delay - this.#delay);
    if (this.#foundAt > 0) {
      const period = now - this.#foundAt;
      this.#period = Number.isNaN(this.#period) ? period : this.#period + GAIN * (period - this.#period);
    }
    this.#foundAt = now;
  }

  /** Takes the next picture as soon as the camera has one. */
  #next() {
    const { video } = this.#options;
    const worker = this.#worker;
    const take = async () => {
      if (worker !== this.#worker || !worker) {
        return;
      }
      if (video.readyState < 2 || video.currentTime === this.#wasTakenAt) {
        setTimeout(take, 8); // a timer, because a hidden video has no callbacks
        return;
      }
      this.#wasTakenAt = video.currentTime;
      this.#takenAt = performance.now();
      const picture = await createImageBitmap(video).catch(() => null);
      if (!picture) {
        setTimeout(take, 8);
      } else if (worker === this.#worker) {
        worker.postMessage({ type: 'picture', id: ++this.#count, time: this.#takenAt, picture }, [picture]);
      } else {
        picture.close();
      }
    };
    take();
  }
}
