/* Which instants of a motion are asked for. */
#ifndef JC_CLI_TIMELINE_H
#define JC_CLI_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/motion.h"

struct jc_timeline {
	const double *times; /* borrowed; NULL: evenly over the motion */
	size_t count;
	double fps; /* used without times; 0: the motion's own frames */
	bool loop;
};

size_t jc_timeline_count(const struct jc_timeline *timeline, const struct jc_motion_info *info);

/* The instant of an index below that count, inside the motion: what lies
 * outside is clamped to the ends or, with loop, wrapped. */
double jc_timeline_time(
	const struct jc_timeline *timeline, const struct jc_motion_info *info, size_t index);

#endif
