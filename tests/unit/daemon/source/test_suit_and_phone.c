/* Suits and phones through real sockets. Each wait ends with its condition; pauses let a sender
 * fall silent. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast/transform.h"
#include "mocopi_bytes.h"
#include "source/capture_intake.h"
#include "source/face/phone_source.h"
#include "source/mocopi/mocopi_source.h"
#include "unit_test.h"

#define WAIT_STEPS 5000  /* of 2 ms */
#define CAPTURED   1e-4f /* by which a captured value differs */

struct fixture {
	FILE *file; /* the log */
	struct jc_log log;
	struct jc_source *suit, *phone;
	const char *body_name; /* that is found */
	struct sockaddr_storage suit_address, phone_address;
	int fds[2]; /* senders */
	uint32_t number;
	struct jc_source_sample sample;
};

static struct jc_source *find(void *context, const char *space, const char *name)
{
	struct fixture *fixture = context;

	assert_string_equal(space, "hall");
	return strcmp(name, fixture->body_name) == 0 ? fixture->suit : NULL;
}

static void open_suit(struct fixture *fixture, const char *peer)
{
	struct jc_mocopi_source_options options = { .log = &fixture->log };
	char text[JC_ADDRESS_TEXT];

	if (peer) {
		options.peers.count = 1;
		strcpy(options.peers.networks[0], peer);
	}
	assert_true(jc_address_parse("127.0.0.1:0", &options.address));
	assert_int_equal(jc_mocopi_source_create(&options, &fixture->suit, NULL), JC_OK);
	jc_mocopi_source_address(fixture->suit, text);
	assert_true(jc_address_parse(text, &fixture->suit_address));
}

static void open_phone(
	struct fixture *fixture, const char *body, const struct sockaddr_storage *phone)
{
	struct jc_phone_source_options options = { .app = JC_PHONE_FACEMOTION3D,
		.log = &fixture->log,
		.body = body,
		.space = "hall",
		.find = find,
		.context = fixture };
	char text[JC_ADDRESS_TEXT];

	if (phone)
		options.phone = *phone;
	assert_true(jc_address_parse("127.0.0.1:0", &options.address));
	assert_int_equal(jc_phone_source_create(&options, &fixture->phone, NULL), JC_OK);
	jc_phone_source_address(fixture->phone, text);
	assert_true(jc_address_parse(text, &fixture->phone_address));
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->file = tmpfile();
	jc_log_init(&fixture->log, fileno(fixture->file), NULL);
	for (int i = 0; i < 2; i++) {
		struct sockaddr_in any = { .sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

		fixture->fds[i] = socket(AF_INET, SOCK_DGRAM, 0);
		assert_int_equal(bind(fixture->fds[i], (struct sockaddr *)&any, sizeof(any)), 0);
	}
	fixture->body_name = "Ada";
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	if (fixture->suit)
		fixture->suit->ops->destroy(fixture->suit);
	if (fixture->phone)
		fixture->phone->ops->destroy(fixture->phone);
	fclose(fixture->file);
	close(fixture->fds[0]);
	close(fixture->fds[1]);
	free(fixture);
	return 0;
}

static void send_to(int fd, const struct sockaddr_storage *to, const void *bytes, size_t length)
{
	assert_int_equal(
		sendto(fd, bytes, length, 0, (const struct sockaddr *)to, jc_address_length(to)),
		(ssize_t)length);
}

static void take_sample(struct fixture *fixture, struct jc_source *source)
{
	source->ops->sample(source, jc_clock_now_ns(), &fixture->sample);
}

/* The figure with its left arm down by an angle, from one of the senders; the definition too. */
static void send_suit(struct fixture *fixture, int sender, float degrees)
{
	struct jc_quat q = jc_quat_from_axis_angle(
		(struct jc_vec3){ 0.0f, 0.0f, -1.0f }, degrees * 0.017453293f);
	struct mocopi_figure figure;
	uint8_t bytes[2048];

	mocopi_figure_init(&figure);
	send_to(fixture->fds[sender], &fixture->suit_address, bytes,
		mocopi_write_skeleton(&figure, bytes));
	memcpy(figure.rotations[12], (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof(float));
	send_to(fixture->fds[sender], &fixture->suit_address, bytes,
		mocopi_write_frame(&figure, ++fixture->number, 1.7e9, bytes));
}

static void send_face(struct fixture *fixture, const char *text)
{
	send_to(fixture->fds[0], &fixture->phone_address, text, strlen(text));
}

/* Degrees by which the left arm of the sample is down. */
static float find_arm(const struct fixture *fixture)
{
	return jc_quat_angle(
		       JC_QUAT_IDENTITY, fixture->sample.pose.rotations[JC_BONE_LEFT_UPPER_ARM]) /
	       0.017453293f;
}

static float find_value(
	const struct fixture *fixture, const struct jc_source *source, const char *name)
{
	size_t at = 0;

	for (size_t i = 0; i < source->channels.count; i++) {
		if (strcmp(source->channels.names[i], name) == 0)
			return fixture->sample.values[at];
		at += source->channels.value_counts[i];
	}
	return -1.0f;
}

/* Sends and samples until the arm is down by so much. */
static void until_arm(struct fixture *fixture, int sender, float degrees)
{
	for (int i = 0; i < WAIT_STEPS; i++) {
		send_suit(fixture, sender, degrees);
		usleep(2000);
		take_sample(fixture, fixture->suit);
		if (fixture->sample.live && find_arm(fixture) > degrees - 1.0f &&
			find_arm(fixture) < degrees + 1.0f)
			return;
	}
	fail_msg("the arm is %g degrees down, not %g", (double)find_arm(fixture), (double)degrees);
}

static void one_sender_moves_the_body_until_it_is_silent(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_status status = { 0 };

	open_suit(fixture, NULL);
	until_arm(fixture, 0, 40.0f);
	for (int i = 0; i < WAIT_STEPS && status.ignored < 2; i++) {
		send_suit(fixture, 0, 40.0f);
		send_suit(fixture, 1, 80.0f);
		usleep(2000);
		take_sample(fixture, fixture->suit);
		fixture->suit->ops->status(fixture->suit, &status);
	}
	assert_string_equal(status.ignored_reason, "another sender moves this body");
	assert_int_equal(status.sender_count, 2);
	/* The other one takes over when the first is silent. */
	until_arm(fixture, 1, 80.0f);
}

static void only_peers_may_send(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_status status = { 0 };

	open_suit(fixture, "192.0.2.7");
	send_suit(fixture, 0, 40.0f);
	for (int i = 0; i < WAIT_STEPS && status.ignored < 2; i++) {
		usleep(2000);
		take_sample(fixture, fixture->suit);
		fixture->suit->ops->status(fixture->suit, &status);
	}
	assert_int_equal(status.condition, JC_SOURCE_WAITING);
	assert_string_equal(status.ignored_reason, "the sender is not among the peers");
}

static void a_face_is_lent_to_a_body(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_status status;
	float value = 0.0f;

	open_suit(fixture, NULL);
	open_phone(fixture, "Ada", NULL);
	for (int i = 0; i < WAIT_STEPS && value != 0.5f; i++) {
		send_face(fixture, "jawOpen&50|eyeBlinkLeft&100|eyeBlinkRight&100|mouthClose&0|"
				   "leftEye#0,30,0|rightEye#0,30,0|");
		send_suit(fixture, 0, 10.0f);
		usleep(2000);
		take_sample(fixture, fixture->phone);
		assert_false(fixture->sample.live);
		take_sample(fixture, fixture->suit);
		value = find_value(fixture, fixture->suit, "expression/jawOpen");
	}
	assert_true(value == 0.5f);
	assert_true(find_value(fixture, fixture->suit, "expression/aa") > 0.45f);
	assert_true(find_value(fixture, fixture->suit, "expression/blink") > 0.99f);
	/* Sine of 15 degrees about +Y: the second of four values of the gaze. */
	assert_int_equal(fixture->suit->channels.value_count, 72);
	assert_float_equal(fixture->sample.values[69], 0.2588f, 1e-3f);
	fixture->phone->ops->status(fixture->phone, &status);
	assert_non_null(strstr(status.detail, "face of 'Ada'"));
	/* A recorder of the body gets captures with all values. */
	assert_int_equal(jc_capture_form(fixture->suit->intake)->channel_count, 69);
	/* A silent face settles, while the body moves on. */
	for (int i = 0; i < WAIT_STEPS && value != 0.0f; i++) {
		send_suit(fixture, 0, 10.0f);
		usleep(2000);
		take_sample(fixture, fixture->phone);
		take_sample(fixture, fixture->suit);
		value = find_value(fixture, fixture->suit, "expression/jawOpen");
	}
	assert_true(value == 0.0f);
	assert_true(fixture->sample.live);
}

static void a_face_without_its_body_says_so(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_status status;

	open_suit(fixture, NULL);
	open_phone(fixture, "Bob", NULL);
	take_sample(fixture, fixture->phone);
	fixture->phone->ops->status(fixture->phone, &status);
	assert_non_null(strstr(status.detail, "no such body"));
	fixture->body_name = "Bob";
	fixture->suit->takes_face = false;
	take_sample(fixture, fixture->phone);
	fixture->phone->ops->status(fixture->phone, &status);
	assert_non_null(strstr(status.detail, "takes no face"));
}

static void a_face_alone_turns_the_head_of_its_body(void **state)
{
	struct fixture *fixture = *state;
	char text[128];
	bool is_turned = false;

	open_phone(fixture, "", NULL);
	for (int i = 0; i < WAIT_STEPS && !is_turned; i++) {
		/* The first direction counts as straight on. */
		snprintf(text, sizeof(text), "jawOpen&50|=head#-20,%d,0,0,0,0|", i == 0 ? 5 : 45);
		send_face(fixture, text);
		usleep(2000);
		take_sample(fixture, fixture->phone);

		/* To the left: the head looks towards +X. */
		const struct jc_quat *q = fixture->sample.pose.rotations;
		struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };

		for (int bone = JC_BONE_HEAD; bone != JC_BONE_NONE; bone = jc_bone_parent(bone))
			front = jc_quat_rotate(q[bone], front);
		is_turned = fixture->sample.live && front.x > 0.5f && front.z > 0.6f &&
			    find_value(fixture, fixture->phone, "expression/jawOpen") == 0.5f;
	}
	assert_true(is_turned);
}

static void a_phone_is_asked_until_it_sends(void **state)
{
	struct fixture *fixture = *state;
	struct sockaddr_storage phone;
	socklen_t length = sizeof(phone);
	char text[64] = "";

	assert_int_equal(getsockname(fixture->fds[0], (struct sockaddr *)&phone, &length), 0);
	open_phone(fixture, "", &phone);
	take_sample(fixture, fixture->phone);
	assert_true(recv(fixture->fds[0], text, sizeof(text) - 1, 0) > 0);
	assert_string_equal(text, "FACEMOTION3D_OtherStreaming");
}

#define MS INT64_C(1000000)

/* An open jaw of so many per cent, which the phone sends at that time. */
static void take_jaw(struct fixture *fixture, int percent, int64_t now_ns)
{
	const struct sockaddr_storage from = { .ss_family = AF_INET };
	char text[64];

	snprintf(text, sizeof(text), "jawOpen&%d|leftEye#0,30,0|rightEye#0,30,0|", percent);
	jc_phone_source_take(fixture->phone, &from, text, strlen(text), now_ns);
}

static float find_jaw(struct fixture *fixture, int64_t now_ns)
{
	fixture->phone->ops->sample(fixture->phone, now_ns, &fixture->sample);
	return find_value(fixture, fixture->phone, "expression/jawOpen");
}

/* A minute of a jaw that opens and closes by 1 % a frame. One packet of ten is lost, and each 20th
 * is late, behind the next one. */
static int64_t lose_packets(struct fixture *fixture, int64_t now_ns)
{
	uint32_t random = 1;
	int late = -1, newest = 0;

	for (int i = 1; i < 3600; i++, now_ns += 16 * MS) {
		int percent = i % 200 < 100 ? i % 100 : 100 - i % 100;

		random = random * 1103515245u + 12345u;
		if (i % 20 == 0) {
			late = percent;
		} else if ((random >> 16) % 10 > 0) {
			newest = late >= 0 ? late : percent;
			take_jaw(fixture, percent, now_ns);
			if (late >= 0)
				take_jaw(fixture, late, now_ns + MS);
			late = -1;
		}
		/* The newest arrival counts, and is held. */
		assert_float_equal(
			find_jaw(fixture, now_ns + 2 * MS), 0.01f * (float)newest, CAPTURED);
		assert_null(fixture->phone->reason);
	}
	return now_ns;
}

static void a_face_holds_fades_and_returns(void **state)
{
	struct fixture *fixture = *state;
	struct jc_source_status status;
	int64_t now_ns;

	open_phone(fixture, "", NULL);
	now_ns = lose_packets(fixture, jc_clock_now_ns());
	take_jaw(fixture, 80, now_ns);
	assert_float_equal(find_jaw(fixture, now_ns), 0.8f, CAPTURED);
	assert_float_equal(find_jaw(fixture, now_ns + 490 * MS), 0.8f, CAPTURED);
	assert_float_equal(find_jaw(fixture, now_ns + 1000 * MS), 0.4f, 0.01f);
	fixture->phone->ops->status(fixture->phone, &status);
	assert_int_equal(status.condition, JC_SOURCE_STALE);
	assert_float_equal(find_jaw(fixture, now_ns + 1501 * MS), 0.0f, CAPTURED);
	find_jaw(fixture, now_ns + 5000 * MS);
	fixture->phone->ops->status(fixture->phone, &status);
	assert_non_null(strstr(status.detail, "silent for 5 s"));
	assert_string_equal(fixture->phone->reason, "no motion arrives");
	take_jaw(fixture, 30, now_ns + 6000 * MS);
	assert_float_equal(find_jaw(fixture, now_ns + 6001 * MS), 0.3f, CAPTURED);
	fixture->phone->ops->status(fixture->phone, &status);
	assert_int_equal(status.condition, JC_SOURCE_LIVE);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(one_sender_moves_the_body_until_it_is_silent),
		TEST(only_peers_may_send),
		TEST(a_face_is_lent_to_a_body),
		TEST(a_face_without_its_body_says_so),
		TEST(a_face_alone_turns_the_head_of_its_body),
		TEST(a_phone_is_asked_until_it_sends),
		TEST(a_face_holds_fades_and_returns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
