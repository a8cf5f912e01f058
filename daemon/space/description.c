/* Metadata is small, because every participant of the space receives each change of it. */
#include "space/description.h"

#include <stdlib.h>
#include <string.h>

#include "maxima.h"

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
