/* What a format cannot hold of a clip, gathered over its frames and then said
 * once. */
#ifndef JC_MOTION_WRITE_LOSSES_H
#define JC_MOTION_WRITE_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/write.h"

struct jc_write_losses {
	uint64_t known;     /* bones that were there in some frame, bit = enum jc_bone */
	uint64_t estimated; /* of them, estimated in some frame */
	uint64_t gaps;      /* of them, absent in some frame */
	bool any_frame;
};

void jc_write_losses_add(struct jc_write_losses *losses, const struct jc_pose *pose);

/* Notes the bones of the clip that are not in kept_bones, the motion's channels
 * unless keeps_channels, and, unless keeps_states, how well bones are known. */
void jc_write_losses_report(const struct jc_write_losses *losses, const struct jc_clip *clip,
	uint64_t kept_bones, bool keeps_channels, bool keeps_states, struct jc_lint *lint);

#endif
