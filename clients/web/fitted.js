// A body that the server retargets to the skeleton of an avatar. It arrives over a separate
// connection that subscribes only to this body.

const NAME_BYTES = 63;

/** Name for the registration of a file's skeleton: the file name, shortened. */
export function nameAfter(fileName) {
  const encoder = new TextEncoder();
  let name = fileName.replace(/[\u0000-\u001f\u007f]/g, '') || 'avatar';
  while (encoder.encode(name).length > NAME_BYTES)
    name = [...name].slice(0, -1).join('');
  return name;
}

export class Fitted {
  #client;
  #id;
  #hash;

  /**
   * @param {(view: object) => import('jointcast').Client} join opens another connection to the space
   * @param {number} id of the body
   * @param {string} hash of the target skeleton
   */
  constructor(join, id, hash) {
    this.#id = id;
    this.#hash = hash;
    this.#client = join({ bodies: [id], skeleton: hash });
    this.#client.on('error', () => {}); // the page then uses the body's own skeleton
  }

  /** The body on that skeleton; null until it arrives. */
  get body() {
    const body = this.#client.bodies.get(this.#id);
    return body?.sent && body.skeleton?.hash === this.#hash ? body : null;
  }

  subscribe(view) {
    this.#client.subscribe(view);
  }

  close() {
    this.#client.close();
  }
}
