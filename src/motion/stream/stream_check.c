/* Weighs evidence and names faults. */
#include "jointcast_private/apps/stream_check.h"

#include <math.h>

#define STEP_MOST  0.1f /* seconds between two frames that count */
#define ENOUGH     2.0f /* seconds of evidence for a fault, */
#define REMEMBERED 4.0f /* and at most */

static const char *const texts[][JC_STREAM_FAULT_COUNT] = {
	[JC_STREAM_TRACKERS] = {
		[JC_STREAM_SCALE] = ("wrong scale: send metres, in the size of the person"),
		[JC_STREAM_AXES] = ("wrong axes: send +Y up, +Z forward, and degrees about Z, X, Y; if "
				   "the person lies, calibrate standing"),
		[JC_STREAM_MIRRORED] = ("mirrored: an axis has the wrong sign; send left-handed axes, +X "
				       "to the right"),
		[JC_STREAM_DELAYED] = ("delayed: packets arrive late after their time tags, or the clock "
				      "of the sender differs"),
		[JC_STREAM_DRIFTS] = ("drift: a tracker has moved off the body; reset the trackers and "
				     "calibrate again"),
	},
	[JC_STREAM_BONES] = {
		[JC_STREAM_SCALE] = ("wrong scale: the hips are not at the height of the legs; send hips "
				    "and root in metres, in the size of the avatar"),
		[JC_STREAM_AXES] = ("wrong axes: send +Y up, +Z forward, rotations against the parent "
				   "bone as x, y, z, w"),
		[JC_STREAM_MIRRORED] = ("mirrored: an axis has the wrong sign, or left and right are "
				       "exchanged"),
		[JC_STREAM_DELAYED] = ("delayed: packets arrive later after their times than at first; "
				      "look at the network and the load of the sender"),
		[JC_STREAM_CLOCK] = ("drift of the clock: the sender's clock is faster or slower than "
				    "this machine's"),
		[JC_STREAM_DRIFTS] = ("drift: the body slides or sinks while it stands, or a part has "
				     "turned away; calibrate in the sender again"),
	},
};

const char *jc_stream_fault_text(enum jc_stream_kind kind, enum jc_stream_fault fault)
{
	return texts[kind][fault];
}

float jc_stream_check_step(struct jc_stream_check *check, int64_t time_ns)
{
	float seconds = (float)(time_ns - check->time_ns) * 1.0e-9f;

	check->time_ns = time_ns;
	return seconds > 0.0f && seconds <= STEP_MOST ? seconds : 0.0f;
}

void jc_stream_check_weigh(struct jc_stream_check *check, unsigned look, enum jc_stream_fault fault,
	bool speaks, float seconds)
{
	float sum = check->evidence[look][fault] + (speaks ? seconds : -seconds);

	check->evidence[look][fault] = fminf(fmaxf(sum, 0.0f), REMEMBERED);
}

void jc_stream_check_judge(
	struct jc_stream_check *check, unsigned look, enum jc_stream_fault fault, float seconds)
{
	for (int i = 0; i < JC_STREAM_FAULT_COUNT; i++) {
		enum jc_stream_fault other = (enum jc_stream_fault)i;

		jc_stream_check_weigh(check, look, other, other == fault, seconds);
	}
}

enum jc_stream_fault jc_stream_check_fault(const struct jc_stream_check *check)
{
	for (int fault = JC_STREAM_SOUND + 1; fault < JC_STREAM_FAULT_COUNT; fault++) {
		for (int look = 0; look < JC_STREAM_LOOKS; look++) {
			if (check->evidence[look][fault] >= ENOUGH) {
				return (enum jc_stream_fault)fault;
			}
		}
	}
	return JC_STREAM_SOUND;
}
