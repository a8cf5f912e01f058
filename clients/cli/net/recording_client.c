/* Records a space as a subscriber. Poses are written as they arrive, one message per tick. */
#include "net/recording_client.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "error_report.h"
#include "files/output_file.h"
#include "net/link.h"
#include "net/subscribed_space.h"

#define SECOND      INT64_C(1000000000)
#define PROGRESS_NS (SECOND / 5)
#define PART        ".part"

/* Captures of one tick. */
struct batch {
	size_t count;
	uint32_t tick;
	int64_t time_us;
	struct jc_recorded_capture list[JC_SUBSCRIBED_BODIES];
	uint8_t *bytes; /* owned: JC_CAPTURE_BYTES for each */
};

struct recorder {
	const struct jc_recording_client_options *options; /* borrowed */
	struct jc_link *link;
	struct jc_subscribed_space subscribed;
	json_t *skeletons; /* owned: descriptors by hash; true: written */
	bool is_pipe;      /* standard output instead of a file */
	char *part; /* owned: path of the file while it is written, or what to call the pipe */
	int file;
	int error; /* errno of a failed write */
	struct jc_recording_writer *writer;
	struct batch held, new; /* poses held from before this tick, and poses of this tick */
	uint64_t captures, bytes;
	int64_t begin_us, time_us, shown_ns;
	bool is_terminal;
	/* The recording goes on in the time and with the ids of its beginning: an id of the space
	 * is recorded as id_base more. */
	int64_t lost_ns,
		lost_us;  /* when the connection was lost: our time, time of the recording */
	int64_t ahead_us; /* time of the recording minus server time */
	char epoch[64];   /* of the space that id_base is for */
	uint32_t id_base, id_end; /* id_end: above all ids in the recording */
	struct jc_capture capture;
};

static int write_bytes(void *context, const void *bytes, size_t length)
{
	struct recorder *recorder = context;

	recorder->bytes += length;
	if (jc_output_file_write_all(recorder->file, bytes, length) != 0) {
		recorder->error = errno;
		return JC_ERROR_SPACE;
	}
	return JC_OK;
}

/* Closes the connection after an error. */
static void end_on_error(struct recorder *recorder, int error)
{
	const struct jc_recording_client_options *options = recorder->options;

	if (error == JC_OK) {
		return;
	}
	if (error == JC_ERROR_SPACE && recorder->is_pipe && recorder->error == EPIPE) {
		jc_link_end(recorder->link, JC_EXIT_IO); /* the reader has enough */
	} else if (error == JC_ERROR_SPACE && recorder->error) {
		jc_link_end(recorder->link,
			jc_report(JC_EXIT_IO, recorder->part, "%s", strerror(recorder->error)));
	} else if (error == JC_ERROR_MEMORY) {
		jc_link_end(recorder->link, jc_report(JC_EXIT_IO, options->url, "out of memory"));
	} else {
		jc_link_end(
			recorder->link, jc_report(JC_EXIT_INPUT, options->url,
						"received damaged data: %s", jc_error_name(error)));
	}
}

static int64_t now_us(const struct recorder *recorder)
{
	int64_t time_us = jc_link_server_us(recorder->link, jc_link_now_ns()) + recorder->ahead_us;

	time_us = time_us > recorder->time_us ? time_us : recorder->time_us;
	return time_us > 0 ? time_us : 0;
}

/* Opens the recording at the first roster, which describes the space. */
static int open_recording(struct recorder *recorder)
{
	struct jc_recording_options options = {
		.library = "jointcast " JC_VERSION,
		.space = recorder->options->space,
		.epoch = recorder->subscribed.epoch,
		.tick_hz = recorder->subscribed.tick_hz,
		.scene = true,
	};
	struct jc_mcap_sink sink = { write_bytes, recorder };
	struct timespec wall;

	recorder->begin_us = recorder->time_us = now_us(recorder);
	clock_gettime(CLOCK_REALTIME, &wall);
	options.epoch_unix_ns = (uint64_t)((int64_t)wall.tv_sec * SECOND + wall.tv_nsec -
					   recorder->begin_us * 1000);
	return jc_recording_create(&options, recorder->begin_us, &sink, &recorder->writer);
}

static int write_skeleton(struct recorder *recorder, const char *hash, int64_t time_us)
{
	json_t *skeleton = json_object_get(recorder->skeletons, hash);
	char *text;
	int error;

	if (!json_is_object(skeleton)) {
		return JC_OK;
	}
	json_object_set_new(skeleton, "time", json_integer(time_us));
	text = json_dumps(skeleton, JSON_COMPACT | JSON_REAL_PRECISION(9));
	if (!text) {
		return JC_ERROR_MEMORY;
	}
	error = jc_recording_write(
		recorder->writer, JC_TOPIC_SKELETON, time_us, text, strlen(text));
	free(text);
	json_object_set_new(recorder->skeletons, hash, json_true()); /* written */
	return error;
}

/* Writes the skeletons that have arrived and that a body with consent wears. */
static int write_skeletons(struct recorder *recorder, int64_t time_us)
{
	int error = JC_OK;

	for (size_t i = 0; i < recorder->subscribed.count && !error; i++) {
		struct jc_recorded_body body =
			jc_subscribed_body_describe(recorder->subscribed.bodies[i]);

		error = write_skeleton(recorder, body.skeleton, time_us);
	}
	return error;
}

/* Another epoch may use ids of an earlier one for other bodies. */
static void follow_epoch(struct recorder *recorder)
{
	if (strcmp(recorder->epoch, recorder->subscribed.epoch) != 0) {
		strcpy(recorder->epoch, recorder->subscribed.epoch);
		recorder->id_base = recorder->id_end;
	}
}

static int write_roster(struct recorder *recorder)
{
	const struct jc_subscribed_space *subscribed = &recorder->subscribed;
	struct jc_recorded_body bodies[JC_SUBSCRIBED_BODIES];
	int64_t time_us = now_us(recorder);
	int error = write_skeletons(recorder, time_us);

	for (size_t i = 0; i < subscribed->count && !error; i++) {
		bodies[i] = jc_subscribed_body_describe(subscribed->bodies[i]);
		error = bodies[i].id >= UINT32_MAX - recorder->id_base ? JC_ERROR_LIMIT : JC_OK;
		bodies[i].id += recorder->id_base;
		if (bodies[i].id >= recorder->id_end && !error) {
			recorder->id_end = bodies[i].id + 1;
		}
	}
	return error ? error
		     : jc_recording_write_roster(recorder->writer, time_us, subscribed->revision,
			       bodies, subscribed->count);
}

static void take_roster(struct recorder *recorder, const json_t *roster)
{
	int error = jc_subscribed_space_take_roster(&recorder->subscribed, roster);
	json_t *request =
		jc_subscribed_space_ask_roster(&recorder->subscribed, recorder->options->space);

	if (request) {
		jc_link_send_control(recorder->link, request);
	}
	if (!error && !recorder->writer && recorder->subscribed.is_joined) {
		error = open_recording(recorder);
	}
	if (!error && recorder->writer) {
		follow_epoch(recorder);
		error = write_roster(recorder);
	}
	end_on_error(recorder, error);
}

static void take_skeleton(struct recorder *recorder, const json_t *message)
{
	const char *hash = json_string_value(json_object_get(message, "hash"));
	json_t *descriptor = json_object_get(message, "descriptor");

	if (hash && descriptor && !json_object_get(recorder->skeletons, hash)) {
		json_object_set_new(recorder->skeletons, hash,
			json_pack("{sO ss}", "descriptor", descriptor, "hash", hash));
		if (recorder->writer) {
			end_on_error(recorder, write_skeletons(recorder, now_us(recorder)));
		}
	}
}

static int on_moved(void *context, const struct jc_subscribed_body *body, bool is_held)
{
	struct recorder *recorder = context;
	struct batch *batch = is_held ? &recorder->held : &recorder->new;
	uint8_t *bytes = batch->bytes + batch->count * JC_CAPTURE_BYTES;
	struct jc_capture *capture = &recorder->capture;
	int64_t time_us = body->time_us + recorder->ahead_us;
	int length;

	if (!body->may_record || batch->count == JC_SUBSCRIBED_BODIES) {
		return JC_OK;
	}
	*capture = (struct jc_capture){ .time_us = time_us > 0 ? time_us : 0,
		.cut = body->cut,
		.value_count = body->value_count };
	memcpy(capture->values, body->values, body->value_count * sizeof(body->values[0]));
	length = jc_pose_encode(capture, &body->pose, bytes, JC_CAPTURE_BYTES);
	if (length < 0) {
		return length;
	}
	batch->tick = body->tick;
	batch->list[batch->count++] =
		(struct jc_recorded_capture){ body->id + recorder->id_base, bytes, (size_t)length };
	return JC_OK;
}

static int write_batch(struct recorder *recorder, struct batch *batch, int64_t time_us)
{
	size_t count = batch->count;

	batch->count = 0;
	recorder->captures += count;
	return count > 0 ? jc_recording_write_captures(
				   recorder->writer, time_us, batch->tick, batch->list, count)
			 : JC_OK;
}

static void on_motion(void *context, struct jc_link *link, const uint8_t *bytes, size_t length)
{
	struct recorder *recorder = context;
	struct jc_subscribed_space *subscribed = &recorder->subscribed;
	struct jc_subscribed_space_ops ops = { on_moved, recorder };
	json_t *request;
	int64_t tick_us;
	int error;

	if (!recorder->writer) {
		return;
	}
	error = jc_subscribed_space_take_bundle(subscribed, bytes, length, &ops);
	tick_us = subscribed->tick_us + recorder->ahead_us +
		  (int64_t)((uint64_t)subscribed->head.tick * 1000000 / subscribed->tick_hz);
	if (!error && tick_us > recorder->time_us) {
		recorder->time_us = tick_us;
	}
	error = error ? error : write_batch(recorder, &recorder->held, recorder->time_us);
	error = error ? error : write_batch(recorder, &recorder->new, recorder->time_us);
	request = jc_subscribed_space_ask_keyframe(
		subscribed, recorder->options->space, jc_link_now_ns());
	if (request) {
		jc_link_send_control(link, request);
	}
	end_on_error(recorder, error);
}

static void on_timer(void *context, struct jc_link *link, int64_t now_ns)
{
	struct recorder *recorder = context;

	recorder->shown_ns = now_ns;
	fprintf(stderr, "\r\033[K%s: %.1f s, %zu %s, %" PRIu64 " captures, %.1f kB",
		recorder->is_pipe ? recorder->part : recorder->options->out,
		(double)(recorder->time_us - recorder->begin_us) * 1e-6, recorder->subscribed.count,
		recorder->subscribed.count == 1 ? "body" : "bodies", recorder->captures,
		(double)recorder->bytes / 1000.0);
	jc_link_wake(link, now_ns + PROGRESS_NS);
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	struct recorder *recorder = context;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (strcmp(type, "skeleton") == 0) {
		take_skeleton(recorder, message);
	} else if (strcmp(type, "roster") == 0) {
		take_roster(recorder, message);
	}
}

static void on_ready(void *context, struct jc_link *link)
{
	struct recorder *recorder = context;
	const char *space = recorder->options->space;

	recorder->link = link;
	if (recorder->lost_ns > 0) {
		int64_t now_ns = jc_link_now_ns();

		recorder->ahead_us = recorder->lost_us + (now_ns - recorder->lost_ns) / 1000 -
				     jc_link_server_us(link, now_ns);
	}
	jc_link_send_control(link, json_pack("{ss ss}", "type", "join", "space", space));
	jc_link_send_control(link, json_pack("{ss ss ss ss sI}", "type", "subscribe", "space",
					   space, "skeleton", "humanoid", "precision", "local",
					   "ticks", (json_int_t)recorder->options->ticks));
	if (recorder->is_terminal) {
		jc_link_wake(link, jc_link_now_ns() + PROGRESS_NS);
	}
}

/* In the recording all bodies leave, until the next roster. */
static void on_lost(void *context, struct jc_link *link)
{
	struct recorder *recorder = context;

	(void)link;
	if (recorder->writer) {
		recorder->lost_ns = jc_link_now_ns();
		recorder->lost_us = now_us(recorder);
	}
	jc_subscribed_space_finish(&recorder->subscribed);
	recorder->subscribed = (struct jc_subscribed_space){ 0 };
	if (recorder->writer) {
		end_on_error(recorder, write_roster(recorder));
	}
	if (recorder->shown_ns > 0) {
		fputs("\r\033[K", stderr);
	}
}

static const struct jc_link_ops recorder_ops = {
	.lost = on_lost,
	.ready = on_ready,
	.message = on_message,
	.motion = on_motion,
	.timer = on_timer,
};

static void print_end(const struct recorder *recorder, FILE *stream, const char *name)
{
	fprintf(stream, "%s: %.1f s, %" PRIu64 " captures\n", name,
		(double)(recorder->time_us - recorder->begin_us) * 1e-6, recorder->captures);
}

/* Completes and renames the file, even after an error. Returns enum jc_exit. */
static int close_recording(struct recorder *recorder, int status)
{
	const char *out = recorder->options->out;

	if (!recorder->writer || recorder->error) {
		return status ? status
			      : jc_report(JC_EXIT_IO, recorder->options->url, "received nothing");
	}
	if (jc_recording_end(recorder->writer) != JC_OK ||
		(!recorder->is_pipe && fsync(recorder->file) != 0)) {
		int error = recorder->error ? recorder->error : errno;

		return jc_report(JC_EXIT_IO, recorder->part, "%s", strerror(error));
	}
	if (recorder->is_pipe) {
		print_end(recorder, stderr, recorder->part);
		return status;
	}
	if (rename(recorder->part, out) != 0) {
		return jc_report(JC_EXIT_IO, out, "%s", strerror(errno));
	}
	print_end(recorder, stdout, out);
	return status;
}

static int record(struct recorder *recorder)
{
	const struct jc_recording_client_options *options = recorder->options;
	int status;

	recorder->file = recorder->is_pipe ? STDOUT_FILENO
					   : open(recorder->part,
						     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	if (recorder->file < 0) {
		return jc_report(JC_EXIT_IO, recorder->part, "%s",
			errno == EEXIST ? "exists: an earlier recording was interrupted"
					: strerror(errno));
	}
	status = jc_link_run(&(struct jc_link_options){ options->url, options->credentials,
				     options->reconnect_s },
		&recorder_ops, recorder);
	if (recorder->shown_ns > 0) {
		fputs("\r\033[K", stderr);
	}
	status = close_recording(recorder, status);
	if (recorder->is_pipe) {
		return status;
	}
	close(recorder->file);
	if (!recorder->writer) {
		unlink(recorder->part); /* the file is empty */
	}
	return status;
}

int jc_recording_client_record(const struct jc_recording_client_options *options)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	int status = JC_EXIT_IO;

	if (!recorder) {
		return jc_report(JC_EXIT_IO, options->url, "out of memory");
	}
	recorder->options = options;
	recorder->is_terminal = isatty(STDERR_FILENO);
	recorder->is_pipe = strcmp(options->out, JC_RECORDING_CLIENT_PIPE) == 0;
	recorder->skeletons = json_object();
	if (recorder->is_pipe) {
		recorder->part = strdup("standard output");
	} else if (asprintf(&recorder->part, "%s" PART, options->out) < 0) {
		recorder->part = NULL;
	}
	recorder->held.bytes = malloc((size_t)JC_SUBSCRIBED_BODIES * JC_CAPTURE_BYTES);
	recorder->new.bytes = malloc((size_t)JC_SUBSCRIBED_BODIES * JC_CAPTURE_BYTES);
	if (!recorder->part || !recorder->held.bytes || !recorder->new.bytes ||
		!recorder->skeletons) {
		jc_report(JC_EXIT_IO, options->url, "out of memory");
	} else {
		status = record(recorder);
	}
	jc_recording_destroy(recorder->writer);
	jc_subscribed_space_finish(&recorder->subscribed);
	json_decref(recorder->skeletons);
	free(recorder->held.bytes);
	free(recorder->new.bytes);
	free(recorder->part);
	free(recorder);
	return status;
}
