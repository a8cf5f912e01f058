// The viewer: adds the bodies of the client to the stage, performs the actions of panel and
// pointer, and updates all parts for each picture.

import { Box3, Raycaster, Vector2, Vector3 } from 'three';
import { Crowd } from 'jointcast/three';
import { Broadcast } from './broadcast.js';
import { BodyList } from './controls/bodies.js';
import { Dressing } from './dressing.js';
import { Labels } from './labels.js';
import { Marker } from './marker.js';
import { Menu } from './controls/menu.js';
import { namesOf } from './drops.js';
import { explain } from './page.js';
import { OwnMotion, isMotion } from './own-motion.js';
import { Panel } from './controls/panel.js';
import { ControlPlaces } from './controls/places.js';
import { Props } from './props.js';
import { Readout } from './controls/readout.js';
import { Shelf } from './controls/shelf.js';
import { Situation, concerns, excludes } from './controls/situation.js';
import { text } from './texts.js';
import { Theme } from './controls/theme.js';
import { Timelines } from './controls/timeline.js';
import { View } from './view.js';
import { VirtualTransforms } from './virtual-transforms.js';

/** Initial direction to the camera: in front of the bodies, which face +Z. */
const FIRST_LOOK = new Vector3(0.3, 0.2, 1);
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
  #crowd;
  #dressing;
  #places = new ControlPlaces();
  #view;
  #marker;
  #labels;
  #virtuals;
  #props;
  #panel;
  #list;
  #situation;
  #broadcast;
  #appeared = new WeakSet();
  #readout;
  #timelines;
  #shelf;
  #motion;
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
   * @param {object} wishes of the address, of readBroadcast
   */
  constructor(canvas, stage, client, precision, join, wishes) {
    this.#canvas = canvas;
    this.#stage = stage;
    this.#client = client;
    this.#crowd = new Crowd(client, { contact: !wishes.transparent });
    stage.scene.add(this.#crowd);
    this.#dressing = new Dressing(client, this.#crowd, join);
    this.#view = new View(canvas, FIRST_LOOK);
    this.#marker = new Marker(stage.scene);
    this.#labels = new Labels(document.getElementById('labels'), this.#places);
    this.#virtuals = new VirtualTransforms(stage.scene, document.getElementById('points'), this.#places);
    this.#props = new Props(stage.scene, this.#labels);
    this.#readout = new Readout(client);
    this.#panel = new Panel({
      choose: (id) => this.choose(id),
      step: (by) => this.#step(by),
      focus: (id) => this.focus(id),
      frame: () => this.frame(),
      take: (files) => this.#take(files),
      unwear: () => this.#unwear(),
      turn: (azimuth, polar, zoom) => this.#view.turn(azimuth, polar, zoom),
      labels: () => { this.#labels.visible = !this.#labels.visible; },
      precision: (name) => [client, ...this.#crowd.fitted].forEach((line) => line.subscribe({ precision: name })),
      virtuals: (tag) => { this.#virtuals.tag = tag; },
      chosenName: () => this.#candidate()?.body.name ?? text('body.any'),
      shelf: () => this.#shelf.open(),
      replay: (deed) => this.#timelines.first && deed(this.#timelines.first),
    }, precision);
    this.#list = new BodyList(document.getElementById('bodies'), document.getElementById('list'),
      { choose: (id) => this.choose(id), focus: (id) => this.focus(id) });
    this.#situation = new Situation(document.getElementById('situation'), client);
    new Menu(canvas);
    new Theme(document.getElementById('theme'), (name) => { stage.theme = name; });
    this.#timelines = new Timelines(document.getElementById('replays'),
      document.getElementById('rewind'), client,
      (message) => this.#panel.note(message, true));
    this.#shelf = new Shelf(document.getElementById('shelf'), document.getElementById('recordings'), client,
      (message) => this.#panel.note(message, true));
    this.#motion = new OwnMotion(client, (file, id) => this.#wear(file, this.#crowd.members.get(id)),
      (message, isBad) => this.#panel.note(message, isBad));
    this.#labels.visible = !wishes.clean;
    this.#broadcast = new Broadcast(wishes, {
      focus: (id) => this.#view.focus(this.#crowd.members.get(id)),
      wear: (id, avatar) => this.#crowd.wear(id, avatar),
      note: (message) => this.#panel.note(message, true),
    });
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

  /** Visible bodies with the position of each bone in the space, metres, and in the picture, pixels. */
  bodies() {
    return [...this.#crowd.members.values()].filter(({ seen }) => seen)
      .map(({ id, body, figure, avatar, fitted }) => ({
        id, name: body.name, yaw: figure.group.rotation.y,
        positions: plain(figure.points),
        picture: this.#picture(figure.points),
        avatar: avatar ? plain(avatar.points) : null,
        virtualTransforms: this.#virtuals.positions(id),
        fitted: fitted?.body?.skeleton.hash ?? null,
      }));
  }

  #picture(points) {
    const { clientWidth, clientHeight } = this.#canvas;
    return Object.fromEntries([...points].map(([bone, point]) => {
      const { x, y } = this.#middle.copy(point).project(this.#view.camera);
      return [bone, [(0.5 + 0.5 * x) * clientWidth, (0.5 - 0.5 * y) * clientHeight]];
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
    const member = this.#crowd.members.get(id);
    this.#chosen = member ? id : null;
    this.#list.mark(this.#chosen);
    this.#panel.setWearing(Boolean(member?.avatar));
    this.#labels.mark(this.#chosen);
  }

  /** Moves the camera to a body, or to the chosen one, and follows it. */
  focus(id = null) {
    const member = this.#crowd.members.get(id ?? this.#chosen);
    if (!member?.seen)
      return;
    this.choose(member.id);
    this.#view.focus(member);
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
    const crowd = this.#crowd;
    crowd.addEventListener('enter', ({ member }) => {
      this.#present(member);
      this.#refresh();
    });
    crowd.addEventListener('leave', ({ member }) => {
      this.#view.forget(member);
      this.#appeared.delete(member.body);
      this.#list.remove(member.id);
      this.#labels.remove(member.id);
      this.#refresh();
    });
    crowd.addEventListener('dress', ({ member }) => {
      this.#view.refit(member);
      this.#refresh();
    });
    crowd.addEventListener('undress', () => this.#refresh());
    crowd.addEventListener('failure', ({ member: { body, reason } }) =>
      this.#panel.note(text('avatar.failed', { name: body.name, reason }), true));
    client.on('change', (body) => {
      const member = crowd.members.get(body.id);
      if (member)
        this.#present(member);
    });
    client.on('waiting', () => this.#count());
    client.on('roster', () => this.#count());
    client.on('props', (props) => this.#stand(props));
    client.on('state', ({ state }) => {
      this.#panel.setState(client.space, state);
      this.#stand(client.props);
    });
    // Messages of the server, and why there is no connection.
    client.on('error', (error) => {
      if (error.code && !concerns(error))
        this.#panel.note(explain(error), true);
      if (excludes(error) && client.state === 'connected')
        this.#panel.setState(client.space, 'outside');
    });
  }

  /** The choice and the tags after a change of bodies or avatars. */
  #refresh() {
    this.choose(this.#chosen);
    this.#offerTags();
    this.#count();
  }

  /** Updates list and situation: present bodies, and those that wait for motion. */
  #count() {
    const { bodies, waiting } = this.#client;
    const names = [...bodies.values()].filter((body) => body.waiting).map((body) => body.display || body.name);
    this.#list.setWaiting(waiting, names);
    this.#situation.count(this.#crowd.members.size, waiting, names);
  }

  #offerTags() {
    this.#panel.setTags(VirtualTransforms.tags(
      [...this.#crowd.members.values(), ...this.#props.members.values()]));
  }

  #stand(props) {
    this.#props.show(props);
    this.#offerTags();
  }

  #present({ body, color }) {
    const name = body.display || body.name || text('body.unnamed', { id: body.id });
    this.#list.set(body.id, name, color, body.state === 'stale');
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
    return this.#crowd.pick(this.#raycaster.ray, reach);
  }

  #step(by) {
    const ids = [...this.#crowd.members.keys()];
    if (ids.length === 0)
      return;
    const at = ids.indexOf(this.#chosen);
    const next = at < 0 ? Math.min(by, 0) : at + by;
    this.choose(ids[(next + ids.length) % ids.length]);
  }

  /** The member for a dropped avatar: the chosen one, else the one nearest to the middle. */
  #candidate() {
    return this.#crowd.members.get(this.#chosen) ?? this.#memberAt(0, 0, ANYWHERE);
  }

  /** Plays a motion, on an avatar that comes with it, or shows an avatar; reports the files left out. */
  async #take(files) {
    const areMotions = await Promise.all(files.map(isMotion));
    const [motion, ...motions] = files.filter((_, i) => areMotions[i]);
    const [avatar, ...avatars] = files.filter((_, i) => !areMotions[i]);
    const others = [...motions, ...avatars];
    const left = others.length > 0 ? text('drop.left', { files: namesOf(others) }) : '';
    if (motion)
      await this.#motion.play(motion, avatar, left);
    else
      await this.#wear(avatar, undefined, left);
  }

  /** `left`: further text of the note beside its success. */
  async #wear(file, wearer = undefined, left = '') {
    const member = wearer ?? this.#candidate();
    if (!member) {
      this.#panel.note(text('avatar.nobody'), true);
      return;
    }
    const { name } = member.body;
    this.#panel.note(text('avatar.reading', { file: file.name }));
    const before = this.#motion.worn;
    try {
      this.#motion.worn = file;
      const avatar = await this.#dressing.wear(member, file);
      if (!avatar)
        return;
      this.choose(member.id);
      this.#panel.note(`${text(avatar.count > 1 ? 'avatar.first' : 'avatar.worn',
        { name, count: avatar.count, file: file.name })} ${left}`.trim());
    } catch (error) {
      if (this.#motion.worn === file)
        this.#motion.worn = before; // the body keeps it
      this.#panel.note(error.message, true);
      return;
    }
    try {
      await this.#dressing.fit(member, file);
    } catch (error) {
      this.#panel.note(text('avatar.local', { name, file: file.name, message: error.message }));
    }
  }

  /** Removes the avatar of the chosen body, else the first avatar. */
  #unwear() {
    const { members } = this.#crowd;
    const member = members.get(this.#chosen) ?? [...members.values()].find(({ avatar }) => avatar);
    if (!member?.avatar)
      return;
    this.#dressing.unwear(member);
    this.#motion.worn = null;
    this.choose(member.id);
  }

  #draw() {
    const { members } = this.#crowd;
    const { camera } = this.#view;
    const canvas = this.#canvas;
    const now = performance.now();
    const seconds = Math.min((now - this.#before) / 1000, 0.25);
    this.#stage.pace(now - this.#before);
    this.#before = now;
    this.#crowd.update(camera, now);
    this.#welcome();
    this.#stage.fit(camera);
    this.#view.avoid(this.#places.read().filter(({ isPassing }) => !isPassing));
    this.#watch(seconds);
    this.#view.update(seconds);
    this.#marker.update(members.get(this.#chosen));
    const { members: props } = this.#props;
    this.#virtuals.update(members, props, camera, canvas.clientWidth, canvas.clientHeight, seconds);
    this.#stage.render(camera);
    this.#labels.update({ get: (id) => (members.get(id)?.seen ? members : props).get(id) }, camera, canvas.clientWidth, canvas.clientHeight);
    this.#readout.update(now, this.#client.bodies);
    this.#timelines.update(now);
  }

  /** Applies the wishes of the address to bodies that are visible for the first time. */
  #welcome() {
    for (const { body, seen } of this.#crowd.members.values())
      if (seen && !this.#appeared.has(body)) {
        this.#appeared.add(body);
        this.#broadcast.appeared(body);
      }
  }

  /** Keeps all bodies and the props beside them in view; without bodies, all props. */
  #watch(seconds) {
    const { min, max } = this.#framed;
    this.#crowd.bounds(min, max);
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
