/** Bone names of EXT_skeleton_humanoid and VRM 1.0, parents first; a bone's index is its place here. */
export declare const BONES: readonly string[];

/** One of BONES. */
export type BoneName = string;

/** Index of each bone's parent bone, -1 for the hips. */
export declare const BONE_PARENTS: readonly number[];

/** First bone and bone count of each rotation section of a packet. */
export declare const BONE_SECTIONS: Readonly<
  Record<'body' | 'face' | 'hands', { readonly first: number; readonly count: number }>
>;

/** Joint names of the WebXR Body Tracking draft, in its order. */
export declare const JOINTS: readonly string[];

/** Index of each joint's parent joint, -1 for the hips. */
export declare const JOINT_PARENTS: readonly number[];

/** Other spellings of joint names. */
export declare const JOINT_ALIASES: Readonly<Record<string, string>>;

/** How the joints' axes lie, by profile: for each of JOINTS the local axis along its bone and the one that is up in the T-pose. */
export declare const PROFILES: Readonly<Record<string, readonly string[]>>;
