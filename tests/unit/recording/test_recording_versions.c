/* Tests recordings that a newer version wrote: what it may add, and what a reader refuses. */
#include <stdlib.h>
#include <string.h>

#include "../mcap/memory_sink.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/recording_reader.h"
#include "unit_test.h"

#define TIME_NS UINT64_C(1700000000000000000)

struct file {
	struct memory_sink bytes;
	struct jc_mcap_writer *writer;
	uint16_t channel; /* the last one */
};

static struct jc_mcap_slice slice(const char *text)
{
	return (struct jc_mcap_slice){ text, strlen(text) };
}

static void add(struct file *file, const char *schema, const char *topic, const char *encoding,
	const void *bytes, size_t length)
{
	uint16_t id = ++file->channel;
	struct jc_mcap_schema kind = { id, slice(schema), slice("jsonschema"), slice("{}") };
	struct jc_mcap_channel channel = { .id = id,
		.schema_id = id,
		.topic = slice(topic),
		.message_encoding = slice(encoding) };
	struct jc_mcap_message message = { .channel_id = id,
		.log_time = TIME_NS,
		.publish_time = TIME_NS,
		.data = { bytes, length } };

	assert_int_equal(jc_mcap_write_schema(file->writer, &kind), JC_OK);
	assert_int_equal(jc_mcap_write_channel(file->writer, &channel), JC_OK);
	assert_int_equal(jc_mcap_write_message(file->writer, &message), JC_OK);
}

static void add_json(struct file *file, const char *schema, const char *topic, const char *text)
{
	add(file, schema, topic, "json", text, strlen(text));
}

/* A recording of Ada, whose only capture this version cannot read; every message has a member that
 * it does not know. */
static void begin(struct file *file, const char *session)
{
	static const uint8_t captures[] = { 1, 7, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0xff, 0xff };
	struct jc_mcap_writer_options options = {
		.profile = "jointcast", .library = "jointcast 9.0", .parts = JC_MCAP_ALL_PARTS
	};
	struct jc_mcap_sink sink;

	*file = (struct file){ 0 };
	sink = memory_sink(&file->bytes);
	assert_int_equal(jc_mcap_writer_create(&options, &sink, &file->writer), JC_OK);
	add_json(file, "jointcast.Session", "/lobby/session", session);
	add_json(file, "jointcast.Roster", "/lobby/roster",
		"{\"time\":0,\"revision\":1,\"mood\":[1],\"bodies\":[{\"id\":3,\"name\":\"Ada\","
		"\"recorded\":\"raw\",\"kind\":\"poses\",\"shoes\":{\"size\":39}}]}");
	add(file, "jointcast.Captures", "/lobby/captures", "jointcast", captures, sizeof(captures));
}

static void end(struct file *file)
{
	assert_int_equal(jc_mcap_writer_end(file->writer), JC_OK);
	jc_mcap_writer_destroy(file->writer);
}

#define SESSION(version, more)                                                                     \
	"{\"version\":" version ",\"library\":\"x\",\"space\":\"lobby\",\"epoch\":\"e\","          \
	"\"tickHz\":60,\"part\":0,\"epochUnixNs\":\"1700000000000000000\",\"time\":0" more "}"

static void members_and_topics_of_a_newer_version_are_ignored(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording *recording;
	struct file file;

	begin(&file, SESSION("1", ",\"room\":\"attic\""));
	add_json(&file, "jointcast.Weather", "/lobby/weather", "{\"time\":0,\"rain\":true}");
	end(&file);
	struct jc_mcap_slice bytes = { file.bytes.bytes, file.bytes.length };
	struct jc_mcap_input input = jc_mcap_input_memory(&bytes);

	if (jc_recording_open(&input, &recording, &diagnostic) != JC_OK) {
		fail_msg("%s", diagnostic.what);
	}
	assert_string_equal(jc_recording_session(recording)->epoch, "e");
	assert_int_equal(jc_recording_session(recording)->damage_count, 0);
	assert_int_equal(jc_recording_roster_count(recording), 1);
	assert_string_equal(jc_recording_roster(recording, 0)->bodies[0].name, "Ada");
	jc_recording_close(recording);
	free(file.bytes.bytes);
}

static void a_recording_of_a_higher_version_is_refused(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording *recording;
	struct jc_forgotten forgotten;
	struct memory_sink copy = { 0 };
	struct jc_mcap_sink sink = memory_sink(&copy);
	struct file file;

	begin(&file, SESSION("2", ""));
	end(&file);
	struct jc_mcap_slice bytes = { file.bytes.bytes, file.bytes.length };
	struct jc_mcap_input input = jc_mcap_input_memory(&bytes);

	assert_int_equal(jc_recording_open(&input, &recording, &diagnostic), JC_ERROR_UNSUPPORTED);
	assert_string_equal(
		diagnostic.what, "a recording of version 2; this program reads version 1");
	assert_int_equal(
		jc_recording_forget(&input, "Ada", "tests", &sink, &forgotten, &diagnostic),
		JC_ERROR_UNSUPPORTED);
	free(copy.bytes);
	free(file.bytes.bytes);
}

/* Whether Ada can be forgotten where the recording has messages of that schema. */
static int forget_beside(const char *schema, struct jc_diagnostic *diagnostic)
{
	struct jc_forgotten forgotten = { 0 };
	struct memory_sink copy = { 0 };
	struct jc_mcap_sink sink = memory_sink(&copy);
	struct file file;

	begin(&file, SESSION("1", ""));
	add_json(&file, schema, "/lobby/more", "{\"time\":0,\"who\":\"Ada\"}");
	end(&file);
	struct jc_mcap_slice bytes = { file.bytes.bytes, file.bytes.length };
	struct jc_mcap_input input = jc_mcap_input_memory(&bytes);
	int status = jc_recording_forget(&input, "Ada", "tests", &sink, &forgotten, diagnostic);

	assert_int_equal(forgotten.bodies, status == JC_OK);
	free(copy.bytes);
	free(file.bytes.bytes);
	return status;
}

static void messages_of_a_newer_version_may_be_of_the_person(void **)
{
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(forget_beside("foxglove.Log", &diagnostic), JC_OK);
	assert_int_equal(forget_beside("jointcast.HeartRates", &diagnostic), JC_ERROR_UNSUPPORTED);
	assert_string_equal(diagnostic.what,
		"has messages 'jointcast.HeartRates' of a newer version, which may contain the "
		"person");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_and_topics_of_a_newer_version_are_ignored),
		cmocka_unit_test(a_recording_of_a_higher_version_is_refused),
		cmocka_unit_test(messages_of_a_newer_version_may_be_of_the_person),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
