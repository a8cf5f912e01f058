// The expressions of a three-vrm avatar from a body's values. A body with a tracked face has both the
// 52 shapes of ARKit and the presets of VRM 1.0 that follow from them; an avatar with both shows a
// movement once.

import { FACE_PRESETS } from './face-table.js';

/**
 * The part of a three-vrm VRMExpressionManager that is used.
 *
 * @typedef {object} ExpressionManagerLike
 * @property {(name: string, weight: number) => void} setValue
 * @property {(name: string) => unknown} [getExpression] null: the avatar lacks it
 */

/** Largest difference between a value and the formula of its preset that precision causes. */
const SLACK = 0.05;

const clamp = (/** @type {number} */ x) => Math.min(Math.max(x, 0), 1);
const capitalized = (/** @type {string} */ name) => name[0].toUpperCase() + name.slice(1);

/**
 * The shapes behind each preset, those of earlier presets included.
 *
 * @type {Map<string, Set<string>>}
 */
const SHAPES_OF = new Map();
for (const [preset, terms] of Object.entries(FACE_PRESETS)) {
  SHAPES_OF.set(preset, new Set(Object.keys(terms).flatMap((name) => [...SHAPES_OF.get(name) ?? [name]])));
}

/**
 * The presets that follow from shapes.
 *
 * @param {Record<string, number>} values of shapes
 */
function derive(values) {
  /** @type {Record<string, number>} */
  const presets = {};
  for (const [preset, terms] of Object.entries(FACE_PRESETS)) {
    presets[preset] = clamp(Object.entries(terms).reduce((sum, [name, weight]) =>
      sum + weight * (presets[name] ?? values[name] ?? 0), 0));
  }
  return presets;
}

/** Sets the expressions of one avatar. */
export class VrmExpressions {
  #manager;
  /** @type {Map<string, string | null>} */
  #names = new Map();

  /** @param {ExpressionManagerLike} manager of three-vrm */
  constructor(manager) {
    this.#manager = manager;
  }

  /**
   * Sets all values. A preset whose shapes the avatar shows gets only what its formula
   * (proto/face.json) does not explain, such as an emotion that a sender added by a key.
   *
   * @param {Record<string, number>} values 0 to 1 by name, as in the channels "expression/NAME"
   */
  show(values) {
    const explained = derive(values);
    for (const [name, value] of Object.entries(values)) {
      const target = this.#targetOf(name);
      if (target !== null) {
        const rest = this.#isShown(name, values) ? value - explained[name] : value;
        this.#manager.setValue(target, rest === value || rest > SLACK ? rest : 0);
      }
    }
  }

  /**
   * Whether the avatar has all shapes of a preset, and the body their values.
   *
   * @param {string} preset
   * @param {Record<string, number>} values
   */
  #isShown(preset, values) {
    const shapes = SHAPES_OF.get(preset);
    return shapes !== undefined && [...shapes].every((shape) =>
      values[shape] !== undefined && this.#hasExpression(shape));
  }

  /** @param {string} name */
  #hasExpression(name) {
    return this.#manager.getExpression !== undefined && this.#targetOf(name) !== null;
  }

  /**
   * The avatar's name of an expression: the same, or with a capital letter as in many "perfect sync"
   * avatars. Null: the avatar has neither.
   *
   * @param {string} name
   */
  #targetOf(name) {
    let target = this.#names.get(name);
    if (target === undefined) {
      const manager = this.#manager;
      target = !manager.getExpression ? name
        : [name, capitalized(name)].find((one) => manager.getExpression?.(one)) ?? null;
      this.#names.set(name, target);
    }
    return target;
  }
}
