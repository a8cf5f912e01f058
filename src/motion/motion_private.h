/* What motions of every kind share inside this room: readers make them,
 * motion.c dispatches to them, nobody else sees them. */
#ifndef JC_MOTION_PRIVATE_H
#define JC_MOTION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"

/* t comes clamped to 0..duration by the caller and is finite. Of pose and
 * body_frame the one that info.kind names is set, the other NULL. */
struct jc_motion_ops {
	void (*destroy)(struct jc_motion *motion);
	void (*pose)(const struct jc_motion *motion, double t, struct jc_pose *out_pose);
	void (*body_frame)(
		const struct jc_motion *motion, double t, struct jc_body_frame *out_frame);
	/* NULL where channel_count is 0; index is below it. */
	void (*channel)(const struct jc_motion *motion, size_t index, double t, float *out_values);
};

/* First member of every concrete motion, which owns what info borrows. */
struct jc_motion {
	const struct jc_motion_ops *ops;
	struct jc_motion_info info;
	enum jc_profile profile;            /* of body frames */
	const struct jc_skeleton *skeleton; /* that it came on, owned by the motion; may be NULL */
	const struct jc_body_frame *rest;   /* of body frames, owned by the motion; may be NULL */
	size_t channel_count;
	const struct jc_motion_channel *channels; /* owned by the motion */
};

/* Frames of a motion of known duration whose keys stand at times of their own;
 * densest: keys a second of its densest track, 0 where none has two. */
void jc_motion_count_frames(struct jc_motion_info *info, double densest);

/* A file to read, not empty. */
struct jc_motion_file {
	const void *bytes;
	size_t length;
	const char *text, *end; /* the bytes after a byte order mark and white space */
	size_t index;           /* of the motion in the file */
	const struct jc_gltf_resolver *resolver;
};

bool jc_motion_file_starts_with(const struct jc_motion_file *file, const char *word);

/* One file format. Another format is another reader in the table of motion.c. */
struct jc_motion_reader {
	bool holds_one_motion; /* read is called with index 0 only */
	bool (*accepts)(const struct jc_motion_file *file);
	int (*read)(const struct jc_motion_file *file, struct jc_motion **out_motion,
		struct jc_lint *lint, struct jc_diagnostic *diagnostic);
};

extern const struct jc_motion_reader jc_gltf_motion_reader;
extern const struct jc_motion_reader jc_hanim_motion_reader;
extern const struct jc_motion_reader jc_body_frames_reader;
extern const struct jc_motion_reader jc_bvh_motion_reader;
extern const struct jc_motion_reader jc_pose_table_reader;

#endif
