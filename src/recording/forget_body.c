/* Removes a body from a recording in two passes: the first finds its ids, skeletons and names, the
 * second writes the file without them. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "forget_filter.h"
#include "jointcast/recording.h"
#include "jointcast_private/json.h"
#include "rewriting.h"

static int out_of_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

static int find_spaces(struct jc_forget_filter *forgetting, struct jc_diagnostic *diagnostic)
{
	const struct jc_mcap_index *index = forgetting->index;

	for (size_t i = 0; i < index->channel_count; i++) {
		struct jc_mcap_slice space = index->channels[i].topic;
		const char *topic = space.bytes;

		if (jc_forget_topic(forgetting, index->channels[i].id) != JC_TOPIC_ROSTER ||
			jc_forget_space(forgetting, index->channels[i].id) <
				forgetting->space_count) {
			continue;
		}
		if (forgetting->space_count == JC_LIMIT_RECORDED_SPACES) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %u spaces",
				JC_LIMIT_RECORDED_SPACES);
		}
		while (space.length > 0 && topic[space.length - 1] != '/') {
			space.length--;
		}
		forgetting->spaces[forgetting->space_count++] = space;
	}
	return forgetting->space_count > 0 ? JC_OK
					   : jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
						     "an MCAP file, but no recording of jointcast");
}

static bool is_meant(const struct jc_forget_filter *forgetting, const json_t *body)
{
	const char *name = json_string_value(json_object_get(body, "name"));

	return name && strcmp(name, forgetting->name) == 0;
}

static int learn_roster(struct jc_forget_filter *forgetting, uint32_t space, const json_t *root)
{
	const json_t *bodies = json_object_get(root, "bodies");
	int error = JC_OK;

	for (size_t i = 0; i < json_array_size(bodies) && !error; i++) {
		const json_t *body = json_array_get(bodies, i);
		const char *worn = json_string_value(json_object_get(body, "skeleton"));
		const char *display = json_string_value(json_object_get(body, "display"));
		bool meant = is_meant(forgetting, body);

		if (meant && display && display[0] &&
			json_object_set_new(forgetting->called, display, json_true()) != 0) {
			return JC_ERROR_MEMORY;
		}
		if (worn && json_object_set_new(meant ? forgetting->worn : forgetting->others, worn,
				    json_true()) != 0) {
			error = JC_ERROR_MEMORY;
		} else if (meant) {
			error = jc_forget_entries_add(
				&forgetting->bodies, space, jc_forget_number(body, "id"));
		}
	}
	return error;
}

static int learn_streams(struct jc_forget_filter *forgetting, uint32_t space, const json_t *root)
{
	const json_t *streams = json_object_get(root, "streams");
	int error = JC_OK;

	for (size_t i = 0; i < json_array_size(streams) && !error; i++) {
		const json_t *stream = json_array_get(streams, i);

		if (jc_forget_entries_has(
			    &forgetting->bodies, space, jc_forget_number(stream, "body"))) {
			error = jc_forget_entries_add(
				&forgetting->streams, space, jc_forget_number(stream, "stream"));
		}
	}
	return error;
}

static int learn_message(struct jc_forget_filter *forgetting, const struct jc_mcap_message *message,
	struct jc_diagnostic *diagnostic)
{
	uint32_t space = jc_forget_space(forgetting, message->channel_id);
	json_t *root;
	int error = jc_json_parse(message->data.bytes, message->data.length, &root, diagnostic);

	if (error) {
		return error;
	}
	error = jc_forget_topic(forgetting, message->channel_id) == JC_TOPIC_ROSTER
			? learn_roster(forgetting, space, root)
			: learn_streams(forgetting, space, root);
	json_decref(root);
	return error ? jc_diagnose(diagnostic, error, NULL, "too much to forget, or out of memory")
		     : JC_OK;
}

/* Calls a function for all messages of a topic. */
static int learn(struct jc_forget_filter *forgetting, const struct jc_mcap_input *input,
	enum jc_recording_topic topic, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	size_t count = forgetting->index->channel_count;
	uint16_t *channels = calloc(count + 1, sizeof(*channels));
	struct jc_mcap_cursor *cursor = NULL;
	struct jc_mcap_message message;
	int error = channels ? JC_OK : out_of_memory(diagnostic);

	range.channels = channels;
	for (size_t i = 0; i < count && !error; i++) {
		uint16_t id = forgetting->index->channels[i].id;

		if (jc_forget_topic(forgetting, id) == topic) {
			channels[range.channel_count++] = id;
		}
	}
	/* An empty channel list would select all channels. */
	if (!error && range.channel_count == 0) {
		error = JC_ERROR_ABSENT;
	}
	if (!error && jc_mcap_cursor_create(input, forgetting->index, &range, &cursor) != JC_OK) {
		error = out_of_memory(diagnostic);
	}
	while (!error) {
		error = jc_mcap_cursor_next(cursor, &message, diagnostic);
		error = error ? error : learn_message(forgetting, &message, diagnostic);
	}
	jc_mcap_cursor_destroy(cursor);
	free(channels);
	jc_forget_entries_settle(&forgetting->bodies);
	jc_forget_entries_settle(&forgetting->streams);
	return error == JC_ERROR_ABSENT ? JC_OK : error;
}

static int forget(struct jc_forget_filter *forgetting, const struct jc_mcap_input *input,
	const char *library, const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic)
{
	int error = jc_mcap_index_read(input, &forgetting->index, diagnostic);

	error = error ? error : find_spaces(forgetting, diagnostic);
	error = error ? error : learn(forgetting, input, JC_TOPIC_ROSTER, diagnostic);
	error = error ? error : learn(forgetting, input, JC_TOPIC_STREAMS, diagnostic);
	if (error) {
		return error;
	}
	if (forgetting->bodies.count == 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_ABSENT, NULL, "has no body '%.80s'", forgetting->name);
	}
	forgetting->report->bodies = forgetting->bodies.count;
	error = jc_rewriting_create_writer(forgetting->index, library, sink, &forgetting->writer);
	error = error ? error
		      : jc_rewriting_run(
				input, forgetting->writer, jc_forget_pass, forgetting, diagnostic);
	return error && !diagnostic->what[0]
		       ? jc_diagnose(diagnostic, error, NULL, "cannot be rewritten: %s",
				 jc_error_name(error))
		       : error;
}

int jc_recording_forget(const struct jc_mcap_input *input, const char *name, const char *library,
	const struct jc_mcap_sink *sink, struct jc_forgotten *out_forgotten,
	struct jc_diagnostic *diagnostic)
{
	struct jc_forgotten report = { 0 };
	struct jc_forget_filter forgetting = {
		.name = name,
		.worn = json_object(),
		.others = json_object(),
		.called = json_object(),
		.scratch.maximum = JC_LIMIT_MCAP_RECORD_BYTES,
		.report = &report,
	};
	int error;

	diagnostic->what[0] = '\0';
	error = forgetting.worn && forgetting.others && forgetting.called
			? forget(&forgetting, input, library, sink, diagnostic)
			: out_of_memory(diagnostic);
	jc_mcap_writer_destroy(forgetting.writer);
	jc_mcap_buffer_finish(&forgetting.scratch);
	jc_mcap_index_destroy(forgetting.index);
	json_decref(forgetting.worn);
	json_decref(forgetting.others);
	json_decref(forgetting.called);
	free(forgetting.bodies.list);
	free(forgetting.streams.list);
	if (!error) {
		*out_forgotten = report;
	}
	return error;
}
