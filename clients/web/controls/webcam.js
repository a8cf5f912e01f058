// The visitor's webcam: the question for height and posture, the mirrored preview with its state, rate and delay,
// and the body frames of its landmarks. The camera and the program start only after the visitor has answered.

import { BodyFrame } from 'jointcast';
import { LandmarkBody, Webcam } from 'jointcast/webcam/index.js';
import { text } from '../texts.js';

const FOLDER = 'webcam/';
const FIGURES_MS = 500;

const $ = (id) => document.getElementById(id);

const write = (id, value) => {
  if ($(id).textContent !== value)
    $(id).textContent = value;
};

export class OwnWebcam {
  #failed;
  /** @type {Webcam | null} */
  #webcam = null;
  #body = null;
  #frame = new BodyFrame();
  #isSeen = false;
  #timer = 0;

  /** @param {(reason: string) => void} failed called when the camera or the program cannot go on */
  constructor(failed) {
    this.#failed = failed;
    $('camera-again').addEventListener('click', () => {
      this.#body?.calibrate();
      this.#show();
    });
    $('webcam-cancel').addEventListener('click', () => $('webcam-setup').close());
    $('webcam-height').addEventListener('input', () => this.#check());
  }

  /** Whether the camera is on or starts. */
  get isOn() {
    return this.#webcam !== null;
  }

  /** Landmarks a second and milliseconds from a picture to its landmarks; NaN where unknown. */
  get figures() {
    return { rate: this.#webcam?.rate ?? NaN, delay: this.#webcam?.delay ?? NaN };
  }

  #check() {
    const isHeight = $('webcam-height').checkValidity();
    $('webcam-begin').disabled = !isHeight;
    $('webcam-height').ariaInvalid = String(!isHeight);
    $('webcam-why').hidden = isHeight;
    return isHeight;
  }

  /** Asks the visitor; null: cancelled, else what `start` needs and the options of the publication. */
  ask() {
    const dialog = $('webcam-setup');
    this.#check();
    dialog.returnValue = '';
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener('close', () => resolve(
      dialog.returnValue === 'begin' && this.#check() ? { height: $('webcam-height').valueAsNumber / 100,
        seated: $('webcam-seated').checked, model: $('webcam-model').value } : null), { once: true }));
  }

  /**
   * Starts the camera. Calls `seen` with a body frame for each picture, also for those without a person: then all
   * joints are absent.
   *
   * @returns {Promise<boolean>} true once the program looks at pictures; false: it failed or was stopped
   */
  start({ height, seated, model }, seen) {
    this.stop();
    const webcam = new Webcam({ video: $('camera-view'), folder: FOLDER, model });
    this.#webcam = webcam;
    this.#body = new LandmarkBody({ height, seated });
    this.#body.calibrate();
    this.#isSeen = false;
    $('camera').hidden = false;
    this.#timer = setInterval(() => this.#show(), FIGURES_MS);
    webcam.on('landmarks', (landmarks) => {
      this.#isSeen = this.#body.read(landmarks, this.#frame);
      seen(this.#frame);
    });
    webcam.on('failed', ({ code }) => {
      if (webcam === this.#webcam)
        this.#failed(text(`webcam.failed.${code}`));
    });
    this.#show();
    return new Promise((resolve) => {
      webcam.on('state', ({ state }) => {
        this.#show();
        if (state !== 'starting')
          resolve(state === 'looking');
      });
      webcam.start();
    });
  }

  /** Stops the camera. */
  stop() {
    const webcam = this.#webcam;
    this.#webcam = this.#body = null;
    webcam?.stop();
    clearInterval(this.#timer);
    $('camera').hidden = true;
  }

  #show() {
    const webcam = this.#webcam;
    if (!webcam)
      return;
    const isLooking = webcam.state === 'looking';
    const state = !isLooking ? 'starting' : Number.isNaN(webcam.delay) ? 'warming' : !this.#isSeen ? 'nobody'
      : this.#body.calibrating ? 'upright' : 'seen';
    write('camera-state', text(`webcam.state.${state}`));
    const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : text('unknown'));
    write('camera-figures', text('webcam.figures', { rate: number(webcam.rate, 1), delay: number(webcam.delay, 0) }));
    $('camera-again').disabled = !isLooking;
  }
}
