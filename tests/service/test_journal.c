/* Entries as journald gets them: its socket is ours, in a mount namespace of our own. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "notify/journal.h"
#include "unit_test.h"

#define FOLDER "/run/systemd/journal"

static int journal = -1;

/* Tests the log on a stream that leads to the journal (JOURNAL_STREAM of systemd). */
static void open_log(struct jc_log *log, int ends[2])
{
	struct stat status;
	char stream[64];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fstat(ends[1], &status), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)status.st_dev,
		(uintmax_t)status.st_ino);
	jc_log_init(log, ends[1], stream);
	jc_journal_attach(log);
}

static void close_log(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static bool has_line(const char *entry, const char *line)
{
	const char *found = strstr(entry, line);

	return found && (found == entry || found[-1] == '\n') && found[strlen(line)] == '\n';
}

static void change_of_state_has_its_fields(void **)
{
	const struct jc_log_about about = {
		.space = "lobby", .body = "Ada", .source = "vmc", .state = "live"
	};
	struct jc_log log;
	char entry[4096] = { 0 };
	int ends[2];

	open_log(&log, ends);
	jc_log_event(&log, JC_LOG_WARNING, &about, "'%s' comes in", "Ada");
	assert_true(recv(journal, entry, sizeof(entry) - 1, 0) > 0);
	assert_true(has_line(entry, "MESSAGE='Ada' comes in"));
	assert_true(has_line(entry, "PRIORITY=4"));
	assert_true(has_line(entry, "JOINTCAST_SPACE=lobby"));
	assert_true(has_line(entry, "JOINTCAST_BODY=Ada"));
	assert_true(has_line(entry, "JOINTCAST_SOURCE=vmc"));
	assert_true(has_line(entry, "JOINTCAST_STATE=live"));
	close_log(ends);
}

static void fields_contain_no_line_feeds_or_bidirectional_controls(void **)
{
	const struct jc_log_about about = { .space = "lobby", .body = "A\u202eda\nMESSAGE=no" };
	struct jc_log log;
	char entry[4096] = { 0 };
	int ends[2];

	open_log(&log, ends);
	jc_log_event(&log, JC_LOG_INFO, &about, "'%s' comes in", "A\u202eda");
	assert_true(recv(journal, entry, sizeof(entry) - 1, 0) > 0);
	assert_true(has_line(entry, "MESSAGE='A\\u202eda' comes in"));
	assert_true(has_line(entry, "JOINTCAST_BODY=A\\u202eda\\x0aMESSAGE=no"));
	close_log(ends);
}

static void omits_fields_without_a_value(void **)
{
	struct jc_log log;
	char entry[4096] = { 0 };
	int ends[2];

	open_log(&log, ends);
	jc_log_write(&log, JC_LOG_INFO, "ready");
	assert_true(recv(journal, entry, sizeof(entry) - 1, 0) > 0);
	assert_true(has_line(entry, "MESSAGE=ready"));
	assert_true(has_line(entry, "PRIORITY=6"));
	assert_null(strstr(entry, "JOINTCAST_"));
	close_log(ends);
}

static void writes_text_with_its_level_without_journald(void **)
{
	struct jc_log log;
	char text[256] = { 0 };
	int ends[2];

	assert_int_equal(unlink(FOLDER "/socket"), 0);
	open_log(&log, ends);
	jc_log_write(&log, JC_LOG_ERROR, "no");
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "<3>no\n");
	close_log(ends);
}

static int set_up(void **)
{
	const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = FOLDER "/socket" };

	journal = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return mkdir("/run/systemd", 0755) || mkdir(FOLDER, 0755) ||
	       bind(journal, (const struct sockaddr *)&address, sizeof(address));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(change_of_state_has_its_fields),
		cmocka_unit_test(fields_contain_no_line_feeds_or_bidirectional_controls),
		cmocka_unit_test(omits_fields_without_a_value),
		cmocka_unit_test(writes_text_with_its_level_without_journald),
	};

	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		mount("tmpfs", "/run", "tmpfs", 0, NULL) != 0) {
		fputs("no mount namespaces here\n", stderr);
		return 77;
	}
	return cmocka_run_group_tests(tests, set_up, NULL);
}
