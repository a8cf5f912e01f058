/* Motions: anything that can be asked for a body at a time. A motion speaks in
 * poses or, where the source was a tracker, in body frames. */
#ifndef JOINTCAST_MOTION_H
#define JOINTCAST_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "humanoid.h"
#include "lint.h"
#include "skeleton.h"

enum jc_motion_kind {
	JC_MOTION_POSES,
	JC_MOTION_BODY_FRAMES,
};

struct jc_motion_info {
	enum jc_motion_kind kind;
	const char *format; /* "bvh", "gltf", "vrma", "h-anim", "body-frames", "csv", "demo" */
	const char *name;   /* borrowed from the motion; may be empty */
	/* Bone naming found, else skeleton format of a glTF motion, version of an
	 * H-Anim figure or profile of body frames; may be empty. */
	const char *family;
	/* Of the bones: as recognition.h has it where the file does not say which
	 * they are, else 1. */
	float confidence;
	double duration; /* seconds, >= 0; frames run from 0 to it */
	double fps;      /* nominal, 0 where there is one frame only */
	size_t frame_count;
	float hips_height;     /* of the source, metres; 0 where it is not known yet */
	float metres_per_unit; /* of the source file, 1 where it has no units */
	uint64_t bone_mask;    /* bones that move or could, bit = enum jc_bone */
	/* The motion sits on a seat this high, metres for a body of the built-in
	 * size, whose middle stands JC_DEMO_SEAT_BEHIND behind the origin; 0
	 * where it uses none. */
	float seat_height;
};

struct jc_motion;

/* Reads by content: BVH, body frames (.jsonl, proto/BODY-FRAMES.md), VRMA, glTF,
 * H-Anim (VRML97, X3D) or a table of poses (.csv, write.h). index chooses among several motions of
 * a file: of glTF, among its animations; of H-Anim, figure by figure in file order among the
 * TimeSensors whose routes lead to a joint, and HAnimMotion nodes. resolver and lint may be NULL.
 *
 * A glTF animation moves bones by name (EXT_skeleton_humanoid: relative to the
 * bind pose of the file's first skeleton, or to the canonical reference pose
 * where it has none) or nodes of a humanoid that jc_skeleton_read finds in the
 * file.
 *
 * In H-Anim a TimeSensor's cycleInterval is the duration; a joint that nothing
 * drives stands as its rotation and translation in the file say, which are a
 * pose and no rest. */
int jc_motion_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* The built-in generator: "walk", "wave", "sit", "idle". Made to be looped:
 * the end goes over into the beginning without a step in place or speed. The
 * feet stand still on the floor under the built-in skeleton. Only "walk"
 * leaves its place, on a circle of JC_DEMO_WALK_RADIUS about the origin. */
#define JC_DEMO_WALK_RADIUS 1.6f
#define JC_DEMO_SEAT_BEHIND 0.42f

int jc_motion_create_demo(
	const char *name, struct jc_motion **out_motion, struct jc_diagnostic *diagnostic);
const char *const *jc_motion_demo_names(void); /* ends with NULL */

/* The motion in a mirror (jc_pose_mirror), body frames too: every joint shows its
 * partner's reflected turn in its own axes. Channels change their names where
 * those have a side ("blinkLeft", "mouthSmile_L"), and the gaze its side. Takes
 * motion over, also when it fails with JC_ERROR_MEMORY. */
int jc_motion_create_mirror(struct jc_motion *motion, struct jc_motion **out_motion);

/* Passes each body frame of a motion that was read through `change`, in order of
 * time, and keeps what comes out. JC_ERROR_UNSUPPORTED for motions of other kinds,
 * mirrored ones among them; on that and JC_ERROR_MEMORY the motion is as it was. */
int jc_motion_change_frames(struct jc_motion *motion,
	void (*change)(void *context, struct jc_body_frame *frame), void *context);

/* Gives such a motion another T-pose of its source; false for other kinds. */
bool jc_motion_set_rest(struct jc_motion *motion, const struct jc_body_frame *rest);

void jc_motion_destroy(struct jc_motion *motion);
const struct jc_motion_info *jc_motion_info(const struct jc_motion *motion);

/* The figure that a file has its motion on, in its own proportions; NULL for the
 * built-in motions and for body frames, which have no bones. */
const struct jc_skeleton *jc_motion_skeleton(const struct jc_motion *motion);

/* The pose at t seconds (clamped to the ends), slerped between frames. Only
 * for JC_MOTION_POSES; solver.h samples either kind. */
void jc_motion_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose);

/* What moves with a body besides its bones: named "expression/NAME" (one value,
 * 0 to 1) and "lookAt" (four, the gaze as a quaternion: its yaw about +Y, then
 * pitch about +X, as VRMC_vrm_animation has it). */
#define JC_MOTION_CHANNEL_VALUES 4

struct jc_motion_channel {
	const char *name;   /* borrowed from the motion */
	size_t value_count; /* JC_MOTION_CHANNEL_VALUES at most */
};

size_t jc_motion_channel_count(const struct jc_motion *motion);
const struct jc_motion_channel *jc_motion_channels(const struct jc_motion *motion);

/* Values of the channel of that index at t seconds, clamped and interpolated as
 * the pose is. */
void jc_motion_channel_values(const struct jc_motion *motion, size_t index, double t,
	float out_values[JC_MOTION_CHANNEL_VALUES]);

/* The body frame at t seconds, likewise, for JC_MOTION_BODY_FRAMES: a joint is
 * as well known as the worse of the two frames around t has it, so what is
 * absent in either stays absent. time_ns counts from the first frame. */
void jc_motion_body_frame(
	const struct jc_motion *motion, double t, struct jc_body_frame *out_frame);
enum jc_profile jc_motion_profile(const struct jc_motion *motion);

/* The source's own T-pose as a body frame where the file gave one, else NULL. */
const struct jc_body_frame *jc_motion_rest(const struct jc_motion *motion);

#endif
