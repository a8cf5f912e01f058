/* Tests emulation: bodies from a few joints keep tracked joints, bend anatomically, and are equal
 * in all profiles, in the mirror and for all body sizes. */
#include <math.h>

#include "jointcast/emulation.h"
#include "jointcast/motion.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "partial.h"
#include "recorded.h"
#include "reference.h"
#include "unit_test.h"

#define DEGREE 0.01745329252f
#define HZ     60.0

static struct jc_motion *create_demo(const char *name)
{
	struct jc_motion *motion = NULL;

	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	return motion;
}

/* One motion, reduced to the joints of one tracker and completed again. */
struct seen {
	struct jc_motion *motion;
	const struct partial_set *set;
	enum jc_profile profile;
	struct jc_emulation emulation;
	struct jc_solver solver;
	struct jc_pose truth, pose; /* of the frame that was seen last */
	struct jc_body_frame partial, whole;
};

static void begin(struct seen *seen, struct jc_motion *motion, const struct partial_set *set,
	enum jc_profile profile)
{
	struct jc_body_frame rest = partial_rest(profile, 1.0f);
	struct jc_body_frame told = partial_of(&rest, set);

	*seen = (struct seen){ .motion = motion, .set = set, .profile = profile };
	jc_emulation_init(&seen->emulation, profile, &told, 0.0f);
	jc_solver_init(&seen->solver, profile, &rest);
}

static void see(struct seen *seen, int index)
{
	struct jc_body_frame frame;

	jc_motion_pose(seen->motion, index / HZ, &seen->truth);
	frame = partial_whole(&seen->truth, seen->profile, 1.0f, index / HZ);
	seen->partial = partial_of(&frame, seen->set);
	seen->whole = seen->partial;
	jc_emulation_complete(&seen->emulation, &seen->whole);
	jc_solver_solve(&seen->solver, &seen->whole, &seen->pose);
}

static int frames_of(const struct jc_motion *motion)
{
	return 1 + (int)(jc_motion_info(motion)->duration * HZ);
}

static bool is_sound(const struct jc_body_joint *joint)
{
	struct jc_quat q = joint->orientation;
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

	return jc_vec3_is_finite(joint->position) && jc_quat_is_finite(q) &&
	       fabsf(square - 1.0f) < 1e-3f;
}

static void assert_made_whole(
	const struct jc_body_frame *partial, const struct jc_body_frame *whole)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (partial->joints[j].state != JC_ABSENT) {
			assert_memory_equal(
				&partial->joints[j], &whole->joints[j], sizeof(whole->joints[j]));
			continue;
		}
		if (whole->joints[j].state != JC_ESTIMATED || !is_sound(&whole->joints[j])) {
			{
				const struct jc_body_joint *q = &whole->joints[j];
				int n = 0;
				for (int k = 0; k < JC_JOINT_COUNT; k++)
					n += partial->joints[k].state != 0;
				print_message("state %d p %g %g %g q %g %g %g %g given %d\n",
					q->state, q->position.x, q->position.y, q->position.z,
					q->orientation.x, q->orientation.y, q->orientation.z,
					q->orientation.w, n);
				for (int k = 0; k < JC_JOINT_COUNT; k++)
					if (partial->joints[k].state) {
						q = &partial->joints[k];
						print_message("%s p %g %g %g q %g %g %g %g\n",
							jc_joint_name(k), q->position.x,
							q->position.y, q->position.z,
							q->orientation.x, q->orientation.y,
							q->orientation.z, q->orientation.w);
					}
				fail_msg("x");
			}
		}
	}
}

static void keeps_present_joints_and_estimates_absent_ones(void **)
{
	static const struct partial_set *const sets[] = { &partial_three, &partial_six };
	struct jc_motion *motion = create_demo("walk");

	for (size_t i = 0; i < 2; i++) {
		struct seen seen;

		begin(&seen, motion, sets[i], JC_PROFILE_META);
		for (int index = 0; index < frames_of(motion); index++) {
			see(&seen, index);
			assert_made_whole(&seen.partial, &seen.whole);
			assert_int_equal(seen.partial.time_ns, seen.whole.time_ns);
		}
	}
	jc_motion_destroy(motion);
}

static void does_not_change_empty_and_complete_frames(void **)
{
	struct jc_body_frame none = { .time_ns = 1 };
	struct jc_body_frame all = partial_rest(JC_PROFILE_WEBXR_SPEC, 1.0f);
	struct jc_body_frame copy = all;
	struct jc_emulation emulation;

	jc_emulation_init(&emulation, JC_PROFILE_WEBXR_SPEC, NULL, 0.0f);
	jc_emulation_complete(&emulation, &none);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		assert_int_equal(none.joints[j].state, JC_ABSENT);
	}
	jc_emulation_complete(&emulation, &all);
	assert_memory_equal(&all, &copy, sizeof(all));
}

/* Against the bone above, a forearm that hangs from a T-pose's arm goes to the front
 * and a shin to the back; the shin's own T-pose lies 4.1 degrees behind the thigh. */
static void assert_hinges(const struct jc_pose *pose, const char *what)
{
	static const struct {
		enum jc_bone bone;
		struct jc_vec3 along, bend;
	} hinges[] = {
		{ JC_BONE_LEFT_LOWER_ARM, { 1, 0, 0 }, { 0, 0, 1 } },
		{ JC_BONE_RIGHT_LOWER_ARM, { -1, 0, 0 }, { 0, 0, 1 } },
		{ JC_BONE_LEFT_LOWER_LEG, { 0, -0.997459f, -0.071247f }, { 0, 0, -1 } },
		{ JC_BONE_RIGHT_LOWER_LEG, { 0, -0.997459f, -0.071247f }, { 0, 0, -1 } },
	};

	for (size_t i = 0; i < sizeof(hinges) / sizeof(hinges[0]); i++) {
		struct jc_vec3 now =
			jc_quat_rotate(pose->rotations[hinges[i].bone], hinges[i].along);
		struct jc_vec3 axis = jc_vec3_cross(hinges[i].along, hinges[i].bend);

		if (!(jc_vec3_dot(now, hinges[i].bend) > -0.01f)) {
			fail_msg("%s: '%s' bends backwards", what, jc_bone_name(hinges[i].bone));
		}
		if (!(fabsf(jc_vec3_dot(now, jc_vec3_normalize(axis))) < 0.01f)) {
			fail_msg("%s: '%s' bends aside", what, jc_bone_name(hinges[i].bone));
		}
	}
}

static void elbows_and_knees_bend_in_the_anatomical_direction_in_every_profile(void **)
{
	static const struct partial_set *const sets[] = { &partial_three, &partial_six };
	const char *const *names = jc_motion_demo_names();

	for (size_t n = 0; names[n]; n++) {
		struct jc_motion *motion = create_demo(names[n]);

		for (int p = 0; p < JC_PROFILE_COUNT * 2; p++) {
			struct seen seen;

			begin(&seen, motion, sets[p % 2], (enum jc_profile)(p / 2));
			for (int index = 0; index < frames_of(motion); index += 3) {
				see(&seen, index);
				assert_hinges(&seen.pose, names[n]);
			}
		}
		jc_motion_destroy(motion);
	}
}

static void axes_of_the_source_do_not_change_the_body(void **)
{
	struct jc_motion *motion = create_demo("walk");
	struct seen seen[JC_PROFILE_COUNT];

	for (int p = 0; p < JC_PROFILE_COUNT; p++) {
		begin(&seen[p], motion, &partial_three, (enum jc_profile)p);
	}
	for (int index = 0; index < 240; index++) {
		for (int p = 0; p < JC_PROFILE_COUNT; p++) {
			see(&seen[p], index);
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				assert_true(jc_quat_angle(seen[0].pose.rotations[b],
						    seen[p].pose.rotations[b]) < 0.1f * DEGREE);
			}
		}
	}
	jc_motion_destroy(motion);
}

/* On the built-in figure, by rotations alone. */
static void wrists_stay_on_their_targets(void **)
{
	static const struct partial_set *const sets[] = { &partial_three, &partial_six };
	const char *const *names = jc_motion_demo_names();

	for (size_t n = 0; names[n]; n++) {
		struct jc_motion *motion = create_demo(names[n]);

		for (size_t i = 0; i < 2; i++) {
			struct seen seen;

			begin(&seen, motion, sets[i], JC_PROFILE_WEBXR_SPEC);
			for (int index = 0; index < frames_of(motion); index++) {
				struct jc_vec3 places[JC_BONE_COUNT], truth[JC_BONE_COUNT];

				see(&seen, index);
				partial_places(&seen.pose, places);
				partial_places(&seen.truth, truth);
				assert_true(partial_distance(places[JC_BONE_LEFT_HAND],
						    truth[JC_BONE_LEFT_HAND]) < 0.005f);
				assert_true(partial_distance(places[JC_BONE_RIGHT_HAND],
						    truth[JC_BONE_RIGHT_HAND]) < 0.005f);
			}
		}
		jc_motion_destroy(motion);
	}
}

/* A head that looks straight ahead at `height`, and hands on circles of any
 * direction before it. */
static struct jc_body_frame reach_about(int index, float height)
{
	struct jc_body_frame rest = partial_rest(JC_PROFILE_WEBXR_SPEC, 1.0f);
	struct jc_body_frame frame = partial_of(&rest, &partial_three);
	float t = (float)index / (float)HZ;

	frame.time_ns = 1 + (int64_t)index * 16666667;
	frame.joints[JC_JOINT_HEAD].position.y = height;
	frame.joints[JC_JOINT_LEFT_HAND_WRIST].position =
		(struct jc_vec3){ 0.25f + 0.3f * sinf(1.3f * t),
			height - 0.3f + 0.35f * sinf(1.9f * t), 0.25f + 0.25f * cosf(1.1f * t) };
	frame.joints[JC_JOINT_RIGHT_HAND_WRIST].position =
		(struct jc_vec3){ -0.25f + 0.3f * sinf(1.7f * t),
			height - 0.3f + 0.35f * cosf(1.3f * t), 0.25f + 0.25f * cosf(0.9f * t) };
	return frame;
}

/* Hands move by at most 0.7 m/s, 12 mm a frame, also to where only a leaning chest
 * reaches; an elbow that flips would go half a metre. */
static void elbows_do_not_flip(void **)
{
	struct jc_emulation emulation;
	struct jc_vec3 before[2] = { { 0 } };

	jc_emulation_init(&emulation, JC_PROFILE_WEBXR_SPEC, NULL, 1.75f);
	for (int index = 0; index < 3600; index++) {
		struct jc_body_frame frame = reach_about(index, 1.56f);

		jc_emulation_complete(&emulation, &frame);
		for (int side = 0; side < 2; side++) {
			struct jc_vec3 elbow = frame.joints[side ? JC_JOINT_RIGHT_ARM_LOWER
								 : JC_JOINT_LEFT_ARM_LOWER]
						       .position;

			if (index > 0 && !(partial_distance(elbow, before[side]) < 0.1f)) {
				fail_msg("an elbow leaps %g m in frame %d",
					(double)partial_distance(elbow, before[side]), index);
			}
			before[side] = elbow;
		}
	}
}

static void a_mirrored_body_is_the_bodys_mirror_image(void **)
{
	static const char *const names[] = { "wave", "sit", "idle" };

	for (size_t n = 0; n < 3; n++) {
		struct jc_motion *motion = create_demo(names[n]), *other = create_demo(names[n]);
		struct seen seen, mirrored;

		assert_int_equal(jc_motion_create_mirror(other, &other), JC_OK);
		begin(&seen, motion, &partial_three, JC_PROFILE_META);
		begin(&mirrored, other, &partial_three, JC_PROFILE_META);
		for (int index = 0; index < frames_of(motion); index++) {
			see(&seen, index);
			see(&mirrored, index);
			jc_pose_mirror(&mirrored.pose);
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				assert_true(jc_quat_angle(seen.pose.rotations[b],
						    mirrored.pose.rotations[b]) < 0.2f * DEGREE);
			}
		}
		jc_motion_destroy(motion);
		jc_motion_destroy(other);
	}
}

static void equal_frames_give_equal_bodies(void **)
{
	struct jc_motion *motion = create_demo("walk");
	struct seen a, b;

	begin(&a, motion, &partial_three, JC_PROFILE_PICO);
	begin(&b, motion, &partial_three, JC_PROFILE_PICO);
	for (int index = 0; index < 300; index++) {
		see(&a, index);
		see(&b, index);
		assert_memory_equal(&a.whole.joints, &b.whole.joints, sizeof(a.whole.joints));
	}
	jc_motion_destroy(motion);
}

/* Mean distance of bones first to last - 1 from the truth, metres. */
static float mean_error(struct seen *seen, int last)
{
	double sum = 0.0;
	int frames = frames_of(seen->motion);

	for (int index = 0; index < frames; index++) {
		struct jc_vec3 places[JC_BONE_COUNT], truth[JC_BONE_COUNT];

		see(seen, index);
		partial_places(&seen->pose, places);
		partial_places(&seen->truth, truth);
		for (int b = 0; b < last; b++) {
			sum += (double)partial_distance(places[b], truth[b]);
		}
	}
	return (float)(sum / frames / last);
}

static void check_close(struct jc_motion *motion, const char *name)
{
	struct seen seen;
	float error;

	begin(&seen, motion, &partial_three, JC_PROFILE_WEBXR_SPEC);
	error = mean_error(&seen, JC_BONE_LEFT_UPPER_LEG);
	if (!(error < 0.08f)) {
		fail_msg("%s: the upper body is %g m off", name, (double)error);
	}
	begin(&seen, motion, &partial_six, JC_PROFILE_WEBXR_SPEC);
	error = mean_error(&seen, JC_SECTION_BODY_COUNT);
	if (!(error < 0.04f)) {
		fail_msg("%s: the body of six trackers is %g m off", name, (double)error);
	}
}

static void estimated_bodies_are_close_to_the_truth(void **)
{
	const char *const *names = jc_motion_demo_names();
	bool any = false;

	for (size_t n = 0; names[n]; n++) {
		struct jc_motion *motion = create_demo(names[n]);

		check_close(motion, names[n]);
		jc_motion_destroy(motion);
	}
	for (size_t i = 0; i < recorded_count; i++) {
		struct jc_motion *motion = recorded_read(recorded_names[i]);

		if (motion) {
			check_close(motion, recorded_names[i]);
			any = true;
		}
		jc_motion_destroy(motion);
	}
	if (!any) {
		print_message("recorded motions are not there: demos only\n");
	}
}

/* A body tracker delivers most joints; the missing ones lie between them. */
static void places_missing_joints_between_their_neighbours(void **)
{
	struct jc_motion *motion = create_demo("walk");
	struct jc_emulation emulation;

	jc_emulation_init(&emulation, JC_PROFILE_PICO, NULL, 0.0f);
	for (int index = 0; index < 240; index++) {
		struct jc_body_frame frame, partial;
		struct jc_pose pose;

		jc_motion_pose(motion, index / HZ, &pose);
		frame = partial_whole(&pose, JC_PROFILE_PICO, 1.0f, index / HZ);
		partial = frame;
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			if (!jc_profile_delivers(JC_PROFILE_PICO, (enum jc_joint)j)) {
				partial.joints[j].state = JC_ABSENT;
			}
		}
		jc_emulation_complete(&emulation, &partial);
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			float off = partial_distance(
				frame.joints[j].position, partial.joints[j].position);

			/* Fingers are not between anything: a relaxed hand's. */
			if (!(off < (j >= JC_JOINT_LEFT_HAND_PALM &&
							    j <= JC_JOINT_RIGHT_HAND_LITTLE_TIP
						    ? 0.04f
						    : 0.02f))) {
				fail_msg("'%s' is %g m off", jc_joint_name((enum jc_joint)j),
					(double)off);
			}
		}
	}
	jc_motion_destroy(motion);
}

static float leg_length(const struct jc_body_frame *frame)
{
	return partial_distance(frame->joints[JC_JOINT_LEFT_UPPER_LEG].position,
		       frame->joints[JC_JOINT_LEFT_LOWER_LEG].position) +
	       partial_distance(frame->joints[JC_JOINT_LEFT_LOWER_LEG].position,
		       frame->joints[JC_JOINT_LEFT_FOOT_ANKLE].position);
}

/* Bodies of 1 m to 2.1 m, given by a height, by a T-pose or learned from how high
 * the head stands. Legs are 0.8411 m long on the figure of 1.75 m. */
static void legs_scale_with_the_body(void **)
{
	static const float heights[] = { 1.0f, 1.3f, 1.75f, 2.1f };
	struct jc_motion *motion = create_demo("idle");

	for (size_t i = 0; i < 4 * 3; i++) {
		float size = heights[i / 3] / 1.75f;
		struct jc_body_frame rest = partial_rest(JC_PROFILE_META, size);
		struct jc_body_frame told = partial_of(&rest, &partial_three);
		struct jc_emulation emulation;

		jc_emulation_init(&emulation, JC_PROFILE_META, i % 3 == 1 ? &told : NULL,
			i % 3 == 2 ? heights[i / 3] : 0.0f);
		for (int index = 0; index < 120; index++) {
			struct jc_body_frame frame;
			struct jc_pose pose;

			jc_motion_pose(motion, index / HZ, &pose);
			frame = partial_whole(&pose, JC_PROFILE_META, size, index / HZ);
			frame = partial_of(&frame, &partial_three);
			jc_emulation_complete(&emulation, &frame);
			assert_true(fabsf(leg_length(&frame) / (0.8411f * size) - 1.0f) < 0.03f);
			assert_true(fabsf(frame.joints[JC_JOINT_HIPS].position.y - 0.95f * size) <
				    0.05f * size);
		}
	}
	jc_motion_destroy(motion);
}

/* The lengths of long legs are tracked once; afterwards only the hips are tracked. */
static void keeps_observed_lengths(void **)
{
	struct jc_body_frame rest = partial_rest(JC_PROFILE_WEBXR_SPEC, 1.0f);
	struct jc_emulation emulation;
	struct jc_body_frame frame;

	rest.joints[JC_JOINT_LEFT_LOWER_LEG].position.y -= 0.05f;
	rest.joints[JC_JOINT_RIGHT_LOWER_LEG].position.y -= 0.05f;
	jc_emulation_init(&emulation, JC_PROFILE_WEBXR_SPEC, NULL, 0.0f);
	jc_emulation_complete(&emulation, &rest);
	frame = partial_of(&rest, &partial_three);
	frame.time_ns += 16666667;
	jc_emulation_complete(&emulation, &frame);
	assert_float_equal(partial_distance(frame.joints[JC_JOINT_LEFT_UPPER_LEG].position,
				   frame.joints[JC_JOINT_LEFT_LOWER_LEG].position),
		0.47f, 0.002f);
}

/* An arm that is out of reach is as long as it has to be. */
static void the_body_reaches_a_distant_wrist(void **)
{
	struct jc_body_frame rest = partial_rest(JC_PROFILE_WEBXR_SPEC, 1.0f);
	struct jc_body_frame frame = partial_of(&rest, &partial_three);
	struct jc_vec3 elbow, shoulder, wrist = { 0.9f, 1.7f, 0.6f };
	struct jc_emulation emulation;

	frame.joints[JC_JOINT_LEFT_HAND_WRIST].position = wrist;
	jc_emulation_init(&emulation, JC_PROFILE_WEBXR_SPEC, NULL, 1.75f);
	jc_emulation_complete(&emulation, &frame);
	elbow = frame.joints[JC_JOINT_LEFT_ARM_LOWER].position;
	shoulder = frame.joints[JC_JOINT_LEFT_ARM_UPPER].position;
	assert_true(jc_vec3_angle(jc_vec3_subtract(elbow, shoulder),
			    jc_vec3_subtract(wrist, elbow)) < 0.01f);
}

static struct jc_body_joint random_joint(void)
{
	static const float odd[] = { NAN, INFINITY, -INFINITY, 1.0e30f, 0.0f };
	struct jc_body_joint joint = {
		.position = { (float)(2.0 * random_unit()), (float)(1.0 + 2.0 * random_unit()),
			(float)(2.0 * random_unit()) },
		.orientation = matrix_to_quat(random_rotation(180.0)),
		.state = random_unit() > 0.0 ? JC_TRACKED : JC_ESTIMATED,
	};

	if (random_unit() > 0.9) {
		joint.position.y = odd[(int)(2.5 * (random_unit() + 1.0)) % 5];
	}
	if (random_unit() > 0.9) {
		joint.orientation.w = odd[(int)(2.5 * (random_unit() + 1.0)) % 5];
	}
	if (random_unit() > 0.95) {
		joint.orientation = (struct jc_quat){ 0.0f, 0.0f, 0.0f, 0.0f };
	}
	return joint;
}

static bool has_any_sound(const struct jc_body_frame *frame)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (frame->joints[j].state != JC_ABSENT && is_sound(&frame->joints[j]) &&
			fabsf(frame->joints[j].position.y) < 1.0e5f) {
			return true;
		}
	}
	return false;
}

static void estimates_are_finite_for_any_input(void **)
{
	random_start(20261121);
	for (int body = 0; body < 40; body++) {
		struct jc_emulation emulation;
		double most = random_unit();

		jc_emulation_init(&emulation, (enum jc_profile)(body % JC_PROFILE_COUNT), NULL,
			body % 3 ? 0.0f : 1.2f);
		for (int index = 0; index < 50; index++) {
			struct jc_body_frame frame = { .time_ns = (int64_t)index * 11111111 };
			struct jc_body_frame partial;

			for (int j = 0; j < JC_JOINT_COUNT; j++) {
				if (random_unit() > most) {
					frame.joints[j] = random_joint();
				}
			}
			partial = frame;
			jc_emulation_complete(&emulation, &frame);
			if (has_any_sound(&partial)) {
				assert_made_whole(&partial, &frame);
			}
		}
	}
}

/* Every subset of head, hands, hips, feet, chest, elbows and knees. */
static void any_set_of_trackers_gives_a_body(void **)
{
	static const enum jc_joint places[] = { JC_JOINT_HEAD, JC_JOINT_HIPS, JC_JOINT_CHEST,
		JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_LEFT_ARM_LOWER, JC_JOINT_RIGHT_HAND_PALM,
		JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_RIGHT_FOOT_BALL, JC_JOINT_RIGHT_LOWER_LEG,
		JC_JOINT_NECK };
	struct jc_motion *motion = create_demo("walk");
	struct jc_pose pose;

	jc_motion_pose(motion, 1.0, &pose);
	for (int sets = 1; sets < 1 << 10; sets++) {
		struct jc_body_frame whole = partial_whole(&pose, JC_PROFILE_META, 1.0f, 1.0);
		struct jc_body_frame frame = { .time_ns = 1 };
		struct jc_body_frame partial;
		struct jc_emulation emulation;

		for (int i = 0; i < 10; i++) {
			if (sets >> i & 1) {
				frame.joints[places[i]] = whole.joints[places[i]];
			}
		}
		partial = frame;
		jc_emulation_init(&emulation, JC_PROFILE_META, NULL, 1.75f);
		jc_emulation_complete(&emulation, &frame);
		assert_made_whole(&partial, &frame);
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			/* It is one body, not parts of two. */
			assert_true(partial_distance(frame.joints[j].position,
					    frame.joints[JC_JOINT_HIPS].position) < 1.6f);
		}
	}
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_present_joints_and_estimates_absent_ones),
		cmocka_unit_test(does_not_change_empty_and_complete_frames),
		cmocka_unit_test(
			elbows_and_knees_bend_in_the_anatomical_direction_in_every_profile),
		cmocka_unit_test(axes_of_the_source_do_not_change_the_body),
		cmocka_unit_test(wrists_stay_on_their_targets),
		cmocka_unit_test(elbows_do_not_flip),
		cmocka_unit_test(a_mirrored_body_is_the_bodys_mirror_image),
		cmocka_unit_test(equal_frames_give_equal_bodies),
		cmocka_unit_test(estimated_bodies_are_close_to_the_truth),
		cmocka_unit_test(places_missing_joints_between_their_neighbours),
		cmocka_unit_test(legs_scale_with_the_body),
		cmocka_unit_test(keeps_observed_lengths),
		cmocka_unit_test(the_body_reaches_a_distant_wrist),
		cmocka_unit_test(estimates_are_finite_for_any_input),
		cmocka_unit_test(any_set_of_trackers_gives_a_body),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
