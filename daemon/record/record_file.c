/* A file is called .part until it is ended: what a crash leaves is told by its
 * name, and mended at the next start. */
#include "record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define RETRY_US    5000000 /* after the disk was full */
#define SPLIT_BYTES (UINT64_C(1) << 30)
#define PART        ".part"

/* A message that every file begins with. */
struct kept {
	char *text; /* owned */
	size_t length;
};

struct jc_record_file {
	struct jc_record_file_options options;
	int fd; /* -1: none is open */
	char path[PATH_MAX + 160];
	struct jc_recording_writer *writer; /* owned; of the open one */
	unsigned part;                      /* the next */
	int64_t begin_us;                   /* of the open one */
	int64_t retry_us;                   /* none is tried before */
	uint64_t bytes;                     /* of the open one */
	uint64_t lost;                      /* captures that no file has told of yet */
	int error;                          /* errno of the last write */
	char problem[160];
	size_t skeleton_count;
	struct kept skeletons[JC_MAX_SKELETONS];
	struct kept roster;
};

int jc_record_file_create(
	const struct jc_record_file_options *options, struct jc_record_file **out_file)
{
	struct jc_record_file *file = calloc(1, sizeof(*file));

	if (!file) {
		return JC_ERROR_MEMORY;
	}
	file->options = *options;
	file->fd = -1;
	*out_file = file;
	return JC_OK;
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	struct jc_record_file *file = context;
	const char *at = bytes;

	file->bytes += length;
	while (length > 0) {
		ssize_t written = write(file->fd, at, length);

		if (written < 0 && errno == EINTR) {
			continue;
		}
		if (written < 0) {
			file->error = errno;
			return JC_ERROR_SPACE;
		}
		at += written;
		length -= (size_t)written;
	}
	return JC_OK;
}

/* FOLDER/SPACE-20261121T101500Z-0.mcap.part, by the time of its first message. */
static void name_file(struct jc_record_file *file, int64_t time_us)
{
	const struct jc_record_file_options *options = &file->options;
	time_t seconds =
		(time_t)(options->epoch_unix_ns / 1000000000 + (uint64_t)(time_us / 1000000));
	struct tm utc;
	char stamp[32];

	gmtime_r(&seconds, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
	snprintf(file->path, sizeof(file->path), "%s/%s-%s-%u.mcap" PART, options->folder,
		options->space, stamp, file->part);
}

static void say(struct jc_record_file *file, const char *what)
{
	snprintf(file->problem, sizeof(file->problem), "%s: %s", what,
		strerror(file->error ? file->error : ENOMEM));
}

/* Leaves the file as it is, for the next start to mend. */
static void give_up(struct jc_record_file *file, const char *what, int64_t time_us)
{
	say(file, what);
	jc_recording_destroy(file->writer);
	file->writer = NULL;
	if (file->fd >= 0) {
		close(file->fd);
	}
	file->fd = -1;
	file->retry_us = time_us + RETRY_US;
}

/* What a file begins with beside its session. */
static int repeat(struct jc_record_file *file, int64_t time_us)
{
	int error = JC_OK;

	for (size_t i = 0; i < file->skeleton_count && !error; i++) {
		error = jc_recording_write(file->writer, JC_TOPIC_SKELETON, time_us,
			file->skeletons[i].text, file->skeletons[i].length);
	}
	if (!error && file->roster.text) {
		error = jc_recording_write(file->writer, JC_TOPIC_ROSTER, time_us,
			file->roster.text, file->roster.length);
	}
	return error;
}

/* Whether a recording has the name that this one gets when it is ended. */
static bool is_taken(const char *path)
{
	char ended[PATH_MAX + 160];

	snprintf(ended, sizeof(ended), "%.*s", (int)(strlen(path) - strlen(PART)), path);
	return access(ended, F_OK) == 0;
}

static bool open_file(struct jc_record_file *file, int64_t time_us)
{
	struct jc_recording_options options = {
		.library = "jointcastd",
		.space = file->options.space,
		.epoch = file->options.epoch,
		.tick_hz = file->options.hz,
		.part = file->part,
		.epoch_unix_ns = file->options.epoch_unix_ns,
	};
	struct jc_mcap_sink sink = { write_bytes, file };
	int error;

	name_file(file, time_us);
	file->bytes = 0;
	if (is_taken(file->path)) {
		file->error = EEXIST;
	} else {
		file->fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
		file->error = file->fd < 0 ? errno : 0;
	}
	/* The lock tells others that it is being written, not left behind. */
	if (file->fd < 0 || flock(file->fd, LOCK_EX | LOCK_NB) != 0) {
		give_up(file, "a recording cannot be begun", time_us);
		return false;
	}
	error = jc_recording_create(&options, time_us, &sink, &file->writer);
	error = error ? error : repeat(file, time_us);
	if (error) {
		give_up(file, "a recording cannot be begun", time_us);
		return false;
	}
	file->part++;
	file->begin_us = time_us;
	return true;
}

static void end_file(struct jc_record_file *file, int64_t time_us)
{
	char path[sizeof(file->path)];

	if (jc_recording_end(file->writer) != JC_OK || fdatasync(file->fd) != 0) {
		file->error = file->error ? file->error : errno;
		give_up(file, "a recording cannot be ended", time_us);
		return;
	}
	jc_recording_destroy(file->writer);
	close(file->fd);
	file->writer = NULL;
	file->fd = -1;
	snprintf(path, sizeof(path), "%.*s", (int)(strlen(file->path) - strlen(PART)), file->path);
	if (rename(file->path, path) != 0) {
		file->error = errno;
		say(file, "a recording cannot be named");
	}
}

static void keep(struct kept *kept, const void *bytes, size_t length)
{
	char *text = malloc(length);

	if (text) {
		memcpy(text, bytes, length);
		free(kept->text);
		*kept = (struct kept){ text, length };
	}
}

/* An open file that has room, or none. */
static bool ready(struct jc_record_file *file, int64_t time_us)
{
	int64_t split_us = (int64_t)file->options.split_s * 1000000;

	if (file->writer && ((split_us > 0 && time_us - file->begin_us >= split_us) ||
				    file->bytes >= SPLIT_BYTES)) {
		end_file(file, time_us);
	}
	if (!file->writer && time_us < file->retry_us) {
		return false;
	}
	return file->writer || open_file(file, time_us);
}

static int tell_lost(struct jc_record_file *file, int64_t time_us)
{
	int error;

	if (file->lost == 0) {
		return JC_OK;
	}
	error = jc_recording_write_event(file->writer, time_us, "dropped", "", 0, file->lost);
	file->lost = error ? file->lost : 0;
	return error;
}

void jc_record_file_write(struct jc_record_file *file, enum jc_recording_topic topic,
	int64_t time_us, const void *bytes, size_t length)
{
	bool is_ready = ready(file, time_us);
	int error = JC_OK;

	if (topic == JC_TOPIC_SKELETON && file->skeleton_count < JC_MAX_SKELETONS) {
		keep(&file->skeletons[file->skeleton_count++], bytes, length);
	} else if (topic == JC_TOPIC_ROSTER) {
		keep(&file->roster, bytes, length);
	}
	if (is_ready) {
		error = tell_lost(file, time_us);
		error = error ? error
			      : jc_recording_write(file->writer, topic, time_us, bytes, length);
	}
	if (error) {
		give_up(file, "a recording broke off", time_us);
	}
	if (error || !is_ready) {
		file->lost += topic == JC_TOPIC_CAPTURES;
	}
}

void jc_record_file_lose(struct jc_record_file *file, uint64_t captures)
{
	file->lost += captures;
}

void jc_record_file_sync(struct jc_record_file *file, int64_t time_us)
{
	if (!file->writer) {
		return;
	}
	file->error = 0;
	if (jc_recording_flush(file->writer) != JC_OK || fdatasync(file->fd) != 0) {
		file->error = file->error ? file->error : errno;
		give_up(file, "a recording broke off", time_us);
	}
}

void jc_record_file_report(struct jc_record_file *file, char out_problem[160])
{
	memcpy(out_problem, file->problem, sizeof(file->problem));
	file->problem[0] = '\0';
}

const char *jc_record_file_path(const struct jc_record_file *file)
{
	return file->writer ? file->path : "";
}

void jc_record_file_destroy(struct jc_record_file *file)
{
	if (!file) {
		return;
	}
	if (file->writer) {
		end_file(file, 0);
	}
	for (size_t i = 0; i < file->skeleton_count; i++) {
		free(file->skeletons[i].text);
	}
	free(file->roster.text);
	free(file);
}
