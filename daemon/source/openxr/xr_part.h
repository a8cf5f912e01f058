/* What one tracker of the runtime delivers: some joints of a body, with axes of
 * its own and as new as it is. Parts are merged into frames (xr_merge.h). */
#ifndef JC_XR_PART_H
#define JC_XR_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

struct jc_xr_part {
	bool live; /* somebody is tracked, and what is told is new; else nothing counts */
	enum jc_profile profile; /* which way the joints' axes lie */
	int64_t time_ns;         /* of capture, CLOCK_MONOTONIC */
	float confidence;        /* 0..1 */
	struct jc_body_joint joints[JC_JOINT_COUNT];
};

#endif
