// The publishing page: passes consent and name from the desk, and a headset session, the webcam or the
// demo body, to the publisher of the client; shows the received body in the mirror, with the
// visitor's own avatar.

import { connect, immersiveMode, publishBody } from 'jointcast';
import { Theme } from './controls/theme.js';
import { OwnWebcam } from './controls/webcam.js';
import { DemoBody } from './demo-body.js';
import { Desk } from './desk.js';
import { acceptDrops, namesOf } from './drops.js';
import { openDoor } from './door.js';
import { Mirror } from './mirror.js';
import { OwnAvatar } from './own-avatar.js';
import { address, explain, openStage } from './page.js';
import { Sharing } from './sharing.js';
import { text } from './texts.js';
import { Wardrobe } from './wardrobe.js';

const FIGURES_MS = 500;
/** Milliseconds between two frames of the demo body. */
const DEMO_MS = 16;
const FEATURES = ['local-floor', 'body-tracking', 'hand-tracking'];
/** Assumed height of the eyes above the floor if the headset does not report it, metres. */
const EYES = 1.63;

/** Microseconds from the entry of a body until it shows the pose of the person. */
const SETTLING_US = 400e3;

/** Returns the mode of a session with the headset, null without one, and advice. */
async function findHeadset() {
  if (!window.isSecureContext)
    return [null, text('headset.insecure')];
  if (!navigator.xr)
    return [null, text('headset.none')];
  const mode = await immersiveMode();
  return [mode, text(mode ? 'headset.asks' : 'headset.absent')];
}

class PublishPage {
  #stage;
  #mirror;
  #desk;
  #wardrobe;
  #sharing = new Sharing(document.getElementById('sharing'));
  #own = new OwnAvatar(() => this.#wardrobe?.show(this.#own.view));
  #door;
  #client = null;
  #publisher = null;
  #source = {}; // of the publisher's frames
  #mirrored = null;
  #mode = null; // of a session with the headset
  #session = null;
  #demo = null; // the timer of the demo body
  #webcam = new OwnWebcam((reason) => {
    this.stop();
    this.#desk.note(reason, true);
  });
  #before = performance.now();
  #measured = { at: performance.now(), frames: 0, bytes: 0 };

  /** @param {Stage} stage @param {Door} door @param {string} space */
  constructor(stage, door, space) {
    this.#stage = stage;
    this.#door = door;
    this.#mirror = new Mirror(stage);
    this.#desk = new Desk({
      enter: () => this.#start(() => this.#enter()),
      webcam: () => this.#start(() => this.#film()),
      demo: () => this.#start(() => this.#play()),
      pause: (paused) => (paused ? this.#publisher?.pause() : this.#publisher?.resume()),
      stop: () => this.stop(),
      space: (name) => this.#connect(name),
      consent: () => this.#consent(),
    });
    this.#wardrobe = new Wardrobe({
      choose: (file) => this.#choose(file),
      remove: () => this.#change(() => {
        this.#mirror.wear(null);
        return this.#own.remove();
      }),
      share: () => this.#share(),
      withdraw: () => this.#change(() => this.#own.withdraw()),
    });
    acceptDrops((shown) => { document.getElementById('drop').hidden = !shown; },
      ([file, ...others]) => this.#choose(file, others));
    this.#connect(space);
    this.#look();
    stage.renderer.xr.enabled = true;
    stage.renderer.setAnimationLoop((time, frame) => this.#draw(frame));
  }

  get client() {
    return this.#client;
  }

  /** Null while nothing is published. */
  get publisher() {
    return this.#publisher;
  }

  /** Landmarks a second and milliseconds from picture to landmarks; NaN while the webcam is off. */
  get webcam() {
    return this.#webcam.figures;
  }

  /** Maps bone names to [x, y, z] of the figure in the mirror; null without a figure. */
  reflection() {
    const { points } = this.#mirror;
    return points && Object.fromEntries([...points].map(([bone, p]) => [bone, p.toArray()]));
  }

  async #look() {
    const show = async () => {
      const [mode, advice] = await findHeadset();
      this.#mode = mode;
      this.#desk.setHeadset(mode, advice);
    };
    navigator.xr?.addEventListener?.('devicechange', show);
    await show();
  }

  #connect(space) {
    this.stop();
    this.#client?.close();
    const desk = this.#desk;
    const client = connect(address(), { space, client: 'publisher', precision: 'fine',
      token: () => this.#door.token(space) });
    this.#client = client;
    this.#own.client = client;
    desk.setSpaces([], space);
    client.on('welcome', ({ spaces }) => desk.setSpaces(spaces, space));
    client.on('state', ({ state }) => {
      if (client !== this.#client)
        return;
      this.#wardrobe.show(this.#own.view);
      desk.setConnection(state, space);
      if (state === 'closed')
        this.stop();
    });
    // Messages of the server, and why there is no connection.
    client.on('error', (error) => {
      if (error.code === 'refused')
        this.#door.shut(error.message, error.reason);
      else if (error.code)
        desk.note(explain(error), true);
      if (error.code === 'unknown-avatar')
        this.#change(() => this.#lose());
    });
    client.on('change', (body) => {
      if (body === this.#publisher?.body && !body.avatar && this.#own.view.state === 'shared')
        this.#lose();
    });
    client.on('moderated', ({ action, reason }) =>
      desk.note(text(reason ? 'moderated.reason' : 'moderated', { action, reason }), true));
    client.on('unpublished', () => this.stop());
  }

  /** Ends publishing: the body leaves the space. */
  stop() {
    this.#publisher?.close();
    this.#publisher = null;
    this.#demo?.terminate();
    this.#demo = null;
    this.#webcam.stop();
    this.#session?.end().catch(() => {}); // it may have ended already
    this.#session = null;
    this.#desk.setRunning(false);
  }

  // Consent applies to a whole publication, so a change starts another one.
  #consent() {
    const { mayShow } = this.#desk.consent;
    if (!mayShow && (this.#publisher || this.#webcam.isOn))
      this.stop();
    else if (this.#publisher)
      this.#publish(this.#source);
  }

  /** @param {{profile?: string, channels?: string[]}} source of the frames */
  #publish(source) {
    this.#source = source;
    const { mayRecord, mayRebroadcast } = this.#desk.consent;
    this.#publisher?.close();
    this.#publisher = publishBody(this.#client, { name: this.#desk.name, ...source, mayRecord,
      mayRebroadcast, ...this.#own.options });
    this.#measured = { at: performance.now(), frames: 0, bytes: 0 };
  }

  async #choose(file, others = []) {
    if (['reading', 'sending'].includes(this.#own.view.state))
      return;
    await this.#change(async () => {
      this.#mirror.wear(await this.#own.read(file));
      if (others.length > 0)
        this.#desk.note(text('avatar.own.left', { files: namesOf(others) }), true);
    });
  }

  async #share() {
    const declared = await this.#sharing.ask(this.#own.file, this.#own.facts);
    if (declared)
      await this.#change(() => this.#own.share(declared));
  }

  /** The server no longer has the file. */
  #lose() {
    this.#own.lose();
    this.#desk.note(text('avatar.own.lost'), true);
  }

  /** Changes the avatar; a running publication starts again with the new one. */
  async #change(act) {
    try {
      await act();
    } catch (error) {
      this.#desk.note(error.message, true);
    }
    if (this.#publisher) {
      await this.#register();
      this.#consent();
    }
  }

  /** If the server refuses the skeleton, viewers see the mannequin of the server, and the page retargets. */
  async #register() {
    try {
      await this.#own.register();
    } catch ({ message }) {
      this.#desk.note(text('avatar.own.local.only', { file: this.#own.file?.name, message }), true);
    }
  }

  async #start(begin) {
    if (!this.#desk.consent.mayShow || this.#publisher || this.#webcam.isOn)
      return;
    try {
      await begin();
    } catch (error) {
      this.stop();
      this.#desk.note(error.message, true);
    }
  }

  async #enter() {
    const { xr } = this.#stage.renderer;
    const session = await navigator.xr.requestSession(this.#mode,
      { optionalFeatures: FEATURES });
    this.#session = session;
    this.#stage.room = session.environmentBlendMode === 'opaque';
    session.addEventListener('end', () => {
      this.#stage.room = true;
      if (session === this.#session)
        this.stop();
    });
    const floor = await session.requestReferenceSpace('local-floor').catch(() => null);
    xr.setReferenceSpaceType(floor ? 'local-floor' : 'local');
    await xr.setSession(session);
    if (!floor)
      xr.setReferenceSpace(xr.getReferenceSpace()
        .getOffsetReferenceSpace(new XRRigidTransform({ x: 0, y: -EYES, z: 0 })));
    await this.#register();
    if (session !== this.#session || !this.#desk.consent.mayShow)
      return; // it ended, or was stopped
    this.#publish({});
    this.#desk.setRunning(true);
  }

  /** Nothing is published before the program looks at pictures. */
  async #film() {
    const settings = await this.#webcam.ask();
    if (!settings || !this.#desk.consent.mayShow)
      return;
    this.#desk.setRunning(true);
    const isLooking = await this.#webcam.start(settings, (frame) => this.#publisher?.send(frame));
    if (!isLooking)
      return; // it failed, or was stopped
    await this.#register();
    if (this.#webcam.isOn && this.#desk.consent.mayShow && !this.#publisher)
      this.#publish({ profile: 'webxr-spec', height: settings.height, smooth: true });
  }

  async #play() {
    const body = await DemoBody.load('demo-walk.json');
    await this.#register();
    if (!this.#desk.consent.mayShow || this.#publisher)
      return;
    this.#publish({ profile: body.profile, channels: body.channels });
    this.#desk.setRunning(true);
    const began = performance.now();
    let before = 0;
    this.#demo = new Worker('beat.js', { type: 'module' });
    this.#demo.onmessage = () => {
      const now = performance.now();
      // Timer messages that arrive together were delayed by a picture: send one frame.
      if (now - before > DEMO_MS / 2)
        this.#publisher?.send(body.at((now - began) / 1000));
      before = now;
    };
    this.#demo.postMessage(DEMO_MS);
  }

  #draw(frame) {
    const { xr } = this.#stage.renderer;
    const now = performance.now();
    const seconds = Math.min((now - this.#before) / 1000, 0.25);
    this.#before = now;
    if (this.#session)
      this.#publisher?.frame(xr.getSession(), frame, xr.getReferenceSpace());
    this.#reflect();
    this.#desk.setMirrorNote(text(this.#mirrorNote));
    this.#mirror.draw(now, seconds);
    if (now - this.#measured.at >= FIGURES_MS)
      this.#measure(now);
  }

  #reflect() {
    const body = this.#publisher?.body ?? null;
    const shown = body?.skeleton && (body === this.#mirrored || this.#publisher.state === 'live')
      ? body : null;
    if (shown === this.#mirrored)
      return;
    this.#mirrored = shown;
    this.#mirror.show(shown, this.#client.clock.at(performance.now()) + SETTLING_US);
  }

  get #mirrorNote() {
    const { state } = this.#own.view;
    const isPrivate = state === 'local' || state === 'sending';
    if (!this.#mirrored)
      return isPrivate || state === 'shared' ? 'mirror.rest' : 'mirror.off';
    return isPrivate ? 'mirror.own' : 'mirror.on';
  }

  #measure(now) {
    const { at, frames, bytes } = this.#measured;
    const publisher = this.#publisher;
    const traffic = publisher?.traffic ?? { frames: NaN, bytes: NaN, dropped: NaN };
    const seconds = (now - at) / 1000;
    const state = publisher?.state ?? 'idle';
    const rate = (traffic.frames - frames) / seconds;
    const joints = publisher?.joints ?? 0;
    this.#mirror.sign.show(state === 'live' ? text('sign.shown', { space: this.#client.space }) : text(`published.${state}`),
      text('sign.about', { joints, rate: Math.round(rate) || 0 }), state === 'live');
    this.#desk.setFigures({
      state: text(`published.${state}`),
      kind: this.#webcam.isOn ? 'webcam' : publisher?.kind ?? null,
      joints,
      rate,
      bytes: (traffic.bytes - bytes) / seconds,
      dropped: traffic.dropped,
      trip: this.#client.clock.synchronized ? this.#client.clock.roundTrip : NaN,
    });
    this.#measured = { at: now, frames: traffic.frames || 0, bytes: traffic.bytes || 0 };
  }
}

const stage = openStage(document.getElementById('view'));
if (stage) {
  new Theme(null, (name) => { stage.theme = name; });
  const door = await openDoor(address());
  /** Interface for the console and for tests, see README.md. */
  window.jointcast = new PublishPage(stage, door, new URLSearchParams(location.search).get('space') || 'lobby');
}
