/* Converts between MCAP records and the JSON of the conformance suite. */
#include "mcap_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/mcap_writer.h"
#include "memory_sink.h"
#include "unit_test.h"

static void add(json_t *fields, const char *name, json_t *value)
{
	json_array_append_new(fields, json_pack("[so]", name, value));
}

static json_t *number(uint64_t value)
{
	return json_sprintf("%" PRIu64, value);
}

static json_t *text(struct jc_mcap_slice slice)
{
	return json_stringn(slice.length > 0 ? slice.bytes : "", slice.length);
}

static json_t *bytes(struct jc_mcap_slice slice)
{
	json_t *array = json_array();

	for (size_t i = 0; i < slice.length; i++) {
		json_array_append_new(array, number(((const uint8_t *)slice.bytes)[i]));
	}
	return array;
}

static json_t *texts(struct jc_mcap_slice map)
{
	json_t *object = json_object();
	struct jc_mcap_slice key, value;

	while (jc_mcap_map_next(&map, &key, &value)) {
		json_object_setn_new(object, key.bytes, key.length, text(value));
	}
	return object;
}

static json_t *counts(struct jc_mcap_slice map)
{
	json_t *object = json_object();
	char name[8];
	uint16_t key;
	uint64_t value;

	while (jc_mcap_counts_next(&map, &key, &value)) {
		snprintf(name, sizeof(name), "%u", (unsigned)key);
		json_object_set_new(object, name, number(value));
	}
	return object;
}

static const char *add_data_fields(json_t *f, const struct jc_mcap_record *r)
{
	switch (r->opcode) {
	case JC_MCAP_HEADER:
		add(f, "library", text(r->header.library));
		add(f, "profile", text(r->header.profile));
		return "Header";
	case JC_MCAP_SCHEMA:
		add(f, "data", bytes(r->schema.data));
		add(f, "encoding", text(r->schema.encoding));
		add(f, "id", number(r->schema.id));
		add(f, "name", text(r->schema.name));
		return "Schema";
	case JC_MCAP_CHANNEL:
		add(f, "id", number(r->channel.id));
		add(f, "message_encoding", text(r->channel.message_encoding));
		add(f, "metadata", texts(r->channel.metadata));
		add(f, "schema_id", number(r->channel.schema_id));
		add(f, "topic", text(r->channel.topic));
		return "Channel";
	case JC_MCAP_MESSAGE:
		add(f, "channel_id", number(r->message.channel_id));
		add(f, "data", bytes(r->message.data));
		add(f, "log_time", number(r->message.log_time));
		add(f, "publish_time", number(r->message.publish_time));
		add(f, "sequence", number(r->message.sequence));
		return "Message";
	case JC_MCAP_ATTACHMENT:
		add(f, "create_time", number(r->attachment.create_time));
		add(f, "data", bytes(r->attachment.data));
		add(f, "log_time", number(r->attachment.log_time));
		add(f, "media_type", text(r->attachment.media_type));
		add(f, "name", text(r->attachment.name));
		return "Attachment";
	case JC_MCAP_METADATA:
		add(f, "metadata", texts(r->metadata.pairs));
		add(f, "name", text(r->metadata.name));
		return "Metadata";
	case JC_MCAP_DATA_END:
		add(f, "data_section_crc", number(r->data_end.data_section_crc));
		return "DataEnd";
	default:
		return NULL;
	}
}

static const char *add_summary_fields(json_t *f, const struct jc_mcap_record *r)
{
	switch (r->opcode) {
	case JC_MCAP_CHUNK_INDEX:
		add(f, "chunk_length", number(r->chunk_index.chunk_length));
		add(f, "chunk_start_offset", number(r->chunk_index.chunk_offset));
		add(f, "compressed_size", number(r->chunk_index.compressed_size));
		add(f, "compression", text(r->chunk_index.compression));
		add(f, "message_end_time", number(r->chunk_index.end_time));
		add(f, "message_index_length", number(r->chunk_index.index_length));
		add(f, "message_index_offsets", counts(r->chunk_index.index_offsets));
		add(f, "message_start_time", number(r->chunk_index.start_time));
		add(f, "uncompressed_size", number(r->chunk_index.uncompressed_size));
		return "ChunkIndex";
	case JC_MCAP_ATTACHMENT_INDEX:
		add(f, "create_time", number(r->attachment_index.create_time));
		add(f, "data_size", number(r->attachment_index.data_size));
		add(f, "length", number(r->attachment_index.length));
		add(f, "log_time", number(r->attachment_index.log_time));
		add(f, "media_type", text(r->attachment_index.media_type));
		add(f, "name", text(r->attachment_index.name));
		add(f, "offset", number(r->attachment_index.offset));
		return "AttachmentIndex";
	case JC_MCAP_STATISTICS:
		add(f, "attachment_count", number(r->statistics.attachment_count));
		add(f, "channel_count", number(r->statistics.channel_count));
		add(f, "channel_message_counts", counts(r->statistics.message_counts));
		add(f, "chunk_count", number(r->statistics.chunk_count));
		add(f, "message_count", number(r->statistics.message_count));
		add(f, "message_end_time", number(r->statistics.end_time));
		add(f, "message_start_time", number(r->statistics.start_time));
		add(f, "metadata_count", number(r->statistics.metadata_count));
		add(f, "schema_count", number(r->statistics.schema_count));
		return "Statistics";
	case JC_MCAP_METADATA_INDEX:
		add(f, "length", number(r->metadata_index.length));
		add(f, "name", text(r->metadata_index.name));
		add(f, "offset", number(r->metadata_index.offset));
		return "MetadataIndex";
	case JC_MCAP_SUMMARY_OFFSET:
		add(f, "group_length", number(r->summary_offset.group_length));
		add(f, "group_opcode", number(r->summary_offset.group_opcode));
		add(f, "group_start", number(r->summary_offset.group_start));
		return "SummaryOffset";
	case JC_MCAP_FOOTER:
		add(f, "summary_crc", number(r->footer.summary_crc));
		add(f, "summary_offset_start", number(r->footer.summary_offset_start));
		add(f, "summary_start", number(r->footer.summary_start));
		return "Footer";
	default:
		return NULL;
	}
}

json_t *mcap_json_record(const struct jc_mcap_record *record)
{
	json_t *fields = json_array();
	const char *type = add_data_fields(fields, record);

	type = type ? type : add_summary_fields(fields, record);
	if (!type) {
		json_decref(fields);
		return NULL;
	}
	return json_pack("{ssso}", "type", type, "fields", fields);
}

static const json_t *field(const json_t *record, const char *name)
{
	const json_t *fields = json_object_get(record, "fields");

	for (size_t i = 0; i < json_array_size(fields); i++) {
		const json_t *pair = json_array_get(fields, i);

		if (strcmp(json_string_value(json_array_get(pair, 0)), name) == 0) {
			return json_array_get(pair, 1);
		}
	}
	fail_msg("no field '%s'", name);
	return NULL;
}

static uint64_t read_number(const json_t *record, const char *name)
{
	return strtoull(json_string_value(field(record, name)), NULL, 10);
}

static struct jc_mcap_slice read_text(const json_t *record, const char *name)
{
	return jc_mcap_text(json_string_value(field(record, name)));
}

/* Into buffers of the caller, large enough for the suite. */
static struct jc_mcap_slice read_bytes(const json_t *record, const char *name, uint8_t buffer[64])
{
	const json_t *array = field(record, name);
	size_t count = json_array_size(array);

	assert_in_range(count, 0, 64);
	for (size_t i = 0; i < count; i++) {
		buffer[i] = (uint8_t)atoi(json_string_value(json_array_get(array, i)));
	}
	return (struct jc_mcap_slice){ buffer, count };
}

static struct jc_mcap_slice read_map(const json_t *record, const char *name, uint8_t buffer[64])
{
	json_t *object = (json_t *)field(record, name);
	struct jc_mcap_pair pairs[4];
	size_t count = 0;
	const char *key;
	json_t *value;
	int length;

	json_object_foreach(object, key, value)
	{
		assert_in_range(count, 0, 3);
		pairs[count++] = (struct jc_mcap_pair){ key, json_string_value(value) };
	}
	length = jc_mcap_map_write(pairs, count, buffer, 64);
	assert_true(length >= 0);
	return (struct jc_mcap_slice){ buffer, (size_t)length };
}

static void write_record(struct jc_mcap_writer *writer, const json_t *record)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	uint8_t buffer[64];
	int error = JC_OK;

	if (strcmp(type, "Schema") == 0) {
		error = jc_mcap_write_schema(
			writer, &(struct jc_mcap_schema){ (uint16_t)read_number(record, "id"),
					read_text(record, "name"), read_text(record, "encoding"),
					read_bytes(record, "data", buffer) });
	} else if (strcmp(type, "Channel") == 0) {
		error = jc_mcap_write_channel(writer,
			&(struct jc_mcap_channel){ (uint16_t)read_number(record, "id"),
				(uint16_t)read_number(record, "schema_id"),
				read_text(record, "topic"), read_text(record, "message_encoding"),
				read_map(record, "metadata", buffer) });
	} else if (strcmp(type, "Message") == 0) {
		error = jc_mcap_write_message(writer,
			&(struct jc_mcap_message){ (uint16_t)read_number(record, "channel_id"),
				(uint32_t)read_number(record, "sequence"),
				read_number(record, "log_time"),
				read_number(record, "publish_time"),
				read_bytes(record, "data", buffer) });
	} else if (strcmp(type, "Attachment") == 0) {
		error = jc_mcap_write_attachment(
			writer, &(struct jc_mcap_attachment){ read_number(record, "log_time"),
					read_number(record, "create_time"),
					read_text(record, "name"), read_text(record, "media_type"),
					read_bytes(record, "data", buffer), 0 });
	} else if (strcmp(type, "Metadata") == 0) {
		error = jc_mcap_write_metadata(
			writer, &(struct jc_mcap_metadata){ read_text(record, "name"),
					read_map(record, "metadata", buffer) });
	}
	assert_int_equal(error, JC_OK);
}

static unsigned read_parts(const json_t *fixture)
{
	static const struct {
		const char *feature;
		enum jc_mcap_part part;
	} names[] = {
		{ "ch", JC_MCAP_CHUNKS },
		{ "mx", JC_MCAP_MESSAGE_INDEXES },
		{ "st", JC_MCAP_STATISTICS_RECORD },
		{ "rsh", JC_MCAP_REPEATED_SCHEMAS },
		{ "rch", JC_MCAP_REPEATED_CHANNELS },
		{ "ax", JC_MCAP_ATTACHMENT_INDEXES },
		{ "mdx", JC_MCAP_METADATA_INDEXES },
		{ "chx", JC_MCAP_CHUNK_INDEXES },
		{ "sum", JC_MCAP_SUMMARY_OFFSETS },
	};
	const json_t *features = json_object_get(
		json_object_get(json_object_get(fixture, "meta"), "variant"), "features");
	unsigned parts = 0;

	for (size_t i = 0; i < json_array_size(features); i++) {
		const char *feature = json_string_value(json_array_get(features, i));
		unsigned part = 0;

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			part |= strcmp(names[k].feature, feature) == 0 ? names[k].part : 0;
		}
		if (part == 0) {
			fail_msg("a feature '%s' that is not known here", feature);
		}
		parts |= part;
	}
	return parts;
}

void mcap_json_write(const json_t *fixture, uint8_t **out_bytes, size_t *out_length)
{
	const json_t *records = json_object_get(fixture, "records");
	const json_t *header = json_array_get(records, 0);
	struct jc_mcap_writer_options options = {
		.profile = json_string_value(field(header, "profile")),
		.library = json_string_value(field(header, "library")),
		.parts = read_parts(fixture),
	};
	struct memory_sink memory = { 0 };
	struct jc_mcap_sink sink = memory_sink(&memory);
	struct jc_mcap_writer *writer;

	assert_int_equal(jc_mcap_writer_create(&options, &sink, &writer), JC_OK);
	for (size_t i = 0; i < json_array_size(records); i++) {
		const json_t *record = json_array_get(records, i);

		if (strcmp(json_string_value(json_object_get(record, "type")), "DataEnd") == 0) {
			break;
		}
		write_record(writer, record);
	}
	assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
	jc_mcap_writer_destroy(writer);
	*out_bytes = memory.bytes;
	*out_length = memory.length;
}
