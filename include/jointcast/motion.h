/* Motions: a body over time, read from a file or generated. A motion delivers poses or, if it was
 * recorded from a tracker, body frames. */
#ifndef JOINTCAST_MOTION_H
#define JOINTCAST_MOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bone_map.h"
#include "error.h"
#include "humanoid.h"
#include "limits.h"
#include "lint.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two kinds of motion. */
enum jc_motion_kind {
	JC_MOTION_POSES,
	JC_MOTION_BODY_FRAMES,
};

/* The properties of a motion. */
struct jc_motion_info {
	enum jc_motion_kind kind; /* poses or body frames */
	const char *format; /* "bvh", "gltf", "vrma", "h-anim", "body-frames", "a-frame", "csv",
			       "demo" */
	const char *name;   /* borrowed from the motion; may be empty */
	/* Recognised name family, else skeleton format of a glTF motion, version of an H-Anim
	 * figure or profile of body frames; may be empty. */
	const char *family;
	/* Confidence of the recognised bones, 0 to 1; 1 if the file names its bones. */
	float confidence;
	double duration; /* seconds, >= 0; from the first frame to the last */
	double fps;      /* nominal; 0 for a single frame */
	size_t frame_count;
	float hips_height;     /* of the source, metres; 0 if unknown */
	float metres_per_unit; /* of the source file; 1 if it has no units */
	uint64_t bone_mask;    /* bones of the motion, bit = enum jc_bone */
	/* Height of the seat that the motion sits on, metres for a body of the built-in size; its
	 * centre is JC_DEMO_SEAT_BEHIND behind the origin. 0: no seat. */
	float seat_height;
};

struct jc_motion;

/* Reads a motion file; the format is detected by content: BVH, body frames (.jsonl,
 * proto/BODY-FRAMES.md), A-Frame recordings of head and controllers (.json), VRMA, glTF, H-Anim
 * (VRML97, X3D) or a table of poses (.csv, write.h). index selects one of several motions of a
 * file: in glTF an animation; in H-Anim, figure by figure in file order, a TimeSensor whose routes
 * lead to a joint, or an HAnimMotion node. resolver and lint may be NULL.
 *
 * A glTF animation moves bones by name (EXT_skeleton_humanoid: relative to the
 * bind pose of the file's first skeleton, or to the reference pose without one) or nodes
 * of a humanoid that jc_skeleton_read finds in the file.
 *
 * In H-Anim a TimeSensor's cycleInterval is the duration; a joint
 * without an interpolator keeps its rotation and translation from the file, which describe a
 * pose and not the rest. */
int jc_motion_read(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* The same with the bones of a map (may be NULL) instead of those that the file names or whose
 * joints are recognised; for BVH, glTF and H-Anim. JC_ERROR_UNSUPPORTED for formats that name bones
 * and have no joints. */
int jc_motion_read_mapped(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Built-in motions: "walk", "wave", "sit", "idle". They loop: the end continues into the beginning
 * without a jump in position or speed. On the built-in skeleton the feet do not slide. Only
 * "walk" moves through space, on a circle of JC_DEMO_WALK_RADIUS metres about the origin. */
#define JC_DEMO_WALK_RADIUS 1.6f
#define JC_DEMO_SEAT_BEHIND 0.42f

/* Creates the built-in motion of that name. JC_OK, JC_ERROR_INVALID for another name, or
 * JC_ERROR_MEMORY. */
int jc_motion_create_demo(
	const char *name, struct jc_motion **out_motion, struct jc_diagnostic *diagnostic);
const char *const *jc_motion_demo_names(void); /* ends with NULL */

/* Mirrors a motion (jc_pose_mirror); in body frames every joint shows the reflected rotation of
 * its opposite joint in its own axes. Names of channels with a side ("blinkLeft",
 * "mouthSmile_L") are exchanged and the gaze is mirrored. Takes ownership of motion, also if it
 * fails with JC_ERROR_MEMORY. */
int jc_motion_create_mirror(struct jc_motion *motion, struct jc_motion **out_motion);

/* The part of a motion from `from` to `until`, seconds, which then begins at 0:
 * 0 <= from <= until <= duration. Takes ownership of motion, also if it fails with
 * JC_ERROR_INVALID (another interval) or JC_ERROR_MEMORY. */
int jc_motion_create_excerpt(
	struct jc_motion *motion, double from, double until, struct jc_motion **out_motion);

/* Applies `change` to each body frame of a motion read from a file, in order of time.
 * JC_ERROR_UNSUPPORTED for motions of poses and mirrored motions; after that and
 * JC_ERROR_MEMORY the motion is unchanged. */
int jc_motion_change_frames(struct jc_motion *motion,
	void (*change)(void *context, struct jc_body_frame *frame), void *context);

/* Replaces the source's T-pose of a motion of body frames; false for other kinds. */
bool jc_motion_set_rest(struct jc_motion *motion, const struct jc_body_frame *rest);

void jc_motion_destroy(struct jc_motion *motion); /* NULL is fine */

/* Format, duration and bones; owned by the motion. */
const struct jc_motion_info *jc_motion_info(const struct jc_motion *motion);

/* The skeleton of the motion file, in its own proportions; NULL for built-in motions and for
 * body frames, which have no bones. */
const struct jc_skeleton *jc_motion_skeleton(const struct jc_motion *motion);

/* The pose at t seconds (clamped to the ends), slerped between frames. Only for
 * JC_MOTION_POSES; jc_solver_sample samples both kinds. */
void jc_motion_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose);

/* Channels: named values beside the bones. "expression/NAME" has one value, 0 to 1; "lookAt" has
 * four, the gaze as a quaternion (yaw about +Y, then pitch about +X, as in
 * VRMC_vrm_animation). */
#define JC_MOTION_CHANNEL_VALUES 4

/* The name of a channel, and how many values it has. */
struct jc_motion_channel {
	const char *name;   /* borrowed from the motion */
	size_t value_count; /* JC_MOTION_CHANNEL_VALUES at most */
};

/* The channels, in the order of the file; owned by the motion. */
size_t jc_motion_channel_count(const struct jc_motion *motion);
const struct jc_motion_channel *jc_motion_channels(const struct jc_motion *motion);

/* Values of channel `index` at t seconds, clamped and interpolated like the pose. */
void jc_motion_channel_values(const struct jc_motion *motion, size_t index, double t,
	float out_values[JC_MOTION_CHANNEL_VALUES]);

/* A node that the animation of a glTF file moves although it is no bone and carries none, such as a
 * lid or a sword. Such nodes belong to the figure of that file. Mirrored motions have none. */
struct jc_moving_node {
	uint16_t index; /* in the motion */
	int node;       /* of the skeleton */
};

/* Finds the moving nodes that a skeleton has with the same name, parent and rest. Returns how many
 * there are. */
size_t jc_motion_match_nodes(const struct jc_motion *motion, const struct jc_skeleton *skeleton,
	struct jc_moving_node out_nodes[JC_LIMIT_MOVING_NODES]);

/* Sets the local transforms of moving nodes at t seconds (clamped), so that virtual transforms on
 * them follow. Call it after jc_skeleton_locals. */
void jc_motion_move_nodes(const struct jc_motion *motion, double t,
	const struct jc_moving_node *nodes, size_t count, struct jc_transform *locals);

/* The body frame at t seconds, clamped and interpolated, for JC_MOTION_BODY_FRAMES. The state of
 * a joint is the lower one of the two frames around t: a joint that is absent in one of them is
 * absent. time_ns counts from the first frame. */
void jc_motion_body_frame(
	const struct jc_motion *motion, double t, struct jc_body_frame *out_frame);
enum jc_profile jc_motion_profile(const struct jc_motion *motion); /* of its body frames */

/* The source's own T-pose as a body frame, or NULL if the file has none. */
const struct jc_body_frame *jc_motion_rest(const struct jc_motion *motion);

#ifdef __cplusplus
}
#endif

#endif
