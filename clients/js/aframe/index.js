// The component `jointcast` of A-Frame: all bodies of a space below an entity. A-Frame must be loaded
// before; its module and this one share the module three.

import { connect } from '../client.js';
import { Crowd } from '../three/index.js';
/** @import { Client } from '../client.js' */

/**
 * The attribute `jointcast="url: wss://room.example/; space: lobby"`, as A-Frame reads it.
 *
 * @typedef {object} JointcastAttribute
 * @property {string} url Address of the daemon; the server of the page.
 * @property {string} space Name of the space; `lobby`.
 * @property {string} token None.
 * @property {'fine' | 'standard' | 'coarse'} precision Standard.
 * @property {boolean} avatars Show the avatars of the bodies; true.
 * @property {boolean} shadows The nearest bodies cast shadows; true.
 */

/** The server of the page; with a path before its daemon, the page states `url`. */
const ownServer = () => new URL('/', location.href).href;

/** The component; `this` is its instance. */
const component = {
  schema: {
    url: { default: '' },
    space: { default: 'lobby' },
    token: { default: '' },
    precision: { default: 'standard', oneOf: ['fine', 'standard', 'coarse'] },
    avatars: { default: true },
    shadows: { default: true },
  },

  /** Connects, or connects again with the changed attribute. @this {any} */
  update() {
    this.remove();
    /** @type {JointcastAttribute} */
    const { url, space, token, precision, avatars, shadows } = this.data;
    /** @type {Client} */
    const client = connect(url || ownServer(), { space, precision, ...token && { token } });
    client.on('error', (error) => this.el.emit('jointcast-error', { error }, false));
    this.client = client;
    this.crowd = new Crowd(client, { avatars, shadows });
    this.el.object3D.add(this.crowd);
  },

  /** @this {any} */
  tick() {
    this.crowd?.update(this.el.sceneEl.camera);
  },

  /** @this {any} */
  remove() {
    this.crowd?.dispose();
    this.client?.close();
    this.crowd = this.client = null;
  },
};

/** @type {any} */
const { AFRAME } = globalThis;
if (!AFRAME) {
  throw new Error('jointcast/aframe: load A-Frame first');
}
if (!AFRAME.components.jointcast) {
  AFRAME.registerComponent('jointcast', component);
}
