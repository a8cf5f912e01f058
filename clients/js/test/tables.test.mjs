// The tables of bones and joints against the texts of the specifications, transcribed here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BONES, BONE_PARENTS, JOINTS } from '../tables.js';

/** EXT_skeleton_humanoid, "Bone hierarchy": children indented; one side stands for both. */
const HIERARCHY = `
hips
  spine
    chest
      upperChest
        neck
          head
            Eye
            jaw
        Shoulder
          UpperArm
            LowerArm
              Hand
                ThumbMetacarpal
                  ThumbProximal
                    ThumbDistal${['Index', 'Middle', 'Ring', 'Little'].map((finger) => `
                ${finger}Proximal
                  ${finger}Intermediate
                    ${finger}Distal`).join('')}
  UpperLeg
    LowerLeg
      Foot
        Toes`;

test('bones and their parents are those of EXT_skeleton_humanoid', () => {
  const parents = new Map();
  const above = [];
  for (const line of HIERARCHY.trim().split('\n')) {
    const name = line.trim();
    const depth = line.search(/\S/) / 2;
    const parent = above[depth - 1];
    above[depth] = name;
    const isSided = (text) => /^[A-Z]/.test(text ?? '');
    for (const side of isSided(name) ? ['left', 'right'] : ['']) {
      parents.set(side + name, parent === undefined ? null : (isSided(parent) ? side : '') + parent);
    }
  }
  assert.equal(parents.size, 55);
  assert.deepEqual([...BONES].sort(), [...parents.keys()].sort());
  BONES.forEach((bone, i) => assert.equal(BONES[BONE_PARENTS[i]] ?? null, parents.get(bone), bone));
});

test('joints are the 83 of XRBodyJoint, in its order', () => {
  const finger = (side, name, metacarpal = `${name}-metacarpal`) => [metacarpal, `${name}-phalanx-proximal`,
    `${name}-phalanx-intermediate`, `${name}-phalanx-distal`, `${name}-tip`].map((part) => `${side}-hand-${part}`);
  // The draft spells the metacarpal of the left middle finger differently.
  const hand = (side, middle) => [`${side}-hand-palm`, `${side}-hand-wrist`, `${side}-hand-thumb-metacarpal`,
    `${side}-hand-thumb-phalanx-proximal`, `${side}-hand-thumb-phalanx-distal`, `${side}-hand-thumb-tip`,
    ...finger(side, 'index'), ...finger(side, 'middle', middle), ...finger(side, 'ring'), ...finger(side, 'little')];
  const arm = (side) => ['shoulder', 'scapula', 'arm-upper', 'arm-lower', 'hand-wrist-twist'].map((part) => `${side}-${part}`);
  const leg = (side) => ['upper-leg', 'lower-leg', 'foot-ankle-twist', 'foot-ankle', 'foot-subtalar',
    'foot-transverse', 'foot-ball'].map((part) => `${side}-${part}`);
  const joints = ['hips', 'spine-lower', 'spine-middle', 'spine-upper', 'chest', 'neck', 'head',
    ...arm('left'), ...arm('right'), ...hand('left', 'middle-phalanx-metacarpal'), ...hand('right'),
    ...leg('left'), ...leg('right')];
  assert.equal(joints.length, 83);
  assert.deepEqual([...JOINTS], joints);
});
