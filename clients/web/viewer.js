// The viewer: adds the bodies of the client to the stage, performs the actions of panel and
// pointer, and updates all parts for each picture.

import { Box3, Raycaster, Vector2, Vector3 } from 'three';
import { ContactShadows, Figures, readAvatar } from 'jointcast/three';
import { Fitted, nameAfter } from './fitted.js';
import { Labels } from './labels.js';
import { Marker } from './marker.js';
import { explain } from './page.js';
import { Panel } from './panel.js';
import { Props } from './props.js';
import { Readout } from './readout.js';
import { Shelf } from './shelf.js';
import { text } from './texts.js';
import { Timelines } from './timeline.js';
import { View } from './view.js';
import { VirtualTransforms } from './virtual-transforms.js';

/** Initial direction to the camera: in front of the bodies, which face +Z. */
const FIRST_LOOK = new Vector3(0.3, 0.2, 1);
/** Error codes of a refused join. */
const SHUT = ['unknown-space', 'not-allowed', 'banned'];
/** Maximum movement of a click, pixels. */
const CLICK_PX = 6;
/** Reach of a ray that includes all bodies, metres. */
const ANYWHERE = 1e3;
/** Distance from the bodies up to which props are kept in view, metres. */
const BESIDE = 3;
/** Maximum radius of the floor with shadows, metres. */
const LIT_RADIUS = 12;

const plain = (points) => Object.fromEntries(
  [...points].map(([bone, point]) => [bone, point.toArray()]));

export class Viewer {
  #canvas;
  #stage;
  #client;
  #join;
  #figures;
  #view;
  #contact;
  #marker;
  #labels;
  #virtuals;
  #props;
  #panel;
  #readout;
  #timelines;
  #shelf;
  #raycaster = new Raycaster();
  #chosen = null;
  #before = performance.now();
  #framed = new Box3();
  #middle = new Vector3();

  /**
   * @param {HTMLCanvasElement} canvas of the stage
   * @param {import('./stage.js').Stage} stage
   * @param {import('jointcast').Client} client not connected yet, so that no event is missed
   * @param {string} precision of its subscription
   * @param {(view: object) => import('jointcast').Client} join opens another connection to its space
   */
  constructor(canvas, stage, client, precision, join) {
    this.#canvas = canvas;
    this.#stage = stage;
    this.#client = client;
    this.#join = join;
    this.#figures = new Figures(stage.scene);
    this.#view = new View(canvas, FIRST_LOOK);
    this.#contact = new ContactShadows(stage.scene);
    this.#marker = new Marker(stage.scene);
    this.#labels = new Labels(document.getElementById('labels'));
    this.#virtuals = new VirtualTransforms(stage.scene, document.getElementById('points'));
    this.#props = new Props(stage.scene, this.#labels);
    this.#readout = new Readout(client);
    this.#panel = new Panel({
      choose: (id) => this.choose(id),
      step: (by) => this.#step(by),
      focus: (id) => this.focus(id),
      frame: () => this.frame(),
      wear: (file) => this.#wear(file),
      unwear: () => this.#unwear(),
      turn: (azimuth, polar, zoom) => this.#view.turn(azimuth, polar, zoom),
      labels: () => { this.#labels.visible = !this.#labels.visible; },
      precision: (name) => [client, ...this.#figures.fitted()].forEach((line) => line.subscribe({ precision: name })),
      virtuals: (tag) => { this.#virtuals.tag = tag; },
      chosenName: () => this.#candidate()?.body.name ?? text('body.any'),
      shelf: () => this.#shelf.open(),
      replay: (deed) => this.#timelines.first && deed(this.#timelines.first),
    }, precision);
    this.#timelines = new Timelines(document.getElementById('replays'),
      document.getElementById('rewind'), client,
      (message) => this.#panel.note(message, true));
    this.#shelf = new Shelf(document.getElementById('shelf'), document.getElementById('recordings'), client,
      (message) => this.#panel.note(message, true));
    this.#listen();
    this.#point();
    stage.renderer.setAnimationLoop(() => this.#draw());
  }

  get client() {
    return this.#client;
  }

  /** The statistics; NaN where unknown. */
  get stats() {
    return this.#readout.stats;
  }

  /** Visible bodies with the position of each bone in the space, metres. */
  bodies() {
    return [...this.#figures.members.values()].filter(({ seen }) => seen)
      .map(({ id, body, figure, avatar, fitted }) => ({
        id, name: body.name, yaw: figure.group.rotation.y,
        positions: plain(figure.points),
        avatar: avatar ? plain(avatar.points) : null,
        virtualTransforms: this.#virtuals.positions(id),
        fitted: fitted?.body?.skeleton.hash ?? null,
      }));
  }

  /** Props with the corners of the box and the visible virtual transforms in the space, metres. */
  props() {
    return [...this.#props.members.values()].map(({ id, prop: { name, placement }, bounds: { min, max } }) => ({
      name, position: placement.position, yaw: placement.yaw, corners: [min.toArray(), max.toArray()],
      virtualTransforms: this.#virtuals.positions(id),
    }));
  }

  /** Chooses a body by its id; null chooses none. */
  choose(id) {
    const member = this.#figures.members.get(id);
    this.#chosen = member ? id : null;
    this.#panel.mark(this.#chosen, Boolean(member?.avatar));
    this.#labels.mark(this.#chosen);
  }

  /** Moves the camera to a body, or to the chosen one, and follows it. */
  focus(id = null) {
    const member = this.#figures.members.get(id ?? this.#chosen);
    if (!member?.seen)
      return;
    this.choose(member.id);
    this.#view.focus(member.figure);
  }

  /** Shows all bodies and keeps them in view. */
  frame() {
    this.#view.frame();
  }

  /** Shows all bodies from a direction, without a transition. */
  lookFrom(x, y, z) {
    this.#view.frame(new Vector3(x, y, z), false);
  }

  #listen() {
    const client = this.#client;
    const figures = this.#figures;
    client.on('enter', (body) => {
      this.#present(figures.enter(body));
      this.choose(this.#chosen);
      this.#offerTags();
    });
    client.on('leave', (body) => {
      const member = figures.leave(body);
      if (!member)
        return;
      this.#view.forget(member.figure);
      this.#panel.removeBody(body.id);
      this.#labels.remove(body.id);
      this.choose(this.#chosen);
      this.#offerTags();
    });
    client.on('change', (body) => {
      const member = figures.members.get(body.id);
      if (!member)
        return;
      member.figure.setSeat(body.seat);
      this.#present(member);
    });
    client.on('waiting', (waiting) => this.#panel.setWaiting(waiting));
    client.on('props', (props) => this.#stand(props));
    client.on('state', ({ state }) => {
      this.#panel.setState(client.space, state);
      this.#stand(client.props);
    });
    // Messages of the server, and why there is no connection.
    client.on('error', (error) => {
      if (SHUT.includes(error.code) && client.state === 'connected')
        this.#panel.setShut(client.space, explain(error));
      else if (error.code)
        this.#panel.note(explain(error), true);
    });
  }

  #offerTags() {
    this.#panel.setTags(VirtualTransforms.tags(
      [...this.#figures.members.values(), ...this.#props.members.values()]));
  }

  #stand(props) {
    this.#props.show(props);
    this.#offerTags();
  }

  #present({ body, color }) {
    const name = body.display || body.name || text('body.unnamed', { id: body.id });
    this.#panel.setBody(body.id, name, color);
    this.#labels.set(body.id, name, color);
    this.#labels.stale(body.id, body.state === 'stale');
  }

  #point() {
    const canvas = this.#canvas;
    let pressed = [0, 0];
    const memberUnder = ({ offsetX, offsetY }) => this.#memberAt(
      (offsetX / canvas.clientWidth) * 2 - 1, 1 - (offsetY / canvas.clientHeight) * 2);
    canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
      pressed = [offsetX, offsetY];
    });
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]) < CLICK_PX)
        this.choose(memberUnder(event)?.id ?? null);
    });
    canvas.addEventListener('dblclick', (event) => {
      const member = memberUnder(event);
      if (member)
        this.focus(member.id);
      else
        this.frame();
    });
  }

  /** The member at or near a point of the canvas, coordinates from -1 to 1. */
  #memberAt(x, y, reach = 0) {
    this.#raycaster.setFromCamera(new Vector2(x, y), this.#view.camera);
    return this.#figures.pick(this.#raycaster.ray, reach);
  }

  #step(by) {
    const ids = [...this.#figures.members.keys()];
    if (ids.length === 0)
      return;
    const at = ids.indexOf(this.#chosen);
    const next = at < 0 ? Math.min(by, 0) : at + by;
    this.choose(ids[(next + ids.length) % ids.length]);
  }

  /** The member for a dropped avatar: the chosen one, else the one nearest to the middle. */
  #candidate() {
    return this.#figures.members.get(this.#chosen) ?? this.#memberAt(0, 0, ANYWHERE);
  }

  async #wear(file) {
    const member = this.#candidate();
    if (!member) {
      this.#panel.note(text('avatar.nobody'), true);
      return;
    }
    const { name } = member.body;
    this.#panel.note(text('avatar.reading', { file: file.name }));
    try {
      const avatar = await readAvatar(file);
      if (this.#figures.members.get(member.id) !== member)
        throw new Error(text('avatar.left', { name }));
      this.#figures.dress(member, avatar);
      this.#offerTags();
      this.choose(member.id);
      this.#panel.note(text(avatar.count > 1 ? 'avatar.first' : 'avatar.worn',
        { name, count: avatar.count, file: file.name }));
      await this.#fit(member, file);
    } catch (error) {
      this.#panel.note(error.message, true);
    }
  }

  /** Requests the body on the avatar's skeleton; if the server refuses, the page retargets. */
  async #fit(member, file) {
    const { avatar } = member;
    try {
      const { hash } = await this.#client.registerSkeleton(nameAfter(file.name), avatar.descriptor);
      if (member.avatar === avatar)
        this.#figures.fit(member, new Fitted(this.#join, member.id, hash));
    } catch (error) {
      this.#panel.note(text('avatar.local',
        { name: member.body.name, file: file.name, message: error.message }));
    }
  }

  /** Removes the avatar of the chosen body, else the first avatar. */
  #unwear() {
    const { members } = this.#figures;
    const member = members.get(this.#chosen) ?? [...members.values()].find(({ avatar }) => avatar);
    if (!member?.avatar)
      return;
    this.#figures.undress(member);
    this.#offerTags();
    this.choose(member.id);
  }

  #draw() {
    const { members, visible: figures } = this.#figures;
    const { camera } = this.#view;
    const canvas = this.#canvas;
    const now = performance.now();
    const seconds = Math.min((now - this.#before) / 1000, 0.25);
    this.#stage.pace(now - this.#before);
    this.#before = now;
    this.#figures.update(now, seconds);
    this.#stage.fit(camera);
    this.#watch(seconds);
    this.#view.update(seconds);
    this.#marker.update(members.get(this.#chosen));
    this.#contact.update(figures.values());
    const { members: props } = this.#props;
    this.#virtuals.update(members, props, camera, canvas.clientWidth, canvas.clientHeight, seconds);
    this.#stage.render(camera);
    this.#labels.update({ get: (id) => figures.get(id) ?? props.get(id) }, camera, canvas.clientWidth, canvas.clientHeight, seconds);
    this.#readout.update(now, this.#client.bodies);
    this.#timelines.update(now);
  }

  /** Keeps all bodies and the props beside them in view; without bodies, all props. */
  #watch(seconds) {
    const { min, max } = this.#framed;
    this.#figures.bounds(min, max);
    this.#props.extend(this.#framed, BESIDE);
    if (this.#framed.isEmpty())
      return;
    this.#view.watch(min, max, seconds);
    this.#light(this.#framed);
  }

  /** Lights the floor below a box. */
  #light({ min, max }) {
    const radius = 0.5 * Math.hypot(max.x - min.x, max.z - min.z);
    this.#middle.addVectors(min, max).multiplyScalar(0.5).setY(0);
    this.#stage.light(this.#middle, Math.min(radius + 0.5, LIT_RADIUS));
  }
}
