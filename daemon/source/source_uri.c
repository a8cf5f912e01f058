/* Takes source URIs apart. */
#include "source/source_uri.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool jc_source_space_name_is_valid(const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length >= JC_MAX_SPACE_NAME) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i])) {
			return false;
		}
	}
	return true;
}

static int fail(
	struct jc_diagnostic *diagnostic, const char *uri, const char *what, const char *text)
{
	return jc_diagnose(
		diagnostic, JC_ERROR_INVALID, NULL, "source '%s': %s '%s'", uri, what, text);
}

/* One option, with its value or NULL. */
static int parse_option(const char *key, const char *value, struct jc_source_uri *uri,
	const char *text, struct jc_diagnostic *diagnostic)
{
	if (strcmp(key, "loop") == 0) {
		if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
			return fail(diagnostic, text, "loop is 0 or 1, not", value);
		}
		uri->loop = !value || value[0] == '1';
		return JC_OK;
	}
	if (!value) {
		return fail(diagnostic, text, "no such option:", key);
	}
	if (strcmp(key, "speed") == 0) {
		char *end;
		double speed = strtod(value, &end);
		if (end == value || *end || !isfinite(speed) || speed < 1.0 / JC_MAX_SOURCE_SPEED ||
			speed > JC_MAX_SOURCE_SPEED) {
			return fail(
				diagnostic, text, "speed is a number from 0.01 to 100, not", value);
		}
		uri->speed = speed;
		return JC_OK;
	}
	if (strcmp(key, "space") == 0) {
		if (!jc_source_space_name_is_valid(value)) {
			return fail(diagnostic, text, "not a name for a space:", value);
		}
		strcpy(uri->space, value);
		return JC_OK;
	}
	if (strcmp(key, "name") == 0) {
		if (!*value || strlen(value) >= sizeof(uri->name)) {
			return fail(diagnostic, text, "a name has 1 to 63 bytes, not", value);
		}
		strcpy(uri->name, value);
		return JC_OK;
	}
	return fail(diagnostic, text, "no such option:", key);
}

static int parse_options(char *options, struct jc_source_uri *uri, const char *text,
	struct jc_diagnostic *diagnostic)
{
	char *rest;

	for (char *option = strtok_r(options, "&", &rest); option;
		option = strtok_r(NULL, "&", &rest)) {
		char *value = strchr(option, '=');
		if (value) {
			*value++ = '\0';
		}
		int status = parse_option(option, value, uri, text, diagnostic);
		if (status != JC_OK) {
			return status;
		}
	}
	return JC_OK;
}

int jc_source_uri_parse(
	const char *text, struct jc_source_uri *out_uri, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri uri = { .loop = true, .speed = 1.0, .space = "lobby" };
	const char *colon = strchr(text, ':');

	if (colon && strncmp(text, "file:", 5) == 0) {
		uri.scheme = JC_SOURCE_FILE;
	} else if (colon && strncmp(text, "demo:", 5) == 0) {
		uri.scheme = JC_SOURCE_DEMO;
	} else {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': neither file:PATH nor demo:NAME", text);
	}
	if (strlen(colon + 1) >= sizeof(uri.path)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"source: a path of more than %zu bytes", sizeof(uri.path) - 1);
	}
	strcpy(uri.path, colon + 1);

	char *options = strrchr(uri.path, '?');
	if (options) {
		*options++ = '\0';
		int status = parse_options(options, &uri, text, diagnostic);
		if (status != JC_OK) {
			return status;
		}
	}
	if (!uri.path[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': nothing follows the colon", text);
	}
	*out_uri = uri;
	return JC_OK;
}
