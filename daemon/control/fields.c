/* Reads message fields strictly. */
#include "control/fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "control/reply.h"
#include "jointcast_private/json.h"
#include "maxima.h"

struct jc_fields jc_fields_of(const json_t *object)
{
	return (struct jc_fields){ .object = object };
}

static void fail(struct jc_fields *fields, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void fail(struct jc_fields *fields, const char *format, ...)
{
	va_list arguments;

	if (fields->wrong[0]) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(fields->wrong, sizeof(fields->wrong), format, arguments);
	va_end(arguments);
}

void jc_fields_fail(struct jc_fields *fields, const char *wrong)
{
	if (wrong) {
		fail(fields, "%s", wrong);
	}
}

bool jc_fields_refuse(const struct jc_fields *fields, struct jc_client *client, const char *type)
{
	if (fields->wrong[0]) {
		jc_reply_error(client, "bad-field", fields->wrong, type);
	}
	return fields->wrong[0];
}

/* NULL: the field is absent, or an earlier field was wrong. */
static const json_t *find(const struct jc_fields *fields, const char *key)
{
	return fields->wrong[0] ? NULL : json_object_get(fields->object, key);
}

void jc_fields_require(struct jc_fields *fields, const char *key)
{
	if (!json_object_get(fields->object, key)) {
		fail(fields, "%s is missing", key);
	}
}

bool jc_fields_flag(struct jc_fields *fields, const char *key, bool *value)
{
	const json_t *field = find(fields, key);

	if (!field) {
		return false;
	}
	if (!json_is_boolean(field)) {
		fail(fields, "%s must be true or false", key);
		return false;
	}
	*value = json_is_true(field);
	return true;
}

bool jc_fields_integer(
	struct jc_fields *fields, const char *key, int64_t least, int64_t most, int64_t *value)
{
	const json_t *field = find(fields, key);
	long long read;

	if (!field) {
		return false;
	}
	if (!jc_json_is_integer(field, &read)) {
		fail(fields, "%s must be an integer", key);
		return false;
	}
	if (read < least || read > most) {
		fail(fields, "%s must be from %lld to %lld", key, (long long)least,
			(long long)most);
		return false;
	}
	*value = read;
	return true;
}

static bool is_within(const json_t *field, double least, double most)
{
	double read = json_number_value(field);

	return json_is_number(field) && read >= least && read <= most;
}

bool jc_fields_number(
	struct jc_fields *fields, const char *key, double least, double most, double *value)
{
	const json_t *field = find(fields, key);

	if (!field) {
		return false;
	}
	if (!is_within(field, least, most)) {
		fail(fields, "%s must be a number from %g to %g", key, least, most);
		return false;
	}
	*value = json_number_value(field);
	return true;
}

/* Whether text has no control characters. */
static bool is_plain(const char *text)
{
	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			return false;
		}
	}
	return true;
}

bool jc_fields_text(
	struct jc_fields *fields, const char *key, size_t least, size_t most, const char **text)
{
	const json_t *field = find(fields, key);
	const char *read = json_string_value(field);
	size_t length = read ? strlen(read) : 0;

	if (!field) {
		return false;
	}
	if (!read || length < least || length > most || !is_plain(read)) {
		fail(fields, "%s must be text of %zu to %zu bytes without control characters", key,
			least, most);
		return false;
	}
	*text = read;
	return true;
}

bool jc_fields_hash(struct jc_fields *fields, const char *key, const char **hash)
{
	const json_t *field = find(fields, key);
	const char *read = json_string_value(field);

	if (!field) {
		return false;
	}
	if (!read || !jc_sha256_is_hex(read, strlen(read))) {
		fail(fields, "%s must be 64 lower-case hex digits: a SHA-256", key);
		return false;
	}
	*hash = read;
	return true;
}

bool jc_fields_body(struct jc_fields *fields, int64_t *id)
{
	jc_fields_require(fields, "body");
	return jc_fields_integer(fields, "body", 0, UINT32_MAX, id);
}

bool jc_fields_publication(struct jc_fields *fields, int64_t *number)
{
	jc_fields_require(fields, "publication");
	return jc_fields_integer(fields, "publication", 0, UINT8_MAX, number);
}

bool jc_fields_choice(struct jc_fields *fields, const char *key, const char *const *names,
	size_t count, int *index)
{
	const json_t *field = find(fields, key);
	const char *read = json_string_value(field);
	char list[128] = "";
	size_t length = 0;

	if (!field && *index >= 0) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (read && strcmp(read, names[i]) == 0) {
			*index = (int)i;
			return true;
		}
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
			i == 0           ? ""
			: i + 1 == count ? " or "
					 : ", ",
			names[i]);
	}
	fail(fields, "%s must be %s", key, list);
	return false;
}

bool jc_fields_vector(struct jc_fields *fields, const char *key, double most, struct jc_vec3 *value)
{
	const json_t *field = find(fields, key);
	float read[3];

	if (!field) {
		return false;
	}
	for (size_t i = 0; i < 3; i++) {
		const json_t *number = json_array_get(field, i);

		if (json_array_size(field) != 3 || !is_within(number, -most, most)) {
			fail(fields, "%s must be three numbers from %g to %g", key, -most, most);
			return false;
		}
		read[i] = (float)json_number_value(number);
	}
	*value = (struct jc_vec3){ read[0], read[1], read[2] };
	return true;
}

bool jc_fields_array(struct jc_fields *fields, const char *key, size_t most, const json_t **array)
{
	const json_t *field = find(fields, key);

	if (!field) {
		return false;
	}
	if (!json_is_array(field) || json_array_size(field) > most) {
		fail(fields, "%s must be a list of at most %zu", key, most);
		return false;
	}
	*array = field;
	return true;
}

bool jc_fields_ids(struct jc_fields *fields, const char *key, uint32_t *ids, size_t *count)
{
	const json_t *list = NULL;

	if (!jc_fields_array(fields, key, JC_MAX_NAMED_BODIES, &list)) {
		return false;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		long long value;

		if (!jc_json_is_integer(json_array_get(list, i), &value) || value < 0 ||
			value > UINT32_MAX) {
			fail(fields, "%s must be a list of ids of bodies", key);
			return false;
		}
		ids[i] = (uint32_t)value;
	}
	*count = json_array_size(list);
	return true;
}

void jc_fields_stand(struct jc_fields *fields, struct jc_stand *stand)
{
	const json_t *seat = json_object_get(fields->object, "seat");
	double yaw = 0.0, height = 0.0;

	*stand = (struct jc_stand){ .seat_height = 0.0f };
	jc_fields_require(fields, "position");
	jc_fields_vector(fields, "position", JC_MAX_STAND_METRES, &stand->placement.position);
	jc_fields_require(fields, "yaw");
	jc_fields_number(fields, "yaw", -1000.0, 1000.0, &yaw);
	if (seat && !json_is_null(seat)) {
		struct jc_fields inner = jc_fields_of(seat);

		jc_fields_number(&inner, "height", 0.0, JC_MAX_SEAT_METRES, &height);
		stand->seat_height = (float)height;
		if (!(stand->seat_height > 0.0f)) {
			fail(fields, "seat must be null or have a height up to %g",
				JC_MAX_SEAT_METRES);
		}
	}
	stand->placement.yaw = remainderf((float)yaw, 2.0f * (float)M_PI);
}
