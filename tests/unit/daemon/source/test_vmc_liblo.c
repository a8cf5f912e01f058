/* Tests VMC against liblo, an independent OSC library. */
#include <lo/lo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast/transform.h"
#include "sink/osc_sink.h"
#include "source/vmc/vmc_source.h"
#include "space/space.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define HALF   0.70710678f /* sine and cosine of 45 degrees */

static const struct jc_log quiet = { .fd = -1 };

static void add_place(lo_bundle bundle, const char *address, const char *name, struct jc_quat q)
{
	lo_message message = lo_message_new();

	lo_message_add_string(message, name);
	for (int i = 0; i < 3; i++)
		lo_message_add_float(message, 0.0f);
	lo_message_add_float(message, q.x);
	lo_message_add_float(message, q.y);
	lo_message_add_float(message, q.z);
	lo_message_add_float(message, q.w);
	lo_bundle_add_message(bundle, address, message);
}

static void receives_packets_of_liblo(void **)
{
	struct jc_vmc_source_options options = { .log = &quiet };
	struct jc_source_sample sample;
	struct jc_source *source;
	char text[JC_ADDRESS_TEXT];

	assert_true(jc_address_parse("127.0.0.1:0", &options.address));
	assert_int_equal(jc_vmc_source_create(&options, &source, NULL), JC_OK);
	jc_vmc_source_address(source, text);
	lo_address address = lo_address_new("127.0.0.1", strrchr(text, ':') + 1);
	/* As Virtual Motion Capture itself nests them. */
	lo_bundle outer = lo_bundle_new(LO_TT_IMMEDIATE);
	lo_bundle bones = lo_bundle_new(LO_TT_IMMEDIATE);

	add_place(outer, "/VMC/Ext/Root/Pos", "root", JC_QUAT_IDENTITY);
	/* Left arm up, right arm forward: see test_vmc.c for the first; the
	 * second, at Unity's +X, goes to +Z with -90 degrees about +Y. */
	add_place(bones, "/VMC/Ext/Bone/Pos", "LeftUpperArm",
		(struct jc_quat){ 0.0f, 0.0f, -HALF, HALF });
	add_place(bones, "/VMC/Ext/Bone/Pos", "RightUpperArm",
		(struct jc_quat){ 0.0f, -HALF, 0.0f, HALF });
	lo_bundle_add_bundle(outer, bones);
	lo_message ok = lo_message_new();
	lo_message_add_int32(ok, 1);
	lo_bundle_add_message(outer, "/VMC/Ext/OK", ok);
	assert_true(lo_send_bundle(address, outer) > 0);
	assert_true(lo_send(address, "/VMC/Ext/T", "f", 1.25) > 0);

	source->ops->sample(source, jc_clock_now_ns(), &sample);
	usleep(6000);
	source->ops->sample(source, jc_clock_now_ns(), &sample);
	assert_true(sample.live);
	struct jc_vec3 left = jc_quat_rotate(sample.pose.rotations[JC_BONE_LEFT_UPPER_ARM],
		(struct jc_vec3){ 1.0f, 0.0f, 0.0f });
	struct jc_vec3 right = jc_quat_rotate(sample.pose.rotations[JC_BONE_RIGHT_UPPER_ARM],
		(struct jc_vec3){ -1.0f, 0.0f, 0.0f });

	assert_true(fabsf(left.y - 1.0f) < 1e-6f);
	assert_true(fabsf(right.z - 1.0f) < 1e-6f);
	lo_bundle_free_recursive(outer);
	lo_address_free(address);
	source->ops->destroy(source);
}

struct heard {
	int ok, time, root, bones, others;
	float arm[7];
};

/* An lo_arg is aligned to four bytes, its type to eight. */
static int32_t int_of(const lo_arg *argument)
{
	int32_t value;

	memcpy(&value, argument, sizeof(value));
	return value;
}

static float float_of(const lo_arg *argument)
{
	float value;

	memcpy(&value, argument, sizeof(value));
	return value;
}

static int hear(const char *path, const char *types, lo_arg **argv, int argc, lo_message message,
	void *user)
{
	struct heard *heard = user;

	(void)argc;
	(void)message;
	if (strcmp(path, "/VMC/Ext/OK") == 0 && strcmp(types, "iiii") == 0) {
		heard->ok += int_of(argv[0]) == 1 && int_of(argv[1]) == 3 && int_of(argv[3]) == 1;
	} else if (strcmp(path, "/VMC/Ext/T") == 0 && strcmp(types, "f") == 0) {
		heard->time++;
	} else if (strcmp(path, "/VMC/Ext/Root/Pos") == 0 && strcmp(types, "sfffffff") == 0) {
		heard->root += strcmp((const char *)argv[0], "root") == 0;
	} else if (strcmp(path, "/VMC/Ext/Bone/Pos") == 0 && strcmp(types, "sfffffff") == 0) {
		heard->bones++;
		for (int i = 0; strcmp((const char *)argv[0], "LeftUpperArm") == 0 && i < 7; i++)
			heard->arm[i] = float_of(argv[1 + i]);
	} else {
		heard->others++;
	}
	return 0;
}

static void complain(int number, const char *what, const char *where)
{
	fail_msg("liblo: %d %s %s", number, what, where);
}

static void liblo_receives_our_packets(void **)
{
	/* The left arm raised; 0.145 m from the shoulder, to the left. */
	static const float arm[7] = { -0.145f, 0.0f, 0.0f, 0.0f, 0.0f, -HALF, HALF };
	lo_server server = lo_server_new(NULL, complain);
	struct heard heard = { 0 };
	struct jc_osc_target target;
	struct jc_skeleton_pose pose = { .rotations = { { 0 } } };
	struct jc_source still = { .ops = NULL };
	struct jc_skeleton_asset asset = { .number = 0 };
	struct jc_body body = { .id = 1, .name = "Ada", .live = true };
	struct jc_skeleton *skeleton;
	struct jc_sink *sink;
	char text[JC_ADDRESS_TEXT];

	assert_non_null(server);
	lo_server_add_method(server, NULL, NULL, hear, &heard);
	snprintf(text, sizeof(text), "127.0.0.1:%d", lo_server_get_port(server));
	assert_int_equal(jc_osc_target_parse_vmc(text, &target, NULL), JC_OK);
	assert_int_equal(jc_osc_sink_create(&target, &quiet, &sink, NULL), JC_OK);
	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	asset.skeleton = skeleton;
	body.asset = &asset;
	body.source = &still;
	for (int bone = 0; bone < JC_BONE_COUNT; bone++)
		pose.rotations[bone] = JC_QUAT_IDENTITY;
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] = (struct jc_quat){ 0.0f, 0.0f, HALF, HALF };
	sink->ops->pose(sink, &body, &pose, SECOND);
	while (lo_server_recv_noblock(server, 100) > 0)
		continue;
	assert_int_equal(heard.ok, 1);
	assert_int_equal(heard.time, 1);
	assert_int_equal(heard.root, 1);
	assert_int_equal(heard.bones, 55);
	assert_int_equal(heard.others, 0);
	for (int i = 0; i < 7; i++)
		assert_true(fabsf(heard.arm[i] - arm[i]) < 1e-6f);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(skeleton);
	lo_server_free(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receives_packets_of_liblo),
		cmocka_unit_test(liblo_receives_our_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
