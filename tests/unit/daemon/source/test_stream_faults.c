/* Bones over VMC and joints of mocopi that are sent wrong on purpose: the status names each fault,
 * and none of a sound stream.
 *
 * usage: test_stream_faults         the built-in motions, for ctest
 *        test_stream_faults FILE…   all motions of these files as sound VMC streams */
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "jointcast/limits.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/apps/mocopi_receiver.h"
#include "jointcast_private/apps/stream_check.h"
#include "jointcast_private/osc.h"
#include "mocopi_bytes.h"
#include "source/mocopi/mocopi_source.h"
#include "source/vmc/vmc_source.h"
#include "unit_test.h"

#define STEP_NS INT64_C(16666667)
#define BROKEN  4.0f  /* seconds: what becomes wrong later is right until then */
#define LASTING 24.0f /* seconds of each stream, at least */
#define FINITE  120.0f

/* The values of a frame in the axes of the protocol. */
struct sent {
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips; /* metres */
	double time;         /* of the sender's clock, seconds */
};

/* What a sender does wrong. */
typedef void break_stream(struct sent *sent, float seconds);

struct stream {
	struct jc_source *source;
	struct jc_log log;
	FILE *file;
	bool is_suit; /* mocopi */
	int64_t now_ns;
	uint32_t number;
	float seconds;
	break_stream *broken;
	const char *fault; /* the first one that the status names */
};

static void begin(struct stream *stream, bool is_suit)
{
	struct sockaddr_storage address = { .ss_family = AF_INET };
	int64_t now_ns = jc_clock_now_ns();
	int status;

	((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*stream = (struct stream){ .is_suit = is_suit, .file = fopen("/dev/null", "w") };
	stream->log.fd = fileno(stream->file);
	stream->now_ns = now_ns;
	if (is_suit) {
		const struct jc_mocopi_source_options options = {
			.address = address, .log = &stream->log, .epoch_ns = now_ns - 1000000000
		};

		status = jc_mocopi_source_create(&options, &stream->source, NULL);
	} else {
		const struct jc_vmc_source_options options = {
			.address = address, .log = &stream->log, .epoch_ns = now_ns - 1000000000
		};

		status = jc_vmc_source_create(&options, &stream->source, NULL);
	}
	assert_int_equal(status, JC_OK);
}

static void end(struct stream *stream)
{
	stream->source->ops->destroy(stream->source);
	fclose(stream->file);
}

static struct sockaddr_storage sender(void)
{
	struct sockaddr_storage address = { .ss_family = AF_INET };

	((struct sockaddr_in *)&address)->sin_port = htons(40000);
	((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static size_t append(
	uint8_t *bytes, size_t length, size_t capacity, const struct jc_osc_message *message)
{
	int size = jc_osc_bundle_append(message, bytes + length, capacity - length);

	assert_true(size > 0);
	return length + (size_t)size;
}

/* A bone of a VRM 0.x avatar: the hips have a place in the model, others one in their parent. */
static void send_bones(struct stream *stream, const struct jc_pose *pose, const struct sent *sent)
{
	const struct sockaddr_storage from = sender();
	uint8_t bytes[8192];
	size_t length = (size_t)jc_osc_bundle_begin(bytes, sizeof(bytes));
	const struct jc_osc_message time = { "/VMC/Ext/T", 1, { { 'f', .f = (float)sent->time } } };

	length = append(bytes, length, sizeof(bytes), &time);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		enum jc_bone bone = (enum jc_bone)i;
		struct jc_vec3 at =
			i == JC_BONE_HIPS
				? sent->hips
				: jc_vmc_mirror_point(jc_vec3_subtract(jc_bone_rest_position(bone),
					  jc_bone_rest_position(jc_bone_parent(bone))));
		struct jc_quat q = sent->rotations[i];
		const struct jc_osc_message message = { "/VMC/Ext/Bone/Pos", 8,
			{ { 's', .s = jc_vmc_bone_name(bone) }, { 'f', .f = at.x },
				{ 'f', .f = at.y }, { 'f', .f = at.z }, { 'f', .f = q.x },
				{ 'f', .f = q.y }, { 'f', .f = q.z }, { 'f', .f = q.w } } };

		if (pose->states[i] != JC_ABSENT)
			length = append(bytes, length, sizeof(bytes), &message);
	}
	jc_vmc_source_take(stream->source, &from, bytes, length, stream->now_ns);
}

static void send_joints(struct stream *stream, const struct sent *sent)
{
	const struct sockaddr_storage from = sender();
	struct mocopi_figure figure;
	uint8_t bytes[2048];

	mocopi_figure_init(&figure);
	if (stream->number % 60 == 0)
		jc_mocopi_source_take(stream->source, &from, bytes,
			mocopi_write_skeleton(&figure, bytes), stream->now_ns);
	for (int i = 0; i < MOCOPI_JOINTS; i++) {
		enum jc_bone bone = jc_mocopi_bone(i);

		if (bone != JC_BONE_NONE)
			memcpy(figure.rotations[i], &sent->rotations[bone], 4 * sizeof(float));
	}
	memcpy(figure.positions[0], &sent->hips, 3 * sizeof(float));
	jc_mocopi_source_take(stream->source, &from, bytes,
		mocopi_write_frame(&figure, ++stream->number, 1.7e9 + sent->time, bytes),
		stream->now_ns);
}

static void send_pose(struct stream *stream, const struct jc_pose *pose)
{
	struct jc_vec3 rest = jc_bone_rest_position(JC_BONE_HIPS);
	float height = rest.y - jc_bone_rest_position(JC_BONE_LEFT_TOES).y;
	struct sent sent = { .time = (double)stream->seconds };
	struct jc_source_sample ignored;
	struct jc_source_status status;

	if (stream->is_suit) { /* the figure of mocopi_bytes.h, whose toes are 2 cm above the floor
				*/
		rest = (struct jc_vec3){ 0.0f, 0.92f, 0.0f };
		height = 0.9f;
	}
	sent.hips = jc_vec3_add(rest, jc_vec3_scale(pose->hips_translation, height));
	memcpy(sent.rotations, pose->rotations, sizeof(sent.rotations));
	if (!stream->is_suit) {
		sent.hips = jc_vmc_mirror_point(sent.hips);
		for (int i = 0; i < JC_BONE_COUNT; i++)
			sent.rotations[i] = jc_vmc_mirror_rotation(sent.rotations[i]);
	}
	if (stream->broken)
		stream->broken(&sent, stream->seconds);
	if (stream->is_suit)
		send_joints(stream, &sent);
	else
		send_bones(stream, pose, &sent);
	stream->source->ops->sample(stream->source, stream->now_ns, &ignored);
	stream->source->ops->status(stream->source, &status);
	if (status.fault && !stream->fault)
		stream->fault = status.fault;
	stream->now_ns += STEP_NS;
	stream->seconds += (float)STEP_NS * 1.0e-9f;
}

static void move(struct stream *stream, const struct jc_motion *motion)
{
	double duration = jc_motion_info(motion)->duration;
	float lasting = fminf(fmaxf((float)duration, LASTING), FINITE);
	struct jc_pose pose;

	while (stream->seconds < lasting) {
		double t = (double)stream->seconds;

		jc_motion_pose(motion, duration > 0.0 ? fmod(t, duration) : 0.0, &pose);
		send_pose(stream, &pose);
	}
}

/* Rotations. */

static void mirror_rotations(struct sent *sent, float)
{
	for (int i = 0; i < JC_BONE_COUNT; i++)
		sent->rotations[i] = jc_vmc_mirror_rotation(sent->rotations[i]);
}

static void mirror_front(struct sent *sent, float)
{
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		struct jc_quat q = sent->rotations[i];

		sent->rotations[i] = (struct jc_quat){ -q.x, -q.y, q.z, q.w };
	}
}

static void exchange_sides(struct sent *sent, float)
{
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		enum jc_bone other = jc_bone_mirror((enum jc_bone)i);

		if ((int)other > i) {
			struct jc_quat q = sent->rotations[i];

			sent->rotations[i] = sent->rotations[other];
			sent->rotations[other] = q;
		}
	}
}

static void put_w_first(struct sent *sent, float)
{
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		struct jc_quat q = sent->rotations[i];

		sent->rotations[i] = (struct jc_quat){ q.w, q.x, q.y, q.z };
	}
}

static void turn_rotations_up(struct sent *sent, float)
{
	const struct jc_quat up = { 0.70710678f, 0.0f, 0.0f, 0.70710678f };

	for (int i = 0; i < JC_BONE_COUNT; i++)
		sent->rotations[i] = jc_quat_multiply(
			jc_quat_multiply(up, sent->rotations[i]), jc_quat_conjugate(up));
}

/* The tracker of a shin turns by 10 degrees a second; that of the foot does not. */
static void turn_shin(struct sent *sent, float seconds)
{
	struct jc_quat yaw = jc_quat_from_axis_angle(
		(struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.1745f * fmaxf(seconds - BROKEN, 0.0f));
	struct jc_quat *shin = &sent->rotations[JC_BONE_LEFT_LOWER_LEG];
	struct jc_quat *foot = &sent->rotations[JC_BONE_LEFT_FOOT];

	*shin = jc_quat_multiply(yaw, *shin);
	*foot = jc_quat_multiply(jc_quat_conjugate(yaw), *foot);
}

/* Places. */

static void mirror_x(struct sent *sent, float)
{
	sent->hips.x = -sent->hips.x;
}

static void mirror_z(struct sent *sent, float)
{
	sent->hips.z = -sent->hips.z;
}

static void mirror_all(struct sent *sent, float seconds)
{
	mirror_x(sent, seconds);
	mirror_rotations(sent, seconds);
}

static void turn_places_up(struct sent *sent, float)
{
	sent->hips = (struct jc_vec3){ sent->hips.x, -sent->hips.z, sent->hips.y };
}

static void turn_all_up(struct sent *sent, float seconds)
{
	turn_places_up(sent, seconds);
	turn_rotations_up(sent, seconds);
}

static void turn_front(struct sent *sent, float)
{
	sent->hips = (struct jc_vec3){ sent->hips.z, sent->hips.y, -sent->hips.x };
}

static void send_centimetres(struct sent *sent, float)
{
	sent->hips = jc_vec3_scale(sent->hips, 100.0f);
}

static void send_half(struct sent *sent, float)
{
	sent->hips = jc_vec3_scale(sent->hips, 0.5f);
}

static void send_large(struct sent *sent, float)
{
	sent->hips = jc_vec3_scale(sent->hips, 1.4f);
}

static void drift_away(struct sent *sent, float seconds)
{
	sent->hips.x += 0.05f * fmaxf(seconds - BROKEN, 0.0f);
}

static void drift_down(struct sent *sent, float seconds)
{
	sent->hips.y -= 0.05f * fmaxf(seconds - BROKEN, 0.0f);
}

/* Times. */

static void come_late(struct sent *sent, float seconds)
{
	sent->time -= 0.5 * (double)fminf(fmaxf(seconds - BROKEN, 0.0f), 1.0f);
}

static void queue_up(struct sent *sent, float seconds)
{
	sent->time -= 0.004 * (double)fmaxf(seconds - BROKEN, 0.0f) *
		      (double)fmaxf(seconds - BROKEN, 0.0f);
}

static void run_fast(struct sent *sent, float seconds)
{
	sent->time += 0.02 * (double)seconds;
}

static void run_slow(struct sent *sent, float seconds)
{
	sent->time -= 0.02 * (double)seconds;
}

static void give_whole_seconds(struct sent *sent, float)
{
	sent->time = floor(sent->time);
}

static void begin_again(struct sent *sent, float seconds)
{
	sent->time = fmod((double)seconds, 7.0);
}

static const struct {
	const char *what, *motion;
	break_stream *broken;
	enum jc_stream_fault fault;
} cases[] = {
	{ "walk", "walk", NULL, JC_STREAM_SOUND },
	{ "stand", "idle", NULL, JC_STREAM_SOUND },
	{ "sit", "sit", NULL, JC_STREAM_SOUND },
	{ "wave", "wave", NULL, JC_STREAM_SOUND },
	{ "whole seconds", "idle", give_whole_seconds, JC_STREAM_SOUND },
	{ "a clock that begins again", "idle", begin_again, JC_STREAM_SOUND },
	{ "mirrored rotations", "wave", mirror_rotations, JC_STREAM_MIRRORED },
	{ "mirrored front", "walk", mirror_front, JC_STREAM_MIRRORED },
	{ "exchanged sides", "walk", exchange_sides, JC_STREAM_MIRRORED },
	{ "mirrored places and rotations", "walk", mirror_all, JC_STREAM_MIRRORED },
	{ "mirrored X", "walk", mirror_x, JC_STREAM_MIRRORED },
	{ "mirrored Z", "walk", mirror_z, JC_STREAM_MIRRORED },
	{ "w first", "idle", put_w_first, JC_STREAM_AXES },
	{ "Z up", "idle", turn_all_up, JC_STREAM_AXES },
	{ "Z up, places", "walk", turn_places_up, JC_STREAM_AXES },
	{ "Z up, rotations", "walk", turn_rotations_up, JC_STREAM_AXES },
	{ "X forward, places", "walk", turn_front, JC_STREAM_AXES },
	{ "centimetres", "idle", send_centimetres, JC_STREAM_SCALE },
	{ "half", "idle", send_half, JC_STREAM_SCALE },
	{ "large", "walk", send_large, JC_STREAM_SCALE },
	{ "late", "idle", come_late, JC_STREAM_DELAYED },
	{ "later and later", "idle", queue_up, JC_STREAM_DELAYED },
	{ "fast clock", "idle", run_fast, JC_STREAM_CLOCK },
	{ "slow clock", "idle", run_slow, JC_STREAM_CLOCK },
	{ "drift away", "idle", drift_away, JC_STREAM_DRIFTS },
	{ "drift down", "idle", drift_down, JC_STREAM_DRIFTS },
	{ "shin turns", "idle", turn_shin, JC_STREAM_DRIFTS },
};

static void check_cases(bool is_suit)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *wanted = jc_stream_fault_text(JC_STREAM_BONES, cases[i].fault);
		struct jc_motion *motion;
		struct stream stream;

		assert_int_equal(jc_motion_create_demo(cases[i].motion, &motion, NULL), JC_OK);
		begin(&stream, is_suit);
		stream.broken = cases[i].broken;
		move(&stream, motion);
		if (stream.fault != wanted) {
			printf("# %s: '%s' instead of '%s'\n", cases[i].what,
				stream.fault ? stream.fault : "", wanted ? wanted : "");
			failed++;
		}
		end(&stream);
		jc_motion_destroy(motion);
	}
	assert_int_equal(failed, 0);
}

static void faults_of_vmc_senders_are_named(void **)
{
	check_cases(false);
}

static void faults_of_mocopi_senders_are_named(void **)
{
	check_cases(true);
}

/* Returns the number of motions with a fault. */
static int check_file(const char *path, int *motions, double *seconds)
{
	char *bytes = NULL;
	size_t length;
	int alarms = 0;

	if (jc_file_read(path, JC_LIMIT_FILE_BYTES, &bytes, &length, NULL) != JC_OK)
		return 0;
	for (size_t i = 0;; i++) {
		struct jc_motion *motion;
		struct stream stream;

		if (jc_motion_read(bytes, length, i, NULL, &motion, NULL, NULL) != JC_OK)
			break;
		begin(&stream, false);
		move(&stream, motion);
		if (stream.fault)
			printf("%s %zu: %s\n", path, i, stream.fault);
		*motions += 1;
		*seconds += (double)stream.seconds;
		alarms += stream.fault != NULL;
		end(&stream);
		jc_motion_destroy(motion);
	}
	free(bytes);
	return alarms;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_of_vmc_senders_are_named),
		cmocka_unit_test(faults_of_mocopi_senders_are_named),
	};
	int motions = 0, alarms = 0;
	double seconds = 0.0;

	for (int i = 1; i < argc; i++)
		alarms += check_file(argv[i], &motions, &seconds);
	if (argc > 1)
		printf("%d motions, %.0f minutes, %d faults\n", motions, seconds / 60.0, alarms);
	return argc > 1 ? alarms != 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
