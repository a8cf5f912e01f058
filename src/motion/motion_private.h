/* Interface between motion.c and the concrete motions and readers of this folder. */
#ifndef JC_MOTION_PRIVATE_H
#define JC_MOTION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"

/* t is finite and between 0 and duration. Of pose and body_frame the one for info.kind is
 * set, the other is NULL. */
struct jc_motion_ops {
	void (*destroy)(struct jc_motion *motion);
	void (*pose)(const struct jc_motion *motion, double t, struct jc_pose *out_pose);
	void (*body_frame)(
		const struct jc_motion *motion, double t, struct jc_body_frame *out_frame);
	/* NULL if channel_count is 0; index is less than it. */
	void (*channel)(const struct jc_motion *motion, size_t index, double t, float *out_values);
	/* NULL if moving_node_count is 0; index is less than it. match_node: the node of the
	 * skeleton, or -1. node: its local transform. */
	int (*match_node)(
		const struct jc_motion *motion, size_t index, const struct jc_skeleton *skeleton);
	struct jc_transform (*node)(const struct jc_motion *motion, size_t index, double t);
};

/* First member of every concrete motion, which owns what info borrows. */
struct jc_motion {
	const struct jc_motion_ops *ops;
	struct jc_motion_info info;
	enum jc_profile profile; /* of body frames */
	const struct jc_skeleton
		*skeleton; /* skeleton of the file, owned by the motion; may be NULL */
	const struct jc_body_frame *rest; /* of body frames, owned by the motion; may be NULL */
	size_t channel_count;
	const struct jc_motion_channel *channels; /* owned by the motion */
	size_t moving_node_count; /* that are no bones; JC_LIMIT_MOVING_NODES at most */
};

/* Sets fps and frame_count of a motion whose keys have individual times and whose
 * duration is set. densest: keys for each second of its densest track, 0 if no track has
 * two keys. */
void jc_motion_count_frames(struct jc_motion_info *info, double densest);

/* The input of a reader; not empty. */
struct jc_motion_file {
	const void *bytes;
	size_t length;
	const char *text, *end;        /* the bytes after a byte order mark and white space */
	size_t index;                  /* of the motion in the file */
	const struct jc_bone_map *map; /* of its joints; may be NULL */
	const struct jc_gltf_resolver *resolver;
};

bool jc_motion_file_starts_with(const struct jc_motion_file *file, const char *word);

/* A file format. To add one, add its reader to the table in motion.c. */
struct jc_motion_reader {
	bool holds_one_motion; /* read is called with index 0 only */
	bool has_joints;       /* a bone map can apply; without it, read is called without a map */
	bool (*accepts)(const struct jc_motion_file *file);
	int (*read)(const struct jc_motion_file *file, struct jc_motion **out_motion,
		struct jc_lint *lint, struct jc_diagnostic *diagnostic);
};

extern const struct jc_motion_reader jc_gltf_motion_reader;
extern const struct jc_motion_reader jc_hanim_motion_reader;
extern const struct jc_motion_reader jc_aframe_motion_reader;
extern const struct jc_motion_reader jc_body_frames_reader;
extern const struct jc_motion_reader jc_bvh_motion_reader;
extern const struct jc_motion_reader jc_pose_table_reader;

#endif
