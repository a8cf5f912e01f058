/* Several senders on one VMC port: which of them moves which bone and which blend shape. */
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/osc.h"
#include "maxima.h"
#include "source/vmc/vmc_senders.h"
#include "unit_test.h"

#define MS INT64_C(1000000)

/* Some time after which a sender is silent. */
#define LONG_MS 600

struct fixture {
	struct jc_vmc_senders *senders;
	int64_t now_ns;
	struct jc_vmc_body body; /* the newest */
	uint8_t bytes[2048];
	size_t length;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .now_ns = 1000 * MS };
	*state = &fixture;
	return jc_vmc_senders_create(NULL, &fixture.senders);
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_vmc_senders_destroy(fixture->senders);
	return 0;
}

static struct sockaddr_storage at(const char *host, uint16_t port)
{
	struct sockaddr_storage address = { .ss_family = AF_INET };
	struct sockaddr_in *in = (struct sockaddr_in *)&address;

	assert_int_equal(inet_pton(AF_INET, host, &in->sin_addr), 1);
	in->sin_port = htons(port);
	return address;
}

static void say(struct fixture *fixture, const struct jc_osc_message *message)
{
	if (fixture->length == 0)
		fixture->length =
			(size_t)jc_osc_bundle_begin(fixture->bytes, sizeof(fixture->bytes));
	int size = jc_osc_bundle_append(message, fixture->bytes + fixture->length,
		sizeof(fixture->bytes) - fixture->length);

	assert_true(size > 0);
	fixture->length += (size_t)size;
}

/* Turned by `angle` radians about +X. */
static void say_bone(struct fixture *fixture, const char *name, float angle)
{
	const struct jc_osc_message message = { "/VMC/Ext/Bone/Pos", 8,
		{ { 's', .s = name }, { .type = 'i' }, { .type = 'i' }, { .type = 'i' },
			{ 'f', .f = sinf(angle / 2.0f) }, { .type = 'i' }, { .type = 'i' },
			{ 'f', .f = cosf(angle / 2.0f) } } };

	say(fixture, &message);
}

static void say_ok(struct fixture *fixture, int32_t ok)
{
	const struct jc_osc_message message = { "/VMC/Ext/OK", 1, { { 'i', .i = ok } } };

	say(fixture, &message);
}

static void say_shape(struct fixture *fixture, const char *name, float value)
{
	static const struct jc_osc_message apply = { "/VMC/Ext/Blend/Apply", 0, { { 0 } } };
	const struct jc_osc_message message = { "/VMC/Ext/Blend/Val", 2,
		{ { 's', .s = name }, { 'f', .f = value } } };

	say(fixture, &message);
	say(fixture, &apply);
}

static int deliver_from(struct fixture *fixture, struct sockaddr_storage from)
{
	int status = jc_vmc_senders_take(
		fixture->senders, &from, fixture->bytes, fixture->length, fixture->now_ns, NULL);

	fixture->length = 0;
	return status;
}

/* The packet so far, from that port of this machine. */
static void deliver(struct fixture *fixture, uint16_t port)
{
	assert_int_equal(deliver_from(fixture, at("127.0.0.1", port)), JC_OK);
}

/* A tick after that time; returns whether it has a new pose. */
static bool tick(struct fixture *fixture, int64_t after_ms)
{
	fixture->now_ns += after_ms * MS;
	return jc_vmc_senders_body(fixture->senders, fixture->now_ns, &fixture->body);
}

static void expect_turn(const struct fixture *fixture, enum jc_bone bone, float angle)
{
	struct jc_quat wanted =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, angle);

	assert_true(jc_quat_angle(fixture->body.pose.rotations[bone], wanted) < 1e-3f);
}

/* Negative: no sender has sent it. */
static float shape(struct fixture *fixture, const char *name)
{
	size_t count;
	const struct jc_vmc_channel *channels =
		jc_vmc_senders_channels(fixture->senders, fixture->now_ns, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(channels[i].name, name) == 0)
			return channels[i].value;
	}
	return -1.0f;
}

/* A frame of three bones, and one of the head alone. */
static void send_body(struct fixture *fixture, uint16_t port, float head)
{
	say_bone(fixture, "Hips", 0.1f);
	say_bone(fixture, "Spine", 0.2f);
	say_bone(fixture, "Head", head);
	deliver(fixture, port);
}

static void send_head(struct fixture *fixture, uint16_t port, float head)
{
	say_bone(fixture, "Head", head);
	deliver(fixture, port);
}

static void the_sender_of_more_bones_keeps_the_head(void **state)
{
	struct fixture *fixture = *state;

	/* The face tracker is there first. */
	send_head(fixture, 2, -0.5f);
	assert_true(tick(fixture, 8));
	expect_turn(fixture, JC_BONE_HEAD, -0.5f);
	for (int i = 0; i < 120; i++) {
		send_body(fixture, 1, 0.3f);
		fixture->now_ns += 4 * MS;
		send_head(fixture, 2, -0.5f);
		tick(fixture, 5);
		expect_turn(fixture, JC_BONE_HEAD, 0.3f);
		expect_turn(fixture, JC_BONE_SPINE, 0.2f);
	}
	/* The other takes over when the first is silent, and returns the head at once. */
	for (int i = 0; i < LONG_MS / 10; i++) {
		send_head(fixture, 2, -0.5f);
		tick(fixture, 10);
	}
	expect_turn(fixture, JC_BONE_HEAD, -0.5f);
	assert_int_equal(fixture->body.pose.states[JC_BONE_SPINE], JC_ABSENT);
	send_body(fixture, 1, 0.3f);
	assert_true(tick(fixture, 8));
	expect_turn(fixture, JC_BONE_HEAD, 0.3f);
}

static void of_equal_senders_the_first_keeps_the_head(void **state)
{
	struct fixture *fixture = *state;

	for (int i = 0; i < 120; i++) {
		/* The order of their packets changes. */
		if (i % 2)
			send_head(fixture, 9, 0.4f);
		send_head(fixture, 7, -0.4f);
		if (i % 2 == 0)
			send_head(fixture, 9, 0.4f);
		tick(fixture, 8);
		expect_turn(fixture, JC_BONE_HEAD, -0.4f);
	}
	/* A sender that was silent is no longer the first. */
	for (int i = 0; i < LONG_MS / 10; i++) {
		send_head(fixture, 9, 0.4f);
		tick(fixture, 10);
	}
	for (int i = 0; i < 10; i++) {
		send_head(fixture, 9, 0.4f);
		send_head(fixture, 7, -0.4f);
		tick(fixture, 8);
		expect_turn(fixture, JC_BONE_HEAD, 0.4f);
	}
}

static void a_sender_adds_the_bones_that_the_first_does_not_send(void **state)
{
	struct fixture *fixture = *state;

	send_body(fixture, 1, 0.3f);
	say_bone(fixture, "LeftIndexProximal", 0.7f);
	say_bone(fixture, "LeftHand", 0.6f);
	deliver(fixture, 2);
	assert_true(tick(fixture, 8));
	expect_turn(fixture, JC_BONE_HIPS, 0.1f);
	expect_turn(fixture, JC_BONE_LEFT_HAND, 0.6f);
	expect_turn(fixture, JC_BONE_LEFT_INDEX_PROXIMAL, 0.7f);
	assert_int_equal(fixture->body.pose.states[JC_BONE_RIGHT_HAND], JC_ABSENT);
}

static void availability_concerns_the_sender_alone(void **state)
{
	struct fixture *fixture = *state;

	for (int i = 0; i < 3; i++) {
		say_ok(fixture, 1);
		send_body(fixture, 1, 0.3f);
		say_ok(fixture, 0);
		say_bone(fixture, "Head", -0.5f);
		say_bone(fixture, "LeftEye", 0.05f);
		deliver(fixture, 2);
		tick(fixture, 8);
	}
	assert_int_equal(fixture->body.pose.states[JC_BONE_HIPS], JC_TRACKED);
	assert_int_equal(fixture->body.pose.states[JC_BONE_HEAD], JC_TRACKED);
	assert_int_equal(fixture->body.pose.states[JC_BONE_LEFT_EYE], JC_ESTIMATED);
}

static void blend_shapes_merge_and_the_face_tracker_counts(void **state)
{
	struct fixture *fixture = *state;

	for (int i = 0; i < 2; i++) {
		say_shape(fixture, "Joy", 0.25f);
		say_shape(fixture, "Blink", 0.0f);
		send_body(fixture, 1, 0.3f);
		say_shape(fixture, "Blink", 1.0f);
		say_shape(fixture, "jawOpen", 0.5f);
		send_head(fixture, 2, 0.0f);
		tick(fixture, 8);
		assert_true(shape(fixture, "expression/happy") == 0.25f);
		assert_true(shape(fixture, "expression/blink") == 1.0f);
		assert_true(shape(fixture, "expression/jawOpen") == 0.5f);
		assert_true(shape(fixture, "expression/aa") == -1.0f);
	}
	/* What a silent sender has sent ends; what the other sends counts again. */
	for (int i = 0; i < LONG_MS / 10; i++) {
		send_body(fixture, 1, 0.3f);
		tick(fixture, 10);
	}
	assert_true(shape(fixture, "expression/blink") == 0.0f);
	assert_true(shape(fixture, "expression/jawOpen") == 0.0f);
	assert_true(shape(fixture, "expression/happy") == 0.25f);
}

static void a_pose_has_the_times_of_the_first_sender(void **state)
{
	struct fixture *fixture = *state;

	send_body(fixture, 1, 0.3f);
	int64_t sent_ns = fixture->now_ns;

	fixture->now_ns += 2 * MS;
	send_head(fixture, 2, -0.5f);
	assert_true(tick(fixture, 6));
	assert_int_equal(fixture->body.time_ns, sent_ns);
	/* Only the other sends: the body has not moved. */
	send_head(fixture, 2, -0.4f);
	assert_false(tick(fixture, 8));
	send_body(fixture, 1, 0.4f);
	assert_true(tick(fixture, 8));
	expect_turn(fixture, JC_BONE_HEAD, 0.4f);
}

static void a_sender_is_an_address_and_a_port(void **state)
{
	struct fixture *fixture = *state;

	say_ok(fixture, 1);
	assert_int_equal(deliver_from(fixture, at("127.0.0.1", 5)), JC_OK);
	say_ok(fixture, 1);
	assert_int_equal(deliver_from(fixture, at("127.0.0.1", 5)), JC_OK);
	assert_int_equal(jc_vmc_senders_active(fixture->senders, fixture->now_ns), 1);
	say_ok(fixture, 1);
	assert_int_equal(deliver_from(fixture, at("127.0.0.1", 6)), JC_OK);
	say_ok(fixture, 1);
	assert_int_equal(deliver_from(fixture, at("127.0.0.2", 6)), JC_OK);
	assert_int_equal(jc_vmc_senders_active(fixture->senders, fixture->now_ns), 3);
	assert_int_equal(
		jc_vmc_senders_active(fixture->senders, fixture->now_ns + LONG_MS * MS), 0);
}

static void a_sender_too_many_waits_until_another_is_silent(void **state)
{
	struct fixture *fixture = *state;
	struct jc_vmc_counts counts;

	for (uint16_t port = 1; port <= JC_MAX_VMC_SENDERS; port++)
		send_head(fixture, port, 0.1f);
	say_bone(fixture, "Head", 0.2f);
	assert_int_equal(deliver_from(fixture, at("127.0.0.1", 100)), JC_ERROR_LIMIT);
	jc_vmc_senders_count(fixture->senders, &counts);
	assert_int_equal(counts.packets, JC_MAX_VMC_SENDERS + 1);
	assert_int_equal(counts.refused, 1);
	fixture->now_ns += LONG_MS * MS;
	for (uint16_t port = 2; port <= JC_MAX_VMC_SENDERS; port++)
		send_head(fixture, port, 0.1f);
	say_bone(fixture, "Head", 0.2f);
	say_bone(fixture, "Neck", 0.2f);
	assert_int_equal(deliver_from(fixture, at("127.0.0.1", 100)), JC_OK);
	assert_true(tick(fixture, 8));
	expect_turn(fixture, JC_BONE_HEAD, 0.2f);
	/* The counts of the sender that gave way stay. */
	jc_vmc_senders_count(fixture->senders, &counts);
	assert_int_equal(counts.messages, 2 * JC_MAX_VMC_SENDERS + 1);
}

static void damaged_packets_take_no_place(void **state)
{
	struct fixture *fixture = *state;

	for (uint16_t port = 1; port <= 100; port++) {
		struct sockaddr_storage from = at("127.0.0.1", port);

		assert_int_equal(jc_vmc_senders_take(
					 fixture->senders, &from, "abc", 3, fixture->now_ns, NULL),
			JC_ERROR_SYNTAX);
	}
	assert_int_equal(jc_vmc_senders_active(fixture->senders, fixture->now_ns), 0);
	send_head(fixture, 101, 0.1f);
	assert_true(tick(fixture, 8));
}

static void the_first_reason_of_all_senders_stays(void **state)
{
	struct fixture *fixture = *state;

	assert_null(jc_vmc_senders_reason(fixture->senders));
	say_bone(fixture, "Tail", 0.0f);
	deliver(fixture, 2);
	say_bone(fixture, "Wing", 0.0f);
	deliver(fixture, 1);
	assert_string_equal(jc_vmc_senders_reason(fixture->senders)->what, "unknown bone Tail");
}

static void limits_the_blend_shapes_of_all_senders(void **state)
{
	struct fixture *fixture = *state;
	struct jc_vmc_counts counts;
	char name[32];
	size_t count;

	for (unsigned i = 0; i < JC_LIMIT_VMC_CHANNELS + 20; i++) {
		snprintf(name, sizeof(name), "shape%u", i);
		say_shape(fixture, name, 0.5f);
		deliver(fixture, (uint16_t)(1 + i % 2));
	}
	for (int i = 0; i < 2; i++)
		jc_vmc_senders_channels(fixture->senders, fixture->now_ns, &count);
	assert_int_equal(count, JC_LIMIT_VMC_CHANNELS);
	jc_vmc_senders_count(fixture->senders, &counts);
	assert_int_equal(counts.ignored, 20);
	assert_string_equal(jc_vmc_senders_reason(fixture->senders)->what,
		"too many blend shapes of all senders");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_sender_of_more_bones_keeps_the_head),
		TEST(of_equal_senders_the_first_keeps_the_head),
		TEST(a_sender_adds_the_bones_that_the_first_does_not_send),
		TEST(availability_concerns_the_sender_alone),
		TEST(blend_shapes_merge_and_the_face_tracker_counts),
		TEST(a_pose_has_the_times_of_the_first_sender),
		TEST(a_sender_is_an_address_and_a_port),
		TEST(a_sender_too_many_waits_until_another_is_silent),
		TEST(damaged_packets_take_no_place),
		TEST(the_first_reason_of_all_senders_stays),
		TEST(limits_the_blend_shapes_of_all_senders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
