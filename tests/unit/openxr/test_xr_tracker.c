/* Tests flags, skeletons and status lines of trackers. */
#include <math.h>
#include <string.h>

#include "source/openxr/xr_loader.h"
#include "source/openxr/xr_report.h"
#include "unit_test.h"

static void joint_needs_both_position_and_orientation(void **)
{
	assert_int_equal(jc_xr_state_from(0), JC_ABSENT);
	assert_int_equal(jc_xr_state_from(1), JC_ABSENT); /* orientation valid */
	assert_int_equal(jc_xr_state_from(2), JC_ABSENT); /* position valid */
	assert_int_equal(jc_xr_state_from(3), JC_ESTIMATED);
	assert_int_equal(jc_xr_state_from(3 | 4), JC_ESTIMATED);
	assert_int_equal(jc_xr_state_from(3 | 8), JC_ESTIMATED);
	assert_int_equal(jc_xr_state_from(15), JC_TRACKED);
	assert_int_equal(jc_xr_state_from(12), JC_ABSENT); /* tracked, but not valid */
}

static void put(struct jc_body_frame *frame, int joint, float x, float y, float z)
{
	frame->joints[joint].position = (struct jc_vec3){ x, y, z };
	frame->joints[joint].state = JC_ESTIMATED;
}

static void skeleton_on_the_floor_stays_there(void **)
{
	struct jc_body_frame rest = { 0 };

	put(&rest, JC_JOINT_HIPS, 1.0f, 0.95f, 2.0f);
	put(&rest, JC_JOINT_LEFT_FOOT_BALL, 1.1f, 0.02f, 2.1f);
	assert_true(jc_xr_rest_settle(&rest));
	assert_true(rest.joints[JC_JOINT_HIPS].position.x == 0.0f);
	assert_true(rest.joints[JC_JOINT_HIPS].position.y == 0.95f);
	assert_true(fabsf(rest.joints[JC_JOINT_LEFT_FOOT_BALL].position.x - 0.1f) < 1e-6f);
	assert_true(fabsf(rest.joints[JC_JOINT_LEFT_FOOT_BALL].position.z - 0.1f) < 1e-6f);
}

/* The ball of a foot stands 1.59 % of the hips' height over it above the floor. */
static void moves_a_skeleton_relative_to_its_hips_onto_the_floor(void **)
{
	struct jc_body_frame rest = { 0 };

	put(&rest, JC_JOINT_HIPS, 0.0f, 0.0f, 0.0f);
	put(&rest, JC_JOINT_LEFT_FOOT_ANKLE, 0.1f, -0.92f, 0.0f);
	put(&rest, JC_JOINT_RIGHT_FOOT_BALL, -0.1f, -1.0f, 0.1f);
	assert_true(jc_xr_rest_settle(&rest));
	assert_true(fabsf(rest.joints[JC_JOINT_HIPS].position.y - 1.0159f) < 1e-5f);
	assert_true(fabsf(rest.joints[JC_JOINT_RIGHT_FOOT_BALL].position.y - 0.0159f) < 1e-5f);
}

static void rejects_a_skeleton_without_a_height(void **)
{
	struct jc_body_frame rest = { 0 };

	assert_false(jc_xr_rest_settle(&rest));
	put(&rest, JC_JOINT_HIPS, 0.0f, 0.9f, 0.0f);
	assert_false(jc_xr_rest_settle(&rest));
	put(&rest, JC_JOINT_LEFT_FOOT_ANKLE, 0.0f, 0.9f, 0.0f);
	assert_false(jc_xr_rest_settle(&rest));
	put(&rest, JC_JOINT_LEFT_FOOT_ANKLE, 0.0f, -INFINITY, 0.0f);
	assert_false(jc_xr_rest_settle(&rest));
	put(&rest, JC_JOINT_HIPS, 0.0f, NAN, 0.0f);
	assert_false(jc_xr_rest_settle(&rest));
}

static struct jc_xr_tracker body, hands;

static const char *const statuses[] = { "calibration status", "fidelity status" };
static struct jc_xr_instance monado;

static struct jc_xr_state report(bool was_live)
{
	const struct jc_xr_tracker *const trackers[] = { &body, &hands };
	struct jc_xr_state state = { 0 };

	jc_xr_report(trackers, 2, &monado, was_live, &state);
	return state;
}

static int begin(void **)
{
	monado = (struct jc_xr_instance){ .runtime = "Monado",
		.properties = { .names = statuses, .count = 2 } };
	body = (struct jc_xr_tracker){ .name = "meta body",
		.is_body = true,
		.notes = "84 joints, high fidelity",
		.chain = { .names = statuses, .count = 2 } };
	hands = (struct jc_xr_tracker){ .name = "hands" };
	return 0;
}

static void source_is_stale_only_after_a_body_was_tracked(void **)
{
	assert_int_equal(report(false).condition, JC_SOURCE_WAITING);
	assert_string_equal(
		report(false).detail, "'Monado': nobody is tracked: put the headset on");
	assert_int_equal(report(true).condition, JC_SOURCE_STALE);
}

static void lists_live_parts_best_first(void **)
{
	body.part.live = hands.part.live = true;
	assert_int_equal(report(false).condition, JC_SOURCE_LIVE);
	assert_string_equal(
		report(false).detail, "'Monado': meta body, 84 joints, high fidelity, hands");
	body.part.live = false;
	assert_string_equal(report(false).detail, "'Monado': hands");
}

static void reports_a_stale_body_while_hands_stay_live(void **)
{
	body.is_stale = true;
	body.age_ns = INT64_C(12900000000);
	assert_int_equal(report(false).condition, JC_SOURCE_STALE);
	assert_string_equal(report(false).detail,
		"'Monado': meta body: joints have not changed for 12 s: wake the headset, or "
		"start SlimeVR");
	uint32_t key = report(false).key;

	body.age_ns = INT64_C(600000000);
	assert_non_null(strstr(report(false).detail, "for 0 s:"));
	assert_int_equal(report(false).key, key);
	hands.part.live = true;
	assert_int_equal(report(false).condition, JC_SOURCE_LIVE);
	assert_non_null(strstr(report(false).detail, "'Monado': hands; meta body: joints have"));
}

static void face_alone_makes_no_person(void **)
{
	hands.is_face = hands.part.live = true;
	assert_int_equal(report(false).condition, JC_SOURCE_WAITING);
	assert_string_equal(report(false).reason, "nobody is tracked");
	assert_string_equal(report(false).detail,
		"'Monado': nobody is tracked: put the headset on; without a body: hands");
	assert_int_equal(report(true).condition, JC_SOURCE_STALE);
	body.part.live = true;
	assert_int_equal(report(false).condition, JC_SOURCE_LIVE);
	assert_string_equal(
		report(false).detail, "'Monado': meta body, 84 joints, high fidelity, hands");
}

static void stale_face_makes_no_person(void **)
{
	hands.remedy = "permit it";
	hands.is_stale = hands.is_silent = true;
	assert_int_equal(report(false).condition, JC_SOURCE_WAITING);
	assert_string_equal(report(false).detail,
		"'Monado': nobody is tracked: put the headset on; hands is stale: wake the "
		"headset");
	assert_int_equal(report(true).condition, JC_SOURCE_STALE);
}

static void reports_why_joints_are_no_persons(void **)
{
	uint32_t key = report(true).key;

	body.fault = "calibrate in the headset";
	assert_string_equal(report(true).detail, "'Monado': calibrate in the headset");
	assert_int_equal(report(true).condition, JC_SOURCE_STALE);
	assert_int_equal(report(false).condition, JC_SOURCE_WAITING);
	assert_int_not_equal(report(true).key, key);
	hands.part.live = true;
	assert_string_equal(report(true).detail, "'Monado': hands; calibrate in the headset");
	assert_int_equal(report(true).condition, JC_SOURCE_LIVE);
}

static void names_known_and_unknown_errors(void **)
{
	body.result = JC_XR_ERROR_PERMISSION_INSUFFICIENT;
	assert_string_equal(report(false).detail,
		"'Monado': nobody is tracked: put the headset on; meta body: permission denied: "
		"permit it in the runtime");
	body.result = XR_ERROR_FEATURE_UNSUPPORTED;
	assert_string_equal(report(false).detail,
		"'Monado': nobody is tracked: put the headset on; meta body fails "
		"(XR_ERROR_FEATURE_UNSUPPORTED): read the log of the runtime");
	body.result = (XrResult)-1234;
	assert_string_equal(report(false).detail,
		"'Monado': nobody is tracked: put the headset on; meta body fails (XrResult "
		"-1234): read the log of the runtime");
	assert_string_equal(
		jc_xr_result_name(XR_ERROR_INSTANCE_LOST).text, "XR_ERROR_INSTANCE_LOST");
}

/* The log does not report each loss of a hand. */
static void hands_do_not_change_the_state_of_a_tracked_body(void **)
{
	body.part.live = true;
	uint32_t alone = report(false).key;

	hands.part.live = true;
	assert_int_equal(report(false).key, alone);
	body.quality++;
	assert_int_not_equal(report(false).key, alone);
	body.quality--;
	body.part.live = false;
	assert_int_not_equal(report(false).key, alone);
}

static void names_what_the_runtime_refuses(void **)
{
	uint32_t key;

	body.part.live = true;
	key = report(false).key;
	body.chain.refused = 1;
	body.chain.why = XR_ERROR_FEATURE_UNSUPPORTED;
	assert_string_equal(report(false).detail, "'Monado': meta body, 84 joints, high fidelity, "
						  "without calibration status "
						  "(XR_ERROR_FEATURE_UNSUPPORTED)");
	assert_int_not_equal(report(false).key, key);
	key = report(false).key;
	monado.properties.refused = 3;
	monado.properties.why = XR_ERROR_VALIDATION_FAILURE;
	assert_non_null(strstr(report(false).detail,
		"(XR_ERROR_FEATURE_UNSUPPORTED); support of calibration status and "
		"fidelity status is unknown (XR_ERROR_VALIDATION_FAILURE)"));
	assert_int_not_equal(report(false).key, key);
}

static void reports_worn_trackers_while_they_are_live(void **)
{
	hands.is_worn = true;
	assert_false(report(false).is_worn);
	hands.part.live = true;
	assert_true(report(false).is_worn);
}

/* Text that comes and goes with each poll changes only the detail. */
static XrResult deliver(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	(void)session;
	tracker->part.live = at->time != 0;
	return XR_SUCCESS;
}

/* Polls the tracker "hands" at that time, with or without data. */
static void poll_hands(int64_t now_ns, bool has_data)
{
	static const struct jc_xr_tracker_ops ops = { .locate = deliver };
	const struct jc_xr_poll_time at = { .time = has_data, .clock.now_ns = now_ns };

	hands.ops = &ops;
	hands.is_open = true;
	jc_xr_tracker_locate(&hands, NULL, &at);
}

static void pause_gets_its_remedy_only_after_a_while(void **)
{
	static const char alone[] = "'Monado': meta body, 84 joints, high fidelity";
	const int64_t start = INT64_C(5000000000);

	body.part.live = true;
	hands.remedy = "permit it";
	poll_hands(start, false);
	assert_string_equal(report(false).detail,
		"'Monado': meta body, 84 joints, high fidelity; hands delivers nothing: permit it");
	uint32_t silent = report(false).key;

	poll_hands(start + 1, true);
	uint32_t key = report(false).key;

	assert_int_not_equal(silent, key);
	poll_hands(start + 1 + JC_XR_SILENCE_NS, false);
	assert_string_equal(report(false).detail, alone);
	assert_int_equal(report(false).key, key);
	hands.is_stale = true;
	assert_string_equal(report(false).detail, alone);
	assert_int_equal(report(false).key, key);
	poll_hands(start + 2 + JC_XR_SILENCE_NS, false);
	assert_non_null(strstr(report(false).detail, "; hands is stale: wake the headset"));
	hands.is_stale = false;
	assert_non_null(strstr(report(false).detail, "; hands delivers nothing: permit it"));
	assert_int_equal(report(false).key, silent);
}

static void worn_trackers_may_be_hidden_for_a_moment(void **)
{
	hands.is_worn = true;
	poll_hands(1, true);
	poll_hands(JC_XR_SILENCE_NS, false);
	assert_true(report(false).is_worn);
	poll_hands(JC_XR_SILENCE_NS + 2, false);
	assert_false(report(false).is_worn);
}

static void advises_unless_a_body_tracker_delivers(void **)
{
	hands.part.live = true;
	uint32_t key = report(false).key;

	strcpy(hands.advice, "wear gloves");
	assert_string_equal(report(false).detail, "'Monado': hands; wear gloves");
	assert_int_equal(report(false).key, key);
	hands.quality++;
	assert_int_not_equal(report(false).key, key);
	body.part.live = true;
	key = report(false).key;
	assert_null(strstr(report(false).detail, "gloves"));
	hands.advice[0] = '\0';
	assert_int_equal(report(false).key, key);
}

static void line_leaves_out_whole_clauses(void **)
{
	hands.part.live = true;
	memset(hands.notes, 'n', sizeof(hands.notes) - 1);
	memset(body.advice, 'a', sizeof(body.advice) - 1);
	memset(hands.advice, 'b', sizeof(hands.advice) - 1);
	monado.properties.refused = 1;
	monado.properties.why = XR_ERROR_VALIDATION_FAILURE;
	struct jc_xr_state state = report(false);
	const char *tail = strchr(state.detail, ';');

	assert_non_null(tail);
	assert_int_equal(strspn(tail + 2, "a"), sizeof(body.advice) - 1);
	assert_null(strstr(state.detail, "bb"));
	assert_non_null(strstr(state.detail, "aa; …"));
	assert_true(strlen(state.detail) < sizeof(state.detail) - JC_XR_DETAIL_RESERVE);
}

/* A runtime name of the maximum length, all roles, a denied face and refused gaze. */
static void remedy_fits_beside_many_trackers(void **)
{
	static const char title[] =
		"12 trackers: waist, chest, left shoulder, right shoulder, left elbow, right "
		"elbow, left knee, right knee, left foot, right foot, left wrist, right wrist";

	memset(monado.runtime, 'M', sizeof(monado.runtime) - 1);
	hands.name = title;
	hands.part.live = true;
	strcpy(hands.advice, "1 tracker without a role ('LHR-1A2B3C4D'): calibrate or set roles");
	body.result = JC_XR_ERROR_PERMISSION_INSUFFICIENT;
	monado.properties.refused = 1;
	monado.properties.why = XR_ERROR_VALIDATION_FAILURE;
	struct jc_xr_state state = report(false);

	assert_non_null(strstr(state.detail, title));
	assert_non_null(strstr(state.detail, "; meta body: permission denied: permit it"));
	assert_non_null(strstr(state.detail, "'): calibrate or set roles; support of "));
	assert_null(strstr(state.detail, "…"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joint_needs_both_position_and_orientation),
		cmocka_unit_test(skeleton_on_the_floor_stays_there),
		cmocka_unit_test(moves_a_skeleton_relative_to_its_hips_onto_the_floor),
		cmocka_unit_test(rejects_a_skeleton_without_a_height),
		cmocka_unit_test_setup(source_is_stale_only_after_a_body_was_tracked, begin),
		cmocka_unit_test_setup(lists_live_parts_best_first, begin),
		cmocka_unit_test_setup(reports_a_stale_body_while_hands_stay_live, begin),
		cmocka_unit_test_setup(face_alone_makes_no_person, begin),
		cmocka_unit_test_setup(stale_face_makes_no_person, begin),
		cmocka_unit_test_setup(reports_why_joints_are_no_persons, begin),
		cmocka_unit_test_setup(names_known_and_unknown_errors, begin),
		cmocka_unit_test_setup(hands_do_not_change_the_state_of_a_tracked_body, begin),
		cmocka_unit_test_setup(names_what_the_runtime_refuses, begin),
		cmocka_unit_test_setup(reports_worn_trackers_while_they_are_live, begin),
		cmocka_unit_test_setup(pause_gets_its_remedy_only_after_a_while, begin),
		cmocka_unit_test_setup(worn_trackers_may_be_hidden_for_a_moment, begin),
		cmocka_unit_test_setup(advises_unless_a_body_tracker_delivers, begin),
		cmocka_unit_test_setup(line_leaves_out_whole_clauses, begin),
		cmocka_unit_test_setup(remedy_fits_beside_many_trackers, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
