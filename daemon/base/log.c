/* One write(2) a line, so that lines of several processes never mix. */
#include "base/log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void jc_log_init(struct jc_log *log, int fd, const char *journal_stream)
{
	struct stat status;
	char identity[64];

	log->fd = fd;
	log->journal = false;
	if (!journal_stream || fstat(fd, &status) != 0) {
		return;
	}
	snprintf(identity, sizeof(identity), "%ju:%ju", (uintmax_t)status.st_dev,
		(uintmax_t)status.st_ino);
	log->journal = strcmp(identity, journal_stream) == 0;
}

static const char *level_name(enum jc_log_level level)
{
	switch (level) {
	case JC_LOG_ERROR:
		return "error: ";
	case JC_LOG_WARNING:
		return "warning: ";
	default:
		return "";
	}
}

void jc_log_write(const struct jc_log *log, enum jc_log_level level, const char *format, ...)
{
	char line[1024];
	va_list arguments;
	int head = log->journal ? snprintf(line, sizeof(line), "<%d>", (int)level)
				: snprintf(line, sizeof(line), "jointcastd: %s", level_name(level));

	va_start(arguments, format);
	int text = vsnprintf(line + head, sizeof(line) - (size_t)head - 1, format, arguments);
	va_end(arguments);
	if (text < 0) {
		return;
	}

	size_t length = strlen(line);
	for (size_t i = (size_t)head; i < length; i++) {
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f) {
			line[i] = '?';
		}
	}
	line[length++] = '\n';
	/* Nowhere is left to report that the log itself cannot be written. */
	if (write(log->fd, line, length) < 0) {
		return;
	}
}

void jc_log_diagnostic(
	const struct jc_log *log, const char *subject, const struct jc_diagnostic *diagnostic)
{
	jc_log_write(log, JC_LOG_ERROR, "%s%s%s%s%s", subject ? subject : "", subject ? ": " : "",
		diagnostic->what, diagnostic->where[0] ? ", " : "", diagnostic->where);
}
