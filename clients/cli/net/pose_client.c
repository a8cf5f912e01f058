/* Prints the poses of a space. A body with a new pose is marked in the subscribed space and printed
 * when standard output accepts lines, so that a slow reader costs no memory and its lines are
 * recent ones. */
#include "net/pose_client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error_report.h"
#include "files/line_output.h"
#include "jointcast/skeleton.h"
#include "net/link.h"
#include "net/subscribed_space.h"
#include "report/pose_line.h"

#define SECOND        INT64_C(1000000000)
#define RETRY_NS      (SECOND / 100) /* between two looks at a reader that accepts nothing */
#define SKELETONS_MAX 1024u

struct worn_skeleton {
	char hash[JC_SKELETON_HASH_LENGTH + 1];
	struct jc_skeleton *skeleton; /* owned */
};

struct printer {
	const struct jc_pose_client_options *options; /* borrowed */
	struct jc_subscribed_space subscribed;
	struct jc_skeleton *humanoid; /* owned */
	size_t skeleton_count;        /* received so far */
	struct worn_skeleton skeletons[SKELETONS_MAX];
	struct jc_line_output output;
	uint64_t left_out; /* poses that a newer one replaced before it was printed */
	bool is_closed;    /* the reader has closed standard output */
};

static const struct jc_skeleton *find(const struct printer *printer, const char *hash)
{
	for (size_t i = 0; hash && i < SKELETONS_MAX; i++) {
		if (strcmp(printer->skeletons[i].hash, hash) == 0) {
			return printer->skeletons[i].skeleton;
		}
	}
	return NULL;
}

/* The skeleton of a body's packets; NULL if it has not arrived. */
static const struct jc_skeleton *skeleton_of(
	const struct printer *printer, const struct jc_subscribed_body *body)
{
	return printer->options->on_own_skeletons
		       ? find(printer, json_string_value(json_object_get(body->entry, "skeleton")))
		       : printer->humanoid;
}

static int write_line(FILE *stream, struct printer *printer, struct jc_subscribed_body *body)
{
	struct jc_stream_frame frame;
	struct jc_pose_line line = {
		.time_us = body->time_us,
		.body = body->id,
		.name = json_string_value(json_object_get(body->entry, "name")),
		.may_record = body->may_record,
		.skeleton = skeleton_of(printer, body),
		.frame = &frame,
		.placement = jc_subscribed_body_placement(body),
	};

	if (body->moves == 0 || !line.skeleton) {
		return JC_OK;
	}
	printer->left_out += body->moves - 1;
	body->moves = 0;
	jc_subscribed_body_frame(body, line.skeleton, &frame);
	return jc_pose_line_write(stream, &line);
}

/* Makes a line for each body that has moved since its last one. */
static int write_lines(struct printer *printer)
{
	FILE *stream = jc_line_output_begin(&printer->output);
	int error = stream ? JC_OK : JC_ERROR_MEMORY;

	for (size_t i = 0; i < printer->subscribed.count && !error; i++) {
		error = write_line(stream, printer, printer->subscribed.bodies[i]);
	}
	if (stream && !jc_line_output_end(&printer->output)) {
		error = JC_ERROR_MEMORY;
	}
	return error;
}

/* Writes the rest of earlier lines, then new ones. A closed standard output ends the program. */
static void print(struct printer *printer, struct jc_link *link)
{
	int failed = jc_line_output_flush(&printer->output);

	if (!failed && jc_line_output_is_idle(&printer->output)) {
		if (write_lines(printer) != JC_OK) {
			jc_link_end(link,
				jc_report(JC_EXIT_IO, printer->options->url, "out of memory"));
			return;
		}
		failed = jc_line_output_flush(&printer->output);
	}
	if (failed) {
		printer->is_closed = failed == EPIPE;
		jc_link_end(link, printer->is_closed ? JC_EXIT_DONE
						     : jc_report(JC_EXIT_IO, "standard output",
							       "%s", strerror(failed)));
	}
	jc_link_wake(link,
		jc_link_now_ns() + (jc_line_output_is_idle(&printer->output) ? SECOND : RETRY_NS));
}

static void on_motion(void *context, struct jc_link *link, const uint8_t *bytes, size_t length)
{
	struct printer *printer = context;
	int error = jc_subscribed_space_take_bundle(&printer->subscribed, bytes, length, NULL);
	json_t *request;

	if (error) {
		jc_report(JC_EXIT_INPUT, printer->options->url,
			"a bundle is damaged: %s; bodies wait for complete packets",
			jc_error_name(error));
	}
	request = jc_subscribed_space_ask_keyframe(
		&printer->subscribed, printer->options->space, jc_link_now_ns());
	if (request) {
		jc_link_send_control(link, request);
	}
	print(printer, link);
}

static void on_timer(void *context, struct jc_link *link, int64_t now_ns)
{
	(void)now_ns;
	print(context, link);
}

/* Keeps a skeleton, in place of the oldest one if there are many: a daemon sends that one again
 * before it is worn. */
static void take_skeleton(struct printer *printer, struct jc_link *link, const json_t *message)
{
	const char *hash = json_string_value(json_object_get(message, "hash"));
	char *text = json_dumps(json_object_get(message, "descriptor"), JSON_COMPACT);
	struct worn_skeleton *place = &printer->skeletons[printer->skeleton_count % SKELETONS_MAX];
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton;
	int error = hash && text ? jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, NULL,
					   &diagnostic)
				 : JC_ERROR_INVALID;

	free(text);
	if (error) {
		jc_link_end(link, jc_report_diagnostic(error, printer->options->url, &diagnostic));
		return;
	}
	jc_skeleton_destroy(place->skeleton);
	snprintf(place->hash, sizeof(place->hash), "%s", hash);
	place->skeleton = skeleton;
	printer->skeleton_count++;
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	struct printer *printer = context;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (strcmp(type, "skeleton") == 0 && printer->options->on_own_skeletons) {
		take_skeleton(printer, link, message);
	} else if (strcmp(type, "roster") == 0) {
		int error = jc_subscribed_space_take_roster(&printer->subscribed, message);
		json_t *request = jc_subscribed_space_ask_roster(
			&printer->subscribed, printer->options->space);

		if (request) {
			jc_link_send_control(link, request);
		}
		if (error) {
			jc_link_end(link, jc_report(JC_EXIT_INPUT, printer->options->url,
						  "a roster is damaged: %s", jc_error_name(error)));
		}
	}
}

static void on_ready(void *context, struct jc_link *link)
{
	struct printer *printer = context;
	const char *space = printer->options->space;

	jc_link_send_control(link, json_pack("{ss ss}", "type", "join", "space", space));
	jc_link_send_control(
		link, json_pack("{ss ss ss ss sI}", "type", "subscribe", "space", space, "skeleton",
			      printer->options->on_own_skeletons ? "own" : "humanoid", "precision",
			      "local", "ticks", (json_int_t)printer->options->ticks));
	jc_link_wake(link, jc_link_now_ns() + SECOND);
}

/* The next connection sends everything again. */
static void on_lost(void *context, struct jc_link *link)
{
	struct printer *printer = context;

	(void)link;
	jc_subscribed_space_finish(&printer->subscribed);
	printer->subscribed = (struct jc_subscribed_space){ 0 };
}

static const struct jc_link_ops printer_ops = {
	.lost = on_lost,
	.ready = on_ready,
	.message = on_message,
	.motion = on_motion,
	.timer = on_timer,
};

static void destroy(struct printer *printer)
{
	for (size_t i = 0; i < SKELETONS_MAX; i++) {
		jc_skeleton_destroy(printer->skeletons[i].skeleton);
	}
	jc_skeleton_destroy(printer->humanoid);
	jc_subscribed_space_finish(&printer->subscribed);
	jc_line_output_finish(&printer->output);
	free(printer);
}

int jc_pose_client_run(const struct jc_pose_client_options *options)
{
	struct printer *printer = calloc(1, sizeof(*printer));
	int status;

	if (!printer || jc_skeleton_create_builtin(&printer->humanoid) != JC_OK) {
		free(printer);
		return jc_report(JC_EXIT_IO, options->url, "out of memory");
	}
	printer->options = options;
	jc_line_output_init(&printer->output, STDOUT_FILENO);
	status = jc_link_run(&(struct jc_link_options){ options->url, options->credentials,
				     options->reconnect_s },
		&printer_ops, printer);
	if (printer->left_out > 0 && !printer->is_closed) {
		jc_report(status, options->url,
			"%" PRIu64 " poses were left out: standard output was read too slowly",
			printer->left_out);
	}
	destroy(printer);
	return status;
}
