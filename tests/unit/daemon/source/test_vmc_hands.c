/* Head, hips and hands among the devices of VMC senders. */
#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "source/vmc/vmc_hands.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define FRAME  (SECOND / 60)

struct fixture {
	struct jc_vmc_hands hands;
	struct jc_vmc_device devices[8];
	size_t count;
	struct jc_pose pose;
	struct jc_reach reach;
};

static struct fixture make_fixture(void)
{
	struct fixture fixture = { .count = 0 };

	jc_pose_init(&fixture.pose);
	return fixture;
}

/* Canonical axes: the left is at +X. */
static struct jc_vmc_device *add(struct fixture *fixture, enum jc_vmc_device_kind kind,
	const char *serial, struct jc_vec3 position)
{
	struct jc_vmc_device *device = &fixture->devices[fixture->count++];

	*device = (struct jc_vmc_device){
		.kind = kind, .position = position, .rotation = JC_QUAT_IDENTITY
	};
	strcpy(device->serial, serial);
	return device;
}

static void find(struct fixture *fixture, int64_t time_ns)
{
	jc_vmc_hands_find(&fixture->hands, fixture->devices, fixture->count, &fixture->pose,
		time_ns, &fixture->reach);
}

/* Calls at 60 Hz for some seconds with fresh devices, from `from` on. */
static void watch(struct fixture *fixture, int64_t from, float seconds)
{
	for (int i = 0; i <= (int)(seconds * 60.0f); i++) {
		for (size_t k = 0; k < fixture->count; k++) {
			fixture->devices[k].time_ns = from + i * FRAME;
		}
		find(fixture, from + i * FRAME);
	}
}

static void assert_at(struct jc_vec3 place, float x, float y, float z)
{
	struct jc_vec3 wanted = { x, y, z };

	assert_true(jc_vec3_length(jc_vec3_subtract(place, wanted)) < 1e-4f);
}

/* Where a direction of the T-pose points. */
static void assert_points(struct jc_quat turned, struct jc_vec3 rest, struct jc_vec3 wanted)
{
	assert_true(jc_vec3_angle(jc_quat_rotate(turned, rest), wanted) < 1e-3f);
}

static const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f }, right = { -1.0f, 0.0f, 0.0f },
			    up = { 0.0f, 1.0f, 0.0f }, down = { 0.0f, -1.0f, 0.0f },
			    front = { 0.0f, 0.0f, 1.0f };

/* In SlimeVR's upright pose arms hang, palms inwards, thumbs to the front. */
static void reads_the_computed_trackers_of_slimevr(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_HMD, "Quest 3", (struct jc_vec3){ 0.0f, 1.6f, 0.1f });
	add(&fixture, JC_VMC_HMD, "human://HEAD", (struct jc_vec3){ 0.0f, 1.45f, 0.0f });
	add(&fixture, JC_VMC_TRACKER, "human://WAIST", (struct jc_vec3){ 0.0f, 0.9f, 0.0f });
	add(&fixture, JC_VMC_TRACKER, "human://LEFT_ELBOW", (struct jc_vec3){ 0.4f, 1.1f, 0.0f });
	add(&fixture, JC_VMC_CONTROLLER, "left_Touch", (struct jc_vec3){ 0.9f, 0.9f, 0.0f });
	add(&fixture, JC_VMC_CONTROLLER, "human://LEFT_HAND", (struct jc_vec3){ 0.2f, 0.7f, 0.1f });
	add(&fixture, JC_VMC_CONTROLLER, "human://RIGHT_HAND",
		(struct jc_vec3){ -0.2f, 0.7f, 0.1f });
	watch(&fixture, SECOND, 0.0f);

	const struct jc_reach *reach = &fixture.reach;

	assert_true(fixture.hands.is_slimevr && fixture.hands.has_head);
	assert_false(fixture.hands.is_unclear);
	assert_int_equal(reach->anchor, JC_BONE_NECK);
	assert_at(reach->place, 0.0f, 1.45f, 0.0f);
	assert_true(reach->has_hips);
	assert_at(reach->hips, 0.0f, 0.9f, 0.0f);
	assert_true(reach->hands[0].is_known && reach->hands[1].is_known);
	assert_at(reach->hands[0].wrist, 0.2f, 0.735f, -0.03f);
	assert_at(reach->hands[1].wrist, -0.2f, 0.735f, -0.03f);
	assert_points(reach->hands[0].turned, left, down); /* fingers */
	assert_points(reach->hands[1].turned, right, down);
	assert_points(reach->hands[0].turned, down, right); /* palms */
	assert_points(reach->hands[1].turned, down, left);
	assert_points(reach->hands[0].turned, front, front); /* thumbs */
}

/* The forearm points to the front: a hand that turns with it carries its wrist along. */
static void offset_of_a_controller_turns_with_the_hand(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_HMD, "human://HEAD", (struct jc_vec3){ 0.0f, 1.45f, 0.0f });
	add(&fixture, JC_VMC_CONTROLLER, "human://LEFT_HAND", (struct jc_vec3){ 0.2f, 1.2f, 0.4f })
		->rotation = jc_quat_from_axis_angle(right, 1.5707963f);
	watch(&fixture, SECOND, 0.0f);
	assert_points(fixture.reach.hands[0].turned, left, front); /* fingers */
	assert_points(fixture.reach.hands[0].turned, front, up);   /* thumb */
	assert_at(fixture.reach.hands[0].wrist, 0.2f, 1.2f - 0.13f, 0.4f - 0.035f);
	assert_false(fixture.reach.has_hips);
	assert_false(fixture.reach.hands[1].is_known);
}

static void reads_devices_of_other_programs(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_HMD, "LHR-1", (struct jc_vec3){ 0.0f, 1.6f, 0.1f });
	add(&fixture, JC_VMC_CONTROLLER, "OculusRightController",
		(struct jc_vec3){ -0.2f, 1.2f, 0.5f });
	add(&fixture, JC_VMC_CONTROLLER, "OculusLeftController",
		(struct jc_vec3){ 0.2f, 1.2f, 0.5f });
	watch(&fixture, SECOND, 0.0f);
	assert_false(fixture.hands.is_slimevr);
	assert_int_equal(fixture.reach.anchor, JC_BONE_HEAD);
	assert_at(fixture.reach.place, 0.0f, 1.53f, 0.025f);
	for (int side = 0; side < 2; side++) {
		const struct jc_reach_hand *hand = &fixture.reach.hands[side];

		assert_true(hand->is_known);
		assert_at(hand->wrist, side == 0 ? 0.2f : -0.2f, 1.17f, 0.37f);
		assert_points(hand->turned, side == 0 ? left : right, front); /* fingers */
		assert_points(hand->turned, front, up);                       /* thumb */
	}
}

static void tells_unnamed_controllers_by_the_side_of_the_body(void **)
{
	struct fixture fixture = make_fixture();

	/* The body looks to the left, so its left is at -Z. */
	fixture.pose.states[JC_BONE_HIPS] = JC_TRACKED;
	fixture.pose.rotations[JC_BONE_HIPS] = jc_quat_from_axis_angle(up, 1.5707963f);
	add(&fixture, JC_VMC_HMD, "LHR-1", (struct jc_vec3){ 0.0f, 1.6f, 0.0f });
	struct jc_vmc_device *a =
		add(&fixture, JC_VMC_CONTROLLER, "LHR-2", (struct jc_vec3){ 0.3f, 1.2f, 0.2f });
	struct jc_vmc_device *b =
		add(&fixture, JC_VMC_CONTROLLER, "LHR-3", (struct jc_vec3){ 0.3f, 1.2f, -0.2f });

	watch(&fixture, SECOND, 0.2f);
	assert_true(fixture.hands.is_unclear);
	assert_false(fixture.reach.hands[0].is_known);
	watch(&fixture, 2 * SECOND, 1.0f);
	assert_false(fixture.hands.is_unclear);
	assert_true(fixture.reach.hands[0].wrist.z < -0.1f);
	assert_true(fixture.reach.hands[1].wrist.z > 0.0f);
	/* Hands that cross for a moment stay what they are. */
	a->position.z = -0.2f;
	b->position.z = 0.2f;
	watch(&fixture, 4 * SECOND, 0.5f);
	assert_false(fixture.hands.is_unclear);
	assert_true(fixture.reach.hands[0].wrist.z > 0.0f);
}

static void does_not_guess_where_sides_are_unclear(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_HMD, "LHR-1", (struct jc_vec3){ 0.0f, 1.6f, 0.0f });
	add(&fixture, JC_VMC_CONTROLLER, "LHR-2", (struct jc_vec3){ 0.3f, 1.2f, 0.3f });
	add(&fixture, JC_VMC_CONTROLLER, "LHR-3", (struct jc_vec3){ 0.3f, 1.4f, 0.3f });
	watch(&fixture, SECOND, 3.0f);
	assert_true(fixture.hands.is_unclear);
	assert_false(fixture.reach.hands[0].is_known || fixture.reach.hands[1].is_known);
	/* A name decides for both. */
	strcpy(fixture.devices[1].serial, "right hand");
	watch(&fixture, 5 * SECOND, 0.0f);
	assert_false(fixture.hands.is_unclear);
	assert_at(fixture.reach.hands[0].wrist, 0.3f, 1.37f, 0.17f);
	assert_at(fixture.reach.hands[1].wrist, 0.3f, 1.17f, 0.17f);
}

static void another_pair_of_controllers_takes_over(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_HMD, "LHR-1", (struct jc_vec3){ 0.0f, 1.6f, 0.0f });
	add(&fixture, JC_VMC_CONTROLLER, "LHR-2", (struct jc_vec3){ 0.3f, 1.2f, 0.3f });
	add(&fixture, JC_VMC_CONTROLLER, "LHR-3", (struct jc_vec3){ -0.3f, 1.2f, 0.3f });
	watch(&fixture, SECOND, 1.0f);
	assert_true(fixture.reach.hands[0].is_known);
	strcpy(fixture.devices[1].serial, "LHR-4");
	strcpy(fixture.devices[2].serial, "LHR-5");
	watch(&fixture, 2 * SECOND + SECOND / 2, 0.2f);
	assert_true(fixture.hands.is_unclear);
	watch(&fixture, 5 * SECOND, 1.0f);
	assert_false(fixture.hands.is_unclear);
	assert_true(fixture.reach.hands[0].wrist.x > 0.2f);
	for (int i = 0; i < 4; i++) {
		char serial[] = "LHR-6";

		serial[4] += (char)i;
		add(&fixture, JC_VMC_CONTROLLER, serial, (struct jc_vec3){ 0.1f, 1.0f, 0.3f });
	}
	watch(&fixture, 8 * SECOND, 2.0f);
	assert_true(fixture.hands.is_unclear);
}

static void leaves_out_silent_devices_and_other_spaces(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_HMD, "hmd", (struct jc_vec3){ 0.0f, 1.6f, 0.0f })->time_ns =
		9 * SECOND;
	add(&fixture, JC_VMC_CONTROLLER, "left", (struct jc_vec3){ 0.3f, 1.2f, 0.3f })->time_ns =
		9 * SECOND;
	add(&fixture, JC_VMC_CONTROLLER, "right", (struct jc_vec3){ -0.3f, 1.2f, 0.3f })->time_ns =
		8 * SECOND;
	struct jc_vmc_device *local =
		add(&fixture, JC_VMC_CONTROLLER, "right", (struct jc_vec3){ -9.0f, 1.2f, 0.3f });

	local->time_ns = 9 * SECOND;
	local->local = true;
	find(&fixture, 9 * SECOND + SECOND / 2);
	assert_true(fixture.reach.hands[0].is_known);
	assert_false(fixture.reach.hands[1].is_known);
	find(&fixture, 11 * SECOND);
	assert_false(fixture.hands.has_head || fixture.reach.hands[0].is_known);

	/* A sender of devices as tracked alone. */
	for (size_t i = 0; i < fixture.count; i++) {
		fixture.devices[i].local = true;
	}
	watch(&fixture, 12 * SECOND, 0.0f);
	assert_true(fixture.hands.has_head && fixture.reach.hands[0].is_known);
}

static void controllers_without_a_headset_have_no_place(void **)
{
	struct fixture fixture = make_fixture();

	add(&fixture, JC_VMC_CONTROLLER, "left", (struct jc_vec3){ 0.3f, 1.2f, 0.3f });
	watch(&fixture, SECOND, 1.0f);
	assert_true(fixture.hands.has_controllers);
	assert_false(fixture.hands.has_head || fixture.reach.hands[0].is_known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_computed_trackers_of_slimevr),
		cmocka_unit_test(offset_of_a_controller_turns_with_the_hand),
		cmocka_unit_test(reads_devices_of_other_programs),
		cmocka_unit_test(tells_unnamed_controllers_by_the_side_of_the_body),
		cmocka_unit_test(does_not_guess_where_sides_are_unclear),
		cmocka_unit_test(another_pair_of_controllers_takes_over),
		cmocka_unit_test(leaves_out_silent_devices_and_other_spaces),
		cmocka_unit_test(controllers_without_a_headset_have_no_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
