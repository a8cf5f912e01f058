// The text in place of bodies: why there are none, and what to do.

import { text } from '../texts.js';

/** Errors of a client that concern its place in the space. */
const SHUT = ['unknown-space', 'not-allowed', 'banned'];
/** Errors of a client without a connection that have a text of their own. */
const FAULTS = ['connection-refused', 'unreachable', 'origin-refused', 'host-refused', 'tls', 'no-websocket'];
/** Those of them that an interruption has too. */
const SILENT = ['connection-refused', 'unreachable'];
/** Whether an error keeps a client out of its space, with or without a connection. */
export const excludes = ({ code }) => SHUT.includes(code);
/** Whether the situation shows an error of a client. */
export const concerns = ({ code }) => ['refused', 'lost', ...SHUT, ...FAULTS].includes(code);

/** A connection that opens quickly needs no text. */
const PATIENCE_MS = 800;

/**
 * The situation of a page.
 *
 * @param {object} facts state of the client; error: its last one, null after a success; lost:
 *   whether the connection was open before; removed: reason of a moderator, null: none; bodies:
 *   number of visible ones; sources: those that wait; names: of bodies without motion
 * @returns {string | null} key of its text; null: bodies are visible
 */
export function situationOf({ state, error, lost, removed, bodies, sources, names }) {
  if (removed !== null)
    return 'removed';
  if (SHUT.includes(error?.code) && ['connected', 'live', 'closed'].includes(state))
    return error.code;
  if (state === 'closed')
    return 'closed';
  if (state !== 'live' && error?.code === 'refused')
    return 'refused';
  if (state !== 'live' && FAULTS.includes(error?.code))
    return lost && SILENT.includes(error.code) ? 'lost' : error.code;
  if (state === 'waiting')
    return lost ? 'lost' : 'unreachable';
  if (state !== 'live')
    return lost ? 'lost' : state;
  if (bodies > 0)
    return null;
  return sources.length + names.length > 0 ? 'waiting' : 'empty';
}

/** The page in another space, with the other parameters as they are. */
function addressOf(space) {
  const url = new URL(location.href);
  url.searchParams.set('space', space);
  return url.href;
}

function listItem(...content) {
  const place = document.createElement('li');
  place.append(...content);
  return place;
}

export class Situation {
  #element;
  #client;
  #facts = { state: 'connecting', error: null, lost: false, removed: null, bodies: 0, sources: [], names: [] };
  #shown = null;
  #timer = 0;

  /** @param {HTMLElement} element with a heading, an advice, a list and a button @param {import('jointcast').Client} client */
  constructor(element, client) {
    this.#element = element;
    this.#client = client;
    element.querySelector('button').addEventListener('click', () => location.reload());
    client.on('state', ({ state }) => {
      const begins = state === 'connected';
      this.#learn({ state, ...(begins && { error: null }), ...(state === 'live' && { lost: true }) });
    });
    client.on('error', (error) => {
      if (error.code)
        this.#learn({ error });
    });
    client.on('moderated', ({ space, action, reason }) => {
      if (space === client.space && ['kick', 'ban', 'close'].includes(action))
        this.#learn({ removed: reason ?? '' });
    });
    this.#learn({});
  }

  /** @param {number} bodies visible @param {readonly object[]} sources that wait @param {readonly string[]} names of bodies without motion */
  count(bodies, sources, names) {
    this.#learn({ bodies, sources, names });
  }

  #learn(facts) {
    Object.assign(this.#facts, facts);
    const now = situationOf(this.#facts);
    const isPassing = now === 'connecting' || now === 'connected' || now === 'empty';
    clearTimeout(this.#timer);
    if (isPassing && this.#shown !== now)
      this.#timer = setTimeout(() => this.#show(now), PATIENCE_MS);
    else
      this.#show(now);
  }

  #show(now) {
    const element = this.#element;
    this.#shown = now;
    element.hidden = now === null;
    if (now === null)
      return;
    const { space } = this.#client;
    const links = this.#spaces(now);
    const key = now === 'unknown-space' && links.length === 0 ? 'no-space' : now;
    const values = { space, host: location.host, origin: location.origin, hostname: location.hostname,
      reason: this.#facts.removed || text('situation.removed.unsaid') };
    element.dataset.situation = now;
    element.classList.toggle('aside', this.#facts.bodies > 0);
    this.#write('h2', text(`situation.${key}`, values));
    this.#write('.advice', text(`situation.${key}.advice`, values));
    const items = now === 'waiting' ? this.#reasons() : links;
    const list = element.querySelector('ul');
    if (list.textContent !== items.map(({ textContent }) => textContent).join(''))
      list.replaceChildren(...items);
    list.hidden = items.length === 0;
    element.querySelector('button').hidden = !['closed', 'removed'].includes(now);
  }

  #write(part, words) {
    const element = this.#element.querySelector(part);
    if (element.textContent !== words)
      element.textContent = words;
  }

  /** Links to the spaces that are open to the visitor. */
  #spaces(now) {
    if (!['unknown-space', 'not-allowed', 'banned'].includes(now))
      return [];
    const { space, welcome } = this.#client;
    return (welcome?.spaces ?? []).filter((name) => name !== space)
      .map((name) => listItem(Object.assign(document.createElement('a'), { href: addressOf(name), textContent: name, dir: 'auto' })));
  }

  /** The reason of each source and body that waits. */
  #reasons() {
    const { sources, names } = this.#facts;
    return [...sources.map(({ name, source, reason }) => listItem(
      text(reason ? 'situation.source.reason' : 'situation.source', { name, source, reason }))),
    ...names.map((name) => listItem(text('waiting.body', { name })))];
  }
}
