/* jointcast play: publishes a motion file as a body in a space of a daemon. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "error_report.h"
#include "files/loader.h"
#include "files/recording_file.h"
#include "jointcast/capture.h"
#include "jointcast_private/text.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/link.h"
#include "net/recording_player.h"

static const char help[] =
	"usage: jointcast play MOTION [OPTION]…\n"
	"\n"
	"Publishes a motion to a daemon: a body enters a space, moves, and leaves at the end of\n"
	"the motion or with Ctrl-C. Body frames are sent as they were tracked, other motions as\n"
	"poses with their expressions and gaze. MOTION is a file or demo:NAME. All bodies of a\n"
	"recording play, with their recorded captures; they enter and leave as recorded.\n"
	"\n"
	"options:\n"
	"      --to URL            the daemon; default: " JC_ENDPOINT_DEFAULT "\n"
	"      --space NAME        the space; default: lobby\n"
	"      --name NAME         name of the body; default: that of the motion or its file\n"
	"      --speed X           play X times as fast, 0.01 to 100\n"
	"      --loop              repeat until Ctrl-C\n"
	"      --from T            start T seconds into the motion\n"
	"      --until T           end T seconds into the motion\n"
	"      --motion-index N    number of the motion in MOTION, from 0; in a recording, like\n"
	"                          --name, play only this body\n"
	"      --bones FILE        bone map of MOTION: lines BONE = JOINT instead of recognised\n"
	"                          names; see 'jointcast inspect --help'\n"
	"      --may-record        the person in the motion consents to recording\n"
	"      --may-rebroadcast   the person consents to forwarding to other servers\n"
	"      --ca FILE           PEM file of trusted certificates for wss://; default: the\n"
	"                          system's\n"
	"      --token-file FILE   file with the token; default: the variable JOINTCAST_TOKEN\n"
	"  -h, --help              print this text\n";

#define PUBLICATION   0
#define SLOWEST_HZ    10.0 /* keeps the body in the state "live" */
#define FASTEST_HZ    90.0
#define SPEED_LEAST   0.01
#define SPEED_MOST    100.0
#define NAME_BYTES    64 /* with the NUL; the daemon's limit */
#define SECOND        INT64_C(1000000000)
#define PROGRESS_NS   (SECOND / 5)
#define BUSY_NS       (SECOND / 200)
#define MESSAGE_BYTES 2 /* before a capture: message kind and publication number */

static const struct jc_option option_table[] = {
	JC_OPTION("to", TEXT, struct jc_play_options, url),
	JC_OPTION("space", TEXT, struct jc_play_options, space),
	JC_OPTION("name", TEXT, struct jc_play_options, name),
	JC_OPTION("speed", NUMBER, struct jc_play_options, speed, .least = SPEED_LEAST,
		.most = SPEED_MOST),
	JC_OPTION("loop", FLAG, struct jc_play_options, loop),
	JC_OPTION("from", NUMBER, struct jc_play_options, from, .most = JC_LIMIT_BODY_TIME),
	JC_OPTION("until", NUMBER, struct jc_play_options, until, .most = JC_LIMIT_BODY_TIME),
	JC_OPTION("motion-index", INDEX, struct jc_play_options, index),
	JC_OPTION("bones", TEXT, struct jc_play_options, bones),
	JC_OPTION("may-record", FLAG, struct jc_play_options, may_record),
	JC_OPTION("may-rebroadcast", FLAG, struct jc_play_options, may_rebroadcast),
	JC_OPTION_CA(struct jc_play_options, credentials),
	JC_OPTION_TOKEN_FILE(struct jc_play_options, credentials),
	{ 0 },
};

struct player {
	const struct jc_play_options *options;
	const struct jc_motion *motion; /* borrowed */
	char name[NAME_BYTES];
	double from, until; /* seconds from the start of the motion */
	double hz;
	struct jc_link *link;
	bool is_published, has_begun;
	int64_t begin_ns;           /* time at which `from` is played */
	uint64_t turn;              /* number of completed loops at the last capture */
	uint64_t made, late, bytes; /* captures made, captures that were replaced before they were
				       sent, and bytes of all */
	int64_t shown_ns;           /* when progress was last printed */
	struct jc_capture capture;
	uint8_t message[MESSAGE_BYTES + JC_CAPTURE_BYTES];
};

/* The name of the motion, or the file name without folder and ending. The bytes may be anything, so
 * only the valid UTF-8 is used. */
static void find_name(struct player *player)
{
	const char *own = jc_motion_info(player->motion)->name;
	const char *path = player->options->motion;
	const char *slash = strrchr(path, '/');
	const char *name = player->options->name ? player->options->name
			   : own[0]              ? own
			   : slash               ? slash + 1
						 : path;

	snprintf(player->name, sizeof(player->name), "%s", name);
	if (!player->options->name && name != own && strrchr(player->name, '.') > player->name) {
		*strrchr(player->name, '.') = '\0';
	}
	for (size_t length = strlen(player->name); length > 0; length--) {
		json_t *text = json_stringn(player->name, length);

		if (text) { /* the longest prefix that is valid UTF-8 */
			json_decref(text);
			player->name[length] = '\0';
			break;
		}
	}
	jc_text_clean(player->name);
}

static json_t *pack_channels(const struct jc_motion *motion)
{
	const struct jc_motion_channel *channels = jc_motion_channels(motion);
	json_t *names = json_array();

	for (size_t i = 0; i < jc_motion_channel_count(motion); i++) {
		json_array_append_new(names, json_string(channels[i].name));
	}
	return names;
}

static void on_ready(void *context, struct jc_link *link)
{
	struct player *player = context;
	bool is_tracked = jc_motion_info(player->motion)->kind == JC_MOTION_BODY_FRAMES;

	player->link = link;
	jc_link_send_control(link,
		json_pack("{ss ss si ss ss ss* so sb sb}", "type", "publish", "space",
			player->options->space, "publication", PUBLICATION, "name", player->name,
			"kind", is_tracked ? "body-frames" : "poses", "profile",
			is_tracked ? jc_profile_name(jc_motion_profile(player->motion)) : NULL,
			"channels", pack_channels(player->motion), "mayRecord",
			player->options->may_record, "mayRebroadcast",
			player->options->may_rebroadcast));
}

static void read_values(struct player *player, double t)
{
	const struct jc_motion_channel *channels = jc_motion_channels(player->motion);
	struct jc_capture *capture = &player->capture;

	capture->value_count = 0;
	for (size_t i = 0; i < jc_motion_channel_count(player->motion); i++) {
		float values[JC_MOTION_CHANNEL_VALUES];

		jc_motion_channel_values(player->motion, i, t, values);
		memcpy(&capture->values[capture->value_count], values,
			channels[i].value_count * sizeof(values[0]));
		capture->value_count += channels[i].value_count;
	}
}

/* Sends the capture that was encoded after the head of the message. */
static void send_motion(struct player *player, int length)
{
	if (length < 0) {
		jc_link_end(player->link,
			jc_report(JC_EXIT_INPUT, player->options->motion,
				"contains data that cannot be sent: %s", jc_error_name(length)));
		return;
	}
	player->message[0] = 0x21;
	player->message[1] = PUBLICATION;
	player->late += !jc_link_send_capture(
		player->link, PUBLICATION, player->message, MESSAGE_BYTES + (size_t)length);
	player->made++;
	player->bytes += MESSAGE_BYTES + (size_t)length;
}

static void send_body_frame(struct player *player, const struct jc_body_frame *frame)
{
	send_motion(player, jc_body_frame_encode(&player->capture, frame,
				    player->message + MESSAGE_BYTES, JC_CAPTURE_BYTES));
}

static void send_sample(struct player *player, double t, int64_t now_ns)
{
	player->capture.time_us = jc_link_server_us(player->link, now_ns);
	player->capture.is_rest = false;
	read_values(player, t);
	if (jc_motion_info(player->motion)->kind == JC_MOTION_BODY_FRAMES) {
		struct jc_body_frame frame;

		jc_motion_body_frame(player->motion, t, &frame);
		send_body_frame(player, &frame);
	} else {
		struct jc_pose pose;

		jc_motion_pose(player->motion, t, &pose);
		send_motion(player, jc_pose_encode(&player->capture, &pose,
					    player->message + MESSAGE_BYTES, JC_CAPTURE_BYTES));
	}
}

static void show_progress(struct player *player, double t, int64_t now_ns)
{
	if (now_ns - player->shown_ns < PROGRESS_NS || !isatty(STDERR_FILENO)) {
		return;
	}
	player->shown_ns = now_ns;
	fprintf(stderr, "\r\033[K%s: %.1f s of %.1f s, %.3g captures/s of %.0f B", player->name,
		t - player->from, player->until - player->from, player->hz,
		(double)player->bytes / (double)player->made);
}

static void leave(void *context, struct jc_link *link)
{
	struct player *player = context;

	if (!player->is_published) {
		jc_link_end(link, JC_EXIT_DONE);
		return;
	}
	player->is_published = false;
	jc_link_send_control(
		link, json_pack("{ss si}", "type", "unpublish", "publication", PUBLICATION));
}

/* The clock starts when the T-pose has been sent: the first capture would replace it. */
static bool begins(struct player *player, int64_t now_ns)
{
	if (!player->has_begun && jc_link_is_busy(player->link, PUBLICATION)) {
		jc_link_wake(player->link, now_ns + BUSY_NS);
	} else if (!player->has_begun) {
		player->has_begun = true;
		player->begin_ns = now_ns;
	}
	return player->has_begun;
}

/* Sends the pose for the current time. Times that have passed are skipped. */
static void on_timer(void *context, struct jc_link *link, int64_t now_ns)
{
	struct player *player = context;
	double length = player->until - player->from;
	double period = 1.0 / player->hz;
	uint64_t turn = 0;

	if (!player->is_published || !begins(player, now_ns)) {
		return;
	}
	double elapsed = (double)(now_ns - player->begin_ns) * 1e-9 * player->options->speed;

	if (player->options->loop && length > 0.0) {
		turn = (uint64_t)floor(elapsed / length);
		elapsed -= (double)turn * length;
	}
	/* If the last capture was not sent yet, this capture replaces it and must keep its cut
	 * flag. */
	player->capture.cut =
		turn != player->turn || (player->capture.cut && jc_link_is_busy(link, PUBLICATION));
	player->turn = turn;
	send_sample(player, player->from + fmin(elapsed, length), now_ns);
	show_progress(player, player->from + fmin(elapsed, length), now_ns);
	if (elapsed >= length && !player->options->loop) {
		leave(player, link);
		return;
	}
	double ticks = floor((double)(now_ns - player->begin_ns) * 1e-9 / period) + 1.0;

	jc_link_wake(link, player->begin_ns + (int64_t)(ticks * period * 1e9));
}

static void begin(struct player *player)
{
	const struct jc_body_frame *rest = jc_motion_rest(player->motion);
	int64_t now_ns = jc_link_now_ns();

	player->is_published = true;
	if (rest) {
		player->capture.time_us = jc_link_server_us(player->link, now_ns);
		player->capture.is_rest = true;
		player->capture.cut = false;
		player->capture.value_count = 0;
		send_body_frame(player, rest);
	}
	jc_link_wake(player->link, now_ns);
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	struct player *player = context;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (strcmp(type, "published") == 0) {
		begin(player);
	} else if (strcmp(type, "unpublished") == 0) {
		jc_link_end(link, JC_EXIT_DONE);
	} else if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	}
}

static const struct jc_link_ops player_ops = {
	.ready = on_ready,
	.message = on_message,
	.timer = on_timer,
	.interrupted = leave,
};

/* Computes the range and the rate of the captures. Returns enum jc_exit. */
static int plan(struct player *player)
{
	const struct jc_play_options *options = player->options;
	const struct jc_motion_info *info = jc_motion_info(player->motion);

	player->from = options->from;
	player->until = fmin(options->until, info->duration);
	if (player->from > player->until) {
		return jc_report(JC_EXIT_INPUT, options->motion,
			"contains nothing from %g to %g s: its length is %g s", options->from,
			options->until, info->duration);
	}
	player->hz = fmin(fmax(info->fps * options->speed, SLOWEST_HZ), FASTEST_HZ);
	find_name(player);
	return JC_EXIT_DONE;
}

static int play(const struct jc_play_options *options, const struct jc_motion *motion)
{
	struct player *player = calloc(1, sizeof(*player));

	if (!player) {
		return jc_report(JC_EXIT_IO, options->motion, "out of memory");
	}
	player->options = options;
	player->motion = motion;
	int status = plan(player);

	if (status == JC_EXIT_DONE) {
		status = jc_link_run(&(struct jc_link_options){ .url = options->url,
					     .credentials = &options->credentials },
			&player_ops, player);
	}
	if (player->shown_ns > 0) {
		fputc('\n', stderr);
	}
	if (player->late > 0) {
		jc_report(status, options->url,
			"%llu of %llu captures were not sent: the connection is slow",
			(unsigned long long)player->late, (unsigned long long)player->made);
	}
	free(player);
	return status;
}

static int run(int argc, char **argv)
{
	struct jc_play_options options = { .url = JC_ENDPOINT_DEFAULT,
		.space = "lobby",
		.speed = 1.0,
		.until = JC_LIMIT_BODY_TIME,
		.index = JC_PLAY_NO_INDEX };
	struct jc_load_options load = { .as_tracked = true };
	struct jc_motion *motion;
	size_t index;
	int status = jc_command_read(&jc_command_play, argc, argv, option_table, &options);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind != 1) {
		return jc_command_misuse(&jc_command_play, "takes one MOTION");
	}
	options.motion = argv[optind];
	if (options.index == JC_PLAY_NO_INDEX && !options.name && !options.bones &&
		jc_recording_file_is(options.motion)) {
		return jc_recording_player_run(&options);
	}
	index = options.index == JC_PLAY_NO_INDEX ? 0 : options.index;
	load.bones = options.bones;
	status = jc_load_motion(options.motion, index, &load, &motion, NULL);
	if (status == JC_EXIT_DONE) {
		status = play(&options, motion);
		jc_motion_destroy(motion);
	}
	return status;
}

const struct jc_command jc_command_play = {
	.name = "play",
	.summary = "publish a motion to a daemon",
	.help = help,
	.run = run,
};
