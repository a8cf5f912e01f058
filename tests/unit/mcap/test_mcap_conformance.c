/* Tests the conformance suite of MCAP (github.com/foxglove/mcap): reading a file gives exactly
 * the records that its JSON lists, and writing them gives its bytes. Skipped if $JOINTCAST_DATA and
 * ../shared/data are absent. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/mcap_reader.h"
#include "mcap_json.h"
#include "unit_test.h"

struct fixture {
	char name[NAME_MAX + 1];
	json_t *json;
	uint8_t *bytes;
	size_t length;
};

static char folder[PATH_MAX];

static void find_folder(void)
{
	const char *data = getenv("JOINTCAST_DATA");

	snprintf(folder, sizeof(folder), "%s/mcap/conformance", data ? data : JC_DATA_FOLDER);
}

static void read_fixture(const char *name, struct fixture *out_fixture)
{
	char path[PATH_MAX + NAME_MAX + 2];
	FILE *file;
	long size;

	snprintf(out_fixture->name, sizeof(out_fixture->name), "%s", name);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out_fixture->json = json_load_file(path, 0, NULL);
	assert_non_null(out_fixture->json);
	strcpy(path + strlen(path) - strlen("json"), "mcap");
	file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	out_fixture->bytes = malloc((size_t)size);
	out_fixture->length = fread(out_fixture->bytes, 1, (size_t)size, file);
	fclose(file);
}

/* Calls each with every fixture; the suite has 112. */
static void for_all(void (*each)(const struct fixture *fixture))
{
	DIR *directory = opendir(folder);
	struct dirent *entry;
	size_t count = 0;

	if (!directory) {
		print_message("skipped: no conformance files in %s\n", folder);
		skip();
	}
	while ((entry = readdir(directory)) != NULL) {
		struct fixture fixture;
		size_t length = strlen(entry->d_name);

		if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0) {
			continue;
		}
		read_fixture(entry->d_name, &fixture);
		each(&fixture);
		json_decref(fixture.json);
		free(fixture.bytes);
		count++;
	}
	closedir(directory);
	assert_true(count >= 112);
}

static void scan(const struct fixture *fixture)
{
	struct jc_mcap_slice slice = { fixture->bytes, fixture->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	json_t *records = json_array();
	int error;

	assert_int_equal(jc_mcap_scanner_create(&input, &scanner, &diagnostic), JC_OK);
	while ((error = jc_mcap_scanner_next(scanner, &record, &diagnostic)) == JC_OK) {
		json_t *json = mcap_json_record(&record);

		if (json) {
			json_array_append_new(records, json);
		}
	}
	jc_mcap_scanner_destroy(scanner);
	if (error != JC_ERROR_ABSENT) {
		fail_msg("%s: %s, %s", fixture->name, diagnostic.what, diagnostic.where);
	}
	if (!json_equal(records, json_object_get(fixture->json, "records"))) {
		fail_msg("%s: %s", fixture->name, json_dumps(records, JSON_COMPACT));
	}
	json_decref(records);
}

static void scans_every_file_into_the_records_of_its_json(void **)
{
	for_all(scan);
}

/* By log time, those of one time as the file has them. */
static json_t *expect_in_order(const json_t *records)
{
	json_t *messages = json_array();

	for (size_t i = 0; i < json_array_size(records); i++) {
		json_t *record = json_array_get(records, i);
		size_t at = json_array_size(messages);
		json_t *fields = json_object_get(record, "fields");

		if (strcmp(json_string_value(json_object_get(record, "type")), "Message") != 0) {
			continue;
		}
		while (at > 0) {
			json_t *before = json_array_get(messages, at - 1);
			json_t *time = json_array_get(json_object_get(before, "fields"), 2);

			if (atoi(json_string_value(json_array_get(time, 1))) <=
				atoi(json_string_value(
					json_array_get(json_array_get(fields, 2), 1)))) {
				break;
			}
			at--;
		}
		json_array_insert(messages, at, record);
	}
	return messages;
}

static void seek(const struct fixture *fixture)
{
	struct jc_mcap_slice slice = { fixture->bytes, fixture->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_index *index;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_record record = { .opcode = JC_MCAP_MESSAGE };
	json_t *expected = expect_in_order(json_object_get(fixture->json, "records"));
	json_t *messages = json_array();

	assert_int_equal(jc_mcap_index_read(&input, &index, &diagnostic), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(&input, index, &range, &cursor), JC_OK);
	while (jc_mcap_cursor_next(cursor, &record.message, &diagnostic) == JC_OK) {
		assert_non_null(jc_mcap_index_channel(index, record.message.channel_id));
		json_array_append_new(messages, mcap_json_record(&record));
	}
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
	if (!json_equal(messages, expected)) {
		fail_msg("%s: %s", fixture->name, json_dumps(messages, JSON_COMPACT));
	}
	json_decref(messages);
	json_decref(expected);
}

static void reads_messages_of_every_file_in_log_time_order(void **)
{
	for_all(seek);
}

static void write(const struct fixture *fixture)
{
	uint8_t *bytes;
	size_t length;

	mcap_json_write(fixture->json, &bytes, &length);
	if (length != fixture->length || memcmp(bytes, fixture->bytes, length) != 0) {
		fail_msg("%s: %zu bytes instead of %zu, or others", fixture->name, length,
			fixture->length);
	}
	free(bytes);
}

static void writes_every_file_from_its_json_byte_for_byte(void **)
{
	for_all(write);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scans_every_file_into_the_records_of_its_json),
		cmocka_unit_test(reads_messages_of_every_file_in_log_time_order),
		cmocka_unit_test(writes_every_file_from_its_json_byte_for_byte),
	};

	find_folder();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
