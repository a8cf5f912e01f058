/* Tests what recordings contain for programs that draw bodies: FrameTransforms and SceneUpdate
 * follow rosters and captures, at their own rate, and nothing of a body stays after its consent
 * ends. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mcap/memory_sink.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/recording_reader.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define EPOCH_UNIX_NS UINT64_C(1700000000000000000)
#define TICK_US       16667
#define MESSAGES      256

static struct jc_recorded_body ada(void)
{
	return (struct jc_recorded_body){ .id = 3,
		.name = "Ada",
		.display = "Countess \"L\"",
		.recorded = JC_RECORDED_RAW,
		.kind = JC_CAPTURE_POSE,
		.skeleton = "",
		.placement = { { 1.5f, 0.0f, -2.0f }, 0.5f } };
}

static struct jc_recorded_body bob(void)
{
	return (struct jc_recorded_body){ .id = 4,
		.name = "B/o%b",
		.recorded = JC_RECORDED_RAW,
		.kind = JC_CAPTURE_BODY_FRAME,
		.profile = JC_PROFILE_META,
		.skeleton = "" };
}

static struct jc_recording_writer *begin(struct memory_sink *file, bool scene)
{
	struct jc_recording_options options = { .library = "tests",
		.space = "lobby",
		.epoch = "0",
		.tick_hz = 60,
		.epoch_unix_ns = EPOCH_UNIX_NS,
		.scene = scene };
	struct jc_mcap_sink sink = memory_sink(file);
	struct jc_recording_writer *writer;

	*file = (struct memory_sink){ 0 };
	assert_int_equal(jc_recording_create(&options, 0, &sink, &writer), JC_OK);
	return writer;
}

static void write_roster(struct jc_recording_writer *writer, uint32_t tick,
	const struct jc_recorded_body *bodies, size_t count)
{
	assert_int_equal(
		jc_recording_write_roster(writer, (int64_t)tick * TICK_US, tick, bodies, count),
		JC_OK);
}

static void write_capture(struct jc_recording_writer *writer, uint32_t body, uint32_t tick,
	const uint8_t *bytes, int length)
{
	struct jc_recorded_capture capture = { body, bytes, (size_t)length };

	assert_true(length > 0);
	assert_int_equal(
		jc_recording_write_captures(writer, (int64_t)tick * TICK_US, tick, &capture, 1),
		JC_OK);
}

/* All bones but those of the head's inside and of the left hand; the left upper arm turned about
 * +Z. */
static void write_pose(
	struct jc_recording_writer *writer, uint32_t body, uint32_t tick, float radians)
{
	static struct jc_capture capture;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int b = 0; b <= JC_BONE_RIGHT_TOES; b++) {
		pose.states[b] = JC_TRACKED;
	}
	pose.hips_translation.y = 0.1f;
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, radians);
	capture.time_us = (int64_t)tick * TICK_US;
	write_capture(
		writer, body, tick, bytes, jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)));
}

/* Head and neck of a body frame, turned by half a turn about +Y, so many metres apart. */
static void write_frame(
	struct jc_recording_writer *writer, uint32_t tick, float apart, bool is_rest)
{
	static const struct jc_quat around = { 0.0f, 1.0f, 0.0f, 0.0f };
	static struct jc_capture capture;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_body_frame frame = { .confidence = 1.0f };

	frame.joints[JC_JOINT_NECK] =
		(struct jc_body_joint){ { 0.0f, 1.5f, 0.0f }, around, JC_TRACKED };
	frame.joints[JC_JOINT_HEAD] =
		(struct jc_body_joint){ { 0.0f, 1.5f, apart }, around, JC_TRACKED };
	capture.time_us = (int64_t)tick * TICK_US;
	capture.is_rest = is_rest;
	write_capture(writer, 4, tick, bytes,
		jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes)));
}

static void end(struct jc_recording_writer *writer)
{
	assert_int_equal(jc_recording_end(writer), JC_OK);
	jc_recording_destroy(writer);
}

struct messages {
	size_t count;
	json_t *list[MESSAGES]; /* owned */
	double seconds[MESSAGES];
};

static void read_messages(
	const struct memory_sink *file, const char *topic, struct messages *out_messages)
{
	struct jc_mcap_slice slice = { file->bytes, file->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_index *index;

	out_messages->count = 0;
	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(&input, index, &range, &cursor), JC_OK);
	while (jc_mcap_cursor_next(cursor, &message, NULL) == JC_OK) {
		const struct jc_mcap_channel *channel =
			jc_mcap_index_channel(index, message.channel_id);

		if (jc_mcap_equal(channel->topic, jc_mcap_text(topic))) {
			size_t i = out_messages->count++;

			assert_true(i < MESSAGES);
			assert_int_equal(message.sequence, i);
			out_messages->seconds[i] =
				(double)(message.log_time - EPOCH_UNIX_NS) * 1e-9;
			out_messages->list[i] =
				json_loadb(message.data.bytes, message.data.length, 0, NULL);
			assert_non_null(out_messages->list[i]);
		}
	}
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
}

static void release(struct messages *messages)
{
	for (size_t i = 0; i < messages->count; i++) {
		json_decref(messages->list[i]);
	}
}

/* The element of a list with this text, or NULL. */
static const json_t *find(
	const json_t *message, const char *list, const char *key, const char *text)
{
	const json_t *array = json_object_get(message, list);

	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *item = json_array_get(array, i);

		if (strcmp(json_string_value(json_object_get(item, key)), text) == 0) {
			return item;
		}
	}
	return NULL;
}

static double number(const json_t *object, const char *part, const char *axis)
{
	return json_number_value(json_object_get(json_object_get(object, part), axis));
}

static bool mentions(const json_t *message, const char *text)
{
	char *dump = json_dumps(message, 0);
	bool is_there = strstr(dump, text) != NULL;

	free(dump);
	return is_there;
}

/* From the fingertips of a frame to the root: the place of a point, and whether there is one. */
static struct jc_vec3 place_of(const json_t *message, const char *frame, struct jc_vec3 point)
{
	const json_t *transform = find(message, "transforms", "child_frame_id", frame);

	while (transform) {
		struct jc_quat q = { (float)number(transform, "rotation", "x"),
			(float)number(transform, "rotation", "y"),
			(float)number(transform, "rotation", "z"),
			(float)number(transform, "rotation", "w") };
		struct jc_vec3 p = { (float)number(transform, "translation", "x"),
			(float)number(transform, "translation", "y"),
			(float)number(transform, "translation", "z") };

		point = jc_vec3_add(p, jc_quat_rotate(jc_quat_normalize(q), point));
		frame = json_string_value(json_object_get(transform, "parent_frame_id"));
		transform = find(message, "transforms", "child_frame_id", frame);
	}
	assert_string_equal(frame, "Z up");
	return point;
}

/* 60 poses a second become 10 transforms a second, in which a point of the hand is where the pose
 * has it, with +Z up. */
static void transforms_have_their_own_rate_and_stand_upright(void **)
{
	static struct messages transforms;
	struct jc_recorded_body body = ada();
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);
	struct jc_vec3 shoulder = jc_bone_rest_position(JC_BONE_LEFT_UPPER_ARM);
	struct jc_vec3 hand = jc_bone_rest_position(JC_BONE_LEFT_HAND);

	write_roster(writer, 0, &body, 1);
	for (uint32_t tick = 0; tick < 120; tick++) {
		write_pose(writer, 3, tick, 0.01f * (float)tick);
	}
	end(writer);
	read_messages(&file, "/lobby/transforms", &transforms);
	assert_in_range(transforms.count, 19, 21);
	for (size_t i = 0; i < transforms.count; i++) {
		const json_t *message = transforms.list[i];
		float angle = 0.01f * (float)round(transforms.seconds[i] * 1e6 / TICK_US);
		float hips = jc_bone_rest_position(JC_BONE_HIPS).y -
			     jc_bone_rest_position(JC_BONE_LEFT_TOES).y;
		/* The straight arm in the body, then its placement, then +Y becomes +Z. */
		struct jc_vec3 arm = jc_quat_rotate(
			jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, angle),
			jc_vec3_subtract(hand, shoulder));
		struct jc_vec3 in_body = jc_vec3_add(shoulder, arm);
		struct jc_vec3 placed;
		struct jc_vec3 got = place_of(message, "lobby/Ada/leftHand", (struct jc_vec3){ 0 });

		in_body.y += 0.1f * hips;
		placed = jc_vec3_add(body.placement.position,
			jc_quat_rotate(
				jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.5f),
				in_body));
		assert_float_equal(got.x, placed.x, 0.003f);
		assert_float_equal(got.y, -placed.z, 0.003f);
		assert_float_equal(got.z, placed.y, 0.003f);
		assert_null(find(message, "transforms", "child_frame_id", "lobby/Ada/leftEye"));
		assert_null(find(
			message, "transforms", "child_frame_id", "lobby/Ada/leftIndexProximal"));
	}
	release(&transforms);
	free(file.bytes);
}

/* Capsules end where the transforms have the next joint, and are sent once. */
static void a_scene_is_written_once_and_moved_by_transforms(void **)
{
	static struct messages scenes;
	struct jc_recorded_body body = ada();
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);
	const json_t *entity, *cylinder, *head;

	write_roster(writer, 0, &body, 1);
	for (uint32_t tick = 0; tick < 240; tick++) {
		write_pose(writer, 3, tick, 0.01f * (float)tick);
		write_roster(writer, tick, &body, 1);
	}
	end(writer);
	read_messages(&file, "/lobby/scene", &scenes);
	assert_int_equal(scenes.count, 1);
	entity = find(scenes.list[0], "entities", "id", "lobby/Ada/leftUpperArm");
	assert_string_equal(
		json_string_value(json_object_get(entity, "frame_id")), "lobby/Ada/leftUpperArm");
	assert_true(json_is_true(json_object_get(entity, "frame_locked")));
	cylinder = json_array_get(json_object_get(entity, "cylinders"), 0);
	assert_float_equal(number(cylinder, "size", "z"),
		jc_bone_rest_position(JC_BONE_LEFT_LOWER_ARM).x -
			jc_bone_rest_position(JC_BONE_LEFT_UPPER_ARM).x,
		1e-4);
	/* +Z of the cylinder along +X of the arm. */
	assert_float_equal(
		number(json_object_get(cylinder, "pose"), "orientation", "y"), sqrt(0.5), 1e-3);
	assert_int_equal(json_array_size(json_object_get(entity, "spheres")), 2);
	head = find(scenes.list[0], "entities", "id", "lobby/Ada/head");
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(json_object_get(head, "texts"), 0), "text")),
		"Countess \"L\"");
	/* A hand without fingers ends in a capsule of its own. */
	assert_int_equal(
		json_array_size(json_object_get(
			find(scenes.list[0], "entities", "id", "lobby/Ada/leftHand"), "cylinders")),
		1);
	release(&scenes);
	free(file.bytes);
}

static void joints_of_body_frames_have_escaped_names_and_measured_capsules(void **)
{
	static struct messages transforms, scenes;
	struct jc_recorded_body body = bob();
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);
	const json_t *joint, *neck, *cylinder;

	write_roster(writer, 0, &body, 1);
	write_frame(writer, 0, 0.1f, true);
	write_frame(writer, 1, 0.2f, false);
	write_frame(writer, 30, 0.21f, false); /* noise */
	write_frame(writer, 120, 0.3f, false);
	end(writer);
	read_messages(&file, "/lobby/transforms", &transforms);
	assert_int_equal(transforms.count, 3);
	joint = find(transforms.list[2], "transforms", "child_frame_id", "lobby/B%2Fo%25b/head");
	assert_string_equal(
		json_string_value(json_object_get(joint, "parent_frame_id")), "lobby/B%2Fo%25b");
	assert_float_equal(number(joint, "translation", "z"), 0.3, 1e-3);
	read_messages(&file, "/lobby/scene", &scenes);
	assert_int_equal(scenes.count, 2);
	for (size_t i = 0; i < 2; i++) {
		neck = find(scenes.list[i], "entities", "id", "lobby/B%2Fo%25b/neck");
		cylinder = json_array_get(json_object_get(neck, "cylinders"), 0);
		assert_float_equal(number(cylinder, "size", "z"), i == 0 ? 0.2f : 0.3f, 1e-3f);
		/* The joint is turned by half a turn, so its head is behind it. */
		assert_float_equal(number(json_object_get(cylinder, "pose"), "position", "z"),
			i == 0 ? -0.1f : -0.15f, 1e-3f);
	}
	release(&transforms);
	release(&scenes);
	free(file.bytes);
}

/* The last scene before an instant is all that a player shows there. */
static void each_scene_is_complete_and_replaces_the_one_before(void **)
{
	static struct messages scenes;
	struct jc_recorded_body both[] = { ada(), bob() };
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);

	write_roster(writer, 0, both, 1);
	write_pose(writer, 3, 0, 0.0f);
	write_roster(writer, 10, both, 2);
	for (uint32_t tick = 10; tick < 120; tick += 5) {
		write_frame(writer, tick, 0.2f, false);
	}
	end(writer);
	read_messages(&file, "/lobby/scene", &scenes);
	assert_int_equal(scenes.count, 2);
	assert_false(mentions(scenes.list[0], "B%2Fo%25b"));
	assert_true(mentions(scenes.list[1], "B%2Fo%25b"));
	assert_true(mentions(scenes.list[1], "lobby/Ada/hips"));
	/* A second body waits: no more than one scene a second. */
	assert_true(scenes.seconds[1] - scenes.seconds[0] >= 1.0);
	for (size_t i = 0; i < 2; i++) {
		const json_t *deletions = json_object_get(scenes.list[i], "deletions");

		assert_int_equal(json_array_size(deletions), 1);
		assert_int_equal(
			json_integer_value(json_object_get(json_array_get(deletions, 0), "type")),
			1);
	}
	release(&scenes);
	free(file.bytes);
}

/* A recorder repeats T-poses beside each roster. */
static void a_t_pose_does_not_hide_a_body(void **)
{
	static struct messages transforms;
	struct jc_recorded_body both[] = { ada(), bob() };
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);

	write_roster(writer, 0, both, 2);
	write_pose(writer, 3, 0, 0.0f);
	write_frame(writer, 6, 0.2f, false);
	write_pose(writer, 3, 11, 0.0f);
	write_roster(writer, 12, both, 2);
	write_frame(writer, 12, 0.5f, true);
	write_pose(writer, 3, 18, 0.0f);
	end(writer);
	read_messages(&file, "/lobby/transforms", &transforms);
	assert_int_equal(transforms.count, 4);
	for (size_t i = 1; i < 4; i++) {
		const json_t *head = find(
			transforms.list[i], "transforms", "child_frame_id", "lobby/B%2Fo%25b/head");

		assert_float_equal(number(head, "translation", "z"), 0.2, 1e-3);
	}
	release(&transforms);
	free(file.bytes);
}

/* Also captures that arrive late are not drawn. */
static void a_body_without_consent_is_gone_with_the_roster(void **)
{
	static struct messages transforms, scenes;
	struct jc_recorded_body both[] = { ada(), bob() };
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);

	write_roster(writer, 0, both, 2);
	write_pose(writer, 3, 0, 0.0f);
	write_frame(writer, 10, 0.2f, false);
	both[0] = (struct jc_recorded_body){ .id = 3, .name = "", .skeleton = "" };
	write_roster(writer, 20, both, 2);
	write_pose(writer, 3, 21, 0.0f);
	write_frame(writer, 40, 0.2f, false);
	write_frame(writer, 90, 0.2f, false);
	end(writer);
	read_messages(&file, "/lobby/scene", &scenes);
	assert_true(mentions(scenes.list[0], "Ada"));
	assert_int_equal((int)round(scenes.seconds[1] * 1e6 / TICK_US), 20);
	for (size_t i = 1; i < scenes.count; i++) {
		assert_false(mentions(scenes.list[i], "Ada"));
		assert_false(mentions(scenes.list[i], "Countess"));
	}
	read_messages(&file, "/lobby/transforms", &transforms);
	for (size_t i = 0; i < transforms.count; i++) {
		assert_true(mentions(transforms.list[i], "Ada") ==
			    (transforms.seconds[i] * 1e6 < 20 * TICK_US));
	}
	release(&transforms);
	release(&scenes);
	free(file.bytes);
}

static void a_crowd_is_drawn_up_to_the_maximum(void **)
{
	static struct messages scenes;
	struct jc_recorded_body bodies[70];
	char names[70][8];
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);

	for (uint32_t i = 0; i < 70; i++) {
		snprintf(names[i], sizeof(names[i]), "b%u", i);
		bodies[i] = ada();
		bodies[i].id = i + 1;
		bodies[i].name = names[i];
	}
	write_roster(writer, 0, bodies, 70);
	for (uint32_t i = 0; i < 70; i++) {
		write_pose(writer, i + 1, 0, 0.0f);
	}
	for (uint32_t i = 0; i < 70; i++) {
		write_pose(writer, i + 1, 90, 0.0f);
	}
	/* The first one leaves; the 65th body has its room. */
	write_roster(writer, 100, bodies + 1, 69);
	write_pose(writer, 65, 200, 0.0f);
	end(writer);
	read_messages(&file, "/lobby/scene", &scenes);
	assert_true(mentions(scenes.list[scenes.count - 1], "lobby/b64/hips"));
	assert_false(mentions(scenes.list[scenes.count - 1], "lobby/b65/hips"));
	assert_false(mentions(scenes.list[scenes.count - 1], "lobby/b0/hips"));
	release(&scenes);
	free(file.bytes);
}

/* Each tick a body leaves and another one enters. */
static void comings_and_goings_do_not_fill_the_file(void **)
{
	static struct messages scenes;
	struct jc_recorded_body both[] = { ada(), ada() };
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);

	both[1].name = "visitor";
	for (uint32_t tick = 0; tick < 300; tick++) {
		both[1].id = 10 + tick;
		write_roster(writer, tick, both, 2);
		write_pose(writer, 3, tick, 0.0f);
		write_pose(writer, both[1].id, tick, 0.0f);
	}
	write_roster(writer, 301, NULL, 0);
	end(writer);
	read_messages(&file, "/lobby/scene", &scenes);
	assert_in_range(scenes.count, 4, 22);
	/* The last one is empty, however early after the one before. */
	assert_int_equal(
		json_array_size(json_object_get(scenes.list[scenes.count - 1], "entities")), 0);
	release(&scenes);
	free(file.bytes);
}

static void make_both(struct memory_sink *file, bool scene)
{
	struct jc_recorded_body both[] = { ada(), bob() };
	struct jc_recording_writer *writer = begin(file, scene);

	write_roster(writer, 0, both, 1);
	for (uint32_t tick = 0; tick < 60; tick++) {
		write_pose(writer, 3, tick, 0.01f * (float)tick);
	}
	write_roster(writer, 60, both, 2);
	for (uint32_t tick = 60; tick < 150; tick++) {
		write_frame(writer, tick, 0.2f, false);
	}
	end(writer);
}

static void add_scene(const struct memory_sink *from, struct memory_sink *to)
{
	struct jc_mcap_slice slice = { from->bytes, from->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_sink sink = memory_sink(to);

	*to = (struct memory_sink){ 0 };
	if (jc_recording_add_scene(&input, "tests", &sink, &diagnostic)) {
		fail_msg("%s", diagnostic.what);
	}
}

static void assert_same_messages(
	const struct memory_sink *a, const struct memory_sink *b, const char *topic)
{
	static struct messages left, right;

	read_messages(a, topic, &left);
	read_messages(b, topic, &right);
	assert_true(left.count > 0);
	assert_int_equal(left.count, right.count);
	for (size_t i = 0; i < left.count; i++) {
		assert_true(left.seconds[i] == right.seconds[i]);
		assert_true(json_equal(left.list[i], right.list[i]));
	}
	release(&left);
	release(&right);
}

/* A scene that is added later is the one that the writer would have written, also over it. */
static void a_scene_can_be_added_to_a_recording(void **)
{
	struct memory_sink with, without, added, again;

	make_both(&with, true);
	make_both(&without, false);
	add_scene(&without, &added);
	add_scene(&added, &again);
	assert_int_equal(added.length, again.length);
	assert_memory_equal(added.bytes, again.bytes, added.length);
	for (size_t i = 0; i < 4; i++) {
		static const char *const topics[] = { "/lobby/session", "/lobby/roster",
			"/lobby/transforms", "/lobby/scene" };

		assert_same_messages(&with, &added, topics[i]);
	}
	free(with.bytes);
	free(without.bytes);
	free(added.bytes);
	free(again.bytes);
}

static void forget(const struct memory_sink *from, const char *name, struct memory_sink *to)
{
	struct jc_mcap_slice slice = { from->bytes, from->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_sink sink = memory_sink(to);
	struct jc_forgotten forgotten;

	*to = (struct memory_sink){ 0 };
	if (jc_recording_forget(&input, name, "tests", &sink, &forgotten, &diagnostic)) {
		fail_msg("%s", diagnostic.what);
	}
}

/* A name that needs escapes, a name that another one begins with, and a name that is the number of
 * the person. */
static void a_forgotten_body_is_not_drawn(void **)
{
	static const char *const names[] = { "B/o%b", "Ada", "3" };
	static const char *const frames[] = { "lobby/B%2Fo%25b/", "lobby/Ada/", "lobby/3/" };

	for (size_t n = 0; n < 3; n++) {
		static struct messages messages;
		struct jc_recorded_body bodies[] = { ada(), bob(), ada(), ada() };
		struct memory_sink file, rest;
		struct jc_recording_writer *writer = begin(&file, true);

		bodies[2].id = 5;
		bodies[2].name = "Adam";
		bodies[3].id = 6;
		bodies[3].name = "3";
		bodies[2].display = bodies[3].display = NULL;
		write_roster(writer, 0, bodies, 4);
		for (uint32_t tick = 0; tick < 200; tick += 10) {
			write_pose(writer, 3, tick, 0.0f);
			write_pose(writer, 5, tick + 1, 0.0f);
			write_pose(writer, 6, tick + 2, 0.0f);
			write_frame(writer, tick + 3, 0.2f, false);
		}
		end(writer);
		forget(&file, names[n], &rest);
		for (size_t topic = 0; topic < 2; topic++) {
			size_t others = 0;

			read_messages(
				&rest, topic ? "/lobby/scene" : "/lobby/transforms", &messages);
			for (size_t i = 0; i < messages.count; i++) {
				assert_false(mentions(messages.list[i], frames[n]));
				others += mentions(messages.list[i], "lobby/Adam/hips");
				others += mentions(messages.list[i], "lobby/3/hips");
			}
			assert_true(others > 0);
			assert_true(n == 2 ||
				    mentions(messages.list[messages.count - 1], "lobby/3/hips") ||
				    topic == 0);
			release(&messages);
		}
		free(file.bytes);
		free(rest.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transforms_have_their_own_rate_and_stand_upright),
		cmocka_unit_test(a_scene_is_written_once_and_moved_by_transforms),
		cmocka_unit_test(joints_of_body_frames_have_escaped_names_and_measured_capsules),
		cmocka_unit_test(each_scene_is_complete_and_replaces_the_one_before),
		cmocka_unit_test(a_t_pose_does_not_hide_a_body),
		cmocka_unit_test(a_body_without_consent_is_gone_with_the_roster),
		cmocka_unit_test(a_crowd_is_drawn_up_to_the_maximum),
		cmocka_unit_test(comings_and_goings_do_not_fill_the_file),
		cmocka_unit_test(a_scene_can_be_added_to_a_recording),
		cmocka_unit_test(a_forgotten_body_is_not_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
