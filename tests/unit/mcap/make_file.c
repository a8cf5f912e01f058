/* Files whose content the tests know. */
#include "make_file.h"

#include <stdio.h>

#include "unit_test.h"

static void define(struct jc_mcap_writer *writer)
{
	struct jc_mcap_schema schema = { 1, jc_mcap_text("Number"), jc_mcap_text("jsonschema"),
		jc_mcap_text("{}") };
	struct jc_mcap_channel channel = { 1, 1, jc_mcap_text("/a"), jc_mcap_text("json"),
		{ NULL, 0 } };

	assert_int_equal(jc_mcap_write_schema(writer, &schema), JC_OK);
	assert_int_equal(jc_mcap_write_channel(writer, &channel), JC_OK);
	channel.id = 2;
	channel.topic = jc_mcap_text("/b");
	assert_int_equal(jc_mcap_write_channel(writer, &channel), JC_OK);
}

static void write_messages(struct jc_mcap_writer *writer, const struct file_plan *plan)
{
	for (unsigned i = 0; i < 10 * plan->chunks; i++) {
		char text[65];
		struct jc_mcap_message message = {
			.channel_id = (uint16_t)(1 + i % 2),
			.sequence = i,
			.log_time = (i + 1) * plan->period,
			.publish_time = i * plan->period,
			.data = { text, plan->data_length },
		};

		snprintf(text, sizeof(text), "%064u", i);
		assert_int_equal(jc_mcap_write_message(writer, &message), JC_OK);
		if (i % 10 == 9) {
			assert_int_equal(jc_mcap_writer_flush(writer), JC_OK);
		}
	}
}

static void write_extras(struct jc_mcap_writer *writer)
{
	struct jc_mcap_attachment attachment = { 1, 2, jc_mcap_text("notes"),
		jc_mcap_text("text/plain"), jc_mcap_text("hello"), 0 };
	uint8_t map[64];
	struct jc_mcap_pair pair = { "key", "value" };
	int length = jc_mcap_map_write(&pair, 1, map, sizeof(map));
	struct jc_mcap_metadata metadata = { jc_mcap_text("facts"), { map, (size_t)length } };

	assert_int_equal(jc_mcap_write_attachment(writer, &attachment), JC_OK);
	assert_int_equal(jc_mcap_write_metadata(writer, &metadata), JC_OK);
}

void make_file(const struct file_plan *plan, struct memory_sink *out_file)
{
	struct jc_mcap_writer_options options = {
		.profile = "test",
		.library = "tests",
		.parts = plan->parts,
		.compression = plan->compression,
	};
	struct memory_sink file = { 0 };
	struct jc_mcap_sink sink = memory_sink(&file);
	struct jc_mcap_writer *writer;

	assert_int_equal(jc_mcap_writer_create(&options, &sink, &writer), JC_OK);
	define(writer);
	write_messages(writer, plan);
	if (plan->closed) {
		write_extras(writer);
		assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
		assert_int_equal(jc_mcap_writer_size(writer), file.length);
	}
	jc_mcap_writer_destroy(writer);
	*out_file = file;
}
