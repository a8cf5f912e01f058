/* Entries go on to clients as text; what the edge itself needs of them is read here. */
#include "cluster/edge/relayed_roster.h"

#include <math.h>
#include <string.h>

#include "jointcast_private/json.h"
#include "maxima.h"
#include "space/description.h"
#include "space/people/people.h"

/* As in space/roster.c, so that an entry is the text that the origin wrote. */
#define ENTRY_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))
#define ID_MOST     4294967295LL
#define PLACE_MOST  1e6 /* metres: proto/CORE.md, "Bodies" */

static bool is_text(const json_t *value, size_t most)
{
	return json_is_string(value) && json_string_length(value) <= most &&
	       strlen(json_string_value(value)) == json_string_length(value);
}

static bool is_hash(const json_t *value)
{
	return is_text(value, JC_HASH_TEXT - 1) &&
	       strspn(json_string_value(value), "0123456789abcdef") == JC_HASH_TEXT - 1;
}

static bool read_number(const json_t *value, double most, float *out)
{
	double number = json_number_value(value);

	*out = (float)number;
	return json_is_number(value) && isfinite(number) && fabs(number) <= most;
}

static bool read_placement(const json_t *value, struct jc_placement *placement)
{
	const json_t *position = json_object_get(value, "position");

	return json_array_size(position) == 3 &&
	       read_number(json_array_get(position, 0), PLACE_MOST, &placement->position.x) &&
	       read_number(json_array_get(position, 1), PLACE_MOST, &placement->position.y) &&
	       read_number(json_array_get(position, 2), PLACE_MOST, &placement->position.z) &&
	       read_number(json_object_get(value, "yaw"), PLACE_MOST, &placement->yaw);
}

/* An avatar that this version does not understand counts as absent. */
static void read_avatar(const json_t *value, struct jc_worn_avatar *avatar)
{
	const json_t *hash = json_object_get(value, "hash");
	long long bytes = 0, index = 0;

	if (is_hash(hash) && jc_json_is_integer(json_object_get(value, "bytes"), &bytes) &&
		bytes > 0 && bytes <= UINT32_MAX) {
		jc_json_is_integer(json_object_get(value, "index"), &index);
		memcpy(avatar->hash, json_string_value(hash), JC_HASH_TEXT);
		avatar->bytes = (uint64_t)bytes;
		avatar->index = index > 0 && index <= UINT16_MAX ? (uint32_t)index : 0;
	}
}

static bool read_channels(const json_t *list, struct jc_roster_body *body)
{
	size_t bytes = 0, values = 0;

	if (list && (!json_is_array(list) || json_array_size(list) > JC_LIMIT_STREAM_VALUES)) {
		return false;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *name = json_array_get(list, i);

		if (!is_text(name, JC_MAX_CHANNEL_BYTES)) {
			return false;
		}
		body->channels[i] = json_string_value(name);
		bytes += json_string_length(name);
		values += jc_channel_value_count(body->channels[i]);
	}
	body->body.channel_count = json_array_size(list);
	body->body.channels = body->channels;
	return bytes <= JC_MAX_CHANNEL_BYTES && values <= JC_LIMIT_STREAM_VALUES;
}

static bool is_true(const json_t *entry, const char *key)
{
	return json_is_true(json_object_get(entry, key));
}

const char *jc_relayed_roster_read(const json_t *entry, struct jc_roster_body *out_body)
{
	struct jc_relayed_body *body = &out_body->body;
	const json_t *name = json_object_get(entry, "name");
	const json_t *display = json_object_get(entry, "display");
	const json_t *seat = json_object_get(entry, "seat");
	const json_t *hash = json_object_get(entry, "skeleton");
	const char *state = json_string_value(json_object_get(entry, "state"));
	long long id, incarnation;

	memset(out_body, 0, sizeof(*out_body));
	if (!jc_json_is_integer(json_object_get(entry, "id"), &id) || id < 0 || id > ID_MOST) {
		return "a body has no id";
	}
	if (!is_text(name, JC_MAX_BODY_NAME - 1) ||
		(display && !is_text(display, JC_MAX_BODY_NAME - 1))) {
		return "the name of a body must be text of at most 63 bytes";
	}
	if (!is_hash(hash)) {
		return "the skeleton of a body must be a hash";
	}
	if (!jc_json_is_integer(json_object_get(entry, "incarnation"), &incarnation) ||
		incarnation < 0 || incarnation > 7) {
		return "the incarnation of a body must be 0 to 7";
	}
	if (!read_placement(json_object_get(entry, "placement"), &body->placement) ||
		(seat && !read_number(json_object_get(seat, "height"), PLACE_MOST,
				 &body->seat_height))) {
		return "a body has no placement";
	}
	if (!read_channels(json_object_get(entry, "channels"), out_body)) {
		return "the channels of a body are too many, or no texts";
	}
	read_avatar(json_object_get(entry, "avatar"), &body->avatar);
	out_body->hash = json_string_value(hash);
	body->id = (uint32_t)id;
	body->name = json_string_value(name);
	body->display = json_string_value(display);
	body->incarnation = (uint8_t)incarnation;
	body->is_live = !state || strcmp(state, "stale") != 0;
	body->is_hidden = is_true(entry, "hidden");
	body->is_muted = is_true(entry, "muted");
	body->is_waiting = is_true(entry, "waiting");
	body->is_on_stage = is_true(entry, "stage");
	body->may_record = is_true(entry, "mayRecord");
	body->may_rebroadcast = is_true(entry, "mayRebroadcast");
	body->party = JC_PARTY_ELSEWHERE; /* until the owner knows more */
	return NULL;
}

static const char *check_list(const json_t *list)
{
	struct jc_roster_body body;
	const char *wrong = NULL;

	if (list && (!json_is_array(list) || json_array_size(list) > JC_MAX_BODIES)) {
		return "a list of bodies is too long, or no list";
	}
	for (size_t i = 0; i < json_array_size(list) && !wrong; i++) {
		wrong = jc_relayed_roster_read(json_array_get(list, i), &body);
	}
	return wrong;
}

const char *jc_relayed_roster_check(
	const json_t *message, const char *space, bool is_complete, uint64_t *out_revision)
{
	static const char *const lists[] = { "bodies", "joined", "changed" };
	const char *type = json_string_value(json_object_get(message, "type"));
	const char *name = json_string_value(json_object_get(message, "space"));
	const json_t *left = json_object_get(message, "left");
	const json_t *waiting = json_object_get(message, "waiting");
	long long number;

	if (!type || strcmp(type, "roster") != 0 || !name || strcmp(name, space) != 0) {
		return "not a roster of the space";
	}
	if (!jc_json_is_integer(json_object_get(message, "revision"), &number) || number < 0) {
		return "a roster has no revision";
	}
	*out_revision = (uint64_t)number;
	if (json_is_array(json_object_get(message, "bodies")) != is_complete) {
		return is_complete ? "a complete roster has no bodies" : "a change has bodies";
	}
	if ((left && (!json_is_array(left) || json_array_size(left) > JC_MAX_BODIES)) ||
		(waiting && !json_is_array(waiting))) {
		return "left and waiting must be lists";
	}
	for (size_t i = 0; i < json_array_size(left); i++) {
		if (!jc_json_is_integer(json_array_get(left, i), &number) || number < 0 ||
			number > ID_MOST) {
			return "left must be a list of ids";
		}
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const char *wrong = check_list(json_object_get(message, lists[i]));

		if (wrong) {
			return wrong;
		}
	}
	return NULL;
}

char *jc_relayed_roster_text(const json_t *value)
{
	return json_dumps(value, ENTRY_FLAGS);
}
