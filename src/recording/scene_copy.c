/* Writes a copy of a recording with the topics `transforms` and `scene`, made from its rosters and
 * captures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "jointcast/limits.h"
#include "jointcast/recording.h"
#include "reader.h"
#include "rewriting.h"
#include "topics.h"

/* A topic that is added, or replaced if the file has it. */
struct added_topic {
	const struct jc_recording_topic_info *info;
	char *name; /* owned: /SPACE/NAME */
	uint16_t channel, schema;
	uint32_t sequence;
	bool is_defined; /* in the file */
};

enum { TRANSFORMS, SCENE, ADDED };

struct drawn_space {
	struct jc_drawing *drawing; /* owned */
	struct added_topic topics[ADDED];
};

struct scene_copy {
	struct jc_recording *recording; /* owned */
	struct jc_mcap_writer *writer;  /* owned */
	struct jc_mcap_buffer message;
	uint16_t last_channel, last_schema; /* highest numbers in use */
	struct drawn_space spaces[JC_LIMIT_RECORDED_SPACES];
};

static void find_last_numbers(struct scene_copy *copy)
{
	const struct jc_mcap_index *index = copy->recording->index;

	for (size_t i = 0; i < index->channel_count; i++) {
		if (index->channels[i].id > copy->last_channel) {
			copy->last_channel = index->channels[i].id;
		}
	}
	for (size_t i = 0; i < index->schema_count; i++) {
		if (index->schemas[i].id > copy->last_schema) {
			copy->last_schema = index->schemas[i].id;
		}
	}
}

/* Finds the channel of the topic, or takes numbers for a new one. */
static int number_topic(struct scene_copy *copy, struct added_topic *topic)
{
	const struct jc_mcap_index *index = copy->recording->index;

	for (size_t i = 0; i < index->channel_count; i++) {
		const struct jc_mcap_channel *channel = &index->channels[i];
		const struct jc_mcap_schema *schema =
			jc_mcap_index_schema(index, channel->schema_id);

		if (schema && jc_mcap_equal(schema->name, jc_mcap_text(topic->info->schema)) &&
			jc_mcap_equal(channel->topic, jc_mcap_text(topic->name))) {
			topic->channel = channel->id;
			topic->is_defined = true;
			return JC_OK;
		}
	}
	if (copy->last_channel == UINT16_MAX || copy->last_schema == UINT16_MAX) {
		return JC_ERROR_LIMIT;
	}
	topic->channel = ++copy->last_channel;
	topic->schema = ++copy->last_schema;
	return JC_OK;
}

static int open_topic(struct scene_copy *copy, struct added_topic *topic,
	enum jc_recording_topic kind, const char *space)
{
	topic->info = &jc_recording_topics[kind];
	if (asprintf(&topic->name, "/%s/%s", space, topic->info->name) < 0) {
		topic->name = NULL;
		return JC_ERROR_MEMORY;
	}
	return number_topic(copy, topic);
}

static int open_space(struct scene_copy *copy, size_t group)
{
	const struct jc_mcap_channel *roster = jc_mcap_index_channel(
		copy->recording->index, copy->recording->groups[group].roster);
	struct drawn_space *space = &copy->spaces[group];
	size_t length = roster->topic.length;
	const char *topic = roster->topic.bytes;
	int error = JC_ERROR_MEMORY;
	char *name;

	while (length > 0 && topic[length - 1] != '/') {
		length--;
	}
	/* Between both slashes. */
	name = length > 1 ? strndup(topic + 1, length - 2) : strdup("");
	if (name) {
		error = jc_drawing_create(name, &space->drawing);
	}
	error = error ? error
		      : open_topic(copy, &space->topics[TRANSFORMS], JC_TOPIC_TRANSFORMS, name);
	error = error ? error : open_topic(copy, &space->topics[SCENE], JC_TOPIC_SCENE, name);
	free(name);
	return error;
}

static int define(struct scene_copy *copy, struct added_topic *topic)
{
	struct jc_mcap_schema schema = {
		.id = topic->schema,
		.name = jc_mcap_text(topic->info->schema),
		.encoding = jc_mcap_text(topic->info->schema_encoding),
		.data = jc_mcap_text(topic->info->text),
	};
	struct jc_mcap_channel channel = {
		.id = topic->channel,
		.schema_id = topic->schema,
		.topic = jc_mcap_text(topic->name),
		.message_encoding = jc_mcap_text(topic->info->message_encoding),
	};
	int error;

	if (topic->is_defined) {
		return JC_OK;
	}
	error = jc_mcap_write_schema(copy->writer, &schema);
	error = error ? error : jc_mcap_write_channel(copy->writer, &channel);
	topic->is_defined = error == JC_OK;
	return error;
}

/* Writes a message of the drawing, if one is due. */
static int draw(struct scene_copy *copy, struct drawn_space *space, int topic_index,
	uint64_t log_time,
	int (*pack)(struct jc_drawing *drawing, uint64_t unix_ns, struct jc_mcap_buffer *buffer))
{
	struct added_topic *topic = &space->topics[topic_index];
	struct jc_mcap_message message = {
		.channel_id = topic->channel,
		.sequence = topic->sequence,
		.log_time = log_time,
		.publish_time = log_time,
	};
	int error;

	jc_mcap_buffer_clear(&copy->message);
	error = pack(space->drawing, log_time, &copy->message);
	if (error || copy->message.length == 0) {
		return error;
	}
	message.data = (struct jc_mcap_slice){ copy->message.bytes, copy->message.length };
	topic->sequence++;
	error = define(copy, topic);
	return error ? error : jc_mcap_write_message(copy->writer, &message);
}

static bool is_replaced(const struct scene_copy *copy, uint16_t channel)
{
	for (size_t i = 0; i < copy->recording->group_count; i++) {
		if (copy->spaces[i].topics[TRANSFORMS].channel == channel ||
			copy->spaces[i].topics[SCENE].channel == channel) {
			return true;
		}
	}
	return false;
}

static int follow(struct scene_copy *copy, size_t group, const struct jc_mcap_message *message)
{
	struct drawn_space *space = &copy->spaces[group];
	bool is_roster = message->channel_id == copy->recording->groups[group].roster;
	int error = is_roster ? jc_drawing_take_roster(
					space->drawing, message->data.bytes, message->data.length)
			      : jc_drawing_take_captures(
					space->drawing, message->data.bytes, message->data.length);

	error = error ? error
		      : draw(copy, space, TRANSFORMS, message->log_time,
				jc_drawing_pack_transforms);
	return error ? error
		     : draw(copy, space, SCENE, message->log_time, jc_drawing_pack_entities);
}

static int pass(
	void *context, const struct jc_mcap_message *message, struct jc_diagnostic *diagnostic)
{
	struct scene_copy *copy = context;
	int error;

	(void)diagnostic; /* filled by the caller */
	if (is_replaced(copy, message->channel_id)) {
		return JC_OK;
	}
	error = jc_mcap_write_message(copy->writer, message);
	for (size_t i = 0; i < copy->recording->group_count && !error; i++) {
		const struct jc_recording_group *group = &copy->recording->groups[i];

		if (message->channel_id == group->roster ||
			message->channel_id == group->captures) {
			return follow(copy, i, message);
		}
	}
	return error;
}

static int run(struct scene_copy *copy, const struct jc_mcap_input *input, const char *library,
	const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic)
{
	int error = jc_recording_open(input, &copy->recording, diagnostic);

	if (error) {
		return error;
	}
	find_last_numbers(copy);
	for (size_t i = 0; i < copy->recording->group_count && !error; i++) {
		error = open_space(copy, i);
	}
	error = error ? error
		      : jc_rewriting_create_writer(
				copy->recording->index, library, sink, &copy->writer);
	error = error ? error : jc_rewriting_run(input, copy->writer, pass, copy, diagnostic);
	return error && !diagnostic->what[0]
		       ? jc_diagnose(diagnostic, error, NULL, "cannot be rewritten: %s",
				 jc_error_name(error))
		       : error;
}

static void finish(struct scene_copy *copy)
{
	for (size_t i = 0; i < JC_LIMIT_RECORDED_SPACES; i++) {
		jc_drawing_destroy(copy->spaces[i].drawing);
		free(copy->spaces[i].topics[TRANSFORMS].name);
		free(copy->spaces[i].topics[SCENE].name);
	}
	jc_mcap_writer_destroy(copy->writer);
	jc_mcap_buffer_finish(&copy->message);
	if (copy->recording) {
		jc_recording_close(copy->recording);
	}
	free(copy);
}

int jc_recording_add_scene(const struct jc_mcap_input *input, const char *library,
	const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic)
{
	struct scene_copy *copy = calloc(1, sizeof(*copy));
	int error;

	diagnostic->what[0] = '\0';
	if (!copy) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	copy->message.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
	error = run(copy, input, library, sink, diagnostic);
	finish(copy);
	return error;
}
