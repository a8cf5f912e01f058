/* The counts of an edge since its start. */
#ifndef JC_EDGE_COUNTS_H
#define JC_EDGE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* Counts since the start, of all spaces. */
struct jc_edge_counts {
	size_t spaces, views; /* now: spaces that are served, views that are wanted */
	uint64_t frames;      /* received */
	uint64_t late;        /* after their tick, or before their roster */
	uint64_t repeated;    /* again, or in the wrong order */
	uint64_t refused;     /* messages with wrong content */
	uint64_t gaps;        /* in streams: packets were missing */
	uint64_t rejoins;     /* requests for rejoin packets */
};

#endif
