/* BVH text, syntax only: hierarchy and channel values of the file; units and axes are unknown
 * (src/motion measures them). */
#ifndef JC_PRIVATE_BVH_H
#define JC_PRIVATE_BVH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "jointcast/lint.h"
#include "jointcast/types.h"

enum jc_bvh_channel {
	JC_BVH_X_POSITION,
	JC_BVH_Y_POSITION,
	JC_BVH_Z_POSITION,
	JC_BVH_X_ROTATION,
	JC_BVH_Y_ROTATION,
	JC_BVH_Z_ROTATION,
};

struct jc_bvh_joint {
	char *name;            /* owned by the file; may be empty */
	int parent;            /* index, always smaller than the joint's own; -1 for a root */
	struct jc_vec3 offset; /* OFFSET, file units */
	int channel_count;     /* 0..6, in file order */
	uint8_t channels[6];   /* enum jc_bvh_channel; rotations apply left to right as R1 * R2 * R3
				*/
	size_t first_value;    /* of this joint in a frame's values */
	bool has_end;          /* an End Site was given */
	struct jc_vec3 end;    /* its OFFSET */
};

struct jc_bvh {
	size_t joint_count;
	struct jc_bvh_joint *joints; /* parents first; several roots are possible */
	size_t frame_count;
	double frame_seconds;
	size_t value_count; /* per frame */
	float *values;      /* frame_count x value_count; angles in degrees as in the file */
};

/* Reads a whole file. On success *out_bvh is owned by the caller, all values
 * are finite, frame_count >= 1 and frame_seconds > 0. Data lines beyond the
 * stated frame count are reported in lint and left out; fewer are an error. */
int jc_bvh_read(const char *text, size_t length, struct jc_bvh **out_bvh, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);
void jc_bvh_destroy(struct jc_bvh *bvh);

#endif
