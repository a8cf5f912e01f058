// Motion files of the visitor: the daemon replays them in a private space, which the page opens. An
// avatar that the visitor dropped before goes with the visitor. Does not use three.js.

import { splitGltf } from 'jointcast';
import { text } from './texts.js';
import { go, presentOf } from './controls/timeline.js';

const MOTIONS = /\.(bvh|vrma|jsonl|json|csv|mcap|wrl|wrz|x3d|x3dv|x3dz)$/i;
const GLTF = /\.(glb|gltf)$/i;
/** Where the browser keeps the avatar until the private space is open. */
const CACHE = 'jointcast-avatar';
const KEPT = 'avatar';
/** Its note, of that page of the browser. */
const LATER = 'jointcast-note';

/** Whether a file is played instead of worn: a glTF without meshes has nothing to wear. */
export async function isMotion(file) {
  if (!GLTF.test(file.name))
    return MOTIONS.test(file.name);
  try {
    const { json } = splitGltf(await file.arrayBuffer());
    return !json.meshes?.length && json.animations?.length > 0;
  } catch {
    return false;
  }
}

/** Browsers have no cache for pages that are not secure; such a page forgets the avatar. */
async function keep(file) {
  const cache = file && await globalThis.caches?.open(CACHE);
  await cache?.put(KEPT, new Response(file, { headers: { 'X-Name': encodeURIComponent(file.name) } }));
}

/** The kept avatar, which is kept no longer. @returns {Promise<File | null>} */
async function takeKept() {
  const kept = await globalThis.caches?.match(KEPT, { cacheName: CACHE });
  await globalThis.caches?.delete(CACHE);
  return kept ? new File([await kept.blob()], decodeURIComponent(kept.headers.get('X-Name'))) : null;
}

/** A browser may forbid to store anything; such a page forgets the note. */
function keepNote(note) {
  try {
    sessionStorage.setItem(LATER, note);
  } catch {
    // The visitor sees which motion plays.
  }
}

function takeNote() {
  try {
    const note = sessionStorage.getItem(LATER);
    sessionStorage.removeItem(LATER);
    return note;
  } catch {
    return null;
  }
}

export class OwnMotion {
  #client;
  #note;
  /** The avatar file that a body of the page wears. @type {File | null} */
  worn = null;

  /**
   * @param {import('jointcast').Client} client
   * @param {(file: File, id: number) => void} wear shows an avatar on a body
   * @param {(message: string, isBad?: boolean) => void} note
   */
  constructor(client, wear, note) {
    this.#client = client;
    this.#note = note;
    const later = takeNote();
    if (later)
      note(later);
    const kept = takeKept();
    const dress = async ({ id }) => {
      client.off('enter', dress);
      const file = await kept;
      if (file)
        wear(file, id);
    };
    if (presentOf(client.space) !== null)
      client.on('enter', dress);
  }

  /**
   * @param {File} file of any format that the daemon plays
   * @param {File | null} [avatar] which it moves
   * @param {string} [later] what the page of the private space notes
   */
  async play(file, avatar = this.worn, later = '') {
    const { name } = file;
    this.#note(text('motion.sending', { file: name }));
    try {
      const space = await this.#client.replays.playFile(await file.arrayBuffer(), name);
      await keep(avatar);
      keepNote(later);
      go(space);
    } catch (error) {
      this.#note(text('motion.refused', { file: name, reason: error.message }), true);
    }
  }
}
