/* Reads the recordings of a folder by tick, as other programs would. */
#ifndef JC_TEST_HARVEST_H
#define JC_TEST_HARVEST_H

#include "jointcast/mcap_reader.h"
#include "jointcast/recording_reader.h"
#include "unit_test.h"

#define TICKS   60 /* a second */
#define BEGIN   6000
#define SECONDS 20 /* that are recorded at most */
#define END     (BEGIN + SECONDS * TICKS)
#define EPOCH   INT64_C(1700000000000000) /* wall clock at server time 0, microseconds */
#define FILES   64

/* The content of one file. */
struct harvest_file {
	int fd;
	struct jc_mcap_input input;
	struct jc_recording *recording;
};

void harvest_open(struct harvest_file *file, const char *path);
void harvest_close(struct harvest_file *file);

/* The content of all files, by tick. */
struct harvest {
	size_t files;
	unsigned parts[FILES];
	unsigned captures[END - BEGIN]; /* that are instants */
	unsigned rests[FILES];
	uint64_t dropped;
	size_t markers;
	int64_t marker_us;
};

/* Reads all complete files, each of which begins with a roster. */
void harvest_reap(const char *folder, struct harvest *harvest);

/* Each part is there once. */
void harvest_check_parts(const struct harvest *harvest);

/* Captures of all ticks. */
uint64_t harvest_sum(const struct harvest *harvest);

#endif
