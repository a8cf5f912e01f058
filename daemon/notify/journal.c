/* Sends log lines to journald with libsystemd. If journald cannot be reached, the log writes
 * text. */
#include "notify/journal.h"

#ifdef JC_HAVE_SYSTEMD
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include "jointcast_private/text.h"

#define SOCKET      "/run/systemd/journal/socket"
#define FIELD_BYTES 256

struct entry {
	struct iovec fields[6];
	int count;
	char texts[5][FIELD_BYTES];
};

static void put(struct entry *entry, const char *name, const char *value)
{
	char *text = entry->texts[entry->count];

	if (value) {
		int length = snprintf(text, FIELD_BYTES, "%s=", name);

		jc_text_escape(value, text + length, FIELD_BYTES - (size_t)length);
		entry->fields[entry->count++] =
			(struct iovec){ .iov_base = text, .iov_len = strlen(text) };
	}
}

static bool send_entry(enum jc_log_level level, const char *text, const struct jc_log_about *about)
{
	struct entry entry = { .count = 0 };
	char message[1024 + sizeof("MESSAGE=")];
	char priority[8];

	snprintf(message, sizeof(message), "MESSAGE=%s", text);
	snprintf(priority, sizeof(priority), "%d", (int)level);
	put(&entry, "PRIORITY", priority);
	put(&entry, "JOINTCAST_SPACE", about->space);
	put(&entry, "JOINTCAST_BODY", about->body);
	put(&entry, "JOINTCAST_SOURCE", about->source);
	put(&entry, "JOINTCAST_STATE", about->state);
	entry.fields[entry.count] =
		(struct iovec){ .iov_base = message, .iov_len = strlen(message) };
	/* sd_journal_sendv() reports success even without a socket. */
	return access(SOCKET, F_OK) == 0 && sd_journal_sendv(entry.fields, entry.count + 1) == 0;
}

void jc_journal_attach(struct jc_log *log)
{
	if (log->journal) {
		log->send = send_entry;
	}
}

#else

void jc_journal_attach(struct jc_log *log)
{
	(void)log;
}

#endif
