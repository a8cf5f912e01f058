/* VMC sender: packets byte by byte, and that a receiver gets all values. */
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "unit_test.h"

static void thumbs_have_the_names_of_vrm_0(void **)
{
	assert_int_equal(jc_vmc_bone_find("LeftThumbProximal"), JC_BONE_LEFT_THUMB_METACARPAL);
	assert_int_equal(jc_vmc_bone_find("LeftThumbIntermediate"), JC_BONE_LEFT_THUMB_PROXIMAL);
	assert_int_equal(jc_vmc_bone_find("RightThumbDistal"), JC_BONE_RIGHT_THUMB_DISTAL);
	assert_int_equal(jc_vmc_bone_find("RightIndexProximal"), JC_BONE_RIGHT_INDEX_PROXIMAL);
	assert_int_equal(jc_vmc_bone_find("rightLittleDistal"), JC_BONE_RIGHT_LITTLE_DISTAL);
	assert_int_equal(jc_vmc_bone_find("LastBone"), JC_BONE_NONE);
	assert_int_equal(jc_vmc_bone_find("LEFTHAND"), JC_BONE_NONE);
	assert_int_equal(jc_vmc_bone_find(""), JC_BONE_NONE);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++)
		assert_int_equal(jc_vmc_bone_find(jc_vmc_bone_name((enum jc_bone)bone)), bone);
}

/* Expected bytes: the beginning with the built-in figure in the T-pose, whose hips are at
 * (0, 0.96, 0), and the end. */
static const uint8_t t_pose_begins[] = {
	'#', 'b', 'u', 'n', 'd', 'l', 'e', 0,           /* "#bundle" */
	0, 0, 0, 0, 0, 0, 0, 1,                         /* at once */
	0, 0, 0, 68,                                    /* size */
	'/', 'V', 'M', 'C', '/', 'E', 'x', 't',         /* "/VMC/Ext/Root/Pos" */
	'/', 'R', 'o', 'o', 't', '/', 'P', 'o',         /* */
	's', 0, 0, 0,                                   /* */
	',', 's', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 0, /* name, seven float32 */
	0, 0,                                           /* */
	'r', 'o', 'o', 't', 0, 0, 0, 0,                 /* */
	0xbf, 0x80, 0, 0,                               /* p.x -1: one to the left */
	0, 0, 0, 0,                                     /* p.y */
	0x40, 0, 0, 0,                                  /* p.z 2 forward */
	0, 0, 0, 0,                                     /* q.x */
	0x80, 0, 0, 0,                                  /* q.y -0 */
	0x80, 0, 0, 0,                                  /* q.z -0 */
	0x3f, 0x80, 0, 0,                               /* q.w 1 */
	0, 0, 0, 68,                                    /* size */
	'/', 'V', 'M', 'C', '/', 'E', 'x', 't',         /* "/VMC/Ext/Bone/Pos" */
	'/', 'B', 'o', 'n', 'e', '/', 'P', 'o',         /* */
	's', 0, 0, 0,                                   /* */
	',', 's', 'f', 'f', 'f', 'f', 'f', 'f', 'f', 0, /* */
	0, 0,                                           /* */
	'H', 'i', 'p', 's', 0, 0, 0, 0,                 /* */
	0x80, 0, 0, 0,                                  /* p.x -0 */
	0x3f, 0x75, 0xc2, 0x8f,                         /* p.y 0.96 */
	0, 0, 0, 0,                                     /* p.z */
	0, 0, 0, 0,                                     /* q.x */
	0x80, 0, 0, 0,                                  /* q.y -0 */
	0x80, 0, 0, 0,                                  /* q.z -0 */
	0x3f, 0x80, 0, 0,                               /* q.w 1 */
};
static const uint8_t t_pose_ends[] = {
	0, 0, 0, 36,                            /* size */
	'/', 'V', 'M', 'C', '/', 'E', 'x', 't', /* "/VMC/Ext/OK" */
	'/', 'O', 'K', 0,                       /* */
	',', 'i', 'i', 'i', 'i', 0, 0, 0,       /* four int32 */
	0, 0, 0, 1,                             /* loaded */
	0, 0, 0, 3,                             /* calibrated */
	0, 0, 0, 0,                             /* normal mode */
	0, 0, 0, 1,                             /* tracking */
	0, 0, 0, 20,                            /* size */
	'/', 'V', 'M', 'C', '/', 'E', 'x', 't', /* "/VMC/Ext/T" */
	'/', 'T', 0, 0,                         /* */
	',', 'f', 0, 0,                         /* */
	0x3f, 0xc0, 0, 0,                       /* 1.5 s */
};

struct sending {
	struct jc_skeleton *skeleton;
	struct jc_vmc_sender *sender;
	struct jc_vmc_receiver *receiver;
	struct jc_skeleton_pose pose;
	struct jc_vmc_sample sample;
};

static void sending_init(struct sending *sending)
{
	*sending = (struct sending){ .sample = { .time = 1.5f, .tracked = true } };
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		sending->pose.rotations[bone] = JC_QUAT_IDENTITY;
		sending->pose.states[bone] = JC_TRACKED;
	}
	sending->sample.pose = &sending->pose;
	assert_int_equal(jc_skeleton_create_builtin(&sending->skeleton), JC_OK);
	assert_int_equal(
		jc_vmc_sender_create(sending->skeleton, JC_VMC_NORMALIZED, &sending->sender),
		JC_OK);
	assert_int_equal(jc_vmc_receiver_create(NULL, &sending->receiver), JC_OK);
}

static void sending_finish(struct sending *sending)
{
	jc_vmc_receiver_destroy(sending->receiver);
	jc_vmc_sender_destroy(sending->sender);
	jc_skeleton_destroy(sending->skeleton);
}

static void packets_follow_the_specification(void **)
{
	struct sending sending;
	uint8_t bytes[8192];
	size_t cursor = 0;

	sending_init(&sending);
	sending.sample.root_position = (struct jc_vec3){ 1.0f, 0.0f, 2.0f };
	int length =
		jc_vmc_sender_write(sending.sender, &sending.sample, &cursor, bytes, sizeof(bytes));

	assert_true(length > (int)sizeof(t_pose_begins));
	assert_memory_equal(bytes, t_pose_begins, sizeof(t_pose_begins));
	assert_memory_equal(
		bytes + (size_t)length - sizeof(t_pose_ends), t_pose_ends, sizeof(t_pose_ends));
	sending_finish(&sending);
}

static void sends_all_55_bones_in_packets_of_limited_size(void **)
{
	struct sending sending;
	uint8_t bytes[JC_VMC_PACKET_BYTES];
	size_t cursor = 0;
	int length;
	int packets = 0;

	sending_init(&sending);
	while ((length = jc_vmc_sender_write(
			sending.sender, &sending.sample, &cursor, bytes, sizeof(bytes))) > 0) {
		assert_int_equal(
			jc_vmc_receiver_take(sending.receiver, bytes, (size_t)length, 0, NULL),
			JC_OK);
		packets++;
	}
	assert_int_equal(length, 0);
	assert_int_equal(packets, 4);
	assert_int_equal(jc_vmc_receiver_counts(sending.receiver)->messages, 3 + 55);
	assert_int_equal(jc_vmc_receiver_counts(sending.receiver)->ignored, 0);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++)
		assert_int_equal(
			jc_vmc_receiver_frame(sending.receiver, 8000000)->pose.states[bone],
			JC_TRACKED);
	sending_finish(&sending);
}

static void sends_blend_shapes_by_vrm_0_names_with_apply(void **)
{
	static const struct jc_vmc_channel channels[] = { { "expression/happy", 0.5f },
		{ "expression/tongueOut", 0.25f } };
	struct sending sending;
	uint8_t bytes[8192];
	size_t cursor = 0;

	sending_init(&sending);
	sending.sample.channels = channels;
	sending.sample.channel_count = 2;
	int length =
		jc_vmc_sender_write(sending.sender, &sending.sample, &cursor, bytes, sizeof(bytes));
	assert_int_equal(cursor, 3 + 55 + 2 + 1);
	assert_non_null(
		memmem(bytes, (size_t)length, "/VMC/Ext/Blend/Val\0\0,sf\0Joy\0\x3f\0\0\0", 32));
	assert_int_equal(
		jc_vmc_sender_write(sending.sender, &sending.sample, &cursor, bytes, sizeof(bytes)),
		0);
	cursor = 0;
	jc_vmc_sender_write(sending.sender, &sending.sample, &cursor, bytes, sizeof(bytes));
	assert_int_equal(
		jc_vmc_receiver_take(sending.receiver, bytes, (size_t)length, 0, NULL), JC_OK);
	assert_int_equal(jc_vmc_receiver_channel_count(sending.receiver), 2);
	for (int i = 0; i < 2; i++) {
		const struct jc_vmc_channel *channel =
			&jc_vmc_receiver_channels(sending.receiver)[i];

		assert_string_equal(channel->name, channels[i].name);
		assert_true(channel->value == channels[i].value);
	}
	sending_finish(&sending);
}

static void rejects_a_packet_size_too_small_for_one_message(void **)
{
	struct sending sending;
	uint8_t bytes[100];

	sending_init(&sending);
	/* 16 bytes of bundle, 4 of size and 68 of the root. */
	for (size_t capacity = 0; capacity < 88; capacity++) {
		size_t cursor = 0;

		assert_int_equal(jc_vmc_sender_write(
					 sending.sender, &sending.sample, &cursor, bytes, capacity),
			JC_ERROR_SPACE);
		assert_int_equal(cursor, 0);
	}
	size_t cursor = 0;
	assert_int_equal(
		jc_vmc_sender_write(sending.sender, &sending.sample, &cursor, bytes, 88), 88);
	assert_int_equal(cursor, 1);
	sending_finish(&sending);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thumbs_have_the_names_of_vrm_0),
		cmocka_unit_test(packets_follow_the_specification),
		cmocka_unit_test(sends_all_55_bones_in_packets_of_limited_size),
		cmocka_unit_test(sends_blend_shapes_by_vrm_0_names_with_apply),
		cmocka_unit_test(rejects_a_packet_size_too_small_for_one_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
