/* One table of settings, for the configuration file and for the options of --record. */
#include "record/record_target.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/query.h"
#include "source/source_uri.h"

#define SPLIT_S_LEAST     10u
#define SPLIT_S_MOST      86400u
#define SPLIT_BYTES_LEAST (UINT64_C(64) << 10)

static int refuse(struct jc_diagnostic *diagnostic, const char *key, const char *what)
{
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "%s is %s", key, what);
}

static bool read_number(const char *text, uint64_t *out_number)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);

	*out_number = number;
	return *text >= '0' && *text <= '9' && !*end && number < UINT64_MAX;
}

static int set_number(struct jc_record_settings *settings, const char *key, const char *value,
	struct jc_diagnostic *diagnostic)
{
	uint64_t number;
	bool is_number = read_number(value, &number);

	if (strcmp(key, "split_seconds") == 0) {
		if (!is_number || number > SPLIT_S_MOST || (number > 0 && number < SPLIT_S_LEAST)) {
			return refuse(diagnostic, key, "seconds from 10 to 86400, or 0 for never");
		}
		settings->split_s = (unsigned)number;
	} else if (strcmp(key, "split_bytes") == 0) {
		if (!is_number || number < SPLIT_BYTES_LEAST) {
			return refuse(diagnostic, key, "a number of bytes from 65536 on");
		}
		settings->split_bytes = number;
	} else if (strcmp(key, "keep_days") == 0) {
		if (!is_number || number > UINT32_MAX) {
			return refuse(diagnostic, key, "a number of days, 0 for ever");
		}
		settings->keep_days = (unsigned)number;
	} else if (strcmp(key, "keep_bytes") == 0) {
		if (!is_number) {
			return refuse(diagnostic, key, "a number of bytes, 0 for all there are");
		}
		settings->keep_bytes = number;
	} else {
		return JC_ERROR_ABSENT;
	}
	return JC_OK;
}

static int set_flag(
	bool *flag, const char *key, const char *value, struct jc_diagnostic *diagnostic)
{
	*flag = strcmp(value, "true") == 0;
	return *flag || strcmp(value, "false") == 0 ? JC_OK
						    : refuse(diagnostic, key, "true or false");
}

static int set_sync(
	enum jc_record_sync *out_sync, const char *value, struct jc_diagnostic *diagnostic)
{
	static const char *const names[] = {
		[JC_RECORD_SYNC_SECOND] = "second",
		[JC_RECORD_SYNC_CLOSE] = "close",
		[JC_RECORD_SYNC_NEVER] = "never",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) == 0) {
			*out_sync = (enum jc_record_sync)i;
			return JC_OK;
		}
	}
	return refuse(diagnostic, "sync", "second, close or never");
}

int jc_record_set(struct jc_record_settings *settings, const char *key, const char *value,
	struct jc_diagnostic *diagnostic)
{
	if (strcmp(key, "raw") == 0) {
		return set_flag(&settings->raw, key, value, diagnostic);
	}
	if (strcmp(key, "scene") == 0) {
		return set_flag(&settings->scene, key, value, diagnostic);
	}
	if (strcmp(key, "packets") == 0) {
		return set_flag(&settings->packets, key, value, diagnostic);
	}
	if (strcmp(key, "sync") == 0) {
		return set_sync(&settings->sync, value, diagnostic);
	}
	return set_number(settings, key, value, diagnostic);
}

static int take_option(struct jc_record_target *target, const char *key, const char *value,
	struct jc_diagnostic *diagnostic)
{
	int error;

	if (value && strcmp(key, "space") == 0 && jc_source_space_name_is_valid(value)) {
		strcpy(target->space, value);
		return JC_OK;
	}
	error = value ? jc_record_set(&target->settings, key, value, diagnostic) : JC_ERROR_ABSENT;
	return error == JC_ERROR_ABSENT
		       ? jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "no such option: '%s%s%s'",
				 key, value ? "=" : "", value ? value : "")
		       : error;
}

int jc_record_target_parse(const char *text, const struct jc_record_settings *defaults,
	struct jc_record_target *out_target, struct jc_diagnostic *diagnostic)
{
	struct jc_record_target target = { .space = "lobby", .settings = *defaults };
	char *folder = target.settings.folder;
	char *options;
	const char *key;
	char *value;
	int error = JC_OK;

	if (strlen(text) >= sizeof(target.settings.folder)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, text, "too long");
	}
	strcpy(folder, text);
	options = jc_query_cut(folder);
	if (!folder[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, text, "no folder");
	}
	while (!error && jc_query_next(&options, &key, &value)) {
		error = take_option(&target, key, value, diagnostic);
	}
	if (!error) {
		*out_target = target;
	}
	return error;
}
