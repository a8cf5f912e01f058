/* Times go out as seconds of the recording, and as the server time at which it stood
 * there: clients tell the rest by their own clock. */
#include "control/replay_json.h"

#include <string.h>

#include "jointcast/limits.h"
#include "replay/replay.h"

#define TEXT_BYTES 255 /* of a marker that others wrote */

/* Never half a character. */
static json_t *pack_text(const char *text)
{
	size_t length = strnlen(text, TEXT_BYTES + 1);

	if (length > TEXT_BYTES) {
		length = TEXT_BYTES;
		while (length > 0 && (text[length] & 0xc0) == 0x80) {
			length--;
		}
	}
	return json_stringn(text, length);
}

static json_t *pack_markers(const struct jc_replay *replay)
{
	json_t *markers = json_array();

	for (size_t i = 0; i < jc_replay_marker_count(replay); i++) {
		struct jc_replay_marker marker = jc_replay_marker(replay, i);

		json_array_append_new(markers,
			json_pack("{sf so}", "time", marker.time, "text", pack_text(marker.text)));
	}
	return markers;
}

/* A file's name is any bytes. */
static json_t *pack_name(const char *name)
{
	json_t *text = json_string(name);

	return text ? text : json_string("?");
}

static json_t *pack(const struct jc_replay *replay, const struct jc_clock *clock, bool with_markers)
{
	struct jc_replay_state state;

	jc_replay_state(replay, &state);
	return json_pack("{sI so sf ss sf sI sf sb sf sf so*}", "id",
		(json_int_t)jc_replay_id(replay), "file", pack_name(jc_replay_name(replay)),
		"duration", jc_replay_duration(replay), "state",
		state.has_ended   ? "ended"
		: state.is_paused ? "paused"
				  : "playing",
		"time", state.time, "at",
		(json_int_t)(state.now_ns ? jc_clock_server_us(clock, state.now_ns) : 0), "speed",
		state.speed, "loop", state.loop, "from", state.from, "until", state.until,
		"markers", with_markers ? pack_markers(replay) : NULL);
}

bool jc_replay_json_has(const struct jc_replays *replays, const struct jc_space *space)
{
	for (size_t i = 0; i < replays->count; i++) {
		if (jc_replay_space(replays->list[i]) == space) {
			return true;
		}
	}
	return false;
}

json_t *jc_replay_json_pack(const struct jc_replays *replays, const struct jc_space *space,
	const struct jc_clock *clock, bool with_markers)
{
	json_t *list = json_array();

	for (size_t i = 0; i < replays->count; i++) {
		if (jc_replay_space(replays->list[i]) == space) {
			json_array_append_new(list, pack(replays->list[i], clock, with_markers));
		}
	}
	return json_pack("{ss ss so}", "type", "replaying", "space", jc_space_options(space)->name,
		"replays", list);
}

bool jc_replay_json_number(
	const json_t *message, const char *key, double least, double most, double *number)
{
	const json_t *value = json_object_get(message, key);
	double read = json_number_value(value);

	if (!value) {
		return true;
	}
	if (!json_is_number(value) || !(read >= least && read <= most)) {
		return false;
	}
	*number = read;
	return true;
}

static bool read_switch(const json_t *message, const char *key, bool *on)
{
	const json_t *value = json_object_get(message, key);

	*on = json_is_true(value);
	return !value || json_is_boolean(value);
}

/* Text that a body may be called; empty is fine where `least` is 0. */
static bool read_name(const json_t *value, size_t least, char out_name[JC_MAX_BODY_NAME])
{
	const char *name = json_string_value(value);
	size_t length = name ? strlen(name) : 0;

	if (!name || length < least || length >= JC_MAX_BODY_NAME) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
			return false;
		}
	}
	strcpy(out_name, name);
	return true;
}

static bool read_names(const json_t *message, struct jc_body_names *names)
{
	json_t *map = json_object_get(message, "names");
	const json_t *prefix = json_object_get(message, "prefix");
	const char *from;
	json_t *to;

	if ((prefix && !read_name(prefix, 0, names->prefix)) || (map && !json_is_object(map)) ||
		json_object_size(map) > JC_MAX_REPLAY_RENAMES) {
		return false;
	}
	json_object_foreach(map, from, to)
	{
		struct jc_body_rename *rename = &names->renames[names->rename_count++];

		if (strlen(from) >= sizeof(rename->from) || !read_name(to, 1, rename->to)) {
			return false;
		}
		strcpy(rename->from, from);
	}
	return true;
}

const char *jc_replay_json_read(const json_t *message, struct jc_body_names *out_names,
	struct jc_replay_options *out_options)
{
	struct jc_replay_options options = {
		.names = out_names, .speed = 1.0, .until = JC_LIMIT_BODY_TIME
	};

	*out_names = (struct jc_body_names){ 0 };
	if (!jc_replay_json_number(
		    message, "speed", JC_REPLAY_SPEED_LEAST, JC_MAX_REPLAY_SPEED, &options.speed)) {
		return "speed is from 0.1 to 10";
	}
	if (!jc_replay_json_number(message, "from", 0.0, JC_LIMIT_BODY_TIME, &options.from) ||
		!jc_replay_json_number(message, "until", 0.0, JC_LIMIT_BODY_TIME, &options.until)) {
		return "from and until are seconds of the recording";
	}
	if (!read_switch(message, "loop", &options.loop) ||
		!read_switch(message, "paused", &options.is_paused)) {
		return "loop and paused are booleans";
	}
	if (!read_names(message, out_names)) {
		return "prefix is text, names has at most 16 new names by the old ones, each of at "
		       "most 63 bytes";
	}
	*out_options = options;
	return NULL;
}
