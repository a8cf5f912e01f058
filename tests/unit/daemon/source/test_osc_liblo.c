/* Tests OSC trackers against liblo, an independent OSC library, in both directions. */
#include <lo/lo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast/transform.h"
#include "jointcast_private/osc.h"
#include "sink/osc_sink.h"
#include "source/osc_trackers_source.h"
#include "source/tracked_body.h"
#include "space/space.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

static const struct jc_log quiet = { .fd = -1 };

static struct jc_source *open_source(
	struct jc_osc_trackers_options options, char out_port[JC_ADDRESS_TEXT])
{
	struct jc_source *source;
	char text[JC_ADDRESS_TEXT];

	options.log = &quiet;
	assert_true(jc_address_parse("127.0.0.1:0", &options.address));
	assert_int_equal(jc_osc_trackers_source_create(&options, &source, NULL), JC_OK);
	jc_osc_trackers_source_address(source, text);
	strcpy(out_port, strrchr(text, ':') + 1);
	return source;
}

static void add_vector(
	lo_bundle bundle, const char *address, const char *types, float x, float y, float z)
{
	lo_message message = lo_message_new();
	const float numbers[3] = { x, y, z };

	for (int i = 0; i < 3; i++) {
		if (types[i] == 'd')
			lo_message_add_double(message, (double)numbers[i]);
		else if (types[i] == 'i')
			lo_message_add_int32(message, (int32_t)numbers[i]);
		else
			lo_message_add_float(message, numbers[i]);
	}
	lo_bundle_add_message(bundle, address, message);
}

/* A person at Unity's (1, 0, 2) who looks to the right; the waist tracker has a role. */
static void send_body(lo_address address)
{
	lo_bundle bundle = lo_bundle_new(LO_TT_IMMEDIATE);

	add_vector(bundle, "/tracking/trackers/head/position", "fdi", 1.0f, 1.6f, 2.0f);
	add_vector(bundle, "/tracking/trackers/head/rotation", "fff", 0.0f, 90.0f, 0.0f);
	add_vector(bundle, "/tracking/trackers/1/position", "fff", 1.0f, 0.96f, 2.0f);
	add_vector(bundle, "/tracking/trackers/1/rotation", "iii", 0.0f, 90.0f, 0.0f);
	add_vector(bundle, "/chatbox/typing", "fff", 0.0f, 0.0f, 0.0f);
	assert_true(lo_send_bundle(address, bundle) > 0);
	lo_bundle_free_recursive(bundle);
}

static void receives_packets_of_liblo(void **)
{
	struct jc_osc_trackers_options options = { .height = 1.75f };
	struct jc_source_sample sample;
	struct jc_source_status status;
	char port[JC_ADDRESS_TEXT];

	assert_true(jc_tracker_roles_add(&options.roles, "1", jc_tracker_role_find("waist")));
	struct jc_source *source = open_source(options, port);
	lo_address address = lo_address_new("127.0.0.1", port);

	send_body(address);
	send_body(address); /* begins the second frame, so that the first one is complete */
	source->ops->sample(source, jc_clock_now_ns(), &sample);
	assert_true(sample.live);
	struct jc_vec3 front = jc_quat_rotate(
		sample.pose.rotations[JC_BONE_HIPS], (struct jc_vec3){ 0.0f, 0.0f, 1.0f });

	assert_true(front.x < -0.99f);
	assert_int_equal(sample.pose.states[JC_BONE_HIPS], JC_TRACKED);
	const struct jc_body_frame *frame = jc_tracked_body_frame(source->tracked);

	assert_true(fabsf(frame->joints[JC_JOINT_HIPS].position.x + 1.0f) < 1e-3f);
	assert_true(fabsf(frame->joints[JC_JOINT_HIPS].position.z - 2.0f) < 1e-3f);
	source->ops->status(source, &status);
	assert_string_equal(status.kind, "osc-trackers");
	assert_int_equal(status.condition, JC_SOURCE_LIVE);
	assert_int_equal(status.sender_count, 1);
	assert_int_equal(status.senders[0].packets, 2);
	assert_int_equal(strncmp(status.senders[0].name, "127.0.0.1:", 10), 0);
	assert_int_equal(status.ignored, 2);
	assert_string_equal(status.unused->list[0], "/chatbox/typing");
	lo_address_free(address);
	source->ops->destroy(source);
}

/* The second sender gets the body when the first one is silent, no earlier. */
static void one_sender_owns_the_body_until_it_is_silent(void **)
{
	struct jc_source_status status;
	struct sockaddr_storage first, second;
	char port[JC_ADDRESS_TEXT];
	struct jc_source *source =
		open_source((struct jc_osc_trackers_options){ .height = 1.75f }, port);
	int64_t now_ns = jc_clock_now_ns();
	lo_message message = lo_message_new();
	char bytes[256];
	size_t length = sizeof(bytes);

	lo_message_add_float(message, 1.0f);
	lo_message_add_float(message, 1.5f);
	lo_message_add_float(message, 0.0f);
	lo_message_serialise(message, "/tracking/trackers/head/position", bytes, &length);
	assert_true(jc_address_parse("127.0.0.1:1001", &first));
	assert_true(jc_address_parse("127.0.0.1:1002", &second));
	for (int i = 0; i < 30; i++) {
		jc_osc_trackers_source_take(source, &first, bytes, length, now_ns);
		jc_osc_trackers_source_take(source, &second, bytes, length, now_ns + 1000);
		now_ns += SECOND / 60;
	}
	source->ops->status(source, &status);
	assert_int_equal(status.ignored, 30);
	assert_string_equal(status.ignored_reason, "one sender owns the body until it is silent");
	uint64_t frames = status.frames;

	now_ns += SECOND;
	for (int i = 0; i < 3; i++) {
		jc_osc_trackers_source_take(source, &second, bytes, length, now_ns);
		now_ns += SECOND / 60;
	}
	source->ops->status(source, &status);
	assert_int_equal(status.ignored, 30);
	assert_true(status.frames > frames);
	lo_message_free(message);
	source->ops->destroy(source);
}

static void other_senders_than_peers_are_ignored(void **)
{
	struct jc_osc_trackers_options options = { .peers = { .count = 1,
							   .networks = { "127.0.0.2" } } };
	struct jc_source_status status;
	struct jc_source_sample sample;
	char port[JC_ADDRESS_TEXT];
	struct jc_source *source = open_source(options, port);
	lo_address address = lo_address_new("127.0.0.1", port);

	send_body(address);
	source->ops->sample(source, jc_clock_now_ns(), &sample);
	source->ops->status(source, &status);
	assert_int_equal(status.frames, 0);
	assert_int_equal(status.ignored, 1);
	lo_address_free(address);
	source->ops->destroy(source);
}

struct heard {
	int positions, rotations, others;
	float head[3], turn[3], waist[3];
};

static int hear(const char *path, const char *types, lo_arg **argv, int argc, lo_message message,
	void *user)
{
	struct heard *heard = user;

	(void)message;
	if (argc != 3 || strcmp(types, "fff") != 0 ||
		strncmp(path, "/tracking/trackers/", 19) != 0) {
		heard->others++;
		return 0;
	}
	heard->positions += strstr(path, "/position") != NULL;
	heard->rotations += strstr(path, "/rotation") != NULL;
	for (int i = 0; i < 3; i++) {
		float value;

		memcpy(&value, argv[i], sizeof(value));
		if (strcmp(path, "/tracking/trackers/head/position") == 0)
			heard->head[i] = value;
		if (strcmp(path, "/tracking/trackers/1/position") == 0)
			heard->waist[i] = value;
		if (strcmp(path, "/tracking/trackers/head/rotation") == 0)
			heard->turn[i] = value;
	}
	return 0;
}

static void complain(int number, const char *what, const char *where)
{
	fail_msg("liblo: %d %s %s", number, what, where);
}

/* A body whose head is turned by 30 degrees to its left. */
static struct heard listen_to_sink(const char *options, bool may_relay)
{
	lo_server server = lo_server_new(NULL, complain);
	struct heard heard = { 0 };
	struct jc_osc_target target;
	struct jc_skeleton_pose pose = { .rotations = { { 0 } } };
	struct jc_source still = { .ops = NULL, .is_unrelayed = !may_relay };
	struct jc_skeleton_asset asset = { .number = 0 };
	struct jc_body body = { .id = 1, .name = "Ada", .live = true };
	struct jc_skeleton *skeleton;
	struct jc_sink *sink;
	char text[JC_ADDRESS_TEXT];

	assert_non_null(server);
	lo_server_add_method(server, NULL, NULL, hear, &heard);
	snprintf(text, sizeof(text), "127.0.0.1:%d%s", lo_server_get_port(server), options);
	assert_int_equal(jc_osc_target_parse_trackers(text, &target, NULL), JC_OK);
	assert_int_equal(jc_osc_sink_create(&target, &quiet, &sink, NULL), JC_OK);
	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	asset.skeleton = skeleton;
	body.asset = &asset;
	body.source = &still;
	for (int bone = 0; bone < JC_BONE_COUNT; bone++)
		pose.rotations[bone] = JC_QUAT_IDENTITY;
	pose.rotations[JC_BONE_HEAD] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, (float)M_PI / 6.0f);
	sink->ops->pose(sink, &body, &pose, SECOND);
	while (lo_server_recv_noblock(server, 100) > 0)
		continue;
	sink->ops->destroy(sink);
	jc_skeleton_destroy(skeleton);
	lo_server_free(server);
	return heard;
}

static void liblo_receives_our_trackers(void **)
{
	struct heard heard = listen_to_sink("", true);
	struct jc_vec3 head = jc_bone_rest_position(JC_BONE_HEAD);

	assert_int_equal(heard.positions, 9);
	assert_int_equal(heard.rotations, 9);
	assert_int_equal(heard.others, 0);
	assert_true(fabsf(heard.head[1] - head.y) < 1e-4f);
	assert_true(fabsf(heard.waist[1] - 0.96f) < 1e-4f);
	/* In left-handed axes a turn to the left is negative. */
	assert_true(fabsf(heard.turn[1] + 30.0f) < 1e-2f);
	heard = listen_to_sink("?trackers=left_foot,right_foot", true);
	assert_int_equal(heard.positions, 3);
	assert_true(heard.waist[1] < 0.2f);
}

static void a_body_without_consent_is_not_sent(void **)
{
	struct heard heard = listen_to_sink("", false);

	assert_int_equal(heard.positions + heard.rotations + heard.others, 0);
}

static void targets_are_checked(void **)
{
	struct jc_osc_target target;
	struct jc_diagnostic diagnostic = { 0 };
	char text[JC_ADDRESS_TEXT];

	assert_int_equal(jc_osc_target_parse_trackers("127.0.0.1", &target, NULL), JC_OK);
	jc_address_format(&target.address, text);
	assert_string_equal(text, "127.0.0.1:9000");
	assert_int_equal(target.tracker_count, 8);
	assert_int_equal(
		jc_osc_target_parse_trackers("192.0.2.1", &target, &diagnostic), JC_ERROR_INVALID);
	assert_non_null(strstr(diagnostic.what, "allow=remote"));
	assert_int_equal(
		jc_osc_target_parse_trackers("192.0.2.1?allow=remote", &target, NULL), JC_OK);
	assert_int_equal(
		jc_osc_target_parse_trackers("[::1]:7000?trackers=chest&hz=30", &target, NULL),
		JC_OK);
	assert_int_equal(
		jc_osc_target_parse_trackers("127.0.0.1?trackers=nose", &target, &diagnostic),
		JC_ERROR_INVALID);
	assert_int_equal(jc_osc_target_parse_trackers(
				 "127.0.0.1?trackers=waist,waist", &target, &diagnostic),
		JC_ERROR_INVALID);
	assert_int_equal(
		jc_osc_target_parse_trackers("127.0.0.1?bones=original", &target, &diagnostic),
		JC_ERROR_INVALID);
	assert_int_equal(
		jc_osc_target_parse_vmc("127.0.0.1", &target, &diagnostic), JC_ERROR_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receives_packets_of_liblo),
		cmocka_unit_test(one_sender_owns_the_body_until_it_is_silent),
		cmocka_unit_test(other_senders_than_peers_are_ignored),
		cmocka_unit_test(liblo_receives_our_trackers),
		cmocka_unit_test(a_body_without_consent_is_not_sent),
		cmocka_unit_test(targets_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
