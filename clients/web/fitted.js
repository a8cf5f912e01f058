// A body as the server fits it to an avatar's own skeleton: over a line of its own, on
// which that body alone comes.

const NAME_BYTES = 63;

/** What a skeleton of a file is registered as: the file's name, as much of it as fits. */
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
   * @param {(view: object) => import('jointcast').Client} join another line into the space
   * @param {number} id of the body
   * @param {string} hash of the skeleton that it is fitted to
   */
  constructor(join, id, hash) {
    this.#id = id;
    this.#hash = hash;
    this.#client = join({ bodies: [id], skeleton: hash });
    this.#client.on('error', () => {}); // then the page goes by the body's own skeleton
  }

  /** The body on that skeleton; null while it does not come. */
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
