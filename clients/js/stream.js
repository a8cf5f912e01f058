// Decodes a body's stream: maintains the chains of codings 2 and 3 (proto/SMALL-PACKETS.md, "Streams with state").
// Packets of other codings need no state.

import { BONES } from './tables.js';
import { SEQUENCES, decodePayload } from './bundle.js';
import { CODING_OF_STREAM } from './coding/payload.js';
import { ChainDecoder } from './chain.js';
import { ProtocolError } from './error.js';
/**
 * @import { Payload } from './bundle.js'
 * @import { ChainSection } from './chain.js'
 * @import { Skeleton } from './skeleton.js'
 */

/** @type {ChainSection[]} */
const SECTIONS = ['body', 'face', 'hands', 'hips', 'channels', 'virtual'];
const HIPS = 3;
const CHANNELS = 4;
const VIRTUAL = 5;
const CHAIN_OF = [-1, 0, 1, 2, HIPS, -1, -1, CHANNELS, VIRTUAL]; // by section id

/** A body's stream of coding 2 or 3: its chains kept in step. Packets of other codings pass through. */
export class StreamDecoder {
  #chains = SECTIONS.map((section) => new ChainDecoder(section));
  #states = new Uint8Array(BONES.length); // from the last packet with states
  #needsState = false;
  #seen = 0;
  #synchronized = false;
  #incarnation = -1;
  #sequence = 0;
  #pace = 1;

  /** Whether the state is valid for the packet with the next sequence number. */
  get synchronized() {
    return this.#synchronized;
  }

  /** Incarnation of the newest packet; -1 before the first. */
  get incarnation() {
    return this.#incarnation;
  }

  /** Sequence number of the newest packet. */
  get sequence() {
    return this.#sequence;
  }

  /** The stream has packets in ticks divisible by this number. */
  get pace() {
    return this.#pace;
  }

  /**
   * True if the chains are valid: a bundle without the body then means that it stands still.
   *
   * @returns {boolean}
   */
  get isFollowing() {
    return this.synchronized && this.#chains.some((chain) => chain.started);
  }

  /**
   * Whether a packet directly follows the previous one.
   *
   * @param {number} sequence
   * @param {number} incarnation
   * @returns {boolean}
   */
  isNext(sequence, incarnation) {
    return this.synchronized && incarnation === this.incarnation &&
      sequence === (this.sequence + 1) % SEQUENCES;
  }

  /** Resets the state for a new connection. */
  reset() {
    this.#synchronized = false;
  }

  /**
   * Decodes the packet whose sections are bytes start … stop - 1 of a message, and writes the pose
   * after it into `payload`.
   *
   * @param {Uint8Array} message
   * @param {number} start
   * @param {number} stop
   * @param {{ needsState: boolean, shape?: number, sequence: number, incarnation: number }} head
   * @param {Skeleton | null} skeleton of the body
   * @param {Payload} payload receives the pose; R
   * @returns {boolean} false if its state is missing and a rejoin is needed
   * @throws {ProtocolError} for a damaged packet; a rejoin is then needed
   */
  decode(message, start, stop, head, skeleton, payload) {
    const follows = this.isNext(head.sequence, head.incarnation);
    this.#synchronized = false;
    if (head.needsState && !follows) {
      return false;
    }
    if (!head.needsState) {
      this.#chains.forEach((chain) => {
        chain.isStarted = false;
      });
      this.#states.fill(0);
    }
    this.#needsState = head.needsState;
    this.#seen = 0;
    decodePayload(message, start, stop, payload, head.shape, this);
    if (head.needsState) {
      this.#holdOthers();
    } else {
      this.#pace = payload.pace || 1;
    }
    this.#show(skeleton, payload);
    this.#synchronized = true;
    this.#incarnation = head.incarnation;
    this.#sequence = head.sequence;
    return true;
  }

  /**
   * Decodes one section of coding 2 or 3 for decodePayload.
   *
   * @param {number} section
   * @param {number} coding
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @internal
   */
  readChain(section, coding, bytes, start, end) {
    const chain = this.#chains[CHAIN_OF[section]];
    this.#seen |= 1 << CHAIN_OF[section];
    if (!this.#needsState) {
      if (this.#chains.some((other) => other.started && other.coding !== coding)) {
        throw new ProtocolError('invalid', 'a packet has chains of two codings');
      }
      chain.readRejoin(bytes, start, end, coding);
    } else if (chain.started && (coding === CODING_OF_STREAM || coding === chain.coding)) {
      chain.decode(bytes, start, end);
    } else {
      throw new ProtocolError('invalid', 'a section continues a chain that has not started');
    }
  }

  #holdOthers() {
    for (let i = 0; i < this.#chains.length; i++) {
      if (this.#chains[i].started && !(this.#seen & (1 << i))) {
        this.#chains[i].hold();
      }
    }
  }

  /** @param {Skeleton | null} skeleton @param {Payload} payload */
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
