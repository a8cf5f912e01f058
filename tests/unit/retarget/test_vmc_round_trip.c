/* Tests VMC from sender to receiver: bones give the same skeleton, and retargeting gives the same
 * pose. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../skeleton/figures.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"
#include "unit_test.h"

#define FIGURES 60
#define DEGREES 57.29578f

/* A marionette of the simplest kind: bones as they were sent, Unity's axes. */
struct marionette {
	struct jc_vec3 position[JC_BONE_COUNT + 1]; /* the last is the root */
	struct jc_quat rotation[JC_BONE_COUNT + 1];
	uint64_t mask;
};

static void on_message(void *context, const struct jc_osc_message *message)
{
	struct marionette *marionette = context;
	const struct jc_osc_argument *a = message->arguments;
	int bone = JC_BONE_COUNT;

	if (message->argument_count != 8)
		return;
	if (strcmp(message->address, "/VMC/Ext/Bone/Pos") == 0)
		bone = jc_vmc_bone_find(a[0].s);
	marionette->position[bone] = (struct jc_vec3){ a[1].f, a[2].f, a[3].f };
	marionette->rotation[bone] = (struct jc_quat){ a[4].f, a[5].f, a[6].f, a[7].f };
	marionette->mask |= UINT64_C(1) << bone;
}

struct trip {
	struct jc_skeleton *skeleton;
	struct jc_retargeter *retargeter;
	struct jc_vmc_sender *sender;
	struct jc_vmc_receiver *receiver;
	struct jc_skeleton_pose posed;
	struct marionette marionette;
	int64_t now_ns;
};

static void trip_init(struct trip *trip, struct jc_skeleton *skeleton, enum jc_vmc_bones bones)
{
	*trip = (struct trip){ .skeleton = skeleton };
	assert_int_equal(jc_retargeter_create(skeleton, &trip->retargeter), JC_OK);
	assert_int_equal(jc_vmc_sender_create(skeleton, bones, &trip->sender), JC_OK);
	assert_int_equal(
		jc_vmc_receiver_create(bones == JC_VMC_ORIGINAL ? skeleton : NULL, &trip->receiver),
		JC_OK);
}

static void trip_finish(struct trip *trip)
{
	jc_vmc_receiver_destroy(trip->receiver);
	jc_vmc_sender_destroy(trip->sender);
	jc_retargeter_destroy(trip->retargeter);
	jc_skeleton_destroy(trip->skeleton);
}

/* Poses the skeleton at random and sends it. */
static const struct jc_vmc_frame *make_trip(struct trip *trip, uint32_t *seed)
{
	struct jc_vmc_sample sample = { .tracked = true,
		.root_position = { 0.5f, 0.0f, -2.0f },
		.root_yaw = 0.7f,
		.pose = &trip->posed };
	uint8_t bytes[JC_VMC_PACKET_BYTES];
	struct jc_pose pose;
	size_t cursor = 0;
	int length;

	jc_pose_init(&pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.rotations[bone] = figure_random_quat(seed);
		pose.states[bone] = JC_TRACKED;
	}
	pose.hips_translation =
		(struct jc_vec3){ figure_random(seed), figure_random(seed), figure_random(seed) };
	jc_retargeter_apply(trip->retargeter, &pose, &trip->posed);
	while ((length = jc_vmc_sender_write(
			trip->sender, &sample, &cursor, bytes, sizeof(bytes))) > 0) {
		assert_int_equal(
			jc_osc_read(bytes, (size_t)length, on_message, &trip->marionette, NULL),
			JC_OK);
		assert_int_equal(jc_vmc_receiver_take(
					 trip->receiver, bytes, (size_t)length, trip->now_ns, NULL),
			JC_OK);
	}
	assert_int_equal(length, 0);
	trip->now_ns += 16000000;
	return jc_vmc_receiver_frame(trip->receiver, trip->now_ns);
}

static struct jc_skeleton *random_skeleton(uint32_t *seed, bool offsets)
{
	static struct figure figure;

	figure_init_random(&figure, seed);
	for (int bone = 0; !offsets && bone < JC_BONE_COUNT; bone++)
		figure.description.offsets[bone] = JC_QUAT_IDENTITY;
	return figure_make(&figure);
}

/* The sender applies the offsets of a figure. The receiver must not apply them again to a figure
 * that has the same offsets. */
static void the_receiver_restores_the_pose_on_the_same_avatar(void **)
{
	uint32_t seed = 11;

	for (int i = 0; i < FIGURES; i++) {
		struct jc_skeleton_pose again;
		struct trip trip;

		trip_init(&trip, random_skeleton(&seed, false), JC_VMC_NORMALIZED);
		const struct jc_vmc_frame *frame = make_trip(&trip, &seed);
		struct jc_pose pose = frame->pose;

		/* The root turns all of it. */
		pose.rotations[JC_BONE_HIPS] = jc_quat_multiply(
			jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, -0.7f),
			pose.rotations[JC_BONE_HIPS]);
		jc_retargeter_apply(trip.retargeter, &pose, &again);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			float off =
				jc_quat_angle(again.rotations[bone], trip.posed.rotations[bone]);

			if (off * DEGREES > 1e-4f)
				fail_msg("figure %d, %s: %g degrees", i,
					jc_bone_name((enum jc_bone)bone), (double)(off * DEGREES));
		}
		trip_finish(&trip);
	}
}

static void hips_translation_is_restored(void **)
{
	struct jc_quat turn = jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.7f);
	uint32_t seed = 12;

	for (int i = 0; i < FIGURES; i++) {
		struct trip trip;

		trip_init(&trip, random_skeleton(&seed, true), JC_VMC_NORMALIZED);
		struct jc_vmc_frame a = *make_trip(&trip, &seed);
		struct jc_vec3 sent_a = trip.posed.hips_translation;
		struct jc_vmc_frame b = *make_trip(&trip, &seed);
		struct jc_vec3 sent =
			jc_quat_rotate(turn, jc_vec3_subtract(trip.posed.hips_translation, sent_a));
		struct jc_vec3 got = jc_vec3_scale(
			jc_vec3_subtract(b.pose.hips_translation, a.pose.hips_translation),
			b.hips_height);

		if (jc_skeleton_bone_mask(trip.skeleton) >> JC_BONE_HIPS & 1 &&
			!(jc_vec3_length(jc_vec3_subtract(got, sent)) <
				1e-6f * (10.0f + jc_vec3_length(sent))))
			fail_msg("figure %d: (%g, %g, %g) m, not (%g, %g, %g)", i, (double)got.x,
				(double)got.y, (double)got.z, (double)sent.x, (double)sent.y,
				(double)sent.z);
		trip_finish(&trip);
	}
}

/* Place of a bone, Unity's axes: root, then one bone in the other. */
static void place(const struct trip *trip, enum jc_bone bone, struct jc_vec3 *out_position,
	struct jc_quat *out_rotation)
{
	const struct marionette *marionette = &trip->marionette;
	struct jc_vec3 position = marionette->position[JC_BONE_COUNT];
	struct jc_quat rotation = marionette->rotation[JC_BONE_COUNT];

	if (bone != JC_BONE_NONE) {
		place(trip, jc_skeleton_mapped_parent(trip->skeleton, bone), &position, &rotation);
		position =
			jc_vec3_add(position, jc_quat_rotate(rotation, marionette->position[bone]));
		rotation = jc_quat_multiply(rotation, marionette->rotation[bone]);
	}
	*out_position = position;
	*out_rotation = rotation;
}

/* Where a joint of the skeleton stands in canonical space, with the root. */
static struct jc_vec3 joint(
	const struct trip *trip, const struct jc_mat4 *worlds, enum jc_bone bone)
{
	struct jc_quat turn = jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.7f);
	struct jc_quat canonical = jc_quat_conjugate(jc_skeleton_facing(trip->skeleton));
	struct jc_vec3 there =
		jc_mat4_translation(worlds[jc_skeleton_bone_node(trip->skeleton, bone)]);

	return jc_vec3_add(jc_quat_rotate(turn, jc_quat_rotate(canonical, there)),
		(struct jc_vec3){ 0.5f, 0.0f, -2.0f });
}

/* Largest distance of a joint from where it should stand, over the figure's size. */
static float worst_place(const struct trip *trip, const struct jc_mat4 *worlds)
{
	float worst = 0.0f;
	float size = 1.0f;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_vec3 position;
		struct jc_quat rotation;

		if (!(trip->marionette.mask >> bone & 1))
			continue;
		place(trip, (enum jc_bone)bone, &position, &rotation);
		position.x = -position.x; /* Unity's is the other way */
		struct jc_vec3 there = joint(trip, worlds, (enum jc_bone)bone);

		size = fmaxf(size, jc_vec3_length(there));
		worst = fmaxf(worst, jc_vec3_length(jc_vec3_subtract(position, there)));
	}
	return worst / size;
}

static void joint_positions_match_the_skeleton(void **)
{
	static struct jc_transform locals[FIGURE_NODES];
	static struct jc_mat4 worlds[FIGURE_NODES];
	uint32_t seed = 13;

	for (int i = 0; i < FIGURES; i++) {
		struct trip trip;

		trip_init(&trip, random_skeleton(&seed, true), JC_VMC_NORMALIZED);
		make_trip(&trip, &seed);
		jc_skeleton_locals(trip.skeleton, &trip.posed, locals);
		jc_skeleton_worlds(trip.skeleton, locals, worlds);
		assert_int_equal(trip.marionette.mask & ~(UINT64_C(1) << JC_BONE_COUNT),
			jc_skeleton_bone_mask(trip.skeleton));
		float worst = worst_place(&trip, worlds);

		if (!(worst < 1e-5f))
			fail_msg("figure %d: off by %g of its size", i, (double)worst);
		trip_finish(&trip);
	}
}

/* Hips stand where those of the posed skeleton do, as far as the root took them. */
static void expect_hips(const struct trip *trip, const struct jc_vmc_frame *frame, int figure)
{
	static struct jc_transform locals[FIGURE_NODES];
	static struct jc_mat4 worlds[FIGURE_NODES];
	struct jc_skeleton_pose rest = { .rotations = { { 0 } } };

	if (!(jc_skeleton_bone_mask(trip->skeleton) >> JC_BONE_HIPS & 1))
		return;
	jc_skeleton_locals(trip->skeleton, &trip->posed, locals);
	jc_skeleton_worlds(trip->skeleton, locals, worlds);
	struct jc_vec3 there = joint(trip, worlds, JC_BONE_HIPS);

	/* The hips themselves hang on nothing that is posed. */
	for (int bone = 0; bone < JC_BONE_COUNT; bone++)
		rest.rotations[bone] = JC_QUAT_IDENTITY;
	jc_skeleton_locals(trip->skeleton, &rest, locals);
	jc_skeleton_worlds(trip->skeleton, locals, worlds);
	struct jc_vec3 stand = jc_quat_rotate(jc_quat_conjugate(jc_skeleton_facing(trip->skeleton)),
		jc_mat4_translation(worlds[jc_skeleton_bone_node(trip->skeleton, JC_BONE_HIPS)]));
	struct jc_vec3 got =
		jc_vec3_add(stand, jc_vec3_scale(frame->pose.hips_translation, frame->hips_height));

	got = jc_vec3_subtract(got, jc_quat_displace(frame->pose.rotations[JC_BONE_HIPS],
					    jc_skeleton_hips_point(trip->skeleton)));
	if (!(jc_vec3_length(jc_vec3_subtract(got, there)) <
		    1e-6f * (10.0f + 10.0f * jc_vec3_length(there))))
		fail_msg("figure %d: hips at (%g, %g, %g), not (%g, %g, %g)", figure, (double)got.x,
			(double)got.y, (double)got.z, (double)there.x, (double)there.y,
			(double)there.z);
}

/* A receiver with the avatar restores rotations under any rest and offset, and the hips. */
static void original_nodes_are_read_with_the_avatar(void **)
{
	struct jc_quat back = jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, -0.7f);
	uint32_t seed = 14;

	for (int i = 0; i < FIGURES; i++) {
		struct jc_skeleton_pose again;
		struct trip trip;

		trip_init(&trip, random_skeleton(&seed, true), JC_VMC_ORIGINAL);
		const struct jc_vmc_frame *frame = make_trip(&trip, &seed);
		struct jc_pose pose = frame->pose;

		pose.rotations[JC_BONE_HIPS] = jc_quat_multiply(back, pose.rotations[JC_BONE_HIPS]);
		jc_retargeter_apply(trip.retargeter, &pose, &again);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			float off =
				jc_quat_angle(again.rotations[bone], trip.posed.rotations[bone]);

			if (off * DEGREES > 1e-4f)
				fail_msg("figure %d, %s: %g degrees", i,
					jc_bone_name((enum jc_bone)bone), (double)(off * DEGREES));
		}
		expect_hips(&trip, frame, i);
		trip_finish(&trip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_receiver_restores_the_pose_on_the_same_avatar),
		cmocka_unit_test(hips_translation_is_restored),
		cmocka_unit_test(joint_positions_match_the_skeleton),
		cmocka_unit_test(original_nodes_are_read_with_the_avatar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
