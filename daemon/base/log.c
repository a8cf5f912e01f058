/* Writes each line with one write(2), so that lines of several processes never mix. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast_private/text.h"

#define LINE_BYTES  1024
#define HEAD_BYTES  32 /* the prefix and the end of the line */
#define CAPACITY_NS (JC_LOG_BURST * INT64_C(1000000000) / JC_LOG_PER_SECOND)

int jc_log_limit_init(struct jc_log_limit *limit)
{
	limit->count = 0;
	return uv_mutex_init(&limit->mutex);
}

void jc_log_limit_finish(struct jc_log_limit *limit)
{
	uv_mutex_destroy(&limit->mutex);
}

static struct jc_log_kind *find(struct jc_log_limit *limit, const char *format, int64_t now_ns)
{
	for (unsigned i = 0; i < limit->count; i++) {
		if (limit->kinds[i].format == format) {
			return &limit->kinds[i];
		}
	}
	if (limit->count == JC_LOG_KINDS) {
		return NULL;
	}
	struct jc_log_kind *kind = &limit->kinds[limit->count++];

	*kind = (struct jc_log_kind){ .format = format };
	jc_token_bucket_init_capacity(&kind->lines, CAPACITY_NS, now_ns);
	return kind;
}

bool jc_log_limit_allows(
	struct jc_log_limit *limit, const char *format, int64_t now_ns, unsigned *out_left_out)
{
	uv_mutex_lock(&limit->mutex);
	struct jc_log_kind *kind = find(limit, format, now_ns);
	bool allows = true;

	*out_left_out = 0;
	if (kind) {
		allows = jc_token_bucket_spend(&kind->lines, 1, JC_LOG_PER_SECOND, now_ns);
		*out_left_out = allows ? kind->left_out : 0;
		kind->left_out = allows ? 0 : kind->left_out + 1;
	}
	uv_mutex_unlock(&limit->mutex);
	return allows;
}

void jc_log_init(struct jc_log *log, int fd, const char *journal_stream)
{
	struct stat status;
	char identity[64];

	*log = (struct jc_log){ .fd = fd };
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

static void emit(const struct jc_log *log, enum jc_log_level level,
	const struct jc_log_about *about, const char *raw)
{
	char text[LINE_BYTES - HEAD_BYTES];
	char line[LINE_BYTES];

	jc_text_escape(raw, text, sizeof(text));
	if (log->send && log->send(level, text, about)) {
		return;
	}
	int length = log->journal ? snprintf(line, sizeof(line), "<%d>%s\n", (int)level, text)
				  : snprintf(line, sizeof(line), "jointcastd: %s%s\n",
					    level_name(level), text);

	/* An error of the log itself cannot be reported anywhere. */
	if (length < 0 || write(log->fd, line, (size_t)length) < 0) {
		return;
	}
}

static void write_line(const struct jc_log *log, enum jc_log_level level,
	const struct jc_log_about *about, const char *format, va_list arguments)
{
	char text[LINE_BYTES - HEAD_BYTES];
	unsigned left_out;

	if (log->limit && !about->is_audit) {
		if (!jc_log_limit_allows(log->limit, format, jc_clock_now_ns(), &left_out)) {
			return;
		}
		if (left_out > 0) {
			snprintf(text, sizeof(text), "%u lines like the next one were left out",
				left_out);
			emit(log, level, about, text);
		}
	}
	if (vsnprintf(text, sizeof(text), format, arguments) >= 0) {
		emit(log, level, about, text);
	}
}

void jc_log_write(const struct jc_log *log, enum jc_log_level level, const char *format, ...)
{
	const struct jc_log_about nothing = { 0 };
	va_list arguments;

	va_start(arguments, format);
	write_line(log, level, &nothing, format, arguments);
	va_end(arguments);
}

void jc_log_event(const struct jc_log *log, enum jc_log_level level,
	const struct jc_log_about *about, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line(log, level, about, format, arguments);
	va_end(arguments);
}

void jc_log_diagnostic(
	const struct jc_log *log, const char *subject, const struct jc_diagnostic *diagnostic)
{
	jc_log_write(log, JC_LOG_ERROR, "%s%s%s%s%s", subject ? subject : "", subject ? ": " : "",
		diagnostic->what, diagnostic->where[0] ? ", " : "", diagnostic->where);
}
