/* Merges the parts of several trackers into one body frame. */
#ifndef JC_XR_MERGE_H
#define JC_XR_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* The joints that one tracker of the runtime delivers, with its own axes and capture time. */
struct jc_xr_part {
	bool live; /* a person is tracked and the data is new; else the part is ignored */
	enum jc_profile profile; /* axis convention of the joints */
	int64_t time_ns;         /* capture time, CLOCK_MONOTONIC */
	float confidence;        /* 0..1 */
	struct jc_body_joint joints[JC_JOINT_COUNT];
};

/* Merges parts, ordered best first; ignores parts that are not live. Each joint comes from the
 * first part that has it. A hand stays whole: the first part with any finger also gives palm and
 * wrist. Converts axes to `profile`. Time and confidence are those of the first live part. Returns
 * false, without output, if no part is live. */
bool jc_xr_merge(const struct jc_xr_part *const *parts, size_t count, enum jc_profile profile,
	struct jc_body_frame *out_frame);

#endif
