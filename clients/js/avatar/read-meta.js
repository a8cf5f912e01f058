// The meta of a VRM: who may act as the avatar, and texts for people; the cost of its springs.

import { isIndex, isObject } from './avatar-reader.js';
/** @import { AvatarReader } from './avatar-reader.js' */
/** @import { AvatarFacts } from './check.js' */

const TEXT = 255;

/** A text for people, without control characters. @param {unknown} value */
const textOf = (value) => (typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, TEXT) : '');

/** @param {AvatarFacts} facts @param {Record<string, any>} meta of VRMC_vrm */
function readVrm1(facts, meta) {
  facts.permission = meta.avatarPermission === 'everyone' ? 'everyone'
    : meta.avatarPermission === 'onlySeparatelyLicensedPerson' ? 'licensed' : 'onlyAuthor';
  facts.modification = meta.modification === 'allowModificationRedistribution' ? 'redistributed'
    : meta.modification === 'allowModification' ? 'allowed' : 'prohibited';
  facts.mayRedistribute = meta.allowRedistribution === true;
  facts.title = textOf(meta.name);
  facts.author = textOf(Array.isArray(meta.authors) ? meta.authors.map(textOf).join(', ') : '');
  facts.licence = textOf(meta.licenseUrl);
}

/** The Creative Commons licences permit copies; those without ND permit changed ones too. @param {AvatarFacts} facts @param {Record<string, any>} meta of VRM */
function readVrm0(facts, meta) {
  const licence = textOf(meta.licenseName);
  facts.permission = meta.allowedUserName === 'Everyone' ? 'everyone'
    : meta.allowedUserName === 'ExplicitlyLicensedPerson' ? 'licensed' : 'onlyAuthor';
  facts.modification = licence.startsWith('CC') && !licence.endsWith('_ND') ? 'redistributed' : 'prohibited';
  facts.mayRedistribute = licence !== '' && licence !== 'Redistribution_Prohibited';
  facts.title = textOf(meta.title);
  facts.author = textOf(meta.author);
  facts.licence = licence === 'Other' ? textOf(`Other: ${textOf(meta.otherLicenseUrl)}`) : licence;
}

/** Format, permissions and texts. Unknown and missing values permit nothing. @param {AvatarReader} reader */
export function readMeta(reader) {
  const { facts, json } = reader;
  const { VRMC_vrm: v1, VRM: v0 } = isObject(json.extensions) ? json.extensions : /** @type {any} */ ({});
  facts.isVrm = Boolean(v1 ?? v0);
  facts.format = v1 ? 'vrm1' : v0 ? 'vrm0' : 'gltf';
  const meta = isObject((v1 ?? v0)?.meta) ? (v1 ?? v0).meta : {};
  if (v1) {
    readVrm1(facts, meta);
  } else if (v0) {
    readVrm0(facts, meta);
  }
  facts.licence ||= textOf(json.asset?.copyright);
}

/** @param {any} value @returns {any[]} */
const arrayOf = (value) => (Array.isArray(value) ? value : []);

/** The colliders of the groups that a spring lists. @param {any} spring @param {any[]} groups */
const collidersOf = (spring, groups) => arrayOf(spring?.colliderGroups).reduce((sum, index) =>
  sum + (isIndex(index, groups.length) ? arrayOf(groups[index]?.colliders).length : 0), 0);

/** How many nodes hang at each node, itself included. @param {any[]} nodes */
function countBelow(nodes) {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach(({ children }, i) => arrayOf(children).forEach((child) => { parents[child] = i; }));
  const below = new Uint32Array(nodes.length);
  nodes.forEach((_, i) => {
    for (let node = i; node >= 0; node = parents[node]) {
      below[node]++;
    }
  });
  return below;
}

/**
 * Spring bones. A renderer moves each joint in every picture and tests it against each collider of its
 * spring, so that a small file could stop a page.
 *
 * @param {AvatarReader} reader after its nodes are checked
 */
export function checkSprings(reader) {
  const { VRMC_springBone: v1, VRM: v0 } = isObject(reader.json.extensions) ? reader.json.extensions : /** @type {any} */ ({});
  const old = v0?.secondaryAnimation;
  const below = countBelow(reader.list('nodes'));
  const sumOf = (/** @type {any} */ springs, /** @type {any} */ groups, /** @type {(spring: any) => number} */ joints) =>
    arrayOf(springs).reduce((sum, spring) => sum + joints(spring) * (1 + collidersOf(spring, arrayOf(groups))), 0);
  reader.facts.springs = sumOf(v1?.springs, v1?.colliderGroups, (spring) => arrayOf(spring?.joints).length) +
    // VRM 0.x lists roots, and all nodes below them are joints.
    sumOf(old?.boneGroups, old?.colliderGroups, (spring) => arrayOf(spring?.bones).reduce((sum, root) =>
      sum + (isIndex(root, below.length) ? below[root] : 0), 0));
  reader.cap('springs', 'joints of springs with their colliders');
}
