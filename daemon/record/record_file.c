/* Writes the files of a recording. A file is named .part until it is complete, so that the
 * next start finds and repairs what a crash left. */
#include "record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RETRY_US 5000000 /* delay before a new file after a failed write */
#define SYNC_US  1000000
#define PART     ".part"
#define NAMES    100 /* maximum number of recordings that begin in the same second */

struct jc_record_file {
	struct jc_record_file_options options;
	int fd; /* -1: no open file */
	char path[PATH_MAX + 160];
	struct jc_recording_writer *writer; /* owned; writes the open file */
	unsigned part;                      /* number of the next file */
	int64_t begin_us;                   /* first message of the open file */
	int64_t retry_us;                   /* earliest time of the next attempt to create a file */
	int64_t sync_us;                    /* time of the last synchronisation */
	uint64_t bytes;                     /* written to the open file */
	uint64_t listed;                    /* its rosters, and bodies in them */
	uint64_t entered;                   /* bodies that left before its first roster */
	uint64_t all_bytes, all_lost;
	unsigned ended;
	bool is_failing;
	uint64_t lost; /* lost captures that no file has counted yet */
	/* State of the open file that is not on disk yet. */
	bool has_chunk; /* the chunk contains a message */
	uint64_t pending, pending_reported;
	int error; /* errno of the last write */
	char problem[160];
	/* The first messages of every file: skeletons, then the last of other topics. */
	size_t repeated_count;
	struct jc_record_entry *repeated[JC_MAX_RECORDED_SKELETONS]; /* owned */
	struct jc_record_entry *last[JC_TOPIC_COUNT];                /* owned */
};

static int64_t write_real(void *context, int descriptor, const void *bytes, size_t length)
{
	(void)context;
	return write(descriptor, bytes, length);
}

static int sync_real(void *context, int descriptor)
{
	(void)context;
	return fdatasync(descriptor);
}

const struct jc_record_disk jc_record_real_disk = { write_real, sync_real, NULL };

int jc_record_file_create(
	const struct jc_record_file_options *options, struct jc_record_file **out_file)
{
	struct jc_record_file *file = calloc(1, sizeof(*file));

	if (!file) {
		return JC_ERROR_MEMORY;
	}
	file->options = *options;
	file->fd = -1;
	file->sync_us = INT64_MIN / 2;
	*out_file = file;
	return JC_OK;
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	struct jc_record_file *file = context;
	const struct jc_record_disk *disk = &file->options.disk;
	const char *at = bytes;

	file->bytes += length;
	file->all_bytes += length;
	while (length > 0) {
		int64_t written = disk->write(disk->context, file->fd, at, length);

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

static int sync_bytes(struct jc_record_file *file)
{
	const struct jc_record_disk *disk = &file->options.disk;

	return disk->sync(disk->context, file->fd);
}

/* The path is FOLDER/SPACE-20261121T101500Z-0.mcap.part, with the time of the first message.
 * Later attempts append a second number. */
static void name_file(struct jc_record_file *file, int64_t time_us, int attempt)
{
	const struct jc_record_file_options *options = &file->options;
	time_t seconds =
		(time_t)(options->epoch_unix_ns / 1000000000 + (uint64_t)(time_us / 1000000));
	struct tm utc;
	char stamp[32];
	char more[16] = "";

	gmtime_r(&seconds, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
	if (attempt > 0) {
		snprintf(more, sizeof(more), "-%d", attempt);
	}
	snprintf(file->path, sizeof(file->path), "%s/%s-%s-%u%s.mcap" PART,
		options->settings.folder, options->name, stamp, file->part, more);
}

static void set_problem(struct jc_record_file *file, const char *what)
{
	snprintf(file->problem, sizeof(file->problem), "%s: %s", what,
		strerror(file->error ? file->error : ENOMEM));
}

/* Keeps the incomplete file for repair at the next start; removes an empty one. */
static void give_up(struct jc_record_file *file, const char *what, int64_t time_us)
{
	set_problem(file, what);
	jc_recording_destroy(file->writer);
	file->writer = NULL;
	if (file->fd >= 0) {
		if (!file->has_chunk) {
			unlink(file->path);
			file->path[0] = '\0';
		}
		close(file->fd);
	}
	jc_record_file_lose(file, file->pending);
	file->lost += file->pending_reported;
	file->pending = file->pending_reported = 0;
	file->fd = -1;
	file->retry_us = time_us + RETRY_US;
	file->is_failing = true;
}

/* Whether readers accept the open file with this message: they limit its bodies and rosters. */
static bool has_room(const struct jc_record_file *file, const struct jc_record_entry *entry)
{
	return entry->topic != JC_TOPIC_ROSTER || file->listed == 0 ||
	       (entry->entered - file->entered <= JC_LIMIT_RECORDED_BODIES &&
		       file->listed + entry->bodies + 1 <= JC_LIMIT_ROSTER_ENTRIES);
}

static void count_roster(struct jc_record_file *file, const struct jc_record_entry *roster)
{
	if (file->listed == 0) {
		file->entered = roster->entered - roster->bodies;
	}
	file->listed += roster->bodies + 1u;
}

static int write_entry(
	struct jc_record_file *file, const struct jc_record_entry *entry, int64_t time_us)
{
	if (entry->topic == JC_TOPIC_ROSTER) {
		count_roster(file, entry);
	}
	return jc_recording_write(file->writer, entry->topic, time_us, entry->bytes, entry->length);
}

/* Writes the messages that each file begins with after its session. */
static int repeat(struct jc_record_file *file, int64_t time_us)
{
	int error = JC_OK;

	for (size_t i = 0; i < file->repeated_count && !error; i++) {
		error = write_entry(file, file->repeated[i], time_us);
	}
	for (size_t i = 0; i < JC_TOPIC_COUNT && !error; i++) {
		error = file->last[i] ? write_entry(file, file->last[i], time_us) : JC_OK;
	}
	return error;
}

/* Whether the final name of this file is in use, also by a dangling link. */
static bool exists(const char *path)
{
	char ended[PATH_MAX + 160];
	struct stat status;

	snprintf(ended, sizeof(ended), "%.*s", (int)(strlen(path) - strlen(PART)), path);
	return lstat(ended, &status) == 0;
}

/* Creates a file whose name is not in use. Returns its descriptor, or -1. */
static int claim_file(struct jc_record_file *file, int64_t time_us)
{
	for (int attempt = 0; attempt < NAMES; attempt++) {
		name_file(file, time_us, attempt);
		file->error = EEXIST;
		if (exists(file->path)) {
			continue;
		}
		int fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);

		file->error = fd < 0 ? errno : 0;
		if (fd >= 0 || errno != EEXIST) {
			return fd;
		}
	}
	return -1;
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
		.scene = file->options.settings.scene,
	};
	struct jc_mcap_sink sink = { write_bytes, file };
	int error;

	file->bytes = file->listed = 0;
	file->has_chunk = false;
	file->fd = claim_file(file, time_us);
	/* The lock marks the file as being written, not left by a crash. */
	if (file->fd < 0 || flock(file->fd, LOCK_EX | LOCK_NB) != 0) {
		give_up(file, "a recording cannot be started", time_us);
		return false;
	}
	error = jc_recording_create(&options, time_us, &sink, &file->writer);
	error = error ? error : repeat(file, time_us);
	if (error) {
		give_up(file, "a recording cannot be started", time_us);
		return false;
	}
	file->part++;
	file->begin_us = time_us;
	return true;
}

/* Makes the directory entry survive a power failure. */
static void sync_folder(const struct jc_record_file *file)
{
	const struct jc_record_settings *settings = &file->options.settings;
	int folder = settings->sync != JC_RECORD_SYNC_NEVER
			     ? open(settings->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
			     : -1;

	if (folder >= 0) {
		fsync(folder);
		close(folder);
	}
}

void jc_record_file_end(struct jc_record_file *file, int64_t time_us)
{
	const struct jc_record_settings *settings = &file->options.settings;
	char path[sizeof(file->path)];

	if (!file->writer) {
		return;
	}
	if (jc_recording_end(file->writer) != JC_OK ||
		(settings->sync != JC_RECORD_SYNC_NEVER && sync_bytes(file) != 0)) {
		file->error = file->error ? file->error : errno;
		give_up(file, "a recording cannot be completed", time_us);
		return;
	}
	jc_recording_destroy(file->writer);
	close(file->fd);
	file->writer = NULL;
	file->fd = -1;
	file->ended++;
	snprintf(path, sizeof(path), "%.*s", (int)(strlen(file->path) - strlen(PART)), file->path);
	if (rename(file->path, path) != 0) {
		file->error = errno;
		set_problem(file, "the file of a recording cannot be renamed");
	} else {
		memcpy(file->path, path, sizeof(path));
	}
	file->pending = file->pending_reported = 0;
	sync_folder(file);
}

static void let_go(struct jc_record_file *file)
{
	while (file->repeated_count > 0) {
		free(file->repeated[--file->repeated_count]);
	}
}

/* Remembers a message that later files begin with. */
static void keep(struct jc_record_file *file, const struct jc_record_entry *entry)
{
	size_t size = sizeof(*entry) + entry->length;
	bool is_last = entry->role == JC_RECORD_LAST;
	struct jc_record_entry *copy = NULL;

	if (entry->role == JC_RECORD_ANEW) {
		let_go(file);
	}
	if (is_last || (entry->role != JC_RECORD_ONCE &&
			       file->repeated_count < JC_MAX_RECORDED_SKELETONS)) {
		copy = malloc(size);
	}
	if (!copy) {
		return;
	}
	memcpy(copy, entry, size);
	if (is_last) {
		free(file->last[entry->topic]);
		file->last[entry->topic] = copy;
	} else {
		file->repeated[file->repeated_count++] = copy;
	}
}

/* Ensures that an open file has room for the message. Returns false without one. */
static bool ready(struct jc_record_file *file, const struct jc_record_entry *entry)
{
	int64_t time_us = entry->time_us;
	const struct jc_record_settings *settings = &file->options.settings;
	int64_t split_us = (int64_t)settings->split_s * 1000000;

	if (file->writer &&
		((split_us > 0 && time_us - file->begin_us >= split_us) ||
			file->bytes >= settings->split_bytes || !has_room(file, entry))) {
		jc_record_file_end(file, time_us);
	}
	if (!file->writer && time_us < file->retry_us) {
		return false;
	}
	return file->writer || open_file(file, time_us);
}

static int report_lost(struct jc_record_file *file, int64_t time_us)
{
	int error;

	if (file->lost == 0) {
		return JC_OK;
	}
	error = jc_recording_write_event(file->writer, time_us, "dropped", "", 0, file->lost);
	if (!error) {
		file->pending_reported += file->lost;
		file->lost = 0;
	}
	return error;
}

void jc_record_file_write(struct jc_record_file *file, const struct jc_record_entry *entry)
{
	bool is_ready = ready(file, entry);
	int error = JC_OK;

	if (is_ready) {
		error = report_lost(file, entry->time_us);
		error = error ? error : write_entry(file, entry, entry->time_us);
	}
	keep(file, entry);
	if (is_ready) {
		file->pending += entry->captures;
	} else {
		jc_record_file_lose(file, entry->captures);
	}
	if (error) {
		give_up(file, "a recording broke off", entry->time_us);
	}
}

void jc_record_file_lose(struct jc_record_file *file, uint64_t captures)
{
	file->lost += captures;
	file->all_lost += captures;
}

void jc_record_file_flush(struct jc_record_file *file, int64_t time_us)
{
	bool syncs = file->options.settings.sync == JC_RECORD_SYNC_SECOND &&
		     time_us - file->sync_us >= SYNC_US;

	if (!file->writer) {
		return;
	}
	file->error = 0;
	if (jc_recording_flush(file->writer) != JC_OK || (syncs && sync_bytes(file) != 0)) {
		file->error = file->error ? file->error : errno;
		give_up(file, "a recording broke off", time_us);
		return;
	}
	file->has_chunk = true;
	file->is_failing = false;
	file->pending = file->pending_reported = 0;
	file->sync_us = syncs ? time_us : file->sync_us;
}

void jc_record_file_report(struct jc_record_file *file, struct jc_record_report *out_report)
{
	*out_report = (struct jc_record_report){ .bytes = file->all_bytes,
		.lost = file->all_lost,
		.ended = file->ended,
		.is_failing = file->is_failing };
	memcpy(out_report->path, file->path, sizeof(file->path));
	memcpy(out_report->problem, file->problem, sizeof(file->problem));
	file->problem[0] = '\0';
}

void jc_record_file_destroy(struct jc_record_file *file)
{
	if (!file) {
		return;
	}
	jc_record_file_end(file, 0);
	let_go(file);
	for (size_t i = 0; i < JC_TOPIC_COUNT; i++) {
		free(file->last[i]);
	}
	free(file);
}
