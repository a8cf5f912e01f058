/* Records a space. The loop collects messages and starts a job twice a second; the job
 * compresses and writes them. One job runs at a time, and only the job uses the files. */
#include "record/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/job.h"
#include "record/record_captures.h"
#include "record/record_packets.h"
#include "record/record_retention.h"
#include "record/record_roster.h"

#define HANDOVER_NS 500000000 /* a crash loses at most this time and the writing time */
#define CLOCK_NS    INT64_C(5000000000)

struct jc_recorder {
	struct jc_sink base;
	struct jc_recorder_options options; /* its name and settings are copied below */
	struct jc_record_settings settings;
	char name[JC_MAX_SPACE_NAME];
	struct jc_space *space;      /* NULL: recording has stopped */
	struct jc_record_file *file; /* owned; only the running job uses it */
	struct jc_job job;
	bool is_last;                   /* the job in progress ends the file */
	struct jc_record_queue waiting; /* used by the loop */
	struct jc_record_queue given;   /* used by the running job */
	int64_t begin_ns, handover_ns, clock_ns;
	struct jc_record_roster roster;
	struct jc_record_captures *captures; /* owned */
	struct jc_record_packets *packets;   /* owned; NULL: packets are not recorded */
	struct jc_record_report reported;    /* written by the running job */
	struct jc_record_report report;      /* copied after each job */
	unsigned ended_at_removal;           /* value of `ended` at the last removal of old files */
	uint64_t captured;
};

static int64_t server_us(const struct jc_recorder *recorder, int64_t now_ns)
{
	int64_t time_us = jc_clock_server_us(recorder->options.clock, now_ns);

	return time_us > 0 ? time_us : 0;
}

/* Writes the given messages, on the calling thread. */
static void write_given(void *data)
{
	struct jc_recorder *recorder = data;
	struct jc_record_queue *queue = &recorder->given;
	struct jc_record_entry *entry;
	int64_t time_us = 0;

	jc_record_file_lose(recorder->file, queue->lost);
	while ((entry = jc_record_queue_take(queue)) != NULL) {
		jc_record_file_write(recorder->file, entry);
		time_us = entry->time_us;
		free(entry);
	}
	jc_record_file_flush(recorder->file, time_us);
	if (recorder->is_last) {
		jc_record_file_end(recorder->file, time_us);
	}
	jc_record_file_report(recorder->file, &recorder->reported);
	if (recorder->reported.ended != recorder->ended_at_removal) {
		recorder->ended_at_removal = recorder->reported.ended;
		jc_record_retention_apply(&recorder->settings, time(NULL), recorder->options.log);
	}
}

static void report(struct jc_recorder *recorder)
{
	recorder->report = recorder->reported;
	if (recorder->report.problem[0]) {
		jc_log_event(recorder->options.log, JC_LOG_ERROR,
			&(struct jc_log_about){ .state = "failing" }, "record '%s': %s",
			recorder->settings.folder, recorder->report.problem);
	}
}

static void hand_over(struct jc_recorder *recorder);

static void on_written(void *data)
{
	struct jc_recorder *recorder = data;

	report(recorder);
	if (recorder->is_last) {
		recorder->options.on_ended(recorder->options.context, recorder);
	} else if (!recorder->space) {
		hand_over(recorder);
	}
}

static const struct jc_job_ops writing = { .work = write_given, .done = on_written };

/* Starts a job that writes all waiting messages; the last job ends the file. */
static void hand_over(struct jc_recorder *recorder)
{
	jc_record_queue_move(&recorder->waiting, &recorder->given);
	recorder->is_last = !recorder->space;
	jc_job_start(&recorder->job, recorder->options.loop, &writing, recorder);
}

static void on_sample(
	struct jc_sink *sink, const struct jc_body *body, const struct jc_source_sample *sample)
{
	struct jc_recorder *recorder = (struct jc_recorder *)sink;

	jc_record_captures_take(recorder->captures, &recorder->roster, body, sample);
}

/* Puts the captures of a tick into the queue. */
static void put_captures(struct jc_recorder *recorder, uint32_t tick, int64_t time_us)
{
	size_t count = jc_record_captures_count(recorder->captures);
	size_t put = jc_record_captures_put(recorder->captures, tick, time_us, &recorder->waiting);

	recorder->captured += put;
	if (recorder->packets && put < count) {
		jc_record_packets_invalidate(recorder->packets);
	} else if (recorder->packets) {
		jc_record_packets_begin(recorder->packets, &recorder->roster, recorder->space);
	}
}

static void put_clock(struct jc_recorder *recorder, int64_t now_ns)
{
	struct timespec wall;
	char *text;

	clock_gettime(CLOCK_REALTIME, &wall);
	struct jc_record_entry head = { .topic = JC_TOPIC_CLOCK,
		.role = JC_RECORD_LAST,
		.time_us = server_us(recorder, now_ns) };

	/* Adds the wall-clock time of the tick. */
	int64_t unix_ns =
		(int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec - (jc_clock_now_ns() - now_ns);

	if (jc_recording_format_clock(head.time_us, (uint64_t)unix_ns, &text) == JC_OK) {
		head.length = strlen(text);
		jc_record_queue_put(&recorder->waiting, &head, text);
		free(text);
	}
	recorder->clock_ns = now_ns + CLOCK_NS;
}

static void on_ticked(
	struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	struct jc_recorder *recorder = (struct jc_recorder *)sink;
	int64_t time_us = server_us(recorder, now_ns);

	if (jc_record_roster_is_due(&recorder->roster, space)) {
		jc_record_roster_report(&recorder->roster, space, time_us, &recorder->waiting);
		jc_record_captures_put_rests(recorder->captures, &recorder->roster, space, tick,
			time_us, &recorder->waiting);
	}
	if (now_ns >= recorder->clock_ns) {
		put_clock(recorder, now_ns);
	}
	put_captures(recorder, tick, time_us);
	if (!jc_job_is_running(&recorder->job) && now_ns >= recorder->handover_ns &&
		(recorder->waiting.first || recorder->waiting.lost > 0)) {
		recorder->handover_ns = now_ns + HANDOVER_NS;
		hand_over(recorder);
	}
}

static void on_encoded(
	struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	struct jc_recorder *recorder = (struct jc_recorder *)sink;

	if (recorder->packets) {
		jc_record_packets_put(recorder->packets, space, tick, server_us(recorder, now_ns),
			&recorder->waiting);
	}
}

/* The space was destroyed. */
static void on_space_gone(struct jc_sink *sink)
{
	struct jc_recorder *recorder = (struct jc_recorder *)sink;

	recorder->space = NULL;
	if (!jc_job_is_running(&recorder->job)) {
		hand_over(recorder);
	}
}

static const struct jc_sink_ops recorder_ops = {
	.sample = on_sample,
	.ticked = on_ticked,
	.encoded = on_encoded,
	.destroy = on_space_gone,
};

static void let_go(struct jc_recorder *recorder)
{
	jc_record_packets_destroy(recorder->packets);
	jc_record_captures_destroy(recorder->captures);
	jc_record_file_destroy(recorder->file);
	free(recorder);
}

int jc_recorder_create(const struct jc_recorder_options *options, struct jc_recorder **out_recorder)
{
	const struct jc_space_options *space = jc_space_options(options->space);
	struct jc_record_file_options file = {
		.settings = *options->settings,
		.hz = space->hz,
		.epoch_unix_ns = (uint64_t)options->clock->wall_us * 1000,
		.disk = *options->disk,
	};
	struct jc_recorder *recorder = calloc(1, sizeof(*recorder));

	if (!recorder) {
		return JC_ERROR_MEMORY;
	}
	recorder->options = *options;
	recorder->settings = *options->settings;
	snprintf(recorder->name, sizeof(recorder->name), "%s", options->name);
	snprintf(file.name, sizeof(file.name), "%s", options->name);
	snprintf(file.space, sizeof(file.space), "%s", space->name);
	snprintf(file.epoch, sizeof(file.epoch), "%" PRIx64, space->epoch);
	if (jc_record_file_create(&file, &recorder->file) != JC_OK ||
		jc_record_captures_create(options->clock, &recorder->captures) != JC_OK ||
		(options->settings->packets &&
			jc_record_packets_create(&recorder->packets) != JC_OK)) {
		let_go(recorder);
		return JC_ERROR_MEMORY;
	}
	recorder->base.ops = &recorder_ops;
	recorder->roster.is_raw = options->settings->raw;
	recorder->begin_ns = jc_clock_now_ns();
	recorder->ended_at_removal = UINT_MAX; /* removes old files once at the start */
	jc_record_queue_init(&recorder->waiting);
	jc_record_queue_init(&recorder->given);
	recorder->space = options->space;
	jc_space_add_sink(recorder->space, &recorder->base);
	*out_recorder = recorder;
	return JC_OK;
}

void jc_recorder_stop(struct jc_recorder *recorder)
{
	if (recorder->space) {
		jc_space_remove_sink(recorder->space, &recorder->base);
		on_space_gone(&recorder->base);
	}
}

void jc_recorder_mark(struct jc_recorder *recorder, const char *label, int64_t now_ns)
{
	struct jc_record_entry head = { .topic = JC_TOPIC_EVENT,
		.time_us = server_us(recorder, now_ns) };
	char *text = NULL;
	bool is_put = false;

	if (jc_recording_format_event(head.time_us, "marker", label, 0, 0, &text) == JC_OK) {
		head.length = strlen(text);
		is_put = jc_record_queue_put(&recorder->waiting, &head, text);
	}
	recorder->waiting.lost += !is_put;
	free(text);
}

void jc_recorder_report(const struct jc_recorder *recorder, struct jc_recorder_state *out_state)
{
	const struct jc_record_report *report = &recorder->report;

	*out_state = (struct jc_recorder_state){
		.name = recorder->name,
		.space = recorder->space,
		.path = report->path,
		.begin_ns = recorder->begin_ns,
		.bytes = report->bytes,
		.captures = recorder->captured,
		.dropped = report->lost + recorder->waiting.lost,
		.is_failing = report->is_failing,
	};
}

void jc_recorder_destroy(struct jc_recorder *recorder)
{
	if (recorder->space) {
		jc_space_remove_sink(recorder->space, &recorder->base);
		recorder->space = NULL;
		recorder->is_last = true;
		jc_record_queue_move(&recorder->waiting, &recorder->given);
		write_given(recorder);
		report(recorder);
	}
	let_go(recorder);
}
