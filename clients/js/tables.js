// Generated from proto/joints.json by proto/generate.mjs; do not edit.

/**
 * Name of a bone: one of BONES.
 *
 * @typedef {string} BoneName
 */

/** Bone names of EXT_skeleton_humanoid and VRM 1.0, parents first; a bone's index is its place here. */
export const BONES = /* @__PURE__ */ Object.freeze([
  "hips",
  "spine",
  "chest",
  "upperChest",
  "neck",
  "head",
  "leftShoulder",
  "leftUpperArm",
  "leftLowerArm",
  "leftHand",
  "rightShoulder",
  "rightUpperArm",
  "rightLowerArm",
  "rightHand",
  "leftUpperLeg",
  "leftLowerLeg",
  "leftFoot",
  "leftToes",
  "rightUpperLeg",
  "rightLowerLeg",
  "rightFoot",
  "rightToes",
  "leftEye",
  "rightEye",
  "jaw",
  "leftThumbMetacarpal",
  "leftThumbProximal",
  "leftThumbDistal",
  "leftIndexProximal",
  "leftIndexIntermediate",
  "leftIndexDistal",
  "leftMiddleProximal",
  "leftMiddleIntermediate",
  "leftMiddleDistal",
  "leftRingProximal",
  "leftRingIntermediate",
  "leftRingDistal",
  "leftLittleProximal",
  "leftLittleIntermediate",
  "leftLittleDistal",
  "rightThumbMetacarpal",
  "rightThumbProximal",
  "rightThumbDistal",
  "rightIndexProximal",
  "rightIndexIntermediate",
  "rightIndexDistal",
  "rightMiddleProximal",
  "rightMiddleIntermediate",
  "rightMiddleDistal",
  "rightRingProximal",
  "rightRingIntermediate",
  "rightRingDistal",
  "rightLittleProximal",
  "rightLittleIntermediate",
  "rightLittleDistal"
]);

/** Index of each bone's parent bone, -1 for the hips. */
export const BONE_PARENTS = /* @__PURE__ */ Object.freeze([-1, 0, 1, 2, 3, 4, 3, 6, 7, 8, 3, 10, 11, 12, 0, 14, 15, 16, 0, 18, 19, 20, 5, 5, 5, 9, 25, 26, 9, 28, 29, 9, 31, 32, 9, 34, 35, 9, 37, 38, 13, 40, 41, 13, 43, 44, 13, 46, 47, 13, 49, 50, 13, 52, 53]);

/**
 * First bone and bone count of each rotation section of a packet.
 *
 * @type {Readonly<Record<'body' | 'face' | 'hands', { readonly first: number, readonly count: number }>>}
 */
export const BONE_SECTIONS = /* @__PURE__ */ Object.freeze({"body":{"first":0,"count":22},"face":{"first":22,"count":3},"hands":{"first":25,"count":30}});

/** Joint names of the WebXR Body Tracking draft, in its order. */
export const JOINTS = /* @__PURE__ */ Object.freeze([
  "hips",
  "spine-lower",
  "spine-middle",
  "spine-upper",
  "chest",
  "neck",
  "head",
  "left-shoulder",
  "left-scapula",
  "left-arm-upper",
  "left-arm-lower",
  "left-hand-wrist-twist",
  "right-shoulder",
  "right-scapula",
  "right-arm-upper",
  "right-arm-lower",
  "right-hand-wrist-twist",
  "left-hand-palm",
  "left-hand-wrist",
  "left-hand-thumb-metacarpal",
  "left-hand-thumb-phalanx-proximal",
  "left-hand-thumb-phalanx-distal",
  "left-hand-thumb-tip",
  "left-hand-index-metacarpal",
  "left-hand-index-phalanx-proximal",
  "left-hand-index-phalanx-intermediate",
  "left-hand-index-phalanx-distal",
  "left-hand-index-tip",
  "left-hand-middle-phalanx-metacarpal",
  "left-hand-middle-phalanx-proximal",
  "left-hand-middle-phalanx-intermediate",
  "left-hand-middle-phalanx-distal",
  "left-hand-middle-tip",
  "left-hand-ring-metacarpal",
  "left-hand-ring-phalanx-proximal",
  "left-hand-ring-phalanx-intermediate",
  "left-hand-ring-phalanx-distal",
  "left-hand-ring-tip",
  "left-hand-little-metacarpal",
  "left-hand-little-phalanx-proximal",
  "left-hand-little-phalanx-intermediate",
  "left-hand-little-phalanx-distal",
  "left-hand-little-tip",
  "right-hand-palm",
  "right-hand-wrist",
  "right-hand-thumb-metacarpal",
  "right-hand-thumb-phalanx-proximal",
  "right-hand-thumb-phalanx-distal",
  "right-hand-thumb-tip",
  "right-hand-index-metacarpal",
  "right-hand-index-phalanx-proximal",
  "right-hand-index-phalanx-intermediate",
  "right-hand-index-phalanx-distal",
  "right-hand-index-tip",
  "right-hand-middle-metacarpal",
  "right-hand-middle-phalanx-proximal",
  "right-hand-middle-phalanx-intermediate",
  "right-hand-middle-phalanx-distal",
  "right-hand-middle-tip",
  "right-hand-ring-metacarpal",
  "right-hand-ring-phalanx-proximal",
  "right-hand-ring-phalanx-intermediate",
  "right-hand-ring-phalanx-distal",
  "right-hand-ring-tip",
  "right-hand-little-metacarpal",
  "right-hand-little-phalanx-proximal",
  "right-hand-little-phalanx-intermediate",
  "right-hand-little-phalanx-distal",
  "right-hand-little-tip",
  "left-upper-leg",
  "left-lower-leg",
  "left-foot-ankle-twist",
  "left-foot-ankle",
  "left-foot-subtalar",
  "left-foot-transverse",
  "left-foot-ball",
  "right-upper-leg",
  "right-lower-leg",
  "right-foot-ankle-twist",
  "right-foot-ankle",
  "right-foot-subtalar",
  "right-foot-transverse",
  "right-foot-ball"
]);

/** Index of each joint's parent joint, -1 for the hips. */
export const JOINT_PARENTS = /* @__PURE__ */ Object.freeze([-1, 0, 1, 2, 3, 4, 5, 4, 7, 8, 9, 10, 4, 12, 13, 14, 15, 18, 10, 18, 19, 20, 21, 18, 23, 24, 25, 26, 18, 28, 29, 30, 31, 18, 33, 34, 35, 36, 18, 38, 39, 40, 41, 44, 15, 44, 45, 46, 47, 44, 49, 50, 51, 52, 44, 54, 55, 56, 57, 44, 59, 60, 61, 62, 44, 64, 65, 66, 67, 0, 69, 70, 71, 72, 73, 74, 0, 76, 77, 78, 79, 80, 81]);

/** Other spellings of joint names. @type {Readonly<Record<string, string>>} */
export const JOINT_ALIASES = /* @__PURE__ */ Object.freeze({
  "left-hand-middle-metacarpal": "left-hand-middle-phalanx-metacarpal",
  "right-hand-middle-phalanx-metacarpal": "right-hand-middle-metacarpal"
});

/**
 * The joints' axes by profile: for each of JOINTS the local axis along its bone and the one that
 * is up in the T-pose.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PROFILES = /* @__PURE__ */ Object.freeze({
  "webxr-spec": ["-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y"],
  "meta": ["-X+Y", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "-X+Z", "-Z-X", "-X+Z", "-X+Z", "-X+Z", "+X-Z", "+Z-X", "+X-Z", "+X-Z", "+X-Z", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "-X-Y", "-X-Y", "-X-Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "-X-Y", "-X-Y", "-X-Y", "-X-Y"],
  "pico": ["+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "-X+Y", "-X+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "+X+Y", "+X+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Y-Z", "-Y-Z", "-Y-Z", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Y-Z", "-Y-Z", "-Y-Z", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y"],
  "htc": ["+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "-X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "+X+Y", "-X+Y", "-X+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "+X+Y", "+X+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Y-Z", "-Y-Z", "-Y-Z", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Y-Z", "-Y-Z", "-Y-Z", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y"],
  "slimevr": ["+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "+Y-Z", "-Y-X", "-Y-X", "-Y-X", "-Y-X", "-Y-X", "-Y+X", "-Y+X", "-Y+X", "-Y+X", "-Y+X", "-Y-X", "-Y-X", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Y+X", "-Y+X", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Z+Y", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z", "-Y-Z"]
});
