/* Collects over the frames of a clip what a format cannot store, for one report at the
 * end. */
#ifndef JC_MOTION_WRITE_LOSSES_H
#define JC_MOTION_WRITE_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/write.h"

struct jc_write_losses {
	uint64_t known;     /* bones present in at least one frame, bit = enum jc_bone */
	uint64_t estimated; /* of these, estimated in at least one frame */
	uint64_t gaps;      /* of these, absent in at least one frame */
	bool any_frame;
};

void jc_write_losses_add(struct jc_write_losses *losses, const struct jc_pose *pose);

/* Adds findings for bones of the clip that are not in kept_bones, for the motion's
 * channels unless keeps_channels, and for bone states unless keeps_states. */
void jc_write_losses_report(const struct jc_write_losses *losses, const struct jc_clip *clip,
	uint64_t kept_bones, bool keeps_channels, bool keeps_states, struct jc_lint *lint);

/* Names of things that are lost, as many as fit into one finding. Initialise with { 0 }. */
struct jc_write_losses_names {
	size_t count;
	size_t listed;
	char text[120];
};

void jc_write_losses_add_name(struct jc_write_losses_names *names, const char *name);

/* Adds the finding "WHAT: 'a', 'b' and 3 more", unless there is no name. */
void jc_write_losses_report_names(const struct jc_write_losses_names *names, const char *code,
	const char *what, struct jc_lint *lint);

/* Add findings for facts of a skeleton's file: its info, and limits and segments. */
void jc_write_losses_report_info(const struct jc_skeleton *skeleton, struct jc_lint *lint);
void jc_write_losses_report_body(const struct jc_skeleton *skeleton, struct jc_lint *lint);

/* Adds a finding for the virtual transforms of a skeleton, for formats without any. */
void jc_write_losses_report_virtuals(const struct jc_skeleton *skeleton, struct jc_lint *lint);

#endif
