/* The value of --vmc-out, ADDR:PORT[?option&…], and of --osc-out, ADDR[:PORT][?option&…]. */
#ifndef JC_OSC_TARGET_H
#define JC_OSC_TARGET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/vmc.h"
#include "maxima.h"

#define JC_SINK_TRACKERS 8 /* besides the head */

struct jc_osc_target {
	bool is_trackers; /* --osc-out: OSC trackers instead of VMC */
	size_t tracker_count;
	enum jc_bone trackers[JC_SINK_TRACKERS]; /* in order of their numbers */
	struct sockaddr_storage address;
	char space[JC_MAX_SPACE_NAME];
	char body[JC_MAX_BODY_NAME]; /* empty: the first of the space */
	double hz;                   /* at most; 1 to JC_MAX_SINK_HZ */
	enum jc_vmc_bones bones;
};

/* Options: space=NAME (default lobby), body=NAME, hz=X (default 60),
 * bones=normalized|original (default normalized) and allow=remote, without which
 * any address but loopback is refused: VMC is not encrypted. Returns 0 or JC_ERROR_INVALID with the
 * diagnostic filled. */
int jc_osc_target_parse_vmc(
	const char *text, struct jc_osc_target *out_target, struct jc_diagnostic *diagnostic);

/* For OSC trackers; the default port is VRChat's, 9000. Options: space, body, hz and allow as
 * above, and trackers=ROLE,ROLE…, up to eight roles of tracker_role.h in order of their numbers
 * (default: all that VRChat knows). */
int jc_osc_target_parse_trackers(
	const char *text, struct jc_osc_target *out_target, struct jc_diagnostic *diagnostic);

#endif
