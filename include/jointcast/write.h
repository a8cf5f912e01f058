/* Motions out: a clip of poses as the bytes of a file. What a format cannot
 * hold is noted in a lint, one finding for each kind of loss. */
#ifndef JOINTCAST_WRITE_H
#define JOINTCAST_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "humanoid.h"
#include "lint.h"
#include "motion.h"
#include "skeleton.h"
#include "types.h"

/* Poses at even distances. Everything is borrowed for the call. */
struct jc_clip {
	const struct jc_motion *motion;     /* gives name, bones and channels */
	const struct jc_skeleton *skeleton; /* whose proportions and bones the file has */
	size_t frame_count;                 /* at least 1 */
	double frame_seconds;               /* between two frames, > 0 */
	/* Frame `index` of the motion; called with every index, rising. */
	void (*pose)(void *context, size_t index, struct jc_pose *out_pose);
	void *context;
};

/* A file in memory; bytes are the caller's to free. */
struct jc_written {
	char *bytes;
	size_t length;
};

/* The built-in figure in a pose, as a tracker with the profile's axes delivers it
 * in metres over its floor: the exact inverse of the solver. Joints that drive a
 * bone are as well known as it; those between and beyond bones are estimated
 * from them, and absent with the bone that carries them. time_ns is 0. */
void jc_pose_to_body_frame(
	const struct jc_pose *pose, enum jc_profile profile, struct jc_body_frame *out_frame);

/* Joints that drive no bone and are absent, estimated from those that do: between
 * two joints of the frame where both are there. */
void jc_body_frame_fill_between(enum jc_profile profile, struct jc_body_frame *frame);

/* Body frames (proto/BODY-FRAMES.md) of the built-in figure, its T-pose as rest;
 * the clip's skeleton is not used. All 83 joints are written, whichever the profile's
 * source delivers; those in `dropped` stay null throughout. */
int jc_write_body_frames(const struct jc_clip *clip, enum jc_profile profile,
	const bool dropped[JC_JOINT_COUNT], struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* BVH in centimetres with MotionBuilder's names, ZXY angles, T-pose as zero
 * pose. The format says neither how high its floor lies nor which way is the
 * front: readers measure both. */
int jc_write_bvh(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* What a glTF file says about its bones. */
enum jc_gltf_kind {
	JC_GLTF_VRMA, /* VRMC_vrm_animation 1.0, normalised nodes, channels too */
	/* EXT_skeleton_humanoid, a skeleton in its reference pose with a skin and
	 * an animation relative to it; the hips' way is a translation so too */
	JC_GLTF_HUMANOID,
};

/* As GLB, or as JSON with its buffer inside. Bones that the motion does not have
 * stay without a track. */
int jc_write_gltf(const struct jc_clip *clip, enum jc_gltf_kind kind, bool is_binary,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* A table: time in seconds, the hips' displacement in hips heights ("hips.x"), N of
 * each bone that the motion has ("leftHand.qx" to ".qw"), empty where it is absent;
 * the first line says so. The clip's skeleton is not used. */
int jc_write_csv(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* An H-Anim figure, metres, in the rest that the standard demands, its segments
 * simple solids, with the clip as what a TimeSensor drives: H-Anim 1.0 by PROTOs
 * in VRML97, 2.0 by the HAnim component in X3D. An H-Anim skeleton keeps all its
 * joints and their limits; among its vertebrae a bend of the spine is shared. Of
 * others the bones become joints. Virtual transforms become sites. Joints that
 * never turn have no interpolator. */
int jc_write_hanim(const struct jc_clip *clip, enum jc_scene_syntax syntax,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
