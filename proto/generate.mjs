#!/usr/bin/env node
// Writes the C and JS tables of bones and joints from joints.json, those of chains
// from chain-table.json and those of faces from face.json, the single sources.
// With --check nothing is written: it fails when a committed table differs from
// what they say.
//
// usage: node proto/generate.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chainLevelsSource, chainTableScript, chainTableSource, checkChainTable, modelTableScript } from './chain-table.mjs';
import { checkFace, faceTableScript, faceTableSource, xrFaceTableSource } from './face-table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { bones, joints, profiles } = read('proto/joints.json');
const chains = read('proto/chain-table.json');
const face = read('proto/face.json');
const noteOf = (path) => `Generated from ${path} by proto/generate.mjs; do not edit.`;
const note = noteOf('proto/joints.json');
const chainNote = noteOf('proto/chain-table.json');
const faceNote = noteOf('proto/face.json');

function constant(prefix, name) {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  return `${prefix}_${words.toUpperCase()}`;
}

const bone = (name) => (name === null ? 'JC_BONE_NONE' : constant('JC_BONE', name));
const joint = (name) => (name === null ? 'JC_JOINT_NONE' : constant('JC_JOINT', name));

function sectionRange(section) {
  const members = bones.map((b, i) => [b, i]).filter(([b]) => b.section === section).map(([, i]) => i);
  const first = members[0];
  if (members.some((index, k) => index !== first + k)) {
    throw new Error(`the bones of section '${section}' are not contiguous`);
  }
  return { first, count: members.length };
}

function check() {
  const seen = (list, what) => {
    const names = new Set();
    for (const { name, parent } of list) {
      if (names.has(name)) throw new Error(`${what} '${name}' is listed twice`);
      if (parent !== null && what === 'bone' && !names.has(parent)) {
        throw new Error(`bone '${name}' stands before its parent '${parent}'`);
      }
      names.add(name);
    }
    return names;
  };
  const boneNames = seen(bones, 'bone');
  const jointNames = seen(joints, 'joint');
  for (const j of joints) {
    if (j.parent !== null && !jointNames.has(j.parent)) throw new Error(`joint '${j.name}' has no parent '${j.parent}'`);
    if (j.bone !== null && !boneNames.has(j.bone)) throw new Error(`joint '${j.name}' drives no bone '${j.bone}'`);
  }
}

/** The axes of every joint under a profile, [along the bone, up], and whether its source delivers it. */
function jointFrames({ name, joints: key, like, axes }) {
  const ranges = axes ?? profiles.find((p) => p.name === like).axes;
  const place = (joint) => {
    const index = joints.findIndex((j) => j.name === joint);
    if (index < 0) throw new Error(`profile '${name}' knows no joint '${joint}'`);
    return index;
  };
  return joints.map((joint, i) => {
    const found = ranges.filter(([first, last]) => place(first) <= i && i <= place(last));
    if (found.length !== 1) throw new Error(`profile '${name}' has ${found.length} axes for '${joint.name}'`);
    const [, , bone, up] = found[0];
    if (!/^[-+][XYZ]$/.test(bone) || !/^[-+][XYZ]$/.test(up) || bone[1] === up[1]) {
      throw new Error(`profile '${name}' has no axes '${bone}', '${up}'`);
    }
    return { bone, up, delivered: joint[key] !== null };
  });
}

const otherSide = (name) => name.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'));

/** Name of the same thing on the other side; its own in the middle. */
function mirror(list, { name }) {
  const other = otherSide(name);
  const found = list.find((entry) => entry.name === other || entry.aliases?.includes(other));
  if (!found) throw new Error(`'${name}' has no '${other}' on the other side`);
  return found.name;
}

function header() {
  const sections = ['body', 'face', 'hands'];
  return `/* ${note} */
/* clang-format off */
#ifndef JOINTCAST_TABLES_H
#define JOINTCAST_TABLES_H

#ifdef __cplusplus
extern "C" {
#endif

/* The humanoid bone set of EXT_skeleton_humanoid and VRM 1.0, parents first. */
enum jc_bone {
	JC_BONE_NONE = -1,
${bones.map((b) => `	${bone(b.name)},`).join('\n')}
	JC_BONE_COUNT
};

/* Where each packet section's bones stand in enum jc_bone. */
enum {
${sections.map((s) => {
    const { first, count } = sectionRange(s);
    return `	JC_SECTION_${s.toUpperCase()}_FIRST = ${first},\n	JC_SECTION_${s.toUpperCase()}_COUNT = ${count},`;
  }).join('\n')}
};

/* The joints of the WebXR Body Tracking draft, in the draft's order. */
enum jc_joint {
	JC_JOINT_NONE = -1,
${joints.map((j) => `	${joint(j.name)},`).join('\n')}
	JC_JOINT_COUNT
};

/* Which way a source's joint axes lie; proto/BODY-FRAMES.md has them. */
enum jc_profile {
${profiles.map((p) => `	${constant('JC_PROFILE', p.name)},`).join('\n')}
	JC_PROFILE_COUNT
};

#ifdef __cplusplus
}
#endif

#endif
`;
}

const real = (x) => {
  const text = Math.fround(x) === x ? String(x) : x.toPrecision(9).replace(/0+$/, '').replace(/\.$/, '.0');
  return `${/[.e]/.test(text) ? text : `${text}.0`}f`;
};
const vec3 = ([x, y, z]) => `{ ${real(x)}, ${real(y)}, ${real(z)} }`;

const axis = ([sign, letter]) => vec3(['X', 'Y', 'Z'].map((one) => (one === letter ? Number(`${sign}1`) : 0)));

function source() {
  const aliases = joints.flatMap((j) => (j.aliases ?? []).map((alias) => [alias, j.name]));
  return `/* ${note} */
/* clang-format off */
#include "tables.h"

const struct jc_bone_entry jc_bone_table[JC_BONE_COUNT] = {
${bones.map((b) => `	{ "${b.name}", ${bone(b.parent)}, ${bone(mirror(bones, b))}, ${vec3(b.rest)} },`).join('\n')}
};

const struct jc_joint_entry jc_joint_table[JC_JOINT_COUNT] = {
${joints.map((j) => `	{ "${j.name}", ${joint(j.parent)}, ${joint(mirror(joints, j))}, ${bone(j.bone)},
	  ${vec3(j.tPose.bone)}, ${vec3(j.tPose.up)} },`).join('\n')}
};

const struct jc_joint_alias jc_joint_aliases[] = {
${aliases.map(([alias, name]) => `	{ "${alias}", ${joint(name)} },`).join('\n')}
};

const size_t jc_joint_alias_count = sizeof(jc_joint_aliases) / sizeof(jc_joint_aliases[0]);
`;
}

/** Axes are named by sign and letter; consecutive joints with the same axes share a line. */
function profileSource() {
  const name = (a) => `${a[0] === '-' ? 'N' : 'P'}${a[1]}`;
  const runs = (items) => {
    const found = [];
    items.forEach((text, i) => {
      if (found.at(-1)?.text === text) found.at(-1).last = i;
      else found.push({ text, first: i, last: i });
    });
    return found.map(({ text, first, last }) => `\t\t[${first < last ? `${first} ... ${last}` : first}] = ${text},`).join('\n');
  };
  return `/* ${note} */
/* clang-format off */
#include "tables.h"

${['+X', '-X', '+Y', '-Y', '+Z', '-Z'].map((a) => `#define ${name(a)} ${axis(a)}`).join('\n')}

const struct jc_profile_entry jc_profile_table[JC_PROFILE_COUNT] = {
${profiles.map((p) => `	{ "${p.name}", {
${runs(jointFrames(p).map(({ bone, up, delivered }) => `{ ${name(bone)}, ${name(up)}, ${delivered} }`))}
	} },`).join('\n')}
};
`;
}

/** Where each joint stands in what OpenXR's body trackers deliver. */
function xrSource() {
  const index = (value) => (value === null ? 'NONE' : value);
  return `/* ${note} */
/* clang-format off */
#include "source/openxr/trackers/xr_joints.h"

#define NONE (-1)

const struct jc_xr_joint jc_xr_joints[JC_JOINT_COUNT] = {
${joints.map((j) => `	{ ${['meta', 'fb', 'bd', 'htc'].map((key) => index(j[key])).join(', ')} },`).join('\n')}
};
`;
}

function script() {
  const sections = Object.fromEntries(['body', 'face', 'hands'].map((s) => [s, sectionRange(s)]));
  const index = new Map(bones.map((b, i) => [b.name, i]));
  const jointIndex = new Map(joints.map((j, i) => [j.name, i]));
  return `// ${note}

/**
 * Name of a bone: one of BONES.
 *
 * @typedef {string} BoneName
 */

/** Bone names of EXT_skeleton_humanoid and VRM 1.0, parents first; a bone's index is its place here. */
export const BONES = /* @__PURE__ */ Object.freeze(${JSON.stringify(bones.map((b) => b.name), null, 2)});

/** Index of each bone's parent bone, -1 for the hips. */
export const BONE_PARENTS = /* @__PURE__ */ Object.freeze([${bones.map((b) => (b.parent === null ? -1 : index.get(b.parent))).join(', ')}]);

/**
 * First bone and bone count of each rotation section of a packet.
 *
 * @type {Readonly<Record<'body' | 'face' | 'hands', { readonly first: number, readonly count: number }>>}
 */
export const BONE_SECTIONS = /* @__PURE__ */ Object.freeze(${JSON.stringify(sections)});

/** Joint names of the WebXR Body Tracking draft, in its order. */
export const JOINTS = /* @__PURE__ */ Object.freeze(${JSON.stringify(joints.map((j) => j.name), null, 2)});

/** Index of each joint's parent joint, -1 for the hips. */
export const JOINT_PARENTS = /* @__PURE__ */ Object.freeze([${joints.map((j) => (j.parent === null ? -1 : jointIndex.get(j.parent))).join(', ')}]);

/** Other spellings of joint names. @type {Readonly<Record<string, string>>} */
export const JOINT_ALIASES = /* @__PURE__ */ Object.freeze(${JSON.stringify(Object.fromEntries(joints.flatMap((j) => (j.aliases ?? []).map((a) => [a, j.name]))), null, 2)});

/**
 * The joints' axes by profile: for each of JOINTS the local axis along its bone and the one that
 * is up in the T-pose.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PROFILES = /* @__PURE__ */ Object.freeze(${JSON.stringify(Object.fromEntries(profiles.map((p) => [p.name, jointFrames(p).map(({ bone, up }) => `${bone}${up}`)])), null, 2).replace(/\[[^\]]*\]/g, (list) => `[${list.slice(1, -1).split(',').map((one) => one.trim()).join(', ')}]`)});
`;
}

check();
const boneNames = bones.map((b) => b.name);
checkChainTable(chains, bones);
checkFace(face);
const outputs = [
  ['include/jointcast/tables.h', header()],
  ['src/humanoid/tables.c', source()],
  ['src/humanoid/profile_table.c', profileSource()],
  ['daemon/source/openxr/trackers/xr_joints.c', xrSource()],
  ['clients/js/tables.js', script()],
  ['src/codec/chain_table.c', chainTableSource(chains, bones, chainNote)],
  ['src/codec/chain_levels.c', chainLevelsSource(noteOf('proto/chain-table.mjs'))],
  ['daemon/source/face/face_table.c', faceTableSource(face, faceNote)],
  ['daemon/source/openxr/face/xr_face_table.c', xrFaceTableSource(face, faceNote)],
  ['clients/js/face/face-table.js', faceTableScript(face, faceNote)],
  ['clients/js/coding/chain-table.js', chainTableScript(chains, boneNames, chainNote)],
  ['clients/js/coding/model-table.js', modelTableScript(chains, bones, chainNote)],
];
const checking = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of outputs) {
  const file = join(root, path);
  if (!checking) {
    writeFileSync(file, text);
    continue;
  }
  let committed = '';
  try { committed = readFileSync(file, 'utf8'); } catch { /* absent counts as stale */ }
  if (committed !== text) {
    console.error(`${path} is not what node proto/generate.mjs writes`);
    stale += 1;
  }
}
process.exit(stale ? 1 : 0);
