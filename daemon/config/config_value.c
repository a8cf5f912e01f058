/* One function reads each type of value; libconfuse only splits the file into texts. */
#include "config/config_value.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include "base/address.h"

static int read_number(const struct jc_config_entry *entry, const char *text, unsigned *out_number,
	struct jc_diagnostic *diagnostic)
{
	char *end;

	errno = 0;
	long number = strtol(text, &end, 0);

	if (*end || errno || number < entry->minimum || number > entry->maximum) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"%s is from %ld to %ld, not %s", jc_config_entry_key(entry), entry->minimum,
			entry->maximum, *text ? text : "empty");
	}
	*out_number = (unsigned)number;
	return JC_OK;
}

static int read_flag(const struct jc_config_entry *entry, const char *text, bool *out_flag,
	struct jc_diagnostic *diagnostic)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*out_flag = i % 2 == 1;
			return JC_OK;
		}
	}
	return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "%s is true or false, not '%s'",
		jc_config_entry_key(entry), text);
}

static int read_text(char **text, const char *value, struct jc_diagnostic *diagnostic)
{
	char *copy = strdup(value);

	if (!copy) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	free(*text);
	*text = copy;
	return JC_OK;
}

static int read_address(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	if (!jc_address_parse(text, out_address)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not an address: 127.0.0.1:9871 or [::1]:9871", text);
	}
	return JC_OK;
}

static int read_loopback(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage address;
	int status = read_address(text, &address, diagnostic);

	if (status == JC_OK) {
		status = jc_config_check_plain(&address, diagnostic);
	}
	if (status == JC_OK) {
		*out_address = address;
	}
	return status;
}

static int read_admin(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage address = { .ss_family = AF_UNIX };
	struct sockaddr_un *un = (struct sockaddr_un *)&address;

	if (strncmp(text, "unix:", 5) != 0) {
		return read_loopback(text, out_address, diagnostic);
	}
	if (text[5] != '/' || strlen(text + 5) >= sizeof(un->sun_path)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not an address: unix:/PATH of at most %zu bytes", text,
			sizeof(un->sun_path) - 1);
	}
	strcpy(un->sun_path, text + 5);
	*out_address = address;
	return JC_OK;
}

static int read_algorithm(
	const char *text, enum jc_key_algorithm *out_algorithm, struct jc_diagnostic *diagnostic)
{
	int algorithm = jc_key_algorithm_find(text);

	if (algorithm < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"an algorithm is HS256, RS256 or ES256, not '%s'", text);
	}
	*out_algorithm = (enum jc_key_algorithm)algorithm;
	return JC_OK;
}

static int read_folder(const char *text, char *out_folder, struct jc_diagnostic *diagnostic)
{
	if (!*text || strlen(text) >= PATH_MAX) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "folder is a path, not '%.40s'", text);
	}
	strcpy(out_folder, text);
	return JC_OK;
}

static int read_skeleton(
	const char *text, struct jc_config_skeleton *skeleton, struct jc_diagnostic *diagnostic)
{
	int status = read_text(&skeleton->path, text, diagnostic);

	if (status == JC_OK) {
		skeleton->index = jc_config_cut_index(skeleton->path);
	}
	return status;
}

int jc_config_value_read(const struct jc_config_entry *entry, const char *text, void *base,
	struct jc_diagnostic *diagnostic)
{
	int status = entry->check ? entry->check(text, diagnostic) : JC_OK;

	return status == JC_OK ? jc_config_value_store(entry, text, base, diagnostic) : status;
}

int jc_config_value_store(const struct jc_config_entry *entry, const char *text, void *base,
	struct jc_diagnostic *diagnostic)
{
	void *field = (char *)base + entry->offset;

	switch (entry->type) {
	case JC_CONFIG_NUMBER:
		return read_number(entry, text, field, diagnostic);
	case JC_CONFIG_FLAG:
		return read_flag(entry, text, field, diagnostic);
	case JC_CONFIG_TEXT:
		return read_text(field, text, diagnostic);
	case JC_CONFIG_TEXTS:
		return jc_config_add_text(
			field, JC_MAX_CONFIG_TEXTS, "names in a list", text, diagnostic);
	case JC_CONFIG_PERMIT:
		return jc_permit_add(field, text, diagnostic);
	case JC_CONFIG_LOOPBACK:
		return read_loopback(text, field, diagnostic);
	case JC_CONFIG_ADDRESS:
		return read_address(text, field, diagnostic);
	case JC_CONFIG_ADMIN:
		return read_admin(text, field, diagnostic);
	case JC_CONFIG_ALGORITHM:
		return read_algorithm(text, field, diagnostic);
	case JC_CONFIG_FOLDER:
		return read_folder(text, field, diagnostic);
	case JC_CONFIG_SKELETON:
		return read_skeleton(text, base, diagnostic);
	case JC_CONFIG_RECORDING:
		break;
	}
	return jc_record_set(&((struct jc_config *)base)->recording, jc_config_entry_key(entry),
		text, diagnostic);
}

void jc_config_value_finish(const struct jc_config_entry *entry, void *base)
{
	void *field = (char *)base + entry->offset;

	switch (entry->type) {
	case JC_CONFIG_TEXT:
	case JC_CONFIG_SKELETON:
		free(*(char **)field);
		break;
	case JC_CONFIG_TEXTS:
		jc_config_free_texts(field);
		break;
	case JC_CONFIG_PERMIT:
		break;
	default:
		return; /* owns nothing, and the next value replaces it */
	}
	memset(field, 0, entry->size);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_texts(const struct jc_config_texts *a, const struct jc_config_texts *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++) {
		same = strcmp(a->texts[i], b->texts[i]) == 0;
	}
	return same;
}

bool jc_config_value_equals(const struct jc_config_entry *entry, const void *a, const void *b)
{
	const void *x = (const char *)a + entry->offset, *y = (const char *)b + entry->offset;

	switch (entry->type) {
	case JC_CONFIG_TEXT:
		return same_text(*(char *const *)x, *(char *const *)y);
	case JC_CONFIG_TEXTS:
		return same_texts(x, y);
	case JC_CONFIG_FOLDER:
		return same_text(x, y);
	default:
		return memcmp(x, y, entry->size) == 0;
	}
}
