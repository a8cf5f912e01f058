// The bodies of a space in scenes of react-three-fiber.

import { createElement, forwardRef, useEffect, useRef, useState } from 'react';
import { useFrame } from '@react-three/fiber';
import { connect } from '../client.js';
import { Crowd } from '../three/index.js';
/**
 * @import { PresentBody } from '../body.js'
 * @import { Client, ConnectOptions } from '../client.js'
 * @import { CrowdOptions } from '../three/index.js'
 */

/**
 * Properties of `Bodies`. A change of one that concerns the connection connects again.
 *
 * @typedef {Pick<ConnectOptions, 'space' | 'token' | 'skeleton' | 'precision' | 'rate' | 'sections' |
 *   'budget' | 'priority'> & {
 *   url: string | URL,
 *   client?: Client,
 *   crowd?: CrowdOptions,
 *   [property: string]: unknown,
 * }} BodiesProperties
 */

const CONNECTION = ['space', 'token', 'skeleton', 'precision', 'rate', 'sections', 'budget', 'priority'];

/** @param {Client} client */
const present = (client) => /** @type {PresentBody[]} */ ([...client.bodies.values()]
  .filter(({ skeleton, hidden, waiting }) => skeleton && !hidden && !waiting));

/**
 * Connects to a space while the component is mounted.
 *
 * @param {string | URL} url of the daemon, as for `connect`
 * @param {ConnectOptions} [options] of `connect`; other values connect again, another function
 *   `token` is called for the next connection
 * @returns {{ client: Client | null, bodies: readonly PresentBody[] }} the bodies that have entered; the
 *   component renders again when they change. client: null before the first effect
 */
export function useBodies(url, options = {}) {
  const [state, setState] = useState(/** @type {{ client: Client | null, bodies: readonly PresentBody[] }} */
    ({ client: null, bodies: [] }));
  const latest = useRef(options);
  latest.current = options;
  const address = String(url);
  // Functions are no part of JSON: only whether the token is one.
  const key = JSON.stringify([options, typeof options.token]);
  useEffect(() => {
    const { token } = latest.current;
    const client = connect(address, { ...latest.current,
      token: typeof token === 'function' ? () => /** @type {typeof token} */ (latest.current.token)() : token });
    const show = () => client.state !== 'closed' && setState({ client, bodies: present(client) });
    // At `leave` the body is still in the list.
    client.on('enter', show).on('leave', () => setTimeout(show)).on('change', show);
    show();
    return () => {
      client.close();
      setState({ client: null, bodies: [] });
    };
  }, [address, key]);
  return state;
}

/** Shows all bodies of a client. @type {any} */
const Shown = forwardRef((/** @type {any} */ { client, options = {}, ...rest }, ref) => {
  const [crowd, setCrowd] = useState(/** @type {Crowd | null} */ (null));
  const { avatars, contact, ...levels } = options;
  useEffect(() => {
    const made = new Crowd(client, options);
    setCrowd(made);
    return () => {
      made.dispose();
      setCrowd(null);
    };
  }, [client, avatars, contact]);
  useEffect(() => crowd?.setLevels(levels), [crowd, JSON.stringify(levels)]);
  useFrame(({ camera }) => crowd?.update(camera));
  return crowd && createElement('primitive', { ...rest, object: crowd, ref });
});

/**
 * All bodies of a space: connects, adds them to the scene and moves them. Other values of `crowd.avatars`
 * and `crowd.contact` make another crowd, those of its other options change it. Other properties, such as
 * `position`, are those of the group of all bodies; `ref` is the `Crowd`.
 *
 * @type {import('react').ForwardRefExoticComponent<BodiesProperties & import('react').RefAttributes<Crowd>>}
 */
export const Bodies = forwardRef((properties, ref) => {
  const { url, client: given, crowd, ...rest } = /** @type {BodiesProperties} */ (properties);
  const isOption = (/** @type {[string, unknown]} */ [name]) => CONNECTION.includes(name);
  const others = Object.fromEntries(Object.entries(rest).filter((entry) => !isOption(entry)));
  const shown = { ...others, options: crowd, ref };
  return given ? createElement(Shown, { ...shown, client: given })
    : createElement(Connected, { ...shown, url, connection: Object.fromEntries(Object.entries(rest).filter(isOption)) });
});

/** @type {any} */
const Connected = forwardRef((/** @type {any} */ { url, connection, ...rest }, ref) => {
  const { client } = useBodies(url, connection);
  return client && createElement(Shown, { ...rest, client, ref });
});
