/* Tests VMC through real sockets: a source, a sink, and a sink that sends to a source. Pauses
 * let packets arrive, frames become complete, and senders fall silent. */
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast/capture.h"
#include "jointcast/transform.h"
#include "jointcast_private/osc.h"
#include "sink/osc_sink.h"
#include "source/vmc/vmc_source.h"
#include "space/space.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

/* Linux begins to stamp packets on arrival some time after the first socket has requested
 * it; until then it stamps a packet when it is read. Keeps open a socket that has requested
 * it, and returns when packets have the stamp of their arrival. */
static int wait_for_stamps(void **state)
{
	static int fd;
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int on = 1;

	*state = &fd;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	for (int i = 0; i < 1000; i++) {
		char control[CMSG_SPACE(sizeof(struct timespec))];
		char byte;
		struct iovec vector = { &byte, 1 };
		struct msghdr header = { .msg_iov = &vector,
			.msg_iovlen = 1,
			.msg_control = control,
			.msg_controllen = sizeof(control) };
		struct timespec sent, stamp;

		clock_gettime(CLOCK_REALTIME, &sent);
		assert_int_equal(sendto(fd, "", 1, 0, (struct sockaddr *)&address, length), 1);
		usleep(5000);
		assert_int_equal(recvmsg(fd, &header, 0), 1);
		memcpy(&stamp, CMSG_DATA(CMSG_FIRSTHDR(&header)), sizeof(stamp));
		if ((stamp.tv_sec - sent.tv_sec) * SECOND + stamp.tv_nsec - sent.tv_nsec <
			SECOND / 500)
			return 0;
	}
	return -1;
}

static int close_stamps(void **state)
{
	return close(*(int *)*state);
}

struct fixture {
	FILE *file; /* the log */
	struct jc_log log;
	struct jc_source *source;
	int fd; /* connected to it */
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct jc_vmc_source_options options = { .log = &fixture->log };
	struct sockaddr_storage address;
	char text[JC_ADDRESS_TEXT];

	fixture->file = tmpfile();
	jc_log_init(&fixture->log, fileno(fixture->file), NULL);
	assert_true(jc_address_parse("127.0.0.1:0", &options.address));
	assert_int_equal(jc_vmc_source_create(&options, &fixture->source, NULL), JC_OK);
	jc_vmc_source_address(fixture->source, text);
	assert_true(jc_address_parse(text, &address));
	fixture->fd = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(
		connect(fixture->fd, (struct sockaddr *)&address, jc_address_length(&address)), 0);
	*state = fixture;
	return 0;
}

/* Ends the source, so that it writes its last lines to the log; returns the log. */
static const char *log_text(struct fixture *fixture)
{
	static char text[8192];

	if (fixture->source)
		fixture->source->ops->destroy(fixture->source);
	fixture->source = NULL;
	rewind(fixture->file);
	text[fread(text, 1, sizeof(text) - 1, fixture->file)] = '\0';
	return text;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	if (fixture->source)
		fixture->source->ops->destroy(fixture->source);
	fclose(fixture->file);
	close(fixture->fd);
	free(fixture);
	return 0;
}

/* Appends a bone to a bundle of 512 bytes; returns its new length. */
static int say_bone(
	uint8_t *bytes, int length, const char *name, struct jc_vec3 p, struct jc_quat q)
{
	const struct jc_osc_message message = { "/VMC/Ext/Bone/Pos", 8,
		{ { 's', .s = name }, { 'f', .f = p.x }, { 'f', .f = p.y }, { 'f', .f = p.z },
			{ 'f', .f = q.x }, { 'f', .f = q.y }, { 'f', .f = q.z },
			{ 'f', .f = q.w } } };

	return length + jc_osc_bundle_append(&message, bytes + length, (size_t)(512 - length));
}

/* Sends a spine that is bent forward by `angle`, and hips at `height`. */
static void send_frame(struct fixture *fixture, float angle, float height)
{
	uint8_t bytes[512];
	int length = jc_osc_bundle_begin(bytes, sizeof(bytes));

	length = say_bone(bytes, length, "Spine", (struct jc_vec3){ 0 },
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, angle));
	length = say_bone(
		bytes, length, "Hips", (struct jc_vec3){ 0.0f, height, 0.0f }, JC_QUAT_IDENTITY);
	assert_int_equal(send(fixture->fd, bytes, (size_t)length, 0), length);
}

static void sample(struct fixture *fixture, int64_t now_ns, struct jc_source_sample *out_sample)
{
	fixture->source->ops->sample(fixture->source, now_ns, out_sample);
}

/* The pause is long enough to complete the frame. */
static void settle(struct fixture *fixture, struct jc_source_sample *out_sample)
{
	sample(fixture, jc_clock_now_ns(), out_sample);
	usleep(6000);
	sample(fixture, jc_clock_now_ns(), out_sample);
}

static float bend(const struct jc_source_sample *taken)
{
	return 2.0f * asinf(taken->pose.rotations[JC_BONE_SPINE].x);
}

static void body_is_absent_before_the_first_packet(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample taken;

	sample(fixture, jc_clock_now_ns(), &taken);
	assert_false(taken.live);
	assert_int_equal(taken.pose.states[JC_BONE_HIPS], JC_ABSENT);
	assert_true(taken.pose.rotations[JC_BONE_HIPS].w == 1.0f);
	assert_true(taken.capture_ns <= jc_clock_now_ns());
}

static void first_sample_has_a_cut_and_the_arrival_time(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample taken;
	int64_t before = jc_clock_now_ns();

	send_frame(fixture, 0.5f, 0.96f);
	int64_t after = jc_clock_now_ns();

	usleep(20000);
	settle(fixture, &taken);
	assert_true(taken.live);
	assert_true(fabsf(bend(&taken) - 0.5f) < JC_CAPTURE_ROTATION_ERROR);
	/* The kernel's stamp, not the time of the sample; two clocks are read,
	 * hence two milliseconds. */
	assert_true(taken.capture_ns >= before - SECOND / 500);
	assert_true(taken.capture_ns <= after + SECOND / 500);
	sample(fixture, jc_clock_now_ns(), &taken);
	assert_false(taken.cut);
}

static void first_frame_and_jumps_are_cuts(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample taken;

	send_frame(fixture, 0.5f, 0.96f);
	usleep(6000);
	sample(fixture, jc_clock_now_ns(), &taken);
	assert_true(taken.cut);
	send_frame(fixture, 0.5f, 0.8f);
	usleep(6000);
	sample(fixture, jc_clock_now_ns(), &taken);
	assert_false(taken.cut);
	send_frame(fixture, 0.5f, 1.2f);
	usleep(6000);
	sample(fixture, jc_clock_now_ns(), &taken);
	assert_true(taken.cut);
}

static void body_of_a_silent_sender_becomes_stale_and_rests(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample live, stale;

	send_frame(fixture, 0.5f, 0.96f);
	settle(fixture, &live);
	sample(fixture, live.capture_ns + SECOND / 2, &stale);
	assert_true(stale.live);
	assert_true(fabsf(bend(&stale) - 0.5f) < JC_CAPTURE_ROTATION_ERROR);
	sample(fixture, live.capture_ns + SECOND, &stale);
	assert_false(stale.live);
	assert_true(fabsf(bend(&stale) - 0.25f) < 1e-4f); /* half way to upright */
	sample(fixture, live.capture_ns + 2 * SECOND, &stale);
	assert_true(fabsf(bend(&stale)) < 1e-5f);
}

static void returning_body_moves_without_a_jump(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample taken;

	send_frame(fixture, 0.5f, 0.96f);
	settle(fixture, &taken);
	usleep(1100000);
	sample(fixture, jc_clock_now_ns(), &taken);
	assert_false(taken.live);
	float shown = bend(&taken);

	send_frame(fixture, 1.5f, 0.96f);
	settle(fixture, &taken);
	assert_true(taken.live);
	assert_false(taken.cut);
	/* The first frame after the silence begins near where the body stood. */
	assert_true(fabsf(bend(&taken) - shown) < 0.2f);
	for (int i = 0; i < 1000 && fabsf(bend(&taken) - 1.5f) > JC_CAPTURE_ROTATION_ERROR; i++) {
		send_frame(fixture, 1.5f, 0.96f);
		settle(fixture, &taken);
	}
	assert_true(fabsf(bend(&taken) - 1.5f) < JC_CAPTURE_ROTATION_ERROR);
}

static void counts_and_ignores_invalid_packets(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample taken;
	uint8_t noise[500];
	uint32_t seed = 1;

	for (int i = 0; i < 100; i++) {
		for (size_t k = 0; k < sizeof(noise); k++)
			noise[k] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24 | 1);
		noise[0] = i % 2 ? '/' : '#';
		assert_true(send(fixture->fd, noise, 1 + (size_t)i * 5, 0) > 0);
	}
	send_frame(fixture, 0.25f, 0.96f);
	settle(fixture, &taken);
	assert_true(taken.live);
	assert_true(fabsf(bend(&taken) - 0.25f) < JC_CAPTURE_ROTATION_ERROR);
	assert_non_null(strstr(log_text(fixture), "100 packets refused, the last one: "));
	assert_non_null(
		strstr(log_text(fixture), "101 packets, 100 refused; 2 messages, 0 ignored"));
}

static void receives_frames_after_a_flood(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_sample taken;
	uint8_t big[8192];

	memset(big, 'x', sizeof(big));
	for (int i = 0; i < 10000; i++)
		send(fixture->fd, big, i % 3 ? 16 : sizeof(big), MSG_DONTWAIT);
	/* The rest is finite: the kernel keeps about one megabyte for a socket. */
	for (int i = 0; i < 300; i++)
		sample(fixture, jc_clock_now_ns(), &taken);
	assert_false(taken.live);
	send_frame(fixture, 0.25f, 0.96f);
	settle(fixture, &taken);
	assert_true(taken.live);
}

static void error_names_a_port_in_use(void **state)
{
	struct fixture *fixture = *state;
	struct jc_vmc_source_options options = { .log = &fixture->log };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source *source = NULL;
	char text[JC_ADDRESS_TEXT];

	jc_vmc_source_address(fixture->source, text);
	assert_true(jc_address_parse(text, &options.address));
	assert_int_equal(jc_vmc_source_create(&options, &source, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.what, "cannot listen: Address already in use");
	assert_null(source);
}

/* A body on the built-in skeleton, as a space passes it to a sink. */
struct shown {
	struct jc_skeleton *skeleton;
	struct jc_skeleton_asset asset;
	struct jc_source source;
	struct jc_body body;
	struct jc_skeleton_pose pose;
};

static void shown_init(struct shown *shown, uint32_t id, const char *name)
{
	*shown = (struct shown){ .body = { .id = id, .live = true } };
	assert_int_equal(jc_skeleton_create_builtin(&shown->skeleton), JC_OK);
	strcpy(shown->body.name, name);
	shown->asset.skeleton = shown->skeleton;
	shown->body.asset = &shown->asset;
	shown->body.source = &shown->source;
	for (int bone = 0; bone < JC_BONE_COUNT; bone++)
		shown->pose.rotations[bone] = JC_QUAT_IDENTITY;
}

static void show(struct jc_sink *sink, const struct shown *shown, int64_t now_ns)
{
	sink->ops->pose(sink, &shown->body, &shown->pose, now_ns);
}

static struct jc_sink *make_sink(struct fixture *fixture, const char *options)
{
	char text[256];
	char address[JC_ADDRESS_TEXT];
	struct jc_osc_target target;
	struct jc_sink *sink;

	jc_vmc_source_address(fixture->source, address);
	snprintf(text, sizeof(text), "%s%s", address, options);
	assert_int_equal(jc_osc_target_parse_vmc(text, &target, NULL), JC_OK);
	assert_int_equal(jc_osc_sink_create(&target, &fixture->log, &sink, NULL), JC_OK);
	return sink;
}

static void source_receives_the_pose_that_a_sink_sends(void **state)
{
	struct fixture *fixture = *state;
	struct jc_sink *sink = make_sink(fixture, "");
	struct jc_source_sample taken;
	struct shown shown;
	uint32_t seed = 7;

	shown_init(&shown, 1, "Ada");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		float q[4];

		for (int k = 0; k < 4; k++)
			q[k] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0f -
			       1.0f;
		shown.pose.rotations[bone] =
			jc_quat_normalize((struct jc_quat){ q[0], q[1], q[2], q[3] });
	}
	shown.pose.hips_translation = (struct jc_vec3){ 0.1f, -0.2f, 0.3f };
	show(sink, &shown, SECOND);
	settle(fixture, &taken);
	assert_true(taken.live);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		float off = jc_quat_angle(taken.pose.rotations[bone], shown.pose.rotations[bone]);

		assert_int_equal(taken.pose.states[bone], JC_TRACKED);
		if (off > JC_CAPTURE_ROTATION_ERROR)
			fail_msg("%s: %g degrees", jc_bone_name((enum jc_bone)bone),
				(double)(off * 57.29578f));
	}
	struct jc_vec3 way = jc_vec3_scale(taken.pose.hips_translation, 0.945f);

	assert_true(jc_vec3_length(jc_vec3_subtract(way, shown.pose.hips_translation)) <
		    JC_CAPTURE_POSITION_ERROR);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(shown.skeleton);
	assert_non_null(strstr(log_text(fixture), "sends 'Ada' of 'lobby'"));
	assert_non_null(strstr(log_text(fixture), "4 packets sent, 0 dropped"));
}

static void sends_a_body_relative_to_its_own_spot(void **state)
{
	struct fixture *fixture = *state;
	struct jc_sink *sink = make_sink(fixture, "");
	struct jc_source_sample taken;
	struct shown shown;

	/* A recording that begins one hips height to the left of its origin,
	 * looking left, in a body that the space has placed elsewhere. */
	shown_init(&shown, 1, "Ada");
	shown.source.start_translation = (struct jc_vec3){ 1.0f, 0.0f, 0.0f };
	shown.source.start_yaw = 1.5707963f;
	shown.body.placement = (struct jc_placement){ { 5.0f, 0.0f, 5.0f }, 1.0f };
	shown.pose.hips_translation = (struct jc_vec3){ 0.945f, 0.0f, 0.0f };
	shown.pose.rotations[JC_BONE_HIPS] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 1.5707963f);
	show(sink, &shown, SECOND);
	settle(fixture, &taken);
	assert_true(jc_vec3_length(taken.pose.hips_translation) < 1e-5f);
	assert_true(jc_quat_angle(taken.pose.rotations[JC_BONE_HIPS], JC_QUAT_IDENTITY) < 1e-5f);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(shown.skeleton);
}

/* Reads all packets that wait on a socket; returns how many. */
static int count_packets(int fd)
{
	char bytes[2048];
	int count = 0;

	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		count++;
	return count;
}

static int open_receiver(struct jc_osc_target *target)
{
	socklen_t length = sizeof(target->address);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_int_equal(
		bind(fd, (struct sockaddr *)&target->address, sizeof(struct sockaddr_in)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&target->address, &length), 0);
	return fd;
}

static void sends_frames_at_most_at_the_given_rate(void **state)
{
	struct fixture *fixture = *state;
	struct jc_osc_target target;
	struct jc_sink *sink;
	struct shown shown;

	assert_int_equal(jc_osc_target_parse_vmc("127.0.0.1:0?hz=25", &target, NULL), JC_OK);
	int fd = open_receiver(&target);

	assert_int_equal(jc_osc_sink_create(&target, &fixture->log, &sink, NULL), JC_OK);
	shown_init(&shown, 1, "Ada");
	int packets = 0;

	/* A minute of ticks at 60 Hz. */
	for (int64_t tick = 0; tick < 3600; tick++) {
		show(sink, &shown, SECOND + tick * 1000000 / 60 * 1000);
		packets += count_packets(fd);
	}
	assert_int_equal(packets, 25 * 60 * 4);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(shown.skeleton);
	close(fd);
}

static void sends_only_the_selected_body(void **state)
{
	struct fixture *fixture = *state;
	struct jc_osc_target target;
	struct jc_sink *sink;
	struct shown ada, bob, ada_again;

	assert_int_equal(jc_osc_target_parse_vmc("127.0.0.1:0?body=Ada", &target, NULL), JC_OK);
	int fd = open_receiver(&target);

	assert_int_equal(jc_osc_sink_create(&target, &fixture->log, &sink, NULL), JC_OK);
	shown_init(&bob, 1, "Bob");
	shown_init(&ada, 2, "Ada");
	shown_init(&ada_again, 3, "Ada");
	show(sink, &bob, SECOND);
	assert_int_equal(count_packets(fd), 0);
	show(sink, &ada, SECOND);
	assert_int_equal(count_packets(fd), 4);
	/* The second source waits until the first with that name has ended. */
	show(sink, &ada_again, SECOND + SECOND / 2);
	assert_int_equal(count_packets(fd), 0);
	show(sink, &ada_again, 3 * SECOND);
	assert_int_equal(count_packets(fd), 4);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(ada.skeleton);
	jc_skeleton_destroy(bob.skeleton);
	jc_skeleton_destroy(ada_again.skeleton);
	close(fd);
}

static void does_not_send_a_body_without_consent(void **state)
{
	struct fixture *fixture = *state;
	struct jc_osc_target target;
	struct jc_sink *sink;
	struct shown ada, bob;

	assert_int_equal(jc_osc_target_parse_vmc("127.0.0.1:0", &target, NULL), JC_OK);
	int fd = open_receiver(&target);

	assert_int_equal(jc_osc_sink_create(&target, &fixture->log, &sink, NULL), JC_OK);
	shown_init(&ada, 1, "Ada");
	shown_init(&bob, 2, "Bob");
	ada.source.is_unrelayed = true;
	show(sink, &ada, SECOND);
	assert_int_equal(count_packets(fd), 0);
	/* The sink takes the first body of the space whose source permits it. */
	show(sink, &bob, SECOND);
	assert_int_equal(count_packets(fd), 4);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(ada.skeleton);
	jc_skeleton_destroy(bob.skeleton);
	close(fd);
}

static void drops_and_counts_packets_without_a_receiver(void **state)
{
	struct fixture *fixture = *state;
	struct jc_sink *sink = make_sink(fixture, "");
	struct shown shown;

	/* The port is closed: the kernel reports it from the second packet on. */
	fixture->source->ops->destroy(fixture->source);
	fixture->source = NULL;
	shown_init(&shown, 1, "Ada");
	for (int64_t i = 1; i < 10; i++)
		show(sink, &shown, i * SECOND);
	sink->ops->destroy(sink);
	jc_skeleton_destroy(shown.skeleton);
	assert_null(strstr(log_text(fixture), " 0 dropped"));
	assert_non_null(strstr(log_text(fixture), " dropped"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(body_is_absent_before_the_first_packet),
		TEST(first_sample_has_a_cut_and_the_arrival_time),
		TEST(first_frame_and_jumps_are_cuts),
		TEST(body_of_a_silent_sender_becomes_stale_and_rests),
		TEST(returning_body_moves_without_a_jump),
		TEST(counts_and_ignores_invalid_packets),
		TEST(receives_frames_after_a_flood),
		TEST(error_names_a_port_in_use),
		TEST(source_receives_the_pose_that_a_sink_sends),
		TEST(sends_a_body_relative_to_its_own_spot),
		TEST(sends_frames_at_most_at_the_given_rate),
		TEST(sends_only_the_selected_body),
		TEST(does_not_send_a_body_without_consent),
		TEST(drops_and_counts_packets_without_a_receiver),
	};

	return cmocka_run_group_tests(tests, wait_for_stamps, close_stamps);
}
