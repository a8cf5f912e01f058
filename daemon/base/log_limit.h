/* How often a line of a kind may be said, so that nobody who makes the daemon say
 * something fills a disk: some at once, then a few each second. A kind is what is said
 * in the same words, by the address of its format. */
#ifndef JC_LOG_LIMIT_H
#define JC_LOG_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#define JC_LOG_BURST      200u /* lines of a kind at once */
#define JC_LOG_PER_SECOND 2u   /* and then */
#define JC_LOG_KINDS      128u /* that are told apart; others are not limited */

struct jc_log_kind {
	const char *format; /* borrowed */
	int64_t full_ns;    /* when the whole burst is to be had again */
	unsigned left_out;  /* lines since one was said */
};

struct jc_log_limit {
	uv_mutex_t mutex; /* lines come from threads of the pool too */
	unsigned count;
	struct jc_log_kind kinds[JC_LOG_KINDS];
};

/* Returns 0 or a libuv error. */
int jc_log_limit_init(struct jc_log_limit *limit);
void jc_log_limit_finish(struct jc_log_limit *limit);

/* Whether a line of that kind may be said now; then *out_left_out is how many were not
 * since the last one. */
bool jc_log_limit_allows(
	struct jc_log_limit *limit, const char *format, int64_t now_ns, unsigned *out_left_out);

#endif
