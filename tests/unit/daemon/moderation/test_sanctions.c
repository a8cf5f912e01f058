/* Tests sanctions: lookup, replacement, removal, expiry, maxima, and their file. */
#include "moderation/sanctions.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jointcast/error.h"
#include "moderation/sanction_file.h"
#include "unit_test.h"

static struct jc_sanction make(
	const char *space, enum jc_sanction_kind kind, const char *who, int64_t until_s)
{
	struct jc_sanction sanction = { .kind = kind, .since_s = 100, .until_s = until_s };

	snprintf(sanction.space, sizeof(sanction.space), "%s", space);
	snprintf(sanction.who, sizeof(sanction.who), "%s", who);
	snprintf(sanction.by, sizeof(sanction.by), "subject mia");
	return sanction;
}

static void put(struct jc_sanctions *sanctions, const char *space, enum jc_sanction_kind kind,
	const char *who, int64_t until_s)
{
	struct jc_sanction sanction = make(space, kind, who, until_s);

	assert_int_equal(jc_sanctions_put(sanctions, &sanction), JC_OK);
}

static void finds_a_sanction_by_space_kind_and_person(void **)
{
	struct jc_sanctions sanctions = { 0 };

	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject eve", INT64_MAX);
	put(&sanctions, "attic", JC_SANCTION_MUTE, "subject eve", INT64_MAX);
	assert_non_null(jc_sanctions_find(&sanctions, "lobby", JC_SANCTION_BAN, "subject eve"));
	assert_null(jc_sanctions_find(&sanctions, "attic", JC_SANCTION_BAN, "subject eve"));
	assert_null(jc_sanctions_find(&sanctions, "lobby", JC_SANCTION_MUTE, "subject eve"));
	assert_null(jc_sanctions_find(&sanctions, "lobby", JC_SANCTION_BAN, "address eve"));
	assert_null(jc_sanctions_find(&sanctions, "lobby", JC_SANCTION_BAN, "subject ev"));
	jc_sanctions_finish(&sanctions);
}

static void replaces_a_sanction_of_the_same_kind(void **)
{
	struct jc_sanctions sanctions = { 0 };

	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject eve", 200);
	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject eve", 300);
	assert_int_equal(sanctions.count, 1);
	assert_int_equal(sanctions.list[0].until_s, 300);
	jc_sanctions_finish(&sanctions);
}

static void sanctions_of_a_space_are_adjacent(void **)
{
	static const char *const people[] = { "subject d", "subject a", "body c", "address b" };
	struct jc_sanctions sanctions = { 0 };
	const struct jc_sanction *first;

	for (size_t i = 0; i < 4; i++) {
		put(&sanctions, "lobby", JC_SANCTION_BAN, people[i], INT64_MAX);
		put(&sanctions, "attic", JC_SANCTION_HIDE, people[i], INT64_MAX);
		put(&sanctions, "lobby2", JC_SANCTION_HIDE, people[i], INT64_MAX);
	}
	assert_int_equal(jc_sanctions_of(&sanctions, "lobby", &first), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(first[i].space, "lobby");
	}
	assert_int_equal(jc_sanctions_of(&sanctions, "cellar", &first), 0);
	jc_sanctions_finish(&sanctions);
}

static void removes_only_lifted_and_expired_sanctions(void **)
{
	struct jc_sanctions sanctions = { 0 };

	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject a", 200);
	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject b", 201);
	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject c", INT64_MAX);
	assert_false(jc_sanctions_expire(&sanctions, 199));
	assert_true(jc_sanctions_expire(&sanctions, 200));
	assert_null(jc_sanctions_find(&sanctions, "lobby", JC_SANCTION_BAN, "subject a"));
	assert_non_null(jc_sanctions_find(&sanctions, "lobby", JC_SANCTION_BAN, "subject b"));
	assert_true(jc_sanctions_lift(&sanctions, "lobby", JC_SANCTION_BAN, "subject c"));
	assert_false(jc_sanctions_lift(&sanctions, "lobby", JC_SANCTION_BAN, "subject c"));
	assert_int_equal(sanctions.count, 1);
	jc_sanctions_finish(&sanctions);
}

static void enforces_maxima_per_space_and_in_all(void **)
{
	struct jc_sanctions sanctions = { 0 };
	char space[16], who[32];

	for (unsigned i = 0; i < JC_MAX_SANCTIONS; i++) {
		snprintf(space, sizeof(space), "s%u", i / JC_MAX_SANCTIONS_OF_SPACE);
		snprintf(who, sizeof(who), "subject %u", i * 7919u % JC_MAX_SANCTIONS);
		put(&sanctions, space, JC_SANCTION_BAN, who, INT64_MAX);
	}
	struct jc_sanction more = make("s0", JC_SANCTION_BAN, "subject more", INT64_MAX);

	assert_int_equal(jc_sanctions_put(&sanctions, &more), JC_ERROR_LIMIT);
	assert_true(jc_sanctions_lift(&sanctions, "s1", JC_SANCTION_BAN, sanctions.list[600].who));
	assert_int_equal(jc_sanctions_put(&sanctions, &more), JC_ERROR_LIMIT);
	strcpy(more.space, "s1");
	assert_int_equal(jc_sanctions_put(&sanctions, &more), JC_OK);
	strcpy(more.space, "new");
	assert_int_equal(jc_sanctions_put(&sanctions, &more), JC_ERROR_LIMIT);
	jc_sanctions_finish(&sanctions);
}

static const char *write_file(const char *text)
{
	static char path[] = "/tmp/jointcast-sanctions-XXXXXX";
	static bool has_name;
	int fd = has_name ? open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600) : mkstemp(path);

	has_name = true;
	assert_int_equal(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static void file_restores_all_sanctions(void **)
{
	struct jc_sanctions sanctions = { 0 }, back = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanction odd = make("lobby", JC_SANCTION_MUTE, "subject \"\xc3\xa9\\", 12345);

	strcpy(odd.reason, "a 'reason'");
	assert_int_equal(jc_sanctions_put(&sanctions, &odd), JC_OK);
	put(&sanctions, "attic", JC_SANCTION_BAN, "address ::1", INT64_MAX);

	char *text = jc_sanction_file_format(&sanctions, NULL, 0);

	assert_non_null(text);
	assert_int_equal(jc_sanction_file_read(write_file(text), &back, &diagnostic), JC_OK);
	assert_int_equal(back.count, 2);
	assert_string_equal(back.list[0].who, "address ::1");
	assert_int_equal(back.list[0].until_s, INT64_MAX);
	assert_string_equal(back.list[1].who, odd.who);
	assert_string_equal(back.list[1].by, "subject mia");
	assert_string_equal(back.list[1].reason, "a 'reason'");
	assert_int_equal(back.list[1].kind, JC_SANCTION_MUTE);
	assert_int_equal(back.list[1].since_s, 100);
	assert_int_equal(back.list[1].until_s, 12345);
	free(text);
	jc_sanctions_finish(&sanctions);
	jc_sanctions_finish(&back);
}

static void missing_file_is_empty_and_broken_file_is_an_error(void **)
{
	static const char *const broken[] = { "", "{}", "[]", "{\"jointcast\":\"sanctions\"}",
		"{\"jointcast\":\"sanctions\",\"sanctions\":[{}]}",
		("{\"jointcast\":\"sanctions\",\"sanctions\":[{\"space\":\"lobby\",\"kind\":"
		 "\"Exile\",\"who\":\"subject a\",\"by\":\"\",\"reason\":\"\",\"since\":1}]}"),
		("{\"jointcast\":\"sanctions\",\"sanctions\":[{\"space\":\"lobby\",\"kind\":"
		 "\"ban\","
		 "\"who\":\"subject a\",\"by\":\"\",\"reason\":\"\",\"since\":\"1\"}]}") };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanctions sanctions = { 0 };

	assert_int_equal(jc_sanction_file_read("/nonexistent/s", &sanctions, &diagnostic), JC_OK);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		assert_int_equal(
			jc_sanction_file_read(write_file(broken[i]), &sanctions, &diagnostic),
			JC_ERROR_INVALID);
		assert_int_equal(sanctions.count, 0);
	}
	unlink(write_file(""));
}

#define SANCTION_OF(kind, since, more)                                                             \
	"{\"space\":\"lobby\",\"kind\":\"" kind "\",\"who\":\"subject eve\",\"by\":\"\","          \
	"\"reason\":\"\",\"since\":" since more "}"

/* A newer version wrote "until" beside "appeal", and a list of its own. */
static const char newer[] =
	"{\"jointcast\":\"sanctions\",\"version\":1,\"sanctions\":[" SANCTION_OF("ban", "100",
		",\"until\":900,\"appeal\":{\"by\":[\"mia\"]}") "," SANCTION_OF("mute", "100",
		",\"appeal\":2") "],\"warnings\":[1,2.5,null]}";

static void members_of_a_newer_version_stay_in_the_file(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanctions sanctions = { 0 };
	const char *path = write_file(newer);
	char text[4096] = "";

	assert_int_equal(jc_sanction_file_read(path, &sanctions, &diagnostic), JC_OK);
	assert_int_equal(sanctions.count, 2);
	/* Another mute, which has no end: it is not the sanction that the newer version knows. */
	struct jc_sanction again = make("lobby", JC_SANCTION_MUTE, "subject eve", INT64_MAX);

	again.since_s = 200;
	assert_int_equal(jc_sanctions_put(&sanctions, &again), JC_OK);
	put(&sanctions, "lobby", JC_SANCTION_HIDE, "subject ada", 300);
	assert_int_equal(jc_sanction_file_write(path, &sanctions, &diagnostic), JC_OK);
	jc_sanctions_finish(&sanctions);

	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	json_t *root = json_loads(text, 0, NULL);
	const json_t *list = json_object_get(root, "sanctions");

	assert_int_equal(json_array_size(list), 3);
	for (size_t i = 0; i < 3; i++) {
		const json_t *entry = json_array_get(list, i);
		const char *kind = json_string_value(json_object_get(entry, "kind"));
		const json_t *appeal = json_object_get(entry, "appeal");

		assert_int_equal(!!appeal, strcmp(kind, "ban") == 0);
		assert_int_equal(!!json_object_get(entry, "until"), strcmp(kind, "mute") != 0);
	}
	json_t *warnings = json_pack("[ifn]", 1, 2.5);

	assert_true(json_equal(json_object_get(root, "warnings"), warnings));
	assert_int_equal(json_integer_value(json_object_get(root, "version")), 1);
	json_decref(warnings);
	json_decref(root);
	unlink(path);
	/* Without an earlier file there is nothing to keep. */
	assert_int_equal(jc_sanction_file_write(path, &sanctions, &diagnostic), JC_OK);
	unlink(path);
}

static const char foreign[] =
	"{\"jointcast\":\"sanctions\",\"version\":1,\"sanctions\":[" SANCTION_OF(
		"ban", "100", "") ",{\"kind\":\"slow-down\",\"where\":[\"lobby\"],\"factor\":0.5}"
				  "," SANCTION_OF("exile", "100", ",\"until\":7") "]}";

/* A kind that only a newer version knows is in the file as before, whatever else changes. */
static void kinds_of_a_newer_version_stay_in_the_file(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanctions sanctions = { 0 }, again = { 0 };
	const char *path = write_file(foreign);

	assert_int_equal(jc_sanction_file_read(path, &sanctions, &diagnostic), JC_OK);
	assert_int_equal(sanctions.count, 1);
	assert_int_equal(sanctions.unknown, 2);
	assert_int_equal(sanctions.list[0].kind, JC_SANCTION_BAN);
	assert_true(jc_sanctions_lift(&sanctions, "lobby", JC_SANCTION_BAN, "subject eve"));
	put(&sanctions, "attic", JC_SANCTION_MUTE, "subject ada", INT64_MAX);
	/* Twice: what was kept is kept once more. */
	assert_int_equal(jc_sanction_file_write(path, &sanctions, &diagnostic), JC_OK);
	assert_int_equal(jc_sanction_file_write(path, &sanctions, &diagnostic), JC_OK);
	assert_int_equal(jc_sanction_file_read(path, &again, &diagnostic), JC_OK);
	assert_int_equal(again.count, 1);
	assert_int_equal(again.list[0].kind, JC_SANCTION_MUTE);
	assert_int_equal(again.unknown, 2);

	json_t *before = json_loads(foreign, 0, NULL), *after = json_load_file(path, 0, NULL);
	const json_t *old = json_object_get(before, "sanctions");
	const json_t *list = json_object_get(after, "sanctions");

	assert_int_equal(json_array_size(list), 3);
	assert_true(json_equal(json_array_get(list, 1), json_array_get(old, 1)));
	assert_true(json_equal(json_array_get(list, 2), json_array_get(old, 2)));
	json_decref(before);
	json_decref(after);
	jc_sanctions_finish(&sanctions);
	jc_sanctions_finish(&again);
	unlink(path);
}

static void file_of_a_higher_version_is_not_replaced(void **)
{
	static const char higher[] =
		"{\"jointcast\":\"sanctions\",\"version\":2,\"sanctions\":[" SANCTION_OF(
			"ban", "100", "") "]}";
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanctions sanctions = { 0 };
	const char *path = write_file(higher);

	put(&sanctions, "lobby", JC_SANCTION_MUTE, "subject eve", INT64_MAX);
	assert_int_equal(
		jc_sanction_file_write(path, &sanctions, &diagnostic), JC_ERROR_UNSUPPORTED);
	assert_string_equal(diagnostic.what,
		"the file has version 2, which a newer jointcastd wrote; this one reads version 1");
	json_t *root = json_load_file(path, 0, NULL), *expected = json_loads(higher, 0, NULL);

	assert_non_null(root);
	assert_true(json_equal(root, expected));
	json_decref(root);
	json_decref(expected);
	jc_sanctions_finish(&sanctions);
	unlink(path);
}

static void members_of_a_higher_version_do_not_stay(void **)
{
	static const char higher[] =
		"{\"jointcast\":\"sanctions\",\"version\":2,\"sanctions\":[" SANCTION_OF(
			"ban", "100", ",\"appeal\":2") "],\"warnings\":[1]}";
	struct jc_sanctions sanctions = { 0 };

	put(&sanctions, "lobby", JC_SANCTION_BAN, "subject eve", INT64_MAX);
	char *text = jc_sanction_file_format(&sanctions, higher, strlen(higher));
	char *expected = jc_sanction_file_format(&sanctions, NULL, 0);

	assert_non_null(expected);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
	jc_sanctions_finish(&sanctions);
}

static void file_of_a_higher_version_is_an_error(void **)
{
	static const char *const texts[] = {
		"{\"jointcast\":\"sanctions\",\"version\":2,\"sanctions\":[]}",
		"{\"jointcast\":\"sanctions\",\"version\":0,\"sanctions\":[]}",
		"{\"jointcast\":\"sanctions\",\"version\":\"1\",\"sanctions\":[]}"
	};
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanctions sanctions = { 0 };

	assert_int_equal(
		jc_sanction_file_parse(texts[0], strlen(texts[0]), &sanctions, &diagnostic),
		JC_ERROR_UNSUPPORTED);
	assert_string_equal(diagnostic.what,
		"the file has version 2, which a newer jointcastd wrote; this one reads version 1");
	for (int i = 1; i < 3; i++) {
		assert_int_equal(
			jc_sanction_file_parse(texts[i], strlen(texts[i]), &sanctions, &diagnostic),
			JC_ERROR_INVALID);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_sanction_by_space_kind_and_person),
		cmocka_unit_test(replaces_a_sanction_of_the_same_kind),
		cmocka_unit_test(sanctions_of_a_space_are_adjacent),
		cmocka_unit_test(removes_only_lifted_and_expired_sanctions),
		cmocka_unit_test(enforces_maxima_per_space_and_in_all),
		cmocka_unit_test(file_restores_all_sanctions),
		cmocka_unit_test(missing_file_is_empty_and_broken_file_is_an_error),
		cmocka_unit_test(members_of_a_newer_version_stay_in_the_file),
		cmocka_unit_test(kinds_of_a_newer_version_stay_in_the_file),
		cmocka_unit_test(file_of_a_higher_version_is_not_replaced),
		cmocka_unit_test(members_of_a_higher_version_do_not_stay),
		cmocka_unit_test(file_of_a_higher_version_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
