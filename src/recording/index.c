/* Reads the index of a recording when it is opened: session, skeletons, rosters, events. Reads only
 * the chunks that contain these. */
#include "reader.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "jointcast_private/json.h"
#include "topics.h"

static bool is_topic(const struct jc_recording *recording, const struct jc_mcap_channel *channel,
	enum jc_recording_topic topic)
{
	const struct jc_recording_topic_info *info = &jc_recording_topics[topic];
	const struct jc_mcap_schema *schema =
		jc_mcap_index_schema(recording->index, channel->schema_id);

	return schema && jc_mcap_equal(schema->name, jc_mcap_text(info->schema)) &&
	       jc_mcap_equal(channel->message_encoding, jc_mcap_text(info->message_encoding));
}

/* "/SPACE/" of a topic. */
static struct jc_mcap_slice space_of(const struct jc_mcap_channel *channel)
{
	const char *topic = channel->topic.bytes;
	size_t length = channel->topic.length;

	while (length > 0 && topic[length - 1] != '/') {
		length--;
	}
	return (struct jc_mcap_slice){ topic, length };
}

/* The captures of a roster: those of the same space. */
static const struct jc_mcap_channel *find_captures(
	const struct jc_recording *recording, const struct jc_mcap_channel *roster)
{
	for (size_t i = 0; i < recording->index->channel_count; i++) {
		const struct jc_mcap_channel *channel = &recording->index->channels[i];

		if (is_topic(recording, channel, JC_TOPIC_CAPTURES) &&
			jc_mcap_equal(space_of(channel), space_of(roster))) {
			return channel;
		}
	}
	return NULL;
}

static int out_of_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* Finds the spaces that have both rosters and captures. */
static int find_groups(struct jc_recording *recording, struct jc_diagnostic *diagnostic)
{
	bool has_roster = false;

	for (size_t i = 0; i < recording->index->channel_count; i++) {
		const struct jc_mcap_channel *channel = &recording->index->channels[i];
		const struct jc_mcap_channel *captures;

		if (!is_topic(recording, channel, JC_TOPIC_ROSTER)) {
			continue;
		}
		has_roster = true;
		captures = find_captures(recording, channel);
		if (captures && recording->group_count < JC_LIMIT_RECORDED_SPACES) {
			recording->groups[recording->group_count++] =
				(struct jc_recording_group){ channel->id, captures->id };
		}
	}
	if (!has_roster) {
		struct jc_mcap_slice profile = recording->index->profile;

		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"an MCAP file, but no recording of jointcast: profile '%.*s'",
			(int)(profile.length < 40 ? profile.length : 40),
			(const char *)profile.bytes);
	}
	return JC_OK;
}

static struct jc_recording_body *find_body(
	const struct jc_recording *recording, size_t group, uint32_t id)
{
	for (size_t i = 0; i < recording->body_count; i++) {
		if (recording->bodies[i].group == group && recording->bodies[i].body->id == id) {
			return &recording->bodies[i];
		}
	}
	return NULL;
}

/* Whether a body has the same captures as before, possibly with more channels. */
static bool has_gained(const struct jc_recorded_body *body, const struct jc_recorded_body *before)
{
	if (body->kind != before->kind || body->channel_count <= before->channel_count) {
		return false;
	}
	for (size_t i = 0; i < before->channel_count; i++) {
		if (strcmp(body->channels[i], before->channels[i]) != 0) {
			return false;
		}
	}
	return true;
}

/* Lists recorded bodies by first appearance, with all channels of all rosters, because some sources
 * announce a channel when it first moves. */
static int note_bodies(struct jc_recording *recording, const struct jc_recorded_roster *roster,
	struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < roster->body_count; i++) {
		const struct jc_recorded_body *body = &roster->bodies[i];
		struct jc_recording_body *bodies, *known;

		if (body->recorded == JC_RECORDED_NOTHING) {
			continue;
		}
		known = find_body(recording, roster->group, body->id);
		if (known) {
			known->body = has_gained(body, known->body) ? body : known->body;
			continue;
		}
		if (recording->body_count == JC_LIMIT_RECORDED_BODIES) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %u bodies",
				JC_LIMIT_RECORDED_BODIES);
		}
		bodies =
			reallocarray(recording->bodies, recording->body_count + 1, sizeof(*bodies));
		if (!bodies) {
			return out_of_memory(diagnostic);
		}
		recording->bodies = bodies;
		bodies[recording->body_count++] = (struct jc_recording_body){ body, roster->group };
	}
	return JC_OK;
}

static void free_bodies(struct jc_recorded_body *bodies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free((void *)bodies[i].channels);
	}
	free(bodies);
}

static int parse_bodies(
	const json_t *array, struct jc_recorded_body **out_bodies, struct jc_diagnostic *diagnostic)
{
	size_t count = json_array_size(array);
	struct jc_recorded_body *bodies = calloc(count ? count : 1, sizeof(*bodies));
	int error = bodies ? JC_OK : out_of_memory(diagnostic);

	for (size_t i = 0; i < count && !error; i++) {
		struct jc_json_place outer = { NULL, "bodies", 0 };
		struct jc_json_place place = { &outer, NULL, i };
		const char **channels;

		error = jc_recorded_body_parse(
			json_array_get(array, i), &place, &bodies[i], &channels, diagnostic);
		bodies[i].channels = channels;
	}
	if (error && bodies) {
		free_bodies(bodies, count);
		return error;
	}
	*out_bodies = bodies;
	return error;
}

/* The newest roster of the group, or NULL. */
static const struct jc_recording_roster *newest(const struct jc_recording *recording, size_t group)
{
	for (size_t i = recording->roster_count; i-- > 0;) {
		if (recording->rosters[i].roster.group == group) {
			return &recording->rosters[i];
		}
	}
	return NULL;
}

static int keep_roster(struct jc_recording *recording, const struct jc_recorded_roster *roster,
	const json_t *source, struct jc_diagnostic *diagnostic)
{
	if (!jc_array_grow(&recording->rosters, &recording->roster_capacity,
		    recording->roster_count + 1, SIZE_MAX, sizeof(*recording->rosters))) {
		return out_of_memory(diagnostic);
	}
	recording->rosters[recording->roster_count++] =
		(struct jc_recording_roster){ *roster, source };
	return JC_OK;
}

/* Adds the bodies of a roster, unless it repeats the previous one. */
static int read_bodies(struct jc_recording *recording, struct jc_recorded_roster *roster,
	const json_t *array, bool *out_kept, struct jc_diagnostic *diagnostic)
{
	struct jc_recorded_body *bodies = NULL;
	int error;

	recording->entry_count += roster->body_count;
	error = parse_bodies(array, &bodies, diagnostic);
	if (error) {
		return error;
	}
	roster->bodies = bodies;
	error = keep_roster(recording, roster, array, diagnostic);
	if (error) {
		free_bodies(bodies, roster->body_count);
		return error;
	}
	*out_kept = true;
	return note_bodies(recording, roster, diagnostic);
}

static int read_roster(struct jc_recording *recording, size_t group, int64_t time_us, json_t *root,
	bool *out_kept, struct jc_diagnostic *diagnostic)
{
	struct jc_recorded_roster roster = { .time_us = time_us, .group = (uint16_t)group };
	const struct jc_recording_roster *before = newest(recording, group);
	const json_t *array = NULL;
	int error = jc_json_read_array(
		root, "bodies", NULL, JC_LIMIT_RECORDED_BODIES, &array, diagnostic);

	if (error) {
		return error;
	}
	if (++recording->entry_count > JC_LIMIT_ROSTER_ENTRIES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"more than %u entries of rosters", JC_LIMIT_ROSTER_ENTRIES);
	}
	roster.body_count = json_array_size(array);
	if (before && json_equal(array, before->source)) {
		roster.bodies = before->roster.bodies;
		roster.is_repeated = true;
		return keep_roster(recording, &roster, before->source, diagnostic);
	}
	return read_bodies(recording, &roster, array, out_kept, diagnostic);
}

int jc_recording_check_session(const json_t *root, struct jc_diagnostic *diagnostic)
{
	long long version = JC_RECORDING_VERSION;
	int error = jc_json_read_integer(root, "version", NULL, 1, INT32_MAX, &version, diagnostic);

	if (!error && version > JC_RECORDING_VERSION) {
		error = jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"a recording of version %lld; this program reads version %d", version,
			JC_RECORDING_VERSION);
	}
	return error;
}

static int read_session(struct jc_recording *recording, json_t *root, bool *out_kept,
	struct jc_diagnostic *diagnostic)
{
	struct jc_recording_session *session = &recording->session;
	long long hz = 0;
	long long part = 0;
	int error;

	if (recording->has_session) {
		return JC_OK;
	}
	error = jc_recording_check_session(root, diagnostic);
	error = error ? error
		      : jc_json_read_string(root, "library", NULL, &session->library, diagnostic);
	error = error ? error
		      : jc_json_read_string(root, "space", NULL, &session->space, diagnostic);
	error = error ? error
		      : jc_json_read_string(root, "epoch", NULL, &session->epoch, diagnostic);
	error = error ? error
		      : jc_json_read_integer(root, "tickHz", NULL, 0, 1000, &hz, diagnostic);
	error = error ? error
		      : jc_json_read_integer(root, "part", NULL, 0, INT32_MAX, &part, diagnostic);
	session->tick_hz = (uint32_t)hz;
	session->part = (unsigned)part;
	recording->has_session = true;
	*out_kept = true;
	return error;
}

static int read_event(struct jc_recording *recording, int64_t time_us, const json_t *root,
	bool *out_kept, struct jc_diagnostic *diagnostic)
{
	struct jc_recorded_event event = { .time_us = time_us, .event = "", .text = "" };
	int error = jc_json_read_string(root, "event", NULL, &event.event, diagnostic);

	error = error ? error : jc_json_read_string(root, "text", NULL, &event.text, diagnostic);
	if (error || recording->event_count == JC_LIMIT_RECORDED_EVENTS) {
		return error;
	}
	if (!jc_array_grow(&recording->events, &recording->event_capacity,
		    recording->event_count + 1, SIZE_MAX, sizeof(event))) {
		return out_of_memory(diagnostic);
	}
	recording->events[recording->event_count++] = event;
	*out_kept = true;
	return JC_OK;
}

static int read_skeleton(struct jc_recording *recording, const json_t *root, bool *out_kept,
	struct jc_diagnostic *diagnostic)
{
	struct jc_recording_skeleton skeleton = { .hash = "" };
	int error = jc_json_read_string(root, "hash", NULL, &skeleton.hash, diagnostic);

	error = error ? error
		      : jc_json_read_object(
				root, "descriptor", NULL, &skeleton.descriptor, diagnostic);
	if (error || !skeleton.descriptor ||
		recording->skeleton_count == JC_LIMIT_RECORDED_SKELETONS) {
		return error;
	}
	for (size_t i = 0; i < recording->skeleton_count; i++) {
		if (strcmp(recording->skeletons[i].hash, skeleton.hash) == 0) {
			return JC_OK;
		}
	}
	if (!jc_array_grow(&recording->skeletons, &recording->skeleton_capacity,
		    recording->skeleton_count + 1, SIZE_MAX, sizeof(skeleton))) {
		return out_of_memory(diagnostic);
	}
	recording->skeletons[recording->skeleton_count++] = skeleton;
	*out_kept = true;
	return JC_OK;
}

/* Every message contains its server time, which relates log times to server time. */
static void read_epoch(struct jc_recording *recording, uint64_t log_time, const json_t *root)
{
	json_int_t time_us = json_integer_value(json_object_get(root, "time"));

	if (!recording->has_epoch && json_is_integer(json_object_get(root, "time")) &&
		time_us >= 0 && time_us <= JC_CAPTURE_TIME_MAX &&
		(uint64_t)time_us * 1000 <= log_time) {
		recording->session.epoch_unix_ns = log_time - (uint64_t)time_us * 1000;
		recording->has_epoch = true;
	}
}

static size_t group_of_roster(const struct jc_recording *recording, uint16_t channel)
{
	size_t group = 0;

	while (group < recording->group_count && recording->groups[group].roster != channel) {
		group++;
	}
	return group;
}

static int read_parsed(struct jc_recording *recording, const struct jc_mcap_message *message,
	json_t *root, bool *out_kept, struct jc_diagnostic *diagnostic)
{
	const struct jc_mcap_channel *channel =
		jc_mcap_index_channel(recording->index, message->channel_id);
	size_t group = group_of_roster(recording, message->channel_id);
	int64_t time_us;

	read_epoch(recording, message->log_time, root);
	time_us = jc_recording_time_us(recording, message->log_time);
	if (is_topic(recording, channel, JC_TOPIC_SESSION)) {
		return read_session(recording, root, out_kept, diagnostic);
	}
	if (is_topic(recording, channel, JC_TOPIC_SKELETON)) {
		return read_skeleton(recording, root, out_kept, diagnostic);
	}
	if (is_topic(recording, channel, JC_TOPIC_EVENT)) {
		return read_event(recording, time_us, root, out_kept, diagnostic);
	}
	return group == recording->group_count
		       ? JC_OK
		       : read_roster(recording, group, time_us, root, out_kept, diagnostic);
}

/* Reads a message and keeps its JSON while something borrows from it. */
static int read_message(struct jc_recording *recording, const struct jc_mcap_message *message,
	struct jc_diagnostic *diagnostic)
{
	bool kept = false;
	json_t *root;
	int error = jc_json_parse(message->data.bytes, message->data.length, &root, diagnostic);

	if (error) {
		return error;
	}
	error = read_parsed(recording, message, root, &kept, diagnostic);
	if (kept && json_array_append(recording->messages, root) != 0) {
		error = out_of_memory(diagnostic);
	}
	json_decref(root);
	return error;
}

static size_t list_channels(
	const struct jc_recording *recording, uint16_t out_ids[4 * JC_LIMIT_RECORDED_SPACES])
{
	static const enum jc_recording_topic topics[] = { JC_TOPIC_SESSION, JC_TOPIC_SKELETON,
		JC_TOPIC_ROSTER, JC_TOPIC_EVENT };
	size_t count = 0;

	for (size_t i = 0; i < recording->index->channel_count; i++) {
		const struct jc_mcap_channel *channel = &recording->index->channels[i];

		for (size_t j = 0; j < sizeof(topics) / sizeof(topics[0]); j++) {
			if (is_topic(recording, channel, topics[j]) &&
				count < 4 * JC_LIMIT_RECORDED_SPACES) {
				out_ids[count++] = channel->id;
			}
		}
	}
	return count;
}

static void note_damage(struct jc_recording *recording, const struct jc_diagnostic *diagnostic)
{
	if (recording->session.damage_count++ == 0) {
		recording->session.damage = *diagnostic;
	}
}

int jc_recording_read_index(struct jc_recording *recording, struct jc_diagnostic *diagnostic)
{
	uint16_t channels[4 * JC_LIMIT_RECORDED_SPACES];
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	int error = find_groups(recording, diagnostic);

	if (error) {
		return error;
	}
	range.channels = channels;
	range.channel_count = list_channels(recording, channels);
	if (jc_mcap_cursor_create(recording->input, recording->index, &range, &cursor)) {
		return out_of_memory(diagnostic);
	}
	for (;;) {
		struct jc_diagnostic damage = { 0 };

		error = jc_mcap_cursor_next(cursor, &message, &damage);
		if (error == JC_ERROR_ABSENT) {
			error = JC_OK;
			break;
		}
		if (error == JC_ERROR_MEMORY) {
			out_of_memory(diagnostic);
			break;
		}
		if (error) {
			/* The cursor continues with the next chunk. */
			note_damage(recording, &damage);
			continue;
		}
		error = read_message(recording, &message, diagnostic);
		if (error) {
			break;
		}
	}
	jc_mcap_cursor_destroy(cursor);
	return error;
}

void jc_recording_finish_index(struct jc_recording *recording)
{
	for (size_t i = 0; i < recording->roster_count; i++) {
		const struct jc_recorded_roster *roster = &recording->rosters[i].roster;

		if (!roster->is_repeated) {
			free_bodies((struct jc_recorded_body *)roster->bodies, roster->body_count);
		}
	}
	free(recording->rosters);
	free(recording->events);
	free(recording->skeletons);
	free(recording->bodies);
}
