/* Checks the body frames of a motion against their joint-frame profile and against the limits of
 * human bodies. */
#include "files/body_frame_lint.h"

#include <inttypes.h>
#include <stdio.h>

#include "jointcast_private/axes.h"
#include "jointcast_private/plausibility.h"
#include "jointcast_private/slimevr.h"

#define FRAMES_CHECKED 500 /* enough for the profile, spread evenly over the motion */

static void take_frame(
	const struct jc_motion *motion, size_t index, size_t count, struct jc_body_frame *out_frame)
{
	double duration = jc_motion_info(motion)->duration;

	jc_motion_body_frame(motion,
		count > 1 ? duration * (double)index / (double)(count - 1) : 0.0, out_frame);
}

static void lint_joints(const struct jc_axes_check *check, size_t frames, struct jc_lint *lint)
{
	char names[160] = "";
	size_t at = 0;

	for (int j = 0; j < JC_JOINT_COUNT && at < sizeof(names); j++) {
		if (check->joints_refuted[j] * 2 > frames) {
			at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
				at > 0 ? ", " : "", jc_joint_name((enum jc_joint)j));
		}
	}
	if (at > 0) {
		jc_lint_add(lint, JC_WARNING, "joint-axes",
			"orientations that contradict the positions of other joints in most "
			"frames: %s",
			names);
	}
}

static void lint_profile(const struct jc_motion *motion, struct jc_lint *lint)
{
	size_t frames = jc_motion_info(motion)->frame_count;
	enum jc_profile declared = jc_motion_profile(motion);
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };
	struct jc_axes_check check;
	enum jc_profile fitting;
	uint64_t refuted;

	frames = frames < FRAMES_CHECKED ? frames : FRAMES_CHECKED;
	jc_axes_check_init(&check, declared);
	for (size_t i = 0; i < frames; i++) {
		struct jc_body_frame frame;

		take_frame(motion, i, frames, &frame);
		jc_slimevr_arrange(&slimevr, declared, &frame);
		jc_axes_check_add(&check, &frame);
	}
	if (jc_axes_check_verdict(&check, &fitting) != JC_AXES_DISAGREE) {
		lint_joints(&check, frames, lint);
		return;
	}
	refuted = 100 * check.refuted[declared] /
		  (check.refuted[declared] + check.borne_out[declared]);
	jc_lint_add(lint, JC_WARNING, "profile-disagrees",
		"the joint positions contradict profile '%s' for %" PRIu64
		" %% of the joints; %s%s%s",
		jc_profile_name(declared), refuted, fitting == declared ? "no profile fits" : "'",
		fitting == declared ? "" : jc_profile_name(fitting),
		fitting == declared ? "" : "' fits");
}

static void lint_plausibility(const struct jc_motion *motion, struct jc_lint *lint)
{
	size_t frames = jc_motion_info(motion)->frame_count;
	struct jc_plausibility state = { 0 };
	char kinds[160] = "";
	size_t at = 0;

	for (size_t i = 0; i < frames; i++) {
		struct jc_body_frame frame;

		take_frame(motion, i, frames, &frame);
		jc_plausibility_filter(&state, &frame);
	}
	for (int kind = 0; kind < JC_IMPLAUSIBLE_COUNT && at < sizeof(kinds); kind++) {
		if (state.counts[kind] > 0) {
			at += (size_t)snprintf(kinds + at, sizeof(kinds) - at, "%s%" PRIu64 " %s",
				at > 0 ? ", " : "", state.counts[kind],
				jc_implausibility_name((enum jc_implausibility)kind));
		}
	}
	if (at > 0) {
		jc_lint_add(lint, JC_WARNING, "implausible-joints",
			"implausible joints (%s): a live source would hold %" PRIu64
			" and drop %" PRIu64,
			kinds, state.held, state.dropped);
	}
}

void jc_body_frame_lint(const struct jc_motion *motion, struct jc_lint *lint)
{
	if (jc_motion_info(motion)->kind == JC_MOTION_BODY_FRAMES) {
		lint_profile(motion, lint);
		lint_plausibility(motion, lint);
	}
}
