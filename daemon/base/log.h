/* The log of the daemon: one line per message, lower case, no full stop, variable text in
 * single quotes. Poses, tokens and message bodies are never logged. */
#ifndef JC_LOG_H
#define JC_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/token_bucket.h"
#include "jointcast/error.h"

/* The limit on repeated lines, so that no client can fill a disk with log lines. Lines with
 * the same format string (compared by address) are of one kind; each kind has a burst, then
 * some lines per second. */

#define JC_LOG_BURST      200u /* lines of a kind at once */
#define JC_LOG_PER_SECOND 2u   /* after that */
#define JC_LOG_KINDS      128u /* further kinds are not limited */

struct jc_log_kind {
	const char *format; /* borrowed */
	struct jc_token_bucket lines;
	unsigned left_out; /* lines since the last one that was logged */
};

struct jc_log_limit {
	uv_mutex_t mutex; /* threads of the pool log too */
	unsigned count;
	struct jc_log_kind kinds[JC_LOG_KINDS];
};

/* Returns 0 or a libuv error. */
int jc_log_limit_init(struct jc_log_limit *limit);
void jc_log_limit_finish(struct jc_log_limit *limit);

/* Whether a line of that kind may be logged now; if so, *out_left_out is the number of lines
 * left out since the last one. */
bool jc_log_limit_allows(
	struct jc_log_limit *limit, const char *format, int64_t now_ns, unsigned *out_left_out);

enum jc_log_level {
	JC_LOG_ERROR = 3, /* the numbers of syslog and journald */
	JC_LOG_WARNING = 4,
	JC_LOG_INFO = 6,
};

/* Fields of a line, for searching the journal; NULL: none. */
struct jc_log_about {
	const char *space, *body, *source; /* a source by its kind */
	const char *state;                 /* the new state */
	bool is_audit;                     /* an action of a person: never left out */
};

struct jc_log {
	int fd;       /* borrowed */
	bool journal; /* fd leads to journald, which takes the level as a prefix */
	/* Receives lines instead of fd: the text escaped, the fields unchanged. False: it failed,
	 * and the line goes to fd. NULL: none. */
	bool (*send)(enum jc_log_level level, const char *text, const struct jc_log_about *about);
	struct jc_log_limit *limit; /* borrowed; NULL: none */
};

/* journal_stream is the environment's JOURNAL_STREAM ("device:inode" of the stream), or
 * NULL. */
void jc_log_init(struct jc_log *log, int fd, const char *journal_stream);

/* Writes one line. Characters that are not plain (jointcast/text.h) are escaped: text from a
 * peer can neither end the line, control a terminal nor reorder the line. */
void jc_log_write(const struct jc_log *log, enum jc_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes one line with fields. */
void jc_log_event(const struct jc_log *log, enum jc_log_level level,
	const struct jc_log_about *about, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Writes an error: "subject: what, where". subject may be NULL. */
void jc_log_diagnostic(
	const struct jc_log *log, const char *subject, const struct jc_diagnostic *diagnostic);

#endif
