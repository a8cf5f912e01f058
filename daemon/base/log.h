/* The one place the daemon says anything: lower case, no full stop, variable
 * text in single quotes. Poses, tokens and message bodies are never logged. */
#ifndef JC_LOG_H
#define JC_LOG_H

#include <stdbool.h>

#include "base/log_limit.h"
#include "jointcast/error.h"

enum jc_log_level {
	JC_LOG_ERROR = 3, /* the numbers of syslog and journald */
	JC_LOG_WARNING = 4,
	JC_LOG_INFO = 6,
};

/* What a line is about, for who looks lines up by that; NULL: nothing of the kind. */
struct jc_log_about {
	const char *space, *body, *source; /* a source by its kind */
	const char *state;                 /* that it is in now */
	bool is_audit;                     /* who did what: never left out, however often */
};

struct jc_log {
	int fd;       /* borrowed */
	bool journal; /* fd leads to journald, which takes the level as a prefix */
	/* Takes lines instead, escaped, and their fields as they are; false: it could not.
	 * NULL: none. */
	bool (*send)(enum jc_log_level level, const char *text, const struct jc_log_about *about);
	struct jc_log_limit *limit; /* borrowed; NULL: none */
};

/* journal_stream is the environment's JOURNAL_STREAM ("device:inode" of the
 * stream), or NULL. */
void jc_log_init(struct jc_log *log, int fd, const char *journal_stream);

/* One line. What is not plain in it (jointcast/text.h) is escaped: no text of a peer can end
 * the line, steer a terminal or show the line in another order. */
void jc_log_write(const struct jc_log *log, enum jc_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same of something that changed its state. */
void jc_log_event(const struct jc_log *log, enum jc_log_level level,
	const struct jc_log_about *about, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* An error: "subject: what, where". subject may be NULL. */
void jc_log_diagnostic(
	const struct jc_log *log, const char *subject, const struct jc_diagnostic *diagnostic);

#endif
