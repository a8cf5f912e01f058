/* Display name, metadata, avatar, moderation and consent of bodies. Metadata is small, because
 * every participant of the space receives each change of it. */
#include "space/description.h"

#include <stdlib.h>
#include <string.h>

#include "maxima.h"
#include "space/space_private.h"

#define META_TEXT                                                                                  \
	"meta is an object of at most 16 keys and 1024 bytes, of texts, numbers and booleans"

bool jc_description_is_name(const char *name)
{
	size_t length = name ? strlen(name) : 0;

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
			return false;
		}
	}
	return length > 0 && length < JC_MAX_BODY_NAME;
}

bool jc_description_is_meta(const json_t *meta)
{
	const char *key;
	json_t *value;

	if (!json_is_object(meta) || json_object_size(meta) > JC_MAX_META_KEYS) {
		return false;
	}
	json_object_foreach((json_t *)meta, key, value)
	{
		if (!key[0] || strlen(key) > JC_MAX_META_KEY_BYTES ||
			!(json_is_string(value) || json_is_number(value) ||
				json_is_boolean(value))) {
			return false;
		}
	}
	return json_dumpb(meta, NULL, 0, JSON_COMPACT) <= JC_MAX_META_BYTES;
}

const char *jc_description_read(const json_t *message, struct jc_description *out_description)
{
	const json_t *display = json_object_get(message, "display");
	struct jc_description description = {
		.display = json_string_value(display),
		.meta = json_object_get(message, "meta"),
	};

	if (display && !jc_description_is_name(description.display)) {
		return "display is 1 to 63 bytes without control characters";
	}
	if (description.meta && !jc_description_is_meta(description.meta)) {
		return META_TEXT;
	}
	*out_description = description;
	return NULL;
}

char *jc_description_about(const struct jc_description *description)
{
	return description->meta ? json_dumps(description->meta, JSON_COMPACT) : NULL;
}

void jc_space_describe(struct jc_space *space, uint32_t id, const char *display, char *about)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (!body) {
		free(about);
		return;
	}
	const char *said = body->about ? body->about : "{}";
	bool is_new = (display && strcmp(display, body->display) != 0) ||
		      (about && strcmp(about, said) != 0);

	if (display) {
		memset(body->display, 0, sizeof(body->display));
		strncpy(body->display, display, sizeof(body->display) - 1);
	}
	if (about) {
		free(body->about);
		body->about = about;
	}
	if (is_new) {
		jc_space_note(space, body);
	}
}

uint32_t jc_space_wear(struct jc_space *space, uint32_t id, struct jc_skeleton_asset *asset,
	const struct jc_worn_avatar *avatar)
{
	static const struct jc_worn_avatar none;
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (!body) {
		return id;
	}
	if (body->asset != asset) {
		body = jc_space_reappear(space, body, asset);
	}
	body->avatar = avatar ? *avatar : none;
	jc_space_note(space, body);
	return body->id;
}

void jc_space_undress(struct jc_space *space, const char *hash)
{
	for (size_t i = 0; i < space->body_count + space->waiting_count; i++) {
		struct jc_body *body = &space->bodies[i];

		if (strcmp(body->avatar.hash, hash) == 0) {
			body->avatar = (struct jc_worn_avatar){ .bytes = 0 };
			if (i < space->body_count) {
				jc_space_note(space, body);
			}
		}
	}
}

/* The body that jc_space_enter gave this id, in the space or waiting; NULL: none. */
static struct jc_body *find_entered(struct jc_space *space, uint32_t first_id)
{
	for (size_t i = 0; i < space->body_count + space->waiting_count; i++) {
		if (space->bodies[i].first_id == first_id && !space->bodies[i].leaving) {
			return &space->bodies[i];
		}
	}
	return NULL;
}

static void report_withdrawal(struct jc_space *space, const struct jc_body *body)
{
	for (struct jc_sink *sink = space->sinks; sink; sink = sink->next) {
		if (sink->ops->withdrawn) {
			sink->ops->withdrawn(sink, space, body);
		}
	}
}

void jc_space_moderate(struct jc_space *space, uint32_t first_id, bool is_hidden, bool is_muted)
{
	struct jc_body *body = find_entered(space, first_id);

	if (body && (body->is_hidden != is_hidden || body->is_muted != is_muted)) {
		if (is_hidden && !body->is_hidden) {
			report_withdrawal(space, body);
		}
		body->is_hidden = is_hidden;
		body->is_muted = is_muted;
		if (body < &space->bodies[space->body_count]) {
			jc_space_note(space, body);
		}
	}
}

void jc_space_bare(struct jc_space *space, uint32_t first_id, bool is_bare)
{
	struct jc_body *body = find_entered(space, first_id);

	if (body && body->is_bare != is_bare) {
		body->is_bare = is_bare;
		if (body < &space->bodies[space->body_count]) {
			jc_space_note(space, body);
		}
	}
}

void jc_space_stage(struct jc_space *space, uint32_t id, bool is_on_stage)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);

	if (body && body->priority != is_on_stage) {
		body->priority = is_on_stage;
		jc_space_note(space, body);
	}
}

void jc_space_consent(struct jc_space *space, uint32_t id, const struct jc_consent *consent)
{
	struct jc_body *body = (struct jc_body *)jc_space_find(space, id);
	struct jc_source *source = body ? body->source : NULL;

	if (!source || (source->is_unrecorded == !consent->may_record &&
			       source->is_anonymous == !consent->may_record_raw &&
			       source->is_unrelayed == !consent->may_rebroadcast)) {
		return;
	}
	if (!source->is_unrecorded && !consent->may_record) {
		report_withdrawal(space, body);
	}
	source->is_unrecorded = !consent->may_record;
	source->is_anonymous = !consent->may_record_raw;
	source->is_unrelayed = !consent->may_rebroadcast;
	jc_space_note(space, body);
}

uint64_t jc_space_avatar_bytes(const struct jc_space *space, const char *hash)
{
	for (size_t i = 0; i < space->body_count; i++) {
		const struct jc_body *body = &space->bodies[i];

		if (jc_body_is_shown(body) && !body->is_bare &&
			strcmp(body->avatar.hash, hash) == 0) {
			return body->avatar.bytes;
		}
	}
	return 0;
}
