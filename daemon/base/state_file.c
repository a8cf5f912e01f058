/* Checks the head of state files, and keeps members that a newer version wrote. */
#include "base/state_file.h"

#include <jansson.h>
#include <string.h>

json_t *jc_state_file_head(const char *format)
{
	return json_pack("{ss si}", "jointcast", format, "version", JC_STATE_VERSION);
}

int jc_state_file_check(const json_t *object, const char *format, struct jc_diagnostic *diagnostic)
{
	const char *name = json_string_value(json_object_get(object, "jointcast"));
	const json_t *version = json_object_get(object, "version");

	if (!name || strcmp(name, format) != 0 ||
		(version && (!json_is_integer(version) || json_integer_value(version) < 1))) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "not a file of format '%s'", format);
	}
	if (version && json_integer_value(version) > JC_STATE_VERSION) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"the file has version %lld, which a newer jointcastd wrote; this one reads "
			"version %d",
			(long long)json_integer_value(version), JC_STATE_VERSION);
	}
	return JC_OK;
}

bool jc_state_file_text(const json_t *object, const char *key, char *out_text, size_t size)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text || strlen(text) >= size) {
		return false;
	}
	strcpy(out_text, text);
	return true;
}

json_t *jc_state_file_earlier(const char *text, size_t length, const char *format)
{
	json_t *object = text ? json_loadb(text, length, 0, NULL) : NULL;

	if (jc_state_file_check(object, format, NULL) != JC_OK) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static bool is_known(const char *key, const char *const known[])
{
	while (*known && strcmp(*known, key) != 0) {
		known++;
	}
	return *known;
}

int jc_state_file_keep(json_t *object, const json_t *earlier, const char *const known[])
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)earlier, key, value)
	{
		if (!is_known(key, known) && json_object_set(object, key, value) != 0) {
			return JC_ERROR_MEMORY;
		}
	}
	return JC_OK;
}
