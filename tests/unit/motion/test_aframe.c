/* A-Frame recordings: where head and wrists are, by the definitions of Three.js and of the devices.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define DEGREE 0.017453292519943295

static struct jc_motion *read_motion(const char *text, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;
	int error = jc_motion_read(text, strlen(text), 0, NULL, &motion, lint, &diagnostic);

	if (error) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	assert_string_equal(jc_motion_info(motion)->format, "a-frame");
	assert_int_equal(jc_motion_info(motion)->kind, JC_MOTION_BODY_FRAMES);
	return motion;
}

static struct jc_body_frame frame_at(const struct jc_motion *motion, double t)
{
	struct jc_body_frame frame;

	jc_motion_body_frame(motion, t, &frame);
	return frame;
}

static void assert_near(struct jc_vec3 a, double x, double y, double z)
{
	const struct jc_vec3 b = { (float)x, (float)y, (float)z };

	if (jc_vec3_length(jc_vec3_subtract(a, b)) > 1e-5f) {
		fail_msg("(%g, %g, %g), not (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, x,
			y, z);
	}
}

static struct jc_vec3 turned(struct jc_body_joint joint, float x, float y, float z)
{
	return jc_quat_rotate(joint.orientation, (struct jc_vec3){ x, y, z });
}

#define POSE(position, rotation, time)                                                             \
	"{\"position\":{" position "},\"rotation\":{" rotation "},\"timestamp\":" time "}"
#define EYES    "\"x\":0,\"y\":1.6,\"z\":0"
#define NO_TURN "\"x\":0,\"y\":0,\"z\":0"
#define CAMERA  "\"camera\":{\"poses\":[" POSE(EYES, NO_TURN, "1000") "],\"events\":[]}"

/* The columns of Three.js' matrix for the order YXZ (Matrix4.makeRotationFromEuler). The head joint
 * has -Z up and +Y to the front; it is 7 cm below and 7.5 cm behind the eyes. */
static void head_follows_the_camera(void **state)
{
	const double x = 20 * DEGREE, y = -130 * DEGREE, z = 35 * DEGREE;
	const double a = cos(x), b = sin(x), c = cos(y), d = sin(y), e = cos(z), f = sin(z);
	const double up[3] = { d * e * b - c * f, a * e, d * f + c * e * b };
	const double back[3] = { a * d, -b, a * c };
	struct jc_motion *motion =
		read_motion("{\"camera\":{\"poses\":[" POSE("\"x\":0.3,\"y\":1.5,\"z\":-2",
				    "\"x\":20,\"y\":-130,\"z\":35", "7") "]}}",
			NULL);
	struct jc_body_joint head = frame_at(motion, 0.0).joints[JC_JOINT_HEAD];

	(void)state;
	assert_int_equal(head.state, JC_TRACKED);
	assert_near(head.position, 0.3 - 0.07 * up[0] + 0.075 * back[0],
		1.5 - 0.07 * up[1] + 0.075 * back[1], -2 - 0.07 * up[2] + 0.075 * back[2]);
	assert_near(turned(head, 0.0f, 0.0f, -1.0f), up[0], up[1], up[2]);
	assert_near(turned(head, 0.0f, 1.0f, 0.0f), -back[0], -back[1], -back[2]);
	assert_int_equal(jc_motion_info(motion)->bone_mask, UINT64_C(1) << JC_BONE_HEAD);
	jc_motion_destroy(motion);
}

/* Both point to the front with the thumb up: the wrist is 13 cm behind and 3 cm below, its -Z to
 * the front, its +Y (the back of the hand) to the own side. */
static void assert_hands_ahead(const char *text)
{
	struct jc_motion *motion = read_motion(text, NULL);
	struct jc_body_frame frame = frame_at(motion, 0.0);
	struct jc_body_joint left = frame.joints[JC_JOINT_LEFT_HAND_WRIST];
	struct jc_body_joint right = frame.joints[JC_JOINT_RIGHT_HAND_WRIST];

	assert_near(left.position, -0.2, 1.17, -0.27);
	assert_near(right.position, 0.2, 1.17, -0.27);
	assert_near(turned(left, 0.0f, 0.0f, -1.0f), 0.0, 0.0, -1.0);
	assert_near(turned(left, 0.0f, 1.0f, 0.0f), -1.0, 0.0, 0.0);
	assert_near(turned(right, 0.0f, 0.0f, -1.0f), 0.0, 0.0, -1.0);
	assert_near(turned(right, 0.0f, 1.0f, 0.0f), 1.0, 0.0, 0.0);
	assert_int_equal(left.state, JC_ESTIMATED);
	jc_motion_destroy(motion);
}

#define LEFT_PLACE  "\"x\":-0.2,\"y\":1.2,\"z\":-0.4"
#define RIGHT_PLACE "\"x\":0.2,\"y\":1.2,\"z\":-0.4"
#define DEVICE(id, gamepad, place, rotation)                                                       \
	",\"" id "\":{\"gamepad\":{" gamepad "},\"poses\":[" POSE(place, rotation, "1000") "]}"
#define VIVE "\"id\":\"OpenVR Gamepad\",\"index\":0"

static void hands_may_be_turned_for_a_model(void **state)
{
	(void)state;
	assert_hands_ahead("{" CAMERA DEVICE("left", VIVE, LEFT_PLACE, NO_TURN)
			DEVICE("right", VIVE, RIGHT_PLACE, NO_TURN) "}");
	assert_hands_ahead(
		"{" CAMERA DEVICE("leftHand", VIVE, LEFT_PLACE, "\"x\":0,\"y\":0,\"z\":90")
			DEVICE("rightHand", VIVE, RIGHT_PLACE, "\"x\":0,\"y\":0,\"z\":-90") "}");
	/* The turn has been added to -170 degrees, which then points up on the other side. */
	assert_hands_ahead(
		"{" CAMERA DEVICE("left", VIVE, LEFT_PLACE, "\"x\":180,\"y\":180,\"z\":270")
			DEVICE("right", VIVE, RIGHT_PLACE, "\"x\":0,\"y\":0,\"z\":-90") "}");
}

/* Its pointing direction is 0.8 down for 1 ahead of its own -Z. */
static void oculus_touch_points_below_its_axis(void **state)
{
	char text[2048];

	(void)state;
	snprintf(text, sizeof(text),
		"{" CAMERA DEVICE("left", "\"id\":\"Oculus Touch (Left)\",\"hand\":\"left\"",
			LEFT_PLACE, "\"x\":%.9f,\"y\":0,\"z\":0")
			DEVICE("right", "\"id\":\"Oculus Touch (Right)\",\"hand\":\"right\"",
				RIGHT_PLACE, "\"x\":%.9f,\"y\":0,\"z\":0") "}",
		atan(0.8) / DEGREE, atan(0.8) / DEGREE);
	assert_hands_ahead(text);
}

/* A WebXR grip: -Z up, +Y to the wrist, which is 8 cm along +Y and 3 cm out of the palm's side. */
static void grips_have_no_gamepad_id(void **state)
{
	struct jc_motion *motion = read_motion(
		"{" CAMERA DEVICE("left", "", LEFT_PLACE, "\"x\":90,\"y\":0,\"z\":0") "}", NULL);
	struct jc_body_joint left = frame_at(motion, 0.0).joints[JC_JOINT_LEFT_HAND_WRIST];

	(void)state;
	assert_int_equal(left.state, JC_TRACKED);
	assert_near(left.position, -0.23, 1.2, -0.32);
	assert_near(turned(left, 0.0f, 0.0f, -1.0f), 0.0, 0.0, -1.0);
	jc_motion_destroy(motion);
}

static void ids_decide_before_gamepads_and_places(void **state)
{
	static const char *const texts[] = {
		/* The gamepads' own hands are exchanged. */
		"{" CAMERA DEVICE("left", VIVE ",\"hand\":\"right\"", LEFT_PLACE, NO_TURN)
			DEVICE("right", VIVE ",\"hand\":\"left\"", RIGHT_PLACE, NO_TURN) "}",
		"{" CAMERA DEVICE("c1", VIVE ",\"hand\":\"right\"", RIGHT_PLACE, NO_TURN)
			DEVICE("c2", VIVE ",\"hand\":\"left\"", LEFT_PLACE, NO_TURN) "}",
		"{" CAMERA DEVICE("c1", VIVE, RIGHT_PLACE, NO_TURN)
			DEVICE("c2", VIVE, LEFT_PLACE, NO_TURN) "}",
		"{" CAMERA DEVICE("c1", VIVE, LEFT_PLACE, NO_TURN)
			DEVICE("RIGHT", VIVE, RIGHT_PLACE, NO_TURN) "}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_hands_ahead(texts[i]);
	}
}

static void other_devices_are_named(void **state)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *motion = read_motion(
		"{" CAMERA DEVICE("left", VIVE, LEFT_PLACE, NO_TURN)
			DEVICE("left2", VIVE, LEFT_PLACE, NO_TURN) ",\"cube\":{\"events\":[]}}",
		&lint);

	(void)state;
	assert_int_equal(lint.count, 2);
	assert_string_equal(lint.entries[0].text, "'cube' has no poses: left out");
	assert_string_equal(
		lint.entries[1].text, "'left2' is a second controller of one hand: left out");
	jc_motion_destroy(motion);
}

#define AT(x, time) POSE("\"x\":" x ",\"y\":1.2,\"z\":0", NO_TURN, time)

/* A frame for each pose of the camera. The right hand begins later, moves between frames, loses its
 * tracking for more than half a second, and ends earlier. */
static void devices_have_their_own_times(void **state)
{
	struct jc_motion *motion = read_motion(
		"{\"camera\":{\"poses\":[" AT("0", "5000") "," AT("0", "5100") "," AT(
			"0", "5200") "," AT("0", "5200") "," AT("0", "5600") "," AT("0",
			"6100") "," AT("0",
			"6200") "]},\"right\":{\"gamepad\":{" VIVE "},\"poses\":[" AT("1",
			"5050") "," AT("2", "5150") "," AT("4",
			"5250") ",{\"position\":{\"x\":null,"
				"\"y\":1,\"z\":0},\"rotation"
				"\":{" NO_TURN "},\"timestamp\":5500}," AT("9", "6100") "]}}",
		NULL);
	static const struct {
		double t, x;
	} seen[] = { { 5.1 - 5.0, 1.5 }, { 5.2 - 5.0, 3.0 }, { 6.1 - 5.0, 9.0 } };
	static const double unseen[] = { 0.0, 5.6 - 5.0, 6.2 - 5.0 };

	(void)state;
	assert_int_equal(jc_motion_info(motion)->frame_count, 6);
	assert_true(fabs(jc_motion_info(motion)->duration - 1.2) < 1e-9);
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		struct jc_body_joint hand =
			frame_at(motion, seen[i].t).joints[JC_JOINT_RIGHT_HAND_WRIST];

		assert_int_equal(hand.state, JC_ESTIMATED);
		assert_near(hand.position, seen[i].x, 1.17, 0.13);
	}
	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
		assert_int_equal(
			frame_at(motion, unseen[i]).joints[JC_JOINT_RIGHT_HAND_WRIST].state,
			JC_ABSENT);
	}
	jc_motion_destroy(motion);
}

static void poses_that_go_back_in_time_are_counted(void **state)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *motion =
		read_motion("{\"camera\":{\"poses\":[" AT("0", "2000") "," AT("1", "500") "," AT(
				    "2", "500") "," AT("3", "2500") "]}}",
			&lint);

	(void)state;
	assert_int_equal(jc_motion_info(motion)->frame_count, 2);
	assert_int_equal(lint.count, 1);
	assert_int_equal(lint.entries[0].severity, JC_WARNING);
	assert_string_equal(lint.entries[0].text,
		"2 of 4 poses of 'camera' are not later than the pose before: left out");
	jc_motion_destroy(motion);
}

static void a_single_entity_may_be_recorded(void **state)
{
	struct jc_motion *motion = read_motion(
		"{\"poses\":[" AT("0", "0") "," AT("1", "500") "],\"events\":[],\"gamepad\":{" VIVE
							       ",\"hand\":\"left\"}}",
		NULL);

	(void)state;
	assert_int_equal(jc_motion_info(motion)->bone_mask, UINT64_C(1) << JC_BONE_LEFT_HAND);
	jc_motion_destroy(motion);
}

static void refuses_what_is_no_pose(void **state)
{
	static const struct {
		const char *text, *what, *where;
		int error;
	} cases[] = {
		{ "{\"camera\":{\"poses\":[" AT("0", "0") ",7]}}", "not an object",
			"camera.poses[1]", JC_ERROR_INVALID },
		{ "{\"camera\":{\"poses\":[" AT("\"0\"", "0") "]}}", "not a number",
			"camera.poses[0].position.x", JC_ERROR_INVALID },
		{ "{\"camera\":{\"poses\":[{\"position\":{\"x\":0,\"y\":0,\"z\":0}}]}}",
			"not an object with x, y and z", "camera.poses[0].rotation",
			JC_ERROR_INVALID },
		{ "{\"camera\":{\"poses\":[" AT("1e9", "0") "]}}", "larger than 1e+06 in magnitude",
			"camera.poses[0].position.x", JC_ERROR_LIMIT },
		{ "{\"camera\":{\"poses\":[" AT("0", "1e300") "]}}",
			"larger than 4e+12 in magnitude", "camera.poses[0].timestamp",
			JC_ERROR_LIMIT },
		{ "{\"camera\":{\"poses\":[]}}", "an A-Frame recording without poses", "",
			JC_ERROR_TRUNCATED },
		{ "{\"poses\":[" AT("0", "0") "]}",
			"an A-Frame recording of neither a camera nor a hand", "",
			JC_ERROR_NO_HUMANOID },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_motion *motion;

		assert_int_equal(jc_motion_read(cases[i].text, strlen(cases[i].text), 0, NULL,
					 &motion, NULL, &diagnostic),
			cases[i].error);
		assert_string_equal(diagnostic.what, cases[i].what);
		assert_string_equal(diagnostic.where, cases[i].where);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(head_follows_the_camera),
		cmocka_unit_test(hands_may_be_turned_for_a_model),
		cmocka_unit_test(oculus_touch_points_below_its_axis),
		cmocka_unit_test(grips_have_no_gamepad_id),
		cmocka_unit_test(ids_decide_before_gamepads_and_places),
		cmocka_unit_test(other_devices_are_named),
		cmocka_unit_test(devices_have_their_own_times),
		cmocka_unit_test(poses_that_go_back_in_time_are_counted),
		cmocka_unit_test(a_single_entity_may_be_recorded),
		cmocka_unit_test(refuses_what_is_no_pose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
