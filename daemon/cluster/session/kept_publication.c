/* Applies the messages of a publication to the fields of its `publish`. */
#include "cluster/session/kept_publication.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/error.h"

static const char *const fields[] = { "name", "kind", "profile", "height", "smooth", "skeleton",
	"avatar", "channels", "display", "meta", "placement", "mayRecord", "mayRebroadcast" };

/* Copies one field where the message has it. */
static int copy(json_t *to, const json_t *from, const char *key)
{
	json_t *value = json_object_get(from, key);

	return value ? json_object_set(to, key, value) : 0;
}

int jc_kept_publication_init(
	struct jc_kept_publication *kept, const char *space, uint8_t number, const json_t *publish)
{
	json_t *object = json_object();
	int status = object ? 0 : -1;

	for (size_t i = 0; status == 0 && i < sizeof(fields) / sizeof(fields[0]); i++) {
		status = copy(object, publish, fields[i]);
	}
	if (status != 0) {
		json_decref(object);
		return JC_ERROR_MEMORY;
	}
	*kept = (struct jc_kept_publication){
		.state = JC_KEPT_ASKED, .number = number, .publish = object
	};
	snprintf(kept->space, sizeof(kept->space), "%s", space);
	return JC_OK;
}

void jc_kept_publication_finish(struct jc_kept_publication *kept)
{
	json_decref(kept->publish);
	*kept = (struct jc_kept_publication){ .state = JC_KEPT_NONE };
}

void jc_kept_publication_consent(struct jc_kept_publication *kept, const json_t *consent)
{
	json_t *record = json_object_get(consent, "mayRecord");
	const char *raw = json_string_value(record);

	json_object_del(kept->publish, "mayRecord");
	json_object_del(kept->publish, "mayRebroadcast");
	if (json_is_true(record) || (raw && strcmp(raw, "raw") == 0)) {
		json_object_set(kept->publish, "mayRecord", record);
	}
	if (json_is_true(json_object_get(consent, "mayRebroadcast"))) {
		json_object_set_new(kept->publish, "mayRebroadcast", json_true());
	}
}

void jc_kept_publication_amend(struct jc_kept_publication *kept, const json_t *amend)
{
	const json_t *avatar = json_object_get(amend, "avatar");

	if (json_is_string(avatar)) {
		json_object_del(kept->publish, "skeleton"); /* that of the avatar counts */
	}
	copy(kept->publish, amend, "display");
	copy(kept->publish, amend, "meta");
	copy(kept->publish, amend, "avatar");
	if (json_is_null(avatar)) {
		json_object_del(kept->publish, "avatar");
	}
}

static bool is_within(const json_t *value, double most)
{
	return json_is_number(value) && fabs(json_number_value(value)) <= most;
}

void jc_kept_publication_place(struct jc_kept_publication *kept, const json_t *place)
{
	json_t *position = json_object_get(place, "position"), *yaw = json_object_get(place, "yaw"),
	       *seat = json_object_get(place, "seat");
	json_t *placement;

	if (json_array_size(position) != 3 || !is_within(yaw, 1000.0) ||
		(seat && !json_is_null(seat) && !json_is_object(seat))) {
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		if (!is_within(json_array_get(position, i), JC_MAX_STAND_METRES)) {
			return;
		}
	}
	placement = json_pack("{sO sO sO*}", "position", position, "yaw", yaw, "seat", seat);
	if (placement) {
		json_object_set_new(kept->publish, "placement", placement);
	}
}

char *jc_kept_publication_write(const struct jc_kept_publication *kept, const char *request)
{
	json_t *message = json_pack("{ss ss si ss}", "type", "publish", "space", kept->space,
		"publication", kept->number, "request", request);
	char *text = NULL;

	if (message && json_object_update(message, kept->publish) == 0) {
		text = json_dumps(message, JSON_COMPACT);
	}
	json_decref(message);
	return text;
}
