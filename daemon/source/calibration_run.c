/* Checks frames only at the end of the countdown. Steps are few: the body compares the frames
 * between them. */
#include "source/calibration_run.h"

#define SECOND   INT64_C(1000000000)
#define FRESH_NS INT64_C(300000000)

void jc_calibration_run_init(struct jc_calibration_run *run, enum jc_calibration_pose pose,
	float height, int countdown, int64_t now_ns)
{
	*run = (struct jc_calibration_run){ .pose = pose,
		.height = height,
		.end_ns = now_ns + countdown * SECOND + JC_CALIBRATION_STILL_NS,
		.left = -1 };
}

static enum jc_calibration_step count(struct jc_calibration_run *run, int64_t now_ns)
{
	int64_t still_ns = run->end_ns - JC_CALIBRATION_STILL_NS;
	int left = now_ns >= still_ns ? 0 : (int)((still_ns - now_ns + SECOND - 1) / SECOND);

	if (left == run->left) {
		return JC_CALIBRATION_QUIET;
	}
	run->left = left;
	return JC_CALIBRATION_COUNTS;
}

static enum jc_calibration_step refuse(struct jc_diagnostic *diagnostic, enum jc_joint joint)
{
	jc_diagnose(
		diagnostic, JC_ERROR_INVALID, NULL, "%s did not stay still", jc_joint_name(joint));
	return JC_CALIBRATION_REFUSED;
}

/* Assigns the trackers to joints, and calibrates. */
static enum jc_calibration_step finish(struct jc_calibration_run *run, struct jc_tracked_body *body,
	struct jc_diagnostic *diagnostic)
{
	enum jc_profile profile = jc_tracked_body_profile(body);
	struct jc_worn_trackers worn = *jc_tracked_body_worn(body);
	struct jc_body_frame frame = *jc_tracked_body_frame(body);
	struct jc_calibration calibration;
	enum jc_joint moved;

	if (worn.count > 0) {
		jc_worn_trackers_take_off(&run->worn, &run->seen);
		jc_worn_trackers_take_off(&worn, &frame);
		if (jc_worn_trackers_assign(
			    &worn, &frame, profile, run->pose, run->height, diagnostic) != JC_OK) {
			return JC_CALIBRATION_REFUSED;
		}
		jc_worn_trackers_follow(&run->worn, &worn);
		jc_worn_trackers_put_on(&run->worn, profile, &run->seen);
		jc_worn_trackers_put_on(&worn, profile, &frame);
		if (!jc_calibration_is_still(&frame, &run->seen, &moved)) {
			return refuse(diagnostic, moved);
		}
	}
	if (jc_calibration_compute(
		    &frame, profile, run->pose, run->height, &calibration, diagnostic) != JC_OK) {
		return JC_CALIBRATION_REFUSED;
	}
	struct jc_calibration_record record = *jc_tracked_body_calibration(body);
	struct jc_tracker_roles trackers = jc_worn_trackers_roles(&worn);

	jc_calibration_record_push(&record, &calibration, &trackers);
	jc_tracked_body_calibrate(body, &record);
	return JC_CALIBRATION_DONE;
}

enum jc_calibration_step jc_calibration_run_step(struct jc_calibration_run *run,
	struct jc_tracked_body *body, int64_t now_ns, struct jc_diagnostic *diagnostic)
{
	const struct jc_body_frame *frame = jc_tracked_body_frame(body);
	enum jc_joint moved;

	if (now_ns < run->end_ns - JC_CALIBRATION_STILL_NS) {
		return count(run, now_ns);
	}
	if (!frame || now_ns - frame->time_ns > FRESH_NS) {
		jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "nothing comes from the trackers");
		return JC_CALIBRATION_REFUSED;
	}
	if (!run->has_seen) {
		run->has_seen = true;
		run->seen = *frame;
		run->worn = *jc_tracked_body_worn(body);
		jc_tracked_body_watch(body, run->end_ns);
	}
	if (jc_tracked_body_has_moved(body, run->seen.time_ns, &moved) ||
		!jc_calibration_is_still(&run->seen, frame, &moved) ||
		!jc_calibration_is_still(frame, &run->seen, &moved)) {
		return refuse(diagnostic, moved);
	}
	if (now_ns < run->end_ns) {
		return count(run, now_ns);
	}
	return finish(run, body, diagnostic);
}
