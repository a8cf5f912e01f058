/* Contacts of live bodies: the steps of a keeper, and that streams and sinks of a body agree. The
 * expected poses come from the library's stage, driven here by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "base/ticker.h"
#include "jointcast/motion.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "nobody.h"
#include "source/source.h"
#include "space/contact_keeper.h"
#include "space/space.h"
#include "unit_test.h"

#define TICK_NS INT64_C(16666667)

/* The built-in figure with legs of a share of their length. */
static struct jc_skeleton *make_figure(float legs)
{
	struct jc_skeleton_node nodes[JC_BONE_COUNT];
	struct jc_skeleton_description description;
	struct jc_skeleton *skeleton;

	jc_skeleton_description_init(&description);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b, parent = jc_bone_parent(bone);
		struct jc_vec3 at = jc_bone_rest_position(bone);
		bool is_shank = jc_bone_left_of(bone) == JC_BONE_LEFT_LOWER_LEG ||
				jc_bone_left_of(bone) == JC_BONE_LEFT_FOOT;

		if (parent != JC_BONE_NONE) {
			at = jc_vec3_scale(jc_vec3_subtract(at, jc_bone_rest_position(parent)),
				is_shank ? legs : 1.0f);
		} else {
			float ankle = jc_bone_rest_position(JC_BONE_LEFT_FOOT).y;
			float hip = jc_bone_rest_position(JC_BONE_LEFT_UPPER_LEG).y;

			at.y -= (hip - ankle) * (1.0f - legs);
		}
		nodes[b] = (struct jc_skeleton_node){ jc_bone_name(bone),
			parent == JC_BONE_NONE ? -1 : (int)parent, JC_TRANSFORM_IDENTITY };
		nodes[b].rest.translation = at;
		description.bones[b] = b;
	}
	description.node_count = JC_BONE_COUNT;
	description.nodes = nodes;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	return skeleton;
}

struct fixture {
	struct jc_skeleton_table skeleton_table;
	struct jc_skeleton_asset *small;
	struct jc_contact_keeper *keepers;
	struct jc_motion *walk;
	int64_t time_ns;
};

static struct jc_skeleton_asset *add_figure(struct fixture *fixture, float legs)
{
	struct jc_skeleton_asset *asset;
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_skeleton_table_add(
				 &fixture->skeleton_table, make_figure(legs), &asset, &diagnostic),
		JC_OK);
	return asset;
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_skeleton_table_init(&fixture->skeleton_table, &diagnostic), JC_OK);
	fixture->small = add_figure(fixture, 0.6f);
	assert_int_equal(jc_motion_create_demo("walk", &fixture->walk, NULL), JC_OK);
	fixture->time_ns = INT64_C(1000000000);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	assert_null(fixture->keepers);
	jc_motion_destroy(fixture->walk);
	jc_skeleton_table_finish(&fixture->skeleton_table);
	free(fixture);
	return 0;
}

static struct jc_contact_keeper *acquire(
	struct fixture *fixture, const struct jc_skeleton_asset *asset, enum jc_precision finest)
{
	struct jc_contact_keeper *keeper;

	assert_int_equal(
		jc_contact_keeper_acquire(&fixture->keepers, NULL, asset, finest, &keeper), JC_OK);
	return keeper;
}

static void pose_at(const struct fixture *fixture, int frame, struct jc_pose *out_pose)
{
	struct jc_solver solver;

	jc_solver_init_motion(&solver, fixture->walk);
	jc_solver_sample(&solver, fixture->walk, frame / 60.0, out_pose);
}

/* A folded pose. */
struct folded {
	struct jc_quat rotations[JC_BONE_COUNT];
	uint8_t states[JC_BONE_COUNT];
	struct jc_vec3 hips;
};

static struct folded fold(struct fixture *fixture, struct jc_contact_keeper *keeper,
	const struct jc_pose *pose, int64_t captured_ns)
{
	const struct jc_contact_instant instant = { fixture->time_ns, captured_ns };
	struct folded folded = { 0 };

	jc_contact_keeper_fold(keeper, fixture->small, pose, &instant, folded.rotations,
		folded.states, &folded.hips);
	return folded;
}

/* What the stage of the library makes of the first poses of the walk, one every 1/60 s. */
static struct folded expect(const struct fixture *fixture, int from, int to)
{
	const struct jc_skeleton *skeleton = fixture->small->skeleton;
	struct jc_retargeter *retargeter;
	struct jc_contacts *contacts;
	struct folded folded = { 0 };
	struct jc_pose pose;

	assert_int_equal(jc_retargeter_create(skeleton, &retargeter), JC_OK);
	assert_int_equal(jc_contacts_create(NULL, skeleton, &contacts), JC_OK);
	jc_retargeter_scale_hips(
		retargeter, jc_contacts_stride(contacts), jc_contacts_stride(contacts));
	for (int frame = from; frame <= to; frame++) {
		pose_at(fixture, frame, &pose);
		jc_retargeter_fold(
			retargeter, &pose, folded.rotations, folded.states, &folded.hips);
		jc_contacts_keep(contacts, &pose, frame == from ? 0.0 : (double)TICK_NS * 1e-9,
			folded.rotations, &folded.hips);
	}
	jc_contacts_destroy(contacts);
	jc_retargeter_destroy(retargeter);
	return folded;
}

static void assert_same(const struct folded *a, const struct folded *b)
{
	assert_memory_equal(a->rotations, b->rotations, sizeof(a->rotations));
	assert_memory_equal(a->states, b->states, sizeof(a->states));
	assert_memory_equal(&a->hips, &b->hips, sizeof(a->hips));
}

static void a_keeper_does_what_the_stage_does(void **state)
{
	struct fixture *fixture = *state;
	struct jc_contact_keeper *keeper = acquire(fixture, fixture->small, JC_PRECISION_FINE);
	struct folded expected = expect(fixture, 0, 45), exact, folded = { 0 };
	struct jc_pose pose;

	assert_non_null(keeper);
	assert_true(keeper->stride < 0.999f || keeper->stride > 1.001f);
	for (int frame = 0; frame <= 45; frame++, fixture->time_ns += TICK_NS) {
		pose_at(fixture, frame, &pose);
		folded = fold(fixture, keeper, &pose, fixture->time_ns);
	}
	assert_same(&folded, &expected);
	exact = fold(fixture, NULL, &pose, fixture->time_ns);
	assert_memory_not_equal(exact.rotations, folded.rotations, sizeof(exact.rotations));
	jc_contact_keeper_release(&fixture->keepers, keeper);
}

static void all_calls_of_a_tick_have_one_result(void **state)
{
	struct fixture *fixture = *state;
	struct jc_contact_keeper *keeper = acquire(fixture, fixture->small, JC_PRECISION_FINE);
	struct folded expected = expect(fixture, 0, 30), first, second;
	struct jc_pose pose;

	for (int frame = 0; frame <= 30; frame++, fixture->time_ns += TICK_NS) {
		pose_at(fixture, frame, &pose);
		first = fold(fixture, keeper, &pose, fixture->time_ns);
		second = fold(fixture, keeper, &pose, fixture->time_ns);
		assert_same(&first, &second);
	}
	assert_same(&second, &expected);
	jc_contact_keeper_release(&fixture->keepers, keeper);
}

/* A source of 30 Hz in a space of 60 ticks: the state is that of its own poses. */
static void a_repeated_pose_is_no_step(void **state)
{
	struct fixture *fixture = *state;
	struct jc_contact_keeper *slow = acquire(fixture, fixture->small, JC_PRECISION_FINE);
	struct jc_contact_keeper *only = acquire(fixture, fixture->small, JC_PRECISION_COARSE);
	struct folded a = { 0 }, b = { 0 };
	struct jc_pose pose;

	for (int frame = 0; frame <= 40; frame++, fixture->time_ns += TICK_NS) {
		int64_t captured_ns = fixture->time_ns - frame % 2 * TICK_NS;

		pose_at(fixture, frame - frame % 2, &pose);
		a = fold(fixture, slow, &pose, captured_ns);
		if (frame % 2 == 0) {
			b = fold(fixture, only, &pose, captured_ns);
		}
	}
	assert_same(&a, &b);
	jc_contact_keeper_release(&fixture->keepers, slow);
	jc_contact_keeper_release(&fixture->keepers, only);
}

static void a_cut_forgets_what_was(void **state)
{
	struct fixture *fixture = *state;
	struct jc_contact_keeper *keeper = acquire(fixture, fixture->small, JC_PRECISION_FINE);
	struct folded expected = expect(fixture, 70, 90), kept = expect(fixture, 0, 90), folded;
	struct jc_pose pose;

	for (int frame = 0; frame <= 90; frame++, fixture->time_ns += TICK_NS) {
		if (frame == 70) {
			jc_contact_keepers_reset(fixture->keepers);
		}
		pose_at(fixture, frame, &pose);
		folded = fold(fixture, keeper, &pose, fixture->time_ns);
	}
	assert_same(&folded, &expected);
	assert_memory_not_equal(kept.rotations, folded.rotations, sizeof(kept.rotations));
	jc_contact_keeper_release(&fixture->keepers, keeper);
}

static void figures_of_equal_proportions_have_no_keeper(void **state)
{
	struct fixture *fixture = *state;
	struct jc_skeleton_asset *equal = add_figure(fixture, 1.0f);
	struct jc_contact_keeper *own;

	assert_null(acquire(fixture, fixture->skeleton_table.humanoid, JC_PRECISION_FINE));
	assert_null(acquire(fixture, equal, JC_PRECISION_FINE));
	/* A file that plays on its own figure. */
	assert_int_equal(jc_contact_keeper_acquire(&fixture->keepers, fixture->small->skeleton,
				 fixture->small, JC_PRECISION_FINE, &own),
		JC_OK);
	assert_null(own);
	/* The built-in skeleton stays exact for files of any figure. */
	assert_int_equal(jc_contact_keeper_acquire(&fixture->keepers, fixture->small->skeleton,
				 fixture->skeleton_table.humanoid, JC_PRECISION_FINE, &own),
		JC_OK);
	assert_null(own);
}

static void users_of_one_skeleton_and_precision_share_a_keeper(void **state)
{
	struct fixture *fixture = *state;
	struct jc_contact_keeper *a = acquire(fixture, fixture->small, JC_PRECISION_FINE);
	struct jc_contact_keeper *b = acquire(fixture, fixture->small, JC_PRECISION_FINE);
	struct jc_contact_keeper *coarse = acquire(fixture, fixture->small, JC_PRECISION_COARSE);

	assert_ptr_equal(a, b);
	assert_ptr_not_equal(a, coarse);
	jc_contact_keeper_release(&fixture->keepers, a);
	assert_int_equal(b->users, 1);
	jc_contact_keeper_release(&fixture->keepers, b);
	jc_contact_keeper_release(&fixture->keepers, coarse);
	jc_contact_keeper_release(&fixture->keepers, NULL);
}

/* A source that plays the walk as a live person would: without a figure of its own. */
struct walker {
	struct jc_source base;
	const struct fixture *fixture;
	int frame;
	float left; /* hips heights that it is moved */
	bool cut;
};

static void walk(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct walker *walker = (struct walker *)base;

	memset(out_sample, 0, sizeof(*out_sample));
	pose_at(walker->fixture, walker->frame++, &out_sample->pose);
	out_sample->pose.hips_translation.x += walker->left;
	out_sample->capture_ns = now_ns;
	out_sample->live = true;
	out_sample->cut = walker->cut;
	walker->cut = false;
}

static void report(const struct jc_source *base, struct jc_source_status *out_status)
{
	(void)base;
	*out_status = (struct jc_source_status){ .kind = "publisher" };
}

static void destroy_walker(struct jc_source *base)
{
	free(base);
}

static const struct jc_source_ops walker_ops = {
	.sample = walk, .status = report, .destroy = destroy_walker
};

/* A sink that keeps the last pose. */
struct watcher {
	struct jc_sink base;
	struct jc_skeleton_pose pose;
};

static void watch(struct jc_sink *base, const struct jc_body *body,
	const struct jc_skeleton_pose *pose, int64_t now_ns)
{
	(void)body;
	(void)now_ns;
	((struct watcher *)base)->pose = *pose;
}

static void leave(struct jc_sink *base)
{
	(void)base;
}

static const struct jc_sink_ops watcher_ops = { .pose = watch, .destroy = leave };

/* Requests the packets of its streams in every tick. */
struct viewer {
	struct jc_distribution base;
	struct jc_body_stream *streams[3];
};

static void plan(struct jc_distribution *base, uint32_t tick)
{
	const struct viewer *viewer = (const struct viewer *)base;

	(void)tick;
	for (int i = 0; i < 3 && viewer->streams[i]; i++) {
		jc_body_stream_want(viewer->streams[i], false);
	}
}

static const struct jc_distribution_ops viewer_ops = { .plan = plan,
	.cast = nobody_tick,
	.body_entered = nobody_enters,
	.body_left = nobody_left,
	.roster_due = nobody_due,
	.announce = nobody_hears };

struct stage {
	struct jc_space *space;
	struct viewer viewer;
	struct watcher watcher;
	struct walker *walker;
	const struct jc_body *body;
	uint32_t tick;
};

static void enter(struct fixture *fixture, struct stage *stage, bool contacts)
{
	struct jc_space_options options = { .name = "lobby",
		.id = 1,
		.hz = 60,
		.start_ns = fixture->time_ns,
		.contacts = contacts,
		.distribution = &stage->viewer.base };

	*stage = (struct stage){ .viewer.base.ops = &viewer_ops,
		.watcher.base.ops = &watcher_ops,
		.walker = calloc(1, sizeof(*stage->walker)) };
	stage->walker->base.ops = &walker_ops;
	stage->walker->fixture = fixture;
	assert_int_equal(jc_space_create(&options, &stage->space), JC_OK);
	jc_space_add_sink(stage->space, &stage->watcher.base);
	assert_int_equal(
		jc_space_add(stage->space, "walker", fixture->small, &stage->walker->base), JC_OK);
	stage->body = jc_space_body(stage->space, 0);
}

static void leave_space(struct stage *stage)
{
	for (int i = 0; i < 3 && stage->viewer.streams[i]; i++) {
		jc_space_release(stage->viewer.streams[i]);
	}
	jc_space_destroy(stage->space);
}

static void view(struct stage *stage, int index, struct jc_skeleton_asset *asset, bool contacts)
{
	const struct jc_stream_spec spec = { .contacts = contacts, .rate = 1 };

	stage->viewer.streams[index] =
		jc_space_acquire(stage->space, stage->body, asset, &spec, false);
	assert_non_null(stage->viewer.streams[index]);
}

static void run(struct stage *stage, int ticks)
{
	while (ticks-- > 0) {
		jc_space_tick(stage->space, stage->tick++);
	}
}

/* The pose of the last tick, if the steps began at a frame; negative: exact. */
static struct jc_skeleton_pose retarget(
	struct fixture *fixture, struct jc_skeleton_asset *asset, int from, int to)
{
	struct jc_contact_keeper *keeper =
		from < 0 ? NULL : acquire(fixture, asset, JC_PRECISION_FINE);
	struct jc_skeleton_pose posed;

	for (int frame = from < 0 ? to : from; frame <= to; frame++) {
		int64_t now_ns = jc_tick_time_ns(fixture->time_ns, 60, (uint32_t)frame);
		const struct jc_contact_instant instant = { now_ns, now_ns };
		struct jc_pose pose;

		pose_at(fixture, frame, &pose);
		jc_contact_keeper_fold(keeper, asset, &pose, &instant, posed.rotations,
			posed.states, &posed.hips_translation);
	}
	jc_retargeter_relate(asset->retargeter, posed.rotations);
	jc_contact_keeper_release(&fixture->keepers, keeper);
	return posed;
}

static void assert_streamed(
	const struct jc_body_stream *body_stream, const struct jc_skeleton_pose *expected)
{
	const struct jc_body_stream_packet *packet = &body_stream->common;
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	int length = jc_payload_encode(expected, NULL, payload, sizeof(payload));

	assert_true(length > 0 && packet->length > length);
	assert_memory_equal(packet->bytes + packet->length - length, payload, (size_t)length);
}

static void streams_and_sinks_of_a_body_agree(void **state)
{
	struct fixture *fixture = *state;
	struct jc_skeleton_asset *humanoid = fixture->skeleton_table.humanoid;
	struct jc_skeleton_pose kept = retarget(fixture, fixture->small, 0, 50);
	struct jc_skeleton_pose exact = retarget(fixture, fixture->small, -1, 50);
	struct jc_skeleton_pose plain = retarget(fixture, humanoid, -1, 50);
	struct stage stage;

	enter(fixture, &stage, true);
	view(&stage, 0, fixture->small, true);
	view(&stage, 1, fixture->small, false);
	view(&stage, 2, humanoid, true);
	run(&stage, 51);
	assert_memory_equal(stage.watcher.pose.rotations, kept.rotations, sizeof(kept.rotations));
	assert_memory_equal(&stage.watcher.pose.hips_translation, &kept.hips_translation,
		sizeof(kept.hips_translation));
	assert_memory_not_equal(kept.rotations, exact.rotations, sizeof(kept.rotations));
	assert_streamed(stage.viewer.streams[0], &kept);
	assert_streamed(stage.viewer.streams[1], &exact);
	assert_streamed(stage.viewer.streams[2], &plain);
	leave_space(&stage);
}

static void a_space_without_contacts_is_exact(void **state)
{
	struct fixture *fixture = *state;
	struct jc_skeleton_pose exact = retarget(fixture, fixture->small, -1, 50);
	struct stage stage;

	enter(fixture, &stage, false);
	run(&stage, 51);
	assert_null(stage.body->keeper);
	assert_memory_equal(stage.watcher.pose.rotations, exact.rotations, sizeof(exact.rotations));
	leave_space(&stage);
}

static void a_cut_of_the_source_begins_anew(void **state)
{
	struct fixture *fixture = *state;
	struct jc_skeleton_pose expected = retarget(fixture, fixture->small, 40, 60);
	struct jc_skeleton_pose uncut = retarget(fixture, fixture->small, 0, 60);
	struct stage stage;

	enter(fixture, &stage, true);
	view(&stage, 0, fixture->small, true);
	run(&stage, 40);
	stage.walker->cut = true;
	run(&stage, 21);
	assert_memory_equal(
		stage.watcher.pose.rotations, expected.rotations, sizeof(expected.rotations));
	assert_memory_not_equal(uncut.rotations, expected.rotations, sizeof(expected.rotations));
	assert_streamed(stage.viewer.streams[0], &expected);
	leave_space(&stage);
}

/* Four hips heights to the left: where the packets put the hips is where the space has them. */
static void the_position_fits_the_stride(void **state)
{
	struct fixture *fixture = *state;
	struct stage stage;

	enter(fixture, &stage, true);
	stage.walker->left = 4.0f;
	run(&stage, 10);
	float stride = stage.body->keeper->stride;
	float height = jc_skeleton_hips_height(fixture->small->skeleton);

	assert_true(fabsf(stride - 1.0f) * 4.0f * height > 0.1f);
	assert_float_equal(jc_body_pace(stage.body), stride * height, 1e-6f);
	assert_float_equal(stage.body->position.x - stage.body->placement.position.x,
		stage.watcher.pose.hips_translation.x, 0.03f);
	leave_space(&stage);
}

static void the_roster_names_bodies_with_contacts(void **state)
{
	static const char *const members[] = { "\"contacts\":true", "\"name\":\"walker\"" };

	for (int contacts = 0; contacts < 2; contacts++) {
		struct stage stage;

		enter(*state, &stage, contacts);
		run(&stage, 1);
		struct jc_shared_text *roster = jc_space_roster(stage.space);

		assert_non_null(roster);
		assert_int_equal(
			strstr(jc_shared_text_chars(roster), members[0]) != NULL, contacts);
		assert_non_null(strstr(jc_shared_text_chars(roster), members[1]));
		jc_shared_text_drop(roster);
		leave_space(&stage);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_keeper_does_what_the_stage_does, setup, teardown),
		cmocka_unit_test_setup_teardown(
			all_calls_of_a_tick_have_one_result, setup, teardown),
		cmocka_unit_test_setup_teardown(a_repeated_pose_is_no_step, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cut_forgets_what_was, setup, teardown),
		cmocka_unit_test_setup_teardown(
			figures_of_equal_proportions_have_no_keeper, setup, teardown),
		cmocka_unit_test_setup_teardown(
			users_of_one_skeleton_and_precision_share_a_keeper, setup, teardown),
		cmocka_unit_test_setup_teardown(streams_and_sinks_of_a_body_agree, setup, teardown),
		cmocka_unit_test_setup_teardown(a_space_without_contacts_is_exact, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cut_of_the_source_begins_anew, setup, teardown),
		cmocka_unit_test_setup_teardown(the_position_fits_the_stride, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_roster_names_bodies_with_contacts, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
