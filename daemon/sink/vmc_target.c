/* Parses the value of --vmc-out. */
#include "sink/vmc_target.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/query.h"
#include "source/source_uri.h"

static int fail(
	struct jc_diagnostic *diagnostic, const char *target, const char *what, const char *text)
{
	return jc_diagnose(
		diagnostic, JC_ERROR_INVALID, NULL, "vmc-out '%s': %s '%s'", target, what, text);
}

static int parse_hz(const char *value, struct jc_vmc_target *target, const char *text,
	struct jc_diagnostic *diagnostic)
{
	char *end;
	double hz = strtod(value, &end);

	if (end == value || *end || !isfinite(hz) || hz < 1.0 || hz > JC_MAX_SINK_HZ) {
		return fail(diagnostic, text, "hz is a number from 1 to 120, not", value);
	}
	target->hz = hz;
	return JC_OK;
}

static int parse_option(const char *key, const char *value, struct jc_vmc_target *target,
	bool *remote, const char *text, struct jc_diagnostic *diagnostic)
{
	if (!value) {
		return fail(diagnostic, text, "no such option:", key);
	}
	if (strcmp(key, "space") == 0) {
		if (!jc_source_space_name_is_valid(value)) {
			return fail(diagnostic, text, "not a name for a space:", value);
		}
		strcpy(target->space, value);
		return JC_OK;
	}
	if (strcmp(key, "body") == 0) {
		if (!*value || strlen(value) >= sizeof(target->body)) {
			return fail(diagnostic, text, "a name has 1 to 63 bytes, not", value);
		}
		strcpy(target->body, value);
		return JC_OK;
	}
	if (strcmp(key, "hz") == 0) {
		return parse_hz(value, target, text, diagnostic);
	}
	if (strcmp(key, "bones") == 0) {
		target->bones =
			strcmp(value, "original") == 0 ? JC_VMC_ORIGINAL : JC_VMC_NORMALIZED;
		return target->bones == JC_VMC_ORIGINAL || strcmp(value, "normalized") == 0
			       ? JC_OK
			       : fail(diagnostic, text, "bones are normalized or original, not",
					 value);
	}
	if (strcmp(key, "allow") == 0) {
		*remote = strcmp(value, "remote") == 0;
		return *remote ? JC_OK : fail(diagnostic, text, "allow is remote, not", value);
	}
	return fail(diagnostic, text, "no such option:", key);
}

int jc_vmc_target_parse(
	const char *text, struct jc_vmc_target *out_target, struct jc_diagnostic *diagnostic)
{
	struct jc_vmc_target target = { .space = "lobby", .hz = 60.0 };
	char copy[512];
	const char *key;
	char *value;
	bool remote = false;

	if (strlen(text) >= sizeof(copy)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "vmc-out: too long");
	}
	strcpy(copy, text);
	char *options = jc_query_cut(copy);

	while (jc_query_next(&options, &key, &value)) {
		int status = parse_option(key, value, &target, &remote, text, diagnostic);

		if (status != JC_OK) {
			return status;
		}
	}
	if (!jc_address_parse(copy, &target.address)) {
		return fail(diagnostic, text, "not an address like 127.0.0.1:39539:", copy);
	}
	if (!jc_address_is_loopback((const struct sockaddr *)&target.address) && !remote) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"vmc-out '%s': VMC is not encrypted, so any address but loopback needs "
			"'?allow=remote'",
			text);
	}
	*out_target = target;
	return JC_OK;
}
