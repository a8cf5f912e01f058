/* Rewrites messages without a removed body. Unchanged messages are copied byte for byte. */
#include "forget_filter.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "frame_transforms.h"
#include "jointcast/recording_reader.h"
#include "jointcast_private/array.h"
#include "jointcast_private/json.h"
#include "reader.h"

#define ENTRIES_MAX (1u << 20)
#define OWN_SCHEMAS "jointcast."

static int compare(const void *a, const void *b)
{
	const struct jc_entry *x = a, *y = b;

	if (x->space != y->space) {
		return x->space < y->space ? -1 : 1;
	}
	return x->number < y->number ? -1 : x->number > y->number;
}

bool jc_forget_entries_has(const struct jc_forget_entries *entries, uint32_t space, uint32_t number)
{
	struct jc_entry key = { space, number };

	return entries->count > 0 &&
	       bsearch(&key, entries->list, entries->count, sizeof(key), compare) != NULL;
}

int jc_forget_entries_add(struct jc_forget_entries *entries, uint32_t space, uint32_t number)
{
	if (entries->count == ENTRIES_MAX) {
		return JC_ERROR_LIMIT;
	}
	if (!jc_array_grow(&entries->list, &entries->capacity, entries->count + 1, ENTRIES_MAX,
		    sizeof(entries->list[0]))) {
		return JC_ERROR_MEMORY;
	}
	entries->list[entries->count++] = (struct jc_entry){ space, number };
	return JC_OK;
}

void jc_forget_entries_settle(struct jc_forget_entries *entries)
{
	size_t kept = 0;

	if (entries->count > 0) {
		qsort(entries->list, entries->count, sizeof(*entries->list), compare);
	}
	for (size_t i = 0; i < entries->count; i++) {
		if (i == 0 || compare(&entries->list[i], &entries->list[kept - 1]) != 0) {
			entries->list[kept++] = entries->list[i];
		}
	}
	entries->count = kept;
}

enum jc_recording_topic jc_forget_topic(
	const struct jc_forget_filter *forgetting, uint16_t channel_id)
{
	const struct jc_mcap_channel *channel =
		jc_mcap_index_channel(forgetting->index, channel_id);
	const struct jc_mcap_schema *schema =
		channel ? jc_mcap_index_schema(forgetting->index, channel->schema_id) : NULL;
	int topic = 0;

	while (schema && topic < JC_TOPIC_COUNT &&
		!jc_mcap_equal(schema->name, jc_mcap_text(jc_recording_topics[topic].schema))) {
		topic++;
	}
	return schema ? (enum jc_recording_topic)topic : JC_TOPIC_COUNT;
}

uint32_t jc_forget_space(const struct jc_forget_filter *forgetting, uint16_t channel_id)
{
	const struct jc_mcap_channel *channel =
		jc_mcap_index_channel(forgetting->index, channel_id);
	struct jc_mcap_slice space = channel ? channel->topic : (struct jc_mcap_slice){ 0 };
	const char *topic = space.bytes;
	uint32_t i = 0;

	while (space.length > 0 && topic[space.length - 1] != '/') {
		space.length--;
	}
	while (i < forgetting->space_count && !jc_mcap_equal(forgetting->spaces[i], space)) {
		i++;
	}
	return i;
}

uint32_t jc_forget_number(const json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

/* Writes JSON in place of the content of a message. */
static int rewrite(struct jc_forget_filter *forgetting, const struct jc_mcap_message *message,
	const json_t *root)
{
	struct jc_mcap_message changed = *message;
	char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
	int error = JC_ERROR_MEMORY;

	if (text) {
		changed.data = jc_mcap_text(text);
		error = jc_mcap_write_message(forgetting->writer, &changed);
	}
	free(text);
	return error;
}

/* Removes the entries of a list whose number under `key` belongs to the body. */
static bool remove_numbered(
	json_t *list, const struct jc_forget_entries *entries, uint32_t space, const char *key)
{
	bool is_changed = false;

	for (size_t i = json_array_size(list); i-- > 0;) {
		if (jc_forget_entries_has(
			    entries, space, jc_forget_number(json_array_get(list, i), key))) {
			json_array_remove(list, i);
			is_changed = true;
		}
	}
	return is_changed;
}

/* Whether a frame has this name, or a name below it. */
static bool is_below(const char *frame, const char *name)
{
	size_t length = strlen(name);

	return strncmp(frame, name, length) == 0 && (frame[length] == '\0' || frame[length] == '/');
}

/* Whether the name is "SPACE/ID" or below it. */
static bool is_numbered_frame(
	const struct jc_forget_filter *forgetting, uint32_t space, const char *frame)
{
	const struct jc_mcap_slice *prefix = &forgetting->spaces[space];
	char *end;
	unsigned long id;

	/* The prefix has a slash before the name too. */
	if (prefix->length < 2 ||
		strncmp(frame, (const char *)prefix->bytes + 1, prefix->length - 1) != 0) {
		return false;
	}
	id = strtoul(frame + prefix->length - 1, &end, 10);
	return (*end == '\0' || *end == '/') && id <= UINT32_MAX &&
	       jc_forget_entries_has(&forgetting->bodies, space, (uint32_t)id);
}

/* Earlier versions named the frames of bodies by number; they had no frame above that of the
 * space. */
static bool is_numbered(const json_t *transforms)
{
	const char *root = json_string_value(
		json_object_get(json_array_get(transforms, 0), "parent_frame_id"));

	return !root || strcmp(root, JC_FRAME_TRANSFORMS_ROOT) != 0;
}

/* Removes the elements whose text under `key` is a frame of the removed body. */
static int remove_frames(const struct jc_forget_filter *forgetting, uint32_t space, json_t *list,
	const char *key, bool is_numbered, bool *is_changed)
{
	const struct jc_mcap_slice *prefix = &forgetting->spaces[space];
	char *within = prefix->length > 1
			       ? strndup((const char *)prefix->bytes + 1, prefix->length - 2)
			       : strdup("");
	char *name = within ? jc_drawing_frame(within, forgetting->name) : NULL;

	for (size_t i = json_array_size(list); name && i-- > 0;) {
		const char *frame =
			json_string_value(json_object_get(json_array_get(list, i), key));

		if (frame && (is_numbered ? is_numbered_frame(forgetting, space, frame)
					  : is_below(frame, name))) {
			json_array_remove(list, i);
			*is_changed = true;
		}
	}
	free(within);
	free(name);
	return name ? JC_OK : JC_ERROR_MEMORY;
}

static bool is_skeleton_theirs(const struct jc_forget_filter *forgetting, const json_t *root)
{
	const char *hash = json_string_value(json_object_get(root, "hash"));

	return hash && json_object_get(forgetting->worn, hash) &&
	       !json_object_get(forgetting->others, hash);
}

static void look_at_marker(struct jc_forget_filter *forgetting, const json_t *root)
{
	const char *text = json_string_value(json_object_get(root, "text"));
	bool names = text && strstr(text, forgetting->name);
	const char *display;
	json_t *unused;

	json_object_foreach(forgetting->called, display, unused)
	{
		names = names || (text && strstr(text, display));
	}
	forgetting->report->markers += names;
}

/* Rewrites a JSON message without the removed body. */
static int pass_json(struct jc_forget_filter *forgetting, const struct jc_mcap_message *message,
	enum jc_recording_topic topic, uint32_t space, struct jc_diagnostic *diagnostic)
{
	bool is_changed = false, is_removed = false;
	json_t *root;
	int error = jc_json_parse(message->data.bytes, message->data.length, &root, diagnostic);

	if (error) {
		return error;
	}
	if (topic == JC_TOPIC_SESSION) {
		error = jc_recording_check_session(root, diagnostic);
	} else if (topic == JC_TOPIC_ROSTER) {
		is_changed = remove_numbered(
			json_object_get(root, "bodies"), &forgetting->bodies, space, "id");
	} else if (topic == JC_TOPIC_STREAMS) {
		is_changed = remove_numbered(
			json_object_get(root, "streams"), &forgetting->streams, space, "stream");
	} else if (topic == JC_TOPIC_TRANSFORMS) {
		json_t *transforms = json_object_get(root, "transforms");

		error = remove_frames(forgetting, space, transforms, "child_frame_id",
			is_numbered(transforms), &is_changed);
	} else if (topic == JC_TOPIC_SCENE) {
		error = remove_frames(forgetting, space, json_object_get(root, "entities"), "id",
			false, &is_changed);
	} else if (topic == JC_TOPIC_SKELETON) {
		is_removed = is_skeleton_theirs(forgetting, root);
		forgetting->report->skeletons += is_removed;
	} else if (json_object_get(root, "body")) {
		is_removed = jc_forget_entries_has(
			&forgetting->bodies, space, jc_forget_number(root, "body"));
	} else {
		look_at_marker(forgetting, root);
	}
	if (error) {
		goto out;
	}
	if (is_changed) {
		error = rewrite(forgetting, message, root);
	} else if (!is_removed) {
		error = jc_mcap_write_message(forgetting->writer, message);
	}
out:
	json_decref(root);
	return error;
}

/* Writes the scratch buffer, if it holds more than the head. */
static int write_rest(struct jc_forget_filter *forgetting, const struct jc_mcap_message *message,
	size_t head, bool is_whole)
{
	const struct jc_mcap_buffer *scratch = &forgetting->scratch;
	struct jc_mcap_message changed = *message;

	if (scratch->error) {
		return scratch->error;
	}
	if (is_whole) {
		return jc_mcap_write_message(forgetting->writer, message);
	}
	if (scratch->length <= head) {
		return JC_OK;
	}
	changed.data = (struct jc_mcap_slice){ scratch->bytes, scratch->length };
	return jc_mcap_write_message(forgetting->writer, &changed);
}

static int refuse_damaged(struct jc_diagnostic *diagnostic, const char *what)
{
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
		"has a message of %s that is damaged or of another version", what);
}

static int pass_captures(struct jc_forget_filter *forgetting, const struct jc_mcap_message *message,
	uint32_t space, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_buffer *scratch = &forgetting->scratch;
	struct jc_recorded_capture capture;
	struct jc_captures captures;
	bool is_whole = true;

	if (!jc_captures_begin(message->data.bytes, message->data.length, &captures)) {
		return refuse_damaged(diagnostic, "captures");
	}
	jc_mcap_buffer_clear(scratch);
	jc_mcap_put_bytes(scratch, message->data.bytes, JC_CAPTURES_HEAD_BYTES);
	for (;;) {
		const uint8_t *from = captures.at;

		if (!jc_captures_next(&captures, &capture)) {
			break;
		}
		if (jc_forget_entries_has(&forgetting->bodies, space, capture.body)) {
			forgetting->report->captures++;
			is_whole = false;
		} else {
			jc_mcap_put_bytes(scratch, from, (size_t)(captures.at - from));
		}
	}
	return captures.at == captures.end
		       ? write_rest(forgetting, message, JC_CAPTURES_HEAD_BYTES, is_whole)
		       : refuse_damaged(diagnostic, "captures");
}

static int pass_packets(struct jc_forget_filter *forgetting, const struct jc_mcap_message *message,
	uint32_t space, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_buffer *scratch = &forgetting->scratch;
	struct jc_recorded_packet packet;
	struct jc_packets packets;
	bool is_whole = true;

	if (!jc_packets_begin(message->data.bytes, message->data.length, &packets)) {
		return refuse_damaged(diagnostic, "packets");
	}
	jc_mcap_buffer_clear(scratch);
	jc_mcap_put_bytes(scratch, message->data.bytes, JC_PACKETS_HEAD_BYTES);
	for (;;) {
		const uint8_t *from = packets.at;

		if (!jc_packets_next(&packets, &packet)) {
			break;
		}
		if (jc_forget_entries_has(&forgetting->streams, space, packet.stream)) {
			is_whole = false;
		} else {
			jc_mcap_put_bytes(scratch, from, (size_t)(packets.at - from));
		}
	}
	return packets.at == packets.end
		       ? write_rest(forgetting, message, JC_PACKETS_HEAD_BYTES, is_whole)
		       : refuse_damaged(diagnostic, "packets");
}

/* Messages of other programs pass unchanged. Messages that a newer version of this one added may be
 * of the person. */
static int check_unknown(const struct jc_forget_filter *forgetting,
	const struct jc_mcap_message *message, struct jc_diagnostic *diagnostic)
{
	const struct jc_mcap_channel *channel =
		jc_mcap_index_channel(forgetting->index, message->channel_id);
	const struct jc_mcap_schema *schema =
		channel ? jc_mcap_index_schema(forgetting->index, channel->schema_id) : NULL;
	struct jc_mcap_slice name = schema ? schema->name : (struct jc_mcap_slice){ 0 };

	if (name.length < strlen(OWN_SCHEMAS) ||
		memcmp(name.bytes, OWN_SCHEMAS, strlen(OWN_SCHEMAS)) != 0) {
		return JC_OK;
	}
	return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
		"has messages '%.*s' of a newer version, which may contain the person",
		(int)(name.length < 64 ? name.length : 64), (const char *)name.bytes);
}

int jc_forget_pass(
	void *context, const struct jc_mcap_message *message, struct jc_diagnostic *diagnostic)
{
	struct jc_forget_filter *forgetting = context;
	enum jc_recording_topic topic = jc_forget_topic(forgetting, message->channel_id);
	uint32_t space = jc_forget_space(forgetting, message->channel_id);

	if (topic == JC_TOPIC_COUNT) {
		int error = check_unknown(forgetting, message, diagnostic);

		return error ? error : jc_mcap_write_message(forgetting->writer, message);
	}
	if (space == forgetting->space_count || topic == JC_TOPIC_CLOCK) {
		return jc_mcap_write_message(forgetting->writer, message);
	}
	if (topic == JC_TOPIC_CAPTURES) {
		return pass_captures(forgetting, message, space, diagnostic);
	}
	if (topic == JC_TOPIC_PACKETS) {
		return pass_packets(forgetting, message, space, diagnostic);
	}
	return pass_json(forgetting, message, topic, space, diagnostic);
}
