/* Parts into a frame: the best that there is of each joint. */
#ifndef JC_XR_MERGE_H
#define JC_XR_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* What one tracker of the runtime delivers: some joints of a body, with axes of
 * its own and as new as it is. Parts are merged into frames (xr_merge.h). */
struct jc_xr_part {
	bool live; /* a person is tracked and the data is new; else the part is ignored */
	enum jc_profile profile; /* which way the joints' axes lie */
	int64_t time_ns;         /* of capture, CLOCK_MONOTONIC */
	float confidence;        /* 0..1 */
	struct jc_body_joint joints[JC_JOINT_COUNT];
};

/* Parts best first; those that are not live count for nothing. Each joint is that of
 * the first part which has it, but for hands, which stay whole: the first part with
 * any finger of a hand gives the palm and wrist as well, so that a body tracker
 * without fingers and a hand tracker are not mixed within a hand. Axes become those
 * of `profile`. Time and confidence are those of the first live part. Returns false,
 * and writes nothing, when no part is live. */
bool jc_xr_merge(const struct jc_xr_part *const *parts, size_t count, enum jc_profile profile,
	struct jc_body_frame *out_frame);

#endif
