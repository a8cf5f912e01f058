/* Bodies as six OSC trackers and back, and streams that are broken on purpose.
 *
 * usage: test_osc_round_trip                          the built-in motions, for ctest
 *        test_osc_round_trip [--loss PERCENT] FILE…   a table of errors of these motions;
 *                                                     demo:NAME lasts one minute
 *
 * Trackers are worn at odd angles, away from their joints, and calibrated in the T-pose. */
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "jointcast/limits.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/apps/tracker_check.h"
#include "jointcast_private/osc_trackers.h"
#include "source/calibration_run.h"
#include "source/capture_intake.h"
#include "source/osc_trackers_source.h"
#include "unit_test.h"

#define HEIGHT   1.75f /* of the built-in figure */
#define STEP_NS  INT64_C(16666667)
#define STANDING 120 /* frames of the T-pose, longer than a calibration */
#define LATE_NS  INT64_C(30000000)

/* Six trackers: the head first, which has no mount. */
static const enum jc_joint worn[] = { JC_JOINT_HEAD, JC_JOINT_HIPS, JC_JOINT_LEFT_FOOT_ANKLE,
	JC_JOINT_RIGHT_FOOT_ANKLE, JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_RIGHT_HAND_WRIST };

#define WORN (sizeof(worn) / sizeof(worn[0]))

/* What a sender does wrong, to the trackers as it sends them. */
typedef void break_stream(struct jc_osc_tracker *trackers, float seconds);

struct wearer {
	struct jc_source *source;
	struct jc_log log;
	FILE *file;
	int64_t now_ns;
	float seconds;
	unsigned loss; /* per cent of packets */
	unsigned random;
	int64_t sent_ago_ns; /* time tag before the arrival; 0: none */
	break_stream *broken;
	double sum;
	uint64_t count;
	float worst;
	unsigned frames;
	const char *text; /* the first one that the status names */
};

static struct sockaddr_storage sender_at(uint16_t port)
{
	struct sockaddr_storage storage = { .ss_family = AF_INET };
	struct sockaddr_in *in = (struct sockaddr_in *)&storage;

	in->sin_port = htons(port);
	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return storage;
}

static void begin(struct wearer *wearer)
{
	struct jc_osc_trackers_options options = { .log = &wearer->log, .height = HEIGHT };
	struct sockaddr_in *address = (struct sockaddr_in *)&options.address;
	struct jc_diagnostic diagnostic = { 0 };

	*wearer = (struct wearer){ .random = 1, .file = fopen("/dev/null", "w") };
	wearer->log.fd = fileno(wearer->file);
	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	wearer->now_ns = jc_clock_now_ns();
	options.epoch_ns = wearer->now_ns - 1000000000;
	assert_int_equal(
		jc_osc_trackers_source_create(&options, &wearer->source, &diagnostic), JC_OK);
}

static void end(struct wearer *wearer)
{
	wearer->source->ops->destroy(wearer->source);
	fclose(wearer->file);
}

/* A tracker at a joint, turned and displaced as it is worn. */
static struct jc_osc_tracker mount(const struct jc_body_frame *truth, size_t index)
{
	enum jc_joint joint = worn[index];
	const struct jc_body_joint *at = &truth->joints[joint];
	struct jc_quat turned = jc_quat_multiply(
		at->orientation, jc_quat_conjugate(jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, joint)));
	struct jc_quat angle = jc_quat_normalize(
		(struct jc_quat){ 0.3f * (float)index, -0.4f, 0.2f * (float)index, 1.0f });
	bool is_displaced = index > 0 && index < 4; /* wrist trackers are at their joints */
	struct jc_vec3 off = { 0.01f, is_displaced ? 0.03f : 0.0f, is_displaced ? 0.05f : 0.0f };

	return (struct jc_osc_tracker){ .has_position = true,
		.has_rotation = true,
		.position = is_displaced ? jc_vec3_add(at->position, jc_quat_rotate(turned, off))
					 : at->position,
		.rotation = index == 0 ? turned : jc_quat_multiply(turned, angle) };
}

/* Writes the time into the time tag of a bundle (OSC 1.0: seconds since 1900). */
static void put_time(uint8_t *bytes, int64_t ago_ns)
{
	struct timespec wall;

	clock_gettime(CLOCK_REALTIME, &wall);
	int64_t ns = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec - ago_ns;
	uint64_t tag = (uint64_t)(ns / 1000000000 + 2208988800) << 32 |
		       (uint64_t)(ns % 1000000000) * 0x100000000 / 1000000000;

	for (int i = 0; i < 8; i++)
		bytes[8 + i] = (uint8_t)(tag >> (56 - 8 * i));
}

static void send_body(struct wearer *wearer, const struct jc_pose *pose)
{
	const struct sockaddr_storage from = sender_at(40000);
	struct jc_osc_tracker trackers[JC_OSC_TRACKER_COUNT] = { 0 };
	uint8_t bytes[JC_OSC_TRACKER_BYTES];
	struct jc_body_frame truth;

	jc_pose_to_body_frame(pose, JC_PROFILE_WEBXR_SPEC, &truth);
	for (size_t i = 0; i < WORN; i++)
		trackers[i] = mount(&truth, i);
	if (wearer->broken)
		wearer->broken(trackers, wearer->seconds);
	int length = jc_osc_trackers_write(trackers, bytes, sizeof(bytes));

	assert_true(length > 0);
	if (wearer->sent_ago_ns)
		put_time(bytes, wearer->sent_ago_ns + jc_clock_now_ns() - wearer->now_ns);
	wearer->random = wearer->random * 1103515245u + 12345u;
	if (wearer->random >> 16 & 0x7fff ? (wearer->random >> 16) % 100 >= wearer->loss : true)
		jc_osc_trackers_source_take(
			wearer->source, &from, bytes, (size_t)length, wearer->now_ns);
	wearer->now_ns += STEP_NS;
	wearer->seconds += (float)STEP_NS * 1.0e-9f;
}

static void sample(struct wearer *wearer, struct jc_source_sample *out_sample)
{
	wearer->source->ops->sample(wearer->source, wearer->now_ns - STEP_NS, out_sample);
}

static void note_fault(struct wearer *wearer)
{
	struct jc_source_status status;

	if (wearer->frames++ % 10 != 0)
		return;
	wearer->source->ops->status(wearer->source, &status);
	if (status.fault && !wearer->text)
		wearer->text = status.fault;
}

/* Stands in the T-pose; calibrates if that is asked for. Returns how the calibration ended. */
static enum jc_calibration_step stand(struct wearer *wearer, bool calibrates)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_calibration_run run;
	enum jc_calibration_step step = JC_CALIBRATION_QUIET;
	struct jc_source_sample ignored;
	struct jc_pose pose;

	jc_pose_init(&pose);
	memset(pose.states, JC_TRACKED, sizeof(pose.states));
	jc_calibration_run_init(&run, JC_CALIBRATION_T, HEIGHT, 0, wearer->now_ns + 30 * STEP_NS);
	for (int i = 0; i < STANDING; i++) {
		send_body(wearer, &pose);
		sample(wearer, &ignored);
		if (calibrates && step != JC_CALIBRATION_DONE && step != JC_CALIBRATION_REFUSED)
			step = jc_calibration_run_step(&run, wearer->source->tracked,
				wearer->now_ns - STEP_NS, &diagnostic);
		note_fault(wearer);
	}
	if (step == JC_CALIBRATION_REFUSED)
		printf("# refused: %s\n", diagnostic.what);
	return step;
}

/* The 22 bones of the body, on the built-in figure: a bone that the motion lacks is carried by the
 * one above, as in tests/bench/emulation.sh. */
static void measure(struct wearer *wearer, const struct jc_pose *pose)
{
	struct jc_source_sample got;
	struct jc_body_frame truth, back;
	struct jc_pose whole = *pose;

	sample(wearer, &got);
	memset(whole.states, JC_TRACKED, sizeof(whole.states));
	jc_pose_to_body_frame(&whole, JC_PROFILE_WEBXR_SPEC, &truth);
	memset(got.pose.states, JC_TRACKED, sizeof(got.pose.states));
	jc_pose_to_body_frame(&got.pose, JC_PROFILE_WEBXR_SPEC, &back);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)i);
		if (bone == JC_BONE_NONE || bone > JC_BONE_RIGHT_TOES)
			continue;
		float off = jc_vec3_length(
			jc_vec3_subtract(truth.joints[i].position, back.joints[i].position));
		wearer->sum += (double)off;
		wearer->count++;
		wearer->worst = fmaxf(wearer->worst, off);
	}
}

static void move(struct wearer *wearer, const struct jc_motion *motion, float seconds)
{
	double duration = jc_motion_info(motion)->duration;
	struct jc_pose pose;

	for (float t = 0.0f; t < seconds; t += (float)STEP_NS * 1.0e-9f) {
		jc_motion_pose(motion, duration > 0.0 ? fmod((double)t, duration) : 0.0, &pose);
		send_body(wearer, &pose);
		/* Nobody jumps out of the T-pose into a motion. */
		if (t > fminf(0.3f, 0.3f * seconds))
			measure(wearer, &pose);
		else
			measure(&(struct wearer){ .source = wearer->source,
					.now_ns = wearer->now_ns },
				&pose);
		note_fault(wearer);
	}
}

static struct jc_motion *demo(const char *name)
{
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	return motion;
}

static void six_trackers_give_the_body_back(void **)
{
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_motion *motion = demo(*name);
		struct wearer wearer;

		begin(&wearer);
		assert_int_equal(stand(&wearer, true), JC_CALIBRATION_DONE);
		move(&wearer, motion, 8.0f);
		printf("# %s: %.2f cm mean, %.1f cm at most %s\n", *name,
			100.0 * wearer.sum / (double)wearer.count, 100.0 * (double)wearer.worst,
			wearer.text ? wearer.text : "");
		assert_true(wearer.sum / (double)wearer.count < 0.015);
		assert_null(wearer.text);
		end(&wearer);
		jc_motion_destroy(motion);
	}
}

static void a_tenth_of_the_packets_may_be_lost(void **)
{
	struct jc_motion *motion = demo("walk");
	struct wearer wearer;

	begin(&wearer);
	assert_int_equal(stand(&wearer, true), JC_CALIBRATION_DONE);
	wearer.loss = 10;
	move(&wearer, motion, 10.0f);
	/* Without a loss 0.45 cm; a body that waits for the next packet is 0.61 cm off. */
	assert_true(wearer.sum / (double)wearer.count < 0.005);
	assert_null(wearer.text);
	end(&wearer);
	jc_motion_destroy(motion);
}

/* Streams that are broken on purpose. */

static void swap_axes(struct jc_osc_tracker *trackers, float)
{
	for (size_t i = 0; i < WORN; i++) {
		struct jc_vec3 p = trackers[i].position;
		struct jc_quat q = trackers[i].rotation;

		trackers[i].position = (struct jc_vec3){ p.x, -p.z, p.y };
		trackers[i].rotation =
			jc_quat_multiply((struct jc_quat){ 0.70710678f, 0, 0, 0.70710678f }, q);
	}
}

static void send_radians(struct jc_osc_tracker *trackers, float)
{
	for (size_t i = 0; i < WORN; i++)
		trackers[i].rotation = jc_osc_tracker_rotation(jc_vec3_scale(
			jc_osc_tracker_degrees(trackers[i].rotation), (float)M_PI / 180.0f));
}

static void mirror_x(struct jc_osc_tracker *trackers, float)
{
	for (size_t i = 0; i < WORN; i++)
		trackers[i].position.x = -trackers[i].position.x;
}

static void mirror_z(struct jc_osc_tracker *trackers, float)
{
	for (size_t i = 0; i < WORN; i++)
		trackers[i].position.z = -trackers[i].position.z;
}

static void mirror_rotations(struct jc_osc_tracker *trackers, float)
{
	for (size_t i = 0; i < WORN; i++) {
		trackers[i].rotation.y = -trackers[i].rotation.y;
		trackers[i].rotation.z = -trackers[i].rotation.z;
	}
}

static void scale(struct jc_osc_tracker *trackers, float factor)
{
	for (size_t i = 0; i < WORN; i++)
		trackers[i].position = jc_vec3_scale(trackers[i].position, factor);
}

static void send_centimetres(struct jc_osc_tracker *trackers, float)
{
	scale(trackers, 100.0f);
}

static void send_half_size(struct jc_osc_tracker *trackers, float seconds)
{
	scale(trackers, seconds < 2.0f ? 1.0f : 0.5f);
}

static void send_large(struct jc_osc_tracker *trackers, float seconds)
{
	scale(trackers, seconds < 2.0f ? 1.0f : 1.4f);
}

/* The left foot moves away by 5 cm a second. */
static void drift_away(struct jc_osc_tracker *trackers, float seconds)
{
	trackers[2].position.x += 0.05f * fmaxf(seconds - 2.0f, 0.0f);
}

/* The tracker of a foot turns by 10 degrees a second, as sensors without a compass do. */
static void drift_around(struct jc_osc_tracker *trackers, float seconds)
{
	struct jc_quat yaw = jc_quat_from_axis_angle(
		(struct jc_vec3){ 0, 1, 0 }, 0.1745f * fmaxf(seconds - 2.0f, 0.0f));

	trackers[3].rotation = jc_quat_multiply(yaw, trackers[3].rotation);
}

/* The whole body sinks by 5 cm a second. */
static void drift_down(struct jc_osc_tracker *trackers, float seconds)
{
	for (size_t i = 0; i < WORN; i++)
		trackers[i].position.y -= 0.05f * fmaxf(seconds - 2.0f, 0.0f);
}

/* The idle body on a turntable: a turn in ten seconds, to both sides. */
static void turn_about(struct wearer *wearer, const struct jc_motion *motion, float seconds)
{
	struct jc_pose pose;

	for (float t = 0.0f; t < seconds; t += (float)STEP_NS * 1.0e-9f) {
		jc_motion_pose(motion, fmod((double)t, jc_motion_info(motion)->duration), &pose);
		struct jc_quat yaw = jc_quat_from_axis_angle(
			(struct jc_vec3){ 0, 1, 0 }, 2.5f * sinf(0.6283f * t));

		pose.rotations[JC_BONE_HIPS] = jc_quat_multiply(yaw, pose.rotations[JC_BONE_HIPS]);
		pose.hips_translation.x = pose.hips_translation.z = 0.0f;
		send_body(wearer, &pose);
		note_fault(wearer);
		struct jc_source_sample ignored;
		sample(wearer, &ignored);
	}
}

static void broken_streams_are_named(void **)
{
	static const struct {
		const char *what;
		break_stream *broken;
		int64_t ago_ns;
		bool may_be_refused;
		enum jc_stream_fault fault;
	} cases[] = {
		{ "sound", NULL, 0, false, JC_STREAM_SOUND },
		{ "sound with time tags", NULL, LATE_NS, false, JC_STREAM_SOUND },
		{ "Z up", swap_axes, 0, true, JC_STREAM_AXES },
		{ "radians", send_radians, 0, false, JC_STREAM_AXES },
		{ "mirrored X", mirror_x, 0, false, JC_STREAM_MIRRORED },
		{ "mirrored Z", mirror_z, 0, false, JC_STREAM_MIRRORED },
		{ "mirrored rotations", mirror_rotations, 0, false, JC_STREAM_MIRRORED },
		{ "centimetres", send_centimetres, 0, true, JC_STREAM_SCALE },
		{ "half size", send_half_size, 0, false, JC_STREAM_SCALE },
		{ "large", send_large, 0, false, JC_STREAM_SCALE },
		{ "delay", NULL, 15 * LATE_NS, false, JC_STREAM_DELAYED },
		{ "drift away", drift_away, 0, false, JC_STREAM_DRIFTS },
		{ "drift around", drift_around, 0, false, JC_STREAM_DRIFTS },
		{ "drift down", drift_down, 0, false, JC_STREAM_DRIFTS },
	};
	struct jc_motion *motion = demo("idle");
	int failed = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wearer wearer;

		begin(&wearer);
		wearer.broken = cases[i].broken;
		wearer.sent_ago_ns = cases[i].ago_ns;
		enum jc_calibration_step step = stand(&wearer, true);

		if (step != JC_CALIBRATION_DONE && !cases[i].may_be_refused)
			printf("# %s: not calibrated\n", cases[i].what);
		turn_about(&wearer, motion, 16.0f);
		const char *wanted = jc_stream_fault_text(JC_STREAM_TRACKERS, cases[i].fault);

		if (wearer.text != wanted) {
			printf("# %s: '%s' instead of '%s'\n", cases[i].what,
				wearer.text ? wearer.text : "", wanted ? wanted : "");
			failed++;
		}
		end(&wearer);
	}
	jc_motion_destroy(motion);
	assert_int_equal(failed, 0);
}

static int print_file(const char *path, unsigned loss)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;
	struct wearer wearer;
	char *bytes = NULL;
	size_t length;
	bool is_demo = strncmp(path, "demo:", 5) == 0;
	int status =
		is_demo ? jc_motion_create_demo(path + 5, &motion, &diagnostic)
			: jc_file_read(path, JC_LIMIT_FILE_BYTES, &bytes, &length, &diagnostic);

	if (status == JC_OK && !is_demo)
		status = jc_motion_read(bytes, length, 0, NULL, &motion, NULL, &diagnostic);
	free(bytes);
	if (status != JC_OK)
		return status;
	begin(&wearer);
	if (stand(&wearer, true) == JC_CALIBRATION_DONE) {
		double seconds = is_demo ? 60.0 : jc_motion_info(motion)->duration;

		wearer.loss = loss;
		move(&wearer, motion, fminf(fmaxf((float)seconds, 0.5f), 60.0f));
		printf("%-34s %6.2f cm mean %6.1f cm most  %s\n",
			strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
			100.0 * wearer.sum / (double)wearer.count, 100.0 * (double)wearer.worst,
			wearer.text ? wearer.text : "");
	}
	end(&wearer);
	jc_motion_destroy(motion);
	return JC_OK;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_trackers_give_the_body_back),
		cmocka_unit_test(a_tenth_of_the_packets_may_be_lost),
		cmocka_unit_test(broken_streams_are_named),
	};
	bool has_loss = argc > 2 && strcmp(argv[1], "--loss") == 0;

	for (int i = has_loss ? 3 : 1; i < argc; i++)
		print_file(argv[i], has_loss ? (unsigned)atoi(argv[2]) : 0);
	return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
