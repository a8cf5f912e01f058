/* The loop makes messages and hands them over twice a second; a thread of uv's pool
 * compresses and writes them. Only one such job runs at a time and only it touches
 * the files. */
#include "record/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/query.h"
#include "record/record_file.h"
#include "record/record_mend.h"
#include "source/source_uri.h"
#include "space/outfit_set.h"
#include "space/space.h"

#define HANDOVER_NS   500000000 /* a crash costs that and the time to write it */
#define CAPTURE_BYTES (JC_MAX_BODIES * (JC_CAPTURE_BYTES + 6u) + 5u)

/* A message that waits, its bytes behind it. */
struct entry {
	struct entry *next;
	enum jc_recording_topic topic;
	int64_t time_us;
	size_t length;
	uint8_t bytes[];
};

struct queue {
	struct entry *first, **end;
	size_t bytes;
	uint64_t lost; /* captures that found no room */
};

/* The newest capture of a body that is recorded. */
struct seen {
	uint32_t body;
	int64_t capture_ns;
};

struct recorder {
	struct jc_sink base;
	uv_loop_t *loop;
	const struct jc_clock *clock;
	const struct jc_log *log;
	struct jc_record_target target;
	struct jc_record_file *file; /* owned; the job's while one runs */
	uv_work_t work;
	bool is_working;
	struct queue waiting; /* the loop's */
	struct queue given;   /* the job's while one runs */
	int64_t handover_ns;
	uint64_t revision; /* of the roster that was recorded last */
	bool has_roster;
	struct jc_outfit_set outfits; /* that were recorded */
	size_t seen_count;
	struct seen seen[JC_MAX_BODIES];
	/* Of the tick that is under way. */
	size_t capture_count;
	struct jc_recorded_capture captures[JC_MAX_BODIES];
	uint8_t bytes[JC_MAX_BODIES][JC_CAPTURE_BYTES];
	struct jc_capture capture;
	uint8_t message[CAPTURE_BYTES];
};

int jc_record_target_parse(
	const char *text, struct jc_record_target *out_target, struct jc_diagnostic *diagnostic)
{
	struct jc_record_target target = { .space = "lobby", .split_s = 3600 };
	char *options;
	const char *key, *value;
	char *end;

	if (strlen(text) >= sizeof(target.folder)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, text, "too long");
	}
	strcpy(target.folder, text);
	options = strrchr(target.folder, '?');
	if (options) {
		*options++ = '\0';
	}
	if (!target.folder[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, text, "no folder");
	}
	while (options && jc_query_next(&options, &key, &value)) {
		if (value && strcmp(key, "space") == 0 && jc_source_space_name_is_valid(value)) {
			strcpy(target.space, value);
		} else if (value && strcmp(key, "split") == 0) {
			unsigned long seconds = strtoul(value, &end, 10);

			if (*end || end == value || seconds < 10 || seconds > 86400) {
				return jc_diagnose(diagnostic, JC_ERROR_INVALID, text,
					"split is seconds from 10 to 86400, not '%s'", value);
			}
			target.split_s = (unsigned)seconds;
		} else {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, text,
				"no such option: '%s%s%s'", key, value ? "=" : "",
				value ? value : "");
		}
	}
	*out_target = target;
	return JC_OK;
}

/* What finds no room is lost, and told of captures. */
static void enqueue(struct recorder *recorder, enum jc_recording_topic topic, int64_t time_us,
	const void *bytes, size_t length)
{
	struct queue *queue = &recorder->waiting;
	struct entry *entry = NULL;

	if (queue->bytes + length <= JC_MAX_RECORD_BACKLOG) {
		entry = malloc(sizeof(*entry) + length);
	}
	if (!entry) {
		queue->lost += topic == JC_TOPIC_CAPTURES;
		return;
	}
	*entry = (struct entry){ .topic = topic, .time_us = time_us, .length = length };
	memcpy(entry->bytes, bytes, length);
	queue->bytes += length;
	*queue->end = entry;
	queue->end = &entry->next;
}

static void init_queue(struct queue *queue)
{
	*queue = (struct queue){ .end = &queue->first };
}

/* Writes all that was given, on whichever thread. */
static void write_given(struct recorder *recorder)
{
	struct queue *queue = &recorder->given;
	int64_t time_us = 0;

	jc_record_file_lose(recorder->file, queue->lost);
	while (queue->first) {
		struct entry *entry = queue->first;

		jc_record_file_write(
			recorder->file, entry->topic, entry->time_us, entry->bytes, entry->length);
		queue->first = entry->next;
		time_us = entry->time_us;
		free(entry);
	}
	jc_record_file_sync(recorder->file, time_us);
}

static void work(uv_work_t *work)
{
	write_given(work->data);
}

static void report(struct recorder *recorder)
{
	char problem[160];

	jc_record_file_report(recorder->file, problem);
	if (problem[0]) {
		jc_log_write(recorder->log, JC_LOG_ERROR, "record '%s': %s",
			recorder->target.folder, problem);
	}
}

static void on_worked(uv_work_t *work, int status)
{
	struct recorder *recorder = work->data;

	(void)status;
	recorder->is_working = false;
	report(recorder);
}

static void take(struct recorder *recorder)
{
	recorder->given = recorder->waiting;
	init_queue(&recorder->waiting);
}

static void hand_over(struct recorder *recorder, int64_t now_ns)
{
	if (recorder->is_working || now_ns < recorder->handover_ns || !recorder->waiting.first) {
		return;
	}
	recorder->handover_ns = now_ns + HANDOVER_NS;
	take(recorder);
	recorder->work.data = recorder;
	recorder->is_working = true;
	if (uv_queue_work(recorder->loop, &recorder->work, work, on_worked) != 0) {
		recorder->is_working = false;
		write_given(recorder);
	}
}

static bool is_recorded(const struct jc_body *body)
{
	return !body->source->is_unrecorded;
}

/* Whether this capture of the body was not recorded before. */
static bool is_new(struct recorder *recorder, uint32_t body, int64_t capture_ns)
{
	size_t i = 0;

	while (i < recorder->seen_count && recorder->seen[i].body != body) {
		i++;
	}
	if (i == recorder->seen_count) {
		/* Ids are never used again: the oldest makes room. */
		if (recorder->seen_count == JC_MAX_BODIES) {
			memmove(recorder->seen, recorder->seen + 1,
				(JC_MAX_BODIES - 1) * sizeof(*recorder->seen));
			i--;
		} else {
			recorder->seen_count++;
		}
	} else if (capture_ns <= recorder->seen[i].capture_ns) {
		return false;
	}
	recorder->seen[i] = (struct seen){ body, capture_ns };
	return true;
}

static void on_sample(
	struct jc_sink *sink, const struct jc_body *body, const struct jc_source_sample *sample)
{
	struct recorder *recorder = (struct recorder *)sink;
	struct jc_capture *capture = &recorder->capture;
	size_t index = recorder->capture_count;
	int64_t time_us = jc_clock_server_us(recorder->clock, sample->capture_ns);
	int length;

	if (!is_recorded(body) || sample->held || !sample->live || index == JC_MAX_BODIES ||
		!is_new(recorder, body->id, sample->capture_ns)) {
		return;
	}
	capture->time_us = time_us > 0 ? time_us : 0;
	capture->cut = sample->cut;
	capture->value_count = body->source->channels.value_count;
	memcpy(capture->values, sample->values, capture->value_count * sizeof(*capture->values));
	length = jc_pose_encode(capture, &sample->pose, recorder->bytes[index], JC_CAPTURE_BYTES);
	if (length < 0) {
		recorder->waiting.lost++;
		return;
	}
	recorder->captures[index] =
		(struct jc_recorded_capture){ body->id, recorder->bytes[index], (size_t)length };
	recorder->capture_count++;
}

static void record_outfit(
	struct recorder *recorder, const struct jc_outfit *outfit, int64_t time_us)
{
	char *text;

	if (!jc_outfit_set_add(&recorder->outfits, outfit) ||
		jc_recording_format_skeleton(time_us, outfit->skeleton, &text) != JC_OK) {
		return;
	}
	enqueue(recorder, JC_TOPIC_SKELETON, time_us, text, strlen(text));
	free(text);
}

static void record_roster(struct recorder *recorder, const struct jc_space *space, int64_t time_us)
{
	struct jc_recorded_body bodies[JC_MAX_BODIES];
	size_t count = jc_space_body_count(space);
	char *text;

	for (size_t i = 0; i < count; i++) {
		const struct jc_body *body = jc_space_body(space, i);

		record_outfit(recorder, body->outfit, time_us);
		bodies[i] = (struct jc_recorded_body){
			.id = body->id,
			.name = body->name,
			.recorded = is_recorded(body) ? JC_RECORDED_ANONYMOUS : JC_RECORDED_NOTHING,
			.kind = JC_CAPTURE_POSE,
			.skeleton = body->outfit->hash,
			.channel_count = body->source->channels.count,
			.channels = body->source->channels.names,
			.placement = body->placement,
			.seat_height = body->seat_height,
		};
	}
	if (jc_recording_format_roster(time_us, jc_space_revision(space), bodies, count, &text) !=
		JC_OK) {
		return; /* out of memory; the next tick tries again */
	}
	recorder->revision = jc_space_revision(space);
	recorder->has_roster = true;
	enqueue(recorder, JC_TOPIC_ROSTER, time_us, text, strlen(text));
	free(text);
}

static void on_ticked(
	struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	struct recorder *recorder = (struct recorder *)sink;
	int64_t time_us = jc_clock_server_us(recorder->clock, now_ns);
	int length;

	time_us = time_us > 0 ? time_us : 0;
	if (!recorder->has_roster || recorder->revision != jc_space_revision(space)) {
		record_roster(recorder, space, time_us);
	}
	if (recorder->capture_count > 0) {
		length = jc_recording_format_captures(tick, recorder->captures,
			recorder->capture_count, recorder->message, sizeof(recorder->message));
		if (length > 0) {
			enqueue(recorder, JC_TOPIC_CAPTURES, time_us, recorder->message,
				(size_t)length);
		}
		recorder->capture_count = 0;
	}
	hand_over(recorder, now_ns);
}

static void destroy(struct jc_sink *sink)
{
	struct recorder *recorder = (struct recorder *)sink;

	take(recorder);
	write_given(recorder);
	report(recorder);
	jc_record_file_destroy(recorder->file);
	jc_outfit_set_finish(&recorder->outfits);
	free(recorder);
}

static const struct jc_sink_ops recorder_ops = {
	.sample = on_sample,
	.ticked = on_ticked,
	.destroy = destroy,
};

int jc_recorder_create(const struct jc_recorder_options *options, struct jc_sink **out_sink,
	struct jc_diagnostic *diagnostic)
{
	struct jc_record_file_options file = {
		.hz = options->hz,
		.epoch_unix_ns = (uint64_t)options->clock->wall_us * 1000,
		.split_s = options->target->split_s,
	};
	struct recorder *recorder;
	int status = jc_record_mend(options->target->folder, options->log, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	recorder = calloc(1, sizeof(*recorder));
	if (!recorder) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	strcpy(file.folder, options->target->folder);
	strcpy(file.space, options->target->space);
	snprintf(file.epoch, sizeof(file.epoch), "%016" PRIx64, options->epoch);
	if (jc_record_file_create(&file, &recorder->file) != JC_OK) {
		free(recorder);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	recorder->base.ops = &recorder_ops;
	recorder->loop = options->loop;
	recorder->clock = options->clock;
	recorder->log = options->log;
	recorder->target = *options->target;
	init_queue(&recorder->waiting);
	init_queue(&recorder->given);
	*out_sink = &recorder->base;
	return JC_OK;
}
