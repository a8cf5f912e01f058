// A body's stream of coding 2: its chains kept in step (PROTOCOL.md, sections 7
// and 11). Packets of other codings pass through.

import { BONES } from './tables.js';
import { SEQUENCES, decodePayload } from './bundle.js';
import { ChainDecoder } from './chain.js';
import { ProtocolError } from './error.js';

const SECTIONS = ['body', 'face', 'hands', 'hips', 'channels', 'virtual'];
const HIPS = 3;
const CHANNELS = 4;
const VIRTUAL = 5;
const CHAIN_OF = [-1, 0, 1, 2, HIPS, -1, -1, CHANNELS, VIRTUAL]; // by id of section

export class StreamDecoder {
  #chains = SECTIONS.map((section) => new ChainDecoder(section));
  #states = new Uint8Array(BONES.length); // as last told
  #needsState = false;
  #seen = 0;

  /** The next packet that needs state can be followed, if it is the next. */
  synchronized = false;
  incarnation = -1;
  sequence = 0;
  /** It has packets in ticks that this divides. */
  pace = 1;

  /** The chains are in step: a bundle without the body means that it stands still. */
  get isFollowing() {
    return this.synchronized && this.#chains.some((chain) => chain.started);
  }

  /** Whether a packet comes right after the one before. */
  isNext(sequence, incarnation) {
    return this.synchronized && incarnation === this.incarnation &&
      sequence === (this.sequence + 1) % SEQUENCES;
  }

  /** The connection is another: what comes next begins anew. */
  reset() {
    this.synchronized = false;
  }

  /**
   * Takes in the packet whose sections are start … stop - 1 of a message.
   *
   * @param {Uint8Array} message
   * @param {number} start
   * @param {number} stop
   * @param {{needsState: boolean, shape?: number, sequence: number, incarnation: number}} head
   * @param {import('./skeleton.js').Skeleton | null} skeleton that the body wears
   * @param {import('./bundle.js').Payload} payload how the body stands then; R
   * @returns {boolean} false: the state for it is not there, a rejoin is needed
   * @throws {ProtocolError} for damage, after which a rejoin is needed
   */
  decode(message, start, stop, head, skeleton, payload) {
    const follows = this.isNext(head.sequence, head.incarnation);
    this.synchronized = false;
    if (head.needsState && !follows) {
      return false;
    }
    if (!head.needsState) {
      this.#chains.forEach((chain) => {
        chain.started = false;
      });
      this.#states.fill(0);
    }
    this.#needsState = head.needsState;
    this.#seen = 0;
    decodePayload(message, start, stop, payload, head.shape, this);
    if (head.needsState) {
      this.#holdOthers();
    } else {
      this.pace = payload.pace || 1;
    }
    this.#show(skeleton, payload);
    this.synchronized = true;
    this.incarnation = head.incarnation;
    this.sequence = head.sequence;
    return true;
  }

  /** For decodePayload: one section of coding 2. */
  readChain(section, bytes, start, end) {
    const chain = this.#chains[CHAIN_OF[section]];
    this.#seen |= 1 << CHAIN_OF[section];
    if (!this.#needsState) {
      chain.readRejoin(bytes, start, end);
    } else if (chain.started) {
      chain.decode(bytes, start, end);
    } else {
      throw new ProtocolError('invalid', 'a chain goes on that never began');
    }
  }

  #holdOthers() {
    for (let i = 0; i < this.#chains.length; i++) {
      if (this.#chains[i].started && !(this.#seen & (1 << i))) {
        this.#chains[i].hold();
      }
    }
  }

  #show(skeleton, payload) {
    const { rotations } = payload;
    for (let i = 0; i < HIPS; i++) {
      const chain = this.#chains[i];
      if (!chain.started) {
        continue;
      }
      chain.rotations(rotations);
      for (let k = 0; k < chain.count; k++) {
        const bone = chain.bones[k];
        if (skeleton && skeleton.bones[bone] >= 0) {
          skeleton.relativeRotation(bone, rotations, rotations, 4 * bone);
          payload.masks[i] |= 1 << (bone - chain.range.first);
        } else {
          rotations.fill(0, 4 * bone, 4 * bone + 3);
          rotations[4 * bone + 3] = 1;
        }
      }
    }
    if (this.#chains[HIPS].started) {
      this.#chains[HIPS].points(payload.hips);
      payload.hasHips = true;
    }
    const channels = this.#chains[CHANNELS];
    if (channels.started) {
      channels.points(payload.values);
      payload.valueCount = 3 * channels.count;
    }
    const virtual = this.#chains[VIRTUAL];
    if (virtual.started) {
      virtual.points(payload.virtualPositions);
      virtual.rotations(payload.virtualRotations);
      payload.virtualCount = virtual.count / 2;
    }
    if (payload.hasStates) {
      this.#states.set(payload.states);
    } else {
      payload.states.set(this.#states);
    }
  }
}
