/* Writes motion files. Losses that the format causes are reported in lint, one finding for each
 * kind of loss. */
#ifndef JOINTCAST_WRITE_H
#define JOINTCAST_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "gltf.h"
#include "humanoid.h"
#include "lint.h"
#include "motion.h"
#include "skeleton.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Poses at equal intervals. All pointers are borrowed for the call. */
struct jc_clip {
	const struct jc_motion *motion;     /* provides name, bones and channels */
	const struct jc_skeleton *skeleton; /* provides proportions and bones */
	size_t frame_count;                 /* at least 1 */
	double frame_seconds;               /* between two frames, > 0 */
	/* Returns frame `index`; called once for each index, in ascending order. */
	void (*pose)(void *context, size_t index, struct jc_pose *out_pose);
	/* Returns the positions in frame `index` of the bones that the skeleton has, metres, in the
	 * model space of its file. Only jc_write_csv calls it; NULL: tables have no positions. */
	void (*positions)(void *context, size_t index, struct jc_vec3 out_positions[JC_BONE_COUNT]);
	void *context;
};

/* A file in memory; the caller frees bytes. */
struct jc_written {
	char *bytes;   /* owned by the caller */
	size_t length; /* bytes */
};

/* Converts a pose of the built-in skeleton to the body frame that a tracker of the profile
 * delivers, metres, floor at y = 0: the exact inverse of the solver. Joints that drive a bone
 * take its state; other joints are estimated, or absent if the bone that carries them is
 * absent. time_ns is 0. */
void jc_pose_to_body_frame(
	const struct jc_pose *pose, enum jc_profile profile, struct jc_body_frame *out_frame);

/* Where the metacarpal bone of a finger begins, as a part of the way from the wrist to the
 * finger's first phalanx. Hand trackers deliver 0.3 to 0.45. */
#define JC_METACARPAL_BASE 0.3f

/* Estimates absent joints that drive no bone from the joints on both sides, if both are
 * present. A palm is at the centre of the metacarpal bone of the middle finger and parallel to it
 * (WebXR Body Tracking, section 2.4), also where that bone was tracked. */
void jc_body_frame_fill_between(enum jc_profile profile, struct jc_body_frame *frame);

/* Writes body frames (proto/BODY-FRAMES.md) of the built-in skeleton with its T-pose as rest; the
 * clip's skeleton is not used. All 83 joints are written for every profile; joints in `dropped`
 * are null in all frames. */
int jc_write_body_frames(const struct jc_clip *clip, enum jc_profile profile,
	const bool dropped[JC_JOINT_COUNT], struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* Writes BVH: centimetres, MotionBuilder's names, ZXY angles, T-pose as zero pose. The format
 * defines neither the height of the floor nor the front; readers measure both. */
int jc_write_bvh(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* How a glTF file names its bones. */
enum jc_gltf_kind {
	JC_GLTF_VRMA, /* VRMC_vrm_animation 1.0, normalised nodes, channels too */
	/* EXT_skeleton_humanoid: a skeleton in its reference pose with a skin, and an animation
	 * including the hips translation; virtual transforms as KHR_virtual_transform. Each bone
	 * that moves has two channels: one whose target is the node, for programs that do not know
	 * the extension, and one whose target is the bone's name, relative to the reference pose */
	JC_GLTF_HUMANOID,
};

/* Direction of +Y of a bone in a written reference pose of EXT_skeleton_humanoid. */
enum jc_bone_axes {
	/* Along the body: jc_bone_reference_rotation. Equal for all figures, so that an animation
	 * by bone names turns every figure about the same axes. */
	JC_BONE_AXES_ANATOMIC,
	/* Exactly to the joint of the child bone that continues it (spine, toes, middle finger);
	 * anatomic for bones without one. Depends on the proportions of the figure. */
	JC_BONE_AXES_CHILD,
};

/* Writes glTF as GLB, or as JSON with an embedded buffer. Bones that the motion lacks have no
 * track. A VRM animation has no bone axes. */
int jc_write_gltf(const struct jc_clip *clip, enum jc_gltf_kind kind, enum jc_bone_axes axes,
	bool is_binary, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* Poses of a figure in a glTF file at equal intervals. All pointers are borrowed for the call. */
struct jc_avatar_clip {
	const struct jc_motion *motion;     /* provides name, bones and channels */
	const struct jc_skeleton *skeleton; /* of the file, with its node indices */
	size_t frame_count;                 /* at least 1 */
	double frame_seconds;               /* between two frames, > 0 */
	/* Returns the local transforms of all nodes of the skeleton in frame `index`, valid until
	 * the next call; called once for each index, in ascending order. */
	const struct jc_transform *(*pose)(void *context, size_t index);
	void *context;
};

/* Writes the glTF file of a figure with one more animation at the end of its list, as GLB or as
 * JSON with an embedded buffer. Everything else of the file is kept, its buffers in one. Every
 * bone, and every node that the clip moves away from its place in the file or that another
 * animation of the file moves, has channels whose target is the node. If by_name, the bones have
 * channels by name as well, relative to the skeleton's rest: for a file whose first skeleton of
 * EXT_skeleton_humanoid this is. Images that the resolver (may be NULL) can read are embedded. */
int jc_write_avatar(const struct jc_avatar_clip *clip, const struct jc_gltf *gltf, bool by_name,
	const struct jc_gltf_resolver *resolver, bool is_binary, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Writes a table (RFC 4180 with LF): names of columns, then a row for each frame: time in seconds,
 * hips translation in hips heights ("hips.x"), N of each bone of the motion ("leftHand.qx" to
 * ".qw"), empty if the bone is absent. With positions, those of the bones of the motion that the
 * skeleton has ("leftHand.px" to ".pz"), empty in the same way; without them, the skeleton is not
 * used. */
int jc_write_csv(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* Writes an H-Anim figure, metres, in the rest pose of the standard, with simple solids as
 * segments; a TimeSensor drives the clip. VRML97 holds H-Anim 1.0 as PROTOs, X3D holds H-Anim
 * 2.0 as nodes of the HAnim component. An H-Anim skeleton keeps all its joints and limits, and
 * its vertebrae share the rotation of the spine; bones of other skeletons become joints. Virtual
 * transforms become sites, of the humanoid if no joint moves their position. Joints that never turn
 * have no interpolator. */
int jc_write_hanim(const struct jc_clip *clip, enum jc_scene_syntax syntax,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
