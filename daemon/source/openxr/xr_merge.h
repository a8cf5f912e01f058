/* Parts into a frame: the best that there is of each joint. */
#ifndef JC_XR_MERGE_H
#define JC_XR_MERGE_H

#include "source/openxr/xr_part.h"

/* Parts best first; those that are not live count for nothing. Each joint is that of
 * the first part which has it, but for hands, which stay whole: the first part with
 * any finger of a hand gives the palm and wrist as well, so that a body tracker
 * without fingers and a hand tracker are not mixed within a hand. Axes become those
 * of `profile`. Time and confidence are those of the first live part. Returns false,
 * and writes nothing, when no part is live. */
bool jc_xr_merge(const struct jc_xr_part *const *parts, size_t count, enum jc_profile profile,
	struct jc_body_frame *out_frame);

#endif
